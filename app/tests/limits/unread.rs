//! A client that asks and does not read: the server stops listening, and holds little.

use crate::{limited, peak, place};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asked for at once; the answers to all of them are some 170 MB.
const REQUESTS: usize = 600;

/// Are all threads of a process waiting for something?
fn is_at_rest(process: u32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let stats = tasks.filter_map(|task| fs::read_to_string(task.unwrap().path().join("stat")).ok());
    let mut states = stats.filter_map(|stat| stat.rsplit_once(')').map(|(_, rest)| rest.trim_start().starts_with('S')));
    states.all(|asleep| asleep)
}

#[test]
fn a_client_that_does_not_read_is_not_listened_to() {
    let place = place();
    let line = "0123456789abcdef".repeat(8) + "\n";
    fs::write(place.path().join("long"), line.repeat(1_000)).unwrap();
    let mut server = limited(place.path(), 120);
    let process = server.id();
    let mut input = server.take_input();
    let written = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in 0..REQUESTS {
                let call = json!({ "name": "read_file", "arguments": { "path": "long" } });
                let request = json!({ "jsonrpc": "2.0", "id": id + 10, "method": "tools/call", "params": call });
                // The pipe breaks when the server ends.
                if input.write_all(format!("{request}\n").as_bytes()).is_err() {
                    return;
                }
            }
            written.store(true, Ordering::Release);
            drop(input);
        });
        // Until it has taken all there is, or rests though there is more.
        let mut rested = 0;
        while rested < 2_000 {
            rested = if is_at_rest(process) { rested + 1 } else { 0 };
            std::thread::yield_now();
        }
        let held = peak(&server);
        // Every request is answered once somebody reads.
        let answered = (0..REQUESTS).filter(|_| server.next_line().contains(r#""result":"#)).count();
        assert_eq!(answered, REQUESTS);
        assert!(held <= 128, "it held {held} MiB for a client that does not read");
    });
    assert!(written.load(Ordering::Acquire));
}

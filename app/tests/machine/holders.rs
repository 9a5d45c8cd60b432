//! Who holds the workspace: `busy` names the process, and since when and for whom where it has left a note. Nothing more
//! is made of that note.

use crate::place::Place;
use crate::speaker::Server;
use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, Mode, OFlags};
use serde_json::{Value, json};
use std::fs;

fn file(path: &str) -> Value {
    json!({ "path": path, "content": "x\n" })
}

/// Holds the workspace, as a writer does.
fn held(place: &Place) -> OwnedFd {
    let root =
        rustix::fs::open(&place.root, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).unwrap();
    rustix::fs::flock(&root, FlockOperation::NonBlockingLockExclusive).unwrap();
    root
}

fn patient() -> Place {
    let place = Place::new();
    fs::write(place.path("patchwright.toml"), "[limits]\nlock_wait_ms = 1\n").unwrap();
    place
}

#[test]
fn busy_names_the_holder() {
    let place = patient();
    place.make("first.txt");
    let me = std::process::id();
    // Let go of by name: a process that another test starts just now may have it too.
    let lock = held(&place);
    for (note, holder) in [
        // The note of whoever was there last.
        (None, json!({ "pid": me })),
        (
            Some(format!("{me} 1500000000 somebody/2.0\n")),
            json!({ "pid": me, "since": "1970-01-01T00:00:01.500Z", "client": "somebody/2.0" }),
        ),
        (Some("1 1500000000 somebody/2.0\n".to_owned()), json!({ "pid": me })),
        (Some("\u{0}garbage".to_owned()), json!({ "pid": me })),
    ] {
        if let Some(note) = &note {
            fs::write(place.ring().join("holder"), note).unwrap();
        }
        let ran = place.call("create_file", &file("second.txt")).is(1, "busy");
        let answer = ran.answer();
        assert_eq!(answer.pointer("/error/kind"), Some(&json!("busy")), "{answer}");
        assert_eq!(answer.pointer("/error/details/holder"), Some(&holder), "{note:?}: {answer}");
        assert!(answer.to_string().contains(&format!("process {me}")), "{answer}");
    }
    rustix::fs::flock(&lock, FlockOperation::Unlock).unwrap();
    place.make("second.txt");
}

#[test]
fn a_server_leaves_word_and_names_the_holder_too() {
    for flags in [&[][..], &["--no-sandbox"]] {
        let place = patient();
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("first.txt"));
        let note = fs::read_to_string(place.ring().join("holder")).unwrap();
        let words: Vec<&str> = note.trim_end().splitn(3, ' ').collect();
        assert_eq!((words[0], words[2]), (server.pid().to_string().as_str(), "test/1"), "{flags:?}: {note}");
        let lock = held(&place);
        let said = server.call("create_file", &file("second.txt"));
        assert!(said.refused && said.text.contains(&format!("process {}", std::process::id())), "{}", said.text);
        rustix::fs::flock(&lock, FlockOperation::Unlock).unwrap();
        server.done("create_file", &file("second.txt"));
        server.close();
    }
}

//! A long history: 100,000 edits on record, made by the engine itself, a fifth of them to one file. Then what looking
//! back at one file takes a cold process, and what a durable edit costs there against one in a workspace without a
//! past, in turns. All on one journaled ext4.

use super::Bench;
use super::figures::{self, Times};
use super::mount::Mounted;
use crate::client::Client;
use crate::failure::Failure;
use crate::{run, say, syncs};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Edits on record.
const BATCHES: usize = 100_000;
/// Every so many-th of them is to the one file.
const TO_ONE: usize = 5;
/// The others are spread over so many files.
const FILES: usize = 1_000;
/// Lines of the one file.
const LINES: usize = 200;
/// Cold looks.
const LOOKS: usize = 20;
const WARM_UP: usize = 20;
/// More than the engine lets pass until it brings its index up to date, so that this is in the figures.
const EDITS: usize = 300;

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let disk = Mounted::ext4(bench.scratch.path())?;
    let (long, short) = (disk.place().join("long"), disk.place().join("short"));
    for folder in [&long, &short] {
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
        write(folder, "note.txt", &syncs::page("state 0"))?;
    }
    live(bench, &long)?;
    look(bench, &long, "list_batches", &json!({"path": "one.txt"}))?;
    look(bench, &long, "list_batches", &json!({"path": "one.txt", "status": "undone"}))?;
    look(bench, &long, "list_batches", &json!({}))?;
    look(bench, &long, "explain_lines", &json!({"path": "one.txt"}))?;
    compare(bench, &long, &short)?;
    anew(bench, &long)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let file = folder.join(name);
    fs::write(&file, text).map_err(|error| Failure::io(file.display(), &error))
}

/// Makes the history.
fn live(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    write(folder, "one.txt", &(0..LINES).map(|line| format!("line {line} state 0.\n")).collect::<String>())?;
    for file in 0..FILES {
        write(folder, &format!("file{file}.txt"), "state 0.\n")?;
    }
    let begun = Instant::now();
    let mut server = bench.server(folder);
    server.args(["--durability", "none"]);
    let mut client = Client::start("patchwright", server)?;
    client.call("read_file", &json!({"path": "one.txt"}))?;
    for file in 0..FILES {
        client.call("read_file", &json!({"path": format!("file{file}.txt")}))?;
    }
    for turn in 0..BATCHES {
        client.call("edit_file", &nth(turn))?;
    }
    client.close()?;
    let seconds = begun.elapsed().as_secs_f64();
    say::line(&format!("history: {BATCHES} edits on record, made in {seconds:.0} s without syncs"));
    Ok(())
}

/// One edit of the history. Each file's state is counted on; full stops keep numbers apart.
fn nth(turn: usize) -> Value {
    let (round, place) = (turn / TO_ONE, turn % TO_ONE);
    let (path, name, state) = if place == 0 {
        ("one.txt".to_owned(), format!("line {} ", round % LINES), round / LINES)
    } else {
        let number = round * (TO_ONE - 1) + place - 1;
        (format!("file{}.txt", number % FILES), String::new(), number / FILES)
    };
    let edit =
        json!({"oldText": format!("{name}state {state}.\n"), "newText": format!("{name}state {}.\n", state + 1)});
    json!({"path": path, "edits": [edit]})
}

/// Times a look by a process that has just started.
fn look(bench: &Bench, folder: &Path, tool: &str, arguments: &Value) -> Result<(), Failure> {
    let mut times = Times::new(format!("{tool} {arguments}"));
    for _ in 0..LOOKS {
        let begun = Instant::now();
        run::output(call(bench, folder, tool, arguments), "see what the call answers")?;
        times.add(begun.elapsed());
    }
    figures::tell("cold, limit 100 ms", &[&times]);
    Ok(())
}

fn call(bench: &Bench, folder: &Path, tool: &str, arguments: &Value) -> Command {
    let mut command = bench.ours();
    command.args(["call", tool, "--root"]).arg(folder).arg(arguments.to_string());
    command
}

/// Durable edits with and without a past, in turns.
fn compare(bench: &Bench, long: &Path, short: &Path) -> Result<(), Failure> {
    let mut clients = [Client::start("long", bench.server(long))?, Client::start("short", bench.server(short))?];
    let mut times = [Times::new("with a history"), Times::new("without")];
    for client in &mut clients {
        client.call("read_file", &json!({"path": "note.txt"}))?;
    }
    for turn in 0..WARM_UP.saturating_add(EDITS) {
        let next = turn.saturating_add(1);
        let edit = json!({"oldText": format!("state {turn}\n"), "newText": format!("state {next}\n")});
        for (client, times) in clients.iter_mut().zip(&mut times) {
            let time = client.time("edit_file", &json!({"path": "note.txt", "edits": [edit]}))?;
            if turn >= WARM_UP {
                times.add(time);
            }
        }
    }
    let [one, two] = clients;
    one.close()?;
    two.close()?;
    let [long, short] = &times;
    figures::tell("durable 4 KB, limit 1.1", &[long, short]);
    let mean = figures::ratio(long.mean(), short.mean());
    say::line(&format!("durable 4 KB, limit 1.1: on average {mean:.3}, the index kept up to date included"));
    Ok(())
}

/// What it takes to make the index anew, for whoever deletes it.
fn anew(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let index = folder.join(".patchwright/index.sqlite");
    let size = |file: &Path| fs::metadata(file).map_or(0.0, |about| about.len() as f64 / 1e6);
    let log = folder.join(".patchwright/log");
    say::line(&format!("log {:.1} MB, index {:.1} MB", size(&log), size(&index)));
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!(".patchwright/index.sqlite{ending}")));
    }
    let begun = Instant::now();
    run::output(call(bench, folder, "explain_lines", &json!({"path": "one.txt"})), "see what the call answers")?;
    say::line(&format!("index made anew in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each edit finds what the one before left, and a fifth of them is to the one file.
    #[test]
    fn the_history_joins_on() {
        let mut states: std::collections::HashMap<(String, String), String> = std::collections::HashMap::new();
        let mut to_one = 0;
        for edit in (0..BATCHES).map(nth) {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (old, new) = (text(&edit["edits"][0]["oldText"]), text(&edit["edits"][0]["newText"]));
            let (name, state) = old.split_once("state ").unwrap_or_default();
            let known = states.insert((text(&edit["path"]), name.to_owned()), new);
            assert_eq!(known.unwrap_or_else(|| format!("{name}state 0.\n")), format!("{name}state {state}"));
            to_one += usize::from(edit["path"] == "one.txt");
        }
        assert_eq!(to_one, BATCHES / TO_ONE);
    }
}

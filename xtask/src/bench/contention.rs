//! Several processes edit one workspace at once, each a file of its own: how long does a call wait for its turn?
//!
//! Every process is a closed loop: it makes its next durable edit as soon as the last one is answered, until all of
//! them together have made a fixed number. So everybody contends from the first call to the last, and a process that
//! is passed over shows in the late percentiles and in the calls that it got.
//!
//! The yardstick comes from the same run. One change takes `elapsed / calls`; in a fair queue of N such processes each
//! waits for the N - 1 others and itself, which is N times that.

use super::Bench;
use super::figures::{self, Times, milliseconds};
use crate::client::Client;
use crate::failure::Failure;
use crate::{say, syncs};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the percentile p99 may come to, as a multiple of the mean wait of a fair queue.
const LIMIT: f64 = 4.0;

/// How many writers, and how many edits they make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) processes: usize,
    pub(super) calls: usize,
}

impl Default for Load {
    fn default() -> Load {
        Load { processes: 8, calls: 2_000 }
    }
}

/// How the edits are asked for.
#[derive(Clone, Copy)]
enum Door {
    /// A server for each writer.
    Servers,
    /// A process for each call.
    CommandLine,
}

/// What one writer saw.
struct Seen {
    times: Times,
    /// Calls that were refused because the lock's limit was over.
    busy: usize,
}

/// One run: everybody edits until the calls are used up.
struct Race<'a> {
    bench: &'a Bench,
    folder: PathBuf,
    calls: usize,
    taken: AtomicUsize,
    start: Barrier,
}

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let Load { processes, calls } = bench.load;
    let alone = calls.div_ceil(processes.max(1));
    race(bench, Door::Servers, Load { processes: 1, calls: alone })?;
    race(bench, Door::Servers, bench.load)?;
    race(bench, Door::CommandLine, bench.load)
}

fn race(bench: &Bench, door: Door, load: Load) -> Result<(), Failure> {
    let folder = bench.folder(&format!("contention-{}-{}", door.name(), load.processes))?;
    for writer in 0..load.processes {
        let file = folder.join(name(writer));
        std::fs::write(&file, syncs::page("state 0")).map_err(|error| Failure::io(file.display(), &error))?;
    }
    let start = Barrier::new(load.processes.saturating_add(1));
    let race = Race { bench, folder, calls: load.calls, taken: AtomicUsize::new(0), start };
    let (seen, elapsed) = race.run(door, load.processes);
    tell(door, &seen.into_iter().collect::<Result<Vec<_>, _>>()?, elapsed);
    Ok(())
}

impl Race<'_> {
    /// What every writer saw, and how long it took from the first call to the last.
    fn run(&self, door: Door, processes: usize) -> (Vec<Result<Seen, Failure>>, Duration) {
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..processes).map(|writer| scope.spawn(move || self.write(door, writer))).collect();
            self.start.wait();
            let begun = Instant::now();
            let gave_up = || Err(Failure::new("a writer gave up", "run it again"));
            let seen = writers.into_iter().map(|writer| writer.join().unwrap_or_else(|_| gave_up())).collect();
            (seen, begun.elapsed())
        })
    }

    /// One writer's loop.
    fn write(&self, door: Door, writer: usize) -> Result<Seen, Failure> {
        // Whoever cannot start still comes to the barrier: the others would wait for ever.
        let editor = Editor::open(self, door, writer);
        self.start.wait();
        let mut editor = editor?;
        let mut seen = Seen { times: Times::new(door.name()), busy: 0 };
        while self.taken.fetch_add(1, Ordering::Relaxed) < self.calls {
            let begun = Instant::now();
            let done = editor.edit()?;
            seen.times.add(begun.elapsed());
            seen.busy = seen.busy.saturating_add(usize::from(done == Turn::Busy));
        }
        editor.close()?;
        Ok(seen)
    }
}

/// What came of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Done,
    Busy,
}

/// One writer, its file, and how often it has edited that.
struct Editor<'a> {
    race: &'a Race<'a>,
    file: String,
    state: usize,
    /// Its server, if it has one.
    client: Option<Client>,
}

impl<'a> Editor<'a> {
    fn open(race: &'a Race<'a>, door: Door, writer: usize) -> Result<Editor<'a>, Failure> {
        let file = name(writer);
        let client = match door {
            Door::CommandLine => None,
            Door::Servers => {
                let mut server = race.bench.server(&race.folder);
                server.args(["--answers", "structured"]);
                let mut client = Client::start("patchwright", server)?;
                client.call("read_file", &json!({"path": file}))?;
                Some(client)
            }
        };
        Ok(Editor { race, file, state: 0, client })
    }

    /// The next edit; one that was refused is made again by the next call.
    fn edit(&mut self) -> Result<Turn, Failure> {
        let next = self.state.saturating_add(1);
        // The closing line break keeps "state 1" apart from "state 10".
        let (old, new) = (format!("state {}\n", self.state), format!("state {next}\n"));
        let answer = match &mut self.client {
            Some(client) => {
                let edit = json!({"path": self.file, "edits": [{"oldText": old, "newText": new}]});
                let mut result = client.ask("tools/call", json!({"name": "edit_file", "arguments": edit}))?;
                result.get_mut("structuredContent").map(Value::take).unwrap_or_default()
            }
            None => {
                let hunk = format!("@@\n-{old}+{new}");
                let patch = format!("*** Begin Patch\n*** Update File: {}\n{hunk}*** End Patch\n", self.file);
                self.call("apply_patch", &json!({"patch": patch}))?
            }
        };
        let turn = turn(&answer)?;
        self.state = if turn == Turn::Done { next } else { self.state };
        Ok(turn)
    }

    /// Calls a tool by the command line; what it answered.
    fn call(&self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let mut command = self.race.bench.ours();
        command.args(["call", tool, "--root"]).arg(&self.race.folder).arg(arguments.to_string());
        let done = command.stdin(Stdio::null()).output().map_err(|error| Failure::io("patchwright", &error))?;
        Ok(serde_json::from_slice(&done.stdout).unwrap_or_default())
    }

    fn close(self) -> Result<(), Failure> {
        self.client.map_or(Ok(()), Client::close)
    }
}

/// Only a refusal for want of the lock is one of the results; any other is a mistake of this measurement.
fn turn(answer: &Value) -> Result<Turn, Failure> {
    let kind = answer.pointer("/error/kind").and_then(Value::as_str);
    match (answer.get("ok").and_then(Value::as_bool), kind) {
        (Some(true), _) => Ok(Turn::Done),
        (_, Some("busy")) => Ok(Turn::Busy),
        _ => Err(Failure::new(format!("an edit was answered {answer}"), "look at the arguments")),
    }
}

fn name(writer: usize) -> String {
    format!("w{writer}.txt")
}

impl Door {
    fn name(self) -> &'static str {
        match self {
            Door::Servers => "servers",
            Door::CommandLine => "command-line",
        }
    }
}

fn tell(door: Door, seen: &[Seen], elapsed: Duration) {
    let mut all = Times::new(door.name());
    seen.iter().for_each(|one| all.extend(&one.times));
    let processes = seen.len();
    let title = format!("{} x {processes}", door.name());
    let service = elapsed.checked_div(u32::try_from(all.count()).unwrap_or(u32::MAX)).unwrap_or_default();
    let fair = fair_wait(service, processes);
    let [p50, p99, worst] = [all.median(), all.at(99, 100), all.worst()].map(milliseconds);
    say::line(&format!("{title}: p50 {p50:.1} ms   p99 {p99:.1} ms   worst {worst:.1} ms   n {}", all.count()));
    say::line(&format!(
        "{title}: one change {:.2} ms, mean wait of a fair queue {:.1} ms; p99 / that = {:.2}, limit {LIMIT}",
        milliseconds(service),
        milliseconds(fair),
        figures::ratio(all.at(99, 100), fair),
    ));
    let calls = seen.iter().map(|one| one.times.count());
    let (fewest, most) = (calls.clone().min().unwrap_or_default(), calls.max().unwrap_or_default());
    let busy: usize = seen.iter().map(|one| one.busy).sum();
    say::line(&format!("{title}: calls of one process {fewest} to {most}; answered busy {busy}"));
}

/// How long a call takes on average where `processes` closed loops take turns.
fn fair_wait(service: Duration, processes: usize) -> Duration {
    service.saturating_mul(u32::try_from(processes).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_answer_means() {
        let check = |answer: Value, expected: Option<Turn>| {
            assert!(turn(&answer).ok() == expected, "{answer}");
        };
        check(json!({"ok": true}), Some(Turn::Done));
        check(json!({"ok": false, "error": {"kind": "busy"}}), Some(Turn::Busy));
        check(json!({"ok": false, "error": {"kind": "stale_file"}}), None);
        check(Value::Null, None);
    }

    #[test]
    fn a_fair_queue() {
        assert_eq!(fair_wait(Duration::from_millis(7), 8), Duration::from_millis(56));
        assert_eq!(fair_wait(Duration::from_millis(7), 1), Duration::from_millis(7));
    }
}

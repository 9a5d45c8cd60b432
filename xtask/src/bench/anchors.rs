//! Reading with anchors and editing by them: a file of 100 MB against the `hashline` command line, a page against
//! itself without anchors, and one line of a million against GNU patch. In turns.
//!
//! The rival computes no hash of the whole file and shows all of it; ours is measured both with the page that a
//! caller gets by default and with all.

use super::figures::{self, Times};
use super::{Bench, peers};
use crate::client::Client;
use crate::failure::Failure;
use crate::{run, say, syncs};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BIG: usize = 100_000_000;
const WARM_UP: usize = 1;
const RUNS: usize = 9;
const SMALL_READS: usize = 2000;
const LINES: usize = 1_000_000;

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let folder = bench.folder("anchors")?;
    put(&folder.join("big.rs"), &source(|text| text.len() >= BIG))?;
    big(bench, &folder)?;
    put(&folder.join("page.txt"), syncs::page("a page").as_ref())?;
    page(bench, &folder)?;
    one_line(bench, &folder)
}

/// The whole file over MCP, where starting up does not count, and as processes beside the rival.
fn big(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let hashline = peers::hashline(bench)?;
    let path = folder.join("big.rs");
    let mut client = Client::start("patchwright", bench.server(folder))?;
    let mut times = [
        Times::new("patchwright call read_file"),
        Times::new("patchwright read --hashes"),
        Times::new("hashline read"),
    ];
    let mut served = Times::new("read_file, served");
    for turn in 0..WARM_UP + RUNS {
        let mut call = bench.ours();
        call.args(["call", "read_file", "--root"]).arg(folder).arg(r#"{"path":"big.rs","hashes":true}"#);
        let mut all = bench.ours();
        all.args(["read", "--hashes", "big.rs", "--root"]).arg(folder);
        let mut theirs = Command::new(&hashline);
        theirs.arg("read").arg(&path);
        let served_time = client.time("read_file", &json!({"path": "big.rs", "hashes": true, "maxBytes": 262_144}))?;
        let each = [timed(call)?, timed(all)?, timed(theirs)?];
        if turn >= WARM_UP {
            served.add(served_time);
            times.iter_mut().zip(each).for_each(|(times, time)| times.add(time));
        }
    }
    client.close()?;
    figures::tell("100 MB with anchors", &[&served]);
    let speed = BIG as f64 / served.median().as_secs_f64() / 1e9;
    say::line(&format!("100 MB with anchors: the library reads {speed:.2} GB/s"));
    let [page, all, theirs] = &times;
    figures::tell("100 MB with anchors", &[page, all, theirs]);
    for ours in [page, all] {
        let speed = figures::ratio(theirs.median(), ours.median());
        say::line(&format!("100 MB with anchors: {} is {speed:.2} × as fast as {}", ours.name, theirs.name));
    }
    Ok(())
}

/// 4 KB, with and without.
fn page(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let mut client = Client::start("patchwright", bench.server(folder))?;
    let (mut with, mut without) = (Times::new("with anchors"), Times::new("without"));
    for turn in 0..SMALL_READS + SMALL_READS / 10 {
        for (times, hashes) in [(&mut with, true), (&mut without, false)] {
            let time = client.time("read_file", &json!({"path": "page.txt", "hashes": hashes}))?;
            if turn >= SMALL_READS / 10 {
                times.add(time);
            }
        }
    }
    figures::tell("read 4 KB", &[&with, &without]);
    client.close()
}

/// One line in the middle of a million, changed and changed back. Neither waits for the disk.
fn one_line(bench: &Bench, folder: &Path) -> Result<(), Failure> {
    let mut lines = 0_usize;
    let text = source(|text| {
        lines += 11;
        lines >= LINES || text.len() >= 1 << 30
    });
    let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
    for place in [&ours, &theirs] {
        fs::create_dir_all(place).map_err(|error| Failure::io(place.display(), &error))?;
        put(&place.join("big.rs"), &text)?;
    }
    let mut times = [Times::new("patchwright call edit"), Times::new("GNU patch")];
    for turn in 0..WARM_UP + RUNS {
        let change = Change::of(&theirs.join("big.rs"), turn)?;
        let each = [edit(bench, &ours, &change)?, patch(&theirs, &change)?];
        if fs::read(ours.join("big.rs")).ok() != fs::read(theirs.join("big.rs")).ok() {
            return Err(Failure::new("the two edits differ", "look at the diff of both files"));
        }
        if turn >= WARM_UP {
            times.iter_mut().zip(each).for_each(|(times, time)| times.add(time));
        }
    }
    let [one, other] = &times;
    figures::tell("one line of 1,000,000", &[one, other]);
    Ok(())
}

/// A line that occurs once, what it becomes, and the lines beside it.
struct Change {
    number: usize,
    old: String,
    new: String,
    beside: [String; 2],
}

impl Change {
    fn of(file: &Path, turn: usize) -> Result<Change, Failure> {
        let text = fs::read_to_string(file).map_err(|error| Failure::io(file.display(), &error))?;
        let at = LINES / 2 + turn * 1100;
        let around: Vec<&str> = text.lines().skip(at).skip_while(|line| !line.contains("pub fn")).take(2).collect();
        let number = text.lines().position(|line| Some(&line) == around.first()).unwrap_or(0) + 1;
        let above = text.lines().nth(number.saturating_sub(2)).unwrap_or_default();
        let [old, below] = [0, 1].map(|at| around.get(at).copied().unwrap_or_default().to_owned());
        let new = old.replace("pub fn", "pub(crate) fn");
        Ok(Change { number, old, new, beside: [above.to_owned(), below] })
    }
}

fn edit(bench: &Bench, folder: &Path, change: &Change) -> Result<Duration, Failure> {
    let look = json!({"path": "big.rs", "hashes": true, "startLine": change.number, "endLine": change.number});
    let answer = call(bench, folder, "read_file", &look)?.1;
    let content = answer.pointer("/data/content").and_then(Value::as_str).unwrap_or_default();
    let Some((anchor, _)) = content.split_once(' ') else {
        return Err(Failure::new(format!("no anchor in {answer}"), "run the call by hand"));
    };
    let operation = json!({"op": "replace_line", "hash": anchor, "content": change.new});
    let (time, answer) = call(bench, folder, "edit", &json!({"path": "big.rs", "operations": [operation]}))?;
    match answer.get("ok") {
        Some(Value::Bool(true)) => Ok(time),
        _ => Err(Failure::new(format!("edit refused: {answer}"), "run the call by hand")),
    }
}

fn call(bench: &Bench, folder: &Path, tool: &str, arguments: &Value) -> Result<(Duration, Value), Failure> {
    let mut command = bench.ours();
    command.args(["call", tool, "--durability", "none", "--root"]).arg(folder).arg(arguments.to_string());
    let begun = Instant::now();
    let bytes = run::output(command, "run it by hand and see what it says")?;
    let time = begun.elapsed();
    let answer = serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{tool} wrote no JSON: {error}"), "run it by hand"))?;
    Ok((time, answer))
}

fn patch(folder: &Path, change: &Change) -> Result<Duration, Failure> {
    let Change { number, old, new, beside: [above, below] } = change;
    let from = number.saturating_sub(1);
    let hunk = format!("--- big.rs\n+++ big.rs\n@@ -{from},3 +{from},3 @@\n {above}\n-{old}\n+{new}\n {below}\n");
    let file = folder.join("change.diff");
    put(&file, hunk.as_bytes())?;
    let mut command = Command::new("patch");
    command.args(["--silent", "-p0", "-i", "change.diff"]).current_dir(folder);
    timed(command)
}

/// How long a process takes whose output nobody reads.
fn timed(mut command: Command) -> Result<Duration, Failure> {
    command.stdout(Stdio::null());
    let begun = Instant::now();
    let status = command.status().map_err(|error| Failure::io(format!("{command:?}"), &error))?;
    let time = begun.elapsed();
    match status.success() {
        true => Ok(time),
        false => Err(Failure::new(format!("{command:?} failed"), "run it by hand and see what it says")),
    }
}

/// Text like a program's: unique lines, lines that repeat, blank ones and lone braces. The same every time.
fn source(mut enough: impl FnMut(&str) -> bool) -> Vec<u8> {
    const WORDS: [&str; 16] = [
        "value", "result", "path", "line", "text", "bytes", "index", "count", "hash", "anchor", "file", "reader",
        "writer", "buffer", "offset", "length",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    let mut text = String::new();
    let mut number = 0_usize;
    while !enough(&text) {
        number += 1;
        let [a, b, c, d] = [0; 4].map(|_| usize::try_from(next(16)).ok().and_then(|at| WORDS.get(at)).unwrap_or(&"x"));
        let (small, large) = (next(100), next(100_000));
        text.push_str(&format!(
            "    /// The {a} of the {b} at {c} {number}, or nothing.\n    pub fn {d}_{number}(&self, {a}: usize) -> Option<usize> {{\n        \
             let {b} = self.{c}.{d}({large}, {a})?;\n        if {a} > {small} && self.{b}.is_empty() {{\n            \
             return {c}({d}).map(|{a}| {a} + {small});\n        }}\n\n        // {a} {b} {c} {d}\n        \
             Some({b} + {large})\n    }}\n\n"
        ));
    }
    text.into_bytes()
}

fn put(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(file, bytes).map_err(|error| Failure::io(file.display(), &error))
}

//! `watch`: what it prints, for programs and for people, and how it ends; in this process and in others.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_testkit::home;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Nothing here takes that long, unless it never comes.
const LONG: Duration = Duration::from_secs(120);

/// What a command left behind.
struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run(root: &Path, args: &[&str]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), root.into()];
    line.extend(args.iter().map(OsString::from));
    let (manner, screen) = (Manner::default(), Screen::Pipe);
    let mut ports =
        Ports { input: &mut std::io::empty(), output: &mut out, errors: &mut err, screen, pager: &mut NoPager, manner };
    let surroundings = Surroundings { home: home::at(), ..Surroundings::default() };
    let Next::Exit(status) = cli::run(line, &mut ports, &surroundings) else { panic!("{args:?} serves") };
    Ran { code: status.code(), out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn call(root: &Path, tool: &str, arguments: &Value) {
    run(root, &["--unchecked", "--as", "ada", "call", tool, &arguments.to_string()]);
}

fn create(root: &Path, path: &str) {
    call(root, "create_file", &json!({ "path": path, "content": "x\n" }));
}

/// A session with an event of each sort.
fn play(root: &Path) {
    create(root, "a.txt");
    call(root, "write_file", &json!({ "path": "none.txt", "content": "x" }));
    call(root, "move_file", &json!({ "fromPath": "a.txt", "toPath": "b.txt" }));
    call(root, "write_file", &json!({ "path": "b.txt", "content": "y\n", "mode": "propose" }));
    call(root, "write_file", &json!({ "path": "b.txt", "content": "y\n", "dryRun": true }));
    call(root, "reject_batch", &json!({ "batchId": "b3" }));
    call(root, "undo", &json!({ "batchId": "b2" }));
}

/// The lines of JSON, without what differs from run to run.
fn masked(out: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        for name in ["cursor", "session", "batchId", "time"] {
            if let Some(field) = value.get_mut(name) {
                assert!(field.as_str().is_some_and(|text| text.len() > 8), "{name}: {line}");
                *field = json!("…");
            }
        }
        value.to_string()
    };
    out.lines().map(line).collect()
}

#[test]
fn lines_of_json() {
    let root = tempfile::tempdir().unwrap();
    play(root.path());
    let ran = run(root.path(), &["watch", "--json", "--from-start", "--once"]);
    let who = r#""actor":"ada""#;
    let how = r#""time":"…","client":"patchwright-cli/0.1.0","door":"cli","role":"person""#;
    let want = [
        format!(
            r#"{{"cursor":"…","event":"batch","batch":"b1","tool":"create_file","session":"…",{who},"paths":["a.txt"],{how},"batchId":"…","linesAdded":1,"linesRemoved":0}}"#
        ),
        format!(
            r#"{{"cursor":"…","event":"refusal","batch":null,"tool":"write_file","session":"…",{who},"paths":["none.txt"],{how},"kind":"not_found"}}"#
        ),
        format!(
            r#"{{"cursor":"…","event":"batch","batch":"b2","tool":"move_file","session":"…",{who},"paths":["a.txt","b.txt"],{how},"batchId":"…","linesAdded":0,"linesRemoved":0}}"#
        ),
        format!(
            r#"{{"cursor":"…","event":"proposal","batch":"b3","tool":"write_file","session":"…",{who},"paths":["b.txt"],{how},"batchId":"…","linesAdded":1,"linesRemoved":1}}"#
        ),
        format!(
            r#"{{"cursor":"…","event":"verdict","batch":"b3","tool":"reject_batch","session":"…",{who},"paths":["b.txt"],{how},"batchId":"…","decision":"rejected","linesAdded":1,"linesRemoved":1}}"#
        ),
        format!(
            r#"{{"cursor":"…","event":"batch","batch":"b4","tool":"undo","session":"…",{who},"paths":["b.txt","a.txt"],{how},"batchId":"…","linesAdded":0,"linesRemoved":0,"undoes":["b2"]}}"#
        ),
    ];
    assert_eq!((ran.code, masked(&ran.out), ran.err.as_str()), (0, want.to_vec(), ""));
    for (at, line) in ran.out.lines().enumerate() {
        let cursor = serde_json::from_str::<Value>(line).unwrap()["cursor"].as_str().unwrap().to_owned();
        let rest = run(root.path(), &["watch", "--json", "--since", &cursor, "--once"]);
        assert_eq!(rest.out.lines().collect::<Vec<_>>(), ran.out.lines().skip(at + 1).collect::<Vec<_>>());
    }
    let last = run(root.path(), &["watch", "--json", "-n", "2", "--once"]);
    assert_eq!(masked(&last.out), want[4..]);
}

#[test]
fn wrong_usage() {
    let root = tempfile::tempdir().unwrap();
    for (args, err) in [
        (&["watch", "--once"][..], "--once needs to know from where"),
        (&["watch", "--since", "1h"], "--since takes a cursor"),
        (&["watch", "--from-start", "-n", "3"], "cannot be used with"),
        (&["watch", "-n", "0"], "0 is not in"),
    ] {
        let ran = run(root.path(), args);
        assert!(ran.code == 2 && ran.err.contains(err) && ran.out.is_empty(), "{args:?}: {}", ran.err);
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

/// Without a record, and where only records stand that are not ours.
#[test]
fn no_record_of_ours() {
    let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let once = ["watch", "--from-start", "--once"];
    let nothing = "patchwright: nothing is on record here\n";
    let ran = run(ours.path(), &once);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", nothing));
    assert_eq!(fs::read_dir(ours.path()).unwrap().count(), 0, "nothing is made");
    create(theirs.path(), "a.txt");
    let forged = ours.path().join(".patchwright/0123456789abcdef0123456789abcdef");
    fs::create_dir_all(&forged).unwrap();
    fs::copy(home::record(theirs.path()).join("log"), forged.join("log")).unwrap();
    let ran = run(ours.path(), &once);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.starts_with(nothing) && ran.err.contains("not known to be yours"), "{}", ran.err);
}

/// Names and labels that would act on a terminal are spelt out there, and what may not be read is not named.
#[test]
fn names_that_would_act_or_may_not_be_read() {
    let root = tempfile::tempdir().unwrap();
    call(root.path(), "create_file", &json!({ "path": "a\u{1b}[2J\nb 12:00:00  b9", "content": "" }));
    create(root.path(), "secret.txt");
    let ran = run(root.path(), &["watch", "--from-start", "--once", "--deny-read", "secret*"]);
    assert_eq!(ran.out.lines().count(), 2, "{:?}", ran.out);
    assert!(!ran.out.contains('\u{1b}') && ran.out.contains(r"\u001b[2J\nb"), "{:?}", ran.out);
    assert!(!ran.out.contains("secret") && ran.out.contains("1 file not shown"), "{:?}", ran.out);
}

/// A `watch --json` in a process of its own, and the lines that it prints.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
    errors: BufReader<ChildStderr>,
}

impl Watcher {
    fn start(root: &Path, args: &[&str]) -> Watcher {
        let mut child = program(root, &[&["watch", "--json"], args].concat()).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let errors = BufReader::new(child.stderr.take().unwrap());
        let (send, lines) = mpsc::channel();
        thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Watcher { child, lines, errors }
    }

    /// Waits until it says that it waits for a record.
    fn waits(&mut self) {
        let mut said = String::new();
        self.errors.read_line(&mut said).unwrap();
        assert_eq!(said, "patchwright: nothing is on record here; waiting for the first change\n");
    }

    fn next(&self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(LONG).unwrap()).unwrap()
    }

    /// Ends it as Ctrl-C does; what it wrote to standard error.
    fn end(mut self) -> String {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        said
    }
}

fn program(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.arg("--root").arg(root).args(args).env("PATCHWRIGHT_HOME", home::home());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn create_elsewhere(root: &Path, path: &str) {
    let arguments = json!({ "path": path, "content": "x\n" }).to_string();
    let status = program(root, &["call", "create_file", &arguments]).status().unwrap();
    assert!(status.success(), "{path}");
}

#[test]
fn five_processes_write() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut watcher = Watcher::start(root, &[]);
    watcher.waits();
    assert_eq!(fs::read_dir(root).unwrap().count(), 0, "waiting makes nothing");
    create_elsewhere(root, "first");
    let late = Watcher::start(root, &["--from-start"]);
    let mut seen = vec![watcher.next()];
    thread::scope(|scope| {
        for writer in 0..5 {
            scope.spawn(move || (0..6).for_each(|call| create_elsewhere(root, &format!("{writer}-{call}"))));
        }
    });
    seen.extend((0..30).map(|_| watcher.next()));
    assert_eq!((0..31).map(|_| late.next()).collect::<Vec<_>>(), seen);
    let exported = run(root, &["audit", "export"]).out;
    let path = |line: &str| serde_json::from_str::<Value>(line).unwrap()["files"][0]["path"].clone();
    let want: Vec<Value> = exported.lines().map(path).collect();
    assert_eq!(seen.iter().map(|event| event["paths"][0].clone()).collect::<Vec<_>>(), want);
    assert_eq!((watcher.end(), late.end()), (String::new(), String::new()));
}

/// The record is deleted, and comes to stand in another place: in a `.git` that was not there before.
#[test]
fn a_record_that_goes_and_comes_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    create_elsewhere(root, "a");
    let watcher = Watcher::start(root, &["--from-start"]);
    assert_eq!(watcher.next()["paths"], json!(["a"]));
    fs::remove_dir_all(home::kept(root)).unwrap();
    fs::remove_dir_all(root.join(".patchwright")).unwrap();
    fs::create_dir(root.join(".git")).unwrap();
    create_elsewhere(root, "b");
    assert!(root.join(".git/patchwright").is_dir());
    let event = watcher.next();
    assert_eq!((&event["paths"], &event["restarted"]), (&json!(["b"]), &json!(true)));
    create_elsewhere(root, "c");
    let event = watcher.next();
    assert_eq!((&event["paths"], event.get("restarted")), (&json!(["c"]), None));
    let said = watcher.end();
    assert!(said.contains("made anew or put back"), "{said}");
}

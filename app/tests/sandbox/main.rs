//! The server in its sandbox: every tool works inside, nothing outside can be reached, and where the kernel cannot
//! confine it, that is said. Where this kernel has Landlock, a server that is not confined fails these tests.

#![cfg(target_os = "linux")]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test sets up files and breaks when it must"
)]

mod probe;
#[allow(dead_code, reason = "the tests of limits use the rest")]
mod server;
mod story;

use landlock::{AccessFs, LandlockStatus, Ruleset, RulesetAttr};
use patchwright_testkit::forge::{Seal, creation, frames};
use patchwright_testkit::home;
use serde_json::{Value, json};
use server::Server;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Does this kernel confine? Asked without a line of ours, on a thread that ends at once.
fn kernel_confines() -> bool {
    let ask =
        || Ruleset::default().handle_access(AccessFs::MakeBlock).unwrap().create().unwrap().restrict_self().unwrap();
    let status = std::thread::spawn(ask).join().unwrap().landlock;
    let can = matches!(status, LandlockStatus::Available { effective_abi, .. } if effective_abi as i32 >= 2);
    if !can {
        println!("this kernel has no Landlock that serves: {status:?}");
    }
    can
}

/// A folder with a workspace `ws` in it.
fn place() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join("ws/d")).unwrap();
    fs::write(home.path().join("ws/a.txt"), "one\ntwo\nthree\n").unwrap();
    home
}

#[test]
fn every_thread_of_a_server_is_confined_unless_told_otherwise() {
    for (flags, confined) in [(&[][..], kernel_confines()), (&["--no-sandbox"], false)] {
        let home = place();
        let mut server = Server::start(&home.path().join("ws"), flags);
        server.done("create_file", &json!({ "path": "new", "content": "x" }));
        let marks = server.marks("NoNewPrivs:");
        assert!(marks.len() > 1, "the server has threads, and each was looked at");
        for mark in marks {
            assert_eq!(mark == "1", confined, "{flags:?}");
        }
        assert_eq!(server.close(), "", "nothing is wrong, so nothing is said");
    }
}

#[test]
fn every_tool_works_inside() {
    let home = place();
    story::of_every_tool(&home, &[]);
}

#[test]
fn every_tool_works_with_its_state_elsewhere() {
    let home = place();
    let state = home.path().join("far/away/state");
    story::of_every_tool(&home, &["--state-dir", state.to_str().unwrap()]);
    let logs = names(&state).iter().filter(|name| state.join(name).join("log").exists()).count();
    assert_eq!((logs, home.path().join("ws/.patchwright").exists()), (1, false));
}

/// The files that tell the umask are out of reach once the server is confined.
#[test]
fn new_files_have_the_mode_that_others_would_have() {
    let home = place();
    let root = home.path().join("ws");
    let mut command = Command::new("sh");
    let script = r#"umask 027 && exec "$0" mcp --answers structured --root "$1""#;
    command.args(["-c", script, env!("CARGO_BIN_EXE_patchwright")]).arg(&root);
    command.env("PATCHWRIGHT_HOME", home::home());
    let mut server = Server::run(command);
    server.done("create_file", &json!({ "path": "new", "content": "x" }));
    assert_eq!(fs::metadata(root.join("new")).unwrap().permissions().mode() & 0o777, 0o640);
}

/// The state directory is opened by its path. Led elsewhere by a link, an unconfined server would write there: this is
/// how we see from outside that a confined one cannot. It goes on in the record that it holds.
#[test]
fn a_server_that_is_led_elsewhere_cannot_write_there() {
    for (flags, reached) in [(&[][..], !kernel_confines()), (&["--no-sandbox"], true)] {
        let home = place();
        let at = |name: &str| home.path().join(name);
        for folder in ["one", "two/state"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        symlink("one", at("link")).unwrap();
        let state = at("link/state");
        let flags: Vec<_> = ["--state-dir", state.to_str().unwrap()].iter().chain(flags).copied().collect();
        let mut server = Server::start(&at("ws"), &flags);
        fs::remove_file(at("link")).unwrap();
        symlink("two", at("link")).unwrap();
        let answer = server.call("create_file", &json!({ "path": "new", "content": "x" }));
        assert_eq!(answer["ok"], json!(true), "{flags:?}: {answer}");
        assert_eq!(!names(&at("two/state")).is_empty(), reached, "{flags:?}");
        let held = fs::read_dir(at("one/state")).into_iter().flatten().flatten();
        let logs = held.filter(|entry| entry.path().join("log").exists()).count();
        assert_eq!(logs, usize::from(!reached), "{flags:?}: the record that was made before");
        assert!(at("ws/new").exists(), "{flags:?}");
    }
}

/// A log that ends in a call which was never finished, and what that call had made: the next server puts that right inside
/// the walls.
#[test]
fn recovery_works_inside() {
    let home = place();
    let root = home.path().join("ws");
    let mut server = Server::start(&root, &[]);
    server.done("create_file", &json!({ "path": "first", "content": "1" }));
    assert_eq!(server.close(), "");
    let (record, seal) = (home::record(&root), Seal::kept(&home::kept(&root)).unwrap());
    let log = fs::read(record.join("log")).unwrap();
    fs::write(root.join("half"), "made\n").unwrap();
    fs::write(record.join("log"), seal.with(&log, frames(&log).len(), &creation("half", b"made\n"))).unwrap();
    let mut server = Server::start(&root, &[]);
    assert_eq!(names(&root), [".patchwright", "a.txt", "d", "first"]);
    server.done("create_file", &json!({ "path": "half", "content": "1" }));
    assert_eq!(server.close(), "");
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_server_whose_record_cannot_be_made_is_confined_and_serves_what_it_can() {
    let home = place();
    // There can be no such folder.
    let state = "/proc/self/no-such/state";
    let mut server = Server::start(&home.path().join("ws"), &["--state-dir", state]);
    server.done("read_file", &json!({ "path": "a.txt" }));
    assert!(server.marks("NoNewPrivs:").iter().all(|mark| (mark == "1") == kernel_confines()));
    let refused = server.call("create_file", &json!({ "path": "new", "content": "x" }));
    assert_eq!(refused["ok"], json!(false), "{refused}");
    assert!(!home.path().join("ws/new").exists());
    let said = server.close();
    assert!(said.starts_with("patchwright: changes will be refused: "), "{said}");
}

/// A server that only looks makes no record, and sees the one that others make meanwhile as far as it may.
#[test]
fn a_server_that_only_looks_makes_nothing() {
    let (home, own) = (place(), tempfile::tempdir().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.args(["mcp", "--read-only", "--answers", "structured", "--root"]).arg(home.path().join("ws"));
    command.env("PATCHWRIGHT_HOME", own.path().join("home"));
    let mut server = Server::run(command);
    server.done("read_file", &json!({ "path": "a.txt" }));
    assert_eq!(server.close(), "");
    assert_eq!(
        (names(&home.path().join("ws")), own.path().join("home").exists()),
        (vec!["a.txt".into(), "d".into()], false)
    );
}

#[test]
fn doctor_tells() {
    let home = place();
    let doctor = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        command.env("PATCHWRIGHT_HOME", home::home());
        let ran = command.arg("doctor").arg("--root").arg(home.path().join("ws")).args(flags).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let told: Value = serde_json::from_str(&doctor(&["--json"])).unwrap();
    assert_eq!(told.pointer("/sandbox/works"), Some(&json!(kernel_confines())), "{told}");
    let lines = doctor(&[]);
    let line = lines.lines().find(|line| line.starts_with("Sandbox ")).unwrap();
    assert_eq!(line.starts_with("Sandbox  ok   "), kernel_confines(), "{line}");
}

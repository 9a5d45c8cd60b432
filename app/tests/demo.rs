//! The demo, run as a person runs it. It checks its own claims step by step, so its status is the test; here it is
//! only asked that it says so, that it stays plain in a pipe, and that it cleans up after itself.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test looks at the disk itself")]

use patchwright_testkit::home;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the demo with its temporary files in `home`, and gives back what it printed.
fn play(home: &Path, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    let own = tempfile::tempdir().unwrap();
    let untouched = own.path().join("home");
    command.arg("demo").args(flags).env("TMPDIR", home).env("PATCHWRIGHT_HOME", &untouched);
    command.env("XDG_RUNTIME_DIR", &untouched);
    let ran = command.output().unwrap();
    let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8_lossy(&ran.stderr).into_owned());
    assert_eq!(ran.status.code(), Some(0), "{err}\n{out}");
    assert_eq!(err, "", "{out}");
    assert!(!untouched.exists(), "something was left in the user's own home");
    out
}

#[test]
fn every_step_comes_out_and_nothing_is_left() {
    let home = tempfile::tempdir().unwrap();
    let out = play(home.path(), &[]);
    assert!(out.contains("11 of 11 steps came out as they should."), "{out}");
    assert!(!out.contains('\u{1b}'), "escape sequences in a pipe");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0, "something was left behind");
}

#[test]
fn the_workspace_is_kept_on_request() {
    let place = tempfile::tempdir().unwrap();
    let out = play(place.path(), &["--keep", "--plain"]);
    let left: Vec<_> = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_kept = |path: &&PathBuf| out.contains(&format!("The workspace is left in {}, ", path.display()));
    let Some(workspace) = left.iter().find(is_kept) else { panic!("{left:?} is left: {out}") };
    let Some(keys) = left.iter().find(|path| *path != workspace) else { panic!("no keys: {left:?}") };
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(workspace.join("src/server.ts").is_file() && home::record(workspace).join("log").is_file());
    let mut log = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    let ran = log.arg("log").arg("--root").arg(workspace).env("PATCHWRIGHT_HOME", keys).output().unwrap();
    assert!(ran.status.success() && !ran.stdout.is_empty(), "{ran:?}");
}

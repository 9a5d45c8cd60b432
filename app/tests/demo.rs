//! The demo, run as a person runs it. It checks its own claims step by step, so its status is the test; here it is
//! only asked that it says so, that it stays plain in a pipe, and that it cleans up after itself.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test looks at the disk itself")]

use std::path::Path;
use std::process::Command;

/// Runs the demo with its temporary files in `home`, and gives back what it printed.
fn play(home: &Path, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_patchwright"));
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    let ran = command.arg("demo").args(flags).env("TMPDIR", home).output().unwrap();
    let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8_lossy(&ran.stderr).into_owned());
    assert_eq!(ran.status.code(), Some(0), "{err}\n{out}");
    assert_eq!(err, "", "{out}");
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
    let home = tempfile::tempdir().unwrap();
    let out = play(home.path(), &["--keep", "--plain"]);
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [workspace] = left.as_slice() else { panic!("{left:?} is left") };
    assert!(out.contains(&format!("The workspace is left in {}", workspace.display())), "{out}");
    assert!(workspace.join("src/server.ts").is_file() && workspace.join(".patchwright/log").is_file());
}

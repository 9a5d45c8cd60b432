//! Devices, pipes, sockets, and files without an end: never opened in a way that can hang, and never
//! taken into memory whole.

use crate::{Place, kind};
use patchwright_testkit::home;
use rustix::fs::{CWD, FileType, Mode};
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

#[test]
fn pipes_and_sockets_are_refused_by_every_tool() {
    let place = Place::new();
    rustix::fs::mknodat(CWD, place.path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    let _socket = UnixListener::bind(place.path("sock")).unwrap();
    symlink("pipe", place.path("to-pipe")).unwrap();
    for path in ["pipe", "sock", "to-pipe"] {
        for (tool, arguments) in place.calls(path) {
            if path == "to-pipe" && ["delete_file", "move_file", "apply_patch"].contains(&tool) {
                continue;
            }
            let kinds: &[&str] = match tool {
                "create_file" | "restore_file" => &["already_exists"],
                "move_file" | "apply_patch" => &["permission_denied", "already_exists"],
                "list_directory" | "search_files" | "glob" => &["not_found", "permission_denied"],
                _ => &["permission_denied"],
            };
            place.refused(tool, &arguments, kinds);
        }
    }
}

#[test]
fn pipes_do_not_hold_up_a_search() {
    let place = Place::new();
    rustix::fs::mknodat(CWD, place.path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    rustix::fs::mknodat(CWD, place.path(".gitignore"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    for (tool, arguments) in [
        ("search_files", json!({ "query": "inside", "mode": "text" })),
        ("glob", json!({ "pattern": "*.txt" })),
        ("list_directory", json!({ "includeHidden": true })),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(kind(&answer), "ok", "{answer}");
        assert!(answer.to_string().contains("a.txt"), "{answer}");
    }
}

/// Needs the right to make devices; where that is missing, there is none to be attacked with.
#[test]
fn devices_are_not_opened() {
    let place = Place::new();
    let zero = rustix::fs::makedev(1, 5);
    let made =
        rustix::fs::mknodat(CWD, place.path("zero"), FileType::CharacterDevice, Mode::from_raw_mode(0o666), zero);
    symlink("/dev/zero", place.path("l")).unwrap();
    place.refused("read_file", &json!({ "path": "l" }), &["outside_workspace"]);
    if made.is_ok() {
        place.refused("read_file", &json!({ "path": "zero" }), &["permission_denied"]);
        place.refused("write_file", &json!({ "path": "zero", "content": "x" }), &["permission_denied"]);
        place.refused("delete_file", &json!({ "path": "zero" }), &["permission_denied"]);
    }
}

#[test]
fn a_file_over_the_limit_is_not_taken_into_memory() {
    let place = Place::new();
    // Takes no space on the disk, and could not be read in a lifetime.
    File::create(place.path("sparse")).unwrap().set_len(1 << 40).unwrap();
    for (tool, arguments) in [
        ("write_file", json!({ "path": "sparse", "content": "x" })),
        ("edit_file", json!({ "path": "sparse", "edits": [{ "oldText": "a", "newText": "b" }] })),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(kind(&answer), "file_too_large", "{answer}");
        assert_eq!(answer.pointer("/error/details/setting").unwrap(), "limits.max_file_bytes");
    }
    assert_eq!(fs::metadata(place.path("sparse")).unwrap().len(), 1 << 40);
}

/// Run with less memory than the file has bytes: taken in whole, the call would fail.
#[test]
fn a_slice_of_a_huge_file_takes_little_memory() {
    let place = Place::new();
    let mut file = File::create(place.path("huge")).unwrap();
    file.write_all("line\n".repeat(2_000).as_bytes()).unwrap();
    file.set_len(400 << 20).unwrap();
    let script =
        r#"ulimit -v 307200 && exec "$0" --root "$1" call read_file '{"path":"huge","startLine":2,"endLine":3}'"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_patchwright")]).arg(&place.root);
    let ran = command.env("PATCHWRIGHT_HOME", home::home()).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
    assert_eq!(answer.pointer("/data/content"), Some(&json!("line\nline\n")), "{ran:?}");
    assert_eq!(answer.pointer("/data/sizeBytes"), Some(&json!(400 << 20)));
}

#[test]
fn one_endless_line_is_cut() {
    let place = Place::new();
    fs::write(place.path("line"), "x".repeat(32 << 20)).unwrap();
    let read = place.call("read_file", &json!({ "path": "line" }));
    let content = read.pointer("/data/content").unwrap().as_str().unwrap();
    assert_eq!((content.len(), &read["data"]["truncated"]), (262_144, &json!(true)));
    let found = place.call("search_files", &json!({ "query": "xx", "mode": "text" }));
    assert!(found.to_string().len() < 100_000, "a preview is cut around the hit");
    let edit = json!([{ "oldText": "xxx", "newText": "y" }]);
    let refused = place.call("edit_file", &json!({ "path": "line", "edits": edit }));
    assert_eq!(kind(&refused), "multiple_matches");
    assert!(refused.to_string().len() < 100_000, "places are not listed without end");
}

#[test]
fn a_context_repeated_without_end_is_found_in_linear_time() {
    let place = Place::new();
    fs::write(place.path("same"), "same line\n".repeat(100_000)).unwrap();
    let wanted = "same line\n".repeat(50_000);
    for (old, want) in [(format!("{wanted}other\n"), "old_text_not_found"), (wanted.clone(), "multiple_matches")] {
        let edits = json!([{ "oldText": old, "newText": "x" }]);
        let answer = place.call("edit_file", &json!({ "path": "same", "edits": edits }));
        assert_eq!(kind(&answer), want);
        assert!(answer.to_string().len() < 200_000);
    }
}

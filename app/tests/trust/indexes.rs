//! A shipped index: a database whose tables are views without end. It is a cache, and never one that somebody else
//! made. What hangs is killed by the kernel after so many processor seconds.

use crate::frames::{endless, note, old_log};
use crate::git::init;
use crate::place::{BINARY, Place, Ran, names};
use serde_json::json;
use std::fs;
use std::process::Command;

/// Seconds of work after which a process counts as hung; an unoptimised build needs less than one.
const WORK: u32 = 10;

/// Runs a command that the kernel kills when it works too long.
fn bounded(place: &Place, args: &[&str]) -> Ran {
    let plain = place.command(&place.root, args);
    let mut command = Command::new("sh");
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.args(["-c", r#"ulimit -t "$0" && exec "$@""#, &WORK.to_string(), BINARY]).args(plain.get_args());
    Ran::of(command)
}

const CALLS: &[&[&str]] = &[
    &["log"],
    &["trash", "list"],
    &["doctor"],
    &["call", "list_trash", "{}"],
    &["call", "list_batches", "{}"],
    &["call", "create_file", r#"{"path":"new.txt","content":"x","idempotencyKey":"k"}"#],
    &["call", "create_file", r#"{"path":"new.txt","content":"x","idempotencyKey":"k"}"#],
];

#[test]
fn a_shipped_index_is_not_opened() {
    let log = old_log(&[note()]);
    for repository in [false, true] {
        let place = Place::new();
        if repository {
            init(&place.root);
        }
        fs::create_dir(place.path(".patchwright")).unwrap();
        fs::write(place.path(".patchwright/log"), &log).unwrap();
        endless(&place.path(".patchwright/index.sqlite"), &log).unwrap();
        let shipped = fs::read(place.path(".patchwright/index.sqlite")).unwrap();
        for args in CALLS {
            let ran = bounded(&place, args);
            assert_eq!(ran.code, Some(0), "{args:?}, repository {repository}: {}", ran.told());
        }
        assert_eq!(fs::read(place.path(".patchwright/index.sqlite")).unwrap(), shipped, "nor touched");
        assert_eq!(names(&place.path(".patchwright")).iter().filter(|name| name.starts_with("index")).count(), 1);
        assert!(place.ring().join("index.sqlite").is_file(), "ours stands beside the key");
    }
}

#[test]
fn an_index_at_home_that_does_not_fit_is_made_anew() {
    let log = old_log(&[note()]);
    for garbage in [false, true] {
        let place = Place::new();
        place.make("one.txt");
        let deleted = place.call("delete_file", &json!({ "path": "a.txt" })).is(0, "deleting").answer();
        for name in names(&place.ring()).iter().filter(|name| name.starts_with("index.sqlite")) {
            fs::remove_file(place.ring().join(name)).unwrap();
        }
        let index = place.ring().join("index.sqlite");
        match garbage {
            true => fs::write(&index, "no database at all").unwrap(),
            false => endless(&index, &log).unwrap(),
        }
        let listed = bounded(&place, &["call", "list_trash", "{}"]).is(0, "the trash").answer();
        assert_eq!(listed.pointer("/data/entries/0/trashId"), deleted.pointer("/data/trashId"), "{listed}");
        for args in CALLS {
            assert_eq!(bounded(&place, args).code, Some(0), "{args:?}");
        }
        assert_eq!(place.history(), ["one.txt", "a.txt", "new.txt"]);
    }
}

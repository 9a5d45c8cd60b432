//! A shipped index: a database whose tables are views without end. It is a cache, and never one that somebody else
//! made. What hangs is killed by the kernel after so many processor seconds.

use crate::frames::{note, old_log};
use crate::git::init;
use crate::place::{BINARY, Place, Ran, names};
use patchwright_core::digest::Digest;
use rusqlite::Connection;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Seconds of work after which a process counts as hung; an unoptimised build needs less than one.
const WORK: u32 = 10;

/// Tables with their columns, as the index of 0.1 had them.
const TABLES: &[(&str, &str)] = &[
    ("trash", "id, seq, path, deleted_ns, sha, size, mode, link, by"),
    ("keys", "tool, key, args, batch, place"),
    ("blobs", "name, size, time_ns"),
    ("returned", "trash, seq, place"),
    ("needs", "batch, name"),
    ("paths", "n, path"),
    ("batches", "n, id, seq, place, proposal, time_ns, top_ns, session, client, tool, label, is_undo, status"),
    ("reached", "path, seq, batch"),
    ("touched", "path, seq, place, before, after"),
    ("changes", "n, id, batch, ordinal, path, done, undone_by, description"),
];

/// A database that says it has read the log, and whose other tables never end.
fn endless(path: &Path, log: &[u8]) {
    let db = Connection::open(path).unwrap();
    let end = log.len() - 5;
    let head = Digest::of(&log[8..end]);
    db.execute_batch("CREATE TABLE progress (one INTEGER PRIMARY KEY, last INTEGER, next INTEGER, head BLOB)").unwrap();
    db.execute("INSERT INTO progress VALUES (1, 0, ?1, ?2)", (i64::try_from(log.len()).unwrap(), &head.0[..])).unwrap();
    for (table, columns) in TABLES {
        let values: Vec<&str> = columns.split(", ").map(|_| "x").collect();
        let view = format!(
            "CREATE VIEW {table} ({columns}) AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) \
             SELECT {} FROM n WHERE x < 0",
            values.join(", ")
        );
        db.execute_batch(&view).unwrap();
    }
    db.pragma_update(None, "user_version", 3).unwrap();
}

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
        endless(&place.path(".patchwright/index.sqlite"), &log);
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
            false => endless(&index, &log),
        }
        let listed = bounded(&place, &["call", "list_trash", "{}"]).is(0, "the trash").answer();
        assert_eq!(listed.pointer("/data/entries/0/trashId"), deleted.pointer("/data/trashId"), "{listed}");
        for args in CALLS {
            assert_eq!(bounded(&place, args).code, Some(0), "{args:?}");
        }
        assert_eq!(place.history(), ["one.txt", "a.txt", "new.txt"]);
    }
}

//! Records of every kind, as somebody would write them who wants something done.

use super::ground::Ground;
use patchwright_testkit::dice::Dice;
use patchwright_testkit::forge::{self, BATCH, caller, commit, pack, sha};
use patchwright_testkit::snapshot::Thing;
use serde_json::{Value, json};

/// The program that the attacker wants run.
pub(super) const SCRIPT: &[u8] = b"#!/bin/sh\ntouch owned\n";
/// The trash entry that it is shipped as.
pub(super) const ENTRY: &str = "01a1dd75-3a9f-75e5-ba00-97c9a6a552fb";

/// Where it should go, and what should go.
const TARGETS: &[&str] = &[
    "a.txt",
    "b.txt",
    "one.txt",
    "two.txt",
    "victim.txt",
    "d/planted",
    "d/c.txt",
    "planted",
    "vendor/hooks/pre-commit",
    "vendor/config",
    ".git/hooks/pre-commit",
    ".git/config",
    "way-out/planted",
    "way-out/precious.txt",
    "way-out/d/c.txt",
    "../outside/precious.txt",
    "../../outside/planted",
    "/tmp/planted",
    "patchwright.toml",
    "d/patchwright.toml",
    ".patchwright/planted",
    "d/../a.txt",
    "d//c.txt",
    "",
    ".",
];
const FOLDERS: &[&str] = &["", "d", "vendor/hooks", "vendor", "way-out", "way-out/d", ".git/hooks", "..", "nowhere"];
const TEMPORARIES: &[&str] = &[
    "x.0123456789abcdef.apply-patch.tmp",
    "a.txt",
    "c.txt",
    "../a.txt",
    "../outside/precious.txt",
    "precious.txt",
    "..",
    "",
];
const KINDS: &[&str] = &[
    "Intent", "Intent", "Intent", "Intent", "Commit", "Abort", "Note", "Purge", "Retired", "Proposal", "Verdict",
    "Resumed", "Adopted", "Observed", "Baseline", "Later",
];

/// A record of chance.
pub(super) fn payload(ground: &Ground, dice: &mut Dice) -> Vec<u8> {
    match dice.below(24) {
        0 => vec![0xc1; 300],
        1 => pack(&json!({ "Intent": {} })),
        2 => pack(&json!([1, 2, 3])),
        3 => (0..dice.below(400)).map(|_| byte(dice)).collect(),
        _ => {
            let kind = pick(dice, KINDS);
            pack(&json!({ kind: fields(kind, ground, dice) }))
        }
    }
}

fn byte(dice: &mut Dice) -> u8 {
    dice.throw().to_le_bytes().first().copied().unwrap_or_default()
}

pub(super) fn pick<'a>(dice: &mut Dice, from: &[&'a str]) -> &'a str {
    dice.pick(from).copied().unwrap_or_default()
}

fn fields(kind: &str, ground: &Ground, dice: &mut Dice) -> Value {
    let time = 1_700_000_000_000_000_000_u64;
    match kind {
        "Intent" => intent(ground, dice),
        "Commit" => done(ground, dice),
        "Proposal" => json!({ "commit": done(ground, dice), "asides": [dice.coin()] }),
        "Purge" => {
            let ids = [entry(ground, dice), entry(ground, dice)];
            json!({ "batch": BATCH, "number": 9, "caller": caller("purge_trash"), "ids": ids, "files": [], "bytes": 1 })
        }
        "Retired" => {
            let (blobs, trash) = (blob(ground, dice), entry(ground, dice));
            json!({ "time_ns": time, "blobs": [blobs], "trash": [trash], "bytes": 1 })
        }
        "Abort" => {
            let saved = json!({ "path": pick(dice, TARGETS), "saved": keep(ground, dice) });
            json!({
                "batch": BATCH, "caller": caller("delete_file"), "kind": "in_doubt", "recovered": false, "files": [],
                "left_alone": [saved]
            })
        }
        "Note" => json!({ "caller": caller("delete_file"), "end": { "Refused": "not_found" }, "operation": "delete" }),
        "Verdict" => json!({ "batch": BATCH, "caller": caller("reject_batch"), "decision": "Rejected" }),
        "Resumed" => {
            let point = json!({ "sequence": 1, "offset": 32, "head": sha(b"x") });
            json!({ "time_ns": time, "known": point, "found": point, "unfinished": BATCH })
        }
        "Adopted" => {
            json!({ "time_ns": time, "caller": caller("adopt"), "from": "0.1", "records": 3, "taken_back": "yes" })
        }
        _ => json!({ "batch": BATCH, "works": [work(ground, dice)], "news": [[[1]]] }),
    }
}

fn intent(ground: &Ground, dice: &mut Dice) -> Value {
    let count = dice.below(3).saturating_add(1);
    let works: Vec<Value> = (0..count).map(|_| work(ground, dice)).collect();
    let some = |dice: &mut Dice| if dice.below(4) == 0 { json!([pick(dice, FOLDERS)]) } else { json!([]) };
    let (folders, gone) = (some(dice), some(dice));
    json!({ "batch": BATCH, "caller": caller("delete_file"), "folders": folders, "works": works, "gone": gone })
}

/// One step, more often than not one that makes sense.
fn work(ground: &Ground, dice: &mut Dice) -> Value {
    let hash = |dice: &mut Dice| match dice.below(5) {
        0 => Value::Null,
        1 => sha(b"inside\n"),
        2 => sha(b"beside\n"),
        3 => sha(b"one\n"),
        _ => sha(SCRIPT),
    };
    let (deed, path) = (pick(dice, &["Create", "Replace", "Remove", "Rename"]), pick(dice, TARGETS));
    let to = if deed == "Rename" { json!(pick(dice, TARGETS)) } else { Value::Null };
    let (folder, temp) = match dice.below(3) {
        0 => (pick(dice, FOLDERS), pick(dice, TEMPORARIES)),
        _ => ("", "x.0123456789abcdef.apply-patch.tmp"),
    };
    json!({
        "deed": deed, "path": path, "to": to, "temp_folder": folder, "temp": temp, "keep": keep(ground, dice),
        "before": hash(dice), "after": hash(dice)
    })
}

fn keep(ground: &Ground, dice: &mut Dice) -> Value {
    match dice.below(3) {
        0 => Value::Null,
        1 => json!({ "shelf": "Trash", "name": entry(ground, dice) }),
        _ => json!({ "shelf": "Blobs", "name": blob(ground, dice) }),
    }
}

/// A trash entry: the shipped one, our own, or a way elsewhere.
fn entry(ground: &Ground, dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => ground.past.trash.clone(),
        1 => pick(dice, &["../../../a.txt", "../log", "..", "", "../../../../outside/precious.txt"]).to_owned(),
        _ => ENTRY.to_owned(),
    }
}

/// A kept file: the shipped one, one of our own, or a way elsewhere.
fn blob(ground: &Ground, dice: &mut Dice) -> String {
    let last = ground.past.stages.last();
    let ours = last.into_iter().flatten().filter(|(_, thing)| matches!(thing, Thing::File { .. }));
    let ours: Vec<&str> = ours.filter_map(|(path, _)| path.strip_prefix("blobs/")).collect();
    match dice.below(3) {
        0 => pick(dice, &ours).to_owned(),
        1 => pick(dice, &["../../../a.txt", "../log", "../../../../outside/precious.txt"]).to_owned(),
        _ => shipped(),
    }
}

/// The name under which the program is shipped among kept files.
pub(super) fn shipped() -> String {
    sha(SCRIPT).get("sha256").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn done(ground: &Ground, dice: &mut Dice) -> Value {
    let operation = pick(dice, &["create", "update", "delete", "move", "restore"]);
    let kept = keep(ground, dice);
    let file = json!({
        "id": "01a1dd75-3a5a-75ad-9aa4-000000000001", "operation": operation, "path": pick(dice, TARGETS),
        "to": if operation == "move" { json!(pick(dice, TARGETS)) } else { Value::Null },
        "before": sha(b"inside\n"), "after": sha(SCRIPT), "size": SCRIPT.len(), "mode": 0o755, "keep": kept,
        "trash": entry(ground, dice), "diff": ""
    });
    let consumed = entry(ground, dice);
    commit("restore_file", json!([file]), dice.coin().then_some(consumed.as_str()))
}

/// Records that do something where they are obeyed.
pub(super) fn telling() -> Vec<Vec<u8>> {
    vec![
        forge::deletion("d/planted", ENTRY, SCRIPT),
        forge::deletion("vendor/hooks/pre-commit", ENTRY, SCRIPT),
        forge::creation("b.txt", b"inside\n"),
        forge::purge(ENTRY),
    ]
}

//! `edit_file` beside what others changed since the session saw the file: it goes ahead where nothing is to be
//! guessed, says so, and shows the session nothing that it has not read.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and says no by panicking"
)]

use patchwright_app::report::answer::answer;
use patchwright_app::wire;
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn open(root: &Path) -> Session {
    Session::open(root, Options { durability: Durability::None, home: home::at(), ..Options::default() }).unwrap()
}

fn call(session: &Session, tool: &str, arguments: &Value) -> Value {
    let call = wire::call(tool, &arguments.to_string()).unwrap_or_else(|why| panic!("{tool} {arguments}: {why:?}"));
    answer(&session.call(&call, &Quiet))
}

fn edits(pairs: &[(&str, &str)]) -> Value {
    let one = |(old, new): &(&str, &str)| json!({ "oldText": old, "newText": new });
    json!({ "path": "f", "edits": pairs.iter().map(one).collect::<Vec<_>>() })
}

/// The lines `l1` to `l30`.
fn numbered() -> String {
    (1..=30).map(|line| format!("l{line}\n")).collect()
}

/// A workspace with one file, a session that has read it, and another one.
struct Two {
    root: TempDir,
    mine: Session,
    other: Session,
}

impl Two {
    fn of(text: &str) -> Two {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("f"), text).unwrap();
        let (mine, other) = (open(root.path()), open(root.path()));
        call(&mine, "read_file", &json!({ "path": "f" }));
        Two { root, mine, other }
    }

    fn other_edits(&self, pairs: &[(&str, &str)]) {
        call(&self.other, "read_file", &json!({ "path": "f" }));
        let done = call(&self.other, "edit_file", &edits(pairs));
        assert_eq!(done["ok"], true, "{done}");
    }

    fn edit(&self, pairs: &[(&str, &str)]) -> Value {
        call(&self.mine, "edit_file", &edits(pairs))
    }

    fn text(&self) -> String {
        fs::read_to_string(self.root.path().join("f")).unwrap()
    }
}

/// Another session makes `others` of a file; then an edit comes that was made for what it was before. It lands beside
/// that, or is refused as stale and nothing has changed.
fn check(before: &str, others: &[(&str, &str)], mine: &[(&str, &str)], want: &str) {
    let two = Two::of(before);
    two.other_edits(others);
    let there = two.text();
    let got = two.edit(mine);
    let told = || got["warnings"][0].as_str().unwrap_or_default().to_owned();
    match want {
        "stale" => {
            assert_eq!(got["error"]["kind"], "stale_file", "{mine:?}: {got}");
            assert_eq!(got["error"]["details"]["reason"], "changed_since_seen", "{got}");
            assert_eq!(two.text(), there, "{mine:?}");
        }
        lines => {
            assert_eq!(got["ok"], true, "{mine:?}: {got}");
            assert!(told().contains(&format!("f has changed since you saw it, by b1: {lines}. ")), "{}", told());
            let want = mine.iter().fold(there, |text, (old, new)| text.replacen(old, new, 1));
            assert_eq!(two.text(), want, "{mine:?}");
        }
    }
}

#[test]
fn far_changes_do_not_matter_near_ones_do() {
    let text = numbered();
    let check = |others: &[(&str, &str)], mine: &[(&str, &str)], want| check(&text, others, mine, want);
    check(&[("l20\n", "X\n")], &[("l5\n", "Y\n")], "line 20");
    check(&[("l20\n", "X\n")], &[("l5\n", "Y\nZ\n")], "line 21"); // as the edit leaves it
    check(&[("l9\n", "X\n")], &[("l5\n", "Y\n")], "line 9"); // three lines between them
    check(&[("l8\n", "X\n")], &[("l5\n", "Y\n")], "stale"); // two
    check(&[("l2\n", "X\n")], &[("l5\n", "Y\n")], "stale");
    check(&[("l1\n", "X\n")], &[("l5\n", "Y\n")], "line 1");
    check(&[("l9\n", "l9\nX\n")], &[("l5\n", "Y\n")], "line 10");
    check(&[("l8\n", "l8\nX\n")], &[("l5\n", "Y\n")], "line 9"); // it came three lines below
    check(&[("l7\n", "l7\nX\n")], &[("l5\n", "Y\n")], "stale");
    check(&[("l9\n", "")], &[("l5\n", "Y\n")], "lines 8-9"); // lines that went
    check(&[("l8\n", "")], &[("l5\n", "Y\n")], "stale");
    check(&[("l5\n", "X\n")], &[("l5\n", "Y\n")], "stale"); // the very line
    check(&[("l5\n", "")], &[("l5\n", "Y\n")], "stale");
    // The whole of what is quoted counts, not only what changes of it.
    check(&[("l9\n", "X\n")], &[("l3\nl4\nl5\nl6\n", "l3\nY\nl5\nl6\n")], "stale");
    // Several edits, several changes: each of them counts.
    check(&[("l20\n", "X\n"), ("l29\n", "Z\n")], &[("l5\n", "Y\n"), ("l25\n", "W\n")], "lines 20, 29");
    check(&[("l20\n", "X\n")], &[("l5\n", "Y\n"), ("l22\n", "W\n")], "stale");
    check(&[("l20\n", "X\n")], &[("l5\n", "Y\n"), ("l1", "")], "stale"); // `l1` stands in `l10`
    check(&[("l1\n", "X\nY\nZ\nl1\n")], &[("l30\n", "end\n")], "lines 1-3");
}

#[test]
fn a_text_that_was_no_single_place_is_none_now() {
    let twice = format!("same\n{}same\n", numbered());
    // The other copy is gone: which of them was meant?
    check(&twice, &[("l30\nsame\n", "l30\n")], &[("same\n", "mine\n")], "stale");
    check(&twice, &[("same\nl1\n", "l1\n")], &[("same\n", "mine\n")], "stale");
    // A second one came.
    check(&numbered(), &[("l30\n", "l30\nl5\n")], &[("l5\n", "Y\n")], "stale");
    // It came only now.
    check(&numbered(), &[("l30\n", "l30\nnew\n")], &[("new\n", "Y\n")], "stale");
    // It stands elsewhere now.
    check(&numbered(), &[("l5\n", ""), ("l25\n", "l25\nl5\n")], &[("l5\n", "Y\n")], "stale");
    let moved = [("l4\nl5\nl6\n", ""), ("l25\n", "l25\nl4\nl5\nl6\n")];
    check(&numbered(), &moved, &[("l5\n", "Y\n")], "stale");
}

#[test]
fn how_the_edit_is_asked_for() {
    let more = |extra: Value| {
        let two = Two::of(&numbered());
        two.other_edits(&[("l20\n", "X\n")]);
        let mut call = json!({ "path": "f", "edits": [{ "oldText": "l5\n", "newText": "Y\n" }] });
        let place = if extra.get("edit").is_some() { &mut call["edits"][0] } else { &mut call };
        let fields = extra.get("edit").unwrap_or(&extra).as_object().unwrap().clone();
        place.as_object_mut().unwrap().extend(fields);
        let before = two.text();
        let got = self::call(&two.mine, "edit_file", &call);
        (got["error"]["kind"].as_str().unwrap_or("ok").to_owned(), two.text() != before)
    };
    let stale = ("stale_file".to_owned(), false);
    assert_eq!(more(json!({})), ("ok".to_owned(), true));
    assert_eq!(more(json!({ "edit": { "replaceAll": true } })), stale);
    assert_eq!(more(json!({ "edit": { "replaceAll": false } })), ("ok".to_owned(), true));
    assert_eq!(more(json!({ "edit": { "expectedOccurrences": 1 } })), stale);
    let seen = patchwright_engine::core::digest::Digest::of(numbered().as_bytes()).to_string();
    assert_eq!(more(json!({ "expectedSha256": seen })), stale);
    assert_eq!(more(json!({ "dryRun": true })), ("ok".to_owned(), false));
    assert_eq!(more(json!({ "mode": "propose" })), ("ok".to_owned(), false));
    assert_eq!(more(json!({ "edit": { "newText": "l5\n" } })), stale); // it changes nothing
}

#[test]
fn only_the_ledger_leads_here() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), numbered()).unwrap();
    let proof = Proof::HashOnly;
    let options = Options { durability: Durability::None, home: home::at(), proof, ..Options::default() };
    let mine = Session::open(root.path(), options).unwrap();
    call(&mine, "read_file", &json!({ "path": "f" }));
    let other = open(root.path());
    call(&other, "read_file", &json!({ "path": "f" }));
    assert_eq!(call(&other, "edit_file", &edits(&[("l20\n", "X\n")]))["ok"], true);
    let got = call(&mine, "edit_file", &edits(&[("l5\n", "Y\n")]));
    assert_eq!(got["error"]["details"]["reason"], "unproven", "{got}");
    // A session that has seen nothing has nothing to carry over.
    let got = call(&open(root.path()), "edit_file", &edits(&[("l5\n", "Y\n")]));
    assert_eq!(got["error"]["details"]["reason"], "unproven", "{got}");
}

#[test]
fn bytes_that_are_not_on_record_are_stale() {
    // Another program wrote both what was seen and what is there now.
    let two = Two::of(&numbered());
    fs::write(two.root.path().join("f"), numbered().replace("l20\n", "X\n")).unwrap();
    assert_eq!(two.edit(&[("l5\n", "Y\n")])["error"]["kind"], "stale_file");
    // What was seen came by a call: it is on record, whoever changed it then.
    let two = Two::of(&numbered());
    assert_eq!(two.edit(&[("l1\n", "first\n")])["ok"], true);
    fs::write(two.root.path().join("f"), two.text().replace("l20\n", "X\n")).unwrap();
    let got = two.edit(&[("l5\n", "Y\n")]);
    assert_eq!(got["ok"], true, "{got}");
    assert!(got["warnings"][0].as_str().unwrap().contains("by another program: line 20"), "{got}");
    // Both did.
    let two = Two::of(&numbered());
    two.other_edits(&[("l20\n", "X\n")]);
    fs::write(two.root.path().join("f"), two.text().replace("l29\n", "Z\n")).unwrap();
    let got = two.edit(&[("l5\n", "Y\n")]);
    assert!(got["warnings"][0].as_str().unwrap().contains("by b1 and another program: lines 20, 29"), "{got}");
}

#[test]
fn what_others_did_stays_unseen() {
    let two = Two::of(&numbered());
    two.other_edits(&[("l20\n", "X\n")]);
    assert_eq!(two.edit(&[("l5\n", "Y\n")])["ok"], true);
    for (tool, more) in [("write_file", json!({ "content": "mine\n" })), ("delete_file", json!({}))] {
        let mut call = more;
        call["path"] = "f".into();
        let got = self::call(&two.mine, tool, &call);
        assert_eq!(got["error"]["kind"], "stale_file", "{tool}: {got}");
        // Who did it was the other session alone.
        let by = &got["error"]["details"]["changedBy"];
        assert_eq!((by.as_array().unwrap().len(), &by[0]["batch"]), (1, &json!("b1")), "{got}");
        let changes = got["error"]["details"]["changes"].as_str().unwrap();
        assert!(changes.contains("-l20\n+X\n") && !changes.contains('Y'), "{changes}");
    }
    // The next edit is held against what was seen and against the first edit, not against what is there.
    let there = two.text();
    assert_eq!(two.edit(&[("l21\n", "Z\n")])["error"]["kind"], "stale_file");
    assert_eq!(two.edit(&[("X\n", "Z\n")])["error"]["kind"], "stale_file");
    assert_eq!(two.text(), there);
    for (old, new) in [("Y\n", "W\n"), ("l28\n", "V\n"), ("W\n", "U\n")] {
        let got = two.edit(&[(old, new)]);
        assert_eq!(got["ok"], true, "{got}");
        assert!(got["warnings"][0].as_str().unwrap().contains("by b1: line 20"), "{got}");
    }
    assert_eq!(two.text(), there.replace("Y\n", "U\n").replace("l28\n", "V\n"));
    // Reading shows it.
    call(&two.mine, "read_file", &json!({ "path": "f" }));
    let got = two.edit(&[("X\n", "Z\n")]);
    assert_eq!((&got["ok"], &got["warnings"]), (&json!(true), &Value::Null), "{got}");
}

#[test]
fn a_copy_that_went_before_an_edit_beside_it_is_still_missed() {
    let two = Two::of(&format!("same\n{}same\n", numbered()));
    two.other_edits(&[("same\nl1\n", "l1\n")]);
    assert_eq!(two.edit(&[("l15\n", "Y\n")])["ok"], true);
    assert_eq!(two.edit(&[("same\n", "mine\n")])["error"]["kind"], "stale_file");
}

#[test]
fn dry_runs_proposals_and_repeated_calls() {
    let two = Two::of(&numbered());
    two.other_edits(&[("l20\n", "X\n")]);
    let with = |name: &str, value: Value| {
        let mut call = edits(&[("l5\n", "Y\n")]);
        call[name] = value;
        self::call(&two.mine, "edit_file", &call)
    };
    let dry = with("dryRun", true.into());
    assert!(dry["warnings"][0].as_str().unwrap().contains("by b1: line 20"), "{dry}");
    // A proposal is made for the file as it is, and applies while that stands.
    let proposed = with("mode", "propose".into());
    assert!(proposed["warnings"][0].as_str().unwrap().contains("by b1: line 20"), "{proposed}");
    let first = with("idempotencyKey", "k".into());
    let again = with("idempotencyKey", "k".into());
    assert_eq!((&first["ok"], &again["replayed"]), (&json!(true), &json!(true)), "{first} {again}");
    assert_eq!(first["warnings"], again["warnings"]);
    let applied = call(&two.other, "apply_batch", &json!({ "batchId": "b2" }));
    assert_eq!(applied["error"]["kind"], "conflict", "{applied}");
    // Taking it back leaves what the other did.
    assert_eq!(call(&two.mine, "undo", &json!({ "batchId": "b3" }))["ok"], true);
    assert_eq!(two.text(), numbered().replace("l20\n", "X\n"));
}

#[test]
fn line_ends_marks_and_charsets() {
    let crlf = numbered().replace('\n', "\r\n");
    check(&crlf, &[("l20", "X")], &[("l1", "Y")], "stale"); // `l1` stands in `l10`
    check(&crlf, &[("l20", "X")], &[("l13", "Y")], "line 20");
    // Another program turned all line ends.
    let two = Two::of(&numbered());
    assert_eq!(two.edit(&[("l1\n", "first\n")])["ok"], true);
    fs::write(two.root.path().join("f"), two.text().replace('\n', "\r\n")).unwrap();
    assert_eq!(two.edit(&[("l13", "Y")])["error"]["kind"], "stale_file");
    // A byte-order mark came.
    let two = Two::of(&numbered());
    assert_eq!(two.edit(&[("l1\n", "first\n")])["ok"], true);
    fs::write(two.root.path().join("f"), format!("\u{feff}{}", two.text())).unwrap();
    assert_eq!(two.edit(&[("l13", "Y")])["error"]["kind"], "stale_file");
    // In two bytes a character nothing is carried over.
    let wide: Vec<u8> = "\u{feff}".chars().chain(numbered().chars()).flat_map(|ch| (ch as u16).to_le_bytes()).collect();
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("f"), wide).unwrap();
    let (mine, other) = (open(root.path()), open(root.path()));
    for session in [&mine, &other] {
        call(session, "read_file", &json!({ "path": "f" }));
    }
    assert_eq!(call(&other, "edit_file", &edits(&[("l20\n", "X\n")]))["ok"], true);
    assert_eq!(call(&mine, "edit_file", &edits(&[("l13\n", "Y\n")]))["error"]["kind"], "stale_file");
}

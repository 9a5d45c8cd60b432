//! Who wrote a file besides `edit`: every session says the same, because the record does.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and says no by panicking"
)]

use patchwright_engine::core::anchor::{Anchor, line_hash};
use patchwright_engine::core::intent::{LineDeed, LineOperation, Reach};
use patchwright_engine::core::outcome::{Answer, Continuity};
use patchwright_engine::core::tool::{Edit, ReadFile, Shared, Undo, UndoWhat};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;

fn open(root: &Path) -> Session {
    Session::open(root, Options { home: home::at(), ..Options::default() }).unwrap()
}

fn read(session: &Session) {
    session.read_file(&ReadFile::new("a.txt"), &Quiet).unwrap();
}

/// Replaces a line. Who wrote the file, whether somebody is said to have changed it, and the batch.
fn edit(session: &Session, line: &str, new: &str) -> (Continuity, bool, String) {
    let anchor = Anchor::parse(&format!("{:016x}", line_hash(line.as_bytes()))[..6]).unwrap();
    let reach = Reach::Line { anchor, occurrence: None, line: None };
    let operation = LineOperation { deed: LineDeed::Replace, reach, lines: vec![new.to_owned()], was: None };
    let reply = session.edit(&Edit::new("a.txt", vec![operation]), &Quiet).unwrap();
    let warned = reply.warnings.iter().any(|told| matches!(told, Warning::ChangedSinceSeen { .. }));
    let Answer::Edited(edited) = reply.answer else { panic!("{:?}", reply.answer) };
    (edited.continuity, warned, edited.batch.unwrap().id)
}

fn check(found: (Continuity, bool, String), continuity: Continuity, warned: bool) -> String {
    assert_eq!((found.0, found.1), (continuity, warned));
    found.2
}

#[test]
fn an_edit_of_another_session_is_an_edit() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    let (first, second) = (open(folder.path()), open(folder.path()));
    read(&first);
    check(edit(&second, "one", "1"), Continuity::Clean, false);
    // It has changed since this session saw it; but nothing other than `edit` wrote it.
    check(edit(&first, "two", "2"), Continuity::Clean, true);
    check(edit(&second, "three", "3"), Continuity::Clean, true);
    check(edit(&open(folder.path()), "3", "III"), Continuity::Clean, false);
}

#[test]
fn what_one_session_saw_is_on_record_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let first = open(folder.path());
    read(&first);
    fs::write(&file, "one\ntwo\nthree\nfour\n").unwrap();
    // Nothing is on record yet, so that only a session that saw the file before can tell.
    check(edit(&first, "one", "1"), Continuity::Mixed, true);
    check(edit(&open(folder.path()), "two", "2"), Continuity::Mixed, false);
}

#[test]
fn a_foreign_version_and_an_undo_are_mixed_in_a_new_session() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let batch = check(edit(&open(folder.path()), "one", "1"), Continuity::Clean, false);
    let undo = Undo { what: UndoWhat::Batch { id: batch, changes: None }, shared: Shared::default() };
    open(folder.path()).undo(&undo, &Quiet).unwrap();
    check(edit(&open(folder.path()), "two", "2"), Continuity::Mixed, false);
    fs::write(&file, "one\n2\nthree\nfour\n").unwrap();
    check(edit(&open(folder.path()), "three", "3"), Continuity::Mixed, true);
    check(edit(&open(folder.path()), "3", "III"), Continuity::Mixed, false);
}

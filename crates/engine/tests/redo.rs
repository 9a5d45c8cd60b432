//! Undo and redo without names: one step back at a time, one step forth at a time, never to and fro.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::BatchName;
use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::core::policy::{Rules, Settings};
use patchwright_engine::core::tool::{
    Age, Call, CreateFile, DeleteFile, PurgeTrash, Run, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;

/// A workspace in which things are done one after the other.
struct Desk {
    folder: tempfile::TempDir,
    workspace: Session,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let workspace = open(&folder, Settings::default());
        Desk { folder, workspace }
    }

    fn undo(&self, what: UndoWhat) {
        self.workspace.call(&Call::Undo(Undo { what, shared: Shared::default() }), &Quiet).unwrap();
    }

    fn take_back(&self, name: Result<Option<BatchName>, Trouble>) {
        let name = name.unwrap().map(|name| name.to_string()).unwrap();
        self.undo(UndoWhat::Batch { id: name, changes: None });
    }

    /// `undo` and `redo` by themselves, `undo b1`, `undo b1.1 b2.1`, `+a` to write a file, `?a` to propose that, `-a` to
    /// delete one, `purge`.
    fn does(&self, what: &str) {
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let text = format!("{}\n", self.workspace.newest_change().unwrap().map_or(0, |name| name.number));
        match (verb, rest) {
            ("undo", "") => self.take_back(self.workspace.newest_change()),
            ("redo", "") => self.take_back(self.workspace.newest_undo()),
            ("undo", names) if names.contains('.') => {
                self.undo(UndoWhat::Changes(names.split(' ').map(str::to_owned).collect()));
            }
            ("undo", name) => self.undo(UndoWhat::Batch { id: name.to_owned(), changes: None }),
            ("purge", _) => {
                let ask = PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() };
                self.workspace.purge_trash(&ask, &Quiet).unwrap();
            }
            (verb, _) => {
                let (sign, path) = verb.split_at(1);
                let run = if sign == "?" { Run::Propose } else { Run::Apply };
                let shared = Shared { run, ..Shared::default() };
                let call = match sign {
                    "-" => Call::DeleteFile(DeleteFile::new(path)),
                    _ if self.folder.path().join(path).exists() => {
                        Call::WriteFile(WriteFile { shared, ..WriteFile::new(path, text) })
                    }
                    _ => Call::CreateFile(CreateFile { shared, ..CreateFile::new(path, text) }),
                };
                self.workspace.call(&call, &Quiet).unwrap();
            }
        }
    }
}

fn open(folder: &tempfile::TempDir, settings: Settings) -> Session {
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    let options = Options { settings, durability, proof, home: home::at(), ..Options::default() };
    Session::open(folder.path(), options).unwrap()
}

fn next(workspace: &Session) -> String {
    let told = |name: Result<Option<BatchName>, Trouble>| name.unwrap().map_or("-".to_owned(), |name| name.to_string());
    format!("{} {}", told(workspace.newest_change()), told(workspace.newest_undo()))
}

/// After each of these, what `undo` and `redo` would take back.
fn check(done: &[(&str, &str)]) {
    let desk = Desk::new();
    assert_eq!(next(&desk.workspace), "- -");
    for (at, (what, want)) in done.iter().enumerate() {
        desk.does(what);
        assert_eq!(next(&desk.workspace), *want, "after {at}: {what}");
    }
}

#[test]
fn step_by_step_back_and_forth() {
    check(&[
        ("+a", "b1 -"),
        ("+b", "b2 -"),
        ("undo", "b1 b3"),
        ("undo", "- b4"),
        ("redo", "b1 b3"), // b5 takes b4 back, which took b1 back
        ("redo", "b2 -"),
    ]);
    check(&[("+a", "b1 -"), ("undo", "- b2"), ("redo", "b1 -"), ("undo", "- b4"), ("redo", "b1 -")]);
    check(&[
        ("+a", "b1 -"),
        ("+b", "b2 -"),
        ("undo", "b1 b3"),
        ("redo", "b2 -"),
        ("undo", "b1 b5"),
        ("undo", "- b6"),
        ("redo", "b1 b5"),
        ("undo", "- b8"),
    ]);
}

#[test]
fn what_was_done_again_is_the_newest() {
    check(&[("+a", "b1 -"), ("+b", "b2 -"), ("undo b1", "b2 b3"), ("redo", "b1 -"), ("undo", "b2 b5")]);
    // A new change comes before what was done again, and does not end what can be done again.
    check(&[("+a", "b1 -"), ("undo", "- b2"), ("+b", "b3 b2"), ("redo", "b1 -"), ("+c", "b5 -"), ("undo", "b1 b6")]);
}

#[test]
fn what_is_no_change_is_passed_over() {
    check(&[("+a", "b1 -"), ("-a", "b2 -"), ("purge", "b2 -")]);
    check(&[("+a", "b1 -"), ("?b", "b1 -")]);
    // Some of a batch may be left, and some of an undo.
    check(&[("+a", "b1 -"), ("+a", "b2 -"), ("undo b2.1", "b1 b3"), ("undo b3.1", "b2 -")]);
}

#[test]
fn changes_of_several_batches_are_taken_back_in_one_call() {
    let desk = Desk::new();
    for what in ["+a", "+b", "+a", "undo b2.1 b3.1"] {
        desk.does(what);
    }
    assert_eq!(next(&desk.workspace), "b1 b4");
    assert_eq!(std::fs::read_to_string(desk.folder.path().join("a")).unwrap(), "0\n");
    assert!(!desk.folder.path().join("b").exists());
    desk.does("redo");
    assert_eq!(next(&desk.workspace), "b3 -");
    assert!(desk.folder.path().join("b").exists());
}

#[test]
fn what_may_not_be_seen_is_no_change() {
    let desk = Desk::new();
    desk.does("+a");
    desk.does("+secret");
    let read = Rules { deny: vec!["secret".to_owned()], ..Rules::default() };
    let closed = open(&desk.folder, Settings { read, ..Settings::default() });
    assert_eq!((next(&desk.workspace), next(&closed)), ("b2 -".to_owned(), "b1 -".to_owned()));
}

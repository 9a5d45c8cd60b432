//! A bug of ours ends the call it shows in, and nothing else: the answer gives an id, the record knows it, and the session
//! goes on. And what a session calls itself gives it nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::conventions::Conventions;
use patchwright_engine::core::outcome::{Fault, Trouble};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{
    ApplyPatch, Call, CreateFile, Hashes, Hidden, ListDirectory, ReadFile, Shared, TOOLS, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{AuditEntry, Durability, Options, Proof, Quiet, Session, SessionId, Watch};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

fn options() -> Options {
    Options { durability: Durability::None, home: home::at(), proof: Proof::Unchecked, ..Options::default() }
}

/// Breaks down when it is asked for the last time of so many.
struct Breaks(AtomicU64);

impl Watch for Breaks {
    fn cancelled(&self) -> bool {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            1 => panic!("a pipe burst"),
            0 => panic!("it went on after it had broken down"),
            _ => false,
        }
    }
}

fn listed() -> ListDirectory {
    ListDirectory { path: ".".to_owned(), levels: 1, hidden: Hidden::Omit, cursor: None, hashes: Hashes::No }
}

fn last(session: &Session) -> AuditEntry {
    let mut entries = Vec::new();
    let mut each = |entry: &AuditEntry| {
        entries.push(entry.clone());
        Ok(())
    };
    session.audit_export(&mut each).unwrap();
    entries.pop().unwrap()
}

fn check(root: &Path, call: &Call) {
    let session = Session::open(root, options()).unwrap();
    session.create_file(&CreateFile::new(format!("begin-{}", call.tool().name), ""), &Quiet).unwrap();
    let listing = || session.call(&Call::ListDirectory(listed()), &Quiet).unwrap().answer;
    let before = listing();
    for at in 1.. {
        let Err(failed) = session.call(call, &Breaks(AtomicU64::new(at))) else {
            assert!(at > 1, "{call:?} asks nobody");
            return;
        };
        assert_eq!(failed.trouble.kind(), Kind::Internal, "{call:?} at {at}: {failed:?}");
        let Trouble::Fault(Fault { id: Some(id), .. }) = &failed.trouble else { panic!("{failed:?}") };
        assert_eq!(listing(), before, "{call:?} at {at}");
        let entry = last(&session);
        let fault = entry.fault.unwrap();
        assert_eq!((&fault.id, fault.said.as_str()), (id, "a pipe burst"), "{call:?} at {at}");
        assert_eq!((entry.tool.as_str(), entry.kind.as_deref()), (call.tool().name, Some("internal")));
        assert_eq!(failed.audit_head, Some(entry.head));
    }
}

#[test]
fn a_panic_ends_its_call_and_nothing_else() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a.txt", "b.txt"] {
        fs::write(root.path().join(name), "one\ntwo\n").unwrap();
    }
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: c.txt\n+c\n*** End Patch\n";
    for call in [
        Call::ListDirectory(listed()),
        Call::CreateFile(CreateFile::new("d.txt", "d")),
        Call::WriteFile(WriteFile::new("b.txt", "b")),
        Call::ApplyPatch(ApplyPatch { conventions: Some(Conventions::Strict), ..ApplyPatch::new(patch) }),
    ] {
        check(root.path(), &call);
    }
}

/// Nothing can be put on record where nothing may be changed; the answer has an id all the same.
#[test]
fn a_session_that_only_looks_still_answers() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), "one\n").unwrap();
    let session =
        Session::open(root.path(), Options { mode: patchwright_engine::Mode::ReadOnly, ..options() }).unwrap();
    let call = Call::ListDirectory(listed());
    let failed = session.call(&call, &Breaks(AtomicU64::new(1))).unwrap_err();
    assert!(matches!(&failed.trouble, Trouble::Fault(Fault { id: Some(_), .. })), "{failed:?}");
    assert_eq!((failed.trouble.kind(), failed.audit_head), (Kind::Internal, None));
    session.call(&call, &Quiet).unwrap();
    // A door whose own part broke down says so in the same way.
    let tool = TOOLS.iter().find(|tool| tool.name == "write_file").unwrap();
    let failed = session.record_breakdown(tool, &"it burst".to_owned());
    assert!(matches!(&failed.trouble, Trouble::Fault(Fault { id: Some(_), said, .. }) if said == "it burst"));
}

#[test]
fn the_name_of_a_session_gives_it_nothing() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), "one\n").unwrap();
    let named = || {
        let session = Some(SessionId::parse("night").unwrap());
        Session::open(root.path(), Options { session, proof: Proof::HashOrLedger, ..options() }).unwrap()
    };
    let (first, second) = (named(), named());
    assert_eq!((first.id(), second.id()), ("night", "night"));
    first.read_file(&ReadFile::new("a.txt"), &Quiet).unwrap();
    let refused = second.write_file(&WriteFile::new("a.txt", "two\n"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::StaleFile, "what the first has read, the second has not");
    first.write_file(&WriteFile::new("a.txt", "two\n"), &Quiet).unwrap();
    let refused = second.write_file(&WriteFile::new("a.txt", "three\n"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::StaleFile, "nor what the first has written");
    second.create_file(&CreateFile::new("b.txt", "b\n"), &Quiet).unwrap();
    // What is on record under the name is taken back together, whoever asks.
    let third = Session::open(root.path(), options()).unwrap();
    third.undo(&Undo { what: UndoWhat::Session("night".to_owned()), shared: Shared::default() }, &Quiet).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("a.txt")).unwrap(), "one\n");
    assert!(!root.path().join("b.txt").exists());
}

//! Short names lead to what they were printed for: every batch and change that any answer or refusal names is found
//! again by its short name, whatever came before, and a replayed answer has the name of the first.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_engine::core::batch::{BatchName, ChangeName};
use patchwright_engine::core::outcome::{Answer, Failed, Naming, Replayed, Reply, name_all};
use patchwright_engine::core::tool::{
    ApplyBatch, ApplyPatch, Atomic, Call, CreateFile, DeleteFile, ExplainLines, GetPatchChange, Ground, ListBatches,
    RejectBatch, Run, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use proptest::prelude::*;
use std::path::Path;

fn open(root: &Path) -> Session {
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    Session::open(root, Options { durability, proof, home: home::at(), ..Options::default() }).unwrap()
}

/// All names in an outcome.
#[derive(Default)]
struct Seen {
    batches: Vec<BatchName>,
    changes: Vec<ChangeName>,
}

impl Naming for Seen {
    fn batch(&mut self, name: &mut BatchName) {
        self.batches.push(name.clone());
    }

    fn change(&mut self, name: &mut ChangeName) {
        self.changes.push(name.clone());
    }
}

/// Everything that an outcome names leads back to it.
fn check(session: &Session, outcome: &mut Result<Reply, Failed>) {
    let mut seen = Seen::default();
    name_all(outcome, &mut seen);
    for name in seen.batches {
        assert!(name.number > 0, "{name:?} in {outcome:?}");
        assert_eq!(session.batch_id(&name.to_string()).unwrap(), name.id, "{name}");
    }
    for name in seen.changes.into_iter().filter(|name| !name.id.is_empty()) {
        assert!(name.is_short(), "{name:?} in {outcome:?}");
        let ask = GetPatchChange { change: Some(name.to_string()), ..GetPatchChange::default() };
        let Answer::Batch(view) = session.get_patch_change(&ask).unwrap().answer else { panic!() };
        let found: Vec<&str> =
            view.files.iter().flat_map(|file| &file.changes).map(|change| change.name.id.as_str()).collect();
        assert_eq!(found, [name.id.as_str()], "{name}");
    }
}

fn shared(run: Run, key: Option<String>) -> Shared {
    Shared { run, idempotency_key: key }
}

/// The call that a number stands for, about the batch of another number.
fn call(sort: u8, about: u64, step: usize) -> Call {
    let (path, text) = (format!("f{}", about % 3), format!("one {step}\ntwo\nthree {step}\n"));
    let batch = format!("b{}", about + 1);
    let patch = format!("*** Begin Patch\n*** Add File: p{step}\n+1\n+2\n*** Add File: q{step}\n+3\n*** End Patch\n");
    let run = if sort.is_multiple_of(2) { Run::Apply } else { Run::Propose };
    match sort {
        0 | 1 => Call::CreateFile(CreateFile { shared: shared(run, None), ..CreateFile::new(path, text) }),
        2 | 3 => Call::WriteFile(WriteFile { shared: shared(run, None), ..WriteFile::new(path, text) }),
        4 | 5 => Call::ApplyPatch(ApplyPatch { shared: shared(run, None), ..ApplyPatch::new(patch) }),
        6 => Call::ApplyPatch(ApplyPatch { atomic: Atomic::Sections, ..ApplyPatch::new(patch) }),
        7 => Call::Undo(Undo { what: UndoWhat::Batch { id: batch, changes: None }, shared: Shared::default() }),
        8 => {
            let what = UndoWhat::Changes(vec![format!("{batch}.1")]);
            Call::Undo(Undo { what, shared: Shared::default() })
        }
        9 => Call::ApplyBatch(ApplyBatch {
            batch: Some(batch),
            changes: None,
            ground: Ground::MustBeTheSame,
            shared: Shared::default(),
        }),
        10 => Call::ApplyBatch(ApplyBatch {
            changes: Some(vec![format!("{batch}.2")]),
            batch: None,
            ground: Ground::MustBeTheSame,
            shared: Shared::default(),
        }),
        11 => Call::RejectBatch(RejectBatch { batch, reason: None, shared: Shared::default() }),
        12 => Call::DeleteFile(DeleteFile::new(path)),
        13 => Call::GetPatchChange(GetPatchChange::new(batch)),
        14 => Call::ExplainLines(ExplainLines { path, start: None, end: None }),
        _ => Call::ListBatches(ListBatches::default()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_found(steps in prop::collection::vec((0_u8..16, 0_u64..6), 1..14)) {
        let root = tempfile::tempdir().unwrap();
        let session = open(root.path());
        for (step, (sort, about)) in steps.into_iter().enumerate() {
            let mut outcome = session.call(&call(sort, about, step), &Quiet);
            check(&session, &mut outcome);
        }
    }
}

#[test]
fn a_replayed_answer_has_the_first_ones_name() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let key = || Some("once".to_owned());
    let ask = CreateFile { shared: shared(Run::Apply, key()), ..CreateFile::new("a", "1\n") };
    let first = session.call(&Call::CreateFile(ask.clone()), &Quiet).unwrap();
    session.call(&Call::CreateFile(CreateFile::new("b", "2\n")), &Quiet).unwrap();
    let again = open(root.path()).call(&Call::CreateFile(ask), &Quiet).unwrap();
    let name = |reply: &Reply| match &reply.answer {
        Answer::Changed(changed) => changed.batch.clone().unwrap().to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!((name(&first), name(&again), again.replayed), ("b1".to_owned(), "b1".to_owned(), Replayed::Yes));
}

#[test]
fn dry_runs_have_no_name() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let ask = CreateFile { shared: shared(Run::Dry, None), ..CreateFile::new("a", "1\n") };
    let mut seen = Seen::default();
    name_all(&mut session.call(&Call::CreateFile(ask), &Quiet), &mut seen);
    assert!(seen.batches.is_empty() && seen.changes.is_empty());
}

//! Which entries are events, and what each tells.

use crate::place::{create, cursors, open, open_without, told, told_since};
use patchwright_engine::core::batch::Role;
use patchwright_engine::core::outcome::{Answer, Failed, Reply};
use patchwright_engine::core::tool::{
    Age, ApplyBatch, ApplyPatch, Atomic, CreateFile, DeleteFile, Ground, MoveFile, PurgeTrash, RejectBatch, Run,
    Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Client, Door, EventKind, News, Quiet, Session, Since};
use std::time::Duration;

fn propose(session: &Session, path: &str, text: &str) -> Result<Reply, Failed> {
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    session.write_file(&WriteFile { shared, ..WriteFile::new(path, text) }, &Quiet)
}

fn accept(session: &Session, batch: &str) -> Result<Reply, Failed> {
    let (batch, shared) = (Some(batch.to_owned()), Shared::default());
    session.apply_batch(&ApplyBatch { batch, changes: None, ground: Ground::MustBeTheSame, shared }, &Quiet)
}

/// Makes a call of every sort, and what each of them is told as.
fn play(session: &Session) -> Vec<&'static str> {
    let (dry, key) = (Shared { run: Run::Dry, ..Shared::default() }, Some("k".to_owned()));
    let keyed = Shared { idempotency_key: key, ..Shared::default() };
    session.create_file(&CreateFile::new("a", "one\n"), &Quiet).unwrap();
    session.write_file(&WriteFile::new("missing/a", "x"), &Quiet).unwrap_err();
    session.write_file(&WriteFile::new("../out", "x"), &Quiet).unwrap_err();
    session.write_file(&WriteFile { shared: dry, ..WriteFile::new("a", "dry\n") }, &Quiet).unwrap();
    session.write_file(&WriteFile::new("a", "one\n"), &Quiet).unwrap();
    for _ in 0..2 {
        session.write_file(&WriteFile { shared: keyed.clone(), ..WriteFile::new("a", "two\n") }, &Quiet).unwrap();
    }
    let what = UndoWhat::Batch { id: "b2".to_owned(), changes: None };
    session.undo(&Undo { what, shared: Shared::default() }, &Quiet).unwrap();
    session.move_file(&MoveFile::new("a", "line\nbreak"), &Quiet).unwrap_err();
    session.move_file(&MoveFile::new("a", "b c"), &Quiet).unwrap();
    let sections = "*** Begin Patch\n*** Add File: s1\n+1\n*** Add File: s2\n+2\n*** End Patch\n";
    session.apply_patch(&ApplyPatch { atomic: Atomic::Sections, ..ApplyPatch::new(sections) }, &Quiet).unwrap();
    propose(session, "s1", "new\n").unwrap();
    accept(session, "b6").unwrap();
    propose(session, "s2", "new\n").unwrap();
    let reject = RejectBatch { batch: "b7".to_owned(), reason: None, shared: Shared::default() };
    session.reject_batch(&reject, &Quiet).unwrap();
    session.delete_file(&DeleteFile::new("s2"), &Quiet).unwrap();
    session.purge_trash(&PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() }, &Quiet).unwrap();
    vec![
        "batch b1 create_file a",
        "refusal not_found write_file missing/a",
        "refusal outside_workspace write_file ../out",
        "batch b2 write_file a",
        "batch b3 undo a",
        "refusal invalid_arguments move_file a line\nbreak",
        "batch b4 move_file a b c",
        "batch b5 apply_patch s1",
        "batch b5 apply_patch s2",
        "proposal b6 write_file s1",
        "batch b6 apply_batch s1",
        "proposal b7 write_file s2",
        "rejected b7 reject_batch s2",
        "batch b8 delete_file s2",
        "batch b9 purge_trash s2",
    ]
}

#[test]
fn every_sort_of_entry() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let mut follow = session.workspace().follow(Since::Now).unwrap();
    let want = play(&session);
    assert_eq!(told(&mut follow), want);
    assert_eq!(told(&mut follow), Vec::<String>::new(), "each once");
    assert_eq!(told_since(root.path(), Since::Start), want);
    assert_eq!(told_since(root.path(), Since::Now), Vec::<String>::new());
    let polled = open(root.path());
    assert_eq!(told(&mut polled.workspace().follow(Since::Start).unwrap().by_polling()), want);
}

#[test]
fn behind_each_cursor_comes_the_rest() {
    let root = tempfile::tempdir().unwrap();
    let want = play(&open(root.path()));
    for (at, cursor) in cursors(root.path()).into_iter().enumerate() {
        assert_eq!(told_since(root.path(), cursor), want[at + 1..], "behind {}", want[at]);
    }
}

#[test]
fn who_did_it_and_when() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let client = |name: &str, actor: Option<&str>, door, role| Client {
        name: name.to_owned(),
        version: "1".to_owned(),
        actor: actor.map(str::to_owned),
        door,
        role,
    };
    session.introduce(client("codex", None, Door::Stdio, Role::Agent));
    std::fs::write(root.path().join("old"), "").unwrap();
    let proposed = propose(&session, "old", "x\n").unwrap();
    let Answer::Changed(changed) = proposed.answer else { panic!("{:?}", proposed.answer) };
    let person = open(root.path());
    person.introduce(client("cli", Some("ada"), Door::Cli, Role::Person));
    accept(&person, &changed.batch.unwrap().id).unwrap();
    let mut follow = session.workspace().follow(Since::Start).unwrap();
    let mut next = || match follow.next(Duration::ZERO, &Quiet).unwrap() {
        News::Event(event) => event,
        other => panic!("{other:?}"),
    };
    let (proposal, accepted) = (next(), next());
    assert_eq!((proposal.by.session.as_str(), proposal.by.client.as_str()), (session.id(), "codex/1"));
    assert_eq!((proposal.by.actor, proposal.door, proposal.by.role), (None, Door::Stdio, Role::Agent));
    assert_eq!((accepted.kind, accepted.by.actor.as_deref()), (EventKind::Batch, Some("ada")));
    assert_eq!((accepted.by.session.as_str(), accepted.door), (person.id(), Door::Cli));
    let batch = accepted.batch.unwrap();
    assert_eq!((batch.author.client.as_str(), batch.added), ("codex/1", 1), "the proposal is still codex's");
    assert!(accepted.by.time_ns >= proposal.by.time_ns);
}

#[test]
fn an_undo_names_what_it_takes_back() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    play(&session);
    let all = crate::place::rest(&mut session.workspace().follow(Since::Start).unwrap());
    let undo = all.iter().find_map(|news| match news {
        News::Event(event) if event.tool == "undo" => event.batch.clone(),
        _ => None,
    });
    assert_eq!(undo.unwrap().undoes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b2"]);
}

#[test]
fn what_may_not_be_read_is_not_named() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("closed")).unwrap();
    create(root.path(), "open");
    create(root.path(), "closed/one");
    let session = open(root.path());
    let patch = "*** Begin Patch\n*** Add File: closed/two\n+2\n*** Add File: also\n+3\n*** End Patch\n";
    session.apply_patch(&ApplyPatch::new(patch), &Quiet).unwrap();
    session.move_file(&MoveFile::new("open", "closed/three"), &Quiet).unwrap();
    session.write_file(&WriteFile::new("closed/no/such", "x"), &Quiet).unwrap_err();
    propose(&session, "closed/one", "x\n").unwrap();
    let reject = RejectBatch { batch: "b5".to_owned(), reason: None, shared: Shared::default() };
    session.reject_batch(&reject, &Quiet).unwrap();
    session.delete_file(&DeleteFile::new("closed/two"), &Quiet).unwrap();
    session.purge_trash(&PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() }, &Quiet).unwrap();
    let careful = open_without(root.path(), "closed/**");
    assert_eq!(
        told(&mut careful.workspace().follow(Since::Start).unwrap()),
        [
            "batch b1 create_file open",
            "batch b2 create_file  and 1 hidden",
            "batch b3 apply_patch also and 1 hidden",
            "batch b4 move_file  and 1 hidden",
            "refusal not_found write_file  and 1 hidden",
            "proposal b5 write_file  and 1 hidden",
            "rejected b5 reject_batch  and 1 hidden",
            "batch b6 delete_file  and 1 hidden",
            "batch b7 purge_trash  and 1 hidden",
        ]
    );
}

//! What is kept stays what it was: pre-images and trash against late writers and hard links, a damaged
//! record against being taken for one that never happened, and state against the tools.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::core::outcome::{Answer, Changed, Failed, Reply};
use patchwright::core::policy::{Limits, Settings};
use patchwright::core::refusal::Kind;
use patchwright::core::tool::{CreateFile, DeleteFile, ReadFile, RestoreFile, Run, Shared, WriteFile};
use patchwright::core::warning::Warning;
use patchwright::{Durability, Finding, Options, Proof, Quiet, Repair, Workspace};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn options() -> Options {
    Options { durability: Durability::None, proof: Proof::Unchecked, ..Options::default() }
}

fn open(root: &Path) -> Workspace {
    Workspace::open(root, options()).unwrap()
}

fn changed(reply: Result<Reply, Failed>) -> Changed {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed,
        other => panic!("{other:?}"),
    }
}

fn kept(root: &Path) -> BTreeSet<String> {
    let blobs = fs::read_dir(root.join(".patchwright/blobs")).unwrap();
    blobs.map(|blob| fs::read_to_string(blob.unwrap().path()).unwrap()).collect()
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_late_write_into_a_pre_image_costs_no_other() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        fs::write(root.path().join(name), "unique\n").unwrap();
    }
    let mut late = OpenOptions::new().append(true).open(root.path().join("a")).unwrap();
    let session = open(root.path());
    changed(session.write_file(&WriteFile::new("a", "new a\n"), &Quiet));
    late.write_all(b"LATE\n").unwrap();
    changed(session.write_file(&WriteFile::new("b", "new b\n"), &Quiet));
    let want = ["unique\n", "unique\nLATE\n"].map(str::to_owned);
    assert_eq!(kept(root.path()), BTreeSet::from(want));
}

#[test]
fn a_deleted_file_is_cut_loose_from_its_other_names() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("one"), "old\n").unwrap();
    fs::hard_link(root.path().join("one"), root.path().join("two")).unwrap();
    let session = open(root.path());
    let gone = changed(session.delete_file(&DeleteFile::new("one"), &Quiet));
    append(&root.path().join("two"), "CHANGED\n");
    changed(session.restore_file(&RestoreFile::new(gone.trash.unwrap()), &Quiet));
    assert_eq!(fs::read_to_string(root.path().join("one")).unwrap(), "old\n");
}

#[test]
fn what_was_written_into_a_deleted_file_comes_back_and_is_told() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a"), "old\n").unwrap();
    let mut late = OpenOptions::new().append(true).open(root.path().join("a")).unwrap();
    let session = open(root.path());
    let gone = changed(session.delete_file(&DeleteFile::new("a"), &Quiet));
    late.write_all(b"late\n").unwrap();
    let reply = session.restore_file(&RestoreFile::new(gone.trash.unwrap()), &Quiet).unwrap();
    assert!(reply.warnings.iter().any(|told| matches!(told, Warning::WrittenAfterSwap { .. })), "{:?}", reply.warnings);
    assert_eq!(fs::read_to_string(root.path().join("a")).unwrap(), "old\nlate\n");
}

#[test]
fn kept_files_are_private() {
    let root = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        fs::write(root.path().join(name), name).unwrap();
        fs::set_permissions(root.path().join(name), fs::Permissions::from_mode(0o4755)).unwrap();
    }
    let session = open(root.path());
    changed(session.write_file(&WriteFile::new("a", "x"), &Quiet));
    changed(session.delete_file(&DeleteFile::new("b"), &Quiet));
    for shelf in ["blobs", "trash"] {
        for file in fs::read_dir(root.path().join(".patchwright").join(shelf)).unwrap() {
            assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o7777, 0o600, "{shelf}");
        }
    }
}

/// Changes the last byte of the last copy of a text in the log.
fn tamper(root: &Path, text: &str) {
    let path = root.join(".patchwright/log");
    let mut log = fs::read(&path).unwrap();
    let at = log.windows(text.len()).rposition(|part| part == text.as_bytes()).unwrap();
    log[at] ^= 1;
    fs::write(path, log).unwrap();
}

#[test]
fn a_changed_last_record_takes_nothing_back() {
    let root = tempfile::tempdir().unwrap();
    changed(open(root.path()).create_file(&CreateFile::new("n", "precious new work"), &Quiet));
    tamper(root.path(), "precious");
    let session = open(root.path());
    let found = session.audit_verify(None).unwrap().findings;
    assert!(matches!(found.as_slice(), [Finding::Damaged { sequence: 2, .. }]), "{found:?}");
    session.read_file(&ReadFile::new("n"), &Quiet).unwrap();
    let refused = session.create_file(&CreateFile::new("m", "x"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::CommandFailed);
    assert_eq!(fs::read_to_string(root.path().join("n")).unwrap(), "precious new work");
    assert!(!root.path().join("m").exists());
}

#[test]
fn a_changed_record_with_rubbish_behind_is_damage_and_wipes_nothing() {
    let root = tempfile::tempdir().unwrap();
    for name in ["first", "second", "third"] {
        changed(open(root.path()).create_file(&CreateFile::new(name, format!("{name} text")), &Quiet));
    }
    tamper(root.path(), "first text");
    let path = root.path().join(".patchwright/log");
    let mut log = fs::read(&path).unwrap();
    let end = log.iter().rposition(|byte| *byte != 0).unwrap();
    log[end + 1] = 9;
    fs::write(&path, &log).unwrap();
    let session = open(root.path());
    assert!(matches!(session.audit_verify(None).unwrap().findings.as_slice(), [Finding::Damaged { sequence: 2, .. }]));
    session.create_file(&CreateFile::new("m", "x"), &Quiet).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), log);
}

#[test]
fn a_damaged_record_in_the_middle_is_no_empty_trash() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("a", "some text"), &Quiet));
    changed(session.delete_file(&DeleteFile::new("a"), &Quiet));
    changed(session.create_file(&CreateFile::new("b", "other"), &Quiet));
    drop(session);
    tamper(root.path(), "+some text");
    let session = open(root.path());
    session.list_trash().unwrap_err();
    session.audit_export(&mut |_| Ok(())).unwrap_err();
}

#[test]
fn inspecting_mends_nothing() {
    let root = tempfile::tempdir().unwrap();
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/v0.1-delete");
    fs::create_dir(root.path().join(".patchwright")).unwrap();
    fs::copy(journal.join("state/log"), root.path().join(".patchwright/log")).unwrap();
    let before = fs::read(root.path().join(".patchwright/log")).unwrap();
    let session = Workspace::open(root.path(), Options { repair: Repair::WhenCalled, ..options() }).unwrap();
    session.audit_verify(None).unwrap();
    assert_eq!(fs::read(root.path().join(".patchwright/log")).unwrap(), before);
}

#[test]
fn state_elsewhere_in_the_workspace_is_closed_too() {
    let root = tempfile::tempdir().unwrap();
    let inside = root.path().join("my/state");
    fs::create_dir(root.path().join("my")).unwrap();
    let session = Workspace::open(root.path(), Options { state_dir: Some(inside), ..options() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "x"), &Quiet));
    let refused = session.create_file(&CreateFile::new("my/State/evil", "x"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::PermissionDenied);
    assert_eq!(session.read_file(&ReadFile::new("my/state/log"), &Quiet).unwrap_err().kind(), Kind::PermissionDenied);
    let itself = Options { state_dir: Some(root.path().to_owned()), ..options() };
    assert!(Workspace::open(root.path(), itself).is_err());
}

#[test]
fn a_result_over_the_limit_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let limits = Limits { max_file_bytes: 10, ..Limits::default() };
    let session =
        Workspace::open(root.path(), Options { settings: Settings { limits, ..Settings::default() }, ..options() })
            .unwrap();
    let refused = session.create_file(&CreateFile::new("a", "eleven bytes"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::FileTooLarge);
}

#[test]
fn a_key_is_bound_to_its_arguments_and_a_replay_is_on_record() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let keyed = |run| Shared { run, idempotency_key: Some("k".to_owned()) };
    let call = CreateFile { shared: keyed(Run::Apply), ..CreateFile::new("a", "x") };
    changed(session.create_file(&call, &Quiet));
    changed(session.create_file(&call, &Quiet));
    let dry = CreateFile { shared: keyed(Run::Dry), ..CreateFile::new("a", "x") };
    assert_eq!(session.create_file(&dry, &Quiet).unwrap_err().trouble.kind(), Kind::InvalidArguments);
    let mut told = Vec::new();
    session
        .audit_export(&mut |entry| {
            told.push((entry.outcome, entry.operation.clone()));
            Ok(())
        })
        .unwrap();
    let create = |outcome| (outcome, "create".to_owned());
    assert_eq!(told, [create("committed"), create("replayed"), create("refused")]);
}

/// A workspace as a killed writer left it: `a.txt` replaced in place, the old bytes under a temporary name.
fn half_done(root: &Path) {
    let journal = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/v0.1-replace-swapped");
    fs::create_dir_all(root.join(".patchwright")).unwrap();
    fs::copy(journal.join("state/log"), root.join(".patchwright/log")).unwrap();
    for file in fs::read_dir(journal.join("tree")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), root.join(file.file_name())).unwrap();
    }
}

#[test]
fn recovery_takes_all_back_whatever_the_next_one_may_write() {
    let lists: [fn(&mut Settings); 2] = [
        |settings| settings.write.deny = vec!["a.txt".to_owned()],
        |settings| settings.write.allow = vec![vec!["elsewhere/**".to_owned()]],
    ];
    for close in lists {
        let root = tempfile::tempdir().unwrap();
        half_done(root.path());
        let mut settings = Settings::default();
        close(&mut settings);
        let session = Workspace::open(root.path(), Options { settings, ..options() }).unwrap();
        let read = patchwright::core::tool::Call::ReadFile(ReadFile::new("a.txt"));
        assert_eq!(session.call(&read, &Quiet).unwrap().warnings, []);
        assert_eq!(fs::read_to_string(root.path().join("a.txt")).unwrap(), "one\ntwo\n");
    }
}

#[test]
fn state_elsewhere_serves_one_workspace() {
    let (one, two, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shared = || Options { state_dir: Some(state.path().join("state")), ..options() };
    changed(Workspace::open(one.path(), shared()).unwrap().create_file(&CreateFile::new("a", "x"), &Quiet));
    assert!(Workspace::open(two.path(), shared()).is_err());
    changed(Workspace::open(one.path(), shared()).unwrap().create_file(&CreateFile::new("b", "x"), &Quiet));
}

#[test]
fn a_session_notices_that_its_state_was_deleted() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("x", "x"), &Quiet));
    session.read_file(&ReadFile::new("x"), &Quiet).unwrap();
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    half_done(root.path());
    session.call(&patchwright::core::tool::Call::ReadFile(ReadFile::new("a.txt")), &Quiet).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("a.txt")).unwrap(), "one\ntwo\n", "recovered before it was read");
}

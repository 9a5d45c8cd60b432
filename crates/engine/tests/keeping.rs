//! What is kept stays what it was: pre-images and trash against late writers and hard links, a damaged
//! record against being taken for one that never happened, and state against the tools.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::outcome::{Answer, Changed, Failed, Reply};
use patchwright_engine::core::policy::{Limits, Settings};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{Call, CreateFile, DeleteFile, ReadFile, RestoreFile, Run, Shared, WriteFile};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{Durability, Finding, Mode, Options, Proof, Quiet, Repair, Session};
use patchwright_testkit::tree::Tree;
use patchwright_testkit::{forge, home, journal};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn options() -> Options {
    Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() }
}

fn open(root: &Path) -> Session {
    Session::open(root, options()).unwrap()
}

fn changed(reply: Result<Reply, Failed>) -> Changed {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed,
        other => panic!("{other:?}"),
    }
}

fn kept(root: &Path) -> BTreeSet<String> {
    let blobs = fs::read_dir(home::record(root).join("blobs")).unwrap();
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
        for file in fs::read_dir(home::record(root.path()).join(shelf)).unwrap() {
            assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o7777, 0o600, "{shelf}");
        }
    }
}

/// Changes the last byte of the last copy of a text in the log.
fn tamper(root: &Path, text: &str) {
    let path = home::record(root).join("log");
    let mut log = fs::read(&path).unwrap();
    let at = log.windows(text.len()).rposition(|part| part == text.as_bytes()).unwrap();
    log[at] ^= 1;
    fs::write(path, log).unwrap();
}

fn found(session: &Session) -> Vec<Finding> {
    session.audit_verify(None).unwrap().findings
}

fn warned(session: &Session, call: Call) -> Vec<Warning> {
    session.call(&call, &Quiet).unwrap().warnings
}

#[test]
fn a_changed_last_record_takes_nothing_back() {
    let root = tempfile::tempdir().unwrap();
    changed(open(root.path()).create_file(&CreateFile::new("n", "precious new work"), &Quiet));
    tamper(root.path(), "precious");
    let session = open(root.path());
    assert_eq!(found(&session), [Finding::PutBack { known: 2 }]);
    let read = || Call::ReadFile(ReadFile::new("n"));
    let told = warned(&session, read());
    assert!(matches!(told.as_slice(), [Warning::RecordPutBack, Warning::UnfinishedLeft { .. }]), "{told:?}");
    assert_eq!(warned(&session, read()), [], "it is told once");
    assert_eq!(found(&session), [Finding::PutBack { known: 2 }], "looking puts nothing right");
    let session = open(root.path());
    let create = Call::CreateFile(CreateFile::new("m", "x"));
    let told = warned(&session, create);
    assert_eq!(told.first(), Some(&Warning::RecordPutBack), "the change goes through");
    assert_eq!(fs::read_to_string(root.path().join("n")).unwrap(), "precious new work");
    assert_eq!(fs::read_to_string(root.path().join("m")).unwrap(), "x");
    assert_eq!(found(&session), [Finding::Resumed { sequence: 2 }]);
    assert_eq!(warned(&open(root.path()), read()), [], "from then on the record is what it was");
    changed(open(root.path()).create_file(&CreateFile::new("o", "x"), &Quiet));
    assert_eq!(found(&open(root.path())), [Finding::Resumed { sequence: 2 }], "until somebody has looked at it");
}

/// Where the last record ends. Its last byte may be zero, as all those behind it are.
fn end_of(log: &[u8]) -> usize {
    forge::frames(log).last().unwrap().end
}

/// The log is entered where it ended: a change goes on there, and wipes nothing that was written before.
#[test]
fn a_changed_record_with_rubbish_behind_is_damage_and_wipes_nothing() {
    let root = tempfile::tempdir().unwrap();
    for name in ["first", "second", "third"] {
        changed(open(root.path()).create_file(&CreateFile::new(name, format!("{name} text")), &Quiet));
    }
    tamper(root.path(), "first text");
    let path = home::record(root.path()).join("log");
    let mut log = fs::read(&path).unwrap();
    let end = end_of(&log);
    log[end] = 9;
    fs::write(&path, &log).unwrap();
    let session = open(root.path());
    assert!(matches!(found(&session).as_slice(), [Finding::Damaged { sequence: 2, .. }]));
    changed(session.create_file(&CreateFile::new("m", "x"), &Quiet));
    assert!(matches!(found(&session).as_slice(), [Finding::Damaged { sequence: 2, .. }]));
    assert!(fs::read(&path).unwrap()[..end] == log[..end]);
}

/// A record that was cut short never happened: whoever opens next goes on without a word.
#[test]
fn a_torn_tail_is_wiped() {
    let root = tempfile::tempdir().unwrap();
    changed(open(root.path()).create_file(&CreateFile::new("a", "x"), &Quiet));
    let path = home::record(root.path()).join("log");
    let mut log = fs::read(&path).unwrap();
    let end = end_of(&log);
    log[end..end + 200].fill(0x55);
    fs::write(&path, &log).unwrap();
    let session = open(root.path());
    assert_eq!(found(&session), [Finding::TornTail { bytes: 200 }]);
    assert_eq!(warned(&session, Call::CreateFile(CreateFile::new("b", "x"))), []);
    assert_eq!(found(&session), []);
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

/// A workspace as a killed writer left it.
fn half_done(root: &Path, name: &str) {
    journal::leave(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals").join(name), root);
}

#[test]
fn inspecting_mends_nothing() {
    let root = tempfile::tempdir().unwrap();
    half_done(root.path(), "v0.1-delete");
    let before = fs::read(home::record(root.path()).join("log")).unwrap();
    let tree = Tree::read(root.path()).unwrap();
    let session = Session::open(root.path(), Options { repair: Repair::WhenCalled, ..options() }).unwrap();
    session.audit_verify(None).unwrap();
    assert_eq!(fs::read(home::record(root.path()).join("log")).unwrap(), before);
    assert_eq!(Tree::read(root.path()).unwrap(), tree);
}

/// A session that only looks leaves an unfinished call as it is, and says so once.
#[test]
fn looking_alone_mends_nothing() {
    let root = tempfile::tempdir().unwrap();
    half_done(root.path(), "v0.1-replace-swapped");
    let (before, tree) = (fs::read(home::record(root.path()).join("log")).unwrap(), Tree::read(root.path()).unwrap());
    let session = Session::open(root.path(), Options { mode: Mode::ReadOnly, ..options() }).unwrap();
    let told = warned(&session, Call::ReadFile(ReadFile::new("a.txt")));
    assert!(matches!(told.as_slice(), [Warning::UnfinishedCall { .. }]), "{told:?}");
    assert_eq!(warned(&session, Call::ReadFile(ReadFile::new("a.txt"))), []);
    assert_eq!(fs::read(home::record(root.path()).join("log")).unwrap(), before);
    assert_eq!(Tree::read(root.path()).unwrap(), tree);
}

#[test]
fn state_elsewhere_in_the_workspace_is_closed_too() {
    let root = tempfile::tempdir().unwrap();
    let inside = root.path().join("my/state");
    fs::create_dir(root.path().join("my")).unwrap();
    let session = Session::open(root.path(), Options { state_dir: Some(inside), ..options() }).unwrap();
    changed(session.create_file(&CreateFile::new("a", "x"), &Quiet));
    let refused = session.create_file(&CreateFile::new("my/State/evil", "x"), &Quiet).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::PermissionDenied);
    assert_eq!(session.read_file(&ReadFile::new("my/state/log"), &Quiet).unwrap_err().kind(), Kind::PermissionDenied);
    let itself = Options { state_dir: Some(root.path().to_owned()), ..options() };
    assert!(Session::open(root.path(), itself).is_err());
}

#[test]
fn a_result_over_the_limit_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let limits = Limits { max_file_bytes: 10, ..Limits::default() };
    let session =
        Session::open(root.path(), Options { settings: Settings { limits, ..Settings::default() }, ..options() })
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
    for other in [
        CreateFile { shared: keyed(Run::Dry), ..CreateFile::new("a", "x") },
        CreateFile { shared: keyed(Run::Apply), ..CreateFile::new("a", "y") },
        CreateFile { shared: keyed(Run::Propose), ..CreateFile::new("a", "x") },
    ] {
        assert_eq!(session.create_file(&other, &Quiet).unwrap_err().trouble.kind(), Kind::InvalidArguments);
    }
    let mut told = Vec::new();
    session
        .audit_export(&mut |entry| {
            told.push((entry.outcome, entry.operation.clone()));
            Ok(())
        })
        .unwrap();
    let create = |outcome| (outcome, "create".to_owned());
    assert_eq!(told, ["committed", "replayed", "refused", "refused", "refused"].map(create));
}

#[test]
fn recovery_takes_all_back_whatever_the_next_one_may_write() {
    let lists: [fn(&mut Settings); 2] = [
        |settings| settings.write.deny = vec!["a.txt".to_owned()],
        |settings| settings.write.allow = vec![vec!["elsewhere/**".to_owned()]],
    ];
    for close in lists {
        let root = tempfile::tempdir().unwrap();
        half_done(root.path(), "v0.1-replace-swapped");
        let mut settings = Settings::default();
        close(&mut settings);
        let session = Session::open(root.path(), Options { settings, ..options() }).unwrap();
        let read = Call::ReadFile(ReadFile::new("a.txt"));
        assert_eq!(session.call(&read, &Quiet).unwrap().warnings, []);
        assert_eq!(fs::read_to_string(root.path().join("a.txt")).unwrap(), "one\ntwo\n");
    }
}

#[test]
fn state_elsewhere_keeps_workspaces_apart() {
    let (one, two, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open = |root: &Path| {
        Session::open(root, Options { state_dir: Some(state.path().join("state")), ..options() }).unwrap()
    };
    let create = |root: &Path, name: &str| changed(open(root).create_file(&CreateFile::new(name, "x"), &Quiet));
    create(one.path(), "a");
    assert_eq!(open(two.path()).audit_verify(None).unwrap().records, 0);
    create(two.path(), "a");
    create(one.path(), "b");
    assert_eq!(open(one.path()).audit_verify(None).unwrap().records, 4);
    assert_eq!(open(two.path()).audit_verify(None).unwrap().records, 2);
}

#[test]
fn a_session_notices_that_its_state_was_deleted() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    changed(session.create_file(&CreateFile::new("x", "x"), &Quiet));
    session.read_file(&ReadFile::new("x"), &Quiet).unwrap();
    fs::remove_dir_all(root.path().join(".patchwright")).unwrap();
    half_done(root.path(), "v0.1-replace-swapped");
    session.call(&Call::ReadFile(ReadFile::new("a.txt")), &Quiet).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("a.txt")).unwrap(), "one\ntwo\n", "recovered before it was read");
}

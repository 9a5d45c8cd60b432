//! The policy over what comes from the record: trash, proposals, undo; sessions that only look; and what a patch must
//! show of having seen its files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::dialect::lines::{FilePatch, LineEdit};
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::{ExactEdit, Occurrences, Onto};
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::policy::{Guarded, Protect, Retention, Rules, Settings, TrashRetention};
use patchwright_engine::core::refusal::{Kind, Refusal, StaleReason, Why};
use patchwright_engine::core::tool::{
    Age, ApplyBatch, ApplyPatch, Atomic, CreateFile, DeleteFile, EditFile, ExplainLines, Ground, Hashes, Hidden,
    ListBatches, ListDirectory, MoveFile, PurgeTrash, ReadFile, Recursive, RejectBatch, RestoreFile, Run, Shared, Undo,
    UndoWhat, WriteFile, WritePatch,
};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{Durability, Mode, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn options() -> Options {
    Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() }
}

fn open(root: &Path) -> Session {
    Session::open(root, options()).unwrap()
}

/// A session that may write below `allowed/` only.
fn narrow(root: &Path) -> Session {
    let write = Rules { allow: vec![vec!["allowed/**".to_owned()]], deny: Vec::new() };
    Session::open(root, Options { settings: Settings { write, ..Settings::default() }, ..options() }).unwrap()
}

/// A session that may not read below `closed/`.
fn unseeing(root: &Path) -> Session {
    let read = Rules { allow: Vec::new(), deny: vec!["closed/**".to_owned()] };
    Session::open(root, Options { settings: Settings { read, ..Settings::default() }, ..options() }).unwrap()
}

fn looking(root: &Path) -> Session {
    Session::open(root, Options { mode: Mode::ReadOnly, ..options() }).unwrap()
}

fn kind(reply: Result<Reply, Failed>) -> Kind {
    reply.unwrap_err().trouble.kind()
}

/// A workspace with a file in each of two folders.
fn workspace() -> TempDir {
    let root = TempDir::new().unwrap();
    for folder in ["allowed", "closed"] {
        fs::create_dir(root.path().join(folder)).unwrap();
        fs::write(root.path().join(folder).join("a"), "text\n").unwrap();
    }
    root
}

fn deleted(session: &Session, path: &str) -> String {
    match session.delete_file(&DeleteFile::new(path), &Quiet).unwrap().answer {
        Answer::Changed(changed) => changed.trash.unwrap(),
        other => panic!("{other:?}"),
    }
}

fn trash(session: &Session) -> Vec<String> {
    match session.list_trash().unwrap().answer {
        Answer::Trash(entries) => entries.into_iter().map(|entry| entry.path).collect(),
        other => panic!("{other:?}"),
    }
}

fn purge_all() -> PurgeTrash {
    PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() }
}

fn proposed(session: &Session, path: &str) -> String {
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    let ask = WriteFile { shared, ..WriteFile::new(path, "proposed\n") };
    match session.write_file(&ask, &Quiet).unwrap().answer {
        Answer::Changed(changed) => changed.batch.unwrap().id,
        other => panic!("{other:?}"),
    }
}

fn apply(batch: &str) -> ApplyBatch {
    let shared = Shared::default();
    ApplyBatch { batch: Some(batch.to_owned()), changes: None, ground: Ground::MustBeTheSame, shared }
}

fn reject(batch: &str) -> RejectBatch {
    RejectBatch { batch: batch.to_owned(), reason: None, shared: Shared::default() }
}

fn undo_file(path: &str) -> Undo {
    Undo { what: UndoWhat::Path(path.to_owned()), shared: Shared::default() }
}

#[test]
fn the_trash_of_closed_folders_is_not_purged() {
    let root = workspace();
    let session = open(root.path());
    deleted(&session, "closed/a");
    assert_eq!(kind(narrow(root.path()).purge_trash(&purge_all(), &Quiet)), Kind::PermissionDenied);
    assert_eq!(trash(&session), ["closed/a"]);
    deleted(&session, "allowed/a");
    let keyed = Shared { idempotency_key: Some("k".to_owned()), ..Shared::default() };
    for _ in 0..2 {
        let reply = narrow(root.path()).purge_trash(&PurgeTrash { shared: keyed.clone(), ..purge_all() }, &Quiet);
        assert_eq!(reply.unwrap().warnings, [Warning::TrashKept { count: 1 }]);
        assert_eq!(trash(&session), ["closed/a"]);
    }
    session.purge_trash(&purge_all(), &Quiet).unwrap();
    assert!(trash(&session).is_empty());
}

#[test]
fn a_purge_tells_nothing_of_what_may_not_be_read() {
    let root = workspace();
    let all = open(root.path());
    deleted(&all, "closed/a");
    let rules = || Rules { allow: Vec::new(), deny: vec!["closed/**".to_owned()] };
    let unwriting = Settings { read: rules(), write: rules(), ..Settings::default() };
    for settings in [unwriting, Settings { read: rules(), ..Settings::default() }] {
        let session = Session::open(root.path(), Options { settings, ..options() }).unwrap();
        let nothing = session.purge_trash(&purge_all(), &Quiet).unwrap();
        assert!(nothing.warnings.is_empty(), "{nothing:?}");
        assert!(!format!("{:?}", nothing.answer).contains("closed"), "{nothing:?}");
        fs::write(root.path().join("allowed/a"), "text\n").unwrap();
        deleted(&session, "allowed/a");
        let one = session.purge_trash(&purge_all(), &Quiet).unwrap();
        assert!(one.warnings.is_empty(), "{one:?}");
        assert_eq!(trash(&all), ["closed/a"]);
    }
}

#[test]
fn a_folder_with_something_closed_in_it_is_neither_told_of_nor_purged() {
    let root = workspace();
    let all = open(root.path());
    let listing = ListDirectory {
        path: "closed".to_owned(),
        levels: 9,
        hidden: Hidden::Include,
        cursor: None,
        hashes: Hashes::Yes,
    };
    all.list_directory(&listing, &Quiet).unwrap();
    let whole = DeleteFile { recursive: Recursive::Yes, ..DeleteFile::new("closed") };
    all.delete_file(&whole, &Quiet).unwrap();
    let rules = Rules { allow: Vec::new(), deny: vec!["closed/**".to_owned()] };
    let settings = Settings { read: rules, ..Settings::default() };
    let session = Session::open(root.path(), Options { settings, ..options() }).unwrap();
    assert!(trash(&session).is_empty());
    session.purge_trash(&purge_all(), &Quiet).unwrap();
    assert_eq!(trash(&all), ["closed"]);
}

#[test]
fn what_was_deleted_in_a_closed_folder_does_not_come_back_elsewhere() {
    let root = workspace();
    let session = open(root.path());
    let id = deleted(&session, "closed/a");
    let target = RestoreFile::to(&id, "allowed/b");
    for narrowed in [narrow(root.path()), unseeing(root.path())] {
        assert_eq!(kind(narrowed.restore_file(&target, &Quiet)), Kind::PermissionDenied);
        assert_eq!(kind(narrowed.restore_file(&RestoreFile::new(&id), &Quiet)), Kind::PermissionDenied);
    }
    assert!(trash(&unseeing(root.path())).is_empty());
    assert_eq!(trash(&session), ["closed/a"]);
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    let proposal = session.restore_file(&RestoreFile { shared, ..target }, &Quiet).unwrap();
    let Answer::Changed(proposal) = proposal.answer else { panic!("{proposal:?}") };
    let batch = proposal.batch.unwrap();
    for narrowed in [narrow(root.path()), unseeing(root.path())] {
        assert_eq!(kind(narrowed.apply_batch(&apply(&batch.id), &Quiet)), Kind::PermissionDenied);
    }
    session.apply_batch(&apply(&batch.id), &Quiet).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("allowed/b")).unwrap(), "text\n");
}

#[test]
fn proposals_for_closed_folders_are_neither_carried_out_nor_dropped() {
    let root = workspace();
    let session = open(root.path());
    let batch = proposed(&session, "closed/a");
    let narrowed = narrow(root.path());
    assert_eq!(kind(narrowed.apply_batch(&apply(&batch), &Quiet)), Kind::PermissionDenied);
    assert_eq!(kind(narrowed.reject_batch(&reject(&batch), &Quiet)), Kind::PermissionDenied);
    session.reject_batch(&reject(&batch), &Quiet).unwrap();
    let batch = proposed(&session, "allowed/a");
    narrowed.apply_batch(&apply(&batch), &Quiet).unwrap();
}

#[test]
fn changes_in_closed_folders_are_not_taken_back() {
    let root = workspace();
    let session = open(root.path());
    session.write_file(&WriteFile::new("closed/a", "new\n"), &Quiet).unwrap();
    session.create_file(&CreateFile::new("closed/b", "new\n"), &Quiet).unwrap();
    deleted(&session, "closed/b");
    let narrowed = narrow(root.path());
    for path in ["closed/a", "closed/b"] {
        assert_eq!(kind(narrowed.undo(&undo_file(path), &Quiet)), Kind::PermissionDenied, "{path}");
    }
    session.undo(&undo_file("closed/a"), &Quiet).unwrap();
    assert_eq!(fs::read_to_string(root.path().join("closed/a")).unwrap(), "text\n");
}

#[test]
fn a_session_that_only_looks_changes_nothing_at_all() {
    let root = workspace();
    let session = open(root.path());
    session.write_file(&WriteFile::new("allowed/a", "new\n"), &Quiet).unwrap();
    let id = deleted(&session, "closed/a");
    let batch = proposed(&session, "allowed/a");
    drop(session);
    let log = fs::read(home::record(root.path()).join("log")).unwrap();
    let session = looking(root.path());
    let propose = Shared { run: Run::Propose, ..Shared::default() };
    let dry = Shared { run: Run::Dry, ..Shared::default() };
    let write = || WriteFile::new("allowed/a", "x");
    for reply in [
        session.create_file(&CreateFile::new("b", "x"), &Quiet),
        session.write_file(&write(), &Quiet),
        session.write_file(&WriteFile { shared: propose, ..write() }, &Quiet),
        session.write_file(&WriteFile { shared: dry, ..write() }, &Quiet),
        session.delete_file(&DeleteFile::new("allowed/a"), &Quiet),
        session.apply_patch(&ApplyPatch::new("*** Begin Patch\n*** Add File: c\n+x\n*** End Patch\n"), &Quiet),
        session.purge_trash(&purge_all(), &Quiet),
        session.restore_file(&RestoreFile::new(&id), &Quiet),
        session.apply_batch(&apply(&batch), &Quiet),
        session.reject_batch(&reject(&batch), &Quiet),
        session.undo(&undo_file("allowed/a"), &Quiet),
    ] {
        match reply.unwrap_err().trouble {
            Trouble::Refused(Refusal { why: Why::ReadOnly, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    session.read_file(&ReadFile::new("allowed/a"), &Quiet).unwrap();
    assert_eq!(trash(&session), ["closed/a"]);
    assert!(fs::read(home::record(root.path()).join("log")).unwrap() == log, "the record has grown");
}

#[test]
fn a_session_that_only_looks_founds_nothing() {
    let root = workspace();
    let session = looking(root.path());
    assert_eq!(kind(session.create_file(&CreateFile::new("b", "x"), &Quiet)), Kind::PermissionDenied);
    assert_eq!(session.doctor().unwrap().audit.records, 0);
    assert!(!root.path().join(".patchwright").exists());
}

fn reason(reply: Result<Reply, Failed>) -> StaleReason {
    match reply.unwrap_err().trouble {
        Trouble::Refused(Refusal { why: Why::Stale(stale), .. }) => stale.reason,
        other => panic!("{other:?}"),
    }
}

fn patch(section: &str) -> ApplyPatch {
    ApplyPatch::new(format!("*** Begin Patch\n{section}*** End Patch\n"))
}

const DELETE: &str = "*** Delete File: allowed/a\n";
const MOVE: &str = "*** Move File: allowed/a -> allowed/b\n";
const UPDATE: &str = "*** Update File: allowed/a\n@@\n-text\n+more\n";
const MOVED_WITH_HUNKS: &str = "*** Move File: allowed/a -> allowed/b\n@@\n-text\n+more\n";

#[test]
fn a_hash_is_required_for_every_section() {
    for section in [DELETE, MOVE, UPDATE, MOVED_WITH_HUNKS] {
        for atomic in [Atomic::Whole, Atomic::Sections] {
            let root = workspace();
            let strict = Options { proof: Proof::HashOnly, ..options() };
            let session = Session::open(root.path(), strict).unwrap();
            session.read_file(&ReadFile::new("allowed/a"), &Quiet).unwrap();
            let ask = ApplyPatch { atomic, ..patch(section) };
            assert_eq!(reason(session.apply_patch(&ask, &Quiet)), StaleReason::Unproven, "{section}");
            let expected = vec![("allowed/a".to_owned(), Digest::of(b"text\n").to_string())];
            session.apply_patch(&ApplyPatch { expected, ..ask }, &Quiet).unwrap();
        }
    }
}

#[test]
fn a_new_file_needs_no_hash() {
    let root = workspace();
    let session = Session::open(root.path(), Options { proof: Proof::HashOnly, ..options() }).unwrap();
    session.apply_patch(&patch("*** Add File: c\n+x\n"), &Quiet).unwrap();
}

#[test]
fn what_a_session_saw_in_another_version_is_not_deleted_or_moved() {
    for (section, stale) in [(DELETE, true), (MOVE, true), (UPDATE, false), (MOVED_WITH_HUNKS, false)] {
        for looked in [true, false] {
            let root = workspace();
            let session = Session::open(root.path(), Options { proof: Proof::HashOrLedger, ..options() }).unwrap();
            if looked {
                session.read_file(&ReadFile::new("allowed/a"), &Quiet).unwrap();
            }
            fs::write(root.path().join("allowed/a"), "text\nand more\n").unwrap();
            let reply = session.apply_patch(&patch(section), &Quiet);
            if stale && looked {
                assert_eq!(reason(reply), StaleReason::ChangedSinceSeen, "{section}");
                session.read_file(&ReadFile::new("allowed/a"), &Quiet).unwrap();
                session.apply_patch(&patch(section), &Quiet).unwrap();
            } else {
                reply.unwrap();
            }
        }
    }
}

/// The trash is the only copy of what was deleted.
#[test]
fn trash_goes_with_age_only_if_somebody_chose_so() {
    for (chosen, left) in [(TrashRetention::UntilPurged, true), (TrashRetention::LikePreImages, false)] {
        let root = workspace();
        let retention = Retention { keep_days: 0, max_bytes: 0, trash: chosen };
        let settings = Settings { retention, ..Settings::default() };
        let session = Session::open(root.path(), Options { settings, ..options() }).unwrap();
        deleted(&session, "closed/a");
        for round in 0..140 {
            session.write_file(&WriteFile::new("allowed/a", format!("text {round}")), &Quiet).unwrap();
        }
        assert_eq!(trash(&session).len(), usize::from(left), "{chosen:?}");
        let blobs = fs::read_dir(home::record(root.path()).join("blobs")).unwrap().count();
        assert!(blobs < 40, "{blobs} pre-images are kept");
    }
}

#[test]
fn closed_folders_are_closed_through_links_and_under_any_name() {
    let root = workspace();
    let (real, link) = (root.path().join("closed"), root.path().join("link"));
    std::os::unix::fs::symlink("closed", &link).unwrap();
    for named in [&real, &link] {
        let closed = vec![named.clone(), named.join("not/there")];
        let protect = Protect { secrets: Guarded::No, git: Guarded::No, except: vec!["**".to_owned()] };
        let settings = Settings { protect, ..Settings::default() };
        let session = Session::open(root.path(), Options { closed, settings, ..options() }).unwrap();
        for path in ["closed/a", "link/a", "CLOSED/a"] {
            let read = session.read_file(&ReadFile::new(path), &Quiet).unwrap_err();
            assert!(matches!(read.kind(), Kind::PermissionDenied), "{path}");
            let write = session.create_file(&CreateFile::new(format!("{path}x"), "x"), &Quiet);
            assert_eq!(kind(write), Kind::PermissionDenied, "{path}");
        }
        session.read_file(&ReadFile::new("allowed/a"), &Quiet).unwrap();
    }
}

/// Neither the name of a closed file nor whether there is one.
#[test]
fn ids_do_not_tell_names_that_may_not_be_read() {
    let root = workspace();
    let session = open(root.path());
    session.write_file(&WriteFile::new("closed/a", "new\n"), &Quiet).unwrap();
    let written = session.list_batches(&ListBatches::default()).unwrap();
    let Answer::Batches(written) = written.answer else { panic!("{written:?}") };
    let undo =
        |id: &str| Undo { what: UndoWhat::Batch { id: id.to_owned(), changes: None }, shared: Shared::default() };
    let proposal = proposed(&session, "closed/a");
    let trashed = deleted(&session, "closed/a");
    let blind = unseeing(root.path());
    let refusals = [
        blind.undo(&undo(&written.batches[0].name.id), &Quiet),
        blind.undo(&undo("b1"), &Quiet),
        blind.apply_batch(&apply(&proposal), &Quiet),
        blind.reject_batch(&reject(&proposal), &Quiet),
        blind.restore_file(&RestoreFile::new(&trashed), &Quiet),
    ];
    for reply in refusals {
        let failed = reply.unwrap_err();
        assert_eq!(failed.trouble.kind(), Kind::PermissionDenied, "{failed:?}");
        assert!(!format!("{:?}", failed.trouble).contains("closed"), "{failed:?}");
    }
}

#[test]
fn the_history_of_a_closed_file_is_not_listed() {
    let root = workspace();
    let session = open(root.path());
    session.write_file(&WriteFile::new("closed/a", "new\n"), &Quiet).unwrap();
    let blind = unseeing(root.path());
    let list = |path: &str| {
        let ask = ListBatches { path: Some(path.to_owned()), ..ListBatches::default() };
        blind.list_batches(&ask).map_err(|trouble| trouble.kind()).map(drop)
    };
    for path in ["closed/a", "closed/never"] {
        assert_eq!(list(path), Err(Kind::PermissionDenied), "{path}");
    }
    assert_eq!(list("allowed/a"), Ok(()));
    for path in ["closed/a", "closed/never"] {
        assert_eq!(kind(blind.undo(&undo_file(path), &Quiet)), Kind::PermissionDenied, "{path}");
    }
}

/// Every way to change a file, under a name that is there and one that is not.
#[test]
fn changes_do_not_tell_whether_a_closed_name_is_there() {
    let root = workspace();
    fs::create_dir(root.path().join("closed/folder")).unwrap();
    fs::write(root.path().join("closed/folder/in"), "in\n").unwrap();
    for (link, target) in [("there", "closed/a"), ("nowhere", "closed/never")] {
        std::os::unix::fs::symlink(target, root.path().join(link)).unwrap();
    }
    let lists = |allow: Vec<Vec<String>>, deny: Vec<String>| {
        let settings = Settings { read: Rules { allow, deny }, ..Settings::default() };
        Session::open(root.path(), Options { settings, ..options() }).unwrap()
    };
    let sessions = [unseeing(root.path()), lists(vec![vec!["allowed/**".to_owned()]], Vec::new())];
    for session in sessions {
        let told = |path: &str| changes(&session, path);
        for path in ["closed/a", "closed/folder", "closed/a/x", "closed/folder/x", "closed/nofolder/x"] {
            assert_eq!(masked(told(path), path), masked(told("closed/never"), "closed/never"), "{path}");
        }
        let through = |link: &str, to: &str| masked(through_link(&session, link), to).replace(link, "<link>");
        assert_eq!(through("there", "closed/a"), through("nowhere", "closed/never"));
        assert!(!told("closed/never").iter().any(|said| !said.contains("Denied")), "{:?}", told("closed/never"));
    }
    // A name in a list of what may be read, too: `closed` is a folder, `shut` is not there.
    let session = lists(vec![vec!["allowed/**".to_owned()]], Vec::new());
    assert_eq!(masked(changes(&session, "closed"), "closed"), masked(changes(&session, "shut"), "shut"));
}

/// What each changing call says about a path.
fn changes(session: &Session, path: &str) -> Vec<String> {
    let patch = |section: &str| session.apply_patch(&patch(section), &Quiet);
    let move_file = |from: &str, to: &str, recursive| {
        let ask = MoveFile { recursive, onto: Onto::Replace, ..MoveFile::new(from, to) };
        session.move_file(&ask, &Quiet)
    };
    let delete =
        |path: &str, recursive| session.delete_file(&DeleteFile { recursive, ..DeleteFile::new(path) }, &Quiet);
    let replies = [
        session.create_file(&CreateFile::new(path, "x"), &Quiet),
        session.write_file(&WriteFile::new(path, "x\n"), &Quiet),
        session.edit_file(&edit_file(path), &Quiet),
        delete(path, Recursive::No),
        delete(path, Recursive::Yes),
        delete(&format!("{path}/"), Recursive::Yes),
        move_file(path, "allowed/b", Recursive::No),
        move_file(path, "allowed/b", Recursive::Yes),
        move_file("allowed/a", path, Recursive::No),
        move_file("allowed", path, Recursive::Yes),
        patch(&format!("*** Add File: {path}\n+x\n")),
        patch(&format!("*** Update File: {path}\n@@\n-text\n+x\n")),
        patch(&format!("*** Delete File: {path}\n")),
        session.workspace_write_patch(&WritePatch::new(vec![line_patch(path)]), &Quiet),
    ];
    replies.into_iter().map(|reply| format!("{:?}", reply.map_err(|failed| failed.trouble))).collect()
}

/// The same of what reads and writes through a link.
fn through_link(session: &Session, link: &str) -> Vec<String> {
    let hit = |reply: Result<Reply, Trouble>| format!("{:?}", reply.map(|reply| reply.answer));
    let list =
        ListDirectory { path: link.to_owned(), levels: 1, hidden: Hidden::Include, cursor: None, hashes: Hashes::No };
    let changed = [
        session.write_file(&WriteFile::new(link, "x\n"), &Quiet),
        session.edit_file(&edit_file(link), &Quiet),
        session.apply_patch(&patch(&format!("*** Update File: {link}\n@@\n-text\n+x\n")), &Quiet),
        session.workspace_write_patch(&WritePatch::new(vec![line_patch(link)]), &Quiet),
    ];
    let changed = changed.into_iter().map(|reply| hit(reply.map_err(|failed| failed.trouble)));
    let looked = [session.read_file(&ReadFile::new(link), &Quiet), session.list_directory(&list, &Quiet)];
    changed.chain(looked.into_iter().map(hit)).collect()
}

fn edit_file(path: &str) -> EditFile {
    let edit = ExactEdit { old: "text".to_owned(), new: "x".to_owned(), occurrences: Occurrences::Exactly(1) };
    EditFile::new(path, vec![edit])
}

fn line_patch(path: &str) -> FilePatch {
    let change = LineEdit::replace(1, vec!["text".into()], vec!["x".into()]);
    FilePatch::new(path, Digest::of(b"text\n"), vec![change])
}

fn masked(told: Vec<String>, path: &str) -> String {
    told.join("\n").replace(path, "<path>")
}

#[test]
fn lines_are_explained_without_a_name_that_may_not_be_read() {
    let root = workspace();
    let all = open(root.path());
    all.create_file(&CreateFile::new("closed/b", "new\n"), &Quiet).unwrap();
    all.move_file(&MoveFile::new("closed/b", "allowed/b"), &Quiet).unwrap();
    let then = |session: &Session| {
        let ask = ExplainLines { path: "allowed/b".to_owned(), start: None, end: None };
        match session.explain_lines(&ask, &Quiet).unwrap().answer {
            Answer::Explained(explained) => explained.runs[0].origin.clone().unwrap().path,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(then(&all).as_deref(), Some("closed/b"));
    assert_eq!(then(&unseeing(root.path())), None);
}

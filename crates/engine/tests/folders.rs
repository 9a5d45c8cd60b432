//! Folders that go, move and come back with everything in them: what they are like afterwards, what stands against it,
//! and taking it back, also together with other calls.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::core::outcome::{Answer, Changed, Failed, Reply, TrashEntry};
use patchwright_engine::core::policy::{Rules, Settings};
use patchwright_engine::core::refusal::{ConflictReason, FolderFault, Kind, Why};
use patchwright_engine::core::tool::{
    ApplyPatch, CreateFile, DeleteFile, MoveFile, Recursive, RestoreFile, Shared, Undo, UndoWhat,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::dress::{self, Acl};
use patchwright_testkit::home;
use patchwright_testkit::tree::{Item, Tree};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
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

fn batch(reply: Result<Reply, Failed>) -> String {
    match reply.unwrap().answer {
        Answer::Changed(changed) => changed.batch.unwrap().id,
        Answer::Settled(settled) => settled.batch.unwrap().id,
        Answer::Patched(patched) => patched.batch.unwrap().id,
        other => panic!("{other:?}"),
    }
}

fn trash(session: &Session) -> Vec<TrashEntry> {
    match session.list_trash().unwrap().answer {
        Answer::Trash(entries) => entries,
        other => panic!("{other:?}"),
    }
}

fn delete(path: &str) -> DeleteFile {
    DeleteFile { recursive: Recursive::Yes, ..DeleteFile::new(path) }
}

fn rename(from: &str, to: &str) -> MoveFile {
    MoveFile { recursive: Recursive::Yes, ..MoveFile::new(from, to) }
}

fn undo(what: UndoWhat) -> Undo {
    Undo { what, shared: Shared::default() }
}

fn undo_batch(id: String) -> Undo {
    undo(UndoWhat::Batch { id, changes: None })
}

/// A folder `d` with files, a link, closed, shared and empty folders, some with attributes and access lists.
fn folder(root: &Path) {
    for (path, mode) in [("d", 0o750), ("d/e", 0o2711), ("d/empty", 0o700), ("d/e/.deep", 0o1777)] {
        fs::create_dir(root.join(path)).unwrap();
        fs::set_permissions(root.join(path), Permissions::from_mode(mode)).unwrap();
    }
    for path in ["d/a", "d/e/b", "other"] {
        fs::write(root.join(path), format!("{path}\n")).unwrap();
    }
    symlink("../other", root.join("d/link")).unwrap();
    dress_folders(root);
}

/// Gives folders attributes, access lists and other owners, as far as the system lets us. Where a list names a user, the
/// permission bits of the group are what the list allows at most, and the group itself has less.
fn dress_folders(root: &Path) {
    let list = Acl::plain(7, 0, 0).with_user(4321, 7, 7).bytes();
    for (path, name, value) in [
        ("d", "system.posix_acl_access", list.as_slice()),
        ("d", "user.note", b"of d"),
        ("d/e", "system.posix_acl_default", &list),
        ("d/empty", "user.note", b"of a closed one"),
    ] {
        dress::set(&root.join(path), name, value).unwrap();
    }
    for (path, group) in [("d/e", 4321), ("d/empty", 4322)] {
        // Only root may.
        let _ = chown(root.join(path), Some(1234), Some(group));
    }
    let _ = fs::set_permissions(root.join("d/e"), Permissions::from_mode(0o2711));
}

/// Everything there is, folders with their permission bits.
/// Permission bits, user and group of every folder.
type Looks = BTreeMap<String, (u32, u32, u32)>;

fn state(root: &Path) -> (Tree, Looks) {
    let tree = Tree::read(root).unwrap();
    let folders = tree.items.iter().filter(|(_, item)| **item == Item::Folder).map(|(path, _)| path.clone());
    let looks = folders.map(|path| {
        let stat = fs::metadata(root.join(&path)).unwrap();
        (path, (stat.mode() & 0o7777, stat.uid(), stat.gid()))
    });
    let looks = looks.collect();
    (tree, looks)
}

/// The same under another name.
fn renamed((tree, looks): &(Tree, Looks), to: &str) -> (Tree, Looks) {
    let name = |path: &String| match path.strip_prefix('d') {
        Some(rest) => format!("{to}{rest}"),
        None => path.clone(),
    };
    let items = tree.items.iter().map(|(path, item)| (name(path), item.clone())).collect();
    let dress = tree.dress.iter().map(|(path, dress)| (name(path), dress.clone())).collect();
    (Tree { items, dress, ..Tree::default() }, looks.iter().map(|(path, look)| (name(path), *look)).collect())
}

#[test]
fn folders_keep_what_they_are_like() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    let (session, before) = (open(root.path()), state(root.path()));
    let gone = changed(session.delete_file(&delete("d"), &Quiet));
    assert_eq!(state(root.path()).0.items.keys().collect::<Vec<_>>(), ["other"]);
    changed(session.restore_file(&RestoreFile::new(gone.trash.unwrap()), &Quiet));
    assert_eq!(state(root.path()), before, "restored");
    let gone = batch(session.delete_file(&delete("d/"), &Quiet));
    let back = batch(session.undo(&undo_batch(gone), &Quiet));
    assert_eq!(state(root.path()), before, "taken back");
    let again = batch(session.undo(&undo_batch(back), &Quiet));
    assert_eq!(trash(&session).len(), 1, "gone again, as one");
    session.undo(&undo_batch(again), &Quiet).unwrap();
    assert_eq!(state(root.path()), before, "and back");
    assert_eq!(trash(&session), []);
    let moved = batch(session.move_file(&rename("d", "n"), &Quiet));
    assert_eq!(state(root.path()), renamed(&before, "n"), "moved");
    let back = batch(session.undo(&undo_batch(moved), &Quiet));
    assert_eq!(state(root.path()), before, "moved back");
    session.undo(&undo_batch(back), &Quiet).unwrap();
    assert_eq!(state(root.path()), renamed(&before, "n"), "moved again");
}

#[test]
fn folders_that_a_patch_turns_into_files_come_back_as_they_were() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    for folder in ["d/empty", "d/e/.deep"] {
        fs::remove_dir(root.path().join(folder)).unwrap();
    }
    let (session, before) = (open(root.path()), state(root.path()));
    let patch = "*** Begin Patch\n*** Delete File: d/a\n*** Delete File: d/e/b\n*** Delete File: d/link\n\
        *** Add File: d\n+file\n*** End Patch\n";
    let turned = batch(session.apply_patch(&ApplyPatch::new(patch), &Quiet));
    let back = batch(session.undo(&undo_batch(turned), &Quiet));
    assert_eq!(state(root.path()), before, "taken back");
    let again = batch(session.undo(&undo_batch(back), &Quiet));
    assert_eq!(fs::read(root.path().join("d")).unwrap(), b"file\n");
    session.undo(&undo_batch(again), &Quiet).unwrap();
    assert_eq!(state(root.path()), before, "and once more");
}

#[test]
fn a_session_is_taken_back_whole() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    let (session, before) = (open(root.path()), state(root.path()));
    changed(session.move_file(&rename("d", "n"), &Quiet));
    changed(session.move_file(&rename("n", "m"), &Quiet));
    let gone = changed(session.delete_file(&delete("m"), &Quiet));
    changed(session.restore_file(&RestoreFile::new(gone.trash.unwrap()), &Quiet));
    changed(session.delete_file(&delete("m/e"), &Quiet));
    let all = undo(UndoWhat::Session(session.id().to_owned()));
    session.undo(&all, &Quiet).unwrap();
    assert_eq!(state(root.path()), before);
    assert_eq!(trash(&session), []);
}

#[test]
fn what_others_added_since_stays() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    let session = open(root.path());
    let moved = batch(session.move_file(&rename("d", "n"), &Quiet));
    fs::write(root.path().join("n/e/theirs"), "theirs\n").unwrap();
    session.undo(&undo_batch(moved), &Quiet).unwrap();
    let tree = state(root.path()).0;
    assert!(tree.items.contains_key("d/e/b") && tree.items.contains_key("d/empty"), "{tree:?}");
    let left: Vec<&String> = tree.items.keys().filter(|path| path.starts_with('n')).collect();
    assert_eq!(left, ["n", "n/e", "n/e/theirs"]);
}

#[test]
fn two_names_of_one_file_go_together() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    fs::hard_link(root.path().join("d/a"), root.path().join("d/e/twin")).unwrap();
    let (session, before) = (open(root.path()), state(root.path()));
    let gone = changed(session.delete_file(&delete("d"), &Quiet));
    assert_eq!(gone.holds.unwrap().files, 4);
    changed(session.restore_file(&RestoreFile::new(gone.trash.unwrap()), &Quiet));
    assert_eq!(state(root.path()), before);
}

#[test]
fn lists_of_what_is_allowed_name_files() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    let write = Rules { allow: vec![vec!["d/**/[ab]".to_owned(), "d/link".to_owned()]], deny: Vec::new() };
    let settings = Settings { write, ..Settings::default() };
    let session = Session::open(root.path(), Options { settings, ..options() }).unwrap();
    let refused = |reply: Result<Reply, Failed>| match reply.unwrap_err().trouble {
        Trouble::Refused(refusal) => (refusal.kind(), refusal.why),
        fault => panic!("{fault:?}"),
    };
    let (kind, why) = refused(session.delete_file(&delete("d"), &Quiet));
    assert_eq!(kind, Kind::PermissionDenied);
    // Nothing in them is allowed, so the empty ones are not.
    assert!(matches!(why, Why::Folder(FolderFault::Closed(closed)) if closed.denied == 2));
    fs::remove_dir(root.path().join("d/empty")).unwrap();
    fs::remove_dir(root.path().join("d/e/.deep")).unwrap();
    let (kind, _) = refused(session.move_file(&rename("d", "n"), &Quiet));
    assert_eq!(kind, Kind::PermissionDenied, "not where it is to go");
    let gone = batch(session.delete_file(&delete("d"), &Quiet));
    session.undo(&undo_batch(gone), &Quiet).unwrap();
    assert!(root.path().join("d/e/b").exists());
}

#[test]
fn a_folder_with_too_much_in_it_stays() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("d")).unwrap();
    for nth in 0..patchwright_engine::core::plan::MOST_ENTRIES {
        fs::File::create(root.path().join(format!("d/{nth}"))).unwrap();
    }
    let refused = open(root.path()).delete_file(&delete("d"), &Quiet).unwrap_err().trouble;
    assert_eq!(refused.kind(), Kind::CommandFailed);
    assert!(
        matches!(refused, Trouble::Refused(refusal) if matches!(refusal.why, Why::Folder(FolderFault::TooMany { .. })))
    );
    assert!(root.path().join("d/0").exists());
}

/// Takes the whole session back and does it again: exactly the tree of the beginning, and exactly that of the end.
fn there_and_back(root: &Path, session: &Session, first: &(Tree, BTreeMap<String, (u32, u32, u32)>)) {
    let last = state(root);
    let undone = batch(session.undo(&undo(UndoWhat::Session(session.id().to_owned())), &Quiet));
    assert_eq!(&state(root), first, "taken back");
    session.undo(&undo_batch(undone), &Quiet).unwrap();
    assert_eq!(state(root), last, "done again");
}

/// A workspace with some files, each in its folders.
fn with_files(files: &[&str]) -> (tempfile::TempDir, Session) {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        fs::create_dir_all(root.path().join(file).parent().unwrap()).unwrap();
        fs::write(root.path().join(file), format!("{file}\n")).unwrap();
    }
    let session = open(root.path());
    (root, session)
}

#[test]
fn a_file_that_became_a_folder_comes_back_after_its_folder_went() {
    let (root, session) = with_files(&["d/a"]);
    let first = state(root.path());
    let patch = "*** Begin Patch\n*** Update File: d/a\n*** Move to: d/a/c\n@@\n-d/a\n+c\n*** End Patch\n";
    session.apply_patch(&ApplyPatch { parents: Parents::Create, ..ApplyPatch::new(patch) }, &Quiet).unwrap();
    changed(session.delete_file(&delete("d"), &Quiet));
    there_and_back(root.path(), &session, &first);
}

#[test]
fn folders_that_changed_places_change_back() {
    let (root, session) = with_files(&["x/f", "x/only", "y/f"]);
    let first = state(root.path());
    for (from, to) in [("x", "t"), ("y", "x"), ("t", "y")] {
        changed(session.move_file(&rename(from, to), &Quiet));
    }
    there_and_back(root.path(), &session, &first);
}

#[test]
fn empty_folders_come_back_with_what_is_done_again() {
    let (root, session) = with_files(&["a/x", "c/y"]);
    let first = state(root.path());
    changed(session.delete_file(&delete("a"), &Quiet));
    let new = CreateFile { parents: Parents::Create, ..CreateFile::new("a/b", "b\n") };
    changed(session.create_file(&new, &Quiet));
    changed(session.move_file(&MoveFile::new("a/b", "c/b"), &Quiet));
    there_and_back(root.path(), &session, &first);
}

#[test]
fn a_folder_that_was_on_the_way_only_does_not_come() {
    let (root, session) = with_files(&["d/x", "d/e/y"]);
    let first = state(root.path());
    changed(session.move_file(&rename("d", "e"), &Quiet));
    let gone = changed(session.delete_file(&delete("e"), &Quiet));
    changed(session.restore_file(&RestoreFile::to(gone.trash.unwrap(), "q"), &Quiet));
    there_and_back(root.path(), &session, &first);
}

#[test]
fn a_deleted_folder_is_taken_back_change_by_change() {
    let root = tempfile::tempdir().unwrap();
    folder(root.path());
    let (session, before) = (open(root.path()), state(root.path()));
    changed(session.delete_file(&delete("d"), &Quiet));
    let part = |ids: &[&str]| undo(UndoWhat::Changes(ids.iter().map(|id| (*id).to_owned()).collect()));
    session.undo(&part(&["b1.2"]), &Quiet).unwrap();
    session.undo(&part(&["b1.4"]), &Quiet).unwrap();
    assert_eq!(trash(&session).len(), 1, "the folder is back, and two of its files are not");
    session.undo(&undo_batch("b1".to_owned()), &Quiet).unwrap();
    assert_eq!((state(root.path()), trash(&session)), (before, Vec::new()));
}

#[test]
fn a_file_in_the_place_of_a_deleted_folder_is_named() {
    for (deleted, in_the_way) in [("d", "d"), ("d/e", "d"), ("d/e", "d/e")] {
        let (root, session) = with_files(&["d/e/x", "other"]);
        let gone = batch(session.delete_file(&delete(deleted), &Quiet));
        let _ = fs::remove_dir(root.path().join(in_the_way));
        fs::write(root.path().join(in_the_way), "mine\n").unwrap();
        let failed = session.undo(&undo_batch(gone.clone()), &Quiet).unwrap_err();
        let Trouble::Refused(refusal) = &failed.trouble else { panic!("{failed:?}") };
        let Why::Conflict(conflict) = &refusal.why else { panic!("{failed:?}") };
        let found: Vec<_> = conflict.places.iter().map(|place| (place.path.as_str(), &place.reason)).collect();
        assert_eq!(found, [(in_the_way, &ConflictReason::Occupied)]);
        // What the refusal says to do.
        session.delete_file(&DeleteFile::new(in_the_way), &Quiet).unwrap();
        session.undo(&undo_batch(gone), &Quiet).unwrap();
        assert_eq!(fs::read_to_string(root.path().join("d/e/x")).unwrap(), "d/e/x\n");
    }
}

#[test]
fn a_deep_folder_goes_and_comes_back() {
    let root = tempfile::tempdir().unwrap();
    let deep: String = std::iter::repeat_n("d/", 800).collect();
    fs::create_dir_all(root.path().join(&deep)).unwrap();
    for at in (1..=800).step_by(10) {
        fs::write(root.path().join("d/".repeat(at)).join("f"), "f\n").unwrap();
    }
    let (session, first) = (open(root.path()), state(root.path()));
    let gone = batch(session.delete_file(&delete("d"), &Quiet));
    session.undo(&undo_batch(gone), &Quiet).unwrap();
    assert_eq!(state(root.path()), first);
}

/// What could not be kept could not come back.
#[test]
fn folders_with_too_many_attributes_stay() {
    let root = tempfile::tempdir().unwrap();
    for at in 0..1100_u32 {
        let folder = root.path().join(format!("d/{at}"));
        fs::create_dir_all(&folder).unwrap();
        let value: Vec<u8> = at.to_le_bytes().into_iter().cycle().take(3900).collect();
        assert!(dress::set(&folder, "user.note", &value).unwrap());
    }
    let (session, before) = (open(root.path()), state(root.path()));
    let refused = session.delete_file(&delete("d"), &Quiet).unwrap_err().trouble;
    let Trouble::Refused(refusal) = refused else { panic!("{refused:?}") };
    assert!(matches!(refusal.why, Why::Folder(FolderFault::Attributes { .. })), "{refusal:?}");
    assert_eq!(refusal.kind(), Kind::CommandFailed);
    assert_eq!(state(root.path()), before);
    // Alike ones count once.
    for at in 0..1100 {
        dress::set(&root.path().join(format!("d/{at}")), "user.note", &[7; 3900]).unwrap();
    }
    let before = state(root.path());
    let gone = batch(session.delete_file(&delete("d"), &Quiet));
    session.undo(&undo_batch(gone), &Quiet).unwrap();
    assert_eq!(state(root.path()), before);
}

/// A link in the place of a folder is in the way, wherever it leads.
#[test]
fn nothing_comes_back_through_a_link_in_the_place_of_its_folder() {
    let (root, session) = with_files(&["z/e/f", "z/g", "p/e/other"]);
    let first = state(root.path());
    changed(session.delete_file(&delete("z"), &Quiet));
    let link = CreateFile { link_target: Some("p".to_owned()), ..CreateFile::new("z", "") };
    changed(session.create_file(&link, &Quiet));
    for file in ["z/e/f", "z/g"] {
        let failed = session.undo(&undo(UndoWhat::Path(file.to_owned())), &Quiet).unwrap_err();
        let Trouble::Refused(refusal) = &failed.trouble else { panic!("{failed:?}") };
        let Why::Conflict(conflict) = &refusal.why else { panic!("{failed:?}") };
        let found: Vec<_> = conflict.places.iter().map(|place| (place.path.as_str(), &place.reason)).collect();
        assert_eq!(found, [("z", &ConflictReason::Occupied)]);
    }
    there_and_back(root.path(), &session, &first);
}

#[test]
fn empty_folders_come_back_where_a_link_stood() {
    let (root, session) = with_files(&["c/f"]);
    fs::create_dir_all(root.path().join("c/e/g")).unwrap();
    let first = state(root.path());
    changed(session.move_file(&rename("c", "z"), &Quiet));
    let link = CreateFile { link_target: Some("z".to_owned()), ..CreateFile::new("c", "") };
    changed(session.create_file(&link, &Quiet));
    there_and_back(root.path(), &session, &first);
}

/// A folder that comes back for one of its files is what it was, whichever call removed it.
#[test]
fn a_folder_that_another_call_removed_comes_back_as_it_was() {
    let (root, session) = with_files(&["v/f", "v/g"]);
    let folder = root.path().join("v");
    assert!(dress::set(&folder, "user.note", b"mine").unwrap());
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
    let first = state(root.path());
    let one = batch(session.delete_file(&DeleteFile::new("v/f"), &Quiet));
    let rest = batch(session.delete_file(&delete("v"), &Quiet));
    session.undo(&undo_batch(one), &Quiet).unwrap();
    session.undo(&undo_batch(rest), &Quiet).unwrap();
    assert_eq!(state(root.path()), first);
}

/// A folder with attributes, and one without.
fn with_a_dressed_folder() -> (tempfile::TempDir, Session) {
    let (root, session) = with_files(&["c/f", "c/e/g", "a/f"]);
    for (folder, mode) in [("c", 0o2750), ("c/e", 0o700)] {
        let folder = root.path().join(folder);
        assert!(dress::set(&folder, "user.note", folder.as_os_str().as_encoded_bytes()).unwrap());
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    }
    (root, session)
}

/// Another folder that stands in the place of one becomes like it, and the reverse when that is taken back.
#[test]
fn folders_in_the_place_of_others_become_like_them() {
    let new = || CreateFile { parents: Parents::Create, ..CreateFile::new("c/n", "n\n") };
    let plays: [&dyn Fn(&Session); 4] = [
        &|session| {
            changed(session.delete_file(&delete("c"), &Quiet));
            changed(session.create_file(&new(), &Quiet));
        },
        &|session| {
            changed(session.move_file(&rename("c", "z"), &Quiet));
            changed(session.create_file(&new(), &Quiet));
        },
        &|session| {
            changed(session.delete_file(&delete("c"), &Quiet));
            changed(session.move_file(&rename("a", "c"), &Quiet));
        },
        &|session| {
            for (from, to) in [("c", "z"), ("a", "c"), ("z", "a")] {
                changed(session.move_file(&rename(from, to), &Quiet));
            }
        },
    ];
    for play in plays {
        let (root, session) = with_a_dressed_folder();
        let first = state(root.path());
        play(&session);
        there_and_back(root.path(), &session, &first);
    }
}

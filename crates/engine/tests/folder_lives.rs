//! Folders through several calls and undos: each stays the one that it is, with what it was like, or is named as what
//! is in the way.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::{ConflictReason, Why};
use patchwright_engine::core::tool::{
    ApplyPatch, CreateFile, DeleteFile, MoveFile, Recursive, RestoreFile, Shared, Undo, UndoWhat,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

struct Desk {
    folder: tempfile::TempDir,
    session: Session,
}

impl Desk {
    /// Names with a slash at their end are empty folders.
    fn new(names: &[&str]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            match name.ends_with('/') {
                true => fs::create_dir_all(path).unwrap(),
                false => {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, format!("{name}\n")).unwrap();
                }
            }
        }
        let options =
            Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() };
        let session = Session::open(folder.path(), options).unwrap();
        Desk { folder, session }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// All names, those of folders with their permission bits.
    fn all(&self) -> BTreeMap<String, Option<u32>> {
        let (mut found, mut open) = (BTreeMap::new(), vec![self.root().to_path_buf()]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.root()).unwrap().to_str().unwrap().to_owned();
                let stat = path.symlink_metadata().unwrap();
                if name != ".patchwright" {
                    found.insert(name, stat.is_dir().then(|| stat.mode() & 0o7777));
                    open.extend(stat.is_dir().then_some(path));
                }
            }
        }
        found
    }

    fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.root().join(path), Permissions::from_mode(mode)).unwrap();
    }

    fn mode(&self, path: &str) -> u32 {
        self.root().join(path).metadata().unwrap().mode() & 0o7777
    }

    fn delete(&self, path: &str) -> String {
        batch(&self.session.delete_file(&DeleteFile { recursive: Recursive::Yes, ..DeleteFile::new(path) }, &Quiet))
    }

    fn rename(&self, from: &str, to: &str) -> String {
        batch(&self.session.move_file(&MoveFile { recursive: Recursive::Yes, ..MoveFile::new(from, to) }, &Quiet))
    }

    fn create(&self, path: &str) -> String {
        batch(&self.session.create_file(&CreateFile { parents: Parents::Create, ..CreateFile::new(path, "") }, &Quiet))
    }

    /// Brings back what was deleted last, to its own name or another.
    fn restore(&self, to: Option<&str>) -> String {
        let Answer::Trash(entries) = self.session.list_trash().unwrap().answer else { panic!() };
        let id = entries.first().unwrap().id.clone();
        let ask = to.map_or_else(|| RestoreFile::new(id.clone()), |to| RestoreFile::to(id.clone(), to));
        batch(&self.session.restore_file(&ask, &Quiet))
    }

    fn undo(&self, what: UndoWhat) -> Result<Reply, Failed> {
        self.session.undo(&Undo { what, shared: Shared::default() }, &Quiet)
    }

    fn undo_batch(&self, id: &str) -> Result<Reply, Failed> {
        self.undo(UndoWhat::Batch { id: id.to_owned(), changes: None })
    }

    fn back(&self, id: &str) -> String {
        batch(&self.undo_batch(id))
    }

    fn back_all(&self) -> String {
        batch(&self.undo(UndoWhat::Session(self.session.id().to_owned())))
    }
}

fn batch(reply: &Result<Reply, Failed>) -> String {
    match &reply.as_ref().unwrap().answer {
        Answer::Changed(changed) => changed.batch.clone().unwrap().id,
        Answer::Settled(settled) => settled.batch.clone().unwrap().id,
        Answer::Patched(patched) => patched.batch.clone().unwrap().id,
        other => panic!("{other:?}"),
    }
}

/// What a refused undo names, and the batches that are in the way there.
fn in_the_way(reply: Result<Reply, Failed>) -> Vec<(String, ConflictReason, Vec<String>)> {
    let Trouble::Refused(refusal) = reply.unwrap_err().trouble else { panic!() };
    let Why::Conflict(conflict) = refusal.why else { panic!() };
    let by = |place: &patchwright_engine::core::refusal::ConflictPlace| {
        place.by.iter().map(|by| by.batch.id.clone()).collect()
    };
    conflict.places.iter().map(|place| (place.path.clone(), place.reason.clone(), by(place))).collect()
}

#[test]
fn an_empty_folder_that_went_again_is_in_the_way() {
    for name in ["e", "d/c/b"] {
        let desk = Desk::new(&[&format!("{name}/")]);
        let first = desk.all();
        let one = desk.delete(name);
        desk.restore(None);
        let two = desk.delete(name);
        let before = desk.all();
        assert_eq!(in_the_way(desk.undo_batch(&one)), [(name.to_owned(), ConflictReason::Gone, vec![two])]);
        assert_eq!(desk.all(), before);
        desk.back_all();
        assert_eq!(desk.all(), first);
    }
}

#[test]
fn an_empty_folder_that_moved_or_came_back_is_in_the_way() {
    let desk = Desk::new(&["e/in/"]);
    let first = desk.all();
    let gone = desk.delete("e");
    let back = desk.restore(Some("x"));
    assert_eq!(in_the_way(desk.undo_batch(&gone)), [("x".to_owned(), ConflictReason::Returned, vec![back])]);
    desk.back_all();
    assert_eq!(desk.all(), first);

    let gone = desk.delete("e");
    let undone = desk.back(&gone);
    let moved = desk.rename("e", "y");
    assert_eq!(in_the_way(desk.undo_batch(&undone)), [("y".to_owned(), ConflictReason::Moved, vec![moved])]);
    desk.back_all();
    assert_eq!(desk.all(), first);
}

#[test]
fn an_empty_folder_that_moved_on_is_in_the_way_of_undoing_a_redo() {
    let desk = Desk::new(&["void/in/"]);
    let first = desk.all();
    let moved = desk.rename("void", "f");
    let undone = desk.back(&moved);
    let again = desk.back(&undone);
    let on = desk.rename("f", "void");
    assert_eq!(in_the_way(desk.undo_batch(&again)), [("void".to_owned(), ConflictReason::Moved, vec![on])]);
    desk.back_all();
    assert_eq!(desk.all(), first);
}

/// Of a folder that moved back without one of its files there are two, which are alike.
#[test]
fn a_folder_that_stays_for_a_file_comes_back_with_it() {
    let desk = Desk::new(&["g/h/o", "g/h/p"]);
    desk.set_mode("g/h", 0o700);
    let first = desk.all();
    desk.rename("g/h", "deep");
    desk.undo(UndoWhat::Changes(vec!["b1.3".to_owned()])).unwrap();
    let apart = desk.all();
    assert_eq!((desk.mode("deep"), desk.mode("g/h")), (0o700, 0o700));
    let all = desk.back_all();
    assert_eq!(desk.all(), first);
    desk.back(&all);
    assert_eq!(desk.all(), apart);
}

/// So has one that was brought back, and is taken back without its file.
#[test]
fn a_folder_that_stays_for_a_file_keeps_what_it_was_like() {
    let desk = Desk::new(&["g/h/o"]);
    desk.set_mode("g/h", 0o700);
    let first = desk.all();
    desk.delete("g/h");
    desk.restore(Some("f"));
    desk.undo(UndoWhat::Changes(vec!["b2.2".to_owned()])).unwrap();
    let apart = desk.all();
    assert_eq!(desk.mode("f"), 0o700);
    let all = desk.back_all();
    assert_eq!(desk.all(), first);
    desk.back(&all);
    assert_eq!(desk.all(), apart);
}

/// A folder in one that moves back and forth is where it was put last.
#[test]
fn a_folder_that_left_its_parent_is_in_the_way_of_a_redo() {
    let desk = Desk::new(&["g/f", "g/e/"]);
    desk.set_mode("g/e", 0o700);
    let first = desk.all();
    let moved = desk.rename("g", "deep");
    let undone = desk.back(&moved);
    let apart = desk.rename("g/e", "deep");
    assert_eq!(in_the_way(desk.undo_batch(&undone)), [("deep".to_owned(), ConflictReason::Moved, vec![apart])]);
    desk.back_all();
    assert_eq!(desk.all(), first);
}

/// A folder to which one of its files has come back was not removed, whatever becomes of that file.
#[test]
fn a_folder_that_lost_its_last_file_stays_when_that_is_done_again() {
    let plays: [&dyn Fn(&Desk); 2] = [&|desk| drop(desk.delete("k")), &|desk| drop(desk.rename("k", "j"))];
    for play in plays {
        let desk = Desk::new(&["k/f", "k/g"]);
        let first = desk.all();
        play(&desk);
        desk.undo(UndoWhat::Path("k/f".to_owned())).unwrap();
        let moved = desk.rename("k/f", "f2");
        let left = desk.all();
        assert!(left.contains_key("k"));
        let undone = desk.back(&moved);
        desk.back(&undone);
        assert_eq!(desk.all(), left);
        let all = desk.back_all();
        assert_eq!(desk.all(), first);
        desk.back(&all);
        assert_eq!(desk.all(), left);
    }
}

/// A folder that was made where another had been is that one again when its removal is taken back.
#[test]
fn a_folder_made_in_need_makes_way() {
    let desk = Desk::new(&["g/h/f"]);
    desk.set_mode("g", 0o700);
    desk.set_mode("g/h", 0o711);
    let first = desk.all();
    let gone = desk.delete("g");
    let made = desk.create("g/h/n");
    desk.back(&gone);
    assert_eq!((desk.mode("g"), desk.mode("g/h")), (0o700, 0o711));
    desk.back(&made);
    assert_eq!(desk.all(), first);
}

/// What another program made of a folder meanwhile comes back with it.
#[test]
fn a_folder_comes_back_as_it_was_when_it_went_last() {
    let desk = Desk::new(&["e/", "e/f"]);
    desk.set_mode("e", 0o700);
    let gone = desk.delete("e");
    let back = desk.back(&gone);
    desk.set_mode("e", 0o711);
    let again = desk.back(&back);
    desk.back(&again);
    assert_eq!(desk.mode("e"), 0o711);
}

/// Folders that stood where a file comes back to need not be like anything.
#[test]
fn a_file_comes_back_where_folders_stood() {
    let desk = Desk::new(&["a", "g/h/f", "g/empty/"]);
    let first = desk.all();
    let patch = "*** Begin Patch\n*** Delete File: a\n*** Add File: c\n+new\n*** End Patch\n";
    let done = batch(&desk.session.apply_patch(&ApplyPatch::new(patch), &Quiet));
    let back = desk.back(&done);
    desk.back(&back);
    desk.rename("g/empty", "a");
    desk.delete("a");
    desk.rename("g/h", "a");
    let last = desk.all();
    let all = desk.back_all();
    assert_eq!(desk.all(), first);
    desk.back(&all);
    assert_eq!(desk.all(), last);
}

/// What went, came back elsewhere and went again is taken from where it is now.
#[test]
fn a_link_comes_back_from_the_newest_entry() {
    let desk = Desk::new(&["g/f", "void/"]);
    symlink("f", desk.root().join("g/l")).unwrap();
    let first = desk.all();
    desk.rename("void", "deep");
    desk.delete("g");
    let all = desk.back_all();
    desk.back(&all);
    let back = desk.restore(Some("void"));
    let undone = desk.back(&back);
    desk.back(&undone);
    desk.back(&back);
    desk.back_all();
    assert_eq!(desk.all(), first);
    assert_eq!(fs::read_link(desk.root().join("g/l")).unwrap(), Path::new("f"));
}

//! Several changes of one file taken back in one call, and in any order: nothing of the file is lost, and nothing is
//! stuck.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::{BatchName, BatchStatus};
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::{ConflictPlace, ConflictReason, Why};
use patchwright_engine::core::tool::{
    CreateFile, DeleteFile, GetPatchChange, MoveFile, ReadFile, RestoreFile, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::{attributes, home};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

struct Desk {
    folder: tempfile::TempDir,
    workspace: Session,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        Desk::with(files, Options { home: home::at(), ..Options::default() })
    }

    fn with(files: &[(&str, &str)], options: Options) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let workspace = Session::open(folder.path(), options).unwrap();
        Desk { folder, workspace }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root().join(path)).ok()
    }

    fn write(&self, path: &str, text: &str) -> String {
        self.workspace.read_file(&ReadFile::new(path), &Quiet).unwrap();
        batch(&self.workspace.write_file(&WriteFile::new(path, text), &Quiet).unwrap())
    }

    fn create(&self, path: &str, text: &str) -> String {
        let ask = CreateFile { parents: Parents::Create, ..CreateFile::new(path, text) };
        batch(&self.workspace.create_file(&ask, &Quiet).unwrap())
    }

    fn delete(&self, path: &str) -> String {
        self.workspace.read_file(&ReadFile { max_bytes: 16, ..ReadFile::new(path) }, &Quiet).unwrap();
        batch(&self.workspace.delete_file(&DeleteFile::new(path), &Quiet).unwrap())
    }

    fn rename(&self, from: &str, to: &str) -> String {
        self.workspace.read_file(&ReadFile { max_bytes: 16, ..ReadFile::new(from) }, &Quiet).unwrap();
        batch(&self.workspace.move_file(&MoveFile::new(from, to), &Quiet).unwrap())
    }

    /// Brings the newest trash entry back.
    fn restore(&self) -> String {
        let Answer::Trash(entries) = self.workspace.list_trash().unwrap().answer else { panic!() };
        batch(&self.workspace.restore_file(&RestoreFile::new(entries[0].id.clone()), &Quiet).unwrap())
    }

    fn undo(&self, what: UndoWhat) -> Result<String, Failed> {
        self.workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet).map(|reply| batch(&reply))
    }

    fn undo_batch(&self, id: &str) -> Result<String, Failed> {
        self.undo(UndoWhat::Batch { id: id.to_owned(), changes: None })
    }

    fn undo_session(&self) -> Result<String, Failed> {
        self.undo(UndoWhat::Session(self.workspace.id().to_owned()))
    }

    fn status(&self, id: &str) -> BatchStatus {
        let ask = GetPatchChange::new(id);
        match self.workspace.get_patch_change(&ask).unwrap().answer {
            Answer::Batch(view) => view.summary.status,
            other => panic!("{other:?}"),
        }
    }

    fn dress(&self, path: &str, mark: &str, mode: u32) {
        let path = self.root().join(path);
        attributes::set(&path, "user.mark", mark.as_bytes()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn dressed(&self, path: &str) -> (String, u32) {
        let path = self.root().join(path);
        let mark = attributes::get(&path, "user.mark").unwrap_or_default();
        (String::from_utf8(mark).unwrap(), path.metadata().unwrap().permissions().mode() & 0o7777)
    }
}

fn batch(reply: &Reply) -> String {
    let id = match &reply.answer {
        Answer::Changed(change) => change.batch.clone(),
        Answer::Settled(done) => done.batch.clone(),
        other => panic!("{other:?}"),
    };
    id.unwrap().id
}

fn places(failed: &Failed) -> Vec<ConflictPlace> {
    let Trouble::Refused(refusal) = &failed.trouble else { panic!("{failed:?}") };
    let Why::Conflict(conflict) = &refusal.why else { panic!("{failed:?}") };
    conflict.places.clone()
}

fn reasons(failed: &Failed) -> Vec<ConflictReason> {
    places(failed).into_iter().map(|place| place.reason).collect()
}

#[test]
fn an_edit_and_a_delete_in_one_call_keep_mode_and_attributes() {
    let desk = Desk::new(&[("a", "one\n"), ("z", "z\n")]);
    desk.dress("a", "mine", 0o750);
    let start = desk.write("z", "zz\n");
    desk.write("a", "two\n");
    desk.delete("a");
    let undo = desk.undo(UndoWhat::Since(start)).unwrap();
    assert_eq!((desk.text("a"), desk.dressed("a")), (Some("one\n".into()), ("mine".into(), 0o750)));
    // And again, there and back.
    let redo = desk.undo_batch(&undo).unwrap();
    assert_eq!(desk.text("a"), None);
    desk.undo_batch(&redo).unwrap();
    assert_eq!((desk.text("a"), desk.dressed("a")), (Some("one\n".into()), ("mine".into(), 0o750)));
}

#[test]
fn after_a_redo_the_deletion_alone_brings_the_edit_back() {
    let desk = Desk::new(&[("a", "one\n")]);
    desk.dress("a", "mine", 0o640);
    let edit = desk.write("a", "two\n");
    let gone = desk.delete("a");
    let undo = desk.undo_session().unwrap();
    desk.undo_batch(&undo).unwrap();
    desk.undo_batch(&gone).unwrap();
    assert_eq!((desk.text("a"), desk.dressed("a")), (Some("two\n".into()), ("mine".into(), 0o640)));
    desk.undo_batch(&edit).unwrap();
    assert_eq!((desk.text("a"), desk.dressed("a")), (Some("one\n".into()), ("mine".into(), 0o640)));
}

#[test]
fn names_need_no_text() {
    let mut options = Options { home: home::at(), ..Options::default() };
    options.settings.limits.max_file_bytes = 1 << 20;
    let large = "a line that is repeated\n".repeat(100_000);
    let desk = Desk::with(&[("a", &large), ("b", &large)], options);
    let moved = desk.rename("a", "c");
    let gone = desk.delete("b");
    desk.undo_batch(&moved).unwrap();
    desk.undo_batch(&gone).unwrap();
    assert!(desk.text("a").as_ref() == Some(&large) && desk.text("b").as_ref() == Some(&large));
    assert_eq!(desk.text("c"), None);
    let moved = desk.rename("a", "c");
    desk.delete("c");
    desk.undo_session().unwrap();
    assert!(desk.text("a").as_ref() == Some(&large) && desk.status(&moved) == BatchStatus::Undone);
}

/// An edit, a deletion, a restore, and the edit taken back.
fn entangled() -> (Desk, [String; 3]) {
    let desk = Desk::new(&[("a", "one\n")]);
    let edit = desk.write("a", "two\n");
    let gone = desk.delete("a");
    let back = desk.restore();
    desk.undo_batch(&edit).unwrap();
    assert_eq!(desk.text("a"), Some("one\n".into()));
    (desk, [edit, gone, back])
}

#[test]
fn a_restore_whose_edit_was_taken_back_can_be_taken_back() {
    let (desk, [_, gone, back]) = entangled();
    let refused = desk.undo_batch(&gone).unwrap_err();
    assert_eq!(reasons(&refused), [ConflictReason::Returned]);
    assert!(places(&refused)[0].by.iter().any(|by| by.batch.id == back));
    desk.undo_batch(&back).unwrap();
    assert_eq!(desk.text("a"), None);
    desk.undo_batch(&gone).unwrap();
    assert_eq!(desk.text("a"), Some("one\n".into()));
}

#[test]
fn a_session_in_which_things_cancel_out_is_undone() {
    let (desk, batches) = entangled();
    let undo = desk.undo_session().unwrap();
    assert_eq!(desk.text("a"), Some("one\n".into()));
    for id in &batches {
        assert_eq!(desk.status(id), BatchStatus::Undone);
    }
    let redo = desk.undo_batch(&undo).unwrap();
    let stand = [BatchStatus::Undone, BatchStatus::Applied, BatchStatus::Applied];
    assert_eq!([0, 1, 2].map(|at| desk.status(&batches[at])), stand);
    desk.undo_batch(&redo).unwrap();
    assert_eq!([0, 1, 2].map(|at| desk.status(&batches[at])), [BatchStatus::Undone; 3]);
}

#[test]
fn a_later_edit_still_keeps_a_restore() {
    let (desk, [_, _, back]) = entangled();
    desk.write("a", "one\nmore\n");
    assert_eq!(reasons(&desk.undo_batch(&back).unwrap_err()), [ConflictReason::Changed]);
    desk.undo_session().unwrap();
    assert_eq!(desk.text("a"), Some("one\n".into()));
}

#[test]
fn what_came_later_goes_first() {
    let desk = Desk::new(&[("a", "first\n")]);
    let made = desk.create("c", "c\n");
    desk.delete("c");
    desk.restore();
    assert_eq!(reasons(&desk.undo_batch(&made).unwrap_err()), [ConflictReason::Returned]);
    let moved = desk.rename("a", "b");
    desk.rename("b", "d");
    desk.rename("d", "b");
    assert_eq!(reasons(&desk.undo_batch(&moved).unwrap_err()), [ConflictReason::Moved]);
    let gone = desk.delete("b");
    desk.restore();
    desk.delete("b");
    assert_eq!(reasons(&desk.undo_batch(&gone).unwrap_err()), [ConflictReason::Gone]);
    desk.undo_session().unwrap();
    assert_eq!((desk.text("a"), desk.text("b"), desk.text("c")), (Some("first\n".into()), None, None));
}

#[test]
fn a_name_that_was_passed_on_is_free_in_the_end() {
    let desk = Desk::new(&[("a", "first\n")]);
    let gone = desk.delete("a");
    desk.create("a", "second\n");
    desk.rename("a", "b");
    desk.undo_batch(&gone).unwrap();
    desk.undo_session().unwrap();
    assert_eq!((desk.text("a"), desk.text("b")), (Some("first\n".into()), None));
}

#[test]
fn names_that_changed_places_change_back() {
    let desk = Desk::new(&[("a", "1\n"), ("b", "2\n")]);
    desk.rename("a", "t");
    desk.rename("b", "a");
    desk.rename("t", "b");
    let undo = desk.undo_session().unwrap();
    assert_eq!((desk.text("a"), desk.text("b"), desk.text("t")), (Some("1\n".into()), Some("2\n".into()), None));
    desk.undo_batch(&undo).unwrap();
    assert_eq!((desk.text("a"), desk.text("b"), desk.text("t")), (Some("2\n".into()), Some("1\n".into()), None));
}

#[test]
fn a_move_whose_file_is_gone_names_where_it_went() {
    let desk = Desk::new(&[]);
    desk.create("a", "one\n");
    let moved = desk.rename("a", "b");
    std::fs::remove_file(desk.root().join("b")).unwrap();
    let found = places(&desk.undo_batch(&moved).unwrap_err());
    let reason = ConflictReason::Removed { version: Some(BatchName::new(moved, 2)) };
    assert_eq!((found[0].path.as_str(), &found[0].reason), ("b", &reason));
}

#[test]
fn empty_folders_come_back_with_a_redo() {
    let desk = Desk::new(&[("a", "one\n")]);
    desk.create("x/y/z", "z\n");
    desk.rename("x/y/z", "z");
    desk.create("empty/e", "e\n");
    desk.delete("empty/e");
    let undo = desk.undo_session().unwrap();
    assert!(!desk.root().join("x").exists() && !desk.root().join("empty").exists());
    let redo = desk.undo_batch(&undo).unwrap();
    assert!(desk.root().join("x/y").is_dir() && desk.root().join("empty").is_dir());
    assert_eq!(desk.text("z"), Some("z\n".into()));
    desk.undo_batch(&redo).unwrap();
    assert!(!desk.root().join("x").exists() && !desk.root().join("empty").exists());
}

/// What is taken back together with a return does not come back with what went before the return.
#[test]
fn an_edit_that_went_with_a_return_stays_undone() {
    let desk = Desk::new(&[("f", "1\n2\n3\n")]);
    desk.dress("f", "mine", 0o640);
    let gone = desk.delete("f");
    desk.restore();
    desk.write("f", "1\nx2\n3\n");
    desk.undo(UndoWhat::Since(gone.clone())).unwrap();
    assert_eq!(desk.text("f"), None);
    desk.undo_batch(&gone).unwrap();
    assert_eq!(desk.text("f").as_deref(), Some("1\n2\n3\n"));
    assert_eq!(desk.dressed("f"), ("mine".to_owned(), 0o640));
}

/// Lines are put together from what a removed file was, as from what stands on the disk.
#[test]
fn edits_of_which_one_was_taken_back_come_out_of_a_removed_file() {
    let lines = |changed: &[usize]| -> String {
        (1..=30).map(|n| if changed.contains(&n) { format!("new {n}\n") } else { format!("{n}\n") }).collect()
    };
    let desk = Desk::new(&[("f", &lines(&[]))]);
    let first = desk.write("f", &lines(&[12]));
    desk.write("f", &lines(&[12, 30]));
    desk.undo_batch(&first).unwrap();
    assert_eq!(desk.text("f"), Some(lines(&[30])));
    desk.delete("f");
    let back = desk.undo_session().unwrap();
    assert_eq!(desk.text("f"), Some(lines(&[])));
    desk.undo_batch(&back).unwrap();
    assert_eq!(desk.text("f"), None);
}

/// Bits are those that the changes which stand have set, in whatever order others were taken back.
#[test]
fn bits_taken_back_out_of_order_are_as_they_were() {
    use patchwright_engine::core::intent::Executable;
    let desk = Desk::new(&[("s", "1\n")]);
    let write = |text: &str, executable| {
        desk.workspace.read_file(&ReadFile::new("s"), &Quiet).unwrap();
        let ask = WriteFile { executable: Some(executable), ..WriteFile::new("s", text) };
        batch(&desk.workspace.write_file(&ask, &Quiet).unwrap())
    };
    let mode = || desk.root().join("s").metadata().unwrap().permissions().mode() & 0o777;
    let before = mode();
    let first = write("1\n2\n", Executable::Yes);
    let second = write("1\n2\n3\n", Executable::No);
    desk.undo_batch(&first).unwrap();
    let back = desk.undo_batch(&second).unwrap();
    assert_eq!((mode(), desk.text("s").as_deref()), (before, Some("1\n")));
    desk.undo_batch(&back).unwrap();
    assert_eq!((mode(), desk.text("s").as_deref()), (before, Some("1\n3\n")));
}

//! Taking back and proposing, through the library.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::BatchStatus;
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Extent, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::{ConflictReason, Kind, Why};
use patchwright_engine::core::tool::{
    ApplyBatch, ApplyPatch, CreateFile, DeleteFile, GetPatchChange, Ground, ListBatches, MoveFile, ReadFile,
    RejectBatch, RestoreFile, Run, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::home;
use std::path::Path;

struct Desk {
    folder: tempfile::TempDir,
    workspace: Session,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let workspace = Session::open(folder.path(), Options { home: home::at(), ..Options::default() }).unwrap();
        Desk { folder, workspace }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    fn save(&self, path: &str, text: &str) {
        std::fs::write(self.root().join(path), text).unwrap();
    }

    /// A patch, and its batch.
    fn patch(&self, body: &str) -> String {
        let reply = self.workspace.apply_patch(&ApplyPatch::new(envelope(body)), &Quiet).unwrap();
        batch(&reply)
    }

    fn replace(&self, path: &str, old: &str, new: &str) -> String {
        self.patch(&format!("*** Update File: {path}\n@@\n-{old}\n+{new}\n"))
    }

    fn propose(&self, body: &str) -> String {
        let mut ask = ApplyPatch::new(envelope(body));
        ask.shared.run = Run::Propose;
        let reply = self.workspace.apply_patch(&ask, &Quiet).unwrap();
        assert!(matches!(&reply.answer, Answer::Patched(patch) if patch.extent == Extent::Proposed));
        batch(&reply)
    }

    fn undo(&self, what: UndoWhat) -> Result<String, Failed> {
        self.workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet).map(|reply| batch(&reply))
    }

    fn undo_batch(&self, id: &str) -> Result<String, Failed> {
        self.undo(UndoWhat::Batch { id: id.to_owned(), changes: None })
    }

    fn apply(&self, id: &str, changes: Option<Vec<String>>, ground: Ground) -> Result<Reply, Failed> {
        let ask = ApplyBatch { batch: Some(id.to_owned()), changes, ground, shared: Shared::default() };
        self.workspace.apply_batch(&ask, &Quiet)
    }

    fn status(&self, id: &str) -> BatchStatus {
        self.view(id).summary.status
    }

    fn view(&self, id: &str) -> patchwright_engine::core::outcome::BatchView {
        let ask = GetPatchChange::new(id);
        match self.workspace.get_patch_change(&ask).unwrap().answer {
            Answer::Batch(view) => *view,
            other => panic!("{other:?}"),
        }
    }

    fn changes(&self, id: &str) -> Vec<String> {
        self.view(id).files.iter().flat_map(|file| &file.changes).map(|change| change.name.id.clone()).collect()
    }
}

fn envelope(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

fn batch(reply: &Reply) -> String {
    let id = match &reply.answer {
        Answer::Patched(patch) => patch.batch.clone(),
        Answer::Changed(change) => change.batch.clone(),
        Answer::Settled(done) => done.batch.clone(),
        other => panic!("{other:?}"),
    };
    id.unwrap().id
}

fn reasons(failed: &Failed) -> Vec<ConflictReason> {
    match &failed.trouble {
        Trouble::Refused(refusal) => match &refusal.why {
            Why::Conflict(conflict) => conflict.places.iter().map(|place| place.reason.clone()).collect(),
            other => panic!("{other:?}"),
        },
        fault => panic!("{fault:?}"),
    }
}

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

#[test]
fn a_batch_goes_beside_later_ones() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    let second = desk.replace("a", "8", "eight\n+and more");
    desk.undo_batch(&first).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("8\n", "eight\nand more\n"));
    assert_eq!((desk.status(&first), desk.status(&second)), (BatchStatus::Undone, BatchStatus::Applied));
    assert_eq!(reasons(&desk.undo_batch(&first).unwrap_err()), [ConflictReason::Status(BatchStatus::Undone)]);
    desk.undo_batch(&second).unwrap();
    assert_eq!(desk.text("a"), TEN);
}

#[test]
fn an_undo_can_be_undone() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    desk.replace("a", "8", "eight");
    let undo = desk.undo_batch(&first).unwrap();
    let redo = desk.undo_batch(&undo).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("2\n", "two\n").replace("8\n", "eight\n"));
    assert_eq!((desk.status(&first), desk.status(&undo)), (BatchStatus::Applied, BatchStatus::Undone));
    desk.undo_batch(&redo).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("8\n", "eight\n"));
    assert_eq!(desk.status(&first), BatchStatus::Undone);
}

#[test]
fn what_was_changed_again_stays() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    let second = desk.replace("a", "two", "zwei");
    let failed = desk.undo_batch(&first).unwrap_err();
    assert_eq!((failed.trouble.kind(), reasons(&failed)), (Kind::Conflict, vec![ConflictReason::Touched]));
    let Trouble::Refused(refusal) = &failed.trouble else { panic!() };
    let Why::Conflict(conflict) = &refusal.why else { panic!() };
    assert_eq!(conflict.places[0].by[0].batch.id, second);
    assert_eq!((conflict.places[0].expected.clone(), conflict.places[0].lines), (vec!["two".to_owned()], Some((2, 2))));
    assert_eq!(desk.text("a"), TEN.replace("2\n", "zwei\n"));
    desk.undo_batch(&second).unwrap();
    desk.undo_batch(&first).unwrap();
    assert_eq!(desk.text("a"), TEN);
}

#[test]
fn somebody_elses_lines_stay() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    desk.save("a", &format!("0\n{}", TEN.replace("2\n", "two\n").replace("9\n", "neun\n")));
    desk.undo_batch(&first).unwrap();
    assert_eq!(desk.text("a"), format!("0\n{}", TEN.replace("9\n", "neun\n")));
    let second = desk.replace("a", "5", "five");
    desk.save("a", "quite\nanother\n");
    assert_eq!(reasons(&desk.undo_batch(&second).unwrap_err()), [ConflictReason::Touched]);
}

#[test]
fn files_come_and_go() {
    let desk = Desk::new(&[("a", TEN), ("b", "b\n"), ("c", "c\n")]);
    let made = desk.patch("*** Add File: new\n+one\n*** Delete File: b\n*** Move File: c -> d\n@@\n-c\n+C\n");
    assert!(!desk.root().join("b").exists() && desk.text("d") == "C\n");
    let undo = desk.undo_batch(&made).unwrap();
    assert!(!desk.root().join("new").exists() && !desk.root().join("d").exists());
    assert_eq!((desk.text("b"), desk.text("c")), ("b\n".into(), "c\n".into()));
    desk.undo_batch(&undo).unwrap();
    assert!(!desk.root().join("b").exists() && desk.text("d") == "C\n" && desk.text("new") == "one\n");
    desk.undo_batch(&made).unwrap();
    assert_eq!((desk.text("b"), desk.text("c")), ("b\n".into(), "c\n".into()));
}

#[test]
fn an_edit_follows_its_file() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    desk.workspace.move_file(&MoveFile::new("a", "b"), &Quiet).unwrap();
    desk.undo_batch(&first).unwrap();
    assert_eq!(desk.text("b"), TEN);
    let gone = desk.replace("b", "5", "five");
    desk.workspace.delete_file(&DeleteFile::new("b"), &Quiet).unwrap();
    assert_eq!(reasons(&desk.undo_batch(&gone).unwrap_err()), [ConflictReason::Gone]);
}

#[test]
fn a_session_goes_whole() {
    let desk = Desk::new(&[("a", TEN), ("b", "b\n")]);
    let start = desk.replace("a", "10", "ten");
    let deep = CreateFile { parents: Parents::Create, ..CreateFile::new("x/y/z", "z\n") };
    desk.workspace.create_file(&deep, &Quiet).unwrap();
    desk.replace("a", "2", "two");
    desk.replace("a", "two", "zwei");
    desk.patch("*** Delete File: b\n");
    desk.workspace.create_file(&CreateFile::new("b", "other\n"), &Quiet).unwrap();
    desk.undo(UndoWhat::Since(start.clone())).unwrap();
    assert_eq!((desk.text("a"), desk.text("b")), (TEN.replace("10\n", "ten\n"), "b\n".into()));
    assert!(!desk.root().join("x").exists());
    desk.undo(UndoWhat::Session(desk.workspace.id().to_owned())).unwrap();
    assert_eq!(desk.text("a"), TEN);
    assert_eq!(
        desk.undo(UndoWhat::Session(desk.workspace.id().to_owned())).unwrap_err().trouble.kind(),
        Kind::NotFound
    );
}

#[test]
fn some_changes_of_a_batch() {
    let desk = Desk::new(&[("a", TEN)]);
    let made = desk.patch("*** Update File: a\n@@\n-2\n+two\n@@\n-8\n+eight\n@@\n 9\n-10\n");
    let changes = desk.changes(&made);
    assert_eq!(changes.len(), 3);
    desk.undo(UndoWhat::Batch { id: made.clone(), changes: Some(vec![changes[1].clone()]) }).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("2\n", "two\n").replace("10\n", ""));
    assert_eq!(desk.status(&made), BatchStatus::Applied);
    let again = desk.undo(UndoWhat::Batch { id: made.clone(), changes: Some(vec![changes[1].clone()]) });
    assert_eq!(reasons(&again.unwrap_err()), [ConflictReason::Status(BatchStatus::Undone)]);
    desk.undo_batch(&made).unwrap();
    assert_eq!((desk.text("a"), desk.status(&made)), (TEN.to_owned(), BatchStatus::Undone));
}

#[test]
fn a_file_by_its_name() {
    let desk = Desk::new(&[("a", TEN), ("b", TEN)]);
    let both = desk.patch("*** Update File: a\n@@\n-2\n+two\n*** Update File: b\n@@\n-2\n+two\n");
    desk.undo(UndoWhat::Path("a".into())).unwrap();
    assert_eq!((desk.text("a"), desk.text("b")), (TEN.to_owned(), TEN.replace("2\n", "two\n")));
    assert_eq!(desk.status(&both), BatchStatus::Applied);
    assert_eq!(desk.undo(UndoWhat::Path("a".into())).unwrap_err().trouble.kind(), Kind::NotFound);
}

#[test]
fn a_proposal_waits() {
    let desk = Desk::new(&[("a", TEN)]);
    let id = desk.propose("*** Update File: a\n@@\n-2\n+two\n@@\n-8\n+eight\n*** Add File: n\n+n\n");
    assert_eq!((desk.text("a"), desk.status(&id)), (TEN.to_owned(), BatchStatus::Proposed));
    let changes = desk.changes(&id);
    desk.apply(&id, Some(vec![changes[0].clone(), changes[2].clone()]), Ground::MustBeTheSame).unwrap();
    assert_eq!((desk.text("a"), desk.text("n")), (TEN.replace("2\n", "two\n"), "n\n".to_owned()));
    let view = desk.view(&id);
    let standing: Vec<BatchStatus> = view.files.iter().flat_map(|file| &file.changes).map(|one| one.status).collect();
    assert_eq!(view.summary.status, BatchStatus::Applied);
    assert_eq!(standing, [BatchStatus::Applied, BatchStatus::Rejected, BatchStatus::Applied]);
    let left_out = GetPatchChange { change: Some(changes[1].clone()), ..GetPatchChange::new(&*id) };
    let Answer::Batch(one) = desk.workspace.get_patch_change(&left_out).unwrap().answer else { panic!() };
    assert_eq!(one.files[0].changes[0].after.lines, Some(vec!["eight".to_owned()]));
    assert_eq!(
        reasons(&desk.apply(&id, None, Ground::MustBeTheSame).unwrap_err()),
        [ConflictReason::Status(BatchStatus::Applied)]
    );
    desk.undo_batch(&id).unwrap();
    assert!(desk.text("a") == TEN && !desk.root().join("n").exists());
}

#[test]
fn a_proposal_on_moved_ground() {
    let desk = Desk::new(&[("a", TEN)]);
    let id = desk.propose("*** Update File: a\n@@\n-2\n+two\n");
    desk.save("a", &TEN.replace("8\n", "acht\n"));
    let failed = desk.apply(&id, None, Ground::MustBeTheSame).unwrap_err();
    assert_eq!(reasons(&failed), [ConflictReason::GroundMoved]);
    assert_eq!(desk.status(&id), BatchStatus::Conflicted);
    desk.apply(&id, None, Ground::MayHaveMoved).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("8\n", "acht\n").replace("2\n", "two\n"));
    desk.undo_batch(&id).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("8\n", "acht\n"));
    let id = desk.propose("*** Update File: a\n@@\n-2\n+two\n");
    desk.save("a", &TEN.replace("2\n", "zwei\n"));
    assert_eq!(reasons(&desk.apply(&id, None, Ground::MayHaveMoved).unwrap_err()), [ConflictReason::Touched]);
    desk.workspace
        .reject_batch(&RejectBatch { batch: id.clone(), reason: None, shared: Shared::default() }, &Quiet)
        .unwrap();
    assert_eq!(desk.status(&id), BatchStatus::Rejected);
    assert_eq!(
        reasons(&desk.apply(&id, None, Ground::MayHaveMoved).unwrap_err()),
        [ConflictReason::Status(BatchStatus::Rejected)]
    );
}

#[test]
fn everything_is_listed() {
    let desk = Desk::new(&[("a", TEN)]);
    let first = desk.replace("a", "2", "two");
    desk.workspace.read_file(&ReadFile::new("a"), &Quiet).unwrap();
    desk.workspace.write_file(&WriteFile::new("a", "all new\n"), &Quiet).unwrap();
    desk.workspace.create_file(&CreateFile::new("b", "b\n"), &Quiet).unwrap();
    let list = |ask: &ListBatches| match desk.workspace.list_batches(ask).unwrap().answer {
        Answer::Batches(list) => list,
        other => panic!("{other:?}"),
    };
    assert_eq!(list(&ListBatches::default()).batches.len(), 3);
    let of_a = list(&ListBatches { path: Some("a".into()), limit: Some(1), ..ListBatches::default() });
    assert_eq!((of_a.batches.len(), of_a.batches[0].tool.as_str()), (1, "write_file"));
    let rest = list(&ListBatches { path: Some("a".into()), cursor: of_a.next_cursor, ..ListBatches::default() });
    assert_eq!((rest.batches.len(), rest.batches[0].name.id.clone(), rest.next_cursor), (1, first, None));
}

#[test]
fn a_mark_belongs_to_no_change() {
    let marked = "\u{feff}b\nc\n";
    let desk = Desk::new(&[("a", &format!("a\n{marked}"))]);
    let made = desk.patch("*** Update File: a\n@@\n-a\n \u{feff}b\n@@\n-c\n+C\n");
    assert_eq!(desk.text("a"), marked.replace('c', "C"));
    let first = Some(vec![desk.changes(&made)[0].clone()]);
    let undone = desk.undo(UndoWhat::Batch { id: made.clone(), changes: first });
    assert_eq!(reasons(&undone.unwrap_err()), [ConflictReason::Inseparable]);
    desk.undo_batch(&made).unwrap();
    assert_eq!(desk.text("a"), format!("a\n{marked}"));
}

#[test]
fn line_ends_come_back_with_their_lines() {
    let desk = Desk::new(&[("a", "a1\r\nb2\r\nc3"), ("b", "a\r\nb\r\nc\nd")]);
    let made = desk.patch("*** Update File: a\n@@\n a1\n-b2\n@@\n-c3\n");
    assert_eq!(desk.text("a"), "a1");
    let changes = desk.changes(&made);
    for change in &changes {
        desk.undo(UndoWhat::Batch { id: made.clone(), changes: Some(vec![change.clone()]) }).unwrap();
    }
    assert_eq!(desk.text("a"), "a1\r\nb2\r\nc3");
    let made = desk.propose("*** Update File: a\n@@\n-a1\n-b2\n@@\n-c3\n");
    let first = Some(vec![desk.changes(&made)[0].clone()]);
    desk.apply(&made, first, Ground::MustBeTheSame).unwrap();
    assert_eq!(desk.text("a"), "c3");
    let made = desk.patch("*** Update File: b\n@@\n c\n-d\n");
    desk.save("b", "A\r\nb\r\nc");
    desk.undo_batch(&made).unwrap();
    assert_eq!(desk.text("b"), "A\r\nb\r\nc\nd");
}

#[test]
fn somebody_elses_line_ends_stay() {
    let desk = Desk::new(&[("a", TEN), ("b", "1\n2\n3\n4")]);
    let made = desk.replace("a", "2", "two");
    desk.save("a", &TEN.replace("2\n", "two\n").replace('\n', "\r\n"));
    assert_eq!(reasons(&desk.undo_batch(&made).unwrap_err()), [ConflictReason::Touched]);
    let made = desk.replace("b", "4", "four");
    desk.save("b", "1\n2\n3\nfour\n");
    assert_eq!(reasons(&desk.undo_batch(&made).unwrap_err()), [ConflictReason::Touched]);
}

#[test]
fn equal_lines_are_not_guessed() {
    let zeros = "h\n0,0\n0,0\n0,0\n";
    let desk = Desk::new(&[("a", zeros), ("b", "list:\n- item\n- item\n")]);
    let made = desk.patch("*** Update File: a\n@@\n h\n+0,0\n");
    desk.save("a", zeros);
    assert_eq!(reasons(&desk.undo_batch(&made).unwrap_err()), [ConflictReason::Touched]);
    let made = desk.patch("*** Update File: b\n@@\n list:\n+- item\n");
    desk.workspace.read_file(&ReadFile::new("b"), &Quiet).unwrap();
    desk.workspace.write_file(&WriteFile::new("b", "list:\n- item\n- item\n"), &Quiet).unwrap();
    assert_eq!(reasons(&desk.undo_batch(&made).unwrap_err()), [ConflictReason::Touched]);
    assert_eq!(desk.text("b"), "list:\n- item\n- item\n");
}

#[test]
fn what_was_restored_elsewhere_goes_back() {
    let desk = Desk::new(&[("a", TEN)]);
    let gone = desk.patch("*** Delete File: a\n");
    let Answer::Trash(entries) = desk.workspace.list_trash().unwrap().answer else { panic!() };
    let ask = RestoreFile::to(entries[0].id.clone(), "b");
    let back = batch(&desk.workspace.restore_file(&ask, &Quiet).unwrap());
    desk.undo_batch(&back).unwrap();
    desk.undo_batch(&gone).unwrap();
    assert!(desk.text("a") == TEN && !desk.root().join("b").exists());
}

#[test]
fn history_survives_a_deletion_and_a_foreign_save() {
    let desk = Desk::new(&[("a", TEN)]);
    let made = desk.replace("a", "2", "two");
    let gone = desk.patch("*** Delete File: a\n");
    desk.undo_batch(&gone).unwrap();
    desk.save("a", &TEN.replace("2\n", "two\n").replace("9\n", "neun\n"));
    desk.undo_batch(&made).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("9\n", "neun\n"));
}

#[test]
fn a_move_with_an_edit_goes_beside_later_ones() {
    let desk = Desk::new(&[("a", TEN)]);
    let made = desk.patch("*** Move File: a -> b\n@@\n-2\n+two\n");
    desk.replace("b", "9", "nine");
    desk.undo_batch(&made).unwrap();
    assert_eq!(desk.text("a"), TEN.replace("9\n", "nine\n"));
}

#[test]
fn links_and_deleted_files_can_be_looked_at() {
    let desk = Desk::new(&[("t", "one\ntwo\n")]);
    std::os::unix::fs::symlink("t", desk.root().join("l")).unwrap();
    let link = desk.patch("*** Delete File: l\n");
    assert_eq!(desk.view(&link).files[0].path, "l");
    let gone = desk.patch("*** Delete File: t\n");
    let view = desk.view(&gone);
    assert_eq!(view.files[0].changes[0].before.lines, Some(vec!["one".to_owned(), "two".to_owned()]));
}

#[test]
fn history_keeps_to_the_policy() {
    let desk = Desk::new(&[("a", TEN), ("secret", "s3cret\n")]);
    let made = desk.patch("*** Update File: a\n@@\n-2\n+two\n*** Update File: secret\n@@\n-s3cret\n+other\n");
    let mut options = Options { home: home::at(), ..Options::default() };
    options.settings.read.deny.push("secret".into());
    let strict = Session::open(desk.root(), options).unwrap();
    let ask = GetPatchChange::new(&*made);
    let Answer::Batch(view) = strict.get_patch_change(&ask).unwrap().answer else { panic!() };
    assert_eq!(view.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(strict.batch(&made).unwrap().len(), 1);
    let what = UndoWhat::Batch { id: made, changes: None };
    let undone = strict.undo(&Undo { what, shared: Shared::default() }, &Quiet);
    assert_eq!(undone.unwrap_err().trouble.kind(), Kind::PermissionDenied);
}

#[test]
fn a_conflict_names_its_own_batch() {
    let desk = Desk::new(&[("a", TEN), ("b", TEN)]);
    let start = desk.replace("b", "1", "one");
    let touched = desk.replace("a", "2", "two");
    desk.replace("b", "5", "five");
    desk.save("a", &TEN.replace("2\n", "zwei\n"));
    let failed = desk.undo(UndoWhat::Since(start)).unwrap_err();
    let Trouble::Refused(refusal) = &failed.trouble else { panic!() };
    let Why::Conflict(conflict) = &refusal.why else { panic!() };
    assert_eq!(conflict.batch.as_ref().map(|name| &name.id), Some(&touched));
    assert_eq!(desk.text("b"), TEN.replace("1\n2", "one\n2").replace("5\n", "five\n"));
}

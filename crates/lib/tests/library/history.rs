//! Undo and redo, batches, and who wrote what.

use super::Scratch;
use patchwright_lib::{ErrorKind, Operation, Session, Status, Undo};

fn replace(session: &Session, old: &str, new: &str) -> patchwright_lib::BatchId {
    session.edit("a.txt").replace(old, new).plan().unwrap().commit().unwrap().batch().unwrap().clone()
}

fn three_edits() -> (Scratch, Session, [patchwright_lib::BatchId; 3]) {
    let scratch = Scratch::with(&[("a.txt", "1\n-\n2\n-\n3\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    let batches = [("1", "one"), ("2", "two"), ("3", "three")].map(|(old, new)| replace(&session, old, new));
    (scratch, session, batches)
}

#[test]
fn undo_takes_back_what_it_is_told() {
    let check = |what: fn(&Session, &[patchwright_lib::BatchId; 3]) -> Undo, want: &str| {
        let (scratch, session, batches) = three_edits();
        session.undo(what(&session, &batches)).unwrap().commit().unwrap();
        assert_eq!(scratch.text("a.txt").as_deref(), Some(want));
    };
    check(|_, batches| (&batches[1]).into(), "one\n-\n2\n-\nthree\n");
    check(|_, _| "b1".into(), "1\n-\ntwo\n-\nthree\n");
    check(|_, batches| Undo::batches([&batches[0], &batches[2]]), "1\n-\ntwo\n-\n3\n");
    check(|_, _| Undo::changes(["b1.1", "b2.1"]), "1\n-\n2\n-\nthree\n");
    check(|_, _| Undo::path("a.txt"), "one\n-\ntwo\n-\n3\n");
    check(|_, _| Undo::last(), "one\n-\ntwo\n-\n3\n");
    check(|_, batches| Undo::since(&batches[0]), "one\n-\n2\n-\n3\n");
    check(|session, _| Undo::session(session.id()), "1\n-\n2\n-\n3\n");
}

#[test]
fn undo_and_redo_go_back_and_forth() {
    let (scratch, session, _) = three_edits();
    let done = scratch.text("a.txt");
    for _ in 0..3 {
        session.undo(Undo::last()).unwrap().commit().unwrap();
    }
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\n-\n2\n-\n3\n"));
    assert_eq!(session.undo(Undo::last()).unwrap_err().kind(), ErrorKind::NotFound);
    for _ in 0..3 {
        session.redo().unwrap().commit().unwrap();
    }
    assert_eq!(scratch.text("a.txt"), done);
    assert_eq!(session.redo().unwrap_err().to_string(), "there is no undo that could be taken back");
}

#[test]
fn the_last_change_is_one_that_may_be_seen() {
    let (scratch, session, _) = three_edits();
    session.create("closed", "").plan().unwrap().commit().unwrap();
    let session = scratch.options().deny_read("closed").open(scratch.folder.path()).unwrap().session("x");
    session.undo(Undo::last()).unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("one\n-\ntwo\n-\n3\n"));
    assert_eq!(scratch.text("closed").as_deref(), Some(""));
}

#[test]
fn an_undo_that_meets_later_lines_is_a_conflict() {
    let (scratch, session, batches) = three_edits();
    replace(&session, "one", "uno");
    let error = session.undo(&batches[0]).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Conflict, Some("a.txt")));
    assert_eq!(error.to_string(), "b1 meets later changes in a.txt");
    assert_eq!(scratch.text("a.txt").as_deref(), Some("uno\n-\ntwo\n-\nthree\n"));
}

#[test]
fn batches_are_listed_and_shown() {
    let (scratch, session, batches) = three_edits();
    let other = scratch.open().session_builder("other").version("2").actor("Ada").begin().unwrap();
    other.create("b.txt", "b\n").plan().unwrap().commit().unwrap();
    session.undo(&batches[1]).unwrap().commit().unwrap();
    let names = |list: patchwright_lib::Batches| {
        list.run().unwrap().iter().map(|batch| batch.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(session.batches()), ["b5", "b4", "b3", "b2", "b1"]);
    assert_eq!(names(session.batches().path("*.txt").limit(2)), ["b5", "b4"]);
    assert_eq!(names(session.batches().path("b.txt")), ["b4"]);
    assert_eq!(names(session.batches().session(other.id())), ["b4"]);
    assert_eq!(names(session.batches().status(Status::Undone)), ["b2"]);
    let listed = session.batches().path("b.txt").run().unwrap().remove(0);
    assert_eq!((listed.author.client.as_str(), listed.author.actor.as_deref()), ("other/2", Some("Ada")));
    assert_eq!(listed.files, [(Operation::Create, "b.txt".to_owned())]);
    assert_eq!((listed.added, listed.removed, listed.tool.as_str()), (1, 0, "create_file"));
    let shown = session.show("b2").unwrap();
    assert_eq!((shown.batch.status, shown.batch.author.client.as_str()), (Status::Undone, "test"));
    let (file, changes) = &shown.files[0];
    assert!(file.diff.contains("-2\n+two\n"), "{}", file.diff);
    let told: Vec<_> = changes.iter().map(|one| (one.id.to_string(), one.status, one.before, one.after)).collect();
    assert_eq!(told, [("b2.1".to_owned(), Status::Undone, (3, 1), (3, 1))]);
}

#[test]
fn a_long_batch_is_shown_whole() {
    let scratch = Scratch::new();
    let session = scratch.session();
    let names: Vec<String> = (0..2_100).map(|n| format!("f{n:04}")).collect();
    let patch: String = names.iter().map(|name| format!("*** Add File: {name}\n+{}\n", "x".repeat(900))).collect();
    let patch = format!("*** Begin Patch\n{patch}*** End Patch\n");
    let change = session.patch(patch).plan().unwrap().commit().unwrap();
    let shown = session.show(change.batch().unwrap()).unwrap();
    let told: Vec<&str> = shown.files.iter().map(|(file, _)| file.path.as_str()).collect();
    assert_eq!(told, names);
    assert!(shown.files.iter().all(|(file, changes)| changes.len() == 1 && !file.diff.is_empty()));
}

#[test]
fn lines_are_blamed_on_who_brought_them() {
    let (_scratch, session, batches) = three_edits();
    let runs = session.blame("a.txt").unwrap();
    let told: Vec<_> =
        runs.iter().map(|run| (run.first_line, run.lines.join("|"), run.origin.as_ref().map(|o| &o.batch))).collect();
    let [one, two, three] = &batches;
    let want = [
        (1, "one".to_owned(), Some(one)),
        (2, "-".to_owned(), None),
        (3, "two".to_owned(), Some(two)),
        (4, "-".to_owned(), None),
        (5, "three".to_owned(), Some(three)),
    ];
    assert_eq!(told, want);
}

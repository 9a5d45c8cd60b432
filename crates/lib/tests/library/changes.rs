//! Every verb that changes files.

use super::Scratch;
use patchwright_lib::{Operation, Planned, Sha256, Side};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Plans, sees that nothing has changed, commits, and looks at the file.
fn check(scratch: &Scratch, planned: Planned, path: &str, want: Option<&str>) {
    let before = scratch.text(path);
    assert_ne!(before.as_deref(), want, "{path}");
    assert!(!planned.is_empty());
    let (diff, files) = (planned.diff().to_owned(), planned.files().len());
    let touched = planned.touches();
    let of = |text: Option<&str>| text.map(|text| Sha256::of(text.as_bytes()));
    let touch = touched.iter().find(|touch| touch.path == path).unwrap();
    assert_eq!((touch.before, touch.after), (of(before.as_deref()), of(want)), "{path}");
    let change = planned.commit().unwrap();
    assert_eq!((change.diff(), change.files().len()), (diff.as_str(), files));
    assert!(change.batch().is_some());
    assert_eq!(scratch.text(path).as_deref(), want, "{path}");
}

#[test]
fn create_makes_a_file() {
    let scratch = Scratch::new();
    let session = scratch.session();
    check(&scratch, session.create("a.txt", "one\n").plan().unwrap(), "a.txt", Some("one\n"));
    check(&scratch, session.create("b.txt", "one\n").crlf().plan().unwrap(), "b.txt", Some("one\r\n"));
    let script = session.create("deep/bin/run.sh", "#!/bin/sh\n").create_folders().executable().plan().unwrap();
    check(&scratch, script, "deep/bin/run.sh", Some("#!/bin/sh\n"));
    let mode = scratch.path("deep/bin/run.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o100, 0o100);
}

#[test]
fn write_replaces_a_text_and_keeps_its_form() {
    let scratch = Scratch::with(&[("a.txt", "one\r\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    check(&scratch, session.write("a.txt", "two\nthree\n").plan().unwrap(), "a.txt", Some("two\r\nthree\r\n"));
    check(&scratch, session.write("a.txt", "four\n").verbatim().plan().unwrap(), "a.txt", Some("four\n"));
    let hash = Sha256::of(b"four\n");
    let other = scratch.session().write("a.txt", "five\n").expect_sha256(hash).plan().unwrap();
    check(&scratch, other, "a.txt", Some("five\n"));
}

#[test]
fn edit_replaces_exact_texts() {
    let scratch = Scratch::with(&[("a.txt", "a b a c c\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    let edit = session.edit("a.txt").replace("b", "B").replace_all("a", "A").replace_times(2, "c", "C");
    check(&scratch, edit.plan().unwrap(), "a.txt", Some("A B A C C\n"));
}

#[test]
fn a_change_to_what_already_is_does_nothing() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    let planned = session.write("a.txt", "one\n").plan().unwrap();
    assert!(planned.is_empty() && planned.touches().is_empty() && planned.diff().is_empty());
    let change = planned.commit().unwrap();
    assert_eq!(change.batch(), None);
    let undone = session.undo(change.batch()).unwrap();
    assert!(undone.is_empty());
    assert_eq!(undone.commit().unwrap().batch(), None);
}

#[test]
fn delete_and_restore() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    let gone = session.delete("a.txt").plan().unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt"), None);
    let trash = session.trash().unwrap();
    assert_eq!((trash.len(), trash[0].path.as_str(), trash[0].sha256), (1, "a.txt", Some(Sha256::of(b"one\n"))));
    assert_eq!(gone.files()[0].trash.as_deref(), Some(trash[0].id.as_str()));
    check(&scratch, session.restore(trash[0].id.as_str()).to("b.txt").plan().unwrap(), "b.txt", Some("one\n"));
    assert_eq!(session.trash().unwrap(), []);
    let made = session.create("c.txt", "two\n").plan().unwrap().commit().unwrap();
    fs::remove_file(scratch.path("c.txt")).unwrap();
    let version = session.restore_version("c.txt", made.batch().unwrap(), Side::After);
    check(&scratch, version.unwrap(), "c.txt", Some("two\n"));
    let before = session.restore_version("c.txt", made.batch().unwrap(), Side::Before).unwrap_err();
    assert_eq!(before.to_string(), "the batch b3 found nothing at c.txt");
}

#[test]
fn rename_moves_and_replaces_only_when_told_to() {
    let scratch = Scratch::with(&[("a", "one"), ("b", "two")]);
    let session = scratch.session();
    session.list(".").hashes().run().unwrap();
    let planned = session.rename("a", "b").replace_existing().plan().unwrap();
    let touched: Vec<String> = planned.touches().into_iter().map(|touch| touch.path).collect();
    assert_eq!(touched, ["a", "b"]);
    check(&scratch, planned, "b", Some("one"));
    let moved = session.rename("b", "c").plan().unwrap().commit().unwrap();
    let file = &moved.files()[0];
    let named = (file.path.as_str(), file.from.as_deref(), file.operation);
    assert_eq!(named, ("c", Some("b"), Operation::Rename));
}

#[test]
fn folders_go_and_move_as_a_whole() {
    let scratch = Scratch::with(&[("src/a", "1"), ("src/deep/b", "2")]);
    let session = scratch.session();
    session.list("src").levels(9).hidden().hashes().run().unwrap();
    let planned = session.rename("src", "lib").recursive().plan().unwrap();
    assert_eq!((planned.files().len(), planned.touches().len()), (1, 4));
    check(&scratch, planned, "lib/deep/b", Some("2"));
    check(&scratch, session.delete("lib").recursive().plan().unwrap(), "lib/a", None);
}

#[test]
fn a_patch_changes_many_files_or_none() {
    let scratch = Scratch::with(&[("a.txt", "one\ntwo\n"), ("b.txt", "x\n")]);
    let session = scratch.session();
    let envelope = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** Delete File: b.txt\n\
                    *** Add File: new/c.txt\n+c\n*** End Patch\n";
    let planned = session.patch(envelope).create_folders().plan().unwrap();
    let told: Vec<_> = planned.files().iter().map(|file| (file.operation, file.path.as_str())).collect();
    let want = [(Operation::Update, "a.txt"), (Operation::Delete, "b.txt"), (Operation::Create, "new/c.txt")];
    assert_eq!(told, want);
    check(&scratch, planned, "new/c.txt", Some("c\n"));
    assert_eq!((scratch.text("a.txt").as_deref(), scratch.text("b.txt")), (Some("one\n2\n"), None));
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n 2\n";
    check(&scratch, session.patch(diff).plan().unwrap(), "a.txt", Some("1\n2\n"));
}

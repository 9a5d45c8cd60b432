//! The record is deleted, made again, put back, cut, put aside or taken over while somebody follows it.

use crate::place::{create, cursors, log, next, open, open_to_look, told, told_since};
use patchwright_engine::Quiet;
use patchwright_engine::Since;
use patchwright_engine::core::tool::CreateFile;
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn used(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    names.iter().for_each(|name| create(folder.path(), name));
    folder
}

#[test]
fn a_record_that_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = open_to_look(folder.path());
    for since in [Since::Now, Since::Start] {
        let mut follow = workspace.workspace().follow(since).unwrap();
        assert_eq!(told(&mut follow), Vec::<String>::new());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is made");
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    create(folder.path(), "a");
    assert_eq!(next(&mut follow), "batch b1 create_file a");
}

#[test]
fn deleted_and_made_again() {
    let folder = used(&["a", "b"]);
    let root = folder.path();
    let last = *cursors(root).last().unwrap();
    let workspace = open_to_look(root);
    let (mut all, mut new) =
        (workspace.workspace().follow(Since::Start).unwrap(), workspace.workspace().follow(Since::Now).unwrap());
    assert_eq!(told(&mut all), ["batch b1 create_file a", "batch b2 create_file b"]);
    fs::remove_dir_all(home::record(root)).unwrap();
    assert_eq!((told(&mut all), told(&mut new)), (Vec::new(), Vec::new()), "nothing to tell, and no failure");
    create(root, "c");
    for follow in [&mut all, &mut new] {
        assert_eq!(next(follow), "restarted");
        assert_eq!(next(follow), "batch b1 create_file c");
        assert_eq!(told(follow), Vec::<String>::new());
    }
    assert_eq!(told_since(root, last), ["restarted", "batch b1 create_file c"]);
}

/// Puts bytes in the place of the log: as a new file, as a backup does, or into the file that is there.
fn put_back(root: &Path, bytes: &[u8], into: bool) {
    if !into {
        fs::remove_file(log(root)).unwrap();
    }
    fs::write(log(root), bytes).unwrap();
}

#[test]
fn put_back_to_an_earlier_state() {
    for into in [false, true] {
        let folder = used(&["a", "b"]);
        let root = folder.path();
        let earlier = fs::read(log(root)).unwrap();
        create(root, "c");
        let known = cursors(root);
        let workspace = open_to_look(root);
        let mut follow = workspace.workspace().follow(Since::Start).unwrap();
        assert_eq!(told(&mut follow).len(), 3);
        put_back(root, &earlier, into);
        assert_eq!(told(&mut follow), ["restarted"], "what it holds was told before");
        create(root, "d");
        assert_eq!(next(&mut follow), "batch b3 create_file d");
        assert_eq!(told(&mut follow), Vec::<String>::new());
        assert_eq!(told_since(root, known[2]), ["restarted", "batch b3 create_file d"]);
        assert_eq!(told_since(root, known[1]), ["batch b3 create_file d"], "that one is still there");
        assert_eq!(told_since(root, known[0]), ["batch b2 create_file b", "batch b3 create_file d"]);
    }
}

/// Only what was put on record after the break is told, although nobody looked while it happened.
#[test]
fn put_back_and_gone_on_with_unseen() {
    let folder = used(&["a", "b"]);
    let root = folder.path();
    let earlier = fs::read(log(root)).unwrap();
    let workspace = open_to_look(root);
    create(root, "c");
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    put_back(root, &earlier, false);
    create(root, "d");
    create(root, "e");
    let want = ["restarted", "batch b3 create_file d", "batch b4 create_file e"];
    assert_eq!(told(&mut follow), want);
}

#[test]
fn cut_to_nothing() {
    let folder = used(&["a"]);
    let root = folder.path();
    let workspace = open_to_look(root);
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    fs::write(log(root), b"").unwrap();
    assert_eq!(told(&mut follow), ["restarted"]);
    create(root, "b");
    assert_eq!(next(&mut follow), "batch b1 create_file b");
}

/// A backup may bring the same log back, piece by piece.
#[test]
fn gone_for_a_moment() {
    let folder = used(&["a", "b"]);
    let root = folder.path();
    let whole = fs::read(log(root)).unwrap();
    let workspace = open_to_look(root);
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    fs::write(log(root), &whole[..100]).unwrap();
    assert_eq!(told(&mut follow), ["restarted"]);
    fs::write(log(root), &whole[..whole.len() / 2]).unwrap();
    assert_eq!(told(&mut follow), Vec::<String>::new());
    fs::write(log(root), &whole).unwrap();
    assert_eq!(told(&mut follow), Vec::<String>::new(), "nothing is told again");
    create(root, "c");
    assert_eq!(told(&mut follow), ["batch b3 create_file c"]);
}

/// The key went with the record: from here nothing more can be told, and a new opening goes on.
#[test]
fn put_aside() {
    let folder = used(&["a"]);
    let root = folder.path();
    let workspace = open_to_look(root);
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    open(root).adopt_fresh(None).unwrap();
    open(root).create_file(&CreateFile::new("b", "b\n"), &Quiet).unwrap();
    assert_eq!(told(&mut follow), Vec::<String>::new());
    assert_eq!(told_since(root, follow.cursor()), ["restarted", "batch b2 create_file b"]);
}

/// A write that is under way is no entry, however much of it can be seen.
#[test]
fn a_torn_tail_is_waited_for() {
    let folder = used(&["a"]);
    let root = folder.path();
    let before = fs::read(log(root)).unwrap();
    create(root, "b");
    let after = fs::read(log(root)).unwrap();
    let changed = before.iter().zip(&after).position(|(one, other)| one != other).unwrap();
    let end = after.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    fs::write(log(root), &before).unwrap();
    let workspace = open_to_look(root);
    let mut follow = workspace.workspace().follow(Since::Now).unwrap();
    for cut in (changed..end).step_by(7) {
        let mut torn = before.clone();
        torn[..cut].copy_from_slice(&after[..cut]);
        fs::write(log(root), &torn).unwrap();
        assert_eq!(told(&mut follow), Vec::<String>::new(), "cut at {cut} of {changed}..{end}");
    }
    fs::write(log(root), &after).unwrap();
    assert_eq!(next(&mut follow), "batch b2 create_file b");
}

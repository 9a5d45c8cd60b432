//! A plan is bound to what it showed: between plan and commit nothing may have changed.

use super::Scratch;
use patchwright_lib::{Change, Error, ErrorKind, Planned, Session};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

type Plan = fn(&Session) -> Result<Planned, Error>;

const PLANS: &[(&str, Plan)] = &[
    ("create", |session| session.create("new.txt", "new\n").plan()),
    ("write", |session| session.write("a.txt", "x\n").plan()),
    ("edit", |session| session.edit("a.txt").replace("three", "3").plan()),
    ("delete", |session| session.delete("a.txt").plan()),
    ("rename", |session| session.rename("a.txt", "new.txt").plan()),
    ("folder", |session| session.delete("src").recursive().plan()),
    ("patch", |session| session.patch("--- a/a.txt\n+++ b/a.txt\n@@ -3 +3 @@\n-three\n+3\n").plan()),
];

fn files() -> Scratch {
    Scratch::with(&[("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"), ("src/b", "b\n"), ("src/c", "c\n")])
}

fn seen(scratch: &Scratch) -> Session {
    let session = scratch.session();
    session.read("a.txt").unwrap();
    session.list("src").hashes().run().unwrap();
    session
}

fn check(name: &str, scratch: &Scratch, commit: Result<Change, Error>, path: &str) {
    let error = commit.map(|change| change.diff().to_owned()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::StaleFile, Some(path)), "{name}: {error}");
    let batches = scratch.session().batches().run().unwrap();
    assert!(batches.is_empty(), "{name} is on record: {batches:?}");
}

#[test]
fn what_changed_since_the_plan_is_refused() {
    for (name, plan) in PLANS {
        // The edit would land apart from it, and the write would cover it: all the same nobody was shown that.
        let changed = "one\ntwo\nthree\nfour\nfive\nsix\n7\n";
        for propose in [false, true] {
            let scratch = files();
            let planned = plan(&seen(&scratch)).unwrap();
            let path = planned.touches()[0].path.clone();
            scratch.put(&path, changed);
            let ended = match propose {
                false => planned.commit(),
                true => planned.propose().map(|_| panic!("{name} was proposed")),
            };
            check(name, &scratch, ended, &path);
            assert_eq!(scratch.text(&path).as_deref(), Some(changed), "{name}");
        }
    }
}

#[test]
fn what_is_gone_since_the_plan_is_refused() {
    for (name, plan) in PLANS.iter().filter(|(name, _)| *name != "create") {
        let scratch = files();
        let planned = plan(&seen(&scratch)).unwrap();
        let path = planned.touches()[0].path.clone();
        fs::remove_file(scratch.path(&path)).unwrap();
        check(name, &scratch, planned.commit(), &path);
    }
}

#[test]
fn a_file_that_was_added_to_a_folder_is_refused() {
    let scratch = files();
    let planned = seen(&scratch).delete("src").recursive().plan().unwrap();
    scratch.put("src/d", "d\n");
    assert_eq!(planned.commit().unwrap_err().kind(), ErrorKind::StaleFile);
    assert_eq!(scratch.text("src/b").as_deref(), Some("b\n"));
}

#[test]
fn an_undo_is_bound_as_well() {
    let scratch = files();
    let session = seen(&scratch);
    let change = session.edit("a.txt").replace("two", "2").plan().unwrap().commit().unwrap();
    let undo = session.undo(change.batch()).unwrap();
    // Apart from the change: a fresh undo goes beside it, this one was not shown it.
    scratch.put("a.txt", "one\n2\nthree\nfour\nfive\nsix\n7\n");
    let error = undo.commit().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::StaleFile, Some("a.txt")));
    assert_eq!(error.to_string(), "a.txt has changed since the call was planned");
    session.undo(change.batch()).unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("one\ntwo\nthree\nfour\nfive\nsix\n7\n"));
}

#[test]
fn a_proposal_is_bound_as_well() {
    let scratch = files();
    let session = seen(&scratch);
    let proposal = session.edit("a.txt").replace("two", "2").plan().unwrap().propose().unwrap().rebase();
    let planned = proposal.plan().unwrap();
    scratch.put("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n7\n");
    assert_eq!(planned.commit().unwrap_err().kind(), ErrorKind::StaleFile);
    proposal.plan().unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("one\n2\nthree\nfour\nfive\nsix\n7\n"));
}

#[test]
fn of_two_plans_for_one_file_the_first_commit_wins() {
    let scratch = files();
    let session = seen(&scratch);
    let one = session.edit("a.txt").replace("one", "1").plan().unwrap();
    let other = session.edit("a.txt").replace("seven", "7").plan().unwrap();
    one.commit().unwrap();
    assert_eq!(other.commit().unwrap_err().kind(), ErrorKind::StaleFile);
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\ntwo\nthree\nfour\nfive\nsix\nseven\n"));
}

#[test]
fn plans_apart_do_not_meet() {
    let scratch = files();
    let session = seen(&scratch);
    let one = session.edit("a.txt").replace("one", "1").plan().unwrap();
    let other = session.create("new.txt", "new\n").plan().unwrap();
    other.commit().unwrap();
    one.commit().unwrap();
}

/// Each file's content and the target of its link are the same text, so their hashes are as well.
fn files_like_links() -> Scratch {
    let scratch = Scratch::with(&[("f.txt", "f.txt"), ("d/x", "x\n"), ("d/sub/y", "y\n")]);
    chmod(&scratch, "f.txt", 0o644);
    symlink("l.txt", scratch.path("l.txt")).unwrap();
    fs::create_dir_all(scratch.path("empty/inner")).unwrap();
    scratch
}

fn all_seen(scratch: &Scratch) -> Session {
    let session = scratch.session();
    for file in ["f.txt", "d/x"] {
        session.read(file).unwrap();
    }
    for folder in [".", "d", "d/sub", "empty"] {
        session.list(folder).hashes().run().unwrap();
    }
    session
}

fn chmod(scratch: &Scratch, path: &str, mode: u32) {
    fs::set_permissions(scratch.path(path), fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(scratch: &Scratch, path: &str) -> u32 {
    fs::metadata(scratch.path(path)).unwrap().permissions().mode() & 0o7777
}

/// Plans, lets another program do something that leaves every hash as it is, and commits or proposes.
fn check_meddled(name: &str, plan: Plan, meddle: fn(&Scratch), path: &str) {
    for propose in [false, true] {
        let scratch = files_like_links();
        let planned = plan(&all_seen(&scratch)).map_err(|error| format!("{name}: {error}")).unwrap();
        meddle(&scratch);
        let ended = match propose {
            false => planned.commit(),
            true => planned.propose().map(|_| panic!("{name} was proposed")),
        };
        check(name, &scratch, ended, path);
    }
}

const FILE_PLANS: &[(&str, Plan)] = &[
    ("edit", |session| session.edit("f.txt").replace("f", "g").plan()),
    ("executable edit", |session| session.edit("f.txt").replace("f", "g").executable().plan()),
    ("executable", |session| session.write("f.txt", "f.txt").executable().plan()),
    ("write", |session| session.write("f.txt", "x\n").plan()),
    ("delete", |session| session.delete("f.txt").plan()),
    ("rename", |session| session.rename("f.txt", "new.txt").plan()),
    ("replaced", |session| session.rename("d/x", "f.txt").replace_existing().plan()),
    ("patch", |session| {
        session.patch("--- a/f.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-f.txt\n\\ No newline at end of file\n").plan()
    }),
];

#[test]
fn other_permission_bits_are_refused() {
    for (name, plan) in FILE_PLANS {
        check_meddled(name, *plan, |scratch| chmod(scratch, "f.txt", 0o600), "f.txt");
        check_meddled(name, *plan, |scratch| chmod(scratch, "f.txt", 0o777), "f.txt");
    }
    check_meddled(
        "folder",
        |session| session.delete("d").recursive().plan(),
        |scratch| chmod(scratch, "d/x", 0o600),
        "d/x",
    );
}

#[test]
fn a_link_in_the_place_of_a_file_is_refused_and_the_reverse() {
    let link = |scratch: &Scratch| {
        fs::remove_file(scratch.path("f.txt")).unwrap();
        symlink("f.txt", scratch.path("f.txt")).unwrap();
    };
    for (name, plan) in FILE_PLANS {
        check_meddled(name, *plan, link, "f.txt");
    }
    let file = |scratch: &Scratch| {
        fs::remove_file(scratch.path("l.txt")).unwrap();
        scratch.put("l.txt", "l.txt");
    };
    check_meddled("delete", |session| session.delete("l.txt").plan(), file, "l.txt");
    check_meddled("rename", |session| session.rename("l.txt", "m.txt").plan(), file, "l.txt");
}

#[test]
fn other_folders_than_were_shown_are_refused() {
    let plans: [(&str, Plan, Plan); 2] = [
        (
            "delete",
            |session| session.delete("d").recursive().plan(),
            |session| session.delete("empty").recursive().plan(),
        ),
        (
            "rename",
            |session| session.rename("d", "e").recursive().plan(),
            |session| session.rename("empty", "e").recursive().plan(),
        ),
    ];
    for (name, filled, empty) in plans {
        check_meddled(name, filled, |scratch| fs::create_dir(scratch.path("d/new")).unwrap(), "d/new");
        check_meddled(name, filled, |scratch| fs::create_dir(scratch.path("d/sub/new")).unwrap(), "d/sub/new");
        check_meddled(name, empty, |scratch| fs::remove_dir(scratch.path("empty/inner")).unwrap(), "empty/inner");
        check_meddled(name, empty, |scratch| fs::remove_dir_all(scratch.path("empty")).unwrap(), "empty");
        let linked = |scratch: &Scratch| {
            fs::rename(scratch.path("empty"), scratch.path("elsewhere")).unwrap();
            symlink("elsewhere", scratch.path("empty")).unwrap();
        };
        check_meddled(name, empty, linked, "empty");
        let covered = |scratch: &Scratch| {
            fs::remove_dir_all(scratch.path("d/sub")).unwrap();
            scratch.put("d/sub", "a file");
        };
        check_meddled(name, filled, covered, "d/sub/y");
    }
}

#[test]
fn an_undo_is_bound_to_permission_bits_and_folders() {
    let scratch = files_like_links();
    let session = scratch.session();
    session.read("f.txt").unwrap();
    let change = session.write("f.txt", "f.txt").executable().plan().unwrap().commit().unwrap();
    let undo = session.undo(change.batch()).unwrap();
    chmod(&scratch, "f.txt", 0o777);
    let error = undo.commit().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::StaleFile, Some("f.txt")));
    assert_eq!(mode(&scratch, "f.txt"), 0o777);

    let change = session.create("n/a", "a\n").create_folders().plan().unwrap().commit().unwrap();
    let undo = session.undo(change.batch()).unwrap();
    fs::create_dir(scratch.path("n/new")).unwrap();
    // It would no longer remove the folder.
    let error = undo.commit().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::StaleFile, Some("n")));
    session.undo(change.batch()).unwrap().commit().unwrap();
    assert!(scratch.path("n/new").exists());
}

const FOLDER_PLANS: &[(&str, Plan)] = &[
    ("delete folder", |session| session.delete("d").recursive().plan()),
    ("rename folder", |session| session.rename("d", "e").recursive().plan()),
    ("delete empty folders", |session| session.delete("empty").recursive().plan()),
    ("rename empty folders", |session| session.rename("empty", "e").recursive().plan()),
];

#[test]
fn what_stays_as_it_was_is_carried_out() {
    for (name, plan) in FILE_PLANS.iter().chain(FOLDER_PLANS) {
        let scratch = files_like_links();
        let session = all_seen(&scratch);
        let proposal = plan(&session).unwrap().propose().unwrap();
        let change = proposal.plan().unwrap().commit().map_err(|error| format!("{name}, proposed: {error}")).unwrap();
        session.undo(change.batch()).unwrap().commit().map_err(|error| format!("{name}, undone: {error}")).unwrap();
        let session = all_seen(&scratch);
        let change = plan(&session).unwrap().commit().map_err(|error| format!("{name}: {error}")).unwrap();
        session.undo(change.batch()).unwrap().commit().map_err(|error| format!("{name}, undone: {error}")).unwrap();
        assert_eq!((scratch.text("f.txt").as_deref(), mode(&scratch, "f.txt")), (Some("f.txt"), 0o644), "{name}");
        assert!(scratch.path("d/sub/y").exists() && scratch.path("empty/inner").exists(), "{name}");
    }
}

#[test]
fn a_folder_that_is_there_already_is_not_stale() {
    let scratch = files_like_links();
    let session = scratch.session();
    let plan = |path: &str| session.create(path, "a\n").create_folders().plan().unwrap();
    let (one, other) = (plan("n/a"), plan("n/b"));
    one.commit().unwrap();
    other.commit().unwrap();
}

#[test]
fn an_undo_through_a_link_can_be_committed() {
    let scratch = files_like_links();
    let session = all_seen(&scratch);
    let change = session.write("d/x", "z\n").plan().unwrap().commit().unwrap();
    fs::rename(scratch.path("d"), scratch.path("moved")).unwrap();
    symlink("moved", scratch.path("d")).unwrap();
    session.undo(change.batch()).unwrap().commit().unwrap();
    assert_eq!(scratch.text("moved/x").as_deref(), Some("x\n"));
}

//! A plan is bound to what it showed: between plan and commit nothing may have changed.

use super::Scratch;
use patchwright_lib::{Change, Error, ErrorKind, Planned, Session};
use std::fs;

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

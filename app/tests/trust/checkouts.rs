//! A branch that tracks records, checked out over a workspace in use: version control takes ignored files for
//! expendable, and overwrites them without a word.

use crate::forged::{ENTRY, SCRIPT, ship};
use crate::frames::deletion;
use crate::git::{commit, git, init};
use crate::place::{Place, names};
use crate::snapshot::snapshot;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Makes a branch `evil` in a repository, as somebody who knows the ids would: records in the folder `below`.
fn evil(place: &Place, repository: &Path, below: &str, payload: &[u8]) {
    let ids = place.ids();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let theirs = place.at("theirs");
    git(place.dir.path(), &["clone", "--quiet", repository.to_str().unwrap(), theirs.to_str().unwrap()]);
    git(&theirs, &["checkout", "--quiet", "-b", "evil"]);
    ship(&theirs.join(below), &ids, payload);
    symlink(".git", theirs.join("vendor")).unwrap();
    commit(&theirs, "harmless");
    git(repository, &["fetch", "--quiet", theirs.to_str().unwrap(), "evil:evil"]);
}

/// Everything that looks does no more than that.
fn look(place: &Place) {
    let before = snapshot(&place.root);
    for args in [&["read", "a.txt"][..], &["--read-only", "log"], &["trash", "list"], &["doctor"], &["audit", "verify"]]
    {
        let told = place.run(args).told();
        assert_eq!(place.changes(&before), Vec::<String>::new(), "{args:?} told {told}");
    }
}

#[test]
fn a_branch_with_records_leaves_ours_alone() {
    for path in ["vendor/hooks/pre-commit", "d/planted"] {
        let place = Place::new();
        init(&place.root);
        fs::create_dir_all(place.path(".git/hooks")).unwrap();
        place.make("one.txt");
        let log = fs::read(place.record().join("log")).unwrap();
        evil(&place, &place.root, ".", &deletion(path, ENTRY, SCRIPT));
        git(&place.root, &["checkout", "--quiet", "evil"]);
        assert!(place.path(".patchwright/log").exists(), "the branch brought its records");
        look(&place);
        assert_eq!(fs::read(place.path(".git/patchwright").join(&place.ids()[0]).join("log")).unwrap(), log);
        assert_eq!((place.history(), place.verify()), (vec!["one.txt".to_owned()], Some(0)));
        let before = snapshot(&place.root);
        let told = place.make("two.txt").told();
        assert_eq!(place.changes(&before), ["two.txt"], "{told}");
        assert!(!place.path(path).exists(), "planted");
        assert_eq!((place.history().len(), place.verify()), (2, Some(0)));
    }
}

#[test]
fn a_branch_that_overwrites_our_record_brings_nothing_about() {
    // The root lies below that of the repository, so the record stands in the work tree.
    let place = Place::new();
    let repository = place.at("repository");
    fs::create_dir(&repository).unwrap();
    fs::rename(&place.root, repository.join("sub")).unwrap();
    init(&repository);
    let place = place.rooted(repository.join("sub"));
    place.make("one.txt");
    assert_eq!(place.record().parent().unwrap(), place.path(".patchwright"));
    let (record, log) = (place.record(), fs::read(place.record().join("log")).unwrap());
    evil(&place, &repository, "sub", &deletion("d/planted", ENTRY, SCRIPT));
    git(&repository, &["checkout", "--quiet", "evil"]);
    assert_ne!(fs::read(record.join("log")).unwrap(), log, "git overwrites what is ignored");
    look(&place);
    assert_eq!(place.verify(), Some(1), "that history is shorter shows");
    let before = snapshot(&place.root);
    let told = place.make("two.txt").told();
    assert_eq!(place.changes(&before), ["two.txt"], "{told}");
    assert!(!place.path("d/planted").exists(), "planted");
    assert_eq!(place.history(), ["two.txt"], "what they wrote is nobody's history");
    assert_eq!(place.verify(), Some(1), "until somebody has looked");
    place.run(&["adopt", &place.ids()[0], "--yes"]).is(0, "a person looks");
    assert_eq!(place.verify(), Some(0));
    assert!(!place.path("d/planted").exists(), "planted");
}

#[test]
fn a_branch_with_records_in_a_linked_worktree() {
    let place = Place::new();
    init(&place.root);
    let linked = place.at("linked");
    git(&place.root, &["worktree", "add", "--quiet", "-b", "side", linked.to_str().unwrap()]);
    place.make_in(&linked, "one.txt");
    evil(&place, &place.root, ".", &deletion("d/planted", ENTRY, SCRIPT));
    git(&linked, &["checkout", "--quiet", "evil"]);
    place.make_in(&linked, "two.txt");
    assert_eq!(place.history_in(&linked), ["one.txt", "two.txt"]);
    place.run_in(&linked, &["audit", "verify"]).is(0, "the record in the repository's own folder");
    assert!(!linked.join("d/planted").exists() && !linked.join("vendor/hooks/pre-commit").exists());
    assert_eq!(names(&place.path(".git/worktrees/linked/patchwright")), place.ids());
}

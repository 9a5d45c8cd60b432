//! What one version staged, a later one recovers. Each folder under `journals` is a workspace as a killed
//! process of that version left it: `tree`, with its state folder renamed to `state`, and `recovered`, the
//! tree that recovery must bring back. A log of version 0.1 proves nothing about who wrote it, so where it stands it is
//! left alone; the records in it are recovered from a log of our own.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::core::tool::{Call, CreateFile, ReadFile};
use patchwright::core::warning::Warning;
use patchwright::{Options, Quiet, Workspace};
use patchwright_testkit::tree::Tree;
use patchwright_testkit::{home, journal};
use std::fs;
use std::path::{Path, PathBuf};

fn journals() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let all: Vec<PathBuf> = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(all.len() >= 4, "{all:?}");
    all
}

fn open(root: &Path) -> Workspace {
    Workspace::open(root, Options { home: home::at(), ..Options::default() }).unwrap()
}

fn tree(root: &Path) -> Tree {
    Tree::read(root).unwrap()
}

#[test]
fn every_old_record_is_recovered_from_our_own_log() {
    for journal in journals() {
        let (root, recovered) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        journal::copy(&journal.join("recovered"), recovered.path()).unwrap();
        journal::leave(&journal, root.path());
        let differs = tree(recovered.path()).difference(&tree(root.path()));
        assert!(!differs.is_empty(), "{} has nothing to recover", journal.display());
        let workspace = open(root.path());
        let differs = tree(recovered.path()).difference(&tree(root.path()));
        assert!(differs.is_empty(), "{}: {differs:?}", journal.display());
        assert!(workspace.audit_verify(None).unwrap().findings.is_empty());
    }
}

#[test]
fn an_old_log_is_left_alone_and_the_first_change_says_so() {
    for journal in journals() {
        let root = tempfile::tempdir().unwrap();
        journal::copy(&journal.join("tree"), root.path()).unwrap();
        journal::copy(&journal.join("state"), &root.path().join(".patchwright")).unwrap();
        let before = tree(root.path());
        let state = tree(&root.path().join(".patchwright"));
        let workspace = open(root.path());
        let name = before.items.keys().next().unwrap();
        let looked = workspace.call(&Call::ReadFile(ReadFile::new(name)), &Quiet).unwrap();
        assert_eq!(looked.warnings, [], "{}", journal.display());
        assert_eq!((tree(root.path()), tree(&root.path().join(".patchwright"))), (before.clone(), state.clone()));
        let check = workspace.audit_verify(None).unwrap();
        assert_eq!((check.records, check.findings.len()), (0, 0));
        let made = workspace.call(&Call::CreateFile(CreateFile::new("made", "x")), &Quiet).unwrap();
        assert_eq!(made.warnings, [Warning::OtherRecords { count: 1 }]);
        let again = open(root.path()).call(&Call::CreateFile(CreateFile::new("again", "x")), &Quiet).unwrap();
        assert_eq!(again.warnings, [], "it is told once");
        let mut after = tree(root.path());
        after.items.retain(|path, _| !["made", "again"].contains(&path.as_str()));
        assert_eq!(after, before, "{}", journal.display());
        let now = tree(&root.path().join(".patchwright"));
        assert!(state.items.iter().all(|(path, item)| path == ".gitignore" || now.items.get(path) == Some(item)));
    }
}

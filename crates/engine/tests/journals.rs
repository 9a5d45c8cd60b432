//! What one version staged, a later one recovers. Each folder under `journals` is a workspace as a killed
//! process of that version left it: `tree`, with its records as `state`, and `recovered`, the tree that recovery must
//! bring back. From version 0.2 on `home` has what was kept there, but for the note of the root.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::{HomeAt, Options, Session, Unfinished};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A journal, laid out to be opened.
struct Laid {
    root: tempfile::TempDir,
    home: tempfile::TempDir,
    recovered: BTreeMap<String, Vec<u8>>,
    name: String,
}

impl Laid {
    fn open(&self) -> Session {
        let home = HomeAt::Folder(self.home.path().to_owned());
        Session::open(self.root.path(), Options { home, ..Options::default() }).unwrap()
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files(self.root.path())
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            fs::copy(source, target).unwrap();
        }
    }
}

fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let shown = entries.filter(|path| !path.ends_with(".patchwright"));
    shown.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())).collect()
}

/// The journals of a version, at least this many.
fn journals(version: &str, least: usize) -> Vec<Laid> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let named = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(version);
    let found = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).filter(named);
    let laid: Vec<Laid> = found.map(|journal| lay_out(&journal)).collect();
    assert!(laid.len() >= least, "{} journals of {version}", laid.len());
    laid
}

fn lay_out(journal: &Path) -> Laid {
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy(&journal.join("tree"), root.path());
    copy(&journal.join("state"), &root.path().join(".patchwright"));
    fs::create_dir(home.path().join("ws")).unwrap();
    if journal.join("home").is_dir() {
        copy(&journal.join("home"), &home.path().join("ws"));
    }
    for own in fs::read_dir(home.path().join("ws")).unwrap().map(|entry| entry.unwrap().path()) {
        let path = root.path().canonicalize().unwrap();
        fs::write(own.join("root"), format!("0 0\n{}", path.display())).unwrap();
        fs::set_permissions(own.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
    }
    let (name, recovered) = (journal.display().to_string(), files(&journal.join("recovered")));
    assert_ne!(files(root.path()), recovered, "{name} has nothing to recover");
    Laid { root, home, recovered, name }
}

#[test]
fn journals_of_ours_are_recovered() {
    for laid in journals("v0.2", 6) {
        let workspace = laid.open();
        assert_eq!(laid.files(), laid.recovered, "{}", laid.name);
        assert!(workspace.audit_verify(None).unwrap().findings.is_empty(), "{}", laid.name);
    }
}

/// They carry no tags, so that anybody could have made them: nothing happens until a person says so.
#[test]
fn journals_of_0_1_are_taken_back_when_they_are_adopted() {
    for laid in journals("v0.1", 6) {
        let before = laid.files();
        let workspace = laid.open();
        assert_eq!(laid.files(), before, "{}", laid.name);
        let found = workspace.adoptable().unwrap();
        assert_eq!((found.own, found.others.len()), (None, 1), "{}", laid.name);
        workspace.adopt(&found.others[0], Unfinished::TakenBack).unwrap();
        assert_eq!(laid.files(), laid.recovered, "{}", laid.name);
        assert!(workspace.audit_verify(None).unwrap().findings.is_empty(), "{}", laid.name);
    }
}

#[test]
fn journals_that_are_adopted_without_taking_back_leave_the_files() {
    for laid in journals("v0.1", 6) {
        let before = laid.files();
        let workspace = laid.open();
        let found = workspace.adoptable().unwrap();
        workspace.adopt(&found.others[0], Unfinished::Left).unwrap();
        drop(workspace);
        let again = laid.open();
        assert_eq!(laid.files(), before, "{}", laid.name);
        assert!(again.audit_verify(None).unwrap().findings.is_empty(), "{}", laid.name);
        assert!(again.adoptable().unwrap().others.is_empty(), "{}", laid.name);
    }
}

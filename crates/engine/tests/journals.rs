//! What one version staged, a later one recovers. Each folder under `journals` is a workspace as a killed
//! process of that version left it: `tree`, with its state folder renamed to `state`, and `recovered`, the
//! tree that recovery must bring back.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::{Options, Workspace};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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

#[test]
fn every_old_journal_is_recovered() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let mut seen = 0;
    for journal in fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()) {
        let root = tempfile::tempdir().unwrap();
        copy(&journal.join("tree"), root.path());
        copy(&journal.join("state"), &root.path().join(".patchwright"));
        assert_ne!(
            files(root.path()),
            files(&journal.join("recovered")),
            "{} has nothing to recover",
            journal.display()
        );
        let workspace = Workspace::open(root.path(), Options::default()).unwrap();
        assert_eq!(files(root.path()), files(&journal.join("recovered")), "{}", journal.display());
        assert!(workspace.audit_verify(None).unwrap().findings.is_empty());
        seen += 1;
    }
    assert!(seen >= 4, "{seen} journals");
}

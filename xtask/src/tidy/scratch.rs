//! A copy of parts of this project in a temporary folder, for tests that plant faults.

use super::tree::Tree;
use super::{Check, Complaint};
use crate::run;
use std::fs;
use std::path::Path;

/// Where faults are planted: a check, and the files of the project that it looks at.
pub(super) struct Bed {
    pub(super) check: Check,
    pub(super) needs: fn(&str) -> bool,
}

/// A fault to plant.
pub(super) enum Plant<'a> {
    /// Text added after what the file holds.
    Append(&'a str, &'a str),
    /// A file with exactly this text, new or replaced.
    Write(&'a str, &'a str),
    /// The first occurrence of one text in a file, replaced by another.
    Replace(&'a str, &'a str, &'a str),
    /// A file that goes away.
    Remove(&'a str),
}

/// Copies the project, plants the faults, and expects new complaints: for each of `words` one that
/// contains it.
pub(super) fn expect<W: AsRef<str>>(bed: &Bed, plants: &[Plant<'_>], words: &[W]) {
    let fresh = complaints(bed, plants);
    for word in words.iter().map(AsRef::as_ref) {
        assert!(fresh.iter().any(|line| line.contains(word)), "no complaint with {word:?}; new ones: {fresh:#?}");
    }
}

/// Copies the project, plants something harmless, and expects no new complaint.
pub(super) fn expect_none(bed: &Bed, plants: &[Plant<'_>]) {
    let fresh = complaints(bed, plants);
    assert!(fresh.is_empty(), "{fresh:#?}");
}

/// The complaints that a plant brings, over those that were there before.
fn complaints(bed: &Bed, plants: &[Plant<'_>]) -> Vec<String> {
    let home = run::project_root().expect("cargo says where the project is");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Tree::read(&home).expect("the project can be listed");
    for path in source.files().filter(|path| (bed.needs)(path)) {
        let to = folder.path().join(path);
        fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
        fs::copy(home.join(path), to).expect("a copy");
    }
    let before = all(bed.check, folder.path());
    for plant in plants {
        plant.set(folder.path());
    }
    all(bed.check, folder.path()).into_iter().filter(|one| !before.contains(one)).map(|one| one.to_string()).collect()
}

fn all(check: Check, root: &Path) -> Vec<Complaint> {
    check(&Tree::read(root).expect("a listing")).expect("a check that runs")
}

impl Plant<'_> {
    fn set(&self, root: &Path) {
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap_or_default();
        let write = |path: &str, text: String| {
            let to = root.join(path);
            fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
            fs::write(to, text).expect("a file");
        };
        match self {
            Plant::Append(path, text) => write(path, read(path) + text),
            Plant::Write(path, text) => write(path, (*text).to_owned()),
            Plant::Remove(path) => fs::remove_file(root.join(path)).expect("a file to remove"),
            Plant::Replace(path, old, new) => {
                let text = read(path);
                assert!(text.contains(old), "{path} does not hold {old:?}");
                write(path, text.replacen(old, new, 1));
            }
        }
    }
}

//! What a workspace's state keeps: displaced files, read as anybody could read them.

use patchwright_engine::core::digest::Digest;
use std::fs;
use std::path::{Path, PathBuf};

/// Displaced files.
pub(in crate::prove::rivals) trait Kept {
    /// Is a file with exactly this content kept?
    fn holds(&self, hash: &str) -> bool;
    /// Is a file kept as the pre-image with this hash, whatever it says by now?
    fn names(&self, hash: &str) -> bool;
    /// Does a kept file say this?
    fn says(&self, text: &str) -> bool;
}

/// The shelves of a workspace.
pub(in crate::prove::rivals) struct Shelves {
    root: PathBuf,
}

impl Shelves {
    pub(in crate::prove::rivals) fn of(root: &Path) -> Shelves {
        Shelves { root: root.to_owned() }
    }

    /// Shelves of this name; none before the first change.
    fn shelves(&self, name: &str) -> Vec<PathBuf> {
        patchwright_testkit::home::records(&self.root).into_iter().map(|record| record.join(name)).collect()
    }

    fn any(&self, is: impl Fn(&[u8]) -> bool) -> bool {
        let folders = ["blobs", "trash"].into_iter().flat_map(|name| self.shelves(name));
        let folders = folders.filter_map(|folder| fs::read_dir(folder).ok());
        let files = folders.flatten().filter_map(Result::ok).filter_map(|entry| fs::read(entry.path()).ok());
        files.into_iter().any(|bytes| is(&bytes))
    }
}

impl Kept for Shelves {
    fn holds(&self, hash: &str) -> bool {
        let is = |bytes: &[u8]| Digest::of(bytes).to_string() == hash;
        let named = self.shelves("blobs").iter().any(|blobs| fs::read(blobs.join(hash)).is_ok_and(|bytes| is(&bytes)));
        named || self.any(is)
    }

    fn names(&self, hash: &str) -> bool {
        self.shelves("blobs").iter().any(|blobs| blobs.join(hash).exists())
    }

    fn says(&self, text: &str) -> bool {
        let finder = text.as_bytes();
        self.any(|bytes| bytes.windows(finder.len()).any(|part| part == finder))
    }
}

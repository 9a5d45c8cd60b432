//! What a workspace's state keeps: displaced files, read as anybody could read them.

use patchwright::core::digest::Digest;
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
    blobs: PathBuf,
    trash: PathBuf,
}

impl Shelves {
    pub(in crate::prove::rivals) fn of(root: &Path) -> Shelves {
        let state = root.join(patchwright_testkit::tree::STATE);
        Shelves { blobs: state.join("blobs"), trash: state.join("trash") }
    }

    fn any(&self, is: impl Fn(&[u8]) -> bool) -> bool {
        let folders = [&self.blobs, &self.trash].into_iter().filter_map(|folder| fs::read_dir(folder).ok());
        let files = folders.flatten().filter_map(Result::ok).filter_map(|entry| fs::read(entry.path()).ok());
        files.into_iter().any(|bytes| is(&bytes))
    }
}

impl Kept for Shelves {
    fn holds(&self, hash: &str) -> bool {
        let is = |bytes: &[u8]| Digest::of(bytes).to_string() == hash;
        fs::read(self.blobs.join(hash)).is_ok_and(|bytes| is(&bytes)) || self.any(is)
    }

    fn names(&self, hash: &str) -> bool {
        self.blobs.join(hash).exists()
    }

    fn says(&self, text: &str) -> bool {
        let finder = text.as_bytes();
        self.any(|bytes| bytes.windows(finder.len()).any(|part| part == finder))
    }
}

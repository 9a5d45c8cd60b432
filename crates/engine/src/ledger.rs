//! What this session has last seen of each file: its proof of sight when a call brings no hash.

use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use std::collections::HashMap;

/// The files this session has read or written, by where they really are.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    seen: HashMap<RelPath, Digest>,
}

impl Ledger {
    /// The session has read or written these bytes.
    pub(crate) fn saw(&mut self, path: RelPath, digest: Digest) {
        self.seen.insert(path, digest);
    }

    /// The file is gone.
    pub(crate) fn forget(&mut self, path: &RelPath) {
        self.seen.remove(path);
    }

    /// What the session last saw.
    pub(crate) fn last_seen(&self, path: &RelPath) -> Option<Digest> {
        self.seen.get(path).copied()
    }
}

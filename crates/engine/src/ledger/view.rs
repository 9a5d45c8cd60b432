//! A version of a file that never stood anywhere: what a session knows of it after an edit beside others' changes. It
//! has seen an earlier version and its own edit, not what the others did.

use super::Ledger;
use patchwright_core::digest::Digest;
use patchwright_core::history::Delta;
use patchwright_core::path::RelPath;

/// Of one file, so many bytes are kept.
const MOST: usize = 64 << 10;

/// A version by one that is on record, and what turns that into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) base: Digest,
    pub(crate) delta: Delta,
}

impl View {
    /// Is it worth keeping? Without it the next edit is told that the file has changed.
    fn is_small(&self) -> bool {
        self.delta.0.iter().map(|cut| cut.new.len()).sum::<usize>() <= MOST
    }
}

impl Ledger {
    /// The last seen version never stood anywhere: it is made so.
    pub(crate) fn viewed(&mut self, path: &RelPath, version: Digest, view: View) {
        if let Some(known) = self.files.get_mut(path).filter(|_| view.is_small()) {
            known.view = Some((version, view));
        }
    }

    /// How a version is made that never stood anywhere, where it is the last one seen.
    pub(crate) fn view(&self, path: &RelPath, version: Digest) -> Option<View> {
        let known = self.files.get(path).filter(|known| known.digest == Some(version))?;
        let (_, view) = known.view.as_ref().filter(|(digest, _)| *digest == version)?;
        Some(view.clone())
    }
}

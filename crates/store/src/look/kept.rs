//! The lines that are going to be shown, kept while the file passes by.
//!
//! Promises to keep the first of them whole, and of the others little more than may be shown.

use super::scan::{Wanted, wanted_part};

/// Lines to show.
pub(super) struct Kept {
    wanted: Wanted,
    pub(super) bytes: Vec<u8>,
    /// Has the first line ended?
    begun: bool,
}

impl Kept {
    pub(super) fn new(wanted: Wanted) -> Kept {
        Kept { wanted, bytes: Vec::new(), begun: false }
    }

    /// Whole lines, before which there were so many.
    pub(super) fn see(&mut self, text: &[u8], before: usize) {
        let part = wanted_part(&self.wanted, before, text);
        let room = self.wanted.max_bytes.saturating_add(1).saturating_sub(self.bytes.len());
        let room =
            if self.begun { room } else { room.max(memchr::memchr(b'\n', part).map_or(part.len(), |at| at + 1)) };
        self.begun |= !part.is_empty();
        self.bytes.extend_from_slice(part.get(..room).unwrap_or(part));
    }
}

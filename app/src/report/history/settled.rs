//! What sort of decision an answer tells of.

use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::{Extent, Settled};

/// Was a proposal dropped? A dry run leaves it as it stands, and has nothing else to show.
pub(super) fn is_rejection(settled: &Settled) -> bool {
    let nothing = settled.files.is_empty() && settled.changes.is_empty() && settled.undone.is_empty();
    settled.status == BatchStatus::Rejected || (settled.extent == Extent::Dry && nothing)
}

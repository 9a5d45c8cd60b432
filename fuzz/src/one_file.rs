//! One file, one wish: planned, and the plan looked over.

use patchwright_core::digest::Digest;
use patchwright_core::history::{Piece, Span, check_spans};
use patchwright_core::intent::Intent;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Plan, Seen, Snapshot, SnapshotFile, Step, plan};
use patchwright_core::refusal::Refusal;

/// The name of the one file.
pub(crate) const NAME: &str = "f";

/// A path from a spelling that is one.
pub(crate) fn path(spelt: &str) -> RelPath {
    RelPath::parse(spelt, &[]).unwrap_or_else(|problem| panic!("{spelt:?}: {problem:?}"))
}

/// A file in a snapshot.
pub(crate) fn seen(spelt: &str, raw: &[u8], inode: u64) -> Seen {
    Seen::File(SnapshotFile {
        real: path(spelt),
        bytes: Some(raw.to_vec().into()),
        digest: Digest::of(raw),
        size: raw.len() as u64,
        mode: 0o644,
        id: (1, inode),
    })
}

/// The bytes that a wish leaves of a file, or why it is refused.
pub(crate) fn planned(raw: &[u8], intent: Intent) -> Result<Vec<u8>, Refusal> {
    let mut snapshot = Snapshot::default();
    snapshot.add(path(NAME), seen(NAME, raw, 1));
    let plan = plan(&snapshot, &[intent])?;
    Ok(after(raw, &plan))
}

fn after(raw: &[u8], plan: &Plan) -> Vec<u8> {
    match plan.steps.as_slice() {
        [] => raw.to_vec(),
        [Step { path, act: Act::Replace { before, after, digest, aside }, changes, .. }] => {
            let bytes = after.to_vec();
            assert_eq!((path.as_str(), *aside), (NAME, Aside::Kept), "another file is to change");
            assert_eq!((*before, *digest), (Digest::of(raw), Digest::of(&bytes)), "the hashes are others");
            assert_ne!(bytes, raw, "a step that changes nothing");
            let span = |line: usize, count: usize| Span { first: line.saturating_sub(1), count };
            let piece = |change: &patchwright_core::plan::Change| Piece {
                before: span(change.before_line, change.before_lines),
                after: span(change.after_line, change.after_lines),
                ..Piece::default()
            };
            let pieces: Vec<Piece> = changes.iter().map(piece).collect();
            assert!(check_spans(raw, &bytes, &pieces), "the record does not tell the difference: {pieces:?}");
            bytes
        }
        steps => panic!("more than the one file is to change: {steps:?}"),
    }
}

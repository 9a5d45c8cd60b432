//! Pieces of a change in their order, and whether they tell all of it.

use super::{Piece, RawLines};

/// More lines than this no version has: spans that say so are nonsense.
const MOST_LINES: usize = 1 << 26;

/// Do pieces tell all that is different between two versions? Then they are apart or identical, and every line
/// outside them is the same, terminators aside.
///
/// ```
/// use patchwright_core::history::{Piece, Span, check_spans};
/// let line = Span { first: 1, count: 1 };
/// let piece = Piece { id: "p".into(), before: line, after: line, restores: Vec::new() };
/// assert!(check_spans(b"a\nb\n", b"a\nc\n", &[piece.clone()]));
/// assert!(!check_spans(b"a\nb\n", b"x\nc\n", &[piece]));
/// ```
pub fn check_spans(before: &[u8], after: &[u8], pieces: &[Piece]) -> bool {
    let (old, new) = (RawLines::of(before), RawLines::of(after));
    let groups = grouped(pieces);
    // A mark that comes or goes belongs to no line, and so to no piece.
    if old.mark() != new.mark() || !fit(&groups, old.len()) {
        return false;
    }
    let (mut above, mut below) = (0, 0);
    for piece in groups.iter().filter_map(|group| group.first()) {
        let same = (above..piece.before.first).zip(below..).all(|(one, two)| old.text(one) == new.text(two));
        if !same || piece.after.end() > new.len() {
            return false;
        }
        (above, below) = (piece.before.end(), piece.after.end());
    }
    old.len() - above == new.len() - below
        && (above..old.len()).zip(below..).all(|(one, two)| old.text(one) == new.text(two))
}

/// Pieces with equal spans together, in the order of the file.
pub(super) fn grouped(pieces: &[Piece]) -> Vec<Vec<&Piece>> {
    let mut sorted: Vec<&Piece> = pieces.iter().collect();
    sorted.sort_by_key(|piece| (piece.before.first, piece.after.first, piece.before.count, piece.after.count));
    let same = |one: &&Piece, two: &&Piece| {
        (one.before, one.after) == (two.before, two.after) && (one.before.count > 0 || one.after.count > 0)
    };
    sorted.chunk_by(same).map(<[&Piece]>::to_vec).collect()
}

/// Do groups of pieces tell apart what became of a version with so many lines?
pub(super) fn fit(groups: &[Vec<&Piece>], lines: usize) -> bool {
    let (mut old, mut new) = (0, 0);
    groups.iter().filter_map(|group| group.first()).all(|piece| {
        let (above, below) = (piece.before.first.checked_sub(old), piece.after.first.checked_sub(new));
        (old, new) = (piece.before.end(), piece.after.end());
        above.is_some() && above == below && old <= lines && piece.after.count <= MOST_LINES
    })
}

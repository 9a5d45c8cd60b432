//! New bytes for a file, most of which may be its old ones: those are shared, not copied.
//!
//! Promises that ranges lie inside the old bytes, so that all pieces are there. Leaves it to the store to
//! write them down one after the other.

use super::Splices;
use crate::bytes::Bytes;
use crate::digest::{Digest, Hasher, Trail};
use std::borrow::Cow;

/// Bytes in one piece or in several.
///
/// ```
/// use patchwright_core::text::{Splice, Splices, splice::Pieces};
/// let edit = Splices::new(vec![Splice { range: 4..7, text: b"2".to_vec() }]).unwrap();
/// let pieces = Pieces::spliced(b"one two three".to_vec().into(), 0, edit).unwrap();
/// assert_eq!(pieces.slices().collect::<Vec<_>>(), [&b"one "[..], b"2", b" three"]);
/// assert_eq!(pieces.len(), 11);
/// ```
#[derive(Clone, Debug)]
pub struct Pieces(Inner);

#[derive(Clone, Debug)]
enum Inner {
    Whole(Bytes),
    Spliced(Spliced),
}

#[derive(Clone, Debug)]
struct Spliced {
    old: Bytes,
    /// How many bytes at the beginning no edit counts.
    mark: usize,
    edit: Splices,
}

impl Pieces {
    /// What an edit makes of old bytes, of which the first `mark` stay and are not counted by its ranges. `None`
    /// if a range lies outside.
    pub fn spliced(old: Bytes, mark: usize, edit: Splices) -> Option<Pieces> {
        let body = old.get(mark..)?.len();
        (edit.end() <= body).then_some(Pieces(Inner::Spliced(Spliced { old, mark, edit })))
    }

    /// The bytes piece by piece.
    pub fn slices(&self) -> impl Iterator<Item = &[u8]> {
        let (whole, spliced) = match &self.0 {
            Inner::Whole(bytes) => (Some(bytes.as_slice()), None),
            Inner::Spliced(spliced) => (None, Some(spliced.parts())),
        };
        whole.into_iter().chain(spliced.into_iter().flatten())
    }

    /// How many bytes they are.
    pub fn len(&self) -> usize {
        self.slices().map(<[u8]>::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes together; copied only where they are in several pieces.
    pub fn whole(&self) -> Cow<'_, [u8]> {
        match &self.0 {
            Inner::Whole(bytes) => Cow::Borrowed(bytes),
            Inner::Spliced(_) => Cow::Owned(self.to_vec()),
        }
    }

    /// A copy of all bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        self.slices().for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// A copy of the first so many bytes, or of all if they are fewer.
    pub fn head(&self, len: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len.min(self.len()));
        for piece in self.slices() {
            let room = len.saturating_sub(bytes.len());
            bytes.extend_from_slice(piece.get(..room).unwrap_or(piece));
        }
        bytes
    }

    /// The old bytes, the length of their mark, and what happens to the rest; nothing if they are in one piece.
    pub fn edit(&self) -> Option<(&Bytes, usize, &Splices)> {
        match &self.0 {
            Inner::Whole(_) => None,
            Inner::Spliced(Spliced { old, mark, edit }) => Some((old, *mark, edit)),
        }
    }

    /// The length of the mark and what happens to the rest, where the old bytes are these. Whoever tells of a change
    /// asks so: an edit of other bytes says nothing about these.
    pub fn edit_of(&self, before: &[u8]) -> Option<(usize, &Splices)> {
        let (old, mark, edit) = self.edit()?;
        (std::ptr::eq(old.as_slice(), before) || old.as_slice() == before).then_some((mark, edit))
    }

    /// Are they the same as these? Pieces that are these very bytes, at the same place, are not looked at.
    pub fn are(&self, others: &[u8]) -> bool {
        let mut rest = others;
        let same = self.slices().all(|piece| match rest.split_at_checked(piece.len()) {
            Some((there, later)) => {
                rest = later;
                std::ptr::eq(piece, there) || piece == there
            }
            None => false,
        });
        same && rest.is_empty()
    }

    /// Their hash, where the way to that of the old bytes is known not from the start.
    pub fn digest(&self, old: Option<&Trail>) -> Digest {
        let (mut hasher, mut done) = match (&self.0, old) {
            (Inner::Spliced(spliced), Some(trail)) => trail.up_to(spliced.head()),
            _ => (Hasher::default(), 0),
        };
        for piece in self.slices() {
            let skipped = done.min(piece.len());
            hasher.update(piece.get(skipped..).unwrap_or_default());
            done -= skipped;
        }
        hasher.finish()
    }
}

impl Spliced {
    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let (mark, body) = self.old.split_at_checked(self.mark).unwrap_or_default();
        std::iter::once(mark).chain(self.edit.parts(body)).filter(|part| !part.is_empty())
    }

    /// How many bytes at the beginning stay.
    fn head(&self) -> usize {
        let body = self.edit.as_slice().first().map(|splice| self.mark.saturating_add(splice.range.start));
        body.unwrap_or(self.old.len())
    }
}

impl PartialEq for Pieces {
    fn eq(&self, other: &Pieces) -> bool {
        self.len() == other.len() && other.are(&self.whole())
    }
}

impl From<Vec<u8>> for Pieces {
    fn from(bytes: Vec<u8>) -> Pieces {
        Pieces(Inner::Whole(Bytes::new(bytes)))
    }
}

impl From<Bytes> for Pieces {
    fn from(bytes: Bytes) -> Pieces {
        Pieces(Inner::Whole(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Tracer;
    use crate::text::Splice;
    use proptest::prelude::*;

    fn pieces(old: &[u8], mark: usize, edits: &[(usize, usize, &str)]) -> Option<Pieces> {
        let given = edits.iter().map(|&(start, end, text)| Splice { range: start..end, text: text.into() });
        Pieces::spliced(Bytes::new(old.to_vec()), mark, Splices::new(given.collect()).unwrap())
    }

    fn check(old: &str, mark: usize, edits: &[(usize, usize, &str)], want: Option<&str>) {
        let pieces = pieces(old.as_bytes(), mark, edits);
        let whole = pieces.as_ref().map(|pieces| String::from_utf8(pieces.to_vec()).unwrap());
        assert_eq!(whole.as_deref(), want, "{old:?} {edits:?}");
        let Some(pieces) = pieces else { return };
        assert_eq!(pieces, Pieces::from(pieces.to_vec()));
        assert_eq!(pieces.len(), pieces.to_vec().len());
        assert_eq!(pieces.digest(None), Digest::of(&pieces.whole()));
        assert_eq!(pieces.are(old.as_bytes()), want == Some(old), "{old:?} {edits:?}");
        assert_eq!(pieces.head(3), pieces.to_vec().into_iter().take(3).collect::<Vec<_>>());
    }

    #[test]
    fn pieces_make_the_new_bytes() {
        check("", 0, &[], Some(""));
        check("abc", 0, &[], Some("abc"));
        check("abc", 0, &[(1, 2, "")], Some("ac"));
        check("one two three", 0, &[(8, 13, "3"), (0, 3, "1")], Some("1 two 3"));
        check("--one", 2, &[(0, 3, "two")], Some("--two")); // a mark is not counted
        check("aab", 0, &[(0, 1, ""), (1, 1, "a")], Some("aab")); // another way to the same
        check("ab", 0, &[(1, 1, "c"), (1, 2, "")], Some("ac"));
        check("ab", 0, &[(1, 3, "")], None);
        check("--ab", 2, &[(3, 4, "")], None);
        check("a", 2, &[], None);
    }

    #[test]
    fn longer_and_shorter_bytes_are_others() {
        for (bytes, want) in [("ab", false), ("axc", true), ("axcd", false), ("", false)] {
            assert_eq!(pieces(b"abc", 0, &[(1, 2, "x")]).unwrap().are(bytes.as_bytes()), want, "{bytes}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Some megabytes of a short pattern with up to three edits anywhere.
        #[test]
        fn the_way_to_the_old_hash_is_a_way_to_the_new(
            (pattern, len) in (prop::collection::vec(any::<u8>(), 1..9), 0..5_usize << 19),
            mut cuts in prop::collection::vec(0..5_usize << 19, 0..7),
            text in prop::collection::vec(any::<u8>(), 0..4),
            (at, mark) in (any::<prop::sample::Index>(), 0..4_usize),
        ) {
            let old: Vec<u8> = pattern.iter().copied().cycle().take(len).collect();
            let mark = mark.min(len);
            cuts.iter_mut().for_each(|cut| *cut = (*cut).min(len - mark));
            cuts.sort_unstable();
            let given = cuts.chunks_exact(2).map(|pair| Splice { range: pair[0]..pair[1], text: text.clone() });
            let edit = Splices::new(given.collect()).unwrap();
            let mut tracer = Tracer::default();
            let (first, second) = old.split_at(at.index(len + 1));
            tracer.update(first);
            tracer.update(second);
            let (digest, trail) = tracer.finish();
            prop_assert_eq!(digest, Digest::of(&old));
            let new = Pieces::spliced(Bytes::new(old), mark, edit).unwrap();
            prop_assert_eq!(new.digest(Some(&trail)), Digest::of(&new.to_vec()));
        }
    }
}

//! Edits as values: replace these ranges of one text by these bytes, all at once.
//!
//! Promises that ranges are sorted and disjoint and that bytes outside them are copied as they
//! are. Leaves it to others to say what to replace, and in which charset the bytes are.

mod pieces;

pub use pieces::Pieces;

use crate::seeded::{Bug, is_planted};
use std::ops::Range;

/// One replacement. An empty range inserts, an empty text deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the old text that go.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: Vec<u8>,
}

/// Why a set of splices is not one edit. Indices count the splices as they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpliceError {
    /// Two of them claim the same byte, or one inserts inside the other.
    Overlap {
        /// The one that begins first in the text.
        first: usize,
        /// The one that runs into it.
        second: usize,
    },
    /// The range ends before it begins.
    Reversed {
        /// Which one.
        index: usize,
    },
}

/// On which side of new text a position ends up that stood where the text came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// Before the new text.
    Before,
    /// After the new text.
    After,
}

/// Replacements against one text: sorted, disjoint.
///
/// ```
/// use patchwright_core::text::{Splice, Splices};
/// let splice = |range, text: &str| Splice { range, text: text.into() };
/// let edit = Splices::new(vec![splice(8..13, "3"), splice(0..3, "1")]).unwrap();
/// assert_eq!(edit.apply(b"one two three").unwrap(), b"1 two 3");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splices {
    sorted: Vec<Splice>,
}

impl Splices {
    /// Sorts the splices and refuses those that overlap. Inserts at one offset keep their order
    /// and come before a replacement that begins there.
    pub fn new(given: Vec<Splice>) -> Result<Self, SpliceError> {
        if let Some(index) = given.iter().position(|splice| splice.range.start > splice.range.end) {
            return Err(SpliceError::Reversed { index });
        }
        let mut numbered: Vec<(usize, Splice)> = given.into_iter().enumerate().collect();
        numbered.sort_by_key(|(_, splice)| (splice.range.start, splice.range.end));
        for pair in numbered.windows(2) {
            if let [(first, before), (second, after)] = pair
                && before.range.end > after.range.start
            {
                return Err(SpliceError::Overlap { first: *first, second: *second });
            }
        }
        Ok(Self { sorted: numbered.into_iter().map(|(_, splice)| splice).collect() })
    }

    /// The splices in the order of the text.
    pub fn as_slice(&self) -> &[Splice] {
        &self.sorted
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The new text; `None` if a range lies outside the old one.
    pub fn apply(&self, old: &[u8]) -> Option<Vec<u8>> {
        let gained: usize = self.sorted.iter().map(|splice| splice.text.len()).sum();
        let mut new = Vec::with_capacity(old.len().saturating_add(gained));
        self.apply_onto(old, &mut new)?;
        Some(new)
    }

    /// Adds the new text to what is in `new` already.
    pub(super) fn apply_onto(&self, old: &[u8], new: &mut Vec<u8>) -> Option<()> {
        if self.end() > old.len() {
            return None;
        }
        self.parts(old).for_each(|part| new.extend_from_slice(part));
        Some(())
    }

    /// Where the last range ends.
    fn end(&self) -> usize {
        self.sorted.last().map_or(0, |splice| splice.range.end)
    }

    /// The new text in pieces, in order. All ranges lie inside the old one.
    fn parts<'a>(&'a self, old: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let mut copied = 0;
        let spliced = self.sorted.iter().flat_map(move |splice| {
            let kept = old.get(copied..splice.range.start).unwrap_or_default();
            copied = splice.range.end;
            [kept, &splice.text[..]]
        });
        spliced.chain(std::iter::once_with(|| {
            let dropped = usize::from(is_planted(Bug::SpliceShort));
            old.get(self.end() + dropped..).unwrap_or_default()
        }))
    }

    /// The splices that turn the new text back into `old`; `None` if a range lies outside it.
    pub fn invert(&self, old: &[u8]) -> Option<Self> {
        let mut sorted = Vec::with_capacity(self.sorted.len());
        let (mut copied, mut at) = (0, 0_usize);
        for splice in &self.sorted {
            at = at.checked_add(splice.range.start.checked_sub(copied)?)?;
            let end = at.checked_add(splice.text.len())?;
            sorted.push(Splice { range: at..end, text: old.get(splice.range.clone())?.to_vec() });
            at = end;
            copied = splice.range.end;
        }
        Some(Self { sorted })
    }

    /// Where a position of the old text is in the new one. A position inside a replaced range
    /// goes to the edge of the new text that `bias` names.
    pub fn map(&self, position: usize, bias: Bias) -> usize {
        let (mut gained, mut lost) = (0_usize, 0_usize);
        for splice in &self.sorted {
            let Range { start, end } = splice.range;
            let passed = end < position || (end == position && (start < end || bias == Bias::After));
            if passed {
                gained = gained.saturating_add(splice.text.len());
                lost = lost.saturating_add(end - start);
            } else if start < position {
                let edge = if bias == Bias::After { splice.text.len() } else { 0 };
                return start.saturating_add(gained).saturating_sub(lost).saturating_add(edge);
            } else {
                break;
            }
        }
        position.saturating_add(gained).saturating_sub(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn splices(edits: &[(usize, usize, &str)]) -> Result<Splices, SpliceError> {
        let given = edits.iter().map(|&(start, end, text)| Splice { range: start..end, text: text.into() });
        Splices::new(given.collect())
    }

    fn check(old: &str, edits: &[(usize, usize, &str)], want: Option<&str>) {
        let edit = splices(edits).unwrap();
        let new = edit.apply(old.as_bytes());
        assert_eq!(new.as_deref(), want.map(str::as_bytes), "{old:?} {edits:?}");
        let inverse = edit.invert(old.as_bytes());
        assert_eq!(inverse.is_some(), want.is_some());
        if let (Some(new), Some(inverse)) = (new, inverse) {
            assert_eq!(inverse.apply(&new).as_deref(), Some(old.as_bytes()), "{old:?} {edits:?}");
        }
    }

    #[test]
    fn applies_and_inverts() {
        check("", &[], Some(""));
        check("abc", &[(1, 2, "")], Some("ac"));
        check("one two three", &[(8, 13, "3"), (0, 3, "1")], Some("1 two 3")); // any order
        check("ab", &[(1, 1, "x"), (1, 1, "y")], Some("axyb")); // inserts keep theirs
        check("ab", &[(0, 1, "c"), (1, 2, "d")], Some("cd")); // neighbours
        check("abcd", &[(1, 3, "X"), (1, 1, "<"), (3, 3, ">")], Some("a<X>d")); // edges
        check("abcd", &[(0, 2, ""), (2, 4, "")], Some(""));
        check("ab", &[(2, 3, "x")], None);
        check("ab", &[(0, 0, "x"), (7, 7, "")], None);
    }

    #[test]
    fn refuses_overlaps_by_index() {
        for (edits, want) in [
            (vec![(2, 5, ""), (0, 3, "")], SpliceError::Overlap { first: 1, second: 0 }),
            (vec![(0, 4, ""), (2, 2, "x")], SpliceError::Overlap { first: 0, second: 1 }),
            (vec![(1, 2, ""), (1, 2, "")], SpliceError::Overlap { first: 0, second: 1 }),
            (vec![(0, 1, ""), (3, 2, "")], SpliceError::Reversed { index: 1 }),
        ] {
            assert_eq!(splices(&edits), Err(want), "{edits:?}");
        }
    }

    #[test]
    fn maps_positions() {
        let edit = splices(&[(2, 4, "xyz"), (6, 6, "__")]).unwrap(); // 01xyz45__67
        for (old, before, after) in [(0, 0, 0), (2, 2, 2), (3, 2, 5), (4, 5, 5), (6, 7, 9), (7, 10, 10)] {
            assert_eq!(edit.map(old, Bias::Before), before, "{old}");
            assert_eq!(edit.map(old, Bias::After), after, "{old}");
        }
    }

    /// A text and disjoint splices over it.
    fn edited() -> impl Strategy<Value = (Vec<u8>, Splices)> {
        let text = prop::collection::vec(any::<u8>(), 0..60);
        let cuts = prop::collection::vec((0..61_usize, prop::collection::vec(any::<u8>(), 0..4)), 0..12);
        (text, cuts).prop_map(|(text, mut cuts)| {
            cuts.iter_mut().for_each(|cut| cut.0 = cut.0.min(text.len()));
            cuts.sort_by_key(|cut| cut.0);
            let pairs = cuts.chunks_exact(2);
            let given = pairs.map(|pair| Splice { range: pair[0].0..pair[1].0, text: pair[0].1.clone() });
            let splices = Splices::new(given.collect()).unwrap();
            (text, splices)
        })
    }

    proptest! {
        #[test]
        fn inverse_undoes((old, edit) in edited()) {
            let new = edit.apply(&old).unwrap();
            prop_assert_eq!(edit.invert(&old).unwrap().apply(&new).unwrap(), old);
        }

        #[test]
        fn bytes_outside_stay((old, edit) in edited()) {
            let new = edit.apply(&old).unwrap();
            for (at, byte) in old.iter().enumerate() {
                if !edit.as_slice().iter().any(|splice| splice.range.contains(&at)) {
                    prop_assert_eq!(new.get(edit.map(at, Bias::After)), Some(byte));
                }
            }
        }
    }
}

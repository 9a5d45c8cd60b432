//! Text seen with `\n` alone, as callers know it, and the way back to its own offsets.
//!
//! Promises that what is matched through the view is spliced where it stands, terminators wholly
//! or not at all. Leaves finding the place to `locate` and new terminators to `terminate`.

use std::borrow::Cow;
use std::ops::Range;

/// A text with every `\r\n` seen as `\n`, and the way back to its own offsets.
///
/// ```
/// use patchwright_core::text::LfView;
/// let view = LfView::of(b"a\r\nb\r\nc");
/// assert_eq!(view.text(), b"a\nb\nc");
/// assert_eq!(view.source_range(1..3), 1..4); // "\nb" is "\r\nb"
/// ```
#[derive(Clone, Debug)]
pub struct LfView<'a> {
    text: Cow<'a, [u8]>,
    /// Where in `text` a `\n` stands that was `\r\n`.
    narrowed: Vec<usize>,
}

impl<'a> LfView<'a> {
    /// Views a text. Copies nothing where there is no `\r\n`.
    pub fn of(source: &'a [u8]) -> Self {
        let (mut text, mut narrowed) = (Vec::new(), Vec::new());
        let mut copied = 0;
        for at in carriage_returns(source) {
            text.extend_from_slice(source.get(copied..at).unwrap_or_default());
            narrowed.push(text.len());
            copied = at + 1;
        }
        if narrowed.is_empty() {
            return Self { text: Cow::Borrowed(source), narrowed };
        }
        text.extend_from_slice(source.get(copied..).unwrap_or_default());
        Self { text: Cow::Owned(text), narrowed }
    }

    /// The text with `\n` alone.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The offset in the source; that of the `\r` for a `\n` that was `\r\n`.
    pub fn source_offset(&self, offset: usize) -> usize {
        offset.saturating_add(self.narrowed.partition_point(|&at| at < offset))
    }

    /// The range in the source. Terminators are in it wholly or not at all.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        self.source_offset(range.start)..self.source_offset(range.end)
    }
}

/// A caller's text with `\n` for every `\r\n`. A lone `\r` is content and stays.
pub fn to_lf(text: &[u8]) -> Cow<'_, [u8]> {
    LfView::of(text).text
}

/// The offsets of every `\r` that is half a terminator.
pub(super) fn carriage_returns(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'\r', text).filter(|at| text.get(at + 1) == Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_view_maps_back(pieces in prop::collection::vec(prop::sample::select(vec!["a", "\r", "\n", "\r\n"]), 0..30)) {
            let source = pieces.concat();
            let view = LfView::of(source.as_bytes());
            for at in 0..view.text().len() {
                let range = view.source_range(at..at + 1);
                let part = source.as_bytes().get(range).unwrap();
                prop_assert!(part == &view.text()[at..at + 1] || part == b"\r\n", "{:?}", part);
            }
            prop_assert_eq!(view.source_range(0..view.text().len()), 0..source.len());
        }
    }
}

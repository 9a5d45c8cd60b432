//! Cursors: places in the record, as a text that a caller can keep and hand back.

use patchwright_core::digest::Digest;
use patchwright_store::log::START;
use patchwright_store::records::Point;
use std::fmt;

/// A place in the record: behind one of its entries. As text it is `NUMBER-OFFSET-HASH` of that entry; whoever keeps one
/// need not know that.
///
/// ```
/// use patchwright_engine::Cursor;
/// let text = Cursor::START.to_string();
/// assert_eq!(Cursor::parse(&text), Some(Cursor::START));
/// assert_eq!(Cursor::parse("b17"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor(Point);

impl Cursor {
    /// Before the first entry.
    pub const START: Cursor = Cursor(START);

    pub(super) fn new(point: Point) -> Cursor {
        Cursor(point)
    }

    pub(super) fn point(self) -> Point {
        self.0
    }

    /// Reads a cursor; nothing for any other text.
    pub fn parse(text: &str) -> Option<Cursor> {
        let mut parts = text.split('-');
        let (sequence, offset, head) = (number(parts.next()?)?, number(parts.next()?)?, parts.next()?);
        let point = Point { sequence, offset, head: Digest::parse(head)? };
        let fits = parts.next().is_none() && (sequence > 0 || point == START);
        fits.then_some(Cursor(point))
    }
}

/// Decimal digits alone: `+1` and ` 1` are no numbers of ours.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { sequence, offset, head } = self.0;
        write!(out, "{sequence}-{offset}-{head}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back_and_other_texts_are_none() {
        let head = Digest::of(b"entry");
        for (sequence, offset) in [(1, 32), (17, 4096), (u64::MAX, u64::MAX)] {
            let cursor = Cursor(Point { sequence, offset, head });
            assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        }
        let zeros = "0".repeat(64);
        for text in [
            String::new(),
            "0".to_owned(),
            format!("0-33-{zeros}"),
            format!("0-32-{head}"),
            format!("1-32-{}", zeros.split_at(63).0),
            format!("+1-32-{head}"),
            format!("1-32-{head}-"),
            format!("1--32-{head}"),
            format!(" 1-32-{head}"),
            format!("18446744073709551616-32-{head}"),
        ] {
            assert_eq!(Cursor::parse(&text), None, "{text:?}");
        }
    }
}

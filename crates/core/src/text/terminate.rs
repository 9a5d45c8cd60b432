//! New lines given the terminators of their place.
//!
//! Promises that lines keep their content exactly, and that an edit of lines does not change
//! whether the file ends in a newline unless it is told to. Leaves finding the place to `locate`.

use std::borrow::Cow;
use std::ops::Range;

use super::line::{Line, LineIndex, Numbered, Terminator, lines};
use super::newline::carriage_returns;
use super::splice::Splice;
use crate::seeded::{Bug, is_planted};

/// The bytes to put in place of `range`: `new` with its newlines turned into the terminators of
/// the lines that the range overlaps, one by one, the last of them serving for the rest. Text
/// inserted between two lines takes after the line above, else the one below.
pub fn fit_terminators(index: &LineIndex<'_>, range: Range<usize>, new: &[u8]) -> Vec<u8> {
    let first = index.line_at(range.start);
    let between = index.range(first).is_none_or(|line| line.start == range.start);
    let replaced = if range.is_empty() && between {
        first..first
    } else {
        first..index.line_at(range.end.saturating_sub(1)).max(first) + 1
    };
    let mut out = Vec::with_capacity(new.len());
    for (at, line) in lines(new).enumerate() {
        let terminator = match line.terminator {
            Terminator::None => Terminator::None,
            _ => lent(index, &replaced, at),
        };
        push_line(&mut out, line.text, terminator);
    }
    out
}

/// What becomes of the end of the file when its last line is replaced, removed or followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalNewline {
    /// It ends in a newline if it did.
    #[default]
    Keep,
    /// It ends in a newline.
    With,
    /// It ends without one.
    Without,
}

/// The splice that puts `new` lines in place of the lines of a 0-based, half-open range (empty:
/// inserts before its start). `last` counts only where the range reaches the end of the file. A
/// last line that is empty keeps its newline whatever `last` says: without one it would be no
/// line. `None` if the range is not in the file.
pub fn replace_lines<'a>(
    index: &impl Numbered<'a>,
    replaced: Range<usize>,
    new: &[&[u8]],
    last: FinalNewline,
) -> Option<Splice> {
    if replaced.start > replaced.end || replaced.end > index.count() {
        return None;
    }
    let start = index.range(replaced.start + 1).map_or(index.bytes().len(), |line| line.start);
    let end = index.range(replaced.end + 1).map_or(index.bytes().len(), |line| line.start);
    let numbers = replaced.start + 1..replaced.end + 1;
    if replaced.end < index.count() {
        return Some(Splice { range: start..end, text: join(index, &numbers, new, Terminator::Lf) });
    }
    let unterminated = index.line(index.count()).is_some_and(|line| line.terminator == Terminator::None);
    let ends = match last {
        FinalNewline::Keep if unterminated => Terminator::None,
        FinalNewline::Keep | FinalNewline::With => Terminator::Lf,
        FinalNewline::Without => Terminator::None,
    };
    let above = index.line(replaced.start);
    Some(match (new, above) {
        ([], None) => Splice { range: start..end, text: Vec::new() },
        ([], Some(above)) => cut_after(index, &above, ends),
        (_, Some(above)) if above.terminator == Terminator::None => {
            let mut text = kept_apart(above.text, lent(index, &numbers, 0)).bytes().to_vec();
            text.extend(join(index, &numbers, new, ends));
            Splice { range: start..end, text }
        }
        _ => Splice { range: start..end, text: join(index, &numbers, new, ends) },
    })
}

/// Ends the file after a line that is there already.
fn cut_after<'a>(index: &impl Numbered<'a>, line: &Line<'_>, ends: Terminator) -> Splice {
    let file_end = index.bytes().len();
    let bare = ends == Terminator::None && !line.text.is_empty();
    let (start, text) = match line.terminator {
        Terminator::None if bare => (file_end, Vec::new()),
        Terminator::None => {
            let lent = lent(index, &(index.count()..index.count() + 1), 0);
            (file_end, kept_apart(line.text, lent).bytes().to_vec())
        }
        _ if bare => (line.text_end(), Vec::new()),
        _ => (line.range().end, Vec::new()),
    };
    Splice { range: start..file_end, text }
}

/// Puts new lines together; `ends` says whether the last one is terminated.
fn join<'a>(index: &impl Numbered<'a>, replaced: &Range<usize>, new: &[&[u8]], ends: Terminator) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, text) in new.iter().enumerate() {
        let bare = at + 1 == new.len() && ends == Terminator::None && !text.is_empty();
        let terminator = if bare { Terminator::None } else { lent(index, replaced, at) };
        push_line(&mut out, text, terminator);
    }
    out
}

/// The terminator for the `at`-th new line in place of these 1-based lines.
fn lent<'a>(index: &impl Numbered<'a>, replaced: &Range<usize>, at: usize) -> Terminator {
    if is_planted(Bug::EndingsLost) {
        return Terminator::Lf;
    }
    let above = replaced.start.saturating_sub(1);
    let lender = match replaced.end.checked_sub(replaced.start) {
        Some(len) if len > 0 => replaced.start.saturating_add(at.min(len - 1)),
        _ if above > 0 => above,
        _ => replaced.start, // nothing above: the line below
    };
    [lender, lender.saturating_sub(1)]
        .into_iter()
        .filter_map(|number| index.line(number))
        .map(|line| line.terminator)
        .find(|terminator| *terminator != Terminator::None)
        .or(index.census().majority())
        .unwrap_or(Terminator::Lf)
}

fn push_line(out: &mut Vec<u8>, text: &[u8], terminator: Terminator) {
    out.extend_from_slice(text);
    out.extend_from_slice(kept_apart(text, terminator).bytes());
}

/// A text that ends in `\r` would lose that to a bare `\n`, so it is given `\r\n`.
pub(crate) fn kept_apart(text: &[u8], terminator: Terminator) -> Terminator {
    let swallows = terminator == Terminator::Lf && text.ends_with(b"\r");
    if swallows { Terminator::CrLf } else { terminator }
}

/// A whole text with every newline written one way.
pub fn with_terminator(text: &str, terminator: Terminator) -> Cow<'_, str> {
    if terminator == Terminator::Lf && carriage_returns(text.as_bytes()).next().is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for line in lines(text.as_bytes()) {
        let ends = if line.terminator == Terminator::None { Terminator::None } else { terminator };
        push_line(&mut out, line.text, ends);
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{LfView, Splices};
    use proptest::prelude::*;

    /// Replaces the first `old` (as seen with `\n`) by `new`.
    fn check_fit(file: &str, old: &str, new: &str, want: &str) {
        let view = LfView::of(file.as_bytes());
        let at = std::str::from_utf8(view.text()).unwrap().find(old).unwrap();
        let range = view.source_range(at..at + old.len());
        let text = fit_terminators(&LineIndex::of(file.as_bytes()), range.clone(), new.as_bytes());
        let edit = Splices::new(vec![Splice { range, text }]).unwrap();
        let found = edit.apply(file.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), want, "{file:?} {old:?} {new:?}");
    }

    #[test]
    fn new_newlines_fit_their_place() {
        check_fit("a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"); // inside a line: its own
        check_fit("a\r\nb\n", "a\nb\n", "x\ny\nz\n", "x\r\ny\nz\n"); // one by one, then the last
        check_fit("a\nb\r\nc", "a\nb", "x\ny\nz", "x\ny\r\nz\r\nc"); // one only partly covered
        check_fit("a\r\nb", "b", "x\ny", "a\r\nx\r\ny"); // unterminated: the line above
        check_fit("b", "b", "x\r\ny\n", "x\ny\n"); // nothing to go by
        check_fit("a\r\nb", "a\n", "", "b");
        check_fit("a\r\n", "\n", "\n\n", "a\r\n\r\n");
        check_fit("a\n", "a", "x\ry", "x\ry\n"); // a lone \r is content
        check_fit("a\nb\n", "a\nb", "x\r\r\ny", "x\r\r\ny\n"); // and stays it
        check_fit("a\r\nb\n", "", "x\n", "x\r\na\r\nb\n"); // insert at the top: the line below
        check_fit("", "", "x\n", "x\n");
    }

    fn check(file: &str, at: Range<usize>, new: &[&str], last: FinalNewline, want: &str) {
        let index = LineIndex::of(file.as_bytes());
        let bytes: Vec<&[u8]> = new.iter().map(|line| line.as_bytes()).collect();
        let splice = replace_lines(&index, at.clone(), &bytes, last).unwrap();
        let found = Splices::new(vec![splice]).unwrap().apply(file.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(found).unwrap(), want, "{file:?} {at:?} {new:?} {last:?}");
    }

    #[test]
    fn lines_are_replaced_whole() {
        use FinalNewline::{Keep, With, Without};
        check("a\nb\nc\n", 1..2, &["x", "y"], Keep, "a\nx\ny\nc\n");
        check("a\r\nb\nc\n", 0..2, &["x", "y", "z"], Keep, "x\r\ny\nz\nc\n");
        check("a\r\nb\n", 1..1, &["x"], Keep, "a\r\nx\r\nb\n"); // insert: the line above
        check("a\r\nb\n", 0..0, &["x"], Keep, "x\r\na\r\nb\n"); // else below
        check("", 0..0, &["x", "y"], Keep, "x\ny\n");
        check("", 0..0, &["x"], Without, "x");
        check("a", 0..1, &["x"], Keep, "x");
        check("a", 1..1, &["x"], Keep, "a\nx"); // stops being the last: gains a terminator
        check("a\r\nb", 2..2, &["x", "y"], Keep, "a\r\nb\r\nx\r\ny");
        check("a\r\nb", 2..2, &["x"], With, "a\r\nb\r\nx\r\n");
        check("a\r\nb", 1..2, &["x", "y"], Keep, "a\r\nx\r\ny");
        check("a\r\nb\r\n", 1..2, &["x"], Without, "a\r\nx");
        check("a\nb\n", 1..2, &[], Keep, "a\n");
        check("a\r\nb", 1..2, &[], Keep, "a"); // the file goes on ending without a newline
        check("a\nb", 1..2, &[], With, "a\n");
        check("a\nb\n", 1..2, &[], Without, "a");
        check("a\nb", 0..2, &[], Keep, "");
        check("a\nb", 2..2, &[], With, "a\nb\n");
        check("a\nb\n", 2..2, &[], Without, "a\nb");
        check("a\nb", 2..2, &[], Keep, "a\nb");
        check("a\nb", 1..2, &[""], Keep, "a\n\n"); // an empty line needs its newline to be one
        check("a\n\nb", 2..3, &[], Keep, "a\n\n");
        check("a\n", 0..1, &["x\r"], Keep, "x\r\r\n"); // content before terminators
        check("a\nb\n", 0..1, &["x"], Without, "x\nb\n"); // not at the end: no say
    }

    #[test]
    fn lines_outside_are_refused() {
        let index = LineIndex::of(b"a\nb\n");
        for at in [0..3, 3..3, 3..4] {
            assert_eq!(replace_lines(&index, at, &[], FinalNewline::Keep), None);
        }
    }

    proptest! {
        #[test]
        fn keep_keeps_lines_and_final_newline(
            file in "[a\r\n]{0,12}", from in 0..8_usize, len in 0..4_usize,
            new in prop::collection::vec("[xy\r]{1,2}", 0..3),
        ) {
            let index = LineIndex::of(file.as_bytes());
            let new: Vec<&[u8]> = new.iter().map(|line| line.as_bytes()).collect();
            let Some(splice) = replace_lines(&index, from..from + len, &new, FinalNewline::Keep) else { return Ok(()) };
            let after = Splices::new(vec![splice]).unwrap().apply(file.as_bytes()).unwrap();
            let mut want: Vec<&[u8]> = lines(file.as_bytes()).map(|line| line.text).collect();
            want.splice(from..from + len, new);
            let found: Vec<&[u8]> = lines(&after).map(|line| line.text).collect();
            let bare_empty = want.last().is_some_and(|line| line.is_empty());
            prop_assert_eq!(found, want);
            if !bare_empty && !after.is_empty() {
                prop_assert_eq!(after.ends_with(b"\n"), crate::text::final_newline(file.as_bytes()));
            }
        }
    }
}

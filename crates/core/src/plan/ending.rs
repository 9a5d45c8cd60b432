//! How a file ends, where the caller says so.
//!
//! Promises to touch nothing but the terminator of the last line. Leaves a file that is empty, and a last line that is,
//! as they are: such a line would be none without its newline, and a warning says so.

use super::Change;
use super::placed::Placed;
use crate::path::RelPath;
use crate::text::terminate::kept_apart;
use crate::text::{FinalNewline, Numbered, Splice, Terminator};
use crate::warning::Warning;

/// Makes the splices of all operations, in the order of the text, leave the file ending as it was asked for. The change
/// of the last line, if no operation is about that line.
pub(super) fn settle<'a>(
    index: &impl Numbered<'a>,
    placed: &[Placed<'_>],
    splices: &mut Vec<Splice>,
    last: FinalNewline,
) -> Option<Change> {
    let tail = Tail::of(index.bytes(), splices);
    let changed = match last {
        FinalNewline::Keep => false,
        FinalNewline::With => {
            tail.terminator() == Terminator::None && tail.at(0).is_some() && with(index, splices, &tail)
        }
        FinalNewline::Without => tail.terminator() != Terminator::None && without(index, splices, &tail),
    };
    if changed { untouched(index.count(), placed) } else { None }
}

/// The warning that a file ends in a newline all the same, once the splices are [settled](settle).
pub(super) fn not_without(path: &RelPath, text: &[u8], splices: &[Splice], last: FinalNewline) -> Option<Warning> {
    let stays = last == FinalNewline::Without && Tail::of(text, splices).terminator() != Terminator::None;
    stays.then(|| Warning::EmptyLastLine { path: path.to_string() })
}

/// The end of the text that splices leave.
struct Tail {
    /// Its last bytes, the last one first: enough to tell a terminator and what stands before it.
    bytes: Vec<u8>,
    /// How the line above the last one ends.
    above: Terminator,
}

impl Tail {
    fn of(text: &[u8], splices: &[Splice]) -> Tail {
        let (kept, new) = match splices.last().filter(|last| last.range.end == text.len()) {
            Some(last) => (text.get(..last.range.start).unwrap_or_default(), last.text.as_slice()),
            None => (text, &[][..]),
        };
        let bytes = new.iter().rev().chain(kept.iter().rev()).take(3).copied().collect();
        Tail { bytes, above: last_newline(new).or_else(|| last_newline(kept)).unwrap_or(Terminator::Lf) }
    }

    fn at(&self, back: usize) -> Option<u8> {
        self.bytes.get(back).copied()
    }

    fn terminator(&self) -> Terminator {
        match (self.at(0), self.at(1)) {
            (Some(b'\n'), Some(b'\r')) => Terminator::CrLf,
            (Some(b'\n'), _) => Terminator::Lf,
            _ => Terminator::None,
        }
    }
}

fn last_newline(text: &[u8]) -> Option<Terminator> {
    let at = memchr::memrchr(b'\n', text)?;
    let returned = at.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\r');
    Some(if returned { Terminator::CrLf } else { Terminator::Lf })
}

/// Adds the terminator. Always says that something changed.
fn with<'a>(index: &impl Numbered<'a>, splices: &mut Vec<Splice>, tail: &Tail) -> bool {
    let last: Vec<u8> = tail.at(0).into_iter().collect();
    let ends = kept_apart(&last, tail.above).bytes();
    let end = index.bytes().len();
    match splices.last_mut().filter(|last| last.range.end == end) {
        Some(last) => last.text.extend_from_slice(ends),
        None => splices.push(Splice { range: end..end, text: ends.to_vec() }),
    }
    true
}

/// Takes the terminator away, unless the last line is empty.
fn without<'a>(index: &impl Numbered<'a>, splices: &mut Vec<Splice>, tail: &Tail) -> bool {
    let mut len = tail.terminator().bytes().len();
    if matches!(tail.at(len), None | Some(b'\n')) {
        return false;
    }
    let end = index.bytes().len();
    if splices.last().is_none_or(|last| last.range.end != end) {
        splices.push(Splice { range: end..end, text: Vec::new() });
    }
    let Some(last) = splices.last_mut() else { return false };
    let own = len.min(last.text.len());
    last.text.truncate(last.text.len() - own);
    len -= own;
    last.range.start = last.range.start.saturating_sub(len);
    true
}

/// The last line of both texts, where no operation takes, brings or follows it.
fn untouched(count: usize, placed: &[Placed<'_>]) -> Option<Change> {
    let (gone, come) = placed.iter().fold((0, 0), |(gone, come), one| (gone + one.span.len(), come + one.lines.len()));
    let mut before_line = count;
    for one in placed.iter().rev() {
        if one.span.end != before_line {
            break;
        }
        if !one.lines.is_empty() {
            return None;
        }
        before_line = one.span.start;
    }
    let after_line = (count + come).checked_sub(gone).filter(|line| *line > 0)?;
    Some(Change { before_line, before_lines: 1, after_line, after_lines: 1, ..Change::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intent::LineDeed;
    use crate::plan::placed;
    use crate::text::{LineIndex, Splices};
    use std::ops::Range;

    fn check(text: &str, span: Range<usize>, new: &[&str], last: FinalNewline, want: (&str, Option<(usize, usize)>)) {
        let lines: Vec<String> = new.iter().map(|line| (*line).to_owned()).collect();
        let deed = if span.is_empty() { LineDeed::InsertBefore } else { LineDeed::Replace };
        let placed = [Placed { index: 0, span: span.clone(), lines: &lines, deed, correction: None }];
        let index = LineIndex::of(text.as_bytes());
        let mut splices = placed::splices(&index, &placed).unwrap();
        let change = settle(&index, &placed, &mut splices, last);
        let path = RelPath::parse("f", &[]).unwrap();
        let warned = not_without(&path, text.as_bytes(), &splices, last).is_some();
        let after = Splices::new(splices).unwrap().apply(text.as_bytes()).unwrap();
        let told = change.map(|change| (change.before_line, change.after_line));
        assert_eq!(warned, last == FinalNewline::Without && after.ends_with(b"\n"), "{text:?} {span:?} {new:?}");
        assert_eq!((std::str::from_utf8(&after).unwrap(), told), want, "{text:?} {span:?} {new:?} {last:?}");
    }

    #[test]
    fn the_end_is_as_it_was_asked_for() {
        use FinalNewline::{Keep, With, Without};
        check("a\nb\n", 0..1, &["x"], Keep, ("x\nb\n", None));
        check("a\nb", 0..1, &["x"], With, ("x\nb\n", Some((2, 2))));
        check("a\r\nb", 0..1, &["x", "y"], With, ("x\r\ny\r\nb\r\n", Some((2, 3))));
        check("a\nb\n", 0..1, &["x"], With, ("x\nb\n", None));
        check("a\r\nb\r\n", 0..1, &["x"], Without, ("x\r\nb", Some((2, 2))));
        check("a\nb\n", 1..2, &["x"], Without, ("a\nx", None));
        check("a\nb", 1..2, &["x"], With, ("a\nx\n", None));
        check("a\nb", 2..2, &["x"], With, ("a\nb\nx\n", None));
        check("a\nb\n", 2..2, &["x"], Without, ("a\nb\nx", None));
        check("a\r\nb\r\nc\r\n", 2..3, &[], Without, ("a\r\nb", Some((2, 2))));
        check("a\nb\nc", 2..3, &[], With, ("a\nb\n", Some((2, 2))));
        check("a\nb\n", 0..2, &[], Without, ("", None));
        check("a", 0..1, &[], With, ("", None));
        check("", 0..0, &["x"], Without, ("x", None));
        check("a\n\n", 0..1, &["x"], Without, ("x\n\n", None)); // an empty line needs its newline
        check("a\nb\r", 0..1, &["x"], With, ("x\nb\r\r\n", Some((2, 2)))); // a lone \r is content
        check("a", 0..1, &["x"], With, ("x\n", None));
    }
}

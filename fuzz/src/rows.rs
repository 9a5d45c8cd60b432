//! Whole lines changed in the plainest way: a list of lines, some of which go and some of which come.
//!
//! Written from the rules for line ends alone: the nth new line ends as the nth line it replaces, further ones
//! as the last of them; pure inserts as the line above, else the one below, else as most lines do. The file goes
//! on ending as it did.

use std::ops::Range;

const LF: &[u8] = b"\n";
const CRLF: &[u8] = b"\r\n";

/// A file's lines.
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// How lines end where nothing else tells.
    majority: &'static [u8],
    /// Does the last line end?
    newline: bool,
}

#[derive(Clone)]
struct Row {
    text: Vec<u8>,
    /// How it ends, or would if more followed.
    end: &'static [u8],
}

/// Lines that go, and lines that come in their place.
#[derive(Clone, Debug)]
pub(crate) struct Swap {
    pub(crate) span: Range<usize>,
    pub(crate) lines: Vec<String>,
    /// Among those at one place, the order of the call.
    pub(crate) index: usize,
}

impl Rows {
    pub(crate) fn of(text: &[u8]) -> Rows {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let crlf = lines.iter().filter(|line| line.ends_with(CRLF)).count();
        let ended = lines.iter().filter(|line| line.ends_with(LF)).count();
        let majority = if crlf > ended - crlf { CRLF } else { LF };
        let mut rows: Vec<Row> = Vec::new();
        for line in &lines {
            let above = rows.last().map_or(majority, |row| row.end);
            let (text, end) = match (line.strip_suffix(CRLF), line.strip_suffix(LF)) {
                (Some(text), _) => (text, CRLF),
                (None, Some(text)) => (text, LF),
                (None, None) => (*line, above),
            };
            rows.push(Row { text: text.to_vec(), end });
        }
        Rows { rows, majority, newline: ended == lines.len() }
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// What a line says, from 0.
    pub(crate) fn text(&self, at: usize) -> Option<&[u8]> {
        self.rows.get(at).map(|row| row.text.as_slice())
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.rows.iter().map(|row| row.text.as_slice())
    }

    /// The text after changes that lie apart.
    pub(crate) fn swapped(&self, swaps: &[Swap]) -> Vec<u8> {
        let mut swaps = swaps.to_vec();
        swaps.sort_by_key(|swap| (swap.span.start, !swap.span.is_empty(), swap.index));
        let (mut out, mut at) = (Vec::new(), 0);
        for swap in &swaps {
            out.extend_from_slice(self.rows.get(at..swap.span.start).unwrap_or_default());
            let come = swap.lines.iter().enumerate();
            out.extend(
                come.map(|(nth, line)| Row { text: line.clone().into_bytes(), end: self.lent(&swap.span, nth) }),
            );
            at = swap.span.end;
        }
        out.extend_from_slice(self.rows.get(at..).unwrap_or_default());
        // Without its newline an empty line would be none.
        let newline = self.newline || out.last().is_none_or(|row| row.text.is_empty());
        written(&out, newline)
    }

    fn lent(&self, span: &Range<usize>, nth: usize) -> &'static [u8] {
        let lender = match span.len() {
            0 => span.start.saturating_sub(1),
            len => span.start + nth.min(len - 1),
        };
        self.rows.get(lender).map_or(self.majority, |row| row.end)
    }
}

fn written(rows: &[Row], newline: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        out.extend_from_slice(&row.text);
        if at + 1 < rows.len() || newline {
            // A line that ends in `\r` would lose it to a `\n` alone.
            out.extend_from_slice(if row.text.ends_with(b"\r") { CRLF } else { row.end });
        }
    }
    out
}

/// Do two changes want the same lines? An insert at the edge of a range does not.
pub(crate) fn meet(one: &Swap, other: &Swap) -> bool {
    let inside =
        |insert: &Swap, range: &Swap| range.span.start < insert.span.start && insert.span.start < range.span.end;
    match (one.span.is_empty(), other.span.is_empty()) {
        (true, true) => false,
        (true, false) => inside(one, other),
        (false, true) => inside(other, one),
        (false, false) => one.span.start < other.span.end && other.span.start < one.span.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_those_in_their_place() {
        let check = |text: &str, swaps: &[(Range<usize>, &[&str])], want: &str| {
            let swap = |(index, (span, lines)): (usize, &(Range<usize>, &[&str]))| Swap {
                span: span.clone(),
                lines: lines.iter().map(|line| (*line).to_owned()).collect(),
                index,
            };
            let swaps: Vec<Swap> = swaps.iter().enumerate().map(swap).collect();
            assert_eq!(String::from_utf8(Rows::of(text.as_bytes()).swapped(&swaps)).unwrap(), want, "{text:?}");
        };
        check("a\r\nb\n", &[(0..2, &["x", "y", "z"])], "x\r\ny\nz\n");
        check("a\nb", &[(2..2, &["c"])], "a\nb\nc");
        check("a\r\nb", &[(1..2, &[])], "a");
        check("", &[(0..0, &["x"])], "x\n");
        check("a\nb", &[(1..2, &[""])], "a\n\n");
    }
}

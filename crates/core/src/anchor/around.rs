//! Context hashes: a line between its nearest neighbours that are not blank.
//!
//! Promises one walk over the text, and no copy where the three lines stand together in it.

use super::ends::{Span, each_line};
use super::hash::{is_blank, line_hash, long};

/// Whole lines that stand together in a text.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The nearest line above that is not blank, without terminator; empty if there is none.
    pub above: &'a [u8],
    /// The lines, with their terminators.
    pub text: &'a [u8],
    /// The nearest line below that is not blank; empty if there is none.
    pub below: &'a [u8],
}

/// The context hashes of all lines of a stretch of text, appended in order. On the same walk each line is shown to
/// `also`.
pub(super) fn contexts(stretch: &Stretch<'_>, onto: &mut Vec<u32>, mut also: impl FnMut(Span)) {
    let Stretch { above, text, below } = *stretch;
    let mut walk = Walk {
        text,
        before: Near { bytes: b"", start: None },
        last: Near { bytes: above, start: None },
        blanks: None,
        room: Vec::new(),
        onto,
    };
    each_line(text, |span| {
        also(span);
        walk.see(span);
    });
    walk.settle(Near { bytes: below, start: None }, text.len());
}

/// A line that is not blank, and where it stands in the text; nothing if it stands outside.
#[derive(Clone, Copy)]
struct Near<'a> {
    bytes: &'a [u8],
    start: Option<usize>,
}

impl Near<'_> {
    /// Where the next line begins if this one ends in a plain newline.
    fn next(self) -> Option<usize> {
        self.start.map(|start| start + self.bytes.len() + 1)
    }
}

struct Walk<'a, 'b> {
    text: &'a [u8],
    /// The one before `last`.
    before: Near<'a>,
    /// The last line that was not blank. If it stands in the text, its own context is still to come.
    last: Near<'a>,
    /// Where blank lines after it begin, if there are any.
    blanks: Option<usize>,
    /// Kept from line to line.
    room: Vec<u8>,
    onto: &'b mut Vec<u32>,
}

impl<'a> Walk<'a, '_> {
    fn see(&mut self, span: Span) {
        let bytes = span.of(self.text);
        if is_blank(bytes) {
            self.blanks.get_or_insert(span.start);
            return;
        }
        let now = Near { bytes, start: Some(span.start) };
        self.settle(now, span.start);
        (self.before, self.last, self.blanks) = (self.last, now, None);
    }

    /// The line below all that wait is known; they end at `end`.
    fn settle(&mut self, below: Near<'a>, end: usize) {
        if self.last.start.is_some() {
            let own = self.context(self.before, self.last, below);
            self.onto.push(own);
        }
        let Some(start) = self.blanks else { return };
        let text = self.text;
        let blanks = text.get(start..end).unwrap_or_default();
        each_line(blanks, |span| {
            let own = copied([self.last.bytes, span.of(blanks), below.bytes], &mut self.room);
            self.onto.push(own);
        });
    }

    /// Lines that stand together are hashed, or at least copied, together.
    fn context(&mut self, above: Near<'_>, line: Near<'_>, below: Near<'_>) -> u32 {
        let joined = above.next().is_some() && above.next() == line.start;
        let joins = below.start.is_some() && line.next() == below.start;
        let run = |from: Near<'_>, to: Near<'_>| {
            let end = to.start.map(|start| start + to.bytes.len());
            from.start.zip(end).and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
        };
        match (joined, joins) {
            (true, true) => long(line_hash(run(above, below))),
            (true, false) => copied([run(above, line), below.bytes], &mut self.room),
            (false, true) => copied([above.bytes, run(line, below)], &mut self.room),
            (false, false) => copied([above.bytes, line.bytes, below.bytes], &mut self.room),
        }
    }
}

/// The hash of parts with a newline between them.
fn copied<const PARTS: usize>(parts: [&[u8]; PARTS], room: &mut Vec<u8>) -> u32 {
    room.clear();
    for part in parts {
        room.extend_from_slice(part);
        room.push(b'\n');
    }
    long(line_hash(room.get(..room.len().saturating_sub(1)).unwrap_or_default()))
}

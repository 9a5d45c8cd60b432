//! Context hashes: a line between its nearest neighbours that are not blank.
//!
//! Promises one walk over the text, and no copy where the three lines stand together in it.

use super::ends::{Span, each_line};
use super::hash::{is_blank, line_hash, long};

/// The context hashes of all lines of a stretch of text, appended in order. Nearest to it outside are `above` and
/// `below`, empty where there is nothing.
pub(super) fn contexts(above: &[u8], text: &[u8], below: &[u8], onto: &mut Vec<u32>) {
    let mut walk = Walk {
        text,
        before: Near { bytes: b"", start: None },
        last: Near { bytes: above, start: None },
        blanks: None,
        room: Vec::new(),
        onto,
    };
    each_line(text, |span| walk.see(span));
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

    fn context(&mut self, above: Near<'_>, line: Near<'_>, below: Near<'_>) -> u32 {
        match (above.start, below.start) {
            (Some(start), Some(last)) if above.next() == line.start && line.next() == below.start => {
                let together = self.text.get(start..last + below.bytes.len());
                long(line_hash(together.unwrap_or_default()))
            }
            _ => copied([above.bytes, line.bytes, below.bytes], &mut self.room),
        }
    }
}

fn copied([above, line, below]: [&[u8]; 3], room: &mut Vec<u8>) -> u32 {
    room.clear();
    room.extend_from_slice(above);
    room.push(b'\n');
    room.extend_from_slice(line);
    room.push(b'\n');
    room.extend_from_slice(below);
    long(line_hash(room))
}

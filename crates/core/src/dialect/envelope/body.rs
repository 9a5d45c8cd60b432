//! The lines of one hunk: signs, empty lines, and markers where they may stand.
//!
//! Promises to stop before whatever ends a hunk, and that a marker stands only under a line which can be
//! the last of its side. Leaves `@@` lines and what may follow a hunk to `parse`.

use super::cursor::{Cursor, Indent};
use super::marker::Stars;
use super::reading::Reading;
use super::{Closes, Line, Marker, NO_NEWLINE, Sign};
use crate::refusal::{Grammar, Refusal};

/// What stands in a hunk under its `@@`.
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    /// The 1-based number of each line.
    pub(super) numbers: Vec<usize>,
    pub(super) closes: Closes,
    /// The number of the last line, markers included.
    pub(super) last: usize,
}

pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Body, Refusal> {
    let mut reader =
        Reader { cursor, lines: Vec::new(), numbers: Vec::new(), closes: Closes::Open, ended: Ended::default() };
    while reader.step()? == Step::Further {}
    if reader.lines.is_empty() {
        return Err(reader.cursor.fault(Grammar::FirstHunkLine));
    }
    let last = reader.cursor.taken();
    reader.skip_trailing();
    Ok(Body { lines: reader.lines, numbers: reader.numbers, closes: reader.closes, last })
}

struct Reader<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    lines: Vec<Line>,
    numbers: Vec<usize>,
    closes: Closes,
    ended: Ended,
}

/// The number of the marker that ended a side, for each side.
#[derive(Default)]
struct Ended {
    old: Option<usize>,
    new: Option<usize>,
}

#[derive(PartialEq, Eq)]
enum Step {
    Further,
    Done,
}

impl Reader<'_, '_> {
    fn step(&mut self) -> Result<Step, Refusal> {
        let Some(line) = self.cursor.peek() else { return Ok(Step::Done) };
        let mut rest = line.chars();
        match rest.next() {
            None => self.empty_lines(),
            Some(_) if self.cursor.is_padded_end() => Ok(Step::Done),
            Some(' ') => self.line(Sign::Context, rest.as_str()),
            Some('-') => self.line(Sign::Remove, rest.as_str()),
            Some('+') => self.line(Sign::Add, rest.as_str()),
            Some('\\') if line == NO_NEWLINE => self.marker(),
            Some('@') if line.starts_with("@@") => Ok(Step::Done),
            Some('*') => self.stars(),
            Some(_) => Err(self.unfit()),
        }
    }

    fn line(&mut self, sign: Sign, text: &str) -> Result<Step, Refusal> {
        let ended = match sign {
            Sign::Context => self.ended.old.or(self.ended.new),
            Sign::Remove => self.ended.old,
            Sign::Add => self.ended.new,
        };
        if let Some(marker) = ended {
            return Err(self.cursor.fault_at(marker, Grammar::MarkerAtEnd));
        }
        self.numbers.push(self.cursor.number());
        self.lines.push(Line { sign, text: text.to_owned(), marker: Marker::Unmarked });
        self.cursor.take();
        Ok(Step::Further)
    }

    /// A run of empty lines: context, or the end of the hunk. One right after `@@` is always context.
    fn empty_lines(&mut self) -> Result<Step, Refusal> {
        let run = self.cursor.empties();
        let closed = self.cursor.stars_beyond(run, Indent::Sign) == Some(Stars::EndOfFile);
        let context = if closed || self.ends_beyond(run) { usize::from(self.lines.is_empty()) } else { run };
        for _ in 0..context {
            self.cursor.note(Reading::EmptyContext);
            self.line(Sign::Context, "")?;
        }
        if closed {
            self.cursor.skip(run - context, Reading::SkippedBlank);
        }
        Ok(if closed || context == run { Step::Further } else { Step::Done })
    }

    /// Whether nothing of this hunk comes any more so many lines below.
    fn ends_beyond(&self, count: usize) -> bool {
        let Some(line) = self.cursor.beyond(count) else { return true };
        line.starts_with("@@") || self.cursor.stars_beyond(count, Indent::Sign).is_some_and(Stars::is_boundary)
    }

    fn marker(&mut self) -> Result<Step, Refusal> {
        let above = self.lines.last_mut();
        let Some(above) = above.filter(|line| line.marker == Marker::Unmarked && !line.text.is_empty()) else {
            return Err(self.cursor.fault(Grammar::LineAboveMarker));
        };
        above.marker = Marker::NoNewline;
        let here = Some(self.cursor.number());
        match above.sign {
            Sign::Context => self.ended = Ended { old: here, new: here },
            Sign::Remove => self.ended.old = here,
            Sign::Add => self.ended.new = here,
        }
        self.cursor.take();
        Ok(Step::Further)
    }

    fn stars(&mut self) -> Result<Step, Refusal> {
        match self.cursor.stars(Indent::Sign) {
            Some(Stars::EndOfFile) if !self.lines.is_empty() => {
                self.cursor.note(Reading::EndOfFile);
                self.cursor.take_stars();
                self.closes = Closes::EndOfFile;
                Ok(Step::Done)
            }
            Some(stars) if stars.is_boundary() => Ok(Step::Done),
            _ => Err(self.unfit()),
        }
    }

    fn unfit(&self) -> Refusal {
        self.cursor.fault(if self.lines.is_empty() { Grammar::FirstHunkLine } else { Grammar::HunkLine })
    }

    /// Skips the empty lines that `empty_lines` left, so that what comes next is under the cursor.
    fn skip_trailing(&mut self) {
        if self.closes == Closes::Open {
            self.cursor.skip(self.cursor.empties(), Reading::SkippedBlank);
        }
    }
}

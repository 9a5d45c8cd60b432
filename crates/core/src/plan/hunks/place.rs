//! Where one hunk goes, by its headers, its old lines and what it says about the end of the file.
//!
//! Promises one place or the reason why there is none, and changes nothing. Leaves looking to `find`, and
//! turning the reason into a refusal to `refuse`.

use super::find::{Sight, Wanted};
use super::roll::{At, Ending, Held, Roll};
use crate::intent::{BareHunk, Hunk, HunkEnd, HunkLine, HunkPlace, OldEnd};

/// Where a hunk goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Its first old line is this one.
    At(At),
    /// It has none, and goes to the end of the file.
    End,
}

/// Why a hunk has no place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Miss<'a> {
    /// This header is nowhere below the one above it.
    NoHeader(&'a str),
    /// This header stands several times, below the one above it.
    ManyHeaders(&'a str, Option<At>),
    /// The old lines are not below the last header, or not at the end.
    Nowhere(Option<At>),
    /// The old lines stand several times, below the last header.
    Many(Option<At>),
    /// A marker says that the file ends without a newline.
    EndsInNewline,
    /// No old lines, and the file is not empty.
    Bare,
    /// It removes this line, which the earlier hunk added.
    Taken(At, u32),
}

/// The context and removals of a hunk.
pub(super) fn old_lines<'h>(hunk: &'h Hunk) -> Vec<&'h [u8]> {
    let old = |line: &'h HunkLine| match line {
        HunkLine::Context(text) | HunkLine::Remove(text) => Some(text.as_bytes()),
        HunkLine::Add(_) => None,
    };
    hunk.lines.iter().filter_map(old).collect()
}

/// The context and additions of a hunk.
pub(super) fn new_lines<'h>(hunk: &'h Hunk) -> Vec<&'h [u8]> {
    let new = |line: &'h HunkLine| match line {
        HunkLine::Context(text) | HunkLine::Add(text) => Some(text.as_bytes()),
        HunkLine::Remove(_) => None,
    };
    hunk.lines.iter().filter_map(new).collect()
}

impl<'a> Roll<'a> {
    pub(super) fn place(&self, hunk: &'a Hunk) -> Result<Place, Miss<'a>> {
        let under = self.header(&hunk.place)?;
        let old = old_lines(hunk);
        if old.is_empty() {
            let fits = hunk.bare == BareHunk::Append || self.first().is_none();
            return if fits { Ok(Place::End) } else { Err(Miss::Bare) };
        }
        let wanted = Wanted { lines: &old, under };
        let at = match hunk.end {
            HunkEnd::Silent => match self.sight(wanted) {
                Sight::Once(at) => at,
                Sight::Nowhere => return Err(Miss::Nowhere(under)),
                Sight::Several => return Err(Miss::Many(under)),
            },
            HunkEnd::Last | HunkEnd::Marked { .. } => self.at_end(wanted).ok_or(Miss::Nowhere(under))?,
        };
        let bare = matches!(hunk.end, HunkEnd::Marked { old: OldEnd::Unterminated, .. });
        if bare && self.ending == Ending::Newline {
            return Err(Miss::EndsInNewline);
        }
        self.untaken(hunk, at).map(|()| Place::At(at))
    }

    /// The line that the last header names.
    fn header(&self, place: &'a HunkPlace) -> Result<Option<At>, Miss<'a>> {
        let HunkPlace::Below(headers) = place else { return Ok(None) };
        let mut under = None;
        for header in headers {
            under = match self.sight(Wanted { lines: &[header.as_bytes()], under }) {
                Sight::Once(at) => Some(at),
                Sight::Nowhere => return Err(Miss::NoHeader(header)),
                Sight::Several => return Err(Miss::ManyHeaders(header, under)),
            };
        }
        Ok(under)
    }

    /// The place that ends the file.
    fn at_end(&self, wanted: Wanted<'_, 'a>) -> Option<At> {
        let mut walk = self.last();
        let mut start = None;
        for line in wanted.lines.iter().rev() {
            let at = walk.filter(|at| Some(*at) != wanted.under && self.row(*at).text == *line)?;
            start = Some(at);
            walk = self.previous(at);
        }
        start
    }

    /// Does the hunk leave alone what earlier hunks added?
    fn untaken(&self, hunk: &Hunk, start: At) -> Result<(), Miss<'a>> {
        let mut walk = Some(start);
        for line in hunk.lines.iter().filter(|line| !matches!(line, HunkLine::Add(_))) {
            let Some(at) = walk else { break };
            if let (HunkLine::Remove(_), Held::New { by, .. }) = (line, self.held(at.node)) {
                return Err(Miss::Taken(at, by));
            }
            walk = self.next(at);
        }
        Ok(())
    }
}

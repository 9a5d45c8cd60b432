//! Where one hunk goes, by its headers, its old lines and what it says about the end of the file.
//!
//! Promises one place or the reason why there is none, and changes nothing. Leaves looking to `find`, and
//! turning the reason into a refusal to `refuse`.

use super::find::{Bounds, Sight, Wanted};
use super::roll::{At, Ending, Held, Roll};
use crate::intent::{BareHunk, Hunk, HunkEnd, HunkLine, HunkPlace, OldEnd, OldOf};
use crate::seeded::{Bug, is_planted};

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
    /// This header is nowhere in the block of the one above it.
    NoHeader(&'a str, Bounds),
    /// This header stands several times there.
    ManyHeaders(&'a str, Bounds),
    /// The old lines are not in the block that the headers name, or not at the end.
    Nowhere(Bounds),
    /// The old lines stand several times there.
    Many(Bounds),
    /// A marker says that the file ends without a newline.
    EndsInNewline,
    /// No old lines, and the file is not empty.
    Bare,
    /// It removes this line, which the earlier hunk added; or shows it as one of the file that it was made for.
    Taken(At, u32),
    /// Too many lines were read for the earlier ones.
    Spent,
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
        if self.left.get() == 0 {
            return Err(Miss::Spent);
        }
        let bounds = match &hunk.place {
            HunkPlace::Anywhere | HunkPlace::Hinted(_) => Bounds::default(),
            HunkPlace::Within(headers) => self.scope(headers)?,
        };
        let old = old_lines(hunk);
        if old.is_empty() {
            // Below a header, the end of the file is meant only where the block reaches to it.
            let fits = hunk.bare == BareHunk::Append && bounds.until.is_none() || self.first().is_none();
            return if fits { Ok(Place::End) } else { Err(Miss::Bare) };
        }
        let wanted = Wanted { lines: &old, bounds };
        let at = match hunk.end {
            HunkEnd::Silent => match self.sight(wanted) {
                Sight::Once(at) => at,
                Sight::Nowhere => return Err(Miss::Nowhere(bounds)),
                Sight::Several => self.picked(hunk, wanted).ok_or(Miss::Many(bounds))?,
            },
            HunkEnd::Last | HunkEnd::Marked { .. } => self.at_end(wanted).ok_or(Miss::Nowhere(bounds))?,
        };
        let bare = matches!(hunk.end, HunkEnd::Marked { old: OldEnd::Unterminated, .. });
        if bare && self.ending == Ending::Newline {
            return Err(Miss::EndsInNewline);
        }
        self.untaken(hunk, at).map(|()| Place::At(at))
    }

    /// Which of several places is meant: that cannot be told. Only planted bugs pick one.
    fn picked(&self, hunk: &Hunk, wanted: Wanted<'_, 'a>) -> Option<At> {
        let first = |lines: usize, end: At| (1..lines).try_fold(end, |at, _| self.previous(at));
        match &hunk.place {
            HunkPlace::Within(_) if is_planted(Bug::ScopeIgnored) => {
                self.places(wanted).end.and_then(|end| first(wanted.lines.len(), end))
            }
            HunkPlace::Hinted(headers) if is_planted(Bug::DiffNumberPicks) => {
                let digits = headers.first()?.strip_prefix('-')?.split([',', ' ']).next()?;
                let number: usize = digits.parse().ok()?;
                let said = self.places(wanted).lines.into_iter().find(|line| *line == number)?;
                self.between(wanted.bounds).nth(said.checked_sub(1)?)
            }
            _ => None,
        }
    }

    /// The place that ends the file.
    fn at_end(&self, wanted: Wanted<'_, 'a>) -> Option<At> {
        let mut walk = self.last().filter(|_| wanted.bounds.until.is_none());
        let mut start = None;
        for line in wanted.lines.iter().rev() {
            let at = walk.filter(|at| Some(*at) != wanted.bounds.under && self.row(*at).text == *line)?;
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
            let is_first = matches!(line, HunkLine::Remove(_)) || hunk.old_of == OldOf::First;
            if let (true, Held::New { by, .. }) = (is_first, self.held(at.node)) {
                return Err(Miss::Taken(at, by));
            }
            walk = self.next(at);
        }
        Ok(())
    }
}

//! Line ends that a diff shows, against those that its new lines would take.
//!
//! Promises that a new line of a diff never ends otherwise than the diff shows it. A diff that was written with `\n` alone
//! shows only which lines end alike: what its old lines have in the file says what is meant.

use super::place::Place;
use super::roll::Roll;
use crate::intent::{Hunk, HunkLine, ShownEnd};
use crate::refusal::Misfit;
use crate::text::Terminator;
use crate::text::line::{Census, NewlineStyle};

/// What one kind of line end in a hunk stands for in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    /// No old line has it.
    Unseen,
    /// All old lines that have it end so.
    Only(Terminator),
    /// They end in both ways.
    Either,
}

impl Means {
    fn and(self, ends: Terminator) -> Means {
        match self {
            _ if ends == Terminator::None => self,
            Means::Unseen => Means::Only(ends),
            Means::Only(other) if other == ends => self,
            Means::Only(_) | Means::Either => Means::Either,
        }
    }
}

impl Roll<'_> {
    /// The first new line that would end otherwise than the hunk shows it.
    pub(super) fn ends_otherwise(&self, hunk: &Hunk, place: Place) -> Option<Misfit> {
        if hunk.ends.is_empty() {
            return None;
        }
        let given = self.given(hunk, place);
        let (mut bare, mut returning) = (Means::Unseen, Means::Unseen);
        for ((line, shown), ends) in hunk.lines.iter().zip(&hunk.ends).zip(&given) {
            match (line, shown.returns) {
                (HunkLine::Add(_), _) | (_, None) => {}
                (_, Some(false)) => bare = bare.and(*ends),
                (_, Some(true)) => returning = returning.and(*ends),
            }
        }
        let returns =
            |(line, shown): (&HunkLine, &ShownEnd)| matches!(line, HunkLine::Add(_)) && shown.returns == Some(true);
        // What shows `\r\n` where the diff's own lines do not end so, says that itself.
        let known =
            (bare, returning) != (Means::Unseen, Means::Unseen) || hunk.lines.iter().zip(&hunk.ends).any(returns);
        if !known && Census::of(self.text).style() != NewlineStyle::Mixed {
            return None;
        }
        hunk.lines.iter().zip(&hunk.ends).zip(&given).find_map(|((line, shown), ends)| {
            let returns = shown.returns.filter(|_| matches!(line, HunkLine::Add(_)))?;
            let meant = match if returns { returning } else { bare } {
                Means::Only(meant) => meant,
                Means::Unseen if returns => Terminator::CrLf,
                Means::Unseen => Terminator::Lf,
                Means::Either => return None,
            };
            let returns = *ends == Terminator::CrLf;
            (*ends != meant).then_some(Misfit::LineEnds { at: shown.at, returns })
        })
    }

    /// How each line of a hunk ends in the file, or would.
    fn given(&self, hunk: &Hunk, place: Place) -> Vec<Terminator> {
        let mut next = match place {
            Place::At(at) => Some(at),
            Place::End => None,
        };
        let mut given = Vec::with_capacity(hunk.lines.len());
        for block in hunk.lines.chunk_by(|one, two| is_kept(one) == is_kept(two)) {
            let lent = if block.first().is_some_and(is_kept) { Vec::new() } else { self.lenders(block, next) };
            let (mut lent, mut ends) = (lent.into_iter(), Terminator::Lf);
            for line in block {
                if matches!(line, HunkLine::Add(_)) {
                    ends = lent.next().unwrap_or(ends);
                    given.push(ends);
                    continue;
                }
                given.push(next.map_or(Terminator::None, |at| self.row(at).ends));
                next = next.and_then(|at| self.next(at));
            }
        }
        given
    }
}

fn is_kept(line: &HunkLine) -> bool {
    matches!(line, HunkLine::Context(_))
}

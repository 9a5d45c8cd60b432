//! Which earlier hunk of a call changed the lines that a later one wants.
//!
//! Promises to name the latest hunk before which the lines stood, by taking hunks back one by one and
//! looking around each; work is bounded, and past the bound the answer is that none did. Runs for a
//! refusal only.

use super::roll::{At, Held, Roll, Way};
use crate::intent::Hunk;
use crate::locate::LinePattern;

/// So many lines are looked at.
const LOOKED_AT: usize = 1 << 26;

/// The earlier hunk, and the line of the old text where its change begins.
pub(super) struct Overlap {
    pub(super) earlier: usize,
    pub(super) line: usize,
}

impl<'a> Roll<'a> {
    /// The hunk among the first `number`, which have been applied, that changed these lines.
    pub(super) fn stood(self, wanted: &[&[u8]], hunks: &'a [Hunk], number: usize) -> Option<Overlap> {
        let pattern = LinePattern::new(wanted).filter(|_| number > 0)?;
        let mut roll = if self.index.is_some() { self } else { replayed(self.path, self.text, hunks, number) };
        let changes = roll.finish(number).changes;
        let mut budget = LOOKED_AT;
        for earlier in (0..number).rev() {
            roll.take_back(earlier);
            let looked = roll.around(earlier, wanted.len());
            if looked.len() > budget {
                return None;
            }
            budget -= looked.len();
            let mut reader = pattern.reader();
            if looked.into_iter().any(|at| reader.ends_with(roll.row(at).text)) {
                let line = changes.get(earlier).map_or(1, |change| change.before_line);
                return Some(Overlap { earlier, line: line.max(1) });
            }
        }
        None
    }

    /// Undoes the latest hunk that is not undone. Needs every node to be one line.
    fn take_back(&mut self, hunk: usize) {
        let noted = self.noted(hunk).to_vec();
        for node in noted.into_iter().rev() {
            match self.held(node) {
                Held::Old { .. } => self.link(node),
                Held::New { .. } => self.unlink(node),
            }
        }
    }

    /// The lines that a hunk changed, or between which it put some, and enough of their neighbours to
    /// hold any place of `lines` lines that the hunk broke.
    fn around(&self, hunk: usize, lines: usize) -> Vec<At> {
        let (Some(first), Some(last)) = (self.noted(hunk).first(), self.noted(hunk).last()) else {
            return Vec::new();
        };
        let is_new = |node: u32| matches!(self.held(node), Held::New { .. });
        let top = if is_new(*first) { self.above(*first) } else { *first };
        let bottom = if is_new(*last) { self.below(*last) } else { *last };
        let mut start = self.head(top).or_else(|| self.first());
        for _ in 1..lines {
            start = start.map(|at| self.previous(at).unwrap_or(at));
        }
        let mut looked = Vec::new();
        let mut beyond = None;
        for at in std::iter::successors(start, |at| self.next(*at)) {
            looked.push(at);
            beyond = if at.node == bottom { Some(1) } else { beyond.map(|lines: usize| lines + 1) };
            if beyond.is_some_and(|beyond| beyond >= lines) {
                break;
            }
        }
        looked
    }
}

/// The hunk that changed these lines, of those that make one section.
pub(super) fn changed(path: &str, text: &[u8], hunks: &[Hunk], wanted: &[&[u8]]) -> Option<Overlap> {
    replayed(path, text, hunks, hunks.len()).stood(wanted, hunks, hunks.len())
}

/// The same hunks applied with every node one line.
fn replayed<'a>(path: &'a str, text: &'a [u8], hunks: &'a [Hunk], number: usize) -> Roll<'a> {
    let mut roll = Roll::of(path, text, Way::Indexed);
    for (number, hunk) in hunks.iter().take(number).enumerate() {
        if let Ok(place) = roll.place(hunk) {
            roll.apply(number, hunk, place);
        }
    }
    roll
}

//! A change as a diff whose kept and new lines carry their new anchors, so that a caller can go on without
//! reading again.

use super::Versions;
use crate::anchor::{Anchors, Shown};
use crate::diff::DIFF_LIMIT;
use crate::sanity::Touched;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

/// So many lines are shown around a change.
const AROUND: usize = 3;

/// Of removed lines so many are shown.
const GONE: usize = 100;

/// The diff, and whether it was cut.
pub(super) fn diff(versions: Versions<'_>, touched: &[Touched]) -> (String, bool) {
    let mut page = Page { before: versions.before, after: versions.after, shown: HashMap::new(), out: String::new() };
    page.look_up(touched);
    for hunk in touched.chunk_by(|one, next| next.before.start - one.before.end <= 2 * AROUND) {
        if page.hunk(hunk).is_none() {
            return (page.out, true);
        }
    }
    (page.out, false)
}

/// A block without the lines at its ends that go and come alike.
pub(super) fn trimmed(versions: Versions<'_>, block: &Touched) -> Touched {
    let Versions { before, after } = versions;
    let text = |anchors: &Anchors<'_>, at: usize| anchors.hashes().get(at).copied();
    let (mut old, mut new) = (block.before.clone(), block.after.clone());
    while !old.is_empty() && !new.is_empty() && text(before, old.start) == text(after, new.start) {
        (old.start, new.start) = (old.start + 1, new.start + 1);
    }
    while !old.is_empty() && !new.is_empty() && text(before, old.end - 1) == text(after, new.end - 1) {
        (old.end, new.end) = (old.end - 1, new.end - 1);
    }
    Touched { before: old, after: new }
}

struct Page<'a> {
    before: &'a Anchors<'a>,
    after: &'a Anchors<'a>,
    /// The anchors of the lines that will be shown, by number.
    shown: HashMap<usize, Shown>,
    out: String,
}

impl Page<'_> {
    /// Looks up the anchors of all lines that fit on the page.
    fn look_up(&mut self, blocks: &[Touched]) {
        let mut lines: Vec<usize> = Vec::new();
        for block in blocks {
            let from = block.after.start.saturating_sub(AROUND) + 1;
            let to = (block.after.end + AROUND).min(self.after.count());
            lines.extend((from..=to).take(DIFF_LIMIT / 10));
            if lines.len() > DIFF_LIMIT / 10 {
                break;
            }
        }
        lines.dedup();
        self.shown = self.after.shown(&lines).into_iter().map(|shown| (shown.line, shown)).collect();
    }

    /// One hunk; nothing once the page is full.
    fn hunk(&mut self, blocks: &[Touched]) -> Option<()> {
        let (first, last) = (blocks.first()?, blocks.last()?);
        let lead = first.after.start.min(AROUND);
        let trail = (self.after.count().saturating_sub(last.after.end)).min(AROUND);
        let old = first.before.start.saturating_sub(lead)..last.before.end + trail;
        let new = first.after.start.saturating_sub(lead)..last.after.end + trail;
        self.line(format_args!("@@ -{} +{} @@", span(&old), span(&new)))?;
        let mut at = new.start;
        for block in blocks {
            self.kept(at..block.after.start)?;
            self.gone(block.before.clone())?;
            self.come(block.after.clone(), '+')?;
            at = block.after.end;
        }
        self.kept(at..new.end)
    }

    fn kept(&mut self, lines: Range<usize>) -> Option<()> {
        self.come(lines, ' ')
    }

    fn come(&mut self, lines: Range<usize>, sign: char) -> Option<()> {
        for line in lines.map(|at| at + 1) {
            let text = String::from_utf8_lossy(self.after.text(line));
            let shown = *self.shown.get(&line)?;
            self.line(format_args!("{sign}{shown} [{}]|{text}", shown.quality.word()))?;
        }
        Some(())
    }

    /// Removed lines. What matters to go on is what is there now: of many that went, the middle is left out.
    fn gone(&mut self, lines: Range<usize>) -> Option<()> {
        let (head, tail) = match lines.len() > GONE {
            true => (lines.start..lines.start + GONE / 2, lines.end - GONE / 2..lines.end),
            false => (lines.clone(), lines.end..lines.end),
        };
        let left_out = tail.start - head.end;
        head.into_iter().try_for_each(|at| self.gone_line(at + 1))?;
        if left_out > 0 {
            self.line(format_args!("-… {left_out} more lines"))?;
        }
        tail.into_iter().try_for_each(|at| self.gone_line(at + 1))
    }

    fn gone_line(&mut self, line: usize) -> Option<()> {
        let text = String::from_utf8_lossy(self.before.text(line));
        self.line(format_args!("-{line}|{text}"))
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) -> Option<()> {
        let full = self.out.len();
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{line}");
        if self.out.len() > DIFF_LIMIT {
            self.out.truncate(full);
            return None;
        }
        Some(())
    }
}

/// `first,count` as unified diffs have it.
fn span(lines: &Range<usize>) -> String {
    let first = if lines.is_empty() { lines.start } else { lines.start + 1 };
    format!("{first},{}", lines.len())
}

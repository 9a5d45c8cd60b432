//! An edit of decoded text taken back to raw bytes.
//!
//! Promises that the bytes of lines no splice touches are copied, never decoded and encoded
//! again, and that a touched line is encoded only where its old text gives back its old bytes.
//! Leaves marks and plain UTF-8 to `document`.

use std::ops::Range;

use super::encoding::Charset;
use super::problem::{TextProblem, newlines, unencodable};
use super::splice::{Splice, Splices};
use super::view::{Seam, View};

/// An edit of decoded text on its way back to bytes.
pub(super) struct Rewrite<'a> {
    pub(super) charset: Charset,
    pub(super) body: &'a [u8],
    pub(super) view: &'a View,
    pub(super) edit: &'a Splices,
}

/// Splices that touch the same lines, and those before them.
struct Stretch<'a> {
    seams: Range<usize>,
    group: &'a [Splice],
    earlier: &'a [Splice],
}

impl<'a> Rewrite<'a> {
    /// Copies what no splice touches and encodes the rest, stretch by stretch.
    pub(super) fn run(&self, raw: &mut Vec<u8>) -> Result<(), TextProblem> {
        let (mut copied, mut used) = (0, 0);
        while let Some(stretch) = self.stretch_from(used)? {
            raw.extend_from_slice(self.raw_between(copied, stretch.seams.start));
            raw.extend(self.encode(&stretch)?);
            copied = stretch.seams.end;
            used += stretch.group.len();
        }
        raw.extend_from_slice(self.raw_between(copied, self.view.seams.len()));
        Ok(())
    }

    fn stretch_from(&self, used: usize) -> Result<Option<Stretch<'a>>, TextProblem> {
        let (earlier, rest) = self.edit.as_slice().split_at_checked(used).unwrap_or_default();
        let Some((first, others)) = rest.split_first() else {
            return Ok(None);
        };
        let mut seams = self.seams_around(first)?;
        let mut len = 1;
        for next in others {
            let reach = self.seams_around(next)?;
            if reach.start >= seams.end {
                break;
            }
            seams.end = seams.end.max(reach.end);
            len += 1;
        }
        let group = rest.get(..len).unwrap_or(rest);
        Ok(Some(Stretch { seams, group, earlier }))
    }

    /// The seams between which a splice touches something. Empty for an insert between lines.
    fn seams_around(&self, splice: &Splice) -> Result<Range<usize>, TextProblem> {
        if splice.range.end > self.view.text.len() {
            return Err(TextProblem::OutOfBounds);
        }
        let seams = &self.view.seams;
        let last = seams.len().saturating_sub(1);
        let start = seams.partition_point(|seam| seam.text <= splice.range.start).saturating_sub(1);
        let end = seams.partition_point(|seam| seam.text < splice.range.end).min(last);
        // What follows an unterminated line joins it, and half a character could swallow it.
        let joins_last = start == last && !self.view.text.ends_with('\n');
        Ok(match self.charset.is_stateful() {
            true => 0..last,
            false if joins_last => last.saturating_sub(1)..last,
            false => start..end.max(start),
        })
    }

    fn encode(&self, stretch: &Stretch<'_>) -> Result<Vec<u8>, TextProblem> {
        for at in stretch.seams.clone() {
            self.check_comes_back(at)?;
        }
        let mut copied = self.seam(stretch.seams.start).text;
        let mut new = Vec::new();
        for splice in stretch.group {
            new.extend_from_slice(self.old_text(copied..splice.range.start));
            new.extend_from_slice(&splice.text);
            copied = splice.range.end;
        }
        new.extend_from_slice(self.old_text(copied..self.seam(stretch.seams.end).text));
        let place = |at| self.place_in_new_text(stretch, &new, at);
        let text = std::str::from_utf8(&new).map_err(|bad| place(bad.valid_up_to()))?;
        Ok(self.charset.encode(text).map_err(place)?.into_owned())
    }

    fn check_comes_back(&self, at: usize) -> Result<(), TextProblem> {
        let (this, next) = (self.seam(at), self.seam(at + 1));
        let text = self.view.text.get(this.text..next.text).unwrap_or_default();
        if self.charset.encode(text).is_ok_and(|again| *again == *self.raw_between(at, at + 1)) {
            return Ok(());
        }
        // Between two seams lies one line; in a stateful charset all of them, and there the
        // first U+FFFD is the best clue.
        let lost = if self.charset.is_stateful() { text.find('\u{FFFD}').unwrap_or(0) } else { 0 };
        Err(TextProblem::Lossy { line: 1 + newlines(self.old_text(0..this.text + lost)) })
    }

    /// Names the character at `at` in a stretch's new text, by its line in the whole new text.
    fn place_in_new_text(&self, stretch: &Stretch<'_>, new: &[u8], at: usize) -> TextProblem {
        let gained: usize = stretch.earlier.iter().map(|splice| newlines(&splice.text)).sum();
        let lost: usize = stretch.earlier.iter().map(|splice| newlines(self.old_text(splice.range.clone()))).sum();
        let before = newlines(self.old_text(0..self.seam(stretch.seams.start).text));
        let mut problem = unencodable(new, at);
        if let TextProblem::Unencodable { line, .. } = &mut problem {
            *line += (before + gained).saturating_sub(lost);
        }
        problem
    }

    fn seam(&self, at: usize) -> Seam {
        let end = Seam { raw: self.body.len(), text: self.view.text.len() };
        self.view.seams.get(at).copied().unwrap_or(end)
    }

    fn raw_between(&self, from: usize, to: usize) -> &'a [u8] {
        self.body.get(self.seam(from).raw..self.seam(to).raw).unwrap_or_default()
    }

    fn old_text(&self, range: Range<usize>) -> &'a [u8] {
        self.view.text.as_bytes().get(range).unwrap_or_default()
    }
}

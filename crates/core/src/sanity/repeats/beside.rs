//! A new block that stands beside the lines it was to replace.
//!
//! Nothing went, and what came begins and ends like what stands just below it (or above), with lines that
//! the old text had only once. A copied neighbour, such as another test, shares its ends too; but those
//! are lines that many share. Where that line is drawn was measured on real edits.

use super::super::Doubt;
use super::super::block::{Block, upwards};
use super::{is_low, run};
use crate::text::lines;

/// So many equal lines at each end are looked up in the old text.
const LOOKED_UP: usize = 24;

/// Finds a block that stands beside what it was to replace.
pub(super) fn find(before: &[u8], block: &Block<'_>) -> Option<Doubt> {
    let (old, new) = (block.old.lines(), block.new.lines());
    let head = old.iter().zip(&new).take_while(|(one, two)| one == two).count();
    let tails = old.iter().skip(head).rev().zip(new.iter().skip(head).rev());
    let foot = tails.take_while(|(one, two)| one == two).count();
    let end = new.len().checked_sub(foot)?;
    let come = new.get(head..end).filter(|come| head.saturating_add(foot) == old.len() && !come.is_empty())?;
    let reach = come.len().saturating_mul(2).saturating_add(16);
    let first = block.new.line.saturating_add(head).saturating_add(1);

    let below = new.iter().skip(end).copied().chain(lines(block.new.below).map(|line| line.text));
    let below: Vec<&[u8]> = below.take(reach).collect();
    if let Some(like) = Like::of(come, &below).filter(|like| like.is_telling(before)) {
        return like.doubt_below(first, come);
    }
    let above: Vec<&[u8]> = new.iter().take(head).rev().copied().chain(upwards(block.new.above)).take(reach).collect();
    let upside_down: Vec<&[u8]> = come.iter().rev().copied().collect();
    let like = Like::of(&upside_down, &above).filter(|like| like.is_telling(before))?;
    like.doubt_above(first, come)
}

/// How a block is like its neighbour.
struct Like<'a> {
    block: &'a [&'a [u8]],
    /// Equal lines at the end where they meet, and at the far end.
    near: &'a [&'a [u8]],
    far: &'a [&'a [u8]],
    /// The neighbour, as far as the equal lines reach.
    other: &'a [&'a [u8]],
}

impl<'a> Like<'a> {
    /// Compares a block with what follows it.
    fn of(block: &'a [&'a [u8]], next: &'a [&'a [u8]]) -> Option<Like<'a>> {
        let near = block.iter().zip(next).take_while(|(one, two)| one == two).count();
        let rest = block.get(near..).filter(|rest| near > 0 && !rest.is_empty())?;
        let (far, end) = longest_tail(rest, next.get(near..)?)?;
        Some(Like {
            block,
            near: block.get(..near)?,
            far: block.get(block.len().checked_sub(far)?..)?,
            other: next.get(..near.saturating_add(end))?,
        })
    }

    /// Lines with something in them at both ends, two of them the only ones of their kind; or one, where
    /// most of the block is equal. Lines without letter or digit say nothing either way.
    fn is_telling(&self, before: &[u8]) -> bool {
        let (near, far) = (solid(self.near), solid(self.far));
        let equal = near.saturating_add(far);
        let block = solid(self.block);
        let of = if near > 0 || far > 1 { block.min(solid(self.other)) } else { block };
        let most = equal.saturating_mul(4) >= of.saturating_mul(3);
        if (near == 0 || far == 0) && !most {
            return false;
        }
        let said = self.near.iter().take(LOOKED_UP).chain(self.far.iter().rev().take(LOOKED_UP));
        let wanted = if most { 1 } else { 2 };
        let lone = said.filter(|line| !is_low(line) && has_once(before, line));
        lone.take(wanted).count() == wanted
    }

    /// Whether the far end says more than the near one.
    fn is_far(&self) -> bool {
        solid(self.far) > solid(self.near)
    }

    /// Tells of the longer run, the block being above its neighbour and beginning at a line.
    fn doubt_below(&self, first: usize, come: &[&[u8]]) -> Option<Doubt> {
        let next = first.saturating_add(come.len());
        if !self.is_far() {
            return run(first, next, self.near);
        }
        let (head, far) = come.split_at_checked(come.len().checked_sub(self.far.len())?)?;
        let other = next.saturating_add(self.other.len()).saturating_sub(far.len());
        run(first.saturating_add(head.len()), other, far)
    }

    /// The same for a block below its neighbour; all is upside down here but what came.
    fn doubt_above(&self, first: usize, come: &[&[u8]]) -> Option<Doubt> {
        if self.is_far() {
            return run(first, first.saturating_sub(self.other.len()), come.get(..self.far.len())?);
        }
        let (head, near) = come.split_at_checked(come.len().checked_sub(self.near.len())?)?;
        run(first.saturating_add(head.len()), first.saturating_sub(near.len()), near)
    }
}

/// How many lines have a letter or digit.
fn solid(lines: &[&[u8]]) -> usize {
    lines.iter().filter(|line| !is_low(line)).count()
}

/// The longest end of `block` that stands somewhere in `next`: its length, and where it ends there.
fn longest_tail(block: &[&[u8]], next: &[&[u8]]) -> Option<(usize, usize)> {
    // Both upside down, the block first: how long each place goes on like the beginning.
    let turned = block.iter().rev().map(Some).chain([None]).chain(next.iter().rev().map(Some));
    let all: Vec<Option<&&[u8]>> = turned.collect();
    let runs = runs(&all);
    let mut best: Option<(usize, usize)> = None;
    for (at, run) in runs.iter().enumerate().skip(block.len().saturating_add(1)) {
        let end = all.len().saturating_sub(at);
        if *run > 0 && best.is_none_or(|(longest, _)| *run >= longest) {
            best = Some((*run, end));
        }
    }
    best
}

/// For each place, how many items from there on are equal to those from the beginning on.
fn runs<T: PartialEq>(items: &[T]) -> Vec<usize> {
    let mut runs = vec![0; items.len()];
    let (mut start, mut end) = (0_usize, 0_usize);
    for at in 1..items.len() {
        let known = runs.get(at.saturating_sub(start)).copied().unwrap_or(0);
        let mut run = if at < end { known.min(end.saturating_sub(at)) } else { 0 };
        while at.saturating_add(run) < items.len() && items.get(run) == items.get(at.saturating_add(run)) {
            run = run.saturating_add(1);
        }
        if at.saturating_add(run) > end {
            (start, end) = (at, at.saturating_add(run));
        }
        if let Some(cell) = runs.get_mut(at) {
            *cell = run;
        }
    }
    runs
}

/// Whether a text has a line exactly once.
fn has_once(text: &[u8], line: &[u8]) -> bool {
    let whole = |at: &usize| {
        let after = text.get(at.saturating_add(line.len())..).unwrap_or_default();
        let starts = at.checked_sub(1).is_none_or(|before| text.get(before) == Some(&b'\n'));
        starts && (after.is_empty() || after.starts_with(b"\n") || after.starts_with(b"\r\n"))
    };
    memchr::memmem::find_iter(text, line).filter(whole).take(2).count() == 1
}

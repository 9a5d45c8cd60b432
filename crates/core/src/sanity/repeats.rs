//! Lines that a touched block says again.
//!
//! The usual slips of a wrong range: the new block begins with the line above it or ends with the line
//! below it, because that line was in the block but not in the range; or it stands beside the lines that
//! it was to replace; or it has everything twice. Lines without a letter or digit never count alone. What
//! repeated itself before the edit is none of its doing.

mod beside;

use super::block::Block;
use super::{Doubt, excerpt};
use crate::anchor::is_low;

/// The repeated lines of all blocks.
pub(super) fn find(before: &[u8], blocks: &[Block<'_>]) -> Vec<Doubt> {
    blocks.iter().flat_map(|block| of(before, block)).collect()
}

fn of(before: &[u8], block: &Block<'_>) -> Option<Doubt> {
    above(block).or_else(|| below(block)).or_else(|| twice(block)).or_else(|| beside::find(before, block))
}

/// The new block begins with the line above it.
fn above(block: &Block<'_>) -> Option<Doubt> {
    let (above, first) = (block.new.line_above()?, block.new.first()?);
    let before = block.old.first().or_else(|| block.old.line_below());
    if above != first || is_low(first) || before == Some(first) {
        return None;
    }
    let line = block.new.line.saturating_add(1);
    Some(Doubt::Repeated { line, other: line.saturating_sub(1), lines: 1, excerpt: excerpt(first) })
}

/// The new block ends with the line below it.
fn below(block: &Block<'_>) -> Option<Doubt> {
    let (below, last) = (block.new.line_below()?, block.new.last()?);
    let before = block.old.last().or_else(|| block.old.line_above());
    if below != last || is_low(last) || before == Some(last) {
        return None;
    }
    let line = block.new.line.saturating_add(memchr::memchr_iter(b'\n', block.new.text).count());
    Some(Doubt::Repeated { line, other: line.saturating_add(1), lines: 1, excerpt: excerpt(last) })
}

/// The new block is the same lines two times or more, with at most a blank line between. One line that comes twice may
/// well be meant.
fn twice(block: &Block<'_>) -> Option<Doubt> {
    let new = block.new.lines();
    let unit = unit(&new).filter(|unit| *unit > 1)?;
    if self::unit(&block.old.lines()).is_some() {
        return None;
    }
    let other = block.new.line.saturating_add(1);
    let again = new.get(unit..unit.saturating_mul(2).min(new.len())).unwrap_or_default();
    run(other.saturating_add(unit), other, again)
}

/// A doubt about lines that stand at two places, from the first of them that has something in it.
fn run(line: usize, other: usize, lines: &[&[u8]]) -> Option<Doubt> {
    let skip = lines.iter().position(|line| !is_low(line))?;
    let (line, other) = (line.saturating_add(skip), other.saturating_add(skip));
    let first = excerpt(lines.get(skip)?);
    Some(Doubt::Repeated { line, other, lines: lines.len().saturating_sub(skip), excerpt: first })
}

/// After how many lines a block begins again, if it is nothing but that.
fn unit(lines: &[&[u8]]) -> Option<usize> {
    let mut borders: Vec<usize> = vec![0];
    for line in lines.iter().skip(1) {
        let mut border = borders.last().copied().unwrap_or(0);
        while border > 0 && lines.get(border) != Some(line) {
            border = borders.get(border.saturating_sub(1)).copied().unwrap_or(0);
        }
        borders.push(if lines.get(border) == Some(line) { border.saturating_add(1) } else { 0 });
    }
    let unit = lines.len().saturating_sub(borders.last().copied().unwrap_or(0));
    let gap = unit.checked_sub(1).and_then(|last| lines.get(last)).is_some_and(|line| line.trim_ascii().is_empty());
    let whole = unit.saturating_mul(2) <= lines.len().saturating_add(usize::from(gap && unit > 1));
    (whole && unit > 0 && unit < lines.len()).then_some(unit)
}

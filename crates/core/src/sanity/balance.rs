//! Which marks go together, and which an edit left alone: brackets, or tags.
//!
//! Compares the whole texts: only where more marks are alone than before is there a doubt. Then it
//! looks for the mark in the touched lines, or for the one outside that lost its partner there. Knows
//! nothing of languages.

use super::block::{Block, Part};

/// Something that opens or closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its offset in the text.
    pub(super) at: usize,
    /// Marks of one sort go together. Sorts are numbered from 0 without great gaps.
    pub(super) sort: usize,
    pub(super) side: Side,
}

/// Whether a mark opens or closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Open,
    Close,
}

/// Marks of the new text that the edit left alone, in order; empty if it left none.
pub(super) fn left_alone(old: &[Mark], new: &[Mark], blocks: &[Block<'_>]) -> Vec<Mark> {
    let (old_pairs, new_pairs) = (pair(old), pair(new));
    if new_pairs.alone.len() <= old_pairs.alone.len() {
        return Vec::new();
    }
    let found = suspects(old, new, &old_pairs, blocks);
    if found.is_empty() { far_off(&new_pairs.alone, blocks) } else { found }
}

/// Which marks go together.
struct Pairs {
    /// Those that have no partner, in order.
    alone: Vec<Mark>,
    /// Offsets of those that have one: both ways, in order.
    partners: Vec<(usize, usize)>,
}

/// Pairs marks up. One that closes passes over inner ones of another sort that were left open.
fn pair(marks: &[Mark]) -> Pairs {
    let mut open: Vec<Mark> = Vec::new();
    let sorts = marks.iter().map(|mark| mark.sort).max().map_or(0, |most| most.saturating_add(1));
    let mut waiting = vec![0_usize; sorts];
    let mut pairs = Pairs { alone: Vec::new(), partners: Vec::new() };
    for mark in marks {
        let Some(count) = waiting.get_mut(mark.sort) else { continue };
        match (mark.side, *count) {
            (Side::Open, _) => {
                *count = count.saturating_add(1);
                open.push(*mark);
            }
            (Side::Close, 0) => pairs.alone.push(*mark),
            (Side::Close, _) => {
                while let Some(top) = open.pop() {
                    if let Some(count) = waiting.get_mut(top.sort) {
                        *count = count.saturating_sub(1);
                    }
                    if top.sort == mark.sort {
                        pairs.partners.extend([(top.at, mark.at), (mark.at, top.at)]);
                        break;
                    }
                    pairs.alone.push(top);
                }
            }
        }
    }
    pairs.alone.append(&mut open);
    pairs.alone.sort_by_key(|mark| mark.at);
    pairs.partners.sort_unstable();
    pairs
}

/// Marks of the new text that the touched lines robbed of their partner, or brought alone.
fn suspects(old: &[Mark], new: &[Mark], pairs: &Pairs, blocks: &[Block<'_>]) -> Vec<Mark> {
    let mut found: Vec<Mark> = Vec::new();
    for block in blocks {
        let (gone, come) = (pair(within(old, &block.old)).alone, pair(within(new, &block.new)).alone);
        for side in [Side::Close, Side::Open] {
            let (lost, brought) = beyond(&of_side(&gone, side), &of_side(&come, side));
            found.extend(brought);
            found.extend(lost.iter().filter_map(|one| partner(*one, pairs)).filter_map(|one| moved(one, blocks)));
        }
    }
    found.sort_by_key(|mark| mark.at);
    // Suspects that are each other's partners are none.
    let alone = pair(&found).alone;
    if alone.is_empty() { found } else { alone }
}

fn of_side(marks: &[Mark], side: Side) -> Vec<Mark> {
    marks.iter().filter(|mark| mark.side == side).copied().collect()
}

/// What is left of both sides after an equal beginning.
fn beyond(old: &[Mark], new: &[Mark]) -> (Vec<Mark>, Vec<Mark>) {
    let same = old.iter().zip(new).take_while(|(one, two)| one.sort == two.sort).count();
    (old.iter().skip(same).copied().collect(), new.iter().skip(same).copied().collect())
}

fn within<'a>(marks: &'a [Mark], part: &Part<'_>) -> &'a [Mark] {
    let start = marks.partition_point(|mark| mark.at < part.start());
    let end = marks.partition_point(|mark| mark.at < part.end());
    marks.get(start..end).unwrap_or_default()
}

fn partner(mark: Mark, pairs: &Pairs) -> Option<Mark> {
    let found = pairs.partners.binary_search_by_key(&mark.at, |(one, _)| *one).ok()?;
    let (_, at) = pairs.partners.get(found)?;
    let side = if mark.side == Side::Open { Side::Close } else { Side::Open };
    Some(Mark { at: *at, side, ..mark })
}

/// Where a mark of the old text stands in the new one, if it was not touched.
fn moved(mark: Mark, blocks: &[Block<'_>]) -> Option<Mark> {
    let above = blocks.iter().rev().find(|block| block.old.start() <= mark.at);
    let Some(block) = above else { return Some(mark) };
    let past = mark.at.checked_sub(block.old.end())?;
    Some(Mark { at: block.new.end().saturating_add(past), ..mark })
}

/// Where no touched line explains it, as when a string was left open: the first lone mark from there on.
fn far_off(alone: &[Mark], blocks: &[Block<'_>]) -> Vec<Mark> {
    let from = blocks.first().map_or(0, |block| block.new.start());
    let after = alone.iter().find(|mark| mark.at >= from);
    after.or_else(|| alone.last()).copied().into_iter().collect()
}

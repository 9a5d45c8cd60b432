//! Runs of lines as operations on anchors, as a model chooses them that knows the guidance: one line by itself
//! where it has something to say, else a range.

use super::ask::{Deed, Name, Operation};
use super::draft::{Block, Hunk};
use super::text::Text;
use patchwright_engine::core::anchor::{Anchors, line_hash};

/// The operations that make these changes in a text as it was read, without `was`; nothing where no operation can.
pub(super) fn operations(runs: &[Hunk], seen: &Text) -> Option<Vec<Operation>> {
    let text = seen.shown();
    let anchors = Anchors::of(text.as_bytes());
    let name = |at: usize| {
        let shown = anchors.shown(&[at + 1]).pop()?;
        Some(Name { number: shown.line, form: shown.form.to_string() })
    };
    runs.iter().map(|run| operation(run, &seen.lines, &name)).collect()
}

/// The same, and where a line is replaced or deleted, what the caller believes it to be.
pub(super) fn quoting(blocks: &[Block], seen: &Text) -> Option<Vec<Operation>> {
    let runs: Vec<Hunk> = blocks.iter().flat_map(Block::runs).collect();
    let mut made = operations(&runs, seen)?;
    for one in made.iter_mut().filter(|one| matches!(one.deed, Deed::Replace | Deed::Delete)) {
        one.was = believed(blocks, seen, one.first.number.checked_sub(1)?);
    }
    Some(made)
}

/// A line, from 0, as the blocks have it; else as it was read.
fn believed(blocks: &[Block], seen: &Text, at: usize) -> Option<String> {
    let of = |block: &Block| block.old_lines().get(at.checked_sub(block.at)?).cloned();
    blocks.iter().find_map(of).or_else(|| seen.lines.get(at).cloned())
}

/// The form that a reading prints for a line, from 0.
pub(super) fn form(seen: &Text, at: usize) -> Option<String> {
    Some(Anchors::of(seen.shown().as_bytes()).shown(&[at.checked_add(1)?]).pop()?.form.to_string())
}

/// The block's first change, its lines named by the shortest form, with the numbers of a copy so far away.
pub(super) fn at_copy(block: &Block, before: &Text, shift: isize) -> Option<Vec<Operation>> {
    let name = |at: usize| {
        let hash = line_hash(before.lines.get(at)?.as_bytes());
        Some(Name { number: (at + 1).checked_add_signed(shift)?, form: format!("{:06x}", hash >> 40) })
    };
    let mut made = operation(block.runs().first()?, &before.lines, &name)?;
    if matches!(made.deed, Deed::Replace | Deed::Delete) {
        made.was = before.lines.get(made.first.number.checked_add_signed(-shift)?.checked_sub(1)?).cloned();
    }
    Some(vec![made])
}

fn operation(run: &Hunk, lines: &[String], name: &dyn Fn(usize) -> Option<Name>) -> Option<Operation> {
    let speaks = |at: usize| lines.get(at).is_some_and(|line| line.contains(char::is_alphanumeric));
    let (start, end) = (run.old.start, run.old.end);
    let content = run.new.clone();
    let deed = if content.is_empty() { Deed::Delete } else { Deed::Replace };
    let single = |deed: Deed, at: usize| {
        Some(Operation { deed, first: name(at)?, last: None, content: content.clone(), was: None })
    };
    match run.old.len() {
        0 if content.is_empty() => None,
        0 if start > 0 && speaks(start - 1) => single(Deed::After, start - 1),
        0 if speaks(start) => single(Deed::Before, start),
        1 if speaks(start) => single(deed, start),
        0 | 1 => wide(run, lines, name),
        _ => Some(Operation { deed, first: name(start)?, last: Some(name(end - 1)?), content, was: None }),
    }
}

/// With a line more on either side, where there is one.
fn wide(run: &Hunk, lines: &[String], name: &dyn Fn(usize) -> Option<Name>) -> Option<Operation> {
    let start = run.old.start.saturating_sub(1);
    let end = (run.old.end + 1).min(lines.len());
    let mut content = lines.get(start..run.old.start)?.to_vec();
    content.extend_from_slice(&run.new);
    content.extend_from_slice(lines.get(run.old.end..end)?);
    let many = end.saturating_sub(start) > 1 && !content.is_empty();
    let (first, last) = (name(start)?, name(end.checked_sub(1)?)?);
    many.then_some(Operation { deed: Deed::Replace, first, last: Some(last), content, was: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, old: std::ops::Range<usize>, new: &[&str], expected: (Deed, usize, Option<usize>)) {
        let seen = Text::of(text.as_bytes()).unwrap();
        let run = Hunk { old, new: new.iter().map(|line| (*line).to_owned()).collect() };
        let made = operations(&[run], &seen).unwrap().remove(0);
        assert_eq!((made.deed, made.first.number, made.last.map(|last| last.number)), expected, "{text:?}");
    }

    #[test]
    fn an_operation_for_every_run() {
        check("a\nb\nc\n", 1..2, &["x"], (Deed::Replace, 2, None));
        check("a\nb\nc\n", 1..3, &[], (Deed::Delete, 2, Some(3)));
        check("a\nb\nc\n", 1..1, &["x"], (Deed::After, 1, None));
        check("}\nb\nc\n", 1..1, &["x"], (Deed::Before, 2, None));
        check("}\n{\nc\n", 1..1, &["x"], (Deed::Replace, 1, Some(2)));
        check("a\n}\nc\n", 1..2, &[], (Deed::Replace, 1, Some(3)));
    }
}

//! Writing an edit down in a dialect, and the slips that concern the call as a whole.

use super::anchored;
use super::ask::{self, Ask, Change, Dialect, Name, Operation, Prefix};
use super::draft::{Block, Hunk, applied};
use super::scopes;
use super::slip::Slip;
use super::text::Text;
use patchwright_testkit::dice::Dice;

/// How a change by line numbers is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Only the lines that change.
    Runs,
    /// With the lines around them.
    Blocks,
}

/// How blocks are written down.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) style: Style,
    pub(super) prefix: Prefix,
}

/// Blocks in a dialect, as a model writes them that has read this text.
pub(super) fn written(dialect: Dialect, path: &str, blocks: &[Block], seen: &Text, manner: Manner) -> Option<Ask> {
    let Manner { style, prefix } = manner;
    let runs = || blocks.iter().flat_map(Block::runs).collect::<Vec<Hunk>>();
    Some(match dialect {
        Dialect::Envelope => Ask::Patch(ask::envelope(path, blocks, prefix)),
        Dialect::Unified => Ask::Patch(ask::unified(path, blocks, prefix)),
        Dialect::Diff => Ask::Patch(ask::diff(path, blocks, prefix)),
        Dialect::Scopes => {
            let headed = |block| Some((block, scopes::header(&seen.lines, block)?));
            let headed: Option<Vec<(&Block, &str)>> = blocks.iter().map(headed).collect();
            Ask::Codex(ask::scoped(path, &headed?, prefix))
        }
        Dialect::Strings => Ask::Strings(
            blocks.iter().map(|block| (block.old_lines().join("\n"), block.new_lines().join("\n"))).collect(),
        ),
        Dialect::Lines => Ask::Lines(changes(blocks, style, seen)),
        Dialect::BareLines => {
            let mut changes = changes(blocks, style, seen);
            changes.iter_mut().for_each(|change| change.around = None);
            Ask::Lines(changes)
        }
        Dialect::Whole => Ask::Whole(applied(seen, &runs()).shown()),
        Dialect::Anchors => Ask::Anchors(anchored::quoting(blocks, seen)?),
        Dialect::BareAnchors => Ask::Anchors(anchored::operations(&runs(), seen)?),
    })
}

fn changes(blocks: &[Block], style: Style, seen: &Text) -> Vec<Change> {
    match style {
        Style::Blocks => blocks.iter().map(|block| Change::of_block(block, &seen.lines)).collect(),
        Style::Runs => blocks.iter().flat_map(Block::runs).map(|run| Change::of_run(&run, &seen.lines)).collect(),
    }
}

/// The blocks with their places so far off.
pub(super) fn shifted(mut blocks: Vec<Block>, dice: &mut Dice) -> Option<Vec<Block>> {
    let by = distance(dice);
    for block in &mut blocks {
        block.at = block.at.checked_add_signed(by)?;
    }
    Some(blocks)
}

fn distance(dice: &mut Dice) -> isize {
    dice.pick(&[1, -1, 2, -2, 3, -3, 5, -5, 20, -20]).copied().unwrap_or(1)
}

/// A slip in the call as a whole; nothing if there is no room for it.
pub(super) fn spoilt(slip: Slip, ask: Ask, seen: &Text, dice: &mut Dice) -> Option<Ask> {
    Some(match (slip, ask) {
        (Slip::NumbersOff, Ask::Lines(mut changes)) => {
            let by = distance(dice);
            for change in &mut changes {
                change.start = change.start.checked_add_signed(by)?;
            }
            Ask::Lines(changes)
        }
        (Slip::NumbersOff, Ask::Anchors(mut operations)) => {
            let by = distance(dice);
            for name in names(&mut operations) {
                name.number = name.number.checked_add_signed(by).filter(|number| *number > 0)?;
            }
            Ask::Anchors(operations)
        }
        (Slip::Neighbour, Ask::Anchors(mut operations)) => {
            let at = dice.below(names(&mut operations).count());
            let name = names(&mut operations).nth(at)?;
            let next = if dice.coin() { name.number } else { name.number.checked_sub(2)? };
            name.form = anchored::form(seen, next)?;
            Ask::Anchors(operations)
        }
        (Slip::NextLine, Ask::Anchors(mut operations)) => {
            let at = dice.below(names(&mut operations).count());
            let name = names(&mut operations).nth(at)?;
            let next = if dice.coin() { name.number } else { name.number.checked_sub(2)? };
            *name = Name { number: next + 1, form: anchored::form(seen, next)? };
            Ask::Anchors(operations)
        }
        (Slip::Hallucinated, Ask::Anchors(mut operations)) => {
            let at = dice.below(names(&mut operations).count());
            let name = names(&mut operations).nth(at)?;
            let digits = name.form.trim_start_matches('~').to_owned();
            let other = if digits.starts_with('f') { "0" } else { "f" };
            name.form = name.form.replacen(&digits, &format!("{other}{}", digits.get(1..)?), 1);
            Ask::Anchors(operations)
        }
        (Slip::Miscounted, Ask::Patch(text)) => Ask::Patch(scopes::miscounted(&text, dice)?),
        (Slip::OtherScope, Ask::Codex(text)) => Ask::Codex(scopes::elsewhere(&text, &seen.lines, dice)?),
        (Slip::Cut, ask) => cut(ask)?,
        (Slip::Fence, ask) => fenced(ask),
        (_, ask) => ask,
    })
}

fn names(operations: &mut [Operation]) -> impl Iterator<Item = &mut Name> {
    operations.iter_mut().flat_map(|one| [Some(&mut one.first), one.last.as_mut()]).flatten()
}

/// What is left at 70 %. Of calls that are lists a lenient reader closes what is open: then only the last text
/// is short, and nobody can tell.
fn cut(ask: Ask) -> Option<Ask> {
    Some(match ask {
        Ask::Patch(text) => Ask::Patch(part(&text)),
        Ask::Codex(text) => Ask::Codex(part(&text)),
        Ask::Whole(text) => Ask::Whole(part(&text)),
        Ask::Strings(mut edits) => {
            let (_, new) = edits.last_mut()?;
            *new = part(new);
            Ask::Strings(edits)
        }
        Ask::Lines(mut changes) => {
            let line = changes.last_mut()?.new.last_mut()?;
            *line = part(line);
            Ask::Lines(changes)
        }
        Ask::Anchors(mut operations) => {
            let line = operations.last_mut()?.content.last_mut()?;
            *line = part(line);
            Ask::Anchors(operations)
        }
    })
}

fn part(text: &str) -> String {
    // A carriage return in front of what follows would be half a line end.
    let most = text.get(..text.len() * 7 / 10).map_or(text.len() * 7 / 10, |head| head.trim_end_matches('\r').len());
    text.char_indices().take_while(|(at, letter)| at + letter.len_utf8() <= most).map(|(_, letter)| letter).collect()
}

fn fenced(ask: Ask) -> Ask {
    let fence = |text: &str| format!("```\n{}\n```\n", text.trim_end_matches('\n'));
    match ask {
        Ask::Patch(text) => Ask::Patch(fence(&text)),
        Ask::Codex(text) => Ask::Codex(fence(&text)),
        Ask::Whole(text) => Ask::Whole(fence(&text)),
        Ask::Strings(edits) => Ask::Strings(edits.iter().map(|(old, new)| (fence(old), fence(new))).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(slip: Slip, before: &str, after: &str) {
        let seen = Text::of(b"a\n").unwrap();
        let found = spoilt(slip, Ask::Patch(before.to_owned()), &seen, &mut Dice::new(1));
        assert_eq!(found, Some(Ask::Patch(after.to_owned())), "{slip:?}");
    }

    #[test]
    fn slips_of_a_whole_call() {
        check(Slip::Cut, "0123456789", "0123456");
        check(Slip::Cut, "012345ä789", "012345"); // between characters
        check(Slip::Fence, "a\n", "```\na\n```\n");
        check(Slip::Clean, "a\n", "a\n");
    }
}

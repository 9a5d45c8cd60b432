//! Slips of the pen: what a model gets wrong in the lines that it writes.

use super::draft::{Block, Line, Sign};
use super::slip::Slip;
use patchwright_testkit::dice::Dice;

/// Writes blocks with a slip; as they were if the slip is none of the pen, or finds nothing to spoil.
pub(super) fn garbled(slip: Slip, mut blocks: Vec<Block>, dice: &mut Dice) -> Vec<Block> {
    match slip {
        Slip::TrailingBlanks => spoil(&mut blocks, is_old, dice, |line| {
            let bare = line.trim_end();
            if bare.len() < line.len() { bare.to_owned() } else { format!("{line}  ") }
        }),
        Slip::Hallucinated => spoil(&mut blocks, is_old, dice, with_other_word),
        Slip::HallucinatedNew => spoil(&mut blocks, |line| line.sign == Sign::Comes, dice, with_other_word),
        Slip::Tabs => each(&mut blocks, tabbed),
        Slip::Quotes => each(&mut blocks, quoted),
        Slip::Dedent => blocks.iter_mut().for_each(dedent),
        Slip::Skipped => skip(&mut blocks, dice),
        Slip::OutOfOrder => blocks.reverse(),
        _ => {}
    }
    blocks
}

fn is_old(line: &Line) -> bool {
    line.sign != Sign::Comes
}

/// Spoils one of the lines that can be spoilt.
fn spoil(blocks: &mut [Block], which: fn(&Line) -> bool, dice: &mut Dice, how: impl Fn(&str) -> String) {
    let all = blocks.iter_mut().flat_map(|block| &mut block.lines);
    let mut some: Vec<&mut Line> = all.filter(|line| which(line) && how(&line.text) != line.text).collect();
    let at = dice.below(some.len());
    if let Some(line) = some.get_mut(at) {
        line.text = how(&line.text);
    }
}

fn each(blocks: &mut [Block], how: impl Fn(&str) -> String) {
    for line in blocks.iter_mut().flat_map(|block| &mut block.lines) {
        line.text = how(&line.text);
    }
}

/// The line with its first longer word replaced by one that sounds as likely.
pub(super) fn with_other_word(line: &str) -> String {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    match words.into_iter().find(|word| word.len() > 2) {
        Some(word) => line.replacen(word, &format!("{word}_value"), 1),
        None => line.to_owned(),
    }
}

fn tabbed(line: &str) -> String {
    let rest = line.trim_start_matches(' ');
    let blanks = line.len() - rest.len();
    format!("{}{}{rest}", "\t".repeat(blanks / 4), " ".repeat(blanks % 4))
}

fn quoted(line: &str) -> String {
    let mut open = false;
    let letter = |letter: char| match letter {
        '"' => {
            open = !open;
            if open { '\u{201c}' } else { '\u{201d}' }
        }
        '\'' => '\u{2019}',
        other => other,
    };
    line.chars().map(letter).collect()
}

/// Takes away the indentation that all lines share.
fn dedent(block: &mut Block) {
    let blank = |line: &Line| line.text.trim().is_empty();
    let indent = |line: &Line| line.text.len() - line.text.trim_start_matches([' ', '\t']).len();
    let shared = block.lines.iter().filter(|line| !blank(line)).map(indent).min().unwrap_or(0);
    for line in &mut block.lines {
        line.text = line.text.get(shared..).unwrap_or_default().to_owned();
    }
}

/// Leaves out a line that stays, between others that must be there.
fn skip(blocks: &mut [Block], dice: &mut Dice) {
    let mut places = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let old: Vec<usize> = (0..block.lines.len()).filter(|at| block.lines.get(*at).is_some_and(is_old)).collect();
        let inner = old.get(1..old.len().saturating_sub(1)).unwrap_or_default();
        let stays = |at: &&usize| block.lines.get(**at).is_some_and(|line| line.sign == Sign::Stays);
        places.extend(inner.iter().filter(stays).map(|at| (number, *at)));
    }
    if let Some((number, at)) = dice.pick(&places)
        && let Some(block) = blocks.get_mut(*number)
    {
        block.lines.remove(*at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines with their signs, in and out.
    fn check(slip: Slip, lines: &[&str], expected: &[&str]) {
        let line = |line: &&str| {
            let sign = match line.as_bytes()[0] {
                b'-' => Sign::Goes,
                b'+' => Sign::Comes,
                _ => Sign::Stays,
            };
            Line { sign, text: line[1..].to_owned() }
        };
        let block = |lines: &[&str]| vec![Block { at: 0, lines: lines.iter().map(line).collect() }];
        assert_eq!(garbled(slip, block(lines), &mut Dice::new(1)), block(expected), "{slip:?}");
    }

    #[test]
    fn slips_of_the_pen() {
        check(Slip::Clean, &[" a", "-b"], &[" a", "-b"]);
        check(Slip::TrailingBlanks, &["-b", "+c"], &["-b  ", "+c"]);
        check(Slip::TrailingBlanks, &["-b ", "+c"], &["-b", "+c"]);
        check(Slip::Hallucinated, &["-a (word)", "+word"], &["-a (word_value)", "+word"]);
        check(Slip::HallucinatedNew, &["-word", "+word"], &["-word", "+word_value"]);
        check(Slip::Tabs, &["      a", "+    b"], &[" \t a", "+\tb"]);
        check(Slip::Quotes, &[" \"a\" 'b"], &[" \u{201c}a\u{201d} \u{2019}b"]);
        check(Slip::Dedent, &["     a", " ", "+      b"], &[" a", " ", "+  b"]);
        check(Slip::Skipped, &[" a", " b", "-c"], &[" a", "-c"]);
        check(Slip::Skipped, &[" a", "-b", "+d", " c"], &[" a", "-b", "+d", " c"]); // nothing between
    }
}

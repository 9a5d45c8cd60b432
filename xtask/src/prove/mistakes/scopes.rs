//! Headers that name blocks of code, and the slips that can be made with them and with the counts of a diff.

use super::draft::Block;
use patchwright_testkit::dice::Dice;
use std::ops::Range;

/// The line that begins the block around some lines, if a reader would agree where that block ends.
pub(super) fn header<'a>(lines: &'a [String], hunk: &Block) -> Option<&'a str> {
    let last = hunk.at + hunk.old_lines().len();
    let above = lines.get(..hunk.at)?;
    let begins = |at: &usize| above.get(*at).is_some_and(|line| opens(line));
    let around =
        |at: &usize| block(lines, lines.get(*at).map_or("", String::as_str)).is_some_and(|block| last <= block.end);
    (0..above.len()).rev().filter(begins).find(around).and_then(|at| lines.get(at)).map(String::as_str)
}

/// Does a line begin a block? Code that a comment quotes has none.
fn opens(line: &str) -> bool {
    (line.ends_with('{') || line.ends_with(':')) && !line.trim_start().starts_with("//")
}

/// The block of the one line that says this, its own line included; nothing where there is none or there are several.
pub(super) fn block(lines: &[String], header: &str) -> Option<Range<usize>> {
    let mut named = (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| line.trim() == header.trim()));
    let (first, None) = (named.next()?, named.next()) else { return None };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines.get(first)?);
    let below = lines.iter().skip(first + 1).find(|line| !line.trim().is_empty());
    let opened = below.is_some_and(|line| indent(line) > own || line.trim().starts_with('{'));
    let bracket = lines.get(first).is_some_and(|line| opens(line) && line.ends_with('{'));
    if !opened && !bracket {
        // Nothing stands in its block: the rest of the one around it is meant.
        let less = |line: &String| !line.trim().is_empty() && indent(line) < own;
        let end = lines.iter().skip(first + 1).position(less).map_or(lines.len(), |len| first + 1 + len);
        return Some(first..end);
    }
    let mut end = first + 1;
    for (at, line) in lines.iter().enumerate().skip(first + 1).filter(|(_, line)| !line.trim().is_empty()) {
        let closes = line.trim_start().starts_with(['}', ')', ']']);
        if indent(line) < own || indent(line) == own && !closes {
            break;
        }
        end = at + 1;
        if indent(line) == own && !opens(line) {
            break;
        }
    }
    Some(first..end)
}

/// Would a reader agree where the blocks end that the headers of a patch name, by indentation and by brackets? A change of
/// others may have put lines at the margin into one.
pub(super) fn agreed(patch: &str, lines: &[String]) -> bool {
    let ends = |header: &str| {
        let Some(block) = block(lines, header) else { return true };
        let count = |line: &String, bracket: char| line.chars().filter(|letter| *letter == bracket).count();
        let mut open = 0;
        let closed = lines.iter().enumerate().skip(block.start).find(|(_, line)| {
            open += count(line, '{');
            open = open.saturating_sub(count(line, '}'));
            open == 0
        });
        !header.ends_with('{') || closed.is_some_and(|(at, _)| at + 1 == block.end)
    };
    patch.lines().filter_map(|line| line.strip_prefix("@@ ")).all(ends)
}

/// The patch with the header of another block.
pub(super) fn elsewhere(patch: &str, lines: &[String], dice: &mut Dice) -> Option<String> {
    let said = patch.lines().find(|line| line.starts_with("@@ "))?;
    let others: Vec<&String> = lines.iter().filter(|line| opens(line) && block(lines, line).is_some()).collect();
    let other = dice.pick(&others)?;
    Some(patch.replacen(said, &format!("@@ {other}"), 1))
}

/// The diff with a count that is one off.
pub(super) fn miscounted(diff: &str, dice: &mut Dice) -> Option<String> {
    let said = diff.lines().find(|line| line.starts_with("@@ -"))?;
    let (head, count) = said.strip_suffix(" @@")?.rsplit_once(',')?;
    let count: usize = count.parse().ok()?;
    let count = if dice.coin() { count + 1 } else { count.checked_sub(1)? };
    Some(diff.replacen(said, &format!("{head},{count} @@"), 1))
}

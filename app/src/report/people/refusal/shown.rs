//! What a piece of bad news shows below its first line: lines side by side, names in a row, each fit for one line.

use super::said::Said;
use crate::report::matching::reason;
use crate::report::terminal::code;
use patchwright_core::locate::nearest::{Nearest, Pair};
use patchwright_core::locate::visible;

/// So many letters of a line are shown.
const LETTERS: usize = 120;
/// So many lines of each side are shown.
const LINES: usize = 3;
/// So many names stand in a row.
const NAMES: usize = 5;

/// Lines under their names: what one side has, and what the other has.
pub(super) fn beside(sides: &[(String, Vec<String>)]) -> Vec<String> {
    let wide = sides.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let rows = |(name, lines): &(String, Vec<String>)| {
        let names = std::iter::once(name.as_str()).chain(std::iter::repeat(""));
        names.zip(lines).map(|(name, line)| format!("{name:wide$}  {line}")).collect::<Vec<_>>()
    };
    sides.iter().flat_map(rows).collect()
}

/// Lines of a file, the first few of them, with blanks as they are.
pub(super) fn lines(lines: &[String]) -> Vec<String> {
    bounded(lines, line)
}

/// Two versions of some lines. Where they look alike, blanks are made visible.
pub(super) fn versions(one: &[String], two: &[String]) -> (Vec<String>, Vec<String>) {
    let folded = |lines: &[String]| lines.iter().flat_map(|line| line.split_whitespace()).collect::<String>();
    match folded(one) == folded(two) && !one.is_empty() && !two.is_empty() {
        true => (bounded(one, seen), bounded(two, seen)),
        false => (lines(one), lines(two)),
    }
}

fn bounded(lines: &[String], show: impl Fn(&str) -> String) -> Vec<String> {
    match lines {
        [] => vec!["(no line)".to_owned()],
        lines if lines.len() <= LINES => lines.iter().map(|line| show(line)).collect(),
        lines => lines.iter().take(LINES - 1).map(|line| show(line)).chain(["…".to_owned()]).collect(),
    }
}

/// One line of a file, or of a patch.
pub(super) fn line(text: &str) -> String {
    cut(&code(text))
}

/// The same with blanks made visible, where they may be what matters.
pub(super) fn seen(text: &str) -> String {
    cut(&visible(text).replace('\n', "\\u{a}"))
}

/// The beginning of a line that is long.
pub(super) fn cut(line: &str) -> String {
    match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The closest place of a text that was not found: which line, how it differs, and the first lines that do.
pub(super) fn nearest(nearest: &Nearest, wanted: &str) -> Vec<String> {
    let differing: Vec<&Pair> = nearest.lines.iter().filter(|pair| !pair.same).take(2).collect();
    let at = differing.first().map_or(nearest.start_line, |pair| pair.line_no);
    let side = |text: &Option<String>| text.as_deref().map_or_else(|| "(no line)".to_owned(), seen);
    let rows = differing
        .iter()
        .flat_map(|pair| [(wanted.to_owned(), vec![side(&pair.wanted)]), ("file".to_owned(), vec![side(&pair.found)])]);
    let mut shown = vec![format!("closest is line {at}: {}", reason(nearest.looks_like))];
    shown.extend(beside(&rows.collect::<Vec<_>>()));
    shown
}

/// The first and last line of the closest place.
pub(super) fn reach(nearest: &Nearest) -> (usize, usize) {
    let last = nearest.lines.iter().map(|pair| pair.line_no).max().unwrap_or(nearest.start_line);
    (nearest.start_line, last)
}

/// Paths in a row, the first few of them.
pub(super) fn paths(paths: &[String], said: &Said<'_>) -> String {
    let more = if paths.len() > NAMES { ", …" } else { "" };
    let shown: Vec<String> = paths.iter().take(NAMES).map(|path| said.path(path)).collect();
    format!("{}{more}", shown.join(", "))
}

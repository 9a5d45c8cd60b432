//! Patches made from an input: whole ones that mostly fit their files, and texts of lines that patches are made
//! of in any order.

use super::NAMES;
use crate::feed::Feed;
use crate::page::{Page, some_lines, word};
use crate::rows::Rows;
use patchwright_core::dialect::envelope::{AddEnd, Closes, Hunk, Line, Marker, NO_NEWLINE, Patch, Section, Sign};

const LINES: &[&str] = &[
    "*** Begin Patch",
    "*** End Patch",
    "*** Update File: f",
    "*** Add File: new",
    "*** Delete File: g",
    "*** Move File: f -> other",
    "*** Move to: new",
    "*** End of File",
    "@@",
    "@@ a",
    NO_NEWLINE,
    "",
    " ",
    "+",
    "-",
];

/// Lines that patches are made of, in any order.
pub(super) fn text(feed: &mut Feed<'_>) -> String {
    let end = feed.pick(&["\n", "\r\n"]);
    let mut text = if feed.once_in(8) { String::new() } else { format!("*** Begin Patch{end}*** Update File: f{end}") };
    while !feed.is_empty() {
        match feed.below(5) {
            0 => text.push_str(feed.pick(LINES)),
            sign => {
                text.push_str([" ", "-", "+", ""].get(sign - 1).copied().unwrap_or_default());
                text.push_str(&word(feed));
            }
        }
        text.push_str(end);
    }
    text + "*** End Patch"
}

/// A patch that can be printed.
pub(super) fn patch(feed: &mut Feed<'_>, pages: &[Page; 2]) -> Patch {
    let mut names = NAMES.to_vec();
    let sections = (0..=feed.below(3)).map(|_| section(feed, pages, &mut names)).collect();
    Patch { sections }
}

/// A name for a section; mostly one that no other section has.
fn name(feed: &mut Feed<'_>, names: &mut Vec<&'static str>, first: usize) -> &'static str {
    if names.is_empty() || feed.once_in(16) {
        return feed.pick(&NAMES);
    }
    names.remove((first + feed.below(2)).min(names.len() - 1))
}

fn section(feed: &mut Feed<'_>, pages: &[Page; 2], names: &mut Vec<&'static str>) -> Section {
    let sort = feed.below(8);
    let fresh = names.len();
    match sort {
        7 => {
            let lines = if feed.once_in(6) { Vec::new() } else { some_lines(feed) };
            let end = if !lines.is_empty() && feed.once_in(4) { AddEnd::Bare } else { AddEnd::Ruled };
            Section::Add { path: name(feed, names, fresh.saturating_sub(2)).to_owned(), lines, end }
        }
        6 => Section::Delete { path: name(feed, names, 0).to_owned() },
        _ => {
            let from = name(feed, names, 0);
            let page = if from == "g" { &pages[1] } else { &pages[0] };
            match sort {
                4 | 5 => {
                    let to = name(feed, names, fresh).to_owned();
                    let hunks = if feed.once_in(2) { hunks(feed, page) } else { Vec::new() };
                    match sort {
                        4 => Section::Move { from: from.to_owned(), to, hunks },
                        _ => Section::Update { path: from.to_owned(), move_to: Some(to), hunks },
                    }
                }
                _ => Section::Update { path: from.to_owned(), move_to: None, hunks: hunks(feed, page) },
            }
        }
    }
}

fn hunks(feed: &mut Feed<'_>, page: &Page) -> Vec<Hunk> {
    let rows = Rows::of(&page.text);
    (0..=feed.below(4)).map(|at| hunk(feed, &rows, at)).collect()
}

fn hunk(feed: &mut Feed<'_>, rows: &Rows, at: usize) -> Hunk {
    let headers = match feed.below(8) {
        7 => vec![String::new(), "a".to_owned()],
        6 => vec!["a".to_owned()],
        5 if at == 0 => Vec::new(),
        _ => vec![String::new()],
    };
    let start = feed.below(rows.count() + 1);
    let count = feed.below(4);
    let mut lines: Vec<Line> = Vec::new();
    for at in start..start + count {
        added(feed, &mut lines);
        let Some(text) = rows.text(at) else { break };
        let text = if feed.once_in(24) { word(feed) } else { String::from_utf8_lossy(text).into_owned() };
        let sign = feed.pick(&[Sign::Context, Sign::Remove]);
        lines.push(Line { sign, text, marker: Marker::Unmarked });
    }
    added(feed, &mut lines);
    if lines.is_empty() {
        lines.push(Line { sign: Sign::Add, text: word(feed), marker: Marker::Unmarked });
    }
    if feed.once_in(6) {
        mark(feed, &mut lines);
    }
    Hunk { headers, lines, closes: if feed.once_in(8) { Closes::EndOfFile } else { Closes::Open } }
}

fn added(feed: &mut Feed<'_>, lines: &mut Vec<Line>) {
    if feed.once_in(3) {
        lines.extend(some_lines(feed).into_iter().map(|text| Line { sign: Sign::Add, text, marker: Marker::Unmarked }));
    }
}

/// Marks the last line of the old side, of the new one or of both, where such a line can be marked: it is not
/// empty, and what stays ends both sides.
fn mark(feed: &mut Feed<'_>, lines: &mut [Line]) {
    let sides = feed.pick(&[[Sign::Remove, Sign::Add], [Sign::Remove, Sign::Remove], [Sign::Add, Sign::Add]]);
    let last_of = |side: Sign| {
        let other = if side == Sign::Add { Sign::Remove } else { Sign::Add };
        lines.iter().rposition(|line| line.sign != other)
    };
    let ends = [last_of(Sign::Remove), last_of(Sign::Add)];
    let marked = sides.map(|side| if side == Sign::Remove { ends[0] } else { ends[1] });
    for at in marked.into_iter().flatten() {
        if let Some(line) = lines.get_mut(at)
            && !line.text.is_empty()
            && (line.sign != Sign::Context || ends == [Some(at); 2])
        {
            line.marker = Marker::NoNewline;
        }
    }
}

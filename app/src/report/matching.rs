//! Words for exact text that is not there, or there too often: where the closest place is and how it
//! differs, with blanks made visible.

use super::message::Words;
use super::ready::{Mend, named, ready};
use super::telling::Telling;
use patchwright_core::locate::longer::Longer;
use patchwright_core::locate::nearest::{Nearest, Pair};
use patchwright_core::locate::{Reason, visible};
use serde_json::json;

/// A text that is nowhere in the file.
pub(super) fn not_found(
    path: &str,
    edit: usize,
    nearest: Option<&Nearest>,
    already_at: &[usize],
    tell: &Telling<'_>,
) -> Words {
    let mut message = format!("edits[{edit}].oldText is not in {path}.");
    if let Some(nearest) = nearest {
        message.push_str(&format!(
            " The closest place begins at line {}: {}.",
            nearest.start_line,
            reason(nearest.looks_like)
        ));
        message.push_str(&first_difference(nearest, "oldText"));
    }
    // Text that is there but for its blanks is meant: it has not been replaced yet.
    let already_at = if nearest.is_some_and(only_blanks) { &[] } else { already_at };
    if !already_at.is_empty() {
        message.push_str(&format!(
            " Its newText already stands at {}, so this edit may have been made before.",
            lines(already_at)
        ));
    }
    Words::new(message, next(path, edit, nearest, already_at, tell))
}

fn only_blanks(nearest: &Nearest) -> bool {
    matches!(
        nearest.looks_like,
        Reason::WhitespaceOnly | Reason::TrailingBlanks | Reason::TabsForSpaces | Reason::Indentation
    )
}

fn next(path: &str, edit: usize, nearest: Option<&Nearest>, already_at: &[usize], tell: &Telling<'_>) -> String {
    if let Some(first) = already_at.first() {
        return format!(
            "Call {}: if the change is there already, leave out edits[{edit}]; else copy oldText from there.",
            around(path, *first, *first)
        );
    }
    let place = format!("edits[{edit}].oldText");
    let exact = nearest.zip(tell.given_text(&place)).and_then(|(nearest, given)| exact(nearest, given));
    match (exact, nearest) {
        (Some(text), _) => {
            format!("Call {}. That is the text as the file has it.", tell.again(&[Mend::set(place, text)]))
        }
        (None, Some(nearest)) => format!(
            "Call {}, then call again: set {place} to the text that it shows, character by character, and indent newText as it is there.",
            shown(path, nearest)
        ),
        (None, None) => format!(
            "Call {}, then call again: set {place} to the text that it shows, character by character, and set edits[{edit}].newText to what is to stand in its place.{}",
            ready("read_file", &json!({ "path": named(path) })),
            tell.pick(&[("write_file", EMPTY)], "")
        ),
    }
}

/// An empty file has no text that could be replaced.
pub(super) const EMPTY: &str = " If the file is empty, write_file gives it its text.";

/// The reading that shows these lines.
fn around(path: &str, first: usize, last: usize) -> String {
    ready("read_file", &json!({ "path": named(path), "startLine": first, "endLine": last }))
}

/// The reading that shows the closest place.
pub(super) fn shown(path: &str, nearest: &Nearest) -> String {
    let end = nearest.lines.iter().map(|pair| pair.line_no).max().unwrap_or(nearest.start_line);
    around(path, nearest.start_line, end)
}

/// The text that was meant, as the file has it: where nothing but blanks within lines, capitals or quotes differ. Where
/// the indentation does, the new text would have the wrong one, too.
fn exact(nearest: &Nearest, given: &str) -> Option<String> {
    let mut lines: Vec<&str> = given.split('\n').collect();
    let ends = lines.last() == Some(&"");
    if ends {
        lines.pop();
    }
    if lines.len() != nearest.lines.len() {
        return None;
    }
    let found: Option<Vec<&str>> = lines.iter().zip(&nearest.lines).map(|(line, pair)| alike(line, pair)).collect();
    Some(found?.join("\n") + if ends { "\n" } else { "" })
}

/// The line of the file, if it is the wanted one in all that counts. A text that begins within a line does so there, too.
fn alike<'p>(line: &str, pair: &'p Pair) -> Option<&'p str> {
    let found = pair.found.as_deref()?;
    let (wanted_indent, indent) = (indentation(line), indentation(found));
    let found =
        if wanted_indent.is_empty() && pair.wanted.as_deref() == Some(line) { found.trim_start() } else { found };
    let same_indent = indentation(found) == wanted_indent;
    (same_indent && folded(found) == folded(line) || pair.same && indent == wanted_indent).then_some(found)
}

fn indentation(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

/// Without what people slip on: blanks, capitals, the kind of quotes.
fn folded(line: &str) -> String {
    let plain = |ch: char| match ch {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '\u{2013}' | '\u{2014}' => '-',
        ch => ch,
    };
    line.chars().filter(|ch| !ch.is_whitespace()).map(plain).flat_map(char::to_lowercase).collect()
}

/// Where the wanted text, of this name, and the file part.
pub(super) fn first_difference(nearest: &Nearest, wanted: &str) -> String {
    let Some(difference) = &nearest.first_difference else { return String::new() };
    let side = |text: &Option<String>| {
        text.as_deref().map_or_else(|| "no such line".to_owned(), |text| format!("`{}`", visible(text)))
    };
    format!(
        " Line {}: {wanted} has {}, the file has {}.",
        difference.line_no,
        side(&difference.wanted),
        side(&difference.found)
    )
}

/// The slip, as a clause.
pub(super) fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::WhitespaceOnly => "only blanks differ",
        Reason::TrailingBlanks => "only blanks at the ends of lines differ",
        Reason::TabsForSpaces => "one side has tabs where the other has spaces",
        Reason::Indentation => "only the indentation differs",
        Reason::CaseOnly => "only capitals differ",
        Reason::TypographicQuotes => "only the kind of quotes or dashes differs",
        Reason::FinalNewline => "all lines are the same, but the file has no newline after the last one",
        Reason::OneLineDiffers => "one line differs",
        Reason::LineMissing => "one side has lines that the other has not",
        Reason::Other => "it is similar",
    }
}

/// The slip, as a fixed word.
pub(super) fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::WhitespaceOnly => "whitespace_only",
        Reason::TrailingBlanks => "trailing_blanks",
        Reason::TabsForSpaces => "tabs_for_spaces",
        Reason::Indentation => "indentation",
        Reason::CaseOnly => "case_only",
        Reason::TypographicQuotes => "typographic_quotes",
        Reason::FinalNewline => "final_newline",
        Reason::OneLineDiffers => "one_line_differs",
        Reason::LineMissing => "line_missing",
        Reason::Other => "other",
    }
}

/// A text that is there another number of times than expected.
pub(super) struct Counted<'a> {
    pub(super) edit: usize,
    pub(super) expected: Option<usize>,
    pub(super) count: usize,
    pub(super) lines: &'a [usize],
    pub(super) overlapping: bool,
}

/// For each place the same call with what tells it from the others.
pub(super) fn told_apart(edit: usize, places: &[Longer], tell: &Telling<'_>) -> String {
    let (old, new) = (format!("edits[{edit}].oldText"), format!("edits[{edit}].newText"));
    let (Some(was), Some(will)) = (tell.given_text(&old), tell.given_text(&new)) else { return String::new() };
    // What is taken in may belong to another edit of the call.
    if tell.given("edits[1]").is_some() {
        return String::new();
    }
    let mut out = String::new();
    for (at, Longer { line, before, after }) in places.iter().enumerate() {
        let same = places.iter().take(at).filter(|other| other.line == *line).count();
        let which = if same == 0 { String::new() } else { format!(" (number {})", same + 1) };
        let mends = [
            Mend::set(old.as_str(), format!("{before}{was}{after}")),
            Mend::set(new.as_str(), format!("{before}{will}{after}")),
        ];
        out.push_str(&format!("line {line}{which}: {}\n", tell.again(&mends)));
    }
    out
}

pub(super) fn counted(path: &str, found: &Counted<'_>, told_apart: bool) -> Words {
    let Counted { edit, expected, count, lines: at, overlapping } = found;
    let places = lines(at);
    let wanted = expected.map(|expected| format!("; {expected} expected")).unwrap_or_default();
    let overlap = if *overlapping { ", and they overlap each other" } else { "" };
    let message = format!("edits[{edit}].oldText stands in {path} {}, at {places}{overlap}{wanted}.", times(*count));
    let next = match (overlapping, count) {
        (true, _) => {
            "Make oldText longer, so that its occurrences do not overlap and only the one you mean fits.".to_owned()
        }
        (false, 1) => {
            format!(
                "Set edits[{edit}].expectedOccurrences to 1, then call again; or read the file again to see what became of the others."
            )
        }
        (false, count) if told_apart => format!(
            "To change one of them, make the call that stands above for its line; to change all, set edits[{edit}].expectedOccurrences to {count}."
        ),
        (false, count) => format!(
            "To change one of them, take a neighbouring line into oldText so that only that one fits; to change all, set edits[{edit}].expectedOccurrences to {count}."
        ),
    };
    Words::new(message, next)
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// `line 4`, or `lines 4, 9 and 12`, cut when there are many.
pub(super) fn lines(at: &[usize]) -> String {
    const MOST: usize = 20;
    let mut at = at.to_vec();
    at.dedup();
    let shown: Vec<String> = at.iter().take(MOST).map(usize::to_string).collect();
    match (shown.split_last(), at.len() > MOST) {
        (None, _) => "no line".to_owned(),
        (Some((only, [])), _) => format!("line {only}"),
        (Some((last, rest)), false) => format!("lines {} and {last}", rest.join(", ")),
        (Some(_), true) => format!("lines {}, …", shown.join(", ")),
    }
}

/// The closest place line by line: `=` where it is as wanted, `-` wanted, `+` found.
pub(super) fn side_by_side(nearest: &Nearest) -> String {
    const MOST: usize = 40;
    let mut out: String = nearest.lines.iter().take(MOST).map(row).collect();
    if nearest.lines.len() > MOST {
        out.push_str(&format!("… {} more lines\n", nearest.lines.len() - MOST));
    }
    out
}

fn row(pair: &Pair) -> String {
    let line = |sign: char, text: &Option<String>| {
        text.as_deref().map(|text| format!("{:>6} {sign} {}\n", pair.line_no, visible(text))).unwrap_or_default()
    };
    if pair.same { line('=', &pair.found) } else { line('-', &pair.wanted) + &line('+', &pair.found) }
}

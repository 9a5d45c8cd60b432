//! Words for exact text that is not there, or there too often: where the closest place is and how it
//! differs, with blanks made visible.

use super::words::Words;
use patchwright_core::locate::nearest::{Nearest, Pair};
use patchwright_core::locate::{Reason, visible};

/// A text that is nowhere in the file.
pub(super) fn not_found(path: &str, edit: usize, nearest: Option<&Nearest>, already_at: &[usize]) -> Words {
    let mut message = format!("edits[{edit}].oldText is not in {path}.");
    if let Some(nearest) = nearest {
        message.push_str(&format!(
            " The closest place begins at line {}: {}.",
            nearest.start_line,
            reason(nearest.looks_like)
        ));
        message.push_str(&first_difference(nearest, "oldText"));
    }
    if !already_at.is_empty() {
        message.push_str(&format!(
            " Its newText already stands at {}, so this edit may have been made before.",
            lines(already_at)
        ));
    }
    Words::new(message, next(path, edit, nearest, already_at))
}

fn next(path: &str, edit: usize, nearest: Option<&Nearest>, already_at: &[usize]) -> String {
    if let Some(first) = already_at.first() {
        return format!(
            "Read {path} around line {first}: if the change is there already, leave out edits[{edit}]; else copy oldText from what you read."
        );
    }
    match nearest {
        Some(nearest) => {
            let end = nearest.lines.iter().map(|pair| pair.line_no).max().unwrap_or(nearest.start_line);
            format!(
                "Read {path} with startLine {} and endLine {end}, and copy oldText from there character by character.",
                nearest.start_line
            )
        }
        None => format!(
            "Read {path} again (or find the place with search_files) and copy oldText from there character by character."
        ),
    }
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

pub(super) fn counted(path: &str, found: &Counted<'_>) -> Words {
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
            "Set expectedOccurrences to 1, or read the file again to see what became of the others.".to_owned()
        }
        (false, count) => format!(
            "To change one of them, take a neighbouring line into oldText so that only that one fits; to change all, set expectedOccurrences to {count}."
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

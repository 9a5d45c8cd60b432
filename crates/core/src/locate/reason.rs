//! What a failed match looks like: the slip that would explain every differing line.
//!
//! Promises the narrowest explanation that covers them all. It explains; it never excuses: no
//! edit lands because of it.

use super::align::plain_quote;

/// The slip that tells wanted lines from found ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Only blanks differ, in more than one of the ways below.
    WhitespaceOnly,
    /// Only blanks at the ends of lines differ.
    TrailingBlanks,
    /// One side has tabs where the other has spaces.
    TabsForSpaces,
    /// Only blanks at the beginnings of lines differ.
    Indentation,
    /// Only upper and lower case differ.
    CaseOnly,
    /// One side has typographic quotes or dashes.
    TypographicQuotes,
    /// All lines are the same; the newline after the last one is not there.
    FinalNewline,
    /// One line differs, the others are the same.
    OneLineDiffers,
    /// One side has lines that the other has not; the others are the same.
    LineMissing,
    /// None of these.
    Other,
}

/// How much of a found line a wanted line must cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// All of it.
    Whole,
    /// Its end.
    End,
    /// Its beginning.
    Beginning,
    /// Any part.
    Inside,
}

impl Fit {
    /// Whether the wanted line is there.
    pub(super) fn holds(self, wanted: &[u8], found: &[u8]) -> bool {
        match self {
            Self::Whole => found == wanted,
            Self::End => found.ends_with(wanted),
            Self::Beginning => found.starts_with(wanted),
            Self::Inside => memchr::memmem::find(found, wanted).is_some(),
        }
    }
}

/// One wanted line beside one found line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) wanted: Option<&'a [u8]>,
    pub(super) found: Option<&'a [u8]>,
    pub(super) fit: Fit,
}

impl Row<'_> {
    pub(super) fn same(&self) -> bool {
        self.wanted.zip(self.found).is_some_and(|(wanted, found)| self.fit.holds(wanted, found))
    }

    fn same_as(&self, seen: &impl Fn(&str) -> String) -> bool {
        let seen = |line| seen(&String::from_utf8_lossy(line)).into_bytes();
        self.wanted.zip(self.found).is_some_and(|(wanted, found)| self.fit.holds(&seen(wanted), &seen(found)))
    }

    fn tabs_differ(&self) -> bool {
        let tabs = |line: Option<&[u8]>| line.is_some_and(|line| line.contains(&b'\t'));
        !self.same() && tabs(self.wanted) != tabs(self.found)
    }
}

/// Names the slip.
pub(super) fn explain(rows: &[Row<'_>]) -> Reason {
    let all = |seen: fn(&str) -> String| rows.iter().all(|row| row.same() || row.same_as(&seen));
    let differing = rows.iter().filter(|row| !row.same()).count();
    let lonely = rows.iter().filter(|row| row.wanted.is_none() || row.found.is_none()).count();
    if differing == 0 {
        Reason::FinalNewline
    } else if all(|line| line.trim_end().to_owned()) {
        Reason::TrailingBlanks
    } else if all(one_blank) && rows.iter().any(Row::tabs_differ) {
        Reason::TabsForSpaces
    } else if all(|line| line.trim_start().to_owned()) {
        Reason::Indentation
    } else if all(|line| line.split_whitespace().collect()) {
        Reason::WhitespaceOnly
    } else if all(str::to_lowercase) {
        Reason::CaseOnly
    } else if all(|line| line.chars().map(plain_quote).collect()) {
        Reason::TypographicQuotes
    } else if differing == lonely {
        Reason::LineMissing
    } else if differing == 1 {
        Reason::OneLineDiffers
    } else {
        Reason::Other
    }
}

/// A line with every run of blanks as one space.
fn one_blank(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for ch in line.chars().map(|ch| if ch.is_whitespace() { ' ' } else { ch }) {
        if ch != ' ' || !out.ends_with(' ') {
            out.push(ch);
        }
    }
    out
}

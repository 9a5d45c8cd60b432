//! A line's anchor as it is printed.

use super::Form;
use super::hash::is_low;
use super::judge::Sharers;
use std::fmt;

/// How good a line is as an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// It has no letter and no digit.
    Low,
    /// More than three lines share its short form.
    Med,
    /// Any other.
    High,
}

impl Quality {
    /// How good a line is whose short form so many lines share.
    pub(super) fn of(line: &[u8], sharers: Sharers) -> Quality {
        match sharers {
            _ if is_low(line) => Quality::Low,
            Sharers::One | Sharers::Few => Quality::High,
            Sharers::Many => Quality::Med,
        }
    }

    /// The word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            Quality::Low => "low",
            Quality::Med => "med",
            Quality::High => "high",
        }
    }
}

/// A line's anchor: its number and the shortest form that no other line of the text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line, from 1.
    pub line: usize,
    /// What names it.
    pub form: Form,
    /// How good it is.
    pub quality: Quality,
}

/// `N#form`, which every anchor field takes.
impl fmt::Display for Shown {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}#{}", self.line, self.form)
    }
}

impl Shown {
    /// Appends the line as a reading shows it: `N#form [quality]|text`, without its end.
    pub fn render(&self, text: &str, onto: &mut String) {
        use fmt::Write;
        // Writing to a string cannot fail.
        let _ = write!(onto, "{self} [{}]|{text}", self.quality.word());
    }
}

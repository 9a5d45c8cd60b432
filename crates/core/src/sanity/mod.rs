//! The sanity check: does a changed text look like what its author meant?
//!
//! Promises to tell only of what the edit brought, never of what was there; to be a pure function of
//! both texts; and to end after an amount of work that follows from the size of the texts. It leaves
//! to others what to do about a doubt, and how to word it.

use serde::{Deserialize, Serialize};
mod balance;
mod block;
mod brackets;
mod depth;
#[cfg(feature = "grammars")]
mod grammar;
#[cfg(not(feature = "grammars"))]
#[path = "grammarless.rs"]
mod grammar;
mod held;
mod indent;
mod judge;
mod language;
mod lex;
mod repeats;
mod tags;
mod template;

pub(crate) use depth::{Row, rows};
use std::ops::Range;

/// So many doubts of each sort are told of: the rest is likely to follow from them.
const TOLD: usize = 2;

/// Lines of the old text that became lines of the new one: counted from 0, half-open.
///
/// An empty `before` is an insertion, an empty `after` a deletion. Several are in order and apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The lines that went.
    pub before: Range<usize>,
    /// The lines that came.
    pub after: Range<usize>,
}

/// What is wrong with a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BracketFault {
    /// It opens and nothing closes it.
    #[serde(rename = "Unclosed")]
    Unclosed,
    /// It closes and nothing opened it.
    #[serde(rename = "Unopened")]
    Unopened,
}

/// One thing that looks like a slip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubt {
    /// A bracket that lost its partner, or came without one.
    #[serde(rename = "Bracket")]
    Bracket {
        /// Its line in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// The bracket.
        #[serde(rename = "bracket")]
        bracket: char,
        /// What is wrong with it.
        #[serde(rename = "fault")]
        fault: BracketFault,
    },
    /// A place where the grammar finds no sense, and found some before.
    #[serde(rename = "Syntax")]
    Syntax {
        /// Its line in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// Its column in characters, counted from 1.
        #[serde(rename = "column")]
        column: usize,
        /// The line, cut where it is long.
        #[serde(rename = "excerpt")]
        excerpt: String,
    },
    /// A new line begins as a reading shows lines, with its anchor: `12#a1b2c3 [high]|text`.
    #[serde(rename = "Prefixed")]
    Prefixed {
        /// The line in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// The line, cut where it is long.
        #[serde(rename = "excerpt")]
        excerpt: String,
    },
    /// All lines that an insert brings stand right above or below it already.
    #[serde(rename = "Standing")]
    Standing {
        /// The first line that came, in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// The first line of those that stood there, in the new text.
        #[serde(rename = "other")]
        other: usize,
        /// How many lines these are.
        #[serde(rename = "lines")]
        lines: usize,
        /// The first of them, cut where it is long.
        #[serde(rename = "excerpt")]
        excerpt: String,
    },
    /// A new line is indented otherwise than the line it replaces, or less than both lines around it.
    #[serde(rename = "Indented")]
    Indented {
        /// The line in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// The white space that it begins with.
        #[serde(rename = "found")]
        found: String,
        /// The white space that was expected.
        #[serde(rename = "wanted")]
        wanted: String,
        /// The line, cut where it is long.
        #[serde(rename = "excerpt")]
        excerpt: String,
    },
    /// Lines of a new block say again what stands beside it, or the block says itself twice.
    #[serde(rename = "Repeated")]
    Repeated {
        /// The first line that repeats, in the new text, counted from 1.
        #[serde(rename = "line")]
        line: usize,
        /// The first line that it repeats, in the new text.
        #[serde(rename = "other")]
        other: usize,
        /// How many lines repeat.
        #[serde(rename = "lines")]
        lines: usize,
        /// The first of them, cut where it is long.
        #[serde(rename = "excerpt")]
        excerpt: String,
    },
}

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Syntax by the language's grammar, brackets, and repeated lines.
    Grammar,
    /// Brackets outside strings and comments, and repeated lines.
    Brackets,
    /// Repeated lines only: the language is not known, or the text is too large for more.
    LinesOnly,
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What looks like a slip, the most telling first; empty if nothing does.
    pub doubts: Vec<Doubt>,
    /// The language, if it is known.
    pub language: Option<&'static str>,
    /// What was looked at.
    pub means: Means,
}

/// Looks at an edit: the path, the text before and after, and which lines became which.
///
/// The texts are UTF-8 without a byte-order mark; bytes that are not UTF-8 do no harm.
pub fn check(path: &str, before: &[u8], after: &[u8], touched: &[Touched]) -> Verdict {
    judge::judge(path, before, after, touched)
}

/// A line for showing, cut where it is long.
fn excerpt(line: &[u8]) -> String {
    const MOST: usize = 120;
    let start = line.get(..line.len().min(MOST.saturating_mul(4))).unwrap_or_default();
    String::from_utf8_lossy(start).chars().take(MOST).collect()
}

//! One run of a parser, up to the first place that makes no sense.
//!
//! The parser would go on from there and try to make the best of it, which can take it hours and all
//! memory, even for a few kilobytes. All we want to know is where that place is, and its log tells: a
//! message for each step, with row and column, and one that begins with `resume` when no reading of the
//! text is left and it takes up one that failed. From then on it is given blanks, until it reports and can
//! be stopped.
//!
//! The work is counted, not timed, so that the same text always has the same answer: the parser's reports
//! of progress, and the pieces of text that it reads, again and again if a scanner looks far ahead.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use tree_sitter::{Language, LogType, ParseOptions, ParseState, Parser};

/// The parser is given so many bytes at a time.
const PIECE: usize = 512;
static BLANKS: [u8; PIECE] = [b' '; PIECE];

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// The whole text makes sense.
    Sound,
    /// From here on it does not: row and column in bytes, from 0.
    Lost { row: usize, column: usize },
    /// It took too much work.
    Spent,
}

/// Runs a grammar over a text.
pub(super) fn run(grammar: &Language, text: &[u8]) -> Run {
    let (watch, mut parser) = (Arc::new(Watch::default()), Parser::new());
    if parser.set_language(grammar).is_err() {
        return Run::Spent;
    }
    let ear = Arc::clone(&watch);
    parser.set_logger(Some(Box::new(move |sort, message| {
        if sort == LogType::Parse {
            ear.hear(message);
        }
    })));
    let (mut reports, mut reads) = (allowed_reports(text.len()), allowed_reads(text.len()));
    let mut progress = |_: &ParseState| {
        reports = reports.saturating_sub(1);
        if reports == 0 || watch.is_lost() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| {
        reads = reads.saturating_sub(1);
        let end = at.saturating_add(PIECE).min(text.len());
        let piece = text.get(at..end).unwrap_or_default();
        // As many bytes as there are: the parser trusts that a text does not shrink.
        if reads > 0 && !watch.is_lost() { piece } else { BLANKS.get(..piece.len()).unwrap_or(piece) }
    };
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    match tree {
        _ if watch.is_lost() => watch.place(),
        Some(tree) if reads > 0 && !tree.root_node().has_error() => Run::Sound,
        _ => Run::Spent,
    }
}

/// So many reports of progress are waited for; one comes every hundred steps. No file of 26,000 real ones
/// needed more than one for every thirty bytes.
fn allowed_reports(bytes: usize) -> usize {
    bytes.saturating_div(16).saturating_add(1_000)
}

/// So many pieces may be read. None of those files was read more than eighteen times over.
fn allowed_reads(bytes: usize) -> usize {
    bytes.saturating_div(PIECE).saturating_mul(32).saturating_add(200)
}

/// What the log has told so far.
#[derive(Default)]
struct Watch {
    lost: AtomicBool,
    row: AtomicUsize,
    column: AtomicUsize,
}

impl Watch {
    /// `process version:0, version_count:1, state:12, row:3, col:7`, `resume version:0`.
    fn hear(&self, message: &str) {
        if self.is_lost() {
            return;
        }
        if message.starts_with("resume") {
            self.lost.store(true, Relaxed);
        } else if message.starts_with("process") {
            self.row.store(number(message, "row:"), Relaxed);
            self.column.store(number(message, "col:"), Relaxed);
        }
    }

    fn is_lost(&self) -> bool {
        self.lost.load(Relaxed)
    }

    fn place(&self) -> Run {
        Run::Lost { row: self.row.load(Relaxed), column: self.column.load(Relaxed) }
    }
}

fn number(message: &str, name: &str) -> usize {
    let rest = message.rsplit(name).next().unwrap_or_default();
    rest.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Run) {
        assert_eq!(run(&tree_sitter_rust::LANGUAGE.into(), text.as_bytes()), expected, "{text:.60}");
    }

    #[test]
    fn the_first_place_that_makes_no_sense() {
        check("", Run::Sound);
        check("fn a() {}\n", Run::Sound);
        check("fn a() {}\n  fn fn b() {}\n", Run::Lost { row: 1, column: 7 });
        check("fn a() {\n", Run::Lost { row: 0, column: 8 });
        check("\u{1}", Run::Lost { row: 0, column: 0 });
    }

    #[test]
    fn what_would_take_hours_takes_none() {
        for piece in ["- }", ", - ", ";0 0", "a=>", "return ::}"] {
            let text = piece.repeat(40_000 / piece.len());
            assert!(matches!(run(&tree_sitter_rust::LANGUAGE.into(), text.as_bytes()), Run::Lost { .. }), "{piece}");
        }
    }
}

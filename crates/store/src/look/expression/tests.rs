//! However little is given to the engine at once, the same lines are found.

use super::*;
use crate::look::{Anchoring, Ignored};
use patchwright_core::path::RelPath;
use proptest::prelude::*;

fn expression(query: &str, mode: Mode, case: Case) -> Expression {
    Expression::new(&Searching {
        query: query.to_owned(),
        mode,
        root: RelPath::root(),
        include: Vec::new(),
        exclude: Vec::new(),
        max_results: 1,
        context_lines: 0,
        case,
        ignored: Ignored::Include,
        anchors: Anchoring::Without,
    })
    .unwrap()
}

/// The numbers of the lines that are found, as the searcher asks for them.
fn found(watched: &Watched<'_>, text: &[u8]) -> Vec<usize> {
    let (mut lines, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let Some(kind) = watched.find_candidate_line(&text[from..]).unwrap() else { break };
        let at = from + place(kind);
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let confirmed = matches!(kind, LineMatchKind::Confirmed(_));
        if start < text.len() && (confirmed || watched.shortest_match(bare(&text[start..end])).unwrap().is_some()) {
            lines.push(text[..start].iter().filter(|byte| **byte == b'\n').count());
        }
        from = end.max(at + 1);
    }
    lines
}

fn check(query: &str, mode: Mode, case: Case, text: &[u8]) {
    let expression = expression(query, mode, case);
    let mut watched = expression.watched(&Sight::ALL);
    let want = found(&watched, text);
    for most in [1, 3, 8, 30] {
        watched.most = most;
        assert_eq!(found(&watched, text), want, "{query:?} in {text:?}, {most} bytes at once");
    }
}

#[test]
fn the_same_lines_are_found() {
    let text = "one two\n\nthree four five\r\nStraße\n  six\nseven eight nine ten\nlast".as_bytes();
    for query in ["one", "e", "^", "$", "^$", r"^\w+$", r"\bsix\b", "t.*n", "STRASSE|strasse|straße", "zz", r"[^ ]{5}"]
    {
        for case in [Case::Sensitive, Case::Insensitive] {
            check(query, Mode::Regex, case, text);
            check(query, Mode::Text, case, text);
        }
    }
}

proptest! {
    #[test]
    fn the_same_lines_of_any_text(query in "(a|b|\\.|\\^|\\$|a\\*|\\(a\\|b\\)\\+){1,5}", text in "[ab \\n]{0,40}") {
        if RegexMatcherBuilder::new().multi_line(true).crlf(true).build(&query).is_ok() {
            check(&query, Mode::Regex, Case::Sensitive, text.as_bytes());
        }
    }
}

#[test]
fn a_search_that_takes_too_many_steps_ends() {
    let expression = expression("a+$", Mode::Regex, Case::Sensitive);
    let mut watched = expression.watched(&Sight::ALL);
    watched.most = 1;
    expression.steps.store(MOST_STEPS, Ordering::Relaxed);
    assert_eq!((&watched).find_candidate_line(b"aaaa\n").err(), Some(Ended::TooLong));
    assert_eq!(watched.ended(), Some(Ended::TooLong));
}

#[test]
fn a_search_that_nobody_wants_ends() {
    let expression = expression("a+$", Mode::Regex, Case::Sensitive);
    let sight = Sight { go_on: &|_| false, ..Sight::ALL };
    let mut watched = expression.watched(&sight);
    watched.most = 1;
    assert_eq!((&watched).find_candidate_line(b"aaaa\n").err(), Some(Ended::Withdrawn));
    watched.begin(0);
    watched.most = usize::MAX;
    assert!((&watched).find_candidate_line(b"aaaa\n").unwrap().is_some());
    assert_eq!(watched.spend(AT_ONCE), Err(Ended::Withdrawn));
}

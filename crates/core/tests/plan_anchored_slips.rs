//! Slips that an anchor cannot show by itself, by table: the text that a line is said to be, lines that stand there
//! already, indentation that does not go with its place.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::anchor::{Anchor, Anchors};
use patchwright_core::digest::Digest;
use patchwright_core::intent::{Intent, Knows, LineDeed, LineOperation, Reach, Safety};
use patchwright_core::outcome::SafetyStatus;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Seen, Snapshot, SnapshotFile, plan};
use patchwright_core::refusal::{AnchorFault, OperationFault, Refusal, Why};
use patchwright_core::sanity::Doubt;
use patchwright_core::text::FinalNewline;

/// `=N`, `=N-M`, `+N`, `^N`, `xN` or `xN-M` by line numbers of the text; the new lines; what the line was.
type Asked<'a> = (&'a str, &'a str, Option<&'a str>);

fn operation(before: &[u8], (place, content, was): Asked<'_>) -> LineOperation {
    let (sign, place) = place.split_at(1);
    let deed = match sign {
        "=" => LineDeed::Replace,
        "+" => LineDeed::InsertAfter,
        "^" => LineDeed::InsertBefore,
        _ => LineDeed::Delete,
    };
    let anchor = |line: &str| {
        let shown = Anchors::of(before).shown(&[line.parse().unwrap()]);
        Anchor { line: None, form: shown.first().unwrap().form }
    };
    let reach = match place.split_once('-') {
        Some((start, end)) => Reach::Range { start: anchor(start), end: anchor(end) },
        None => Reach::Line { anchor: anchor(place), occurrence: None, line: None },
    };
    let split = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<String>>();
    let lines = if deed == LineDeed::Delete { Vec::new() } else { split(content) };
    LineOperation { deed, reach, lines, was: was.map(split) }
}

fn planned(before: &[u8], asked: &[Asked<'_>], safety: Safety) -> Result<Plan, Refusal> {
    made(before, asked.iter().map(|one| operation(before, *one)).collect(), safety)
}

fn made(before: &[u8], operations: Vec<LineOperation>, safety: Safety) -> Result<Plan, Refusal> {
    let path = RelPath::parse("f.txt", &[]).unwrap();
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let bytes = Some(before.to_vec().into());
    let file = SnapshotFile { real: path.clone(), bytes, digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path.clone(), Seen::File(file));
    let (knows, last) = (Knows::default(), FinalNewline::Keep);
    plan(&snapshot, &[Intent::Anchored { path, operations, safety, knows, charset: None, last }])
}

/// The text that comes of it; or in words why not: `was 2 [4]` (the line, those that say so), `length`, doubts.
fn outcome(before: &[u8], asked: &[Asked<'_>], safety: Safety) -> String {
    match planned(before, asked, safety) {
        Ok(plan) => match plan.steps.as_slice() {
            [] => "unchanged".to_owned(),
            [step] => match &step.act {
                Act::Replace { after, .. } => String::from_utf8_lossy(&after.to_vec()).into_owned(),
                other => panic!("{other:?}"),
            },
            steps => panic!("{steps:?}"),
        },
        Err(Refusal { why: Why::Operations(faults), .. }) => {
            let told = faults.iter().map(|one| format!("{}: {}", one.index, fault(&one.fault)));
            told.collect::<Vec<_>>().join("; ")
        }
        Err(Refusal { why: Why::Unsafe(doubts), .. }) => doubts.iter().map(doubt).collect::<Vec<_>>().join("; "),
        Err(other) => panic!("{other:?}"),
    }
}

fn fault(fault: &AnchorFault) -> String {
    match fault {
        AnchorFault::WasDiffers { found, candidates, count, quotable, .. } => {
            let lines: Vec<usize> = candidates.iter().map(|one| one.shown.line).collect();
            let more = if *count > lines.len() { format!(" of {count}") } else { String::new() };
            let raw = if *quotable { "" } else { " raw" };
            format!("line {} is not that, {lines:?}{more}{raw}", found.as_ref().unwrap().shown.line)
        }
        AnchorFault::WasLength { quoted, lines } => format!("{quoted} quoted of {lines:?}"),
        other => format!("{other:?}"),
    }
}

fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Standing { line, other, lines, .. } => format!("{lines} at {line} stand at {other}"),
        Doubt::Indented { line, found, wanted, .. } => format!("{line} has {found:?} for {wanted:?}"),
        other => format!("{other:?}"),
    }
}

fn check(before: &str, asked: &[Asked<'_>], want: &str) {
    assert_eq!(outcome(before.as_bytes(), asked, Safety::Strict), want, "{before:?} {asked:?}");
}

#[test]
fn what_a_line_is_said_to_be() {
    let text = "one\ntwo\nthree\nfour\n";
    check(text, &[("=2", "x", Some("two"))], "one\nx\nthree\nfour\n");
    check(text, &[("x2", "", Some("two"))], "one\nthree\nfour\n");
    check(text, &[("=2", "x", Some("three"))], "0: line 2 is not that, [3]");
    check(text, &[("=2", "x", Some("gone"))], "0: line 2 is not that, []");
    check(text, &[("=2", "x", Some(" two"))], "0: line 2 is not that, []"); // white space counts
    check(text, &[("=2", "x", Some("two "))], "0: line 2 is not that, []");
    check(text, &[("=2", "x", Some("two\r"))], "0: line 2 is not that, []");
    check(text, &[("=2", "x", Some("two\0"))], "0: line 2 is not that, []");
    // Of an insert it is the anchor's line, also at the edges of the file.
    check(text, &[("+2", "x", Some("two"))], "one\ntwo\nx\nthree\nfour\n");
    check(text, &[("^2", "x", Some("two"))], "one\nx\ntwo\nthree\nfour\n");
    check(text, &[("^1", "x", Some("one")), ("+4", "y", Some("four"))], "x\none\ntwo\nthree\nfour\ny\n");
    check(text, &[("+2", "x", Some("three"))], "0: line 2 is not that, [3]");
    check(text, &[("^2", "x", Some("one"))], "0: line 2 is not that, [1]");
    // Every bad operation is told.
    check(
        text,
        &[("=1", "x", Some("two")), ("x2", "", Some("two")), ("=4", "y", Some(""))],
        "0: line 1 is not that, [2]; 2: line 4 is not that, []",
    );
}

#[test]
fn what_a_range_is_said_to_be() {
    let text = "one\ntwo\nthree\nfour\n";
    check(text, &[("=2-3", "x", Some("two"))], "one\nx\nfour\n"); // its first line
    check(text, &[("=2-3", "x", Some("two\nthree"))], "one\nx\nfour\n"); // or all
    check(text, &[("=3-2", "x", Some("two"))], "one\nx\nfour\n"); // the first in the text, whatever the order of the ends
    check(text, &[("x2-4", "", Some("two\nthree"))], "0: 2 quoted of (2, 4)");
    check(text, &[("x2-3", "", Some("two\nthree\nfour"))], "0: 3 quoted of (2, 3)");
    check(text, &[("x2-3", "", Some("two\nfour"))], "0: line 3 is not that, [4]");
    check(text, &[("=2", "x", Some("two\nthree"))], "0: 2 quoted of (2, 2)");
    check(text, &[("=2-3", "x", Some("three"))], "0: line 2 is not that, [3]");
}

#[test]
fn line_ends_and_bytes_are_no_part_of_it() {
    check("a\r\nb\r\n", &[("=2", "x", Some("b"))], "a\r\nx\r\n");
    check("a\nb", &[("=2", "x", Some("b"))], "a\nx");
    check("same\nb\nsame\n", &[("=2", "x", Some("same"))], "0: line 2 is not that, [1, 3]"); // it never picks
    let many = format!("a\n{}", "b\n".repeat(9));
    check(&many, &[("=1", "x", Some("b"))], "0: line 1 is not that, [2, 3, 4, 5, 6] of 9");
    let raw = b"a \xff\nb\n";
    let said = "a \u{fffd}";
    assert_eq!(outcome(raw, &[("=1", "x", Some(said))], Safety::Strict), "0: line 1 is not that, [] raw");
    let long = "y".repeat(10 << 20);
    check("a\nb\n", &[("=2", "x", Some(&long))], "0: line 2 is not that, []");
}

#[test]
fn an_empty_text_is_an_empty_line() {
    let refused = outcome(b"a\n\nb\n", &[("=1", "x", Some(""))], Safety::Strict);
    assert_eq!(refused, "0: line 1 is not that, [2]");
    check("\na\nb\n", &[("x1-2", "", Some(""))], "b\n");
}

#[test]
fn lines_that_stand_there_already() {
    let text = "head\none\ntwo\ntail\n";
    check(text, &[("+1", "one\ntwo", None)], "2 at 2 stand at 4"); // sent again
    check(text, &[("^4", "one\ntwo", None)], "2 at 4 stand at 2");
    check(text, &[("+1", "one", None)], "1 at 2 stand at 3");
    check(text, &[("^1", "head", None)], "1 at 1 stand at 2"); // at the edges
    check(text, &[("+4", "tail", None)], "1 at 5 stand at 4");
    check("head\r\none\r\n", &[("+1", "one", None)], "1 at 2 stand at 3");
    check("head\none", &[("+2", "one", None)], "1 at 3 stand at 2"); // no newline at the end
    check(text, &[("=1", "head\none\ntwo", None)], "2 at 2 stand at 4"); // an insert all the same
    check(text, &[("+1", "one\ntwo", Some("head"))], "2 at 2 stand at 4"); // no text vouches for it
    // Partly there, or elsewhere, is another matter.
    check("head\nx one\nx two\ntail\n", &[("+1", "x one\nx 2", None)], "head\nx one\nx 2\nx one\nx two\ntail\n");
    check(text, &[("+1", "two", None)], "head\ntwo\none\ntwo\ntail\n");
    // So are lines that say little.
    check("a\n}\nb\n", &[("+1", "}", None)], "1 at 2 stand at 3");
    check("a\n  }\n}\nb\n", &[("+1", "}", None)], "a\n}\n  }\n}\nb\n");
    check("a\n\nb\n", &[("+1", "", None)], "1 at 2 stand at 3");
    check("a\n\nb\n", &[("+1", "\n", None)], "a\n\n\n\nb\n"); // two, beside one
    // Lines around a line, sent again.
    check("a\nb\nc\n", &[("=2", "{\nb\n}", None)], "a\n{\nb\n}\nc\n");
    check("a\n{\nb\n}\nc\n", &[("=3", "{\nb\n}", None)], "1 at 3 stand at 2");
    check("a\n---\nb\n---\nc\n", &[("=3", "---\nb\n---", None)], "1 at 3 stand at 2");
    check("a\n\nb\n\nc\n", &[("=3", "\nb\n", None)], "1 at 3 stand at 2");
    check("a\n{\nb\nc\n}\n", &[("=3-4", "{\nb\nc\n}", None)], "1 at 3 stand at 2");
    check("a\n{\nb\nc\n", &[("=3", "{\nb\n}", None)], "a\n{\n{\nb\n}\nc\n"); // only one side is there
    check("a\n{\nb\n}\n", &[("=3", "{\nb\n}", None), ("=1-2", "(", None)], "(\n{\nb\n}\n}\n");
    // What another operation takes away does not stand there.
    check(text, &[("+1", "one\ntwo", None), ("=2-3", "1", None)], "head\none\ntwo\n1\ntail\n");
}

#[test]
fn inserts_at_one_place_that_stand_there_already() {
    let text = "head\none\ntwo\nthree\ntail\n";
    // The same call sent again, whichever anchor names the place.
    check(text, &[("+1", "one\ntwo", None), ("+1", "three", None)], "3 at 2 stand at 5");
    check(text, &[("^5", "one\ntwo", None), ("^5", "three", None)], "3 at 5 stand at 2");
    check(text, &[("+1", "one", None), ("^2", "two\nthree", None)], "3 at 2 stand at 5");
    check(text, &[("+1", "one", None), ("+1", "two", None), ("+1", "three", None)], "3 at 2 stand at 5");
    check(text, &[("=1", "head\none", None), ("+1", "two\nthree", None)], "3 at 2 stand at 5");
    // One of several stood there before the call.
    check(text, &[("+1", "one\ntwo", None), ("+1", "other", None)], "2 at 2 stand at 5");
    check(text, &[("+1", "other", None), ("+1", "one\ntwo", None)], "2 at 3 stand at 5");
    check(text, &[("^5", "three", None), ("^5", "other", None)], "1 at 5 stand at 4");
    check(text, &[("^5", "other", None), ("^5", "two\nthree", None)], "2 at 6 stand at 3");
    // Lines further up count as the result has them.
    check(text, &[("^1", "top", None), ("+1", "one", None), ("+1", "x", None)], "1 at 3 stand at 5");
    check(text, &[("+1", "one\ntwo", None), ("+1", "x", None), ("+2", "y", None)], "2 at 2 stand at 5");
    // Twice in one call.
    check(text, &[("+1", "x", None), ("+1", "x", None)], "1 at 2 stand at 3; 1 at 3 stand at 2");
    // What another operation takes away does not stand there.
    let gone = "head\none\ntwo\nx\n2\nthree\ntail\n";
    check(text, &[("+1", "one\ntwo", None), ("+1", "x", None), ("=2-3", "2", None)], gone);
}

#[test]
fn what_the_safety_check_says_of_it() {
    let before = b"head\none\ntail\n";
    let asked: &[Asked<'_>] = &[("+1", "one", None)];
    assert_eq!(outcome(before, asked, Safety::Warn), "head\none\none\ntail\n");
    assert_eq!(outcome(before, asked, Safety::Off), "head\none\none\ntail\n");
    let facts = |safety| planned(before, asked, safety).unwrap().facts.unwrap();
    assert_eq!(facts(Safety::Warn).safety, SafetyStatus::Suspicious);
    assert_eq!(facts(Safety::Warn).doubts.iter().map(doubt).collect::<Vec<_>>(), ["1 at 2 stand at 3"]);
    assert_eq!((facts(Safety::Off).safety, facts(Safety::Off).doubts.len()), (SafetyStatus::Skipped, 0));
}

#[test]
fn indentation_that_does_not_go_with_its_place() {
    let text = "fn\n    one\n    two\nend\n";
    check(text, &[("=2", "    1", None)], "fn\n    1\n    two\nend\n");
    check(text, &[("=2", "1", None)], "2 has \"\" for \"    \"");
    check(text, &[("=4", "    x", None)], "4 has \"    \" for \"\"");
    check(text, &[("=2", "\t1", None)], "2 has \"\\t\" for \"    \"");
    check(text, &[("=2", "1", Some("    one"))], "fn\n1\n    two\nend\n"); // said to be meant
    check(text, &[("=2-3", "one\ntwo", None)], "fn\none\ntwo\nend\n"); // nothing but white space
    check(text, &[("=2-3", "    1\n        2\n", None)], "fn\n    1\n        2\n\nend\n");
    check(text, &[("x2", "", None)], "fn\n    two\nend\n");
    check("a\n\nb\n", &[("=1-2", "    x", None)], "1 has \"    \" for \"\"");
    // White space alone is meant where the line goes with a neighbour then.
    let even = "    a\n    b\n    c\n";
    check(even, &[("=2", "b", None)], "2 has \"\" for \"    \"");
    check(even, &[("=2", "        b", None)], "2 has \"        \" for \"    \"");
    check("if x:\na\nb\n", &[("=2", "    a", None)], "if x:\n    a\nb\n");
    check("if x\na\nb\nc\n", &[("=2-3", "    a\n    b", None)], "if x\n    a\n    b\nc\n");
    // Any line that takes the place of another.
    check(even, &[("=1-3", "    A\nB\n    C", None)], "2 has \"\" for \"    \"");
    check(even, &[("=1-3", "    A\n    B\nC", None)], "3 has \"\" for \"    \"");
    check(even, &[("=1-3", "    A\n    B\n}", None)], "    A\n    B\n}\n");
    check(even, &[("=3", "    C\n\nnext", None)], "    a\n    b\n    C\n\nnext\n"); // takes no place
    check(text, &[("=2-3", "    1\n2", None)], "fn\n    1\n2\nend\n"); // as deep as those around
    // As deep as both neighbours is in place.
    check("    a\n  b\n    c\n", &[("=2", "    B", None)], "    a\n    B\n    c\n");
    // Inserts: not shallower than both lines around them.
    check(text, &[("+2", "x", None)], "3 has \"\" for \"    \"");
    check(text, &[("+2", "        x", None)], "fn\n    one\n        x\n    two\nend\n");
    check(text, &[("+1", "x", None)], "fn\nx\n    one\n    two\nend\n");
    check(text, &[("+2", "}", None)], "fn\n    one\n}\n    two\nend\n"); // says nothing
    check(text, &[("+4", "\tx", None)], "5 has \"\\t\" for \"  \"");
    check("fn\n\tone\nend\n", &[("+3", "  x", None)], "4 has \"  \" for \"\\t\"");
    check("fn\n\tone\n  two\nend\n", &[("+4", "  x", None)], "fn\n\tone\n  two\nend\n  x\n"); // has both
}

#[test]
fn a_warning_where_the_line_was_quoted() {
    let before = b"fn\n    one\nend\n";
    let facts = planned(before, &[("=2", "1", Some("    one"))], Safety::Strict).unwrap().facts.unwrap();
    assert_eq!(facts.safety, SafetyStatus::Suspicious);
    assert_eq!(facts.doubts.iter().map(doubt).collect::<Vec<_>>(), ["2 has \"\" for \"    \""]);
    // Beside another slip both are told.
    let both = [("=2", "1", Some("    one")), ("+3", "end", None)];
    let told = outcome(before, &both, Safety::Strict);
    assert_eq!(told, "1 at 4 stand at 3; 2 has \"\" for \"    \"");
}

/// Neither many wrong texts nor many inserts beside a long run of blank lines make each other dear.
#[test]
fn many_operations_at_once() {
    let text: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
    let anchors = Anchors::of(text.as_bytes()).slice(1..=20_000);
    let wrong = |at: usize| {
        let (form, was) = (anchors[at].form, Some(vec!["line 7".to_owned()]));
        let reach = Reach::Line { anchor: Anchor { line: None, form }, occurrence: None, line: None };
        LineOperation { deed: LineDeed::Delete, reach, lines: Vec::new(), was }
    };
    let Err(Refusal { why: Why::Operations(faults), .. }) =
        made(text.as_bytes(), (8..20_000).map(wrong).collect(), Safety::Strict)
    else {
        panic!("applied");
    };
    let sought = |fault: &&OperationFault| matches!(fault.fault, AnchorFault::WasDiffers { count: 1, .. });
    assert_eq!((faults.len(), faults.iter().filter(sought).count()), (19_992, 50));

    let blank = format!("  head\n{}  tail\n", "\n".repeat(200_000));
    let one = operation(blank.as_bytes(), ("+1", "", None));
    let inserts = (0..20_000).map(|at| LineOperation { lines: vec![format!("  {at}")], ..one.clone() }).collect();
    assert!(made(blank.as_bytes(), inserts, Safety::Strict).is_ok());
}

//! Operations on anchored lines, by table: a text and operations in a small notation become a text or a
//! refusal; and against a plain model, for operations and texts made up at random.
//!
//! An operation is `=N:content`, `=N-M:content`, `+N:content` (after), `^N:content` (before), `xN`, `xN-M`, where N
//! and M are line numbers that stand for the anchors a reading would print there. `#short` in place of a
//! number stands for the short form of that line's text, `!i` after it for an occurrence.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::anchor::{Anchor, Anchors, Form, line_hash};
use patchwright_core::digest::Digest;
use patchwright_core::history::{Piece, Span, check_spans};
use patchwright_core::intent::{Earlier, Intent, Knows, LineDeed, LineOperation, Numbers, Reach, Safety};
use patchwright_core::outcome::{Correction, EditFacts};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Plan, Seen, Snapshot, SnapshotFile, plan};
use patchwright_core::refusal::{AnchorFault, Kind, Refusal, Why};
use patchwright_core::text::FinalNewline;
use patchwright_core::warning::Warning;
use proptest::prelude::*;
use std::sync::Arc;

fn planned(before: &[u8], operations: Vec<LineOperation>, knows: Knows) -> Result<Plan, Refusal> {
    let path = RelPath::parse("f", &[]).unwrap();
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let file =
        SnapshotFile { real: path.clone(), bytes: Some(before.to_vec().into()), digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path.clone(), Seen::File(file));
    plan(
        &snapshot,
        &[Intent::Anchored { path, operations, safety: Safety::Off, knows, charset: None, last: FinalNewline::Keep }],
    )
}

fn after(plan: &Plan, before: &[u8]) -> Vec<u8> {
    match plan.steps.as_slice() {
        [] => before.to_vec(),
        [step] => match &step.act {
            Act::Replace { after, .. } => after.to_vec(),
            other => panic!("{other:?}"),
        },
        steps => panic!("{steps:?}"),
    }
}

/// The anchor of a line of this text, by its number; or the short form of a line's text.
fn anchor(before: &[u8], name: &str) -> Anchor {
    match name.strip_prefix('#') {
        Some(text) => Anchor { line: None, form: Form::Short((line_hash(text.as_bytes()) >> 40) as u32) },
        None => {
            let line: usize = name.parse().unwrap();
            let shown = Anchors::of(before).shown(&[line]);
            Anchor { line: None, form: shown.first().unwrap().form }
        }
    }
}

fn operation(before: &[u8], notation: &str) -> LineOperation {
    let (sign, rest) = notation.split_at(1);
    let (place, content) = rest.split_once(':').unwrap_or((rest, ""));
    let deed = match sign {
        "=" => LineDeed::Replace,
        "+" => LineDeed::InsertAfter,
        "^" => LineDeed::InsertBefore,
        "x" => LineDeed::Delete,
        _ => panic!("{notation}"),
    };
    let reach = match place.split_once('-') {
        Some((start, end)) => Reach::Range { start: anchor(before, start), end: anchor(before, end) },
        None => {
            let (name, occurrence) = match place.split_once('!') {
                Some((name, at)) => (name, Some(at.parse().unwrap())),
                None => (place, None),
            };
            Reach::Line { anchor: anchor(before, name), occurrence, line: None }
        }
    };
    let lines = match deed {
        LineDeed::Delete => Vec::new(),
        _ => content.split('/').map(str::to_owned).collect(),
    };
    LineOperation { deed, reach, lines, was: None }
}

fn run(before: &str, operations: &[&str], knows: Knows) -> Result<Plan, Refusal> {
    let operations = operations.iter().map(|notation| operation(before.as_bytes(), notation)).collect();
    planned(before.as_bytes(), operations, knows)
}

fn check(before: &str, operations: &[&str], want: &str) {
    let plan =
        run(before, operations, Knows::default()).unwrap_or_else(|no| panic!("{before:?} {operations:?} {no:?}"));
    let got = String::from_utf8(after(&plan, before.as_bytes())).unwrap();
    assert_eq!(got, want, "{before:?} {operations:?}");
}

#[test]
fn operations_land() {
    check("a\nb\nc\n", &["=2:x"], "a\nx\nc\n");
    check("a\nb\nc\n", &["=2:x/y"], "a\nx\ny\nc\n");
    check("a\nb\nc\n", &["=1-2:x"], "x\nc\n");
    check("a\nb\nc\n", &["+2:x"], "a\nb\nx\nc\n");
    check("a\nb\nc\n", &["^1:x"], "x\na\nb\nc\n");
    check("a\nb\nc\n", &["x2"], "a\nc\n");
    check("a\nb\nc\n", &["x1-3"], "");
    check("a\nb\nc\n", &["x3-1"], ""); // turned round
    check("a\nb\nc\n", &["=2:"], "a\n\nc\n"); // one empty line
    check("a\nb\na\n", &["=#a!2:x"], "a\nb\nx\n");
    check("}\nb\n}\n", &["x#}!1"], "b\n}\n"); // poor, but chosen on purpose
}

#[test]
fn operations_side_by_side() {
    check("a\nb\nc\n", &["=2:x", "+2:y", "^2:w"], "a\nw\nx\ny\nc\n");
    check("a\nb\nc\n", &["+1:1", "^2:2", "+1:3"], "a\n1\n2\n3\nb\nc\n"); // one place: in their order
    check("a\nb\nc\n", &["x2", "+1:x", "^3:y"], "a\nx\ny\nc\n");
    check("a\nb\nc\n", &["x1-2", "+2:x"], "x\nc\n"); // at the edge of a range
    check("a\nb\nc\nd\n", &["=3-4:y", "=1-2:x"], "x\ny\n");
}

#[test]
fn ends_of_files_and_lines() {
    check("a\r\nb\r\n", &["=1:x/y"], "x\r\ny\r\nb\r\n");
    check("a\r\nb\nc\n", &["=1-2:x/y/z"], "x\r\ny\nz\nc\n");
    check("a\nb", &["=2:x"], "a\nx");
    check("a\nb", &["+2:x"], "a\nb\nx");
    check("a\nb", &["x2"], "a");
    check("a\nb", &["x2", "=1:x"], "x");
    check("a\nb", &["x2", "+1:x"], "a\nx");
    check("a\nb", &["x2", "+2:x"], "a\nx");
    check("a\nb", &["x1", "+2:x"], "b\nx");
    check("a\r\nb", &["=2:x", "+2:y"], "a\r\nx\r\ny");
    check("a\r\nb\nc\nd", &["x1-2", "=3-4:m/n"], "m\nn"); // each after the lines it replaces
    check("\u{feff}a\nb\n", &["=#a:x"], "\u{feff}x\nb\n");
}

fn kinds(before: &str, operations: &[&str], want: &[(usize, Kind, &str)]) {
    let refused = run(before, operations, Knows::default()).unwrap_err();
    let Why::Operations(faults) = &refused.why else { panic!("{refused:?}") };
    let got: Vec<_> = faults.iter().map(|fault| (fault.index, fault.fault.kind(), fault.field.name())).collect();
    assert_eq!(got, want, "{before:?} {operations:?}");
    assert_eq!(Some(refused.kind()), want.first().map(|(_, kind, _)| *kind));
}

#[test]
fn many_operations_find_what_few_do() {
    let lines: Vec<String> = (0..60).map(|at| format!("line {}", at % 45)).collect();
    let before = lines.join("\n") + "\n";
    let operations: Vec<String> = (1..=60).step_by(3).map(|line| format!("={line}:new {line}")).collect();
    let operations: Vec<&str> = operations.iter().map(String::as_str).collect();
    let mut want = lines.clone();
    (1..=60).step_by(3).for_each(|line| want[line - 1] = format!("new {line}"));
    check(&before, &operations, &(want.join("\n") + "\n"));
    let many: Vec<&str> = std::iter::repeat_n("=#line 3:x", 20).collect();
    let all: Vec<_> = (0..20).map(|index| (index, Kind::AnchorContextAmbiguous, "hash")).collect();
    kinds(&before, &many, &all);
    let gone: Vec<&str> = std::iter::repeat_n("=#nowhere:x", 20).collect();
    let all: Vec<_> = (0..20).map(|index| (index, Kind::AnchorStale, "hash")).collect();
    kinds(&before, &gone, &all);
}

#[test]
fn refusals_come_all_at_once() {
    use Kind::*;
    kinds("a\nb\n", &["=#zz:x"], &[(0, AnchorStale, "hash")]);
    kinds("", &["=#zz:x"], &[(0, AnchorStale, "hash")]);
    kinds("a\nx\na\ny\n", &["=#a:x"], &[(0, AnchorAmbiguous, "hash")]); // their neighbours differ
    kinds("a\na\na\na\n", &["=#a:x"], &[(0, AnchorContextAmbiguous, "hash")]);
    kinds("a\nx\na\ny\n", &["x#a-4"], &[(0, AnchorContextAmbiguous, "start_hash")]);
    kinds("a\nx\na\ny\n", &["x4-#a"], &[(0, AnchorContextAmbiguous, "end_hash")]);
    kinds("a\nx\na\ny\n", &["=#a!3:x"], &[(0, AnchorAmbiguous, "hash")]);
    kinds("a\n}\nb\n", &["=2:x"], &[(0, AnchorLowEntropy, "hash")]);
    kinds("a\n}\nb\n}\n", &["=#}:x"], &[(0, AnchorAmbiguous, "hash")]); // before low entropy
    kinds("a\nb\n", &["=1-1:x"], &[(0, InvalidRangeOrder, "start_hash")]);
    kinds("a\nb\nc\n", &["=2:x", "x1-2"], &[(1, OverlappingOperations, "start_hash")]);
    kinds("a\nb\nc\n", &["=2:x", "=2:y"], &[(1, OverlappingOperations, "hash")]);
    kinds("a\nb\nc\n", &["+1:x", "x1-2"], &[(1, OverlappingOperations, "start_hash")]);
    kinds(
        "a\nb\n}\n",
        &["=1:x", "=#zz:x", "x#yy-#xx", "+3:x", "=1:y"],
        &[
            (1, AnchorStale, "hash"),
            (2, AnchorStale, "start_hash"),
            (2, AnchorStale, "end_hash"),
            (3, AnchorLowEntropy, "hash"),
            (4, OverlappingOperations, "hash"),
        ],
    );
}

fn facts(before: &str, operations: &[&str]) -> EditFacts {
    *run(before, operations, Knows::default()).unwrap().facts.unwrap()
}

#[test]
fn what_is_told() {
    let told = facts("a\nb\nc\nd\ne\n", &["+4:x/y", "x5"]);
    assert_eq!((told.operations, told.lines_before, told.lines_after, told.valid_through), (2, 5, 6, 4));
    assert_eq!(facts("a\nb\nc\n", &["x3-2"]).corrections, [Correction::RangeSwapped { start: 3, end: 2 }]);
    let same = facts("a\nb\nc\n", &["=2:b"]);
    assert_eq!((same.valid_through, same.diff.as_str()), (3, ""));
}

#[test]
fn anchors_above_that_no_longer_hold() {
    let was =
        |told: EditFacts| -> Vec<(u64, String)> { told.stale.into_iter().map(|one| (one.line, one.was)).collect() };
    let form = |before: &str, line: usize| Anchors::of(before.as_bytes()).shown(&[line])[0].form.to_string();
    let text = "a\nb\nc\nd\n";
    assert_eq!(was(facts(text, &["=3:x"])), []); // hashes of lines above do not hang on what is below
    assert_eq!(was(facts(text, &["+3:a"])), [(1, form(text, 1))]); // it has a twin now
    let twins = "p\na\nq\na\nb\n";
    assert_eq!(was(facts(twins, &["=5:x"])), [(4, form(twins, 4))]); // its neighbour went
    let equal = "a\na\na\na\na\nz\n";
    let moved = was(facts(equal, &["x#a!5"]));
    assert_eq!(moved.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4]); // they count one less
    for (line, old) in moved {
        assert!(old.contains("@") || line == 4, "{line} {old}");
    }
}

fn numbered() -> Knows {
    Knows { numbers: Numbers::Seen, ..Knows::default() }
}

fn known(before: &str) -> Knows {
    let whole = Some(Anchors::of(before.as_bytes()).hashes().into());
    Knows { earlier: Some(Earlier { whole, parts: Vec::new() }), ..Knows::default() }
}

#[test]
fn ranges_that_somebody_changed() {
    let inside = |earlier: &str, now: &str, operations: &[&str]| match run(now, operations, known(earlier)) {
        Ok(plan) => {
            assert_eq!(plan.warnings, [Warning::ChangedSinceSeen { path: "f".into() }]);
            true
        }
        Err(Refusal { why: Why::Operations(faults), .. }) => {
            assert!(matches!(faults[..], [ref one] if matches!(one.fault, AnchorFault::RangeChanged { .. })));
            false
        }
        Err(other) => panic!("{other:?}"),
    };
    assert!(inside("a\nb\nc\nd\n", "a\nb\nc\nX\n", &["=1-3:x"])); // changed elsewhere
    assert!(!inside("a\nb\nc\nd\n", "a\nX\nc\nd\n", &["=1-3:x"]));
    assert!(!inside("a\nb\nc\nd\n", "a\nc\nd\n", &["=1-2:x"])); // a line between went
    assert!(!inside("a\nc\nd\n", "a\nb\nc\nd\n", &["x1-3"])); // one came
    assert!(inside("a\nb\nc\nd\n", "a\nX\nc\nd\n", &["=1:x"])); // one line is its own proof
    let nothing = run("a\nb\n", &["x1-2"], Knows { earlier: Some(Earlier::default()), ..Knows::default() });
    assert_eq!(nothing.unwrap_err().kind(), Kind::AnchorStale);
}

#[test]
fn equal_lines_that_somebody_moved() {
    let lands = |earlier: &str, now: &str, operations: &[&str]| match run(now, operations, known(earlier)) {
        Ok(_) => true,
        Err(refused) => {
            assert_eq!(refused.kind(), Kind::AnchorStale, "{refused:?}");
            false
        }
    };
    let four = "h\nrun\nrun\nrun\nrun\ntail\n";
    assert!(lands(four, "h\nrun\nrun\nrun\nrun\ntail\nmore\n", &["=#run!2:x"])); // changed far away
    assert!(!lands(four, "run\nh\nrun\nrun\nrun\ntail\n", &["=#run!2:x"])); // one came, one went
    assert!(!lands(four, "h\nrun\nrun\nrun\ntail\n", &["=#run!2:x"])); // one went
    assert!(lands("a\n}\nb\n}\n", "X\na\n}\nb\n}\n", &["x#}!2"])); // the same place
    assert!(lands("a\nb\n", "X\na\nb\n", &["=#a!1:x"])); // the only one
}

#[test]
fn numbers_are_checked_where_they_were_seen() {
    let text = b"a\nb\na\n";
    let at = |line, form| Reach::Line { anchor: Anchor { line: None, form }, occurrence: None, line };
    let form = Anchors::of(text).shown(&[2])[0].form;
    let ask =
        |line| LineOperation { deed: LineDeed::Replace, reach: at(line, form), lines: vec!["x".into()], was: None };
    for (line, knows, fits) in [
        (Some(2), numbered(), true),
        (Some(3), numbered(), false),
        (Some(9), numbered(), false),
        (Some(3), Knows::default(), true),
        (None, numbered(), true),
    ] {
        let plan = planned(text, vec![ask(line)], knows.clone());
        assert_eq!(plan.is_ok(), fits, "{line:?} {knows:?}");
        if let Err(refused) = plan {
            assert_eq!(refused.kind(), Kind::AnchorAmbiguous);
        }
    }
}

#[test]
fn many_candidates_crowd_out_no_other_fault() {
    let before = "a\n".repeat(1100) + "b\n";
    let mut second = operation(before.as_bytes(), "=#b:x");
    if let Reach::Line { line, .. } = &mut second.reach {
        *line = Some(3);
    }
    let refused = planned(before.as_bytes(), vec![operation(before.as_bytes(), "=#a:x"), second], numbered());
    let Why::Operations(faults) = refused.unwrap_err().why else { panic!() };
    assert!(matches!(faults[0].fault, AnchorFault::ContextAmbiguous { count: 1100, .. }));
    assert!(matches!(faults[1].fault, AnchorFault::LineDisagrees { said: 3, there: Some(_), .. }));
}

/// What the operations should leave, line by line.
fn model(lines: &[String], operations: &[(LineDeed, usize, usize, Vec<String>)]) -> Vec<String> {
    let mut out = Vec::new();
    for place in 0..=lines.len() {
        let inserts = operations.iter().filter(|(deed, from, _, _)| match deed {
            LineDeed::InsertAfter => from + 1 == place,
            LineDeed::InsertBefore => *from == place,
            _ => false,
        });
        out.extend(inserts.flat_map(|(.., new)| new.clone()));
        let claims = |one: &&(LineDeed, usize, usize, Vec<String>)| {
            matches!(one.0, LineDeed::Replace | LineDeed::Delete) && (one.1..=one.2).contains(&place)
        };
        match (operations.iter().find(claims), lines.get(place)) {
            (Some((_, from, _, new)), _) if *from == place => out.extend(new.clone()),
            (None, Some(line)) => out.push(line.clone()),
            _ => {}
        }
    }
    out
}

type Drawn = (u8, usize, usize, Vec<String>);

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let lines = prop::collection::vec("[a-c}]{1,2}", 1..3);
    prop::collection::vec((0..4_u8, 0..12_usize, 0..3_usize, lines), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever anchors a reading prints, operations through them come out as the plain model says, in any
    /// order; and every anchor that is said to hold afterwards does.
    #[test]
    fn as_the_model_says(
        lines in prop::collection::vec("[abx} ]{0,2}", 1..12), crlf in any::<bool>(), open in any::<bool>(), drawn in drawn(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut before = lines.join(end);
        let bare = open && lines.last().is_some_and(|line| !line.is_empty());
        if !bare {
            before.push_str(end);
        }
        let anchors = Anchors::of(before.as_bytes());
        let shown = anchors.slice(1..=lines.len());
        let mut taken: Vec<(usize, usize)> = Vec::new();
        let mut plain = Vec::new();
        for (sort, from, len, new) in drawn {
            let deed = [LineDeed::Replace, LineDeed::Delete, LineDeed::InsertAfter, LineDeed::InsertBefore][usize::from(sort)];
            let from = from % lines.len();
            let to = if sort < 2 { (from + len).min(lines.len() - 1) } else { from };
            if sort < 2 && taken.iter().any(|(a, b)| from <= *b && *a <= to) {
                continue;
            }
            if sort < 2 {
                taken.push((from, to));
            }
            plain.push((deed, from, to, if deed == LineDeed::Delete { Vec::new() } else { new }));
        }
        // An insert strictly inside a range is another test's business.
        let inside = |deed: LineDeed, from: usize| taken.iter().any(|(a, b)| match deed {
            LineDeed::InsertAfter => *a <= from && from < *b,
            LineDeed::InsertBefore => *a < from && from <= *b,
            _ => false,
        });
        plain.retain(|(deed, from, ..)| !inside(*deed, *from));
        let operations: Vec<LineOperation> = plain.iter().map(|(deed, from, to, new)| {
            let anchor = |at: usize| Anchor { line: Some(at + 1), form: shown[at].form };
            let same = shown.iter().filter(|other| other.form == shown[*from].form).count();
            assert_eq!(same, 1);
            let reach = if from == to {
                // Chosen on purpose, so that poor lines will do.
                let occurrence = match shown[*from].form { Form::Place { at, .. } => at, _ => 1 };
                Reach::Line { anchor: anchor(*from), occurrence: Some(occurrence), line: Some(from + 1) }
            } else {
                Reach::Range { start: anchor(*from), end: anchor(*to) }
            };
            LineOperation { deed: *deed, reach, lines: new.clone(), was: None }
        }).collect();
        if operations.is_empty() {
            return Ok(());
        }
        let plan = planned(before.as_bytes(), operations.clone(), numbered()).unwrap();
        let got = String::from_utf8(after(&plan, before.as_bytes())).unwrap();
        let want = model(&lines, &plain);
        let got_lines: Vec<String> = patchwright_core::text::lines(got.as_bytes())
            .map(|line| String::from_utf8(line.text.to_vec()).unwrap()).collect();
        prop_assert_eq!(&got_lines, &want);
        // What each operation is on record for tells all of the difference.
        for step in &plan.steps {
            let span = |line: usize, count: usize| Span { first: line - 1, count };
            let pieces: Vec<Piece> = step.changes.iter().map(|one| Piece {
                before: span(one.before_line, one.before_lines),
                after: span(one.after_line, one.after_lines),
                ..Piece::default()
            }).collect();
            prop_assert!(check_spans(before.as_bytes(), got.as_bytes(), &pieces), "{:?} -> {:?}: {:?}", before, got, pieces);
        }
        if want.last().is_some_and(|line| !line.is_empty()) {
            prop_assert_eq!(got.ends_with('\n'), !bare, "{:?} -> {:?}", before, got);
        }
        let mut turned = operations;
        turned.reverse();
        let lonely = plain.iter().filter(|one| matches!(one.0, LineDeed::InsertAfter | LineDeed::InsertBefore)).count() < 2;
        if lonely {
            let again = planned(before.as_bytes(), turned, Knows::default()).unwrap();
            prop_assert_eq!(after(&again, before.as_bytes()), got.as_bytes());
        }
        // Anchors up to there still name their line, but for those that are told.
        let facts = plan.facts.unwrap();
        let now = Anchors::of(got.as_bytes());
        for old in &shown[..facts.valid_through as usize] {
            let told = facts.stale.iter().find(|one| one.line == old.line as u64);
            match told {
                None => prop_assert_eq!(now.find(&old.form), [old.line], "{:?} -> {:?}", before, got),
                Some(told) => prop_assert_eq!(now.find(&Anchor::parse(&told.now).unwrap().form), [old.line]),
            }
        }
        // And so does every anchor of the diff.
        for line in facts.diff.lines().filter(|line| line.starts_with([' ', '+'])) {
            let name = line[1..].split(' ').next().unwrap();
            let anchor = Anchor::parse(name).unwrap();
            prop_assert_eq!(now.find(&anchor.form), [anchor.line.unwrap()]);
        }
        prop_assert_eq!(plan.lines.unwrap(), Arc::from(now.hashes()));
    }
}

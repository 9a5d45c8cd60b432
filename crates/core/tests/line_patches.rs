//! Line patches, by table: what a batch breaks by itself, what a text does not bear out, and what becomes of a text;
//! and against a plain model, for changes and texts made up at random.
//!
//! A change is `+N:new` (insert after line N), `=N-M:old:new` (replace) or `xN-M:old` (delete); lines of a list are
//! parted by `/`. `[before][after]` in front of the lists may quote the neighbours, `^` standing for the edge.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::dialect::lines::{FilePatch, LineEdit, Quoted, compare, shape};
use patchwright_core::digest::Digest;
use patchwright_core::intent::{ChangeMarks, Intent, LineChange};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Change, Plan, Seen, Snapshot, SnapshotFile, plan};
use patchwright_core::refusal::{LinePlace, LineProblem, RepeatedLines, Wider};
use patchwright_core::text::FinalNewline;
use proptest::prelude::*;

fn list(text: &str) -> Vec<String> {
    text.split('/').map(str::to_owned).collect()
}

fn quoted(text: &str) -> Quoted {
    match text {
        "" => Quoted::Unsaid,
        "^" => Quoted::Edge,
        line => Quoted::Line(line.to_owned()),
    }
}

fn edit(notation: &str) -> LineEdit {
    let (sign, rest) = notation.split_at(1);
    let (place, lists) = rest.split_once(':').unwrap();
    let range = || {
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        (first.parse().unwrap(), last.parse().unwrap())
    };
    let (neighbours, lists) = match lists.rsplit_once(']') {
        Some((quotes, lists)) => (quotes.trim_start_matches('['), lists),
        None => ("", lists),
    };
    let (above, below) = neighbours.split_once("][").unwrap_or((neighbours, ""));
    let edit = match sign {
        "+" => LineEdit::insert(place.parse().unwrap(), list(lists)),
        "=" => {
            let (old, new) = lists.split_once(':').unwrap();
            let (first, last) = range();
            let place = Some(LinePlace::Replace { first, last });
            LineEdit { place, ..LineEdit::replace(first, list(old), list(new)) }
        }
        "x" => {
            let (first, last) = range();
            LineEdit { place: Some(LinePlace::Delete { first, last }), ..LineEdit::delete(first, list(lists)) }
        }
        _ => panic!("{notation}"),
    };
    LineEdit { above: quoted(above), below: quoted(below), ..edit }
}

fn patch(text: &str, changes: &[&str]) -> FilePatch {
    FilePatch::new("f", Digest::of(text.as_bytes()), changes.iter().map(|one| edit(one)).collect())
}

/// Which changes break which rules, whatever the file holds.
fn check_shape(changes: &[&str], want: &[(usize, &str)]) {
    let found = shape::faults(&[patch("", changes)]);
    let found: Vec<(usize, &str)> = found.iter().map(|fault| (fault.change.unwrap(), fault.problem.rule())).collect();
    assert_eq!(found, want, "{changes:?}");
}

#[test]
fn what_a_batch_breaks_by_itself() {
    check_shape(&["+0:a", "=1:x:y", "+1:b", "x2-3:p/q", "+3:c", "+3:d"], &[]);
    check_shape(&["=3-2:x:y"], &[(0, "range")]);
    check_shape(&["=0-2:x:y"], &[(0, "range")]);
    check_shape(&["x1-2:x"], &[(0, "expected_count")]);
    check_shape(&["+0:a\nb"], &[(0, "whole_lines")]);
    check_shape(&["+0:a/b\r/c\0/d\re"], &[(0, "whole_lines"), (0, "whole_lines")]);
    check_shape(&["x1:a\r"], &[]); // may well stand in the file
    check_shape(&["x1:a\nb"], &[(0, "whole_lines")]);
    check_shape(&["+1:[a\n][b\n]x", "=2:[a\r]b:c"], &[(0, "whole_lines"), (0, "whole_lines")]);
    check_shape(&["+3:a", "+2:b", "+2:c"], &[(1, "order")]);
    check_shape(&["x3:a", "+3:b", "x3:c"], &[(2, "overlap")]);
    check_shape(&["x1-3:a/b/c", "x3-4:c/d", "x4:d"], &[(1, "overlap"), (2, "overlap")]);
    check_shape(&["x2-4:a/b/c", "+1:x"], &[(1, "order")]);
    check_shape(&["x2-4:a/b/c", "+2:x"], &[(1, "overlap")]);
    check_shape(&["x2-4:a/b/c", "+4:x", "x5:e"], &[]);
    check_shape(&["+1:x", "x2-4:a/b/c"], &[]);
    check_shape(&["x3:c", "x1-5:a/b/c/d/e"], &[(1, "order"), (1, "overlap")]);
}

#[test]
fn names_given_twice() {
    let key = |mut file: FilePatch, doc: &str, key: &str| {
        (file.doc_path, file.key) = (Some(doc.to_owned()), Some(key.to_owned()));
        file
    };
    let mut twice = patch("", &["+0:a", "+0:b"]);
    twice.changes.iter_mut().for_each(|edit| edit.key = Some("k".to_owned()));
    let files = [key(twice, "a", "f"), key(patch("", &["+0:a"]), "a", "g"), key(patch("", &["+0:a"]), "B", "f")];
    let found = shape::faults(&files);
    let found: Vec<_> = found.iter().map(|fault| (fault.file, fault.change, fault.problem.rule())).collect();
    let want = [
        (Some(1), None, "file_once"),
        (Some(2), None, "unique_key"),
        (Some(0), Some(1), "unique_key"),
        (Some(2), None, "lower_case"),
    ];
    assert_eq!(found, want);
}

/// Which changes the text does not bear out: change, rule, and where it would fit.
fn check_text(text: &str, changes: &[&str], want: &[(usize, &str, Option<usize>)]) {
    let found = compare(text.as_bytes(), &patch(text, changes));
    let instead = |problem: &LineProblem| match problem {
        LineProblem::Differs(differing) => differing.instead,
        LineProblem::Neighbour { instead, .. } => *instead,
        _ => None,
    };
    let found: Vec<_> = found.iter().map(|(at, problem)| (*at, problem.rule(), instead(problem))).collect();
    assert_eq!(found, want, "{text:?} {changes:?}");
}

#[test]
fn what_a_text_does_not_bear_out() {
    check_text("a\nb\nc\n", &["x1:a", "=2-3:b/c:x", "+3:y"], &[]);
    check_text("a\r\nb", &["x1-2:a/b"], &[]);
    check_text("a\rb\nc\n", &["x1:a\rb"], &[]);
    check_text("", &["+0:[^][^]x"], &[]);
    check_text("a\nb\n", &["x3:c", "+3:x", "x2-3:b/c"], &[(0, "range", None), (1, "range", None), (2, "range", None)]);
    check_text("a\nb\n", &["x1:b"], &[(0, "expected_lines", Some(2))]);
    check_text("a\nb\nb\n", &["x1:b"], &[(0, "expected_lines", None)]);
    check_text("a\nb\nc\nb\nd\n", &["x1-2:b/d"], &[(0, "expected_lines", Some(4))]);
    check_text("a\na\na\nb\n", &["x1-2:a/b"], &[(0, "expected_lines", Some(3))]);
    check_text("a \n", &["x1:a"], &[(0, "expected_lines", None)]);
    check_text("a\nb\nc\n", &["+0:[^][a]x", "+1:[a][b]x", "+3:[c][^]x"], &[]);
    check_text("a\nb\nc\n", &["+1:[b][]x"], &[(0, "neighbour", Some(2))]);
    check_text("a\nb\nc\n", &["+1:[b][c]x"], &[(0, "neighbour", Some(2)), (0, "neighbour", Some(2))]);
    check_text("a\nb\nc\n", &["+1:[^][]x"], &[(0, "neighbour", Some(0))]);
    check_text("a\nb\nc\n", &["+1:[][^]x"], &[(0, "neighbour", Some(3))]);
    check_text("a\nb\na\n", &["+2:[a][]x"], &[(0, "neighbour", None)]);
    check_text("a\nb\n", &["+1:[b][b]x"], &[(0, "neighbour", None)]);
    check_text("a\nb\n", &["=2-1:a:x", "x1-2:a"], &[]); // told by the shape
}

#[test]
fn lines_that_stand_elsewhere_too_need_a_neighbour() {
    check_text("a\nb\na\n", &["x1:a"], &[(0, "one_place", None)]);
    check_text("a\nb\na\n", &["x2:b", "=3:a:x"], &[(1, "one_place", None)]);
    check_text("a\nb\na\n", &["x1:[^][]a", "=3:[][^]a:x"], &[]);
    check_text("a\nb\na\nb\n", &["x1-2:a/b"], &[(0, "one_place", None)]);
    check_text("a\nb\na\nb\n", &["=2-3:b/a:x"], &[]); // a and b repeat, not both lines in this order
    check_text("a\na\na\n", &["x1-2:a/a"], &[(0, "one_place", None)]); // though the other place overlaps it
    check_text("a\na\nb\na\na\nc\n", &["x2:[][b]a"], &[]); // a neighbour that tells them apart
    check_text("a\na\nb\na\na\nc\n", &["x2:[a][]a"], &[(0, "one_place", None)]); // one that does not
    check_text("a\na\nb\na\na\nb\n", &["x2:[a][b]a"], &[(0, "one_place", None)]); // nor do both
    check_text("a\na\nb\na\na\nb\n", &["x1-3:[^][a]a/a/b"], &[]); // the edge is in one place only
    check_text("x\nx\nx\n", &["x2:[x][x]x"], &[]);
    check_text("a\nb\nc\na\n", &["x4:[b][]a"], &[(0, "neighbour", None)]);
    check_text("a\nb\nc\na\n", &["x1:[c][]a"], &[(0, "neighbour", Some(4))]);
    check_text("a\nb\nc\na\n", &["x4:[][b]a"], &[(0, "neighbour", Some(1))]);
    check_text("a\nb\nc\na\n", &["=2-3:[b][]c/a:x"], &[(0, "expected_lines", Some(3)), (0, "neighbour", Some(3))]);
}

#[test]
fn where_else_lines_stand() {
    let found = compare(b"x\ny\nx\nx\n", &patch("x\ny\nx\nx\n", &["x3:x"]));
    let want = |lines: &[usize], (above, below): (&str, &str), wider: Option<Wider>| {
        let said = |line: &str| Some(line.to_owned()).filter(|line| !line.is_empty());
        let (lines, above, below) = (lines.to_vec(), said(above), said(below));
        [(0, LineProblem::Repeated(Box::new(RepeatedLines { lines, more: false, above, below, wider })))]
    };
    assert_eq!(found, want(&[1, 4], ("y", "x"), None));
    let text = "a\nx\nb\nc\na\nx\nb\nd\n";
    assert_eq!(compare(text.as_bytes(), &patch(text, &["x2:x"])), want(&[6], ("a", "b"), Some(Wider::Lines(1, 4))));
    assert_eq!(
        compare(text.as_bytes(), &patch(text, &["x6:[a][b]x"])),
        want(&[2], ("a", "b"), Some(Wider::Lines(4, 8)))
    );
    let text = format!("{0}y\n{0}", "x\n".repeat(200));
    assert_eq!(compare(text.as_bytes(), &patch(&text, &["x100:[x][x]x"])).len(), 1);
    let text = "x\n".repeat(30);
    match compare(text.as_bytes(), &patch(&text, &["x3:x"])).as_slice() {
        [(0, LineProblem::Repeated(found))] => assert!(found.more && found.lines.len() == 20, "{found:?}"),
        other => panic!("{other:?}"),
    }
}

fn planned(before: &[u8], changes: Vec<LineChange>) -> Plan {
    let path = RelPath::parse("f", &[]).unwrap();
    let (digest, size) = (Digest::of(before), before.len() as u64);
    let file =
        SnapshotFile { real: path.clone(), bytes: Some(before.to_vec().into()), digest, size, mode: 0o644, id: (1, 1) };
    let mut snapshot = Snapshot::default();
    snapshot.add(path.clone(), Seen::File(file));
    plan(&snapshot, &[Intent::Lines { path, changes, charset: None, last: FinalNewline::Keep }]).unwrap()
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

fn check(before: &str, changes: &[&str], want: &str) {
    let patch = patch(before, changes);
    assert_eq!((shape::faults(std::slice::from_ref(&patch)), compare(before.as_bytes(), &patch)), (vec![], vec![]));
    let found = after(&planned(before.as_bytes(), patch.wanted()), before.as_bytes());
    assert_eq!(String::from_utf8(found).unwrap(), want, "{before:?} {changes:?}");
}

#[test]
fn lines_are_changed() {
    check("a\nb\nc\n", &["=2:b:x/y"], "a\nx\ny\nc\n");
    check("a\nb\nc\n", &["x1-2:a/b"], "c\n");
    check("a\nb\nc\n", &["x1-3:a/b/c"], "");
    check("", &["+0:x/y"], "x\ny\n");
    check("a\nb\n", &["+0:x", "+0:y", "+1:z", "+2:end"], "x\ny\na\nz\nb\nend\n");
    check("a\nb\nc\n", &["+1:above", "=2:b:B", "+2:below", "x3:c"], "a\nabove\nB\nbelow\n");
    check("a\nb\nc\n", &["=1:a:1/2/3", "=3:c:C"], "1\n2\n3\nb\nC\n");
    check("a\r\nb\nc", &["=1-2:a/b:x/y/z", "+3:end"], "x\r\ny\nz\nc\nend");
    check("a\r\nb", &["x2:b"], "a");
    check("a\nb", &["=2:b:B", "+2:c"], "a\nB\nc");
    check("a\n", &["=1:a:"], "\n"); // one empty line
}

#[test]
fn each_change_has_its_record() {
    let mut patch = patch("a\nb\nc\nd\n", &["+0:x/y", "=2-3:b/c:z", "x4:d"]);
    for (edit, name) in patch.changes.iter_mut().zip(["one", "two", "three"]) {
        (edit.key, edit.description) = (Some(name.to_owned()), Some(format!("why {name}")));
    }
    let plan = planned(b"a\nb\nc\nd\n", patch.wanted());
    let spans = |change: &Change| {
        (change.key.clone().unwrap(), (change.before_line, change.before_lines, change.after_line, change.after_lines))
    };
    let found: Vec<_> = plan.steps.first().unwrap().changes.iter().map(spans).collect();
    let want = [("one", (1, 0, 1, 2)), ("two", (2, 2, 4, 1)), ("three", (4, 1, 5, 0))];
    assert_eq!(found, want.map(|(key, spans)| (key.to_owned(), spans)));
    assert_eq!(plan.steps.first().unwrap().changes.first().unwrap().description.as_deref(), Some("why one"));
}

/// Changes of a text with so many lines, in order and apart: for each, lines to skip, lines that go, lines that come.
fn changes(count: usize, steps: &[(usize, usize, Vec<String>)]) -> Vec<LineChange> {
    let mut at = 0;
    let mut all = Vec::new();
    for (skip, gone, lines) in steps {
        let start = at + skip;
        if start + gone > count || (*gone == 0 && lines.is_empty()) {
            break;
        }
        all.push(LineChange {
            span: start..start + gone,
            lines: lines.clone(),
            key: None,
            description: None,
            marks: ChangeMarks::default(),
        });
        at = start + gone;
    }
    all
}

proptest! {
    #[test]
    fn the_same_as_changing_a_list_of_lines(
        text in "([ab]{0,2}(\n|\r\n)){0,8}[c]{0,2}",
        steps in prop::collection::vec((0..3_usize, 0..3_usize, prop::collection::vec("[xy]{1,2}", 0..3)), 1..5),
    ) {
        let lines: Vec<&[u8]> = patchwright_core::text::lines(text.as_bytes()).map(|line| line.text).collect();
        let changes = changes(lines.len(), &steps);
        prop_assume!(!changes.is_empty());
        let mut want: Vec<&[u8]> = lines.clone();
        for change in changes.iter().rev() {
            want.splice(change.span.clone(), change.lines.iter().map(|line| line.as_bytes()));
        }
        let plan = planned(text.as_bytes(), changes.clone());
        let found = after(&plan, text.as_bytes());
        let got: Vec<&[u8]> = patchwright_core::text::lines(&found).map(|line| line.text).collect();
        prop_assert_eq!(&got, &want, "{:?} {:?}", text, changes);
        let bare = want.last().is_some_and(|line| !line.is_empty());
        if bare {
            prop_assert_eq!(found.ends_with(b"\n"), text.is_empty() || text.ends_with('\n'), "{:?} {:?}", text, changes);
        }
        let recorded = plan.steps.first().map(|step| step.changes.len());
        prop_assert!(recorded.is_none_or(|count| count == changes.len()));
    }

    #[test]
    fn nothing_panics(
        text in "([ab\r]{0,2}\n){0,6}[c]{0,2}",
        edits in prop::collection::vec((0..3_u8, any::<usize>(), any::<usize>(), 0..4_usize), 0..4),
        near in any::<bool>(),
    ) {
        let number = |wide: usize| if near { wide % 8 } else { wide };
        let edit = |(sort, first, last, count): &(u8, usize, usize, usize)| {
            let (first, last) = (number(*first), number(*last));
            let lines = vec!["a".to_owned(); *count];
            let place = match sort {
                0 => LinePlace::Insert { after: first },
                1 => LinePlace::Replace { first, last },
                _ => LinePlace::Delete { first, last },
            };
            LineEdit { place: Some(place), expected: Some(lines.clone()), lines: Some(lines), ..LineEdit::default() }
        };
        let patch = FilePatch::new("f", Digest::of(b""), edits.iter().map(edit).collect());
        let sound = shape::faults(std::slice::from_ref(&patch)).is_empty();
        if sound && compare(text.as_bytes(), &patch).is_empty() && !patch.changes.is_empty() {
            planned(text.as_bytes(), patch.wanted());
        }
    }
}

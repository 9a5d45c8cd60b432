//! Diffs of edits: looking only around them says the same as comparing the whole texts.

#![allow(clippy::expect_used, reason = "a test says no by panicking")]

use patchwright_core::diff::{DIFF_LIMIT, unified, unified_edit};
use patchwright_core::text::{Splice, Splices};
use proptest::prelude::*;

fn check(before: &str, edits: &[(usize, usize, &str)]) {
    let given = edits.iter().map(|&(start, end, text)| Splice { range: start..end, text: text.into() });
    check_edit(before.as_bytes(), &Splices::new(given.collect()).expect("apart"));
}

fn check_edit(before: &[u8], edit: &Splices) {
    let after = edit.apply(before).expect("inside");
    let want = unified("a", "b", before, &after, DIFF_LIMIT);
    assert_eq!(unified_edit("a", "b", before, edit, DIFF_LIMIT), want, "{edit:?}");
}

/// So many lines, none like another.
fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("line {line} of many\n")).collect()
}

#[test]
fn a_window_shows_what_the_whole_would() {
    check("", &[]);
    check("", &[(0, 0, "a\n")]);
    check("a", &[(1, 1, "\n")]);
    check("a\nb\nc\n", &[(2, 3, "b")]); // nothing in the end
    check("a\nb\nc\n", &[(2, 4, "")]);
    check("a\nb\nc\nd\ne\nf\ng", &[(12, 13, "")]);
}

#[test]
fn among_equal_lines_a_change_slides_down_as_far_as_ever() {
    let run = "same\n".repeat(20_000);
    check(&run, &[(0, 0, "same\n")]);
    check(&format!("{run}end\n{run}"), &[(0, 5, "")]);
    check(&format!("{}{run}", numbered(9)), &[(3, 3, "x"), (400, 405, "")]);
}

#[test]
fn changes_far_apart_are_looked_at_by_themselves() {
    let text = numbered(30_000);
    let end = text.len();
    check(&text, &[(0, 0, "new\n"), (end / 2, end / 2 + 100, ""), (end, end, "last")]);
    check(&text, &[(7, 8, "x"), (8 + (64 << 10), 8 + (64 << 10), "y\n"), (300_000, 300_001, "\n\n")]);
    // One long line, within which all edits are.
    let line = "x".repeat(400_000);
    check(&line, &[(0, 1, "y"), (200_000, 200_001, "y"), (399_999, 400_000, "\n")]);
    check(&format!("{line}\n{line}\n"), &[(9, 9, "y"), (700_000, 700_000, "y")]);
}

#[test]
fn a_long_line_is_not_looked_through_for_each_edit() {
    let line = "x".repeat(20 << 20);
    let given = (0..200).map(|at| Splice { range: at * 100_000..at * 100_000 + 1, text: b"y".to_vec() });
    check_edit(line.as_bytes(), &Splices::new(given.collect()).expect("apart"));
}

#[test]
fn a_limit_holds_over_all_windows() {
    let text = numbered(30_000);
    let edits = [(0, 1, "x"), (300_000, 300_001, "y")]
        .map(|(start, end, text): (usize, usize, &str)| Splice { range: start..end, text: text.into() });
    let edit = Splices::new(edits.to_vec()).expect("apart");
    let diff = unified_edit("a", "b", text.as_bytes(), &edit, 150);
    assert!(diff.truncated && diff.text.len() <= 150);
    assert_eq!((diff.added, diff.removed), (2, 2));
}

/// Few sorts of lines, so that much is alike, and edits anywhere.
fn edited() -> impl Strategy<Value = (String, Splices)> {
    let cuts = prop::collection::vec((any::<prop::sample::Index>(), "[ab\n]{0,4}"), 0..8);
    ("([ab]{0,2}\r?\n){0,30}[ab]?", cuts).prop_map(|(text, cuts)| {
        let mut cuts: Vec<_> = cuts.into_iter().map(|(at, new)| (at.index(text.len() + 1), new)).collect();
        cuts.sort_by_key(|cut| cut.0);
        let pairs = cuts.chunks_exact(2);
        let given = pairs.map(|two| Splice { range: two[0].0..two[1].0, text: two[0].1.clone().into() });
        let edit = Splices::new(given.collect()).expect("apart");
        (text, edit)
    })
}

proptest! {
    #[test]
    fn edits_near_one_another_have_the_diff_of_the_whole((text, edit) in edited()) {
        check_edit(text.as_bytes(), &edit);
    }

    /// The lines between are unlike, so that there is one way only to see each change.
    #[test]
    fn edits_far_apart_have_it_too(places in prop::collection::vec((0..29_000_usize, 0..3_usize, 0..3_usize), 1..6)) {
        let text = numbered(30_000);
        let starts: Vec<usize> = std::iter::once(0).chain(memchr_lines(&text)).collect();
        let mut places = places;
        places.sort_unstable();
        places.dedup_by(|next, one| next.0 < one.0 + 4);
        let given = places.iter().map(|&(line, gone, come)| Splice {
            range: starts[line]..starts[line + gone],
            text: (0..come).map(|new| format!("new {line} {new}\n")).collect::<String>().into(),
        });
        check_edit(text.as_bytes(), &Splices::new(given.collect()).expect("apart"));
    }
}

/// Where each line but the first begins.
fn memchr_lines(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('\n').map(|(at, _)| at + 1)
}

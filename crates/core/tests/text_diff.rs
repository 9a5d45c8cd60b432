//! Diffs from outside: their look, their limits, and that they say what changed.

use patchwright_core::diff::{DIFF_LIMIT, Diff, unified};
use proptest::prelude::*;

fn check(before: &str, after: &str, want: &str) {
    let diff = unified("a", "b", before.as_bytes(), after.as_bytes(), DIFF_LIMIT);
    let want = if want.is_empty() { String::new() } else { format!("--- a\n+++ b\n{want}") };
    assert_eq!(diff.text, want, "{before:?} {after:?}");
    let signs = |sign| diff.text.lines().skip(2).filter(|line| line.starts_with(sign)).count();
    assert_eq!((diff.added, diff.removed, diff.truncated), (signs('+'), signs('-'), false));
}

#[test]
fn looks_as_diffs_do() {
    check("", "", "");
    check("a\n", "a\n", "");
    check("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n");
    check("a\n", "", "@@ -1 +0,0 @@\n-a\n");
    check("a\nb\n", "a\nX\nb\n", "@@ -1,2 +1,3 @@\n a\n+X\n b\n");
    check("b\n", "X\nb\n", "@@ -1 +1,2 @@\n+X\n b\n");
    check("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    check("a\nb", "x\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n");
    check("xa\n", "a\n", "@@ -1 +1 @@\n-xa\n+a\n");
    check("a\nxb\n", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-xb\n+b\n");
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
}

#[test]
fn changes_far_apart_are_hunks_of_their_own() {
    let before: String = (1..=20).map(|line| format!("{line}\n")).collect();
    let after = before.replace("2\n3\n", "2\nx\n").replace("\n18\n", "\ny\n");
    check(
        &before,
        &after,
        "@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+x\n 4\n 5\n 6\n@@ -15,6 +15,6 @@\n 15\n 16\n 17\n-18\n+y\n 19\n 20\n",
    );
}

#[test]
fn carriage_returns_show_only_as_the_difference() {
    check("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
    check("a\r\nb\r\n", "a\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n");
    check("a\r\r\n", "b\n", "@@ -1 +1 @@\n-a\r\n+b\n"); // a lone one is content
}

#[test]
fn what_is_no_text_is_shown_as_such() {
    let diff = unified("a", "b", b"\xFFa\n", b"\xFEb\n", DIFF_LIMIT);
    assert_eq!(diff.text, "--- a\n+++ b\n@@ -1 +1 @@\n-\u{FFFD}a\n+\u{FFFD}b\n");
    assert_eq!(Diff::binary().text, "Binary files differ\n");
}

#[test]
fn long_diffs_are_cut_between_lines() {
    let after: String = (0..50_000).map(|line| format!("line {line}\n")).collect();
    let diff = unified("a", "b", b"", after.as_bytes(), 1000);
    assert!(diff.truncated && diff.text.len() <= 1000 && diff.text.len() > 950 && diff.text.ends_with('\n'));
    assert_eq!((diff.added, diff.removed), (50_000, 0));
    let one_line = unified("a", "b", b"", "x".repeat(2000).as_bytes(), 1000);
    assert_eq!((one_line.text.as_str(), one_line.truncated), ("--- a\n+++ b\n@@ -0,0 +1 @@\n", true));
}

#[test]
fn one_line_of_many_is_one_hunk() {
    let before = "the same line\n".repeat(400_000);
    let mut after = before.clone();
    after.insert_str(14 * 200_000, "new\n");
    let diff = unified("a", "b", before.as_bytes(), after.as_bytes(), DIFF_LIMIT);
    assert_eq!((diff.added, diff.removed), (1, 0));
    assert!(diff.text.contains("@@ -199998,6 +199998,7 @@\n"), "{}", diff.text);
}

/// Applies a diff that was not cut to the text it was made from.
fn apply(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::new(), 0);
    for line in diff.lines().skip(2) {
        let (sign, text) = line.split_at(1);
        match sign {
            "@" => {
                let mut spans = text.split([' ', ',']).filter(|span| span.starts_with('-'));
                let start: usize = spans.next().and_then(|span| span[1..].parse().ok()).unwrap_or(0);
                let start = if text.contains(",0 +") { start } else { start - 1 };
                out.extend(old[at..start].iter().copied());
                at = start;
            }
            "\\" => out.truncate(out.len() - 1),
            "-" => at += 1,
            _ => {
                at += usize::from(sign == " ");
                out.push_str(text);
                out.push('\n');
            }
        }
    }
    out.extend(old[at..].iter().copied());
    out
}

proptest! {
    #[test]
    fn a_diff_says_what_changed(before in "([ab]{0,2}\n){0,20}[ab]?", after in "([ab]{0,2}\n){0,20}[ab]?") {
        let diff = unified("a", "b", before.as_bytes(), after.as_bytes(), DIFF_LIMIT);
        // The marker under a removed line is about the old side: leave those to the table above.
        prop_assume!(!diff.text.lines().collect::<Vec<_>>().windows(2).any(|two| two[0].starts_with('-') && two[1].starts_with('\\')));
        prop_assert_eq!(apply(&before, &diff.text), after);
    }

    #[test]
    fn any_bytes_and_any_limit(before in prop::collection::vec(any::<u8>(), 0..80), after in prop::collection::vec(any::<u8>(), 0..80), limit in 0..200_usize) {
        let diff = unified("a", "b", &before, &after, limit);
        prop_assert!(diff.text.len() <= limit);
        prop_assert!(diff.text.is_empty() || diff.text.ends_with('\n'));
    }
}

//! Unified diffs to the byte: which file is meant, whether it comes or goes, and how its lines end.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::patch::read;
use patchwright_core::dialect::wanted::{Wanted, What};
use patchwright_core::path::RelPath;
use patchwright_core::plan::patched_text;
use patchwright_core::refusal::{Grammar, Misfit, Why};

fn one(text: &str) -> Wanted {
    let patch = read(text, Conventions::Strict).unwrap_or_else(|refusal| panic!("{text}\n{refusal:?}"));
    patch.wanted.into_iter().next().unwrap()
}

fn refused(text: &str, line: usize, expected: Grammar) {
    match read(text, Conventions::Strict).unwrap_err().why {
        Why::Syntax(syntax) => assert_eq!((syntax.line, syntax.expected), (line, expected), "{text}"),
        other => panic!("{text}\n{other:?}"),
    }
}

/// What the hunks below the names make of a text; or the line of the diff whose end does not fit.
fn check(text: &str, hunks: &str, want: Result<&str, usize>) {
    let wanted = one(&format!("--- a/x\n+++ b/x\n{hunks}"));
    let path = RelPath::parse("x", &[]).unwrap();
    let found = patched_text(&path, text, &wanted.hunks).map_err(|refusal| match refusal.why {
        Why::HunkMisfit { misfit: Misfit::LineEnds { at, .. }, .. } => at,
        other => panic!("{hunks}\n{other:?}"),
    });
    assert_eq!(found.as_deref(), want.as_ref().copied(), "{text:?} {hunks}");
}

const THEN: &str = "1970-01-01 00:00:00.000000000 +0000";
const NOW: &str = "2026-01-02 03:04:05.678901234 +0000";

#[test]
fn times_tell_that_a_file_comes_or_goes() {
    let gone = "@@ -1,2 +0,0 @@\n-a\n-b\n";
    let new = "@@ -0,0 +1,2 @@\n+a\n+b\n";
    let check = |old: &str, now: &str, hunk: &str, want: What| {
        let wanted = one(&format!("--- a/x\t{old}\n+++ b/x\t{now}\n{hunk}"));
        assert_eq!((wanted.path.as_str(), wanted.what), ("x", want), "{old} {now} {hunk}");
    };
    check(NOW, THEN, gone, What::DeleteText);
    check(NOW, "1969-12-31 16:00:00.000000000 -0800", gone, What::DeleteText);
    check(THEN, NOW, new, What::Add("a\nb\n".to_owned()));
    check("1970-01-01 01:00:00 +0100", NOW, new, What::Add("a\nb\n".to_owned()));
    // Without the time a file is emptied, or was empty.
    check(NOW, NOW, gone, What::Update);
    check(NOW, NOW, new, What::Update);
    // And a file of that time may as well have lines.
    check(NOW, THEN, "@@ -1,2 +1 @@\n a\n-b\n", What::Update);
    check(THEN, NOW, "@@ -1 +1,2 @@\n a\n+b\n", What::Update);
    check(NOW, THEN, "@@ -1,2 +0,0 @@\n-a\n-b\n@@ -9 +8 @@\n-c\n+d\n", What::Update);
    // Plain names, and a git line beside them.
    let plain = one(&format!("--- a/b/x\t{NOW}\n+++ a/b/x\t{THEN}\n{gone}"));
    assert_eq!((plain.path.as_str(), plain.what), ("a/b/x", What::DeleteText));
    refused(
        &format!("diff --git a/x b/x\nnew file mode 100644\n--- a/x\t{NOW}\n+++ b/x\t{THEN}\n{gone}"),
        1,
        Grammar::DiffOldNull,
    );
}

#[test]
fn letters_before_a_lone_name_are_folders() {
    let new = "@@ -0,0 +1 @@\n+a\n";
    let gone = "@@ -1 +0,0 @@\n-a\n";
    let check = |text: String, path: &str, otherwise: Option<&str>| {
        let wanted = one(&text);
        assert_eq!((wanted.path.as_str(), wanted.otherwise.as_deref()), (path, otherwise), "{text}");
    };
    for letter in ["c", "i", "o", "w", "1", "2"] {
        check(format!("--- /dev/null\n+++ {letter}/x\n{new}"), &format!("{letter}/x"), None);
        check(format!("--- {letter}/x\n+++ /dev/null\n{gone}"), &format!("{letter}/x"), None);
    }
    check(format!("--- /dev/null\n+++ b/x\n{new}"), "x", Some("b/x"));
    check(format!("--- a/x\n+++ /dev/null\n{gone}"), "x", Some("a/x"));
    // A git line shows them.
    check(format!("diff --git c/x i/x\nnew file mode 100644\n--- /dev/null\n+++ i/x\n{new}"), "x", None);
    check(format!("diff --git a/c/x b/c/x\n--- /dev/null\n+++ b/c/x\n{new}"), "c/x", None);
    check(format!("diff --git a/b/x b/b/x\n--- /dev/null\n+++ b/b/x\n{new}"), "b/x", None);
    check("--- o/x\n+++ w/x\n@@ -1 +1 @@\n-a\n+b\n".to_owned(), "x", None);
    // No two that git writes together.
    refused("--- c/x\n+++ o/x\n@@ -1 +1 @@\n-a\n+b\n", 1, Grammar::DiffSameFile);
    refused("--- a/x\n+++ w/x\n@@ -1 +1 @@\n-a\n+b\n", 1, Grammar::DiffSameFile);
}

#[test]
fn a_return_above_the_marker_is_text() {
    let marker = "\\ No newline at end of file\n";
    let new = |body: &str| one(&format!("--- /dev/null\n+++ b/x\n{body}")).what;
    assert_eq!(new(&format!("@@ -0,0 +1,2 @@\n+a\n+b\r\n{marker}")), What::Add("a\nb\r".to_owned()));
    assert_eq!(new(&format!("@@ -0,0 +1 @@\n+\r\n{marker}")), What::Add("\r".to_owned()));
    assert_eq!(new(&format!("@@ -0,0 +1 @@\n+b\r\r\n{marker}")), What::Add("b\r\r".to_owned()));
    check("a\nb\n", &format!("@@ -1,2 +1,2 @@\n a\n-b\n+b\r\n{marker}"), Ok("a\nb\r"));
    check("a\nb\r", &format!("@@ -1,2 +1,2 @@\n a\n-b\r\n{marker}+b\n"), Ok("a\nb\n"));
    check("a\nb\r", &format!("@@ -1,2 +1,2 @@\n-a\n+c\n b\r\n{marker}"), Ok("c\nb\r"));
    // In a diff that itself ends so, it is none.
    let whole = format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n{marker}").replace('\n', "\r\n");
    assert_eq!(one(&whole).what, What::Add("b".to_owned()));
    // And where only the marker does, nothing tells.
    refused("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\r\n\\ No newline at end of file\r\n", 5, Grammar::DiffLineEnds);
}

#[test]
fn new_lines_end_as_the_diff_shows_or_not_at_all() {
    // The line above lends its end, and the diff does not show it.
    check("a\r\nb\nc\n", "@@ -2,2 +2,3 @@\n+x\n b\n c\n", Err(4));
    check("a\nb\r\nc\r\n", "@@ -2,2 +2,3 @@\n+x\r\n b\r\n c\r\n", Err(4));
    check("a\nb\nc\n", "@@ -2,2 +2,3 @@\n+x\n b\n c\n", Ok("a\nx\nb\nc\n"));
    check("a\r\nb\r\nc\n", "@@ -2,2 +2,3 @@\n b\r\n+x\r\n c\n", Ok("a\r\nb\r\nx\r\nc\n"));
    check("a\r\nb\nc\n", "@@ -1,3 +1,4 @@\n a\n+x\n b\n c\n", Ok("a\r\nx\r\nb\nc\n")); // the diff shows no ends
    // A last line without an end, below lines with other ones.
    let marker = "\\ No newline at end of file\n";
    check("a\r\nb", &format!("@@ -2 +2,2 @@\n-b\n{marker}+b\n+c\n{marker}"), Ok("a\r\nb\r\nc"));
    check("z\na\r\nb", &format!("@@ -3 +3,2 @@\n-b\n{marker}+b\n+c\n{marker}"), Err(6));
    // A diff in plain lines of a file with `\r\n`, and the other way round.
    check("a\r\nb\r\nc\r\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", Ok("a\r\nx\r\nc\r\n"));
    check("a\r\nb\r\nc\r\n", "@@ -2,2 +2,3 @@\n+x\n b\n c\n", Ok("a\r\nx\r\nb\r\nc\r\n"));
    check("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\r\n-b\r\n+x\r\n c\r\n", Ok("a\nx\nc\n"));
    check("", "@@ -0,0 +1 @@\n+x\n", Ok("x\n"));
}

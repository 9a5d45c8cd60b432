//! Unified diffs as they are read: which files, what of them, and on which line a text is no diff.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::Reading;
use patchwright_core::dialect::patch::{Form, read};
use patchwright_core::dialect::wanted::{Wanted, What};
use patchwright_core::intent::{HunkEnd, HunkLine, OldEnd};
use patchwright_core::refusal::{Counts, Grammar, Syntax, Unread, Why};
use patchwright_core::text::FinalNewline;

fn good(text: &str) -> Vec<Wanted> {
    let patch = read(text, Conventions::Strict).unwrap_or_else(|refusal| panic!("{text}\n{refusal:?}"));
    assert_eq!(patch.form, Form::Diff);
    assert!(patch.readings.iter().any(|noted| noted.reading == Reading::UnifiedDiff && noted.count == 1));
    patch.wanted
}

/// Each section in short: what, path, new path, hunks.
fn check(text: &str, want: &[(&str, &str, Option<&str>, usize)]) {
    let wanted = good(text);
    let what = |wanted: &Wanted| match wanted.what {
        What::Add(_) => "add",
        What::Update => "update",
        What::Delete | What::DeleteText => "delete",
        What::Move => "move",
    };
    let found: Vec<_> =
        wanted.iter().map(|one| (what(one), one.path.as_str(), one.to.as_deref(), one.hunks.len())).collect();
    assert_eq!(found, want, "{text}");
}

fn added(text: &str, want: &str) {
    assert_eq!(good(text)[0].what, What::Add(want.to_owned()), "{text}");
}

fn syntax(text: &str) -> Syntax {
    match read(text, Conventions::Strict).unwrap_err().why {
        Why::Syntax(syntax) => *syntax,
        other => panic!("{text}\n{other:?}"),
    }
}

fn refused(text: &str, line: usize, expected: Grammar) {
    let found = syntax(text);
    assert_eq!((found.line, found.expected), (line, expected), "{text}");
}

const HUNK: &str = "@@ -1 +1 @@\n-a\n+b\n";

#[test]
fn files_and_what_becomes_of_them() {
    check(&format!("--- a/x\n+++ b/x\n{HUNK}"), &[("update", "x", None, 1)]);
    check(&format!("--- x\n+++ x\n{HUNK}{HUNK}"), &[("update", "x", None, 2)]);
    check(&format!("--- a/x\n+++ a/x\n{HUNK}"), &[("update", "a/x", None, 1)]);
    check(&format!("--- i/d/x\n+++ w/d/x\n{HUNK}"), &[("update", "d/x", None, 1)]);
    check(&format!("--- x\t2024-01-01\n+++ x\t2024-01-02 10:00\n{HUNK}"), &[("update", "x", None, 1)]);
    check(&format!("diff --git a/x b/x\nindex 1..2 100755\n--- a/x\n+++ b/x\n{HUNK}"), &[("update", "x", None, 1)]);
    check(
        &format!("diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n--- \"a/\\303\\244\"\n+++ \"b/\\303\\244\"\n{HUNK}"),
        &[("update", "ä", None, 1)],
    );
    check("diff --git a/x b/x\nnew file mode 100644\nindex 0..e69de29\n", &[("add", "x", None, 0)]);
    check("diff --git a/x b/x\ndeleted file mode 100755\nindex 0..1\n", &[("delete", "x", None, 0)]);
    check("--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", &[("delete", "x", None, 1)]);
    check(
        "diff --git a/x b/d/y\nsimilarity index 100%\nrename from x\nrename to d/y\n",
        &[("move", "x", Some("d/y"), 0)],
    );
    check(
        &format!("diff --git a/x b/y\nrename from x\nrename to y\nindex 1..2 100644\n--- a/x\n+++ b/y\n{HUNK}"),
        &[("move", "x", Some("y"), 1)],
    );
    check("diff --git x y\nrename from x\nrename to y\n", &[("move", "x", Some("y"), 0)]);
    let two = format!("--- a/x\n+++ b/x\n{HUNK}--- a/y\n+++ b/y\n{HUNK}");
    check(&two, &[("update", "x", None, 1), ("update", "y", None, 1)]);
    // A line that goes may look like a header; the counts tell.
    check("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- b\n-c\n+++ d\n+e\n", &[("update", "x", None, 1)]);
}

#[test]
fn prefixes_that_may_be_folders() {
    let other = |text: &str| good(text).last().unwrap().otherwise.clone();
    let add = "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(other(add).as_deref(), Some("b/x"));
    assert_eq!(other(&format!("diff --git a/x b/x\n{add}")), None);
    assert_eq!(other(&format!("--- a/y\n+++ b/y\n{HUNK}{add}")), None); // another file shows which
    assert_eq!(good(&format!("--- y\n+++ y\n{HUNK}{add}"))[1].path, "b/x");
    assert_eq!(other("--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n"), None);
}

#[test]
fn new_files() {
    let add = |body: &str| format!("--- /dev/null\n+++ b/x\n{body}");
    added(&add("@@ -0,0 +1,2 @@\n+a\n+b\n"), "a\nb\n");
    added(&add("@@ -0,0 +1,2 @@\n+a\n+\n"), "a\n\n");
    added(&add("@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"), "a");
    added(&add("@@ -0,0 +1,2 @@\n+a\r\n+b\n"), "a\r\nb\n"); // the line ends are the file's
    added(&add("@@ -0,0 +1,2 @@\n+a\n+b\n").replace('\n', "\r\n"), "a\nb\n"); // and here the diff's
    refused(&add("@@ -1 +1,2 @@\n a\n+b\n"), 3, Grammar::DiffNewFile);
    refused(&add("@@ -0,0 +1 @@\n+a\n@@ -0,0 +2 @@\n+b\n"), 5, Grammar::DiffNewFile);
    refused("--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n a\n", 3, Grammar::DiffGoneFile);
}

#[test]
fn lines_and_markers() {
    let update = |body: &str| format!("--- a/x\n+++ b/x\n{body}");
    let lines = |body: &str| good(&update(body))[0].hunks[0].lines.clone();
    let context = HunkLine::Context(String::new());
    assert_eq!(lines("@@ -1,2 +1 @@ fn x()\n\n-a\n"), [context, HunkLine::Remove("a".into())]);
    let end = |body: &str| good(&update(body))[0].hunks[0].end;
    let marked = |old, new| HunkEnd::Marked { old, new };
    let marker = "\\ No newline at end of file\n";
    assert_eq!(end(&format!("@@ -1 +1 @@\n-a\n{marker}+b\n")), marked(OldEnd::Unterminated, FinalNewline::With));
    assert_eq!(end(&format!("@@ -1 +1 @@\n-a\n+b\n{marker}")), marked(OldEnd::Unsaid, FinalNewline::Without));
    refused(&update(&format!("@@ -1,2 +1,2 @@\n a\n{marker}-b\n+c\n")), 5, Grammar::MarkerAtEnd);
    refused(&update(&format!("@@ -1 +1 @@\n{marker}-b\n+c\n")), 4, Grammar::LineAboveMarker);
    // A diff that changes line ends wants what patches do not do.
    refused(&update("@@ -1 +1 @@\n-a\n+a\r\n"), 5, Grammar::DiffLineEnds);
    assert_eq!(lines("@@ -1 +1 @@\n-a\r\n+b\r\n").len(), 2);
    assert_eq!(lines("@@ -1,2 +1,3 @@\n a\r\n+n\r\n b\n").len(), 3);
    refused(&update("@@ -1,2 +1,3 @@\n a\r\n+n\n b\n"), 5, Grammar::DiffLineEnds);
}

#[test]
fn the_mark_of_a_file_is_none_of_its_text() {
    let lines = |text: &str| good(text)[0].hunks[0].lines.clone();
    let (remove, add) = (|text: &str| HunkLine::Remove(text.into()), |text: &str| HunkLine::Add(text.into()));
    let update = |body: &str| lines(&format!("--- a/x\n+++ b/x\n{body}"));
    let kept = HunkLine::Context("a".into());
    assert_eq!(update("@@ -1 +1,2 @@\n \u{feff}a\n+b\n"), [kept, add("b")]);
    assert_eq!(update("@@ -1 +1 @@\n-\u{feff}a\n+\u{feff}b\n"), [remove("a"), add("b")]);
    assert_eq!(lines("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-\u{feff}a\n"), [remove("a")]);
    // Only one side has it, or it is not at the top: it is text.
    assert_eq!(update("@@ -1 +1 @@\n-\u{feff}a\n+a\n"), [remove("\u{feff}a"), add("a")]);
    assert_eq!(update("@@ -1 +0,0 @@\n-\u{feff}a\n"), [remove("\u{feff}a")]);
    let emptied = "@@ -1 +1 @@\n-\u{feff}a\n+\u{feff}\n\\ No newline at end of file\n";
    assert_eq!(update(emptied), [remove("\u{feff}a"), add("\u{feff}")]);
    assert_eq!(update("@@ -2 +2 @@\n-\u{feff}a\n+\u{feff}b\n"), [remove("\u{feff}a"), add("\u{feff}b")]);
}

#[test]
fn counts() {
    let counts = |text: &str, line: usize, said: (u64, u64), counted: (u64, u64)| {
        refused(text, line, Grammar::DiffCounts(Counts { starts: (1, 1), said, counted }));
    };
    let x = "--- a/x\n+++ b/x\n";
    counts(&format!("{x}@@ -1,2 +1,2 @@\n-a\n+b\n"), 3, (2, 2), (1, 1));
    counts(&format!("{x}@@ -1 +1 @@\n-a\n+b\n c\n"), 3, (1, 1), (2, 2));
    counts(&format!("{x}@@ -1 +1 @@\n-a\n+b\n-c\n"), 3, (1, 1), (2, 1));
    counts(&format!("{x}@@ -1,3 +1,3 @@\n-a\n+b\n--- a/y\n+++ b/y\n{HUNK}"), 3, (3, 3), (1, 1));
    counts(&format!("{x}@@ -1,9223372036854775808 +1 @@\n-a\n+b\n"), 3, (1 << 63, 1), (1, 1));
    counts(&format!("{x}@@ -1,5 +1,5 @@\n a\n-b\n+c\n\n\n"), 3, (5, 5), (2, 2));
    refused(&format!("{x}@@ -1,18446744073709551616 +1 @@\n-a\n+b\n"), 3, Grammar::DiffHunk);
    refused(&format!("{x}@@ -1,+1 +1 @@\n-a\n+b\n"), 3, Grammar::DiffHunk);
    refused(&format!("{x}@@ -1,0 +1,0 @@\n"), 4, Grammar::DiffLine);
    // A last line that comes may have been cut off; one that is compared may not.
    refused(&format!("{x}@@ -1 +1 @@\n-a\n+b"), 6, Grammar::DiffEnd);
    check(&format!("{x}@@ -1,2 +1,2 @@\n-a\n+b\n c"), &[("update", "x", None, 1)]);
}

#[test]
fn no_diffs() {
    let x = "--- a/x\n+++ b/x\n";
    refused("--- a/x\n", 2, Grammar::DiffNewName);
    refused(x, 3, Grammar::DiffHunk);
    refused(&format!("{x}@@ -1 +1\n-a\n+b\n"), 3, Grammar::DiffHunk);
    refused(&format!("{x}@@\n-a\n+b\n"), 3, Grammar::DiffHunk);
    refused(&format!("{x}{HUNK}and so on\n"), 6, Grammar::DiffFile);
    refused(&format!("{x}{HUNK}\nand so on\n"), 7, Grammar::DiffFile);
    refused("diff --git a/x b/x\n", 2, Grammar::DiffHunk);
    refused("diff --git a/x b/x\nindex 1..2\nand so on\n", 3, Grammar::DiffHunk);
    // It says that there is text, and brings none.
    refused("diff --git a/x b/x\nnew file mode 100644\nindex 0000000..3b18e51\n", 4, Grammar::DiffHunk);
    refused("diff --git a/x b/y\nsimilarity index 80%\nrename from x\nrename to y\n", 5, Grammar::DiffHunk);
    refused("diff --git a/x b/y\nrename from x\nrename to y\nindex 1..2 100644\n", 5, Grammar::DiffHunk);
    refused("diff --git a/x b/y\nrename from q\nrename from x\nrename to y\n", 3, Grammar::DiffSameFile);
    refused("--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-a\n+b\nc\n d\n", 6, Grammar::DiffLine);
    refused("--- \"a/x\n+++ b/x\n", 1, Grammar::DiffName);
    refused("--- \"a/\\377\"\n+++ b/x\n", 1, Grammar::DiffName);
    refused(&format!("--- a/x\n+++ b/y\n{HUNK}"), 1, Grammar::DiffSameFile);
    refused("--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", 1, Grammar::DiffSameFile);
    refused(&format!("diff --git a/x b/x\n--- a/y\n+++ b/y\n{HUNK}"), 1, Grammar::DiffSameFile);
    refused(
        &format!("diff --git a/x b/y\nrename from z\nrename to y\n--- a/x\n+++ b/y\n{HUNK}"),
        1,
        Grammar::DiffSameFile,
    );
    refused("diff --git a/x b/y\nrename from z\nrename to y\n", 1, Grammar::DiffSameFile);
    refused("diff --git a/x b/y\nrename to y\n", 1, Grammar::DiffSameFile);
    refused(&format!("diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n{HUNK}"), 1, Grammar::DiffOldNull);
    refused(
        &format!("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ b/x\n{HUNK}"),
        1,
        Grammar::DiffNewNull,
    );
}

#[test]
fn what_a_diff_may_say_and_no_patch_does() {
    let refused = |lines: &str, line: usize, what: Unread| {
        refused(&format!("diff --git a/x b/x\n{lines}"), line, Grammar::DiffWithout(what));
    };
    refused("old mode 100644\nnew mode 100755\n", 2, Unread::Mode);
    refused("new file mode 100755\n", 2, Unread::NewMode);
    refused("new file mode 120000\n", 2, Unread::Link);
    refused("deleted file mode 120000\n", 2, Unread::Link);
    refused("index 1..2 120000\n", 2, Unread::Link);
    refused("index 1..2 160000\n", 2, Unread::Submodule);
    refused("new file mode 160000\n", 2, Unread::Submodule);
    refused("index 1..2\nGIT binary patch\nliteral 1\n", 3, Unread::Binary);
    refused("index 1..2\nBinary files a/x and b/x differ\n", 3, Unread::Binary);
    refused("similarity index 90%\ncopy from x\ncopy to y\n", 3, Unread::Copy);
    refused("--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n- a\n", 4, Unread::Combined);
}

/// Only these two beginnings are those of a diff; everything else is an envelope or nothing.
#[test]
fn beginnings() {
    for text in ["```diff\n--- a/x\n", "\n--- a/x\n", "Index: x\n--- x\n", "Here it is:\ndiff --git a/x b/x\n", "---\n"]
    {
        assert_eq!(syntax(text).expected, Grammar::Begin, "{text}");
    }
}

#[test]
fn many_files_take_linear_time() {
    let one = |at: usize| format!("--- a/f{at}\n+++ b/f{at}\n{HUNK}");
    let text: String = (0..100_000).map(one).collect();
    assert_eq!(good(&text).len(), 100_000);
}

//! What is said about patches that cannot be read or do not fit: kind, facts, message and next step; and what
//! is shown of patches that were applied.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use patchwright_app::report::answer;
use patchwright_app::report::{Sent, Telling, text};
use patchwright_core::batch::BatchName;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{
    Answer, Concurrency, Extent, Failed, Operation, Patched, PatchedFile, Replayed, Reply,
};
use patchwright_core::refusal::{Absolute, Counts, Grammar, HunkRef, Misfit, Refusal, Sought, Syntax, Unread, Why};
use patchwright_core::tool::Atomic;
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::ALL)
}

const HUNK: HunkRef = HunkRef { index: 1, at: 9 };

fn check(why: Why, kind: &str, details: Value, words: &[&str]) {
    let outcome = Err(Failed::unrecorded(Refusal::about("a.rs", why)));
    let got = answer(&outcome);
    assert_eq!(got["error"]["kind"], json!(kind));
    for (name, value) in details.as_object().unwrap() {
        assert_eq!(got["error"]["details"][name], *value, "{name} in {got:#}");
    }
    let told = text(&outcome);
    for part in words {
        assert!(told.contains(part), "{part:?} in {told}");
    }
}

#[test]
fn hunks_that_do_not_fit() {
    let place = json!({ "path": "a.rs", "hunkIndex": 1, "patchLine": 9 });
    let with = |more: Value| {
        let mut all = place.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        Value::Object(all)
    };
    let misfit = |misfit| Why::HunkMisfit { hunk: HUNK, misfit };
    let missing = || json!({ "reason": "context_not_found" });
    check(
        misfit(Misfit::Nowhere { nearest: None, already_at: vec![4], other_charset: false }),
        "patch_apply_error",
        with(json!({ "reason": "context_not_found", "alreadyPresentAtLines": [4] })),
        &["Hunk 1 (line 9 of the patch)", "already stand at line 4", "leave the hunk out"],
    );
    check(misfit(Misfit::NotAtEnd(vec![2])), "patch_apply_error", with(missing()), &["at line 2, not at the end"]);
    check(
        misfit(Misfit::EndsInNewline),
        "patch_apply_error",
        with(missing()),
        &["ends with one", "Leave out the marker"],
    );
    check(
        misfit(Misfit::NoHeader { header: "x".into(), near: vec![(4, "x(y):".into())] }),
        "patch_apply_error",
        with(missing()),
        &["the line `x` that its @@ names", "Line 4 is `x(y):`", "Write `@@ x(y):`"],
    );
    check(
        misfit(Misfit::OutOfScope { header: "f".into(), scope: (3, 7), lines: vec![9] }),
        "patch_apply_error",
        with(json!({ "fact": "out_of_scope", "scope": [3, 7], "lines": [9] })),
        &["at line 9, but not in the block that `@@ f` names (lines 3 to 7)"],
    );
    check(
        misfit(Misfit::LinesLeft(2)),
        "patch_apply_error",
        with(json!({ "fact": "lines_left", "count": 2 })),
        &["Line 9 of the patch deletes a.rs, but 2 of its lines", "`*** Delete File: a.rs`"],
    );
}

#[test]
fn hunks_that_fit_twice_or_meet() {
    let place = json!({ "path": "a.rs", "hunkIndex": 1, "patchLine": 9 });
    let with = |more: Value| {
        let mut all = place.as_object().unwrap().clone();
        all.extend(more.as_object().unwrap().clone());
        Value::Object(all)
    };
    let many = |sought| Why::HunkMany { hunk: HUNK, sought, count: 2, lines: vec![1, 3], disk: vec![1, 2] };
    check(
        many(Sought::OldLines { settled: None }),
        "multiple_matches",
        with(json!({ "count": 2, "lines": [1, 3], "linesOnDisk": [1, 2] })),
        &["2 places, at lines 1 and 2", "file on disk", "neighbouring lines"],
    );
    check(
        many(Sought::OldLines { settled: Some(2) }),
        "multiple_matches",
        with(json!({ "lineInScope": 2 })),
        &[
            "If the place at line 2 is meant, send the hunks of this file in a patch of their own with conventions: \"codex\"",
        ],
    );
    check(many(Sought::Header("x".into())), "multiple_matches", with(json!({ "header": "x" })), &["2 times"]);
    let earlier = HunkRef { index: 0, at: 3 };
    check(
        Why::HunkOverlap { hunk: HUNK, earlier, line: 5 },
        "overlapping_edits",
        with(json!({ "earlierHunkIndex": 0, "line": 5 })),
        &["change the same lines, around line 5", "Join the two"],
    );
    check(
        Why::HunkBare { hunk: HUNK },
        "patch_apply_error",
        with(json!({ "reason": "missing_context" })),
        &["`+` lines alone", "at least one line"],
    );
}

#[test]
fn patches_that_cannot_be_carried_out() {
    let other = || Why::DuplicatePath { other: "./a.rs".into() };
    check(other(), "patch_apply_error", json!({ "reason": "duplicate_path", "other": "./a.rs" }), &["one section"]);
    check(
        Why::CommitFailed { doing: "stage", said: "No space left".into() },
        "patch_apply_error",
        json!({ "reason": "commit_failed", "path": "a.rs" }),
        &["No space left", "nothing was changed"],
    );
    let absolute = |patch: Option<&str>| {
        let (relative, header) = ("a.rs".to_owned(), "*** Delete File: a.rs".to_owned());
        Why::AbsolutePath(Some(Box::new(Absolute { relative, line: 2, header, patch: patch.map(str::to_owned) })))
    };
    let details = || json!({ "reason": "absolute_path", "relativePath": "a.rs" });
    check(
        absolute(None),
        "command_failed",
        details(),
        &["relative to the workspace", "line 2 of the patch as `*** Delete File: a.rs`"],
    );
    let call = Sent { tool: "apply_patch", arguments: json!({ "patch": "*** x", "atomic": false }), fits: |_, _| true };
    let outcome = Err(Failed::unrecorded(Refusal::about("/w/a.rs", absolute(Some("p\n")))));
    let told = text::text(&outcome, &Telling { call: Some(&call), ..Telling::ALL });
    assert!(told.ends_with("Next step: Call apply_patch {\"patch\":\"p\\n\",\"atomic\":false}."), "{told}");
    check(Why::HunksForLink, "command_failed", json!({ "reason": "link" }), &["symbolic link"]);
}

/// What is expected, what was found, and the next step.
fn check_syntax(expected: Grammar, found: Option<&str>, words: &[&str]) {
    let excerpt = vec![(6, "above".to_owned()), (7, found.unwrap_or_default().to_owned())];
    let syntax = Syntax { line: 7, expected, found: found.map(str::to_owned), excerpt };
    check(Why::Syntax(Box::new(syntax)), "patch_parse_error", json!({ "line": 7 }), words);
}

#[test]
fn lines_that_are_no_patch() {
    check_syntax(Grammar::HunkLine, Some("fn a() {"), &["Line 7 of the patch is `fn a() {`", "its sign"]);
    check_syntax(Grammar::SectionOrEnd, None, &["is missing", "cut off"]);
    check_syntax(Grammar::Begin, Some("```diff"), &["fence"]);
    check_syntax(Grammar::HunkLine, Some("\\ no newline"), &["in these very words"]);
    check_syntax(Grammar::AddLine, Some("*** End Patch "), &["without blanks"]);
    check_syntax(Grammar::AddLine, Some("*** End of File"), &["Leave `*** End of File` out"]);
    check_syntax(Grammar::HunkLine, Some("*** Move to: b"), &["directly under `*** Update File:`"]);
    check_syntax(Grammar::FromTo, Some("*** Move File: a -> b -> c"), &["*** Move to: new/path"]);
    check_syntax(Grammar::HeredocEnd, None, &["Close the heredoc"]);
    let counts = Counts { starts: (3, 4), said: (2, 2), counted: (1, 5) };
    check_syntax(
        Grammar::DiffCounts(counts),
        Some("@@ -3,2 +4,2 @@"),
        &["says 2 old and 2 new lines", "stand 1 old (space and `-`) and 5 new", "`@@ -3,1 +4,5 @@`"],
    );
    check_syntax(Grammar::DiffWithout(Unread::NewMode), Some("new file mode 100755"), &["`executable: true`"]);
    for what in [Unread::Mode, Unread::Link, Unread::Submodule, Unread::Binary, Unread::Copy, Unread::Combined] {
        check_syntax(Grammar::DiffWithout(what), Some("x"), &["expected was ", "Next step: "]);
    }
    for expected in [
        Grammar::DiffFile,
        Grammar::DiffNewName,
        Grammar::DiffName,
        Grammar::DiffSameFile,
        Grammar::DiffHunk,
        Grammar::DiffLine,
        Grammar::DiffNewFile,
        Grammar::DiffGoneFile,
        Grammar::DiffPrefixes,
        Grammar::DiffEnd,
        Grammar::DiffLineEnds,
        Grammar::Section,
        Grammar::Nothing,
        Grammar::Path,
        Grammar::Hunk,
        Grammar::FirstHunkLine,
        Grammar::NoBody,
        Grammar::LineAboveMarker,
        Grammar::MarkerAtEnd,
    ] {
        check_syntax(expected, Some("x"), &[">     7 | x", "Next step: "]);
    }
}

#[test]
fn applied_patches() {
    let file = |path: &str, operation, to: Option<&str>| PatchedFile {
        path: path.into(),
        real: None,
        operation,
        to: to.map(str::to_owned),
        before: None,
        after: Some(Digest::of(b"")),
        diff: "+x\n".into(),
        diff_cut: false,
        trash: None,
    };
    let mut patched = Patched {
        atomic: Atomic::Whole,
        hunks: 1,
        batch: Some(BatchName::new("B", 17)),
        files: vec![file("a", Operation::Create, None), file("b", Operation::Move, Some("c"))],
        extent: Extent::Done,
        concurrency: Concurrency::Verified,
    };
    let reply = |patched: &Patched| {
        let answer = Answer::Patched(patched.clone());
        Ok(Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No })
    };
    let told = text(&reply(&patched));
    assert_eq!(told, "b17: applied 2 files, 1 hunk\nA a\nR b -> c\n");
    let data = answer(&reply(&patched))["data"].clone();
    assert_eq!(
        (&data["changedFiles"][1]["operation"], &data["changedFiles"][1]["toPath"]),
        (&json!("move"), &json!("c"))
    );
    patched.extent = Extent::Proposed;
    let waits = "b17: proposed, nothing has changed yet: 2 files, 1 hunk\napply_batch {\"batchId\":\"b17\"} carries it out, reject_batch drops it.\n";
    assert_eq!(text(&reply(&patched)), format!("{waits}A a\nR b -> c\n+x\n+x\n"));
    let told = text::text(&reply(&patched), &Telling { shown: Some(&["apply_patch"]), ..Telling::ALL });
    assert!(told.contains("\nThe user decides about it.\n"), "{told}");
    patched.files[0].diff = "+y\n".repeat(3_000);
    let told = text(&reply(&patched));
    assert!(
        told.ends_with("+y\n… 1636 more lines of the diff: get_patch_change {\"batchId\":\"b17\"} shows all\n"),
        "{told}"
    );
    patched.extent = Extent::Done;
    let failed = Failed { done: Some(Box::new(patched)), ..Failed::unrecorded(Refusal::about("z", Why::HunksForLink)) };
    let told = text(&Err(failed));
    assert!(told.contains("were applied and stay so") && told.contains("\nA a\n"), "{told}");
}

//! Text that is not there, and files that have changed.

use super::conflicts::by;
use super::{Row, at, row};
use patchwright_core::digest::Digest;
use patchwright_core::locate::{Edges, nearest};
use patchwright_core::refusal::{ChangedLines, FormChange, Refusal, Since, Sort, Stale, StaleReason, Unseen, Why};
use patchwright_core::text::NewlineStyle;

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn file(why: Why) -> Refusal {
    at("src/a.rs", why)
}

pub(crate) fn rows() -> Vec<Row> {
    let since = Since { foreign: true, batches: vec![by(9, "codex-mcp-client/1")], count: 1, ..Since::default() };
    let misfit = Refusal { since: Some(Box::new(since)), ..file(Why::HunksForLink) };
    let known = row(
        "apply x.patch",
        misfit,
        r#"
patchwright: src/a.rs is a link, which has no lines that a patch could change
  changed since by b9 codex and another program
Nothing was changed.
"#,
    );
    std::iter::once(known).chain(texts()).chain(stale()).chain(unseen()).collect()
}

fn texts() -> Vec<Row> {
    let near = |other_charset| {
        let nearest = nearest(b"fn a() {\n\tone();\n}\n", b"fn a() {\n    one();\n}\n", Edges::Whole).map(Box::new);
        Why::OldTextNotFound { edit: 0, nearest, already_at: Vec::new(), other_charset }
    };
    let done = Why::OldTextNotFound { edit: 1, nearest: None, already_at: vec![4, 9], other_charset: false };
    let many = |overlapping| Why::MultipleMatches {
        edit: 0,
        expected: Some(1),
        count: 3,
        lines: vec![4, 9, 12],
        overlapping,
        longer: Vec::new(),
    };
    vec![
        row(
            "edit src/a.rs",
            file(near(false)),
            r#"
patchwright: the text to be replaced is not in src/a.rs
  closest is line 2: one side has tabs where the other has spaces
  wanted  ····one();
  file    →one();
Nothing was changed.
hint: patchwright read src/a.rs:1-3
"#,
        ),
        row(
            "edit src/a.rs",
            file(near(true)),
            r#"
patchwright: the text to be replaced is not in src/a.rs, which is not valid UTF-8
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            "edit src/a.rs",
            file(done),
            r#"
patchwright: the text to be replaced by edit 2 is not in src/a.rs
  the new text stands there already, at lines 4 and 9
Nothing was changed.
hint: patchwright read src/a.rs:4
"#,
        ),
        row(
            "edit src/a.rs",
            file(many(false)),
            r#"
patchwright: the text to be replaced stands in src/a.rs 3 times, at lines 4, 9 and 12; 1 expected
Nothing was changed.
hint: patchwright read src/a.rs:4-12
"#,
        ),
        row(
            "edit src/a.rs -n",
            file(many(true)),
            r#"
patchwright: the text to be replaced stands in src/a.rs 3 times, at lines 4, 9 and 12; 1 expected
  they overlap each other
hint: patchwright read src/a.rs:4-12
"#,
        ),
        row(
            "edit src/a.rs",
            file(Why::OverlappingEdits { edits: (0, 1), lines: (3, 4) }),
            r#"
patchwright: edits 1 and 2 touch the same text of src/a.rs, at lines 3 and 4
Nothing was changed.
"#,
        ),
    ]
}

fn stale() -> Vec<Row> {
    use StaleReason::{ChangedMeanwhile, ChangedSinceSeen, Mismatch, Unproven};
    let there = Digest::of(b"");
    let proof = |reason, expected: Option<&str>, actual| Stale {
        expected: expected.map(str::to_owned),
        actual,
        reason,
        sort: Sort::File,
        argument: "expectedSha256",
    };
    let failed = |stale| file(Why::Stale(stale));
    let since = Since {
        batches: vec![by(8, "claude-code/2"), by(9, "codex-mcp-client/1")],
        count: 7,
        foreign: true,
        changes: Some(ChangedLines {
            diff: "@@ -3 +3 @@\n-old\n+new\n".into(),
            cut: false,
            lines: (3, 3),
            line_count: 9,
        }),
        form: vec![FormChange::LineEnds(NewlineStyle::Lf, NewlineStyle::Crlf), FormChange::MarkCame],
        ..Since::default()
    };
    let foreign = Since { foreign: true, unknown: true, form: vec![FormChange::FinalNewlineWent], ..Since::default() };
    let mismatch = || failed(proof(Mismatch, Some(EMPTY), Some(there)));
    vec![
        row(
            "edit src/a.rs --sha256 x",
            Refusal { since: Some(Box::new(since)), ..mismatch() },
            r#"
patchwright: src/a.rs is not the file that --sha256 expects
  changed since by b9 codex, b8 claude-code, 5 more and another program
  @@ -3 +3 @@
  -old
  +new
  its lines end otherwise now
  it begins with a byte-order mark now
Nothing was changed.
hint: patchwright read src/a.rs:3
"#,
        ),
        row(
            "edit src/a.rs --sha256 x",
            Refusal { since: Some(Box::new(foreign)), ..mismatch() },
            r#"
patchwright: src/a.rs is not the file that --sha256 expects
  changed since by another program
  no version with that sha256 is on record
  its last line no longer ends in a newline
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply --expect src/a.rs=x",
            mismatch(),
            r#"
patchwright: src/a.rs is not the file that --expect expects
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply --expect src/a.rs=",
            failed(proof(Mismatch, Some(""), Some(there))),
            r#"
patchwright: src/a.rs was to be free, and a file is there
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply --expect src/a.rs=",
            failed(proof(Mismatch, Some(""), None)),
            r#"
patchwright: src/a.rs was to be free, and something is there that is no file
Nothing was changed.
"#,
        ),
        row(
            "apply --expect src/a.rs=x",
            failed(proof(Mismatch, Some(EMPTY), None)),
            r#"
patchwright: --expect expects a file at src/a.rs, and nothing is there
Nothing was changed.
"#,
        ),
        row(
            "apply --expect src/a.rs=x",
            failed(proof(Mismatch, Some("x"), Some(there))),
            r#"
patchwright: --expect takes all 64 digits of the sha256 of src/a.rs, or at least the first 12
Nothing was changed.
hint: patchwright read --json src/a.rs
"#,
        ),
        row(
            "apply x.patch",
            failed(proof(Unproven, None, Some(there))),
            r#"
patchwright: nothing shows that you know what src/a.rs holds now
Nothing was changed.
hint: patchwright apply x.patch --unchecked
"#,
        ),
        row(
            "apply x.patch",
            failed(proof(Unproven, None, Some(there))),
            r#"
patchwright: nothing shows that you know what src/a.rs holds now
  --require-sha asks for --expect PATH=SHA256
Nothing was changed.
hint: patchwright --require-sha read --json src/a.rs
"#,
        )
        .flags("--require-sha"),
        row(
            "edit src/a.rs",
            failed(Stale { sort: Sort::Link, ..proof(Unproven, None, Some(there)) }),
            r#"
patchwright: nothing shows that you know what src/a.rs holds now
  it is a link, and what counts is where it leads
  --require-sha asks for --sha256 HEX
Nothing was changed.
"#,
        )
        .flags("--require-sha"),
        row(
            "edit src/a.rs",
            failed(proof(ChangedSinceSeen, None, Some(there))),
            r#"
patchwright: src/a.rs has changed since it was read
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "undo b3",
            failed(proof(ChangedMeanwhile, None, Some(there))),
            r#"
patchwright: cannot take back b3: another program saved src/a.rs at the same time, and its version was kept
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
    ]
}

fn unseen() -> Vec<Row> {
    let unseen = |lines: Vec<(usize, usize)>, stretches| {
        let actual = Digest::of(b"");
        file(Why::Unseen(Unseen { actual, lines, stretches, line_count: 90, longest: 10 }))
    };
    vec![
        row(
            "edit src/a.rs",
            unseen(vec![(3, 5)], 1),
            r#"
patchwright: lines 3-5 of src/a.rs would be overwritten unseen
Nothing was changed.
hint: patchwright read src/a.rs:3-5
"#,
        ),
        row(
            "edit src/a.rs",
            unseen(vec![(3, 5), (8, 8)], 2),
            r#"
patchwright: lines 3-5 and 1 other stretch of src/a.rs would be overwritten unseen
Nothing was changed.
hint: patchwright read src/a.rs:3-8
"#,
        ),
        row(
            "edit src/a.rs",
            unseen(vec![(3, 5), (8, 8)], 9),
            r#"
patchwright: lines 3-5 and 8 other stretches of src/a.rs would be overwritten unseen
Nothing was changed.
hint: patchwright read src/a.rs:3-90
"#,
        ),
        row(
            "edit src/a.rs",
            unseen(Vec::new(), 0),
            r#"
patchwright: part of src/a.rs would be overwritten unseen
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
    ]
}

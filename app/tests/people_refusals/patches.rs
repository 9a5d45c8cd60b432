//! Patches that cannot be read, or do not fit.

use super::{Row, at, plain, row};
use patchwright_core::locate::{Edges, nearest};
use patchwright_core::refusal::{Absolute, Grammar, HunkRef, Misfit, Refusal, Sought, Syntax, Why};

const HUNK: HunkRef = HunkRef { index: 1, at: 14 };

fn file(why: Why) -> Refusal {
    at("src/a.rs", why)
}

pub(crate) fn rows() -> Vec<Row> {
    misfits().into_iter().chain(hunks()).chain(syntax()).collect()
}

fn misfits() -> Vec<Row> {
    let row =
        |misfit: Misfit, want: &'static str| row("apply fix.patch", file(Why::HunkMisfit { hunk: HUNK, misfit }), want);
    let near = || nearest(b"one\ntwo\nTRES\nfour\n", b"two\nthree\nfour\n", Edges::Whole).map(Box::new);
    let nowhere = |nearest, already_at, other_charset| Misfit::Nowhere { nearest, already_at, other_charset };
    vec![
        row(
            nowhere(near(), Vec::new(), false),
            r#"
patchwright: hunk 2 (line 14 of the patch) does not fit src/a.rs
  closest is line 3: one line differs
  patch  three
  file   TRES
Nothing was changed.
hint: patchwright read src/a.rs:2-4
"#,
        ),
        row(
            nowhere(near(), vec![7], false),
            r#"
patchwright: hunk 2 (line 14 of the patch) does not fit src/a.rs
  closest is line 3: one line differs
  patch  three
  file   TRES
  what it brings stands there already, at line 7
Nothing was changed.
hint: patchwright read src/a.rs:2-4
"#,
        ),
        row(
            nowhere(None, Vec::new(), false),
            r#"
patchwright: hunk 2 (line 14 of the patch) does not fit src/a.rs
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            nowhere(None, Vec::new(), true),
            r#"
patchwright: hunk 2 (line 14 of the patch) does not fit src/a.rs, which is not valid UTF-8
  --encoding-for src/a.rs=NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            Misfit::NotAtEnd(vec![3, 9]),
            r#"
patchwright: hunk 2 (line 14 of the patch) is for the end of src/a.rs, and its lines are at lines 3 and 9
Nothing was changed.
hint: patchwright read src/a.rs:3
"#,
        ),
        row(
            Misfit::EndsInNewline,
            r#"
patchwright: hunk 2 (line 14 of the patch) says that src/a.rs ends without a newline, and it ends with one
Nothing was changed.
"#,
        ),
        row(
            Misfit::NoHeader { header: "fn a(".into(), near: vec![(3, "fn a() {".into())] },
            r#"
patchwright: the line that hunk 2 (line 14 of the patch) names with @@ is not in src/a.rs, or not in that block
  @@ fn a(
  line 3 is  fn a() {
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            Misfit::OutOfScope { header: "fn a() {".into(), scope: (3, 9), lines: vec![20] },
            r#"
patchwright: the lines of hunk 2 (line 14 of the patch) are in src/a.rs at line 20, outside the block it names
  @@ fn a() { is lines 3-9
Nothing was changed.
hint: patchwright read src/a.rs:3-9
"#,
        ),
        row(
            Misfit::LinesLeft(3),
            r#"
patchwright: hunk 2 (line 14 of the patch) deletes src/a.rs, which has 3 lines that the patch does not know
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            Misfit::LineEnds { at: 16, returns: true },
            r#"
patchwright: line 16 of the patch ends otherwise than the lines of src/a.rs beside it
  there it would end in \r\n: a diff leaves line ends as they are
Nothing was changed.
"#,
        ),
    ]
}

fn hunks() -> Vec<Row> {
    let many = |sought, lines: Vec<usize>| {
        file(Why::HunkMany { hunk: HUNK, sought, count: lines.len(), disk: lines.clone(), lines })
    };
    let old = || Sought::OldLines { settled: None };
    let absolute = Absolute {
        relative: "src/a.rs".into(),
        line: 2,
        header: "*** Update File: src/a.rs".into(),
        patch: Some("x".into()),
    };
    let failed = Why::CommitFailed { doing: "stage", said: "No space left on device (os error 28)".into() };
    vec![
        row(
            "apply fix.patch",
            many(old(), vec![4, 9, 12]),
            r#"
patchwright: hunk 2 (line 14 of the patch) fits src/a.rs in 3 places, at lines 4, 9 and 12
  more lines around it would tell which is meant
Nothing was changed.
hint: patchwright read src/a.rs:1-15
"#,
        ),
        row(
            "apply fix.patch",
            many(old(), vec![1, 900]),
            r#"
patchwright: hunk 2 (line 14 of the patch) fits src/a.rs in 2 places, at lines 1 and 900
  more lines around it would tell which is meant
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply fix.patch",
            many(Sought::Header("fn a() {".into()), vec![4, 9]),
            r#"
patchwright: the line that hunk 2 (line 14 of the patch) names with @@ stands in src/a.rs 2 times, at lines 4 and 9
  @@ fn a() {
Nothing was changed.
hint: patchwright read src/a.rs:1-12
"#,
        ),
        row(
            "apply fix.patch",
            file(Why::HunkOverlap { hunk: HUNK, earlier: HunkRef { index: 0, at: 3 }, line: 7 }),
            r#"
patchwright: hunk 1 (line 3) and hunk 2 (line 14) of the patch change the same lines of src/a.rs, around line 7
  one hunk could make both changes
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            file(Why::HunkBare { hunk: HUNK }),
            r#"
patchwright: hunk 2 (line 14 of the patch) does not say where in src/a.rs its lines belong
  it takes a line of the file as context, above or below the new ones
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply fix.patch",
            file(Why::HunksForLink),
            r#"
patchwright: src/a.rs is a link, which has no lines that a patch could change
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            file(Why::DuplicatePath { other: "src/a.rs".into() }),
            r#"
patchwright: two sections of the patch are about src/a.rs
  one section may have several hunks; else it takes two patches
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            file(Why::DuplicatePath { other: "./src/A.rs".into() }),
            r#"
patchwright: two sections of the patch are about src/a.rs (./src/A.rs is the same file)
  one section may have several hunks; else it takes two patches
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            file(failed),
            r#"
patchwright: the disk failed at src/a.rs while writing: No space left on device (os error 28)
1 file was changed before that; nothing else was.
"#,
        )
        .done(1),
        row(
            "apply fix.patch",
            at("/etc/passwd", Why::AbsolutePath(None)),
            r#"
patchwright: /etc/passwd is outside the workspace, and a patch takes paths from its root
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            at("/srv/src/x.rs", Why::AbsolutePath(Some(Box::new(absolute)))),
            r#"
patchwright: /srv/src/x.rs is absolute, and a patch takes paths from the workspace's root
  line 2 should be  *** Update File: src/a.rs
Nothing was changed.
"#,
        ),
    ]
}

fn syntax() -> Vec<Row> {
    let excerpt: Vec<(usize, String)> =
        ["*** Begin Patch", "*** Update File: a", "@@ x", "oops\u{1b}[31m", " b", "-c", "+d"]
            .into_iter()
            .enumerate()
            .map(|(at, line)| (at + 1, line.to_owned()))
            .collect();
    let unread = |line, expected, found: Option<&str>| {
        let found = found.map(str::to_owned);
        plain(Why::Syntax(Box::new(Syntax { line, expected, found, excerpt: excerpt.clone() })))
    };
    vec![
        row(
            "apply fix.patch",
            unread(4, Grammar::HunkLine, Some("oops\u{1b}[31m")),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a line with a space, `-` or `+` before it, `@@`, another section, or `*** End Patch`
       2 | *** Update File: a
       3 | @@ x
  >    4 | oops\u{1b}[31m
       5 | ·b
       6 | -c
Nothing was changed.
"#,
        ),
        row(
            "apply",
            unread(8, Grammar::SectionOrEnd, None),
            r#"
patchwright: the patch ends before line 8
  expected: a section such as `*** Update File: PATH`, `*** End Patch`, or after a hunk another `@@`
       6 | -c
       7 | +d
Nothing was changed.
"#,
        ),
        row(
            "apply fix.patch",
            unread(1, Grammar::Begin, Some(" *** Begin Patch")),
            r#"
patchwright: line 1 of the patch cannot be read
  expected: `*** Begin Patch`, or the first line of a unified diff
  >    1 | *** Begin Patch
       2 | *** Update File: a
       3 | @@ x
Nothing was changed.
hint: patchwright apply fix.patch --conventions codex
"#,
        ),
        row(
            "apply --conventions codex x",
            unread(1, Grammar::Begin, Some("apply_patch <<'EOF'")),
            r#"
patchwright: line 1 of the patch cannot be read
  expected: `*** Begin Patch`, or the first line of a unified diff
  >    1 | *** Begin Patch
       2 | *** Update File: a
       3 | @@ x
Nothing was changed.
"#,
        ),
    ]
}

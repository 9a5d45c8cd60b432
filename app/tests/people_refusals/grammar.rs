//! What should stand in a patch, for every place of its grammar.

use super::{Row, plain, row};
use patchwright_core::refusal::{Counts, Grammar, Syntax, Unread, Why};

pub(crate) fn rows() -> Vec<Row> {
    grammar()
}

fn grammar() -> Vec<Row> {
    let row = |expected, want: &'static str| {
        let syntax = Syntax { line: 4, expected, found: Some("x".into()), excerpt: vec![(4, "x".into())] };
        row("apply -n fix.patch", plain(Why::Syntax(Box::new(syntax))), want)
    };
    let counts = Counts { starts: (3, 3), said: (4, 5), counted: (4, 6) };
    vec![
        row(
            Grammar::Section,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a section: `*** Add File: PATH`, `*** Update File: …`, `*** Delete File: …`, `*** Move File: … -> …`
  >    4 | x
"#,
        ),
        row(
            Grammar::Nothing,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: nothing more after `*** End Patch`
  >    4 | x
"#,
        ),
        row(
            Grammar::Path,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: one space and a path after the colon
  >    4 | x
"#,
        ),
        row(
            Grammar::FromTo,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `*** Move File: OLD -> NEW`, with one arrow
  >    4 | x
"#,
        ),
        row(
            Grammar::AddLine,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a line of the new file with `+` before it, another section, or `*** End Patch`
  >    4 | x
"#,
        ),
        row(
            Grammar::Hunk,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a hunk: `@@`, and its lines below it
  >    4 | x
"#,
        ),
        row(
            Grammar::FirstHunkLine,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a line of the hunk, with a space, `-` or `+` before it
  >    4 | x
"#,
        ),
        row(
            Grammar::NoBody,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: another section, or `*** End Patch`: a deleted file goes as a whole
  >    4 | x
"#,
        ),
        row(
            Grammar::LineAboveMarker,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `\ No newline at end of file` once, under a line that is not empty
  >    4 | x
"#,
        ),
        row(
            Grammar::MarkerAtEnd,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `\ No newline at end of file` under the last line of the file only
  >    4 | x
"#,
        ),
        row(
            Grammar::HeredocEnd,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: the word that closes the heredoc
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffFile,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: the next file (`diff --git …` or `--- a/PATH`), another `@@`, or nothing more
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffNewName,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `+++ b/PATH` right under `--- a/PATH`
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffName,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a file's name, bare, or in quotes with C escapes
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffSameFile,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: the same file in all lines of the section
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffHunk,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a hunk: `@@ -LINE,COUNT +LINE,COUNT @@`
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffLine,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a line of the hunk, with a space, `-` or `+` before it
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffCounts(counts),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `@@ -3,4 +3,6 @@`, by the lines below it; it says 4 old and 5 new
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffNewFile,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: one hunk of `+` lines alone: `--- /dev/null` says that the file is new
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffGoneFile,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: one hunk of `-` lines alone: `+++ /dev/null` says that the file goes
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffEnd,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a line end after the last line, which may have been cut off
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffPrefixes,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `diff --git a/PATH b/PATH` above it: there are folders called a or b
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffLineEnds,
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a new line that ends as those around it do
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Mode),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: no other permission bits: a patch changes text alone (chmod changes them)
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::NewMode),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: `new file mode 100644`: a patch makes plain files (chmod changes them)
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Link),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: no symbolic link: a patch changes text alone (ln makes them)
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Submodule),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: no submodule: a patch changes text alone
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Binary),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: no binary content: a patch changes text alone
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Copy),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: no copy: a patch adds, updates, deletes and moves
  >    4 | x
"#,
        ),
        row(
            Grammar::DiffWithout(Unread::Combined),
            r#"
patchwright: line 4 of the patch cannot be read
  expected: a diff between two versions, such as of `git diff HEAD`, not one of a merge
  >    4 | x
"#,
        ),
    ]
}

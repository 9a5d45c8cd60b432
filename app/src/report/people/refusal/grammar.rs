//! Patches that cannot be read: the line, what stands there, and what should.

use super::Draft;
use super::said::Said;
use super::shown::seen;
use patchwright_core::refusal::{Counts, Grammar, Syntax, Unread};
use std::borrow::Cow;

/// So many lines above and below are shown.
const AROUND: usize = 2;

/// Words for a patch that cannot be read.
pub(super) fn told(syntax: &Syntax, said: &Said<'_>) -> Draft {
    let fact = match &syntax.found {
        Some(_) => format!("line {} of the patch cannot be read", syntax.line),
        None => format!("the patch ends before line {}", syntax.line),
    };
    let draft = Draft::plain(fact).show([format!("expected: {}", expected(syntax.expected))]).show(excerpt(syntax));
    match is_codex(syntax) && !said.has_typed("--conventions") {
        true => draft.hint_flag(said, "--conventions codex", "reads it"),
        false => draft,
    }
}

/// Would the other conventions read it: a patch in a heredoc, or a marker with blanks around it?
fn is_codex(syntax: &Syntax) -> bool {
    let Some(found) = syntax.found.as_deref() else { return false };
    let marker = ["*** Begin Patch", "*** End Patch"].contains(&found.trim()) && found.trim() != found;
    marker || (syntax.expected == Grammar::Begin && found.contains("<<"))
}

/// The lines around the place, which is marked.
fn excerpt(syntax: &Syntax) -> Vec<String> {
    let near = |(number, _): &&(usize, String)| number.abs_diff(syntax.line) <= AROUND;
    let row = |(number, text): &(usize, String)| {
        let mark = if *number == syntax.line { '>' } else { ' ' };
        format!("{mark} {number:>4} | {}", seen(text))
    };
    syntax.excerpt.iter().filter(near).map(row).collect()
}

/// What should stand there.
fn expected(grammar: Grammar) -> Cow<'static, str> {
    Cow::Borrowed(match grammar {
        Grammar::Begin => "`*** Begin Patch`, or the first line of a unified diff",
        Grammar::SectionOrEnd => {
            "a section such as `*** Update File: PATH`, `*** End Patch`, or after a hunk another `@@`"
        }
        Grammar::Section => {
            "a section: `*** Add File: PATH`, `*** Update File: …`, `*** Delete File: …`, `*** Move File: … -> …`"
        }
        Grammar::Nothing => "nothing more after `*** End Patch`",
        Grammar::Path => "one space and a path after the colon",
        Grammar::FromTo => "`*** Move File: OLD -> NEW`, with one arrow",
        Grammar::AddLine => "a line of the new file with `+` before it, another section, or `*** End Patch`",
        Grammar::Hunk => "a hunk: `@@`, and its lines below it",
        Grammar::FirstHunkLine => "a line of the hunk, with a space, `-` or `+` before it",
        Grammar::HunkLine => "a line with a space, `-` or `+` before it, `@@`, another section, or `*** End Patch`",
        Grammar::NoBody => "another section, or `*** End Patch`: a deleted file goes as a whole",
        Grammar::LineAboveMarker => "`\\ No newline at end of file` once, under a line that is not empty",
        Grammar::MarkerAtEnd => "`\\ No newline at end of file` under the last line of the file only",
        Grammar::HeredocEnd => "the word that closes the heredoc",
        diff => return in_diff(diff),
    })
}

fn in_diff(grammar: Grammar) -> Cow<'static, str> {
    Cow::Borrowed(match grammar {
        Grammar::DiffNewName => "`+++ b/PATH` right under `--- a/PATH`",
        Grammar::DiffName => "a file's name, bare, or in quotes with C escapes",
        Grammar::DiffSameFile => "the same file in all lines of the section",
        Grammar::DiffHunk => "a hunk: `@@ -LINE,COUNT +LINE,COUNT @@`",
        Grammar::DiffLine => "a line of the hunk, with a space, `-` or `+` before it",
        Grammar::DiffCounts(counts) => return Cow::Owned(counted(&counts)),
        Grammar::DiffNewFile => "one hunk of `+` lines alone: `--- /dev/null` says that the file is new",
        Grammar::DiffGoneFile => "one hunk of `-` lines alone: `+++ /dev/null` says that the file goes",
        Grammar::DiffEnd => "a line end after the last line, which may have been cut off",
        Grammar::DiffPrefixes => "`diff --git a/PATH b/PATH` above it: there are folders called a or b",
        Grammar::DiffLineEnds => "a new line that ends as those around it do",
        Grammar::DiffWithout(what) => unread(what),
        // The first line of another file.
        _ => "the next file (`diff --git …` or `--- a/PATH`), another `@@`, or nothing more",
    })
}

fn counted(counts: &Counts) -> String {
    let ((old, new), (said_old, said_new)) = (counts.counted, counts.said);
    let (old_start, new_start) = counts.starts;
    format!(
        "`@@ -{old_start},{old} +{new_start},{new} @@`, by the lines below it; it says {said_old} old and {said_new} new"
    )
}

fn unread(what: Unread) -> &'static str {
    match what {
        Unread::Mode => "no other permission bits: a patch changes text alone (chmod changes them)",
        Unread::NewMode => "`new file mode 100644`: a patch makes plain files (chmod changes them)",
        Unread::Link => "no symbolic link: a patch changes text alone (ln makes them)",
        Unread::Submodule => "no submodule: a patch changes text alone",
        Unread::Binary => "no binary content: a patch changes text alone",
        Unread::Copy => "no copy: a patch adds, updates, deletes and moves",
        Unread::Combined => "a diff between two versions, such as of `git diff HEAD`, not one of a merge",
    }
}

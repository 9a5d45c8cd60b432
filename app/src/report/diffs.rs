//! Words for unified diffs that cannot be read, and for what sections of either form must be.

use super::telling::Telling;
use patchwright_core::dialect::unified::is_diff;
use patchwright_core::refusal::{Counts, Grammar, Unread};
use serde_json::Value;
use std::borrow::Cow;

/// What should stand there, as a noun; nothing for what is no matter of diffs.
pub(super) fn expected(grammar: Grammar) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match grammar {
        Grammar::DiffFile => {
            "the next file of the diff (`diff --git a/PATH b/PATH`, or `--- a/PATH`), another `@@` hunk, or nothing more"
        }
        Grammar::DiffNewName => "`+++ b/PATH` right under `--- a/PATH`",
        Grammar::DiffName => "a file's name, bare or in quotes with C escapes",
        Grammar::DiffSameFile => {
            "one file: `diff --git`, `---`, `+++`, `rename` and `new file`/`deleted file` lines of a section must agree"
        }
        Grammar::DiffOldNull => "`--- /dev/null`: `new file mode` says that the file is new",
        Grammar::DiffNewNull => "`+++ /dev/null`: `deleted file mode` says that the file goes",
        Grammar::DiffHunk => "a hunk: `@@ -LINE,COUNT +LINE,COUNT @@`",
        Grammar::DiffLine => "a line of the hunk: with a space, `-` or `+` before it",
        Grammar::DiffCounts(counts) => return Some(Cow::Owned(counted(&counts))),
        Grammar::DiffNewFile => "one hunk of `+` lines alone: `--- /dev/null` says that the file is new",
        Grammar::DiffGoneFile => "one hunk of `-` lines alone: `+++ /dev/null` says that the file goes",
        Grammar::DiffEnd => "a line end after the last line: a `+` line that ends the diff may have been cut off",
        Grammar::DiffPrefixes => {
            "names that have one reading: there is a folder of the name `a` or `b`, and the line may mean a file in it"
        }
        Grammar::DiffLineEnds => "a new line that ends as the lines around it do: a patch leaves line ends as they are",
        Grammar::DiffWithout(what) => unread(what),
        _ => return None,
    }))
}

fn counted(counts: &Counts) -> String {
    let ((old, new), (said_old, said_new)) = (counts.counted, counts.said);
    format!(
        "an `@@` line that counts its hunk: it says {said_old} old and {said_new} new lines, and below it stand {old} old (space and `-`) and {new} new (space and `+`)"
    )
}

fn unread(what: Unread) -> &'static str {
    match what {
        Unread::Mode => "no change of permission bits: apply_patch changes text alone",
        Unread::NewMode => "`new file mode 100644`: apply_patch makes plain files",
        Unread::Link => "no symbolic link: apply_patch changes text alone",
        Unread::Submodule => "no submodule: apply_patch changes text alone",
        Unread::Binary => "no binary content: apply_patch changes text alone",
        Unread::Copy => "no copy: apply_patch adds, updates, deletes and moves",
        Unread::Combined => "a diff between two versions, not a combined one of a merge",
    }
}

/// What to do about it.
pub(super) fn remedy(grammar: Grammar, tell: &Telling<'_>) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match grammar {
        Grammar::DiffFile => {
            "Send the diff alone, without other text between or below its files, or write an envelope (`*** Begin Patch`)."
        }
        Grammar::DiffNewName => "Write both lines, `--- a/PATH` and below it `+++ b/PATH`, and the hunks below them.",
        Grammar::DiffName => {
            "Write the path behind `--- a/` and `+++ b/` as it is; in quotes only with C escapes such as \\t or \\303\\244."
        }
        Grammar::DiffSameFile => {
            "Name the same path in all lines of the section; for another name add `diff --git a/OLD b/NEW`, `rename from OLD` and `rename to NEW`."
        }
        Grammar::DiffOldNull => {
            "Write `--- /dev/null` in place of the old name if the file is to be made; to change a file that is there, leave the `new file mode` line out."
        }
        Grammar::DiffNewNull => {
            "Write `+++ /dev/null` in place of the new name if the file is to go; to change it, leave the `deleted file mode` line out."
        }
        Grammar::DiffHunk => {
            "Put `@@ -1,2 +1,3 @@` with the right counts above the lines of the hunk; or write an envelope (`*** Begin Patch`), which needs no counts."
        }
        Grammar::DiffLine => {
            "Give every line of the hunk its sign: a space before a line that stays (also before its indentation), `-` before one that goes, `+` before one that comes."
        }
        Grammar::DiffCounts(counts) => {
            let ((old_start, new_start), (old, new)) = (counts.starts, counts.counted);
            return Some(Cow::Owned(format!(
                "If all lines of the hunk are there, write `@@ -{old_start},{old} +{new_start},{new} @@`; if the diff was cut off, send it again whole. An envelope (`*** Begin Patch`) needs no counts."
            )));
        }
        Grammar::DiffNewFile => {
            "Send one hunk `@@ -0,0 +1,COUNT @@` with `+` before every line; to change a file that is there, name it behind `---` too."
        }
        Grammar::DiffGoneFile => {
            "Send one hunk `@@ -1,COUNT +0,0 @@` with `-` before every line of the file, or `*** Delete File: PATH` in an envelope."
        }
        Grammar::DiffEnd => {
            "If the last line is whole, send the diff again with a newline at its end; if it was cut off, send it again whole."
        }
        Grammar::DiffPrefixes => {
            "Put a line `diff --git a/PATH b/PATH` above the `---` line, and write `a/PATH` behind `---` and `b/PATH` behind `+++` where they name the file; PATH is its whole path from the workspace root, such as b/main.c."
        }
        Grammar::DiffLineEnds => {
            let anew = [("write_file", "; to change line ends, write the file anew with write_file")];
            return Some(format!("Send the lines with the ends of those around them{}.", tell.pick(&anew, "")).into());
        }
        Grammar::DiffWithout(what) => return Some(instead(what, tell)),
        _ => return None,
    }))
}

fn instead(what: Unread, tell: &Telling<'_>) -> Cow<'static, str> {
    Cow::Borrowed(match what {
        Unread::Mode => {
            let ways = [
                ("edit_file", "; edit_file with `executable` changes whether a file may be run"),
                ("edit", "; edit with `executable` changes whether a file may be run"),
            ];
            return format!("Leave the mode lines out{}.", tell.pick(&ways, "")).into();
        }
        Unread::NewMode => {
            let made = [("create_file", ", or make the file with create_file and `executable: true`")];
            return format!("Write `new file mode 100644`{}.", tell.pick(&made, "")).into();
        }
        Unread::Link => {
            let made = [("create_file", "; create_file with `linkTarget` makes a link, delete_file removes one")];
            return format!("Leave this file out of the patch{}.", tell.pick(&made, "")).into();
        }
        Unread::Submodule => "Leave this file out of the patch, and tell the user.",
        Unread::Binary => {
            "Leave this file out of the patch, and tell the user: binary files are not changed by patches."
        }
        Unread::Copy => "Add the copy as a new file: `--- /dev/null`, `+++ b/PATH` and all its lines with `+`.",
        Unread::Combined => "Make the diff against one version, such as by `git diff HEAD`.",
    })
}

/// How to say of one file what two sections say.
pub(super) fn one_section(tell: &Telling<'_>) -> String {
    let all = match is_diff(tell.given_text("patch").unwrap_or_default()) {
        true => "all its hunks below one pair of `---` and `+++` lines",
        false => "several hunks below one *** Update File, or hunks below *** Move File",
    };
    let codex = match (tell.given_text("conventions"), tell.given("atomic")) {
        (Some("codex"), Some(Value::Bool(false))) => {
            " With atomic: true several sections that update one file are read as one."
        }
        (Some("codex"), _) => "",
        (_, Some(Value::Bool(false))) => {
            " With conventions: \"codex\" and atomic: true several sections that update one file are read as one."
        }
        _ => " With conventions: \"codex\" several sections that update one file are read as one.",
    };
    format!(
        "Put everything about one file into one section: {all}.{codex} What cannot be one section takes two patches, one after the other."
    )
}

/// Is there a diff in a text that is none, and no envelope?
pub(super) fn is_wrapped(text: &str) -> bool {
    let begins = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    !text.contains("*** Begin Patch") && (begins("diff --git ") || begins("--- ") && begins("+++ "))
}

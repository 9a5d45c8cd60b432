//! What a patch came to: as data, as the short text that a model reads, and as the lines of a terminal.

use super::answer::{Fields, concurrency, hex, status};
use super::changed::{named, pending};
use super::telling::Telling;
use super::terminal::{for_terminal, one_line};
use super::text::{head, many};
use patchwright_core::outcome::{BatchName, Extent, Operation, Patched, PatchedFile};
use serde_json::Value;
use std::io::{self, Write};

/// A text shows no more than this much of the diffs; the data has them all.
const SHOWN: usize = 4 << 10;

/// The data of an answer.
pub(super) fn data(patch: &Patched) -> Value {
    fields(patch).mark("unchanged", patch.extent == Extent::Unchanged).done()
}

/// The data beside an error: what was done before it.
pub(super) fn done(patch: &Patched) -> Value {
    fields(patch).done()
}

fn fields(patch: &Patched) -> Fields {
    let sure = patch.extent == Extent::Done;
    Fields::new()
        .put("atomic", patch.atomic == patchwright_core::tool::Atomic::Whole)
        .put("hunkCount", patch.hunks)
        .batch(patch.batch.as_ref().filter(|_| sure || patch.extent == Extent::Proposed))
        .maybe("status", status(patch.extent))
        .put("changedFiles", patch.files.iter().map(file).collect::<Vec<Value>>())
        .mark("dryRun", patch.extent == Extent::Dry)
        .maybe("concurrency", sure.then(|| concurrency(patch.concurrency)))
}

fn file(file: &PatchedFile) -> Value {
    Fields::new()
        .put("path", file.path.as_str())
        .put("operation", word(file.operation))
        .maybe("toPath", file.to.as_deref())
        .maybe("beforeSha256", hex(file.before))
        .maybe("afterSha256", hex(file.after))
        .put("diff", file.diff.as_str())
        .mark("diffTruncated", file.diff_cut)
        .maybe("trashId", file.trash.as_deref())
        .done()
}

fn word(operation: Operation) -> &'static str {
    match operation {
        Operation::Create | Operation::Restore => "add",
        Operation::Update => "update",
        Operation::Delete => "delete",
        Operation::Move => "move",
    }
}

/// One line of summary.
pub(super) fn summary(patch: &Patched) -> String {
    let what = format!("{}, {}", many(patch.files.len(), "file", "files"), many(patch.hunks, "hunk", "hunks"));
    let name = named(patch.batch.as_ref());
    match patch.extent {
        Extent::Unchanged => "Everything already is as the patch wants it; nothing was changed".to_owned(),
        Extent::Dry => format!("Dry run, nothing was changed: would apply {what}"),
        Extent::Proposed => format!("{name}proposed, nothing has changed yet: {what}"),
        Extent::Done => format!("{name}applied {what}"),
    }
}

/// A line for each file; of a proposal what can be done with it, and the diffs.
pub(super) fn payload(patch: &Patched, tell: &Telling<'_>) -> String {
    let files: String = patch.files.iter().map(|file| format!("{}\n", names(file))).collect();
    match patch.extent {
        Extent::Proposed => {
            let diffs = diffs(patch.files.iter().map(|file| file.diff.as_str()), patch.batch.as_ref(), tell);
            pending(patch.batch.as_ref(), tell) + &files + &diffs
        }
        Extent::Done | Extent::Dry | Extent::Unchanged => files,
    }
}

/// The diffs of all files up to a limit, then how to see more.
pub(super) fn diffs<'a>(diffs: impl Iterator<Item = &'a str>, batch: Option<&BatchName>, tell: &Telling<'_>) -> String {
    let all: String = diffs.collect();
    match (head(&all, SHOWN), batch.filter(|_| tell.has("get_patch_change"))) {
        ((diff, 0), _) => diff.to_owned(),
        ((diff, more), Some(batch)) => format!(
            "{diff}… {} of the diff: get_patch_change {{\"batchId\":\"{batch}\"}} shows all\n",
            many(more, "more line", "more lines")
        ),
        ((diff, more), None) => {
            format!("{diff}… {} of the diff; read_file shows the files\n", many(more, "more line", "more lines"))
        }
    }
}

/// A line for each file, for a person: its sign, its path, and where what it held went.
pub fn lines(patch: &Patched) -> String {
    let line = |file: &PatchedFile| {
        let trash = file.trash.as_deref().map(|id| format!(" (trashId {id})")).unwrap_or_default();
        format!("{}{trash}\n", names(file))
    };
    patch.files.iter().map(line).collect()
}

/// `A`, `M`, `D` or `R`, and the path.
fn names(file: &PatchedFile) -> String {
    let path = one_line(&file.path);
    match (file.operation, file.to.as_deref()) {
        (Operation::Create | Operation::Restore, _) => format!("A {path}"),
        (Operation::Update, _) => format!("M {path}"),
        (Operation::Delete, _) => format!("D {path}"),
        (Operation::Move, to) => format!("R {path} -> {}", one_line(to.unwrap_or_default())),
    }
}

/// What stays done although the call failed.
pub(super) fn kept(patch: &Patched) -> String {
    let files: String = patch.files.iter().map(|file| format!("{}\n", names(file))).collect();
    match (patch.files.len(), patch.extent) {
        (0, _) => "No section was applied.\n".to_owned(),
        (_, Extent::Dry) => format!("Sections before it would be applied:\n{files}"),
        _ => format!("These sections were applied and stay so:\n{files}"),
    }
}

/// Of a call that failed part way: the batch of what was done, with which its text begins, and what to send then.
pub(super) fn part_way(patch: &Patched) -> Option<(String, &'static str)> {
    let done = patch.extent == Extent::Done && !patch.files.is_empty();
    done.then(|| {
        let begins = format!("{}applied in part. ", named(patch.batch.as_ref()));
        (begins, " Send only the sections from the failed one on: those above are applied.")
    })
}

/// How diffs are to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Bytes as they are.
    Raw,
    /// With everything made visible that could fool a reader.
    Plain,
    /// In colour too.
    Coloured,
}

/// Writes diffs for a person or a pipe.
pub fn show_diffs<'a>(diffs: impl Iterator<Item = &'a str>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    for line in diffs.flat_map(str::lines) {
        match (looks, colour(line)) {
            (Looks::Raw, _) => writeln!(out, "{line}")?,
            (Looks::Coloured, Some(colour)) => writeln!(out, "\u{1b}[{colour}m{}\u{1b}[0m", for_terminal(line))?,
            _ => writeln!(out, "{}", for_terminal(line))?,
        }
    }
    Ok(())
}

/// The colour of a diff's line, as terminals number them.
fn colour(line: &str) -> Option<&'static str> {
    match line.as_bytes() {
        [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => Some("1"),
        [b'+', ..] => Some("32"),
        [b'-', ..] => Some("31"),
        [b'@', b'@', ..] => Some("36"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours() {
        for (line, want) in [
            ("--- a/x", Some("1")),
            ("+++ b/x", Some("1")),
            ("+new", Some("32")),
            ("-old", Some("31")),
            ("@@ -1 +1 @@", Some("36")),
            (" same", None),
            ("", None),
        ] {
            assert_eq!(colour(line), want, "{line}");
        }
    }

    #[test]
    fn looks() {
        for (looks, want) in [
            (Looks::Raw, "+a\u{7}\n"),
            (Looks::Plain, "+a\\u{7}\n"),
            (Looks::Coloured, "\u{1b}[32m+a\\u{7}\u{1b}[0m\n"),
        ] {
            let mut out = Vec::new();
            show_diffs(["+a\u{7}\n"].into_iter(), looks, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), want);
        }
    }
}

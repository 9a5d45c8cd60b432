//! What a patch came to: as data, as the short text that a model reads, and as the lines of a terminal.

use super::answer::{Fields, concurrency, hex, status};
use super::terminal::{for_terminal, one_line};
use super::text::{many, pending};
use patchwright_core::outcome::{Extent, Operation, Patched, PatchedFile};
use serde_json::Value;
use std::io::{self, Write};

/// A text shows no more than this much of the diffs; the data has them all.
const SHOWN: usize = 64 * 1024;

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
        .maybe("batchId", patch.batch.as_deref().filter(|_| sure || patch.extent == Extent::Proposed))
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
    let batch = patch.batch.as_deref().map(|id| format!("; batch {id}")).unwrap_or_default();
    match patch.extent {
        Extent::Unchanged => "Everything already is as the patch wants it; nothing was changed".to_owned(),
        Extent::Dry => format!("Would apply the patch: {what} (dry run: nothing was changed)"),
        Extent::Proposed => format!("Proposed the patch: {what}{batch}"),
        Extent::Done => format!("Applied the patch: {what}{batch}"),
    }
}

/// What was done to which file, then the diffs, as many as are fit to read.
pub(super) fn payload(patch: &Patched) -> String {
    let out = pending(patch.extent, patch.batch.as_deref()) + &lines(patch);
    with_diffs(out, patch.files.iter().map(|file| file.diff.as_str()))
}

/// A text and the diffs of its files, as many as are fit to read.
pub(super) fn with_diffs<'a>(mut out: String, diffs: impl Iterator<Item = &'a str>) -> String {
    let mut left_out = 0;
    for diff in diffs {
        if out.len().saturating_add(diff.len()) > SHOWN {
            left_out += 1;
        } else {
            out.push_str(diff);
        }
    }
    if left_out > 0 {
        out.push_str(&format!("… the diffs of {} are left out here\n", many(left_out, "file", "files")));
    }
    out
}

/// A line for each file: `A`, `M`, `D` or `R`, and its path.
pub fn lines(patch: &Patched) -> String {
    patch.files.iter().map(line).collect()
}

fn line(file: &PatchedFile) -> String {
    let path = one_line(&file.path);
    let trash = file.trash.as_deref().map(|id| format!(" (trashId {id})")).unwrap_or_default();
    match (file.operation, file.to.as_deref()) {
        (Operation::Create | Operation::Restore, _) => format!("A {path}{trash}\n"),
        (Operation::Update, _) => format!("M {path}{trash}\n"),
        (Operation::Delete, _) => format!("D {path}{trash}\n"),
        (Operation::Move, to) => format!("R {path} -> {}{trash}\n", one_line(to.unwrap_or_default())),
    }
}

/// What stays done although the call failed.
pub(super) fn kept(patch: &Patched) -> String {
    match (patch.files.len(), patch.extent) {
        (0, _) => "No section was applied.\n".to_owned(),
        (_, Extent::Dry) => format!("Sections before it would be applied:\n{}", lines(patch)),
        _ => format!(
            "Sections before it were applied and stay so (leave them out when you send the rest):\n{}",
            lines(patch)
        ),
    }
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

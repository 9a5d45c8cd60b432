//! What a patch came to: as data, and as the short text that a model reads.

use super::amounts::{diffs, many};
use super::changed::{named, pending, written};
use super::fields::{Fields, concurrency, hex, status};
use super::telling::Telling;
use super::terminal::one_line;
use patchwright_core::batch::BatchName;
use patchwright_core::outcome::{Extent, Operation, Patched, PatchedFile};
use serde_json::Value;

/// A text shows no more than this much of the diffs; the data has them all.
pub(super) const SHOWN: usize = 4 << 10;

/// A text names so many files; the caller knows them.
const NAMED: usize = 50;

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

/// A line for each file; of what is not done yet, the diffs, and of a proposal what can be done with it.
pub(super) fn payload(patch: &Patched, tell: &Telling<'_>) -> String {
    let files = listed(&patch.files);
    let shown = |rest: &str| diffs(patch.files.iter().map(|file| (news(&file.diff), file.diff_cut)), SHOWN, rest);
    match patch.extent {
        Extent::Proposed => {
            let rest = reviewed(patch.batch.as_ref(), tell).unwrap_or_default();
            pending(patch.batch.as_ref(), tell) + &files + &shown(&rest)
        }
        Extent::Dry => files + &shown(""),
        Extent::Done | Extent::Unchanged => files,
    }
}

fn listed(files: &[PatchedFile]) -> String {
    let more = match files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("… and {}\n", many(more, "more file", "more files")),
    };
    let lines: String = files.iter().take(NAMED).map(|file| format!("{}\n", names(file))).collect();
    lines + &more
}

/// Where all of a diff can be seen.
pub(super) fn reviewed(batch: Option<&BatchName>, tell: &Telling<'_>) -> Option<String> {
    let batch = batch.filter(|_| tell.has("get_patch_change"))?;
    Some(format!(": get_patch_change {{\"batchId\":\"{batch}\"}} shows all"))
}

/// A diff, unless it says no more than what is done to which path.
pub(super) fn news(diff: &str) -> &str {
    let known = |line: &str| {
        let file_mode = line.starts_with("deleted file mode ");
        !file_mode && ["rename from ", "rename to ", "deleted ", "restored "].iter().any(|word| line.starts_with(word))
    };
    if diff.lines().all(known) { "" } else { diff }
}

/// `A`, `M`, `D` or `R`, and the path.
fn names(file: &PatchedFile) -> String {
    let path = written(&file.path, file.real.as_deref());
    match (file.operation, file.to.as_deref()) {
        (Operation::Create | Operation::Restore, _) => format!("A {path}"),
        (Operation::Update, _) => format!("M {path}"),
        (Operation::Delete, _) => format!("D {path}"),
        (Operation::Move, to) => format!("R {path} -> {}", one_line(to.unwrap_or_default())),
    }
}

/// What stays done although the call failed.
pub(super) fn kept(patch: &Patched) -> String {
    let files = listed(&patch.files);
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

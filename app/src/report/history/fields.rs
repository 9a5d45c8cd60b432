//! Stored batches and the origin of lines as JSON, by the fields of the table of tools.

use super::super::fields::{Fields, concurrency, hex, marked};
use super::super::time::rfc3339;
use super::{joined, only_shown};
use patchwright_core::batch::{Author, BatchName, BatchStatus, ChangeName};
use patchwright_core::outcome::{
    BatchList, BatchPath, BatchSummary, BatchView, ChangeLines, ChangeView, Explained, Extent, FilePatchView, LineRun,
    Operation, Settled,
};
use serde_json::Value;

/// How much is told of changes.
#[derive(Clone, Copy)]
enum Depth {
    /// All, with their lines.
    Whole,
    /// Where they are, but not what they say.
    Places,
    /// The same without ids: those of an undo that was not made lead nowhere.
    Nameless,
}

impl Depth {
    fn id(self, id: &str) -> Option<&str> {
        (!matches!(self, Depth::Nameless)).then_some(id)
    }
}

pub(super) fn batches(list: &BatchList) -> Value {
    Fields::new()
        .put("batches", list.batches.iter().map(summary).collect::<Vec<_>>())
        .maybe("nextCursor", list.next_cursor.as_deref())
        .done()
}

fn summary(batch: &BatchSummary) -> Value {
    Fields::new()
        .batch(Some(&batch.name))
        .maybe("batchKey", batch.key.as_deref())
        .maybe("batchLabel", batch.label.as_deref())
        .put("tool", batch.tool.as_str())
        .put("time", time(&batch.author))
        .put("sessionId", batch.author.session.as_str())
        .put("client", batch.author.client.as_str())
        .maybe("actor", batch.author.actor.as_deref())
        .put("status", batch.status.name())
        .put("files", batch.files.iter().map(path).collect::<Vec<_>>())
        .put("changes", batch.changes)
        .put("linesAdded", batch.added)
        .put("linesRemoved", batch.removed)
        .maybe("undoes", ids(&batch.undoes))
        .maybe("undoesBatches", names(&batch.undoes))
        .done()
}

fn path(file: &BatchPath) -> Value {
    Fields::new()
        .put("operation", file.operation.name())
        .put("path", file.path.as_str())
        .maybe("to", file.to.as_deref())
        .done()
}

pub(super) fn batch(view: &BatchView) -> Value {
    let batch = &view.summary;
    let author = Fields::new()
        .put("sessionId", batch.author.session.as_str())
        .put("client", batch.author.client.as_str())
        .maybe("actor", batch.author.actor.as_deref())
        .done();
    let fields = Fields::new()
        .batch(Some(&batch.name))
        .maybe("batchKey", batch.key.as_deref())
        .maybe("batchLabel", batch.label.as_deref())
        .put("tool", batch.tool.as_str())
        .put("status", batch.status.name())
        .put("author", author)
        .put("time", time(&batch.author))
        .maybe("applied", batch.applied.as_ref().map(applier))
        .mark("rebased", view.rebased)
        .maybe("undoneBy", ids(&batch.undone_by))
        .maybe("undoneByBatches", names(&batch.undone_by))
        .maybe("undoes", ids(&batch.undoes))
        .maybe("undoesBatches", names(&batch.undoes));
    with_files(fields, &view.files, Depth::Whole)
        .put("truncated", view.next_cursor.is_some())
        .maybe("nextCursor", view.next_cursor.as_deref())
        .done()
}

fn applier(author: &Author) -> Value {
    Fields::new()
        .put("sessionId", author.session.as_str())
        .put("client", author.client.as_str())
        .maybe("actor", author.actor.as_deref())
        .put("time", time(author))
        .done()
}

fn with_files(fields: Fields, files: &[FilePatchView], depth: Depth) -> Fields {
    let diffs = joined(files);
    fields
        .put("diff", diffs.text)
        .mark("diffTruncated", diffs.cut || diffs.left_out > 0)
        .put("files", files.iter().map(|one| file(one, depth)).collect::<Vec<_>>())
}

fn file(file: &FilePatchView, depth: Depth) -> Value {
    Fields::new()
        .maybe("filePatchId", depth.id(&file.id))
        .maybe("fileKey", file.key.as_deref())
        .maybe("fileLabel", file.label.as_deref())
        .maybe("docPath", file.doc_path.as_deref())
        .put("operation", file.operation.name())
        .put("path", file.path.as_str())
        .maybe("to", file.to.as_deref())
        .maybe("originalSha256", hex(file.before))
        .maybe("newSha256", hex(file.after))
        .put("diff", file.diff.as_str())
        .mark("diffTruncated", file.diff_cut)
        .put("changes", file.changes.iter().map(|one| change(one, file.operation, depth)).collect::<Vec<_>>())
        .done()
}

fn change(change: &ChangeView, file: Operation, depth: Depth) -> Value {
    let named = match depth {
        Depth::Nameless => Fields::new(),
        Depth::Whole | Depth::Places => Fields::new().change(&change.name),
    };
    let fields = named
        .maybe("changeKey", change.key.as_deref())
        .put("operation", change.operation.as_str())
        .maybe("description", change.description.as_deref());
    let (old, new) = match depth {
        Depth::Whole if file == Operation::Update => as_patch(change),
        _ => (None, None),
    };
    marked(fields, &change.marks)
        .put("status", change.status.name())
        .maybe("undoes", ids(&change.undoes))
        .maybe("undoesChanges", names(&change.undoes))
        .put("before", span(&change.before, depth))
        .put("after", span(&change.after, depth))
        .maybe("expectedOriginalLines", old)
        .maybe("newLines", new)
        .done()
}

/// The lines of a change as a line patch has them; nothing of what is not all here, or is no change of lines.
fn as_patch(change: &ChangeView) -> (Option<Vec<String>>, Option<Vec<String>>) {
    let (old, new) = match change.operation.as_str() {
        "insert" => (None, change.after.whole()),
        "replace" => (change.before.whole(), change.after.whole()),
        "delete" => (change.before.whole(), None),
        _ => (None, None),
    };
    (old.map(<[String]>::to_vec), new.map(<[String]>::to_vec))
}

fn span(span: &ChangeLines, depth: Depth) -> Value {
    let said = match depth {
        Depth::Whole => span.lines.clone(),
        Depth::Places | Depth::Nameless => None,
    };
    let cut = said.is_some() && span.is_cut();
    let from = (cut && span.skipped > 0).then(|| span.first.saturating_add(span.skipped));
    Fields::new()
        .put("startLine", span.first)
        .put("lineCount", span.count)
        .maybe("lines", said)
        .maybe("linesFrom", from)
        .mark("truncated", cut)
        .done()
}

pub(super) fn settled(settled: &Settled) -> Value {
    let depth = if only_shown(settled) { Depth::Nameless } else { Depth::Places };
    let sure = settled.extent == Extent::Done && settled.status != BatchStatus::Rejected;
    let fields = Fields::new()
        .batch(settled.batch.as_ref())
        .put("status", settled.status.name())
        .maybe("undoneBatchIds", ids(&settled.undone))
        .maybe("undoneBatches", names(&settled.undone))
        .put("changeIds", ids(&settled.changes).unwrap_or_default())
        .put("changes", names(&settled.changes).unwrap_or_default())
        .maybe("droppedChangeIds", ids(&settled.dropped))
        .maybe("droppedChanges", names(&settled.dropped))
        .mark("rebased", settled.rebased);
    with_files(fields, &settled.files, depth)
        .mark("unchanged", settled.extent == Extent::Unchanged)
        .mark("dryRun", settled.extent == Extent::Dry)
        .maybe("concurrency", sure.then(|| concurrency(settled.concurrency)))
        .done()
}

pub(super) fn explained(explained: &Explained) -> Value {
    Fields::new()
        .put("path", explained.path.as_str())
        .put("lineCount", explained.line_count)
        .put("sha256", explained.sha256.to_string())
        .put("runs", explained.runs.iter().map(run).collect::<Vec<_>>())
        .put("truncated", explained.next_line.is_some())
        .maybe("nextStartLine", explained.next_line)
        .done()
}

fn run(run: &LineRun) -> Value {
    let fields = Fields::new()
        .put("startLine", run.first)
        .put("endLine", super::told::last(run))
        .put("lines", run.lines.clone())
        .put("recorded", run.origin.is_some());
    let Some(origin) = &run.origin else { return fields.done() };
    fields
        .batch(Some(&origin.batch))
        .change(&origin.change)
        .put("tool", origin.tool.as_str())
        .put("sessionId", origin.author.session.as_str())
        .put("client", origin.author.client.as_str())
        .put("time", time(&origin.author))
        .maybe("description", origin.description.as_deref())
        .maybe("path", origin.path.as_deref())
        .done()
}

fn time(author: &Author) -> String {
    rfc3339(author.time_ns.into())
}

/// Something with an id and a short name.
trait Named: std::fmt::Display {
    fn id(&self) -> &str;
}

impl Named for BatchName {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Named for ChangeName {
    fn id(&self) -> &str {
        &self.id
    }
}

/// The ids of a list, unless it is empty.
fn ids(list: &[impl Named]) -> Option<Vec<String>> {
    (!list.is_empty()).then(|| list.iter().map(|name| name.id().to_owned()).collect())
}

/// The short names of a list, unless it is empty.
fn names(list: &[impl Named]) -> Option<Vec<String>> {
    (!list.is_empty()).then(|| list.iter().map(ToString::to_string).collect())
}

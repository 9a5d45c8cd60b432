//! What a call came to, as the JSON object that every door gives. Names and texts go out byte for byte.

use super::base64::base64;
use super::doc_paths;
use super::fields::{Fields, concurrency, hex, newline_style, sort, status};
use super::history;
use super::lists::{Listed, Matched};
use super::patched;
use super::telling::Telling;
use super::time::rfc3339;
use super::trouble;
use super::warnings::warning;
use super::{edits, invoke};
use patchwright_core::anchor::{FORMAT, Shown};
use patchwright_core::outcome::{
    Answer, Changed, Extent, Failed, FileView, Form, Hit, Hits, Purged, Replayed, Reply, TrashEntry, Trouble,
    ViewContent,
};
use patchwright_core::refusal::Sort;
use patchwright_core::text::Cut;
use patchwright_core::warning::Warning;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The answer as JSON: `{ok, data, …}` or `{ok, error, …}`; of line patches `{successful, …}`.
pub fn answer(outcome: &Result<Reply, Failed>) -> Value {
    answer_to(outcome, &Telling::PROGRAM)
}

/// The answer as JSON, for whoever is served some tools only: the next step names no other.
pub fn answer_to(outcome: &Result<Reply, Failed>, tell: &Telling<'_>) -> Value {
    match outcome {
        Ok(reply) => invoke::told(reply).unwrap_or_else(|| went_through(reply)),
        Err(failed) if failed.form == Form::Invoke => invoke::not_told(failed, tell),
        Err(failed) => did_not(failed, tell),
    }
}

/// An outcome that writes itself as the JSON that [`answer`] builds, long lists entry by entry.
pub struct Told<'a>(pub &'a Result<Reply, Failed>, pub Telling<'a>);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Ok(reply) = self.0 else { return answer_to(self.0, &self.1).serialize(to) };
        match &reply.answer {
            Answer::Listing(listing) => told(reply, &Listed::new(listing)).serialize(to),
            Answer::Globbed(found) => told(reply, &Matched::new(found)).serialize(to),
            _ => answer(self.0).serialize(to),
        }
    }
}

/// The answer around the data of a call that only looked: it is neither on record nor replayed.
#[derive(Serialize)]
struct Looked<'a, T> {
    ok: bool,
    data: &'a T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

fn told<'a, T: Serialize>(reply: &Reply, data: &'a T) -> Looked<'a, T> {
    Looked { ok: true, data, warnings: reply.warnings.iter().map(warning).collect() }
}

/// Plain data always makes a tree: names are texts, and numbers are whole.
fn tree(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or_default()
}

fn went_through(reply: &Reply) -> Value {
    Fields::new()
        .put("ok", true)
        .put("data", data(&reply.answer))
        .maybe("warnings", worded(&reply.warnings))
        .maybe("auditHead", hex(reply.audit_head))
        .mark("replayed", reply.replayed == Replayed::Yes)
        .done()
}

/// The warnings in words; nothing if there are none.
fn worded(warnings: &[Warning]) -> Option<Vec<Value>> {
    (!warnings.is_empty()).then(|| warnings.iter().map(|told| warning(told).into()).collect())
}

fn did_not(failed: &Failed, tell: &Telling<'_>) -> Value {
    let words = trouble::trouble(&failed.trouble, tell);
    let (path, recoverable) = match &failed.trouble {
        Trouble::Refused(refusal) => (refusal.path.as_deref(), refusal.kind().recoverable()),
        Trouble::Fault(fault) => (fault.path.as_deref(), false),
    };
    let error = Fields::new()
        .put("kind", failed.trouble.kind().name())
        .put("message", words.message)
        .maybe("path", path)
        .maybe("details", trouble::details(&failed.trouble))
        .put("recoverable", recoverable)
        .put("suggestedAction", words.next)
        .done();
    Fields::new()
        .put("ok", false)
        .put("error", error)
        .maybe("data", failed.done.as_deref().map(patched::done))
        .maybe("warnings", worded(&failed.warnings))
        .maybe("auditHead", hex(failed.audit_head))
        .done()
}

fn data(answer: &Answer) -> Value {
    match answer {
        Answer::File(view) => file(view),
        Answer::Listing(listing) => tree(&Listed::new(listing)),
        Answer::Hits(found) => hits(found),
        Answer::Globbed(found) => tree(&Matched::new(found)),
        Answer::Changed(change) => changed(change),
        Answer::Patched(patch) => patched::data(patch),
        Answer::Edited(edit) => edits::data(edit),
        Answer::Trash(entries) => json!({ "entries": entries.iter().map(trash_entry).collect::<Vec<_>>() }),
        Answer::Purged(purge) => purged(purge),
        Answer::WithDocPaths(inner) => doc_paths::beside(data(inner)),
        other => history::data(other),
    }
}

fn file(view: &FileView) -> Value {
    let (text, bytes) = match &view.content {
        ViewContent::Text(text) => (Some(text.as_str()), None),
        ViewContent::Bytes(bytes) => (None, Some(base64(bytes))),
    };
    let next = match view.cut {
        Some(Cut::GoOnAt(line) | Cut::InLine(line)) => Some(line),
        None => None,
    };
    Fields::new()
        .put("path", view.path.as_str())
        .maybe("content", text)
        .maybe("contentBase64", bytes)
        .put("encoding", view.encoding.as_str())
        .put("startLine", view.start_line)
        .put("endLine", view.end_line)
        .put("lineCount", view.line_count)
        .put("sizeBytes", view.size)
        .put("sha256", view.sha256.to_string())
        .put("truncated", view.cut.is_some())
        .maybe("nextStartLine", next)
        .put("binary", text.is_none())
        .put("newlineStyle", newline_style(view.newline_style))
        .put("hasBom", view.has_bom)
        .put("finalNewline", view.final_newline)
        .maybe("anchorFormat", view.anchors.as_ref().map(|_| FORMAT))
        .maybe("recommendedAnchors", view.anchors.as_ref().map(|best| anchors(best)))
        .done()
}

fn anchors(best: &[Shown]) -> Vec<String> {
    best.iter().map(Shown::to_string).collect()
}

fn hits(found: &Hits) -> Value {
    json!({
        "matches": found.matches.iter().map(|one| hit(one, found.context_lines)).collect::<Vec<_>>(),
        "truncated": found.truncated,
        "filesScanned": found.files_scanned,
    })
}

fn hit(hit: &Hit, context: usize) -> Value {
    let fields = Fields::new().put("path", hit.path.as_str());
    let Some(place) = &hit.place else { return fields.done() };
    let around = |lines: &[String]| (context > 0).then(|| lines.to_vec());
    fields
        .put("line", place.line)
        .put("column", place.column)
        .put("preview", place.preview.as_str())
        .maybe("anchor", place.anchor.map(|anchor| anchor.to_string()))
        .maybe("before", around(&place.before))
        .maybe("after", around(&place.after))
        .done()
}

fn changed(change: &Changed) -> Value {
    Fields::new()
        .put("path", change.path.as_str())
        .maybe("beforeSha256", hex(change.before))
        .maybe("afterSha256", hex(change.after))
        .put("sizeBytes", change.size)
        .maybe("files", change.holds.map(|holds| holds.files))
        .maybe("folders", change.holds.map(|holds| holds.folders))
        .put("diff", change.diff.as_str())
        .mark("diffTruncated", change.diff_cut)
        .batch(change.batch.as_ref())
        .maybe("status", status(change.extent))
        .maybe("trashId", change.trash.as_deref())
        .mark("unchanged", change.extent == Extent::Unchanged)
        .mark("dryRun", change.extent == Extent::Dry)
        .maybe("concurrency", (change.extent == Extent::Done).then(|| concurrency(change.concurrency)))
        .done()
}

fn trash_entry(entry: &TrashEntry) -> Value {
    Fields::new()
        .put("trashId", entry.id.as_str())
        .put("path", entry.path.as_str())
        .maybe("type", entry.holds.map(|_| sort(Sort::Folder)))
        .put("deletedAt", rfc3339(entry.deleted_ns))
        .maybe("sha256", hex(entry.sha256))
        .put("sizeBytes", entry.size)
        .maybe("files", entry.holds.map(|holds| holds.files))
        .maybe("folders", entry.holds.map(|holds| holds.folders))
        .put("mode", format!("{:04o}", entry.mode & 0o7777))
        .put("by", entry.by.as_str())
        .done()
}

fn purged(purge: &Purged) -> Value {
    Fields::new()
        .put("purged", purge.entries)
        .put("freedBytes", purge.bytes)
        .put("trashIds", purge.ids.clone())
        .batch(purge.batch.as_ref())
        .mark("unchanged", purge.extent == Extent::Unchanged)
        .mark("dryRun", purge.extent == Extent::Dry)
        .done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::outcome::{Entry, Globbed, Listing};

    #[test]
    fn what_writes_itself_is_what_is_built() {
        let entry = |path: &str| Entry {
            path: path.into(),
            sort: Sort::File,
            size: 3,
            mtime_ns: 1_000_000_000,
            depth: 1,
            sha256: None,
        };
        let entries = vec![entry("a/b"), entry("c\u{202e}\"")];
        let listing = Listing { path: ".".into(), entries: entries.clone(), next_cursor: Some("ff".into()) };
        let globbed = Globbed { matches: entries, truncated: false };
        let unreadable = patchwright_core::warning::Warning::Unreadable { path: "x".into(), count: 1 };
        for (answered, warnings) in
            [(Answer::Listing(listing), vec![unreadable]), (Answer::Globbed(globbed), Vec::new())]
        {
            let outcome = Ok(Reply { answer: answered, warnings, audit_head: None, replayed: Replayed::No });
            assert_eq!(serde_json::to_string(&Told(&outcome, Telling::PROGRAM)).unwrap(), answer(&outcome).to_string());
        }
    }
}

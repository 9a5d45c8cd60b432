//! What a line patch, or the reading for one, came to: an `InvokeResult`, for good news and bad. Everything that
//! stands against a call is an entry of its own.

use super::amounts::last;
use super::details::argument;
use super::fields::{Fields, concurrency, hex, marked};
use super::telling::Telling;
use super::terminal::one_line;
use super::trouble::{details, line_patch};
use super::warnings::warning;
use line_patch::{Entry, LISTED};
use patchwright_core::outcome::{
    Answer, ChangeView, DocView, Extent, Failed, FilePatchView, LinePatched, Replayed, Reply, Trouble,
};
use patchwright_core::refusal::{ArgumentFault, Kind, Refusal, Why, argument_rule, line_patch_place, line_patch_rule};
use patchwright_core::text::Cut;
use serde_json::{Value, json};

/// The answer of a call that went through; nothing if it is told in another form.
pub(super) fn told(reply: &Reply) -> Option<Value> {
    let result = match &reply.answer {
        Answer::LinePatched(patch) => patched(patch),
        Answer::Doc(view) => doc(view),
        _ => return None,
    };
    let mut warnings: Vec<Value> = reply.warnings.iter().map(|told| warning(told).into()).collect();
    warnings.extend(line_too_long(&reply.answer).map(Value::from));
    let told = Fields::new()
        .put("successful", true)
        .put("result", result)
        .put("errors", json!([]))
        .put("warnings", warnings)
        .maybe("auditHead", hex(reply.audit_head))
        .mark("replayed", reply.replayed == Replayed::Yes);
    Some(told.done())
}

/// That there is nowhere to go on, where a line was cut.
fn line_too_long(answer: &Answer) -> Option<String> {
    let Answer::Doc(DocView { path, cut: Some(Cut::InLine(line)), .. }) = answer else { return None };
    Some(format!(
        "Line {line} of {} alone is over maxBytes, and was cut: ask again with a larger maxBytes.",
        one_line(path)
    ))
}

/// The answer of a call that did not go through.
pub(super) fn not_told(failed: &Failed, tell: &Telling<'_>) -> Value {
    let entries = entries(&failed.trouble, tell);
    let mut errors: Vec<Value> = entries.iter().take(LISTED).map(Entry::json).collect();
    let more = entries.len().saturating_sub(LISTED);
    if more > 0 {
        let details = json!({ "rule": "not_listed", "count": more });
        let message = format!("{more} further rules are broken and not listed here. Correct what is listed first.");
        errors.push(json!({ "errorCode": Kind::InvalidArguments.name(), "message": message, "details": details }));
    }
    Fields::new()
        .put("successful", false)
        .put("errors", errors)
        .put("warnings", failed.warnings.iter().map(warning).collect::<Vec<String>>())
        .maybe("auditHead", hex(failed.audit_head))
        .done()
}

/// All that stands against a call, one by one.
fn entries(bad: &Trouble, tell: &Telling<'_>) -> Vec<Entry> {
    match bad {
        Trouble::Refused(Refusal { why: Why::LinePatch(faults), .. }) => {
            faults.iter().map(|fault| line_patch::entry(fault, tell)).collect()
        }
        Trouble::Refused(Refusal { why: Why::Arguments(faults), .. }) => {
            faults.iter().map(|fault| unfit(fault, tell)).collect()
        }
        bad => {
            let rule = match bad {
                Trouble::Refused(refusal) => line_patch_rule(&refusal.why).unwrap_or("call"),
                Trouble::Fault(_) => "machine",
            };
            let file = match bad {
                Trouble::Refused(refusal) => refusal.path.as_deref(),
                Trouble::Fault(fault) => fault.path.as_deref(),
            };
            let fields = Fields::new().maybe("file", file).put("rule", rule).with(details(bad)).done();
            vec![Entry { kind: bad.kind(), words: line_patch::told(bad, "docPath", tell), details: Some(fields) }]
        }
    }
}

/// An argument that kept the call from being made.
fn unfit(fault: &ArgumentFault, tell: &Telling<'_>) -> Entry {
    let (file, change) = line_patch_place(&fault.at);
    let fields = Fields::new()
        .maybe("fileIndex", file)
        .maybe("change", change)
        .put("rule", argument_rule(&fault.expected))
        .with(Some(argument(fault)));
    Entry { kind: Kind::InvalidArguments, words: super::arguments::one(fault, tell), details: Some(fields.done()) }
}

fn patched(patch: &LinePatched) -> Value {
    let stored = patch.batch.is_some();
    Fields::new()
        .batch(patch.batch.as_ref())
        .maybe("batchKey", patch.key.as_deref())
        .maybe("batchLabel", patch.label.as_deref())
        .maybe("status", stored.then(|| patch.status.name()))
        .put("files", patch.files.iter().map(file).collect::<Vec<Value>>())
        .mark("unchanged", patch.extent == Extent::Unchanged)
        .mark("dryRun", patch.extent == Extent::Dry)
        .maybe("concurrency", (patch.extent == Extent::Done).then(|| concurrency(patch.concurrency)))
        .done()
}

fn file(file: &FilePatchView) -> Value {
    Fields::new()
        .maybe("filePatchId", id(&file.id))
        .maybe("fileKey", file.key.as_deref())
        .maybe("fileLabel", file.label.as_deref())
        .put("docPath", file.doc_path.as_deref().unwrap_or(&file.path))
        .put("path", file.path.as_str())
        .maybe("originalSha256", hex(file.before))
        .maybe("newSha256", hex(file.after))
        .put("diff", file.diff.as_str())
        .mark("diffTruncated", file.diff_cut)
        .put("changes", file.changes.iter().map(change).collect::<Vec<Value>>())
        .done()
}

fn change(change: &ChangeView) -> Value {
    let (first, count) = (change.before.first, change.before.count);
    let fields = Fields::new()
        .change(&change.name)
        .maybe("changeKey", change.key.as_deref())
        .put("operation", change.operation.as_str())
        .maybe("description", change.description.as_deref());
    let fields = marked(fields, &change.marks);
    let fields = match count {
        0 => fields.put("afterLine", first.saturating_sub(1)),
        _ => fields.put("startLine", first).put("endLine", last(first, count)),
    };
    let some = |lines: Option<&[String]>| lines.filter(|lines| !lines.is_empty()).map(<[String]>::to_vec);
    let fields = fields
        .maybe("expectedOriginalLines", some(change.before.whole()))
        .maybe("newLines", some(change.after.whole()));
    fields.put("newStartLine", change.after.first).put("newLineCount", change.after.count).done()
}

fn id(id: &str) -> Option<&str> {
    (!id.is_empty()).then_some(id)
}

fn doc(view: &DocView) -> Value {
    let whole = view.start_line == 1 && view.end_line >= view.line_count;
    let next = match view.cut {
        Some(Cut::GoOnAt(line)) => Some(line),
        Some(Cut::InLine(_)) | None => None,
    };
    Fields::new()
        .put("docPath", view.doc_path.as_str())
        .put("path", view.path.as_str())
        .put("sha256", view.sha256.to_string())
        .put("lineCount", view.line_count)
        .maybe("startLine", (!whole).then_some(view.start_line))
        .maybe("endLine", (!whole).then_some(view.end_line))
        .put("truncated", view.cut.is_some())
        .maybe("nextStartLine", next)
        // Last, so that a client which cuts a long answer leaves what is said of the cut.
        .put("content", view.content.as_str())
        .done()
}

//! What operations on anchors came to: as data, and as the text that a model reads. Why they were refused is
//! told below: `faults` as fields, `words` as sentences, `listed` line by line; `doubts` are results that look
//! like a slip.

mod doubts;
mod faults;
mod listed;
mod place;
mod was;
mod words;

pub(super) use faults::details;
pub(super) use listed::candidates;
pub(super) use words::words;

use super::amounts::{SHOWN, head, many};
use super::changed::{hash, pending, written};
use super::fields::{Fields, concurrency, hex, status as stands};
use super::telling::Telling;
use patchwright_core::outcome::{Continuity, Correction, EditFacts, Edited, Extent, SafetyStatus, StaleAnchor};
use serde_json::{Value, json};

/// A text lists no more anchors than this; the data has them all.
const LISTED: usize = 12;

/// The data of an answer.
pub(super) fn data(edit: &Edited) -> Value {
    let facts = &edit.facts;
    Fields::new()
        .put("path", edit.path.as_str())
        .put("operations_applied", facts.operations)
        .put("lines_before", facts.lines_before)
        .put("lines_after", facts.lines_after)
        .put("net_change", net(facts))
        .put("anchors_valid_through", facts.valid_through)
        .put("must_refresh_from_line", refresh_from(facts))
        .put("stale_anchors", facts.stale.iter().map(stale).collect::<Vec<_>>())
        .maybe("stale_anchors_total", (left_out(facts) > 0).then_some(facts.stale_count))
        .put("diff", facts.diff.as_str())
        .mark("diffTruncated", facts.diff_cut)
        .maybe("sha256", hex(edit.after.or(edit.before)))
        .put("baseline_continuity", continuity(edit.continuity))
        .put("writer_type", "edit")
        .put("auto_corrections", facts.corrections.iter().map(correction).collect::<Vec<_>>())
        .put("safety_status", status(facts.safety))
        .put("safety_warnings", doubts::list(&facts.doubts))
        .batch(edit.batch.as_ref())
        .maybe("status", stands(edit.extent))
        .mark("unchanged", edit.extent == Extent::Unchanged)
        .mark("dryRun", edit.extent == Extent::Dry)
        .maybe("concurrency", (edit.extent == Extent::Done).then(|| concurrency(edit.concurrency)))
        .done()
}

/// Lines now, less the lines before.
fn net(facts: &EditFacts) -> i64 {
    let signed = |lines: u64| i64::try_from(lines).unwrap_or(i64::MAX);
    signed(facts.lines_after).saturating_sub(signed(facts.lines_before))
}

fn refresh_from(facts: &EditFacts) -> u64 {
    facts.valid_through.saturating_add(1)
}

/// How many anchors that went stale are not in the list.
fn left_out(facts: &EditFacts) -> u64 {
    facts.stale_count.saturating_sub(u64::try_from(facts.stale.len()).unwrap_or(u64::MAX))
}

fn stale(stale: &StaleAnchor) -> Value {
    json!({ "line": stale.line, "was": stale.was, "anchor": named(stale), "quality": stale.quality })
}

/// What names the line now, with its number.
fn named(stale: &StaleAnchor) -> String {
    format!("{}#{}", stale.line, stale.now)
}

fn continuity(continuity: Continuity) -> &'static str {
    match continuity {
        Continuity::Clean => "clean",
        Continuity::Mixed => "mixed",
    }
}

fn status(status: SafetyStatus) -> &'static str {
    match status {
        SafetyStatus::Clean => "clean",
        SafetyStatus::Suspicious => "suspicious",
        SafetyStatus::Skipped => "skipped",
    }
}

fn correction(correction: &Correction) -> Value {
    let Correction::RangeSwapped { .. } = correction;
    json!({ "type": "range_order_swapped", "detail": corrected(correction) })
}

/// What was put right, in the very words that callers look for.
fn corrected(correction: &Correction) -> String {
    let Correction::RangeSwapped { start, end } = correction;
    format!("start_line ({start}) was after end_line ({end}). Swapped automatically.")
}

/// One line of summary.
pub(super) fn summary(edit: &Edited, tell: &Telling<'_>) -> String {
    let (path, facts) = (written(&edit.path, edit.real.as_deref()), &edit.facts);
    let operations = many(usize::try_from(facts.operations).unwrap_or(usize::MAX), "operation", "operations");
    let batch = edit.batch.as_ref().map(|batch| format!(": {batch}")).unwrap_or_default();
    let grown = match net(facts) {
        0 => String::new(),
        net => format!(
            "; now {} ({net:+})",
            many(usize::try_from(facts.lines_after).unwrap_or(usize::MAX), "line", "lines")
        ),
    };
    match edit.extent {
        Extent::Done => {
            let hold = match facts.valid_through {
                0 => String::new(),
                line if facts.stale_count > 0 => format!("; lines up to {line} keep their numbers"),
                line => format!("; anchors hold through line {line}"),
            };
            let mode = match edit.executable {
                None => "",
                Some(true) => "; now executable",
                Some(false) => "; no longer executable",
            };
            let hash = hash(edit.after, tell);
            format!("{operations} applied to {path}{batch}{grown}{mode}{hold}{hash}")
        }
        Extent::Dry => format!("Dry run, nothing was changed: {operations} would be applied to {path}{grown}"),
        Extent::Proposed => format!("{operations} proposed for {path}{batch}, nothing has changed yet{grown}"),
        Extent::Unchanged => format!("{path} already is as the {operations} would make it; nothing was changed"),
    }
}

/// What follows the summary: the notes, then the lines with their new anchors.
pub(super) fn payload(edit: &Edited, tell: &Telling<'_>) -> String {
    let pending = match edit.extent {
        Extent::Proposed => pending(edit.batch.as_ref(), tell),
        Extent::Done | Extent::Dry | Extent::Unchanged => String::new(),
    };
    let facts = &edit.facts;
    let diff = if edit.extent == Extent::Done { anchors(&facts.diff) } else { facts.diff.clone() };
    let (shown, more) = head(&diff, SHOWN);
    let rest = match (more > 0 || facts.diff_cut, edit.extent) {
        (false, _) => String::new(),
        (true, Extent::Done) => format!(
            "… cut here: read_file {{\"path\":{:?},\"startLine\":{},\"hashes\":true}} shows the new anchors\n",
            edit.path,
            refresh_from(facts)
        ),
        (true, _) => format!("… {} of the diff\n", many(more, "more line", "more lines")),
    };
    format!("{pending}{}{shown}{rest}", notes(edit))
}

/// Of a diff with anchors the lines that came, and those below them whose anchors depend on their neighbours: what was
/// there before the caller knows, and anchors above that changed are told by themselves.
fn anchors(diff: &str) -> String {
    let mut out = String::new();
    // Below lines that only went, the next line shows where they were.
    let (mut below, mut gone) = (false, false);
    for line in diff.lines() {
        let Some((sign, rest)) = line.split_at_checked(1) else { continue };
        let depends = || rest.split(' ').next().is_some_and(|anchor| anchor.contains(['~', '@']));
        match sign {
            "@" => below = false,
            "-" => (below, gone) = (true, true),
            "+" => (out, below, gone) = (out + rest + "\n", true, false),
            _ if below && (gone || depends()) => (out, gone) = (out + rest + "\n", false),
            _ => {}
        }
    }
    out
}

/// What is not as usual.
fn notes(edit: &Edited) -> String {
    let facts = &edit.facts;
    let mut out = String::new();
    if edit.continuity == Continuity::Mixed {
        out.push_str("baseline_continuity: mixed (something other than edit wrote this file too)\n");
    }
    out.extend(facts.corrections.iter().map(|correction| format!("Corrected: {}\n", corrected(correction))));
    out.push_str(&doubts::rows(&facts.doubts));
    out.push_str(&stale_rows(facts));
    out
}

fn stale_rows(facts: &EditFacts) -> String {
    if facts.stale.is_empty() {
        return String::new();
    }
    // Of many, those nearest to the change are the ones that the next call may need.
    let hidden = facts.stale.len().saturating_sub(LISTED);
    let row = |stale: &StaleAnchor| format!("{} [{}] (was {})\n", named(stale), stale.quality, stale.was);
    let rows: String = facts.stale.iter().skip(hidden).map(row).collect();
    let more = match u64::try_from(hidden).unwrap_or(u64::MAX).saturating_add(left_out(facts)) {
        0 => String::new(),
        more => format!("… {more} more further up: read those lines again before you use their anchors\n"),
    };
    format!("Of the lines above, these anchors changed:\n{more}{rows}")
}

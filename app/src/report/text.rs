//! The short form that a model reads: a summary line, then the payload; a refusal ends with its next step. It says what
//! the caller does not know already. Lines of files come out as they are, with nothing put before or after them.

use super::amounts::{SHOWN, head, many};
use super::telling::Telling;
use super::warnings::warned;
use super::{answer, changed, conflicts, doc_paths, edits, history, looks, matching, patched, patches, stale, trouble};
use patchwright_core::outcome::{Answer, Entry, Failed, Form, Listing, Replayed, Reply, Trouble};
use patchwright_core::refusal::{Misfit, Why};
use patchwright_core::warning::Warning;

/// The outcome as text.
pub fn text(outcome: &Result<Reply, Failed>, tell: &Telling<'_>) -> String {
    match outcome {
        Ok(Reply { answer: Answer::LinePatched(_) | Answer::Doc(_), .. }) => as_json(outcome, tell),
        Ok(reply) => went_through(reply, tell),
        Err(failed) if failed.form == Form::Invoke => as_json(outcome, tell),
        Err(failed) => did_not(failed, tell),
    }
}

/// The entries of a listing for which a text has no room.
pub(crate) fn left_out(listing: &Listing) -> &[Entry] {
    listing.entries.get(looks::entries(listing).1..).unwrap_or_default()
}

/// Line patches bring hashes as proof, whatever else a session goes by.
fn as_json(outcome: &Result<Reply, Failed>, tell: &Telling<'_>) -> String {
    answer::answer_to(outcome, &Telling { hashes: true, ..*tell }).to_string()
}

fn went_through(reply: &Reply, tell: &Telling<'_>) -> String {
    let (mut out, payload) = summary_and_payload(&reply.answer, tell);
    if reply.replayed == Replayed::Yes {
        out.push_str(" (already done by an earlier call with this idempotencyKey)");
    }
    // A text shows the beginning of a diff at most, and says so there.
    let told: Vec<Warning> =
        reply.warnings.iter().filter(|told| !matches!(told, Warning::DiffCut { .. })).cloned().collect();
    if !told.is_empty() {
        // What follows the head of a reading is the file's own text, which may look like a warning.
        if matches!(reply.answer, Answer::File(_)) {
            out.push_str(&format!("; {} first", many(told.len(), "warning", "warnings")));
        }
        out.push('\n');
        out.push_str(warned(&told).trim_end());
    }
    if !payload.is_empty() {
        out.push('\n');
        out.push_str(&payload);
    }
    out
}

fn did_not(failed: &Failed, tell: &Telling<'_>) -> String {
    let trouble = &failed.trouble;
    let words = trouble::trouble(trouble, tell);
    let done = failed.done.as_deref().map(patched::kept).unwrap_or_default();
    let warned = warned(&failed.warnings);
    let (kind, shown) = (trouble.kind().name(), bounded(&candidates(trouble, tell)));
    let (begins, rest) = failed.done.as_deref().and_then(patched::part_way).unwrap_or_default();
    let body = format!("{kind}: {begins}{}\n{shown}{done}{warned}", words.message);
    format!("{}{NEXT} {}{rest}", alone(&body), alone(&words.next))
}

/// How the last line begins.
const NEXT: &str = "Next step:";

/// A text in which no line begins as the last one does: what a file says, or is called, gives no orders.
fn alone(text: &str) -> String {
    // Whatever some reader takes for the end of a line.
    const ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    ENDS.iter().fold(text.to_owned(), |text, end| text.replace(&format!("{end}{NEXT}"), &format!("{end}> {NEXT}")))
}

/// As much of what a refusal points at as is fit to read.
fn bounded(shown: &str) -> String {
    match head(shown, SHOWN) {
        (head, 0) => head.to_owned(),
        (head, more) => format!("{head}… {}\n", many(more, "more line", "more lines")),
    }
}

/// What the message only points at: the closest place, line by line.
fn candidates(trouble: &Trouble, tell: &Telling<'_>) -> String {
    match trouble {
        Trouble::Refused(refusal) => match &refusal.why {
            Why::OldTextNotFound { nearest: Some(nearest), .. } => {
                format!(
                    "The closest place (= as wanted, - in oldText, + in the file; blanks made visible):\n{}",
                    matching::side_by_side(nearest)
                )
            }
            Why::HunkMisfit { misfit: Misfit::Nowhere { nearest: Some(nearest), .. }, .. } => {
                format!(
                    "The closest place (= as in the hunk, - in the hunk, + in the file; blanks made visible):\n{}",
                    matching::side_by_side(nearest)
                )
            }
            Why::MultipleMatches { edit, longer, .. } => matching::told_apart(*edit, longer, tell),
            Why::Syntax(syntax) => patches::excerpt(syntax),
            Why::Conflict(conflict) => conflicts::places(conflict),
            Why::Stale(_) => stale::differences(refusal),
            other => edits::candidates(other, tell),
        },
        Trouble::Fault(_) => String::new(),
    }
}

fn summary_and_payload(answer: &Answer, tell: &Telling<'_>) -> (String, String) {
    match answer {
        Answer::File(view) => looks::file(view, tell),
        Answer::Listing(listing) => looks::listing(listing),
        Answer::Hits(found) => looks::hits(found),
        Answer::Globbed(found) => looks::globbed(found),
        Answer::Trash(found) => looks::trash(found),
        Answer::Changed(change) => changed::told(change, tell),
        Answer::Purged(purge) => (changed::purged(purge), String::new()),
        Answer::Patched(patch) => (patched::summary(patch), patched::payload(patch, tell)),
        Answer::Edited(edit) => (edits::summary(edit, tell), edits::payload(edit, tell)),
        Answer::WithDocPaths(inner) => {
            let (summary, payload) = summary_and_payload(inner, tell);
            (summary, payload + &doc_paths::lines(inner))
        }
        other => history::told(other, tell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_but_the_last_gives_orders() {
        for end in ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            assert_eq!(alone(&format!("a{end}{NEXT}b")), format!("a{end}> {NEXT}b"), "{end:?}");
        }
        assert_eq!(alone(&format!("a {NEXT}b")), format!("a {NEXT}b"));
    }
}

//! Words for a line that does not say what the caller says it is, and calls that will do.

use super::super::line_range::LineRange;
use super::super::ready::Mend;
use super::super::telling::Telling;
use super::place::by_anchor;
use patchwright_core::locate::visible;
use patchwright_core::refusal::{Candidate, OperationFault, WasRange};
use serde_json::Value;

/// The anchor's line and what was said of it.
pub(super) fn differs(path: &str, at: &str, fault: &OperationFault, said: &str, found: &Candidate) -> String {
    let (line, text) = (found.shown.line, found.preview.as_str());
    format!(
        "{at} says that the line is `{}`, but {:?} is line {line} of {path}, which says `{}`.",
        visible(said),
        fault.anchor,
        visible(text)
    )
}

/// The same where the line was not looked at.
pub(super) fn differs_somewhere(at: &str, fault: &OperationFault, said: &str) -> String {
    format!("{at} says that the line is `{}`, but {:?} is another one.", visible(said), fault.anchor)
}

/// The lines of a range and what was said of one of them.
pub(super) fn differs_in_range(path: &str, at: &str, range: WasRange, said: &str, found: &Candidate) -> String {
    let line = found.shown.line;
    let which =
        if line == range.first { "the first line".to_owned() } else { format!("line {}", line - range.first + 1) };
    format!(
        "{at} says that {which} of the range is `{}`, but the range is {} of {path}, and line {line} says `{}`.",
        visible(said),
        LineRange { first: range.first, last: range.last }.spoken(),
        visible(&found.preview)
    )
}

/// Which lines do say it; it was looked for them where the line itself was.
pub(super) fn elsewhere(found: Option<&Candidate>, candidates: &[Candidate], count: usize) -> String {
    match count {
        0 if found.is_none() => String::new(),
        0 => " No line says that now.".to_owned(),
        1 => format!(" Line {} does.", candidates.first().map_or(0, |one| one.shown.line)),
        count => format!(" {count} lines do."),
    }
}

/// Two ways on: another anchor, or another text.
pub(super) fn step(
    fault: &OperationFault,
    found: Option<&Candidate>,
    quotable: bool,
    candidates: &[Candidate],
    tell: &Telling<'_>,
) -> String {
    let meant = match candidates {
        [] => "If another line is meant, use its anchor".to_owned(),
        [one] => {
            let anchored = || format!("use its anchor {:?}", one.shown.to_string());
            format!("If that line is meant, {}", by_anchor(fault, one, tell).unwrap_or_else(anchored))
        }
        _ => "If one of those lines is meant, use its anchor listed above".to_owned(),
    };
    let Some(found) = found else { return format!("{meant}, else quote the line as it is.") };
    let line = found.shown.line;
    format!("{meant}; if line {line} is, {}.", quoting(fault, found, quotable, tell))
}

/// A line of a range that does not say what was quoted.
pub(super) struct Differing<'a> {
    pub(super) found: &'a Candidate,
    pub(super) quotable: bool,
    /// Lines that do say it.
    pub(super) candidates: &'a [Candidate],
}

/// The same for a range: a call only where it will do.
pub(super) fn range_step(
    fault: &OperationFault,
    range: WasRange,
    differing: Differing<'_>,
    tell: &Telling<'_>,
) -> String {
    let Differing { found, quotable, candidates } = differing;
    // One line that was quoted is the first of the range, and its other end stays.
    let moved = match candidates {
        [one] if range.quoted == 1 && !range.swapped && one.shown.line < range.last => by_anchor(fault, one, tell)
            .map(|call| format!("If lines {} to {} are meant, {call}", one.shown.line, range.last)),
        _ => None,
    };
    let moved = moved.unwrap_or_else(|| "If other lines are meant, correct start_hash and end_hash".to_owned());
    let lines = LineRange { first: range.first, last: range.last }.spoken();
    let kept = match found.shown.line == range.first {
        true => quoting(fault, found, quotable, tell),
        false => "correct was: its first line is enough".to_owned(),
    };
    format!("{moved}; if {lines} are, {kept}.")
}

/// How to quote a line as it is.
fn quoting(fault: &OperationFault, found: &Candidate, quotable: bool, tell: &Telling<'_>) -> String {
    match (quotable, found.preview.ends_with('…')) {
        (true, false) => {
            let was = Value::from(found.preview.as_str());
            let set = || format!("set \"was\": {was} and look at the content again");
            let call = tell.whole(&[Mend::set(format!("operations[{}].was", fault.index), was.clone())]);
            call.map_or_else(set, |call| format!("look at the content again and call {call}"))
        }
        (true, true) => "copy it whole into was".to_owned(),
        (false, _) => "leave was out: that line holds bytes that are no text and cannot be quoted".to_owned(),
    }
}

//! Why operations on anchors were refused, in words: which operation, what is so, what to do. The lines that
//! a message points at are in `listed`.

use super::super::amounts::many;
use super::super::line_range::LineRange;
use super::super::matching::lines;
use super::super::message::Words;
use super::super::ready::{Mend, named, ready};
use super::super::telling::Telling;
use super::place::{by_anchor, place};
use super::{LISTED, listed, was};
use patchwright_core::anchor::Quality;
use patchwright_core::locate::visible;
use patchwright_core::refusal::{AnchorFault, Candidate, OperationFault, OperationField, Unknown, Why};
use patchwright_core::sanity::Doubt;
use serde_json::json;

/// The words of a refusal.
pub(in super::super) fn words(path: &str, why: &Why, tell: &Telling<'_>) -> Option<Words> {
    match why {
        Why::Operations(faults) => Some(Words::new(message(path, faults), next(path, faults, tell))),
        Why::Unsafe(found) => Some(Words::new(
            format!(
                "The result in {path} would look like a slip in {}; nothing was changed.",
                many(found.len(), "place", "places")
            ),
            unsafe_step(found),
        )),
        _ => None,
    }
}

/// What to do about a result that looks like a slip.
fn unsafe_step(found: &[Doubt]) -> String {
    let sent = match found.iter().any(|doubt| matches!(doubt, Doubt::Standing { .. })) {
        true => "If this call was sent before, it has been carried out, and nothing is left to do. Else look",
        false => "Look",
    };
    let was = match found.iter().all(|doubt| matches!(doubt, Doubt::Indented { .. })) {
        true => ", or, if the indentation is meant, add to the operation was, the present text of its line",
        false => "",
    };
    format!(
        "Line numbers here are those that the result would have. {sent} at the lines, correct the range or the content, and call again{was}. If the result is meant to be so, call again with safety_check: \"warn\"."
    )
}

fn message(path: &str, faults: &[OperationFault]) -> String {
    let [one] = faults else {
        let mut told = String::new();
        let nowhere = |fault: &&OperationFault| fault.fault == AnchorFault::Unknown(Unknown::Hash);
        let unknown: Vec<String> = faults.iter().filter(nowhere).map(place).collect();
        let mut left = LISTED;
        if unknown.len() > 1 {
            told.push_str(&format!("\n- {}", nowhere_at_all(path, &unknown)));
            left -= 1;
        }
        let others = faults.iter().filter(|fault| unknown.len() < 2 || !nowhere(fault));
        told.extend(others.clone().take(left).map(|fault| format!("\n- {}", said(path, fault))));
        let more = match others.count().saturating_sub(left) {
            0 => String::new(),
            more => format!("\n- … and {more} more"),
        };
        return format!("Nothing was changed in {path}; {}:{told}{more}", many(faults.len(), "fault", "faults"));
    };
    said(path, one)
}

/// What is wrong with one operation.
fn said(path: &str, fault: &OperationFault) -> String {
    let at = place(fault);
    match &fault.fault {
        AnchorFault::Unknown(unknown) => nowhere(path, &at, *unknown),
        AnchorFault::RangeChanged { first, last } => format!(
            "{at}: lines {first} to {last} of {path} are not what this session last saw there, or not known to be: somebody else has changed the file since, and the range would wipe that change out unseen."
        ),
        AnchorFault::Ambiguous { candidates, count } => {
            format!("{at} names {count} lines of {path}, {}; which one is meant cannot be told.", numbers(candidates))
        }
        AnchorFault::ContextAmbiguous { candidates, count } if fault.field == OperationField::Hash => format!(
            "{at} names {count} lines of {path}, {}, and not even their neighbours tell all of them apart.",
            numbers(candidates)
        ),
        AnchorFault::ContextAmbiguous { candidates, count } => format!(
            "{at} names {count} lines of {path}, {}; each end of a range must name exactly one line.",
            numbers(candidates)
        ),
        AnchorFault::NoSuchOccurrence { asked, candidates, count } => format!(
            "{at}: occurrence {asked} was asked for, but {path} has {} with this anchor, {}.",
            many(*count, "line", "lines"),
            numbers(candidates)
        ),
        AnchorFault::LineDisagrees { said, found, .. } => format!(
            "{at} is line {} of {path}, but the line number that came with it is {said}, and the file has not changed since it was read: hash and number name different lines.",
            found.shown.line
        ),
        AnchorFault::WasDiffers { said, found, candidates, count, range, .. } => {
            let told = match (found, range) {
                (None, _) => was::differs_somewhere(&at, fault, said),
                (Some(found), None) => was::differs(path, &at, fault, said, found),
                (Some(found), Some(range)) => was::differs_in_range(path, &at, *range, said, found),
            };
            told + &was::elsewhere(found.as_ref(), candidates, *count)
        }
        AnchorFault::WasLength { quoted, lines } => format!(
            "{at} quotes {}, but the operation touches {} of {path}.",
            many(*quoted, "line", "lines"),
            LineRange::from(*lines).spoken()
        ),
        AnchorFault::LowEntropy { line, content, .. } => {
            format!("{at} names line {line} of {path}, {}: too weak an anchor for a single line.", weak(content))
        }
        AnchorFault::EqualsMoved { line, count } => format!(
            "{at}: {path} has {count} equal lines with this hash, and somebody else has changed the file since they were counted; line {line} may not be the one that was meant."
        ),
        AnchorFault::OneLineRange { line, .. } => {
            format!(
                "{at}: start_hash and end_hash are both line {line} of {path}; such a range is a no-op (start equals end)."
            )
        }
        AnchorFault::Overlap { other, lines, other_lines } => format!(
            "{at} ({}) and operations[{other}] ({}) claim the same lines of {path}.",
            LineRange::from(*lines).spoken(),
            LineRange::from(*other_lines).spoken()
        ),
    }
}

/// The same of several anchors.
fn nowhere_at_all(path: &str, places: &[String]) -> String {
    let more = match places.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let some: Vec<&str> = places.iter().take(LISTED).map(String::as_str).collect();
    format!(
        "{}{more}: no line of {path} as it is now has these hashes. The file has changed since the anchors were printed, or they were not copied exactly.",
        some.join(", ")
    )
}

fn nowhere(path: &str, at: &str, unknown: Unknown) -> String {
    match unknown {
        Unknown::Hash => format!(
            "{at}: no line of {path} as it is now has this hash. The file has changed since the anchor was printed, or the anchor was not copied exactly."
        ),
        Unknown::Places(count) => format!(
            "{at}: the number of lines of {path} that share this hash is now {count}, not what the anchor says. The file has changed since the anchor was printed."
        ),
        Unknown::Charset => format!(
            "{at}: no line of {path} has this hash. {path} is not valid text in the charset that it was taken for, and the same line has other hashes in another charset."
        ),
        Unknown::EmptyFile => format!("{at}: {path} is empty now, so no line has this hash."),
    }
}

fn numbers(candidates: &[Candidate]) -> String {
    lines(&candidates.iter().map(|candidate| candidate.shown.line).collect::<Vec<_>>())
}

fn weak(content: &str) -> String {
    match content.trim().is_empty() {
        true => "which is blank".to_owned(),
        false => format!("which is `{}`, without a letter or digit", visible(content)),
    }
}

/// One step for all, or the steps with the operations that each is for.
fn next(path: &str, faults: &[OperationFault], tell: &Telling<'_>) -> String {
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    // One thing put right is no ready call while others are wrong.
    let tell = &Telling { call: tell.call.filter(|_| faults.len() == 1), ..*tell };
    for fault in faults.iter().take(LISTED) {
        let (step, at) = (step(path, fault, tell), format!("operations[{}]", fault.index));
        match steps.iter_mut().find(|(known, _)| *known == step) {
            Some((_, places)) if places.contains(&at) => {}
            Some((_, places)) => places.push(at),
            None => steps.push((step, vec![at])),
        }
    }
    match steps.as_slice() {
        [_] if !listed::told_apart(faults, tell).is_empty() => {
            "Make the call that stands above for the line you mean.".to_owned()
        }
        [(only, _)] => only.clone(),
        several => {
            let told: Vec<String> =
                several.iter().map(|(step, places)| format!("For {}: {step}", places.join(", "))).collect();
            told.join(" ")
        }
    }
}

/// What to do about one operation.
fn step(path: &str, fault: &OperationFault, tell: &Telling<'_>) -> String {
    match &fault.fault {
        AnchorFault::Unknown(Unknown::EmptyFile) => {
            let ways = [("write_file", "write_file"), ("create_file", "delete_file and then create_file")];
            format!("Give {path} its content with {}.", tell.pick(&ways, "a tool that writes whole files"))
        }
        AnchorFault::Unknown(Unknown::Charset) => format!(
            "Call edit with the same encoding that read_file was called with, such as encoding: \"windows-1252\"; or call {}, then call again with the anchors that it prints.",
            reading(path)
        ),
        AnchorFault::Unknown(_) | AnchorFault::EqualsMoved { .. } => {
            format!("Call {}, then call again with the anchors that it prints.", reading(path))
        }
        AnchorFault::RangeChanged { first, last } => format!(
            "Call {}, look at what lines {first} to {last} say now, then make the edit again with the anchors that it prints.",
            reading(path)
        ),
        AnchorFault::Ambiguous { candidates, count } | AnchorFault::ContextAmbiguous { candidates, count }
            if fault.field == OperationField::Hash && weak_lines(candidates) =>
        {
            format!(
                "These lines have no letter or digit, so an anchor alone will not do: keep the hash and add occurrence (1 to {count}, counted from the top), or use replace_range or delete_range between unique neighbouring lines."
            )
        }
        AnchorFault::Ambiguous { count, .. } => format!(
            "Use the anchor listed above for the line you mean, or add occurrence (1 to {count}, counted from the top)."
        ),
        AnchorFault::ContextAmbiguous { count, .. } if fault.field == OperationField::Hash => format!(
            "Use the anchor listed above for the line you mean, add occurrence (1 to {count}, counted from the top), or use replace_range between unique neighbouring lines."
        ),
        AnchorFault::ContextAmbiguous { .. } => format!(
            "Use for {} the anchor listed above for the line you mean, or choose another boundary line, one whose anchor is unique.",
            fault.field.name()
        ),
        AnchorFault::NoSuchOccurrence { count: 1, .. } => format!(
            "If the line listed above is the one you mean, call {}.",
            tell.again(&[Mend::Out(format!("operations[{}].occurrence", fault.index))])
        ),
        AnchorFault::NoSuchOccurrence { count, .. } => {
            format!("Set occurrence to a number from 1 to {count}, or use the anchor listed above for the line you mean.")
        }
        AnchorFault::LineDisagrees { found, there, .. } => either(fault, found, there.as_ref(), tell),
        AnchorFault::WasDiffers { range: Some(range), found: Some(found), quotable, candidates, .. } => {
            was::range_step(fault, *range, was::Differing { found, quotable: *quotable, candidates }, tell)
        }
        AnchorFault::WasDiffers { found, quotable, candidates, .. } => {
            was::step(fault, found.as_ref(), *quotable, candidates, tell)
        }
        AnchorFault::WasLength { .. } => {
            "Quote in was the first line that the operation touches, or, of a range, every one of its lines; or correct start_hash and end_hash.".to_owned()
        }
        AnchorFault::LowEntropy { line, neighbours, .. } => anchor_elsewhere(fault, *line, neighbours, tell),
        AnchorFault::OneLineRange { quality, .. } => one_line(fault, *quality, tell),
        AnchorFault::Overlap { other, .. } => {
            format!("Join operations[{other}] and operations[{}] into one operation that makes both changes.", fault.index)
        }
    }
}

/// Hash and number name different lines: a call for either.
fn either(fault: &OperationFault, found: &Candidate, there: Option<&Candidate>, tell: &Telling<'_>) -> String {
    let call = |one: &Candidate| {
        by_anchor(fault, one, tell).map(|call| format!("if line {} is meant, {call}", one.shown.line))
    };
    let calls: Option<Vec<String>> = std::iter::once(found).chain(there).map(call).collect();
    match calls {
        Some(calls) => format!("Look at the lines listed above: {}.", calls.join("; ")),
        None => "Look at the lines listed above and use the anchor of the one you mean, with its own line number or with none.".to_owned(),
    }
}

/// A range of one line is the operation on that line.
fn one_line(fault: &OperationFault, quality: Quality, tell: &Telling<'_>) -> String {
    let at = |field: &str| format!("operations[{}].{field}", fault.index);
    let op = if tell.given_text(&at("op")) == Some("delete_range") { "delete_line" } else { "replace_line" };
    let mut mends =
        vec![Mend::set(at("op"), op), Mend::Rename(at("start_hash"), "hash".to_owned()), Mend::Out(at("end_hash"))];
    if quality == Quality::Low {
        mends.push(Mend::set(at("occurrence"), 1));
    }
    format!("If that one line is meant, call {}; else give the range's other end its own anchor.", tell.again(&mends))
}

/// The reading that prints anchors.
fn reading(path: &str) -> String {
    ready("read_file", &json!({ "path": named(path), "hashes": true }))
}

/// Lines that are too weak to be anchors of their own.
fn weak_lines(candidates: &[Candidate]) -> bool {
    candidates.iter().any(|one| one.shown.quality == Quality::Low)
}

/// Better anchors than a line without letters.
fn anchor_elsewhere(fault: &OperationFault, line: usize, neighbours: &[Candidate], tell: &Telling<'_>) -> String {
    // Whether several lines have the anchor was asked before: if one has, it is the first of one.
    let this = match tell.whole(&[Mend::set(format!("operations[{}].occurrence", fault.index), 1)]) {
        Some(call) => format!("call {call}"),
        None => "add occurrence: 1".to_owned(),
    };
    let (above, below) =
        (neighbours.iter().any(|one| one.shown.line < line), neighbours.iter().any(|one| one.shown.line > line));
    let range = match (above, below) {
        (false, false) => {
            return format!("If this very line is meant, {this}; else choose a line with letters or digits.");
        }
        (true, true) => "replace_range between one above and one below covers this line",
        _ => "replace_range or delete_range from one of them to this line takes it in (an end of a range may be weak)",
    };
    format!(
        "Anchor on the neighbouring lines listed above: {range}; insert_after or insert_before goes beside one of them. If this very line is to be the anchor, {this}."
    )
}

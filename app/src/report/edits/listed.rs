//! Lines that the words of a refusal point at, as a reading shows them, so that their anchors can be copied.

use super::super::ready::Mend;
use super::super::telling::Telling;
use super::place::place;
use super::{LISTED, doubts};
use patchwright_core::anchor::Quality;
use patchwright_core::refusal::{AnchorFault, Candidate, OperationFault, OperationField, Why};

/// For no more lines than this the call is said whole.
const APART: usize = 6;

/// What the message only points at: candidates, better anchors, warnings, line by line.
pub(in super::super) fn candidates(why: &Why, tell: &Telling<'_>) -> String {
    match why {
        Why::Operations(faults) => listed(faults) + &told_apart(faults, tell),
        Why::Unsafe(found) => doubts::rows(found),
        _ => String::new(),
    }
}

fn listed(faults: &[OperationFault]) -> String {
    let mut left = LISTED;
    let mut out = String::new();
    for fault in faults {
        let (rows, count) = rows(&fault.fault);
        if rows.is_empty() {
            continue;
        }
        if faults.len() > 1 {
            out.push_str(&format!("{}:\n", place(fault)));
        }
        let shown = rows.len().min(left);
        left -= shown;
        out.extend(rows.into_iter().take(shown));
        if count > shown {
            out.push_str(&format!("… and {} more\n", count - shown));
        }
    }
    out
}

/// For each line that may be meant the same call with what names it alone; where one operation is to blame.
pub(super) fn told_apart(faults: &[OperationFault], tell: &Telling<'_>) -> String {
    let ([fault], true) = (faults, tell.given("operations").is_some()) else { return String::new() };
    let lines: Vec<(usize, &Candidate)> = match &fault.fault {
        AnchorFault::Ambiguous { candidates, count }
        | AnchorFault::ContextAmbiguous { candidates, count }
        | AnchorFault::NoSuchOccurrence { candidates, count, .. }
            if *count <= APART && *count > 1 =>
        {
            candidates.iter().enumerate().collect()
        }
        AnchorFault::LineDisagrees { found, there, .. } => std::iter::once(found).chain(there).enumerate().collect(),
        _ => return String::new(),
    };
    let said = |(at, one): (usize, &Candidate)| {
        format!("line {}: {}\n", one.shown.line, tell.again(&naming(fault, at, one, tell)))
    };
    lines.into_iter().map(said).collect()
}

/// What makes an operation name this line. A weak one takes its number among its equals; `line` says nothing then.
fn naming(fault: &OperationFault, at: usize, one: &Candidate, tell: &Telling<'_>) -> Vec<Mend> {
    let place = |field: &str| format!("operations[{}].{field}", fault.index);
    let mut mends = match one.shown.quality {
        Quality::Low
            if fault.field == OperationField::Hash && !matches!(fault.fault, AnchorFault::LineDisagrees { .. }) =>
        {
            vec![Mend::set(place("occurrence"), at + 1)]
        }
        _ => {
            let occurrence = tell.given(&place("occurrence")).map(|_| Mend::Out(place("occurrence")));
            std::iter::once(Mend::set(place(fault.field.name()), one.shown.to_string())).chain(occurrence).collect()
        }
    };
    mends.extend(tell.given(&place("line")).map(|_| Mend::Out(place("line"))));
    mends
}

/// The lines that belong to a fault, and how many there are in all.
fn rows(fault: &AnchorFault) -> (Vec<String>, usize) {
    match fault {
        AnchorFault::Ambiguous { candidates, count }
        | AnchorFault::ContextAmbiguous { candidates, count }
        | AnchorFault::NoSuchOccurrence { candidates, count, .. } => {
            (candidates.iter().take(LISTED).map(row).collect(), *count)
        }
        AnchorFault::LineDisagrees { found, there, .. } => {
            let both: Vec<String> = std::iter::once(found).chain(there).map(row).collect();
            let count = both.len();
            (both, count)
        }
        AnchorFault::WasDiffers { found, candidates, count, .. } => {
            (found.iter().chain(candidates).map(row).collect(), *count + usize::from(found.is_some()))
        }
        AnchorFault::LowEntropy { neighbours, .. } => (neighbours.iter().map(row).collect(), neighbours.len()),
        _ => (Vec::new(), 0),
    }
}

fn row(candidate: &Candidate) -> String {
    let mut out = String::new();
    candidate.shown.render(&candidate.preview, &mut out);
    out.push('\n');
    out
}

//! Lines that the words of a refusal point at, as a reading shows them, so that their anchors can be copied.

use super::words::place;
use super::{LISTED, doubts};
use patchwright_core::refusal::{AnchorFault, Candidate, OperationFault, Why};

/// What the message only points at: candidates, better anchors, warnings, line by line.
pub(in super::super) fn candidates(why: &Why) -> String {
    match why {
        Why::Operations(faults) => listed(faults),
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

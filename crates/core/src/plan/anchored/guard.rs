//! Lines inside a range that the caller has not seen.
//!
//! Promises that a range is replaced only if its lines stood so, one after the other, in what the caller
//! last knew of the file: anything else would wipe out somebody's change unseen.

use crate::anchor::{Form, long, short};
use crate::intent::{Earlier, LineOperation, Reach};
use crate::plan::placed::Placed;
use crate::refusal::{AnchorFault, OperationFault, OperationField};

/// So many lines on either side tell whether one of several equal lines is the one it was.
const AROUND: usize = 2;

/// Notes every range whose lines, all of them and nothing between, did not stand in what the caller knows. Not
/// known counts as not. The operations are apart, so that no line is looked at twice.
pub(super) fn find(
    earlier: &Earlier,
    now: &[u64],
    placed: &[Placed<'_>],
    operations: &[LineOperation],
) -> Vec<OperationFault> {
    let texts: Vec<Vec<u8>> = earlier.whole.iter().chain(&earlier.parts).map(|text| bytes(text)).collect();
    let unseen = |one: &&Placed<'_>| {
        let wanted = bytes(now.get(one.span.clone()).unwrap_or_default());
        let finder = memchr::memmem::Finder::new(&wanted);
        !texts.iter().any(|text| stands(&finder, text))
    };
    let fault = |one: &Placed<'_>| match operations.get(one.index)?.reach {
        Reach::Range { start, .. } => Some(OperationFault {
            index: one.index,
            field: OperationField::StartHash,
            anchor: start.form.to_string(),
            fault: AnchorFault::RangeChanged { first: one.span.start + 1, last: one.span.end },
        }),
        Reach::Line { .. } => None,
    };
    placed.iter().filter(|one| one.span.len() > 1).filter(unseen).filter_map(fault).collect()
}

fn stands(finder: &memchr::memmem::Finder<'_>, text: &[u8]) -> bool {
    let mut from = 0;
    // A find that does not begin with a hash is none; the next one may overlap it.
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at) {
        if at % 8 == 0 {
            return true;
        }
        from = at + 1;
    }
    false
}

fn bytes(hashes: &[u64]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect()
}

/// Is this line, one of several that a form names, the one that stood in the same place among them before?
/// `at` counts from 0 among `equals`, which count from 1. Equal lines that came or went, or others beside
/// this one, leave that open, and so does not knowing.
pub(super) fn same_place(earlier: &Earlier, now: &[u64], form: Form, at: usize, equals: &[usize]) -> bool {
    let (Some(whole), Some(line)) = (earlier.whole.as_deref(), equals.get(at)) else { return false };
    let named = |hash: u64| match form {
        Form::Short(digits) | Form::Place { short: digits, .. } => short(hash) == digits,
        Form::Long(digits) => long(hash) == digits,
        Form::Context(_) => false,
    };
    let before: Vec<usize> = whole.iter().zip(1..).filter(|(hash, _)| named(**hash)).map(|(_, line)| line).collect();
    let Some(old) = before.get(at).filter(|_| before.len() == equals.len()) else { return false };
    let near = |text: &[u64], line: usize, by: usize| line.checked_sub(by + 1).and_then(|at| text.get(at)).copied();
    let far = |text: &[u64], line: usize, by: usize| text.get(line - 1 + by).copied();
    (0..=AROUND).all(|by| near(whole, *old, by) == near(now, *line, by) && far(whole, *old, by) == far(now, *line, by))
}

//! Line ends in a diff: a diff shows them, but new lines take those of their place. Where both agree nothing is lost;
//! a diff that wants other ones is refused.

use super::lines::Lines;
use crate::dialect::envelope::Sign;
use crate::refusal::{Grammar, Refusal};

/// How a line of a hunk ends.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    pub(super) sign: Sign,
    /// In `\r\n`, or not; nothing where it does not end.
    pub(super) returns: Option<bool>,
    /// The 1-based line of the diff.
    pub(super) number: usize,
}

/// Refuses a hunk whose new lines end otherwise than the lines whose ends they will take: those that they replace, else
/// the line above, else the one below.
pub(super) fn check(lines: &[Ended], diff: &Lines<'_>) -> Result<(), Refusal> {
    let mut above = None;
    let mut rest = lines;
    while let Some(first) = rest.first() {
        if first.sign == Sign::Context {
            above = Some(first.returns);
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let len = rest.iter().take_while(|line| line.sign != Sign::Context).count();
        let (block, below) = rest.split_at_checked(len).unwrap_or((rest, &[]));
        let mut lent: Vec<Option<bool>> =
            block.iter().filter(|line| line.sign == Sign::Remove).map(|line| line.returns).collect();
        if lent.is_empty() {
            lent.extend(above.or(below.first().map(|line| line.returns)));
        }
        let mut lent = lent.into_iter();
        let mut ends = None;
        for line in block.iter().filter(|line| line.sign == Sign::Add) {
            ends = lent.next().unwrap_or(ends);
            if let (Some(ends), Some(returns)) = (ends, line.returns)
                && ends != returns
            {
                return Err(diff.fault_at(line.number, Grammar::DiffLineEnds));
            }
        }
        rest = below;
    }
    Ok(())
}

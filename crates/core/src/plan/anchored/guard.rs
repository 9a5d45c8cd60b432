//! Lines inside a range that the caller has not seen.
//!
//! Promises that a range is replaced only if its lines stood so, one after the other, in what the caller
//! last knew of the file: anything else would wipe out somebody's change unseen.

use std::ops::Range;

/// Did these lines, all of them and nothing between, stand in the earlier text? Not known counts as no.
pub(super) fn same_lines(earlier: Option<&[u64]>, now: &[u64], range: Range<usize>) -> bool {
    let (Some(earlier), Some(wanted)) = (earlier, now.get(range)) else { return false };
    let (text, wanted) = (bytes(earlier), bytes(wanted));
    let finder = memchr::memmem::Finder::new(&wanted);
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

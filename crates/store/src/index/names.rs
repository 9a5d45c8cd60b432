//! Names of files, each for a stretch of the record: what batches are looked up by when files were moved.

use std::collections::HashMap;

/// Names of files, each with the records from one number to another in which it was one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    pub(super) spans: HashMap<i64, Vec<(u64, u64)>>,
}

impl Names {
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    pub(super) fn has(&self, path: i64, seq: u64) -> bool {
        self.spans.get(&path).is_some_and(|spans| spans.iter().any(|(from, to)| (*from..=*to).contains(&seq)))
    }

    /// Adds a name for some records. Whether that is news.
    pub(super) fn add(&mut self, path: i64, first: u64, last: u64) -> bool {
        let spans = self.spans.entry(path).or_default();
        let known = spans.iter().any(|(from, to)| *from <= first && last <= *to);
        if !known {
            spans.push((first, last));
        }
        !known
    }
}

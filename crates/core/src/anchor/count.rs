//! How often each of some keys occurs among many.
//!
//! Promises that telling most keys that are not among them costs one look, and that no choice of keys makes it
//! slow: those that begin alike are searched by halves.

/// Some keys in order, and how often each was seen.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    keys: Vec<u32>,
    /// Where the keys begin that share their first bits.
    starts: Vec<u32>,
    shift: u32,
    counts: Vec<u32>,
}

impl Counter {
    /// None of these has been seen yet.
    pub(super) fn of(mut keys: Vec<u32>) -> Counter {
        keys.sort_unstable();
        keys.dedup();
        let bits = (keys.len().max(1).ilog2() + 3).min(24);
        let shift = u32::BITS - bits;
        let mut starts = vec![0; (1 << bits) + 1];
        for key in &keys {
            if let Some(after) = starts.get_mut((key >> shift) as usize + 1) {
                *after += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Counter { counts: vec![0; keys.len()], keys, starts, shift }
    }

    /// Which of the keys this is.
    pub(super) fn place(&self, key: u32) -> Option<usize> {
        let first = (key >> self.shift) as usize;
        let (from, to) = (*self.starts.get(first)? as usize, *self.starts.get(first + 1)? as usize);
        if from == to {
            return None;
        }
        let alike = self.keys.get(from..to)?;
        match alike {
            [only] => (*only == key).then_some(from),
            _ => alike.binary_search(&key).ok().map(|at| from + at),
        }
    }

    /// Counts a key if it is one of those; was it?
    pub(super) fn see(&mut self, key: u32) -> bool {
        let place = self.place(key);
        if let Some(count) = place.and_then(|at| self.counts.get_mut(at)) {
            *count = count.saturating_add(1);
        }
        place.is_some()
    }

    /// How often a key was seen.
    pub(super) fn count(&self, key: u32) -> usize {
        self.place(key).and_then(|at| self.counts.get(at)).map_or(0, |count| *count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_counted_one_by_one(
            keys in prop::collection::vec(prop_oneof![0_u32..9, any::<u32>(), Just(u32::MAX)], 0..99),
            seen in prop::collection::vec(prop_oneof![0_u32..9, any::<u32>(), Just(u32::MAX)], 0..99),
        ) {
            let mut counter = Counter::of(keys.clone());
            for key in &seen {
                prop_assert_eq!(counter.see(*key), keys.contains(key));
            }
            for key in keys.iter().chain(&seen) {
                let want = seen.iter().filter(|other| *other == key).count();
                prop_assert_eq!(counter.count(*key), if keys.contains(key) { want } else { 0 });
            }
        }
    }
}

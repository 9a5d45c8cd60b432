//! Which of some keys occur among many, and how often.
//!
//! Promises that telling a key that is not among them mostly costs one look, and that no choice of keys makes it
//! slow: those that begin alike are searched by halves.

/// One bit for each beginning of a key.
#[derive(Clone, Debug)]
struct Bits {
    words: Vec<u64>,
    shift: u32,
}

impl Bits {
    /// For the first so many bits of a key.
    fn new(bits: u32) -> Bits {
        Bits { words: vec![0; 1 << bits.saturating_sub(6)], shift: u32::BITS - bits }
    }

    fn set(&mut self, key: u32) {
        let at = key >> self.shift;
        if let Some(word) = self.words.get_mut((at >> 6) as usize) {
            *word |= 1 << (at & 63);
        }
    }

    fn has(&self, key: u32) -> bool {
        let at = key >> self.shift;
        self.words.get((at >> 6) as usize).is_some_and(|word| word >> (at & 63) & 1 == 1)
    }
}

/// Some keys, in order.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    bits: Bits,
    keys: Vec<u32>,
    /// Where the keys begin that share their first bits.
    starts: Vec<u32>,
    shift: u32,
}

impl Keys {
    /// Of keys that may come twice, and in any order.
    pub(super) fn of(mut keys: Vec<u32>) -> Keys {
        keys.sort_unstable();
        keys.dedup();
        let size = keys.len().max(1).ilog2();
        let mut bits = Bits::new((size + 5).clamp(10, 24));
        let shift = u32::BITS - (size + 1).min(24);
        let mut starts = vec![0; (1 << (u32::BITS - shift)) + 1];
        for key in &keys {
            bits.set(*key);
            if let Some(after) = starts.get_mut((key >> shift) as usize + 1) {
                *after += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Keys { bits, keys, starts, shift }
    }

    /// Is it one of them?
    pub(super) fn has(&self, key: u32) -> bool {
        self.place(key).is_some()
    }

    /// Which of them it is.
    fn place(&self, key: u32) -> Option<usize> {
        if !self.bits.has(key) {
            return None;
        }
        let first = (key >> self.shift) as usize;
        let (from, to) = (*self.starts.get(first)? as usize, *self.starts.get(first + 1)? as usize);
        match self.keys.get(from..to)? {
            [] => None,
            [only] => (*only == key).then_some(from),
            alike => alike.binary_search(&key).ok().map(|at| from + at),
        }
    }
}

/// How often each of some keys was seen.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    keys: Keys,
    counts: Vec<u32>,
}

impl Counter {
    /// None of these has been seen yet.
    pub(super) fn of(keys: Vec<u32>) -> Counter {
        let keys = Keys::of(keys);
        Counter { counts: vec![0; keys.keys.len()], keys }
    }

    /// Counts a key if it is one of those: how often it has been seen now.
    pub(super) fn see(&mut self, key: u32) -> usize {
        self.add(key, 1)
    }

    /// Counts it so many times.
    pub(super) fn add(&mut self, key: u32, times: u32) -> usize {
        let count = self.keys.place(key).and_then(|at| self.counts.get_mut(at));
        count.map_or(0, |count| {
            *count = count.saturating_add(times);
            *count as usize
        })
    }

    /// How often a key was seen.
    pub(super) fn count(&self, key: u32) -> usize {
        self.keys.place(key).and_then(|at| self.counts.get(at)).map_or(0, |count| *count as usize)
    }

    /// Those that were seen more than once.
    pub(super) fn shared(&self) -> Keys {
        let each = self.keys.keys.iter().zip(&self.counts);
        Keys::of(each.filter(|(_, count)| **count > 1).map(|(key, _)| *key).collect())
    }
}

/// Which beginnings of very many keys are shared, and which by very many: two bits for each, so that one look tells
/// both.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    words: Vec<u64>,
    shift: u32,
}

/// How many keys have the same beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crowding {
    /// One at most.
    Alone,
    /// More.
    Shared,
    /// Many.
    Crowded,
}

impl Crowd {
    /// Of all keys, whose first `bits` are their beginning; `many` of one are many. And the keys that occur more than
    /// once in full.
    pub(super) fn of(keys: impl Iterator<Item = u32> + Clone, bits: u32, many: usize) -> (Crowd, Keys) {
        let sorted = sorted(keys);
        let shift = u32::BITS - bits;
        let mut crowd = Crowd { words: vec![0; 1 << bits.saturating_sub(5)], shift };
        for alike in sorted.chunk_by(|one, other| one >> shift == other >> shift) {
            if let [first, _, ..] = alike {
                crowd.set(*first, if alike.len() >= many { 2 } else { 1 });
            }
        }
        (crowd, repeated(&sorted))
    }

    /// How many begin like it.
    pub(super) fn like(&self, key: u32) -> Crowding {
        let at = key >> self.shift;
        match self.words.get((at >> 5) as usize).map_or(0, |word| word >> (2 * (at & 31)) & 3) {
            0 => Crowding::Alone,
            1 => Crowding::Shared,
            _ => Crowding::Crowded,
        }
    }

    fn set(&mut self, key: u32, value: u64) {
        let at = key >> self.shift;
        if let Some(word) = self.words.get_mut((at >> 5) as usize) {
            *word |= value << (2 * (at & 31));
        }
    }
}

/// Keys that occur more than once.
pub(super) fn shared(keys: impl Iterator<Item = u32> + Clone) -> Keys {
    repeated(&sorted(keys))
}

fn repeated(sorted: &[u32]) -> Keys {
    let alike = sorted.chunk_by(|one, other| one == other).filter(|alike| alike.len() > 1);
    Keys::of(alike.filter_map(|alike| alike.first().copied()).collect())
}

/// All keys in order: dealt out by their first bits, then sorted heap by heap, each of which fits a core's cache.
fn sorted(keys: impl Iterator<Item = u32> + Clone) -> Vec<u32> {
    const HEAPS: u32 = 11;
    let heap = |key: u32| (key >> (u32::BITS - HEAPS)) as usize;
    let mut places = vec![0_usize; 1 << HEAPS];
    for key in keys.clone() {
        places.get_mut(heap(key)).into_iter().for_each(|count| *count += 1);
    }
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    let mut all = vec![0; sum];
    for key in keys {
        if let Some(place) = places.get_mut(heap(key)) {
            all.get_mut(*place).into_iter().for_each(|free| *free = key);
            *place += 1;
        }
    }
    let mut from = 0;
    for end in places {
        all.get_mut(from..end).unwrap_or_default().sort_unstable();
        from = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec(prop_oneof![0_u32..9, any::<u32>(), Just(u32::MAX), 0x00ab_cd00_u32..0x00ab_cd09], 0..99)
    }

    proptest! {
        #[test]
        fn as_counted_one_by_one(keys in keys(), seen in keys()) {
            let count = |key: u32| seen.iter().filter(|other| **other == key).count();
            let mut counter = Counter::of(keys.clone());
            for key in &seen {
                prop_assert_eq!(counter.see(*key) > 0, keys.contains(key));
            }
            let shares = counter.shared();
            for key in keys.iter().chain(&seen) {
                let want = if keys.contains(key) { count(*key) } else { 0 };
                prop_assert_eq!((counter.count(*key), shares.has(*key)), (want, want > 1));
            }
        }

        #[test]
        fn all_at_once(keys in keys(), other in keys()) {
            let count = |fits: &dyn Fn(u32) -> bool| keys.iter().filter(|key| fits(**key)).count();
            let (crowd, repeated) = Crowd::of(keys.iter().copied(), 24, 4);
            let mut want = keys.clone();
            want.sort_unstable();
            prop_assert_eq!(sorted(keys.iter().copied()), want);
            for key in keys.iter().chain(&other).copied() {
                let alike = count(&|other| other >> 8 == key >> 8);
                let want = match alike {
                    0 | 1 => Crowding::Alone,
                    2 | 3 => Crowding::Shared,
                    _ => Crowding::Crowded,
                };
                prop_assert_eq!(crowd.like(key), want);
                prop_assert_eq!(repeated.has(key), count(&|other| other == key) > 1);
                prop_assert_eq!(shared(keys.iter().copied()).has(key), repeated.has(key));
            }
        }
    }
}

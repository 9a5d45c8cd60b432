//! Repeatable chance: the same seed gives the same throws on every machine. Not for secrets.

/// Throws that follow from a seed (xorshift with a multiplied output).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance((seed ^ 0x9e37_79b9_7f4a_7c15).max(1))
    }

    /// A number below a limit; 0 if the limit is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap_or(0).checked_rem(limit).unwrap_or(0)
    }

    /// True once in so many throws.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T], otherwise: T) -> T {
        from.get(self.below(from.len())).copied().unwrap_or(otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn every_face_comes_up() {
        let mut chance = Chance::new(3);
        let mut seen = [0_u32; 6];
        for _ in 0..6_000 {
            seen[chance.below(6)] += 1;
        }
        assert!(seen.iter().all(|times| (800..1_200).contains(times)), "{seen:?}");
    }
}

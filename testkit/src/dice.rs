//! A small generator of repeatable chance: the same seed gives the same throws on every machine.
//! Not for secrets.

/// Throws that follow from a seed (xorshift with a multiplied output).
///
/// ```
/// use patchwright_testkit::dice::Dice;
/// let (mut a, mut b) = (Dice::new(7), Dice::new(7));
/// assert_eq!(a.below(100), b.below(100));
/// assert_eq!(Dice::new(1).below(0), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice for where nothing is thrown.
    pub(crate) const IDLE: Dice = Dice(1);

    /// Starts from a seed; neighbouring seeds give unlike throws.
    pub fn new(seed: u64) -> Dice {
        let spread = seed.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Dice((spread ^ (spread >> 31)).max(1))
    }

    /// The next 64 bits.
    pub fn throw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let high = self.throw() >> 11;
        usize::try_from(high).unwrap_or(usize::MAX).checked_rem(limit).unwrap_or(0)
    }

    /// Heads or tails.
    pub fn coin(&mut self) -> bool {
        self.throw() >> 63 == 1
    }

    /// One of these; nothing if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn every_face_comes_up() {
        let mut dice = Dice::new(3);
        let mut seen = [0_u32; 6];
        for _ in 0..6_000 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|times| (800..1_200).contains(times)), "{seen:?}");
    }
}

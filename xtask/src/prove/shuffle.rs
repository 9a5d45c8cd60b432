//! Putting things into an order of chance.

use patchwright_testkit::dice::Dice;

/// Every order is as likely as any other.
pub(crate) fn shuffle<T>(pile: &mut [T], dice: &mut Dice) {
    for at in (1..pile.len()).rev() {
        pile.swap(at, dice.below(at.saturating_add(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_loses_nothing() {
        let mut pile: Vec<u32> = (0..50).collect();
        shuffle(&mut pile, &mut Dice::new(1));
        assert!(pile.windows(2).any(|pair| pair[0] > pair[1]));
        pile.sort_unstable();
        assert_eq!(pile, (0..50).collect::<Vec<u32>>());
    }
}

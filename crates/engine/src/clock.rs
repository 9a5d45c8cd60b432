//! Time and fresh ids: the only place where the engine asks for either.

use jiff::Timestamp;
use uuid::Uuid;

/// Now, in nanoseconds since 1970 UTC.
pub(crate) fn now_ns() -> i64 {
    i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX)
}

/// A fresh id; ids sort by time.
pub(crate) fn fresh_id() -> String {
    Uuid::now_v7().to_string()
}

/// Fresh ids for the parts of one call. Asking the system for each would cost more than all else about
/// their records; these differ in their last digits, and sort in order.
pub(crate) struct Ids(u128);

impl Ids {
    /// A new series.
    pub(crate) fn fresh() -> Ids {
        Ids(Uuid::now_v7().as_u128())
    }

    /// The n-th of the series.
    pub(crate) fn nth(&self, n: u64) -> String {
        /// The bits of an id that are random; those above say when it was made, and of which sort it is.
        const RANDOM: u128 = (1 << 62) - 1;
        let low = (self.0 & RANDOM).wrapping_add(u128::from(n)) & RANDOM;
        Uuid::from_u128(self.0 & !RANDOM | low).to_string()
    }
}

/// A number that no other call has.
pub(crate) fn salt() -> u64 {
    let (_, low) = Uuid::now_v7().as_u64_pair();
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_of_one_sort_and_time() {
        for base in [Ids::fresh().0, u128::MAX] {
            let ids = Ids(base);
            let made: Vec<Uuid> = (0..3).map(|n| Uuid::parse_str(&ids.nth(n)).unwrap()).collect();
            assert!(made[0] != made[1] && made[1] != made[2] && made[0] != made[2], "{made:?}");
            let high = |id: &Uuid| id.as_u128() >> 62;
            assert!(made.iter().all(|id| high(id) == base >> 62), "{made:?}");
        }
        assert_eq!(Uuid::parse_str(&Ids::fresh().nth(7)).unwrap().get_version_num(), 7);
    }
}

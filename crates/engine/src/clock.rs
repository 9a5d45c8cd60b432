//! Time and fresh ids: the only place where the engine asks for either.
//!
//! Clocks stand before 1970 where a machine has no battery, and are set back. Nothing fails for that, and nothing is
//! ordered by it: the record has an order of its own.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::{NoContext, Uuid};

thread_local! {
    static SET: Cell<Option<i64>> = const { Cell::new(None) };
}

/// For tests: while it lives, this thread takes it for the time. What goes on in other threads is not touched.
#[derive(Debug)]
pub struct SetClock(Option<i64>);

impl SetClock {
    /// Sets the clock, in nanoseconds since 1970 UTC.
    #[must_use = "the clock goes right again as soon as this is dropped"]
    pub fn to(ns: i64) -> SetClock {
        SetClock(SET.replace(Some(ns)))
    }
}

impl Drop for SetClock {
    fn drop(&mut self) {
        SET.set(self.0);
    }
}

/// Now, in nanoseconds since 1970 UTC.
pub fn now_ns() -> i64 {
    SET.get().unwrap_or_else(|| since_1970(SystemTime::now()))
}

fn since_1970(time: SystemTime) -> i64 {
    let ns = |span: Duration| i128::try_from(span.as_nanos()).unwrap_or(i128::MAX);
    within(match time.duration_since(UNIX_EPOCH) {
        Ok(after) => ns(after),
        Err(before) => -ns(before.duration()),
    })
}

/// What does not fit is as early or as late as can be.
fn within(ns: i128) -> i64 {
    i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX })
}

/// An id of this instant. Ids know no time before 1970; what differs then is their random part.
fn id_at(ns: i64) -> Uuid {
    let ns = u64::try_from(ns).unwrap_or(0);
    let part = u32::try_from(ns % 1_000_000_000).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, ns / 1_000_000_000, part))
}

/// A fresh id; ids sort by time, as far as the clock is right.
pub(crate) fn fresh_id() -> String {
    id_at(now_ns()).to_string()
}

/// Fresh ids for the parts of one call. Asking the system for each would cost more than all else about
/// their records; these differ in their last digits, and sort in order.
pub(crate) struct Ids(u128);

impl Ids {
    /// A new series.
    pub(crate) fn fresh() -> Ids {
        Ids(id_at(now_ns()).as_u128())
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
    let (_, low) = id_at(now_ns()).as_u64_pair();
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_clock_gives_ids_that_differ() {
        for ns in [i64::MIN, -1, 0, 1, i64::MAX] {
            let _clock = SetClock::to(ns);
            assert_eq!(now_ns(), ns);
            let made = [fresh_id(), fresh_id(), Ids::fresh().nth(0), salt().to_string(), salt().to_string()];
            let distinct: std::collections::HashSet<&String> = made.iter().collect();
            assert_eq!(distinct.len(), made.len(), "{ns}: {made:?}");
        }
        assert_eq!((within(i128::MIN), within(-7), within(i128::MAX)), (i64::MIN, -7, i64::MAX));
        assert!(now_ns() > 1_700_000_000_000_000_000, "the clock goes right again");
        let years = |years: u64| Duration::from_secs(years * 31_556_952);
        for (time, want) in [
            (UNIX_EPOCH + Duration::from_nanos(7), 7),
            (UNIX_EPOCH - Duration::from_nanos(7), -7),
            (UNIX_EPOCH + years(20_000), i64::MAX), // a date of five digits
            (UNIX_EPOCH - years(20_000), i64::MIN),
        ] {
            assert_eq!(since_1970(time), want, "{time:?}");
        }
    }

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

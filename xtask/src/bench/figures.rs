//! Times of one run, and how they are told.

use crate::say;
use std::time::Duration;

/// The times that one contender needed.
pub(super) struct Times {
    pub(super) name: String,
    each: Vec<Duration>,
}

impl Times {
    pub(super) fn new(name: impl Into<String>) -> Times {
        Times { name: name.into(), each: Vec::new() }
    }

    pub(super) fn add(&mut self, time: Duration) {
        self.each.push(time);
    }

    /// The middle one.
    pub(super) fn median(&self) -> Duration {
        self.at(1, 2)
    }

    /// What they come to on average.
    pub(super) fn mean(&self) -> Duration {
        let count = u32::try_from(self.each.len()).unwrap_or(u32::MAX);
        self.each.iter().sum::<Duration>().checked_div(count).unwrap_or_default()
    }

    /// The longest one.
    pub(super) fn worst(&self) -> Duration {
        self.each.iter().max().copied().unwrap_or_default()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.each.len()
    }

    /// Takes over the times of another.
    pub(super) fn extend(&mut self, other: &Times) {
        self.each.extend(&other.each);
    }

    /// The time that `part` of `whole` do not exceed.
    pub(super) fn at(&self, part: usize, whole: usize) -> Duration {
        let mut sorted = self.each.clone();
        sorted.sort();
        let place = sorted.len().saturating_mul(part).checked_div(whole).unwrap_or(0);
        sorted.get(place).or(sorted.last()).copied().unwrap_or_default()
    }
}

/// Prints every contender, and how the first compares with each of the others.
pub(super) fn tell(what: &str, times: &[&Times]) {
    let Some((ours, others)) = times.split_first() else {
        return;
    };
    for one in times {
        let (middle, late) = (milliseconds(one.median()), milliseconds(one.at(95, 100)));
        say::line(&format!(
            "{what}: {:<34} p50 {middle:>9.3} ms   p95 {late:>9.3} ms   n {}",
            one.name,
            one.each.len()
        ));
    }
    for other in others {
        say::line(&format!("{what}: {} / {} = {:.3}", ours.name, other.name, ratio(ours.median(), other.median())));
    }
}

/// One time as a multiple of another.
pub(super) fn ratio(ours: Duration, theirs: Duration) -> f64 {
    ours.as_secs_f64() / theirs.as_secs_f64().max(1e-9)
}

pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_middle() {
        for (list, expected) in [(vec![], 0), (vec![7], 7), (vec![9, 1, 5], 5), (vec![4, 1, 2, 3], 3)] {
            let mut times = Times::new("x");
            for milliseconds in list {
                times.add(Duration::from_millis(milliseconds));
            }
            assert_eq!(times.median(), Duration::from_millis(expected));
        }
    }
}

//! When something was: how long ago, and at what local time.

use super::view::View;
use jiff::Timestamp;

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

impl View {
    /// How long ago, in a few letters: `5s`, `2m`, `3h`, `12d`, `30w`, `4y`. What is yet to come was just now.
    pub(super) fn age(&self, ns: i64) -> String {
        let seconds = self.now_ns.saturating_sub(ns).max(0) / SECOND;
        match seconds {
            ..MINUTE => format!("{seconds}s"),
            MINUTE..HOUR => format!("{}m", seconds / MINUTE),
            HOUR..DAY => format!("{}h", seconds / HOUR),
            _ => match seconds / DAY {
                days @ ..100 => format!("{days}d"),
                days @ 100..730 => format!("{}w", days / 7),
                days => format!("{}y", days / 365),
            },
        }
    }

    /// The same as words: `2m ago`.
    pub(super) fn ago(&self, ns: i64) -> String {
        format!("{} ago", self.age(ns))
    }

    /// The local time of day, with its date unless that is today's.
    pub(super) fn clock(&self, ns: i64) -> String {
        let (then, now) = (self.local(ns, "%Y-%m-%d %H:%M:%S"), self.local(self.now_ns, "%Y-%m-%d"));
        match then.split_once(' ') {
            Some((date, time)) if date == now => time.to_owned(),
            _ => then,
        }
    }

    /// Local date and time.
    pub(super) fn time(&self, ns: i64) -> String {
        self.local(ns, "%Y-%m-%d %H:%M:%S")
    }

    fn local(&self, ns: i64, form: &str) -> String {
        let instant = Timestamp::from_nanosecond(ns.into()).unwrap_or(Timestamp::UNIX_EPOCH);
        instant.to_zoned(self.zone.clone()).strftime(form).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let view = View { now_ns: 2_000_000_000 * SECOND, ..View::default() };
        for (seconds, want) in [
            (-5, "0s"),
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (3_599, "59m"),
            (3_600, "1h"),
            (86_399, "23h"),
            (86_400, "1d"),
            (99 * DAY, "99d"),
            (100 * DAY, "14w"),
            (730 * DAY, "2y"),
        ] {
            assert_eq!(view.age(view.now_ns - seconds * SECOND), want, "{seconds}");
        }
    }

    #[test]
    fn local_times() {
        let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(2));
        let view = View { now_ns: 90_000 * SECOND, zone, ..View::default() };
        assert_eq!(view.clock(86_400 * SECOND), "02:00:00");
        assert_eq!(view.clock(0), "1970-01-01 02:00:00");
        assert_eq!(view.clock(80_000 * SECOND), "00:13:20", "today here, yesterday in UTC");
        assert_eq!(view.time(0), "1970-01-01 02:00:00");
        assert_eq!(view.time(i64::MAX).len(), 19);
    }
}

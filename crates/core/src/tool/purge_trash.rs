//! `purge_trash`: the one tool that removes for good. What "old" means is read here, as a pure function
//! of the text; the clock is the engine's.

use super::shape::BATCH;
use super::shared::{DRY_RUN, IDEMPOTENCY_KEY, MODE_APPLY, Shared};
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool};
use crate::refusal::{Expected, Refusal};

/// The arguments of `purge_trash`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeTrash {
    /// Which entries go.
    pub older_than: Age,
    /// What every changing call shares.
    pub shared: Shared,
}

/// How old a trash entry must be to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// Removed before this instant, in nanoseconds since 1970 UTC.
    Before(i128),
    /// Removed more than so many seconds ago.
    OlderThan(u64),
}

pub(super) const TOOL: Tool = Tool {
    name: "purge_trash",
    title: "Empty the trash",
    description: "Remove trash entries for good. They cannot be brought back afterwards, so only do this when you were asked to free space. \
`olderThan` is an age such as `30d`, `12h`, `90m`, `2w` (`0s` is everything) or an RFC 3339 time in UTC; entries deleted before that go. Use `dryRun` to see first what would go.",
    parameters: &[
        Param {
            name: "olderThan",
            kind: ParamKind::Word,
            need: Need::Required,
            doc: "An age: a number and s, m, h, d or w, such as `30d`. Or an RFC 3339 time in UTC, such as `2026-01-31T00:00:00Z`.",
        },
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE_APPLY,
    ],
    answer: &[
        Field { name: "purged", shape: Shape::Whole, need: Need::Required, doc: "How many entries went." },
        Field { name: "freedBytes", shape: Shape::Whole, need: Need::Required, doc: "How many bytes became free." },
        Field { name: "trashIds", shape: Shape::List(&Shape::Text), need: Need::Required, doc: "Their ids." },
        Field {
            name: "batchId",
            shape: Shape::Text,
            need: Need::Optional,
            doc: "Under this id the purge is on record; absent when nothing went.",
        },
        BATCH,
        Field { name: "unchanged", shape: Shape::Flag, need: Need::Optional, doc: "True when nothing was old enough." },
        Field {
            name: "dryRun",
            shape: Shape::Flag,
            need: Need::Optional,
            doc: "True when nothing was carried out because dryRun was set.",
        },
    ],
    examples: &[
        Example { about: "what a month-old purge would take", arguments: r#"{"olderThan": "30d", "dryRun": true}"# },
        Example { about: "what was deleted before a day", arguments: r#"{"olderThan": "2026-01-31T00:00:00Z"}"# },
    ],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Trash],
    read,
};

fn read(args: &Args) -> Result<Call, Refusal> {
    let given = args.text("olderThan")?;
    let malformed = || Refusal::argument("olderThan", Expected::Age, format!("{given:?}"));
    let older_than = Age::parse(&given).ok_or_else(malformed)?;
    Ok(Call::PurgeTrash(PurgeTrash { older_than, shared: Shared::read_now(args)? }))
}

impl Age {
    /// Reads a duration such as `30d`, or an RFC 3339 time in UTC.
    ///
    /// ```
    /// use patchwright_core::tool::Age;
    /// assert_eq!(Age::parse("2h"), Some(Age::OlderThan(7200)));
    /// assert_eq!(Age::parse("1970-01-01T00:00:01Z"), Some(Age::Before(1_000_000_000)));
    /// assert_eq!(Age::parse("soon"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Age> {
        duration(text).map(Age::OlderThan).or_else(|| instant(text).map(Age::Before))
    }
}

fn duration(text: &str) -> Option<u64> {
    let unit = text.chars().last()?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    digits(text.strip_suffix(unit)?)?.checked_mul(seconds)
}

/// An RFC 3339 time in UTC: `2026-01-31T12:00:00Z`, with a fraction if wanted.
fn instant(text: &str) -> Option<i128> {
    let (date, clock) = text.split_once(['T', 't'])?;
    let clock = clock.strip_suffix(['Z', 'z']).or_else(|| clock.strip_suffix("+00:00"))?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [year, month, day] = fields(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = fields(clock, ':', [2, 2, 2])?;
    let real = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    // A leap second is a valid spelling; it counts as the second after.
    if !real || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(i128::from(seconds) * 1_000_000_000 + nanoseconds(fraction)?)
}

fn nanoseconds(fraction: &str) -> Option<i128> {
    let plain = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let nine = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    plain.then(|| nine.fold(0, |sum, digit| sum * 10 + i128::from(digit.saturating_sub(b'0'))))
}

fn fields(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(separator);
    let mut out = [0; 3];
    for (slot, width) in out.iter_mut().zip(widths) {
        let part = parts.next().filter(|part| part.len() == width)?;
        *slot = i64::try_from(digits(part)?).ok()?;
    }
    parts.next().is_none().then_some(out)
}

/// A number in plain digits, without a sign, which `parse` alone would take.
fn digits(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, for a year of four digits.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let leap_days = |years: i64| years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    let years = (year - 1970) * 365 + leap_days(before) - leap_days(1969);
    let months: i64 = (1..month).map(|earlier| days_in(year, earlier)).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: i128 = 1_000_000_000;

    fn check(text: &str, want: Option<Age>) {
        assert_eq!(Age::parse(text), want, "{text:?}");
    }

    #[test]
    fn durations() {
        check("0s", Some(Age::OlderThan(0)));
        check("90m", Some(Age::OlderThan(5_400)));
        check("12h", Some(Age::OlderThan(43_200)));
        check("30d", Some(Age::OlderThan(2_592_000)));
        check("2w", Some(Age::OlderThan(1_209_600)));
        for wrong in [
            "",
            "d",
            "30",
            "-1d",
            "+1d",
            "1.5d",
            "3 d",
            "30D",
            "99999999999999999999d",
            "18446744073709551615w",
            "3é",
            "3日",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn instants() {
        check("1970-01-01T00:00:00Z", Some(Age::Before(0)));
        check("1969-12-31T23:59:59Z", Some(Age::Before(-SECOND)));
        check("2000-02-29T00:00:00+00:00", Some(Age::Before(951_782_400 * SECOND)));
        check("2026-11-15T03:30:13.25Z", Some(Age::Before(1_794_713_413 * SECOND + 250_000_000)));
        check("2026-11-15t03:30:13.1234567890123456789z", Some(Age::Before(1_794_713_413 * SECOND + 123_456_789)));
        check("0000-01-01T00:00:00Z", Some(Age::Before(-62_167_219_200 * SECOND)));
        check("9999-12-31T23:59:59Z", Some(Age::Before(253_402_300_799 * SECOND)));
        check("2016-12-31T23:59:60Z", Some(Age::Before(1_483_228_800 * SECOND)));
        for wrong in [
            "2026-11-15",
            "2026-11-15T03:30:13",
            "2026-11-15T03:30:13+01:00",
            "2026-13-15T03:30:13Z",
            "2026-00-15T03:30:13Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-11-31T00:00:00Z",
            "2026-11-15T24:00:00Z",
            "2026-11-15T03:60:00Z",
            "2026-11-15T03:30:61Z",
            "2026-11-15T03:30:13.Z",
            "2026-11-15T03:30:13.-5Z",
            "26-11-15T03:30:13Z",
            "2026-11-15-01T03:30:13Z",
            "+026-11-15T03:30:13Z",
            "2026-1é-15T03:30:13Z",
            "2026-11-15T03:30:13.1é5Z",
        ] {
            check(wrong, None);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = Age::parse(&text);
        }

        #[test]
        fn nearly_right_does_not_panic(text in "[0-9]{1,5}-[0-9]{1,3}-[0-9]{1,3}T[0-9]{1,3}:[0-9]{2}:[0-9]{2}(\\.[0-9é]{0,30})?Z") {
            let _ = Age::parse(&text);
        }

        #[test]
        fn days_follow_each_other(year in 0i64..9999, month in 1i64..=12) {
            let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            prop_assert_eq!(days_since_1970(next_year, next_month, 1) - days_since_1970(year, month, 1), days_in(year, month));
        }
    }
}

//! Instants as RFC 3339 in UTC, which is how every time leaves this program.

const NANOSECONDS: i128 = 1_000_000_000;
const DAY: i128 = 86_400;

/// Nanoseconds since 1970 UTC as RFC 3339, with as many digits of the second as there are (3, 6 or 9).
///
/// ```
/// use patchwright_app::report::time::rfc3339;
/// assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
/// assert_eq!(rfc3339(1_500_000_000), "1970-01-01T00:00:01.500Z");
/// ```
pub fn rfc3339(ns: i128) -> String {
    let seconds = ns.div_euclid(NANOSECONDS);
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let clock = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    let fraction = fraction(ns.rem_euclid(NANOSECONDS));
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The same to the second, for texts: there the rest is noise.
///
/// ```
/// use patchwright_app::report::time::to_the_second;
/// assert_eq!(to_the_second(1_500_000_000), "1970-01-01T00:00:01Z");
/// ```
pub fn to_the_second(ns: i64) -> String {
    let ns = i128::from(ns);
    rfc3339(ns - ns.rem_euclid(NANOSECONDS))
}

/// The same to the minute, in as few letters as will do.
///
/// ```
/// use patchwright_app::report::time::to_the_minute;
/// assert_eq!(to_the_minute(90_500_000_000), "1970-01-01 00:01");
/// ```
pub fn to_the_minute(ns: i128) -> String {
    rfc3339(ns).chars().take(16).map(|letter| if letter == 'T' { ' ' } else { letter }).collect()
}

fn fraction(ns: i128) -> String {
    match ns {
        0 => String::new(),
        ns if ns % 1_000_000 == 0 => format!(".{:03}", ns / 1_000_000),
        ns if ns % 1_000 == 0 => format!(".{:06}", ns / 1_000),
        ns => format!(".{ns:09}"),
    }
}

/// Year, month and day of so many days after 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of its year; then 400 years always
/// have the same number of days, and so, within them, have 100, 4 and 1, but for the last of each.
fn date(days: i128) -> (i128, i128, i128) {
    const DAYS_400: i128 = 146_097;
    let days = days + 719_468; // from 0000-03-01
    let (era, day_of_era) = (days.div_euclid(DAYS_400), days.rem_euclid(DAYS_400));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i128::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::tool::Age;

    #[test]
    fn known_instants() {
        for (seconds, ns, want) in [
            (0, 0, "1970-01-01T00:00:00Z"),
            (-1, 0, "1969-12-31T23:59:59Z"),
            (951_782_399, 1, "2000-02-28T23:59:59.000000001Z"),
            (951_782_400, 123_456_000, "2000-02-29T00:00:00.123456Z"),
            (1_794_713_413, 250_000_000, "2026-11-15T03:30:13.250Z"),
            (253_402_300_799, 0, "9999-12-31T23:59:59Z"),
            (-62_167_219_200, 0, "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds * NANOSECONDS + ns), want);
        }
    }

    #[test]
    fn reading_gives_it_back() {
        for day in (-700_000..2_900_000).step_by(997) {
            let ns = (day * DAY + 12_345) * NANOSECONDS + 5;
            assert_eq!(Age::parse(&rfc3339(ns)), Some(Age::Before(ns)), "{day}");
        }
    }

    #[test]
    fn no_instant_panics() {
        for ns in [i128::MIN, i128::MAX, i128::from(i64::MIN), i128::from(i64::MAX)] {
            assert!(rfc3339(ns).ends_with('Z'));
        }
    }
}

//! Times behind names. `diff -N` gives the beginning of time to a file that is not there.

/// Does the time behind a name, if there is one, tell that instant, in whatever zone?
pub(super) fn is_epoch(line: &str) -> bool {
    line.rsplit_once('\t').is_some_and(|(_, time)| seconds(time) == Some(0))
}

/// The seconds since the beginning of 1970, of times on that day or the one before: no zone is farther away.
fn seconds(time: &str) -> Option<i64> {
    let mut words = time.split(' ');
    let (date, clock, zone) = (words.next()?, words.next()?, words.next()?);
    let days = match date {
        "1970-01-01" => 0,
        "1969-12-31" => -1,
        _ => return None,
    };
    let (clock, parts) = clock.split_once('.').unwrap_or((clock, ""));
    let [hours, minutes, seconds] = clock.split(':').map(two_digits).collect::<Option<Vec<_>>>()?.try_into().ok()?;
    let east = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (zone_hours, zone_minutes) = zone.get(1..)?.split_at_checked(2)?;
    let away = two_digits(zone_hours)? * 3600 + two_digits(zone_minutes.trim_start_matches(':'))? * 60;
    let whole = parts.bytes().all(|digit| digit == b'0') && words.next().is_none();
    whole.then_some(days * 86_400 + hours * 3600 + minutes * 60 + seconds - east * away)
}

fn two_digits(text: &str) -> Option<i64> {
    let plain = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_time_in_every_zone() {
        let check = |time: &str, want: bool| assert_eq!(is_epoch(&format!("--- a/x\t{time}")), want, "{time}");
        check("1970-01-01 00:00:00.000000000 +0000", true);
        check("1969-12-31 16:00:00 -0800", true);
        check("1970-01-01 05:30:00.0 +0530", true);
        check("1970-01-01 01:00:00 +01:00", true);
        check("1970-01-01 01:00:00 +0000", false);
        check("1970-01-01 00:00:00.000000001 +0000", false);
        check("1969-12-31 16:00:00 +0800", false);
        check("1970-01-02 00:00:00 +0000", false);
        check("1970-01-01 00:00:00", false);
        check("1970-01-01", false);
        check("1970-01-01 0:0:0 +0000", false);
        check("1970-01-01 00:00:00 +0000 x", false);
        check("1970-01-01 00:00:00 é", false);
        check("", false);
        assert!(!is_epoch("--- a/1970-01-01 00:00:00 +0000"));
    }
}

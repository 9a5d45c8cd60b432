//! How callers name batches and changes: by a whole id, by its beginning, or by a short name.
//!
//! Reads the spelling alone. Which batch or change it leads to, and whether only one, is for the engine to find out.

/// So many digits of an id have to be given.
const SHORTEST: usize = 8;

/// Where an id has its hyphens, counted in digits.
const HYPHENS: [usize; 4] = [8, 12, 16, 20];

/// What somebody gave for an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdForm {
    /// A whole id, or the beginning of one, as ids are spelt.
    Start(String),
    /// `b17`: the batch of this number.
    Batch(u64),
    /// `b17.3`: of the batch of this number, the change that stands there, from 1.
    Change(u64, u64),
}

impl IdForm {
    /// Reads an id, the beginning of one, or a short name.
    ///
    /// ```
    /// use patchwright_core::tool::IdForm;
    /// assert_eq!(IdForm::parse("b17"), Some(IdForm::Batch(17)));
    /// assert_eq!(IdForm::parse("b17.3"), Some(IdForm::Change(17, 3)));
    /// assert_eq!(IdForm::parse("019A00001"), Some(IdForm::Start("019a0000-1".into())));
    /// assert_eq!(IdForm::parse("yesterday"), None);
    /// ```
    pub fn parse(given: &str) -> Option<IdForm> {
        short(given).or_else(|| start(given).map(IdForm::Start))
    }
}

fn short(given: &str) -> Option<IdForm> {
    let rest = given.strip_prefix(['b', 'B'])?;
    match rest.split_once('.') {
        None => number(rest).map(IdForm::Batch),
        Some((batch, change)) => Some(IdForm::Change(number(batch)?, number(change)?)),
    }
}

/// A number from 1, in plain digits.
fn number(digits: &str) -> Option<u64> {
    let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

fn start(given: &str) -> Option<String> {
    let given = given.to_ascii_lowercase();
    let digits: String = given.chars().filter(|letter| *letter != '-').collect();
    if !(SHORTEST..=32).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut spelt = String::with_capacity(36);
    for (at, digit) in digits.chars().enumerate() {
        if HYPHENS.contains(&at) {
            spelt.push('-');
        }
        spelt.push(digit);
    }
    // Hyphens are left out altogether, or stand where an id has them.
    let fits = !given.contains('-') || given.strip_suffix('-').unwrap_or(&given) == spelt;
    fits.then_some(spelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let whole = "019a0000-0000-7000-8000-000000000001";
        let start = |text: &str| Some(IdForm::Start(text.to_owned()));
        for (given, want) in [
            (whole, start(whole)),
            ("019A0000-0000-7000-8000-000000000001", start(whole)),
            ("019a0000000070008000000000000001", start(whole)),
            ("019a0000", start("019a0000")),
            ("019a0000-", start("019a0000")),
            ("019a0000-00", start("019a0000-00")),
            ("019a000000", start("019a0000-00")),
            ("019a00-0000", None),
            ("019a000", None),
            ("019a000g", None),
            ("019a0000-0000-7000-8000-0000000000011", None),
            ("", None),
            ("b1", Some(IdForm::Batch(1))),
            ("B17", Some(IdForm::Batch(17))),
            ("b12345678", Some(IdForm::Batch(12_345_678))), // also eight digits of an id; the short name counts
            ("b17.3", Some(IdForm::Change(17, 3))),
            ("b0", None),
            ("b017", None),
            ("b17.0", None),
            ("b17.", None),
            ("b", None),
            ("b+1", None),
            ("b17.3.1", None),
            ("b99999999999999999999999", start("b9999999-9999-9999-9999-9999")), // no number, but hexadecimal
            ("bdeadbeef", start("bdeadbee-f")),
        ] {
            assert_eq!(IdForm::parse(given), want, "{given}");
        }
    }
}

//! An anchor as a caller writes it.

use super::Form;

/// What a caller names a line by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The line number before the `#`, if there is one: advice, not identity.
    pub line: Option<usize>,
    /// What names the line.
    pub form: Form,
}

impl Anchor {
    /// Reads `hhhhhh`, `hhhhhhhh`, `~hhhhhhhh` or `hhhhhh@i/K`, each with or without `N#` before it.
    ///
    /// ```
    /// use patchwright_core::anchor::{Anchor, Form};
    /// let anchor = Anchor::parse("12#a1b2c3").unwrap();
    /// assert_eq!((anchor.line, anchor.form), (Some(12), Form::Short(0xa1b2c3)));
    /// assert_eq!(Anchor::parse("a1b2c3@2/5").unwrap().form, Form::Place { short: 0xa1b2c3, at: 2, of: 5 });
    /// assert_eq!(Anchor::parse("a1b2"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Anchor> {
        let (line, name) = match text.split_once('#') {
            Some((line, name)) => (Some(count(line)?), name),
            None => (None, text),
        };
        Some(Anchor { line, form: form(name)? })
    }
}

fn form(name: &str) -> Option<Form> {
    if let Some(digits) = name.strip_prefix('~') {
        return hex(digits, 8).map(Form::Context);
    }
    match name.split_once('@') {
        None => hex(name, 6).map(Form::Short).or_else(|| hex(name, 8).map(Form::Long)),
        Some((digits, place)) => {
            let (at, of) = place.split_once('/')?;
            let (short, at, of) = (hex(digits, 6)?, count(at)?, count(of)?);
            (at <= of).then_some(Form::Place { short, at, of })
        }
    }
}

fn hex(digits: &str, len: usize) -> Option<u32> {
    let fits = digits.len() == len && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// A number from 1, written plainly.
fn count(digits: &str) -> Option<usize> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    plain.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let check = |text: &str, want: Option<(Option<usize>, Form)>| {
            assert_eq!(Anchor::parse(text).map(|anchor| (anchor.line, anchor.form)), want, "{text}");
        };
        check("0000ff", Some((None, Form::Short(0xff))));
        check("A1B2C3", Some((None, Form::Short(0xa1b2c3)))); // capitals are read too
        check("a1b2c3d4", Some((None, Form::Long(0xa1b2c3d4))));
        check("~a1b2c3d4", Some((None, Form::Context(0xa1b2c3d4))));
        check("7#~a1b2c3d4", Some((Some(7), Form::Context(0xa1b2c3d4))));
        check("7#a1b2c3@1/2", Some((Some(7), Form::Place { short: 0xa1b2c3, at: 1, of: 2 })));
        for bad in [
            "",
            "#",
            "a1b2",
            "a1b2c3d",
            "g1b2c3",
            "~a1b2c3",
            "0#a1b2c3",
            "07#a1b2c3",
            "#a1b2c3",
            "+7#a1b2c3",
            "a1b2c3@",
            "a1b2c3@0/2",
            "a1b2c3@3/2",
            "a1b2c3d4@1/2",
            "a1b2c3 ",
            "a1b2c3 [high]",
            "1#2#a1b2c3",
            "~a1b2c3d4@1/2",
            "99999999999999999999#a1b2c3",
            "é1b2c",
            "+1b2c3",
        ] {
            check(bad, None);
        }
    }
}

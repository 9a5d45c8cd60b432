//! Names that a caller gives itself for the record. They are labels, nothing is permitted because of one; so all that is
//! asked of them is that whoever reads the record is not fooled by them.

use patchwright_core::locate::visible::is_hidden;
use std::fmt;

/// The name of a person or an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

/// The name of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionId(String);

/// Why a label is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLabel {
    /// There is nothing to read in it.
    Empty,
    /// It has more characters than this.
    TooLong(usize),
    /// It has a character that would not be seen, or would fool who reads it.
    Hidden(char),
    /// It has a character that ids do not have.
    Foreign(char),
}

impl Name {
    /// The longest, in characters.
    pub const LONGEST: usize = 100;

    /// A name, if it is one that can be read as it stands.
    ///
    /// ```
    /// use patchwright_engine::{BadLabel, Name};
    /// assert_eq!(Name::parse("Ada Lovelace").map(|name| name.to_string()), Ok("Ada Lovelace".to_owned()));
    /// assert_eq!(Name::parse("ada\n"), Err(BadLabel::Hidden('\n')));
    /// ```
    pub fn parse(given: &str) -> Result<Name, BadLabel> {
        measured(given, Name::LONGEST)?;
        match given.chars().find(|ch| is_hidden(*ch)) {
            Some(ch) => Err(BadLabel::Hidden(ch)),
            None => Ok(Name(given.to_owned())),
        }
    }
}

impl SessionId {
    /// The longest, in characters.
    pub const LONGEST: usize = 100;

    /// An id: letters and digits of ASCII, and `-`, `_`, `.`, `:`, `@`, `/`, `+`.
    ///
    /// ```
    /// use patchwright_engine::{BadLabel, SessionId};
    /// assert!(SessionId::parse("nightly-run:42").is_ok());
    /// assert_eq!(SessionId::parse("nightly run"), Err(BadLabel::Foreign(' ')));
    /// ```
    pub fn parse(given: &str) -> Result<SessionId, BadLabel> {
        measured(given, SessionId::LONGEST)?;
        let fits = |ch: char| ch.is_ascii_alphanumeric() || "-_.:@/+".contains(ch);
        match given.chars().find(|ch| !fits(*ch)) {
            Some(ch) => Err(BadLabel::Foreign(ch)),
            None => Ok(SessionId(given.to_owned())),
        }
    }
}

fn measured(given: &str, longest: usize) -> Result<(), BadLabel> {
    if given.trim().is_empty() {
        return Err(BadLabel::Empty);
    }
    match given.chars().nth(longest) {
        Some(_) => Err(BadLabel::TooLong(longest)),
        None => Ok(()),
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check =
            |given: &str, want: Result<(), BadLabel>| assert_eq!(Name::parse(given).map(drop), want, "{given:?}");
        for good in ["ada", "Ada Lovelace", "ci/bot #7", "Ærø", "機械", &"x".repeat(Name::LONGEST)] {
            check(good, Ok(()));
        }
        check("", Err(BadLabel::Empty));
        check("  ", Err(BadLabel::Empty));
        check(&"ü".repeat(Name::LONGEST + 1), Err(BadLabel::TooLong(Name::LONGEST)));
        for bad in [
            '\0',
            '\n',
            '\t',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{200b}',
            '\u{202e}',
            '\u{2028}',
            '\u{2066}',
            '\u{e0041}',
            '\u{feff}',
        ] {
            check(&format!("a{bad}b"), Err(BadLabel::Hidden(bad)));
        }
    }

    #[test]
    fn session_ids() {
        let check =
            |given: &str, want: Result<(), BadLabel>| assert_eq!(SessionId::parse(given).map(drop), want, "{given:?}");
        for good in ["0199c82c-0000-7000-8000-000000000001", "run_1", "a.b:c@d/e+f", &"x".repeat(SessionId::LONGEST)] {
            check(good, Ok(()));
        }
        check("", Err(BadLabel::Empty));
        check(&"x".repeat(SessionId::LONGEST + 1), Err(BadLabel::TooLong(SessionId::LONGEST)));
        for bad in [' ', '\n', '\u{1b}', 'ü', '"', '\\', '#'] {
            check(&format!("a{bad}"), Err(BadLabel::Foreign(bad)));
        }
    }
}

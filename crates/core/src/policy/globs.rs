//! The glob dialect used everywhere, and how much of it one glob may hold.

use crate::seeded::{Bug, is_planted};
use globset::{Glob, GlobBuilder};
use std::fmt;

/// One glob has at most so many opening braces. The compiler goes down one call for each that is nested in another: a
/// hundred thousand overflow the stack, and the regular expressions behind it stop at 250.
pub const MOST_BRACES: usize = 64;

/// One glob has at most so many commas, each of which may begin another alternative. People list some dozens of file
/// endings; a compiled alternative takes about a kilobyte.
pub const MOST_ALTERNATIVES: usize = 4096;

/// All globs of one list together may be so long, in bytes: compiled they take a hundred times the memory.
pub const LONGEST_LIST: usize = 64 << 10;

/// Why a glob is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobProblem {
    /// More braces than one glob may have: so many.
    Braces(usize),
    /// More alternatives than one glob may have: so many.
    Alternatives(usize),
    /// It does not compile; the compiler's message.
    Syntax(String),
}

impl fmt::Display for GlobProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlobProblem::Braces(count) => write!(f, "it has {count} opening braces, and a glob may have {MOST_BRACES}"),
            GlobProblem::Alternatives(count) => {
                write!(f, "it has {count} commas, and a glob may have {MOST_ALTERNATIVES}")
            }
            GlobProblem::Syntax(message) => f.write_str(message),
        }
    }
}

/// The glob dialect used everywhere: `globset` with `/` literal.
pub fn glob(pattern: &str) -> Result<Glob, GlobProblem> {
    check_braces(pattern)?;
    let built = GlobBuilder::new(pattern).literal_separator(!is_planted(Bug::StarCrossesFolders)).build();
    built.map_err(|error| GlobProblem::Syntax(error.to_string()))
}

/// Refuses a glob with more braces or alternatives than can be compiled safely. Escaped ones count too.
pub fn check_braces(pattern: &str) -> Result<(), GlobProblem> {
    let count = |byte: u8| pattern.bytes().filter(|found| *found == byte).count();
    match (count(b'{'), count(b',')) {
        (braces, _) if braces > MOST_BRACES => Err(GlobProblem::Braces(braces)),
        (1.., commas) if commas > MOST_ALTERNATIVES => Err(GlobProblem::Alternatives(commas)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> String {
        format!("{}x{}", "{".repeat(depth), "}".repeat(depth))
    }

    #[test]
    fn braces_are_bounded() {
        assert!(glob(&nested(MOST_BRACES)).is_ok());
        assert_eq!(glob(&nested(MOST_BRACES + 1)).err(), Some(GlobProblem::Braces(MOST_BRACES + 1)));
        assert_eq!(glob(&nested(300_000)).err(), Some(GlobProblem::Braces(300_000)));
        assert_eq!(glob(&"{a,b}".repeat(65)).err(), Some(GlobProblem::Braces(65)));
        let listed = |commas: usize| format!("*.{{a{}}}", ",b".repeat(commas));
        assert!(glob(&listed(MOST_ALTERNATIVES)).is_ok());
        let many = MOST_ALTERNATIVES + 1;
        assert_eq!(glob(&listed(many)).err(), Some(GlobProblem::Alternatives(many)));
        assert!(glob(&",".repeat(many)).is_ok());
    }
}

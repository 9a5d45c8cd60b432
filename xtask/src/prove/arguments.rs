//! The words after `cargo xtask prove`.

use super::suites::{SUITES, Suite, named};
use crate::failure::Failure;
use std::path::PathBuf;

/// How long a long run takes if nobody says.
const MINUTES: u64 = 68;

/// What to prove, and for how long.
pub(crate) struct Arguments {
    pub(crate) suites: Vec<&'static Suite>,
    /// For all suites together; nothing for the short version.
    pub(crate) minutes: Option<u64>,
    pub(crate) seed: u64,
    /// The binary that is put to the test, if not the one that is built here.
    pub(crate) binary: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn read(words: &[String]) -> Result<Arguments, Failure> {
        let mut read = Arguments { suites: Vec::new(), minutes: Some(MINUTES), seed: by_the_clock(), binary: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--minutes" => read.minutes = Some(number(word, words.next())?.max(1)),
                "--short" => read.minutes = None,
                "--binary" => read.binary = words.next().map(PathBuf::from),
                "--seed" => read.seed = number(word, words.next())?,
                name => read
                    .suites
                    .push(named(name).ok_or_else(|| Failure::new(format!("prove knows no {name}"), usage()))?),
            }
        }
        if read.suites.is_empty() {
            read.suites = SUITES.iter().collect();
        }
        Ok(read)
    }
}

/// The seed of a long run differs each time; it is printed.
fn by_the_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| since.as_secs())
}

fn number(option: &str, word: Option<&String>) -> Result<u64, Failure> {
    let number = word.and_then(|word| word.parse().ok());
    number.ok_or_else(|| Failure::new(format!("{option} needs a number"), usage()))
}

fn usage() -> String {
    let mut text = "cargo xtask prove [--minutes N | --short] [--seed N] [--binary FILE] [SUITE…]\n".to_owned();
    for suite in SUITES {
        text.push_str(&format!("  {:<10} {}\n", suite.name, suite.about));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(usize, Option<u64>)>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Arguments::read(&words).ok().map(|read| (read.suites.len(), read.minutes));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words() {
        check("", Some((SUITES.len(), Some(MINUTES))));
        check("kill power", Some((2, Some(MINUTES))));
        check("--minutes 5 kill", Some((1, Some(5))));
        check("--short --seed 7", Some((SUITES.len(), None)));
        for bad in ["--minutes", "--minutes x", "--seed", "nothing", "--what"] {
            check(bad, None);
        }
    }
}

//! The words after `cargo xtask sanity`.

use crate::failure::Failure;
use std::path::PathBuf;

pub(super) const USAGE: &str = "\
cargo xtask sanity [--seed N] [--limit N] [--jobs N] [--verbose N] FOLDER…
    FOLDER      unpacked or packed packages, several versions of each: name-1.2.3/, name-1.2.4.tgz
    --seed N    which slips are made (1)
    --limit N   so many steps from version to version of each folder (all)
    --verbose N shows so many examples of each sort (0)";

/// What to measure, and how.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) places: Vec<PathBuf>,
    pub(super) seed: u64,
    pub(super) limit: usize,
    pub(super) jobs: usize,
    pub(super) examples: usize,
}

impl Arguments {
    pub(super) fn read(words: &[String]) -> Result<Arguments, Failure> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let mut read = Arguments { places: Vec::new(), seed: 1, limit: usize::MAX, jobs, examples: 0 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--seed" => read.seed = number(word, words.next())? as u64,
                "--limit" => read.limit = number(word, words.next())?,
                "--jobs" => read.jobs = number(word, words.next())?,
                "--verbose" => read.examples = number(word, words.next())?,
                option if option.starts_with('-') => {
                    return Err(Failure::new(format!("sanity knows no {option}"), USAGE));
                }
                place => read.places.push(place.into()),
            }
        }
        if read.places.is_empty() { Err(Failure::new("nothing to measure", USAGE)) } else { Ok(read) }
    }
}

fn number(option: &str, word: Option<&String>) -> Result<usize, Failure> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| Failure::new(format!("{option} needs a number above 0"), USAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(u64, usize, usize)>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Arguments::read(&words).ok().map(|read| (read.seed, read.limit, read.places.len()));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words() {
        check("a b", Some((1, usize::MAX, 2)));
        check("--seed 7 --limit 3 --jobs 1 --verbose 2 a", Some((7, 3, 1)));
        for bad in ["", "--seed", "--seed x a", "--limit 0 a", "--what a"] {
            check(bad, None);
        }
    }
}

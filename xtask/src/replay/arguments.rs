//! The words after `cargo xtask replay`.

use super::git::Renames;
use crate::failure::Failure;
use std::path::PathBuf;

pub(super) const USAGE: &str = "\
cargo xtask replay
cargo xtask replay [--find-renames] [--limit N] [--max-file-bytes N] [--jobs N] REPOSITORY…
cargo xtask replay --packages [--limit N] [--max-file-bytes N] [--jobs N] FOLDER…";

/// What to replay, and how.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) places: Vec<PathBuf>,
    pub(super) sort: Sort,
    /// The most edits from each place.
    pub(super) limit: usize,
    pub(super) max_file_bytes: usize,
    pub(super) jobs: usize,
}

/// What the places hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Histories(Renames),
    Packages,
}

impl Arguments {
    pub(super) fn read(words: &[String]) -> Result<Arguments, Failure> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let sort = Sort::Histories(Renames::Apart);
        let mut read = Arguments { places: Vec::new(), sort, limit: usize::MAX, max_file_bytes: 16 << 20, jobs };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--packages" => read.sort = Sort::Packages,
                "--find-renames" => read.sort = Sort::Histories(Renames::Found),
                "--limit" => read.limit = number(word, words.next())?,
                "--max-file-bytes" => read.max_file_bytes = number(word, words.next())?,
                "--jobs" => read.jobs = number(word, words.next())?,
                option if option.starts_with('-') => {
                    return Err(Failure::new(format!("replay knows no {option}"), USAGE));
                }
                place => read.places.push(place.into()),
            }
        }
        if read.places.is_empty() { Err(Failure::new("nothing to replay", USAGE)) } else { Ok(read) }
    }
}

fn number(option: &str, word: Option<&String>) -> Result<usize, Failure> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| Failure::new(format!("{option} needs a number above 0"), USAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(Sort, usize, usize)>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Arguments::read(&words).ok().map(|read| (read.sort, read.limit, read.places.len()));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words() {
        let plain = Sort::Histories(Renames::Apart);
        check("a", Some((plain, usize::MAX, 1)));
        check("a b --limit 7 --jobs 1 --max-file-bytes 9", Some((plain, 7, 2)));
        check("--find-renames a", Some((Sort::Histories(Renames::Found), usize::MAX, 1)));
        check("--packages a", Some((Sort::Packages, usize::MAX, 1)));
        for bad in ["", "--limit", "--limit x a", "--limit 0 a", "--what a"] {
            check(bad, None);
        }
    }
}

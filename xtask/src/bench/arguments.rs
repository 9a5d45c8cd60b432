//! The words after `cargo xtask bench`.

use super::contention::Load;
use super::{ALL, Measurement};
use crate::failure::Failure;
use std::path::PathBuf;

/// What to measure, and with what.
pub(super) struct Arguments {
    pub(super) measurements: Vec<&'static Measurement>,
    /// The binary that is measured, if not the release build of these sources.
    pub(super) binary: Option<PathBuf>,
    pub(super) load: Load,
}

impl Arguments {
    pub(super) fn read(words: &[String]) -> Result<Arguments, Failure> {
        let mut read = Arguments { measurements: Vec::new(), binary: None, load: Load::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--binary" => read.binary = Some(PathBuf::from(value(word, words.next())?)),
                "--processes" => read.load.processes = number(word, words.next())?,
                "--calls" => read.load.calls = number(word, words.next())?,
                name => read.measurements.push(named(name)?),
            }
        }
        if read.measurements.is_empty() {
            read.measurements = ALL.iter().collect();
        }
        Ok(read)
    }
}

fn named(name: &str) -> Result<&'static Measurement, Failure> {
    let found = ALL.iter().find(|known| known.name == name);
    found.ok_or_else(|| Failure::new(format!("no measurement is called {name}"), usage()))
}

fn value<'a>(option: &str, word: Option<&'a String>) -> Result<&'a str, Failure> {
    word.map(String::as_str).ok_or_else(|| Failure::new(format!("{option} needs a value"), usage()))
}

fn number(option: &str, word: Option<&String>) -> Result<usize, Failure> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| Failure::new(format!("{option} needs a number above 0"), usage()))
}

/// How the command is called.
pub(super) fn usage() -> String {
    let mut text = "cargo xtask bench [--binary FILE] [--processes N] [--calls N] [NAME…]\n".to_owned();
    for measurement in ALL {
        text.push_str(&format!("  {:<11} {}\n", measurement.name, measurement.about));
    }
    let Load { processes, calls } = Load::default();
    text.push_str("without a name all of them run\n");
    text.push_str("  --binary FILE   measures this binary in place of the release build of these sources\n");
    text.push_str(&format!("  --processes N   so many writers in `contention` ({processes} if nothing is said)\n"));
    text.push_str(&format!("  --calls N       so many edits in `contention`, over all writers ({calls})"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(usize, Load)>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Arguments::read(&words).ok().map(|read| (read.measurements.len(), read.load));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn words() {
        check("", Some((ALL.len(), Load::default())));
        check("read edit --binary x", Some((2, Load::default())));
        check("contention --processes 3 --calls 50", Some((1, Load { processes: 3, calls: 50 })));
        for bad in ["nothing", "--binary", "--processes", "--processes 0", "--calls x", "--what"] {
            check(bad, None);
        }
    }
}

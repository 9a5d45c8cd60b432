//! The words of `cargo xtask agents`.

use super::programs::{ALL, Program, SHORT};
use crate::failure::Failure;
use std::path::PathBuf;

const USAGE: &str = "cargo xtask agents [--binary PATH] [--only NAME,…] [--short] [--out FILE]";

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arguments {
    pub(super) binary: Option<PathBuf>,
    pub(super) out: Option<PathBuf>,
    /// All programs if empty.
    only: Vec<String>,
}

impl Arguments {
    pub(super) fn of(words: &[String]) -> Result<Arguments, Failure> {
        let mut arguments = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--short" {
                arguments.only = SHORT.iter().map(|name| (*name).to_owned()).collect();
                continue;
            }
            let value = words.next().ok_or_else(|| Failure::new(format!("`{word}` stands alone"), USAGE))?;
            match word.as_str() {
                "--binary" => arguments.binary = Some(PathBuf::from(value)),
                "--out" => arguments.out = Some(PathBuf::from(value)),
                "--only" => arguments.only = value.split(',').map(str::to_owned).collect(),
                _ => return Err(Failure::new(format!("`{word}` is not known"), USAGE)),
            }
        }
        match arguments.only.iter().find(|name| !ALL.iter().any(|program| program.name == **name)) {
            Some(name) => Err(Failure::new(format!("there is no program `{name}` here"), USAGE)),
            None => Ok(arguments),
        }
    }

    /// The programs that were asked for.
    pub(super) fn programs(&self) -> impl Iterator<Item = &'static Program> {
        ALL.iter().filter(|program| self.only.is_empty() || self.only.iter().any(|name| name == program.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, want: Option<&[&str]>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Arguments::of(&words).ok();
        let names = found.map(|found| found.programs().map(|program| program.name).collect::<Vec<_>>());
        assert_eq!(names.as_deref(), want, "{line}");
    }

    #[test]
    fn words() {
        let all: Vec<&str> = ALL.iter().map(|program| program.name).collect();
        check("", Some(&all));
        check("--short", Some(SHORT));
        check("--only claude,codex --binary x --out y", Some(&["codex", "claude"]));
        check("--only nobody", None);
        check("--out", None);
        check("--what x", None);
    }
}

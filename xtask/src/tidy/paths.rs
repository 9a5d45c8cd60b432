//! The paths that a source names: `std::fs::read`, and every leaf of `use std::{env, fs}`.
//!
//! `crate`, `self` and `super` are resolved against the file's own place, so that a rule can be
//! stated once, from the crate's root.

/// A path and the line where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
}

impl Named {
    /// Does it lie at or below `place`, or does it take in all of something above?
    pub(super) fn touches(&self, place: &str) -> bool {
        let place: Vec<&str> = place.split("::").collect();
        match self.path.split_last() {
            Some((last, above)) if last == "*" => {
                let shared = above.iter().zip(&place).all(|(a, b)| a == b);
                shared && !above.is_empty()
            }
            // A word by itself is a name of this file's own, not a crate.
            _ => self.path.len() >= place.len().max(2) && self.path.iter().zip(&place).all(|(a, b)| a == b),
        }
    }
}

/// Every path in `code`, which is the code layer of the file at `file`.
pub(super) fn named(code: &str, file: &str) -> Vec<Named> {
    let home = module_of(file);
    let mut walk = Walk {
        prefixes: Vec::new(),
        path: Vec::new(),
        line: 1,
        joined: Before::No,
        renamed: Before::No,
        found: Vec::new(),
    };
    for (line, token) in tokens(code) {
        walk.take(line, token);
    }
    walk.flush();
    walk.found.into_iter().map(|named| Named { line: named.line, path: resolve(named.path, &home) }).collect()
}

/// Did the sign come just before?
#[derive(Clone, Copy, Default, PartialEq)]
enum Before {
    Yes,
    #[default]
    No,
}

struct Walk {
    prefixes: Vec<Vec<String>>,
    path: Vec<String>,
    line: usize,
    /// Whether `::` came just before.
    joined: Before,
    /// Whether `as` came just before, in a group.
    renamed: Before,
    found: Vec<Named>,
}

impl Walk {
    fn take(&mut self, line: usize, token: &str) {
        match token {
            "::" => self.joined = Before::Yes,
            "{" => self.open(),
            "}" => {
                self.flush();
                self.prefixes.pop();
            }
            "*" if self.joined == Before::No && self.prefixes.last().is_none_or(Vec::is_empty) => self.flush(),
            // The new name in `use a::{b as c}` is this file's own.
            _ if std::mem::take(&mut self.renamed) == Before::Yes => {}
            "as" => {
                self.flush();
                let grouped = self.prefixes.last().is_some_and(|prefix| !prefix.is_empty());
                self.renamed = if grouped { Before::Yes } else { Before::No };
            }
            word if is_word(word) || word == "*" => self.word(line, word),
            _ => self.flush(),
        }
    }

    fn open(&mut self) {
        let prefix = if self.joined == Before::Yes { std::mem::take(&mut self.path) } else { Vec::new() };
        self.flush();
        self.prefixes.push(prefix);
    }

    fn word(&mut self, line: usize, word: &str) {
        if self.joined == Before::No {
            self.flush();
            self.path = self.prefixes.last().cloned().unwrap_or_default();
            self.line = line;
        }
        self.path.push(word.to_owned());
        self.joined = Before::No;
    }

    fn flush(&mut self) {
        self.joined = Before::No;
        let path = std::mem::take(&mut self.path);
        if !path.is_empty() {
            self.found.push(Named { line: self.line, path });
        }
    }
}

fn is_word(token: &str) -> bool {
    token.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Words, `::` and single signs, each with its line.
fn tokens(code: &str) -> impl Iterator<Item = (usize, &str)> {
    code.lines()
        .enumerate()
        .flat_map(|(at, text)| line_tokens(text).into_iter().map(move |token| (at.saturating_add(1), token)))
}

fn line_tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("::") {
            2
        } else if is_word(rest) {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        found.push(token);
        rest = after.trim_start();
    }
    found
}

/// The module that a file is: `app/src/wire/check.rs` is `crate::wire::check`.
pub(super) fn module_of(file: &str) -> Vec<String> {
    let inside = file.rsplit_once("/src/").map_or(file, |(_, inside)| inside);
    let stem = inside.trim_end_matches(".rs");
    let parts = stem.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
    std::iter::once("crate").chain(parts).map(str::to_owned).collect()
}

fn resolve(path: Vec<String>, home: &[String]) -> Vec<String> {
    let mut base = home.to_vec();
    let mut words = path.into_iter().peekable();
    match words.peek().map(String::as_str) {
        Some("self") => drop(words.next()),
        Some("super") => {
            while words.next_if(|word| word == "super").is_some() {
                base.pop();
            }
        }
        _ => base.clear(),
    }
    base.extend(words);
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, file: &str, expected: &[&str]) {
        let found: Vec<String> =
            named(code, file).iter().map(|named| named.path.join("::")).filter(|path| path.contains("::")).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn paths_are_spelt_out() {
        let core = "crates/core/src/text/line.rs";
        check("use std::fs;", core, &["std::fs"]);
        check("use std::{env, fs::{self, File}};", core, &["std::env", "std::fs::self", "std::fs::File"]);
        check("use std::{\n  env,\n  fs,\n};\nuse a::b;", core, &["std::env", "std::fs", "a::b"]);
        check("let x = std::fs::read(a)?;", core, &["std::fs::read"]);
        check("fn f() { if a { std::env::var(b) } else { c::d } }", core, &["std::env::var", "c::d"]);
        check("use std::*;", core, &["std::*"]);
        check("use std::{fs as files, io};", core, &["std::fs", "std::io"]);
        check("use super::splice;", core, &["crate::text::splice"]);
        check("use self::x; use super::super::path;", core, &["crate::text::line::x", "crate::path"]);
        check("use super::report::a;", "app/src/wire/mod.rs", &["crate::report::a"]);
        check("a * b", core, &[]);
    }

    #[test]
    fn touching_is_by_whole_words() {
        let path = |text: &str| Named { line: 1, path: text.split("::").map(str::to_owned).collect() };
        for (text, place, expected) in [
            ("std::fs::read", "std::fs", true),
            ("std::fs", "std::fs", true),
            ("std::fsx", "std::fs", false),
            ("std", "std::fs", false),
            ("std::*", "std::fs", true),
            ("std::fs::*", "std::fs", true),
            ("core::*", "std::fs", false),
            ("tokio::spawn", "tokio", true),
            ("tokio", "tokio", false),
        ] {
            assert_eq!(path(text).touches(place), expected, "{text} and {place}");
        }
    }
}

//! Patterns of paths as `.gitattributes` and `.editorconfig` have them.
//!
//! One without a slash is about names in any folder below, any other about paths from the folder of its file.

use crate::policy::check_braces;
use globset::{GlobBuilder, GlobMatcher};
use std::cell::RefCell;
use std::collections::HashMap;

/// Longer ones match nothing.
const LONGEST: usize = 1024;
/// A range of numbers is written out up to so many.
const NUMBERS: i64 = 256;
/// What means something in a pattern.
const SPECIAL: [char; 6] = ['*', '?', '[', '{', '}', '\\'];

/// A pattern.
pub(super) struct Pattern<'a> {
    text: &'a str,
    /// Is it about names in any folder?
    names: bool,
}

impl<'a> Pattern<'a> {
    pub(super) fn of(text: &'a str) -> Pattern<'a> {
        let names = !text.contains('/');
        Pattern { text: text.strip_prefix('/').unwrap_or(text), names }
    }

    pub(super) fn matches(&self, path: &str, compiled: &Compiled) -> bool {
        let path = if self.names { path.rsplit('/').next().unwrap_or(path) } else { path };
        // Nearly all are of these forms, and need no automaton.
        match self.text.strip_prefix('*') {
            Some("") if self.names => return true,
            Some(ending) if self.names && !ending.contains(SPECIAL) => return path.ends_with(ending),
            None if !self.text.contains(SPECIAL) => return path == self.text,
            _ => {}
        }
        compiled.matches(self.text, path)
    }
}

/// Patterns that were compiled already: the same few are asked about every new file of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled(RefCell<HashMap<String, Option<GlobMatcher>>>);

impl Compiled {
    fn matches(&self, pattern: &str, path: &str) -> bool {
        let mut known = self.0.borrow_mut();
        if !known.contains_key(pattern) {
            known.insert(pattern.to_owned(), compile(pattern));
        }
        known.get(pattern).and_then(Option::as_ref).is_some_and(|glob| glob.is_match(path))
    }
}

fn compile(pattern: &str) -> Option<GlobMatcher> {
    if pattern.len() > LONGEST || check_braces(pattern).is_err() {
        return None;
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).backslash_escape(true).build();
    glob.ok().map(|glob| glob.compile_matcher())
}

/// The braces of a section's pattern as the compiler knows them: `{1..3}` written out, `{one}` as letters, `**` beside a
/// letter as what it means. Nothing if that is too much.
pub(super) fn braces(glob: &str) -> Option<String> {
    if glob.len() > LONGEST || check_braces(glob).is_err() {
        return None;
    }
    let mut out = String::with_capacity(glob.len());
    let mut rest = glob;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((inner, later)) = after.split_once('}') else {
            out.push_str("\\{");
            rest = after;
            continue;
        };
        match (inner.contains(['{', ',']), inner.split_once("..")) {
            (true, _) => {
                out.push('{');
                rest = after;
                // The inner part and its end are copied as they are.
                let (copied, left) = rest.split_at(inner.len().saturating_add(1));
                out.push_str(copied);
                rest = left;
            }
            (false, Some((from, to))) => {
                out.push_str(&numbers(from, to)?);
                rest = later;
            }
            (false, None) => {
                out.push_str(&format!("\\{{{inner}\\}}"));
                rest = later;
            }
        }
    }
    out.push_str(rest);
    Some(deep(&out))
}

fn numbers(from: &str, to: &str) -> Option<String> {
    let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
    let (low, high) = (from.min(to), from.max(to));
    let count = high.checked_sub(low).filter(|count| *count < NUMBERS)?;
    let all: Vec<String> = (0..=count).map(|by| low.saturating_add(by).to_string()).collect();
    Some(format!("{{{}}}", all.join(",")))
}

/// `a/**.txt` is about files in all folders below `a`.
fn deep(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len());
    let mut rest = glob;
    while let Some((before, after)) = rest.split_once("**") {
        out.push_str(before);
        let whole = (out.is_empty() || out.ends_with('/')) && (after.is_empty() || after.starts_with('/'));
        out.push_str(if whole {
            "**"
        } else if out.is_empty() || out.ends_with('/') {
            "**/*"
        } else {
            "*"
        });
        rest = after;
    }
    out + rest
}

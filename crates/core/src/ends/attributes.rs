//! `.gitattributes`, as far as line ends go: `text`, `eol`, the older `crlf`, `binary` and other macros.
//!
//! For each attribute the last line that matches wins, and a deeper file goes before those above it.

use super::glob::{Compiled, Pattern};
use super::{Told, below, lines};
use crate::path::RelPath;
use crate::text::Terminator;
use std::collections::HashMap;

/// A macro may name another so often.
const DEEPEST: usize = 8;

/// What is said of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Nothing,
    /// It is no text.
    NoText,
    Ends(Terminator),
}

pub(super) fn say<'t>(path: &RelPath, folders: impl Iterator<Item = &'t Told>) -> Said {
    let mut state = State::default();
    let mut macros = HashMap::from([("binary", "-text")]);
    for told in folders {
        let (Some(text), Some(path)) = (&told.attributes, below(path, &told.folder)) else { continue };
        for line in lines(text) {
            match line.strip_prefix("[attr]") {
                // Only the topmost file may define them.
                Some(named) if told.folder.is_root() => {
                    let (name, words) = named.split_once(char::is_whitespace).unwrap_or((named, ""));
                    macros.insert(name, words);
                }
                Some(_) => {}
                None => {
                    if let Some(words) = matching(line, path, &told.compiled) {
                        state.take(words, &macros, DEEPEST);
                    }
                }
            }
        }
    }
    state.said()
}

/// What a line says, if it is about this path.
fn matching<'l>(line: &'l str, path: &str, compiled: &Compiled) -> Option<&'l str> {
    if line.is_empty() || line.starts_with(['#', '!']) {
        return None;
    }
    let (pattern, words) = match line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => line.split_once(char::is_whitespace)?,
    };
    // Braces are letters to git.
    let pattern = pattern.replace('{', "\\{").replace('}', "\\}");
    let tells = words.contains("text") || words.contains("eol") || words.contains("crlf") || words.contains("binary");
    // Most lines are about other attributes. A word that is none of these may be a macro.
    let other = words.split_whitespace().all(|word| word.contains(['=', '-', '!'])) && !tells;
    (!other && Pattern::of(&pattern).matches(path, compiled)).then_some(words)
}

/// What the lines so far came to. Nothing: not specified.
#[derive(Default)]
struct State<'a> {
    text: Option<&'a str>,
    crlf: Option<&'a str>,
    eol: Option<&'a str>,
}

impl<'a> State<'a> {
    fn take(&mut self, words: &'a str, macros: &HashMap<&'a str, &'a str>, depth: usize) {
        for word in words.split_whitespace() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if word.starts_with('!') => (word.trim_start_matches('!'), None),
                None if word.starts_with('-') => (word.trim_start_matches('-'), Some("-")),
                None => (word, Some("+")),
            };
            match name {
                "text" => self.text = value,
                "crlf" => self.crlf = value,
                "eol" => self.eol = value,
                name => {
                    if let (Some(words), Some("+"), Some(depth)) = (macros.get(name), value, depth.checked_sub(1)) {
                        self.take(words, macros, depth);
                    }
                }
            }
        }
    }

    fn said(&self) -> Said {
        match (self.text.or(self.crlf), self.eol) {
            (Some("-"), _) => Said::NoText,
            (_, Some("crlf")) => Said::Ends(Terminator::CrLf),
            (_, Some("lf")) | (Some("input"), _) => Said::Ends(Terminator::Lf),
            _ => Said::Nothing,
        }
    }
}

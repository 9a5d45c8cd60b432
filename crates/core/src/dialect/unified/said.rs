//! What stands between `diff --git` and the names of a section.

use super::lines::Lines;
use super::name;
use crate::refusal::{Grammar, Refusal, Unread};

/// What is said there of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) is_new: bool,
    pub(super) goes: bool,
    /// Does it say that there is text, which hunks have to bring?
    pub(super) has_text: bool,
    similar: bool,
}

/// What git calls an empty file, by either of its hashes.
const EMPTY: [&str; 2] =
    ["e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"];

/// Reads all such lines; none of them is passed over.
pub(super) fn read(lines: &mut Lines<'_>) -> Result<Said, Refusal> {
    let mut said = Said::default();
    while let Some(line) = lines.peek() {
        if !said.take(line).map_err(|expected| lines.fault(expected))? {
            break;
        }
        lines.take_header();
    }
    said.has_text |= said.to.is_some() && said.similar;
    Ok(said)
}

impl Said {
    /// Whether the line is one of them.
    fn take(&mut self, line: &str) -> Result<bool, Grammar> {
        let after = |word: &str| line.strip_prefix(word);
        let named = |text: &str| name::whole(text).ok_or(Grammar::DiffName);
        if let Some(from) = after("rename from ") {
            self.from = once(&self.from, named(from)?)?;
        } else if let Some(to) = after("rename to ") {
            self.to = once(&self.to, named(to)?)?;
        } else if let Some(mode) = after("new file mode ") {
            self.is_new = true;
            plain_mode(mode, Unread::NewMode)?;
        } else if let Some(mode) = after("deleted file mode ") {
            self.goes = true;
            plain_mode(if mode == "100755" { "100644" } else { mode }, Unread::Mode)?;
        } else if let Some(index) = after("index ") {
            self.has_text |= self.brings_text(index);
            // A mode here is the one that the file has.
            match index.rsplit_once(' ') {
                Some((_, "100755")) | None => {}
                Some((_, mode)) => plain_mode(mode, Unread::Mode)?,
            }
        } else if after("old mode ").or(after("new mode ")).is_some() {
            return Err(Grammar::DiffWithout(Unread::Mode));
        } else if after("copy from ").or(after("copy to ")).is_some() {
            return Err(Grammar::DiffWithout(Unread::Copy));
        } else if line == "GIT binary patch" || line.starts_with("Binary files ") {
            return Err(Grammar::DiffWithout(Unread::Binary));
        } else {
            self.similar |= after("similarity index ").is_some_and(|share| share != "100%");
            return Ok(after("similarity index ").or(after("dissimilarity index ")).is_some());
        }
        Ok(true)
    }
}

impl Said {
    /// Do the two names of content behind `index` say that a file is new and not empty, or not what it was?
    fn brings_text(&self, index: &str) -> bool {
        let names = index.split(' ').next().and_then(|names| names.split_once(".."));
        let Some((old, new)) = names else { return false };
        match (self.is_new, self.goes) {
            (true, _) => !EMPTY.iter().any(|empty| empty.starts_with(new)),
            (false, true) => false,
            (false, false) => old != new,
        }
    }
}

/// A name that is said once.
fn once(said: &Option<String>, name: String) -> Result<Option<String>, Grammar> {
    if said.is_some() { Err(Grammar::DiffSameFile) } else { Ok(Some(name)) }
}

/// Only plain files are written.
fn plain_mode(mode: &str, otherwise: Unread) -> Result<(), Grammar> {
    match mode {
        "100644" => Ok(()),
        "120000" => Err(Grammar::DiffWithout(Unread::Link)),
        "160000" => Err(Grammar::DiffWithout(Unread::Submodule)),
        _ => Err(Grammar::DiffWithout(otherwise)),
    }
}

//! What a call asked for, for those who look it up later: its keys and labels, how much it was, the rules that it broke,
//! and the fault that ended it. A commit says all of this by itself; a call that changed nothing says it here.

use super::{Commit, FileRecord, is_default};
use patchwright_core::refusal::Broken;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What a call asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The idempotency key.
    #[serde(rename = "key", default, skip_serializing_if = "is_default")]
    pub key: Option<String>,
    /// The caller's key for the batch.
    #[serde(rename = "batch_key", default, skip_serializing_if = "is_default")]
    pub batch_key: Option<String>,
    /// The caller's words for the batch.
    #[serde(rename = "label", default, skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// The files that the caller has a key or words for, or for a change of.
    #[serde(rename = "files", default, skip_serializing_if = "is_default")]
    pub files: Vec<AskedFile>,
    /// How much it was.
    #[serde(rename = "counts", default, skip_serializing_if = "is_default")]
    pub counts: Counts,
    /// The rules that it broke, the first [`RULES`] of them.
    #[serde(rename = "broken", default, skip_serializing_if = "is_default")]
    pub broken: Vec<BrokenRule>,
    /// How many more it broke.
    #[serde(rename = "broken_more", default, skip_serializing_if = "is_default")]
    pub broken_more: u64,
    /// The fault of ours that ended it.
    #[serde(rename = "fault", default, skip_serializing_if = "is_default")]
    pub fault: Option<FaultRecord>,
}

/// A file that the caller has a key or words for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedFile {
    /// The file.
    #[serde(rename = "path", default, skip_serializing_if = "is_default")]
    pub path: Option<String>,
    /// The name under which a line patch knows it.
    #[serde(rename = "doc_path", default, skip_serializing_if = "is_default")]
    pub doc_path: Option<String>,
    /// The caller's key for it.
    #[serde(rename = "key", default, skip_serializing_if = "is_default")]
    pub key: Option<String>,
    /// The caller's words for it.
    #[serde(rename = "label", default, skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// The caller's keys for its changes.
    #[serde(rename = "change_keys", default, skip_serializing_if = "is_default")]
    pub change_keys: Vec<String>,
}

/// How much a call changes, or asked to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Files.
    #[serde(rename = "files", default, skip_serializing_if = "is_default")]
    pub files: u64,
    /// Changes: runs of lines that differ, or those of a line patch.
    #[serde(rename = "changes", default, skip_serializing_if = "is_default")]
    pub changes: u64,
    /// Hunks, of a patch.
    #[serde(rename = "hunks", default, skip_serializing_if = "is_default")]
    pub hunks: u64,
    /// Replacements asked for, of a refused `edit_file`.
    #[serde(rename = "edits", default, skip_serializing_if = "is_default")]
    pub edits: u64,
    /// Operations on anchors.
    #[serde(rename = "operations", default, skip_serializing_if = "is_default")]
    pub operations: u64,
    /// Lines that come.
    #[serde(rename = "lines_added", default, skip_serializing_if = "is_default")]
    pub lines_added: u64,
    /// Lines that go.
    #[serde(rename = "lines_removed", default, skip_serializing_if = "is_default")]
    pub lines_removed: u64,
}

/// A rule that a refused call broke.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenRule {
    /// The rule's name.
    #[serde(rename = "rule")]
    pub rule: String,
    /// Where in the arguments.
    #[serde(rename = "at", default, skip_serializing_if = "is_default")]
    pub at: Option<String>,
    /// The file.
    #[serde(rename = "path", default, skip_serializing_if = "is_default")]
    pub path: Option<String>,
    /// The name under which a line patch knows it.
    #[serde(rename = "doc_path", default, skip_serializing_if = "is_default")]
    pub doc_path: Option<String>,
    /// The caller's key for the change, or for the file.
    #[serde(rename = "key", default, skip_serializing_if = "is_default")]
    pub key: Option<String>,
    /// The setting that holds the rule.
    #[serde(rename = "setting", default, skip_serializing_if = "is_default")]
    pub setting: Option<String>,
    /// The glob or pattern that the path met.
    #[serde(rename = "pattern", default, skip_serializing_if = "is_default")]
    pub pattern: Option<String>,
    /// The hunk in its section, from 0.
    #[serde(rename = "hunk", default, skip_serializing_if = "is_default")]
    pub hunk: Option<u64>,
    /// The line of the patch, from 1.
    #[serde(rename = "patch_line", default, skip_serializing_if = "is_default")]
    pub patch_line: Option<u64>,
}

/// A fault of ours.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The id that the answer gave.
    #[serde(rename = "id")]
    pub id: String,
    /// What went wrong, in the program's own words.
    #[serde(rename = "said", default, skip_serializing_if = "is_default")]
    pub said: String,
}

/// So many broken rules are kept.
pub const RULES: usize = 50;
/// So many files with keys are kept of a call that changed nothing.
const FILES: usize = 20;
/// A text of a refused call is cut here: nobody fills the log by being refused.
const LETTERS: usize = 200;

impl Asked {
    /// What a commit, a proposal or a dry run says of itself.
    pub fn of_commit(commit: &Commit) -> Asked {
        Asked {
            key: commit.key.as_ref().map(|(key, _)| key.clone()),
            batch_key: commit.batch_key.clone(),
            label: commit.label.clone(),
            files: commit.files.iter().map(AskedFile::of).filter(AskedFile::is_named).collect(),
            counts: Counts::of_commit(commit),
            ..Asked::default()
        }
    }

    /// The same with the rules that were broken.
    pub fn broke(mut self, rules: &[Broken]) -> Asked {
        self.broken = rules.iter().take(RULES).map(BrokenRule::of).collect();
        self.broken_more = rules.len().saturating_sub(RULES) as u64;
        self
    }

    /// The same with every text cut short that the caller chose, and with not too many of them.
    pub fn shortened(mut self) -> Asked {
        for text in [&mut self.key, &mut self.batch_key, &mut self.label] {
            shorten(text);
        }
        self.files.truncate(FILES);
        for file in &mut self.files {
            for text in [&mut file.path, &mut file.doc_path, &mut file.key, &mut file.label] {
                shorten(text);
            }
            file.change_keys.truncate(FILES);
            file.change_keys.iter_mut().for_each(cut);
        }
        self
    }
}

impl AskedFile {
    fn of(file: &FileRecord) -> AskedFile {
        AskedFile {
            path: Some(file.to.as_ref().unwrap_or(&file.path).to_string()),
            doc_path: file.doc_path.clone(),
            key: file.key.clone(),
            label: file.label.clone(),
            change_keys: file.changes.iter().filter_map(|change| change.key.clone()).collect(),
        }
    }

    /// Has the caller a key or words for it, or for a change of it?
    pub fn is_named(&self) -> bool {
        self.key.is_some() || self.label.is_some() || !self.change_keys.is_empty()
    }
}

impl Counts {
    fn of_commit(commit: &Commit) -> Counts {
        // A file that is moved and edited is two files of the record: what it is called afterwards is changed again.
        let moved: HashSet<_> = commit.files.iter().filter_map(|file| file.to.as_ref()).collect();
        let files = commit.files.iter().filter(|file| file.to.is_some() || !moved.contains(&file.path)).count();
        let changes = || commit.files.iter().flat_map(|file| &file.changes);
        Counts {
            files: files as u64,
            changes: changes().count() as u64,
            hunks: commit.patch.as_ref().map_or(0, |patch| patch.hunks),
            edits: 0,
            operations: commit.edit.as_ref().map_or(0, |edit| edit.facts.operations),
            lines_added: changes().map(|change| change.after.1).fold(0, u64::saturating_add),
            lines_removed: changes().map(|change| change.before.1).fold(0, u64::saturating_add),
        }
    }
}

impl BrokenRule {
    fn of(broken: &Broken) -> BrokenRule {
        let short = |text: &Option<String>| {
            let mut text = text.clone();
            shorten(&mut text);
            text
        };
        BrokenRule {
            rule: broken.rule.to_owned(),
            at: short(&broken.at),
            path: short(&broken.path),
            doc_path: short(&broken.doc_path),
            key: short(&broken.key),
            setting: broken.setting.map(str::to_owned),
            pattern: short(&broken.pattern),
            hunk: broken.hunk.map(|at| at as u64),
            patch_line: broken.patch_line.map(|line| line as u64),
        }
    }
}

impl FaultRecord {
    /// A fault with this id; what was said is cut short.
    pub fn new(id: &str, said: &str) -> FaultRecord {
        let mut said = said.to_owned();
        cut(&mut said);
        FaultRecord { id: id.to_owned(), said }
    }
}

fn shorten(text: &mut Option<String>) {
    if let Some(text) = text {
        cut(text);
    }
}

fn cut(text: &mut String) {
    if let Some((at, _)) = text.char_indices().nth(LETTERS) {
        text.truncate(at);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_cut_short() {
        let long = "x".repeat(10_000);
        let file =
            AskedFile { key: Some(long.clone()), change_keys: vec![long.clone(); 1_000], ..AskedFile::default() };
        let asked = Asked { label: Some(long.clone()), files: vec![file; 1_000], ..Asked::default() }.shortened();
        assert_eq!(asked.label.as_ref().map(|text| text.chars().count()), Some(LETTERS + 1));
        assert_eq!((asked.files.len(), asked.files[0].change_keys.len()), (FILES, FILES));
        let rules = vec![Broken { rule: "order", at: Some(long), ..Broken::default() }; RULES + 150];
        let asked = Asked::default().broke(&rules);
        assert_eq!((asked.broken.len(), asked.broken_more), (RULES, 150));
        assert!(asked.broken[0].at.as_ref().is_some_and(|at| at.len() < 300));
    }
}

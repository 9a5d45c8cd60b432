//! The files as the driver believes them to be: lines and a line end each, nothing cleverer.

use crate::prove::workload::file;
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::tree::Tree;
use std::collections::BTreeMap;

/// A text file. Every line stands in it once, and it ends in a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) lines: Vec<String>,
    pub(super) crlf: bool,
}

impl Text {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let end = if self.crlf { "\r\n" } else { "\n" };
        self.lines.iter().flat_map(|line| [line.as_str(), end]).collect::<String>().into_bytes()
    }

    /// As callers see it, with plain line ends.
    pub(super) fn shown(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    pub(super) fn sha256(&self) -> String {
        Digest::of(&self.bytes()).to_string()
    }
}

/// All files.
#[derive(Clone, Default)]
pub(super) struct Model {
    pub(super) files: BTreeMap<String, Text>,
}

impl Model {
    /// The tree that must be found: these files, and the folders that have ever been made.
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in &self.files {
            tree.items.insert(path.clone(), file(text.bytes(), 0o644));
        }
        tree
    }
}

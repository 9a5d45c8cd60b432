//! The project's files as tidy sees them: relative paths, read on demand.
//!
//! Leaves out what is built or fetched, and never follows a link.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// Names that hold no source of ours. In a second work tree `.git` is a file.
const SKIPPED: &[&str] = &["target", ".git", "node_modules", ".patchwright"];

/// A project on disk and the names of its files, sorted.
pub(super) struct Tree {
    root: PathBuf,
    files: Vec<String>,
}

impl Tree {
    /// Lists every file below `root`.
    pub(super) fn read(root: &Path) -> Result<Tree, Failure> {
        let mut files = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let place = root.join(&folder);
            let fail = |error: std::io::Error| Failure::io(place.display(), &error);
            for entry in std::fs::read_dir(&place).map_err(fail)? {
                let entry = entry.map_err(fail)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let sort = entry.file_type().map_err(fail)?;
                if SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                if sort.is_file() {
                    files.push(path);
                } else if sort.is_dir() {
                    folders.push(path);
                }
            }
        }
        files.sort();
        Ok(Tree { root: root.to_path_buf(), files })
    }

    /// Where it lies.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Every file.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Our own Rust sources. What lies in a case is the case's content, whatever its name.
    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.files().filter(|path| path.ends_with(".rs") && !path.starts_with("cases/"))
    }

    /// Is there a file of that name?
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.as_str().cmp(path)).is_ok()
    }

    /// Is there a file or a folder of that name, with or without a closing slash?
    pub(super) fn has_file_or_folder(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let below = format!("{path}/");
        self.has(path) || self.files().any(|file| file.starts_with(&below))
    }

    /// The text of a file; other bytes than UTF-8 are replaced.
    pub(super) fn text(&self, path: &str) -> Result<String, Failure> {
        let place = self.root.join(path);
        let bytes = std::fs::read(&place).map_err(|error| Failure::io(place.display(), &error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

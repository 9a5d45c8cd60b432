//! What the disk was like when planning began: only the paths that the intents name.

use crate::bytes::Bytes;
use crate::digest::{Digest, Trail};
use crate::path::RelPath;
use crate::refusal::{Missing, Refusal, Sort, Why};
use std::collections::HashMap;

/// What stands under each path that a call names.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    entries: HashMap<RelPath, Seen>,
    /// By what they lead to.
    trails: HashMap<Digest, Trail>,
    /// Folders that count as absent, deepest first.
    emptied: Vec<RelPath>,
}

/// What stands under one path.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// Nothing; with the place a new file would have.
    Absent {
        /// The path with links in its folders resolved.
        real: RelPath,
        /// Folders that are not there either, parents first.
        missing: Vec<RelPath>,
    },
    /// A file.
    File(SnapshotFile),
    /// A link, seen as itself.
    Link {
        /// The path with links in its folders resolved.
        real: RelPath,
        /// Its target text.
        target: Vec<u8>,
        /// The hash of that.
        digest: Digest,
    },
    /// A folder.
    Folder,
    /// Anything else.
    Special,
}

/// A file as it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotFile {
    /// Where links lead.
    pub real: RelPath,
    /// Its bytes, where the call needs them.
    pub bytes: Option<Bytes>,
    /// Their hash.
    pub digest: Digest,
    /// Its size.
    pub size: u64,
    /// Its permission bits.
    pub mode: u32,
    /// Device and inode: two paths with the same are one file.
    pub id: (u64, u64),
}

impl Snapshot {
    /// Adds what stands under a path.
    pub fn add(&mut self, path: RelPath, seen: Seen) {
        self.entries.insert(path, seen);
    }

    /// Notes folders that the call empties, and whose name it wants for a file.
    pub fn add_emptied(&mut self, folders: Vec<RelPath>) {
        for folder in folders {
            if !self.emptied.contains(&folder) {
                self.emptied.push(folder);
            }
        }
    }

    /// Folders that the call empties, and whose name it wants for a file, deepest first.
    pub fn emptied(&self) -> &[RelPath] {
        &self.emptied
    }

    /// Keeps the way to the hash of a file's bytes, so that what becomes of it is hashed sooner.
    pub fn add_trail(&mut self, digest: Digest, trail: Trail) {
        self.trails.insert(digest, trail);
    }

    /// The way to a hash, if it was kept.
    pub fn trail(&self, digest: Digest) -> Option<&Trail> {
        self.trails.get(&digest)
    }

    /// What stands under a path; a path that nobody looked at counts as absent with no folder.
    pub fn seen(&self, path: &RelPath) -> Seen {
        let unseen = || Seen::Absent { real: path.clone(), missing: path.ancestors() };
        self.entries.get(path).cloned().unwrap_or_else(unseen)
    }

    /// The files among what was seen.
    pub fn files(&self) -> impl Iterator<Item = &SnapshotFile> {
        self.entries.values().filter_map(|seen| match seen {
            Seen::File(file) => Some(file),
            _ => None,
        })
    }

    /// The links among what was seen: where each stands, and its target text.
    pub fn links(&self) -> impl Iterator<Item = (&RelPath, &[u8])> {
        self.entries.values().filter_map(|seen| match seen {
            Seen::Link { real, target, .. } => Some((real, target.as_slice())),
            _ => None,
        })
    }

    /// The file under a path, or why there is none.
    pub fn file(&self, path: &RelPath) -> Result<SnapshotFile, Refusal> {
        match self.seen(path) {
            Seen::File(file) => Ok(file),
            other => Err(other.not_a_file(path)),
        }
    }
}

impl Seen {
    /// What sort of thing this is; nothing if nothing is there.
    pub fn sort(&self) -> Option<Sort> {
        match self {
            Seen::Absent { .. } => None,
            Seen::File(_) => Some(Sort::File),
            Seen::Link { .. } => Some(Sort::Link),
            Seen::Folder => Some(Sort::Folder),
            Seen::Special => Some(Sort::Special),
        }
    }

    /// Where it is, with links resolved; nothing for a folder or a special file.
    pub fn real(&self) -> Option<&RelPath> {
        match self {
            Seen::File(file) => Some(&file.real),
            Seen::Link { real, .. } | Seen::Absent { real, .. } => Some(real),
            Seen::Folder | Seen::Special => None,
        }
    }

    /// The hash of a file's bytes or a link's target.
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Seen::File(file) => Some(file.digest),
            Seen::Link { digest, .. } => Some(*digest),
            _ => None,
        }
    }

    /// Why this will not do where a file is needed.
    pub fn not_a_file(&self, path: &RelPath) -> Refusal {
        let why = match self {
            Seen::Folder => Why::NotFound(Missing::IsFolder),
            Seen::Special => Why::SpecialFile,
            _ => match path.name_problem() {
                Some(problem) => Why::Name(problem),
                None => Why::NotFound(Missing::File { alike: Vec::new() }),
            },
        };
        Refusal::at(path, why)
    }
}

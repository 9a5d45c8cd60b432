//! What this session has last seen of each file: its proof of sight when a call brings no hash, and what
//! its anchors are held against.

use patchwright_core::digest::Digest;
use patchwright_core::intent::Knows;
use patchwright_core::outcome::Continuity;
use patchwright_core::path::RelPath;
use std::collections::HashMap;
use std::sync::Arc;

/// Lines of so many files are remembered; of others only the hash of the whole.
const REMEMBERED: usize = 256;

/// The files this session has read or written, by where they really are.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    files: HashMap<RelPath, Known>,
    /// Counts sights, so that the oldest lines can be forgotten.
    clock: u64,
}

/// What is known of one file.
#[derive(Clone, Debug)]
struct Known {
    digest: Digest,
    /// The hashes of its lines, where they were worked out.
    lines: Option<Arc<[u64]>>,
    /// Has this session been shown the line numbers of these very bytes beside their anchors?
    numbered: bool,
    /// Has anything but `edit` written it since this session first saw it?
    mixed: bool,
    at: u64,
}

/// How a session came to know a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// It read them.
    Read,
    /// It read them, with their anchors.
    ReadAnchors,
    /// `edit` wrote them.
    Edited,
    /// Another tool wrote them.
    Written,
}

impl Ledger {
    /// The session has read or written these bytes, which have these lines.
    pub(crate) fn saw(&mut self, path: RelPath, digest: Digest, (sight, lines): (Sight, Option<Arc<[u64]>>)) {
        self.clock += 1;
        let before = self.files.get(&path);
        let same = before.filter(|known| known.digest == digest);
        let foreign = before.is_some() && same.is_none() && matches!(sight, Sight::Read | Sight::ReadAnchors);
        let known = Known {
            digest,
            lines: lines.or_else(|| same.and_then(|known| known.lines.clone())),
            numbered: sight == Sight::ReadAnchors || same.is_some_and(|known| known.numbered),
            mixed: before.is_some_and(|known| known.mixed) || foreign || sight == Sight::Written,
            at: self.clock,
        };
        let holds = known.lines.is_some();
        self.files.insert(path, known);
        if holds {
            self.forget_oldest_lines();
        }
    }

    /// The file has another name now.
    pub(crate) fn moved(&mut self, from: &RelPath, to: RelPath, digest: Digest) {
        match self.files.remove(from) {
            Some(known) if known.digest == digest => drop(self.files.insert(to, known)),
            _ => self.saw(to, digest, (Sight::Read, None)),
        }
    }

    /// The file is gone.
    pub(crate) fn forget(&mut self, path: &RelPath) {
        self.files.remove(path);
    }

    /// What the session last saw.
    pub(crate) fn last_seen(&self, path: &RelPath) -> Option<Digest> {
        self.files.get(path).map(|known| known.digest)
    }

    /// What the session knows of a file that has this hash now.
    pub(crate) fn knows(&self, path: &RelPath, now: Digest) -> Knows {
        match self.files.get(path) {
            None => Knows::Nothing,
            Some(known) if known.digest != now => Knows::Earlier(known.lines.clone()),
            Some(known) if known.numbered => Knows::Numbered,
            Some(_) => Knows::Present,
        }
    }

    /// Who wrote a file that has this hash now.
    pub(crate) fn continuity(&self, path: &RelPath, now: Digest) -> Continuity {
        match self.files.get(path) {
            Some(known) if known.mixed || known.digest != now => Continuity::Mixed,
            _ => Continuity::Clean,
        }
    }

    fn forget_oldest_lines(&mut self) {
        let holding = || self.files.iter().filter(|(_, known)| known.lines.is_some());
        if holding().count() <= REMEMBERED {
            return;
        }
        let oldest = holding().min_by_key(|(_, known)| known.at).map(|(path, _)| path.clone());
        if let Some(known) = oldest.and_then(|path| self.files.get_mut(&path)) {
            known.lines = None;
        }
    }
}

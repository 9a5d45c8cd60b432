//! What the record says is kept, so that changes can be taken back and proposals carried out: pre-images by content,
//! trash entries by id. And whether it is there, byte for byte (`look`).
//!
//! What left on purpose is on record too: brought back, purged, or let go by retention. Leaves to others which batches
//! suffer from what is missing. Takes memory by the number of kept files, whatever they hold.

mod look;

pub use look::{Folders, Shelved};

use crate::records::{Commit, Decision, FileRecord, Keep, Proposal, Record, Retired, Shelf};
use patchwright_core::digest::Digest;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is kept by the record, and in which condition it is.
#[derive(Default)]
pub struct Kept {
    blobs: HashMap<Digest, Item>,
    trash: BTreeMap<String, Item>,
    open: BTreeMap<String, Open>,
    /// Pre-images under the names of the calls that displaced them, which those could not change.
    marked: HashMap<String, Digest>,
}

/// A kept file.
struct Item {
    digest: Digest,
    size: u64,
    link: bool,
    due: Due,
    condition: Condition,
    /// Did a commit displace it? Else proposals alone need it.
    displaced: bool,
}

/// Is a file to be there?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Yes,
    /// Retention or a purge let it go.
    LetGo,
    /// It was brought back.
    Returned,
}

/// How a kept file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It holds what it should.
    Whole,
    /// It is not there.
    Missing,
    /// It holds something else, or cannot be read.
    Damaged,
}

/// An open proposal.
struct Open {
    offset: u64,
    blobs: Vec<Digest>,
    trash: Vec<String>,
}

/// How many files are kept, and how they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files that are to be there.
    pub needed: u64,
    /// Bytes that they have by the record.
    pub bytes: u64,
    /// Those that are not there.
    pub missing: u64,
    /// Those that hold something else.
    pub damaged: u64,
    /// Files that would be needed and were let go on purpose.
    pub let_go: u64,
}

impl Kept {
    /// Takes a record in. They come in the order of the log, each with the place where it stands.
    pub fn take(&mut self, offset: u64, record: &Record) {
        self.take_leaving(record);
        match record {
            Record::Commit(commit) => commit.files.iter().for_each(|file| self.displaced(file)),
            Record::Proposal(proposal) => self.proposed(offset, proposal),
            _ => {}
        }
    }

    /// Takes in only what a record says has left.
    pub fn take_leaving(&mut self, record: &Record) {
        match record {
            Record::Commit(commit) => {
                self.open.remove(&commit.batch);
                self.trash_leaves(used_up(commit), Due::Returned);
            }
            Record::Purge(purge) => self.trash_leaves(purge.ids.iter().chain(&purge.inside), Due::LetGo),
            Record::Retired(retired) => self.retired(retired),
            Record::Verdict(verdict) if verdict.decision == Decision::Rejected => {
                self.open.remove(&verdict.batch);
            }
            Record::Resumed(_) => self.open.clear(),
            Record::Adopted(adopted) if adopted.from.is_some() => self.open.clear(),
            _ => {}
        }
    }

    fn displaced(&mut self, file: &FileRecord) {
        let (Some(keep), Some(digest)) = (&file.keep, file.before) else { return };
        let (due, condition, displaced, link) = (Due::Yes, Condition::Missing, true, file.link);
        match keep.shelf {
            Shelf::Blobs => {
                let item = Item { digest, size: file.before_size, link, due, condition, displaced };
                self.blobs.insert(digest, item);
            }
            Shelf::Trash => {
                let size = if file.after.is_none() { file.size } else { file.before_size };
                let item = Item { digest, size, link, due, condition, displaced };
                self.trash.insert(keep.name.clone(), item);
            }
        }
    }

    fn proposed(&mut self, offset: u64, Proposal { commit, .. }: &Proposal) {
        let kept: Vec<(Digest, u64)> = commit.files.iter().flat_map(deposited).collect();
        for (digest, size) in &kept {
            let (digest, size, due) = (*digest, *size, Due::Yes);
            let new = Item { digest, size, due, link: false, condition: Condition::Missing, displaced: false };
            self.blobs.entry(digest).or_insert(new).due = due;
        }
        let (blobs, trash) = (kept.into_iter().map(|(digest, _)| digest).collect(), used_up(commit).cloned().collect());
        self.open.insert(commit.batch.clone(), Open { offset, blobs, trash });
    }

    fn retired(&mut self, retired: &Retired) {
        for digest in retired.blobs.iter().filter_map(|name| Digest::parse(name)) {
            if let Some(blob) = self.blobs.get_mut(&digest) {
                blob.due = Due::LetGo;
            }
        }
        self.trash_leaves(retired.trash.iter(), Due::LetGo);
    }

    fn trash_leaves<'a>(&mut self, ids: impl Iterator<Item = &'a String>, due: Due) {
        for id in ids {
            if let Some(item) = self.trash.get_mut(id) {
                item.due = due;
            }
        }
    }

    /// What taking changes back, and doing them again, needs.
    pub fn for_undo(&self) -> Tally {
        let all = self.blobs.values().chain(self.trash.values());
        self.tally(all.filter(|item| item.displaced))
    }

    /// What is in the trash.
    pub fn in_trash(&self) -> Tally {
        self.tally(self.trash.values())
    }

    /// How many proposals are open, and what they need.
    pub fn for_proposals(&self) -> (u64, Tally) {
        let blobs: HashSet<&Digest> = self.open.values().flat_map(|open| &open.blobs).collect();
        let trash: HashSet<&String> = self.open.values().flat_map(|open| &open.trash).collect();
        let blobs = blobs.into_iter().filter_map(|digest| self.blobs.get(digest));
        let trash = trash.into_iter().filter_map(|id| self.trash.get(id));
        (self.open.len() as u64, self.tally(blobs.chain(trash)))
    }

    fn tally<'a>(&'a self, items: impl Iterator<Item = &'a Item>) -> Tally {
        let mut tally = Tally::default();
        for item in items {
            match item.due {
                Due::Yes => tally.count(item.size, self.condition(item)),
                Due::LetGo => tally.let_go += 1,
                Due::Returned => {}
            }
        }
        tally
    }

    /// Where the proposals stand in the log that are still open, oldest first.
    pub fn open_proposals(&self) -> Vec<u64> {
        let mut offsets: Vec<u64> = self.open.values().map(|open| open.offset).collect();
        offsets.sort_unstable();
        offsets
    }

    /// In which condition the file is that a record displaced; nothing if it is not to be there.
    pub fn of_record(&self, file: &FileRecord) -> Option<Condition> {
        let keep = file.keep.as_ref()?;
        let item = match keep.shelf {
            Shelf::Blobs => self.blobs.get(&file.before?),
            Shelf::Trash => self.trash.get(&keep.name),
        }?;
        (item.due == Due::Yes).then(|| self.condition(item))
    }

    /// In which condition a trash entry is; nothing if it is not to be there.
    pub fn in_trash_as(&self, id: &str) -> Option<Condition> {
        self.trash.get(id).filter(|item| item.due == Due::Yes).map(|item| self.condition(item))
    }

    /// Was a file with this hash found under this name? Nothing is known of what the record does not tell of.
    pub fn holds(&self, keep: &Keep, digest: Digest) -> Option<bool> {
        let item = match keep.shelf {
            Shelf::Trash => self.trash.get(&keep.name)?,
            Shelf::Blobs if Digest::parse(&keep.name) == Some(digest) => self.blobs.get(&digest)?,
            Shelf::Blobs => return Some(self.marked.get(&keep.name) == Some(&digest)),
        };
        // What left may still be there, and nobody has looked.
        let looked = item.due == Due::Yes || keep.shelf == Shelf::Blobs;
        looked.then_some(item.digest == digest && item.condition == Condition::Whole)
    }

    fn condition(&self, item: &Item) -> Condition {
        let marked = || self.marked.values().any(|digest| *digest == item.digest);
        match item.condition {
            Condition::Missing | Condition::Damaged if item.displaced && marked() => Condition::Whole,
            condition => condition,
        }
    }
}

impl Tally {
    fn count(&mut self, size: u64, condition: Condition) {
        self.needed += 1;
        self.bytes = self.bytes.saturating_add(size);
        match condition {
            Condition::Whole => {}
            Condition::Missing => self.missing += 1,
            Condition::Damaged => self.damaged += 1,
        }
    }

    /// Is all of it there?
    pub fn is_whole(&self) -> bool {
        self.missing == 0 && self.damaged == 0
    }
}

/// The trash entries that a commit uses up, or a proposal would.
fn used_up(commit: &Commit) -> impl Iterator<Item = &String> {
    commit.consumed.iter().chain(&commit.also_consumed)
}

/// What was kept for a file of a proposal, with its size: the version it was made for, and the one it would leave where
/// the record has no delta.
fn deposited(file: &FileRecord) -> impl Iterator<Item = (Digest, u64)> {
    let changes = file.before != file.after && !matches!(file.operation.as_str(), "delete" | "move" | "restore");
    let before = file.before.filter(|_| changes && file.operation != "create").map(|digest| (digest, file.before_size));
    let after = file.after.filter(|_| changes && file.delta.is_none()).map(|digest| (digest, file.size));
    before.into_iter().chain(after)
}

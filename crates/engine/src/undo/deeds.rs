//! What commits did to folders, and whether that still stands: the deeds that make up the history of a folder.

use crate::operation::operation;
use patchwright_core::folder::FolderMeta;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_store::records::{Commit, FileRecord};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// The number of the commit that is being made.
pub(super) const NOW: u64 = u64::MAX;

/// The commit since which a folder is no longer at a name. What the commit in the making does again, it does together with
/// everything that came after: such a deed counts from the commit that did it first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Left {
    /// The commit that did it first; the latest of these decides.
    by: u64,
    pub(super) since: u64,
    pub(super) again: bool,
}

/// One folder through time.
#[derive(Default)]
pub(super) struct FolderLife {
    /// Where it was before the first record about it.
    pub(super) first: Option<RelPath>,
    pub(super) deeds: Vec<Deed>,
    pub(super) place: Option<RelPath>,
    /// Its metadata when it was last removed or altered.
    pub(super) look: Option<FolderMeta>,
}

/// What a commit did to a folder.
pub(super) struct Deed {
    pub(super) seq: u64,
    pub(super) by: By,
    pub(super) from: Option<RelPath>,
    pub(super) to: Option<RelPath>,
    /// It has no effect as long as any of these holds: something in the folder was taken back.
    pub(super) unless: Vec<Holds>,
}

/// A change, and whether it stands.
pub(super) type Holds = (String, bool);

/// What has to hold for a deed to stand.
pub(super) enum By {
    /// The change that removed, moved or brought back a folder with everything in it.
    Tree(String),
    /// Any of these: changes needed the folder, or took its name.
    Any(Vec<Holds>),
    /// The same while such a change stands: something of what it moved is back.
    While(String, Vec<Holds>),
    /// Another program did it.
    Outside,
}

/// Whether a change stands.
#[derive(Clone, Copy)]
pub(super) struct Status {
    pub(super) stands: bool,
    /// The commit since which it does, or does not.
    pub(super) since: u64,
}

/// Which changes stand, and since when.
#[derive(Clone, Default)]
pub(super) struct Standing {
    /// Those that were taken back, or done again.
    pub(super) changed: HashMap<String, Status>,
    /// The same of earlier times, oldest first.
    earlier: HashMap<String, Vec<Status>>,
}

impl Standing {
    /// Since when a change stands, if it does.
    pub(super) fn since(&self, change: &str, made: u64) -> Option<u64> {
        match self.changed.get(change) {
            None => Some(made),
            Some(Status { stands, since }) => stands.then_some(*since),
        }
    }

    /// Notes that a change stands, or does not, from now on.
    pub(super) fn set(&mut self, change: String, now: Status) {
        if let Some(was) = self.changed.insert(change.clone(), now) {
            self.earlier.entry(change).or_default().push(was);
        }
    }

    /// Did a change stand before a commit?
    fn stood(&self, change: &str, before: u64) -> bool {
        let told = self.earlier.get(change).into_iter().flatten().chain(self.changed.get(change));
        told.take_while(|status| status.since < before).last().is_none_or(|status| status.stands)
    }

    /// The earliest commit since which any of these holds.
    pub(super) fn any(&self, holds: &[Holds], made: u64) -> Option<u64> {
        let since = |(change, wanted): &Holds| match (self.changed.get(change), wanted) {
            (None, true) => Some(made),
            (None, false) => None,
            (Some(Status { stands, since }), wanted) => (stands == wanted).then_some(*since),
        };
        holds.iter().filter_map(since).min()
    }
}

impl Deed {
    pub(super) fn new(seq: u64, by: By, from: Option<RelPath>, to: Option<RelPath>) -> Deed {
        Deed { seq, by, from, to, unless: Vec::new() }
    }

    /// Did it stand before a commit?
    pub(super) fn stood(&self, standing: &Standing, before: u64) -> bool {
        self.seq < before
            && match &self.by {
                By::Tree(change) | By::While(change, _) => standing.stood(change, before),
                By::Any(holds) => holds.iter().any(|(change, wanted)| standing.stood(change, before) == *wanted),
                By::Outside => true,
            }
    }

    /// Since when it stands, if it does.
    pub(super) fn since(&self, standing: &Standing) -> Option<u64> {
        if standing.any(&self.unless, self.seq).is_some() {
            return None;
        }
        match &self.by {
            By::Outside => Some(self.seq),
            By::Any(holds) => standing.any(holds, self.seq),
            By::Tree(change) => standing.since(change, self.seq),
            By::While(change, holds) => Some(standing.since(change, 0)?.max(standing.any(holds, self.seq)?)),
        }
    }
}

impl FolderLife {
    /// The deed that put it where it is, and since when. A deed that is done again keeps its place among the others: whatever
    /// was done to the folder in between and stands would be a conflict.
    pub(super) fn newest(&self, standing: &Standing) -> Option<(u64, &Deed)> {
        let stand = self.deeds.iter().filter_map(|deed| Some((deed.since(standing)?, deed)));
        stand.max_by_key(|(_, deed)| deed.seq)
    }

    pub(super) fn place(&self, standing: &Standing) -> Option<RelPath> {
        self.newest(standing).map_or_else(|| self.first.clone(), |(_, deed)| deed.to.clone())
    }

    /// The names that it left, and since when.
    pub(super) fn left(&self, standing: &Standing) -> Vec<(&RelPath, Left)> {
        let stand = self.deeds.iter().filter_map(|deed| Some((deed.since(standing)?, deed)));
        let mut stand: Vec<(u64, &Deed)> = stand.collect();
        stand.sort_by_key(|(_, deed)| deed.seq);
        let (mut at, mut left) = (self.first.as_ref(), Vec::new());
        for (since, deed) in stand {
            let again = since == NOW;
            let since = Left { by: deed.seq, since: if again { deed.seq } else { since }, again };
            let was = at.into_iter().chain(&deed.from).filter(|at| Some(*at) != deed.to.as_ref());
            left.extend(was.map(|at| (at, since)));
            at = deed.to.as_ref();
        }
        left
    }

    /// Orders folders with the same name: those put there on purpose before those made for a file; then by age.
    pub(super) fn rank(&self, standing: &Standing) -> (Option<u64>, Reverse<u64>) {
        match self.newest(standing) {
            Some((since, Deed { by: By::Any(_) | By::While(..), .. })) => (None, Reverse(since)),
            Some((since, _)) => (Some(since), Reverse(0)),
            None => (Some(0), Reverse(0)),
        }
    }
}

/// The folder that has a name, of those that should.
pub(super) fn best(lives: &[FolderLife], standing: &Standing, all: Option<&BTreeSet<usize>>) -> Option<usize> {
    let rank = |life: &usize| lives.get(*life).map(|life| life.rank(standing));
    all?.iter().copied().max_by_key(rank)
}

/// The changes that put something in each of some folders.
pub(super) fn needing(commit: &Commit, folders: &BTreeSet<RelPath>) -> HashMap<RelPath, Vec<String>> {
    let mut found: HashMap<RelPath, Vec<String>> = HashMap::new();
    if folders.is_empty() {
        return found;
    }
    for (file, name) in commit.files.iter().filter_map(|file| Some((file, brought(file)?))) {
        for above in name.ancestors().into_iter().filter(|above| folders.contains(above)) {
            found.entry(above).or_default().extend(file.changes.iter().map(|change| change.id.clone()));
        }
    }
    found
}

/// The changes that took the name of each of some folders, or that of one above it.
pub(super) fn taking(commit: &Commit, folders: &BTreeSet<RelPath>) -> HashMap<RelPath, Vec<String>> {
    let mut found: HashMap<RelPath, Vec<String>> = HashMap::new();
    if folders.is_empty() {
        return found;
    }
    let brought: HashMap<&RelPath, &FileRecord> =
        commit.files.iter().filter_map(|file| Some((brought(file)?, file))).collect();
    for folder in folders {
        let files = std::iter::once(folder.clone()).chain(folder.ancestors());
        let files = files.filter_map(|name| brought.get(&name).copied());
        let ids: Vec<String> = files.flat_map(|file| &file.changes).map(|change| change.id.clone()).collect();
        if !ids.is_empty() {
            found.insert(folder.clone(), ids);
        }
    }
    found
}

pub(super) fn without(mut folders: BTreeSet<RelPath>, one: Option<&RelPath>) -> BTreeSet<RelPath> {
    if let Some(one) = one {
        folders.remove(one);
    }
    folders
}

/// Changes that stand.
pub(super) fn stand(changes: &[String]) -> Vec<Holds> {
    changes.iter().map(|id| (id.clone(), true)).collect()
}

/// All changes of a commit.
pub(super) fn all(commit: &Commit) -> Vec<String> {
    commit.files.iter().flat_map(|file| &file.changes).map(|change| change.id.clone()).collect()
}

/// The name at which a record created something.
fn brought(file: &FileRecord) -> Option<&RelPath> {
    match (&file.to, operation(file)) {
        (Some(to), _) => Some(to),
        (None, Operation::Create | Operation::Restore) => Some(&file.path),
        _ => None,
    }
}

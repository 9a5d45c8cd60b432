//! Walking a tree with several threads, folder by folder, through the guard.
//!
//! Promises that no link is followed, that the state folder is never entered, that at most a few
//! folders are open at a time, and that a tree of any depth or width ends: what cannot be read is
//! counted and left. Gives no order: whoever collects sorts. Leaves what to do with an entry to a
//! [`Visitor`].

use super::queue::Queue;
use super::rules::Rules;
use super::{LeftOut, LookProblem, Sight};
use crate::crew;
use crate::disk::Disk;
use crate::real::{Dir, RealDisk, read_entries, sort_of};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether names that begin with a dot are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// They are.
    Include,
    /// They are not.
    Skip,
}

/// Whether entries that ignore files name, and `.git`, are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// They are not.
    Honour,
    /// They are.
    Include,
}

/// As many entries of one folder are handled in one go; the rest may go to other threads.
const BATCH: usize = 128;
const MOST_THREADS: usize = 8;
const ENTRY_BUFFER: usize = 32 * 1024;

/// An entry, as it is shown to a visitor.
pub(super) struct Seen<'a> {
    /// The open folder it is in.
    pub(super) dir: &'a Dir,
    /// Its path in the workspace, without links.
    pub(super) path: &'a RelPath,
    /// Its path below the folder that the walk began in.
    pub(super) below: &'a str,
    /// What it is.
    pub(super) sort: Sort,
    /// How many entries had been looked at before it.
    pub(super) done: u64,
}

/// What a thread does with the entries it meets.
pub(super) trait Visitor: Send {
    /// Is there anything to find in this folder? Asked before entering.
    fn enters(&self, below: &str) -> bool;
    /// An entry; whether it could be read.
    fn see(&mut self, entry: &Seen<'_>) -> Readable;
}

/// Whether an entry could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readable {
    Yes,
    No,
    /// Only in part: the search has taken all the steps that it may.
    TooLong,
    /// Whoever asked has withdrawn meanwhile.
    NotWanted,
}

/// Where and how to walk.
pub(super) struct Walk<'a> {
    pub(super) disk: &'a RealDisk,
    pub(super) sight: &'a Sight<'a>,
    /// The folder to begin in, without links.
    pub(super) base: RelPath,
    pub(super) hidden: Hidden,
    pub(super) ignored: Ignored,
}

impl Walk<'_> {
    /// Walks; gives back a visitor for each thread.
    pub(super) fn run<V: Visitor>(&self, make: impl Fn() -> V) -> Result<(Vec<V>, LeftOut), LookProblem> {
        let first = Task::Folder { path: self.base.clone(), rules: self.rules_above() };
        let shared = Shared { walk: self, queue: Queue::new(first), seen: AtomicU64::new(0) };
        let threads = crew::cores().min(MOST_THREADS);
        let mut workers: Vec<Worker<'_, V>> = (0..threads).map(|_| Worker::new(&shared, make())).collect();
        std::thread::scope(|scope| {
            let (own, others) = workers.split_first_mut().unzip();
            for worker in others.into_iter().flatten() {
                // Where no thread can be had the walk goes on with those there are.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || worker.work());
            }
            own.into_iter().for_each(Worker::work);
        });
        if shared.queue.is_stopped() {
            return Err(LookProblem::Stopped);
        }
        let mut left_out = LeftOut::default();
        let visitors = workers.into_iter().map(|worker| {
            left_out.add(worker.left_out);
            worker.visitor
        });
        Ok((visitors.collect(), left_out))
    }

    /// The ignore rules of the folders above the one that the walk begins in. That one itself was
    /// named by the caller: it is walked even if they ignore it.
    fn rules_above(&self) -> Arc<Rules> {
        let mut rules = Arc::new(Rules::default());
        if self.ignored == Ignored::Include || self.base.is_root() {
            return rules;
        }
        for folder in std::iter::once(RelPath::root()).chain(self.base.ancestors()) {
            if let Ok(dir) = self.disk.folder(&folder) {
                rules = rules.within(self.disk, &dir, &folder, [".ignore", ".gitignore"].into_iter());
            }
        }
        rules
    }

    fn skips(&self, rules: &Rules, path: &RelPath, sort: Sort) -> bool {
        let name = path.name();
        if self.disk.is_state(path) || (self.hidden == Hidden::Skip && name.starts_with('.')) {
            return true;
        }
        self.ignored == Ignored::Honour && (name == ".git" || rules.ignore(path, sort))
    }
}

enum Task {
    Folder { path: RelPath, rules: Arc<Rules> },
    Batch { dir: Dir, entries: Vec<(RelPath, Sort)> },
}

struct Shared<'a> {
    walk: &'a Walk<'a>,
    queue: Queue<Task>,
    seen: AtomicU64,
}

impl Shared<'_> {
    fn count(&self, entries: usize) {
        let seen = self.seen.fetch_add(entries as u64, Ordering::Relaxed).saturating_add(entries as u64);
        if !(self.walk.sight.go_on)(seen) {
            self.queue.stop();
        }
    }
}

struct Worker<'a, V> {
    shared: &'a Shared<'a>,
    visitor: V,
    left_out: LeftOut,
    buffer: Vec<u8>,
}

impl<'a, V: Visitor> Worker<'a, V> {
    fn new(shared: &'a Shared<'a>, visitor: V) -> Worker<'a, V> {
        Worker { shared, visitor, left_out: LeftOut::default(), buffer: Vec::with_capacity(ENTRY_BUFFER) }
    }

    fn work(&mut self) {
        while let Some((task, _in_hand)) = self.shared.queue.take() {
            match task {
                Task::Folder { path, rules } => self.folder(path, &rules),
                Task::Batch { dir, entries } => self.entries(&dir, &entries),
            }
        }
    }

    fn folder(&mut self, path: RelPath, rules: &Arc<Rules>) {
        let walk = self.shared.walk;
        let Ok(dir) = walk.disk.open_straight(&path) else {
            return self.left_out.unread(path.as_str());
        };
        let Some(names) = self.names(&dir, &path) else {
            return self.left_out.unread(path.as_str());
        };
        let rules = match walk.ignored {
            Ignored::Honour => rules.within(walk.disk, &dir, &path, names.iter().map(|(name, _)| name.as_str())),
            Ignored::Include => Arc::clone(rules),
        };
        let (mut entries, mut tasks) = (Vec::with_capacity(names.len()), Vec::new());
        for (name, sort) in names {
            let Some(child) = path.join(&name) else {
                self.left_out.unread(path.as_str());
                continue;
            };
            if walk.skips(&rules, &child, sort) {
                continue;
            }
            if sort == Sort::Folder && self.visitor.enters(below(&walk.base, &child)) {
                tasks.push(Task::Folder { path: child.clone(), rules: Arc::clone(&rules) });
            }
            entries.push((child, sort));
        }
        while entries.len() > BATCH {
            let rest = entries.split_off(entries.len() - BATCH);
            tasks.push(Task::Batch { dir: dir.clone(), entries: rest });
        }
        self.shared.queue.give(tasks);
        self.entries(&dir, &entries);
    }

    /// The names in a folder that are text, with what they are.
    fn names(&mut self, dir: &Dir, path: &RelPath) -> Option<Vec<(String, Sort)>> {
        let mut names = Vec::new();
        let mut unaddressable = 0;
        let read = read_entries(dir, self.buffer.spare_capacity_mut(), |name, kind| match std::str::from_utf8(name) {
            Ok(name) => names.push((name.to_owned(), sort_of(kind))),
            Err(_) => unaddressable += 1,
        });
        self.left_out.unaddressable += unaddressable;
        read.ok()?;
        let disk = self.shared.walk.disk;
        let left_out = &mut self.left_out;
        let known = names.into_iter().filter_map(|(name, sort)| {
            let sort = sort.or_else(|| disk.stat(dir, &name).ok().flatten().map(|stat| stat.sort));
            if sort.is_none() {
                left_out.unread(path.as_str());
            }
            sort.map(|sort| (name, sort))
        });
        Some(known.collect())
    }

    fn entries(&mut self, dir: &Dir, entries: &[(RelPath, Sort)]) {
        let walk = self.shared.walk;
        for (path, sort) in entries {
            let done = self.shared.seen.load(Ordering::Relaxed);
            let seen = Seen { dir, path, below: below(&walk.base, path), sort: *sort, done };
            match self.visitor.see(&seen) {
                Readable::Yes => {}
                Readable::No => self.left_out.unread(path.as_str()),
                Readable::TooLong => self.left_out.unsearched(path.as_str()),
                Readable::NotWanted => self.shared.queue.stop(),
            }
            if self.shared.queue.is_stopped() {
                return;
            }
        }
        self.shared.count(entries.len());
    }
}

fn below<'p>(base: &RelPath, path: &'p RelPath) -> &'p str {
    let skip = if base.is_root() { 0 } else { base.as_str().len() + 1 };
    path.as_str().get(skip..).unwrap_or_default()
}

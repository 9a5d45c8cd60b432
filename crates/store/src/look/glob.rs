//! Files and folders by a glob over their paths, sorted.

use super::pattern::{Letters, compile, fixed_folder, on_the_way};
use super::walk::{Hidden, Ignored, Readable, Seen, Visitor, Walk};
use super::{LookProblem, Looked, Sight};
use crate::crew;
use crate::disk::Disk;
use crate::real::{Dir, RealDisk};
use globset::GlobSet;
use patchwright_core::outcome::{Entry, Globbed};
use patchwright_core::path::RelPath;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Globbing {
    /// The glob, over paths relative to `root`.
    pub pattern: String,
    /// The folder to look in.
    pub root: RelPath,
    /// Nothing that one of these matches, and nothing in a folder that one of these matches.
    pub exclude: Vec<String>,
    /// Most entries in the answer.
    pub max_results: usize,
    /// Whether ignored entries are seen.
    pub ignored: Ignored,
}

/// Finds what a glob matches.
pub fn glob(disk: &RealDisk, ask: &Globbing, sight: &Sight<'_>) -> Result<Looked<Globbed>, LookProblem> {
    let pattern = compile(std::slice::from_ref(&ask.pattern), Letters::AsTheyAre)?;
    let exclude = compile(&ask.exclude, Letters::AsTheyAre)?;
    let base = disk.folder(&ask.root)?.path().cloned().unwrap_or_else(RelPath::root);
    let walk = Walk { disk, sight, base: base.clone(), hidden: Hidden::Include, ignored: ask.ignored };
    let make =
        || Finder { pattern: &pattern, exclude: &exclude, fixed: fixed_folder(&ask.pattern), sight, found: Vec::new() };
    let (finders, left_out) = walk.run(make)?;
    let mut found: Vec<RelPath> = finders.into_iter().flat_map(|finder| finder.found).collect();
    found.sort_unstable();
    let truncated = found.len() > ask.max_results;
    found.truncate(ask.max_results);
    let matches = describe(disk, &found, |path| shown(&ask.root, &base, path));
    Ok(Looked { answer: Globbed { matches, truncated }, left_out })
}

/// A path as the caller would spell it: below the folder that was asked for, not where links led.
pub(super) fn shown(root: &RelPath, base: &RelPath, path: &RelPath) -> String {
    let below = path.as_str().strip_prefix(base.as_str()).unwrap_or_default().trim_start_matches('/');
    if root.is_root() || root == base { path.as_str().to_owned() } else { format!("{}/{below}", root.as_str()) }
}

/// So many entries are worth a thread of their own.
const SHARE: usize = 512;

/// What vanished meanwhile is left out. Looking up sizes and times takes longer than the walk, so the
/// threads share it.
fn describe(disk: &RealDisk, paths: &[RelPath], spell: impl Fn(&RelPath) -> String + Sync) -> Vec<Entry> {
    let threads = crew::cores();
    let share = paths.len().div_ceil(threads).max(SHARE);
    std::thread::scope(|scope| {
        let spell = &spell;
        let work = |part| scope.spawn(move || describe_part(disk, part, spell));
        let (first, rest) = paths.split_at(share.min(paths.len()));
        let others: Vec<_> = rest.chunks(share).map(work).collect();
        let mut entries = describe_part(disk, first, spell);
        for other in others {
            entries.extend(other.join().unwrap_or_default());
        }
        entries
    })
}

fn describe_part(disk: &RealDisk, paths: &[RelPath], spell: &impl Fn(&RelPath) -> String) -> Vec<Entry> {
    let mut held: Option<(RelPath, Dir)> = None;
    let mut entries = Vec::with_capacity(paths.len());
    for path in paths {
        let Some((parent, name)) = path.split() else { continue };
        if held.as_ref().is_none_or(|(at, _)| *at != parent) {
            held = disk.open_straight(&parent).ok().map(|dir| (parent, dir));
        }
        let stat = held.as_ref().and_then(|(_, dir)| disk.stat(dir, name).ok().flatten());
        entries.extend(stat.map(|stat| {
            let shown = spell(path);
            let depth = shown.matches('/').count();
            Entry { path: shown, sort: stat.sort, size: stat.size, mtime_ns: stat.mtime_ns, depth, sha256: None }
        }));
    }
    entries
}

struct Finder<'a> {
    pattern: &'a GlobSet,
    exclude: &'a GlobSet,
    fixed: &'a str,
    sight: &'a Sight<'a>,
    found: Vec<RelPath>,
}

impl Visitor for Finder<'_> {
    fn enters(&self, below: &str) -> bool {
        on_the_way(below, self.fixed) && !self.exclude.is_match(below)
    }

    fn see(&mut self, entry: &Seen<'_>) -> Readable {
        let wanted = self.pattern.is_match(entry.below) && !self.exclude.is_match(entry.below);
        if wanted && (self.sight.may)(entry.path) {
            self.found.push(entry.path.clone());
        }
        Readable::Yes
    }
}

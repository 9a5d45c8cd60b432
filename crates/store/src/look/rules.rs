//! Ignore files: `.gitignore` and `.ignore`, read through the guard and matched by the `ignore` crate.
//!
//! Promises never to open an ignore file that is not a regular file, and to read no more than a
//! megabyte of it. The nearest file decides; `.ignore` goes before `.gitignore`.

use crate::real::{Dir, RealDisk};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use patchwright_core::path::RelPath;
use patchwright_core::policy::check_braces;
use patchwright_core::refusal::Sort;
use std::io::Read;
use std::sync::Arc;

const LONGEST: u64 = 1 << 20;

/// The rules of one folder, and of those above it. Folders without ignore files have none of their own.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
}

impl Rules {
    /// These rules and those of a folder below, where it has `.ignore` or `.gitignore` among its names.
    pub(super) fn within<'n>(
        self: &Arc<Rules>,
        disk: &RealDisk,
        dir: &Dir,
        path: &RelPath,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Arc<Rules> {
        let load = |name: &str| names.clone().any(|known| known == name).then(|| read(disk, dir, path, name)).flatten();
        let (ignore, gitignore) = (load(".ignore"), load(".gitignore"));
        if ignore.is_none() && gitignore.is_none() {
            return Arc::clone(self);
        }
        Arc::new(Rules { above: Some(Arc::clone(self)), ignore, gitignore })
    }

    /// Is this path ignored?
    pub(super) fn ignore(&self, path: &RelPath, sort: Sort) -> bool {
        let decide = |pick: fn(&Rules) -> Option<&Gitignore>| {
            self.upwards().filter_map(pick).find_map(|rules| match rules.matched(path.as_str(), sort == Sort::Folder) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            })
        };
        decide(|rules| rules.ignore.as_ref()).or_else(|| decide(|rules| rules.gitignore.as_ref())).unwrap_or(false)
    }

    fn upwards(&self) -> impl Iterator<Item = &Rules> {
        std::iter::successors(Some(self), |rules| rules.above.as_deref())
    }
}

/// What cannot be read, and lines that make no sense, are as if they were not there.
fn read(disk: &RealDisk, dir: &Dir, path: &RelPath, name: &str) -> Option<Gitignore> {
    use crate::disk::Disk;
    let file = disk.open(dir, name).ok()?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new(path.as_str());
    let lines = text.trim_start_matches('\u{feff}').lines();
    for line in lines.filter(|line| check_braces(line).is_ok()) {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

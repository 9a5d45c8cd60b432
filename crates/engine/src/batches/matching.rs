//! Batches by folders and globs: which names on record are meant. What may not be read is not there.

use crate::gather::{Gather, any_path};
use crate::past::Past;
use crate::session::Session;
use crate::trouble::index as failed_index;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::policy::{Access, LONGEST_LIST, glob};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::PathFilter;
use patchwright_store::index::{KnownPath, Names};

impl Session {
    /// Is anything on record that was done, or is proposed, to such a path? What may not be read is not.
    pub fn is_on_record(&self, paths: &PathFilter) -> Result<bool, Trouble> {
        match self.past()? {
            Some(past) => Ok(!past.matching(paths)?.is_empty()),
            None => Ok(false),
        }
    }

    fn may_be_seen(&self, path: &str) -> bool {
        RelPath::parse(path, &[]).is_ok_and(|path| self.workspace.policy.check(&path, Access::Read).is_ok())
    }
}

impl Past<'_> {
    /// The names of the files that a filter means.
    pub(super) fn names_matching(&self, paths: &PathFilter) -> Result<Names, Trouble> {
        let numbers: Vec<i64> = self.matching(paths)?.iter().map(|known| known.number).collect();
        let session = self.session();
        self.index.names_of(&numbers, &|path| session.may_be_seen(path)).map_err(failed_index)
    }

    fn matching(&self, paths: &PathFilter) -> Result<Vec<KnownPath>, Trouble> {
        let mut found = match paths {
            PathFilter::Any => self.known_below("")?,
            PathFilter::Below(path) => self.below(path)?,
            PathFilter::Glob { folder, glob } => self.globbed(folder, glob)?,
        };
        found.retain(|known| self.session().may_be_seen(&known.path));
        Ok(found)
    }

    /// A path with everything below it; of a link also what it leads to.
    fn below(&self, path: &str) -> Result<Vec<KnownPath>, Trouble> {
        let workspace = &self.session().workspace;
        let mut found = Vec::new();
        for name in Gather::new(workspace).names_on_record(any_path(&workspace.disk, path)?) {
            found.extend(self.known_below(name.as_str())?);
        }
        Ok(found)
    }

    fn globbed(&self, folder: &str, given: &str) -> Result<Vec<KnownPath>, Trouble> {
        let folder = any_path(&self.session().workspace.disk, if folder.is_empty() { "." } else { folder })?;
        let text = given.strip_prefix("./").unwrap_or(given).trim_end_matches('/');
        let spelt = if text.contains('/') { text.to_owned() } else { format!("**/{text}") };
        let bad = |said: String| Trouble::from(Refusal::plain(Why::Glob(said)));
        if spelt.len() > LONGEST_LIST {
            return Err(bad(format!("it is longer than {LONGEST_LIST} bytes")));
        }
        let matcher = glob(&spelt).map_err(|problem| bad(problem.to_string()))?.compile_matcher();
        let mut found = self.known_below(folder.as_str())?;
        found.retain(|known| {
            let below = known.path.strip_prefix(folder.as_str()).unwrap_or_default().trim_start_matches('/');
            with_folders(below).any(|part| part == text || matcher.is_match(part))
        });
        Ok(found)
    }

    fn known_below(&self, path: &str) -> Result<Vec<KnownPath>, Trouble> {
        self.index.known_below(path).map_err(failed_index)
    }
}

/// A path, and every folder that it lies in.
fn with_folders(path: &str) -> impl Iterator<Item = &str> {
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    folders.chain([path]).filter(|part| !part.is_empty())
}

//! Finding a version of a file: in the workspace, among what is kept, or made anew from an earlier one.
//!
//! There is one way of looking, for whoever wants the bytes and for whoever only asks whether they can be had: what
//! counts as found is left to a [`Source`].

use super::Past;
use crate::trouble::index;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::Trouble;
use patchwright_store::records::{FileRecord, Keep, Shelf};

/// A version is made anew from one that is at most so many changes older.
pub(crate) const STEPS: usize = 64;

/// Where versions are looked for, and what is found there.
pub(crate) trait Source {
    /// What stands for a version that was found.
    type Found;

    /// What is kept under a name, if it has this hash.
    fn on_shelf(&self, keep: &Keep, digest: Digest) -> Result<Option<Self::Found>, Trouble>;

    /// The file at a path of the workspace, if it has this hash.
    fn in_workspace(&self, path: &str, digest: Digest) -> Result<Option<Self::Found>, Trouble>;

    /// What a record leaves, made from what it found; from nothing, if it found none. Nothing, if that cannot be done.
    fn made(&self, before: Option<Self::Found>, file: &FileRecord) -> Option<Self::Found>;
}

/// Looks for versions.
pub(crate) struct Finder<'a, S> {
    past: &'a Past<'a>,
    source: &'a S,
}

impl Past<'_> {
    pub(crate) fn finder<'a, S: Source>(&'a self, source: &'a S) -> Finder<'a, S> {
        Finder { past: self, source }
    }

    /// A name of something with this hash, and those that it was moved to since.
    pub(super) fn names_since(&self, path: &str, digest: Digest) -> Result<impl Iterator<Item = String>, Trouble> {
        let (mut names, mut since) = (vec![path.to_owned()], 0);
        while let Some(name) = names.last().filter(|_| names.len() < STEPS).cloned() {
            let moved =
                |file: &&FileRecord| file.path.as_str() == name && file.before == Some(digest) && file.to.is_some();
            let mut next = None;
            for touch in self.index.touching(&name, since).map_err(index)? {
                let commit = self.commit_again(touch.place)?;
                let found = commit.as_ref().and_then(|commit| commit.files.iter().find(moved)).cloned();
                if let Some(to) = found.and_then(|file| file.to) {
                    next = Some((to.to_string(), touch.seq));
                    break;
                }
            }
            let Some((to, seq)) = next else { break };
            (names, since) = ([names, vec![to]].concat(), seq);
        }
        Ok(names.into_iter())
    }
}

impl<S: Source> Finder<'_, S> {
    /// What a record found.
    pub(crate) fn before(&self, file: &FileRecord, steps: usize) -> Result<Option<S::Found>, Trouble> {
        let Some(digest) = file.before.filter(|_| !file.link) else { return Ok(None) };
        if let Some(keep) = &file.keep
            && let Some(found) = self.source.on_shelf(keep, digest)?
        {
            return Ok(Some(found));
        }
        self.found(file.path.as_str(), digest, steps)
    }

    /// What a record left.
    pub(crate) fn after(&self, file: &FileRecord, steps: usize) -> Result<Option<S::Found>, Trouble> {
        let Some(digest) = file.after else { return Ok(None) };
        if file.link {
            // Its target is on record; nowhere does it stand as the bytes of a file.
            return self.made(file, steps);
        }
        let path = file.to.as_ref().unwrap_or(&file.path).as_str();
        match self.kept(path, digest)? {
            Some(found) => Ok(Some(found)),
            None => self.made(file, steps),
        }
    }

    /// Wherever it can be had.
    pub(crate) fn found(&self, path: &str, digest: Digest, steps: usize) -> Result<Option<S::Found>, Trouble> {
        if let Some(found) = self.kept(path, digest)? {
            return Ok(Some(found));
        }
        let Some(touch) = self.past.index.left_by(path, digest).map_err(index)? else {
            return self.under_later_names(path, digest);
        };
        let commit = self.past.commit_again(touch.place)?;
        let left =
            |file: &&FileRecord| file.after == Some(digest) && file.to.as_ref().unwrap_or(&file.path).as_str() == path;
        match commit.as_ref().and_then(|commit| commit.files.iter().rev().find(left)) {
            Some(file) => self.made(file, steps),
            None => Ok(None),
        }
    }

    /// In the workspace, under a name that the file was given later.
    fn under_later_names(&self, path: &str, digest: Digest) -> Result<Option<S::Found>, Trouble> {
        let mut names = self.past.names_since(path, digest)?;
        let found = names.find_map(|name| self.source.in_workspace(&name, digest).transpose());
        found.transpose()
    }

    /// Out of the version before.
    pub(crate) fn made(&self, file: &FileRecord, steps: usize) -> Result<Option<S::Found>, Trouble> {
        let Some(steps) = steps.checked_sub(1) else { return Ok(None) };
        if file.before.is_none() {
            return Ok(self.source.made(None, file));
        }
        Ok(self.before(file, steps)?.and_then(|before| self.source.made(Some(before), file)))
    }

    /// In the workspace as it is, or among what later changes displaced.
    fn kept(&self, path: &str, digest: Digest) -> Result<Option<S::Found>, Trouble> {
        let here = self.source.in_workspace(path, digest);
        if let Ok(Some(found)) = here {
            return Ok(Some(found));
        }
        let blob = Keep { shelf: Shelf::Blobs, name: digest.to_string() };
        if let Some(found) = self.source.on_shelf(&blob, digest)? {
            return Ok(Some(found));
        }
        for name in self.past.index.trash_with(digest).map_err(index)? {
            let keep = Keep { shelf: Shelf::Trash, name };
            if let Some(found) = self.source.on_shelf(&keep, digest)? {
                return Ok(Some(found));
            }
        }
        // Only now does it matter that the file could not be read: it might have been the one.
        here
    }
}

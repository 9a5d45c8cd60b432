//! Removing or moving a folder with everything in it: proof of sight for every file inside, and the plan for the whole.

use crate::gather::{Gather, Inside, Place, any_path, file_path, permit, permit_folder_change};
use crate::options::Proof;
use crate::prepare::{About, Prepared, Wish};
use crate::proof::{BY_PATH, Proven, same};
use crate::session::Session;
use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::intent::{Intent, Tree, TreeDeed};
use patchwright_core::outcome::{Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, rebased};
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Expected, FolderFault, Refusal, Sort, Stale, StaleReason, Why};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::tool::Recursive;
use std::collections::HashMap;

/// At most this many files without proof are named.
const NAMED: usize = 20;

/// A file or folder by the name that the caller gave, and by where it really is.
#[derive(Clone, Copy)]
struct Named<'a> {
    given: &'a RelPath,
    real: &'a RelPath,
}

/// What was said about files, by path; each is used up where it belongs, and the rest is about neighbours.
pub(crate) struct Expectations {
    all: Vec<(RelPath, String)>,
    left: HashMap<RelPath, String>,
}

impl Expectations {
    /// What was said about a path, once.
    pub(crate) fn take(&mut self, path: &RelPath) -> Option<String> {
        self.left.remove(path)
    }
}

impl Session {
    /// What was said about files, their keys normalised like paths.
    pub(crate) fn expected_map(&self, given: &[(String, String)]) -> Result<Expectations, Trouble> {
        let all = self.by_path(given)?;
        let left = all.iter().cloned().collect();
        Ok(Expectations { all, left })
    }

    /// Checks what was said about files that the call does not touch.
    pub(crate) fn check_neighbours(&self, gather: &mut Gather<'_>, said: &Expectations) -> Result<(), Trouble> {
        for (path, value) in said.all.iter().filter(|(path, _)| said.left.contains_key(path)) {
            self.check_neighbour(gather, path, value)?;
        }
        Ok(())
    }

    /// The folder that a call names, if it may act on one. A link to a folder is a link.
    pub(crate) fn meets_folder(
        &self,
        gather: &Gather<'_>,
        given: &str,
        recursive: Recursive,
    ) -> Result<Option<RelPath>, Trouble> {
        let path = match recursive {
            Recursive::Yes => any_path(&self.workspace.disk, given)?,
            Recursive::No => file_path(&self.workspace.disk, given)?,
        };
        permit_folder_change(&self.workspace.policy, &path)?;
        let folder = gather.stands(&path) == Some(Sort::Folder);
        // Whether a path is a folder is revealed only if its own name may be read.
        if (recursive == Recursive::Yes) != folder {
            permit(&self.workspace.policy, &path, Access::Read, None)?;
        }
        match (recursive, folder) {
            (Recursive::No, false) => Ok(None),
            (Recursive::No, true) => Err(Refusal::at(&path, Why::Folder(FolderFault::NotRecursive)).into()),
            // The path of a file must not end in a slash.
            (Recursive::Yes, false) => file_path(&self.workspace.disk, given).map(|_| None),
            (Recursive::Yes, true) if path.is_root() => Err(Refusal::at(&path, Why::Folder(FolderFault::Root)).into()),
            (Recursive::Yes, true) => Ok(Some(path)),
        }
    }

    /// Prepares to move a folder into the trash.
    pub(crate) fn delete_tree(
        &self,
        gather: &mut Gather<'_>,
        path: &RelPath,
        said: Expectations,
    ) -> Result<Prepared, Trouble> {
        let (real, inside) = gather.see_tree(path)?;
        let proven = self.prove_all(gather, Named { given: path, real: &real }, &inside.files, said)?;
        let Inside { folders, files } = inside;
        let tree = Tree { deed: TreeDeed::Delete { files }, path: real, folders };
        Ok(Prepared { proven, ..prepared(Operation::Delete, path.clone(), None, tree) })
    }

    /// Prepares to rename a folder.
    pub(crate) fn move_tree(
        &self,
        gather: &mut Gather<'_>,
        path: &RelPath,
        to: &str,
        said: Expectations,
    ) -> Result<Prepared, Trouble> {
        let to = file_path(&self.workspace.disk, to)?;
        if *path == to {
            return Err(Refusal::at(path, Why::MoveOntoItself).into());
        }
        if to.is_within(path) {
            return Err(Refusal::at(path, Why::Folder(FolderFault::IntoItself { to: to.to_string() })).into());
        }
        let (place, missing) = match gather.see_folder_place(&to)? {
            Place::Free { real, missing } => (real, missing),
            Place::Taken(sort) => return Err(Refusal::at(&to, Why::Folder(FolderFault::Occupied(sort))).into()),
        };
        gather.snapshot.add(place.clone(), Seen::Absent { real: place.clone(), missing });
        let (real, inside) = gather.see_tree(path)?;
        self.permit_below(&inside, &real, &place)?;
        let proven = self.prove_all(gather, Named { given: path, real: &real }, &inside.files, said)?;
        let Inside { folders, files } = inside;
        let tree = Tree { deed: TreeDeed::Move { files, to: place }, path: real, folders };
        Ok(Prepared { proven, ..prepared(Operation::Move, path.clone(), Some(to), tree) })
    }

    /// Asks the policy whether everything in a folder may have its new path.
    fn permit_below(&self, inside: &Inside, from: &RelPath, to: &RelPath) -> Result<(), Trouble> {
        for path in inside.files.iter().filter_map(|path| rebased(path, from, to)) {
            self.permit_inside(&path, to)?;
        }
        let empty = inside.files.is_empty();
        for path in inside.folders.iter().filter_map(|(path, _)| rebased(path, from, to)) {
            match empty {
                true => self.permit_inside(&path, to)?,
                false => permit_folder_change(&self.workspace.policy, &path)?,
            }
        }
        Ok(())
    }

    /// Checks the proof for every file and link in a folder.
    fn prove_all(
        &self,
        gather: &mut Gather<'_>,
        folder: Named<'_>,
        files: &[RelPath],
        mut said: Expectations,
    ) -> Result<Proven, Trouble> {
        let (mut proven, mut missing, mut count) = (Proven::Seen, Vec::new(), 0);
        for file in files {
            let given = rebased(file, folder.real, folder.given).unwrap_or_else(|| file.clone());
            let seen = gather.snapshot.seen(file);
            let Some(actual) = seen.digest() else { continue };
            let value = said.take(&given).or_else(|| said.take(file));
            match self.prove_one(Named { given: &given, real: file }, &seen, actual, value)? {
                Some(one) => proven = proven.weaker(one),
                None => {
                    count += 1;
                    missing.extend((missing.len() < NAMED).then(|| given.to_string()));
                }
            }
        }
        if count > 0 {
            return Err(Refusal::at(folder.given, Why::Folder(FolderFault::Unproven { missing, count })).into());
        }
        self.check_neighbours(gather, &said)?;
        Ok(proven)
    }

    /// Checks the proof for one file in a folder; nothing if there is none.
    fn prove_one(
        &self,
        Named { given, real }: Named<'_>,
        there: &Seen,
        actual: Digest,
        said: Option<String>,
    ) -> Result<Option<Proven>, Trouble> {
        match (said, self.proof) {
            _ if is_planted(Bug::StaleIgnored) => Ok(Some(Proven::Seen)),
            (Some(value), _) => same(given, &value, there).map(|()| Some(Proven::Seen)),
            (None, Proof::Unchecked) => Ok(Some(Proven::Unchecked)),
            (None, Proof::HashOnly) => Ok(None),
            (None, Proof::HashOrLedger) => match self.ledger().looked_at(real) {
                None => Ok(None),
                Some(seen) if seen == actual => Ok(Some(Proven::Seen)),
                Some(seen) => {
                    let (expected, reason) = (Some(seen.to_string()), StaleReason::ChangedSinceSeen);
                    let sort = there.sort().unwrap_or(Sort::File);
                    let stale = Stale { expected, actual: Some(actual), reason, sort, argument: BY_PATH };
                    Err(Refusal::at(given, Why::Stale(stale)).into())
                }
            },
        }
    }
}

/// A folder has no hash of its own.
pub(crate) fn no_hash(given: Option<DigestPrefix>) -> Result<(), Refusal> {
    match given {
        Some(digest) => Err(Refusal::argument("expectedSha256", Expected::HashesByPath, format!("{digest:?}"))),
        None => Ok(()),
    }
}

/// A call about a folder with everything in it.
pub(crate) fn prepared(operation: Operation, path: RelPath, to: Option<RelPath>, tree: Tree) -> Prepared {
    let wish = Wish { to, about: About::Folder, ..Wish::new(operation, path) };
    Prepared::of(vec![Intent::Tree(Box::new(tree))], vec![wish])
}

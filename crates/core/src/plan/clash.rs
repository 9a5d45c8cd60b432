//! Two wishes that meet at one file: refused, however it is spelt.

use super::snapshot::{Seen, Snapshot};
use crate::fold::fold;
use crate::intent::{Intent, TreeDeed};
use crate::path::RelPath;
use crate::refusal::{Refusal, Why};
use std::collections::{HashMap, HashSet};

/// Refuses a call whose wishes touch one file twice: under one name, through links, or as two new names
/// that differ only in case (a file system that ignores case would see one file where we see two; of
/// names that are there already the file system has told whether they are one).
pub fn check(snapshot: &Snapshot, intents: &[Intent]) -> Result<(), Refusal> {
    if intents.len() < 2 {
        return Ok(());
    }
    let mut claims = Claims::default();
    for (wish, intent) in intents.iter().enumerate() {
        for path in touched(intent) {
            claims.claim(wish, path, &snapshot.seen(path))?;
        }
        claims.left.extend(left(intent));
    }
    claims.folders_apart()
}

/// The paths that a wish is about.
fn touched(intent: &Intent) -> Vec<&RelPath> {
    match intent {
        Intent::Move { from, to, .. } => vec![from, to],
        Intent::Create { path, .. }
        | Intent::Write { path, .. }
        | Intent::Edit { path, .. }
        | Intent::Patch { path, .. }
        | Intent::Anchored { path, .. }
        | Intent::Lines { path, .. }
        | Intent::Delete { path } => vec![path],
        Intent::Tree(tree) => match &tree.deed {
            TreeDeed::Move { to, .. } => vec![&tree.path, to],
            TreeDeed::Delete { .. } | TreeDeed::Restore { .. } => vec![&tree.path],
        },
    }
}

/// The path that a wish leaves free: a folder may come in its place.
fn left(intent: &Intent) -> Option<&RelPath> {
    match intent {
        Intent::Move { from, .. } => Some(from),
        Intent::Delete { path } => Some(path),
        _ => None,
    }
}

/// Who touches a file: the wish, and the path as the caller spelt it.
#[derive(Clone, Copy)]
struct Claim<'a> {
    wish: usize,
    path: &'a RelPath,
}

/// Who touches what.
#[derive(Default)]
struct Claims<'a> {
    names: HashMap<RelPath, Claim<'a>>,
    new_names: HashMap<String, Claim<'a>>,
    files: HashMap<(u64, u64), Claim<'a>>,
    folders: HashMap<RelPath, &'a RelPath>,
    left: HashSet<&'a RelPath>,
}

impl<'a> Claims<'a> {
    fn claim(&mut self, wish: usize, path: &'a RelPath, seen: &Seen) -> Result<(), Refusal> {
        let real = seen.real().unwrap_or(path);
        let mine = Claim { wish, path };
        for name in [path, real] {
            same_wish(mine, *self.names.entry(name.clone()).or_insert(mine))?;
        }
        if let Seen::File(file) = seen {
            same_wish(mine, *self.files.entry(file.id).or_insert(mine))?;
        }
        if let Seen::Absent { missing, .. } = seen {
            same_wish(mine, *self.new_names.entry(fold(real.as_str())).or_insert(mine))?;
            self.folders.extend(missing.iter().map(|folder| (folder.clone(), path)));
        }
        Ok(())
    }

    /// A name cannot be a new file here and a new folder there.
    fn folders_apart(&self) -> Result<(), Refusal> {
        for (name, Claim { path, .. }) in self.names.iter().filter(|(_, claim)| !self.left.contains(claim.path)) {
            if let Some(other) = self.folders.get(name) {
                return Err(Refusal::at(path, Why::DuplicatePath { other: other.to_string() }));
            }
        }
        Ok(())
    }
}

fn same_wish(mine: Claim<'_>, first: Claim<'_>) -> Result<(), Refusal> {
    if mine.wish == first.wish {
        return Ok(());
    }
    Err(Refusal::at(mine.path, Why::DuplicatePath { other: first.path.to_string() }))
}

/// Refuses to replace a file by itself under another name.
pub(super) fn distinct(from: &RelPath, source: &Seen, to: &RelPath, target: &Seen) -> Result<(), Refusal> {
    match (source, target) {
        (Seen::File(source), Seen::File(target)) if source.id == target.id => {
            Err(Refusal::at(from, Why::SameFileTwice { other: to.to_string() }))
        }
        _ => Ok(()),
    }
}

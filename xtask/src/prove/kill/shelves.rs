//! The state folder seen from outside: nothing may lie in it that nobody needs, and nothing may be open to others.

use super::account::Ids;
use crate::failure::Failure;
use patchwright::core::digest::Digest;
use patchwright_testkit::tree::{Item, STATE, Tree};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What the state folder may hold beside the shelves. The index may be in use; its by-files are its own business.
const KNOWN: &[&str] = &[
    ".gitignore",
    "blobs",
    "index.sqlite",
    "index.sqlite-journal",
    "index.sqlite-shm",
    "index.sqlite-wal",
    "lock",
    "log",
    "trash",
];

/// The names in the state folder and what stands under them.
pub(super) fn shelves(root: &Path) -> Result<Tree, Failure> {
    let state = root.join(STATE);
    let failed = |error| Failure::io(state.display(), &error);
    if !state.exists() {
        return Ok(Tree::default());
    }
    let mut tree = Tree::read(&state).map_err(failed)?;
    let mode = std::fs::metadata(&state).map_err(failed)?.permissions().mode() & 0o7777;
    if mode != 0o700 {
        tree.items.insert(format!("(itself, {mode:04o})"), Item::Special);
    }
    Ok(tree)
}

/// The content of every file of a tree: kept bytes may be of these and no others.
pub(super) fn contents(trees: &[&Tree]) -> BTreeSet<String> {
    let items = trees.iter().flat_map(|tree| tree.items.values());
    let digest = |item: &Item| match item {
        Item::File { bytes, .. } => Some(Digest::of(bytes).to_string()),
        _ => None,
    };
    items.filter_map(digest).collect()
}

/// The names of the blobs.
pub(super) fn blobs(shelves: &Tree) -> BTreeSet<String> {
    shelves.items.keys().filter_map(|path| path.strip_prefix("blobs/")).map(str::to_owned).collect()
}

/// What is wrong with a state folder, if anything: names nobody knows, trash that is on no list, blobs under a name
/// that is not their content's or of content that nobody ever had, anything open to others.
pub(super) fn fault(shelves: &Tree, ids: &Ids, known_contents: &BTreeSet<String>) -> Option<String> {
    let mut faults = Vec::new();
    for (path, item) in &shelves.items {
        let sound = match path.split_once('/') {
            None => KNOWN.contains(&path.as_str()),
            Some(("trash", name)) => ids.trash.iter().any(|id| id == name),
            Some(("blobs", name)) => is_sound_blob(name, item) && known_contents.contains(name),
            Some(_) => false,
        };
        if !sound {
            faults.push(format!("{STATE}/{path} ({item:?}) is litter"));
        }
        if matches!(item, Item::File { mode, .. } if *mode != 0o600) && !path.starts_with("trash/") {
            faults.push(format!("{STATE}/{path} is open to others: {item:?}"));
        }
    }
    let lost = ids.trash.iter().filter(|id| !shelves.items.contains_key(&format!("trash/{id}")));
    faults.extend(lost.map(|id| format!("{STATE}/trash/{id} is on the list and not there")));
    (!faults.is_empty()).then(|| faults.join("; "))
}

fn is_sound_blob(name: &str, item: &Item) -> bool {
    matches!(item, Item::File { bytes, .. } if Digest::of(bytes).to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, bytes: &[u8], mode: u32, expected: Option<&str>) {
        let ids = Ids { batches: Vec::new(), trash: vec!["id".to_owned()] };
        let mut tree = Tree::default();
        tree.items.insert("trash/id".to_owned(), Item::File { bytes: Vec::new(), mode: 0o600 });
        tree.items.insert(path.to_owned(), Item::File { bytes: bytes.to_vec(), mode });
        let known = [Digest::of(b"known").to_string()].into();
        let found = fault(&tree, &ids, &known);
        match expected {
            None => assert_eq!(found, None, "{path}"),
            Some(part) => assert!(found.as_ref().is_some_and(|found| found.contains(part)), "{path}: {found:?}"),
        }
    }

    #[test]
    fn faults() {
        check("log", b"", 0o600, None);
        check("log", b"", 0o644, Some("open to others"));
        check("stray", b"", 0o600, Some("litter"));
        check("trash/other", b"", 0o600, Some("litter"));
        check(&format!("blobs/{}", Digest::of(b"known")), b"known", 0o600, None);
        check(&format!("blobs/{}", Digest::of(b"known")), b"half", 0o600, Some("litter"));
        check(&format!("blobs/{}.mark", Digest::of(b"known")), b"known", 0o600, Some("litter"));
        check(&format!("blobs/{}", Digest::of(b"new")), b"new", 0o600, Some("litter"));
        let lost = fault(&Tree::default(), &Ids { trash: vec!["id".to_owned()], ..Ids::default() }, &BTreeSet::new());
        assert!(lost.is_some_and(|lost| lost.contains("not there")));
    }
}

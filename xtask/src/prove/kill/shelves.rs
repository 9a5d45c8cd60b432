//! A record seen from outside, in the workspace and at home: nothing may lie there that nobody needs, and nothing may be
//! open to others.

use super::account::Ids;
use crate::failure::Failure;
use crate::home;
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::tree::{Item, Tree};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What a record's folder may hold beside the shelves.
const KNOWN: &[&str] = &[".gitignore", "blobs", "log", "trash"];
/// What its folder at home may hold. The index may be in use; its by-files are its own business.
const KNOWN_AT_HOME: &[&str] = &[
    "index.sqlite",
    "index.sqlite-journal",
    "index.sqlite-shm",
    "index.sqlite-wal",
    "holder",
    "key",
    "mark",
    "root",
    "verified",
];
/// How a name at home is told apart.
const HOME: &str = "at home: ";

/// The names in the folders of a workspace's record and what stands under them; those at home are called so.
pub(super) fn shelves(root: &Path) -> Result<Tree, Failure> {
    let mut tree = Tree::default();
    for place in patchwright_testkit::home::state_folders(root) {
        strays(&mut tree, &place, &[".gitignore"])?;
        add(&mut tree, &place, None)?;
    }
    let records = patchwright_testkit::home::records(root);
    if records.len() > 1 {
        tree.items.insert(format!("({} records)", records.len()), Item::Special);
    }
    for record in &records {
        add(&mut tree, record, Some(""))?;
    }
    for kept in home::records(root) {
        // A key without a record is what a crash may leave of the founding.
        add(&mut tree, &kept, Some(HOME))?;
    }
    Ok(tree)
}

/// Takes note of a folder's mode, and of what is below it if a name for that is given.
fn add(tree: &mut Tree, folder: &Path, below: Option<&str>) -> Result<(), Failure> {
    let failed = |error| Failure::io(folder.display(), &error);
    let mode = std::fs::metadata(folder).map_err(failed)?.permissions().mode() & 0o7777;
    if mode != 0o700 {
        tree.items.insert(format!("({}, {mode:04o})", folder.display()), Item::Special);
    }
    if let Some(name) = below {
        let found = Tree::read(folder).map_err(failed)?;
        tree.items.extend(found.items.into_iter().map(|(path, item)| (format!("{name}{path}"), item)));
    }
    Ok(())
}

/// Takes note of what is neither a record nor known.
fn strays(tree: &mut Tree, place: &Path, known: &[&str]) -> Result<(), Failure> {
    let failed = |error| Failure::io(place.display(), &error);
    for entry in std::fs::read_dir(place).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_id = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_id && !known.contains(&name.as_str()) {
            tree.items.insert(format!("(beside the records: {name})"), Item::Special);
        }
    }
    Ok(())
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
    let (mut faults, mut inside) = (Vec::new(), 0);
    for (path, item) in &shelves.items {
        let sound = match path.split_once('/') {
            None => match path.strip_prefix(HOME) {
                Some(name) => KNOWN_AT_HOME.contains(&name),
                None => KNOWN.contains(&path.as_str()),
            },
            Some(("trash", name)) if ids.trash.iter().any(|id| id == name) => true,
            // It must be one of those that lie in folders.
            Some(("trash", _)) => {
                inside += 1;
                inside <= ids.inside
            }
            Some(("blobs", name)) => is_sound_blob(name, item) && known_contents.contains(name),
            Some(_) => false,
        };
        if !sound {
            faults.push(format!("{path} ({item:?}) in the record is litter"));
        }
        if matches!(item, Item::File { mode, .. } if *mode != 0o600) && !path.starts_with("trash/") {
            faults.push(format!("{path} in the record is open to others: {item:?}"));
        }
    }
    if inside < ids.inside {
        faults.push(format!("{} files of folders in the trash are not there", ids.inside - inside));
    }
    let lost = ids.trash.iter().filter(|id| !shelves.items.contains_key(&format!("trash/{id}")));
    faults.extend(lost.map(|id| format!("trash/{id} in the record is on the list and not there")));
    (!faults.is_empty()).then(|| faults.join("; "))
}

fn is_sound_blob(name: &str, item: &Item) -> bool {
    matches!(item, Item::File { bytes, .. } if Digest::of(bytes).to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, bytes: &[u8], mode: u32, expected: Option<&str>) {
        let ids = Ids { batches: Vec::new(), trash: vec!["id".to_owned()], inside: 0 };
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
        check("key", b"", 0o600, Some("litter"));
        check("at home: key", b"", 0o600, None);
        check("at home: key", b"", 0o640, Some("open to others"));
        check("at home: log", b"", 0o600, Some("litter"));
        check("trash/other", b"", 0o600, Some("litter"));
        check(&format!("blobs/{}", Digest::of(b"known")), b"known", 0o600, None);
        check(&format!("blobs/{}", Digest::of(b"known")), b"half", 0o600, Some("litter"));
        check(&format!("blobs/{}.mark", Digest::of(b"known")), b"known", 0o600, Some("litter"));
        check(&format!("blobs/{}", Digest::of(b"new")), b"new", 0o600, Some("litter"));
        let lost = fault(&Tree::default(), &Ids { trash: vec!["id".to_owned()], ..Ids::default() }, &BTreeSet::new());
        assert!(lost.is_some_and(|lost| lost.contains("not there")));
        let lost = fault(&Tree::default(), &Ids { inside: 1, ..Ids::default() }, &BTreeSet::new());
        assert!(lost.is_some_and(|lost| lost.contains("not there")));
    }
}

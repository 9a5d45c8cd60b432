//! Which workspace a folder lies in: the nearest record of ours upwards, else the git root, else the folder itself.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::tool::CreateFile;
use patchwright_engine::{Durability, HomeAt, Options, Quiet, Session, Workspace};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};

const NOBODY: u32 = 65534;

/// Folders, and the home of whoever works in them.
struct Tree {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl Tree {
    /// A tree with these folders; those that end in `!` get a record of ours, those that end in `?` one of somebody else.
    /// Names that end in `+` become a file, as the `.git` of a linked work tree is one.
    fn new(folders: &[&str]) -> Tree {
        let tree = Tree { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        for given in folders {
            let path = tree.at(given.trim_end_matches(['!', '?', '+']));
            match given.chars().last() {
                Some('!') => record(&path, &tree.home(), None),
                Some('?') => {
                    let other = tempfile::tempdir().unwrap();
                    record(&path, &HomeAt::Folder(other.path().to_owned()), None);
                }
                Some('+') => {
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, "gitdir: elsewhere\n").unwrap();
                }
                _ => fs::create_dir_all(path).unwrap(),
            }
        }
        tree
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn home(&self) -> HomeAt {
        HomeAt::Folder(self.home.path().to_owned())
    }
}

/// Makes a record, by a change.
fn record(root: &Path, home: &HomeAt, state_dir: Option<&Path>) {
    fs::create_dir_all(root).unwrap();
    let (home, state_dir) = (home.clone(), state_dir.map(Path::to_owned));
    let options = Options { home, state_dir, durability: Durability::None, ..Options::default() };
    let workspace = Session::open(root, options).unwrap();
    workspace.create_file(&CreateFile::new("made", "x\n"), &Quiet).unwrap();
}

/// Every file below a folder, with what it holds and when it was last changed.
fn all(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, i64, i64)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let stat = fs::symlink_metadata(&entry).unwrap();
        let bytes = if stat.is_file() { fs::read(&entry).unwrap() } else { Vec::new() };
        if stat.is_dir() {
            found.extend(all(&entry));
        }
        found.insert(entry, (bytes, stat.ctime(), stat.ctime_nsec()));
    }
    found
}

/// From a folder of a tree this is the root.
fn check(tree: &Tree, from: &str, want: &str) {
    let state = || (all(tree.folder.path()), all(tree.home.path()));
    let before = state();
    assert_eq!(Workspace::find_root(&tree.at(from), None, &tree.home()), tree.at(want), "from {from:?}");
    assert!(state() == before, "looking leaves everything as it was");
}

#[test]
fn the_nearest_record_of_ours_is_the_root() {
    let plain = Tree::new(&["w!", "w/a/b", "beside"]);
    for from in ["w", "w/a", "w/a/b"] {
        check(&plain, from, "w");
    }
    check(&plain, "beside", "beside");
    // In each other, and in a repository's own folder.
    let nested = Tree::new(&["w/.git", "w!", "w/in!", "w/in/a", "w/beside"]);
    check(&nested, "w/in/a", "w/in");
    check(&nested, "w/beside", "w");
    // Under another name than it was made with.
    fs::rename(plain.at("w"), plain.at("moved")).unwrap();
    check(&plain, "moved/a/b", "moved");
    // A record further up comes before a repository without one.
    check(&Tree::new(&["w!", "w/r/.git", "w/r/a"]), "w/r/a", "w");
}

#[test]
fn records_of_others_do_not_count() {
    let shipped = Tree::new(&["w!", "w/vendor?", "w/vendor/a"]);
    check(&shipped, "w/vendor/a", "w");
    check(&Tree::new(&["r/.git", "r/vendor?", "r/vendor/a"]), "r/vendor/a", "r");
    check(&Tree::new(&["vendor?", "vendor/a"]), "vendor/a", "vendor/a");
    // Nor does one of ours that was copied to another folder.
    let copied = Tree::new(&["w!", "r/.git", "r/copy/.patchwright"]);
    let own = fs::read_dir(copied.at("w/.patchwright")).unwrap();
    let id = own.map(|entry| entry.unwrap()).find(|entry| entry.path().is_dir()).unwrap().file_name();
    fs::create_dir(copied.at("r/copy/.patchwright").join(id)).unwrap();
    check(&copied, "r/copy", "r");
}

#[test]
fn a_repository_is_the_root_where_nothing_is_on_record() {
    check(&Tree::new(&["r/.git", "r/a/b"]), "r/a/b", "r");
    check(&Tree::new(&["r/.git+", "r/a/b"]), "r/a/b", "r");
    check(&Tree::new(&["r/.git", "r/sub/.git+", "r/sub/a"]), "r/sub/a", "r/sub");
    check(&Tree::new(&["a/b"]), "a/b", "a/b");
}

#[test]
fn links_are_followed_and_what_is_not_there_stays_as_it_is() {
    let linked = Tree::new(&["w!", "w/a", "beside"]);
    std::os::unix::fs::symlink("../w/a", linked.at("beside/link")).unwrap();
    check(&linked, "beside/link", "w");
    let gone = linked.at("gone");
    assert_eq!(Workspace::find_root(&gone, None, &linked.home()), gone);
}

#[test]
fn a_given_place_of_records_says_whose_they_are() {
    let tree = Tree::new(&["w", "w/a", "records"]);
    let (root, records) = (tree.at("w"), tree.at("records"));
    record(&root, &tree.home(), Some(&records));
    let find = |state: Option<&Path>| Workspace::find_root(&root.join("a"), state, &tree.home());
    assert_eq!(find(Some(&records)), root);
    assert_eq!(find(None), root.join("a"));
}

#[test]
fn a_folder_of_another_user_ends_the_search() {
    let tree = Tree::new(&["w!", "w/theirs/ours/a"]);
    if fs::metadata(tree.folder.path()).unwrap().uid() != 0 {
        return; // only root can make folders for others
    }
    chown(tree.at("w/theirs"), Some(NOBODY), None).unwrap();
    check(&tree, "w/theirs/ours/a", "w/theirs/ours/a");
    // Where one stands counts, whoever owns it; but not what is above.
    check(&tree, "w/theirs", "w/theirs");
    chown(tree.at("w"), Some(NOBODY), None).unwrap();
    check(&tree, "w", "w");
    fs::create_dir(tree.at("w/theirs/.git")).unwrap();
    check(&tree, "w/theirs/ours/a", "w/theirs/ours/a");
}

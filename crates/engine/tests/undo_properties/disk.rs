//! The workspace of a case, and all that there is to see of it.

use patchwright_engine::{Durability, Options, Proof, Session};
use patchwright_testkit::{attributes, home};
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

/// Every file with its bytes, every folder with its name; both with mode, owner and attribute.
pub(crate) type Tree = BTreeMap<String, (Option<Vec<u8>>, (u32, u32), Option<Vec<u8>>)>;

/// The attribute that the first files and folders have.
const MARK: &str = "user.mark";

pub(crate) fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if name == ".patchwright" {
                continue;
            }
            let found_there = path.symlink_metadata().unwrap();
            let look = (found_there.mode(), found_there.uid());
            if found_there.is_symlink() {
                let target = std::fs::read_link(&path).unwrap();
                found.insert(name, (Some(target.into_os_string().into_encoded_bytes()), look, None));
            } else if path.is_dir() {
                found.insert(name, (None, look, attributes::get(&path, MARK)));
                open.push(path);
            } else {
                found.insert(name, (Some(std::fs::read(&path).unwrap()), look, attributes::get(&path, MARK)));
            }
        }
    }
    found
}

pub(crate) fn start(files: &[(&str, &str, u32)]) -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text, mode) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        attributes::set(&path, MARK, text.as_bytes()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(*mode)).unwrap();
    }
    let options =
        Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() };
    let workspace = Session::open(folder.path(), options).unwrap();
    (folder, workspace)
}

/// The same with folders, no two of them alike: empty ones, links and a program in them.
pub(crate) fn start_with_folders() -> (tempfile::TempDir, Session) {
    let files = [
        ("a", "x\ny\nz\n", 0o644),
        ("b", "x\r\ny", 0o755),
        ("c", "", 0o600),
        ("g/k", "k\n", 0o700),
        ("g/h/m/o", "o\n", 0o640),
    ];
    let (folder, workspace) = start(&files);
    for empty in ["g/h/empty", "void/in/it"] {
        std::fs::create_dir_all(folder.path().join(empty)).unwrap();
    }
    std::os::unix::fs::symlink("../b", folder.path().join("g/l")).unwrap();
    // Only root can look into a folder that nobody may enter, and give something to somebody else.
    let root = folder.path().metadata().unwrap().uid() == 0;
    let closed = if root { 0 } else { 0o700 };
    let looks = [
        ("g", 0o700),
        ("g/h", 0o750),
        ("g/h/m", 0o1777),
        ("g/h/empty", closed),
        ("void", 0o711),
        ("void/in", closed),
        ("void/in/it", 0o2770),
    ];
    for (owner, (name, mode)) in (4000..).zip(looks) {
        let path = folder.path().join(name);
        attributes::set(&path, MARK, name.as_bytes()).unwrap();
        if root {
            chown(&path, Some(owner), None).unwrap();
        }
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    (folder, workspace)
}

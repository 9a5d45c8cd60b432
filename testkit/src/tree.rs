//! A folder on the real disk as a value: what is there, of which kind, with which mode and bytes. The
//! folders of records are left out: what is in them is nobody's business but the store's.

use crate::dress;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

/// Where records stand: in the root, or in its git folder.
pub const STATE: [&str; 2] = [".patchwright", ".git/patchwright"];
/// How names of staged files end.
pub const TEMPORARY: &str = ".apply-patch.tmp";

/// A folder and everything below it, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// What is there.
    pub items: BTreeMap<String, Item>,
    /// Extended attributes and access lists of files and folders, by path; only of those that have any.
    pub dress: BTreeMap<String, Vec<(String, Vec<u8>)>>,
    /// Permission bits, user and group of folders, by path; none unless somebody asks for them.
    pub looks: BTreeMap<String, (u32, u32, u32)>,
}

/// Something in a tree.
#[derive(Clone, PartialEq, Eq)]
pub enum Item {
    /// A file.
    File {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its permission bits.
        mode: u32,
    },
    /// A folder.
    Folder,
    /// A link and its target.
    Link(Vec<u8>),
    /// Anything else: a pipe, a socket, a device.
    Special,
}

impl Tree {
    /// Reads a folder. Links are not followed.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let mut tree = Tree::default();
        let mut open = vec![String::new()];
        while let Some(above) = open.pop() {
            for entry in fs::read_dir(root.join(&above))? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                let path = if above.is_empty() { name } else { format!("{above}/{name}") };
                if STATE.contains(&path.as_str()) {
                    continue;
                }
                let item = Item::read(&root.join(&path))?;
                let dress = dress::attributes(&root.join(&path))?;
                if !dress.is_empty() {
                    tree.dress.insert(path.clone(), dress);
                }
                if item == Item::Folder {
                    open.push(path.clone());
                }
                tree.items.insert(path, item);
            }
        }
        Ok(tree)
    }

    /// The same, with the permission bits and owners of folders.
    pub fn read_with_looks(root: &Path) -> io::Result<Tree> {
        let mut tree = Tree::read(root)?;
        for (path, _) in tree.items.iter().filter(|(_, item)| **item == Item::Folder) {
            let stat = fs::symlink_metadata(root.join(path))?;
            tree.looks.insert(path.clone(), (stat.mode() & 0o7777, stat.uid(), stat.gid()));
        }
        Ok(tree)
    }

    /// Writes everything below a folder that is there. Owners are given as far as the system lets us.
    pub fn write(&self, root: &Path) -> io::Result<()> {
        for (path, item) in &self.items {
            let place = root.join(path);
            match item {
                Item::Folder => fs::create_dir_all(&place)?,
                Item::File { bytes, mode } => {
                    fs::create_dir_all(place.parent().unwrap_or(root))?;
                    fs::write(&place, bytes)?;
                    fs::set_permissions(&place, fs::Permissions::from_mode(*mode))?;
                }
                Item::Link(target) => symlink(std::ffi::OsStr::from_bytes(target), &place)?,
                Item::Special => return Err(io::Error::other(format!("{path}: cannot be written from a fixture"))),
            }
        }
        for (path, dress) in &self.dress {
            for (name, value) in dress {
                if !dress::set(&root.join(path), name, value)? {
                    return Err(io::Error::other(format!("{path}: this file system has no {name}")));
                }
            }
        }
        for (path, (mode, user, group)) in &self.looks {
            let _ = chown(root.join(path), Some(*user), Some(*group));
            fs::set_permissions(root.join(path), fs::Permissions::from_mode(*mode))?;
        }
        Ok(())
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        match self.items.get(path) {
            Some(Item::File { bytes, .. }) => Some(bytes),
            _ => None,
        }
    }

    /// Adds a folder for every path that lies in one.
    pub fn add_parents(&mut self) {
        let paths: Vec<String> = self.items.keys().cloned().collect();
        for path in paths {
            for (at, _) in path.match_indices('/') {
                let folder = path.get(..at).unwrap_or_default().to_owned();
                self.items.entry(folder).or_insert(Item::Folder);
            }
        }
    }

    /// What in `found` is not as it is here, a line each; empty if they are the same. The looks of folders count where
    /// they are known of both.
    pub fn difference(&self, found: &Tree) -> Vec<String> {
        let mut paths: Vec<&String> = self.items.keys().chain(found.items.keys()).collect();
        paths.sort();
        paths.dedup();
        let pairs = paths.into_iter().map(|path| (path, self.items.get(path), found.items.get(path)));
        let unlike = pairs.filter(|(_, wanted, got)| wanted != got);
        let unlike =
            unlike.map(|(path, wanted, got)| format!("{path}: expected {}, found {}", shown(wanted), shown(got)));
        unlike.chain(self.undressed(found)).chain(self.look_unlike(found)).collect()
    }

    /// The folders that look another way in `found`, a line each.
    fn look_unlike(&self, found: &Tree) -> Vec<String> {
        let pairs = self.looks.iter().filter_map(|(path, wanted)| Some((path, wanted, found.looks.get(path)?)));
        let unlike = pairs.filter(|(_, wanted, got)| wanted != got);
        let shown = |(mode, user, group): &(u32, u32, u32)| format!("{mode:04o} of {user}:{group}");
        unlike
            .map(|(path, wanted, got)| format!("{path}: folder expected {}, found {}", shown(wanted), shown(got)))
            .collect()
    }

    /// Whose attributes in `found` are not as they are here, a line each.
    fn undressed(&self, found: &Tree) -> Vec<String> {
        let mut paths: Vec<&String> = self.dress.keys().chain(found.dress.keys()).collect();
        paths.sort();
        paths.dedup();
        let pairs = paths.into_iter().map(|path| (path, self.dress.get(path), found.dress.get(path)));
        let unlike = pairs.filter(|(_, wanted, got)| wanted != got);
        unlike.map(|(path, wanted, got)| format!("{path}: attributes expected {wanted:?}, found {got:?}")).collect()
    }

    /// Staged files that were left behind.
    pub fn litter(&self) -> Vec<&str> {
        self.items.keys().map(String::as_str).filter(|path| path.ends_with(TEMPORARY)).collect()
    }
}

/// When each file below a folder last changed, in nanoseconds: what must stay the same where nothing was done.
pub fn times(root: &Path, tree: &Tree) -> io::Result<BTreeMap<String, i128>> {
    let files = tree.items.iter().filter(|(_, item)| matches!(item, Item::File { .. }));
    let time = |path: &String| {
        let meta = fs::symlink_metadata(root.join(path))?;
        Ok((path.clone(), i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec())))
    };
    files.map(|(path, _)| time(path)).collect()
}

impl Item {
    fn read(path: &Path) -> io::Result<Item> {
        let meta = fs::symlink_metadata(path)?;
        let kind = meta.file_type();
        Ok(if kind.is_symlink() {
            Item::Link(fs::read_link(path)?.as_os_str().as_bytes().to_vec())
        } else if kind.is_dir() {
            Item::Folder
        } else if kind.is_file() {
            Item::File { bytes: fs::read(path)?, mode: meta.mode() & 0o7777 }
        } else {
            Item::Special
        })
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Item::File { bytes, mode } if bytes.len() > 200 => write!(f, "file {mode:04o} of {} bytes", bytes.len()),
            Item::File { bytes, mode } => write!(f, "file {mode:04o} \"{}\"", bytes.escape_ascii()),
            Item::Folder => f.write_str("a folder"),
            Item::Link(target) => write!(f, "link to \"{}\"", target.escape_ascii()),
            Item::Special => f.write_str("something special"),
        }
    }
}

fn shown(item: Option<&Item>) -> String {
    item.map_or_else(|| "nothing".to_owned(), |item| format!("{item:?}"))
}

#[cfg(test)]
mod tests {
    use super::{Item, Tree, times};
    use std::fs;

    fn file(bytes: &[u8]) -> Item {
        Item::File { bytes: bytes.to_vec(), mode: 0o644 }
    }

    fn sample() -> Tree {
        let mut tree = Tree::default();
        tree.items.insert("a".into(), file(b"1"));
        tree.items.insert("d/b".into(), file(b"\xff"));
        tree.items.insert("d/l".into(), Item::Link(b"../a".to_vec()));
        tree.add_parents();
        tree
    }

    #[test]
    fn what_is_written_is_read_back_without_state() {
        let place = tempfile::tempdir().unwrap();
        sample().write(place.path()).unwrap();
        fs::create_dir(place.path().join(".patchwright")).unwrap();
        assert_eq!(Tree::read(place.path()).unwrap(), sample());
        fs::create_dir_all(place.path().join(".git/patchwright/x")).unwrap();
        let paths: Vec<String> = Tree::read(place.path()).unwrap().items.into_keys().collect();
        assert_eq!(paths, [".git", "a", "d", "d/b", "d/l"]);
        fs::remove_dir_all(place.path().join(".git")).unwrap();
        assert_eq!(times(place.path(), &sample()).unwrap().len(), 2);
    }

    #[test]
    fn differences_name_path_and_both_sides() {
        let mut other = sample();
        other.items.insert("a".into(), file(b"2"));
        other.items.remove("d/l");
        other.items.insert("x.apply-patch.tmp".into(), Item::Special);
        let lines = sample().difference(&other);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0], "a: expected file 0644 \"1\", found file 0644 \"2\"");
        assert_eq!(lines[1], "d/l: expected link to \"../a\", found nothing");
        assert_eq!(other.litter(), ["x.apply-patch.tmp"]);
        assert!(sample().difference(&sample()).is_empty());
    }
}

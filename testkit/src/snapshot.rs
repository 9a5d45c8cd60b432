//! A folder as a value, everything below it included, state too: what must be the same where nothing may happen.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

/// What stands under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A file.
    File {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its permission bits.
        mode: u32,
    },
    /// A file that is too large to be kept.
    Huge {
        /// Its length.
        size: u64,
        /// Blocks that it takes.
        blocks: u64,
    },
    /// A folder.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
    /// A link and its target.
    Link(Vec<u8>),
    /// Anything else.
    Special,
}

/// Files longer than this are not read.
const HUGE: u64 = 64 << 20;

/// Everything below a folder, by path.
pub type Snapshot = BTreeMap<String, Thing>;

/// Reads a folder, links not followed. A folder that is not there is empty.
pub fn snapshot(folder: &Path) -> Snapshot {
    let mut all = Snapshot::new();
    let mut open = vec![String::new()];
    while let Some(above) = open.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&above)) else { continue };
        for entry in entries {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if above.is_empty() { name } else { format!("{above}/{name}") };
            // A process of ours may still be tidying; what goes meanwhile is not there.
            let Some(thing) = look(&folder.join(&path)) else { continue };
            if matches!(thing, Thing::Folder { .. }) {
                open.push(path.clone());
            }
            all.insert(path, thing);
        }
    }
    all
}

fn look(path: &Path) -> Option<Thing> {
    let meta = fs::symlink_metadata(path).ok()?;
    let (kind, mode) = (meta.file_type(), meta.mode() & 0o7777);
    Some(if kind.is_symlink() {
        Thing::Link(fs::read_link(path).ok()?.as_os_str().as_bytes().to_vec())
    } else if kind.is_dir() {
        Thing::Folder { mode }
    } else if !kind.is_file() {
        Thing::Special
    } else if meta.len() > HUGE {
        Thing::Huge { size: meta.len(), blocks: meta.blocks() }
    } else {
        Thing::File { bytes: fs::read(path).ok()?, mode }
    })
}

/// The paths that are not the same in both.
pub fn differing(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let all: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Writes everything below a folder that is there; what stood in it before has gone. The folder itself stays the same.
pub fn restore(folder: &Path, all: &Snapshot) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        if is_folder { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    for (path, thing) in all {
        let place = folder.join(path);
        match thing {
            Thing::Folder { .. } => fs::create_dir(&place)?,
            Thing::File { bytes, mode } => {
                fs::write(&place, bytes)?;
                fs::set_permissions(&place, fs::Permissions::from_mode(*mode))?;
            }
            Thing::Link(target) => symlink(OsStr::from_bytes(target), &place)?,
            Thing::Huge { size, .. } => fs::File::create(&place)?.set_len(*size)?,
            Thing::Special => {}
        }
    }
    // Modes of folders come last: one that is closed takes nothing new.
    for (path, thing) in all.iter().rev() {
        if let Thing::Folder { mode } = thing {
            fs::set_permissions(folder.join(path), fs::Permissions::from_mode(*mode))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_is_put_back() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("a/b")).unwrap();
        fs::write(place.path().join("a/f"), "x").unwrap();
        symlink("a", place.path().join("l")).unwrap();
        fs::File::create(place.path().join("h")).unwrap().set_len(1 << 40).unwrap();
        let before = snapshot(place.path());
        assert_eq!(before.len(), 5);
        fs::write(place.path().join("a/f"), "y").unwrap();
        fs::write(place.path().join("new"), "y").unwrap();
        fs::remove_file(place.path().join("l")).unwrap();
        assert_eq!(differing(&before, &snapshot(place.path())), ["a/f", "l", "new"]);
        restore(place.path(), &before).unwrap();
        assert_eq!(snapshot(place.path()), before);
    }
}

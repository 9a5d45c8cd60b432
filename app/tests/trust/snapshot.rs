//! A folder as a value, everything below it included: what must be the same where nothing may happen.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// What stands under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    File { bytes: Vec<u8>, mode: u32 },
    Folder { mode: u32 },
    Link(Vec<u8>),
    Special,
}

/// Everything below a folder, by path.
pub(crate) type Snapshot = BTreeMap<String, Thing>;

/// Reads a folder, links not followed. A folder that is not there is empty.
pub(crate) fn snapshot(folder: &Path) -> Snapshot {
    let mut all = Snapshot::new();
    let mut open = vec![String::new()];
    while let Some(above) = open.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&above)) else { continue };
        for entry in entries {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
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
    } else if kind.is_fifo() || kind.is_socket() || !kind.is_file() {
        Thing::Special
    } else {
        Thing::File { bytes: fs::read(path).ok()?, mode }
    })
}

/// The paths that are not the same in both.
pub(crate) fn differing(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let all: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

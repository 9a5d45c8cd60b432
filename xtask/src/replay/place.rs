//! Files on the disk as a value, and back: what a trial begins with and what it finds.

use super::written::{Files, Wanted, Wish};
use crate::failure::Failure;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Left out when a tree is read.
const STATE: [&str; 2] = patchwright_testkit::tree::STATE;

/// A folder for trials: in memory where there is one, for the sake of speed.
pub(super) fn scratch() -> Result<tempfile::TempDir, Failure> {
    let memory = tempfile::Builder::new().prefix("replay").tempdir_in("/dev/shm");
    memory.or_else(|_| tempfile::tempdir()).map_err(|error| Failure::io("a temporary folder", &error))
}

/// Writes files below a folder.
pub(super) fn write(root: &Path, files: &Files) -> Result<(), Failure> {
    for (path, file) in files {
        let place = root.join(path);
        put(&place, &file.bytes).map_err(|error| Failure::io(place.display(), &error))?;
        if let Wish::Exactly(bits) = file.mode {
            let mode = fs::Permissions::from_mode(bits);
            fs::set_permissions(&place, mode).map_err(|error| Failure::io(place.display(), &error))?;
        }
    }
    Ok(())
}

fn put(place: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(place, bytes)
}

/// What does not stand below a folder as it must; nothing if all does. Empty folders do not count.
pub(super) fn difference(root: &Path, wanted: &Files) -> Result<Option<String>, Failure> {
    let found = names(root)?;
    if let Some(stray) = found.iter().find(|path| !wanted.contains_key(*path)) {
        return Ok(Some(format!("{stray} must not be there")));
    }
    for (path, file) in wanted {
        let place = root.join(path);
        if !found.contains(path) {
            return Ok(Some(format!("{path} is missing")));
        }
        if let Some(fault) = unlike(&place, file).map_err(|error| Failure::io(place.display(), &error))? {
            return Ok(Some(format!("{path} {fault}")));
        }
    }
    Ok(None)
}

fn unlike(place: &Path, wanted: &Wanted) -> std::io::Result<Option<String>> {
    let meta = fs::symlink_metadata(place)?;
    let bits = meta.mode() & 0o7777;
    let fits = match wanted.mode {
        Wish::Exactly(wish) => bits == wish,
        Wish::New => bits & 0o111 == 0,
    };
    if !meta.is_file() {
        return Ok(Some("is no file".to_owned()));
    }
    let found = fs::read(place)?;
    if found != wanted.bytes {
        let at = found.iter().zip(&wanted.bytes).take_while(|(one, other)| one == other).count();
        return Ok(Some(format!("differs from byte {at} on ({} bytes, not {})", found.len(), wanted.bytes.len())));
    }
    Ok((!fits).then(|| format!("has mode {bits:o}, not {:?}", wanted.mode)))
}

/// Everything below a folder but folders and state, by relative path.
pub(super) fn names(root: &Path) -> Result<std::collections::BTreeSet<String>, Failure> {
    let mut found = std::collections::BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let fail = |error: std::io::Error| Failure::io(root.join(&folder).display(), &error);
        for entry in fs::read_dir(root.join(&folder)).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let path = folder.join(entry.file_name());
            if STATE.iter().any(|state| path == Path::new(state)) {
                continue;
            }
            if entry.file_type().map_err(fail)?.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.to_string_lossy().into_owned());
            }
        }
    }
    Ok(found)
}

/// Removes a file, and the folders above it that are empty then.
pub(super) fn clear(root: &Path, path: &str) -> std::io::Result<()> {
    let place = root.join(path);
    fs::remove_file(&place)?;
    let above = place.ancestors().skip(1).take_while(|folder| *folder != root);
    above.take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
    Ok(())
}

/// Gives a file another name, and removes the folders that are empty then.
pub(super) fn rename(root: &Path, from: &str, to: &str) -> std::io::Result<()> {
    let (bytes, mode) = (fs::read(root.join(from))?, fs::metadata(root.join(from))?.permissions());
    // First away: a folder may have to make way for a file.
    clear(root, from)?;
    put(&root.join(to), &bytes)?;
    fs::set_permissions(root.join(to), mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sort_of_difference_is_found() {
        let root = scratch().unwrap();
        let file = |text: &str| Wanted { bytes: text.as_bytes().to_vec(), mode: Wish::Exactly(0o620) };
        let files = Files::from([("a".to_owned(), file("x")), ("d/b".to_owned(), file("y"))]);
        write(root.path(), &files).unwrap();
        let check = |change: &dyn Fn(&mut Files), fault: Option<&str>| {
            let mut files = files.clone();
            change(&mut files);
            assert_eq!(difference(root.path(), &files).unwrap().as_deref(), fault);
        };
        check(&|_| {}, None);
        check(&|files| drop(files.remove("a")), Some("a must not be there"));
        check(&|files| drop(files.insert("c".into(), file(""))), Some("c is missing"));
        check(&|files| drop(files.insert("a".into(), file("z"))), Some("a differs from byte 0 on (1 bytes, not 1)"));
        let new = |mode| Wanted { mode, ..file("x") };
        check(&|files| drop(files.insert("a".into(), new(Wish::New))), None);
        let other = Wish::Exactly(0o644);
        check(&|files| drop(files.insert("a".into(), new(other))), Some("a has mode 620, not Exactly(420)"));
        clear(root.path(), "d/b").unwrap();
        assert!(!root.path().join("d").exists() && root.path().join("a").exists());
    }
}

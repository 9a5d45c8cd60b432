//! Files that are not the workspace's: a patch that somebody names on a command line, the user's own settings.
//! Nothing of the guard applies, because the caller could do it anyway; no tool leads here.

use rustix::fs::OFlags;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// All bytes of a file, wherever it is.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// All bytes of a file, if there is one. A folder that this user may not enter holds nothing of theirs: a program that
/// was started for somebody else may still have their home in its environment.
///
/// Only a regular file is read: nothing tells how long a pipe would let its reader wait.
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read_regular(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            ErrorKind::PermissionDenied if path.symlink_metadata().is_err() => Ok(None),
            _ => Err(error),
        },
    }
}

fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for a writer otherwise.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An absolute path without links, as far as it exists; what does not is kept as it is spelt.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, real) = there?;
    Some(real.join(path.strip_prefix(above).ok()?))
}

/// Is there a folder, links followed?
pub fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(std::fs::metadata(path)?.is_dir())
}

/// Writes a file that must not be there, for its owner alone.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Does a path lie below a folder, links followed as far as it is there? Where that cannot be told, it may.
pub fn is_below(folder: &Path, path: &Path) -> bool {
    let real = std::path::absolute(path).and_then(|path| crate::real::real_path(&path));
    match (folder.canonicalize(), real) {
        (Ok(folder), Ok(real)) => real.starts_with(folder),
        _ => true,
    }
}

//! Paths outside the workspace: as far as they are there, with their links followed, and made where they are missing.

use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The path itself, or the nearest folder above it that is there.
pub(super) fn nearest(path: &Path) -> io::Result<&Path> {
    for above in path.ancestors() {
        match above.symlink_metadata() {
            Ok(_) => return Ok(above),
            Err(error) if is_closed(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(path)
}

/// A path with the links in it followed, as far as it is there.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let there = nearest(path)?;
    let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
    match there.canonicalize() {
        Ok(there) => Ok(there.join(rest)),
        Err(error) if is_closed(&error) => Ok(path.to_owned()),
        Err(error) => Err(error),
    }
}

/// Makes a folder and those missing above it, for their owner alone. Their names outlive a power cut, or what is put
/// there would not be found again.
pub(super) fn make_path(path: &Path) -> io::Result<()> {
    let above = nearest(path)?;
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let made = path.ancestors().take_while(|folder| *folder != above);
    made.filter_map(Path::parent).try_for_each(|folder| File::open(folder)?.sync_all())
}

/// Is a path missing or closed to us, so that asking again will not help?
pub(super) fn is_closed(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::InvalidFilename
            | Kind::NotADirectory
            | Kind::NotFound
            | Kind::PermissionDenied
            | Kind::ReadOnlyFilesystem
    ) || error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

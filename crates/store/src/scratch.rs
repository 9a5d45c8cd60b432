//! A throw-away folder, and in it what any other program may do: save a file, look at one. Nothing of the guard
//! and nothing of the record applies; it is for showing how Patchwright gets along with such programs. No tool
//! leads here.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// A folder of its own among the system's temporary files, for its owner only. It goes with the value, unless
/// it is kept.
///
/// ```
/// use patchwright_store::scratch::Scratch;
/// let scratch = Scratch::new("example")?;
/// scratch.save("a/b.txt", b"text")?;
/// assert_eq!(scratch.read("a/b.txt")?.as_deref(), Some(&b"text"[..]));
/// assert_eq!(scratch.read("a/c.txt")?, None);
/// let path = scratch.path().to_owned();
/// drop(scratch);
/// assert!(!path.exists());
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    /// Empty once it is somebody else's to remove.
    path: PathBuf,
}

/// So many names are tried before it is given up.
const TRIES: u32 = 1000;

impl Scratch {
    /// A new, empty folder whose name begins with `name`.
    pub fn new(name: &str) -> io::Result<Scratch> {
        let (home, id) = (std::env::temp_dir(), std::process::id());
        for turn in 0..TRIES {
            let path = home.join(format!("{name}-{id}-{turn}"));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch { path: path.canonicalize()? }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves a file as a plain editor does: writes over what is there. Makes the folders it needs.
    pub fn save(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.inside(name)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)
    }

    /// All bytes of a file, or nothing if it is not there.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.inside(name)?) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes a file a program that everybody may run.
    pub fn make_executable(&self, name: &str) -> io::Result<()> {
        fs::set_permissions(self.inside(name)?, Permissions::from_mode(0o755))
    }

    /// Its permission bits.
    pub fn mode(&self, name: &str) -> io::Result<u32> {
        Ok(fs::symlink_metadata(self.inside(name)?)?.permissions().mode() & 0o7777)
    }

    /// How many entries a folder has, hidden ones too.
    pub fn entries(&self, folder: &str) -> io::Result<usize> {
        let mut count: usize = 0;
        for entry in fs::read_dir(self.inside(folder)?)? {
            entry?;
            count = count.saturating_add(1);
        }
        Ok(count)
    }

    /// Leaves the folder to whoever asked for it, and says where it is.
    pub fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.path)
    }

    /// A name that leads anywhere else is nobody's wish.
    fn inside(&self, name: &str) -> io::Result<PathBuf> {
        let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if plain { Ok(self.path.join(name)) } else { Err(ErrorKind::InvalidInput.into()) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            // Nobody is left to tell; the system clears its temporary files some day.
            let _removed = fs::remove_dir_all(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_its_own_and_goes_with_its_value() {
        let (one, two) = (Scratch::new("scratch-goes").unwrap(), Scratch::new("scratch-goes").unwrap());
        assert_ne!(one.path(), two.path());
        assert_eq!(fs::metadata(one.path()).unwrap().permissions().mode() & 0o777, 0o700);
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists());
        let kept = two.keep();
        assert!(kept.exists());
        fs::remove_dir(&kept).unwrap();
    }

    #[test]
    fn files() {
        let scratch = Scratch::new("scratch-files").unwrap();
        scratch.save("bin/run", b"#!/bin/sh\n").unwrap();
        scratch.make_executable("bin/run").unwrap();
        scratch.save("bin/run", b"new").unwrap();
        assert_eq!(scratch.read("bin/run").unwrap().as_deref(), Some(&b"new"[..]));
        assert_eq!((scratch.mode("bin/run").unwrap(), scratch.entries("bin").unwrap()), (0o755, 1));
    }

    #[test]
    fn no_name_leads_outside() {
        let scratch = Scratch::new("scratch-outside").unwrap();
        for name in ["/etc/passwd", "../x", "a/../../x", "./a"] {
            assert_eq!(scratch.read(name).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
        }
    }
}

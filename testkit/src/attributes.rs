//! Extended attributes of files, for tests that look at what is carried over.

use rustix::fs::XattrFlags;
use std::io;
use std::path::Path;

/// Gives a file an attribute such as `user.mark`.
pub fn set(path: &Path, name: &str, value: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::setxattr(path, name, value, XattrFlags::empty())?)
}

/// The value of an attribute; nothing if the file has none of this name.
pub fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0_u8; 4096];
    let count = rustix::fs::getxattr(path, name, value.as_mut_slice()).ok()?;
    value.truncate(count);
    Some(value)
}

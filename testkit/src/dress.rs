//! What a file has besides its bytes and its mode: extended attributes and access lists, on the real disk.

use rustix::fs::XattrFlags;
use rustix::io::Errno;
use std::io;
use std::path::Path;

/// The kernel's own limits for a list of names and for one value.
const MOST: usize = 64 * 1024;
/// Attributes of others, such as a security module's, are not compared.
const COMPARED: [&str; 2] = ["user.", "system.posix_acl_"];

/// The attributes of a file or folder, sorted by name; a link has none. Where the file system knows none, none.
pub fn attributes(path: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut list = vec![0; MOST];
    let length = match rustix::fs::llistxattr(path, list.as_mut_slice()) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(Vec::new()),
        answer => answer?,
    };
    list.truncate(length);
    let names = list.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let mut all = Vec::new();
    for name in names.filter(|name| COMPARED.iter().any(|prefix| name.starts_with(prefix))) {
        let mut value = vec![0; MOST];
        let length = rustix::fs::lgetxattr(path, name, value.as_mut_slice())?;
        value.truncate(length);
        all.push((name.to_owned(), value));
    }
    all.sort();
    Ok(all)
}

/// Sets an attribute; whether the file system knows of such.
pub fn set(path: &Path, name: &str, value: &[u8]) -> io::Result<bool> {
    match rustix::fs::lsetxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// An access list as the kernel keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acl {
    /// Tag, permissions and whose they are.
    entries: Vec<(u16, u16, u32)>,
}

const OWNER: u16 = 1;
const USER: u16 = 2;
const GROUP: u16 = 4;
const MASK: u16 = 0x10;
const OTHERS: u16 = 0x20;
const NOBODY: u32 = u32::MAX;
const VERSION: u32 = 2;

impl Acl {
    /// What a mode says: permissions of the owner, the group and all others.
    pub fn plain(owner: u16, group: u16, others: u16) -> Acl {
        Acl { entries: vec![(OWNER, owner, NOBODY), (GROUP, group, NOBODY), (OTHERS, others, NOBODY)] }
    }

    /// The same with one user more, and the mask that such a list needs.
    #[must_use]
    pub fn with_user(mut self, user: u32, may: u16, mask: u16) -> Acl {
        self.entries.extend([(USER, may, user), (MASK, mask, NOBODY)]);
        self.entries.sort_unstable();
        self
    }

    /// As it stands in the attribute.
    pub fn bytes(&self) -> Vec<u8> {
        let entry = |(tag, may, whose): &(u16, u16, u32)| {
            [&tag.to_le_bytes()[..], &may.to_le_bytes()[..], &whose.to_le_bytes()[..]].concat()
        };
        let entries: Vec<u8> = self.entries.iter().flat_map(entry).collect();
        [&VERSION.to_le_bytes()[..], &entries].concat()
    }
}

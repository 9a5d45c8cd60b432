//! A new file's mode, owner and attributes.
//!
//! Promises that set-id bits and file capabilities are not carried over to changed content, and that
//! what could not be kept is reported, by reading it back. The mode comes last: a change of owner
//! drops bits, and a mode without write permission would forbid setting attributes. What the system does
//! not let us keep is reported; a full or failing disk is an error.

use super::dir::Dir;
use super::errno::os;
use super::{file, stat};
use crate::disk::{Halt, Made, NotKept};
use patchwright_core::folder::{Attribute, FolderMeta};
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::AsFd;
use rustix::fs::{Gid, Mode, Uid, XattrFlags};
use rustix::io::Errno;
use std::fs::File;
use std::sync::OnceLock;

const SET_ID: u32 = 0o6000;
const PERMISSIONS: u32 = 0o1777;
const BITS: u32 = SET_ID | PERMISSIONS;
const CAPABILITY: &[u8] = b"security.capability";
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
const DEFAULT_LIST: &[u8] = b"system.posix_acl_default";
/// The kernel's own limits for a list of attribute names and for one value.
const XATTR_MAX: usize = 64 * 1024;

/// Most files are ours, have a plain mode and no attributes: then the new one comes as it should be.
pub(super) fn create_like(dir: &Dir, name: &str, model: &File) -> Result<Made<File>, Halt> {
    let wanted = rustix::fs::fstat(model).map_err(os)?;
    if is_planted(Bug::ModeLost) {
        return Ok(Made { file: file::create(dir, name)?, lost: Vec::new(), model: stat::convert(&wanted) });
    }
    let mode = wanted.st_mode & PERMISSIONS;
    let file = file::create_with(dir, name, if is_plain(mode) { mode } else { 0o600 })?;
    let now = rustix::fs::fstat(&file).map_err(os)?;
    let alike = (now.st_uid, now.st_gid, now.st_mode) == (wanted.st_uid, wanted.st_gid, wanted.st_mode);
    let lost = if alike && is_bare(model)? && is_bare(&file)? { Vec::new() } else { dress(&file, model, &wanted)? };
    Ok(Made { file, lost, model: stat::convert(&wanted) })
}

/// A mode that shows nobody more than everybody may see, whatever group or access list a new file gets:
/// nobody but its owner may write, and the group may do no more than all others.
fn is_plain(mode: u32) -> bool {
    let (group, others) = (mode >> 3 & 7, mode & 7);
    mode & 0o600 == 0o600 && mode & 0o7022 == 0 && group & !others == 0
}

/// Has it no attributes?
fn is_bare(file: &File) -> Result<bool, Halt> {
    match rustix::fs::flistxattr_query(file) {
        Ok(length) => Ok(length == 0),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(true),
        Err(errno) => Err(os(errno)),
    }
}

pub(super) fn like(file: &File, model: &File) -> Result<Vec<NotKept>, Halt> {
    let wanted = rustix::fs::fstat(model).map_err(os)?;
    dress(file, model, &wanted)
}

fn dress(file: &File, model: &File, wanted: &rustix::fs::Stat) -> Result<Vec<NotKept>, Halt> {
    own(file, wanted.st_uid, wanted.st_gid)?;
    let Attributes { mut all, unreadable } = attributes(model)?;
    let plain = all.len();
    all.retain(|attribute| attribute.name != CAPABILITY);
    let dropped = wanted.st_mode & SET_ID != 0 || all.len() < plain;
    let set = set_attributes(file, &all, &[ACCESS_LIST])?;
    let mode = set.mode(wanted.st_mode, &all) & PERMISSIONS;
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode)).map_err(os)?;
    let now = rustix::fs::fstat(file).map_err(os)?;
    let mut lost = Vec::new();
    if (now.st_uid, now.st_gid) != (wanted.st_uid, wanted.st_gid) {
        lost.push(NotKept::Owner);
    }
    if unreadable.is_some() || set != Set::All || now.st_mode & PERMISSIONS != mode {
        lost.push(NotKept::Attributes);
    }
    if dropped {
        lost.push(NotKept::SetId);
    }
    Ok(lost)
}

pub(super) fn fresh(file: &File, mode: Option<u32>) -> Result<Vec<NotKept>, Halt> {
    let asked = mode.unwrap_or(0o666 & !umask());
    rustix::fs::fchmod(file, Mode::from_raw_mode(asked & PERMISSIONS)).map_err(os)?;
    Ok(if asked & SET_ID == 0 { Vec::new() } else { vec![NotKept::SetId] })
}

pub(super) fn bits(file: &File, mode: u32) -> Result<Vec<NotKept>, Halt> {
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode & BITS)).map_err(os)?;
    Ok(Vec::new())
}

/// What a folder is like. One with attributes that cannot be read could not be made again: that is an error.
pub(super) fn folder_meta(dir: &Dir) -> Result<FolderMeta, Halt> {
    let folder = file_of(dir)?;
    let stat = rustix::fs::fstat(&folder).map_err(os)?;
    let Attributes { mut all, unreadable } = attributes(&folder)?;
    if let Some(errno) = unreadable {
        return Err(os(errno));
    }
    all.sort_unstable();
    Ok(FolderMeta { mode: stat.st_mode & BITS, owner: Some((stat.st_uid, stat.st_gid)), attributes: Some(all) })
}

/// Makes a folder be like this: its bits too that a file would lose, since nothing runs with the rights of a folder.
pub(super) fn folder_as(dir: &Dir, meta: &FolderMeta) -> Result<Vec<NotKept>, Halt> {
    let folder = file_of(dir)?;
    let (mut lost, mut mode) = (Vec::new(), meta.mode & BITS);
    if let Some((uid, gid)) = meta.owner {
        own(&folder, uid, gid)?;
        let now = rustix::fs::fstat(&folder).map_err(os)?;
        lost.extend(((now.st_uid, now.st_gid) != (uid, gid)).then_some(NotKept::Owner));
    }
    if let Some(all) = &meta.attributes {
        // Those of security modules are theirs to give.
        let there = names(&folder)?.into_iter().filter(|name| !name.starts_with(b"security."));
        let there: Vec<Vec<u8>> = there.chain([ACCESS_LIST.to_vec(), DEFAULT_LIST.to_vec()]).collect();
        let there: Vec<&[u8]> = there.iter().map(Vec::as_slice).collect();
        let set = set_attributes(&folder, all, &there)?;
        mode = set.mode(mode, all) & BITS;
        lost.extend((set != Set::All).then_some(NotKept::Attributes));
    }
    rustix::fs::fchmod(dir, Mode::from_raw_mode(mode)).map_err(os)?;
    Ok(lost)
}

/// Another handle of a folder, for what is done alike with files and folders.
fn file_of(dir: &Dir) -> Result<File, Halt> {
    Ok(File::from(dir.as_fd().try_clone_to_owned()?))
}

/// Owner and group, or the group alone where only that is permitted.
fn own(file: &File, uid: u32, gid: u32) -> Result<(), Halt> {
    let now = rustix::fs::fstat(file).map_err(os)?;
    if (now.st_uid, now.st_gid) == (uid, gid) {
        return Ok(());
    }
    let group = Some(Gid::from_raw(gid));
    match rustix::fs::fchown(file, Some(Uid::from_raw(uid)), group) {
        Err(Errno::PERM) => match rustix::fs::fchown(file, None, group) {
            Ok(()) | Err(Errno::PERM | Errno::INVAL) => Ok(()),
            Err(errno) => Err(os(errno)),
        },
        Ok(()) | Err(Errno::INVAL | Errno::OPNOTSUPP) => Ok(()),
        Err(errno) => Err(os(errno)),
    }
}

/// The attributes of a file or folder.
struct Attributes {
    all: Vec<Attribute>,
    /// Why others cannot be read, if there are any.
    unreadable: Option<Errno>,
}

fn attributes(file: &File) -> Result<Attributes, Halt> {
    let mut found = Attributes { all: Vec::new(), unreadable: None };
    for name in names(file)? {
        match value(file, &name) {
            Ok(value) => found.all.push(Attribute { name, value }),
            // Removed meanwhile.
            Err(Errno::NODATA) => {}
            Err(errno @ (Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS)) => {
                found.unreadable = Some(errno);
            }
            Err(errno) => return Err(os(errno)),
        }
    }
    Ok(found)
}

/// Which attributes could be set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    All,
    /// Not all, but the access list is as it should be.
    Some,
    NoAccessList,
}

impl Set {
    /// The permission bits for a file. Beside an access list, those of the group are what the list allows at most;
    /// without it they would give the group more than it had.
    fn mode(self, mode: u32, wanted: &[Attribute]) -> u32 {
        let list = wanted.iter().find(|attribute| attribute.name == ACCESS_LIST);
        match list.filter(|_| self == Set::NoAccessList) {
            Some(list) => mode & (!0o070 | group_of(&list.value) << 3),
            None => mode,
        }
    }
}

/// What an access list gives to the group itself: entries of eight bytes after a version, each with a tag and rights.
/// See `linux/posix_acl_xattr.h`.
fn group_of(list: &[u8]) -> u32 {
    let entries = list.get(4..).unwrap_or_default().chunks_exact(8);
    let mut group = entries.filter_map(|entry| match entry {
        [4, 0, rights, ..] => Some(u32::from(*rights & 7)),
        _ => None,
    });
    group.next().unwrap_or(0)
}

/// Sets these attributes. Of those that may be there, the ones that are not wanted go.
fn set_attributes(file: &File, wanted: &[Attribute], there: &[&[u8]]) -> Result<Set, Halt> {
    let mut set = Set::All;
    for Attribute { name, value: wanted } in wanted {
        if value(file, name).as_ref() == Ok(wanted) {
            continue;
        }
        match rustix::fs::fsetxattr(file, name.as_slice(), wanted, XattrFlags::empty()) {
            Ok(()) => {}
            Err(errno) if !is_refused(errno) => return Err(os(errno)),
            Err(_) if name == ACCESS_LIST => set = Set::NoAccessList,
            Err(_) if set == Set::All => set = Set::Some,
            Err(_) => {}
        }
    }
    // The default list of the folder above may have given the new one what the old one did not have.
    for list in there.iter().filter(|list| !wanted.iter().any(|attribute| attribute.name == **list)) {
        match rustix::fs::fremovexattr(file, *list) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(errno) if !is_refused(errno) => return Err(os(errno)),
            Err(_) if set == Set::All => set = Set::Some,
            Err(_) => {}
        }
    }
    Ok(set)
}

/// Does the system not let us set this attribute here, today or tomorrow?
fn is_refused(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::PERM | Errno::ACCESS | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::RANGE | Errno::TOOBIG
    )
}

fn names(file: &File) -> Result<Vec<Vec<u8>>, Halt> {
    // Most files have none: the length alone says so.
    if is_bare(file)? {
        return Ok(Vec::new());
    }
    let mut list = vec![0_u8; XATTR_MAX];
    let length = rustix::fs::flistxattr(file, list.as_mut_slice()).map_err(os)?;
    list.truncate(length);
    Ok(list.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

fn value(file: &File, name: &[u8]) -> Result<Vec<u8>, Errno> {
    let length = rustix::fs::fgetxattr_query(file, name)?;
    let mut value = vec![0_u8; length.min(XATTR_MAX)];
    if length > 0 {
        let length = rustix::fs::fgetxattr(file, name, value.as_mut_slice())?;
        value.truncate(length);
    }
    Ok(value)
}

/// The process's umask, read without setting it, which would race with other threads. Where the system
/// does not tell, the strictest.
pub(super) fn umask() -> u32 {
    static UMASK: OnceLock<u32> = OnceLock::new();
    *UMASK.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
        line.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok()).unwrap_or(0o077)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Owner, a named user, the group, the mask, all others.
    fn list(group: u8, mask: u8) -> Vec<u8> {
        let entries = [(1, 7), (2, 7), (4, group), (16, mask), (32, 0)];
        let entries = entries.into_iter().flat_map(|(tag, rights)| [tag, 0, rights, 0, 255, 255, 255, 255]);
        [2, 0, 0, 0].into_iter().chain(entries).collect()
    }

    #[test]
    fn without_its_access_list_a_group_gets_no_more_than_it_had() {
        let check = |set: Set, (mode, list): (u32, Option<Vec<u8>>), expected: u32| {
            let wanted: Vec<Attribute> =
                list.into_iter().map(|value| Attribute { name: ACCESS_LIST.into(), value }).collect();
            assert_eq!(set.mode(mode, &wanted), expected, "{mode:o}");
        };
        check(Set::All, (0o770, Some(list(0, 7))), 0o770);
        check(Set::Some, (0o770, Some(list(0, 7))), 0o770);
        check(Set::NoAccessList, (0o2770, Some(list(0, 7))), 0o2700);
        check(Set::NoAccessList, (0o775, Some(list(5, 7))), 0o755);
        check(Set::NoAccessList, (0o750, Some(list(7, 5))), 0o750); // the mask counts too
        check(Set::NoAccessList, (0o770, Some(vec![2, 0, 0])), 0o700); // not to be read
        check(Set::NoAccessList, (0o770, None), 0o770);
    }
}

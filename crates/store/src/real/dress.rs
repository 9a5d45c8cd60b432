//! A new file's mode, owner and attributes.
//!
//! Promises that set-id bits and file capabilities are not carried over to changed content, and that
//! what could not be kept is reported, by reading it back. The mode comes last: a change of owner
//! drops bits, and a mode without write permission would forbid setting attributes.

use super::dir::{Dir, os};
use super::{file, stat};
use crate::disk::{Halt, Made, NotKept};
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::AsFd;
use rustix::fs::{Gid, Mode, Uid, XattrFlags};
use rustix::io::Errno;
use std::fs::File;
use std::sync::OnceLock;

const SET_ID: u32 = 0o6000;
const PERMISSIONS: u32 = 0o1777;
const CAPABILITY: &[u8] = b"security.capability";
const ACCESS_LIST: &[u8] = b"system.posix_acl_access";
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
    let mut lost = attributes(file, model)?;
    let mode = wanted.st_mode & PERMISSIONS;
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode)).map_err(os)?;
    let now = rustix::fs::fstat(file).map_err(os)?;
    if (now.st_uid, now.st_gid) != (wanted.st_uid, wanted.st_gid) {
        lost.push(NotKept::Owner);
    }
    if now.st_mode & PERMISSIONS != mode && !lost.contains(&NotKept::Attributes) {
        lost.push(NotKept::Attributes);
    }
    if wanted.st_mode & SET_ID != 0 && !lost.contains(&NotKept::SetId) {
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
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode & (SET_ID | PERMISSIONS))).map_err(os)?;
    Ok(Vec::new())
}

/// A folder like another: its bits too that a file would lose, since nothing runs with the rights of a folder.
pub(super) fn folder_like(dir: &Dir, model: &Dir) -> Result<Vec<NotKept>, Halt> {
    let (made, wanted) = (file_of(dir)?, file_of(model)?);
    let mut lost = like(&made, &wanted)?;
    lost.retain(|kind| *kind != NotKept::SetId);
    let mode = rustix::fs::fstat(&wanted).map_err(os)?.st_mode;
    folder_mode(dir, Some(mode))?;
    Ok(lost)
}

/// A folder with these permission bits, or those that the process would give.
pub(super) fn folder_mode(dir: &Dir, mode: Option<u32>) -> Result<(), Halt> {
    let mode = mode.unwrap_or(0o777 & !umask()) & (SET_ID | PERMISSIONS);
    rustix::fs::fchmod(dir, Mode::from_raw_mode(mode)).map_err(os)
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

fn attributes(file: &File, model: &File) -> Result<Vec<NotKept>, Halt> {
    let names = names(model)?;
    let mut lost = Vec::new();
    for name in &names {
        let outcome = if name == CAPABILITY { Some(NotKept::SetId) } else { carry(file, model, name) };
        lost.extend(outcome.filter(|kind| !lost.contains(kind)));
    }
    // A folder's default list may have given the new file what the old one did not have.
    if !names.iter().any(|name| name == ACCESS_LIST) {
        match rustix::fs::fremovexattr(file, ACCESS_LIST) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => {}
            Err(_) => lost.push(NotKept::Attributes),
        }
    }
    Ok(lost)
}

fn carry(file: &File, model: &File, name: &[u8]) -> Option<NotKept> {
    let copied = value(model, name).and_then(|wanted| {
        if value(file, name).as_ref() == Ok(&wanted) {
            return Ok(());
        }
        rustix::fs::fsetxattr(file, name, &wanted, XattrFlags::empty())
    });
    copied.err().map(|_| NotKept::Attributes)
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

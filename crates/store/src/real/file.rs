//! Files, links and folders by held folder and single name.
//!
//! Promises never to open anything but a regular file: its sort is asked first, and again of the
//! opened file; a FIFO slipped in between does not block. No link in the last name is followed.

use super::dir::{Dir, Room};
use super::errno::os;
use super::stat;
use crate::disk::{CLOSED, Halt, Stat};
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;

const CAREFUL: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);

pub(super) fn open(dir: &Dir, name: &str) -> Result<File, Halt> {
    match stat::of_name(dir, name)? {
        None => Err(os(Errno::NOENT)),
        Some(stat) => must_be_regular(&stat).and_then(|()| open_known(dir, name)),
    }
}

/// Opens what the folder has just called a regular file.
pub(super) fn open_known(dir: &Dir, name: &str) -> Result<File, Halt> {
    let how = if is_planted(Bug::PipesOpened) { CAREFUL.difference(OFlags::NONBLOCK) } else { CAREFUL };
    let fd = rustix::fs::openat(dir, name, how | OFlags::RDONLY, Mode::empty()).map_err(os)?;
    must_be_regular(&stat::of_file(&fd)?)?;
    let file = File::from(fd);
    if is_planted(Bug::DescriptorKept) {
        std::mem::forget(file.try_clone());
    }
    Ok(file)
}

pub(super) fn create(dir: &Dir, name: &str) -> Result<File, Halt> {
    create_with(dir, name, private().as_raw_mode())
}

/// Creates as any program would. The system itself looks at the folder's default access list, at its group and at the
/// umask: nobody ever sees more of the file than its last mode will show.
pub(super) fn create_plain(dir: &Dir, name: &str) -> Result<File, Halt> {
    create_with(dir, name, 0o666)
}

/// Creates with these permission bits, as far as the process's umask lets them through.
pub(super) fn create_with(dir: &Dir, name: &str, mode: u32) -> Result<File, Halt> {
    let how = CAREFUL | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
    Ok(File::from(rustix::fs::openat(dir, name, how, Mode::from_raw_mode(mode)).map_err(os)?))
}

pub(super) fn open_or_create(dir: &Dir, name: &str) -> Result<File, Halt> {
    if let Some(stat) = stat::of_name(dir, name)? {
        must_be_regular(&stat)?;
    }
    let how = CAREFUL | OFlags::RDWR | OFlags::CREATE;
    let file = File::from(rustix::fs::openat(dir, name, how, private()).map_err(os)?);
    must_be_regular(&stat::of_file(&file)?)?;
    Ok(file)
}

pub(super) fn read_at(file: &File, offset: u64, into: &mut [u8]) -> Result<usize, Halt> {
    let mut done = 0;
    while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, offset.saturating_add(done as u64)) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(done)
}

pub(super) fn write_at(file: &File, offset: u64, bytes: &[u8]) -> Result<(), Halt> {
    match file.write_all_at(bytes, offset) {
        Err(error) if error.kind() == io::ErrorKind::StorageFull && is_planted(Bug::FullDiskIgnored) => Ok(()),
        written => Ok(written?),
    }
}

pub(super) fn read_link(dir: &Dir, name: &str) -> Result<Vec<u8>, Halt> {
    rustix::fs::readlinkat(dir, name, Vec::new()).map(std::ffi::CString::into_bytes).map_err(os)
}

pub(super) fn make_link(dir: &Dir, name: &str, target: &[u8]) -> Result<(), Halt> {
    rustix::fs::symlinkat(std::ffi::OsStr::from_bytes(target), dir, name).map_err(os)
}

/// Our own folders are private; the workspace's are as the process would make them.
pub(super) fn make_folder(dir: &Dir, name: &str) -> Result<(), Halt> {
    let mode = match dir.room() {
        Room::Workspace(_) => Mode::from_raw_mode(0o777),
        Room::State => Mode::RWXU,
    };
    rustix::fs::mkdirat(dir, name, mode).map_err(os)
}

/// A folder that only its owner may enter, and that is known by that.
pub(super) fn make_closed_folder(dir: &Dir, name: &str) -> Result<(), Halt> {
    rustix::fs::mkdirat(dir, name, Mode::from_raw_mode(CLOSED)).map_err(os)
}

pub(super) fn remove(dir: &Dir, name: &str) -> Result<(), Halt> {
    rustix::fs::unlinkat(dir, name, AtFlags::empty()).map_err(os)
}

pub(super) fn remove_folder(dir: &Dir, name: &str) -> Result<(), Halt> {
    rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR).map_err(os)
}

fn private() -> Mode {
    Mode::RUSR | Mode::WUSR
}

fn must_be_regular(stat: &Stat) -> Result<(), Halt> {
    match stat.sort {
        Sort::File => Ok(()),
        Sort::Folder => Err(os(Errno::ISDIR)),
        Sort::Link => Err(os(Errno::LOOP)),
        Sort::Special => Err(Halt::Special),
    }
}

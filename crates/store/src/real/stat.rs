//! What the system says of a file, in our words. Links are never followed here.

use super::errno::os;
use crate::disk::{Halt, Stat};
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fd::AsFd;
use rustix::fs::{AtFlags, FileType, StatxFlags};
use rustix::io::Errno;

pub(super) fn of_name(dir: impl AsFd, name: &str) -> Result<Option<Stat>, Halt> {
    match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(raw) => Ok(Some(convert(&raw))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(os(errno)),
    }
}

pub(super) fn of_file(file: impl AsFd) -> Result<Stat, Halt> {
    rustix::fs::fstat(file).map(|raw| convert(&raw)).map_err(os)
}

pub(super) fn id(file: impl AsFd) -> Result<(u64, u64), Halt> {
    of_file(file).map(|stat| stat.id)
}

/// What a folder entry's own type says; nothing where the file system does not tell.
pub(crate) fn sort_of(kind: FileType) -> Option<Sort> {
    match kind {
        FileType::RegularFile => Some(Sort::File),
        FileType::Directory => Some(Sort::Folder),
        FileType::Symlink => Some(Sort::Link),
        FileType::Unknown => None,
        FileType::Fifo if is_planted(Bug::PipesOpened) => Some(Sort::File),
        _ => Some(Sort::Special),
    }
}

pub(super) fn convert(raw: &rustix::fs::Stat) -> Stat {
    Stat {
        sort: sort_of(FileType::from_raw_mode(raw.st_mode)).unwrap_or(Sort::Special),
        size: u64::try_from(raw.st_size).unwrap_or(0),
        mode: raw.st_mode & 0o7777,
        #[allow(clippy::useless_conversion, reason = "the width of these fields differs between systems")]
        links: u64::from(raw.st_nlink),
        id: (raw.st_dev, raw.st_ino),
        mtime_ns: nanoseconds(raw.st_mtime, raw.st_mtime_nsec),
        ctime_ns: nanoseconds(raw.st_ctime, raw.st_ctime_nsec),
    }
}

fn nanoseconds(seconds: i64, rest: impl Into<i128>) -> i128 {
    i128::from(seconds).saturating_mul(1_000_000_000).saturating_add(rest.into())
}

/// What an open file is like now; nothing if its next change might not show in its times.
///
/// Linux gives files the time of its coarse clock, which moves on every few milliseconds: what has an earlier time than
/// that will get another one. Since 6.13 most file systems give a finer time to what is changed after somebody asked for
/// its times (<https://docs.kernel.org/filesystems/multigrain-ts.html>); such a time is ahead of the coarse clock, and
/// only such a one is, unless it is ahead of every clock here. The clocks are read first: they only go on.
#[cfg(target_os = "linux")]
pub(super) fn settled(file: impl AsFd) -> Result<Option<Stat>, Halt> {
    use rustix::time::{ClockId, clock_gettime};
    let [coarse, fine] = [ClockId::RealtimeCoarse, ClockId::Realtime].map(|clock| {
        let time = clock_gettime(clock);
        nanoseconds(time.tv_sec, time.tv_nsec)
    });
    let shows = |stat: &Stat| stat.ctime_ns != coarse && stat.ctime_ns <= fine;
    of_file(file).map(|stat| Some(stat).filter(shows))
}

/// Elsewhere the clock of files is not known; two seconds are enough for most.
#[cfg(not(target_os = "linux"))]
pub(super) fn settled(file: impl AsFd) -> Result<Option<Stat>, Halt> {
    const PLENTY_NS: i128 = 2_000_000_000;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now_ns = i128::try_from(since.as_nanos()).unwrap_or(0);
    of_file(file).map(|stat| Some(stat).filter(|stat| stat.ctime_ns + PLENTY_NS < now_ns))
}

/// When a folder was made, nanoseconds since 1970 UTC, where the file system tells.
pub(super) fn born(dir: impl AsFd) -> Option<i128> {
    let found = rustix::fs::statx(dir, "", AtFlags::EMPTY_PATH, StatxFlags::BTIME).ok()?;
    let told = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    told.then(|| i128::from(found.stx_btime.tv_sec) * 1_000_000_000 + i128::from(found.stx_btime.tv_nsec))
}

//! Names given and exchanged.
//!
//! Promises that nothing is replaced unless [`Rename::Replace`] was asked for. Where the file system
//! has no "rename unless there", a file gets its second name by a hard link, which fails if the name is
//! taken, and then loses its first. Exchanging has no such stand-in: it is [`Halt::Unsupported`].

use super::dir::Dir;
use super::errno::os;
use super::{Means, file, stat};
use crate::disk::{At, Halt, Rename};
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};
use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

type Name<'a> = At<'a, Dir>;

pub(super) fn rename(from: Name<'_>, to: Name<'_>, how: Rename, means: Means) -> Result<(), Halt> {
    match (how, means) {
        (Rename::Replace, _) => rustix::fs::renameat(from.dir, from.name, to.dir, to.name).map_err(os),
        (Rename::Exchange, Means::Best) if is_planted(Bug::RenameForExchange) => Err(Halt::Unsupported),
        (Rename::Exchange, Means::Best) => flagged(from, to, RenameFlags::EXCHANGE).map_err(unsupported),
        (Rename::Exchange, Means::Portable) => Err(Halt::Unsupported),
        (Rename::NoReplace, Means::Best) => no_replace(from, to),
        (Rename::NoReplace, Means::Portable) => by_link(from, to),
    }
}

/// Writes a file of ours anew; whoever looks sees the old or the new one.
pub(super) fn replace(dir: &Dir, name: &str, bytes: &[u8], means: Means) -> Result<(), Halt> {
    let draft = format!("{name}.{}", std::process::id());
    let _ = file::remove(dir, &draft);
    let written = file::create(dir, &draft).and_then(|made| file::write_at(&made, 0, bytes));
    let shown = written.and_then(|()| rename(At::new(dir, &draft), At::new(dir, name), Rename::Replace, means));
    shown.inspect_err(|_| drop(file::remove(dir, &draft)))
}

pub(super) fn link(from: Name<'_>, to: Name<'_>) -> Result<(), Halt> {
    rustix::fs::linkat(from.dir, from.name, to.dir, to.name, AtFlags::empty()).map_err(|errno| match errno {
        // What file systems without hard links say; "not permitted" is also what a folder gives.
        Errno::OPNOTSUPP | Errno::NOSYS | Errno::PERM | Errno::MLINK => Halt::Unsupported,
        errno => os(errno),
    })
}

fn no_replace(from: Name<'_>, to: Name<'_>) -> Result<(), Halt> {
    match flagged(from, to, RenameFlags::NOREPLACE) {
        // Network file systems refuse the flag as a wrong argument.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => by_link(from, to),
        answer => answer.map_err(os),
    }
}

fn by_link(from: Name<'_>, to: Name<'_>) -> Result<(), Halt> {
    match stat::of_name(from.dir, from.name)? {
        None => return Err(os(Errno::NOENT)),
        Some(stat) if stat.sort == Sort::Folder => return Err(Halt::Unsupported),
        Some(_) => {}
    }
    link(from, to)?;
    rustix::fs::unlinkat(from.dir, from.name, AtFlags::empty()).map_err(os)
}

fn flagged(from: Name<'_>, to: Name<'_>, flags: RenameFlags) -> Result<(), Errno> {
    rustix::fs::renameat_with(from.dir, from.name, to.dir, to.name, flags)
}

fn unsupported(errno: Errno) -> Halt {
    match errno {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => Halt::Unsupported,
        errno => os(errno),
    }
}

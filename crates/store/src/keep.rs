//! Where displaced files go: `blobs` for pre-images of edits, `trash` for what was deleted or replaced.
//!
//! The displaced file itself is moved there, so keeping it costs no copy and it keeps its mode, owner
//! and attributes. Where the state directory lies on another file system the bytes are copied.

use crate::content;
use crate::disk::{Disk, Dress, Flush, Halt, Rename, Stat};
use crate::firm;
use crate::records::{Commit, FileRecord, Keep, Shelf};
use patchwright_core::digest::Digest;
use patchwright_core::refusal::Sort;
use std::io::{Error, ErrorKind};

/// Whether copies are synced.
pub use crate::log::Firm;

/// Moves an entry onto a shelf under a name that is free there.
pub fn put<D: Disk>(disk: &D, from: (&D::Dir, &str), keep: &Keep, firm: Firm) -> Result<(), Halt> {
    let shelf = shelf(disk, keep)?;
    match disk.rename(from, (&shelf, &keep.name), Rename::NoReplace) {
        Err(halt) if halt.os_kind() == Some(ErrorKind::CrossesDevices) => {
            let then = disk.stat(from.0, from.1)?;
            transfer(disk, from, (&shelf, &keep.name), firm)?;
            // A program that still has the file open may have written since: then the copy is old already.
            if !is_same(then, disk.stat(from.0, from.1)?) {
                disk.remove(&shelf, &keep.name)?;
                return Err(Halt::Os(ErrorKind::ResourceBusy.into()));
            }
            disk.remove(from.0, from.1)
        }
        other => other,
    }
}

/// Moves an entry from its shelf back to a name that is free. `spare` is a name beside it, for a copy
/// that is not whole yet: what stands under `to` always is.
pub fn take<D: Disk>(disk: &D, keep: &Keep, to: (&D::Dir, &str), (spare, firm): (&str, Firm)) -> Result<(), Halt> {
    let shelf = shelf(disk, keep)?;
    match disk.rename((&shelf, &keep.name), to, Rename::NoReplace) {
        Err(halt) if halt.os_kind() == Some(ErrorKind::CrossesDevices) => {
            transfer(disk, (&shelf, &keep.name), (to.0, spare), firm)?;
            disk.rename((to.0, spare), to, Rename::NoReplace)?;
            firm::folders(disk, std::slice::from_ref(to.0), firm)?;
            disk.remove(&shelf, &keep.name)
        }
        other => other,
    }
}

/// What is left to do once a batch is committed; harmless to repeat. Blobs get their content's name,
/// equal ones become one, and a restored trash entry goes.
pub fn tidy<D: Disk>(disk: &D, commit: &Commit, firm: Firm) -> Result<(), Halt> {
    if let Some(id) = &commit.consumed {
        let keep = Keep { shelf: Shelf::Trash, name: id.clone() };
        discard(disk, &keep)?;
    }
    for file in &commit.files {
        settle(disk, file, firm)?;
    }
    Ok(())
}

/// Does it stand on its shelf under that name?
pub fn is_there<D: Disk>(disk: &D, keep: &Keep) -> Result<bool, Halt> {
    Ok(disk.stat(&disk.state(keep.shelf.folder())?, &keep.name)?.is_some())
}

/// Removes something from its shelf, if it is there.
pub fn discard<D: Disk>(disk: &D, keep: &Keep) -> Result<(), Halt> {
    match disk.remove(&shelf(disk, keep)?, &keep.name) {
        Err(halt) if halt.is_missing() => Ok(()),
        other => other,
    }
}

/// The folder something is kept in. Names come from the log: a forged one must not lead out of it.
fn shelf<D: Disk>(disk: &D, keep: &Keep) -> Result<D::Dir, Halt> {
    if keep.name.is_empty() || keep.name.contains(['/', '\0']) || matches!(keep.name.as_str(), "." | "..") {
        return Err(Halt::Os(Error::new(ErrorKind::InvalidData, "the log names a kept file that is not ours")));
    }
    disk.state(keep.shelf.folder())
}

/// Gives a kept file a life of its own: no other name leads to it, nobody else may read it, and a blob has
/// its content's name.
fn settle<D: Disk>(disk: &D, file: &FileRecord, firm: Firm) -> Result<(), Halt> {
    let (Some(keep), Some(before)) = (&file.keep, file.before) else { return Ok(()) };
    let shelf = shelf(disk, keep)?;
    let Some(stat) = disk.stat(&shelf, &keep.name)? else { return Ok(()) };
    if stat.sort == Sort::File && stat.links > 1 {
        part(disk, &shelf, &keep.name, firm)?;
    }
    if stat.sort == Sort::File && stat.mode & 0o7777 != PRIVATE {
        disk.dress(&disk.open(&shelf, &keep.name)?, &Dress::Mode(Some(PRIVATE)))?;
    }
    match keep.shelf {
        Shelf::Trash => Ok(()),
        Shelf::Blobs => name_by_content(disk, &shelf, (&keep.name, before)),
    }
}

/// The mode of everything in the state directory; what the file had is on record.
const PRIVATE: u32 = 0o600;

/// Puts a copy in the place of a file that has other names outside: whoever writes through one of those
/// must not reach what is kept.
fn part<D: Disk>(disk: &D, shelf: &D::Dir, name: &str, firm: Firm) -> Result<(), Halt> {
    let copied = format!("{name}.copy");
    match disk.remove(shelf, &copied) {
        Err(halt) if !halt.is_missing() => return Err(halt),
        _ => {}
    }
    transfer(disk, (shelf, name), (shelf, &copied), firm)?;
    disk.rename((shelf, &copied), (shelf, name), Rename::Replace)
}

/// Of two blobs with one content the newer stays: a program is more likely to have that one open still. A
/// blob that such a program has written into gets the name of what it holds now.
fn name_by_content<D: Disk>(disk: &D, shelf: &D::Dir, (name, before): (&str, Digest)) -> Result<(), Halt> {
    let proper = before.to_string();
    match content::digest_at(disk, shelf, &proper)? {
        Some(there) if there != before => {
            let moved = disk.rename((shelf, &proper), (shelf, &there.to_string()), Rename::NoReplace);
            if let Err(halt) = moved
                && !halt.is_taken()
            {
                return Err(halt);
            }
        }
        _ => {}
    }
    disk.rename((shelf, name), (shelf, &proper), Rename::Replace)
}

/// Copies what is kept to a name that is free, with its mode, owner and attributes. The new file, open;
/// nothing for a link.
pub fn copy_out<D: Disk>(disk: &D, keep: &Keep, to: (&D::Dir, &str)) -> Result<Option<D::File>, Halt> {
    let shelf = shelf(disk, keep)?;
    copy(disk, (&shelf, &keep.name), to)
}

/// Copies, and makes the copy and its name durable: the original goes next.
fn transfer<D: Disk>(disk: &D, from: (&D::Dir, &str), to: (&D::Dir, &str), firm: Firm) -> Result<(), Halt> {
    match copy(disk, from, to)? {
        Some(file) if firm == Firm::Yes => disk.sync(Flush::File(&file))?,
        _ => {}
    }
    firm::folders(disk, std::slice::from_ref(to.0), firm)
}

fn is_same(then: Option<Stat>, now: Option<Stat>) -> bool {
    let marks = |stat: Stat| (stat.id, stat.size, stat.mtime_ns);
    then.map(marks) == now.map(marks)
}

fn copy<D: Disk>(disk: &D, from: (&D::Dir, &str), to: (&D::Dir, &str)) -> Result<Option<D::File>, Halt> {
    if disk.stat(from.0, from.1)?.is_some_and(|stat| stat.sort == Sort::Link) {
        disk.make_link(to.0, to.1, &disk.read_link(from.0, from.1)?)?;
        return Ok(None);
    }
    let source = disk.open(from.0, from.1)?;
    let copy = disk.create(to.0, to.1)?;
    content::copy(disk, &source, &copy)?;
    disk.dress(&copy, &Dress::Like(&source))?;
    Ok(Some(copy))
}

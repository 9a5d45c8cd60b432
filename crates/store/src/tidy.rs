//! Tidying up after a commit: what was displaced gets a life of its own and its content's name.
//!
//! All of it is harmless to repeat; recovery does it again for the last commit. Leaves the moving of files onto
//! their shelves to [`crate::keep`].

use crate::content::{self, Held};
use crate::crew;
use crate::disk::{At, Disk, Dress, Halt, Rename, Stat};
use crate::firm;
use crate::keep::{COPY, Firm, Shelves, discard, set_aside, transfer};
use crate::records::{Commit, FileRecord, Keep, Shelf};
use patchwright_core::digest::Digest;
use patchwright_core::refusal::Sort;
use std::io::ErrorKind;

/// What is known of a kept file at the end of the call that displaced it.
pub struct Known<'a, F> {
    /// What it is like.
    pub stat: Stat,
    /// The file itself, if it is held open.
    pub held: Option<&'a Held<F>>,
}

/// What is left to do once a batch is committed; harmless to repeat. Blobs get their content's name,
/// equal ones become one, and a restored trash entry goes.
pub fn after_commit<D: Disk>(shelves: &Shelves<'_, D>, commit: &Commit, firm: Firm) -> Result<(), Halt> {
    after_commit_known(shelves, commit, firm, &|_| None)
}

/// The same, where something is known of what is kept for the n-th file.
pub fn after_commit_known<'a, D: Disk>(
    shelves: &Shelves<'_, D>,
    commit: &Commit,
    firm: Firm,
    known: &(dyn Fn(usize) -> Option<Known<'a, D::File>> + Sync),
) -> Result<(), Halt>
where
    D::File: 'a,
{
    for id in commit.consumed.iter().chain(&commit.also_consumed) {
        let keep = Keep { shelf: Shelf::Trash, name: id.clone() };
        discard(shelves, &keep)?;
    }
    crew::each(&commit.files, |at, file| settle(shelves, file, known(at), firm))?;
    // One after the other: equal blobs meet under one name.
    commit.files.iter().try_for_each(|file| name_by_content(shelves, file))
}

/// Is there anything left to tidy for this file?
pub fn is_untidy<D: Disk>(shelves: &Shelves<'_, D>, file: &FileRecord) -> Result<bool, Halt> {
    let Some(keep) = &file.keep else { return Ok(false) };
    let stat = shelves.disk.stat(&shelves.of(keep)?, &keep.name)?;
    Ok(stat.is_some_and(|stat| !is_named_by_content(file) || stat.links > 1 || is_open_to_others(&stat)))
}

/// Gives a kept file a life of its own: no other name leads to it, and nobody else may read it.
fn settle<D: Disk>(
    shelves: &Shelves<'_, D>,
    file: &FileRecord,
    known: Option<Known<'_, D::File>>,
    firm: Firm,
) -> Result<(), Halt> {
    let (Some(keep), Some(_)) = (&file.keep, file.before) else { return Ok(()) };
    let (disk, shelf) = (shelves.disk, shelves.of(keep)?);
    let (stat, held) = match known {
        Some(Known { stat, held }) => (stat, held),
        None => match disk.stat(&shelf, &keep.name)? {
            Some(stat) => (stat, None),
            None => return Ok(()),
        },
    };
    if stat.sort != Sort::File {
        return Ok(());
    }
    if stat.links > 1 {
        part(disk, &shelf, &keep.name, firm)?;
    }
    if !is_open_to_others(&stat) {
        return Ok(());
    }
    let held = held.filter(|held| stat.links == 1 && held.id == stat.id);
    let closed = match held {
        Some(held) => disk.dress(&held.file, &Dress::Mode(Some(PRIVATE))).map(drop),
        None => close(disk, &shelf, &keep.name),
    };
    match closed {
        // Somebody else's file, whose mode is not ours to set: a copy of our own takes its place.
        Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => {
            part(disk, &shelf, &keep.name, firm)?;
            close(disk, &shelf, &keep.name)
        }
        other => other,
    }
}

/// Sees to it that no name elsewhere leads to what is kept: whoever writes through that would change it. A call that was
/// taken back may leave such a name where the file system moves by a second name, or forgets half of a move.
pub(crate) fn set_apart<D: Disk>(shelves: &Shelves<'_, D>, keep: &Keep, firm: Firm) -> Result<(), Halt> {
    let (disk, shelf) = (shelves.disk, shelves.of(keep)?);
    match disk.stat(&shelf, &keep.name)? {
        Some(stat) if stat.sort == Sort::File && stat.links > 1 => {}
        _ => return Ok(()),
    }
    let apart = part(disk, &shelf, &keep.name, firm).and_then(|()| close(disk, &shelf, &keep.name));
    // Nobody comes this way again once the call is off the record.
    match apart.and_then(|()| firm::folders(disk, std::slice::from_ref(&shelf), firm)) {
        // Somebody else's file, which we may not read: it is no worse than before, and nobody is kept from working.
        Err(halt) if halt.os_kind() == Some(ErrorKind::PermissionDenied) => Ok(()),
        other => other,
    }
}

/// Closes a file to everybody else.
pub(crate) fn close<D: Disk>(disk: &D, shelf: &D::Dir, name: &str) -> Result<(), Halt> {
    disk.dress(&disk.open(shelf, name)?, &Dress::Mode(Some(PRIVATE))).map(drop)
}

/// The mode of everything in the state directory; what the file had is on record.
const PRIVATE: u32 = 0o600;

fn is_open_to_others(stat: &Stat) -> bool {
    stat.sort == Sort::File && stat.mode & 0o7777 != PRIVATE
}

/// Does a kept file have its content's name already, or none to get?
fn is_named_by_content(file: &FileRecord) -> bool {
    match (&file.keep, file.before) {
        (Some(keep), Some(before)) => keep.shelf == Shelf::Trash || is_content_name(&keep.name, before),
        _ => true,
    }
}

/// Is this the name of a blob with that content?
pub(crate) fn is_content_name(name: &str, content: Digest) -> bool {
    name.len() == 64 && Digest::parse(name) == Some(content)
}

/// Puts a copy in the place of a file that has other names outside: whoever writes through one of those
/// must not reach what is kept.
fn part<D: Disk>(disk: &D, shelf: &D::Dir, name: &str, firm: Firm) -> Result<(), Halt> {
    let copied = format!("{name}{COPY}");
    match disk.remove(shelf, &copied) {
        Err(halt) if !halt.is_missing() => return Err(halt),
        _ => {}
    }
    transfer(disk, At::new(shelf, name), At::new(shelf, &copied), firm)?;
    disk.rename(At::new(shelf, &copied), At::new(shelf, name), Rename::Replace)
}

/// Of two blobs with one content the newer stays: a program is more likely to have that one open still. A
/// blob that such a program has written into gets the name of what it holds now.
fn name_by_content<D: Disk>(shelves: &Shelves<'_, D>, file: &FileRecord) -> Result<(), Halt> {
    let (Some(keep), Some(before), false) = (&file.keep, file.before, is_named_by_content(file)) else {
        return Ok(());
    };
    let (disk, shelf) = (shelves.disk, shelves.of(keep)?);
    if disk.stat(&shelf, &keep.name)?.is_none() {
        return Ok(());
    }
    let proper = before.to_string();
    if let Some(there) = content::digest_at(disk, &shelf, &proper)?.filter(|there| *there != before) {
        set_aside(disk, At::new(&shelf, &proper), there)?;
    }
    disk.rename(At::new(&shelf, &keep.name), At::new(&shelf, &proper), Rename::Replace)
}

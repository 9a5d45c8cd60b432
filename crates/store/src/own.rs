//! The folder of a record at home, outside the work tree: its key, the root it belongs to, and its mark.
//!
//! It is made, durable, before the record itself stands in the work tree. So a key without a record is what a crash may
//! leave, and is harmless; a record without its key is somebody else's.

use crate::content;
use crate::disk::{At, Disk, Flush, Halt, Writes};
use crate::mark::{self, Found, Mark, Marked};
use crate::records::START;
use crate::seal::{Id, KEY, Key, Seal};
use std::io::{Error, ErrorKind};

/// The key's name.
pub const KEY_FILE: &str = "key";
/// The name of the note that says which root the record belongs to.
pub const ROOT_FILE: &str = "root";

/// What a new record is made with.
pub struct New<'a> {
    /// Its id.
    pub id: &'a Id,
    /// Its key.
    pub key: &'a Key,
    /// The note of the root it belongs to.
    pub root: &'a [u8],
}

/// Makes the folder of a record in `all`, the folder of all of them, with key, note and mark; durable.
pub fn make<D: Disk>(disk: &D, all: &D::Dir, new: &New<'_>) -> Result<D::Dir, Halt> {
    disk.make_folder(all, new.id.as_str())?;
    let home = disk.enter(all, new.id.as_str())?;
    let marked = Marked { seen: START, firm: START, boot: disk.boot() };
    write(disk, At::new(&home, KEY_FILE), &new.key.0)?;
    write(disk, At::new(&home, ROOT_FILE), new.root)?;
    write(disk, At::new(&home, mark::FILE), &mark::encode(0, &marked))?;
    disk.sync(Flush::Dir(&home))?;
    disk.sync(Flush::Dir(all))?;
    Ok(home)
}

fn write<D: Disk>(disk: &D, at: At<'_, D::Dir>, bytes: &[u8]) -> Result<(), Halt> {
    let file = disk.create(at.dir, at.name)?;
    disk.write_at(&file, 0, bytes)?;
    disk.sync(Flush::File(&file))
}

/// The seal and the mark of our record.
pub(crate) fn open<D: Disk>(disk: &D) -> Result<(Seal, Mark<D>), Halt> {
    let missing = || Halt::Os(Error::new(ErrorKind::NotFound, "no record has been made here"));
    let own = disk.own()?.ok_or_else(missing)?;
    let key = read_key(disk, &own.home)?;
    Ok((Seal::new(own.id, &key), Mark::open(disk, &own.home, own.writes)?))
}

/// Does home know of entries in the log of our record?
pub fn has_entries<D: Disk>(disk: &D) -> Result<bool, Halt> {
    let Some(own) = disk.own()? else { return Ok(false) };
    let mark: Mark<D> = Mark::open(disk, &own.home, Writes::No)?;
    Ok(match mark.found() {
        Found::Mark(marked) => marked.seen.sequence > 0,
        Found::Unreadable => true,
        Found::None => false,
    })
}

/// The key in a record's folder at home.
pub fn read_key<D: Disk>(disk: &D, home: &D::Dir) -> Result<Key, Halt> {
    read_key_named(disk, home, KEY_FILE)
}

/// The same where the key has another name.
pub(crate) fn read_key_named<D: Disk>(disk: &D, home: &D::Dir, name: &str) -> Result<Key, Halt> {
    let file = disk.open(home, name)?;
    let unfit = || Halt::Os(Error::new(ErrorKind::InvalidData, "the key is not 32 bytes long"));
    match content::read(disk, &file, KEY as u64) {
        Err(Halt::TooLarge { .. }) => Err(unfit()),
        read => <[u8; KEY]>::try_from(read?).map(Key).map_err(|_| unfit()),
    }
}

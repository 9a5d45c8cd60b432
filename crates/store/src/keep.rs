//! Where displaced files go: `blobs` for pre-images of edits, `trash` for what was deleted or replaced.
//!
//! The displaced file itself is moved there, so keeping it costs no copy and it keeps its mode, owner
//! and attributes. Where the state directory lies on another file system the bytes are copied.

use crate::content;
use crate::disk::{At, Disk, Dress, Flush, Halt, NotKept, Rename, Stat};
use crate::firm;
use crate::records::{Keep, Shelf};
use patchwright_core::digest::Digest;
use patchwright_core::refusal::Sort;
use std::io::{Error, ErrorKind};
use std::sync::OnceLock;

/// Whether copies are synced.
pub use crate::log::Firm;

/// The folders that things are kept in; each is opened when it is first needed, and then held.
pub struct Shelves<'a, D: Disk> {
    pub(crate) disk: &'a D,
    blobs: OnceLock<D::Dir>,
    trash: OnceLock<D::Dir>,
}

impl<'a, D: Disk> Shelves<'a, D> {
    /// Opens nothing yet.
    pub fn new(disk: &'a D) -> Shelves<'a, D> {
        Shelves { disk, blobs: OnceLock::new(), trash: OnceLock::new() }
    }

    /// A shelf, held.
    pub fn open(&self, shelf: Shelf) -> Result<D::Dir, Halt> {
        let slot = match shelf {
            Shelf::Blobs => &self.blobs,
            Shelf::Trash => &self.trash,
        };
        match slot.get() {
            Some(dir) => Ok(dir.clone()),
            None => self.disk.state(shelf.folder()).map(|dir| slot.get_or_init(|| dir).clone()),
        }
    }

    /// The folder something is kept in. Names come from the log: a forged one must not lead out of it.
    pub(crate) fn of(&self, keep: &Keep) -> Result<D::Dir, Halt> {
        if keep.name.is_empty() || keep.name.contains(['/', '\0']) || matches!(keep.name.as_str(), "." | "..") {
            return Err(Halt::Os(Error::new(ErrorKind::InvalidData, "the log names a kept file that is not ours")));
        }
        self.open(keep.shelf)
    }
}

/// Moves an entry onto a shelf under a name that is free there.
pub fn put<D: Disk>(shelves: &Shelves<'_, D>, from: At<'_, D::Dir>, keep: &Keep, firm: Firm) -> Result<(), Halt> {
    let (disk, shelf) = (shelves.disk, shelves.of(keep)?);
    match shift(disk, from, At::new(&shelf, &keep.name)) {
        Err(halt) if halt.os_kind() == Some(ErrorKind::CrossesDevices) => {
            let then = disk.stat(from.dir, from.name)?;
            transfer(disk, from, At::new(&shelf, &keep.name), firm).inspect_err(|halt| {
                // Half a copy under a content's name would pass for a whole one.
                if !halt.is_taken() {
                    let _ = disk.remove(&shelf, &keep.name);
                }
            })?;
            // A program that still has the file open may have written since: then the copy is old already.
            if !is_same(then, disk.stat(from.dir, from.name)?) {
                disk.remove(&shelf, &keep.name)?;
                return Err(Halt::Os(ErrorKind::ResourceBusy.into()));
            }
            disk.remove(from.dir, from.name)
        }
        other => other,
    }
}

/// Moves an entry from its shelf back to a name that is free. `spare` is a name beside it, for a copy
/// that is not whole yet: what stands under `to` always is.
pub fn take<D: Disk>(
    shelves: &Shelves<'_, D>,
    keep: &Keep,
    to: At<'_, D::Dir>,
    spare: &str,
    firm: Firm,
) -> Result<(), Halt> {
    let (disk, shelf) = (shelves.disk, shelves.of(keep)?);
    match shift(disk, At::new(&shelf, &keep.name), to) {
        Err(halt) if halt.os_kind() == Some(ErrorKind::CrossesDevices) => {
            transfer(disk, At::new(&shelf, &keep.name), At::new(to.dir, spare), firm)?;
            disk.rename(At::new(to.dir, spare), to, Rename::NoReplace)?;
            firm::folders(disk, std::slice::from_ref(to.dir), firm)?;
            disk.remove(&shelf, &keep.name)
        }
        other => other,
    }
}

/// Moves an entry to a name that is free. Where the file system moves by a second name, whoever did so before may have died
/// between the two: then the move is brought to its end.
pub(crate) fn shift<D: Disk>(disk: &D, from: At<'_, D::Dir>, to: At<'_, D::Dir>) -> Result<(), Halt> {
    match disk.rename(from, to, Rename::NoReplace) {
        Err(halt) if halt.is_taken() && is_one_file(disk, from, to)? => disk.remove(from.dir, from.name),
        other => other,
    }
}

/// Do two names lead to one file?
pub(crate) fn is_one_file<D: Disk>(disk: &D, one: At<'_, D::Dir>, two: At<'_, D::Dir>) -> Result<bool, Halt> {
    let (one, two) = (disk.stat(one.dir, one.name)?, disk.stat(two.dir, two.name)?);
    Ok(one.is_some_and(|one| one.sort != Sort::Folder && two.is_some_and(|two| two.id == one.id)))
}

/// Does it stand on its shelf under that name?
pub fn is_there<D: Disk>(shelves: &Shelves<'_, D>, keep: &Keep) -> Result<bool, Halt> {
    Ok(shelves.disk.stat(&shelves.open(keep.shelf)?, &keep.name)?.is_some())
}

/// The name among the blobs under which bytes are written first. There is one, since there is one writer: so the
/// next one knows what to sweep away if this one dies over it.
const INCOMING: &str = "incoming";

/// Is this the name of something among the blobs that is still being written?
pub fn is_unfinished(name: &str) -> bool {
    name == INCOMING || name.ends_with(COPY)
}

/// What the name of a copy ends with until it is whole.
pub(crate) const COPY: &str = ".copy";

/// Removes what a writer who died in [`deposit`] left.
pub fn sweep<D: Disk>(shelves: &Shelves<'_, D>) -> Result<(), Halt> {
    discard(shelves, &Keep { shelf: Shelf::Blobs, name: INCOMING.to_owned() })
}

/// Gives a blob the name of what it holds: a program that still had it open wrote into it.
pub(crate) fn set_aside<D: Disk>(disk: &D, blob: At<'_, D::Dir>, holds: Digest) -> Result<(), Halt> {
    match disk.rename(blob, At::new(blob.dir, &holds.to_string()), Rename::NoReplace) {
        Err(halt) if halt.is_taken() => disk.remove(blob.dir, blob.name),
        other => other,
    }
}

/// Puts bytes among the blobs under their content's name, durable, unless they are there already.
pub fn deposit<D: Disk>(shelves: &Shelves<'_, D>, digest: Digest, bytes: &[u8], firm: Firm) -> Result<(), Halt> {
    let (disk, shelf, name) = (shelves.disk, shelves.open(Shelf::Blobs)?, digest.to_string());
    match content::digest_at(disk, &shelf, &name)? {
        Some(there) if there == digest => return Ok(()),
        Some(there) => set_aside(disk, At::new(&shelf, &name), there)?,
        None => {}
    }
    let written = lay_down(disk, At::new(&shelf, INCOMING), bytes, firm)
        .and_then(|()| disk.rename(At::new(&shelf, INCOMING), At::new(&shelf, &name), Rename::NoReplace));
    if let Err(halt) = written {
        // What is left under its first name helps nobody.
        let _ = sweep(shelves);
        return Err(halt);
    }
    firm::folders(disk, std::slice::from_ref(&shelf), firm)
}

fn lay_down<D: Disk>(disk: &D, at: At<'_, D::Dir>, bytes: &[u8], firm: Firm) -> Result<(), Halt> {
    let file = disk.create(at.dir, at.name)?;
    disk.write_at(&file, 0, bytes)?;
    disk.dress(&file, &Dress::Mode(Some(0o600)))?;
    if firm == Firm::Yes { disk.sync(Flush::File(&file)) } else { Ok(()) }
}

/// Removes something from its shelf, if it is there.
pub fn discard<D: Disk>(shelves: &Shelves<'_, D>, keep: &Keep) -> Result<(), Halt> {
    match shelves.disk.remove(&shelves.of(keep)?, &keep.name) {
        Err(halt) if halt.is_missing() => Ok(()),
        other => other,
    }
}

/// A copy of something.
pub struct Copied<F> {
    /// The new file, open; nothing for a link.
    pub file: Option<F>,
    /// What could not be carried over.
    pub lost: Vec<NotKept>,
}

/// Copies what is kept to a name that is free, with its mode, owner and attributes.
pub fn copy_out<D: Disk>(shelves: &Shelves<'_, D>, keep: &Keep, to: At<'_, D::Dir>) -> Result<Copied<D::File>, Halt> {
    copy(shelves.disk, At::new(&shelves.of(keep)?, &keep.name), to)
}

/// Writes bytes to a name that is free, with the mode, owner and attributes of what is kept.
pub fn make_like<D: Disk>(
    shelves: &Shelves<'_, D>,
    keep: &Keep,
    to: At<'_, D::Dir>,
    bytes: &[u8],
) -> Result<Copied<D::File>, Halt> {
    let disk = shelves.disk;
    let model = disk.open(&shelves.of(keep)?, &keep.name)?;
    let made = disk.create_like(to.dir, to.name, &model)?;
    disk.write_at(&made.file, 0, bytes)?;
    Ok(Copied { file: Some(made.file), lost: made.lost })
}

/// Copies, and makes the copy and its name durable: the original goes next.
pub(crate) fn transfer<D: Disk>(disk: &D, from: At<'_, D::Dir>, to: At<'_, D::Dir>, firm: Firm) -> Result<(), Halt> {
    match copy(disk, from, to)?.file {
        Some(file) if firm == Firm::Yes => disk.sync(Flush::File(&file))?,
        _ => {}
    }
    firm::folders(disk, std::slice::from_ref(to.dir), firm)
}

fn is_same(then: Option<Stat>, now: Option<Stat>) -> bool {
    let marks = |stat: Stat| (stat.id, stat.size, stat.mtime_ns);
    then.map(marks) == now.map(marks)
}

fn copy<D: Disk>(disk: &D, from: At<'_, D::Dir>, to: At<'_, D::Dir>) -> Result<Copied<D::File>, Halt> {
    if disk.stat(from.dir, from.name)?.is_some_and(|stat| stat.sort == Sort::Link) {
        disk.make_link(to.dir, to.name, &disk.read_link(from.dir, from.name)?)?;
        return Ok(Copied { file: None, lost: Vec::new() });
    }
    let source = disk.open(from.dir, from.name)?;
    let copy = disk.create(to.dir, to.name)?;
    content::copy(disk, &source, &copy)?;
    let lost = disk.dress(&copy, &Dress::Like(&source))?;
    Ok(Copied { file: Some(copy), lost })
}

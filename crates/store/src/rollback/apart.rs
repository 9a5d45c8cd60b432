//! What is kept is no file of the workspace as well, whatever a crash left of the moves.

use super::names::Names;
use crate::content;
use crate::disk::{At, Disk, Halt, Rename};
use crate::keep::{Firm, Shelves};
use crate::records::{Keep, LeftAlone, Shelf, Work};
use crate::tidy;

/// Sees to it for all that taking a step back may have put on a shelf, or left there.
pub(super) fn set<D: Disk>(
    shelves: &Shelves<'_, D>,
    firm: Firm,
    work: &Work,
    left: Option<&LeftAlone>,
) -> Result<(), Halt> {
    let saved = left.and_then(|left| left.saved.as_ref());
    let new = work.after.map(|digest| Keep { shelf: Shelf::Blobs, name: digest.to_string() });
    let mut kept = work.keep.iter().chain(saved).chain(&new);
    kept.try_for_each(|keep| tidy::set_apart(shelves, keep, firm))
}

/// The folder of a step is gone, and it is not one that the call had made: somebody has moved or removed it since. What
/// the step displaced, if it is on its shelf, is kept under its content's name.
pub(super) fn lost_place<D: Disk>(
    shelves: &Shelves<'_, D>,
    firm: Firm,
    names: &Names<'_>,
    work: &Work,
) -> Result<Option<LeftAlone>, Halt> {
    if names.is_made(&work.temp_folder) {
        return Ok(None);
    }
    let mut left = LeftAlone { path: work.path.clone(), saved: None };
    let Some(keep) = &work.keep else { return Ok(Some(left)) };
    let (disk, shelf) = (shelves.disk, shelves.open(keep.shelf)?);
    let Some(digest) = content::digest_at(disk, &shelf, &keep.name)? else { return Ok(Some(left)) };
    let saved = Keep { shelf: Shelf::Blobs, name: digest.to_string() };
    match disk.rename(At::new(&shelf, &keep.name), At::new(&shelves.open(saved.shelf)?, &saved.name), Rename::NoReplace)
    {
        Err(halt) if !halt.is_taken() => return Err(halt),
        _ => {
            tidy::set_apart(shelves, &saved, firm)?;
            left.saved = Some(saved);
        }
    }
    Ok(Some(left))
}

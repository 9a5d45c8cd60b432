//! Making many things durable with few calls. For a handful, one sync each is quickest; beyond that one
//! call for the whole file system is.

use crate::disk::{Disk, Flush, Halt};
use crate::log::Firm;

/// Up to so many, each is synced by itself.
pub const FEW: usize = 3;

/// Makes the names in these directories durable.
pub fn folders<D: Disk>(disk: &D, dirs: &[D::Dir], firm: Firm) -> Result<(), Halt> {
    if firm == Firm::No {
        return Ok(());
    }
    let mut distinct: Vec<&D::Dir> = Vec::new();
    for dir in dirs {
        if !distinct.contains(&dir) {
            distinct.push(dir);
        }
        if distinct.len() > FEW {
            return everything(disk, dirs);
        }
    }
    distinct.into_iter().try_for_each(|dir| disk.sync(Flush::Dir(dir)))
}

/// Makes everything on the file systems of these directories durable.
pub fn everything<D: Disk>(disk: &D, dirs: &[D::Dir]) -> Result<(), Halt> {
    let mut devices = Vec::new();
    for dir in dirs {
        let device = disk.device(dir)?;
        if !devices.contains(&device) {
            devices.push(device);
            disk.sync(Flush::Everything(dir))?;
        }
    }
    Ok(())
}

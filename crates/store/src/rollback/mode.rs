//! Permission bits that were set, set back. They are put back only where they still are what the call made them: any
//! others are somebody else's.

use super::{Done, Scene};
use crate::disk::{Disk, Dress, Flush, Halt};
use crate::log::Firm;
use crate::records::LeftAlone;
use patchwright_core::refusal::Sort;

impl<D: Disk> Scene<'_, D> {
    pub(super) fn undo_mode(&self) -> Result<Option<LeftAlone>, Halt> {
        let (Some((from, to)), Some(dir)) = (self.work.modes, &self.dir) else { return Ok(None) };
        let stat = self.disk.stat(dir, self.work.path.name())?;
        let ours = stat.is_some_and(|stat| stat.sort == Sort::File && stat.mode & 0o7777 == to);
        if !ours || self.done == Done::No {
            return Ok(None);
        }
        let file = match self.disk.open(dir, self.work.path.name()) {
            Err(halt) if halt.is_missing() => return Ok(None),
            opened => opened?,
        };
        self.disk.dress(&file, &Dress::Bits(from))?;
        if self.firm == Firm::Yes {
            self.disk.sync(Flush::File(&file))?;
        }
        Ok(None)
    }
}

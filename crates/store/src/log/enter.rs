//! Entering the log: at the record that the mark names, and forward from there by lengths. Tag, number and previous
//! hash of every record on the way must be right; whatever follows the last such record is no record, whatever it
//! looks like.

use super::frame::{self, Flaw, Header};
use super::{HEADER, Log, START};
use crate::disk::{Disk, Halt};
use crate::mark::Found;
use crate::records::Point;
use crate::seal::TAG;
use patchwright_core::seeded::{Bug, is_planted};

/// Does the log hold what the mark says it held?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Yes: what its last record leaves to do is done.
    Current,
    /// Its last records were never synced, and the machine was started anew since. Nothing is done on the strength of
    /// what is left.
    TailLost {
        /// The last record that was known.
        known: Point,
    },
    /// An older log stands in its place, or none, or the mark cannot be read. Nothing is done on the strength of it, and
    /// the next change says so on record.
    PutBack {
        /// The last record that was known; nothing without a mark.
        known: Option<Point>,
    },
}

impl<D: Disk> Log<D> {
    /// Finds the end of the log, and says how it stands.
    pub(super) fn enter(&mut self, disk: &D) -> Result<(), Halt> {
        self.check_header(disk)?;
        if is_planted(Bug::EnteredFromEnd) && self.jump_to_tail(disk)? {
            return Ok(());
        }
        self.standing = match self.mark.found() {
            Found::Mark(marked) if self.enter_at(disk, marked.seen)? => Standing::Current,
            Found::Mark(marked) if marked.boot != disk.boot() && self.enter_at(disk, marked.firm)? => {
                Standing::TailLost { known: marked.seen }
            }
            Found::Mark(marked) => Standing::PutBack { known: Some(marked.seen) },
            Found::Unreadable => Standing::PutBack { known: None },
            Found::None => Standing::Current,
        };
        if let Found::Mark(marked) = self.mark.found()
            && self.standing == Standing::Current
        {
            self.synced = marked.firm;
        }
        self.follow(disk)
    }

    /// A log of a later version is left alone; anything that is no log holds no record.
    fn check_header(&self, disk: &D) -> Result<(), Halt> {
        let mut bytes = frame::header();
        let got = disk.read_at(&self.file, 0, &mut bytes)?;
        match frame::read_header(bytes.get(..got).unwrap_or_default()) {
            Header::Version(version) => Err(Halt::Version(version)),
            Header::Ours | Header::None => Ok(()),
        }
    }

    /// Does the file begin as our logs do, byte for byte?
    pub(super) fn has_header(&self, disk: &D) -> Result<bool, Halt> {
        let (ours, mut bytes) = (frame::header(), frame::header());
        bytes.fill(0);
        let got = disk.read_at(&self.file, 0, &mut bytes)?;
        Ok(got == ours.len() && bytes == ours)
    }

    /// Goes to a record, if it is there.
    fn enter_at(&mut self, disk: &D, point: Point) -> Result<bool, Halt> {
        if point.sequence == 0 {
            return Ok(point == START);
        }
        let Ok((frame, length)) = self.frame_at(disk, point.offset)? else { return Ok(false) };
        if frame.hash != point.head || frame.sequence != point.sequence {
            return Ok(false);
        }
        self.last = Some(point.offset);
        self.end = point.offset + length;
        (self.sequence, self.batches, self.head) = (frame.sequence, frame.batches, frame.hash);
        Ok(true)
    }

    /// Walks on from the known end over records in order.
    pub(super) fn follow(&mut self, disk: &D) -> Result<(), Halt> {
        while let Ok((frame, length)) = self.frame_at(disk, self.end)? {
            if frame.sequence != self.sequence + 1 || frame.previous != self.head {
                break;
            }
            self.last = Some(self.end);
            self.end += length;
            (self.sequence, self.batches, self.head) = (frame.sequence, frame.batches, frame.hash);
        }
        self.torn = self.used_after(disk, self.end)? > 0;
        Ok(())
    }

    /// Is the last record still where it was? Its tag tells.
    pub(super) fn holds_last(&self, disk: &D) -> Result<bool, Halt> {
        let Some(last) = self.last else { return Ok(true) };
        let mut tag = [0; TAG];
        let got = disk.read_at(&self.file, self.end.saturating_sub(TAG as u64), &mut tag)?;
        Ok(got == TAG && self.seal.fits(last, &self.head, &tag))
    }

    /// Planted: goes to the last bytes that look like a record, without asking whose they are.
    fn jump_to_tail(&mut self, disk: &D) -> Result<bool, Halt> {
        let used = HEADER + self.used_after(disk, HEADER)?;
        for at in (HEADER..used).rev() {
            if let Ok((frame, length)) = self.any_frame_at(disk, at)?
                && at + length == used
            {
                self.last = Some(at);
                self.end = used;
                (self.sequence, self.batches, self.head) = (frame.sequence, frame.batches, frame.hash);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The record at an offset and its length, or why there is none. A record that is not ours is none.
    pub(super) fn frame_at(&self, disk: &D, at: u64) -> Result<Result<(frame::Frame, u64), Flaw>, Halt> {
        let found = self.any_frame_at(disk, at)?;
        Ok(found.and_then(|(frame, length)| {
            let entered = is_planted(Bug::EnteredFromEnd);
            if entered || frame.is_ours(&self.seal, at) { Ok((frame, length)) } else { Err(Flaw::Tag) }
        }))
    }

    fn any_frame_at(&self, disk: &D, at: u64) -> Result<Result<(frame::Frame, u64), Flaw>, Halt> {
        let mut head = [0; 4];
        if at >= self.laid || disk.read_at(&self.file, at, &mut head)? < head.len() {
            return Ok(Err(Flaw::End));
        }
        let whole = match frame::length(&head) {
            Ok(whole) if at.saturating_add(whole as u64) <= self.laid => whole,
            Ok(_) => return Ok(Err(Flaw::Length)),
            Err(flaw) => return Ok(Err(flaw)),
        };
        let mut bytes = vec![0; whole];
        let got = disk.read_at(&self.file, at, &mut bytes)?;
        bytes.truncate(got);
        Ok(frame::Frame::decode(&bytes).map(|(frame, length)| (frame, length as u64)))
    }
}

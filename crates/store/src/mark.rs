//! The mark: how far the log had come when it was last used, noted outside the work tree.
//!
//! Two slots with checksums are overwritten in turn, so that a write that was cut short leaves the other one. The mark is
//! written once a call, after the log's own sync and before the answer, and never synced by itself: an older mark only
//! means that a few more records are walked.

use crate::disk::{Boot, Disk, Halt, Writes};
use crate::records::Point;
use patchwright_core::digest::Digest;
use std::io::ErrorKind;

/// The mark's name beside the key.
pub const FILE: &str = "mark";
/// One slot, padded so that the two never share a sector.
const SLOT: u64 = 512;
/// What a slot holds: round, two points, boot id, checksum.
const USED: usize = 8 + 2 * POINT + 16 + 4;
const POINT: usize = 8 + 8 + 32;

/// How far the log had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The last record.
    pub seen: Point,
    /// The last record that was synced.
    pub firm: Point,
    /// When the machine was started that wrote this.
    pub boot: Boot,
}

/// The mark, open.
pub struct Mark<D: Disk> {
    file: Option<D::File>,
    /// Counts the writes; the slot follows from it.
    round: u64,
    found: Found,
    writes: Writes,
}

/// What was found when the mark was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This.
    Mark(Marked),
    /// Nothing that can be read, although there is to be a mark.
    Unreadable,
    /// No mark, and none can be made here: the key can only be read.
    None,
}

impl<D: Disk> Mark<D> {
    /// Opens the mark in a record's folder at home.
    pub fn open(disk: &D, home: &D::Dir, writes: Writes) -> Result<Mark<D>, Halt> {
        let renewed = (writes == Writes::Yes).then(|| disk.open_state(home, FILE));
        let (opened, writes) = match renewed {
            Some(Ok(file)) => (Ok(file), Writes::Yes),
            Some(Err(halt)) if may_pass(&halt) => return Err(halt),
            Some(Err(_)) => (disk.open(home, FILE), Writes::Failed),
            None => (disk.open(home, FILE), writes),
        };
        let file = match opened {
            Err(halt) if may_pass(&halt) => return Err(halt),
            opened => opened.ok(),
        };
        let mut mark = Mark { file, round: 0, found: Found::Unreadable, writes };
        let slots = [mark.slot(disk, 0)?, mark.slot(disk, 1)?];
        mark.found = match slots.into_iter().flatten().max_by_key(|(round, _)| *round) {
            Some((round, marked)) => {
                mark.round = round;
                Found::Mark(marked)
            }
            // What can be neither read nor written says nothing, and keeps nobody from working.
            None if writes == Writes::Failed => Found::None,
            None if writes != Writes::No || mark.file.is_some() => Found::Unreadable,
            None => Found::None,
        };
        Ok(mark)
    }

    /// What was found when it was opened, or written since.
    pub fn found(&self) -> Found {
        self.found
    }

    /// Can it be renewed?
    pub fn writes(&self) -> Writes {
        self.writes
    }

    /// Notes how far the log has come. That it cannot be noted keeps nobody from working.
    pub fn renew(&mut self, disk: &D, marked: Marked) {
        if self.found == Found::Mark(marked) || matches!(self.writes, Writes::No | Writes::Left) {
            return;
        }
        let round = self.round + 1;
        let written = match &self.file {
            Some(file) => disk.write_at(file, round % 2 * SLOT, &encode(round, &marked)).is_ok(),
            None => false,
        };
        if written {
            (self.round, self.found, self.writes) = (round, Found::Mark(marked), Writes::Yes);
        } else {
            self.writes = Writes::Failed;
        }
    }

    fn slot(&self, disk: &D, at: u64) -> Result<Option<(u64, Marked)>, Halt> {
        let Some(file) = &self.file else { return Ok(None) };
        let mut bytes = [0; USED];
        let got = disk.read_at(file, at * SLOT, &mut bytes)?;
        Ok(if got == USED { decode(&bytes) } else { None })
    }
}

/// Is it a failure that may be over with the next try? Nothing is put on record on the strength of such a one. What is
/// missing, closed to us or no file stays so.
fn may_pass(halt: &Halt) -> bool {
    use ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    /// The standard library names no kind for links that lead in a circle.
    const LOOP: i32 = 40;
    match halt {
        Halt::Os(error) => {
            let lasts = matches!(error.kind(), IsADirectory | NotADirectory | NotFound | PermissionDenied);
            !lasts && error.raw_os_error() != Some(LOOP)
        }
        Halt::PowerCut => true,
        _ => false,
    }
}

/// A slot's bytes: the first one of a new mark.
pub fn encode(round: u64, marked: &Marked) -> Vec<u8> {
    let mut bytes = round.to_le_bytes().to_vec();
    for point in [&marked.seen, &marked.firm] {
        bytes.extend_from_slice(&point.sequence.to_le_bytes());
        bytes.extend_from_slice(&point.offset.to_le_bytes());
        bytes.extend_from_slice(&point.head.0);
    }
    bytes.extend_from_slice(&marked.boot);
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8; USED]) -> Option<(u64, Marked)> {
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return None;
    }
    let (round, rest) = number(body)?;
    let (seen, rest) = point(rest)?;
    let (firm, rest) = point(rest)?;
    Some((round, Marked { seen, firm, boot: rest.try_into().ok()? }))
}

fn point(bytes: &[u8]) -> Option<(Point, &[u8])> {
    let (sequence, rest) = number(bytes)?;
    let (offset, rest) = number(rest)?;
    let (head, rest) = rest.split_first_chunk::<32>()?;
    Some((Point { sequence, offset, head: Digest(*head) }, rest))
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_comes_back_and_every_flipped_bit_shows() {
        let point = |sequence| Point { sequence, offset: 32 + sequence, head: Digest::of(&[1]) };
        let marked = Marked { seen: point(9), firm: point(8), boot: [3; 16] };
        let bytes: [u8; USED] = encode(5, &marked).try_into().unwrap();
        assert_eq!(decode(&bytes), Some((5, marked)));
        for at in 0..USED {
            let mut bad = bytes;
            bad[at] ^= 1;
            assert_eq!(decode(&bad), None, "byte {at}");
        }
        assert_eq!(decode(&[0; USED]), None, "nothing was ever written");
    }
}

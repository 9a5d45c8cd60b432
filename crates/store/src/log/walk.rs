//! Reading the log: from the end in one jump, forward record by record, and all of it to verify.

use super::frame::{self, Flaw, Frame};
use super::{Log, PIECE, damaged, decode, rest};
use crate::disk::{Disk, Halt};
use crate::records::Record;
use patchwright_core::digest::Digest;

/// One record with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it begins.
    pub offset: u64,
    /// Where the next one begins.
    pub next: u64,
    /// Counted from 1.
    pub sequence: u64,
    /// Hash of the record before.
    pub previous: Digest,
    /// Hash of this one.
    pub head: Digest,
    /// What it says.
    pub record: Record,
}

/// What verifying the log found.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Records that are whole and in order.
    pub records: u64,
    /// The head of the chain.
    pub head: Digest,
    /// The first thing wrong, if anything is.
    pub damage: Option<Damage>,
    /// Bytes of a record that was cut short at the end.
    pub torn_bytes: u64,
    /// Was the head asked for met on the way?
    pub head_seen: bool,
}

/// What is wrong, and at which record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The record's number, as it should be.
    pub sequence: u64,
    /// `length`, `checksum`, `sequence`, `chain` or `content`.
    pub what: &'static str,
}

impl<D: Disk> Log<D> {
    /// Hands every record from an offset on to `sink`, until it says stop or the log ends. The offset
    /// is 0 or an [`Entry::next`]. A record before the end that cannot be read is damage, and an error.
    pub fn entries(&self, disk: &D, from: u64, sink: &mut dyn FnMut(Entry) -> Walk) -> Result<(), Halt> {
        let mut at = from;
        while let Ok((frame, length)) = self.frame_at(disk, at)? {
            let next = at + length;
            let record = decode(&frame.payload)?;
            let entry = Entry {
                offset: at,
                next,
                sequence: frame.sequence,
                previous: frame.previous,
                head: frame.hash(),
                record,
            };
            if sink(entry) == Walk::Stop {
                return Ok(());
            }
            at = next;
        }
        if at < self.end { Err(damaged()) } else { Ok(()) }
    }

    /// Reads the whole log, trusting nothing. `wanted` is a head to look for on the way.
    pub fn verify(&self, disk: &D, wanted: Option<Digest>) -> Result<Check, Halt> {
        let nothing = Digest([0; 32]);
        let mut check = Check { records: 0, head: nothing, damage: None, torn_bytes: 0, head_seen: false };
        let mut at = 0;
        loop {
            let sequence = check.records + 1;
            let what = match self.frame_at(disk, at)? {
                Ok((frame, _)) if frame.sequence != sequence => "sequence",
                Ok((frame, _)) if frame.previous != check.head => "chain",
                Ok((frame, _)) if decode(&frame.payload).is_err() => "content",
                Ok((frame, length)) => {
                    check.records = sequence;
                    check.head = frame.hash();
                    check.head_seen |= wanted == Some(check.head);
                    at += length;
                    continue;
                }
                Err(flaw) => {
                    let what = if flaw == Flaw::Checksum { "checksum" } else { "length" };
                    match self.rest(disk, at, (sequence, check.head))? {
                        Rest::Nothing => {}
                        Rest::Torn(bytes) => check.torn_bytes = bytes,
                        Rest::Damaged => check.damage = Some(Damage { sequence, what }),
                    }
                    return Ok(check);
                }
            };
            check.damage = Some(Damage { sequence, what });
            return Ok(check);
        }
    }

    /// What lies behind the last record that can be read.
    fn rest(&self, disk: &D, at: u64, next: (u64, Digest)) -> Result<Rest, Halt> {
        let used = self.used_after(disk, at)?;
        let mut region = vec![0; usize::try_from(used).unwrap_or(0)];
        disk.read_at(&self.file, at, &mut region)?;
        Ok(match region.as_slice() {
            [] => Rest::Nothing,
            region if rest::was_whole(at, region, next) => Rest::Damaged,
            _ => Rest::Torn(used),
        })
    }

    /// Goes straight to the last record. False if it is not whole; then the log must be walked.
    pub(super) fn jump_to_tail(&mut self, disk: &D) -> Result<bool, Halt> {
        let Some((at, frame, length)) = self.tail_frame(disk)? else { return Ok(false) };
        self.last = Some(at);
        self.end = at + length;
        self.sequence = frame.sequence;
        self.head = frame.hash();
        Ok(true)
    }

    /// Walks on from the known end over whole records in order.
    pub(super) fn follow(&mut self, disk: &D) -> Result<(), Halt> {
        while let Ok((frame, length)) = self.frame_at(disk, self.end)? {
            if frame.sequence != self.sequence + 1 || frame.previous != self.head {
                self.damaged = true;
                return Ok(());
            }
            self.last = Some(self.end);
            self.end += length;
            self.sequence = frame.sequence;
            self.head = frame.hash();
        }
        match self.rest(disk, self.end, (self.sequence + 1, self.head))? {
            Rest::Nothing => self.torn = false,
            Rest::Torn(_) => self.torn = true,
            Rest::Damaged => self.damaged = true,
        }
        Ok(())
    }

    /// The record at an offset and its length, or why there is none.
    pub(super) fn frame_at(&self, disk: &D, at: u64) -> Result<Result<(Frame, u64), Flaw>, Halt> {
        let mut head = [0; 4];
        if at >= self.laid || disk.read_at(&self.file, at, &mut head)? < head.len() {
            return Ok(Err(Flaw::End));
        }
        let payload = usize::try_from(u32::from_le_bytes(head)).unwrap_or(usize::MAX);
        if payload == 0 {
            return Ok(Err(Flaw::End));
        }
        let whole = payload.saturating_add(frame::OVERHEAD);
        if payload > frame::PAYLOAD_MAX || at.saturating_add(whole as u64) > self.laid {
            return Ok(Err(Flaw::Length));
        }
        let mut bytes = vec![0; whole];
        let got = disk.read_at(&self.file, at, &mut bytes)?;
        bytes.truncate(got);
        Ok(Frame::decode(&bytes).map(|(frame, length)| (frame, length as u64)))
    }

    /// The record that the last used byte closes, if it is whole.
    fn tail_frame(&self, disk: &D) -> Result<Option<(u64, Frame, u64)>, Halt> {
        let end = self.used_after(disk, 0)?;
        let Some(tail_at) = end.checked_sub(5) else { return Ok(None) };
        let mut tail = [0; 5];
        disk.read_at(&self.file, tail_at, &mut tail)?;
        let start = frame::length_from_tail(tail).and_then(|length| end.checked_sub(length as u64));
        let Some(start) = start else { return Ok(None) };
        let found = self.frame_at(disk, start)?.ok().filter(|(_, length)| start + length == end);
        Ok(found.map(|(frame, length)| (start, frame, length)))
    }

    /// How many bytes after `from` lie up to the last one that is not zero.
    fn used_after(&self, disk: &D, from: u64) -> Result<u64, Halt> {
        let mut buffer = vec![0; usize::try_from(PIECE).unwrap_or(0)];
        let mut upper = self.laid;
        while upper > from {
            let lower = upper.saturating_sub(PIECE).max(from);
            let part = usize::try_from(upper - lower).unwrap_or(0).min(buffer.len());
            let Some(piece) = buffer.get_mut(..part) else { break };
            let got = disk.read_at(&self.file, lower, piece)?;
            if let Some(last) = piece.iter().take(got).rposition(|byte| *byte != 0) {
                return Ok(lower + last as u64 + 1 - from);
            }
            upper = lower;
        }
        Ok(0)
    }
}

/// What lies behind the last record that can be read.
enum Rest {
    /// Unused space.
    Nothing,
    /// So many bytes of a write that was cut short: it never happened.
    Torn(u64),
    /// A record that was whole once, or records behind it.
    Damaged,
}

/// Whether a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// To the next.
    On,
    /// Enough.
    Stop,
}

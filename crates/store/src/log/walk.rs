//! Reading the log: forward, record by record, and all of it to verify.

use super::frame::{self, Flaw, Frame};
use super::{HEADER, Log, PIECE, Standing, damaged, decode};
use crate::disk::{Disk, Halt};
use crate::records::Record;
use crate::step::{Step, unseen};
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
    /// Records that say that the log was put back, and that nobody has looked at since.
    pub resumed: Vec<u64>,
    /// Does the log hold what the mark says it held?
    pub standing: Standing,
}

/// What is wrong, and at which record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The record's number, as it should be.
    pub sequence: u64,
    /// `header`, `length`, `checksum`, `tag`, `sequence`, `chain` or `content`; `rest` where all that stands behind the
    /// record cannot be read.
    pub what: &'static str,
}

impl Damage {
    /// Is all that stands behind the record lost with it?
    pub fn is_all_behind(&self) -> bool {
        self.what == REST
    }
}

impl Check {
    /// Nothing was read yet.
    pub(super) fn new(standing: Standing) -> Check {
        Check {
            records: 0,
            head: Digest([0; 32]),
            damage: None,
            torn_bytes: 0,
            head_seen: false,
            resumed: Vec::new(),
            standing,
        }
    }
}

/// How a log is verified.
pub(super) struct Verifying<'a> {
    /// Where the first record stands that is not known to be right.
    pub(super) from: u64,
    /// A head to look for on the way.
    pub(super) wanted: Option<Digest>,
    /// Told how many records were read.
    pub(super) step: Step<'a>,
}

impl<D: Disk> Log<D> {
    /// Hands every record from an offset on to `sink`, until it says stop or the log ends. The offset
    /// is [`HEADER`] or an [`Entry::next`]. A record before the end that cannot be read is damage, and an error.
    pub fn entries(&self, disk: &D, from: u64, sink: &mut dyn FnMut(Entry) -> Walk) -> Result<(), Halt> {
        let mut at = from;
        while at < self.end {
            let Ok((frame, length)) = self.frame_at(disk, at)? else { return Err(damaged()) };
            let next = at + length;
            let record = decode(&frame.payload)?;
            let Frame { sequence, previous, hash: head, .. } = frame;
            if sink(Entry { offset: at, next, sequence, previous, head, record }) == Walk::Stop {
                return Ok(());
            }
            at = next;
        }
        Ok(())
    }

    /// Hands every record to `sink` that can be read, until it says stop. What is damaged is passed over where the next
    /// record stands where it says it ends; otherwise nothing behind it is told. What was passed over, the first
    /// `TOLD` of it.
    pub fn entries_around_damage(&self, disk: &D, sink: &mut dyn FnMut(Entry) -> Walk) -> Result<Vec<Damage>, Halt> {
        let (mut at, mut sequence, mut damage) = (HEADER, 0, Vec::new());
        while at < self.end {
            let found = self.frame_at(disk, at)?;
            sequence = found.as_ref().map_or(sequence + 1, |(frame, _)| frame.sequence);
            let what = match found {
                Ok((frame, length)) => match decode(&frame.payload) {
                    Ok(record) => {
                        let Frame { sequence, previous, hash: head, .. } = frame;
                        let next = at + length;
                        if sink(Entry { offset: at, next, sequence, previous, head, record }) == Walk::Stop {
                            return Ok(damage);
                        }
                        at = next;
                        continue;
                    }
                    Err(_) => "content",
                },
                Err(flaw) => flaw.word(),
            };
            if damage.len() < TOLD {
                damage.push(Damage { sequence, what });
            }
            match self.behind(disk, at)? {
                Some(next) => at = next,
                None => {
                    damage.push(Damage { sequence, what: REST });
                    return Ok(damage);
                }
            }
        }
        Ok(damage)
    }

    /// Where the record behind a damaged one stands, if one of ours stands where that one says it ends.
    pub(super) fn behind(&self, disk: &D, at: u64) -> Result<Option<u64>, Halt> {
        let mut head = [0; 4];
        disk.read_at(&self.file, at, &mut head)?;
        let Ok(length) = frame::length(&head) else { return Ok(None) };
        let next = at.saturating_add(length as u64);
        let stands = next == self.end || (next < self.end && self.frame_at(disk, next)?.is_ok());
        Ok(stands.then_some(next))
    }

    /// Reads the whole log, trusting nothing. `wanted` is a head to look for on the way.
    pub fn verify(&self, disk: &D, wanted: Option<Digest>) -> Result<Check, Halt> {
        self.verify_told(disk, wanted, &unseen)
    }

    /// The same, telling how many records were read.
    pub fn verify_told(&self, disk: &D, wanted: Option<Digest>, step: Step<'_>) -> Result<Check, Halt> {
        let mut check = Check::new(self.standing());
        if self.sequence > 0 && !self.has_header(disk)? {
            check.damage = Some(Damage { sequence: 1, what: "header" });
            return Ok(check);
        }
        self.verify_from(disk, &mut check, &Verifying { from: HEADER, wanted, step })?;
        Ok(check)
    }

    /// Goes on verifying at a record. What is before it has been found right.
    pub(super) fn verify_from(&self, disk: &D, check: &mut Check, how: &Verifying<'_>) -> Result<(), Halt> {
        let mut at = how.from;
        while at < self.end {
            match self.next_right(disk, at, check)? {
                Ok(length) => at += length,
                Err(what) => {
                    check.damage = Some(Damage { sequence: check.records + 1, what });
                    return Ok(());
                }
            }
            check.head_seen |= how.wanted == Some(check.head);
            (how.step)(check.records, self.sequence);
        }
        check.torn_bytes = self.used_after(disk, self.end)?;
        Ok(())
    }

    /// Takes the next record in, if it is right; how long it is, or what is wrong.
    fn next_right(&self, disk: &D, at: u64, check: &mut Check) -> Result<Result<u64, &'static str>, Halt> {
        let (frame, length) = match self.frame_at(disk, at)? {
            Ok(found) => found,
            Err(flaw) => return Ok(Err(flaw.word())),
        };
        if frame.sequence != check.records + 1 {
            return Ok(Err("sequence"));
        }
        if frame.previous != check.head {
            return Ok(Err("chain"));
        }
        let Ok(record) = decode(&frame.payload) else { return Ok(Err("content")) };
        check.records = frame.sequence;
        check.head = frame.hash;
        match record {
            Record::Resumed(_) => check.resumed.push(frame.sequence),
            Record::Adopted(_) => check.resumed.clear(),
            _ => {}
        }
        Ok(Ok(length))
    }

    /// How many bytes after `from` lie up to the last one that is not zero. More than is ever laid out ahead counts as
    /// used without a look: a file can be made to look endless.
    pub(super) fn used_after(&self, disk: &D, from: u64) -> Result<u64, Halt> {
        if self.laid.saturating_sub(from) > AHEAD {
            return Ok(self.laid - from);
        }
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

/// So much damage is told.
const TOLD: usize = 100;
/// Nothing behind a damaged record can be read.
pub(super) const REST: &str = "rest";

impl Flaw {
    /// What does not fit, in one word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Flaw::Checksum => "checksum",
            Flaw::Tag => "tag",
            Flaw::Length | Flaw::End => "length",
        }
    }
}

/// No more than this is laid out ahead of the end.
pub(super) const AHEAD: u64 = 2 * PIECE;

/// Whether a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// To the next.
    On,
    /// Enough.
    Stop,
}

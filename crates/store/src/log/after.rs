//! Reading on from a known record: for a reader that follows the log while others append to it.
//!
//! A reader remembers the [`Point`] of the last record that it took. It can ask whether the log still holds that record,
//! and read what was appended since. Each record must have our tag, the next number and the hash of the one before.

use super::frame::Frame;
use super::walk::{Damage, Entry, REST, Walk};
use super::{HEADER, Log, decode};
use crate::disk::{Disk, Halt};
use crate::own;
use crate::records::Point;
use patchwright_core::digest::Digest;

/// What a reader meets that reads on.
#[derive(Clone, Debug, PartialEq)]
pub enum Met {
    /// The next record.
    Entry(Box<Entry>),
    /// One that cannot be read. Reading goes on behind it, unless nothing says where that is (`rest`).
    Damage(Damage),
}

impl Entry {
    /// Its place in the log.
    pub fn point(&self) -> Point {
        Point { sequence: self.sequence, offset: self.offset, head: self.head }
    }
}

impl<D: Disk> Log<D> {
    /// The last record; [`super::START`] in an empty log.
    pub fn last_point(&self) -> Point {
        self.here()
    }

    /// Is there nothing to read that was not there when the log was opened? Costs a few small reads, however long it is.
    /// The mark counts too: it decides how a log stands.
    pub fn is_as_opened(&self, disk: &D) -> Result<bool, Halt> {
        let (_, mark) = own::open(disk)?;
        Ok(mark.found() == self.mark.found() && self.is_current(disk)? && !self.has_news(disk)?)
    }

    /// Does the log hold this very record at this place? Before the first record it always stands.
    pub fn has(&self, disk: &D, point: Point) -> Result<bool, Halt> {
        Ok(self.behind_point(disk, point)?.is_some())
    }

    /// Hands what stands behind a record to `sink`, until it says stop or the log ends. Nothing, if the log does not hold
    /// that record.
    pub fn entries_after(&self, disk: &D, point: Point, sink: &mut dyn FnMut(Met) -> Walk) -> Result<(), Halt> {
        let Some(mut at) = self.behind_point(disk, point)? else { return Ok(()) };
        let mut before = Before { sequence: point.sequence, head: Some(point.head) };
        while at < self.end {
            let met = self.met_at(disk, at, before)?;
            let next = match &met {
                Met::Entry(entry) => {
                    before = Before { sequence: entry.sequence, head: Some(entry.head) };
                    entry.next
                }
                Met::Damage(Damage { what: REST, .. }) => self.end,
                Met::Damage(damage) => {
                    before = Before { sequence: damage.sequence, head: None };
                    self.behind(disk, at)?.unwrap_or(self.end)
                }
            };
            if sink(met) == Walk::Stop {
                return Ok(());
            }
            at = next;
        }
        Ok(())
    }

    /// Where the record behind this one stands, if this one is held.
    fn behind_point(&self, disk: &D, point: Point) -> Result<Option<u64>, Halt> {
        if point.sequence == 0 {
            return Ok(Some(HEADER));
        }
        let Ok((frame, length)) = self.frame_at(disk, point.offset)? else { return Ok(None) };
        let same = frame.sequence == point.sequence && frame.hash == point.head;
        Ok(same.then_some(point.offset.saturating_add(length)))
    }

    fn met_at(&self, disk: &D, at: u64, before: Before) -> Result<Met, Halt> {
        let what = match self.frame_at(disk, at)? {
            Err(flaw) => flaw.word(),
            Ok((frame, _)) if !before.is_followed_by(&frame) => "chain",
            Ok((frame, length)) => match decode(&frame.payload) {
                Err(_) => "content",
                Ok(record) => {
                    let Frame { sequence, previous, hash: head, .. } = frame;
                    let next = at.saturating_add(length);
                    return Ok(Met::Entry(Box::new(Entry { offset: at, next, sequence, previous, head, record })));
                }
            },
        };
        let passable = self.behind(disk, at)?.is_some();
        let what = if passable { what } else { REST };
        Ok(Met::Damage(Damage { sequence: before.sequence.saturating_add(1), what }))
    }
}

/// The record before the next one.
#[derive(Clone, Copy)]
struct Before {
    sequence: u64,
    /// Its hash; not known where it is damaged.
    head: Option<Digest>,
}

impl Before {
    fn is_followed_by(self, frame: &Frame) -> bool {
        match self.head {
            Some(head) => frame.previous == head && self.sequence.checked_add(1) == Some(frame.sequence),
            None => frame.sequence > self.sequence,
        }
    }
}

//! The append-only log: checksummed, hash-chained, tagged records, which are the truth about what was done.
//!
//! Space is laid out in zeros ahead of the end, so that a record is written in place: its sync need not
//! wait for the file system's own journal, and a full disk still takes the record that ends a call.
//! The log is entered where the mark says that it ended ([`crate::mark`]) and walked forward from there; nothing is
//! looked for from its end, so that no content can pass for a record.

mod after;
mod enter;
mod frame;
mod rewrite;
mod v1;
mod verified;
mod walk;

pub use crate::records::{HEADER, START};
pub use after::Met;
pub use enter::Standing;
pub(crate) use frame::Sealed;
pub use frame::{Flaw, Frame};
pub use rewrite::{Bare, Writer, read_bare};
pub use v1::{OldLog, read as read_old};
pub use verified::FILE as VERIFIED_FILE;
pub use walk::{Check, Damage, Entry, Walk};

use crate::disk::{Disk, Flush, Halt};
use crate::mark::{Mark, Marked};
use crate::own;
use crate::records::{self, Commit, Intent, Point, Record, Resumed};
use crate::seal::Seal;
use frame::{Draft, Slot};
use patchwright_core::digest::Digest;
use serde::Serialize;
use std::io;
use verified::Noted;

/// The log's name in its record's folder.
pub const FILE: &str = "log";
/// Space is laid out in pieces of this size.
const PIECE: u64 = 64 * 1024;

/// The open log. Appending needs the workspace lock.
pub struct Log<D: Disk> {
    file: D::File,
    seal: Seal,
    mark: Mark<D>,
    /// Where the next record goes.
    end: u64,
    /// Laid out up to here.
    laid: u64,
    /// Number of the last record; 0 in an empty log.
    sequence: u64,
    /// The highest batch number so far.
    batches: u64,
    /// Hash of the last record.
    head: Digest,
    /// Where the last record begins.
    last: Option<u64>,
    /// The last record that is known to be durable.
    synced: Point,
    /// Does the log hold what the mark says it held?
    standing: Standing,
    /// Are there bytes behind the end that are no record?
    torn: bool,
    /// Did a sync fail? Then what is on the disk is not known, and nothing more is appended.
    poisoned: bool,
    /// Was the last record an intent, when last looked at?
    open_intent: Option<bool>,
    /// What was noted of the last time that all of it was found right.
    noted: Noted,
}

/// A record that its owner keeps; written as [`Record`] is.
#[derive(Serialize)]
enum Lent<'a> {
    Intent(&'a Intent),
    Commit(&'a Commit),
}

/// A record that is not safely in the log.
#[derive(Debug)]
pub enum Unwritten {
    /// It is not there.
    Not(Halt),
    /// It may or may not be there: the sync failed, and a failed sync is final.
    Unknown(Halt),
}

/// Whether a record is made durable at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firm {
    /// Synced before going on.
    Yes,
    /// Left to the system.
    No,
}

impl<D: Disk> Log<D> {
    /// Opens the log of our record, and makes it if there is none. The record itself must have been made.
    pub fn open(disk: &D) -> Result<Log<D>, Halt> {
        let state = disk.state("")?;
        let file = disk.open_state(&state, FILE)?;
        let mut log = Log::over(disk, file)?;
        if log.sequence == 0 {
            log.found(disk, &state)?;
        }
        Ok(log)
    }

    /// A log without records may be new, and so may its folders: they must be there after a power cut,
    /// or the first intent could not be found.
    fn found(&mut self, disk: &D, state: &D::Dir) -> Result<(), Halt> {
        disk.write_at(&self.file, 0, &frame::header())?;
        self.laid = self.laid.max(HEADER);
        disk.sync(Flush::Data(&self.file))?;
        for shelf in [records::Shelf::Blobs, records::Shelf::Trash] {
            disk.state(shelf.folder())?;
        }
        disk.sync(Flush::Dir(state))?;
        disk.sync_record_names()
    }

    /// Opens the log for reading, if there is one.
    pub fn open_existing(disk: &D, state: &D::Dir) -> Result<Option<Log<D>>, Halt> {
        match disk.open(state, FILE) {
            Ok(file) => Log::over(disk, file).map(Some),
            Err(halt) if halt.is_missing() => Ok(None),
            Err(halt) => Err(halt),
        }
    }

    fn over(disk: &D, file: D::File) -> Result<Log<D>, Halt> {
        let laid = disk.stat_file(&file)?.size;
        let (seal, mark) = own::open(disk)?;
        let mut log = Log {
            file,
            seal,
            mark,
            end: HEADER,
            laid,
            sequence: 0,
            batches: 0,
            head: Digest([0; 32]),
            last: None,
            synced: START,
            standing: Standing::Current,
            torn: false,
            poisoned: false,
            open_intent: None,
            noted: Noted::default(),
        };
        log.enter(disk)?;
        Ok(log)
    }

    /// Number of the last record.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The highest batch number so far.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Where the next record will stand.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Hash of the last record; zeros in an empty log.
    pub fn head(&self) -> Digest {
        self.head
    }

    /// Does the log hold what the mark says it held?
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// What its frames are tagged with.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Goes on numbering above the batches of another log.
    pub fn number_above(&mut self, batches: u64) {
        self.batches = self.batches.max(batches);
    }

    /// Takes the log as it stands for what it should be: whoever holds it has just written it anew.
    pub fn accept(&mut self, disk: &D) {
        self.standing = Standing::Current;
        self.synced = self.here();
        self.renew_mark(disk);
    }

    /// The mark at home.
    pub fn mark(&self) -> &Mark<D> {
        &self.mark
    }

    /// Has somebody deleted the file that is open here?
    pub fn is_gone(&self, disk: &D) -> Result<bool, Halt> {
        Ok(disk.stat_file(&self.file)?.links == 0)
    }

    /// Did a sync fail? The log must then be opened anew and verified before it is used again.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }

    /// Remembers that a sync failed somewhere else.
    pub fn poison(&mut self) {
        self.poisoned = true;
    }

    /// Is this still the file that stands in the record's folder, with the last record still in it? Somebody may have
    /// deleted the state, or put another in its place.
    pub fn is_current(&self, disk: &D) -> Result<bool, Halt> {
        let there = disk.stat(&disk.state("")?, FILE)?;
        let here = disk.stat_file(&self.file)?;
        Ok(there.is_some_and(|there| there.id == here.id) && self.holds_last(disk)?)
    }

    /// Makes what is in the log durable: a writer that died may have left its last record in memory only.
    pub fn settle(&mut self, disk: &D, firm: Firm) -> Result<(), Halt> {
        if firm == Firm::Yes {
            disk.sync(Flush::Data(&self.file))?;
            self.synced = self.here();
        }
        Ok(())
    }

    /// Takes in what other processes have appended. Needed after taking the lock.
    pub fn refresh(&mut self, disk: &D) -> Result<(), Halt> {
        self.noted = Noted::Unread;
        self.laid = disk.stat_file(&self.file)?.size;
        if self.laid < self.end && self.sequence > 0 {
            return Err(Halt::Os(io::Error::other("the log was cut short while in use")));
        }
        self.follow(disk)
    }

    /// Does the log end in an intent that nobody has finished yet? Takes in what others appended; costs
    /// two small reads where nobody did.
    pub fn ends_in_intent(&mut self, disk: &D) -> Result<bool, Halt> {
        let before = self.sequence;
        if self.has_news(disk)? {
            self.refresh(disk)?;
        }
        if self.sequence != before || self.open_intent.is_none() {
            self.open_intent = Some(matches!(self.last(disk)?, Some(Record::Intent(_))));
        }
        Ok(self.open_intent == Some(true))
    }

    fn has_news(&self, disk: &D) -> Result<bool, Halt> {
        let mut next = [0; 4];
        let got = disk.read_at(&self.file, self.end, &mut next)?;
        Ok(next != [0; 4] || disk.stat_file(&self.file)?.size != self.laid || got < next.len())
    }

    /// The last record, if there is one.
    pub fn last(&self, disk: &D) -> Result<Option<Record>, Halt> {
        let Some(at) = self.last else { return Ok(None) };
        let (frame, _) = self.frame_at(disk, at)?.map_err(|_| damaged())?;
        decode(&frame.payload).map(Some)
    }

    /// Appends a record.
    pub fn append(&mut self, disk: &D, record: &Record, firm: Firm) -> Result<Digest, Unwritten> {
        let sealed = self.sealed(record, record.number())?;
        self.append_sealed(disk, sealed, firm)
    }

    /// Appends an intent.
    pub(crate) fn append_intent(&mut self, disk: &D, intent: &Intent, firm: Firm) -> Result<Digest, Unwritten> {
        let sealed = self.sealed(&Lent::Intent(intent), None)?;
        self.append_sealed(disk, sealed, firm)
    }

    /// Makes a commit ready to be the next record.
    pub(crate) fn seal_commit(&self, commit: &Commit) -> Result<Sealed, Unwritten> {
        self.sealed(&Lent::Commit(commit), Some(commit.number))
    }

    fn sealed(&self, record: &impl Serialize, number: Option<u64>) -> Result<Sealed, Unwritten> {
        let batches = self.batches.max(number.unwrap_or(0));
        let slot = Slot { offset: self.end, sequence: self.sequence + 1, batches, previous: self.head };
        let draft = Draft::begin(slot).payload(|out| rmp_serde::encode::write_named(out, record));
        let draft = draft.map_err(|error| Unwritten::Not(Halt::Os(io::Error::other(error))))?;
        draft.seal(&self.seal).ok_or_else(|| Unwritten::Not(Halt::Os(io::Error::other("a log record over 1 GiB"))))
    }

    /// Appends what was made ready to be the next record.
    pub(crate) fn append_sealed(&mut self, disk: &D, sealed: Sealed, firm: Firm) -> Result<Digest, Unwritten> {
        if self.poisoned {
            return Err(Unwritten::Not(Halt::Os(io::Error::other("an earlier sync of the log failed"))));
        }
        let Sealed { bytes, sequence, batches, head } = sealed;
        if sequence != self.sequence + 1 {
            return Err(Unwritten::Not(Halt::Os(io::Error::other("another record was appended meanwhile"))));
        }
        let length = bytes.len() as u64;
        let untouched = self.take_note(disk);
        self.lay_out(disk, self.end + length).map_err(Unwritten::Not)?;
        disk.write_at(&self.file, self.end, &bytes).inspect_err(|_| self.torn = true).map_err(Unwritten::Not)?;
        if firm == Firm::Yes {
            disk.sync(Flush::Data(&self.file)).inspect_err(|_| self.poisoned = true).map_err(Unwritten::Unknown)?;
        }
        self.last = Some(self.end);
        self.end += length;
        (self.sequence, self.batches, self.head) = (sequence, batches, head);
        if firm == Firm::Yes {
            self.synced = self.here();
        }
        self.carry_note(disk, untouched);
        Ok(head)
    }

    /// Goes on with a log that was put back: says so on record. From then on it is current.
    pub fn resume(&mut self, disk: &D, now_ns: i64, firm: Firm) -> Result<(), Unwritten> {
        let Standing::PutBack { known } = self.standing else { return Ok(()) };
        let unfinished = match self.last(disk).map_err(Unwritten::Not)? {
            Some(Record::Intent(intent)) => Some(intent.batch),
            _ => None,
        };
        let resumed = Resumed { time_ns: now_ns, known, found: self.here(), unfinished };
        self.append(disk, &Record::Resumed(resumed), firm)?;
        self.standing = Standing::Current;
        Ok(())
    }

    /// Notes at home how far the log has come. Once a call, under the lock, before the answer.
    pub fn renew_mark(&mut self, disk: &D) {
        if self.sequence > 0 && !self.poisoned && !matches!(self.standing, Standing::PutBack { .. }) {
            let marked = Marked { seen: self.here(), firm: self.synced, boot: disk.boot() };
            self.mark.renew(disk, marked);
            self.renew_note(disk);
        }
    }

    /// The last record.
    fn here(&self) -> Point {
        Point { sequence: self.sequence, offset: self.last.unwrap_or(HEADER), head: self.head }
    }

    /// Makes sure that zeros lie at least up to here, and wipes a torn tail.
    fn lay_out(&mut self, disk: &D, up_to: u64) -> Result<(), Halt> {
        if self.torn && self.laid > self.end + walk::AHEAD {
            disk.set_len(&self.file, self.end)?;
            self.laid = self.end;
        } else if self.torn {
            self.zero(disk, self.end, self.laid)?;
        }
        self.torn = false;
        if self.sequence == 0 {
            disk.write_at(&self.file, 0, &frame::header())?;
        }
        if up_to >= self.laid {
            let goal = (up_to / PIECE + 1) * PIECE;
            self.zero(disk, self.laid.max(self.end), goal)?;
            self.laid = goal;
        }
        Ok(())
    }

    fn zero(&self, disk: &D, from: u64, to: u64) -> Result<(), Halt> {
        let zeros = vec![0; usize::try_from(to.saturating_sub(from).min(PIECE)).unwrap_or(0)];
        let mut at = from;
        while at < to && !zeros.is_empty() {
            let part = usize::try_from((to - at).min(PIECE)).unwrap_or(zeros.len());
            disk.write_at(&self.file, at, zeros.get(..part).unwrap_or(&zeros))?;
            at += part as u64;
        }
        Ok(())
    }
}

fn decode(payload: &[u8]) -> Result<Record, Halt> {
    records::decode(payload).map_err(|error| Halt::Os(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// What is said of a log that cannot be trusted.
pub(crate) fn damaged() -> Halt {
    Halt::Damaged
}

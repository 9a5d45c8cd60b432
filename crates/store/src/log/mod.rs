//! The append-only log: checksummed, hash-chained records, which are the truth about what was done.
//!
//! Space is laid out in zeros ahead of the end, so that a record is written in place: its sync need not
//! wait for the file system's own journal, and a full disk still takes the record that ends a call.
//! A bad tail never happened. A bad record before a good one is damage, and [`Log::verify`] says so.

mod frame;
mod rest;
mod walk;

pub(crate) use frame::Sealed;
pub use frame::{Flaw, Frame};

use frame::Draft;
pub use walk::{Check, Damage, Entry, Walk};

use crate::disk::{Disk, Flush, Halt};
use crate::records::{self, Commit, Intent, Record, Shelf};
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use serde::Serialize;
use std::io;

/// The log's name in the state directory.
pub const FILE: &str = "log";
/// Space is laid out in pieces of this size.
const PIECE: u64 = 64 * 1024;

/// The open log. Appending needs the workspace lock.
pub struct Log<D: Disk> {
    file: D::File,
    /// Where the next record goes.
    end: u64,
    /// Laid out up to here.
    laid: u64,
    /// Number of the last record; 0 in an empty log.
    sequence: u64,
    /// Hash of the last record.
    head: Digest,
    /// Where the last record begins.
    last: Option<u64>,
    /// Are there bytes of a record that was cut short behind the end?
    torn: bool,
    /// Did a sync fail? Then what is on the disk is not known, and nothing more is appended.
    poisoned: bool,
    /// Is a record behind the end damaged? Then nothing is appended and nothing taken back.
    damaged: bool,
    /// Was the last record an intent, when last looked at?
    open_intent: Option<bool>,
}

/// A record that its owner keeps; written as [`Record`] is.
#[derive(Serialize)]
enum Lent<'a> {
    #[serde(rename = "Intent")]
    Intent(&'a Intent),
    #[serde(rename = "Commit")]
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
    /// Opens the log, and makes it if there is none.
    pub fn open(disk: &D) -> Result<Log<D>, Halt> {
        let state = disk.state("")?;
        let log = Log::over(disk, disk.open_state(&state, FILE)?)?;
        if log.sequence == 0 {
            log.found(disk, &state)?;
        }
        Ok(log)
    }

    /// A log without records may be new, and so may its folders: they must be there after a power cut,
    /// or the first intent could not be found.
    fn found(&self, disk: &D, state: &D::Dir) -> Result<(), Halt> {
        for shelf in [Shelf::Blobs, Shelf::Trash] {
            disk.state(shelf.folder())?;
        }
        disk.sync(Flush::Dir(state))?;
        disk.sync(Flush::Dir(&disk.folder(&RelPath::root())?))
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
        let mut log = Log {
            file,
            end: 0,
            laid,
            sequence: 0,
            head: Digest([0; 32]),
            last: None,
            torn: false,
            poisoned: false,
            damaged: false,
            open_intent: None,
        };
        if !log.jump_to_tail(disk)? {
            log.follow(disk)?;
        }
        Ok(log)
    }

    /// Number of the last record.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Where the next record will stand.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Hash of the last record; zeros in an empty log.
    pub fn head(&self) -> Digest {
        self.head
    }

    /// Has somebody deleted the file that is open here?
    pub fn is_gone(&self, disk: &D) -> Result<bool, Halt> {
        Ok(disk.stat_file(&self.file)?.links == 0)
    }

    /// Did a sync fail? The log must then be opened anew and verified before it is used again.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }

    /// Is a record at its end damaged? Then it cannot be told what was done last.
    pub fn is_damaged(&self) -> bool {
        self.damaged
    }

    /// Remembers that a sync failed somewhere else.
    pub fn poison(&mut self) {
        self.poisoned = true;
    }

    /// Is this still the file that stands in the state directory? Somebody may have deleted the state.
    pub fn is_current(&self, disk: &D) -> Result<bool, Halt> {
        let there = disk.stat(&disk.state("")?, FILE)?;
        let here = disk.stat_file(&self.file)?;
        Ok(there.is_some_and(|there| there.id == here.id))
    }

    /// Makes what is in the log durable: a writer that died may have left its last record in memory only.
    pub fn settle(&self, disk: &D, firm: Firm) -> Result<(), Halt> {
        match firm {
            Firm::Yes => disk.sync(Flush::Data(&self.file)),
            Firm::No => Ok(()),
        }
    }

    /// Takes in what other processes have appended. Needed after taking the lock.
    pub fn refresh(&mut self, disk: &D) -> Result<(), Halt> {
        self.laid = disk.stat_file(&self.file)?.size;
        if self.laid < self.end {
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
        Ok(self.open_intent == Some(true) && !self.damaged)
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
        let sealed = self.seal(record)?;
        self.append_sealed(disk, sealed, firm)
    }

    /// Appends an intent.
    pub(crate) fn append_intent(&mut self, disk: &D, intent: &Intent, firm: Firm) -> Result<Digest, Unwritten> {
        let sealed = self.seal(&Lent::Intent(intent))?;
        self.append_sealed(disk, sealed, firm)
    }

    /// Makes a commit ready to be the next record.
    pub(crate) fn seal_commit(&self, commit: &Commit) -> Result<Sealed, Unwritten> {
        self.seal(&Lent::Commit(commit))
    }

    fn seal(&self, record: &impl Serialize) -> Result<Sealed, Unwritten> {
        let draft = Draft::begin(self.sequence + 1, self.head);
        let draft = draft.payload(|out| rmp_serde::encode::write_named(out, record));
        let draft = draft.map_err(|error| Unwritten::Not(Halt::Os(io::Error::other(error))))?;
        draft.seal().ok_or_else(|| Unwritten::Not(Halt::Os(io::Error::other("a log record over 1 GiB"))))
    }

    /// Appends what was made ready to be the next record.
    pub(crate) fn append_sealed(&mut self, disk: &D, sealed: Sealed, firm: Firm) -> Result<Digest, Unwritten> {
        if self.damaged {
            return Err(Unwritten::Not(damaged()));
        }
        if self.poisoned {
            return Err(Unwritten::Not(Halt::Os(io::Error::other("an earlier sync of the log failed"))));
        }
        let Sealed { bytes, sequence, head } = sealed;
        if sequence != self.sequence + 1 {
            return Err(Unwritten::Not(Halt::Os(io::Error::other("another record was appended meanwhile"))));
        }
        let length = bytes.len() as u64;
        self.lay_out(disk, self.end + length).map_err(Unwritten::Not)?;
        disk.write_at(&self.file, self.end, &bytes).inspect_err(|_| self.torn = true).map_err(Unwritten::Not)?;
        if firm == Firm::Yes {
            disk.sync(Flush::Data(&self.file)).inspect_err(|_| self.poisoned = true).map_err(Unwritten::Unknown)?;
        }
        self.last = Some(self.end);
        self.end += length;
        self.sequence = sequence;
        self.head = head;
        Ok(head)
    }

    /// Makes sure that zeros lie at least up to here, and wipes a torn tail.
    fn lay_out(&mut self, disk: &D, up_to: u64) -> Result<(), Halt> {
        if self.torn {
            self.zero(disk, self.end, self.laid)?;
            self.torn = false;
        }
        if up_to >= self.laid {
            let goal = (up_to / PIECE + 1) * PIECE;
            self.zero(disk, self.laid, goal)?;
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

//! A view of the log in an embedded database, for looking things up: trash entries, idempotency keys,
//! batches by path, kept pre-images. It can be deleted at any time and is rebuilt from the log, which
//! alone is the truth; so it is never in the way of a commit, and is brought up to date when it is asked.

mod among;
mod batches;
mod history;
mod ids;
mod lines;
mod names;
mod origin;
mod runs;
mod schema;
mod sessions;
mod since;
mod take;
mod trash;
mod undone;
mod undos;

pub use among::KnownPath;
pub use history::{BatchFilter, BatchRow, ChangeRow, FolderEvent, Touch};
pub use ids::PartRow;
pub use names::Names;
pub use origin::{ChangeOrigin, Ground};
pub use runs::{LineHistory, Origin, Run};
pub use sessions::SessionRow;
pub use since::{Changed, Left};
pub use trash::Trashed;

use lines::Lines;
use schema::Progress;

use crate::disk::{Disk, Halt};
use crate::log::{Entry, Log, Walk};
use crate::step::{Step, unseen};
use patchwright_core::digest::Digest;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use std::collections::HashSet;
use std::path::Path;

/// The database's name beside the key.
pub const FILE: &str = "index.sqlite";

/// The open index.
pub struct Index {
    db: Connection,
}

/// A call that was already answered under an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Hash of the arguments it came with.
    pub arguments: Digest,
    /// Its batch.
    pub batch: String,
    /// Where its record stands in the log.
    pub offset: u64,
}

/// A kept pre-image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptBlob {
    /// Its content's name in `blobs`.
    pub name: String,
    /// Its size.
    pub size: u64,
    /// When it was last displaced, but no earlier than what is on record before; nanoseconds since 1970 UTC.
    pub time_ns: i64,
}

/// Why the index does not answer.
#[derive(Debug)]
pub enum Trouble {
    /// The database failed.
    Database(rusqlite::Error),
    /// The log could not be read.
    Log(Halt),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        Trouble::Database(error)
    }
}

impl Index {
    /// Opens the index in this folder, or in memory where there is none, and takes in what the log has that it does
    /// not. An index that is damaged, is not laid out as ours are, or belongs to another log, is made anew.
    pub fn open<D: Disk>(folder: Option<&Path>, disk: &D, log: &Log<D>) -> Result<Index, Trouble> {
        Index::open_told(folder, disk, log, &unseen)
    }

    /// The same, telling which record of how many was taken in.
    pub fn open_told<D: Disk>(folder: Option<&Path>, disk: &D, log: &Log<D>, step: Step<'_>) -> Result<Index, Trouble> {
        let Some(folder) = folder else { return Index::in_memory(disk, log, step) };
        match Index::try_open(folder, disk, log, step) {
            Err(Trouble::Database(_)) => {
                schema::remove(folder);
                match Index::try_open(folder, disk, log, step) {
                    Err(Trouble::Database(_)) => Index::in_memory(disk, log, step),
                    other => other,
                }
            }
            other => other,
        }
    }

    /// An index in memory over a damaged log, as far as that can be read in one go. For looking only: what stands behind
    /// the damage may have undone, answered or purged what stands before it.
    pub fn before_damage<D: Disk>(disk: &D, log: &Log<D>, step: Step<'_>) -> Result<Index, Trouble> {
        let mut index = Index { db: schema::in_memory()? };
        let change = index.db.transaction()?;
        let mut reading = Reading::new(&change, Progress::NONE, step);
        match reading.follow(disk, log) {
            Err(Trouble::Log(_)) => reading.lines.write_back(&change)?,
            followed => followed?,
        }
        schema::set_progress(&change, reading.at)?;
        change.commit()?;
        Ok(index)
    }

    /// A full or read-only disk still lets itself be looked at, and the trash on it be emptied.
    fn in_memory<D: Disk>(disk: &D, log: &Log<D>, step: Step<'_>) -> Result<Index, Trouble> {
        let mut index = Index { db: schema::in_memory()? };
        index.catch_up_told(disk, log, step)?;
        Ok(index)
    }

    fn try_open<D: Disk>(folder: &Path, disk: &D, log: &Log<D>, step: Step<'_>) -> Result<Index, Trouble> {
        let mut index = Index { db: schema::connect(&folder.join(FILE))? };
        index.catch_up_told(disk, log, step)?;
        Ok(index)
    }

    /// Takes in what the log has that the index does not.
    pub fn catch_up<D: Disk>(&mut self, disk: &D, log: &Log<D>) -> Result<(), Trouble> {
        self.catch_up_told(disk, log, &unseen)
    }

    fn catch_up_told<D: Disk>(&mut self, disk: &D, log: &Log<D>, step: Step<'_>) -> Result<(), Trouble> {
        // Mostly there is nothing new, and then nobody need be waited for.
        if schema::progress(&self.db)?.head == log.head() {
            return Ok(());
        }
        let change = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let known = schema::progress(&change)?;
        let mut reading = Reading::new(&change, known, step);
        // Where another log stands now, what was read of the old one leads nowhere in it.
        let lost = match reading.follow(disk, log) {
            Err(Trouble::Log(Halt::Damaged)) if known != Progress::NONE => true,
            followed => followed.map(|()| false)?,
        };
        if lost || (reading.at.head != log.head() && !is_ahead(disk, reading.at)) {
            schema::clear(&change)?;
            reading = Reading::new(&change, Progress::NONE, step);
            reading.follow(disk, log)?;
        }
        schema::set_progress(&change, reading.at)?;
        change.commit()?;
        Ok(())
    }

    /// The call that a key was already used for.
    pub fn answered(&self, tool: &str, key: &str) -> Result<Option<Answered>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT args, batch, place FROM keys WHERE tool = ?1 AND key = ?2")?;
        let row =
            |row: &Row<'_>| Ok(Answered { arguments: Digest(row.get(0)?), batch: row.get(1)?, offset: whole(row, 2)? });
        Ok(query.query_row(params![tool, key], row).optional()?)
    }

    /// Where in the log the last record of a batch stands.
    pub fn batch(&self, id: &str) -> Result<Option<u64>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT place FROM batches WHERE id = ?1")?;
        Ok(query.query_row([id], |row| whole(row, 0)).optional()?)
    }

    /// Names among the kept pre-images and in the trash that open proposals rely on.
    pub fn needed(&self) -> Result<HashSet<String>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT name FROM needs")?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many bytes are kept, pre-images and trash together.
    pub fn kept_bytes(&self) -> Result<u64, Trouble> {
        let mut query = self.db.prepare_cached(
            "SELECT (SELECT coalesce(sum(size), 0) FROM blobs) + (SELECT coalesce(sum(size), 0) FROM trash)",
        )?;
        Ok(query.query_row([], |row| whole(row, 0))?)
    }

    /// Kept pre-images, oldest first.
    pub fn blobs(&self) -> Result<Vec<KeptBlob>, Trouble> {
        let mut query = self.db.prepare_cached("SELECT name, size, time_ns FROM blobs ORDER BY time_ns, name")?;
        let rows = query
            .query_map([], |row| Ok(KeptBlob { name: row.get(0)?, size: whole(row, 1)?, time_ns: row.get(2)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Is the index one over the log as it is by now? Others may have written, and brought the index up to date, since
/// the log was opened here.
fn is_ahead<D: Disk>(disk: &D, at: Progress) -> bool {
    let Ok(Some(log)) = disk.state("").and_then(|state| Log::open_existing(disk, &state)) else { return false };
    let mut found = false;
    let mut last = |entry: Entry| {
        found = entry.head == at.head && entry.next == at.next;
        Walk::Stop
    };
    log.entries(disk, at.last, &mut last).is_ok() && found
}

/// The log being taken in, record by record, as long as the chain holds.
struct Reading<'a> {
    change: &'a Transaction<'a>,
    at: Progress,
    lines: Lines,
    failed: Option<rusqlite::Error>,
    step: Step<'a>,
}

impl<'a> Reading<'a> {
    fn new(change: &'a Transaction<'a>, at: Progress, step: Step<'a>) -> Reading<'a> {
        Reading { change, at, lines: Lines::default(), failed: None, step }
    }

    fn follow<D: Disk>(&mut self, disk: &D, log: &Log<D>) -> Result<(), Trouble> {
        let from = self.at.next;
        let taken = log.entries(disk, from, &mut |entry| {
            (self.step)(entry.sequence, log.sequence());
            self.take(&entry)
        });
        taken.map_err(Trouble::Log)?;
        match self.failed.take() {
            Some(error) => Err(Trouble::Database(error)),
            None => Ok(self.lines.write_back(self.change)?),
        }
    }

    fn take(&mut self, entry: &Entry) -> Walk {
        if entry.previous != self.at.head {
            return Walk::Stop;
        }
        if let Err(error) = take::record(self.change, &mut self.lines, entry) {
            self.failed = Some(error);
            return Walk::Stop;
        }
        self.at = Progress { last: entry.offset, next: entry.next, head: entry.head };
        Walk::On
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn whole(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(|number| u64::try_from(number).unwrap_or(0))
}

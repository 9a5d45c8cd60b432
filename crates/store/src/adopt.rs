//! Taking a record over that is not ours: reading it without obeying it, and writing its history into our own log.
//!
//! Promises that nothing of what is read is carried out, and that our log is replaced in one step: before it the old one
//! stands, after it the whole new one. What was recorded keeps its order: first what is taken over, then the note of
//! that, then what our own log had.

use crate::content;
use crate::disk::{At, Disk, Flush, Halt, Rename};
use crate::keep;
use crate::log::{self, Bare, Firm, HEADER, Log, Walk, Writer, read_old};
use crate::records::{self, Commit, Record, Shelf};
use crate::seal::Seal;
use crate::step::Step;
use patchwright_core::digest::Digest;
use patchwright_core::refusal::Sort;
use std::collections::{HashMap, HashSet};
use std::io::{Error, ErrorKind};

/// Largest log that is read as a whole.
const LARGEST: u64 = 1 << 30;
/// The name under which a new log is written before it takes the old one's place.
const DRAFT: &str = "log.new";

/// A record that is not ours, read.
#[derive(Default)]
pub struct Foreign {
    /// What it says, in order.
    pub records: Vec<Record>,
    /// Where each stood.
    offsets: Vec<u64>,
    /// The hash of its last record.
    pub head: Option<Digest>,
    /// The highest batch number in it, as its frames say.
    pub batches: u64,
    /// The version of its log.
    pub version: u32,
    frames: Vec<Bare>,
}

impl Foreign {
    /// Reads the log in a folder as far as its chain holds; nothing if there is none.
    pub fn read<D: Disk>(disk: &D, folder: &D::Dir) -> Result<Option<Foreign>, Halt> {
        let file = match disk.open(folder, log::FILE) {
            Ok(file) => file,
            Err(halt) if halt.is_missing() => return Ok(None),
            Err(halt) => return Err(halt),
        };
        if disk.stat_file(&file)?.size > LARGEST {
            return Err(Halt::Os(Error::new(ErrorKind::FileTooLarge, "a log over 1 GiB")));
        }
        Ok(Some(Foreign::parse(&content::read(disk, &file, LARGEST)?)))
    }

    fn parse(bytes: &[u8]) -> Foreign {
        let mut foreign = Foreign {
            records: Vec::new(),
            offsets: Vec::new(),
            head: None,
            batches: 0,
            version: 1,
            frames: Vec::new(),
        };
        match log::read_bare(bytes) {
            Some(frames) => {
                foreign.version = 2;
                for frame in frames {
                    let Some(record) = plausible(&frame.payload).filter(|_| frame.batches <= MOST_BATCHES) else {
                        break;
                    };
                    foreign.head = Some(frame.hash);
                    foreign.batches = frame.batches;
                    foreign.records.push(record);
                    foreign.offsets.push(frame.offset);
                    foreign.frames.push(frame);
                }
            }
            None => {
                let old = read_old(bytes);
                foreign.head = old.head;
                for (offset, payload) in old.payloads {
                    let Some(record) = plausible(&payload) else { break };
                    foreign.records.push(record);
                    foreign.offsets.push(offset);
                }
            }
        }
        foreign
    }

    /// Are all its frames tagged under this seal?
    pub fn is_sealed_by(&self, seal: &Seal) -> bool {
        let all = self.frames.len() == self.records.len() && !self.frames.is_empty();
        all && self.frames.iter().all(|frame| seal.fits(frame.offset, &frame.hash, &frame.tag))
    }

    /// Leaves out the batches that our own log has already: of a copy, or when adopting was cut short. Ours count.
    pub fn leave_out<D: Disk>(&mut self, disk: &D, own: &Log<D>) -> Result<(), Halt> {
        let mut known = HashSet::new();
        own.entries(disk, HEADER, &mut |entry| {
            let mut record = entry.record;
            known.extend(numbered(&mut record).map(|(batch, _)| batch.to_owned()));
            Walk::On
        })?;
        let keeps = |record: &mut Record| numbered(record).is_none_or(|(batch, _)| !known.contains(batch));
        let kept: Vec<bool> = self.records.iter_mut().map(keeps).collect();
        let mut each = kept.iter();
        self.records.retain(|_| each.next() == Some(&true));
        let mut each = kept.iter();
        self.offsets.retain(|_| each.next() == Some(&true));
        Ok(())
    }

    /// Gives the batches of old records the numbers that they did not have.
    pub fn number_all(&mut self) {
        let mut numbers: HashMap<String, u64> = HashMap::new();
        let mut highest = self.batches;
        for record in &mut self.records {
            let Some((batch, number)) = numbered(record) else { continue };
            if *number == 0 {
                let next = highest + 1;
                *number = *numbers.entry(batch.to_owned()).or_insert(next);
            }
            highest = highest.max(*number);
        }
        self.batches = highest;
    }
}

/// No log has more batches; a higher number was made up, and would leave no room for the next.
const MOST_BATCHES: u64 = 1 << 48;

/// A record that a log can hold.
fn plausible(payload: &[u8]) -> Option<Record> {
    let record = records::decode(payload).ok()?;
    record.number().is_none_or(|number| number <= MOST_BATCHES).then_some(record)
}

/// The batch of a record, and the place of its number.
fn numbered(record: &mut Record) -> Option<(&str, &mut u64)> {
    match record {
        Record::Commit(commit) => Some((&commit.batch, &mut commit.number)),
        Record::Proposal(proposal) => Some((&proposal.commit.batch, &mut proposal.commit.number)),
        Record::Purge(purge) => Some((&purge.batch, &mut purge.number)),
        _ => None,
    }
}

/// Moves what is kept in another record's folder to our own shelves. What is neither file nor link stays, and so does
/// what we have already. Steps are files of one shelf.
pub fn take_shelves<D: Disk>(disk: &D, from: &D::Dir, firm: Firm, step: Step<'_>) -> Result<(), Halt> {
    for shelf in [Shelf::Blobs, Shelf::Trash] {
        let theirs = match disk.enter(from, shelf.folder()) {
            Ok(theirs) => theirs,
            Err(halt) if halt.is_missing() => continue,
            // A link or a file in its place is not a shelf.
            Err(_) => continue,
        };
        let ours = disk.state(shelf.folder())?;
        let names = disk.names(&theirs)?;
        let total = names.len() as u64;
        for (name, done) in names.into_iter().zip(0..) {
            step(done, total);
            let found = disk.stat(&theirs, &name)?;
            if !found.is_some_and(|found| matches!(found.sort, Sort::File | Sort::Link)) {
                continue;
            }
            match disk.rename(At::new(&theirs, &name), At::new(&ours, &name), Rename::NoReplace) {
                Err(halt) if halt.os_kind() == Some(ErrorKind::CrossesDevices) => {
                    keep::transfer(disk, At::new(&theirs, &name), At::new(&ours, &name), firm)?;
                }
                Err(halt) if !halt.is_taken() => return Err(halt),
                _ => {}
            }
        }
        disk.sync(Flush::Dir(&ours))?;
        // What is left in it is not ours to remove.
        let _ = disk.remove_folder(from, shelf.folder());
    }
    Ok(())
}

/// Does our log say already that it took this record over?
pub fn has_taken<D: Disk>(disk: &D, own: &Log<D>, foreign: &Foreign) -> Result<bool, Halt> {
    let mut found = false;
    own.entries(disk, HEADER, &mut |entry| {
        found |=
            matches!(&entry.record, Record::Adopted(adopted) if adopted.from.is_some() && adopted.head == foreign.head);
        if found { Walk::Stop } else { Walk::On }
    })?;
    Ok(found)
}

/// Writes our log anew: what was taken over, the records that tell of it, and what our log had. It takes the old one's
/// place in one step; the open log must be opened again after. Steps are records.
pub fn rewrite<D: Disk>(disk: &D, own: &Log<D>, taken: &Foreign, notes: &[Record], step: Step<'_>) -> Result<(), Halt> {
    let total = taken.records.len() as u64 + own.sequence();
    let state = disk.state("")?;
    match disk.remove(&state, DRAFT) {
        Err(halt) if !halt.is_missing() => return Err(halt),
        _ => {}
    }
    let mut writer = Writer::new(disk, disk.create(&state, DRAFT)?, own.seal().clone())?;
    let mut places = HashMap::new();
    for ((record, offset), done) in taken.records.iter().zip(&taken.offsets).zip(0..) {
        step(done, total);
        writer.put(disk, &moved(record, &places), *offset, &mut places)?;
    }
    for note in notes {
        writer.put(disk, note, u64::MAX, &mut HashMap::new())?;
    }
    let (mut places, mut failed, above) = (HashMap::new(), None, taken.batches);
    own.entries(disk, HEADER, &mut |entry| {
        step(taken.records.len() as u64 + entry.sequence, total);
        let record = raised(moved(&entry.record, &places), above);
        match writer.put(disk, &record, entry.offset, &mut places) {
            Ok(()) => Walk::On,
            Err(halt) => {
                failed = Some(halt);
                Walk::Stop
            }
        }
    })?;
    failed.map_or(Ok(()), Err)?;
    writer.finish(disk)?;
    disk.rename(At::new(&state, DRAFT), At::new(&state, log::FILE), Rename::Replace)?;
    disk.sync(Flush::Dir(&state))
}

/// A record says in places where its batch began: that is somewhere else now.
fn moved(record: &Record, places: &HashMap<u64, u64>) -> Record {
    let mut record = record.clone();
    if let Record::Commit(Commit { patch: Some(patch), .. }) = &mut record {
        patch.since = patch.since.map(|since| places.get(&since).copied().unwrap_or(since));
    }
    record
}

/// The numbers of our own batches go on above those that were taken over.
fn raised(mut record: Record, above: u64) -> Record {
    if let Some((_, number)) = numbered(&mut record)
        && *number > 0
    {
        *number += above;
    }
    record
}

//! Logs as a whole: reading the frames of one without its key, and writing a new one.

use super::HEADER;
use super::frame::{self, Draft, Flaw, Frame, Header, Slot};
use crate::disk::{Disk, Flush, Halt};
use crate::records::Record;
use crate::seal::{Seal, TAG};
use patchwright_core::digest::Digest;
use std::collections::HashMap;
use std::io;

/// A frame whose tag nobody has looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bare {
    /// Where it stands.
    pub offset: u64,
    /// The encoded record.
    pub payload: Vec<u8>,
    /// The highest batch number so far.
    pub batches: u64,
    /// Its hash.
    pub hash: Digest,
    /// Its tag.
    pub tag: [u8; TAG],
}

/// The frames of a log, as far as numbers and hashes hold; nothing if it is no log of this version.
pub fn read_bare(bytes: &[u8]) -> Option<Vec<Bare>> {
    if frame::read_header(bytes) != Header::Ours {
        return None;
    }
    let (mut at, mut head, mut frames) = (HEADER, Digest([0; 32]), Vec::new());
    while let Ok((frame, length)) = next(bytes, at) {
        if frame.sequence != frames.len() as u64 + 1 || frame.previous != head {
            break;
        }
        head = frame.hash;
        let Frame { payload, batches, hash, tag, .. } = frame;
        frames.push(Bare { offset: at, payload, batches, hash, tag });
        at += length as u64;
    }
    Some(frames)
}

fn next(bytes: &[u8], at: u64) -> Result<(Frame, usize), Flaw> {
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).ok_or(Flaw::End)?;
    Frame::decode(rest)
}

/// A log that is written from its beginning.
pub struct Writer<F> {
    file: F,
    seal: Seal,
    end: u64,
    sequence: u64,
    batches: u64,
    head: Digest,
}

impl<F> Writer<F> {
    /// Begins a log in an empty file.
    pub fn new<D: Disk<File = F>>(disk: &D, file: F, seal: Seal) -> Result<Writer<F>, Halt> {
        disk.write_at(&file, 0, &frame::header())?;
        Ok(Writer { file, seal, end: HEADER, sequence: 0, batches: 0, head: Digest([0; 32]) })
    }

    /// Writes a record, and remembers where it stands that stood at `was` before.
    pub fn put<D: Disk<File = F>>(
        &mut self,
        disk: &D,
        record: &Record,
        was: u64,
        places: &mut HashMap<u64, u64>,
    ) -> Result<(), Halt> {
        // Of a kind that only a later version knows, this one cannot write what it says.
        if matches!(record, Record::Other { .. }) {
            return Ok(());
        }
        let batches = self.batches.max(record.number().unwrap_or(0));
        let slot = Slot { offset: self.end, sequence: self.sequence + 1, batches, previous: self.head };
        let draft = Draft::begin(slot).payload(|out| rmp_serde::encode::write_named(out, record));
        let draft = draft.map_err(|error| Halt::Os(io::Error::other(error)))?;
        let sealed = draft.seal(&self.seal).ok_or_else(|| Halt::Os(io::Error::other("a log record over 1 GiB")))?;
        disk.write_at(&self.file, self.end, &sealed.bytes)?;
        places.insert(was, self.end);
        self.end += sealed.bytes.len() as u64;
        (self.sequence, self.batches, self.head) = (sealed.sequence, sealed.batches, sealed.head);
        Ok(())
    }

    /// Makes it durable.
    pub fn finish<D: Disk<File = F>>(self, disk: &D) -> Result<(), Halt> {
        disk.sync(Flush::File(&self.file))
    }
}

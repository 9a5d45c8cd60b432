//! How a record lies in the file. The file begins with a header, [`HEADER`](crate::records::HEADER) bytes; then come the records:
//!
//! ```text
//! u32 payload length │ u32 crc32 of all that follows │ u64 sequence │ u64 highest batch number so far │
//! 32 bytes previous hash │ payload │ 32 bytes tag
//! ```
//! The hash of a record is sha256 over sequence, highest number, previous hash and payload. The tag ([`Seal`]) is over
//! that hash and the record's offset.

use crate::seal::{Seal, TAG};
use patchwright_core::digest::Digest;
use patchwright_core::seeded::{Bug, is_planted};

/// What every log begins with.
const MAGIC: &[u8; 16] = b"patchwright log\n";
/// The version of the format. Logs of version 1 had no header.
const VERSION: u32 = 2;

/// Bytes around a payload.
pub(super) const OVERHEAD: usize = HEAD + TAG;
const HEAD: usize = 4 + 4 + 8 + 8 + 32;
/// Largest payload: a longer length is damage, not a record.
pub(super) const PAYLOAD_MAX: usize = 1 << 30;

/// What the header of a log says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// It is a log of this version.
    Ours,
    /// It is a log of another version.
    Version(u32),
    /// It is none.
    None,
}

/// The header's bytes.
pub(super) fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.resize(32, 0);
    bytes
}

/// Reads a header.
pub(super) fn read_header(bytes: &[u8]) -> Header {
    let version = bytes.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk::<4>());
    match version.map(|version| u32::from_le_bytes(*version)) {
        Some(VERSION) => Header::Ours,
        Some(version) => Header::Version(version),
        None => Header::None,
    }
}

/// A record as it lies in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Counted from 1.
    pub sequence: u64,
    /// The highest batch number up to this record, its own included.
    pub batches: u64,
    /// Hash of the record before; zeros for the first.
    pub previous: Digest,
    /// The encoded record.
    pub payload: Vec<u8>,
    /// The record's own hash.
    pub hash: Digest,
    /// What proves that it is ours.
    pub tag: [u8; TAG],
}

/// What is wrong with some bytes that should be a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Zeros, or nothing at all: the log ends here.
    End,
    /// A length that does not fit.
    Length,
    /// The checksum does not match.
    Checksum,
    /// The tag is not ours.
    Tag,
}

impl Frame {
    /// Reads the record that begins these bytes, and how many bytes it takes. The tag is not looked at.
    pub fn decode(bytes: &[u8]) -> Result<(Frame, usize), Flaw> {
        let whole = length(bytes)?;
        let bytes = bytes.get(..whole).ok_or(Flaw::Length)?;
        let (crc, body) = bytes.get(4..).and_then(|rest| rest.split_first_chunk::<4>()).ok_or(Flaw::Length)?;
        if crc32fast::hash(body) != u32::from_le_bytes(*crc) && !is_planted(Bug::ChecksumIgnored) {
            return Err(Flaw::Checksum);
        }
        parts(body).map(|frame| (frame, whole)).ok_or(Flaw::Length)
    }

    /// Is it ours, at this offset?
    pub fn is_ours(&self, seal: &Seal, offset: u64) -> bool {
        seal.fits(offset, &self.hash, &self.tag)
    }
}

/// The length that a record beginning with these bytes says it has, all around the payload included.
pub(super) fn length(bytes: &[u8]) -> Result<usize, Flaw> {
    let length = bytes.first_chunk::<4>().map_or(0, |length| u32::from_le_bytes(*length));
    match usize::try_from(length) {
        Ok(0) => Err(Flaw::End),
        Ok(length) if length <= PAYLOAD_MAX => Ok(length + OVERHEAD),
        _ => Err(Flaw::Length),
    }
}

fn parts(body: &[u8]) -> Option<Frame> {
    let (hashed, tag) = body.split_last_chunk::<TAG>()?;
    let (sequence, rest) = hashed.split_first_chunk::<8>()?;
    let (batches, rest) = rest.split_first_chunk::<8>()?;
    let (previous, payload) = rest.split_first_chunk::<32>()?;
    Some(Frame {
        sequence: u64::from_le_bytes(*sequence),
        batches: u64::from_le_bytes(*batches),
        previous: Digest(*previous),
        payload: payload.to_vec(),
        hash: Digest::of(hashed),
        tag: *tag,
    })
}

/// Where a record goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Its offset in the file.
    pub(super) offset: u64,
    /// Its number.
    pub(super) sequence: u64,
    /// The highest batch number, its own included.
    pub(super) batches: u64,
    /// The hash of the record before.
    pub(super) previous: Digest,
}

/// A record in the making: its payload is written straight to its place.
pub(super) struct Draft {
    bytes: Vec<u8>,
    slot: Slot,
}

/// A record that is ready to be written.
pub(crate) struct Sealed {
    /// The bytes for the file.
    pub(super) bytes: Vec<u8>,
    pub(super) sequence: u64,
    pub(super) batches: u64,
    /// The record's hash.
    pub(super) head: Digest,
}

impl Draft {
    pub(super) fn begin(slot: Slot) -> Draft {
        let mut bytes = vec![0; 8];
        bytes.extend_from_slice(&slot.sequence.to_le_bytes());
        bytes.extend_from_slice(&slot.batches.to_le_bytes());
        bytes.extend_from_slice(&slot.previous.0);
        Draft { bytes, slot }
    }

    pub(super) fn payload<E>(mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Result<Draft, E> {
        write(&mut self.bytes).map(|()| self)
    }

    /// Nothing for a payload that is too long.
    pub(super) fn seal(mut self, seal: &Seal) -> Option<Sealed> {
        let Slot { offset, sequence, batches, .. } = self.slot;
        let length = self.bytes.len().checked_sub(HEAD).filter(|length| *length <= PAYLOAD_MAX)?;
        let head = Digest::of(self.bytes.get(8..)?);
        self.bytes.extend_from_slice(&seal.tag(offset, &head));
        let (start, body) = self.bytes.split_first_chunk_mut::<8>()?;
        let [a, b, c, d] = u32::try_from(length).ok()?.to_le_bytes();
        let [e, f, g, h] = crc32fast::hash(body).to_le_bytes();
        *start = [a, b, c, d, e, f, g, h];
        Some(Sealed { bytes: self.bytes, sequence, batches, head })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::HEADER;
    use crate::seal::{Id, Key};

    #[test]
    fn a_record_comes_back_and_every_flipped_bit_shows() {
        let seal = Seal::new(Id::new(1), &Key([9; 32]));
        let slot = Slot { offset: HEADER, sequence: 7, batches: 3, previous: Digest::of(b"x") };
        let draft = Draft::begin(slot).payload(|out| {
            out.extend_from_slice(b"payload");
            Ok::<(), ()>(())
        });
        let sealed = draft.unwrap().seal(&seal).unwrap();
        let (frame, length) = Frame::decode(&sealed.bytes).unwrap();
        assert_eq!((frame.sequence, frame.batches, frame.payload.as_slice()), (7, 3, &b"payload"[..]));
        assert_eq!((length, frame.hash), (sealed.bytes.len(), sealed.head));
        assert!(frame.is_ours(&seal, HEADER) && !frame.is_ours(&seal, HEADER + 1));
        for at in 0..length {
            for bit in 0..8 {
                let mut bad = sealed.bytes.clone();
                bad[at] ^= 1 << bit;
                assert!(Frame::decode(&bad).is_err(), "byte {at} bit {bit}");
            }
        }
        for cut in 0..length {
            assert!(Frame::decode(&sealed.bytes[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn headers() {
        assert_eq!((header().len() as u64, read_header(&header())), (HEADER, Header::Ours));
        assert_eq!(read_header(b"patchwright log\n\x03\0\0\0"), Header::Version(3));
        assert_eq!(read_header(&[0; 32]), Header::None);
    }
}

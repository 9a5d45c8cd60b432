//! How a record lies in the file: length, checksum, sequence, hash of the record before, payload, and
//! the length once more with an end mark, so that the last record can be found from the end.
//!
//! ```text
//! u32 payload length │ u32 crc32 of all that follows up to the payload's end │ u64 sequence │
//! 32 bytes previous hash │ payload │ u32 payload length │ 0xA5
//! ```
//! The hash of a record is sha256 over sequence, previous hash and payload.

use patchwright_core::digest::{Digest, Hasher};
use patchwright_core::seeded::{Bug, is_planted};

/// Bytes around a payload.
pub(super) const OVERHEAD: usize = HEAD + TAIL;
const HEAD: usize = 4 + 4 + 8 + 32;
const TAIL: usize = 4 + 1;
/// The last byte of every record; never zero, so that it can be told from unused space.
const END_MARK: u8 = 0xA5;
/// Largest payload: a longer length is damage, not a record.
pub(super) const PAYLOAD_MAX: usize = 1 << 30;

/// A record as it lies in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Counted from 1.
    pub sequence: u64,
    /// Hash of the record before; zeros for the first.
    pub previous: Digest,
    /// The encoded record.
    pub payload: Vec<u8>,
}

/// What is wrong with some bytes that should be a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Zeros, or nothing at all: the log ends here.
    End,
    /// Lengths that do not fit.
    Length,
    /// The checksum does not match.
    Checksum,
}

impl Frame {
    /// The hash that the next record carries.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::default();
        hasher.update(&self.sequence.to_le_bytes());
        hasher.update(&self.previous.0);
        hasher.update(&self.payload);
        hasher.finish()
    }

    /// The bytes for the file. Nothing for a payload that is too long.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut draft = Draft::begin(self.sequence, self.previous);
        draft.bytes.extend_from_slice(&self.payload);
        draft.seal().map(|sealed| sealed.bytes)
    }

    /// Reads the record that begins these bytes, and how many bytes it takes.
    pub fn decode(bytes: &[u8]) -> Result<(Frame, usize), Flaw> {
        let (length, rest) = take_u32(bytes).ok_or(Flaw::End)?;
        if length == 0 {
            return Err(Flaw::End);
        }
        let length = usize::try_from(length).ok().filter(|length| *length <= PAYLOAD_MAX).ok_or(Flaw::Length)?;
        let (crc, rest) = take_u32(rest).ok_or(Flaw::Length)?;
        let (body, tail) = rest.split_at_checked(length + 40).ok_or(Flaw::Length)?;
        let (again, tail) = take_u32(tail).ok_or(Flaw::Length)?;
        if usize::try_from(again) != Ok(length) || tail.first() != Some(&END_MARK) {
            return Err(Flaw::Length);
        }
        if crc32fast::hash(body) != crc && !is_planted(Bug::ChecksumIgnored) {
            return Err(Flaw::Checksum);
        }
        Ok((parts(body).ok_or(Flaw::Length)?, length + OVERHEAD))
    }
}

/// A record in the making: its payload is written straight to its place.
pub(super) struct Draft {
    bytes: Vec<u8>,
    sequence: u64,
}

/// A record that is ready to be written.
pub(crate) struct Sealed {
    /// The bytes for the file.
    pub(super) bytes: Vec<u8>,
    pub(super) sequence: u64,
    /// The record's hash.
    pub(super) head: Digest,
}

impl Draft {
    pub(super) fn begin(sequence: u64, previous: Digest) -> Draft {
        let mut bytes = vec![0; 8];
        bytes.extend_from_slice(&sequence.to_le_bytes());
        bytes.extend_from_slice(&previous.0);
        Draft { bytes, sequence }
    }

    pub(super) fn payload<E>(mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Result<Draft, E> {
        write(&mut self.bytes).map(|()| self)
    }

    /// Nothing for a payload that is too long.
    pub(super) fn seal(mut self) -> Option<Sealed> {
        let (start, body) = self.bytes.split_first_chunk_mut::<8>()?;
        let length = body.len().checked_sub(HEAD - 8).filter(|length| *length <= PAYLOAD_MAX)?;
        let length = u32::try_from(length).ok()?.to_le_bytes();
        let [a, b, c, d] = length;
        let [e, f, g, h] = crc32fast::hash(body).to_le_bytes();
        *start = [a, b, c, d, e, f, g, h];
        let head = Digest::of(body);
        self.bytes.extend_from_slice(&length);
        self.bytes.push(END_MARK);
        Some(Sealed { bytes: self.bytes, sequence: self.sequence, head })
    }
}

/// The length of a record whose last five bytes these are, all around the payload included.
pub(super) fn length_from_tail(tail: [u8; 5]) -> Option<usize> {
    let [a, b, c, d, mark] = tail;
    let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
    (mark == END_MARK && length > 0 && length <= PAYLOAD_MAX).then_some(length + OVERHEAD)
}

/// The length that a record beginning with these bytes says it has, all around the payload included.
pub(super) fn length_from_head(bytes: &[u8]) -> Option<usize> {
    let length = usize::try_from(take_u32(bytes)?.0).ok()?;
    (length > 0 && length <= PAYLOAD_MAX).then_some(length + OVERHEAD)
}

/// The number and the previous hash that a record beginning with these bytes has, if that much is there.
pub(super) fn place_from_head(bytes: &[u8]) -> Option<(u64, Digest)> {
    let (sequence, rest) = bytes.get(8..)?.split_first_chunk::<8>()?;
    let (previous, _) = rest.split_first_chunk::<32>()?;
    Some((u64::from_le_bytes(*sequence), Digest(*previous)))
}

fn parts(body: &[u8]) -> Option<Frame> {
    let (sequence, rest) = body.split_first_chunk::<8>()?;
    let (previous, payload) = rest.split_first_chunk::<32>()?;
    Some(Frame { sequence: u64::from_le_bytes(*sequence), previous: Digest(*previous), payload: payload.to_vec() })
}

fn take_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*head), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_and_every_flipped_bit_shows() {
        let frame = Frame { sequence: 7, previous: Digest::of(b"x"), payload: b"payload".to_vec() };
        let bytes = frame.encode().unwrap();
        assert_eq!(Frame::decode(&bytes), Ok((frame.clone(), bytes.len())));
        assert_eq!(length_from_tail(*bytes.last_chunk().unwrap()), Some(bytes.len()));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                assert!(Frame::decode(&bad).is_err(), "byte {at} bit {bit}");
            }
        }
        for cut in 0..bytes.len() {
            assert!(Frame::decode(&bytes[..cut]).is_err(), "cut at {cut}");
        }
    }
}

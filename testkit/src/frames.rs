//! The log's frames, made and read by the plainest code that will do: for forgeries, and to compare the log's own reader
//! with. A file begins with [`HEADER`] bytes; then come the records:
//!
//! ```text
//! u32 payload length │ u32 crc32 of all that follows │ u64 sequence │ u64 highest batch number │ 32 bytes previous hash │
//! payload │ 32 bytes tag
//! ```

use patchwright_core::digest::Digest;
use std::ops::Range;

/// Bytes before the first record.
pub const HEADER: usize = 32;
/// Bytes before a payload, and of a tag.
const HEAD: usize = 4 + 4 + 8 + 8 + 32;
const TAG: usize = 32;

/// Where a record stands in the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number.
    pub sequence: u64,
    /// The highest batch number so far.
    pub batches: u64,
    /// The hash of the record before.
    pub previous: Digest,
}

/// A record as it lies in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it lies.
    pub range: Range<usize>,
    /// Where it stands in the story.
    pub slot: Slot,
    /// What it says, encoded.
    pub payload: Vec<u8>,
    /// Its own hash.
    pub hash: Digest,
    /// What proves whose it is.
    pub tag: [u8; TAG],
}

impl Frame {
    /// Where the next record would stand.
    pub fn next(&self) -> Slot {
        Slot { sequence: self.slot.sequence + 1, batches: self.slot.batches, previous: self.hash }
    }
}

/// What comes first in a log.
pub const FIRST: Slot = Slot { sequence: 1, batches: 0, previous: Digest([0; 32]) };

/// A record's hash.
pub fn hash(slot: &Slot, payload: &[u8]) -> Digest {
    Digest::of(&hashed(slot, payload))
}

/// A record's bytes, with a tag, right or not.
pub fn framed(slot: &Slot, payload: &[u8], tag: &[u8; TAG]) -> Vec<u8> {
    let body = [&hashed(slot, payload)[..], tag].concat();
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes();
    [&length[..], &crc32(&body).to_le_bytes(), &body].concat()
}

fn hashed(slot: &Slot, payload: &[u8]) -> Vec<u8> {
    [&slot.sequence.to_le_bytes()[..], &slot.batches.to_le_bytes(), &slot.previous.0, payload].concat()
}

/// The frame that begins at an offset, if one with a right checksum does. Nobody asks whose it is.
pub fn at(log: &[u8], at: usize) -> Option<Frame> {
    let rest = log.get(at..)?;
    let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk::<4>()?)).ok()?;
    let whole = rest.get(..HEAD.checked_add(length)?.checked_add(TAG)?).filter(|_| length > 0 && length <= 1 << 30)?;
    let (crc, body) = whole.get(4..)?.split_first_chunk::<4>()?;
    if crc32(body) != u32::from_le_bytes(*crc) {
        return None;
    }
    let (hashed, tag) = body.split_last_chunk::<TAG>()?;
    let (sequence, parts) = hashed.split_first_chunk::<8>()?;
    let (batches, parts) = parts.split_first_chunk::<8>()?;
    let (previous, payload) = parts.split_first_chunk::<32>()?;
    let slot = Slot {
        sequence: u64::from_le_bytes(*sequence),
        batches: u64::from_le_bytes(*batches),
        previous: Digest(*previous),
    };
    let range = at..at + whole.len();
    Some(Frame { range, slot, payload: payload.to_vec(), hash: Digest::of(hashed), tag: *tag })
}

/// All frames of a log, one behind the other, as far as their checksums are right.
pub fn all(log: &[u8]) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    while let Some(frame) = at(log, frames.last().map_or(HEADER, |last| last.range.end)) {
        frames.push(frame);
    }
    frames
}

/// A checksum as zip files have it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_framed_is_read() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        let one = framed(&FIRST, b"one", &[1; 32]);
        let next = Slot { sequence: 2, batches: 5, previous: hash(&FIRST, b"one") };
        let mut log = vec![0; HEADER];
        log.extend(&one);
        log.extend(framed(&next, b"two", &[2; 32]));
        log.extend([0; 100]);
        let found = all(&log);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].next().previous, found[1].slot), (next.previous, next));
        assert_eq!((found[1].payload.as_slice(), found[1].tag), (&b"two"[..], [2; 32]));
        log[HEADER + 60] ^= 1;
        assert!(all(&log).is_empty());
    }
}

//! States made by a hostile hand: logs as 0.1 wrote them and as they are now, the records that an attacker would put
//! into them, and an index that never ends. With the test's own key a frame can be made that counts; without it, one
//! that must not.
//!
//! ```text
//! 0.1: u32 payload length │ u32 crc32 │ u64 sequence │ 32 bytes previous hash │ payload │ u32 payload length │ 0xA5
//! now: u32 payload length │ u32 crc32 │ u64 sequence │ u64 highest batch │ 32 bytes previous hash │ payload │ 32 bytes tag
//! ```

mod index;
mod records;

pub use index::endless;
pub use records::{
    BATCH, caller, commit, creation, deleted, deletion, note, pack, proposal, purge, restored, retired, sha,
};

use patchwright_core::digest::Digest;
use std::fs;
use std::io;
use std::path::Path;

/// Bytes before the first frame.
pub const TOP: usize = 32;
const HEAD: usize = 4 + 4 + 8 + 8 + 32;
const TAG: usize = 32;

/// What a log begins with.
pub fn top() -> Vec<u8> {
    [&b"patchwright log\n"[..], &2_u32.to_le_bytes(), &[0; 12]].concat()
}

/// A record as it lies in a log of today.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Where it begins.
    pub at: usize,
    /// Where the next one begins.
    pub end: usize,
    /// Counted from 1.
    pub sequence: u64,
    /// The highest number of a batch so far.
    pub highest: u64,
    /// The hash of the record before.
    pub previous: [u8; 32],
    /// The record itself.
    pub payload: Vec<u8>,
}

/// What a record is counted by.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Counted from 1.
    pub sequence: u64,
    /// The highest number of a batch so far.
    pub highest: u64,
}

impl Frame {
    /// The record's hash.
    pub fn hash(&self) -> [u8; 32] {
        hash(self.sequence, self.highest, self.previous, &self.payload)
    }

    /// Does the payload hold this text?
    pub fn holds(&self, text: &str) -> bool {
        self.payload.windows(text.len()).any(|part| part == text.as_bytes())
    }
}

/// The frames of a log, taken by their lengths, as far as there are any.
pub fn frames(log: &[u8]) -> Vec<Frame> {
    let (mut at, mut found) = (TOP, Vec::new());
    while let Some(frame) = log.starts_with(&top()).then(|| frame_at(log, at)).flatten() {
        at = frame.end;
        found.push(frame);
    }
    found
}

fn frame_at(log: &[u8], at: usize) -> Option<Frame> {
    let bytes = log.get(at..)?;
    let length = usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok().filter(|length| *length > 0)?;
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let payload = bytes.get(HEAD..HEAD.checked_add(length)?)?.to_vec();
    let previous = *bytes.get(24..)?.first_chunk()?;
    let end = at + HEAD + length + TAG;
    Some(Frame { at, end, sequence: word(8)?, highest: word(16)?, previous, payload }).filter(|_| end <= log.len())
}

fn hash(sequence: u64, highest: u64, previous: [u8; 32], payload: &[u8]) -> [u8; 32] {
    Digest::of(&[&sequence.to_le_bytes()[..], &highest.to_le_bytes(), &previous, payload].concat()).0
}

/// What makes a frame count: the key, and the id of the record it belongs to.
#[derive(Clone)]
pub struct Seal {
    /// 32 bytes.
    pub key: Vec<u8>,
    /// 32 hex digits.
    pub id: String,
}

impl Seal {
    /// That of a record, by its folder at home.
    pub fn kept(ring: &Path) -> io::Result<Seal> {
        let id = ring.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Seal { key: fs::read(ring.join("key"))?, id })
    }

    /// An attacker's.
    pub fn wrong(id: &str) -> Seal {
        Seal { key: vec![7; 32], id: id.to_owned() }
    }

    /// HMAC-SHA256 over id, offset and hash.
    fn tag(&self, at: usize, hash: [u8; 32]) -> [u8; 32] {
        let pad = |with: u8| -> Vec<u8> { (0..64).map(|n| self.key.get(n).unwrap_or(&0) ^ with).collect() };
        let text = [self.id.as_bytes(), &(at as u64).to_le_bytes(), &hash].concat();
        let inner = Digest::of(&[&pad(0x36)[..], &text].concat());
        Digest::of(&[&pad(0x5c)[..], &inner.0].concat()).0
    }

    /// A frame that stands at `at`.
    pub fn frame(&self, at: usize, numbers: Numbers, previous: [u8; 32], payload: &[u8]) -> Vec<u8> {
        let Numbers { sequence, highest } = numbers;
        let tag = self.tag(at, hash(sequence, highest, previous, payload));
        let rest = [&sequence.to_le_bytes()[..], &highest.to_le_bytes(), &previous, payload, &tag].concat();
        let length = short(payload.len()).to_le_bytes();
        [&length[..], &crc32(&rest).to_le_bytes(), &rest].concat()
    }

    /// A log with one more record than the first `keep` of this one; as long as before, zeros at the end.
    pub fn with(&self, log: &[u8], keep: usize, payload: &[u8]) -> Vec<u8> {
        let all = frames(log);
        let last = keep.checked_sub(1).and_then(|last| all.get(last));
        let end = last.map_or(TOP, |last| last.end).min(log.len());
        let (sequence, highest) = last.map_or((0, 0), |last| (last.sequence, last.highest));
        let previous = last.map_or([0; 32], Frame::hash);
        // A record that names a batch for the first time takes the next number.
        let names = [&b"Commit"[..], b"Purge", b"Proposal"]
            .iter()
            .any(|name| payload.get(10..).is_some_and(|rest| rest.starts_with(name)));
        let highest = highest + u64::from(names);
        let mut made = log.get(..end).unwrap_or_default().to_vec();
        made.extend(self.frame(end, Numbers { sequence: sequence + 1, highest }, previous, payload));
        made.resize(made.len().max(log.len()), 0);
        made
    }
}

/// A log of 0.1 with these records.
pub fn old_log(payloads: &[Vec<u8>]) -> Vec<u8> {
    let (mut log, mut previous) = (Vec::new(), [0; 32]);
    for (payload, sequence) in payloads.iter().zip(1_u64..) {
        let body = [&sequence.to_le_bytes()[..], &previous, payload].concat();
        previous = Digest::of(&body).0;
        let length = short(payload.len()).to_le_bytes();
        log.extend([&length[..], &crc32(&body).to_le_bytes(), &body, &length, &[0xA5]].concat());
    }
    log
}

/// A log of today with these records, under any seal.
pub fn new_log(seal: &Seal, payloads: &[Vec<u8>]) -> Vec<u8> {
    payloads.iter().enumerate().fold(top(), |log, (keep, payload)| seal.with(&log, keep, payload))
}

/// The checksum of a frame.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// A length as the formats hold it; nothing made here is longer than that can be.
fn short(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_by_hand_is_what_it_should_be() {
        // Tag and checksum as another program reckoned them.
        let log = new_log(&Seal::wrong("0123456789abcdef0123456789abcdef"), &[vec![0xc0], note(), purge("x")]);
        let tag = Digest::parse("9ce3fbfd28c05f9f0363d329e98e692afa8540766d65a561da8d1ac41fc0e7da").unwrap();
        assert_eq!(log[TOP + 4..TOP + 8], 355239016_u32.to_le_bytes());
        assert_eq!(log[TOP + HEAD + 1..TOP + HEAD + 1 + TAG], tag.0);
        let all = frames(&log);
        let payloads: Vec<Vec<u8>> = all.iter().map(|frame| frame.payload.clone()).collect();
        assert_eq!(payloads, [vec![0xc0], note(), purge("x")]);
        assert_eq!(
            all.iter().map(|frame| (frame.sequence, frame.highest)).collect::<Vec<_>>(),
            [(1, 0), (2, 0), (3, 1)]
        );
        assert_eq!((all[1].previous, all[2].previous), (all[0].hash(), all[1].hash()));
    }
}

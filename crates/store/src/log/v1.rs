//! Logs of version 0.1, which had neither header nor tags. Nobody obeys them; `adopt` reads them, so that their history
//! can be taken over.
//!
//! ```text
//! u32 payload length │ u32 crc32 of all that follows up to the payload's end │ u64 sequence │
//! 32 bytes previous hash │ payload │ u32 payload length │ 0xA5
//! ```

use patchwright_core::digest::Digest;

const HEAD: usize = 4 + 4 + 8 + 32;
const TAIL: usize = 4 + 1;
const END_MARK: u8 = 0xA5;
const PAYLOAD_MAX: usize = 1 << 30;

/// What an old log holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OldLog {
    /// The encoded records, in order, with the offsets that they had.
    pub payloads: Vec<(u64, Vec<u8>)>,
    /// The hash of the last.
    pub head: Option<Digest>,
}

/// Reads an old log as far as its chain holds.
pub fn read(bytes: &[u8]) -> OldLog {
    let (mut log, mut at, mut head) = (OldLog::default(), 0, Digest([0; 32]));
    while let Some((payload, hash, length)) =
        bytes.get(at..).and_then(|rest| record(rest, log.payloads.len() as u64 + 1, head))
    {
        log.payloads.push((at as u64, payload.to_vec()));
        (head, at) = (hash, at + length);
        log.head = Some(head);
    }
    log
}

fn record(bytes: &[u8], sequence: u64, previous: Digest) -> Option<(&[u8], Digest, usize)> {
    let length = usize::try_from(u32::from_le_bytes(*bytes.first_chunk::<4>()?)).ok()?;
    let whole = (length > 0 && length <= PAYLOAD_MAX).then_some(HEAD + length + TAIL)?;
    let bytes = bytes.get(..whole)?;
    let body = bytes.get(8..HEAD + length)?;
    let crc = bytes.get(4..)?.first_chunk::<4>()?;
    let (number, rest) = body.split_first_chunk::<8>()?;
    let (before, payload) = rest.split_first_chunk::<32>()?;
    let right = crc32fast::hash(body) == u32::from_le_bytes(*crc)
        && u64::from_le_bytes(*number) == sequence
        && Digest(*before) == previous
        && bytes.get(HEAD + length..whole - 1) == bytes.get(..4)
        && bytes.last() == Some(&END_MARK);
    right.then(|| (payload, Digest::of(body), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sequence: u64, previous: Digest, payload: &[u8]) -> (Vec<u8>, Digest) {
        let mut body = sequence.to_le_bytes().to_vec();
        body.extend_from_slice(&previous.0);
        body.extend_from_slice(payload);
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        let bytes = [&length[..], &crc32fast::hash(&body).to_le_bytes(), &body, &length, &[END_MARK]].concat();
        (bytes, Digest::of(&body))
    }

    #[test]
    fn an_old_log_is_read_as_far_as_its_chain_holds() {
        let (one, head) = written(1, Digest([0; 32]), b"one");
        let (two, last) = written(2, head, b"two");
        let whole = [one.clone(), two.clone(), vec![0; 100]].concat();
        let log = read(&whole);
        assert_eq!(log.payloads, [(0, b"one".to_vec()), (one.len() as u64, b"two".to_vec())]);
        assert_eq!(log.head, Some(last));
        assert_eq!(read(&two), OldLog::default(), "a log that does not begin with its first record");
        for at in 0..one.len() {
            let mut bad = whole.clone();
            bad[at] ^= 1;
            assert_eq!(read(&bad).payloads.len(), 0, "byte {at}");
        }
    }
}

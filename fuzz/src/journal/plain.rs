//! The log's format read a second time, from its description alone.

use patchwright_core::digest::Digest;

/// A whole record.
pub(super) struct Frame {
    pub(super) sequence: u64,
    pub(super) previous: Digest,
    pub(super) payload: Vec<u8>,
    /// Its hash.
    pub(super) head: Digest,
    /// Where the next one begins.
    pub(super) end: usize,
}

/// The record that begins here, if it is whole.
pub(super) fn frame(bytes: &[u8], at: usize) -> Option<Frame> {
    let length = usize::try_from(number(bytes, at)?).ok().filter(|length| (1..=1 << 30).contains(length))?;
    let body = bytes.get(at + 8..at + 48 + length)?;
    let end = at + 53 + length;
    let closed = number(bytes, end - 5) == number(bytes, at) && bytes.get(end - 1) == Some(&0xA5);
    if !closed || number(bytes, at + 4) != Some(checksum(body)) {
        return None;
    }
    let (sequence, rest) = body.split_first_chunk::<8>()?;
    let (previous, payload) = rest.split_first_chunk::<32>()?;
    Some(Frame {
        sequence: u64::from_le_bytes(*sequence),
        previous: Digest(*previous),
        payload: payload.to_vec(),
        head: Digest::of(body),
        end,
    })
}

/// The records from the beginning on that are whole and follow on each other.
pub(super) fn chain(bytes: &[u8]) -> Vec<Frame> {
    let mut all: Vec<Frame> = Vec::new();
    loop {
        let (at, head) = all.last().map_or((0, Digest([0; 32])), |last| (last.end, last.head));
        match frame(bytes, at) {
            Some(next) if next.sequence == all.len() as u64 + 1 && next.previous == head => all.push(next),
            _ => return all,
        }
    }
}

/// A record as it is written.
pub(super) fn sealed(sequence: u64, previous: Digest, payload: &[u8]) -> Vec<u8> {
    let body = [&sequence.to_le_bytes()[..], &previous.0, payload].concat();
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes();
    [&length[..], &checksum(&body).to_le_bytes(), &body, &length, &[0xA5]].concat()
}

/// CRC-32 as in zip files, bit by bit.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_records_are_read() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        let first = sealed(1, Digest([0; 32]), b"x");
        let second = sealed(2, frame(&first, 0).unwrap().head, b"yy");
        let both = [first.clone(), second].concat();
        assert_eq!(chain(&both).len(), 2);
        assert_eq!(chain(&[first.clone(), first].concat()).len(), 1);
    }
}

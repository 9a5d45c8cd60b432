//! The log read a second time, from its description alone: which frames are records, and which are ours.

use patchwright_core::digest::Digest;
use patchwright_store::seal::{Id, Key, Seal};
use patchwright_testkit::frames::{self, FIRST, Frame, HEADER};

/// The key that a fake disk gives its first record, as only a test may have it.
pub(super) fn seal() -> Seal {
    Seal::new(Id::new(0), &Key([7; 32]))
}

/// The record that begins here, if it is whole and ours.
pub(super) fn record(bytes: &[u8], at: usize) -> Option<Frame> {
    frames::at(bytes, at).filter(|frame| seal().tag(at as u64, &frame.hash) == frame.tag)
}

/// The records from the beginning on that are ours and follow on each other.
pub(super) fn chain(bytes: &[u8]) -> Vec<Frame> {
    let mut all: Vec<Frame> = Vec::new();
    loop {
        let (at, next) = all.last().map_or((HEADER, FIRST), |last| (last.range.end, last.next()));
        match record(bytes, at) {
            Some(frame) if frame.slot.sequence == next.sequence && frame.slot.previous == next.previous => {
                all.push(frame);
            }
            _ => return all,
        }
    }
}

/// The hash of the last of these.
pub(super) fn head(frames: &[Frame]) -> Digest {
    frames.last().map_or(Digest([0; 32]), |last| last.hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_ours_at_their_own_place() {
        let framed =
            |at: u64, payload: &[u8]| frames::framed(&FIRST, payload, &seal().tag(at, &frames::hash(&FIRST, payload)));
        let log = [vec![0; HEADER], framed(32, b"x")].concat();
        assert_eq!((chain(&log).len(), head(&chain(&log))), (1, frames::hash(&FIRST, b"x")));
        assert_eq!(chain(&[vec![0; HEADER], framed(33, b"x")].concat()).len(), 0);
    }
}

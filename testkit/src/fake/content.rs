//! The bytes of one fake file, as they are now and as they would be after a power cut.
//!
//! Every byte knows whether it was written since the last sync. What a cut may leave follows from that:
//! synced bytes stay; the others are old, new or zero, and the length is any that the file has had.

use crate::dice::Dice;

/// How a byte stands with the disk below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Written since the last sync.
    Dirty,
    /// A sync of it failed: the system thinks it clean, but it may never have reached the disk.
    Stuck,
    /// On the disk.
    Clean,
}

/// What a power cut leaves of bytes that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tear {
    /// As at the last sync.
    Old,
    /// As the running system saw it.
    New,
    /// As short as the file ever was since.
    Short,
    /// The new length, but zeros where the new bytes should be.
    Zeros,
    /// New bytes up to some place.
    Prefix,
    /// Old, new and zero blocks side by side.
    Mixed,
}

/// The ways in which a cut may tear.
pub(crate) const TEARS: [Tear; 6] = [Tear::Old, Tear::New, Tear::Short, Tear::Zeros, Tear::Prefix, Tear::Mixed];

/// Bytes that are lost together: a sector, which disks write all or nothing of.
const BLOCK: usize = 512;

#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    live: Vec<u8>,
    marks: Vec<Mark>,
    durable: Vec<u8>,
    /// The least length since the last sync.
    low: usize,
    /// Has a sync of it ever failed?
    failed: bool,
}

impl Content {
    /// Bytes that are on the disk already.
    pub(crate) fn settled(bytes: Vec<u8>) -> Content {
        let (marks, low) = (vec![Mark::Clean; bytes.len()], bytes.len());
        Content { marks, low, durable: bytes.clone(), live: bytes, failed: false }
    }

    pub(crate) fn live(&self) -> &[u8] {
        &self.live
    }

    pub(crate) fn write_at(&mut self, offset: usize, bytes: &[u8]) {
        let end = offset.saturating_add(bytes.len());
        if end > self.live.len() {
            self.set_len(end);
        }
        if let (Some(place), Some(marks)) = (self.live.get_mut(offset..end), self.marks.get_mut(offset..end)) {
            place.copy_from_slice(bytes);
            marks.fill(Mark::Dirty);
        }
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.live.resize(len, 0);
        self.marks.resize(len, Mark::Dirty);
        self.low = self.low.min(len);
    }

    /// A sync went through. What an earlier failed sync swallowed does not come back.
    pub(crate) fn sync(&mut self) {
        let old = std::mem::replace(&mut self.durable, self.live.clone());
        self.low = self.live.len();
        if !self.failed {
            self.marks.fill(Mark::Clean);
            return;
        }
        for (at, (byte, mark)) in self.durable.iter_mut().zip(&mut self.marks).enumerate() {
            match mark {
                Mark::Stuck => *byte = byte_or_zero(&old, at),
                Mark::Dirty | Mark::Clean => *mark = Mark::Clean,
            }
        }
    }

    /// A sync failed: nothing more is on the disk for certain, and the system will not try again.
    pub(crate) fn sync_failed(&mut self) {
        self.failed = true;
        for mark in self.marks.iter_mut().filter(|mark| **mark == Mark::Dirty) {
            *mark = Mark::Stuck;
        }
    }

    /// Is every byte, and the length, on the disk?
    pub(crate) fn is_settled(&self) -> bool {
        !self.is_unsure() && !self.failed
    }

    /// Could a power cut leave anything but the bytes as they are?
    pub(crate) fn is_unsure(&self) -> bool {
        self.live != self.durable || self.low < self.durable.len()
    }

    /// What a power cut leaves.
    pub(crate) fn torn(&self, how: Tear, dice: &mut Dice) -> Vec<u8> {
        match how {
            Tear::Old => self.durable.clone(),
            Tear::New => self.live.clone(),
            Tear::Short => self.mixture(self.low, |_| false),
            Tear::Zeros => self.mixture(self.live.len(), |_| false),
            Tear::Prefix => self.prefix(dice),
            Tear::Mixed => {
                let lengths = [self.low, self.durable.len(), self.live.len()];
                let len = dice.pick(&lengths).copied().unwrap_or_default();
                let fresh: Vec<bool> = (0..=len / BLOCK).map(|_| dice.coin()).collect();
                self.mixture(len, |at| fresh.get(at / BLOCK).copied().unwrap_or_default())
            }
        }
    }

    /// New bytes up to a place, and behind it nothing, or what was there before.
    fn prefix(&self, dice: &mut Dice) -> Vec<u8> {
        let place = dice.below(self.live.len() + 1);
        let least = place.max(self.low);
        let len = if dice.coin() { least } else { least.max(self.durable.len()) };
        self.mixture(len, |at| at < place)
    }

    /// So many bytes: new where `fresh` says so, else old, and zero where there never were old ones.
    fn mixture(&self, len: usize, fresh: impl Fn(usize) -> bool) -> Vec<u8> {
        let one = |at: usize| match (self.live.get(at), self.marks.get(at)) {
            (Some(byte), Some(Mark::Clean)) => *byte,
            (Some(byte), _) if fresh(at) => *byte,
            _ => byte_or_zero(&self.durable, at),
        };
        (0..len).map(one).collect()
    }
}

fn byte_or_zero(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
}

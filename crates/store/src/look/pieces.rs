//! A file read in pieces that end between lines. The caller's thread reads them and hashes the whole; others hash
//! the lines meanwhile, and where they lag behind, the caller's does some of that too.
//!
//! Promises that all of it is of the same bytes, and that no more than a few pieces are held at a time. Knows only
//! text whose bytes are UTF-8, or nearly.

use super::kept::Kept;
use super::{LookProblem, Sight};
use crate::crew;
use crate::disk::Disk;
use patchwright_core::anchor::{LineHashes, Stretch, cut, first_line, last_filled};
use patchwright_core::digest::{Digest, Hasher};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

/// About so many bytes are read at a time. They should stay in a core's own cache.
const PIECE: usize = 256 * 1024;
/// From this size on other threads are worth their while.
const BIG: u64 = 2 << 20;
/// More helpers than this would wait for the one who reads.
const MOST_HELPERS: usize = 2;
/// So many pieces may lie with each helper.
const AHEAD: usize = 2;

/// A file, as far as it reached when it was looked at.
pub(super) struct Source<'a, D: Disk> {
    pub(super) disk: &'a D,
    pub(super) file: &'a D::File,
    pub(super) size: u64,
    pub(super) sight: &'a Sight<'a>,
}

/// What came out.
pub(super) struct Hashed {
    pub(super) hashes: LineHashes,
    pub(super) kept: Kept,
    pub(super) lossy: bool,
    pub(super) size: u64,
    pub(super) sha256: Digest,
    pub(super) last: Option<u8>,
}

/// Lines that stand together, and a bit of what follows.
#[derive(Default)]
struct Piece {
    number: usize,
    above: Vec<u8>,
    /// Longer than it is filled, so that it need not be cleared for the next piece.
    bytes: Vec<u8>,
    filled: usize,
    /// Where the lines end that are this piece's own. The first behind them is the next below.
    end: usize,
    hashes: LineHashes,
    lossy: bool,
}

impl Piece {
    fn text(&self) -> &[u8] {
        self.bytes.get(..self.end).unwrap_or_default()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.end..self.filled).unwrap_or_default()
    }

    fn filled(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    fn hash(&mut self) {
        let mut hashes = std::mem::take(&mut self.hashes);
        Stretch { above: &self.above, text: self.text(), below: first_line(self.rest()) }.add_to(&mut hashes);
        self.lossy = std::str::from_utf8(self.text()).is_err();
        self.hashes = hashes;
    }
}

/// Who reads.
pub(super) struct Reader<'a, D: Disk> {
    source: Source<'a, D>,
    /// The piece that is being filled.
    next: Piece,
    offset: u64,
    hasher: Hasher,
    spare: Vec<Piece>,
    ended: bool,
}

impl<'a, D: Disk> Reader<'a, D> {
    /// Reads the beginning.
    pub(super) fn new(source: Source<'a, D>) -> Result<Reader<'a, D>, LookProblem> {
        let room = usize::try_from(source.size).unwrap_or(PIECE).min(PIECE);
        let next = Piece { bytes: vec![0; room], ..Piece::default() };
        let mut reader = Reader { source, next, offset: 0, hasher: Hasher::default(), spare: Vec::new(), ended: false };
        reader.fill()?;
        Ok(reader)
    }

    /// What the file begins with.
    pub(super) fn head(&self) -> &[u8] {
        self.next.filled()
    }

    /// Hashes all lines behind a mark of so many bytes.
    pub(super) fn run(mut self, mark: usize, kept: Kept) -> Result<Hashed, LookProblem> {
        self.next.bytes.drain(..mark.min(self.next.filled));
        self.next.filled = self.next.filled.saturating_sub(mark);
        let mut sum =
            Sum { next: 0, waiting: BTreeMap::new(), hashes: LineHashes::default(), kept, lossy: false, last: None };
        if self.source.size < BIG || helpers() == 0 {
            while let Some(mut piece) = self.piece()? {
                piece.hash();
                sum.add(piece, &mut self.spare);
            }
        } else {
            self.share(&mut sum)?;
        }
        let Sum { hashes, kept, lossy, last, .. } = sum;
        Ok(Hashed { hashes, kept, lossy, size: self.offset, sha256: self.hasher.finish(), last })
    }

    fn share(&mut self, sum: &mut Sum) -> Result<(), LookProblem> {
        std::thread::scope(|scope| {
            let (give, given) = channel();
            let (done, back) = channel();
            let given = Mutex::new(given);
            let given = std::sync::Arc::new(given);
            let help = |_| {
                let (given, done) = (given.clone(), done.clone());
                // Where no thread can be had, the caller's own hands do.
                std::thread::Builder::new().spawn_scoped(scope, move || hash_all(&given, &done)).is_ok()
            };
            let hands = (0..helpers()).map(help).filter(|begun| *begun).count();
            drop(done);
            let mut away = 0_usize;
            while let Some(mut piece) = self.piece()? {
                if away < hands * AHEAD {
                    away += 1;
                    // They are there as long as something may come.
                    drop(give.send(piece));
                } else {
                    piece.hash();
                    sum.add(piece, &mut self.spare);
                }
                for piece in back.try_iter() {
                    away = away.saturating_sub(1);
                    sum.add(piece, &mut self.spare);
                }
            }
            drop(give);
            back.iter().for_each(|piece| sum.add(piece, &mut self.spare));
            Ok(())
        })
    }

    /// The next piece, not hashed yet.
    fn piece(&mut self) -> Result<Option<Piece>, LookProblem> {
        if self.next.filled == 0 && self.ended {
            return Ok(None);
        }
        let mut end = None;
        while !self.ended {
            end = cut(self.next.filled());
            if end.is_some() && self.next.filled * 2 > PIECE {
                break;
            }
            if !(self.source.sight.go_on)(self.offset) {
                return Err(LookProblem::Stopped);
            }
            if self.next.filled * 2 > self.next.bytes.len() {
                // A very long line, or very many blank ones.
                self.next.bytes.resize(self.next.bytes.len().saturating_mul(2).max(PIECE), 0);
            }
            self.fill()?;
        }
        self.next.end = if self.ended { self.next.filled } else { end.unwrap_or(self.next.filled) };
        let after = self.after();
        Ok(Some(std::mem::replace(&mut self.next, after)))
    }

    /// The piece that follows, so far.
    fn after(&mut self) -> Piece {
        let mut after = self.spare.pop().unwrap_or_default();
        let rest = self.next.rest();
        if after.bytes.len() < rest.len().max(PIECE) {
            after.bytes.resize(rest.len().saturating_mul(2).max(PIECE), 0);
        }
        if let Some(into) = after.bytes.get_mut(..rest.len()) {
            into.copy_from_slice(rest);
        }
        (after.filled, after.number) = (rest.len(), self.next.number + 1);
        after.above.clear();
        after.above.extend_from_slice(last_filled(self.next.text()).unwrap_or(&self.next.above));
        after
    }

    /// Reads as much as there is room for.
    fn fill(&mut self) -> Result<(), LookProblem> {
        let from = self.next.filled;
        let into = self.next.bytes.get_mut(from..).unwrap_or_default();
        let left = usize::try_from(self.source.size.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let into = match into.len() > left {
            true => into.get_mut(..left).unwrap_or_default(),
            false => into,
        };
        let count = self.source.disk.read_at(self.source.file, self.offset, into)?;
        self.hasher.update(into.get(..count).unwrap_or_default());
        self.next.filled += count;
        self.offset += count as u64;
        self.ended = count == 0 || self.offset >= self.source.size;
        Ok(())
    }
}

fn helpers() -> usize {
    crew::cores().saturating_sub(1).min(MOST_HELPERS)
}

fn hash_all(given: &Mutex<Receiver<Piece>>, done: &Sender<Piece>) {
    loop {
        let next = given.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut piece) = next else { return };
        piece.hash();
        drop(done.send(piece));
    }
}

/// All pieces so far, put together in order.
struct Sum {
    next: usize,
    /// Those that were done before others ahead of them.
    waiting: BTreeMap<usize, Piece>,
    hashes: LineHashes,
    kept: Kept,
    lossy: bool,
    last: Option<u8>,
}

impl Sum {
    fn add(&mut self, piece: Piece, spare: &mut Vec<Piece>) {
        self.waiting.insert(piece.number, piece);
        while let Some(mut piece) = self.waiting.remove(&self.next) {
            self.kept.see(piece.text(), self.hashes.count());
            self.hashes.append(&piece.hashes);
            self.lossy |= piece.lossy;
            self.last = piece.text().last().copied().or(self.last);
            self.next += 1;
            piece.hashes.clear();
            spare.push(piece);
        }
    }
}

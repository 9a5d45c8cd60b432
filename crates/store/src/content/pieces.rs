//! Writing bytes that come in pieces: small ones together, big ones as they are.
//!
//! Promises that bytes in one piece are one write, and that no big piece is copied.

use crate::disk::{Disk, Halt};
use patchwright_core::text::splice::Pieces;

/// Smaller pieces than this are put together first.
const SMALL: usize = 64 << 10;

/// Writes pieces into a new file.
pub(crate) fn write<D: Disk>(disk: &D, file: &D::File, pieces: &Pieces) -> Result<(), Halt> {
    let mut pen = Pen { disk, file, offset: 0 };
    let mut waiting = Vec::new();
    for piece in pieces.slices() {
        if piece.len() < SMALL && pieces.edit().is_some() {
            waiting.extend_from_slice(piece);
        } else {
            pen.flush(&mut waiting)?;
            pen.write(piece)?;
        }
        if waiting.len() >= SMALL {
            pen.flush(&mut waiting)?;
        }
    }
    pen.flush(&mut waiting)
}

struct Pen<'a, D: Disk> {
    disk: &'a D,
    file: &'a D::File,
    offset: u64,
}

impl<D: Disk> Pen<'_, D> {
    fn write(&mut self, piece: &[u8]) -> Result<(), Halt> {
        self.disk.write_at(self.file, self.offset, piece)?;
        self.offset = self.offset.saturating_add(piece.len() as u64);
        Ok(())
    }

    fn flush(&mut self, waiting: &mut Vec<u8>) -> Result<(), Halt> {
        if !waiting.is_empty() {
            self.write(waiting)?;
            waiting.clear();
        }
        Ok(())
    }
}

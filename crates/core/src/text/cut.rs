//! Where a reading stopped that was not to grow too long.

/// Where a text that was cut goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Read on from this line.
    GoOnAt(usize),
    /// Within this line, which alone is longer than the limit: ask for more bytes.
    InLine(usize),
}

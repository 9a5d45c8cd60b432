//! Why operations on anchored lines are refused: facts, without sentences.

use super::Kind;
use crate::anchor::{Quality, Shown};

/// One operation that cannot be carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationFault {
    /// Which operation of the call, from 0.
    pub index: usize,
    /// The field to blame.
    pub field: OperationField,
    /// The anchor in it, without its number; of an operation as a whole, its first.
    pub anchor: String,
    /// What is wrong.
    pub fault: AnchorFault,
}

/// A field of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationField {
    /// The anchor of an operation on one line.
    Hash,
    /// The first anchor of an operation on a range.
    StartHash,
    /// The last anchor of one.
    EndHash,
    /// What the caller says the lines are.
    Was,
    /// No field by itself: the operation as a whole.
    Op,
}

impl OperationField {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            OperationField::Hash => "hash",
            OperationField::StartHash => "start_hash",
            OperationField::EndHash => "end_hash",
            OperationField::Was => "was",
            OperationField::Op => "op",
        }
    }
}

/// What is wrong with an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum AnchorFault {
    /// No line has this anchor.
    Unknown(Unknown),
    /// Lines of the range are not those that the caller last saw there.
    RangeChanged {
        /// First line of the range as it is now.
        first: usize,
        /// Last line of it.
        last: usize,
    },
    /// Several lines have this anchor, and each has a longer form of its own.
    Ambiguous {
        /// All of them, or the first thousand.
        candidates: Vec<Candidate>,
        /// How many there are.
        count: usize,
    },
    /// Several lines have this anchor, and some have no form of their own; or it is an end of a range.
    ContextAmbiguous {
        /// All of them, or the first thousand.
        candidates: Vec<Candidate>,
        /// How many there are.
        count: usize,
    },
    /// There are not so many lines with this anchor.
    NoSuchOccurrence {
        /// Which was asked for.
        asked: usize,
        /// All of them, or the first thousand.
        candidates: Vec<Candidate>,
        /// How many there are.
        count: usize,
    },
    /// The line number that came with the anchor is another line's, and the file has not changed since it
    /// was read.
    LineDisagrees {
        /// The number that came.
        said: usize,
        /// The line that has the anchor.
        found: Candidate,
        /// What stands under the number that came, if that is a line.
        there: Option<Candidate>,
    },
    /// The line that has the anchor does not say what the caller says it is.
    WasDiffers {
        /// What the caller says, cut when it is long.
        said: String,
        /// The line that has the anchor; of a range, the first one that differs. Not told of the fiftieth fault on.
        found: Option<Candidate>,
        /// Can that line be quoted at all, or does it hold bytes that are no text?
        quotable: bool,
        /// The lines that do say so, the first few.
        candidates: Vec<Candidate>,
        /// How many there are.
        count: usize,
        /// The lines of a range.
        range: Option<WasRange>,
    },
    /// Several lines were quoted, and the operation touches another number of them.
    WasLength {
        /// How many lines were quoted.
        quoted: usize,
        /// The lines that it touches.
        lines: (usize, usize),
    },
    /// The line has no letter and no digit.
    LowEntropy {
        /// The line.
        line: usize,
        /// What it says.
        content: String,
        /// Better anchors nearby.
        neighbours: Vec<Candidate>,
    },
    /// Somebody else changed the file, and which of several equal lines was meant is open since.
    EqualsMoved {
        /// The line that now has the place that was named.
        line: usize,
        /// How many equal lines there are.
        count: usize,
    },
    /// Both ends of a range are one line.
    OneLineRange {
        /// The line.
        line: usize,
        /// How good an anchor it is.
        quality: Quality,
    },
    /// It wants lines that another operation wants too.
    Overlap {
        /// The other operation, from 0.
        other: usize,
        /// The lines that this one wants; of an insert, the lines it would part.
        lines: (usize, usize),
        /// The lines that the other wants.
        other_lines: (usize, usize),
    },
}

/// A range whose lines do not say what was quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WasRange {
    /// Its first line.
    pub first: usize,
    /// Its last line.
    pub last: usize,
    /// How many lines were quoted.
    pub quoted: usize,
    /// Were its ends given in the other order?
    pub swapped: bool,
}

/// Why no line has an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// None has this hash.
    Hash,
    /// So many lines share the hash now, not as many as the anchor says.
    Places(usize),
    /// None has this hash, and the file is not valid text in the charset that it was taken for.
    Charset,
    /// There are no lines at all.
    EmptyFile,
}

/// A line that an anchor may mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its anchor, which no other line has.
    pub shown: Shown,
    /// What it says, cut when it is long.
    pub preview: String,
}

impl AnchorFault {
    /// The kind on the wire.
    pub fn kind(&self) -> Kind {
        match self {
            AnchorFault::Unknown(_) | AnchorFault::RangeChanged { .. } | AnchorFault::EqualsMoved { .. } => {
                Kind::AnchorStale
            }
            AnchorFault::Ambiguous { .. }
            | AnchorFault::NoSuchOccurrence { .. }
            | AnchorFault::LineDisagrees { .. }
            | AnchorFault::WasDiffers { .. }
            | AnchorFault::WasLength { .. } => Kind::AnchorAmbiguous,
            AnchorFault::ContextAmbiguous { .. } => Kind::AnchorContextAmbiguous,
            AnchorFault::LowEntropy { .. } => Kind::AnchorLowEntropy,
            AnchorFault::OneLineRange { .. } => Kind::InvalidRangeOrder,
            AnchorFault::Overlap { .. } => Kind::OverlappingOperations,
        }
    }
}

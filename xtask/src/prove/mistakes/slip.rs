//! The slips by name, who can make them in which dialect, and how a tool should refuse them.

use super::ask::Dialect;
use Dialect::{Anchors, Envelope, Lines, Strings, Unified, Whole};

/// A typical mistake, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slip {
    /// No slip: the edit as it was meant.
    Clean,
    NumbersOff,
    /// Somebody made another change of the same step meanwhile.
    Stale,
    TrailingBlanks,
    Tabs,
    Dedent,
    /// The place stands twice, and the number points at the other one.
    WrongCopy,
    Skipped,
    Hallucinated,
    /// A word too, but in the new text: nobody can tell.
    HallucinatedNew,
    Replay,
    Quotes,
    /// A file with CRLF, an edit with LF: no mistake, but a trap.
    CrlfFile,
    /// Another trap.
    NoFinalNewline,
    Cut,
    OutOfOrder,
    /// The number of one line, the anchor of the next.
    Neighbour,
    /// Somebody changed a line that the edit replaces.
    ForeignInside,
    Fence,
    LostPrefix,
}

pub(super) const SLIPS: &[Slip] = &[
    Slip::Clean,
    Slip::NumbersOff,
    Slip::Stale,
    Slip::TrailingBlanks,
    Slip::Tabs,
    Slip::Dedent,
    Slip::WrongCopy,
    Slip::Skipped,
    Slip::Hallucinated,
    Slip::HallucinatedNew,
    Slip::Replay,
    Slip::Quotes,
    Slip::CrlfFile,
    Slip::NoFinalNewline,
    Slip::Cut,
    Slip::OutOfOrder,
    Slip::Neighbour,
    Slip::ForeignInside,
    Slip::Fence,
    Slip::LostPrefix,
];

impl Slip {
    pub(super) fn name(self) -> &'static str {
        match self {
            Slip::Clean => "(clean edit)",
            Slip::NumbersOff => "line numbers off",
            Slip::Stale => "stale by a real change",
            Slip::TrailingBlanks => "trailing blanks",
            Slip::Tabs => "tabs for spaces",
            Slip::Dedent => "uniform dedent",
            Slip::WrongCopy => "hint at the wrong copy",
            Slip::Skipped => "context line skipped",
            Slip::Hallucinated => "word hallucinated",
            Slip::HallucinatedNew => "the same in new text",
            Slip::Replay => "replay of an applied edit",
            Slip::Quotes => "typographic quotes",
            Slip::CrlfFile => "CRLF file, LF edit",
            Slip::NoFinalNewline => "no final newline",
            Slip::Cut => "output cut at 70 %",
            Slip::OutOfOrder => "hunks out of order",
            Slip::Neighbour => "the neighbour's anchor",
            Slip::ForeignInside => "foreign change inside",
            Slip::Fence => "fence around the patch",
            Slip::LostPrefix => "lost prefix spaces",
        }
    }

    /// Can it be made in this dialect?
    pub(super) fn speaks(self, dialect: Dialect) -> bool {
        match self {
            Slip::Clean | Slip::Stale | Slip::HallucinatedNew | Slip::Replay => true,
            Slip::CrlfFile | Slip::NoFinalNewline | Slip::Cut | Slip::ForeignInside | Slip::Hallucinated => true,
            Slip::Tabs | Slip::Dedent | Slip::Quotes => dialect != Whole,
            Slip::OutOfOrder | Slip::WrongCopy => dialect != Whole,
            Slip::NumbersOff => matches!(dialect, Envelope | Anchors | Lines | Unified),
            Slip::TrailingBlanks | Slip::Skipped => matches!(dialect, Envelope | Strings | Lines | Unified),
            Slip::Neighbour => dialect == Anchors,
            Slip::Fence => dialect != Anchors && dialect != Lines,
            Slip::LostPrefix => matches!(dialect, Envelope | Unified),
        }
    }

    /// The kinds of refusal that tell the caller what is the matter.
    pub(super) fn kinds(self, dialect: Dialect) -> &'static [&'static str] {
        match (dialect, self) {
            (_, Slip::Clean | Slip::CrlfFile | Slip::NoFinalNewline) => &[],
            (Envelope, Slip::WrongCopy) => &["multiple_matches"],
            (Envelope, Slip::Cut | Slip::Fence) => &["patch_parse_error"],
            (Envelope, Slip::LostPrefix) => &["patch_parse_error", "patch_apply_error"],
            (Envelope, Slip::Stale | Slip::Replay | Slip::ForeignInside) => {
                &["stale_file", "patch_apply_error", "multiple_matches"]
            }
            (Envelope, Slip::NumbersOff | Slip::OutOfOrder) => &[],
            (Envelope, _) => &["patch_apply_error"],
            (Strings, Slip::WrongCopy) => &["multiple_matches"],
            (Strings, Slip::Stale | Slip::Replay | Slip::ForeignInside) => &["stale_file", "old_text_not_found"],
            (Strings, Slip::OutOfOrder) => &[],
            (Strings, _) => &["old_text_not_found"],
            (Lines, Slip::Stale | Slip::Replay | Slip::ForeignInside) => &["stale_file"],
            (Lines, Slip::NumbersOff) => &["conflict", "invalid_arguments"],
            (Lines, Slip::OutOfOrder) => &["invalid_arguments"],
            (Lines, _) => &["conflict"],
            (Whole, _) => &["stale_file"],
            (Anchors, Slip::NumbersOff) => &["anchor_ambiguous"],
            (Anchors, Slip::WrongCopy) => &["anchor_ambiguous", "anchor_context_ambiguous"],
            (Anchors, Slip::Hallucinated) => &["anchor_stale"],
            (Anchors, Slip::Neighbour) => &["anchor_ambiguous", "overlapping_operations", "invalid_range_order"],
            (Anchors, Slip::Stale | Slip::Replay | Slip::ForeignInside) => {
                &["anchor_stale", "anchor_ambiguous", "anchor_context_ambiguous", "stale_file", "safety_check_failed"]
            }
            (Anchors, _) => &["safety_check_failed"],
            (Unified, _) => &[],
        }
    }
}

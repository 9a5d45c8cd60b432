//! The slips by name, who can make them in which dialect, and how a tool should refuse them.

use super::ask::Dialect;
use Dialect::{Anchors, BareAnchors, BareLines, Diff, Envelope, Lines, Scopes, Strings, Unified, Whole};

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
    /// A call that says two things at once; made of clean ones by `odd`.
    Contrary,
    /// A diff's `@@` that counts wrongly.
    Miscounted,
    /// The header of another block.
    OtherScope,
    /// The next line's anchor, number and all.
    NextLine,
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
    Slip::Contrary,
    Slip::Miscounted,
    Slip::OtherScope,
    Slip::NextLine,
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
            Slip::Contrary => "said twice, differently",
            Slip::Miscounted => "lines miscounted",
            Slip::OtherScope => "header of another block",
            Slip::NextLine => "the next line named",
        }
    }

    /// Is only what the call brings other than it was meant, in a place that it names rightly? Calls that were cut are
    /// such where a lenient reader closes what is open; our doors refuse them.
    pub(super) fn is_of_new_text(self) -> bool {
        matches!(self, Slip::HallucinatedNew | Slip::Cut)
    }

    /// Can it be made in this dialect?
    pub(super) fn speaks(self, dialect: Dialect) -> bool {
        let dialect = dialect.root();
        match self {
            Slip::Clean | Slip::Stale | Slip::HallucinatedNew | Slip::Replay => true,
            Slip::CrlfFile | Slip::NoFinalNewline | Slip::Cut | Slip::ForeignInside | Slip::Hallucinated => true,
            Slip::Tabs | Slip::Dedent | Slip::Quotes => dialect != Whole,
            Slip::OutOfOrder => dialect != Whole,
            Slip::WrongCopy => dialect != Whole && dialect != Scopes,
            Slip::NumbersOff => matches!(dialect, Envelope | Anchors | Lines | Unified | Diff),
            Slip::TrailingBlanks => dialect != Whole,
            Slip::Skipped => dialect != Whole && dialect != Anchors,
            Slip::Neighbour | Slip::NextLine => dialect == Anchors,
            Slip::Fence => dialect != Anchors && dialect != Lines,
            Slip::LostPrefix => matches!(dialect, Envelope | Unified | Diff | Scopes),
            Slip::Miscounted => dialect == Diff,
            Slip::OtherScope => dialect == Scopes,
            Slip::Contrary => false,
        }
    }

    /// The kinds of refusal that tell the caller what is the matter.
    pub(super) fn kinds(self, dialect: Dialect) -> &'static [&'static str] {
        // One tool reads all of these.
        let dialect = if matches!(dialect, Diff | Scopes) { Envelope } else { dialect.root() };
        match (dialect, self) {
            (_, Slip::Miscounted) => &["patch_parse_error"],
            (_, Slip::OtherScope) => &["patch_apply_error", "multiple_matches"],
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
            (Lines, Slip::WrongCopy) => &["multiple_matches", "conflict"],
            (Lines, _) => &["conflict"],
            (Whole, _) => &["stale_file"],
            (Anchors, Slip::NumbersOff) => &["anchor_ambiguous"],
            (Anchors, Slip::WrongCopy) => &["anchor_ambiguous", "anchor_context_ambiguous"],
            (Anchors, Slip::Hallucinated) => &["anchor_stale"],
            (Anchors, Slip::Neighbour | Slip::NextLine) => {
                &["anchor_ambiguous", "overlapping_operations", "invalid_range_order", "safety_check_failed"]
            }
            (Anchors, Slip::Stale | Slip::Replay | Slip::ForeignInside) => {
                &["anchor_stale", "anchor_ambiguous", "anchor_context_ambiguous", "stale_file", "safety_check_failed"]
            }
            (Anchors, _) => &["safety_check_failed", "anchor_ambiguous"],
            (Unified | Diff | Scopes | BareAnchors | BareLines, _) => &[],
        }
    }
}

//! What a text file is like beside the text of its lines.

use patchwright_core::refusal::FormChange;
use patchwright_core::text::{Document, LineIndex, NewlineStyle, final_newline};

/// Line ends, the end of the last line, and the byte-order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) ends: NewlineStyle,
    pub(crate) final_newline: bool,
    pub(crate) has_mark: bool,
}

impl Form {
    pub(crate) fn of(text: &Document<'_>) -> Form {
        Form {
            ends: LineIndex::of(text.text()).census().style(),
            final_newline: final_newline(text.text()),
            has_mark: text.has_mark(),
        }
    }

    /// What is different in a later version.
    pub(crate) fn changes(self, now: Form) -> Vec<FormChange> {
        // Where no line is ended, the lines themselves or the final newline tell.
        let ended = self.ends != NewlineStyle::None && now.ends != NewlineStyle::None;
        let ends = (ended && self.ends != now.ends).then_some(FormChange::LineEnds(self.ends, now.ends));
        let newline = match (self.final_newline, now.final_newline) {
            (false, true) => Some(FormChange::FinalNewlineCame),
            (true, false) => Some(FormChange::FinalNewlineWent),
            _ => None,
        };
        let mark = match (self.has_mark, now.has_mark) {
            (false, true) => Some(FormChange::MarkCame),
            (true, false) => Some(FormChange::MarkWent),
            _ => None,
        };
        [ends, newline, mark].into_iter().flatten().collect()
    }
}

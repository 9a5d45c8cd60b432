//! The `***` lines of an envelope, told apart by their words alone.
//!
//! Leaves the paths behind the words to `parse`, and the places where each may stand too.

/// A line that begins with `***` and a known word; with what follows its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stars<'t> {
    Begin,
    End,
    Add(&'t str),
    Update(&'t str),
    Delete(&'t str),
    Move(&'t str),
    MoveTo(&'t str),
    EndOfFile,
}

pub(super) const BEGIN: &str = "*** Begin Patch";
pub(super) const END: &str = "*** End Patch";
pub(super) const ADD: &str = "*** Add File:";
pub(super) const UPDATE: &str = "*** Update File:";
pub(super) const DELETE: &str = "*** Delete File:";
pub(super) const MOVE: &str = "*** Move File:";
pub(super) const MOVE_TO: &str = "*** Move to:";
pub(super) const END_OF_FILE: &str = "*** End of File";

impl<'t> Stars<'t> {
    pub(super) fn of(line: &'t str) -> Option<Self> {
        match line {
            BEGIN => return Some(Stars::Begin),
            END => return Some(Stars::End),
            END_OF_FILE => return Some(Stars::EndOfFile),
            _ => {}
        }
        let after = |word: &str| line.strip_prefix(word);
        after(ADD)
            .map(Stars::Add)
            .or_else(|| after(UPDATE).map(Stars::Update))
            .or_else(|| after(DELETE).map(Stars::Delete))
            .or_else(|| after(MOVE).map(Stars::Move))
            .or_else(|| after(MOVE_TO).map(Stars::MoveTo))
    }

    /// Whether the section above ends here.
    pub(super) fn is_boundary(self) -> bool {
        match self {
            Stars::End | Stars::Add(_) | Stars::Update(_) | Stars::Delete(_) | Stars::Move(_) => true,
            Stars::Begin | Stars::MoveTo(_) | Stars::EndOfFile => false,
        }
    }
}

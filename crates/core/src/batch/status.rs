//! Where a batch stands.

/// Where a batch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchStatus {
    /// Stored for review.
    Proposed,
    /// Carried out.
    Applied,
    /// Dropped.
    Rejected,
    /// The files are not what it was made for.
    Conflicted,
    /// Taken back.
    Undone,
}

impl BatchStatus {
    /// Every status.
    pub const ALL: [BatchStatus; 5] = [
        BatchStatus::Proposed,
        BatchStatus::Applied,
        BatchStatus::Rejected,
        BatchStatus::Conflicted,
        BatchStatus::Undone,
    ];

    /// The word on the wire and in the index.
    pub fn name(self) -> &'static str {
        match self {
            BatchStatus::Proposed => "proposed",
            BatchStatus::Applied => "applied",
            BatchStatus::Rejected => "rejected",
            BatchStatus::Conflicted => "conflicted",
            BatchStatus::Undone => "undone",
        }
    }

    /// The status of this name.
    pub fn named(word: &str) -> Option<BatchStatus> {
        BatchStatus::ALL.into_iter().find(|status| status.name() == word)
    }
}

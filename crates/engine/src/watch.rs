//! How a long call is followed and called off by whoever made it.

/// Told of progress, and asked whether to go on.
pub trait Watch: Sync {
    /// Has the caller withdrawn? Asked between steps, and never once a commit has begun.
    fn cancelled(&self) -> bool {
        false
    }

    /// So many of so many steps are done; the whole is unknown while walking a tree.
    fn progress(&self, _done: u64, _total: Option<u64>) {}
}

/// Nobody watches.
pub struct Quiet;

impl Watch for Quiet {}

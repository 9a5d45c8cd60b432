//! Two kinds of bad news: a promise that was broken, which is what a suite looks for, and a harness that cannot go on.

use crate::failure::Failure;

/// Why a trial did not end well.
pub(super) enum Wrong {
    /// What was found.
    Broken(String),
    /// We could not look.
    Failed(Failure),
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Failed(failure)
    }
}

impl From<String> for Wrong {
    fn from(what: String) -> Wrong {
        Wrong::Broken(what)
    }
}

impl Wrong {
    /// Where nobody has interfered, a broken promise means that we asked for something else than we thought.
    pub(super) fn into_failure(self) -> Failure {
        match self {
            Wrong::Broken(what) => Failure::new(what, "look at the workload"),
            Wrong::Failed(failure) => failure,
        }
    }
}

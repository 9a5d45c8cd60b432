//! Calling off what takes long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls off the calls that were made with it; see [`Session::cancel_with`](crate::Session::cancel_with).
///
/// Clones are one token. A call looks at it between steps, and ends with
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) and nothing changed; once a commit has begun, it ends.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that has not been used.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Calls off whatever runs with this token, and whatever is begun with it later.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Was it used?
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

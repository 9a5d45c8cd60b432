//! MCP door: what is under way. The transport asks before it stops to wait for input, and before it
//! says goodbye; the handler tells when a call leaves for a thread of its own.

use rmcp::model::RequestId;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Requests not yet answered, and calls that run elsewhere.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    open: Mutex<HashSet<RequestId>>,
    away: AtomicUsize,
}

/// How busy the connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Nothing is under way.
    Idle,
    /// Requests wait for this very thread.
    Here,
    /// A call runs on another thread.
    Away,
}

impl Traffic {
    /// How busy the connection is.
    pub(super) fn pace(&self) -> Pace {
        if self.away.load(Ordering::Acquire) > 0 {
            Pace::Away
        } else if self.open().is_empty() {
            Pace::Idle
        } else {
            Pace::Here
        }
    }

    /// A request came in.
    pub(super) fn begin(&self, id: RequestId) {
        self.open().insert(id);
    }

    /// It was answered, or its caller withdrew it.
    pub(super) fn end(&self, id: &RequestId) {
        self.open().remove(id);
    }

    /// A call leaves for another thread, until the pass is dropped.
    pub(super) fn leave(self: &Arc<Self>) -> Pass {
        self.away.fetch_add(1, Ordering::AcqRel);
        Pass(Arc::clone(self))
    }

    fn open(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Held while a call runs on another thread.
#[derive(Debug)]
pub(super) struct Pass(Arc<Traffic>);

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.away.fetch_sub(1, Ordering::AcqRel);
    }
}

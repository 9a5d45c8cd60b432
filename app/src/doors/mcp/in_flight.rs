//! MCP door: what is under way. The transport asks before it stops to wait for input, and before it
//! says goodbye; the handler tells when a call leaves for a thread of its own.

use rmcp::model::RequestId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// While requests of more bytes than this are under way, no more are taken in: their arguments are held in memory until
/// they are answered. As much as one request may have by default.
pub(super) const UNANSWERED: usize = 64 << 20;

/// Requests not yet answered, and calls that run elsewhere.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    open: Mutex<HashMap<RequestId, usize>>,
    /// The bytes of all of these.
    bytes: AtomicUsize,
    fewer: Notify,
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

impl InFlight {
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

    /// A request of so many bytes came in.
    pub(super) fn begin(&self, id: RequestId, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::AcqRel);
        let before = self.open().insert(id, bytes);
        self.bytes.fetch_sub(before.unwrap_or(0), Ordering::AcqRel);
    }

    /// It was answered, or its caller withdrew it.
    pub(super) fn end(&self, id: &RequestId) {
        let bytes = self.open().remove(id);
        self.bytes.fetch_sub(bytes.unwrap_or(0), Ordering::AcqRel);
        self.fewer.notify_waiters();
    }

    /// Waits until enough of what came in is answered.
    pub(super) async fn until_room(&self) {
        loop {
            let fewer = self.fewer.notified();
            tokio::pin!(fewer);
            // From here on no news is missed.
            fewer.as_mut().enable();
            if self.bytes.load(Ordering::Acquire) <= UNANSWERED {
                return;
            }
            fewer.await;
        }
    }

    /// A call leaves for another thread, until the pass is dropped.
    pub(super) fn leave(self: &Arc<Self>) -> Pass {
        self.away.fetch_add(1, Ordering::AcqRel);
        Pass(Arc::clone(self))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<RequestId, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Held while a call runs on another thread.
#[derive(Debug)]
pub(super) struct Pass(Arc<InFlight>);

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.away.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    #[test]
    fn what_is_not_answered_yet_is_waited_for() {
        let in_flight = InFlight::default();
        let is_free = || pin!(in_flight.until_room()).poll(&mut Context::from_waker(Waker::noop())).is_ready();
        let id = RequestId::Number;
        in_flight.begin(id(1), UNANSWERED);
        // A client that uses an id twice is counted once, as it will be answered once.
        in_flight.begin(id(1), UNANSWERED);
        assert!(is_free());
        in_flight.begin(id(2), 1);
        assert!(!is_free());
        in_flight.end(&id(2));
        in_flight.end(&id(2));
        assert!(is_free());
        in_flight.end(&id(1));
        assert_eq!((in_flight.pace(), in_flight.bytes.load(Ordering::Acquire)), (Pace::Idle, 0));
    }
}

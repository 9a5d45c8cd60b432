//! MCP door: how a call is followed by the client that made it: cancelled, told of its progress, and
//! for quick looks, given up when they turn out not to be quick.

use patchwright::Watch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a look may hold up the connection.
const QUICK: Duration = Duration::from_millis(4);

/// Steps done, and the whole if it is known.
pub(super) type Progress = (u64, Option<u64>);

/// Follows a call on its own thread.
pub(super) struct Followed<C> {
    /// Has the client withdrawn?
    pub(super) withdrawn: C,
    /// Where progress goes. Only the newest counts, so a slow client holds up nothing.
    pub(super) progress: watch::Sender<Progress>,
}

impl<C: Fn() -> bool + Sync> Watch for Followed<C> {
    fn cancelled(&self) -> bool {
        (self.withdrawn)()
    }

    fn progress(&self, done: u64, total: Option<u64>) {
        self.progress.send_replace((done, total));
    }
}

/// Follows a look on the connection's own thread, and gives it up when it takes too long.
pub(super) struct Hasty {
    until: Instant,
    given_up: AtomicBool,
}

impl Hasty {
    pub(super) fn new() -> Hasty {
        Hasty { until: Instant::now() + QUICK, given_up: AtomicBool::new(false) }
    }

    /// Was the look given up, and must it be done again elsewhere?
    pub(super) fn gave_up(&self) -> bool {
        self.given_up.load(Ordering::Acquire)
    }
}

impl Watch for Hasty {
    fn cancelled(&self) -> bool {
        let late = Instant::now() >= self.until;
        if late {
            self.given_up.store(true, Ordering::Release);
        }
        late
    }
}

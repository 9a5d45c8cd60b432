//! MCP door: how a call is followed by the client that made it: cancelled, told of its progress, and
//! for quick looks, given up when they turn out not to be quick.

use patchwright_engine::Watch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a look may hold up the connection.
const QUICK: Duration = Duration::from_millis(4);

/// How far a call is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Steps done.
    pub(super) done: u64,
    /// All of them, if that is known.
    pub(super) total: Option<u64>,
}

/// How often a client is told of progress, at most.
const EVERY: Duration = Duration::from_millis(100);

/// What of all the progress is worth telling: not too often, and never backwards.
#[derive(Debug, Default)]
pub(super) struct News {
    told: Option<(Instant, u64)>,
}

impl News {
    /// Is `done` news at this moment? Then it counts as told.
    pub(super) fn is_worth_telling(&mut self, now: Instant, done: u64) -> bool {
        let worth = self.told.is_none_or(|(at, before)| done > before && now.saturating_duration_since(at) >= EVERY);
        if worth {
            self.told = Some((now, done));
        }
        worth
    }
}

/// Follows a call on its own thread.
pub(super) struct Followed<C> {
    /// Has the client withdrawn?
    pub(super) withdrawn: C,
    /// When the client's message came.
    pub(super) came: Instant,
    /// Where progress goes. Only the newest counts, so a slow client holds up nothing.
    pub(super) progress: watch::Sender<Progress>,
}

impl<C: Fn() -> bool + Sync> Watch for Followed<C> {
    fn cancelled(&self) -> bool {
        (self.withdrawn)()
    }

    fn progress(&self, done: u64, total: Option<u64>) {
        self.progress.send_replace(Progress { done, total });
    }

    fn came(&self) -> Option<Instant> {
        Some(self.came)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(steps: &[(u64, u64, bool)]) {
        let (start, mut news) = (Instant::now(), News::default());
        for (millis, done, want) in steps {
            let now = start + Duration::from_millis(*millis);
            assert_eq!(news.is_worth_telling(now, *done), *want, "{done} at {millis}");
        }
    }

    #[test]
    fn progress_is_told_seldom_and_forwards() {
        check(&[(0, 1, true), (50, 2, false), (100, 3, true), (300, 3, false), (301, 2, false), (302, 4, true)]);
        check(&[(0, 0, true), (99, 9, false), (200, 10, true), (100, 20, false)]);
    }
}

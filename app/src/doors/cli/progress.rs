//! CLI door: what takes long is told on a terminal's standard error, after half a second, and erased when it is over.

use crate::report::people::who::who;
use patchwright_core::refusal::Holder;
use patchwright_engine::{Doing, Observer};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is shown of what takes less.
const PATIENCE: Duration = Duration::from_millis(500);
/// A line is not written again sooner than this.
const PACE: Duration = Duration::from_millis(100);

/// Tells a terminal what is under way.
pub struct Progress {
    state: Mutex<State>,
    now: fn() -> Instant,
}

struct State {
    out: Box<dyn Write + Send>,
    begun: Option<Instant>,
    written: Option<Instant>,
}

impl Progress {
    /// Onto this terminal, by this clock.
    pub fn new(out: Box<dyn Write + Send>, now: fn() -> Instant) -> Progress {
        Progress { state: Mutex::new(State { out, begun: None, written: None }), now }
    }
}

impl Observer for Progress {
    fn doing(&self, what: Doing, done: u64, total: Option<u64>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.now)();
        let begun = *state.begun.get_or_insert(now);
        let soon = state.written.is_some_and(|written| now.duration_since(written) < PACE);
        if now.duration_since(begun) < PATIENCE || soon {
            return;
        }
        state.written = Some(now);
        // Whoever cannot be told is not told.
        let _written = write!(state.out, "\r\u{1b}[K{}", line(&what, done, total)).and_then(|()| state.out.flush());
    }

    fn done(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.begun = None;
        if state.written.take().is_some() {
            let _written = write!(state.out, "\r\u{1b}[K").and_then(|()| state.out.flush());
        }
    }
}

/// One line, which fits any terminal.
fn line(what: &Doing, done: u64, total: Option<u64>) -> String {
    let share = || match total.filter(|total| *total > 0) {
        Some(total) => format!(" {} %", done.saturating_mul(100) / total),
        None => format!(" {done}"),
    };
    match what {
        Doing::CheckingRecord => format!("Checking the record…{}", share()),
        Doing::CheckingKeptFiles => format!("Checking kept files…{}", share()),
        Doing::BuildingIndex => format!("Building the index…{}", share()),
        Doing::Checkpoint => format!("Making a checkpoint…{}", share()),
        Doing::Adopting => format!("Taking the record over…{}", share()),
        Doing::Waiting { for_whom } => {
            format!("Waiting for {}…", for_whom.as_ref().map_or_else(|| "another program".to_owned(), holder))
        }
    }
}

fn holder(holder: &Holder) -> String {
    match &holder.client {
        Some(client) => format!("{} (process {})", who(client, None), holder.pid),
        None => format!("process {}", holder.pid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::Arc;

    thread_local! {
        static PASSED: Cell<u64> = const { Cell::new(0) };
        static START: Instant = Instant::now();
    }

    fn clock() -> Instant {
        START.with(|start| *start + Duration::from_millis(PASSED.get()))
    }

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_what_takes_long_is_told() {
        let kept = Kept::default();
        let progress = Progress::new(Box::new(kept.clone()), clock);
        let told = || String::from_utf8(std::mem::take(&mut *kept.0.lock().unwrap())).unwrap();
        for (at, done, want) in
            [(0, 1, ""), (400, 10, ""), (600, 50, "\r\u{1b}[KChecking the record… 50 %"), (650, 60, "")]
        {
            PASSED.set(at);
            progress.doing(Doing::CheckingRecord, done, Some(100));
            assert_eq!(told(), want, "{at}");
        }
        progress.done();
        assert_eq!(told(), "\r\u{1b}[K", "and erased");
        progress.doing(Doing::BuildingIndex, 1, None);
        progress.done();
        assert_eq!(told(), "");
    }

    #[test]
    fn whom_one_waits_for() {
        let waiting = |for_whom| line(&Doing::Waiting { for_whom }, 1, None);
        assert_eq!(waiting(None), "Waiting for another program…");
        let codex = Holder { pid: 7, since_ns: None, client: Some("codex-mcp-client/1".to_owned()) };
        assert_eq!(waiting(Some(codex)), "Waiting for codex (process 7)…");
    }
}

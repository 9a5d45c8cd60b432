//! What the writers have done so far, for whoever stops and kills them.
//!
//! A process number is on the board only while its process cannot have been waited for: it is taken off before, under
//! the same lock under which signals are sent.

use super::process::Process;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Less than a caller is patient: so it is here that a standstill is noticed.
const PATIENCE: Duration = Duration::from_secs(40);

/// All writers, by number.
pub(super) struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    is_over: bool,
    writers: Vec<Status>,
}

/// Where one writer stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// Its server, while there is one.
    pub(super) process: Option<Process>,
    /// Its server was killed from outside: the next missing answer is no fault.
    killed: bool,
    /// It came upon something that must not be, and does no more.
    failed: bool,
    pub(super) done: usize,
    pub(super) busy: usize,
}

/// What a writer was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answered {
    Done,
    Busy,
    /// Nothing: its server was killed.
    Nothing,
}

impl Board {
    pub(super) fn new(writers: usize) -> Board {
        let state = State { is_over: false, writers: vec![Status::default(); writers] };
        Board { state: Mutex::new(state), changed: Condvar::new() }
    }

    // For the writers.

    pub(super) fn is_over(&self) -> bool {
        self.state().is_over
    }

    pub(super) fn started(&self, writer: usize, process: Option<Process>) {
        self.change(writer, |status| status.process = process);
    }

    pub(super) fn answered(&self, writer: usize, answered: Answered) {
        self.change(writer, |status| match answered {
            Answered::Done => status.done = status.done.saturating_add(1),
            Answered::Busy => status.busy = status.busy.saturating_add(1),
            Answered::Nothing => {}
        });
    }

    /// Takes the process of a writer off the board, as it may be waited for now; was it killed?
    pub(super) fn ended(&self, writer: usize) -> bool {
        let mut killed = false;
        self.change(writer, |status| {
            status.process = None;
            killed = std::mem::take(&mut status.killed);
        });
        killed
    }

    pub(super) fn failed(&self, writer: usize) {
        self.change(writer, |status| status.failed = true);
    }

    // For whoever disturbs them.

    /// Does something with the process of a writer, if there is one.
    pub(super) fn with<T>(&self, writer: usize, act: impl FnOnce(Process) -> T) -> Option<T> {
        let state = self.state();
        state.writers.get(writer).and_then(|status| status.process).map(act)
    }

    /// Kills the process of a writer; false if there is none.
    pub(super) fn kill(&self, writer: usize) -> bool {
        let mut state = self.state();
        let Some(status) = state.writers.get_mut(writer) else { return false };
        let Some(process) = status.process.take() else { return false };
        status.killed = true;
        process.kill();
        true
    }

    pub(super) fn now(&self) -> Vec<Status> {
        self.state().writers.clone()
    }

    /// Waits until this holds of the writers; false if it never does, or one of them has failed.
    pub(super) fn wait_until(&self, holds: impl Fn(&[Status]) -> bool) -> bool {
        let waits = |state: &mut State| !holds(&state.writers) && !state.writers.iter().any(|one| one.failed);
        let waited = self.changed.wait_timeout_while(self.state(), PATIENCE, waits);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        holds(&state.writers)
    }

    /// Lets everybody come to an end. Whoever is stopped still goes on.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_over = true;
        state.writers.iter().filter_map(|status| status.process).for_each(Process::resume);
    }

    fn change(&self, writer: usize, change: impl FnOnce(&mut Status)) {
        self.state().writers.get_mut(writer).map(change);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

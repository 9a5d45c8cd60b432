//! Nothing takes for ever: whoever does not answer in time is ended, and the wait for its answer with it.

use rustix::process::{Pid, Signal, kill_process};
use std::io::{Error, ErrorKind, Write};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Far more than any call needs, also on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// Looks at the clock while a process is asked something.
pub(crate) struct Watch {
    beats: Sender<Beat>,
    /// Has one been ended since somebody asked?
    hung: Arc<AtomicBool>,
}

enum Beat {
    /// This process was asked something.
    Asked(u32),
    /// It has answered, or is gone.
    Answered,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        let (beats, heard) = channel();
        let hung = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&hung);
        // The thread ends by itself when the other end of the channel goes.
        let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(move || keep(&heard, &told));
        Watch { beats, hung }
    }

    /// Does something that waits for this process, which is killed if that takes for ever.
    pub(crate) fn over<T>(&self, process: u32, wait: impl FnOnce() -> T) -> T {
        let _ = self.beats.send(Beat::Asked(process));
        let done = wait();
        let _ = self.beats.send(Beat::Answered);
        done
    }

    /// What to say if the last one that was waited for had to be ended; asked once for each.
    pub(crate) fn complaint(&self) -> Option<String> {
        let hung = self.hung.swap(false, Ordering::Relaxed);
        hung.then(|| format!("it hangs: nothing for {} seconds, so it was ended", PATIENCE.as_secs()))
    }
}

/// Runs a command to its end with `input`. One that hangs is ended, with what it started, and told as timed out.
pub(crate) fn output(mut command: Command, input: &str) -> std::io::Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (watch, mut child) = (Watch::new(), command.spawn()?);
    let done = watch.over(child.id(), || {
        if let Some(mut input_of) = child.stdin.take() {
            // A program that dies early does not read: its answer, or the lack of one, tells.
            let _ = input_of.write_all(input.as_bytes());
        }
        child.wait_with_output()
    })?;
    watch.complaint().map_or(Ok(done), |what| Err(Error::new(ErrorKind::TimedOut, what)))
}

fn keep(heard: &Receiver<Beat>, hung: &AtomicBool) {
    while let Ok(beat) = heard.recv() {
        let Beat::Asked(process) = beat else { continue };
        if heard.recv_timeout(PATIENCE).is_err_and(|error| error == RecvTimeoutError::Timeout) {
            hung.store(true, Ordering::Relaxed);
            end(process);
        }
    }
}

/// Ends a process and what it started: one that only looks on at another would leave that one behind.
fn end(process: u32) {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    children.split_whitespace().filter_map(|child| child.parse().ok()).for_each(kill);
    kill(process);
}

fn kill(process: u32) {
    if let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // Gone already is as good.
        let _ = kill_process(pid, Signal::KILL);
    }
}

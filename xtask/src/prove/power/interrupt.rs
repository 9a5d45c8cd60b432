//! Stopping a call at one of its system calls, cutting the power, and letting it go on or die.
//!
//! `strace` stops the whole process as it makes the call; so what the disk has seen by then does not depend on time.

use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::watch::Watch;
use crate::prove::workload::Call;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};

/// A system call by name, and which one of that name.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) name: String,
    pub(crate) number: usize,
}

/// What becomes of the process after the power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It dies with the power.
    Dies,
    /// It goes on for a while with a dead disk, and may still say something.
    GoesOn,
}

/// A process to be stopped.
pub(crate) struct Interrupted<'a> {
    pub(crate) call: &'a Call,
    pub(crate) moment: &'a Moment,
    pub(crate) then: Then,
    /// Where arguments and answer lie meanwhile: pipes would fill.
    pub(crate) place: &'a Path,
}

impl Interrupted<'_> {
    /// Runs the command until the moment, calls `cut`, and says what was answered; null if nothing was. Where the
    /// moment does not come, the cut is made after the end.
    pub(crate) fn run(&self, command: &Command, cut: impl FnOnce() -> Result<(), Failure>) -> Result<Value, Wrong> {
        let (input, output) = (self.place.join("arguments"), self.place.join("answer"));
        let fail = |error: std::io::Error| Failure::io(self.call.tool, &error);
        std::fs::write(&input, self.call.arguments.to_string()).map_err(fail)?;
        let mut strace = self.traced(command);
        strace.stdin(File::open(&input).map_err(fail)?).stdout(File::create(&output).map_err(fail)?);
        let mut child = strace.stderr(Stdio::piped()).spawn().map_err(fail)?;
        let mut said = child.stderr.take().map(BufReader::new);
        let watch = Watch::new();
        let stopped = watch.over(child.id(), || said.as_mut().and_then(until_stopped));
        let done = cut();
        if let Some(process) = &stopped {
            self.wake(process)?;
        }
        watch.over(child.id(), || {
            // To its end, or it could not write.
            let _ = said.map(|said| said.lines().count());
            child.wait().map_err(fail)
        })?;
        done?;
        if let Some(what) = watch.complaint() {
            return Err(Wrong::Promise(what));
        }
        let answer = std::fs::read(&output).map_err(fail)?;
        Ok(serde_json::from_slice(&answer).unwrap_or(Value::Null))
    }

    fn traced(&self, command: &Command) -> Command {
        let Moment { name, number } = self.moment;
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o", "/dev/stderr", "-e", &format!("trace={name}")]);
        strace.args(["-e", &format!("inject={name}:signal=SIGSTOP:when={number}")]);
        crate::home::wrap(strace, command)
    }

    fn wake(&self, process: &str) -> Result<(), Failure> {
        let signal = match self.then {
            Then::Dies => "KILL",
            Then::GoesOn => "CONT",
        };
        let mut kill = Command::new("sh");
        kill.args(["-c", "kill -s \"$0\" \"$1\"", signal, process]);
        crate::run::output(kill, "look at what strace says").map(drop)
    }
}

/// Reads on until a process has been stopped, and says which; nothing if it ends before.
fn until_stopped(said: &mut BufReader<ChildStderr>) -> Option<String> {
    said.lines().map_while(Result::ok).find_map(|line| stopped(&line).map(str::to_owned))
}

/// The process that this line of `strace` says has been stopped.
fn stopped(line: &str) -> Option<&str> {
    let (process, rest) = line.trim_start().split_once(' ')?;
    rest.contains("--- stopped by SIGSTOP ---").then_some(process)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<&str>) {
        assert_eq!(stopped(line), expected, "{line}");
    }

    #[test]
    fn a_stop_is_seen() {
        check("123 --- stopped by SIGSTOP ---", Some("123"));
        check("123 --- SIGSTOP {si_signo=SIGSTOP, si_code=SI_USER, si_pid=1, si_uid=0} ---", None);
        check("123 fsync(3) = 0 (INJECTED)", None);
        check("", None);
    }
}

//! A server's process: stopping, resuming and killing it, and whether it holds the writer's lock.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Between two looks at a process that is about to stop.
const PAUSE: Duration = Duration::from_millis(1);
/// A process stops as soon as it comes back from the system call that it is in.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that was started here and has not been waited for, so that its number is still its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process(Pid);

impl Process {
    pub(super) fn numbered(number: u32) -> Option<Process> {
        i32::try_from(number).ok().and_then(Pid::from_raw).map(Process)
    }

    /// Stops all its threads and waits until they stand still; false if it ended, or never came to a halt.
    pub(super) fn stop(self) -> bool {
        self.signal(Signal::STOP);
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            match self.state() {
                State::Stopped => return true,
                State::Gone => return false,
                State::Running => std::thread::sleep(PAUSE),
            }
        }
        false
    }

    pub(super) fn resume(self) {
        self.signal(Signal::CONT);
    }

    pub(super) fn kill(self) {
        self.signal(Signal::KILL);
    }

    /// Does it hold the writer's lock on this root? For certain only while it is stopped.
    pub(super) fn holds(self, root: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let Ok(root) = fs::metadata(root) else { return false };
        let handles = fs::read_dir(format!("/proc/{}/fdinfo", self.0)).into_iter().flatten().map_while(Result::ok);
        let mut about = handles.filter_map(|handle| fs::read_to_string(handle.path()).ok());
        about.any(|about| locks(&about, root.ino()))
    }

    /// One that is gone already needs no signal.
    fn signal(self, signal: Signal) {
        let _ = kill_process(self.0, signal);
    }

    fn state(self) -> State {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.0)).into_iter().flatten().map_while(Result::ok);
        // A thread that goes while we look has stopped, too.
        let states = tasks.filter_map(|task| fs::read_to_string(task.path().join("stat")).ok());
        let states: Vec<char> = states.filter_map(|stat| letter(&stat)).collect();
        match states.as_slice() {
            states if states.iter().all(|state| matches!(state, 'Z' | 'X')) => State::Gone,
            states if states.iter().all(|state| matches!(state, 'T' | 't' | 'Z' | 'X')) => State::Stopped,
            _ => State::Running,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Stopped,
    Gone,
}

/// The letter of a thread's state in its `stat`: it follows the name, which may hold anything.
fn letter(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Does what `fdinfo` says of a handle name a writer's lock on the file of this number?
fn locks(about: &str, inode: u64) -> bool {
    let held = about.lines().filter_map(|line| line.strip_prefix("lock:"));
    held.map(|line| line.split_whitespace().collect::<Vec<_>>()).any(|words| {
        let number = words.get(5).and_then(|place| place.rsplit(':').next()).and_then(|number| number.parse().ok());
        words.get(1) == Some(&"FLOCK") && words.get(3) == Some(&"WRITE") && number == Some(inode)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_of_a_handle() {
        let about = "pos:\t0\nflags:\t0100000\nlock:\t1: FLOCK  ADVISORY  WRITE 2633 fe:00:5824838 0 EOF\n";
        let read = about.replace("WRITE", "READ");
        let record = about.replace("FLOCK", "POSIX");
        for (about, inode, expected) in [
            (about, 5_824_838, true),
            (about, 582_483, false),
            (&read, 5_824_838, false),
            (&record, 5_824_838, false),
            ("pos:\t0\n", 0, false),
            ("lock:\n", 0, false),
        ] {
            assert_eq!(locks(about, inode), expected, "{about} {inode}");
        }
    }

    #[test]
    fn states_of_threads() {
        assert_eq!(letter("12 (patch) wright) T 1 2"), Some('T'));
        assert_eq!(letter("12 (x) S"), Some('S'));
        assert_eq!(letter("12"), None);
    }
}

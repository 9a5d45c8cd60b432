//! Commands under `strace`: which system calls they make, in order, and what happens when one of them is made to
//! fail or to be the last.
//!
//! `strace` counts by the name of the call and by thread, so a place in a run is a name and a number. Where several
//! threads make the same call, whichever gets to the number first is hit. A signal comes before the call has done
//! anything. Leaves judging to the suites.

use crate::failure::Failure;
use crate::{home, run};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// A system call that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) thread: u32,
    pub(crate) name: String,
    /// Which one of this name in this thread it is, from 1 on.
    pub(crate) nth: u32,
    /// Arguments and result as the trace shows them.
    pub(crate) text: String,
}

/// A place in a run, and what is done to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Injection {
    pub(crate) call: String,
    /// Which call of that name in a thread, from 1 on.
    pub(crate) nth: u32,
    pub(crate) deed: Deed,
    pub(crate) times: Times,
}

/// What is done to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// The process is killed in place of the call.
    Kill,
    /// The call is not made and fails with this error, by its symbolic name.
    Fail(&'static str),
}

/// How often it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    /// Some dozens of times, one after the other.
    Burst,
    FromThenOn,
}

/// May we trace here? A suite that lives by tracing must not go without.
pub(crate) fn probe() -> Result<(), Failure> {
    let mut probe = Command::new("strace");
    probe.args(["-o", "/dev/null", "true"]);
    run::output(probe, "install strace and allow tracing (in a container: the SYS_PTRACE capability)").map(drop)
}

/// The command with every system call of all its threads written to `log`.
pub(crate) fn traced(command: &Command, log: &Path) -> Command {
    wrapped(command, log, &[])
}

/// The command with the calls of these names written to `log`, and no signals.
pub(crate) fn only(command: &Command, names: &str, log: &Path) -> Command {
    wrapped(command, log, &["-e", &format!("trace={names}"), "-e", "signal=none"])
}

/// The command with one call tampered with. Calls of that name are written to `log`.
///
/// Never with `--seccomp-bpf`, quicker though it is: it loses signals.
pub(crate) fn injected(command: &Command, injection: &Injection, log: &Path) -> Command {
    let only = format!("trace={}", injection.call);
    wrapped(command, log, &["-e", &only, "-e", &injection.expression()])
}

/// What a trace written by [`traced`] says, oldest first.
pub(crate) fn calls(log: &Path) -> Result<Vec<Seen>, Failure> {
    let text = std::fs::read(log).map_err(|error| Failure::io(log.display(), &error))?;
    Ok(parse(&String::from_utf8_lossy(&text)))
}

/// Did the traced program end by being killed? `strace` ends as its child did.
pub(crate) fn was_killed(status: ExitStatus) -> bool {
    const KILL: i32 = 9;
    status.signal() == Some(KILL) || status.code() == Some(128 + KILL)
}

/// Did an error reach its call, by what was written to `log`?
pub(crate) fn was_injected(log: &Path) -> Result<bool, Failure> {
    let text = std::fs::read(log).map_err(|error| Failure::io(log.display(), &error))?;
    Ok(String::from_utf8_lossy(&text).contains("(INJECTED)"))
}

impl Injection {
    /// The process dies at this call.
    pub(crate) fn kill(call: &str, nth: u32) -> Injection {
        Injection { call: call.to_owned(), nth, deed: Deed::Kill, times: Times::Once }
    }

    fn expression(&self) -> String {
        let deed = match &self.deed {
            Deed::Kill => "signal=SIGKILL".to_owned(),
            Deed::Fail(error) => format!("error={error}"),
        };
        const BURST: u32 = 40;
        let further = match self.times {
            Times::Once => String::new(),
            Times::Burst => format!("..{}", self.nth.saturating_add(BURST)),
            Times::FromThenOn => "+".to_owned(),
        };
        format!("inject={}:{deed}:when={}{further}", self.call, self.nth)
    }
}

impl std::fmt::Display for Injection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.expression())
    }
}

fn wrapped(command: &Command, log: &Path, options: &[&str]) -> Command {
    let mut outer = Command::new("strace");
    outer.args(["-f", "-qq", "-s", "64"]).args(options).arg("-o").arg(log);
    home::wrap(outer, command)
}

fn parse(log: &str) -> Vec<Seen> {
    let mut counts: BTreeMap<(u32, String), u32> = BTreeMap::new();
    let mut seen: Vec<Seen> = Vec::new();
    for line in log.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let (Ok(thread), rest) = (thread.parse::<u32>(), rest.trim_start()) else { continue };
        if let Some(resumed) = rest.strip_prefix("<... ") {
            finish(&mut seen, thread, resumed);
        } else if let Some((name, text)) = rest.split_once('(').filter(|(name, _)| is_name(name)) {
            let nth = counts.entry((thread, name.to_owned())).or_default();
            *nth = nth.saturating_add(1);
            let text = text.strip_suffix("<unfinished ...>").unwrap_or(text).to_owned();
            seen.push(Seen { thread, name: name.to_owned(), nth: *nth, text });
        }
    }
    seen
}

/// The rest of a call that another thread's line had cut in two.
fn finish(seen: &mut [Seen], thread: u32, resumed: &str) {
    let Some((name, rest)) = resumed.split_once(" resumed>") else { return };
    let mine = seen.iter_mut().rev().find(|call| call.thread == thread && call.name == name);
    if let Some(call) = mine {
        call.text.push_str(rest);
    }
}

/// Signals and ends of processes are lines too, but no calls.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(log: &str, expected: &[(u32, &str, u32, &str)]) {
        let found = parse(log);
        let found: Vec<_> =
            found.iter().map(|call| (call.thread, call.name.as_str(), call.nth, call.text.as_str())).collect();
        assert_eq!(found, expected, "{log}");
    }

    #[test]
    fn traces() {
        check("", &[]);
        check("7 close(3)                = 0\n", &[(7, "close", 1, "3)                = 0")]);
        check(
            "7 close(3) = 0\n8 close(4) = 0\n7 close(5) = 0\n",
            &[(7, "close", 1, "3) = 0"), (8, "close", 1, "4) = 0"), (7, "close", 2, "5) = 0")],
        );
        check(
            "7 read(0, <unfinished ...>\n8 gettid() = 8\n7 <... read resumed>\"x\", 9) = 1\n",
            &[(7, "read", 1, "0, \"x\", 9) = 1"), (8, "gettid", 1, ") = 8")],
        );
        check(
            "7 --- SIGCHLD {si_signo=SIGCHLD} ---\n7 +++ killed by SIGKILL +++\n7 fsync(3) = ?\n",
            &[(7, "fsync", 1, "3) = ?")],
        );
    }

    #[test]
    fn expressions() {
        let mut injection = Injection::kill("fsync", 3);
        assert_eq!(injection.to_string(), "inject=fsync:signal=SIGKILL:when=3");
        injection.deed = Deed::Fail("EIO");
        injection.times = Times::FromThenOn;
        assert_eq!(injection.to_string(), "inject=fsync:error=EIO:when=3+");
        injection.times = Times::Burst;
        assert_eq!(injection.to_string(), "inject=fsync:error=EIO:when=3..43");
    }

    #[test]
    fn a_wrapped_command_keeps_words_place_and_surroundings() {
        let mut command = Command::new("program");
        command.arg("word").current_dir("/").env("NAME", "value");
        let outer = injected(&command, &Injection::kill("fsync", 1), Path::new("log"));
        let words: Vec<_> = outer.get_args().map(|word| word.to_string_lossy()).collect();
        assert_eq!(words[words.len() - 2..], ["program", "word"]);
        assert_eq!(outer.get_current_dir(), Some(Path::new("/")));
        assert_eq!(outer.get_envs().count(), 1);
    }
}

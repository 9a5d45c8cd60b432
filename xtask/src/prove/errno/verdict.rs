//! Does an answer fit the error that was injected? Judged by the answer's kind and by the order of system calls.

use super::table::{self, SWAPS, SYNCS};
use crate::prove::answer::Answer;
use crate::prove::strace::{Seen, Times};
use crate::prove::workload::Answered;

/// What was done to a run, and what it did.
pub(super) struct Run<'a> {
    pub(super) call: &'a str,
    pub(super) error: &'a str,
    pub(super) often: Times,
    /// Its calls: those that failed, the swaps and the syncs.
    pub(super) calls: &'a [Seen],
    pub(super) answer: &'a Answer,
}

impl Run<'_> {
    /// What is wrong with the answer, if anything.
    pub(super) fn judge(&self) -> Result<(), String> {
        self.after_a_failed_sync()?;
        let kind = self.answer.name();
        match self.answer.says() {
            Answered::Done => Ok(()),
            Answered::Unknown => self.may_doubt(),
            Answered::Refused if table::fits(self.call, self.error, kind) => Ok(()),
            Answered::Refused if self.closed_the_home() && kind == "permission_denied" => Ok(()),
            Answered::Refused if self.blamed_on_the_index() && kind == "command_failed" => Ok(()),
            Answered::Refused => Err(format!("{} of {} was told as {}", self.error, self.call, self.answer.value)),
        }
    }

    /// Did links in a circle close the folder for keys, and that folder alone? What the kernel tells of locks and of its
    /// start is asked for as well, and is no condition of anything.
    fn closed_the_home(&self) -> bool {
        let asked = |call: &&Seen| is_injected(call) && !call.text.contains("\"/proc/");
        let mut failed = self.calls.iter().filter(asked).peekable();
        self.error == "ELOOP" && failed.peek().is_some() && failed.all(|call| is_home(&call.text))
    }

    /// A failed sync is final: no success may follow, and nobody asks the same descriptor again.
    fn after_a_failed_sync(&self) -> Result<(), String> {
        let failed = self.calls.iter().position(|call| is_sync(call) && is_injected(call));
        let (Some(at), false) = (failed, self.error == "EINTR") else { return Ok(()) };
        let (Some(sync), later) = (self.calls.get(at), self.calls.get(at.saturating_add(1)..).unwrap_or_default())
        else {
            return Ok(());
        };
        let what = descriptor(sync);
        if is_index(what) || self.opened_by_path(at, what) {
            return Ok(());
        }
        if is_content(what) && later.iter().any(|call| is_sync(call) && descriptor(call) == what) {
            return Err(format!("a failed sync was tried again: {what}"));
        }
        let recorded = later.iter().any(|call| is_sync(call) && is_log(descriptor(call)) && !is_injected(call));
        let counts = is_content(what) || !is_shelf(what) || recorded;
        if counts && self.answer.says() == Answered::Done {
            return Err(format!("success was answered although a sync failed: {what}"));
        }
        Ok(())
    }

    /// Only the database opens anything by its whole path; the folder of the state too, to sync it.
    fn opened_by_path(&self, sync: usize, what: &str) -> bool {
        let before = self.calls.get(..sync).unwrap_or_default().iter().rev();
        let mut opened =
            before.filter(|call| call.name.starts_with("open") && call.text.ends_with(&format!("= {what}")));
        opened.next().is_some_and(|call| call.text.starts_with("AT_FDCWD"))
    }

    /// Doubt is for failed syncs after the first swap, and for rolling back on a disk that goes on failing.
    fn may_doubt(&self) -> Result<(), String> {
        let swapped = |calls: &[Seen]| calls.iter().any(|call| is_swap(call) && succeeded(call));
        let failed = self.calls.iter().position(is_injected).unwrap_or(self.calls.len());
        let before = self.calls.get(..failed).unwrap_or_default();
        if self.often == Times::Once && !SYNCS.contains(&self.call) {
            return Err(format!("one {} of {} must not leave anything in doubt", self.error, self.call));
        }
        if self.often == Times::Once
            && !swapped(before)
            && !self.calls.get(failed).is_some_and(|sync| is_log(descriptor(sync)))
        {
            return Err("in doubt, although nothing had been swapped when the sync failed".to_owned());
        }
        Ok(())
    }

    /// Was it a file of the database that failed first?
    fn blamed_on_the_index(&self) -> bool {
        self.calls.iter().any(|call| is_injected(call) && is_index(&call.text))
    }
}

/// Was the mark closed to us? That is no error that may pass: the record counts as put back.
pub(super) fn closed_the_mark(calls: &[Seen]) -> bool {
    let is_closed = |text: &str| [" EACCES ", " EPERM ", " ELOOP "].iter().any(|error| text.contains(error));
    calls.iter().any(|call| is_injected(call) && call.text.contains("\"mark\"") && is_closed(&call.text))
}

/// Is a call about a folder for keys: the workspace's own, or the one of a user without a home?
fn is_home(text: &str) -> bool {
    let of_user = |path: &str| {
        let user = path.rsplit_once("/patchwright-").map(|(_, user)| user);
        user.is_some_and(|user| !user.is_empty() && user.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.contains(".home") || text.split('"').any(of_user)
}

fn is_injected(call: &Seen) -> bool {
    call.text.ends_with("(INJECTED)")
}

fn succeeded(call: &Seen) -> bool {
    call.text.trim_end().ends_with("= 0")
}

fn is_sync(call: &Seen) -> bool {
    SYNCS.contains(&call.name.as_str())
}

fn is_swap(call: &Seen) -> bool {
    SWAPS.contains(&call.name.as_str())
}

/// The first argument: a number and the path it stands for.
fn descriptor(call: &Seen) -> &str {
    call.text.split_once(')').map_or(call.text.as_str(), |(first, _)| first)
}

fn is_log(descriptor: &str) -> bool {
    descriptor.ends_with("/log>")
}

/// Is it a file whose bytes the caller relies on, not a folder?
fn is_content(descriptor: &str) -> bool {
    is_log(descriptor) || descriptor.ends_with(".apply-patch.tmp>")
}

fn is_shelf(descriptor: &str) -> bool {
    descriptor.ends_with("/blobs>") || descriptor.ends_with("/trash>")
}

fn is_index(text: &str) -> bool {
    text.contains("index.sqlite")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const SWAP: &str = "renameat2|3</w>, \"a\", 3</w>, \"b\", RENAME_EXCHANGE) = 0";
    const LOG_FAILS: &str = "fdatasync|6</w/.patchwright/log>) = -1 EIO (Input/output error) (INJECTED)";
    const LOG: &str = "fdatasync|6</w/.patchwright/log>) = 0";
    const DIR_FAILS: &str = "fsync|3</w>) = -1 EIO (Input/output error) (INJECTED)";
    const SHELF_FAILS: &str = "fsync|8</w/.patchwright/blobs>) = -1 EIO (Input/output error) (INJECTED)";

    /// A system call that fails.
    #[derive(Clone, Copy)]
    struct Failing {
        call: &'static str,
        error: &'static str,
        often: Times,
    }

    fn once(call: &'static str, error: &'static str) -> Failing {
        Failing { call, error, often: Times::Once }
    }

    fn check(failing: Failing, lines: &[&str], kind: Option<&str>, expected: bool) {
        let seen = |line: &&str| {
            let (name, text) = line.split_once('|').unwrap();
            Seen { thread: 1, name: name.to_owned(), nth: 1, text: text.to_owned() }
        };
        let calls: Vec<Seen> = lines.iter().map(seen).collect();
        let answer = Answer { kind: kind.map(str::to_owned), value: Value::Null };
        let Failing { call, error, often } = failing;
        let found = Run { call, error, often, calls: &calls, answer: &answer }.judge();
        assert_eq!(found.is_ok(), expected, "{lines:?} {kind:?}: {found:?}");
    }

    #[test]
    fn syncs() {
        let sync = once("fsync", "EIO");
        check(sync, &[DIR_FAILS], Some("command_failed"), true);
        check(sync, &[DIR_FAILS], Some("in_doubt"), false);
        check(sync, &[SWAP, DIR_FAILS], Some("in_doubt"), true);
        check(sync, &[SWAP, DIR_FAILS], None, false);
        check(sync, &[SWAP, LOG, SHELF_FAILS], None, true);
        check(sync, &[SWAP, SHELF_FAILS, LOG], None, false);
        check(sync, &["openat|3</w>, \".\") = 3</w>", DIR_FAILS], None, false);
        check(sync, &["openat|AT_FDCWD</>, \"/w\") = 3</w>", DIR_FAILS], None, true);
        check(once("fdatasync", "EIO"), &[SWAP, LOG_FAILS], Some("in_doubt"), true);
        check(once("fdatasync", "EIO"), &[SWAP, LOG_FAILS, LOG], Some("in_doubt"), false);
        check(once("fdatasync", "EIO"), &[LOG_FAILS], None, false);
    }

    #[test]
    fn others() {
        let full = "pwrite64|6</w/f>, \"x\") = -1 ENOSPC (No space left on device) (INJECTED)";
        check(once("pwrite64", "ENOSPC"), &[full], Some("command_failed"), true);
        check(once("pwrite64", "ENOSPC"), &[SWAP, full], Some("in_doubt"), false);
        check(
            Failing { often: Times::FromThenOn, ..once("pwrite64", "ENOSPC") },
            &[SWAP, full],
            Some("in_doubt"),
            true,
        );
        check(once("pwrite64", "ENOSPC"), &[full], Some("not_found"), false);
        let index = "openat|AT_FDCWD</>, \"/w/.patchwright/index.sqlite\") = -1 EACCES (Permission denied) (INJECTED)";
        check(once("openat", "EACCES"), &[index], Some("command_failed"), true);
        check(once("openat", "EACCES"), &[], Some("command_failed"), false);
    }
}

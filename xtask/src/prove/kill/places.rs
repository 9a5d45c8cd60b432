//! Where in a run to kill: every system call once, or those that matter most.

use crate::prove::strace::{Injection, Seen};
use patchwright_testkit::dice::Dice;
use std::collections::BTreeSet;

/// Calls that change something, or make it durable. A kill at any other call finds the disk as the next of these
/// does.
const CHANGING: &[&str] = &[
    "fallocate",
    "fchmod",
    "fchown",
    "fdatasync",
    "fsetxattr",
    "fsync",
    "ftruncate",
    "linkat",
    "mkdirat",
    "pwrite64",
    "rename",
    "renameat",
    "renameat2",
    "symlinkat",
    "sync_file_range",
    "syncfs",
    "unlink",
    "unlinkat",
    "write",
];

/// Calls that change what stands under a name, or the record.
const MOVING: &[&str] = &["fchmod", "linkat", "mkdirat", "pwrite64", "renameat2", "symlinkat", "unlinkat"];

/// Every call once. The count is by thread, so two threads can share a place.
pub(super) fn every(calls: &[Seen]) -> Vec<Injection> {
    let mut known = BTreeSet::new();
    let fresh = |call: &&Seen| call.name != "execve" && known.insert((call.name.clone(), call.nth));
    calls.iter().filter(fresh).map(kill_at).collect()
}

/// Those that change something or make it durable.
pub(super) fn changing(calls: &[Seen]) -> Vec<Injection> {
    let creates = |call: &Seen| call.name.starts_with("openat") && call.text.contains("O_CREAT");
    let some: Vec<Seen> =
        calls.iter().filter(|call| CHANGING.contains(&call.name.as_str()) || creates(call)).cloned().collect();
    every(&some)
}

/// The call that follows the answer: whoever dies there has answered.
pub(super) fn after_the_answer(calls: &[Seen]) -> Option<Injection> {
    let answer = calls.iter().rposition(|call| call.name == "write" && call.text.starts_with("1, "))?;
    let thread = calls.get(answer)?.thread;
    calls.get(answer.saturating_add(1)..)?.iter().find(|call| call.thread == thread).map(kill_at)
}

/// Those that leave something to recover from: changes after the intent became durable.
pub(super) fn half_done(calls: &[Seen]) -> Vec<Injection> {
    let intent = calls.iter().position(|call| call.name == "fdatasync").unwrap_or(calls.len());
    let rest = calls.get(intent..).unwrap_or_default();
    let some: Vec<Seen> = rest.iter().filter(|call| MOVING.contains(&call.name.as_str())).cloned().collect();
    every(&some)
}

/// So many of them, by chance, none twice.
pub(super) fn some(mut from: Vec<Injection>, count: usize, dice: &mut Dice) -> Vec<Injection> {
    let mut picked = Vec::new();
    while picked.len() < count && !from.is_empty() {
        picked.push(from.swap_remove(dice.below(from.len())));
    }
    picked
}

fn kill_at(call: &Seen) -> Injection {
    Injection::kill(&call.name, call.nth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(lines: &[(u32, &str, u32, &str)]) -> Vec<Seen> {
        let seen = |(thread, name, nth, text): &(u32, &str, u32, &str)| Seen {
            thread: *thread,
            name: (*name).to_owned(),
            nth: *nth,
            text: (*text).to_owned(),
        };
        lines.iter().map(seen).collect()
    }

    fn check(found: &[Injection], expected: &[(&str, u32)]) {
        let found: Vec<(&str, u32)> = found.iter().map(|place| (place.call.as_str(), place.nth)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn places() {
        let run = calls(&[
            (1, "execve", 1, ""),
            (1, "openat", 1, "O_RDONLY"),
            (1, "openat", 2, "O_RDWR|O_CREAT"),
            (1, "pwrite64", 1, ""),
            (1, "fdatasync", 1, ""),
            (2, "openat", 1, "O_RDONLY"),
            (2, "renameat2", 1, ""),
            (1, "write", 1, "1, \"{\""),
            (2, "futex", 1, ""),
            (1, "exit_group", 1, ""),
        ]);
        check(
            &every(&run),
            &[
                ("openat", 1),
                ("openat", 2),
                ("pwrite64", 1),
                ("fdatasync", 1),
                ("renameat2", 1),
                ("write", 1),
                ("futex", 1),
                ("exit_group", 1),
            ],
        );
        check(&changing(&run), &[("openat", 2), ("pwrite64", 1), ("fdatasync", 1), ("renameat2", 1), ("write", 1)]);
        check(&half_done(&run), &[("renameat2", 1)]);
        check(&Vec::from_iter(after_the_answer(&run)), &[("exit_group", 1)]);
        check(&Vec::from_iter(after_the_answer(&[])), &[]);
        assert_eq!(some(every(&run), 3, &mut Dice::new(1)).len(), 3);
        assert_eq!(some(every(&run), 30, &mut Dice::new(1)).len(), 8);
    }
}

//! A voyage: calls made one after the other in one workspace, until the power fails.
//!
//! It is rehearsed once where nothing goes wrong. So the tree after every call is known, and which system calls
//! each of them makes. Where and when the power fails is for others to say.

use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::strace;
use crate::prove::workload::{self, Call, Ids, Workload};
use patchwright_testkit::tree::Tree;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The system calls that change something, or make it durable: the moments at which a call may be stopped.
const CHANGING: &[&str] = &[
    "openat",
    "write",
    "writev",
    "pwrite64",
    "ftruncate",
    "fallocate",
    "fsync",
    "fdatasync",
    "syncfs",
    "renameat",
    "renameat2",
    "linkat",
    "unlinkat",
    "mkdirat",
    "fchmod",
    "fchmodat",
    "fsetxattr",
    "fremovexattr",
    "copy_file_range",
];

/// What is done, in order.
pub(crate) struct Voyage {
    pub(crate) name: String,
    pub(crate) before: Tree,
    pub(crate) calls: Vec<Call>,
}

/// A voyage of which everything is known that an undisturbed one shows.
pub(crate) struct Rehearsed {
    pub(crate) voyage: Voyage,
    /// The tree before each call, and after the last.
    pub(crate) trees: Vec<Tree>,
    /// Was each call granted?
    pub(crate) granted: Vec<Granted>,
    /// The system calls of each call by name, and how often it makes them.
    pub(crate) moments: Vec<Vec<(String, usize)>>,
}

/// Some calls are there to be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Granted {
    Yes,
    No,
}

impl Granted {
    /// What an answer says.
    pub(crate) fn of(answer: &Value) -> Granted {
        // Line patches answer in a form of their own.
        let granted = answer.get("ok").or_else(|| answer.get("successful"));
        if granted == Some(&Value::Bool(true)) { Granted::Yes } else { Granted::No }
    }
}

impl From<Workload> for Voyage {
    fn from(work: Workload) -> Voyage {
        let calls = work.earlier.into_iter().chain([work.call]).collect();
        Voyage { name: work.name, before: work.before, calls }
    }
}

impl Voyage {
    /// Makes every call in the empty folder `place`, each traced.
    pub(crate) fn rehearse(self, binary: &Path, place: &Path) -> Result<Rehearsed, Wrong> {
        let (root, log) = (place.join("rehearsal"), place.join("rehearsal.log"));
        workload::remove(&root)?;
        std::fs::create_dir_all(&root).and_then(|()| self.before.write(&root)).map_err(at(&root))?;
        let (mut ids, mut trees, mut granted, mut moments) =
            (Ids::default(), vec![workload::read(&root)?], Vec::new(), Vec::new());
        for call in &self.calls {
            let call = call.with(&ids);
            let answer = call.asked(strace::only(&call.command(binary, &root), &CHANGING.join(","), &log))?;
            ids.learn(&answer);
            granted.push(Granted::of(&answer));
            let after = workload::read(&root)?;
            if let Some(path) = trees.last().and_then(|before| workload::undressed(before, &after)) {
                return Err(format!("{}: {path} has lost attributes or its access list", call.tool).into());
            }
            trees.push(after);
            let text = std::fs::read(&log).map_err(at(&log))?;
            moments.push(counted(&String::from_utf8_lossy(&text)));
        }
        workload::remove(&root)?;
        Ok(Rehearsed { voyage: self, trees, granted, moments })
    }
}

/// How often each system call stands in what `strace` wrote.
fn counted(log: &str) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in log.lines() {
        let name = line.split_whitespace().nth(1).and_then(|word| word.split_once('('));
        if let Some((name, _)) = name {
            let count = counts.entry(name.to_owned()).or_default();
            *count = count.saturating_add(1);
        }
    }
    counts.into_iter().collect()
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::io(path.display(), &error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(log: &str, expected: &[(&str, usize)]) {
        let expected: Vec<(String, usize)> =
            expected.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        assert_eq!(counted(log), expected, "{log}");
    }

    #[test]
    fn system_calls_are_counted_by_name() {
        check("", &[]);
        check("7 fsync(3) = 0\n7 write(1, \"x\", 1) = 1\n8 fsync(4) = 0\n", &[("fsync", 2), ("write", 1)]);
        check("7 fsync(3 <unfinished ...>\n8 <... fsync resumed>) = 0\n", &[("fsync", 1)]);
    }
}

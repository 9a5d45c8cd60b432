//! Where a call can be made to fail: every system call of an undisturbed run that touches the workspace or its
//! state, and every way in which it may go wrong.

use super::table::{self, ROWS};
use crate::failure::Failure;
use crate::home;
use crate::prove::aftermath::{Door, Known};
use crate::prove::answer::{self, Wrong};
use crate::prove::shuffle::shuffle;
use crate::prove::strace::{self, Deed, Injection, Seen, Times};
use crate::prove::workload::Prepared;
use patchwright_testkit::dice::Dice;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A workload, ready to be disturbed.
pub(super) struct Ground {
    pub(super) prepared: Prepared,
    pub(super) known: Known,
    pub(super) sites: Vec<Site>,
    pub(super) state: StateAt,
}

/// Where a workload's state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateAt {
    /// In the workspace.
    Inside,
    /// On another file system, so that what is displaced must be copied.
    Elsewhere,
}

/// Folders of one thread, on two file systems where there are two.
pub(super) struct Place {
    pub(super) here: PathBuf,
    pub(super) there: Option<PathBuf>,
}

impl Place {
    /// Lays a workload out afresh.
    pub(super) fn lay_out(&self, prepared: &Prepared, state: StateAt, binary: &Path) -> Result<Door, Failure> {
        let there = self.there.as_ref().filter(|_| state == StateAt::Elsewhere).map(|there| there.join("state"));
        Door::to(prepared, binary, &self.here.join("ws"), there.as_deref())
    }
}

/// A system call of an undisturbed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    pub(super) call: &'static str,
    pub(super) errors: &'static [&'static str],
    /// Which one of its name, from 1 on.
    pub(super) nth: u32,
}

/// One call made to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trial {
    /// Which workload.
    pub(super) ground: usize,
    pub(super) call: &'static str,
    pub(super) nth: u32,
    pub(super) error: &'static str,
    pub(super) often: Times,
}

impl Ground {
    /// Runs the call undisturbed at `place`, and notes its system calls.
    pub(super) fn of(prepared: Prepared, state: StateAt, binary: &Path, place: &Place) -> Result<Ground, Failure> {
        let known = Known::of(&prepared, binary, &place.here.join("ws"))?;
        let door = place.lay_out(&prepared, state, binary)?;
        let log = place.here.join("trace");
        let command = door.command(&prepared.call);
        answer::ask(&prepared.call, traced(&command, &names(|_| true), &[], &log)).map_err(Wrong::into_failure)?;
        let folders: Vec<String> = [Some(&door.root), door.state.as_ref()]
            .into_iter()
            .flatten()
            .map(|path| path.display().to_string())
            .collect();
        let sites = sites(&strace::calls(&log)?, &folders);
        Ok(Ground { prepared, known, sites, state })
    }

    /// The workload's name, and what is special about it.
    pub(super) fn name(&self) -> String {
        match self.state {
            StateAt::Inside => self.prepared.name.clone(),
            StateAt::Elsewhere => format!("{} with its state elsewhere", self.prepared.name),
        }
    }
}

/// A command whose calls of these names are written to `log`.
pub(super) fn traced(command: &Command, names: &str, options: &[&str], log: &Path) -> Command {
    let mut outer = Command::new("strace");
    outer.args(["-f", "-y", "-qq", "-s", "32", "-e", &format!("trace={names}")]).args(options);
    outer.arg("-o").arg(log);
    home::wrap(outer, command)
}

/// The names that are wanted, as `strace` takes them. Not every machine knows every one: those are passed over.
pub(super) fn names(wanted: impl Fn(&str) -> bool) -> String {
    let names = ROWS.iter().map(|row| row.call).filter(|name| wanted(name));
    names.map(|name| format!("?{name}")).collect::<Vec<_>>().join(",")
}

fn sites(calls: &[Seen], folders: &[String]) -> Vec<Site> {
    let first = calls.first().map(|call| call.thread);
    // Of several threads only the first: numbers are counted in each by itself.
    let touches = |call: &Seen| folders.iter().any(|folder| call.text.contains(folder.as_str()));
    let inside = calls.iter().filter(|call| Some(call.thread) == first && touches(call));
    let site = |call: &Seen| {
        let row = ROWS.iter().find(|row| row.call == call.name)?;
        Some(Site { call: row.call, errors: row.errors, nth: call.nth })
    };
    inside.filter_map(site).collect()
}

/// All trials, those of rare calls first and in turns: a sample of any size has some of each.
pub(super) fn in_turns(grounds: &[Ground], dice: &mut Dice) -> Vec<Trial> {
    let mut piles: Vec<Vec<Trial>> = ROWS.iter().map(|row| pile(grounds, row.call)).collect();
    piles.iter_mut().for_each(|pile| shuffle(pile, dice));
    let most = piles.iter().map(Vec::len).max().unwrap_or(0);
    (0..most).flat_map(|at| piles.iter().filter_map(move |pile| pile.get(at).cloned())).collect()
}

fn pile(grounds: &[Ground], call: &str) -> Vec<Trial> {
    let mut pile = Vec::new();
    for (ground, one) in grounds.iter().enumerate() {
        for site in one.sites.iter().filter(|site| site.call == call) {
            for error in site.errors {
                let trial = |often| Trial { ground, call: site.call, nth: site.nth, error, often };
                pile.extend([trial(Times::Once), trial(table::lasting(error))]);
            }
        }
    }
    pile
}

impl Trial {
    /// As `strace` takes it.
    pub(super) fn injection(&self) -> Injection {
        Injection { call: self.call.to_owned(), nth: self.nth, deed: Deed::Fail(self.error), times: self.often }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(thread: u32, name: &str, nth: u32, text: &str) -> Seen {
        Seen { thread, name: name.to_owned(), nth, text: text.to_owned() }
    }

    #[test]
    fn only_calls_that_touch_the_workspace_are_sites() {
        let calls = [
            seen(7, "openat", 1, "AT_FDCWD, \"/etc/passwd\") = 3"),
            seen(7, "openat", 2, "3</ws>, \"f\") = 4"),
            seen(7, "gettid", 1, ") = 7 /ws"),
            seen(8, "openat", 1, "3</ws>, \"f\") = 4"),
            seen(7, "fsync", 1, "4</ws/f>) = 0"),
        ];
        let found: Vec<_> = sites(&calls, &["/ws".to_owned()]).iter().map(|site| (site.call, site.nth)).collect();
        assert_eq!(found, [("openat", 2), ("fsync", 1)]);
    }
}

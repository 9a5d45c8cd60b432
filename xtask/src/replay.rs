//! `cargo xtask replay`: real edits, each made into an envelope, applied through the library, compared
//! byte for byte with what it was made from, taken back by what was kept, and compared again.
//!
//! The edits are the commits of git histories, or consecutive versions of packages. Any that comes out
//! wrong fails the command; refusals and what no envelope can say are counted by reason. A short one
//! over a made-up history belongs to `cargo xtask test`.

mod arguments;
pub(crate) mod chance;
mod crew;
pub(crate) mod edit;
mod git;
mod history;
mod model;
pub(crate) mod packages;
mod place;
mod tally;
mod trial;
mod version;
mod written;

use crate::failure::Failure;
use crate::machine::{self, Tool};
use crate::say;
use arguments::{Arguments, Sort};
use edit::{Edit, Edits};
use git::{History, Renames};
use packages::Packages;
use std::path::Path;
use tally::Tally;

const GIT: &[Tool] = &[Tool { program: "git", package: "git" }];

/// At least so many commits and hunks of the made-up history must come out exact, lest refusing pass for
/// success.
const FLOOR: (usize, usize) = (370, 1200);

/// How much of a place is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most edits.
    pub(crate) limit: usize,
    /// The largest file.
    pub(crate) max_file_bytes: usize,
}

impl Bounds {
    /// All of it.
    pub(crate) const NONE: Bounds = Bounds { limit: usize::MAX, max_file_bytes: usize::MAX };
}

/// Replays what the words name.
pub(crate) fn all(words: &[String]) -> Result<(), Failure> {
    let asked = Arguments::read(words)?;
    let bounds = Bounds { limit: asked.limit, max_file_bytes: asked.max_file_bytes };
    let mut sum = Tally::default();
    for place in &asked.places {
        sum.add(match asked.sort {
            Sort::Histories(renames) => {
                machine::provide(GIT)?;
                crew::run(&History::of(place, renames, bounds)?, asked.jobs)?
            }
            Sort::Packages => crew::run(&Packages::of(place, bounds)?, asked.jobs)?,
        });
    }
    sum.lines().iter().for_each(|line| say::line(line));
    judged(&sum)
}

/// Replays a history that is made here: renames as two sections, then as moves.
pub(crate) fn short() -> Result<(), Failure> {
    machine::provide(GIT)?;
    let folder = place::scratch()?;
    history::make(folder.path())?;
    for renames in [Renames::Apart, Renames::Found] {
        let history = History::of(folder.path(), renames, Bounds::NONE)?;
        let tally = crew::run(&history, 2)?;
        tally.lines().iter().for_each(|line| say::line(line));
        judged(&tally)?;
        if tally.refusals() > 0 || tally.exact() < FLOOR.0 || tally.hunks < FLOOR.1 {
            let what = format!("of {} commits {} were exact, {} hunks", history::COMMITS, tally.exact(), tally.hunks);
            let next = format!("none may be refused, at least {} exact with {} hunks", FLOOR.0, FLOOR.1);
            return Err(Failure::new(what, next));
        }
    }
    Ok(())
}

/// The edits of the made-up history.
pub(crate) fn made_up() -> Result<Vec<Edit>, Failure> {
    machine::provide(GIT)?;
    let folder = place::scratch()?;
    history::make(folder.path())?;
    commits(folder.path())
}

/// The edits of a repository, newest first.
pub(crate) fn commits(repository: &Path) -> Result<Vec<Edit>, Failure> {
    let history = History::of(repository, Renames::Apart, Bounds::NONE)?;
    let mut reader = history.reader()?;
    (0..history.count()).map(|at| history.edit(at, &mut reader)).collect()
}

fn judged(tally: &Tally) -> Result<(), Failure> {
    match tally.wrong.len() {
        0 => Ok(()),
        wrong => Err(Failure::new(format!("{wrong} edits came out wrong"), "each is a bug: make it a case first")),
    }
}

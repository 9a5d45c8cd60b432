//! The suites by name, in the order in which they run.

use super::findings::Findings;
use super::setting::Setting;
use super::{contention, errno, escape, forged, full, fuzz, kill, mistakes, power, rivals, soak};
use crate::failure::Failure;

/// A way to attack a promise.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) name: &'static str,
    /// One line for the usage text.
    pub(crate) about: &'static str,
    /// Its share of a long run's time.
    pub(crate) weight: u32,
    /// Adds to what was found, so that it is not lost where the suite cannot go on.
    pub(crate) run: fn(&Setting, &mut Findings) -> Result<(), Failure>,
}

/// All of them.
pub(crate) const SUITES: &[Suite] = &[
    Suite { name: "kill", about: "killed at every system call, and recovery too", weight: 12, run: kill::run },
    Suite { name: "power", about: "power cuts on ext4, xfs and btrfs", weight: 8, run: power::run },
    Suite { name: "errno", about: "every system call fails in every documented way", weight: 6, run: errno::run },
    Suite { name: "full", about: "no room left, for bytes or for names", weight: 3, run: full::run },
    Suite { name: "rivals", about: "other writers in the same files", weight: 5, run: rivals::run },
    Suite { name: "contention", about: "writers stopped and killed in the queue", weight: 3, run: contention::run },
    Suite { name: "escape", about: "paths and links that lead outside", weight: 8, run: escape::run },
    Suite { name: "forged", about: "states made by a hostile hand", weight: 6, run: forged::run },
    Suite { name: "fuzz", about: "arbitrary input, compared with slow references", weight: 7, run: fuzz::run },
    Suite { name: "mistakes", about: "real edits with one typical slip", weight: 6, run: mistakes::run },
    Suite { name: "beside", about: "edits of files that others changed", weight: 3, run: mistakes::beside::run },
    Suite { name: "soak", about: "one server, mixed calls, for a long time", weight: 17, run: soak::run },
];

/// The suite of this name.
pub(crate) fn named(name: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.name == name)
}

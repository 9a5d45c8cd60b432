//! How many files the process may hold open. Raises its own limit where more is wanted, up to what the
//! administrator allows, and never lowers it. Half of it is left to everything else.

use rustix::fd::AsFd;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many of so many files there is room for.
pub(super) fn for_files(wanted: usize, any: impl AsFd) -> usize {
    let room = raised(wanted.saturating_mul(2)) / 2;
    let room = room.min(wanted);
    widen(room, any);
    room
}

/// The limit, once it was raised as far as it may be.
fn raised(needed: usize) -> usize {
    let needed = u64::try_from(needed).unwrap_or(u64::MAX);
    let Rlimit { current: Some(now), maximum } = getrlimit(Resource::Nofile) else { return usize::MAX };
    let goal = maximum.map_or(needed, |most| needed.min(most));
    let raised = goal > now && setrlimit(Resource::Nofile, Rlimit { current: Some(goal), maximum }).is_ok();
    usize::try_from(if raised { goal } else { now }).unwrap_or(usize::MAX)
}

/// Makes the kernel's table of open files wide enough at once. It grows by doubling, and each time that it
/// grows while several threads run, the one that needed it waits some milliseconds for all processors.
fn widen(room: usize, any: impl AsFd) {
    /// A table of this size is nothing to speak of.
    const SMALL: usize = 64;
    if let Ok(high) = i32::try_from(room.saturating_add(SMALL))
        && room > SMALL
    {
        drop(rustix::io::fcntl_dupfd_cloexec(any, high));
    }
}

//! Waking a reader that waits for the log to grow.
//!
//! Promises nothing about what happened: the reader looks for itself. Where the kernel tells of changes in a folder
//! (inotify), the reader is woken by them; everywhere else, and where the kernel cannot see what others write, it looks
//! again after a short time. Even where it is woken it looks again now and then, so that a lost event delays it and
//! loses nothing.

use super::RealDisk;
use std::time::Duration;

/// How often a reader looks that nobody wakes.
const POLLED: Duration = Duration::from_millis(250);
/// How often a reader looks that is woken.
const WOKEN: Duration = Duration::from_secs(1);

/// Wakes a reader when something happens in the folder of the record.
#[derive(Debug, Default)]
pub struct Alarm {
    folder: Option<notify::Folder>,
    means: Means,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something happened.
    ByEvent,
    /// The time is over.
    ByTime,
}

/// How a reader is woken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Means {
    /// By the kernel, where it can.
    #[default]
    Events,
    /// By time alone.
    Polling,
}

impl Alarm {
    /// One that goes by time alone.
    pub fn polling() -> Alarm {
        Alarm { folder: None, means: Means::Polling }
    }

    /// Sees to it that whatever happens in the folder of the record from now on ends the next wait. Must be called before
    /// each look at the log: the folder may be another one by now, or not there yet.
    pub fn arm(&mut self, disk: &RealDisk) {
        let held = match self.means {
            Means::Events => disk.record_folders().map(|(record, _)| record),
            Means::Polling => None,
        };
        let Some(held) = held.filter(|held| !super::home::is_remote(held)) else {
            self.folder = None;
            return;
        };
        match &mut self.folder {
            Some(folder) if held.id().is_ok_and(|id| folder.is(id)) => folder.forget_events(),
            folder => *folder = notify::Folder::watch(&held),
        }
    }

    /// After how long a reader must look, woken or not.
    pub fn period(&self) -> Duration {
        if self.folder.is_some() { WOKEN } else { POLLED }
    }

    /// Waits until something happens, or so long. A signal ends the wait too.
    pub fn wait(&self, limit: Duration) -> Woken {
        match &self.folder {
            Some(folder) => folder.wait(limit),
            None => {
                std::thread::sleep(limit);
                Woken::ByTime
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod notify {
    use super::Woken;
    use crate::real::Dir;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fd::{AsFd, AsRawFd, OwnedFd};
    use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
    use rustix::io::Errno;
    use std::time::Duration;

    /// A folder whose changes the kernel tells.
    #[derive(Debug)]
    pub(super) struct Folder {
        events: OwnedFd,
        id: (u64, u64),
    }

    impl Folder {
        /// Nothing where the kernel cannot, or has given out all it has.
        pub(super) fn watch(held: &Dir) -> Option<Folder> {
            let wanted = WatchFlags::MODIFY
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVED_FROM
                | WatchFlags::MOVED_TO
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR;
            let events = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            // By its handle, so that it is the very folder that is held, wherever its name leads by now.
            let path = format!("/proc/self/fd/{}", held.as_fd().as_raw_fd());
            inotify::add_watch(&events, path, wanted).ok()?;
            Some(Folder { events, id: held.id().ok()? })
        }

        pub(super) fn is(&self, id: (u64, u64)) -> bool {
            self.id == id
        }

        /// Takes what has been told so far. What it says does not matter.
        pub(super) fn forget_events(&self) {
            let mut buffer = [0_u8; 4096];
            while rustix::io::read(&self.events, &mut buffer).is_ok_and(|got| got > 0) {}
        }

        pub(super) fn wait(&self, limit: Duration) -> Woken {
            let limit = Timespec::try_from(limit).ok();
            match poll(&mut [PollFd::new(&self.events, PollFlags::IN)], limit.as_ref()) {
                Ok(0) | Err(Errno::INTR) => Woken::ByTime,
                Ok(_) => Woken::ByEvent,
                // Whoever cannot be woken must not spin.
                Err(_) => {
                    std::thread::sleep(super::POLLED);
                    Woken::ByTime
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod notify {
    use super::Woken;
    use crate::real::Dir;
    use std::time::Duration;

    /// Not here.
    #[derive(Debug)]
    pub(super) enum Folder {}

    impl Folder {
        pub(super) fn watch(_held: &Dir) -> Option<Folder> {
            None
        }

        pub(super) fn is(&self, _id: (u64, u64)) -> bool {
            match *self {}
        }

        pub(super) fn forget_events(&self) {
            match *self {}
        }

        pub(super) fn wait(&self, _limit: Duration) -> Woken {
            match *self {}
        }
    }
}

//! A disk in memory for the commit engine's tests: deterministic, and as forgetful as the law allows.
//!
//! [`FakeDisk`] implements the store's `Disk`. It keeps what the running system sees apart from what
//! would be there after a power cut; [`FakeDisk::crash`] gives the disk that is left, [`FakeDisk::outcomes`]
//! the choices there are. A run can be stopped at any verb, made to fail at any verb, and be disturbed
//! by a foreign [`Actor`] before any verb. What is absent: permissions, owners, quotas and threads.

mod actor;
mod content;
mod control;
mod crash;
mod inspect;
mod pending;
mod rules;
mod switches;
mod syncs;
mod verbs;
mod world;

pub use actor::{Actor, Kept};
pub use control::Verb;
pub use crash::Choice;
pub use inspect::{Node, TEMPORARY};
pub use switches::{Ability, Errno, Failure, Honesty, Lasts, Moves, Names, StateAt, Switches};
pub use verbs::{FakeDir, FakeFile};

use control::Control;
use patchwright_store::disk::Halt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use world::World;

/// A file system in memory. Clones are handles to the same one.
#[derive(Clone)]
pub struct FakeDisk {
    inner: Arc<Mutex<Inner>>,
    hook: Arc<Mutex<Option<Hook>>>,
}

type Hook = Box<dyn FnMut(&mut Actor<'_>, Moment) + Send>;

struct Inner {
    world: World,
    control: Control,
}

/// The instant before a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The verb about to happen.
    pub verb: Verb,
    /// Which one it is, counted from 1, verbs that only look included.
    pub nth: u64,
}

impl Default for FakeDisk {
    fn default() -> FakeDisk {
        FakeDisk::new(Switches::default())
    }
}

impl FakeDisk {
    /// An empty file system of this sort.
    pub fn new(switches: Switches) -> FakeDisk {
        FakeDisk::of(World::new(switches))
    }

    /// The same files on a disk of their own: no stop, no failure, no foreign actor, nothing counted.
    #[must_use]
    pub fn fork(&self) -> FakeDisk {
        FakeDisk::of(self.lock().world.clone())
    }

    /// A fork that loses its power at the n-th verb that changes or syncs something, counted from 1.
    #[must_use]
    pub fn with_stop(&self, at: u64) -> FakeDisk {
        let fork = self.fork();
        fork.lock().control.stop = Some(at);
        fork
    }

    /// A fork on which something goes wrong.
    #[must_use]
    pub fn with_failure(&self, failure: Failure) -> FakeDisk {
        let fork = self.fork();
        fork.lock().control.failure = Some(failure);
        fork
    }

    /// A fork where `hook` is called before every verb and may change any file.
    #[must_use]
    pub fn with_actor(&self, hook: impl FnMut(&mut Actor<'_>, Moment) + Send + 'static) -> FakeDisk {
        let fork = self.fork();
        *fork.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
        fork
    }

    /// How many verbs have changed or synced something.
    pub fn changes(&self) -> u64 {
        self.lock().control.changes()
    }

    /// How many verbs there were, those that only look included.
    pub fn verbs(&self) -> u64 {
        self.lock().control.verbs
    }

    /// The verbs that changed or synced something, in order, with what they were about.
    pub fn trace(&self) -> Vec<(Verb, String)> {
        self.lock().control.trace.clone()
    }

    /// What is left after a power cut, as a disk of its own.
    #[must_use]
    pub fn crash(&self, choice: &Choice) -> FakeDisk {
        FakeDisk::of(self.lock().world.after(choice))
    }

    /// What a power cut at this moment may leave: every legal subset of what was not synced where that
    /// is little, else a sample; torn files in any case.
    pub fn outcomes(&self) -> Vec<Choice> {
        self.lock().world.outcomes()
    }

    fn of(world: World) -> FakeDisk {
        let inner = Inner { world, control: Control::default() };
        FakeDisk { inner: Arc::new(Mutex::new(inner)), hook: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The beginning of every verb: is there power, and does a foreign actor want its turn?
    fn begin(&self, verb: Verb) -> Result<MutexGuard<'_, Inner>, Halt> {
        let mut inner = self.lock();
        inner.control.look()?;
        inner.control.verbs += 1;
        let moment = Moment { verb, nth: inner.control.verbs };
        if let Some(hook) = &mut *self.hook.lock().unwrap_or_else(PoisonError::into_inner) {
            hook(&mut Actor::new(&mut inner.world), moment);
        }
        Ok(inner)
    }
}

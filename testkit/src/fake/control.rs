//! Counting, stopping and failing: every verb asks here before it does anything.

use super::switches::{Errno, Failure, Lasts};
use super::world::os;
use patchwright_store::disk::Halt;

/// A verb of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the verb of `Disk` with that name")]
pub enum Verb {
    Folder,
    FolderStraight,
    Enter,
    State,
    Stat,
    Open,
    ReadAt,
    StatFile,
    Create,
    OpenState,
    WriteAt,
    SetLen,
    Dress,
    ReadLink,
    MakeLink,
    MakeFolder,
    Rename,
    Link,
    Remove,
    RemoveFolder,
    Names,
    SyncFile,
    SyncDir,
    SyncEverything,
}

impl Verb {
    /// Does it make something durable?
    pub fn is_sync(self) -> bool {
        matches!(self, Verb::SyncFile | Verb::SyncDir | Verb::SyncEverything)
    }

    /// Can a full disk stop it?
    fn takes_space(self) -> bool {
        use Verb::{Create, Link, MakeFolder, MakeLink, OpenState, SetLen, State, WriteAt};
        matches!(self, Create | Link | MakeFolder | MakeLink | OpenState | SetLen | State | WriteAt)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Control {
    pub(crate) stop: Option<u64>,
    pub(crate) failure: Option<Failure>,
    /// Verbs that changed or synced something, in order, with what they were about.
    pub(crate) trace: Vec<(Verb, String)>,
    /// Verbs of any kind so far.
    pub(crate) verbs: u64,
    dead: bool,
}

impl Control {
    /// A verb that only looks.
    pub(crate) fn look(&self) -> Result<(), Halt> {
        if self.dead { Err(Halt::PowerCut) } else { Ok(()) }
    }

    /// A verb that changes or syncs something. The error, if it is to fail.
    pub(crate) fn act(&mut self, verb: Verb, about: String) -> Result<(), Halt> {
        self.look()?;
        let nth = self.changes() + 1;
        if self.stop.is_some_and(|stop| nth >= stop) {
            self.dead = true;
            return Err(Halt::PowerCut);
        }
        self.trace.push((verb, about));
        match self.failure {
            Some(failure) if strikes(failure, verb, nth) => Err(os(failure.error.number())),
            _ => Ok(()),
        }
    }

    pub(crate) fn changes(&self) -> u64 {
        u64::try_from(self.trace.len()).unwrap_or(u64::MAX)
    }
}

fn strikes(failure: Failure, verb: Verb, nth: u64) -> bool {
    match failure.lasts {
        Lasts::Once => nth == failure.at,
        Lasts::ForEver => nth >= failure.at && (failure.error != Errno::NoSpace || verb.takes_space()),
    }
}

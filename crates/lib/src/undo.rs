//! Taking changes back, and doing them again.

use crate::error::Error;
use crate::ids::{BatchId, ChangeId};
use crate::planned::PlannedCommit;
use crate::session::Session;
use patchwright_engine::core::tool::{self, Call, Shared, UndoWhat};

impl Session {
    /// Plans to take changes back: those of a batch, or whatever [`Undo`] says. Lines that others changed since are
    /// [`ErrorKind::Conflict`](crate::ErrorKind::Conflict); changes apart from them stay.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// use patchwright_lib::Undo;
    ///
    /// let change = session.create("a.txt", "one\n").plan()?.commit()?;
    /// session.undo(change.batch())?.commit()?;
    /// session.redo()?.commit()?;
    /// session.undo(Undo::session(session.id()))?.commit()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&self, what: impl Into<Undo>) -> Result<PlannedCommit, Error> {
        let what = match what.into().0 {
            What::Nothing => return Ok(PlannedCommit::nothing(self)),
            What::Last => {
                let newest = self.engine().newest_change().map_err(Error::of_trouble)?;
                let newest = newest.ok_or_else(|| Error::not_found("there is no change that could be undone"))?;
                UndoWhat::Batch { id: newest.id, changes: None }
            }
            What::Known(UndoWhat::Changes(ids)) if ids.is_empty() => {
                return Err(Error::invalid("no change is named that is to be undone"));
            }
            What::Known(UndoWhat::Batches(ids)) if ids.is_empty() => {
                return Err(Error::invalid("no batch is named that is to be undone"));
            }
            What::Known(what) => what,
        };
        PlannedCommit::of(self, Call::Undo(tool::Undo { what, shared: Shared::default() }))
    }

    /// Plans to do again what the newest undo took back. Called again, that of the undo before it.
    pub fn redo(&self) -> Result<PlannedCommit, Error> {
        let newest = self.engine().newest_undo().map_err(Error::of_trouble)?;
        let newest = newest.ok_or_else(|| Error::not_found("there is no undo that could be taken back"))?;
        self.undo(BatchId::of_name(newest))
    }
}

/// What an undo takes back.
#[derive(Clone, Debug)]
pub struct Undo(What);

#[derive(Clone, Debug)]
enum What {
    Nothing,
    Last,
    Known(UndoWhat),
}

impl Undo {
    /// The newest change that may be seen and still stands, whoever made it. A newer one that is only about files which
    /// the options close to reading is passed over.
    pub fn last() -> Undo {
        Undo(What::Last)
    }

    /// Some changes, at least one, whichever batches they are of.
    pub fn changes<I>(ids: I) -> Undo
    where
        I: IntoIterator,
        I::Item: Into<ChangeId>,
    {
        let ids = ids.into_iter().map(|id| id.into().as_str().to_owned()).collect();
        Undo(What::Known(UndoWhat::Changes(ids)))
    }

    /// Some batches together, at least one.
    pub fn batches<I>(ids: I) -> Undo
    where
        I: IntoIterator,
        I::Item: Into<BatchId>,
    {
        let ids = ids.into_iter().map(|id| id.into().as_str().to_owned()).collect();
        Undo(What::Known(UndoWhat::Batches(ids)))
    }

    /// A file's part of the newest batch that changed it.
    pub fn path(path: impl Into<String>) -> Undo {
        Undo(What::Known(UndoWhat::Path(path.into())))
    }

    /// Everything that a session did and that still stands, by the session's id.
    pub fn session(id: impl Into<String>) -> Undo {
        Undo(What::Known(UndoWhat::Session(id.into())))
    }

    /// Everything after a batch, which stays itself.
    pub fn since(batch: impl Into<BatchId>) -> Undo {
        Undo(What::Known(UndoWhat::Since(batch.into().as_str().to_owned())))
    }
}

impl From<BatchId> for Undo {
    fn from(batch: BatchId) -> Undo {
        Undo(What::Known(UndoWhat::Batch { id: batch.as_str().to_owned(), changes: None }))
    }
}

impl From<&BatchId> for Undo {
    fn from(batch: &BatchId) -> Undo {
        batch.clone().into()
    }
}

impl From<&str> for Undo {
    fn from(batch: &str) -> Undo {
        BatchId::from(batch).into()
    }
}

/// What [`Change::batch`](crate::Change::batch) gives; of a change that changed nothing there is nothing to take back.
impl From<Option<&BatchId>> for Undo {
    fn from(batch: Option<&BatchId>) -> Undo {
        batch.map_or(Undo(What::Nothing), Undo::from)
    }
}

//! Proposals: changes that are stored for review, and carried out when somebody says so.

use crate::error::Error;
use crate::history::{Batch, Status};
use crate::ids::{BatchId, ChangeId};
use crate::planned::{Planned, PlannedCommit};
use crate::session::Session;
use patchwright_engine::core::tool::{ApplyBatch, Call, Ground, RejectBatch, Run, Shared};

/// A change that is stored for review. No file has changed.
///
/// ```
/// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
/// let author = workspace.session("agent");
/// author.create("a.txt", "one\n").plan()?.propose()?;
///
/// let reviewer = workspace.session("reviewer");
/// for proposal in reviewer.proposals()? {
///     let planned = proposal.plan()?;
///     if planned.diff().contains("+one") { planned.commit()?; } else { proposal.reject("not now")?; }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Proposal {
    session: Session,
    id: BatchId,
    changes: Option<Vec<String>>,
    ground: Ground,
}

impl Planned {
    /// Stores the change for review, bound to what was shown as a commit is. No file changes. A plan of nothing cannot be
    /// stored: [`ErrorKind::InvalidArguments`](crate::ErrorKind::InvalidArguments).
    pub fn propose(self) -> Result<Proposal, Error> {
        let session = self.bound.session().clone();
        let proposed = self.bound.carry_out(Run::Propose)?;
        let id = proposed.batch().ok_or_else(|| Error::invalid("there is nothing to propose: nothing would change"))?;
        Ok(session.proposal(id))
    }
}

impl Session {
    /// What is stored for review and not yet decided, newest first, whoever proposed it: at most 1,000.
    pub fn proposals(&self) -> Result<Vec<Proposal>, Error> {
        let mut batches: Vec<Batch> = Vec::new();
        for status in [Status::Proposed, Status::Conflicted] {
            batches.extend(self.batches().status(status).limit(1_000).run()?);
        }
        batches.sort_by_key(|batch| std::cmp::Reverse(batch.author.time));
        Ok(batches.iter().map(|batch| self.proposal(&batch.id)).collect())
    }

    /// A proposal by its name. Whether there is one, its verbs find out.
    pub fn proposal(&self, id: impl Into<BatchId>) -> Proposal {
        Proposal { session: self.clone(), id: id.into(), changes: None, ground: Ground::MustBeTheSame }
    }
}

impl Proposal {
    /// Its name, for [`Session::show`].
    pub fn batch(&self) -> &BatchId {
        &self.id
    }

    /// Only these of its changes, at least one. Once they are committed, the others are dropped.
    #[must_use = "the proposal itself stays as it is"]
    pub fn only<I>(mut self, changes: I) -> Proposal
    where
        I: IntoIterator,
        I::Item: Into<ChangeId>,
    {
        self.changes = Some(changes.into_iter().map(|id| id.into().as_str().to_owned()).collect());
        self
    }

    /// Where its files have changed since, the changes are carried over if nothing touches them. Without this, changed
    /// files are [`ErrorKind::Conflict`](crate::ErrorKind::Conflict).
    #[must_use = "the proposal itself stays as it is"]
    pub fn rebase(mut self) -> Proposal {
        self.ground = Ground::MayHaveMoved;
        self
    }

    /// Plans to carry it out.
    pub fn plan(&self) -> Result<PlannedCommit, Error> {
        if self.changes.as_ref().is_some_and(Vec::is_empty) {
            return Err(Error::invalid("no change of the proposal is named"));
        }
        let ask = ApplyBatch {
            batch: Some(self.id.as_str().to_owned()),
            changes: self.changes.clone(),
            ground: self.ground,
            shared: Shared::default(),
        };
        PlannedCommit::of(&self.session, Call::ApplyBatch(ask))
    }

    /// Drops it, all of it, and puts the reason on record.
    pub fn reject(self, reason: impl Into<String>) -> Result<(), Error> {
        let batch = self.id.as_str().to_owned();
        let reason = Some(reason.into()).filter(|reason| !reason.is_empty());
        self.session.look(&Call::RejectBatch(RejectBatch { batch, reason, shared: Shared::default() })).map(drop)
    }
}

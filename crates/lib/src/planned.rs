//! What a call would do, and what it did.
//!
//! A plan is the answer to a dry run with the hashes of every file that it touches. Committing it carries the same call
//! out under the lock, bound to those hashes.

use crate::error::Error;
use crate::ids::BatchId;
use crate::session::Session;
use crate::sha256::Sha256;
use crate::warning::Warning;
use patchwright_engine::PlannedFiles;
use patchwright_engine::core::batch::BatchName;
use patchwright_engine::core::outcome::{self, Answer, Changed, FilePatchView, PatchedFile, Reply};
use patchwright_engine::core::tool::{Call, Run};

/// A change that is planned and not yet made: nothing has changed so far.
///
/// It remembers the hashes before and after of every file that it would touch. [`commit`](Planned::commit) makes just
/// this change, or none: if one of the files has changed since, or the result would be another, it ends with
/// [`ErrorKind::StaleFile`](crate::ErrorKind::StaleFile).
///
/// [`propose`](Planned::propose) stores it for review instead. A plan that is dropped leaves only a note on record.
/// A plan is used once: both consume it, and it cannot be cloned.
///
/// ```compile_fail,E0382
/// # fn twice(planned: patchwright_lib::Planned) -> Result<(), patchwright_lib::Error> {
/// planned.commit()?;
/// planned.propose()?; // the plan is gone
/// # Ok(())
/// # }
/// ```
///
/// ```compile_fail,E0277
/// fn cloned<T: Clone>() {}
/// cloned::<patchwright_lib::Planned>();
/// ```
#[derive(Debug)]
#[must_use = "nothing changes until a plan is committed or proposed"]
pub struct Planned {
    pub(crate) bound: Bound,
}

/// Taking changes back, or carrying out a proposal: planned, and not yet done.
///
/// It is bound to what it shows, as [`Planned`] is, and used once. It can only be committed: an undo is not itself
/// proposed.
///
/// ```compile_fail,E0277
/// fn cloned<T: Clone>() {}
/// cloned::<patchwright_lib::PlannedCommit>();
/// ```
#[derive(Debug)]
#[must_use = "nothing changes until a plan is committed"]
pub struct PlannedCommit {
    bound: Bound,
}

/// A call, and what it would come to.
#[derive(Debug)]
pub(crate) struct Bound {
    session: Session,
    /// Nothing for the undo of a change that changed nothing.
    call: Option<Call>,
    files: PlannedFiles,
    told: Told,
}

/// What a call came to, or would come to.
#[derive(Clone, Debug, Default)]
struct Told {
    batch: Option<BatchId>,
    files: Vec<FileChange>,
    diff: String,
    warnings: Vec<Warning>,
}

/// The accessors that both kinds of plans have.
macro_rules! shows_its_plan {
    ($name:ident) => {
        impl $name {
            /// What would change, as a unified diff. Of a file whose diff is longer than 64 KiB, only the beginning;
            /// [`FileChange::diff_is_cut`] says so.
            pub fn diff(&self) -> &str {
                &self.bound.told.diff
            }

            /// The files that would change, as the call names them: a folder that is deleted or renamed is one.
            pub fn files(&self) -> &[FileChange] {
                &self.bound.told.files
            }

            /// Every single file that would be touched, with its hash before and after: what a commit is bound to.
            pub fn touches(&self) -> Vec<Touch> {
                self.bound.touches()
            }

            /// Is everything already as it should be? A commit then does nothing.
            pub fn is_empty(&self) -> bool {
                self.bound.told.files.is_empty()
            }

            /// What is worth knowing besides.
            pub fn warnings(&self) -> &[Warning] {
                &self.bound.told.warnings
            }

            /// Makes the change that was planned, or none.
            pub fn commit(self) -> Result<Change, Error> {
                self.bound.commit()
            }
        }
    };
}

shows_its_plan!(Planned);
shows_its_plan!(PlannedCommit);

impl Planned {
    pub(crate) fn of(session: &Session, call: Call) -> Result<Planned, Error> {
        Bound::plan(session, call).map(|bound| Planned { bound })
    }
}

impl PlannedCommit {
    pub(crate) fn of(session: &Session, call: Call) -> Result<PlannedCommit, Error> {
        Bound::plan(session, call).map(|bound| PlannedCommit { bound })
    }

    /// A plan to do nothing.
    pub(crate) fn nothing(session: &Session) -> PlannedCommit {
        let (files, told) = (PlannedFiles::default(), Told::default());
        PlannedCommit { bound: Bound { session: session.clone(), call: None, files, told } }
    }
}

impl Bound {
    fn plan(session: &Session, mut call: Call) -> Result<Bound, Error> {
        run_as(&mut call, Run::Dry);
        let (reply, files) = session.followed(&call, None)?;
        Ok(Bound { session: session.clone(), call: Some(call), files, told: Told::of(reply)? })
    }

    fn commit(self) -> Result<Change, Error> {
        self.carry_out(Run::Apply)
    }

    pub(crate) fn carry_out(self, run: Run) -> Result<Change, Error> {
        let Some(mut call) = self.call else { return Ok(Change { told: self.told }) };
        run_as(&mut call, run);
        let (reply, _) = self.session.followed(&call, Some(&self.files))?;
        Ok(Change { told: Told::of(reply)? })
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    fn touches(&self) -> Vec<Touch> {
        let touch = |(path, versions): (&str, patchwright_engine::Versions)| Touch {
            path: path.to_owned(),
            before: versions.before.map(Sha256::of_digest),
            after: versions.after.map(Sha256::of_digest),
        };
        self.files.iter().map(touch).collect()
    }
}

/// Says how far a call goes.
fn run_as(call: &mut Call, run: Run) {
    let shared = match call {
        Call::CreateFile(ask) => &mut ask.shared,
        Call::WriteFile(ask) => &mut ask.shared,
        Call::EditFile(ask) => &mut ask.shared,
        Call::ApplyPatch(ask) => &mut ask.shared,
        Call::DeleteFile(ask) => &mut ask.shared,
        Call::MoveFile(ask) => &mut ask.shared,
        Call::RestoreFile(ask) => &mut ask.shared,
        Call::Undo(ask) => &mut ask.shared,
        Call::ApplyBatch(ask) => &mut ask.shared,
        // No other call is planned here.
        _ => return,
    };
    shared.run = run;
}

/// A change that was made.
#[derive(Clone, Debug)]
pub struct Change {
    told: Told,
}

impl Change {
    /// The batch under which it is on record, for [`Session::undo`](crate::Session::undo). `None` if there was nothing
    /// to change.
    pub fn batch(&self) -> Option<&BatchId> {
        self.told.batch.as_ref()
    }

    /// What changed, as a unified diff, cut as that of a plan is.
    pub fn diff(&self) -> &str {
        &self.told.diff
    }

    /// The files that changed.
    pub fn files(&self) -> &[FileChange] {
        &self.told.files
    }

    /// What is worth knowing besides.
    pub fn warnings(&self) -> &[Warning] {
        &self.told.warnings
    }
}

/// A file with its hash before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touch {
    /// The file itself, where links lead, relative to the workspace.
    pub path: String,
    /// The hash before; `None` if it is absent.
    pub before: Option<Sha256>,
    /// The hash after; `None` if it goes away.
    pub after: Option<Sha256>,
}

/// What becomes of one file, or of one folder with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileChange {
    /// Its name afterwards; of something deleted, the name that it had.
    pub path: String,
    /// The name that it had, if it is renamed.
    pub from: Option<String>,
    /// What is done to it.
    pub operation: Operation,
    /// The hash before; `None` for something new, or a folder.
    pub before: Option<Sha256>,
    /// The hash after; `None` for something deleted, or a folder.
    pub after: Option<Sha256>,
    /// Its part of the diff.
    pub diff: String,
    /// Is that only the beginning of it?
    pub diff_is_cut: bool,
    /// The trash entry that holds what was deleted or replaced, once that is done; for
    /// [`Session::restore`](crate::Session::restore).
    pub trash: Option<String>,
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// It is new.
    Create,
    /// It gets other content, or other permission bits.
    Update,
    /// It goes to the trash.
    Delete,
    /// It gets another name.
    Rename,
    /// It comes back.
    Restore,
}

impl Operation {
    pub(crate) fn of(operation: outcome::Operation) -> Operation {
        match operation {
            outcome::Operation::Create => Operation::Create,
            outcome::Operation::Update => Operation::Update,
            outcome::Operation::Delete => Operation::Delete,
            outcome::Operation::Move => Operation::Rename,
            outcome::Operation::Restore => Operation::Restore,
        }
    }
}

impl Told {
    fn of(reply: Reply) -> Result<Told, Error> {
        let (batch, files): (Option<BatchName>, Vec<FileChange>) = match reply.answer {
            Answer::Changed(changed) if changed.extent == outcome::Extent::Unchanged => (None, Vec::new()),
            Answer::Changed(mut changed) => (changed.batch.take(), vec![of_one(changed)]),
            Answer::Patched(patched) => (patched.batch, patched.files.into_iter().map(of_section).collect()),
            Answer::Settled(settled) => (settled.batch, settled.files.into_iter().map(FileChange::of_view).collect()),
            _ => return Err(Error::unexpected_answer()),
        };
        let diff = files.iter().map(|file| file.diff.as_str()).collect();
        let warnings = reply.warnings.into_iter().map(Warning::of).collect();
        Ok(Told { batch: batch.map(BatchId::of_name), files, diff, warnings })
    }
}

fn of_one(changed: Changed) -> FileChange {
    FileChange {
        path: changed.path,
        from: changed.from,
        operation: Operation::of(changed.operation),
        before: changed.before.map(Sha256::of_digest),
        after: changed.after.map(Sha256::of_digest),
        diff: changed.diff,
        diff_is_cut: changed.diff_cut,
        trash: changed.trash,
    }
}

fn of_section(file: PatchedFile) -> FileChange {
    let (path, from) = names(file.path, file.to);
    FileChange {
        path,
        from,
        operation: Operation::of(file.operation),
        before: file.before.map(Sha256::of_digest),
        after: file.after.map(Sha256::of_digest),
        diff: file.diff,
        diff_is_cut: file.diff_cut,
        trash: file.trash,
    }
}

impl FileChange {
    pub(crate) fn of_view(file: FilePatchView) -> FileChange {
        let (path, from) = names(file.path, file.to);
        FileChange {
            path,
            from,
            operation: Operation::of(file.operation),
            before: file.before.map(Sha256::of_digest),
            after: file.after.map(Sha256::of_digest),
            diff: file.diff,
            diff_is_cut: file.diff_cut,
            trash: None,
        }
    }
}

/// The name afterwards, and the one before if that is another.
fn names(path: String, to: Option<String>) -> (String, Option<String>) {
    match to {
        Some(to) => (to, Some(path)),
        None => (path, None),
    }
}

//! One transaction: what every changing call goes through, whatever it changes.
//!
//! Take a turn; answer a repeated call from the record; let the call do its own part, which plans, stages and publishes
//! through here; and put on record why it failed, if it did. Each kind of change says only what it wants.

use crate::answers::Recorded;
use crate::clock::{fresh_id, salt};
use crate::gather::{Depth, Gather, Links};
use crate::operation::Purpose;
use crate::planned_files::PlannedFiles;
use crate::prepare::{Prepared, few_enough, file_records};
use crate::proof::Proven;
use crate::recorded::touched;
use crate::refused::Stumble;
use crate::remember::Wrote;
use crate::retire::retire_sometimes;
use crate::session::Session;
use crate::trouble::{commit_failed, in_doubt, stopped, unstaged};
use crate::turn::Turn;
use crate::watch::Watch;
use crate::workspace::Workspace;
use crate::{answers, asked, replay};
use patchwright_core::digest::Digest;
use patchwright_core::intent::Intent;
use patchwright_core::outcome::{Extent, Failed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Fresh, Plan, Snapshot, arrange, check_apart, join, make_executable, plan_one};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Run};
use patchwright_core::warning::Warning;
use patchwright_store::crew;
use patchwright_store::folders::Folders;
use patchwright_store::publish::{Outcome, Receipt};
use patchwright_store::real::RealDisk;
use patchwright_store::records::{Caller, Commit, End, FolderTable, LeftAlone, Note, Record};
use patchwright_store::stage::{Order, stage};
use std::convert::Infallible;

/// One changing call under way.
pub(crate) struct Transaction<'a> {
    pub(crate) session: &'a Session,
    pub(crate) call: &'a Call,
    pub(crate) watch: &'a dyn Watch,
    pub(crate) turn: Turn<'a>,
    published: Published,
}

/// Has it changed anything yet?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Published {
    No,
    Yes,
}

/// What a tool wants, once it has looked: gathered under the lock.
pub(crate) type Prepare<'a> = &'a dyn Fn(&mut Gather<'_>, &mut Turn<'_>) -> Result<Prepared, Trouble>;

/// What is to be published.
pub(crate) struct Publishing<'a> {
    pub(crate) plan: &'a Plan,
    /// What the session knows once it is done.
    pub(crate) wrote: Wrote,
    pub(crate) commit: Commit,
    pub(crate) folders: Folders<RealDisk>,
}

impl Session {
    /// Carries out a call that changes files by intents, or puts on record why not.
    pub(crate) fn change(&self, call: &Call, watch: &dyn Watch, prepare: Prepare<'_>) -> Result<Reply, Failed> {
        Transaction::begin(self, call, watch)?.run(|transaction| transaction.change(prepare))
    }
}

impl<'a> Transaction<'a> {
    /// Takes a turn. Who does not get one is not on record.
    pub(crate) fn begin(session: &'a Session, call: &'a Call, watch: &'a dyn Watch) -> Result<Self, Failed> {
        let turn = session.take_turn(watch).map_err(Failed::unrecorded)?;
        Ok(Transaction { session, call, watch, turn, published: Published::No })
    }

    /// Answers a repeated call with the first answer; else does the call's own part, and records why it failed.
    pub(crate) fn run(
        mut self,
        work: impl FnOnce(&mut Transaction<'a>) -> Result<Reply, Stumble>,
    ) -> Result<Reply, Failed> {
        let earlier = replay::earlier(self.session, &mut self.turn, self.call);
        let done = match earlier.map_err(Stumble::from) {
            Ok(Some(reply)) => return Ok(reply),
            Ok(None) => self.check_expected_before().and_then(|()| work(&mut self)),
            Err(stumble) => Err(stumble),
        };
        if done.is_ok() && self.published == Published::Yes {
            retire_sometimes(self.session, &mut self.turn);
        }
        done.map_err(|stumble| self.fail(stumble))
    }

    /// Puts on record why a call goes no further, unless the log tells of it already.
    fn fail(&mut self, stumble: Stumble) -> Failed {
        let Stumble { trouble, paths, recorded } = stumble;
        let trouble = self.session.told_since(&mut self.turn, trouble);
        if recorded {
            let log = self.turn.log().ok().filter(|log| log.sequence() > 0);
            return Failed { audit_head: log.map(|log| log.head()), ..Failed::unrecorded(trouble) };
        }
        self.session.refuse(&mut self.turn, self.call, trouble, paths)
    }

    /// Looks at paths while the caller may call it off.
    pub(crate) fn gather(&self) -> Gather<'a> {
        Gather::new(&self.session.workspace).watched(self.watch)
    }

    /// What a bound call touches must be as it was when it was planned. Without this, a file that has changed would be
    /// told of as whatever the call meets first, such as a text that is not there.
    fn check_expected_before(&self) -> Result<(), Stumble> {
        let Some(expected) = self.watch.expects() else { return Ok(()) };
        let gather = self.gather();
        Ok(expected.check_before(&|path| gather.peek(path, Links::Keep, Depth::Hash))?)
    }

    /// Tells what a plan comes to, and holds it against what it must come to. `removed` are the folders that go.
    pub(crate) fn check_planned(&self, plan: &Plan, removed: &[RelPath], snapshot: &Snapshot) -> Result<(), Refusal> {
        let files = || PlannedFiles::of(plan, removed, snapshot);
        self.watch.planned(&files);
        self.watch.expects().map_or(Ok(()), |expected| expected.check(&files()))
    }

    /// How the call is to be carried out.
    pub(crate) fn run_mode(&self) -> Run {
        self.call.shared().map(|shared| shared.run).unwrap_or_default()
    }

    fn change(&mut self, prepare: Prepare<'_>) -> Result<Reply, Stumble> {
        let mut gather = self.gather();
        let prepared =
            prepare(&mut gather, &mut self.turn).map_err(|trouble| Stumble::having_seen(trouble, &gather.snapshot))?;
        let plan = self.plan(&prepared, &gather)?;
        let commit = self.commit_of(&prepared, &plan, &gather);
        self.check_planned(&plan, &commit.gone, &gather.snapshot)?;
        match self.run_mode() {
            _ if plan.is_empty() => self.without_effect(&prepared, &gather, commit, Extent::Unchanged),
            Run::Propose => self.propose(&prepared, &plan, &gather, commit),
            Run::Dry => self.without_effect(&prepared, &gather, commit, Extent::Dry),
            Run::Apply => {
                let wrote = Wrote::by(&prepared);
                let receipt = self.publish(Publishing { plan: &plan, wrote, commit, folders: gather.folders })?;
                Ok(answers::committed(&prepared, &receipt.commit, receipt.head))
            }
        }
    }

    /// Plans what is wanted of the files that were looked at.
    pub(crate) fn plan(&mut self, prepared: &Prepared, gather: &Gather<'_>) -> Result<Plan, Stumble> {
        let named = || prepared.named(&gather.snapshot);
        let stumble = |trouble| Stumble { trouble, paths: named(), recorded: false };
        let about = |refusal: Refusal| stumble(gather.what_is_left(refusal).into());
        let mut planned = plan_all(&gather.snapshot, &prepared.intents).map_err(about)?;
        if let (Some(executable), Some(wish)) = (prepared.executable, prepared.wishes.first()) {
            make_executable(&mut planned, &gather.snapshot, &wish.path, executable);
        }
        arrange(&mut planned, gather.snapshot.emptied()).map_err(about)?;
        within_limit(&planned, self.session.workspace.limits.max_file_bytes).map_err(about)?;
        self.session.check_links(&mut self.turn, &planned, &gather.snapshot).map_err(stumble)?;
        if self.watch.cancelled() {
            return Err(about(Refusal::plain(Why::Cancelled)));
        }
        Ok(planned)
    }

    /// What will be on record once a plan is carried out.
    pub(crate) fn commit_of(&self, prepared: &Prepared, plan: &Plan, gather: &Gather<'_>) -> Commit {
        let mut commit = Commit {
            batch: fresh_id(),
            number: 0,
            caller: self.caller(prepared.proven),
            files: file_records(prepared, plan, &gather.snapshot),
            warnings: warnings(plan, prepared),
            shown: prepared.shown().map(RelPath::to_string),
            verified: true,
            key: replay::key(self.call),
            folders: plan.folders.clone(),
            gone: plan.gone.iter().chain(&plan.emptied).cloned().collect(),
            dress: FolderTable::default(),
            ..Commit::default()
        };
        prepared.kind_on_record(plan, &mut commit);
        commit
    }

    /// Carries a plan out. Once this was called, the log tells what became of it.
    pub(crate) fn publish(&mut self, publishing: Publishing<'_>) -> Result<Receipt, Stumble> {
        let Publishing { plan, wrote, mut commit, folders } = publishing;
        few_enough(plan.steps.len())?;
        if commit.number == 0 {
            commit.number = self.turn.log()?.batches() + 1;
        }
        let patch = commit.patch.is_some();
        let failed = |trouble| Stumble::recorded(if patch { commit_failed(trouble) } else { trouble });
        let Workspace { disk, firm, .. } = &**self.session.workspace();
        let order = Order { commit, salt: salt(), firm: *firm };
        let staged = stage(disk, self.turn.log()?, plan, order, folders).map_err(|why| failed(unstaged(why)))?;
        match staged.publish() {
            Outcome::Committed(receipt) => {
                self.published = Published::Yes;
                self.session.count_deed();
                self.session.remember(plan, &wrote);
                Ok(receipt)
            }
            Outcome::RolledBack(stop, left_alone) => {
                self.session.tell_later(left_alone.into_iter().map(left_there));
                Err(failed(stopped(stop)))
            }
            Outcome::InDoubt(why) => Err(Stumble::recorded(in_doubt(why))),
        }
    }

    /// A dry run, or a call for what already is: the answer, and an entry in the record.
    pub(crate) fn without_effect(
        &mut self,
        prepared: &Prepared,
        gather: &Gather<'_>,
        commit: Commit,
        extent: Extent,
    ) -> Result<Reply, Stumble> {
        let head = self.note_commit(&commit, prepared.purpose(), extent)?;
        Ok(answers::without_effect(prepared, &gather.snapshot, Recorded { commit: &commit, head, extent }))
    }

    /// Puts on record what a commit would have been.
    pub(crate) fn note_commit(&mut self, commit: &Commit, purpose: Purpose, extent: Extent) -> Result<Digest, Trouble> {
        let note = Note {
            caller: commit.caller.clone(),
            end: if extent == Extent::Dry { End::DryRun } else { End::Unchanged },
            operation: purpose.name().to_owned(),
            files: commit.files.iter().map(touched).collect(),
            diff: commit.files.iter().map(|file| file.diff.as_str()).collect(),
            asked: asked::of_commit(commit),
        };
        self.append(&Record::Note(note))
    }

    /// Puts on record that the call changed nothing.
    pub(crate) fn note(&mut self, end: End) -> Result<Digest, Trouble> {
        self.session.note(&mut self.turn, self.call, end)
    }

    /// Appends a record to the log.
    pub(crate) fn append(&mut self, record: &Record) -> Result<Digest, Trouble> {
        self.session.append(&mut self.turn, record)
    }

    /// Who calls, as it stands in the record.
    pub(crate) fn caller(&self, proven: Proven) -> Caller {
        self.session.caller(self.call.tool().name, proven)
    }
}

/// Plans all intents, many of them side by side.
fn plan_all(snapshot: &Snapshot, intents: &[Intent]) -> Result<Plan, Refusal> {
    check_apart(snapshot, intents)?;
    let Ok(parts) = crew::each(intents, |wish, intent| Ok::<_, Infallible>(plan_one(snapshot, wish, intent)));
    parts.into_iter().collect::<Result<Vec<Plan>, Refusal>>().map(join)
}

/// What a call would leave must be small enough for the next call to take up.
fn within_limit(planned: &Plan, limit: u64) -> Result<(), Refusal> {
    for step in &planned.steps {
        let size = match &step.act {
            Act::Replace { after, .. } => after.len() as u64,
            Act::Create(Fresh::File { bytes, .. }) => bytes.len() as u64,
            _ => continue,
        };
        if size > limit {
            return Err(Refusal::at(&step.path, Why::TooLarge { size, limit, setting: "limits.max_file_bytes" }));
        }
    }
    Ok(())
}

/// What a call that was taken back could not put right.
fn left_there(left: LeftAlone) -> Warning {
    Warning::RollbackLeftAlone { path: left.path.to_string(), kept: left.saved.map(|keep| keep.name) }
}

fn warnings(planned: &Plan, prepared: &Prepared) -> Vec<Warning> {
    let mut warnings = prepared.told(planned);
    if prepared.proven == Proven::Unchecked {
        warnings.push(Warning::Unchecked);
    }
    warnings
}

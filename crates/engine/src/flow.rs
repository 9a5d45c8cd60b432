//! The one road of every change: lock, look, plan, stage, publish, answer. Each tool says only what it
//! wants; everything else about a change is here.

use crate::clock::{fresh_id, now_ns, salt};
use crate::gather::Gather;
use crate::prepare::{Prepared, file_records};
use crate::proof::Proven;
use crate::refused::by_name;
use crate::remember::Wrote;
use crate::trouble::{broken, commit_failed, in_doubt, stopped, unstaged};
use crate::watch::Watch;
use crate::workspace::{Workspace, lock};
use crate::{answers, asked, replay};
use patchwright_core::dialect::lines::is_doc_of;
use patchwright_core::digest::Digest;
use patchwright_core::intent::Intent;
use patchwright_core::outcome::{Extent, Failed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Fresh, Plan, Snapshot, arrange, check_apart, join, make_executable, plan_one};
use patchwright_core::refusal::{Expected, Many, Refusal, Why};
use patchwright_core::tool::{Call, Run};
use patchwright_core::warning::Warning;
use patchwright_store::crew;
use patchwright_store::disk::Halt;
use patchwright_store::folders::Folders;
use patchwright_store::log::{Log, Unwritten};
use patchwright_store::phase::Phase;
use patchwright_store::publish::{Outcome, Receipt};
use patchwright_store::real::{LockGuard, RealDisk};
use patchwright_store::records::{Caller, Commit, End, FolderTable, LeftAlone, Note, Record, Touched};
use patchwright_store::stage::{MOST_WORKS, Order, Unstaged, stage};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::MutexGuard;

/// The workspace held for one change: the kernel lock and the log, recovered and up to date.
pub(crate) struct Held<'a> {
    pub(crate) log: MutexGuard<'a, Option<Log<RealDisk>>>,
    disk: &'a RealDisk,
    _lock: LockGuard,
}

/// Whatever the call came to, home notes how far the log has come before anybody is answered.
impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(log) = self.log.as_mut() {
            log.renew_mark(self.disk);
        }
    }
}

impl Held<'_> {
    pub(crate) fn log(&mut self) -> Result<&mut Log<RealDisk>, Trouble> {
        let closed = || broken("log", std::io::Error::other("the log is closed").into());
        self.log.as_mut().ok_or_else(closed)
    }
}

/// What a tool wants, once it has looked: gathered under the lock.
pub(crate) type Prepare<'a> = &'a dyn Fn(&mut Gather<'_>, &mut Held<'_>) -> Result<Prepared, Trouble>;

impl Workspace {
    /// Carries out one changing call, or puts on record why not.
    pub(crate) fn change(&self, call: &Call, watch: &dyn Watch, prepare: Prepare<'_>) -> Result<Reply, Failed> {
        let mut held = self.hold(watch).map_err(Failed::unrecorded)?;
        let done = self.change_held(&mut held, call, watch, prepare);
        done.map_err(|stumble| self.stumbled(&mut held, call, stumble))
    }

    /// Puts on record why a call goes no further, unless the log tells of it already.
    pub(crate) fn stumbled(&self, held: &mut Held<'_>, call: &Call, stumble: Stumble) -> Failed {
        let Stumble { trouble, paths, recorded } = stumble;
        let trouble = self.told_since(held, trouble);
        if recorded {
            let audit_head = held.log().ok().filter(|log| log.sequence() > 0).map(|log| log.head());
            return Failed { audit_head, ..Failed::unrecorded(trouble) };
        }
        self.refuse(held, call, trouble, paths)
    }

    fn change_held(
        &self,
        held: &mut Held<'_>,
        call: &Call,
        watch: &dyn Watch,
        prepare: Prepare<'_>,
    ) -> Result<Reply, Stumble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let mut gather = Gather::new(&self.disk, &self.policy, self.limits).watched(watch);
        let prepared = prepare(&mut gather, held).map_err(|trouble| Stumble::having_seen(trouble, &gather.snapshot))?;
        let planned = self.plan(held, (&prepared, &gather), watch)?;
        let commit = self.commit_of(call, &prepared, &planned, &gather);
        let run = call.shared().map(|shared| shared.run).unwrap_or_default();
        if run == Run::Propose && !planned.is_empty() {
            return self.propose(held, (&prepared, &planned), &gather, commit);
        }
        if planned.is_empty() || run == Run::Dry {
            let extent = if planned.is_empty() { Extent::Unchanged } else { Extent::Dry };
            return self.without_effect(held, &prepared, &gather, (commit, extent)).map_err(Stumble::from);
        }
        let receipt = self.publish(held, (&planned, &Wrote::by(&prepared)), commit, gather.folders)?;
        let reply = answers::committed(&prepared, &receipt.commit, receipt.head);
        crate::trash::retire_sometimes(self, held);
        Ok(reply)
    }

    pub(crate) fn plan(
        &self,
        held: &mut Held<'_>,
        (prepared, gather): (&Prepared, &Gather<'_>),
        watch: &dyn Watch,
    ) -> Result<Plan, Stumble> {
        let named = || prepared.named(&gather.snapshot);
        let stumble = |trouble| Stumble { trouble, paths: named(), recorded: false };
        let about = |refusal: Refusal| stumble(gather.what_is_left(refusal).into());
        let mut planned = plan_all(&gather.snapshot, &prepared.intents).map_err(about)?;
        if let (Some(executable), Some(wish)) = (prepared.executable, prepared.wishes.first()) {
            make_executable(&mut planned, &gather.snapshot, &wish.path, executable);
        }
        arrange(&mut planned, gather.snapshot.emptied()).map_err(about)?;
        within_limit(&planned, self.limits.max_file_bytes).map_err(about)?;
        self.check_links(held, &planned, &gather.snapshot).map_err(stumble)?;
        if watch.cancelled() {
            return Err(about(Refusal::plain(Why::Cancelled)));
        }
        Ok(planned)
    }

    /// What will be on record once a plan is carried out.
    pub(crate) fn commit_of(&self, call: &Call, prepared: &Prepared, planned: &Plan, gather: &Gather<'_>) -> Commit {
        Commit {
            batch: fresh_id(),
            number: 0,
            caller: self.caller(call.tool().name, prepared.proven),
            files: file_records(prepared, planned, &gather.snapshot),
            warnings: warnings(planned, prepared),
            shown: prepared.shown().map(RelPath::to_string),
            verified: true,
            key: replay::key(call),
            consumed: prepared.consumed.clone(),
            patch: prepared.patch_record(planned),
            edit: prepared.edit_record(planned),
            batch_key: prepared.batch.as_ref().and_then(|(key, _)| key.clone()),
            label: prepared.batch.as_ref().and_then(|(_, label)| label.clone()),
            folders: planned.folders.clone(),
            gone: planned.gone.iter().chain(&planned.emptied).cloned().collect(),
            dress: FolderTable::default(),
            also_consumed: prepared.also_consumed.clone(),
            undoes: Vec::new(),
            proposed: None,
        }
    }

    pub(crate) fn publish(
        &self,
        held: &mut Held<'_>,
        (planned, wrote): (&Plan, &Wrote),
        mut commit: Commit,
        folders: Folders<RealDisk>,
    ) -> Result<Receipt, Stumble> {
        few_enough(planned.steps.len())?;
        if commit.number == 0 {
            commit.number = held.log()?.batches() + 1;
        }
        let patch = commit.patch.is_some();
        let order = Order { commit, salt: salt(), firm: self.firm };
        let log = held.log()?;
        let failed = |trouble| Stumble::recorded(if patch { commit_failed(trouble) } else { trouble });
        let staged = stage(&self.disk, log, planned, order, folders).map_err(|why| failed(unstaged(why)))?;
        match staged.publish() {
            Outcome::Committed(receipt) => {
                self.count_deed();
                self.remember(planned, wrote);
                Ok(receipt)
            }
            Outcome::RolledBack(stop, left_alone) => {
                self.tell_later(left_alone.into_iter().map(left_there));
                Err(failed(stopped(stop)))
            }
            Outcome::InDoubt(why) => Err(Stumble::recorded(in_doubt(why))),
        }
    }

    /// A dry run, or a call for what already is: the answer, and an entry in the record.
    pub(crate) fn without_effect(
        &self,
        held: &mut Held<'_>,
        prepared: &Prepared,
        gather: &Gather<'_>,
        (commit, extent): (Commit, Extent),
    ) -> Result<Reply, Trouble> {
        let note = Note {
            caller: commit.caller.clone(),
            end: if extent == Extent::Dry { End::DryRun } else { End::Unchanged },
            operation: prepared.operation().to_owned(),
            files: commit.files.iter().map(touched).collect(),
            diff: commit.files.iter().map(|file| file.diff.as_str()).collect(),
            asked: asked::of_commit(&commit),
        };
        let head = self.append(held, &Record::Note(note))?;
        Ok(answers::without_effect(prepared, &gather.snapshot, (&commit, head, extent)))
    }

    /// Takes the workspace for a change: waits for other writers, takes in what they did, and puts right
    /// what a dead one left.
    pub(crate) fn hold(&self, watch: &dyn Watch) -> Result<Held<'_>, Trouble> {
        self.may_change()?;
        self.root_stands()?;
        let mut log = lock(&self.writing);
        if watch.cancelled() {
            return Err(Refusal::plain(Why::Cancelled).into());
        }
        let guard = self.take_lock(watch).map_err(|halt| broken("lock", halt))?;
        let given_up = || if watch.cancelled() { Refusal::plain(Why::Cancelled) } else { self.busy() };
        let Some(guard) = guard else { return Err(given_up().into()) };
        if !self.disk.key_stands().map_err(|halt| broken("state", halt))? {
            return Err(Refusal::plain(Why::KeyGone).into());
        }
        self.begin_record()?;
        self.note_holder();
        self.bring_up(&mut log)?;
        self.finish_last(&mut log)?;
        Ok(Held { log, disk: &self.disk, _lock: guard })
    }

    /// Opens the log, or takes in what others appended to it.
    fn bring_up(&self, slot: &mut Option<Log<RealDisk>>) -> Result<(), Trouble> {
        let failed = |halt| broken("log", halt);
        let reusable = match slot.as_ref() {
            Some(log) => !log.is_poisoned() && log.is_current(&self.disk).map_err(failed)?,
            None => false,
        };
        if !reusable {
            let poisoned = slot.take().is_some_and(|log| log.is_poisoned());
            let fresh = Log::open(&self.disk).map_err(failed)?;
            if poisoned && fresh.verify(&self.disk, None).map_err(failed)?.damage.is_some() {
                return Err(broken("log", Halt::Damaged));
            }
            *slot = Some(fresh);
        }
        let Some(log) = slot.as_mut() else { return Ok(()) };
        log.refresh(&self.disk).map_err(failed)?;
        self.tell_standing(Some(&*log));
        Ok(())
    }

    /// Does what the last record leaves to do.
    fn finish_last(&self, slot: &mut Option<Log<RealDisk>>) -> Result<(), Trouble> {
        let failed = |halt| broken("log", halt);
        let Some(log) = slot.as_mut() else { return Ok(()) };
        let resumed = log.resume(&self.disk, now_ns(), self.firm);
        resumed.map_err(|(Unwritten::Not(halt) | Unwritten::Unknown(halt))| failed(halt))?;
        let done = self.recover(log).map_err(|halt| broken("recover", halt))?;
        self.note_recovery(done);
        Ok(())
    }

    pub(crate) fn append(&self, held: &mut Held<'_>, record: &Record) -> Result<Digest, Trouble> {
        let firm = self.firm;
        match held.log()?.append(&self.disk, record, firm) {
            Ok(head) => {
                if is_deed(record) {
                    self.count_deed();
                }
                Ok(head)
            }
            // The record is the deed: if it is there after all, the deed is done.
            Err(Unwritten::Unknown(halt)) if is_deed(record) => {
                Err(in_doubt(Unstaged { path: None, doing: Phase::Sync, halt }))
            }
            Err(Unwritten::Not(halt) | Unwritten::Unknown(halt)) => Err(broken("log", halt)),
        }
    }

    pub(crate) fn caller(&self, tool: &str, proven: Proven) -> Caller {
        let client = self.client();
        Caller {
            time_ns: now_ns(),
            session: self.session.clone(),
            client: format!("{}/{}", client.name, client.version),
            tool: tool.to_owned(),
            unchecked: proven == Proven::Unchecked,
            actor: client.actor.clone(),
            door: client.door,
            role: client.role,
        }
    }
}

/// Does a record by itself do what the caller asked for?
fn is_deed(record: &Record) -> bool {
    matches!(record, Record::Purge(_) | Record::Proposal(_) | Record::Verdict(_))
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

/// What a call does to files must be little enough for another to take it back.
pub(crate) fn few_enough(files: usize) -> Result<(), Trouble> {
    if files <= MOST_WORKS {
        return Ok(());
    }
    Err(Refusal::argument("", Expected::AtMost(MOST_WORKS, Many::Files), format!("{files} files")).into())
}

/// What a call that was taken back could not put right.
fn left_there(left: LeftAlone) -> Warning {
    Warning::RollbackLeftAlone { path: left.path.to_string(), kept: left.saved.map(|keep| keep.name) }
}

/// A call that goes no further.
pub(crate) struct Stumble {
    pub(crate) trouble: Trouble,
    /// What it was about, for the record.
    pub(crate) paths: Vec<Touched>,
    /// Does the log already tell of it?
    recorded: bool,
}

impl Stumble {
    fn recorded(trouble: Trouble) -> Stumble {
        Stumble { trouble, paths: Vec::new(), recorded: true }
    }
}

impl Stumble {
    /// The same with the files that a line patch is about, where they were found: it names them by their `docPath`s.
    fn having_seen(trouble: Trouble, snapshot: &Snapshot) -> Stumble {
        let stumble = Stumble::from(trouble);
        if !matches!(&stumble.trouble, Trouble::Refused(Refusal { why: Why::LinePatch(_), .. })) {
            return stumble;
        }
        let files = snapshot.files().map(|file| (file.real.to_string(), file.digest));
        let found: BTreeMap<String, Digest> = files.collect();
        let unknown = |named: &Touched| !found.keys().any(|path| is_doc_of(&named.path, path) || named.path == *path);
        let unknown: Vec<Touched> = stumble.paths.into_iter().filter(unknown).collect();
        let seen = found.iter().map(|(path, digest)| Touched { before: Some(*digest), ..by_name(path.clone()) });
        Stumble { paths: seen.chain(unknown).collect(), ..stumble }
    }
}

impl From<Trouble> for Stumble {
    fn from(trouble: Trouble) -> Stumble {
        let paths = match &trouble {
            Trouble::Refused(Refusal { why: Why::LinePatch(faults), .. }) => crate::lines::named(faults),
            Trouble::Refused(refusal) => refusal.path.clone().into_iter().collect(),
            Trouble::Fault(fault) => fault.path.clone().into_iter().collect(),
        };
        Stumble { trouble, paths: paths.into_iter().map(by_name).collect(), recorded: false }
    }
}

fn warnings(planned: &Plan, prepared: &Prepared) -> Vec<Warning> {
    let mut warnings = prepared.told(planned);
    if prepared.proven == Proven::Unchecked {
        warnings.push(Warning::Unchecked);
    }
    warnings
}

/// What a tool is there for, in the words of the record.
pub(crate) fn operation_of(tool: &str) -> &'static str {
    match tool {
        "create_file" => "create",
        "write_file" | "edit_file" | "edit" => "update",
        "delete_file" => "delete",
        "move_file" => "move",
        "apply_patch" => "patch",
        "restore_file" => "restore",
        "purge_trash" => "purge",
        "workspace_write_patch" => "patch",
        "undo" => "undo",
        "apply_batch" => "apply",
        "reject_batch" => "reject",
        _ => "",
    }
}

pub(crate) fn touched(file: &patchwright_store::records::FileRecord) -> Touched {
    Touched {
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
        before: file.before,
        after: file.after,
    }
}

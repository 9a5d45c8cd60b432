//! Proposals: stored plans, carried out when somebody says so, whole or in part; and dropped.

mod draft;

pub(crate) use draft::bits;

use crate::answers::settled::rejected;
use crate::conflicts::{nothing_left, standing};
use crate::gather::{Depth, Gather, Links};
use crate::ids::{Changes, Part};
use crate::operation::operation;
use crate::past::Past;
use crate::permits::hidden;
use crate::prepare::{About, Prepared};
use crate::proof::Proven;
use crate::refused::Stumble;
use crate::session::Session;
use crate::settled::Draft;
use crate::since::Versions;
use crate::transaction::Transaction;
use crate::trouble::{Task, broken};
use crate::watch::Watch;
use crate::{answers, replay};
use patchwright_core::batch::BatchStatus;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Extent, Failed, Operation, Reply, Trouble};
use patchwright_core::plan::{Act, Aside, Fresh, Plan, Seen};
use patchwright_core::refusal::{Conflict, ConflictPlace, Expected, Missing, Refusal, Why};
use patchwright_core::tool::{ApplyBatch, Call, Ground, RejectBatch, Run};
use patchwright_store::index::BatchRow;
use patchwright_store::keep::{Shelves, deposit};
use patchwright_store::records::{Commit, Decision, End, FileRecord, Proposal, Proposed, Record, Verdict};
use std::collections::{HashMap, HashSet};

impl Session {
    /// Carries out a proposal, whole or in part.
    pub fn apply_batch(&self, ask: &ApplyBatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::ApplyBatch(ask.clone());
        Transaction::begin(self, &call, watch)?.run(|transaction| transaction.apply(ask))
    }

    /// Drops a proposal.
    pub fn reject_batch(&self, ask: &RejectBatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::RejectBatch(ask.clone());
        Transaction::begin(self, &call, watch)?.run(|transaction| transaction.reject(ask))
    }

    /// What is in the way of a proposal, place by place; nothing if it could be carried out now. Only looks: nothing
    /// goes on record, and nobody waits.
    pub fn in_the_way_of(&self, batch: &str) -> Result<Vec<ConflictPlace>, Trouble> {
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: batch.to_owned() }));
        let past = self.past()?.ok_or_else(absent)?;
        let row = past.batch_named("batchId", batch)?;
        let (row, proposal) = open_proposal(&past, row).map_err(|stumble| stumble.trouble)?;
        let wanted = wanted(&proposal.commit, None)?;
        let job =
            draft::Job { past: &past, proposal: &proposal, wanted: &wanted, ground: Ground::default(), seq: row.seq };
        let gather = Gather::new(&self.workspace);
        Ok(match job.draft(gather).map_err(|stumble| stumble.trouble)? {
            draft::Fits::Yes { .. } => Vec::new(),
            draft::Fits::No(places) => places,
        })
    }
}

/// What is taken of a proposal.
struct Taken<'a> {
    wanted: &'a HashSet<String>,
    rebased: bool,
}

impl Transaction<'_> {
    /// Stores a plan for review: the record says what would be done, and the versions it was made for and would
    /// leave are kept.
    pub(crate) fn propose(
        &mut self,
        prepared: &Prepared,
        planned: &Plan,
        gather: &Gather<'_>,
        mut commit: Commit,
    ) -> Result<Reply, Stumble> {
        commit.number = self.turn.log()?.batches() + 1;
        let workspace = &self.session.workspace;
        let shelves = Shelves::new(&workspace.disk);
        let keep = |digest, bytes: &[u8]| {
            deposit(&shelves, digest, bytes, workspace.firm).map_err(|halt| broken(Task::Keep, halt))
        };
        for (step, file) in planned.steps.iter().zip(&commit.files) {
            // What goes with its folder is only compared by its hash.
            if prepared.wishes.get(step.wish).is_some_and(|wish| wish.about == About::Folder) {
                continue;
            }
            let given = prepared.wishes.get(step.wish).map(|wish| wish.given(step, &gather.snapshot));
            if let (Some(given), Some(_)) = (given, file.before)
                && let Seen::File(seen) = gather.snapshot.seen(given)
                && let (Some(bytes), false) = (&seen.bytes, matches!(step.act, Act::Rename { .. } | Act::Mode { .. }))
            {
                keep(seen.digest, bytes)?;
            }
            match &step.act {
                Act::Replace { after, digest, .. } if file.delta.is_none() => keep(*digest, &after.whole())?,
                Act::Create(Fresh::Link { target, digest }) if file.delta.is_none() => keep(*digest, target)?,
                Act::Create(Fresh::File { bytes, digest, .. }) if file.delta.is_none() => keep(*digest, bytes)?,
                _ => {}
            }
        }
        let is_aside = |act: &Act| matches!(act, Act::Replace { aside: Aside::Trash, .. });
        let asides = planned.steps.iter().map(|step| is_aside(&step.act)).collect();
        let proposal = Proposal { commit, asides };
        let head = self.append(&Record::Proposal(proposal.clone()))?;
        Ok(answers::proposed(&proposal.commit, head))
    }

    /// Carries out a proposal, whole or in part.
    fn apply(&mut self, ask: &ApplyBatch) -> Result<Reply, Stumble> {
        let (row, parts) = self.named_proposal(ask)?;
        let past = self.session.past_of(&mut self.turn)?;
        let (row, proposal) = open_proposal(&past, row)?;
        let wanted = wanted(&proposal.commit, parts.as_deref())?;
        let gather = Gather::new(&self.session.workspace).watched(self.watch);
        let job = draft::Job { past: &past, proposal: &proposal, wanted: &wanted, ground: ask.ground, seq: row.seq };
        let fits = job.draft(gather)?;
        drop(past);
        let (draft, gather, rebased) = match fits {
            draft::Fits::Yes { draft, gather, rebased } => (draft, gather, rebased),
            draft::Fits::No(places) => return Err(self.does_not_fit(row, &proposal.commit, places)?),
        };
        let commit = self.applied(&proposal.commit, &draft, &gather, Taken { wanted: &wanted, rebased });
        self.settle(draft, gather, commit)
    }

    /// Puts on record that a proposal does not fit any more, and says where.
    fn does_not_fit(
        &mut self,
        row: BatchRow,
        proposed: &Commit,
        mut places: Vec<ConflictPlace>,
    ) -> Result<Stumble, Stumble> {
        self.name_movers(proposed, &mut places);
        if self.run_mode() != Run::Dry && row.status != BatchStatus::Conflicted {
            self.decide(&row.id, Decision::Conflicted, None)?;
        }
        let conflict = Conflict { batch: Some(row.id.into()), places };
        let path = conflict.places.first().map(|place| place.path.clone());
        Ok(Refusal { path, why: Why::Conflict(Box::new(conflict)), since: None }.into())
    }

    /// Who changed the files since, as far as that is on record.
    fn name_movers(&mut self, proposed: &Commit, places: &mut [ConflictPlace]) {
        for place in places {
            let file = proposed.files.iter().find(|file| file.path.as_str() == place.path);
            let Some((file, known)) = file.and_then(|file| Some((file, file.before?))) else { continue };
            let gather = Gather::new(&self.session.workspace);
            let now = gather.peek(&file.path, Links::Keep, Depth::Hash).ok().and_then(|seen| seen.digest());
            if let Some(since) = self.session.who_changed(&mut self.turn, &file.path, Versions { known, now }) {
                place.by = since.batches.into_iter().rev().collect();
            }
        }
    }

    /// How a proposal that is carried out goes on record: under its own ids.
    fn applied(&self, proposed: &Commit, draft: &Draft, gather: &Gather<'_>, taken: Taken<'_>) -> Commit {
        let Taken { wanted, rebased } = taken;
        let mut files = draft.records(gather);
        let ids =
            proposed.files.iter().flat_map(|file| file.changes.iter().map(move |change| (change.id.as_str(), file)));
        let by_change: HashMap<&str, &FileRecord> = ids.collect();
        for (file, step) in files.iter_mut().zip(&draft.plan.steps) {
            let first = step.changes.first().and_then(|change| change.id.as_deref());
            if let Some(known) = first.and_then(|id| by_change.get(id)) {
                file.id.clone_from(&known.id);
                file.key.clone_from(&known.key);
                file.label.clone_from(&known.label);
                file.doc_path.clone_from(&known.doc_path);
                file.wish = known.wish;
                if operation(known) == Operation::Restore {
                    file.operation.clone_from(&known.operation);
                }
            }
        }
        let all = proposed.files.iter().flat_map(|file| &file.changes).map(|change| change.id.clone());
        let dropped = all.filter(|id| !wanted.contains(id)).collect();
        Commit {
            batch: proposed.batch.clone(),
            number: proposed.number,
            caller: self.caller(Proven::Seen),
            files,
            verified: true,
            key: replay::key(self.call),
            batch_key: proposed.batch_key.clone(),
            label: proposed.label.clone(),
            proposed: Some(Box::new(Proposed { by: proposed.caller.clone(), rebased, dropped })),
            ..Commit::default()
        }
    }

    /// Drops a proposal.
    fn reject(&mut self, ask: &RejectBatch) -> Result<Reply, Stumble> {
        let past = self.session.past_of(&mut self.turn)?;
        let (row, part) = past.batch_or_part("batchId", &ask.batch)?;
        if part.is_some() {
            // All of it would be dropped, and less was named.
            let whole = Expected::WholeBatch(row.id.into());
            return Err(Refusal::argument("batchId", whole, format!("{:?}", ask.batch)).into());
        }
        let (row, proposal) = open_proposal(&past, row)?;
        drop(past);
        self.session.permit_files(proposal.commit.files.iter())?;
        if ask.shared.run == Run::Dry {
            let head = self.note(End::DryRun)?;
            return Ok(rejected(&row.id, row.status, Extent::Dry, head));
        }
        let head = self.decide(&row.id, Decision::Rejected, ask.reason.clone())?;
        Ok(rejected(&row.id, BatchStatus::Rejected, Extent::Done, head))
    }

    fn decide(&mut self, batch: &str, decision: Decision, reason: Option<String>) -> Result<Digest, Stumble> {
        let key = replay::key(self.call).filter(|_| decision == Decision::Rejected);
        let verdict = Verdict { batch: batch.to_owned(), caller: self.caller(Proven::Seen), decision, reason, key };
        Ok(self.append(&Record::Verdict(verdict))?)
    }

    /// The batch that is to be applied, by its own id or by those of its changes, and the parts that are wanted.
    fn named_proposal(&mut self, ask: &ApplyBatch) -> Result<(BatchRow, Option<Vec<Part>>), Stumble> {
        let past = self.session.past_of(&mut self.turn)?;
        let given = match (&ask.batch, ask.changes.as_deref().and_then(<[String]>::first)) {
            (Some(given), _) => given.clone(),
            (None, Some(first)) => past.part_named("changeIds", first)?.batch().to_owned(),
            (None, None) => return Err(Refusal::argument("batchId", Expected::Present("string"), "nothing").into()),
        };
        Ok(past.batch_and_parts(&given, ask.changes.as_deref())?)
    }
}

/// A proposal that nobody has settled yet.
fn open_proposal(past: &Past<'_>, row: BatchRow) -> Result<(BatchRow, Proposal), Stumble> {
    let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: row.id.clone() }));
    if matches!(past.entry(row.place)?.map(|entry| entry.record), Some(Record::Purge(_))) {
        return Err(nothing_left(&row.id).into());
    }
    if !matches!(row.status, BatchStatus::Proposed | BatchStatus::Conflicted) {
        return Err(standing(&row.id, row.status).into());
    }
    let place = row.proposal.ok_or_else(absent)?;
    match past.entry(place)?.map(|entry| entry.record) {
        Some(Record::Proposal(proposal)) => {
            match proposal.commit.files.iter().filter(|file| !past.may_read(file)).count() {
                0 => Ok((row, proposal)),
                closed => Err(hidden(&row.id, Some(row.number), closed).into()),
            }
        }
        _ => Err(absent().into()),
    }
}

/// The changes that are wanted, all of them unless some are named.
fn wanted(proposed: &Commit, parts: Option<&[Part]>) -> Result<HashSet<String>, Refusal> {
    let all = Changes::of(proposed.files.iter());
    let Some(parts) = parts else {
        return Ok(proposed.files.iter().flat_map(|file| &file.changes).map(|change| change.id.clone()).collect());
    };
    let mut wanted = HashSet::new();
    for part in parts {
        wanted.extend(all.named(part)?.into_iter().map(str::to_owned));
    }
    Ok(wanted)
}

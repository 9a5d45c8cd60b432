//! Proposals: stored plans, carried out when somebody says so, whole or in part; and dropped.

mod draft;

pub(crate) use draft::{bits, lines_place, shown};

use crate::answers;
use crate::flow::{Held, Stumble};
use crate::gather::{Depth, Gather, Links};
use crate::ids::{Changes, Part};
use crate::past::Past;
use crate::permits::hidden;
use crate::prepare::{About, Prepared};
use crate::proof::Proven;
use crate::replay;
use crate::trouble::broken;
use crate::watch::Watch;
use crate::workspace::Workspace;
use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::{Answer, Concurrency, Extent, Failed, Replayed, Reply, Settled, Trouble};
use patchwright_core::plan::{Act, Aside, Fresh, Plan, Seen};
use patchwright_core::refusal::{Conflict, ConflictPlace, ConflictReason, Expected, LineBy, Missing, Refusal, Why};
use patchwright_core::tool::{ApplyBatch, Call, Ground, RejectBatch, Run};
use patchwright_store::index::BatchRow;
use patchwright_store::keep::{Shelves, deposit};
use patchwright_store::records::{Commit, Decision, End, FileRecord, Proposal, Proposed, Record, Verdict};
use std::collections::{HashMap, HashSet};

impl Workspace {
    /// Stores a plan for review: the record says what would be done, and the versions it was made for and would
    /// leave are kept.
    pub(crate) fn propose(
        &self,
        held: &mut Held<'_>,
        (prepared, planned): (&Prepared, &Plan),
        gather: &Gather<'_>,
        mut commit: Commit,
    ) -> Result<Reply, Stumble> {
        commit.number = held.log()?.batches() + 1;
        let shelves = Shelves::new(&self.disk);
        let keep =
            |digest, bytes: &[u8]| deposit(&shelves, digest, bytes, self.firm).map_err(|halt| broken("keep", halt));
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
        let head = self.append(held, &Record::Proposal(proposal.clone()))?;
        Ok(answers::proposed(&proposal.commit, head))
    }

    /// Carries out a proposal, whole or in part.
    pub fn apply_batch(&self, ask: &ApplyBatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::ApplyBatch(ask.clone());
        let mut held = self.hold(watch).map_err(Failed::unrecorded)?;
        let done = self.apply(&mut held, (&call, ask), watch);
        done.map_err(|stumble| self.stumbled(&mut held, &call, stumble))
    }

    fn apply(
        &self,
        held: &mut Held<'_>,
        (call, ask): (&Call, &ApplyBatch),
        watch: &dyn Watch,
    ) -> Result<Reply, Stumble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let (row, parts) = self.named_proposal(held, ask)?;
        let (row, proposal) = open_proposal(&self.past_of(held)?, row)?;
        let wanted = wanted(&proposal.commit, parts.as_deref())?;
        let gather = Gather::new(&self.disk, &self.policy, self.limits).watched(watch);
        let past = self.past_of(held)?;
        let job = draft::Job { past: &past, proposal: &proposal, wanted: &wanted, ground: ask.ground, seq: row.seq };
        let fits = job.draft(gather)?;
        drop(past);
        let (draft, gather, rebased) = match fits {
            draft::Fits::Yes { draft, gather, rebased } => (draft, gather, rebased),
            draft::Fits::No(mut places) => {
                self.name_movers(held, &proposal.commit, &mut places);
                if ask.shared.run != Run::Dry && row.status != BatchStatus::Conflicted {
                    self.decide(held, (call, &row.id), (Decision::Conflicted, None))?;
                }
                let conflict = Conflict { batch: Some(row.id.into()), places };
                let path = conflict.places.first().map(|place| place.path.clone());
                return Err(Refusal { path, why: Why::Conflict(Box::new(conflict)), since: None }.into());
            }
        };
        let commit = self.applied(call, &proposal.commit, (&draft, &gather), (&wanted, rebased));
        self.settle(held, (call, watch), (draft, gather), commit)
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
        let gather = Gather::new(&self.disk, &self.policy, self.limits);
        Ok(match job.draft(gather).map_err(|stumble| stumble.trouble)? {
            draft::Fits::Yes { .. } => Vec::new(),
            draft::Fits::No(places) => places,
        })
    }

    /// Who changed the files since, as far as that is on record.
    fn name_movers(&self, held: &mut Held<'_>, proposed: &Commit, places: &mut [ConflictPlace]) {
        for place in places {
            let file = proposed.files.iter().find(|file| file.path.as_str() == place.path);
            let Some((file, known)) = file.and_then(|file| Some((file, file.before?))) else { continue };
            let gather = Gather::new(&self.disk, &self.policy, self.limits);
            let now = gather.peek(&file.path, Links::Keep, Depth::Hash).ok().and_then(|seen| seen.digest());
            if let Some(since) = self.who_changed(held, &file.path, (known, now)) {
                place.by = since.batches.into_iter().rev().collect();
            }
        }
    }

    /// How a proposal that is carried out goes on record: under its own ids.
    fn applied(
        &self,
        call: &Call,
        proposed: &Commit,
        (draft, gather): (&crate::settled::Draft, &Gather<'_>),
        (wanted, rebased): (&HashSet<String>, bool),
    ) -> Commit {
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
                if known.operation == "restore" {
                    file.operation.clone_from(&known.operation);
                }
            }
        }
        let all = proposed.files.iter().flat_map(|file| &file.changes).map(|change| change.id.clone());
        let dropped = all.filter(|id| !wanted.contains(id)).collect();
        Commit {
            batch: proposed.batch.clone(),
            number: proposed.number,
            caller: self.caller(call.tool().name, Proven::Seen),
            files,
            verified: true,
            key: replay::key(call),
            batch_key: proposed.batch_key.clone(),
            label: proposed.label.clone(),
            proposed: Some(Box::new(Proposed { by: proposed.caller.clone(), rebased, dropped })),
            ..Commit::default()
        }
    }

    /// Drops a proposal.
    pub fn reject_batch(&self, ask: &RejectBatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::RejectBatch(ask.clone());
        let mut held = self.hold(watch).map_err(Failed::unrecorded)?;
        let done = self.reject(&mut held, &call, ask);
        done.map_err(|stumble| self.stumbled(&mut held, &call, stumble))
    }

    fn reject(&self, held: &mut Held<'_>, call: &Call, ask: &RejectBatch) -> Result<Reply, Stumble> {
        if let Some(reply) = replay::earlier(self, held, call)? {
            return Ok(reply);
        }
        let (row, part) = self.past_of(held)?.batch_or_part("batchId", &ask.batch)?;
        if part.is_some() {
            // All of it would be dropped, and less was named.
            return Err(
                Refusal::argument("batchId", Expected::WholeBatch(row.id.into()), format!("{:?}", ask.batch)).into()
            );
        }
        let (row, proposal) = open_proposal(&self.past_of(held)?, row)?;
        self.permit_files(proposal.commit.files.iter())?;
        if ask.shared.run == Run::Dry {
            let head = self.note(held, call, End::DryRun)?;
            return Ok(rejected(&row.id, (row.status, Extent::Dry), head));
        }
        let head = self.decide(held, (call, &row.id), (Decision::Rejected, ask.reason.clone()))?;
        Ok(rejected(&row.id, (BatchStatus::Rejected, Extent::Done), head))
    }

    fn decide(
        &self,
        held: &mut Held<'_>,
        (call, batch): (&Call, &str),
        (decision, reason): (Decision, Option<String>),
    ) -> Result<patchwright_core::digest::Digest, Stumble> {
        let key = replay::key(call).filter(|_| decision == Decision::Rejected);
        let caller = self.caller(call.tool().name, Proven::Seen);
        let verdict = Verdict { batch: batch.to_owned(), caller, decision, reason, key };
        Ok(self.append(held, &Record::Verdict(verdict))?)
    }

    /// The batch that is to be applied, by its own id or by those of its changes, and the parts that are wanted.
    fn named_proposal(&self, held: &mut Held<'_>, ask: &ApplyBatch) -> Result<(BatchRow, Option<Vec<Part>>), Stumble> {
        let past = self.past_of(held)?;
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

/// The answer to a proposal that was dropped.
pub(crate) fn rejected(
    batch: &str,
    (status, extent): (BatchStatus, Extent),
    head: patchwright_core::digest::Digest,
) -> Reply {
    let answer = Settled {
        batch: Some(batch.to_owned().into()),
        status,
        undone: Vec::new(),
        changes: Vec::new(),
        dropped: Vec::new(),
        rebased: false,
        files: Vec::new(),
        extent,
        concurrency: Concurrency::Verified,
    };
    let answer = Answer::Settled(Box::new(answer));
    Reply { answer, warnings: Vec::new(), audit_head: Some(head), replayed: Replayed::No }
}

/// A batch that does not stand as it must for this.
pub(crate) fn standing(batch: &str, status: BatchStatus) -> Refusal {
    let place = ConflictPlace {
        path: String::new(),
        change: None,
        reason: ConflictReason::Status(status),
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
        line_by: LineBy::Unknown,
        line: None,
    };
    Refusal::plain(Why::Conflict(Box::new(Conflict { batch: Some(batch.to_owned().into()), places: vec![place] })))
}

/// A purge, of which nothing can come back.
pub(crate) fn nothing_left(batch: &str) -> Refusal {
    let mut refusal = standing(batch, BatchStatus::Applied);
    if let Why::Conflict(conflict) = &mut refusal.why {
        conflict.places.iter_mut().for_each(|place| place.reason = ConflictReason::Final);
    }
    refusal
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

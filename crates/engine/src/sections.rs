//! `apply_patch` with `atomic: false`: sections are planned and committed one by one, in order, until one
//! fails. They share one batch; each commit is its own, and what is done stays done.

use crate::clock::fresh_id;
use crate::gather::Gather;
use crate::patch::{Looked, Patch, Section, replaced};
use crate::prepare::{Prepared, Wish};
use crate::refused::Stumble;
use crate::remember::Wrote;
use crate::session::Session;
use crate::transaction::{Publishing, Transaction};
use crate::watch::Watch;
use crate::{answers, replay};
use patchwright_core::intent::Intent;
use patchwright_core::outcome::{Extent, Failed, Patched, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Plan, plan};
use patchwright_core::refusal::{Expected, Refusal};
use patchwright_core::tool::{ApplyPatch, Call, Run};
use patchwright_core::warning::Warning;
use patchwright_store::records::Commit;
use std::collections::{HashMap, HashSet};

/// What was done, or would have been, before a section failed.
#[derive(Default)]
struct Done {
    commits: Vec<Commit>,
    dry: Option<Patched>,
    /// What is still to be told; it goes on record with the next commit.
    untold: Vec<Warning>,
}

/// One call, read.
struct Job<'a> {
    patch: Patch<'a>,
    /// By folder, which sections take something out of it, and what.
    leaving: HashMap<RelPath, Vec<(usize, RelPath)>>,
}

impl Session {
    pub(crate) fn apply_sections(&self, call: &Call, ask: &ApplyPatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let mut done = Done::default();
        let run = Transaction::begin(self, call, watch)?.run(|transaction| transaction.sections(ask, &mut done));
        run.map_err(|failed| {
            let nothing = || answers::no_section(ask.atomic);
            let done = answers::patched_so_far(&done.commits).or(done.dry).unwrap_or_else(nothing);
            Failed { done: Some(Box::new(done)), ..failed }
        })
    }
}

impl Transaction<'_> {
    fn sections(&mut self, ask: &ApplyPatch, done: &mut Done) -> Result<Reply, Stumble> {
        if self.watch.expects().is_some() {
            // Sections are planned one after the other: nobody was shown what all of them come to.
            return Err(Refusal::argument("atomic", Expected::Without("expect"), "false").into());
        }
        let mut gather = self.gather();
        let patch = self.session.read_patch(ask)?;
        let job = Job { leaving: patch.leaving_by_folder(), patch };
        let looked = self.session.look_at_all(&mut gather, &job.patch)?;
        if ask.shared.run == Run::Dry {
            return self.dry_sections(&job, &gather, looked, done);
        }
        done.commits = replay::begun(self.session, &mut self.turn, self.call)?;
        let batch = Batch::after(&done.commits, self.turn.log()?.end(), &gather, &looked);
        done.untold.clone_from(&job.patch.warnings);
        for at in (0..job.patch.sections.len()).filter(|at| !batch.finished.contains(at)) {
            self.one_section(&job, &batch, at, done)?;
        }
        let head = self.turn.log()?.head();
        match answers::sections(&done.commits, head) {
            Some(mut reply) => {
                reply.warnings.append(&mut done.untold);
                Ok(reply)
            }
            None => self.nothing_to_do(&job, &gather, looked),
        }
    }

    /// Plans and commits one section.
    fn one_section(&mut self, job: &Job<'_>, batch: &Batch, at: usize, done: &mut Done) -> Result<(), Stumble> {
        let Some(section) = job.patch.sections.get(at) else { return Ok(()) };
        let mut gather = self.gather();
        // A folder that this call has emptied may be replaced by a file.
        let taken = section.as_ref().ok().and_then(Section::takes).and_then(|place| job.leaving.get(place));
        let gone = taken.into_iter().flatten().filter(|(earlier, _)| *earlier <= at);
        gather.leaving.add(gone.map(|(_, path)| path.clone()));
        gather.leaving.add(section.as_ref().ok().and_then(Section::leaves).cloned());
        let (intent, wish) = self.session.look_at(&mut gather, &job.patch, section)?;
        let path = wish.path.to_string();
        let pushed_aside = replaced(&gather, &intent);
        let mut prepared = job.patch.prepared(vec![(intent, wish)], Vec::new());
        let plan = self.plan(&prepared, &gather)?;
        if plan.steps.is_empty() {
            done.untold.push(Warning::AlreadySo { path });
            return Ok(());
        }
        prepared.warnings.append(&mut done.untold);
        prepared.warnings.extend(pushed_aside);
        let mut commit = self.commit_of(&prepared, &plan, &gather);
        batch.put_on(&mut commit, at, done.commits.first());
        let wrote = Wrote::of(&prepared.intents);
        let receipt = self.publish(Publishing { plan: &plan, wrote, commit, folders: gather.folders })?;
        done.commits.push(receipt.commit);
        Ok(())
    }

    /// The same answer, and nothing done: up to the first section that would fail.
    fn dry_sections(
        &mut self,
        job: &Job<'_>,
        gather: &Gather<'_>,
        looked: Looked,
        done: &mut Done,
    ) -> Result<Reply, Stumble> {
        let (good, trouble) = as_far_as_it_goes(gather, looked);
        let mut warnings = job.patch.warnings.clone();
        warnings.extend(good.iter().filter_map(|(intent, _)| replaced(gather, intent)));
        let prepared = job.patch.prepared(good, warnings);
        let plan = self.plan(&prepared, gather)?;
        let commit = self.commit_of(&prepared, &plan, gather);
        let extent = if plan.steps.is_empty() { Extent::Unchanged } else { Extent::Dry };
        if let Some(trouble) = trouble {
            let told = commit.patch.as_ref().map(|patch| answers::patched(&commit, patch, Extent::Dry));
            done.dry = told.map(answers::unrecorded);
            return Err(trouble.into());
        }
        self.without_effect(&prepared, gather, commit, extent)
    }

    /// Every section already is as it should be.
    fn nothing_to_do(&mut self, job: &Job<'_>, gather: &Gather<'_>, looked: Looked) -> Result<Reply, Stumble> {
        let looked: Vec<(Intent, Wish)> = looked.0.into_iter().flatten().collect();
        let prepared: Prepared = job.patch.prepared(looked, job.patch.warnings.clone());
        let commit = self.commit_of(&prepared, &Plan::default(), gather);
        self.without_effect(&prepared, gather, commit, Extent::Unchanged)
    }
}

/// What the commits of one patch share.
struct Batch {
    id: String,
    /// Where in the log it begins.
    since: u64,
    /// Sections that an earlier call with the same key has committed.
    finished: HashSet<usize>,
    /// The section whose commit completes it.
    last: Option<usize>,
}

impl Batch {
    /// Goes on with what was begun, or begins anew.
    fn after(begun: &[Commit], end: u64, gather: &Gather<'_>, looked: &Looked) -> Batch {
        let records = || begun.iter().filter_map(|commit| commit.patch.as_ref());
        let sections = records().filter_map(|record| record.section);
        let finished: HashSet<usize> = sections.filter_map(|at| usize::try_from(at).ok()).collect();
        let mut to_do = looked.0.iter().enumerate().filter(|(at, _)| !finished.contains(at));
        let last = to_do.rfind(|(_, section)| changes(gather, section)).map(|(at, _)| at);
        Batch {
            id: begun.first().map_or_else(fresh_id, |commit| commit.batch.clone()),
            since: records().find_map(|record| record.since).unwrap_or(end),
            finished,
            last,
        }
    }

    /// Makes a commit that of one section of this batch.
    fn put_on(&self, commit: &mut Commit, section: usize, first: Option<&Commit>) {
        commit.batch.clone_from(&self.id);
        commit.number = first.map_or(0, |first| first.number);
        if let Some(record) = &mut commit.patch {
            record.since = Some(self.since);
            record.section = Some(section as u64);
            record.goes_on = self.last != Some(section);
        }
    }
}

/// Does a section change something? One that cannot be planned counts, for it ends the call.
fn changes(gather: &Gather<'_>, section: &Result<(Intent, Wish), Trouble>) -> bool {
    match section {
        Ok((intent, _)) => {
            plan(&gather.snapshot, std::slice::from_ref(intent)).map_or(true, |plan| !plan.steps.is_empty())
        }
        Err(_) => true,
    }
}

/// The sections up to the first that fails, and why it does.
fn as_far_as_it_goes(gather: &Gather<'_>, looked: Looked) -> (Vec<(Intent, Wish)>, Option<Trouble>) {
    let mut good = Vec::new();
    for section in looked.0 {
        let (intent, wish) = match section {
            Ok(section) => section,
            Err(trouble) => return (good, Some(trouble)),
        };
        if let Err(refusal) = plan(&gather.snapshot, std::slice::from_ref(&intent)) {
            return (good, Some(refusal.into()));
        }
        good.push((intent, wish));
    }
    (good, None)
}

//! Finding every batch and change that an outcome names, so that whoever knows their numbers can fill them in.

use super::{Answer, BatchSummary, ChangeView, Failed, FilePatchView, Reply, Settled, Trouble};
use crate::batch::{BatchName, ChangeName};
use crate::refusal::{
    ArgumentFault, Conflict, ConflictReason, Expected, LineBy, LineProblem, Missing, NoVersion, Refusal, SinceBatch,
    Why,
};

/// Somebody who sees the names in an outcome.
pub trait Naming {
    /// A batch is named.
    fn batch(&mut self, name: &mut BatchName);
    /// A change is named.
    fn change(&mut self, name: &mut ChangeName);
}

/// Shows every name in an outcome.
pub fn name_all(outcome: &mut Result<Reply, Failed>, see: &mut dyn Naming) {
    match outcome {
        Ok(reply) => answer(&mut reply.answer, see),
        Err(failed) => {
            if let Trouble::Refused(refused) = &mut failed.trouble {
                refusal(refused, see);
            }
            batches(failed.done.iter_mut().filter_map(|done| done.batch.as_mut()), see);
        }
    }
}

fn batches<'a>(names: impl IntoIterator<Item = &'a mut BatchName>, see: &mut dyn Naming) {
    names.into_iter().for_each(|name| see.batch(name));
}

fn changes<'a>(names: impl IntoIterator<Item = &'a mut ChangeName>, see: &mut dyn Naming) {
    names.into_iter().for_each(|name| see.change(name));
}

fn answer(answer: &mut Answer, see: &mut dyn Naming) {
    match answer {
        Answer::Changed(change) => batches(&mut change.batch, see),
        Answer::Patched(patch) => batches(&mut patch.batch, see),
        Answer::Edited(edit) => batches(&mut edit.batch, see),
        Answer::Purged(purge) => batches(&mut purge.batch, see),
        Answer::LinePatched(patch) => {
            batches(&mut patch.batch, see);
            patch.files.iter_mut().for_each(|one| file(one, see));
        }
        Answer::Batches(list) => list.batches.iter_mut().for_each(|batch| summary(batch, see)),
        Answer::Batch(view) => {
            summary(&mut view.summary, see);
            view.files.iter_mut().for_each(|one| file(one, see));
        }
        Answer::Settled(done) => settled(done, see),
        Answer::Explained(explained) => {
            for origin in explained.runs.iter_mut().filter_map(|run| run.origin.as_mut()) {
                see.batch(&mut origin.batch);
                see.change(&mut origin.change);
            }
        }
        Answer::WithDocPaths(inner) => self::answer(inner, see),
        Answer::File(_)
        | Answer::Listing(_)
        | Answer::Hits(_)
        | Answer::Globbed(_)
        | Answer::Trash(_)
        | Answer::Doc(_) => {}
    }
}

fn summary(batch: &mut BatchSummary, see: &mut dyn Naming) {
    see.batch(&mut batch.name);
    batches(batch.undoes.iter_mut().chain(&mut batch.undone_by), see);
}

fn settled(done: &mut Settled, see: &mut dyn Naming) {
    batches(&mut done.batch, see);
    batches(&mut done.undone, see);
    changes(done.changes.iter_mut().chain(&mut done.dropped), see);
    done.files.iter_mut().for_each(|one| file(one, see));
}

fn file(file: &mut FilePatchView, see: &mut dyn Naming) {
    for ChangeView { name, undoes, .. } in &mut file.changes {
        see.change(name);
        changes(undoes, see);
    }
}

fn refusal(refusal: &mut Refusal, see: &mut dyn Naming) {
    if let Some(since) = &mut refusal.since {
        since.batches.iter_mut().for_each(|by| see.batch(&mut by.batch));
    }
    match &mut refusal.why {
        Why::Arguments(faults) => faults.iter_mut().for_each(|fault| argument(fault, see)),
        Why::KeyReused { batch } => see.batch(batch),
        Why::NotFound(absent) => missing(absent, see),
        Why::Conflict(met) => conflict(met, see),
        Why::LinePatch(faults) => {
            for fault in faults {
                if let LineProblem::File(refused) = &mut fault.problem {
                    self::refusal(refused, see);
                }
            }
        }
        _ => {}
    }
}

fn argument(fault: &mut ArgumentFault, see: &mut dyn Naming) {
    if let Expected::WholeBatch(batch) = &mut fault.expected {
        see.batch(batch);
    }
}

fn missing(absent: &mut Missing, see: &mut dyn Naming) {
    match absent {
        Missing::Change { batch, .. } | Missing::ChangeNotBatch { batch, .. } => see.batch(batch),
        Missing::Version(
            NoVersion::Untouched { batch, .. }
            | NoVersion::NotAfter { batch, .. }
            | NoVersion::NotBefore { batch, .. }
            | NoVersion::Folder { batch, .. }
            | NoVersion::SameBytes { batch, .. },
        ) => see.batch(batch),
        _ => {}
    }
}

fn conflict(conflict: &mut Conflict, see: &mut dyn Naming) {
    batches(&mut conflict.batch, see);
    for place in &mut conflict.places {
        changes(&mut place.change, see);
        place.by.iter_mut().for_each(|SinceBatch { batch, .. }| see.batch(batch));
        if let LineBy::Batch(by) = &mut place.line_by {
            see.batch(&mut by.batch);
        }
        match &mut place.reason {
            ConflictReason::Shared(with) => changes(with, see),
            ConflictReason::Removed { version } => batches(version, see),
            _ => {}
        }
    }
}

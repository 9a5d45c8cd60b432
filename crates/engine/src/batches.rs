//! Looking at batches: lists of them, and one with its changes. Nobody waits for a writer here.

use crate::clock::now_ns;
use crate::gather::{Gather, any_path};
use crate::past::Past;
use crate::stories::{Story, author, file_view, pieces};
use crate::trouble::index as failed_index;
use crate::workspace::Workspace;
use patchwright_core::diff::{DIFF_LIMIT, unified};
use patchwright_core::history::{RawLines, with_only};
use patchwright_core::intent::Bytes;
use patchwright_core::outcome::{
    Answer, BatchList, BatchStatus, BatchSummary, BatchView, ChangeLines, FilePatchView, Replayed, Reply, Trouble,
};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Expected, Missing, Refusal, Why};
use patchwright_core::text::Document;
use patchwright_core::tool::{After, Age, BATCHES, GetPatchChange, ListBatches};
use patchwright_store::index::{BatchFilter, Index};
use patchwright_store::records::{Commit, FileRecord};
use std::collections::HashMap;

/// So many lines of a change are shown.
const SHOWN: usize = 2_000;

impl Workspace {
    /// What was done and what is proposed, newest first.
    pub fn list_batches(&self, ask: &ListBatches) -> Result<Reply, Trouble> {
        let past = self.past()?;
        self.listed(ask, past)
    }

    /// The same of a record that is damaged, as far as it goes: what was done before the damage, as it stood then. What
    /// came after it may have undone some of that.
    pub fn list_batches_before_damage(&self, ask: &ListBatches) -> Result<Reply, Trouble> {
        let past = self.past_before_damage()?;
        self.listed(ask, past)
    }

    fn listed(&self, ask: &ListBatches, past: Option<Past<'_>>) -> Result<Reply, Trouble> {
        let Some(past) = past else {
            return Ok(looked(Answer::Batches(BatchList { batches: Vec::new(), next_cursor: None })));
        };
        let filter = self.filter(ask, &past.index)?;
        let limit = ask.limit.unwrap_or(BATCHES);
        let mut rows = past.index.batches(&filter, limit.saturating_add(1)).map_err(failed_index)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| more).map(|last| format!("{:x}", last.seq));
        let mut batches: Vec<BatchSummary> = Vec::with_capacity(rows.len());
        for row in rows {
            batches.extend(past.story(row)?.map(|story| story.summary()));
        }
        Ok(looked(Answer::Batches(BatchList { batches, next_cursor })))
    }

    /// A stored batch, or one change of it.
    pub fn get_patch_change(&self, ask: &GetPatchChange) -> Result<Reply, Trouble> {
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: ask.batch.clone() }));
        let past = self.past()?.ok_or_else(absent)?;
        let row = past.index.batch_row(&ask.batch).map_err(failed_index)?.ok_or_else(absent)?;
        let story = past.story(row)?.ok_or_else(absent)?;
        let view = view(&past, &story, ask.change.as_deref())?;
        Ok(looked(Answer::Batch(Box::new(view))))
    }

    fn filter(&self, ask: &ListBatches, index: &Index) -> Result<BatchFilter, Trouble> {
        let mut filter = BatchFilter { session: ask.session.clone(), status: ask.status, ..BatchFilter::default() };
        if let Some(path) = &ask.path {
            let named = any_path(&self.disk, path)?;
            // What a link leads to is on record under its own name.
            let gather = Gather::new(&self.disk, &self.policy, self.limits);
            filter.path = Some(gather.leads_to(&named).unwrap_or(named).to_string());
        }
        match &ask.since {
            Some(After::Time(Age::Before(time))) => filter.since_ns = Some(i64::try_from(*time).unwrap_or(i64::MAX)),
            Some(After::Time(Age::OlderThan(seconds))) => {
                let age = i64::try_from(*seconds).unwrap_or(i64::MAX).saturating_mul(1_000_000_000);
                filter.since_ns = Some(now_ns().saturating_sub(age));
            }
            Some(After::Batch(id)) => {
                let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: id.clone() }));
                filter.after_seq = Some(index.batch_row(id).map_err(failed_index)?.ok_or_else(absent)?.seq);
            }
            None => {}
        }
        if let Some(cursor) = &ask.cursor {
            let foreign = || Refusal::argument("cursor", Expected::Cursor, format!("{cursor:?}"));
            filter.before_seq = Some(u64::from_str_radix(cursor, 16).map_err(|_| foreign())?);
        }
        Ok(filter)
    }
}

fn view(past: &Past<'_>, story: &Story, only: Option<&str>) -> Result<BatchView, Trouble> {
    let rows = past.index.changes_of(&story.row.id).map_err(failed_index)?;
    let mut undone_by: Vec<String> = rows.iter().filter_map(|row| row.undone_by.clone()).collect();
    undone_by.dedup();
    let statuses: HashMap<String, BatchStatus> = rows.into_iter().map(|row| (row.id, row.status)).collect();
    let status = |id: &str| statuses.get(id).copied().unwrap_or(story.row.status);
    let mut files: Vec<FilePatchView> = Vec::new();
    for file in story.files() {
        if only.is_none_or(|id| file.changes.iter().any(|change| change.id == id)) {
            let mut view = with_lines(past, file, (file_view(file, &status), only))?;
            if only.is_none() && matches!(story.row.status, BatchStatus::Proposed | BatchStatus::Conflicted) {
                show_applied(past, file, &mut view)?;
            }
            files.push(view);
        }
    }
    for file in &story.dropped {
        let left_out = |id: &str| statuses.get(id) == Some(&BatchStatus::Rejected);
        if only.is_some_and(|id| !left_out(id) || !file.changes.iter().any(|change| change.id == id)) {
            continue;
        }
        let mut view = with_lines(past, file, (file_view(file, &status), only))?;
        view.changes.retain(|change| left_out(&change.id));
        match files.iter_mut().find(|known| known.id == view.id) {
            Some(known) => known.changes.append(&mut view.changes),
            None => files.push(view),
        }
    }
    if let (Some(id), true) = (only, files.is_empty()) {
        let missing = Missing::Change { id: id.to_owned(), batch: story.row.id.clone() };
        return Err(Refusal::plain(Why::NotFound(missing)).into());
    }
    let proposed = story.commits.last().and_then(|(_, commit)| Some((commit, commit.proposed.as_ref()?)));
    Ok(BatchView {
        summary: story.summary(),
        applied: proposed.map(|(commit, _): (&Commit, _)| author(&commit.caller)),
        rebased: proposed.is_some_and(|(_, proposed)| proposed.rebased),
        undone_by,
        files,
        one: only.is_some(),
    })
}

/// A file with what its changes say, or with one of them alone.
fn with_lines(
    past: &Past<'_>,
    file: &FileRecord,
    (mut view, only): (FilePatchView, Option<&str>),
) -> Result<FilePatchView, Trouble> {
    let (before, after) = (past.before_bytes(file)?, past.after_bytes(file)?);
    let is_text = |bytes: &[u8]| Document::open(bytes, None).is_ok();
    let old = before.as_deref().map(Vec::as_slice).filter(|bytes| is_text(bytes)).map(RawLines::of);
    let new = after.as_deref().map(Vec::as_slice).filter(|bytes| is_text(bytes)).map(RawLines::of);
    for change in &mut view.changes {
        fill(&mut change.before, old.as_ref(), file.before.is_none());
        fill(&mut change.after, new.as_ref(), file.after.is_none());
    }
    let Some(id) = only else { return Ok(view) };
    view.changes.retain(|change| change.id == id);
    if file.changes.len() > 1
        && let (Some(before), Some(after)) = (&before, &after)
        && let Ok(part) = with_only(before, after, &pieces(file), &[id.to_owned()])
    {
        let names = (format!("a/{}", file.path), format!("b/{}", file.path));
        let diff = unified(&names.0, &names.1, before, &part.bytes, DIFF_LIMIT);
        (view.diff, view.diff_cut) = (diff.text, diff.truncated);
    }
    Ok(view)
}

/// Shows what applying a proposed file would do, computed from what would be applied: nothing that stands beside that on
/// record is shown in its place.
fn show_applied(past: &Past<'_>, file: &FileRecord, view: &mut FilePatchView) -> Result<(), Trouble> {
    let bytes = |kept: Option<Bytes>, there: bool| if there { kept } else { Some(Bytes::default()) };
    let before = bytes(past.before_bytes(file)?, file.before.is_some());
    let after = bytes(past.after_bytes(file)?, file.after.is_some());
    let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
    let is_text = |bytes: &[u8]| Document::open(bytes, None).is_ok();
    if file.link || !is_text(&before) || !is_text(&after) {
        return Ok(());
    }
    let name = |side: &str, path: &RelPath, there: bool| match there {
        true => format!("{side}/{path}"),
        false => "/dev/null".to_owned(),
    };
    let from = name("a", &file.path, file.before.is_some());
    let to = name("b", file.to.as_ref().unwrap_or(&file.path), file.after.is_some());
    let diff = unified(&from, &to, &before, &after, DIFF_LIMIT);
    (view.diff, view.diff_cut) = (diff.text, diff.truncated);
    Ok(())
}

/// The lines of one side of a change, as far as they are kept and there are not too many.
fn fill(side: &mut ChangeLines, text: Option<&RawLines<'_>>, nothing: bool) {
    let first = side.first.saturating_sub(1);
    side.lines = match text {
        Some(text) if first.saturating_add(side.count) <= text.len() => {
            Some((first..first + side.count.min(SHOWN)).map(|at| text.shown(at)).collect())
        }
        None if nothing || side.count == 0 => Some(Vec::new()),
        _ => None,
    };
}

pub(crate) fn looked(answer: Answer) -> Reply {
    Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No }
}

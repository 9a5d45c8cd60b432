//! Looking at batches: lists of them, and one with its changes. Nobody waits for a writer here.

mod applied;
mod matching;
mod page;
mod sessions;

pub use sessions::SessionSummary;

use crate::clock::now_ns;
use crate::gather::{Gather, any_path, permit_folder};
use crate::ids::Part;
use crate::past::Past;
use crate::recorded::{file_view, pieces};
use crate::session::Session;
use crate::stories::Story;
use crate::trouble::index as failed_index;
use page::{Begins, Page, Version, Versions};
use patchwright_core::batch::BatchStatus;
use patchwright_core::bytes::Bytes;
use patchwright_core::diff::{DIFF_LIMIT, unified};
use patchwright_core::digest::Digest;
use patchwright_core::history::{RawLines, with_only};
use patchwright_core::outcome::{Answer, BatchList, BatchSummary, BatchView, FilePatchView, Replayed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Expected, Missing, Refusal, Why};
use patchwright_core::text::Document;
use patchwright_core::tool::{After, Age, BATCHES, GetPatchChange, ListBatches, PathFilter};
use patchwright_store::index::{BatchFilter, BatchRow};
use patchwright_store::records::FileRecord;
use std::collections::HashMap;

/// How a cursor begins, so that the name of a batch is none.
const CURSOR: &str = "before:";

impl Session {
    /// What was done and what is proposed, newest first.
    pub fn list_batches(&self, ask: &ListBatches) -> Result<Reply, Trouble> {
        before(ask)?;
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
            if let Some(session) = ask.session.as_deref().filter(|session| *session != self.id()) {
                return Err(sessions::no_session(session).into());
            }
            return Ok(looked(Answer::Batches(BatchList { asked_by: self.id().to_owned(), ..BatchList::default() })));
        };
        let filter = self.filter(ask, &past)?;
        let limit = ask.limit.unwrap_or(BATCHES);
        let mut rows = past.index.batches(&filter, limit.saturating_add(1)).map_err(failed_index)?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| more).map(|last| format!("{CURSOR}{:x}", last.seq));
        let batches = past.summaries(rows)?;
        Ok(looked(Answer::Batches(BatchList { batches, asked_by: self.id().to_owned(), next_cursor })))
    }

    /// How many batches are on record.
    pub fn batch_count(&self) -> Result<u64, Trouble> {
        Ok(self.log_to_read()?.map_or(0, |log| log.batches()))
    }

    /// Is there a record of this workspace that is ours?
    pub fn has_record(&self) -> Result<bool, Trouble> {
        Ok(self.log_to_read()?.is_some())
    }

    /// A stored batch, or one change of it, page by page.
    pub fn get_patch_change(&self, ask: &GetPatchChange) -> Result<Reply, Trouble> {
        let page = Page::new(ask.limit, ask.cursor.as_deref())?;
        let Some(past) = self.past()? else { return Err(nothing_on_record(ask).into()) };
        let (row, part) = past.asked_for(ask)?;
        let absent = || Refusal::plain(Why::NotFound(Missing::Batch { id: row.id.clone() }));
        let story = past.story(row.clone())?.ok_or_else(absent)?;
        let view = view(&past, &story, Only::new(part), page)?;
        Ok(looked(Answer::Batch(Box::new(view))))
    }

    fn filter(&self, ask: &ListBatches, past: &Past<'_>) -> Result<BatchFilter, Trouble> {
        let session = ask.session.as_deref().map(|id| past.known_session(id)).transpose()?;
        let mut filter = BatchFilter { session, status: ask.status, ..BatchFilter::default() };
        if ask.matching != PathFilter::Any {
            filter.names = Some(past.names_matching(&ask.matching)?);
        }
        if let Some(path) = &ask.path {
            let named = any_path(&self.workspace.disk, path)?;
            permit_folder(&self.workspace.policy, &named, Access::Read)?;
            let gather = Gather::new(&self.workspace);
            filter.paths = gather.names_on_record(named).iter().map(RelPath::to_string).collect();
        }
        match &ask.since {
            Some(After::Time(Age::Before(time))) => filter.since_ns = Some(i64::try_from(*time).unwrap_or(i64::MAX)),
            Some(After::Time(Age::OlderThan(seconds))) => {
                let age = i64::try_from(*seconds).unwrap_or(i64::MAX).saturating_mul(1_000_000_000);
                filter.since_ns = Some(now_ns().saturating_sub(age));
            }
            Some(After::Batch(id)) => {
                filter.after_seq = Some(past.batch_named("since", id)?.seq);
            }
            None => {}
        }
        filter.before_seq = before(ask)?;
        Ok(filter)
    }
}

impl Past<'_> {
    /// What a list tells of some batches.
    pub(crate) fn summaries(&self, rows: Vec<BatchRow>) -> Result<Vec<BatchSummary>, Trouble> {
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let mut undos = self.index.undone_by(&ids).map_err(failed_index)?;
        let mut batches = Vec::with_capacity(rows.len());
        for row in rows {
            let undone_by = undos.remove(&row.id).unwrap_or_default();
            batches.extend(self.story(row)?.map(|story| story.summary(undone_by)));
        }
        Ok(batches)
    }

    /// The batch that is asked for, by its own id or by that of a part; and the part.
    fn asked_for(&self, ask: &GetPatchChange) -> Result<(BatchRow, Option<Part>), Trouble> {
        let part = |name: &str, id: &String, batch: Option<&BatchRow>| match batch {
            None => self.part_named(name, id),
            Some(row) => self.part_of(&row.id, name, id),
        };
        let (batch, named) = match &ask.batch {
            Some(id) => self.batch_or_part("batchId", id).map(|(row, part)| (Some(row), part))?,
            None => (None, None),
        };
        let part = match (&ask.change, &ask.file) {
            (Some(id), _) => Some(part("changeId", id, batch.as_ref())?),
            (None, Some(id)) => Some(part("filePatchId", id, batch.as_ref())?),
            (None, None) => named,
        };
        match (batch, part) {
            (Some(row), part) => Ok((row, part)),
            (None, Some(part)) => Ok((self.batch_named("batchId", part.batch())?, Some(part))),
            (None, None) => Err(nothing_on_record(ask).into()),
        }
    }
}

/// Where the page that is asked for begins.
fn before(ask: &ListBatches) -> Result<Option<u64>, Refusal> {
    let Some(cursor) = &ask.cursor else { return Ok(None) };
    let foreign = || Refusal::argument("cursor", Expected::Cursor, format!("{cursor:?}"));
    let seq = cursor.strip_prefix(CURSOR).and_then(|seq| u64::from_str_radix(seq, 16).ok());
    seq.map(Some).ok_or_else(foreign)
}

/// There is no such id, since nothing is on record at all.
fn nothing_on_record(ask: &GetPatchChange) -> Refusal {
    let part = ask.change.as_ref().or(ask.file.as_ref());
    let missing = match (&ask.batch, part) {
        (Some(id), _) => Missing::Batch { id: id.clone() },
        (None, part) => Missing::AnyChange { id: part.cloned().unwrap_or_default() },
    };
    Refusal::plain(Why::NotFound(missing))
}

/// What of a batch is wanted.
enum Only {
    /// All of it.
    Whole,
    /// One change.
    Change(String),
    /// One file's part.
    File(String),
}

impl Only {
    fn new(part: Option<Part>) -> Only {
        match part {
            None => Only::Whole,
            Some(Part::Change(row)) => Only::Change(row.id),
            Some(Part::File(row)) => Only::File(row.id),
        }
    }

    /// Is any of a file wanted?
    fn has(&self, file: &FileRecord) -> bool {
        match self {
            Only::Whole => true,
            Only::Change(id) => file.changes.iter().any(|change| change.id == *id),
            Only::File(id) => file.id == *id,
        }
    }

    /// Is all of a file wanted, any of which is?
    fn is_whole(&self, file: &FileRecord) -> bool {
        !matches!(self, Only::Change(_)) || file.changes.len() == 1
    }

    /// A file without those changes that are not wanted.
    fn of(&self, mut view: FilePatchView) -> FilePatchView {
        if let Only::Change(id) = self {
            view.changes.retain(|change| change.name.id == *id);
        }
        view
    }
}

fn view(past: &Past<'_>, story: &Story, only: Only, mut page: Page) -> Result<BatchView, Trouble> {
    let rows = past.index.changes_of(&story.row.id).map_err(failed_index)?;
    let undone_by = past.index.undone_by(&[&story.row.id]).map_err(failed_index)?.remove(&story.row.id);
    let statuses: HashMap<String, BatchStatus> = rows.into_iter().map(|row| (row.id, row.status)).collect();
    let status = |id: &str| statuses.get(id).copied().unwrap_or(story.row.status);
    let mut files: Vec<FilePatchView> = Vec::new();
    let mut any = matches!(only, Only::Whole);
    let is_open = matches!(story.row.status, BatchStatus::Proposed | BatchStatus::Conflicted);
    for file in story.files().filter(|file| only.has(file)) {
        any = true;
        let asked = only.of(file_view(file, &status));
        let Some((mut view, begins)) = shown_file(past, file, asked, &only, &mut page)? else { continue };
        if begins == Begins::Here && is_open && only.is_whole(file) {
            applied::show(past, file, story, &mut view)?;
        }
        files.push(view);
    }
    for file in story.dropped.iter().filter(|file| only.has(file)) {
        let mut asked = only.of(file_view(file, &status));
        asked.changes.retain(|change| statuses.get(&change.name.id) == Some(&BatchStatus::Rejected));
        if asked.changes.is_empty() {
            continue;
        }
        any = true;
        let Some((mut view, _)) = shown_file(past, file, asked, &only, &mut page)? else { continue };
        match files.iter_mut().find(|known| known.id == view.id) {
            Some(known) => known.changes.append(&mut view.changes),
            None => files.push(view),
        }
    }
    if let (Only::Change(id) | Only::File(id), false) = (&only, any) {
        let missing = Missing::Change { id: id.clone(), batch: story.row.id.clone().into() };
        return Err(Refusal::plain(Why::NotFound(missing)).into());
    }
    let proposed = story.commits.last().and_then(|(_, commit)| commit.proposed.as_ref());
    Ok(BatchView {
        summary: story.summary(undone_by.unwrap_or_default()),
        rebased: proposed.is_some_and(|proposed| proposed.rebased),
        files,
        one: matches!(only, Only::Change(_)),
        next_cursor: page.next_cursor()?,
    })
}

/// A file with those of its changes that are wanted and on the page; nothing if there are none.
fn shown_file(
    past: &Past<'_>,
    file: &FileRecord,
    mut view: FilePatchView,
    only: &Only,
    page: &mut Page,
) -> Result<Option<(FilePatchView, Begins)>, Trouble> {
    if page.passes(&view) {
        return Ok(None);
    }
    let (before, after) = (past.before_bytes(file)?, past.after_bytes(file)?);
    let versions =
        Versions { before: version(before.as_ref(), file.before), after: version(after.as_ref(), file.after) };
    let (begins, bare) = (page.begins_here(), view.changes.is_empty());
    page.take(&mut view, &versions);
    if begins == Begins::Before {
        (view.diff, view.diff_cut) = (String::new(), false);
    } else if let Only::Change(id) = only
        && !only.is_whole(file)
        && let (Some(before), Some(after)) = (&before, &after)
        && let Ok(part) = with_only(before, after, &pieces(file), std::slice::from_ref(id))
    {
        let names = (format!("a/{}", file.path), format!("b/{}", file.path));
        let diff = unified(&names.0, &names.1, before, &part.bytes, DIFF_LIMIT);
        (view.diff, view.diff_cut) = (diff.text, diff.truncated);
    }
    Ok((bare || !view.changes.is_empty()).then_some((view, begins)))
}

/// A version of a file, for its lines.
fn version(bytes: Option<&Bytes>, digest: Option<Digest>) -> Version<'_> {
    match bytes {
        Some(bytes) if Document::open(&bytes[..], None).is_ok() => Version::Text(RawLines::of(bytes)),
        None if digest.is_none() => Version::None,
        _ => Version::Unknown,
    }
}

pub(crate) fn looked(answer: Answer) -> Reply {
    Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No }
}

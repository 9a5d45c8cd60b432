//! What was done: batches and their changes, the trash, and who wrote which line.

use crate::error::Error;
use crate::ids::{Author, BatchId, ChangeId, time};
use crate::planned::{FileChange, Operation};
use crate::session::Session;
use crate::sha256::Sha256;
use patchwright_engine::core::batch::BatchStatus;
use patchwright_engine::core::outcome::{self, Answer, BatchSummary};
use patchwright_engine::core::tool::{Call, ExplainLines, GetPatchChange, ListBatches, ListTrash, PathFilter};
use std::time::SystemTime;

impl Session {
    /// What was changed and what is proposed in this workspace, by whomever, newest first.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// let change = session.create("a.txt", "one\n").plan()?.commit()?;
    /// let batches = session.batches().path("a.txt").run()?;
    /// assert_eq!(Some(&batches[0].id), change.batch());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batches(&self) -> Batches {
        Batches { session: self.clone(), ask: ListBatches::default() }
    }

    /// One batch with everything that it did.
    pub fn show(&self, batch: impl Into<BatchId>) -> Result<BatchView, Error> {
        let mut ask =
            GetPatchChange { limit: Some(usize::MAX), ..GetPatchChange::new(batch.into().as_str().to_owned()) };
        let mut view: Option<BatchView> = None;
        loop {
            let Answer::Batch(page) = self.look(&Call::GetPatchChange(ask.clone()))? else {
                return Err(Error::unexpected_answer());
            };
            let next = page.next_cursor.clone();
            let whole =
                view.get_or_insert_with(|| BatchView { batch: Batch::of(page.summary.clone()), files: Vec::new() });
            page.files.into_iter().for_each(|file| whole.add(file));
            match (next, view.take()) {
                (None, Some(view)) => return Ok(view),
                (cursor, known) => (ask.cursor, view) = (cursor, known),
            }
        }
    }

    /// Who brought each line of a file. Lines that no change on record brought have no origin.
    pub fn blame(&self, path: impl Into<String>) -> Result<Vec<LineRun>, Error> {
        let mut ask = ExplainLines { path: path.into(), start: None, end: None };
        let mut runs = Vec::new();
        loop {
            let Answer::Explained(page) = self.look(&Call::ExplainLines(ask.clone()))? else {
                return Err(Error::unexpected_answer());
            };
            runs.extend(page.runs.into_iter().map(LineRun::of));
            match page.next_line {
                Some(line) => ask.start = Some(line),
                None => return Ok(runs),
            }
        }
    }

    /// What is in the trash, newest first; [`Session::restore`] brings it back.
    pub fn trash(&self) -> Result<Vec<TrashEntry>, Error> {
        match self.look(&Call::ListTrash(ListTrash))? {
            Answer::Trash(entries) => Ok(entries.into_iter().map(TrashEntry::of).collect()),
            _ => Err(Error::unexpected_answer()),
        }
    }
}

/// A list of batches that is not yet made; see [`Session::batches`].
#[derive(Clone, Debug)]
#[must_use = "nothing is listed until `run` is called"]
pub struct Batches {
    session: Session,
    ask: ListBatches,
}

impl Batches {
    /// Only those that touch a file, a folder with what is below it, or what a glob fits; under earlier names, too.
    pub fn path(mut self, path: impl AsRef<str>) -> Batches {
        self.ask.matching = PathFilter::parse(path.as_ref());
        self
    }

    /// Only those of this session.
    pub fn session(mut self, id: impl Into<String>) -> Batches {
        self.ask.session = Some(id.into());
        self
    }

    /// Only those that stand so.
    pub fn status(mut self, status: Status) -> Batches {
        self.ask.status = Some(status.on_record());
        self
    }

    /// So many at most. By default 50.
    pub fn limit(mut self, most: usize) -> Batches {
        self.ask.limit = Some(most);
        self
    }

    /// Lists, newest first.
    pub fn run(self) -> Result<Vec<Batch>, Error> {
        match self.session.look(&Call::ListBatches(self.ask))? {
            Answer::Batches(list) => Ok(list.batches.into_iter().map(Batch::of).collect()),
            _ => Err(Error::unexpected_answer()),
        }
    }
}

/// What one call changed, or proposes to change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Batch {
    /// Its name.
    pub id: BatchId,
    /// The caller's words for it.
    pub label: Option<String>,
    /// The name of the tool that made it, such as `edit_file`.
    pub tool: String,
    /// Who made it, and when.
    pub author: Author,
    /// Where it stands.
    pub status: Status,
    /// Its files: what was done, and the name afterwards.
    pub files: Vec<(Operation, String)>,
    /// How many lines it brings.
    pub added: u64,
    /// How many lines go.
    pub removed: u64,
    /// The batches that it takes back, if it is an undo.
    pub undoes: Vec<BatchId>,
}

/// Where a batch or a change stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Stored for review.
    Proposed,
    /// Carried out.
    Applied,
    /// Dropped.
    Rejected,
    /// A proposal that its files do not fit any more.
    Conflicted,
    /// Taken back.
    Undone,
}

impl Status {
    fn on_record(self) -> BatchStatus {
        match self {
            Status::Proposed => BatchStatus::Proposed,
            Status::Applied => BatchStatus::Applied,
            Status::Rejected => BatchStatus::Rejected,
            Status::Conflicted => BatchStatus::Conflicted,
            Status::Undone => BatchStatus::Undone,
        }
    }
}

impl Status {
    pub(crate) fn of(status: BatchStatus) -> Status {
        match status {
            BatchStatus::Proposed => Status::Proposed,
            BatchStatus::Applied => Status::Applied,
            BatchStatus::Rejected => Status::Rejected,
            BatchStatus::Conflicted => Status::Conflicted,
            BatchStatus::Undone => Status::Undone,
        }
    }
}

impl Batch {
    pub(crate) fn of(summary: BatchSummary) -> Batch {
        let file = |file: outcome::BatchPath| (Operation::of(file.operation), file.to.unwrap_or(file.path));
        Batch {
            id: BatchId::of_name(summary.name),
            label: summary.label,
            tool: summary.tool,
            author: Author::of(summary.author),
            status: Status::of(summary.status),
            files: summary.files.into_iter().map(file).collect(),
            added: summary.added,
            removed: summary.removed,
            undoes: summary.undoes.into_iter().map(BatchId::of_name).collect(),
        }
    }
}

/// A batch with everything that it did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchView {
    /// What a list tells of it.
    pub batch: Batch,
    /// What became of each file, with the changes that it is made of.
    pub files: Vec<(FileChange, Vec<ChangeView>)>,
}

impl BatchView {
    /// Adds what a page tells of a file. One that goes on from the page before has no diff of its own there, and its
    /// first change may be told twice.
    fn add(&mut self, mut file: outcome::FilePatchView) {
        let changes: Vec<ChangeView> = std::mem::take(&mut file.changes).into_iter().map(ChangeView::of).collect();
        let file = FileChange::of_view(file);
        match self.files.last_mut() {
            Some((known, told)) if known.path == file.path && known.operation == file.operation => {
                let new = changes.into_iter().filter(|change| told.iter().all(|known| known.id != change.id));
                let new: Vec<ChangeView> = new.collect();
                told.extend(new);
            }
            _ => self.files.push((file, changes)),
        }
    }
}

/// One change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangeView {
    /// Its name, for [`Undo::changes`](crate::Undo::changes).
    pub id: ChangeId,
    /// Why, in the caller's words.
    pub description: Option<String>,
    /// Where it stands.
    pub status: Status,
    /// The first line before it, from 1, and how many lines it replaces.
    pub before: (usize, usize),
    /// The first line after it, from 1, and how many lines it brings.
    pub after: (usize, usize),
}

impl ChangeView {
    pub(crate) fn of(change: outcome::ChangeView) -> ChangeView {
        ChangeView {
            id: ChangeId::of_name(change.name),
            description: change.description,
            status: Status::of(change.status),
            before: (change.before.first, change.before.count),
            after: (change.after.first, change.after.count),
        }
    }
}

/// Lines in a row that came together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineRun {
    /// The number of the first, from 1.
    pub first_line: usize,
    /// What they say.
    pub lines: Vec<String>,
    /// What brought them; `None` if nothing on record did.
    pub origin: Option<LineOrigin>,
}

/// What brought some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineOrigin {
    /// The batch.
    pub batch: BatchId,
    /// The change.
    pub change: ChangeId,
    /// The name of the tool that made it.
    pub tool: String,
    /// Who, and when.
    pub author: Author,
    /// Why, in the caller's words.
    pub description: Option<String>,
}

impl LineRun {
    pub(crate) fn of(run: outcome::LineRun) -> LineRun {
        let origin = |origin: outcome::LineOrigin| LineOrigin {
            batch: BatchId::of_name(origin.batch),
            change: ChangeId::of_name(origin.change),
            tool: origin.tool,
            author: Author::of(origin.author),
            description: origin.description,
        };
        LineRun { first_line: run.first, lines: run.lines, origin: run.origin.map(origin) }
    }
}

/// Something in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrashEntry {
    /// Its id, for [`Session::restore`].
    pub id: String,
    /// Where it was.
    pub path: String,
    /// When it was removed.
    pub deleted: SystemTime,
    /// Its hash; `None` for a folder.
    pub sha256: Option<Sha256>,
    /// Its size in bytes; of a folder, that of all that is in it.
    pub size: u64,
}

impl TrashEntry {
    pub(crate) fn of(entry: outcome::TrashEntry) -> TrashEntry {
        let (deleted, sha256) = (time(entry.deleted_ns), entry.sha256.map(Sha256::of_digest));
        TrashEntry { id: entry.id, path: entry.path, deleted, sha256, size: entry.size }
    }
}

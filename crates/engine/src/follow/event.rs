//! Entries of the record as events: what was done, refused, proposed or decided, by whom, and about which files. Files
//! that may not be read are not named, as in every list.

use super::cursor::Cursor;
use crate::audit::audit_entry;
use crate::names::of_commit;
use crate::past::{Past, Soundness};
use crate::permits::may_read;
use crate::recorded::author;
use crate::report::AuditFile;
use crate::session::Session;
use crate::stories::Story;
use crate::workspace::Workspace;
use patchwright_core::batch::{Author, BatchName, BatchStatus};
use patchwright_core::outcome::{BatchPath, BatchSummary};
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_store::index::BatchRow;
use patchwright_store::log::Entry;
use patchwright_store::records::{Caller, Commit, Decision, Door, End, Purge, Record, Verdict};
use std::collections::HashSet;

/// Something that happened in the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The place behind its entry: what comes later is what follows this.
    pub cursor: Cursor,
    /// What sort of event it is.
    pub kind: EventKind,
    /// The tool that was called.
    pub tool: String,
    /// Who called it, and when. Of a proposal that is carried out, whoever accepted it.
    pub by: Author,
    /// The way in.
    pub door: Door,
    /// The batch that was made, proposed or decided about, as it stood then; nothing of a refusal.
    pub batch: Option<Box<BatchSummary>>,
    /// The files that it is about, under all their names. What a refused call named stands as the caller spelt it.
    pub paths: Vec<String>,
    /// How many more files it is about that may not be read.
    pub hidden: usize,
}

/// What sort of event it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// Files were changed, or trash was purged. An undo is one too. A patch that is applied section by section is an event
    /// a section, all of one batch.
    Batch,
    /// A call changed nothing: it was refused, or failed and was taken back.
    Refusal {
        /// The error kind, as `spec/errors.md` names it.
        kind: String,
    },
    /// A change was stored for review.
    Proposal,
    /// A proposal was dropped, or found not to fit. Carrying one out is a batch.
    Verdict(Ruling),
}

/// What was decided about a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It was dropped.
    Rejected,
    /// The files are not what it was made for.
    Conflicted,
}

impl EventKind {
    /// The event's name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::Batch => "batch",
            EventKind::Refusal { .. } => "refusal",
            EventKind::Proposal => "proposal",
            EventKind::Verdict(_) => "verdict",
        }
    }
}

/// The event of an entry; nothing for entries that are none: intents, dry runs, calls that found everything done, and
/// what the record says of itself.
pub(super) fn event_of(session: &Session, entry: &Entry) -> Option<Event> {
    let teller = Teller { session, cursor: Cursor::new(entry.point()) };
    Some(match &entry.record {
        Record::Commit(commit) => teller.commit(entry, commit, EventKind::Batch),
        Record::Proposal(proposal) => teller.commit(entry, &proposal.commit, EventKind::Proposal),
        Record::Purge(purge) => teller.purge(entry, purge),
        Record::Verdict(verdict) => teller.verdict(entry, verdict),
        Record::Abort(abort) => teller.refusal(entry, &abort.caller, &abort.kind),
        Record::Note(note) => match &note.end {
            End::Refused(kind) => teller.refusal(entry, &note.caller, kind),
            End::DryRun | End::Unchanged | End::Replayed(_) => return None,
        },
        _ => return None,
    })
}

struct Teller<'a> {
    session: &'a Session,
    cursor: Cursor,
}

impl Teller<'_> {
    fn event(&self, kind: EventKind, caller: &Caller) -> Event {
        Event {
            cursor: self.cursor,
            kind,
            tool: caller.tool.clone(),
            by: author(caller),
            door: caller.door,
            batch: None,
            paths: Vec::new(),
            hidden: 0,
        }
    }

    fn commit(&self, entry: &Entry, commit: &Commit, kind: EventKind) -> Event {
        let event = self.event(kind, &commit.caller);
        let status = match event.kind {
            EventKind::Proposal => BatchStatus::Proposed,
            _ => BatchStatus::Applied,
        };
        let mut shown = commit.clone();
        shown.files.retain(|file| may_read(&self.session.workspace.policy, file));
        let row = row(entry, of_commit(commit), status);
        let hidden = commit.files.len() - shown.files.len();
        let commits = vec![(entry.sequence, shown)];
        self.about(event, &Story { row, commits, purge: None, dropped: Vec::new(), hidden })
    }

    fn purge(&self, entry: &Entry, purge: &Purge) -> Event {
        let row = row(entry, BatchName::new(purge.batch.as_str(), purge.number), BatchStatus::Applied);
        let story = Story { row, commits: Vec::new(), purge: Some(purge.clone()), dropped: Vec::new(), hidden: 0 };
        let event = self.about(self.event(EventKind::Batch, &purge.caller), &story);
        self.with_names(event, entry)
    }

    fn verdict(&self, entry: &Entry, verdict: &Verdict) -> Event {
        let (ruling, status) = match verdict.decision {
            Decision::Rejected => (Ruling::Rejected, BatchStatus::Rejected),
            Decision::Conflicted => (Ruling::Conflicted, BatchStatus::Conflicted),
        };
        let event = self.event(EventKind::Verdict(ruling), &verdict.caller);
        let unknown = || Story {
            row: row(entry, BatchName::from(verdict.batch.as_str()), status),
            commits: Vec::new(),
            purge: None,
            dropped: Vec::new(),
            hidden: 0,
        };
        let mut story = self.proposal(&verdict.batch).unwrap_or_else(unknown);
        story.row.status = status;
        self.about(event, &story)
    }

    /// The proposal with this id. It stands earlier in the record, so that the index is asked; where that cannot tell,
    /// nothing more is known than what was decided.
    fn proposal(&self, id: &str) -> Option<Story> {
        let past = self.past()?;
        let row = past.index.batch_row(id).ok().flatten()?;
        let place = row.proposal.unwrap_or(row.place);
        past.story(BatchRow { place, ..row }).ok().flatten()
    }

    fn refusal(&self, entry: &Entry, caller: &Caller, kind: &str) -> Event {
        let event = self.event(EventKind::Refusal { kind: kind.to_owned() }, caller);
        self.with_names(event, entry)
    }

    /// The event with the batch that it is about.
    fn about(&self, event: Event, story: &Story) -> Event {
        let mut batch = story.summary(Vec::new());
        if !batch.undoes.is_empty()
            && let Some(past) = self.past()
        {
            for name in &mut batch.undoes {
                name.number = past.index.number_of(&name.id).ok().flatten().unwrap_or(0);
            }
        }
        let paths = each_once(batch.files.iter().flat_map(names));
        Event { batch: Some(Box::new(batch)), paths, hidden: story.hidden, ..event }
    }

    /// The event with the files that its entry names, as far as they may be read.
    fn with_names(&self, event: Event, entry: &Entry) -> Event {
        let files = audit_entry(entry).map(|told| told.files).unwrap_or_default();
        let (shown, closed): (Vec<AuditFile>, Vec<AuditFile>) = files.into_iter().partition(|file| self.may_name(file));
        let paths = each_once(shown.into_iter().flat_map(|file| std::iter::once(file.path).chain(file.to)));
        Event { paths, hidden: closed.len(), ..event }
    }

    /// May a file be named? What is no path of the workspace tells nothing about it.
    fn may_name(&self, file: &AuditFile) -> bool {
        let Workspace { disk, policy, .. } = &**self.session.workspace();
        std::iter::once(&file.path).chain(&file.to).all(|path| match RelPath::parse(path, &disk.roots()) {
            Ok(path) => policy.check(&path, Access::Read).is_ok(),
            Err(_) => true,
        })
    }

    fn past(&self) -> Option<Past<'_>> {
        self.session.past_as_it_is(Soundness::Sound).ok().flatten()
    }
}

fn row(entry: &Entry, name: BatchName, status: BatchStatus) -> BatchRow {
    BatchRow {
        id: name.id,
        number: name.number,
        seq: entry.sequence,
        place: entry.offset,
        proposal: None,
        status,
        is_undo: false,
        session: String::new(),
    }
}

fn names(file: &BatchPath) -> impl Iterator<Item = String> {
    std::iter::once(&file.path).chain(&file.to).cloned()
}

/// The same without those that came before.
fn each_once(paths: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    paths.filter(|path| seen.insert(path.clone())).collect()
}

//! Which entries of the audit somebody wants, and handing them out. A damaged record does not keep the others back.

use super::entries::audit_entry;
use crate::clock::now_ns;
use crate::gather::any_path;
use crate::report::{AuditEntry, AuditFile, Finding};
use crate::session::Session;
use crate::trouble::{Task, broken};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Missing, Refusal, Why};
use patchwright_core::tool::{After, Age};
use patchwright_store::disk::Halt;
use patchwright_store::log::{Damage, Entry, Walk};
use patchwright_store::records::{End, Note, Record};
use std::io;

/// Which entries are wanted: those that fit all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Those of this session.
    pub session: Option<String>,
    /// Those of calls of this tool.
    pub tool: Option<String>,
    /// Those about this file, or about anything in this folder.
    pub path: Option<String>,
    /// Those no older than this, or behind this batch. An entry counts as no older than any before it, whatever the
    /// clock said.
    pub since: Option<After>,
    /// Those no younger than this, counted in the same way.
    pub until: Option<Age>,
}

impl Session {
    /// Hands every audit entry to `sink`, oldest first. A damaged record is an error.
    pub fn audit_export(&self, sink: &mut dyn FnMut(&AuditEntry) -> io::Result<()>) -> Result<(), Trouble> {
        match self.audit_select(&AuditFilter::default(), sink)?.is_empty() {
            true => Ok(()),
            false => Err(broken(Task::Log, Halt::Damaged)),
        }
    }

    /// Hands the audit entries that are wanted to `sink`, oldest first. What is damaged is passed over, and told.
    pub fn audit_select(
        &self,
        filter: &AuditFilter,
        sink: &mut dyn FnMut(&AuditEntry) -> io::Result<()>,
    ) -> Result<Vec<Finding>, Trouble> {
        let known = filter.path.as_ref().and_then(|path| any_path(&self.workspace.disk, path).ok());
        let mut wanted = Wanted::new(filter, known, now_ns());
        let Some(log) = self.log_to_read()? else { return wanted.met_all().map(|()| Vec::new()) };
        let mut failed = None;
        let mut each = |entry: Entry| {
            let Some(audited) = audit_entry(&entry).filter(|audited| wanted.take(audited, &entry.record)) else {
                return Walk::On;
            };
            match sink(&audited) {
                Ok(()) => Walk::On,
                Err(error) => {
                    failed = Some(error);
                    Walk::Stop
                }
            }
        };
        let damage =
            log.entries_around_damage(&self.workspace.disk, &mut each).map_err(|halt| broken(Task::Log, halt))?;
        if let Some(error) = failed {
            return Err(broken(Task::Export, error.into()));
        }
        if damage.is_empty() {
            wanted.met_all()?;
        }
        Ok(damage.into_iter().map(told).collect())
    }
}

fn told(damage: Damage) -> Finding {
    Finding::Damaged { sequence: damage.sequence, what: damage.what }
}

/// What is wanted, while the entries go by.
struct Wanted<'a> {
    filter: &'a AuditFilter,
    path: Option<Named<'a>>,
    from: Option<i128>,
    to: Option<i128>,
    /// The latest time of the entries so far.
    top: i128,
    /// Has the batch gone by after which entries are wanted?
    begun: bool,
}

/// A path as it was asked for, and as the workspace knows it where it is one.
struct Named<'a> {
    given: &'a str,
    known: Option<RelPath>,
}

impl<'a> Wanted<'a> {
    fn new(filter: &'a AuditFilter, known: Option<RelPath>, now: i64) -> Wanted<'a> {
        Wanted {
            path: filter.path.as_ref().map(|given| Named { given, known }),
            from: match &filter.since {
                Some(After::Time(age)) => Some(instant(*age, now)),
                _ => None,
            },
            to: filter.until.map(|age| instant(age, now)),
            top: i128::MIN,
            begun: !matches!(filter.since, Some(After::Batch(_))),
            filter,
        }
    }

    /// Is this entry wanted?
    fn take(&mut self, entry: &AuditEntry, record: &Record) -> bool {
        self.top = self.top.max(entry.time_ns);
        if let Some(After::Batch(id)) = &self.filter.since
            && entry.batch.as_deref() == Some(id)
            && !matches!(record, Record::Note(Note { end: End::Replayed(_), .. }))
        {
            self.begun = true;
            return false;
        }
        self.begun
            && self.filter.session.as_ref().is_none_or(|session| entry.session == *session)
            && self.filter.tool.as_ref().is_none_or(|tool| entry.tool == *tool)
            && self.from.is_none_or(|from| self.top >= from)
            && self.to.is_none_or(|to| self.top <= to)
            && self.path.as_ref().is_none_or(|path| entry.files.iter().any(|file| path.is_in(file)))
    }

    /// Was the batch there after which entries are wanted?
    fn met_all(&self) -> Result<(), Trouble> {
        match &self.filter.since {
            Some(After::Batch(id)) if !self.begun => {
                Err(Refusal::plain(Why::NotFound(Missing::Batch { id: id.clone() })).into())
            }
            _ => Ok(()),
        }
    }
}

impl Named<'_> {
    fn is_in(&self, file: &AuditFile) -> bool {
        [Some(&file.path), file.to.as_ref(), file.doc_path.as_ref()].into_iter().flatten().any(|path| self.is(path))
    }

    /// A refused call may have named something that is no path of the workspace: that is compared as it was spelt.
    fn is(&self, path: &str) -> bool {
        let within = |known: &RelPath| RelPath::parse(path, &[]).is_ok_and(|path| path.is_within(known));
        path == self.given || self.known.as_ref().is_some_and(within)
    }
}

fn instant(age: Age, now: i64) -> i128 {
    match age {
        Age::Before(time) => time,
        Age::OlderThan(seconds) => i128::from(now) - i128::from(seconds) * 1_000_000_000,
    }
}

//! Looking at the record and at the machine: verify, export, doctor.

use crate::options::Mode;
use crate::report::{Ability, AuditCheck, AuditEntry, AuditFile, Doctor, Finding};
use crate::trouble::broken;
use crate::watch::Quiet;
use crate::workspace::{Workspace, lock};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::content;
use patchwright_store::disk::Disk;
use patchwright_store::log::{Entry, HEADER, Log, Standing, Walk};
use patchwright_store::mark::Writes;
use patchwright_store::real::RealDisk;
use patchwright_store::records::{
    Abort, Adopted, Caller, Commit, Decision, End, FileRecord, Note, Purge, Record, Resumed, Retired, Shelf, Touched,
    Verdict,
};
use patchwright_store::recover::Recovered;
use std::io;

impl Workspace {
    /// Reads the whole log and says whether it is whole and in order, and holds `head` if one is given.
    pub fn audit_verify(&self, head: Option<Digest>) -> Result<AuditCheck, Trouble> {
        let Some(log) = self.log_to_read()? else {
            let lost = self.is_log_lost()?.then_some(Finding::Gone);
            let findings = head.map(|_| Finding::HeadMissing).into_iter().chain(lost).collect();
            return Ok(AuditCheck { records: 0, head: None, findings });
        };
        let check = log.verify(&self.disk, head).map_err(|halt| broken("log", halt))?;
        let mut findings = Vec::new();
        findings.extend(check.damage.map(|damage| Finding::Damaged { sequence: damage.sequence, what: damage.what }));
        if head.is_some() && !check.head_seen {
            findings.push(Finding::HeadMissing);
        }
        findings.extend(check.resumed.iter().map(|sequence| Finding::Resumed { sequence: *sequence }));
        match check.standing {
            Standing::PutBack { known: Some(known) } => findings.push(Finding::PutBack { known: known.sequence }),
            Standing::PutBack { known: None } => findings.push(Finding::Unmarked),
            Standing::Current | Standing::TailLost { .. } if check.torn_bytes > 0 => {
                findings.push(Finding::TornTail { bytes: check.torn_bytes });
            }
            Standing::Current | Standing::TailLost { .. } => {}
        }
        let head = (check.records > 0).then_some(check.head);
        Ok(AuditCheck { records: check.records, head, findings })
    }

    /// Hands every audit entry to `sink`, oldest first.
    pub fn audit_export(&self, sink: &mut dyn FnMut(&AuditEntry) -> io::Result<()>) -> Result<(), Trouble> {
        let Some(log) = self.log_to_read()? else { return Ok(()) };
        let mut failed = None;
        let mut each = |entry: Entry| {
            let Some(audited) = audit_entry(&entry) else { return Walk::On };
            match sink(&audited) {
                Ok(()) => Walk::On,
                Err(error) => {
                    failed = Some(error);
                    Walk::Stop
                }
            }
        };
        log.entries(&self.disk, HEADER, &mut each).map_err(|halt| broken("log", halt))?;
        failed.map_or(Ok(()), |error| Err(broken("export", error.into())))
    }

    /// Looks the workspace over: puts right what a dead writer left, checks the log and every kept file,
    /// and probes what the file system can do.
    pub fn doctor(&self) -> Result<Doctor, Trouble> {
        let abilities = match self.mode {
            Mode::ReadWrite => self.try_out()?,
            // Trying out takes files of its own.
            Mode::ReadOnly => Vec::new(),
        };
        let audit = self.audit_verify(None)?;
        let damaged = audit.findings.iter().any(|finding| matches!(finding, Finding::Damaged { .. }));
        let trash = if damaged { 0 } else { self.trash_entries()?.len() as u64 };
        let (count, bytes, damaged_blobs) = self.check_blobs()?;
        let mark = self.log_to_read()?.map(|log| log.mark().writes() == Writes::Yes);
        Ok(Doctor {
            mark,
            abilities,
            confinement: self.disk.try_confining(),
            audit,
            recovered: self.recovery_report(),
            blobs: (count, bytes),
            damaged_blobs,
            trash,
        })
    }

    /// The log, for reading, if there is one.
    pub(crate) fn log_to_read(&self) -> Result<Option<Log<RealDisk>>, Trouble> {
        if !self.disk.key_stands() {
            return Err(Refusal::plain(Why::KeyGone).into());
        }
        let state = self.disk.state_if_there("").map_err(|halt| broken("state", halt))?;
        let Some(state) = state else { return Ok(None) };
        Log::open_existing(&self.disk, &state).map_err(|halt| broken("log", halt))
    }

    /// Recovers, and tries out what commits rely on.
    fn try_out(&self) -> Result<Vec<Ability>, Trouble> {
        // Where nothing was ever changed there is nothing to recover, and no record is made.
        match self.disk.has_record().then(|| self.hold(&Quiet)) {
            None | Some(Ok(_) | Err(Trouble::Fault(Fault { state: DiskState::Damaged, .. }))) => {}
            // A tree that can only be read is looked over all the same.
            Some(Err(Trouble::Refused(Refusal { why: Why::Forbidden(_), .. }))) => return Ok(Vec::new()),
            Some(Err(trouble)) => return Err(trouble),
        }
        let found = match self.disk.abilities() {
            Err(halt) if halt.os_kind() == Some(io::ErrorKind::ReadOnlyFilesystem) => Vec::new(),
            found => found.map_err(|halt| broken("probe", halt))?,
        };
        Ok(found.into_iter().map(|found| Ability { name: found.name, works: found.works }).collect())
    }

    /// Hashes every kept pre-image; those that do not match their name.
    fn check_blobs(&self) -> Result<(u64, u64, Vec<String>), Trouble> {
        let failed = |halt| broken("blobs", halt);
        let (mut count, mut bytes, mut damaged) = (0, 0, Vec::new());
        let shelf = self.disk.state_if_there(Shelf::Blobs.folder()).map_err(failed)?;
        let Some(shelf) = shelf else { return Ok((count, bytes, damaged)) };
        for name in self.disk.names(&shelf).map_err(failed)? {
            let Some(found) = content::find(&self.disk, &shelf, &name).map_err(failed)? else { continue };
            count += 1;
            bytes += found.stat.size;
            let named = name.split('.').next().and_then(Digest::parse);
            if named.is_none() || named != found.digest {
                damaged.push(name);
            }
        }
        Ok((count, bytes, damaged))
    }

    fn recovery_report(&self) -> Vec<(String, &'static str)> {
        let mut report = Vec::new();
        for done in lock(&self.recovered).iter() {
            let Recovered::RolledBack(abort) = done else { continue };
            let left = |path: &str| abort.left_alone.iter().any(|left| left.path.as_str() == path);
            for file in &abort.files {
                let what = if left(&file.path) { "left alone" } else { "rolled back" };
                report.push((file.path.clone(), what));
            }
        }
        report
    }
}

/// A record as an audit entry; nothing for an intent, whose end tells the story.
fn audit_entry(entry: &Entry) -> Option<AuditEntry> {
    let told = match &entry.record {
        Record::Commit(commit) => of_commit(commit),
        Record::Abort(abort) => of_abort(abort),
        Record::Note(note) => of_note(note),
        Record::Purge(purge) => of_purge(purge),
        Record::Retired(retired) => of_retired(retired),
        Record::Proposal(proposal) => AuditEntry { outcome: "proposed", ..of_commit(&proposal.commit) },
        Record::Verdict(verdict) => of_verdict(verdict),
        Record::Resumed(resumed) => of_resumed(resumed),
        Record::Adopted(adopted) => of_adopted(adopted),
        _ => return None,
    };
    Some(AuditEntry { sequence: entry.sequence, previous: entry.previous, head: entry.head, ..told })
}

fn of_commit(commit: &Commit) -> AuditEntry {
    let mut told = told(&commit.caller, "committed");
    told.operation = match &commit.patch {
        Some(_) => "patch".to_owned(),
        None if crate::answers::lines::is_line_patch(commit) => "patch".to_owned(),
        None => commit.files.last().map(|file| file.operation.clone()).unwrap_or_default(),
    };
    told.files = commit.files.iter().map(of_file).collect();
    told.batch = Some(commit.batch.clone());
    told.diff = commit.files.iter().map(|file| file.diff.as_str()).collect();
    told
}

fn of_abort(abort: &Abort) -> AuditEntry {
    let mut told = told(&abort.caller, if abort.recovered { "recovered" } else { "rolled_back" });
    told.files = abort.files.iter().map(of_touched).collect();
    told.kind = Some(abort.kind.clone());
    told.batch = Some(abort.batch.clone());
    told
}

fn of_note(note: &Note) -> AuditEntry {
    let (outcome, kind) = match &note.end {
        End::Refused(kind) => ("refused", Some(kind.clone())),
        End::DryRun => ("dry_run", None),
        End::Unchanged => ("unchanged", None),
        End::Replayed(_) => ("replayed", None),
    };
    let mut told = told(&note.caller, outcome);
    told.operation.clone_from(&note.operation);
    told.kind = kind;
    if let End::Replayed(batch) = &note.end {
        told.batch = Some(batch.clone());
    }
    told.files = note.files.iter().map(of_touched).collect();
    told.diff.clone_from(&note.diff);
    told
}

fn of_purge(purge: &Purge) -> AuditEntry {
    let mut told = told(&purge.caller, "committed");
    told.operation = "purge".to_owned();
    told.batch = Some(purge.batch.clone());
    told.files = purge.files.iter().map(of_touched).collect();
    told
}

fn of_verdict(verdict: &Verdict) -> AuditEntry {
    let mut told = told(
        &verdict.caller,
        match verdict.decision {
            Decision::Rejected => "rejected",
            Decision::Conflicted => "conflicted",
        },
    );
    told.operation = crate::flow::operation_of(&verdict.caller.tool).to_owned();
    told.batch = Some(verdict.batch.clone());
    told.reason.clone_from(&verdict.reason);
    told
}

fn of_retired(retired: &Retired) -> AuditEntry {
    let caller = Caller { time_ns: retired.time_ns, tool: "retention".to_owned(), ..Caller::default() };
    let mut told = told(&caller, "committed");
    told.operation = "retention".to_owned();
    let gone = retired.blobs.iter().chain(&retired.trash);
    told.files = gone.map(|name| AuditFile { path: name.clone(), to: None, before: None, after: None }).collect();
    told
}

fn of_resumed(resumed: &Resumed) -> AuditEntry {
    let caller = Caller { time_ns: resumed.time_ns, tool: "resume".to_owned(), ..Caller::default() };
    let mut told = told(&caller, "resumed");
    told.operation = "resume".to_owned();
    told.batch.clone_from(&resumed.unfinished);
    told
}

fn of_adopted(adopted: &Adopted) -> AuditEntry {
    let mut told = told(&adopted.caller, "adopted");
    told.time_ns = i128::from(adopted.time_ns);
    told.operation = "adopt".to_owned();
    told.batch.clone_from(&adopted.unfinished);
    told
}

fn told(caller: &Caller, outcome: &'static str) -> AuditEntry {
    let nothing = Digest([0; 32]);
    AuditEntry {
        sequence: 0,
        time_ns: i128::from(caller.time_ns),
        session: caller.session.clone(),
        client: caller.client.clone(),
        actor: caller.actor.clone(),
        door: caller.door.name(),
        role: caller.role.name(),
        tool: caller.tool.clone(),
        operation: String::new(),
        files: Vec::new(),
        outcome,
        kind: None,
        batch: None,
        unchecked: caller.unchecked,
        reason: None,
        diff: String::new(),
        previous: nothing,
        head: nothing,
    }
}

fn of_file(file: &FileRecord) -> AuditFile {
    AuditFile {
        path: file.path.to_string(),
        to: file.to.as_ref().map(RelPath::to_string),
        before: file.before,
        after: file.after,
    }
}

fn of_touched(file: &Touched) -> AuditFile {
    AuditFile { path: file.path.clone(), to: file.to.clone(), before: file.before, after: file.after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_store::records::{Door, Point, Proven, Role, TakenBack};

    fn audited(record: Record) -> Option<AuditEntry> {
        let hash = Digest::of(b"head");
        audit_entry(&Entry { offset: 0, next: 9, sequence: 3, previous: hash, head: hash, record })
    }

    #[test]
    fn breaks_in_the_story_are_told() {
        let found = Point { sequence: 2, offset: 0, head: Digest::of(b"found") };
        let resumed = Resumed { time_ns: 5, known: None, found, unfinished: Some("b".to_owned()) };
        let told = audited(Record::Resumed(resumed)).unwrap();
        assert_eq!((told.outcome, told.operation.as_str(), told.batch.as_deref()), ("resumed", "resume", Some("b")));
        let caller = Caller { actor: Some("ada".to_owned()), door: Door::Cli, role: Role::Person, ..Caller::default() };
        let adopted = Adopted {
            time_ns: 6,
            caller,
            from: Some("old".to_owned()),
            records: 2,
            head: None,
            proven: Proven::Nothing,
            unfinished: None,
            taken_back: TakenBack::No,
        };
        let told = audited(Record::Adopted(adopted)).unwrap();
        assert_eq!((told.outcome, told.operation.as_str(), told.time_ns), ("adopted", "adopt", 6));
        assert_eq!((told.actor.as_deref(), told.door, told.role), (Some("ada"), "cli", "person"));
        assert_eq!(audited(Record::Other { kind: "Later".to_owned() }), None);
    }
}

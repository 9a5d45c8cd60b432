//! Records as audit entries: who did what to what, what it came to, and why not.

use crate::operation::Purpose;
use crate::recorded::{CommitKind, kind};
use crate::report::{AuditEntry, AuditFile};
use patchwright_core::dialect::lines::is_doc_of;
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_store::log::Entry;
use patchwright_store::records::{
    Abort, Adopted, Asked, AskedFile, Caller, Commit, Counts, Decision, End, FileRecord, Note, Purge, Record, Resumed,
    Retired, Touched, Verdict,
};

/// A record as an audit entry; nothing for an intent, whose end tells the story.
pub(crate) fn audit_entry(entry: &Entry) -> Option<AuditEntry> {
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
    told.operation = match kind(commit) {
        // An undo, or a proposal that is carried out, is that whatever it does to the files.
        CommitKind::Settled => Purpose::of_tool(&commit.caller.tool).name().to_owned(),
        CommitKind::Patch(_) | CommitKind::Lines => Purpose::Patch.name().to_owned(),
        CommitKind::Anchored(_) | CommitKind::File => {
            commit.files.last().map(|file| file.operation.clone()).unwrap_or_default()
        }
    };
    told.files = commit.files.iter().map(of_file).collect();
    told.batch = Some(commit.batch.clone());
    told.diff = commit.files.iter().map(|file| file.diff.as_str()).collect();
    // The files have their keys already.
    told.asking(Asked { files: Vec::new(), ..Asked::of_commit(commit) })
}

fn of_abort(abort: &Abort) -> AuditEntry {
    let mut told = told(&abort.caller, if abort.recovered { "recovered" } else { "rolled_back" });
    told.files = abort.files.iter().map(of_touched).collect();
    told.kind = Some(abort.kind.clone());
    told.batch = Some(abort.batch.clone());
    told.asking(abort.asked.as_deref().cloned().unwrap_or_default())
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
    told.asking(note.asked.as_deref().cloned().unwrap_or_default())
}

fn of_purge(purge: &Purge) -> AuditEntry {
    let mut told = told(&purge.caller, "committed");
    told.operation = Purpose::Purge.name().to_owned();
    told.batch = Some(purge.batch.clone());
    told.files = purge.files.iter().map(of_touched).collect();
    told.key = purge.key.as_ref().map(|(key, _)| key.clone());
    told.counts = Counts { files: purge.ids.len() as u64, ..Counts::default() };
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
    told.operation = Purpose::of_tool(&verdict.caller.tool).name().to_owned();
    told.batch = Some(verdict.batch.clone());
    told.reason.clone_from(&verdict.reason);
    told.key = verdict.key.as_ref().map(|(key, _)| key.clone());
    told
}

fn of_retired(retired: &Retired) -> AuditEntry {
    let caller = Caller { time_ns: retired.time_ns, tool: "retention".to_owned(), ..Caller::default() };
    let mut told = told(&caller, "committed");
    told.operation = "retention".to_owned();
    let gone = retired.blobs.iter().chain(&retired.trash);
    told.files = gone.map(|name| AuditFile { path: name.clone(), ..AuditFile::default() }).collect();
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
        key: None,
        batch_key: None,
        label: None,
        counts: Counts::default(),
        broken: Vec::new(),
        broken_more: 0,
        fault: None,
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
        doc_path: file.doc_path.clone(),
        key: file.key.clone(),
        label: file.label.clone(),
        change_keys: file.changes.iter().filter_map(|change| change.key.clone()).collect(),
    }
}

fn of_touched(file: &Touched) -> AuditFile {
    let (path, to) = (file.path.clone(), file.to.clone());
    AuditFile { path, to, before: file.before, after: file.after, ..AuditFile::default() }
}

impl AuditEntry {
    /// The same with what the call asked for. Keys go to the file they are for, where that is among the files.
    fn asking(mut self, asked: Asked) -> AuditEntry {
        let found: Vec<(&str, &str)> =
            asked.broken.iter().filter_map(|rule| Some((rule.doc_path.as_deref()?, rule.path.as_deref()?))).collect();
        for file in asked.files {
            match self.files.iter_mut().find(|known| known.is(&file, &found)) {
                Some(known) => known.named(file),
                None => self.files.push(AuditFile::default().placed(file)),
            }
        }
        AuditEntry {
            key: asked.key,
            batch_key: asked.batch_key,
            label: asked.label,
            counts: asked.counts,
            broken: asked.broken,
            broken_more: asked.broken_more,
            fault: asked.fault,
            ..self
        }
    }
}

impl AuditFile {
    /// Is it the file that the caller has these names for? A `docPath` is a path in lower case; `found` has those for
    /// which it is known what they led to.
    fn is(&self, named: &AskedFile, found: &[(&str, &str)]) -> bool {
        let doc = named.doc_path.as_deref();
        let led = |doc: &str| is_doc_of(doc, &self.path) || found.contains(&(doc, self.path.as_str()));
        named.path.as_deref().is_some_and(|path| path == self.path || self.to.as_deref() == Some(path))
            || doc.is_some_and(led)
    }

    fn named(&mut self, by: AskedFile) {
        (self.doc_path, self.key, self.label) = (by.doc_path, by.key, by.label);
        self.change_keys = by.change_keys;
    }

    /// A file of which only the caller's names are known.
    fn placed(mut self, by: AskedFile) -> AuditFile {
        self.path = by.path.clone().or_else(|| by.doc_path.clone()).unwrap_or_default();
        self.named(by);
        self
    }
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

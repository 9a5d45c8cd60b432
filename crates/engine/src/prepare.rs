//! What a tool wants, and how a plan for it goes on record.

use crate::clock::fresh_id;
use crate::proof::Proven;
use patchwright_core::diff::Diff;
use patchwright_core::intent::Intent;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Change, Fresh, Plan, Seen, Snapshot, Step, preview};
use patchwright_core::text::encoding::Charset;
use patchwright_core::warning::Warning;
use patchwright_store::records::{ChangeRecord, FileRecord, Touched};

/// What a tool wants of the files it has looked at.
pub(crate) struct Prepared {
    /// Its wishes.
    pub(crate) intents: Vec<Intent>,
    /// `create`, `update`, `delete`, `move` or `restore`.
    pub(crate) operation: &'static str,
    /// The path that the answer is about, as the caller knows it.
    pub(crate) path: RelPath,
    /// Where it goes, of a move.
    pub(crate) to: Option<RelPath>,
    /// How sight was proven.
    pub(crate) proven: Proven,
    /// The charset the caller named.
    pub(crate) charset: Option<Charset>,
    /// The trash entry that a restore uses up.
    pub(crate) consumed: Option<String>,
    /// What was noticed on the way.
    pub(crate) warnings: Vec<Warning>,
}

impl Prepared {
    pub(crate) fn new(operation: &'static str, path: RelPath, intent: Intent) -> Prepared {
        let intents = vec![intent];
        Prepared {
            intents,
            operation,
            path,
            to: None,
            proven: Proven::Seen,
            charset: None,
            consumed: None,
            warnings: Vec::new(),
        }
    }

    /// The files it is about, for the record of a refusal.
    pub(crate) fn named(&self, snapshot: &Snapshot) -> Vec<Touched> {
        let before = snapshot.seen(&self.path).digest();
        vec![Touched { path: self.path.to_string(), to: self.to.as_ref().map(RelPath::to_string), before, after: None }]
    }

    /// The path under which the snapshot knows the file of a step.
    fn given(&self, step: &Step, snapshot: &Snapshot) -> RelPath {
        let is = |path: &RelPath| real(&snapshot.seen(path)).as_ref() == Some(&step.path);
        let target = self.to.as_ref().filter(|to| is(to));
        target.unwrap_or(&self.path).clone()
    }
}

/// The plan's steps as they go on record.
pub(crate) fn file_records(prepared: &Prepared, plan: &Plan, snapshot: &Snapshot) -> Vec<FileRecord> {
    plan.steps.iter().map(|step| file_record(prepared, step, snapshot)).collect()
}

fn file_record(prepared: &Prepared, step: &Step, snapshot: &Snapshot) -> FileRecord {
    let given = prepared.given(step, snapshot);
    let seen = snapshot.seen(&given);
    let Diff { text, truncated, .. } = preview(step, &given, snapshot, prepared.charset);
    let before_size = size(&seen);
    FileRecord {
        id: fresh_id(),
        operation: operation(prepared, &step.act).to_owned(),
        path: step.path.clone(),
        to: match &step.act {
            Act::Rename { to, .. } => Some(to.clone()),
            _ => None,
        },
        before: step.act.before(),
        after: step.act.after(),
        size: new_size(&step.act).unwrap_or(before_size),
        before_size,
        mode: mode(&seen),
        link: matches!(seen, Seen::Link { .. }),
        keep: None,
        trash: None,
        diff: text,
        diff_cut: truncated,
        changes: step.changes.iter().map(change_record).collect(),
    }
}

fn operation(prepared: &Prepared, act: &Act) -> &'static str {
    match act {
        Act::Create(Fresh::Kept(_)) => "restore",
        Act::Create(_) => "create",
        Act::Replace { .. } => "update",
        // What a move pushes aside is deleted, whatever the call is named after.
        Act::Remove { .. } => "delete",
        Act::Rename { .. } => prepared.operation,
    }
}

fn change_record(change: &Change) -> ChangeRecord {
    ChangeRecord {
        id: fresh_id(),
        before: (change.before_line as u64, change.before_lines as u64),
        after: (change.after_line as u64, change.after_lines as u64),
        description: change.description.clone(),
    }
}

fn real(seen: &Seen) -> Option<RelPath> {
    match seen {
        Seen::File(file) => Some(file.real.clone()),
        Seen::Link { real, .. } | Seen::Absent { real, .. } => Some(real.clone()),
        Seen::Folder | Seen::Special => None,
    }
}

fn size(seen: &Seen) -> u64 {
    match seen {
        Seen::File(file) => file.size,
        Seen::Link { target, .. } => target.len() as u64,
        _ => 0,
    }
}

fn mode(seen: &Seen) -> u32 {
    match seen {
        Seen::File(file) => file.mode & 0o7777,
        Seen::Link { .. } => 0o777,
        _ => 0o644,
    }
}

fn new_size(act: &Act) -> Option<u64> {
    match act {
        Act::Create(Fresh::File { bytes, .. }) => Some(bytes.len() as u64),
        Act::Create(Fresh::Kept(kept)) => Some(kept.size),
        Act::Replace { after, .. } => Some(after.len() as u64),
        Act::Remove { .. } | Act::Rename { .. } => None,
    }
}

//! What a tool wants, and how a plan for it goes on record.

use crate::beside::Beside;
use crate::clock::Ids;
use crate::operation::Purpose;
use crate::proof::Proven;
use crate::recorded::finish;
use patchwright_core::diff::Diff;
use patchwright_core::history::{Delta, Restored};
use patchwright_core::intent::{Executable, Intent};
use patchwright_core::outcome::{Continuity, Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Change, Fresh, Plan, Seen, Snapshot, Step, preview};
use patchwright_core::refusal::{Expected, Many, Refusal};
use patchwright_core::text::encoding::Charset;
use patchwright_core::tool::Atomic;
use patchwright_core::warning::Warning;
use patchwright_store::crew;
use patchwright_store::records::{ChangeRecord, Commit, EditRecord, FileRecord, PatchRecord, SectionRecord, Touched};
use patchwright_store::stage::MOST_WORKS;
use std::collections::HashSet;
use std::convert::Infallible;

/// What a tool wants of the files it has looked at.
pub(crate) struct Prepared {
    /// Its wishes.
    pub(crate) intents: Vec<Intent>,
    /// What each of them is about, in the same order.
    pub(crate) wishes: Vec<Wish>,
    /// Which kind of change it is.
    pub(crate) kind: Kind,
    /// How sight was proven.
    pub(crate) proven: Proven,
    /// The charset the caller named.
    pub(crate) charset: Option<Charset>,
    /// Whether the file shall be executable, where the caller says.
    pub(crate) executable: Option<Executable>,
    /// What was noticed on the way.
    pub(crate) warnings: Vec<Warning>,
    /// Others changed the file since the session saw it, and the edit stands apart from that.
    pub(crate) beside: Option<Beside>,
}

/// Which kind of change a call makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One file or folder.
    File,
    /// A patch, which is answered section by section.
    Patch(Atomic),
    /// Operations on anchors.
    Anchored {
        /// Who else wrote the file.
        continuity: Continuity,
    },
    /// A line patch.
    Lines {
        /// The caller's key for the batch.
        key: Option<String>,
        /// The caller's words for it.
        label: Option<String>,
    },
    /// Bringing back what is in the trash.
    Restore {
        /// The trash entry that is used up.
        entry: Option<String>,
        /// Those of the files in a folder.
        inside: Vec<String>,
    },
}

/// What one wish is about.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// What is to be done.
    pub(crate) operation: Operation,
    /// The path that the answer is about, as the caller knows it.
    pub(crate) path: RelPath,
    /// Where it goes, of a move.
    pub(crate) to: Option<RelPath>,
    /// How many hunks it has.
    pub(crate) hunks: usize,
    /// The caller's key for it.
    pub(crate) key: Option<String>,
    /// The caller's words for it.
    pub(crate) label: Option<String>,
    /// The `docPath` by which the caller knows it.
    pub(crate) doc_path: Option<String>,
    /// The charset the caller named for this file alone.
    pub(crate) charset: Option<Charset>,
    /// What the caller should know of it.
    pub(crate) told: Option<Warning>,
    /// Of what.
    pub(crate) about: About,
}

/// What a wish is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A file or link.
    File,
    /// A folder with everything in it; each file is known by its own path.
    Folder,
}

impl Wish {
    pub(crate) fn new(operation: Operation, path: RelPath) -> Wish {
        Wish {
            operation,
            path,
            to: None,
            hunks: 0,
            key: None,
            label: None,
            doc_path: None,
            charset: None,
            told: None,
            about: About::File,
        }
    }

    /// The path under which the snapshot knows what a step changes.
    pub(crate) fn given<'a>(&'a self, step: &'a Step, snapshot: &Snapshot) -> &'a RelPath {
        match (&self.to, &step.act) {
            _ if self.about == About::Folder => &step.path,
            // Of a move only what it pushes aside is found under the new name.
            (Some(to), Act::Remove { .. }) if snapshot.seen(to).real() == Some(&step.path) => to,
            _ => &self.path,
        }
    }

    fn touched(&self, snapshot: &Snapshot) -> Touched {
        let before = snapshot.seen(&self.path).digest();
        Touched { path: self.path.to_string(), to: self.to.as_ref().map(RelPath::to_string), before, after: None }
    }
}

impl Prepared {
    pub(crate) fn new(operation: Operation, path: RelPath, intent: Intent) -> Prepared {
        Prepared::of(vec![intent], vec![Wish::new(operation, path)])
    }

    pub(crate) fn of(intents: Vec<Intent>, wishes: Vec<Wish>) -> Prepared {
        Prepared {
            intents,
            wishes,
            kind: Kind::File,
            proven: Proven::Seen,
            charset: None,
            executable: None,
            warnings: Vec::new(),
            beside: None,
        }
    }

    /// The path that the answer of a one-file tool is about.
    pub(crate) fn shown(&self) -> Option<&RelPath> {
        self.wishes.first().map(|wish| wish.to.as_ref().unwrap_or(&wish.path))
    }

    /// What the call is for.
    pub(crate) fn purpose(&self) -> Purpose {
        match self.kind {
            Kind::Patch(_) | Kind::Lines { .. } => Purpose::Patch,
            Kind::File | Kind::Anchored { .. } | Kind::Restore { .. } => {
                self.wishes.first().map_or(Purpose::Unknown, |wish| Purpose::File(wish.operation))
            }
        }
    }

    /// The files it is about, for the record of a refusal.
    pub(crate) fn named(&self, snapshot: &Snapshot) -> Vec<Touched> {
        self.wishes.iter().map(|wish| wish.touched(snapshot)).collect()
    }

    /// Fills in the fields of a commit that only its kind has.
    pub(crate) fn kind_on_record(&self, plan: &Plan, commit: &mut Commit) {
        match &self.kind {
            Kind::File => {}
            Kind::Patch(atomic) => commit.patch = Some(self.patch_record(*atomic, plan)),
            Kind::Anchored { continuity } => commit.edit = edit_record(*continuity, plan),
            Kind::Lines { key, label } => {
                (commit.batch_key, commit.label) = (key.clone(), label.clone());
            }
            Kind::Restore { entry, inside } => {
                (commit.consumed, commit.also_consumed) = (entry.clone(), inside.clone());
            }
        }
    }

    /// What the answer to a patch will tell besides its files.
    fn patch_record(&self, atomic: Atomic, plan: &Plan) -> PatchRecord {
        let changing: HashSet<usize> = plan.steps.iter().map(|step| step.wish).collect();
        let sections = || self.wishes.iter().enumerate().filter(|(at, _)| changing.contains(at));
        PatchRecord {
            atomic: atomic == Atomic::Whole,
            hunks: sections().map(|(_, wish)| wish.hunks as u64).sum(),
            since: None,
            section: None,
            goes_on: false,
            sections: sections().map(|(at, wish)| section(at, wish)).collect(),
        }
    }

    /// The warnings of a plan. Sections that change nothing are named, and replace nothing.
    pub(crate) fn told(&self, plan: &Plan) -> Vec<Warning> {
        let changing: HashSet<usize> = plan.steps.iter().map(|step| step.wish).collect();
        let idle = self.wishes.iter().enumerate().filter(|(at, _)| !changing.contains(at));
        let idle: Vec<String> = idle.map(|(_, wish)| wish.path.to_string()).collect();
        let moot = |told: &&Warning| matches!(told, Warning::Replaced { path } if idle.contains(path));
        let mut warnings: Vec<Warning> = self.warnings.iter().filter(|told| !moot(told)).cloned().collect();
        warnings.extend(self.wishes.iter().filter_map(|wish| wish.told.clone()));
        warnings.extend(plan.warnings.iter().cloned());
        if matches!(self.kind, Kind::Patch(_) | Kind::Lines { .. }) && !plan.steps.is_empty() {
            warnings.extend(idle.into_iter().map(|path| Warning::AlreadySo { path }));
        }
        warnings
    }
}

/// What the answer to operations on anchors will tell besides its file.
fn edit_record(continuity: Continuity, plan: &Plan) -> Option<Box<EditRecord>> {
    let facts = plan.facts.as_deref().cloned()?;
    Some(Box::new(EditRecord { facts, continuity }))
}

fn section(at: usize, wish: &Wish) -> SectionRecord {
    SectionRecord {
        wish: at as u64,
        operation: wish.operation.name().to_owned(),
        path: wish.path.to_string(),
        to: wish.to.as_ref().map(RelPath::to_string),
    }
}

/// The plan's steps as they go on record.
pub(crate) fn file_records(prepared: &Prepared, plan: &Plan, snapshot: &Snapshot) -> Vec<FileRecord> {
    let ids = Ids::fresh();
    let mut used = 0;
    let numbered = plan.steps.iter().map(|step| {
        let first_id = used;
        used += 1 + step.changes.len() as u64;
        Numbered { step, first_id }
    });
    let numbered: Vec<Numbered<'_>> = numbered.collect();
    let record = |_: usize, step: &Numbered<'_>| Ok::<_, Infallible>(step.file_record(prepared, snapshot, &ids));
    let Ok(records) = crew::each(&numbered, record);
    let mut records: Vec<FileRecord> = records.into_iter().flatten().collect();
    for intent in &prepared.intents {
        if let Intent::Tree(wanted) = intent {
            finish(&mut records, wanted, ids.nth(used), ids.nth(used + 1));
        }
    }
    records
}

/// A step of a plan, and the number of the first id that its record takes.
struct Numbered<'a> {
    step: &'a Step,
    first_id: u64,
}

impl Numbered<'_> {
    fn file_record(&self, prepared: &Prepared, snapshot: &Snapshot, ids: &Ids) -> Option<FileRecord> {
        let Numbered { step, first_id } = *self;
        let wish = prepared.wishes.get(step.wish)?;
        let given = wish.given(step, snapshot);
        let seen = snapshot.seen(given);
        let Diff { text, truncated, .. } = preview(step, given, snapshot, wish.charset.or(prepared.charset));
        let before_size = size(&seen);
        Some(FileRecord {
            id: ids.nth(first_id),
            operation: operation(&step.act, wish).name().to_owned(),
            path: step.path.clone(),
            to: match &step.act {
                Act::Rename { to, .. } => Some(to.clone()),
                _ => None,
            },
            before: step.act.before(),
            after: step.act.after(),
            size: new_size(&step.act).unwrap_or(before_size),
            before_size,
            mode: if is_link(&step.act, &seen) { 0o777 } else { mode(&step.act, &seen) },
            mode_after: mode_after(step, &seen),
            link: is_link(&step.act, &seen),
            keep: None,
            trash: None,
            diff: text,
            diff_cut: truncated,
            changes: step
                .changes
                .iter()
                .zip(first_id + 1..)
                .map(|(change, n)| change_record(change, change.id.clone().unwrap_or_else(|| ids.nth(n))))
                .collect(),
            wish: step.wish as u64,
            key: wish.key.clone(),
            label: wish.label.clone(),
            doc_path: wish.doc_path.clone(),
            delta: delta(&step.act, &seen),
            came: match &step.act {
                Act::Create(Fresh::Kept(kept)) => Some(kept.id.clone()),
                _ => None,
            },
            folder: None,
        })
    }
}

/// What the record needs to make the bytes after from those before.
fn delta(act: &Act, seen: &Seen) -> Option<Delta> {
    match (act, seen) {
        (Act::Create(Fresh::File { bytes, .. }), _) => Delta::of(&[], &bytes.clone().into()),
        (Act::Create(Fresh::Kept(kept)), _) => {
            Delta::of(&[], &kept.target.clone().or_else(|| kept.text.clone())?.into())
        }
        (Act::Create(Fresh::Link { target, .. }), _) => Delta::of(&[], &target.clone().into()),
        (Act::Replace { after, .. }, Seen::File(file)) => Delta::of(file.bytes.as_deref()?, after),
        _ => None,
    }
}

fn operation(act: &Act, wish: &Wish) -> Operation {
    match act {
        Act::Create(Fresh::Kept(_)) => Operation::Restore,
        Act::Create(_) if wish.operation == Operation::Restore => Operation::Restore,
        Act::Create(_) => Operation::Create,
        Act::Replace { .. } | Act::Mode { .. } => Operation::Update,
        // What a move pushes aside is deleted, whatever the call is named after.
        Act::Remove { .. } => Operation::Delete,
        Act::Rename { .. } => Operation::Move,
    }
}

fn change_record(change: &Change, id: String) -> ChangeRecord {
    ChangeRecord {
        id,
        before: (change.before_line as u64, change.before_lines as u64),
        after: (change.after_line as u64, change.after_lines as u64),
        description: change.description.clone(),
        key: change.key.clone(),
        undoes: change.undoes.clone(),
        restores: change.restores.iter().map(restored).collect(),
        severity: change.marks.severity.clone(),
        categories: change.marks.categories.clone(),
        tags: change.marks.tags.clone(),
    }
}

fn restored(back: &Restored) -> (u64, String, u64, u64) {
    (back.at as u64, back.change.clone(), back.from as u64, back.count as u64)
}

/// Is it a link that a step takes away or makes?
fn is_link(act: &Act, seen: &Seen) -> bool {
    match act {
        Act::Create(Fresh::Kept(kept)) => kept.target.is_some(),
        Act::Create(fresh) => matches!(fresh, Fresh::Link { .. }),
        _ => matches!(seen, Seen::Link { .. }),
    }
}

/// The permission bits that a step gives on purpose. Those of a new file depend on the machine too: on record is
/// whether it is executable.
fn mode_after(step: &Step, seen: &Seen) -> Option<u32> {
    match (&step.act, seen) {
        (Act::Mode { to, .. }, _) => Some(*to),
        (Act::Create(Fresh::File { .. }), _) => step.bits.map(|bits| bits.applied_to(seen_mode(&Seen::Folder))),
        (Act::Replace { .. }, Seen::File(file)) => step.bits.map(|bits| bits.applied_to(file.mode)),
        _ => None,
    }
}

fn size(seen: &Seen) -> u64 {
    match seen {
        Seen::File(file) => file.size,
        Seen::Link { target, .. } => target.len() as u64,
        _ => 0,
    }
}

fn mode(act: &Act, seen: &Seen) -> u32 {
    match (act, seen) {
        (Act::Create(Fresh::Kept(kept)), _) => kept.mode & 0o7777,
        (Act::Create(Fresh::File { mode: Some(mode), .. }), _) => mode & 0o7777,
        (_, seen) => seen_mode(seen),
    }
}

fn seen_mode(seen: &Seen) -> u32 {
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
        Act::Create(Fresh::Link { target, .. }) => Some(target.len() as u64),
        Act::Replace { after, .. } => Some(after.len() as u64),
        Act::Mode { .. } | Act::Remove { .. } | Act::Rename { .. } => None,
    }
}

/// A call must not change more files than an undo can take back in one call.
pub(crate) fn few_enough(files: usize) -> Result<(), Trouble> {
    if files <= MOST_WORKS {
        return Ok(());
    }
    Err(Refusal::argument("", Expected::AtMost(MOST_WORKS, Many::Files), format!("{files} files")).into())
}

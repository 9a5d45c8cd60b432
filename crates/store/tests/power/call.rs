//! One call as the engine makes it, and opening the workspace again afterwards.

use crate::plans::{Scenario, Tree};
use patchwright_core::folder::FolderMeta;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Fresh, Plan, Step};
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::folders::Folders;
use patchwright_store::log::{Firm, Log, Standing};
use patchwright_store::publish::Outcome;
use patchwright_store::records::{Caller, Commit, End, FileRecord, Note, Record};
use patchwright_store::recover::recover;
use patchwright_store::stage::{Order, stage};
use patchwright_testkit::fake::{FakeDisk, Node, TEMPORARY};
use std::collections::BTreeMap;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It answered that it is done.
    Done,
    /// It answered that nothing has changed.
    Nothing,
    /// It answered that it does not know.
    InDoubt,
}

/// Opens the workspace and carries the plan out.
pub(crate) fn call(disk: &FakeDisk, plan: &Plan) -> Ended {
    match outcome(disk, plan) {
        None | Some(Outcome::RolledBack(..)) => Ended::Nothing,
        Some(Outcome::Committed(_)) => Ended::Done,
        Some(Outcome::InDoubt(_)) => Ended::InDoubt,
    }
}

/// What came of publishing; nothing if it did not get that far.
pub(crate) fn outcome(disk: &FakeDisk, plan: &Plan) -> Option<Outcome> {
    let mut log = open(disk).ok()?;
    let order = Order { commit: commit(plan), salt: 7, firm: Firm::Yes };
    let staged = stage(disk, &mut log, plan, order, Folders::default());
    let outcome = staged.ok().map(patchwright_store::stage::Staged::publish);
    log.renew_mark(disk);
    outcome
}

/// Opens the workspace and stages the plan; then the process dies.
pub(crate) fn begin(disk: &FakeDisk, plan: &Plan) {
    let mut log = open(disk).unwrap();
    let order = Order { commit: commit(plan), salt: 7, firm: Firm::Yes };
    drop(stage(disk, &mut log, plan, order, Folders::default()).unwrap());
}

fn open(disk: &FakeDisk) -> Result<Log<FakeDisk>, Halt> {
    disk.found_home()?;
    let mut log = Log::open(disk)?;
    recover(disk, &mut log, 0, Firm::Yes, &|_| true)?;
    log.renew_mark(disk);
    Ok(log)
}

/// Makes key and log, and nothing else.
pub(crate) fn found(disk: &FakeDisk) {
    open(disk).unwrap();
}

/// Something in the trash of a workspace with a history: its id and its bytes.
pub(crate) const TRASHED: (&str, &[u8]) = ("trash-id", b"thrown away\n");

/// A workspace in which something has happened before.
pub(crate) fn leave_history(disk: &FakeDisk) {
    disk.found_home().unwrap();
    let mut log = Log::open(disk).unwrap();
    for folder in ["blobs", "trash"] {
        disk.state(folder).unwrap();
    }
    let note = Note {
        caller: caller(),
        end: End::DryRun,
        operation: "update".to_owned(),
        files: Vec::new(),
        diff: String::new(),
        asked: None,
    };
    log.append(disk, &Record::Note(note), Firm::Yes).unwrap();
    log.renew_mark(disk);
    let entry = disk.create(&disk.state("trash").unwrap(), TRASHED.0).unwrap();
    disk.write_at(&entry, 0, TRASHED.1).unwrap();
}

/// Opens the workspace again; what recovery cannot do is an error.
pub(crate) fn reopen(disk: &FakeDisk) -> Result<(), String> {
    if !disk.has_key() && disk.state_tree().contains_key("log") {
        return Err("a record without its key".to_owned());
    }
    let log = open(disk).map_err(|halt| format!("recovery failed: {halt:?}"))?;
    if log.standing() != Standing::Current {
        return Err(format!("the log is not what the mark says: {:?}", log.standing()));
    }
    let check = log.verify(disk, None).map_err(|halt| format!("the log cannot be read: {halt:?}"))?;
    match check.damage {
        None => Ok(()),
        Some(damage) => Err(format!("the log is damaged: {damage:?}")),
    }
}

/// After opening again: before or after, nothing in between, and nothing left lying about.
pub(crate) fn settled(disk: &FakeDisk, scenario: &Scenario, ended: Ended) -> Result<(), String> {
    let tree = disk.tree();
    let before = scenario.disk.tree();
    let litter = disk.litter();
    if !litter.is_empty() {
        return Err(format!("litter: {litter:?}"));
    }
    let state = disk.state_tree();
    let is_kept_link = |(at, node): &(&String, &Node)| at.starts_with("blobs/") && matches!(node, Node::Link(_));
    if let Some((at, _)) = state.iter().find(is_kept_link) {
        return Err(format!("a link is kept: {at}"));
    }
    let ties = disk.ties();
    if !ties.is_empty() {
        return Err(format!("in the workspace and in the state folder, as one file: {ties:?}"));
    }
    let (is_before, is_after) = (tree == before, tree == scenario.after);
    match ended {
        Ended::Done | Ended::InDoubt if is_after => {
            dressed(disk, scenario.metas.as_ref())?;
            kept(disk, &scenario.displaced)
        }
        Ended::Nothing | Ended::InDoubt if is_before => {
            dressed(disk, Some(&scenario.disk.folder_metas()))?;
            kept(disk, &scenario.trash)
        }
        _ => Err(format!("{ended:?}, yet the tree is {}", difference(&tree, &before, &scenario.after))),
    }
}

/// Every folder has the permission bits, owner and attributes it should have, where that is known.
fn dressed(disk: &FakeDisk, wanted: Option<&BTreeMap<String, FolderMeta>>) -> Result<(), String> {
    let found = disk.folder_metas();
    match wanted {
        Some(wanted) if *wanted != found => Err(format!("folders are {found:?}, not {wanted:?}")),
        _ => Ok(()),
    }
}

/// Nothing is lost: what was displaced, or was in the trash before, is in the state folder.
fn kept(disk: &FakeDisk, wanted: &[Vec<u8>]) -> Result<(), String> {
    let state = disk.state_tree();
    let holds =
        |wanted: &Vec<u8>| state.values().any(|node| matches!(node, Node::File { bytes, .. } if bytes == wanted));
    match wanted.iter().find(|bytes| !holds(bytes)) {
        Some(bytes) => Err(format!("{:?} is nowhere in the state folder", String::from_utf8_lossy(bytes))),
        None => Ok(()),
    }
}

/// The tree without what is being staged.
pub(crate) fn without_temporaries(disk: &FakeDisk) -> Tree {
    let mut tree = disk.tree();
    tree.retain(|path, _| !path.contains(TEMPORARY));
    tree
}

/// The verbs that changed or synced something, for messages.
pub(crate) fn told(disk: &FakeDisk) -> String {
    let verbs = disk.trace();
    let lines = verbs.iter().enumerate().map(|(at, (verb, about))| format!("    {} {verb:?} {about}\n", at + 1));
    lines.collect()
}

fn difference(tree: &Tree, before: &Tree, after: &Tree) -> String {
    let names = tree.keys().chain(before.keys()).chain(after.keys());
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.dedup();
    let unlike =
        names.into_iter().filter(|name| before.get(*name) != after.get(*name) || tree.get(*name) != before.get(*name));
    let lines = unlike.map(|name| {
        format!("\n    {name}: {:?} (before {:?}, after {:?})", tree.get(name), before.get(name), after.get(name))
    });
    lines.collect()
}

/// The folders that these steps take something out of, deepest first. If nothing is left in them they go.
pub(crate) fn left_by(steps: &[Step]) -> Vec<RelPath> {
    let mut left = Vec::new();
    for step in steps.iter().filter(|step| matches!(step.act, Act::Remove { .. } | Act::Rename { .. })) {
        let mut folder = step.path.parent();
        while !folder.is_root() {
            left.push(folder.clone());
            folder = folder.parent();
        }
    }
    left.sort_by_key(|folder| std::cmp::Reverse(folder.as_str().len()));
    left.dedup();
    left
}

fn commit(plan: &Plan) -> Commit {
    let files = plan.steps.iter().enumerate().map(|(at, step)| FileRecord {
        id: format!("file-{at}"),
        operation: "update".to_owned(),
        path: step.path.clone(),
        to: match &step.act {
            Act::Rename { to, .. } => Some(to.clone()),
            _ => None,
        },
        before: step.act.before(),
        after: step.act.after(),
        size: 0,
        before_size: 0,
        mode: 0o644,
        mode_after: None,
        link: false,
        keep: None,
        trash: None,
        diff: String::new(),
        diff_cut: false,
        changes: Vec::new(),
        wish: 0,
        key: None,
        label: None,
        doc_path: None,
        delta: None,
        came: None,
        folder: None,
    });
    Commit {
        batch: "batch".to_owned(),
        caller: caller(),
        files: files.collect(),
        verified: true,
        consumed: plan.steps.iter().find_map(|step| match &step.act {
            Act::Create(Fresh::Kept(kept)) => Some(kept.id.clone()),
            _ => None,
        }),
        gone: if plan.gone.is_empty() { left_by(&plan.steps) } else { plan.gone.clone() },
        ..Commit::default()
    }
}

fn caller() -> Caller {
    let [session, client, tool] = ["session", "test", "test"].map(str::to_owned);
    Caller { time_ns: 1, session, client, tool, ..Caller::default() }
}

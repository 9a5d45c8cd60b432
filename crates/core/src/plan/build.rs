//! From intents to steps.

use super::snapshot::{Seen, Snapshot, SnapshotFile};
use super::{Act, Change, Fresh, Plan, Step, clash, edits, unseen};
use crate::digest::Digest;
use crate::intent::{Content, Intent, Newline, Onto, Parents};
use crate::path::RelPath;
use crate::refusal::{Missing, Refusal, Why};
use crate::text::encoding::Charset;
use crate::text::{Document, TextProblem, encode_like, encode_new};
use crate::warning::Warning;
use std::sync::Arc;

/// Plans all intents against one snapshot. A plan without steps means that everything already is as
/// it should be.
pub fn plan(snapshot: &Snapshot, intents: &[Intent]) -> Result<Plan, Refusal> {
    let mut plan = Plan { steps: Vec::new(), folders: Vec::new(), warnings: Vec::new() };
    for intent in intents {
        match intent {
            Intent::Create { path, content, parents } => create(&mut plan, snapshot, (path, *parents), content)?,
            Intent::Write { path, text, newline, charset } => {
                let after = written(&snapshot.file(path)?.bytes.unwrap_or_default(), text, *newline, *charset);
                let after = after.map_err(|problem| Refusal::of_text(path, *charset, problem))?;
                let file = snapshot.file(path)?;
                plan.warnings.extend(unseen::brought(path, text, &file));
                plan.warnings.extend(new_mark(path, text, &file));
                replace(&mut plan, snapshot, path, (after, Vec::new()))?;
            }
            Intent::Edit { path, edits, charset } => {
                let file = snapshot.file(path)?;
                let edited = edits::edit(path, &file, edits, *charset)?;
                plan.warnings.extend(edited.warnings);
                replace(&mut plan, snapshot, path, (edited.bytes, edited.changes))?;
            }
            Intent::Delete { path } => delete(&mut plan, snapshot, path)?,
            Intent::Move { from, to, onto, parents } => rename(&mut plan, snapshot, (from, to), (*onto, *parents))?,
        }
    }
    clash::check(&plan)?;
    Ok(plan)
}

fn create(
    plan: &mut Plan,
    snapshot: &Snapshot,
    (path, parents): (&RelPath, Parents),
    content: &Content,
) -> Result<(), Refusal> {
    let real = free_place(plan, &snapshot.seen(path), path, parents)?;
    let fresh = match content {
        Content::Bytes(bytes) => {
            if let Ok(document) = Document::open(&bytes[..], None) {
                plan.warnings.extend(unseen::in_new_file(path, &String::from_utf8_lossy(document.text())));
            }
            Fresh::File { digest: Digest::of(bytes), bytes: Arc::from(bytes.as_slice()) }
        }
        Content::Kept(kept) => Fresh::Kept(kept.clone()),
    };
    let changes = vec![Change::whole(&Arc::default(), &fresh.text())];
    plan.steps.push(Step { path: real, act: Act::Create(fresh), changes });
    Ok(())
}

/// The place for something new, its name fit and free, its folders there or to be made.
fn free_place(plan: &mut Plan, seen: &Seen, path: &RelPath, parents: Parents) -> Result<RelPath, Refusal> {
    let Seen::Absent { real, missing } = seen else {
        let sort = seen.sort().unwrap_or(crate::refusal::Sort::Special);
        return Err(Refusal::at(path, Why::AlreadyExists(sort)));
    };
    if let Some(problem) = path.name_problem() {
        return Err(Refusal::at(path, Why::Name(problem)));
    }
    if let (Parents::MustExist, Some(first)) = (parents, missing.first()) {
        return Err(Refusal::at(path, Why::NotFound(Missing::Parent { folder: first.to_string() })));
    }
    for folder in missing {
        if !plan.folders.contains(folder) {
            plan.folders.push(folder.clone());
        }
    }
    Ok(real.clone())
}

fn replace(
    plan: &mut Plan,
    snapshot: &Snapshot,
    path: &RelPath,
    (after, mut changes): (Vec<u8>, Vec<Change>),
) -> Result<(), Refusal> {
    let file = snapshot.file(path)?;
    let before = file.bytes.unwrap_or_default();
    if *before == *after {
        return Ok(());
    }
    if changes.is_empty() {
        changes.push(Change::whole(&before, &after));
    }
    let digest = Digest::of(&after);
    let act = Act::Replace { before: file.digest, after: Arc::from(after), digest };
    plan.steps.push(Step { path: file.real, act, changes });
    Ok(())
}

fn delete(plan: &mut Plan, snapshot: &Snapshot, path: &RelPath) -> Result<(), Refusal> {
    let (real, before) = entry(&snapshot.seen(path), path)?;
    plan.steps.push(Step { path: real, act: Act::Remove { before }, changes: vec![Change::default()] });
    Ok(())
}

fn rename(
    plan: &mut Plan,
    snapshot: &Snapshot,
    (from, to): (&RelPath, &RelPath),
    (onto, parents): (Onto, Parents),
) -> Result<(), Refusal> {
    if from == to {
        return Err(Refusal::at(from, Why::MoveOntoItself));
    }
    let source = snapshot.seen(from);
    let (real, before) = entry(&source, from)?;
    let target = snapshot.seen(to);
    let place = match (&target, onto) {
        (Seen::File(_) | Seen::Link { .. }, Onto::Replace) => {
            let (place, there) = entry(&target, to)?;
            clash::distinct((&source, from), (&target, to))?;
            plan.steps.push(Step {
                path: place.clone(),
                act: Act::Remove { before: there },
                changes: vec![Change::default()],
            });
            place
        }
        _ => free_place(plan, &target, to, parents)?,
    };
    if place == real {
        return Err(Refusal::at(from, Why::MoveOntoItself));
    }
    plan.steps.push(Step { path: real, act: Act::Rename { to: place, before }, changes: vec![Change::default()] });
    Ok(())
}

/// The real path and hash of a file or link that is to go.
fn entry(seen: &Seen, path: &RelPath) -> Result<(RelPath, Digest), Refusal> {
    match seen {
        Seen::File(file) => Ok((file.real.clone(), file.digest)),
        Seen::Link { real, digest, .. } => Ok((real.clone(), *digest)),
        other => Err(other.not_a_file(path)),
    }
}

/// A byte-order mark that comes with the text, for a file that has none.
fn new_mark(path: &RelPath, text: &str, file: &SnapshotFile) -> Option<Warning> {
    let marked = file.bytes.as_deref().is_some_and(|bytes| bytes.starts_with("\u{feff}".as_bytes()));
    let comes = text.starts_with('\u{feff}') && !marked;
    comes.then(|| Warning::MarkInContent { path: path.to_string() })
}

/// Whole-file text as bytes.
fn written(before: &[u8], text: &str, newline: Newline, charset: Option<Charset>) -> Result<Vec<u8>, TextProblem> {
    match (newline, charset) {
        (Newline::Verbatim, None) => Ok(text.as_bytes().to_vec()),
        (Newline::Verbatim, Some(charset)) => encode_new(text, charset),
        (Newline::Preserve, charset) => {
            let old = Document::open(before, charset)?;
            let text = if old.has_mark() { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
            encode_like(&old, text)
        }
    }
}

impl Fresh {
    fn text(&self) -> Arc<[u8]> {
        match self {
            Fresh::File { bytes, .. } => bytes.clone(),
            Fresh::Kept(kept) => kept.text.clone().unwrap_or_default(),
        }
    }
}

impl Change {
    /// All lines of one text in place of all lines of another.
    pub fn whole(before: &[u8], after: &[u8]) -> Change {
        let count = |bytes: &[u8]| crate::text::lines(bytes).count();
        Change {
            before_line: 1,
            before_lines: count(before),
            after_line: 1,
            after_lines: count(after),
            description: None,
        }
    }
}

/// A warning that a file is not valid text.
pub(super) fn lossy(path: &RelPath) -> Warning {
    Warning::LossyText { path: path.to_string() }
}

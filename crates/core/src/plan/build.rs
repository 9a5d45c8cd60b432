//! From intents to steps.

use super::edits::Edited;
use super::snapshot::{Seen, Snapshot, SnapshotFile};
use super::{Act, Aside, Change, Fresh, Plan, Step, anchored, clash, edits, hunks, lines, spans, unseen};
use crate::bytes::Bytes;
use crate::digest::Digest;
use crate::intent::{Content, Hunk, Intent, Newline, Onto, Parents};
use crate::path::RelPath;
use crate::refusal::{Missing, Refusal, Why};
use crate::text::encoding::Charset;
use crate::text::{Document, TextProblem, encode_like, encode_new};
use crate::warning::Warning;
use std::collections::HashSet;
use std::sync::Arc;

/// Plans all intents against one snapshot. A plan without steps means that everything already is as
/// it should be.
pub fn plan(snapshot: &Snapshot, intents: &[Intent]) -> Result<Plan, Refusal> {
    clash::check(snapshot, intents)?;
    let parts = intents.iter().enumerate().map(|(wish, intent)| plan_one(snapshot, wish, intent));
    parts.collect::<Result<Vec<Plan>, Refusal>>().map(join)
}

/// Plans one of several intents, of which [`super::check_apart`] has seen that they do not meet.
pub fn plan_one(snapshot: &Snapshot, wish: usize, intent: &Intent) -> Result<Plan, Refusal> {
    let mut draft = Draft { snapshot, plan: Plan::default(), wish };
    draft.intent(intent)?;
    Ok(draft.plan)
}

/// The plans of all intents, in their order, as one.
pub fn join(parts: Vec<Plan>) -> Plan {
    let mut plan = Plan::default();
    let mut known = HashSet::new();
    for part in parts {
        plan.steps.extend(part.steps);
        plan.folders.extend(part.folders.into_iter().filter(|folder| known.insert(folder.clone())));
        plan.dress.extend(part.dress);
        plan.gone.extend(part.gone);
        plan.warnings.extend(part.warnings);
        plan.facts = plan.facts.or(part.facts);
        plan.lines = plan.lines.or(part.lines);
    }
    plan
}

/// A plan in the making.
pub(super) struct Draft<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) plan: Plan,
    wish: usize,
}

impl Draft<'_> {
    fn intent(&mut self, intent: &Intent) -> Result<(), Refusal> {
        match intent {
            Intent::Create { path, content, onto, parents } => self.create(path, content, *onto, *parents),
            Intent::Write { path, text, newline, charset } => {
                let file = self.snapshot.file(path)?;
                let after = written(file.bytes.as_ref().map_or(&[][..], |bytes| bytes), text, *newline, *charset);
                let after = after.map_err(|problem| Refusal::of_text(path, *charset, problem))?;
                let warnings =
                    unseen::brought(path, text, &file).into_iter().chain(new_mark(path, text, &file)).collect();
                self.replace(&file, Edited { bytes: after.into(), changes: Vec::new(), warnings })
            }
            Intent::Edit { path, edits, charset } => {
                let file = self.snapshot.file(path)?;
                self.replace(&file, edits::edit(path, &file, edits, *charset)?)
            }
            Intent::Patch { path, hunks, charset } => {
                let file = self.snapshot.file(path)?;
                self.replace(&file, hunks::patch(path, &file, hunks, *charset)?)
            }
            Intent::Anchored { path, operations, safety, knows, charset, last } => {
                let file = self.snapshot.file(path)?;
                let wanted = anchored::Wanted { operations, safety: *safety, knows, charset: *charset, last: *last };
                let anchored::Anchored { edited, facts, lines } = anchored::edit(path, &file, &wanted)?;
                self.plan.facts = Some(Box::new(facts));
                self.plan.lines = Some(lines);
                self.replace(&file, edited)
            }
            Intent::Lines { path, changes, charset, last } => {
                let file = self.snapshot.file(path)?;
                self.replace(&file, lines::edit(path, &file, changes, *charset, *last)?)
            }
            Intent::Delete { path } => self.delete(path),
            Intent::Tree(wanted) => self.tree(wanted),
            Intent::Move { from, to, onto, parents, hunks, charset } => {
                let place = self.rename(from, to, *onto, *parents)?;
                if hunks.is_empty() { Ok(()) } else { self.rewrite_moved(from, place, hunks, *charset) }
            }
        }
    }

    pub(super) fn push(&mut self, path: RelPath, act: Act, changes: Vec<Change>) {
        self.plan.steps.push(Step { path, act, changes, wish: self.wish, bits: None });
    }

    fn create(&mut self, path: &RelPath, content: &Content, onto: Onto, parents: Parents) -> Result<(), Refusal> {
        let seen = self.snapshot.seen(path);
        let fresh = match content {
            Content::Bytes(bytes) => {
                Fresh::File { digest: Digest::of(bytes), bytes: Arc::new(bytes.clone()), mode: None }
            }
            Content::Kept(kept) => Fresh::Kept(kept.clone()),
            Content::Version { bytes, mode } => {
                Fresh::File { digest: Digest::of(bytes), bytes: bytes.clone(), mode: *mode }
            }
            Content::Link(target) => {
                Fresh::Link { digest: Digest::of(target.as_bytes()), target: Arc::new(target.clone().into_bytes()) }
            }
        };
        let changes = vec![Change::whole(&[], &fresh.text())];
        match (&seen, onto, fresh) {
            (Seen::File(file), Onto::Replace, Fresh::File { bytes, digest, .. }) => {
                if file.digest != digest {
                    let changes = vec![Change::whole(file.bytes.as_ref().map_or(&[][..], |old| old), &bytes)];
                    let act = Act::Replace { before: file.digest, after: bytes.into(), digest, aside: Aside::Trash };
                    self.push(file.real.clone(), act, changes);
                }
            }
            (Seen::Link { real, digest, .. }, Onto::Replace, fresh) => {
                self.push(real.clone(), Act::Remove { before: *digest }, vec![Change::default()]);
                self.push(real.clone(), Act::Create(fresh), changes);
            }
            (_, _, fresh) => {
                let real = self.free_place(&seen, path, parents)?;
                self.push(real, Act::Create(fresh), changes);
            }
        }
        self.warn_of_unseen(path, content);
        Ok(())
    }

    fn warn_of_unseen(&mut self, path: &RelPath, content: &Content) {
        if let Content::Bytes(bytes) = content
            && let Ok(document) = Document::open(&bytes[..], None)
        {
            let text = String::from_utf8_lossy(document.text());
            self.plan.warnings.extend(unseen::in_new_file(path, &text));
        }
    }

    /// The place for something new, its name fit and free, its folders there or to be made.
    pub(super) fn free_place(&mut self, seen: &Seen, path: &RelPath, parents: Parents) -> Result<RelPath, Refusal> {
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
            if !self.plan.folders.contains(folder) {
                self.plan.folders.push(folder.clone());
            }
        }
        Ok(real.clone())
    }

    fn replace(&mut self, file: &SnapshotFile, edited: Edited) -> Result<(), Refusal> {
        self.replace_at(file.real.clone(), file, edited)
    }

    /// New bytes for a file, under the name that it has by then.
    fn replace_at(&mut self, at: RelPath, file: &SnapshotFile, edited: Edited) -> Result<(), Refusal> {
        let Edited { bytes: after, mut changes, warnings } = edited;
        self.plan.warnings.extend(warnings);
        let before = file.bytes.as_ref().map_or(&[][..], |bytes| bytes);
        if after.are(before) {
            return Ok(());
        }
        if changes.is_empty() {
            changes = spans::hunks(before, &after.whole());
        }
        let digest = after.digest(self.snapshot.trail(file.digest));
        let act = Act::Replace { before: file.digest, after, digest, aside: Aside::Kept };
        self.push(at, act, changes);
        Ok(())
    }

    fn delete(&mut self, path: &RelPath) -> Result<(), Refusal> {
        let seen = self.snapshot.seen(path);
        let (real, before) = entry(&seen, path)?;
        self.push(real, Act::Remove { before }, vec![removed(&seen)]);
        Ok(())
    }

    /// Moves a file; where it will be, links resolved.
    fn rename(&mut self, from: &RelPath, to: &RelPath, onto: Onto, parents: Parents) -> Result<RelPath, Refusal> {
        if from == to {
            return Err(Refusal::at(from, Why::MoveOntoItself));
        }
        let source = self.snapshot.seen(from);
        let (real, before) = entry(&source, from)?;
        let target = self.snapshot.seen(to);
        let place = match (&target, onto) {
            (Seen::File(_) | Seen::Link { .. }, Onto::Replace) => {
                let (place, there) = entry(&target, to)?;
                clash::distinct(from, &source, to, &target)?;
                self.push(place.clone(), Act::Remove { before: there }, vec![removed(&target)]);
                place
            }
            _ => self.free_place(&target, to, parents)?,
        };
        if place == real {
            return Err(Refusal::at(from, Why::MoveOntoItself));
        }
        self.push(real, Act::Rename { to: place.clone(), before }, vec![Change::default()]);
        Ok(place)
    }

    /// Gives a file that was just moved its new bytes.
    fn rewrite_moved(
        &mut self,
        from: &RelPath,
        place: RelPath,
        hunks: &[Hunk],
        charset: Option<Charset>,
    ) -> Result<(), Refusal> {
        if let Seen::Link { .. } = self.snapshot.seen(from) {
            return Err(Refusal::at(from, Why::HunksForLink));
        }
        let file = self.snapshot.file(from)?;
        self.replace_at(place, &file, hunks::patch(from, &file, hunks, charset)?)
    }
}

/// All lines of a file that is to go, as far as they were read.
pub(super) fn removed(seen: &Seen) -> Change {
    match seen {
        Seen::File(SnapshotFile { bytes: Some(bytes), .. }) => Change::whole(bytes, &[]),
        _ => Change::default(),
    }
}

/// The real path and hash of a file or link that is to go.
pub(super) fn entry(seen: &Seen, path: &RelPath) -> Result<(RelPath, Digest), Refusal> {
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
            if charset.is_none() && old.charset() == Charset::Utf8 && old.is_lossy() && !text.is_ascii() {
                return Err(TextProblem::Unnamed);
            }
            let text = if old.has_mark() { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
            encode_like(&old, text)
        }
    }
}

impl Fresh {
    pub(super) fn text(&self) -> Bytes {
        match self {
            Fresh::File { bytes, .. } => bytes.clone(),
            Fresh::Kept(kept) => kept.text.clone().unwrap_or_default(),
            Fresh::Link { .. } => Bytes::default(),
        }
    }
}

impl Change {
    /// All lines of one text in place of all lines of another.
    pub fn whole(before: &[u8], after: &[u8]) -> Change {
        let count = |bytes: &[u8]| crate::history::RawLines::of(bytes).len();
        Change {
            before_line: 1,
            before_lines: count(before),
            after_line: 1,
            after_lines: count(after),
            ..Change::default()
        }
    }
}

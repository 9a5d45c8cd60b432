//! What a session learns by what it writes: its own words it has seen, and of the rest what it had seen before.

use crate::beside::Beside;
use crate::ledger::{Lines, Own, OwnChange, Stretches, Written};
use crate::prepare::Prepared;
use crate::session::Session;
use patchwright_core::anchor::line_hash;
use patchwright_core::intent::{Content, Hunk, HunkLine, Intent};
use patchwright_core::plan::{Act, Change, Fresh, Plan, Step};
use patchwright_core::text::{Document, lines};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// Of files up to this size the lines are remembered when any tool writes them.
const REMEMBERED: usize = 1 << 20;

/// Whose words a call wrote down. The record tells changes, which may be fewer.
pub(crate) enum Wrote {
    /// All of a file is the caller's.
    Whole,
    /// The lines with these hashes are the caller's, and new files.
    Lines(HashSet<u64>),
    /// Nothing: earlier bytes, or what was proposed.
    Earlier,
    /// The lines with these hashes, in a version of which the session has not seen what others changed.
    Beside(HashSet<u64>, Box<Beside>),
}

impl Wrote {
    /// What a tool that was asked for this wrote.
    pub(crate) fn by(prepared: &Prepared) -> Wrote {
        match (Wrote::of(&prepared.intents), &prepared.beside) {
            (Wrote::Lines(sent), Some(beside)) => Wrote::Beside(sent, Box::new(beside.clone())),
            (wrote, _) => wrote,
        }
    }

    pub(crate) fn of(intents: &[Intent]) -> Wrote {
        let mut sent = HashSet::new();
        for intent in intents {
            match intent {
                Intent::Write { .. } => return Wrote::Whole,
                Intent::Create { content: Content::Kept(_) | Content::Version { .. }, .. } | Intent::Tree(_) => {
                    return Wrote::Earlier;
                }
                Intent::Create { content: Content::Bytes(bytes), .. } => sent.extend(hashes(bytes)),
                Intent::Create { content: Content::Link(_), .. } | Intent::Delete { .. } => {}
                Intent::Edit { edits, .. } => {
                    sent.extend(edits.iter().flat_map(|edit| hashes(edit.new.as_bytes())));
                }
                Intent::Patch { hunks, .. } | Intent::Move { hunks, .. } => sent.extend(hunks.iter().flat_map(told)),
                Intent::Anchored { operations, .. } => {
                    sent.extend(operations.iter().flat_map(|one| &one.lines).map(|line| line_hash(line.as_bytes())));
                }
                Intent::Lines { changes, .. } => {
                    sent.extend(changes.iter().flat_map(|one| &one.lines).map(|line| line_hash(line.as_bytes())));
                }
            }
        }
        Wrote::Lines(sent)
    }

    /// Which lines of what a step leaves are the caller's.
    fn own(&self, step: &Step, all: Option<&[u64]>) -> Own {
        let sent = match (self, &step.act) {
            (Wrote::Earlier, _) => return Own::None,
            (Wrote::Whole, _) | (Wrote::Lines(_) | Wrote::Beside(..), Act::Create(_)) => return Own::All,
            (Wrote::Lines(sent) | Wrote::Beside(sent, _), _) => sent,
        };
        let own = |change: &Change| {
            let (before, after) = (change.before_line.saturating_sub(1), change.after_line.saturating_sub(1));
            let after = after..after.saturating_add(change.after_lines);
            let is_sent = |line: &usize| all.and_then(|all| all.get(*line)).is_some_and(|hash| sent.contains(hash));
            OwnChange {
                before: before..before.saturating_add(change.before_lines),
                sent: after.clone().filter(is_sent).collect(),
                after,
            }
        };
        Own::Some(step.changes.iter().map(own).collect())
    }
}

impl Session {
    /// Takes into the ledger what a call of this session wrote.
    pub(crate) fn remember(&self, planned: &Plan, wrote: &Wrote) {
        let mut ledger = self.ledger();
        // As if the edit had been made in the version that the session saw: of any other it knows too little.
        let planned = if let Wrote::Beside(_, beside) = wrote { &beside.plan } else { planned };
        for step in &planned.steps {
            match (&step.act, step.act.after()) {
                (Act::Rename { to, before }, _) => ledger.moved(&step.path, to.clone(), *before),
                // The text is the same, and so is what was seen of it.
                (Act::Mode { .. }, _) => {}
                (act, Some(after)) => {
                    let all = planned.lines.clone().or_else(|| lines_of(act));
                    let stretches = match wrote {
                        Wrote::Whole => Stretches::All,
                        _ => stretches(&step.changes, all.as_deref()),
                    };
                    let own = wrote.own(step, all.as_deref());
                    let lines = Lines { stretches, all };
                    ledger.wrote(step.path.clone(), Written { before: act.before(), after, lines, own });
                    if let Wrote::Beside(_, beside) = wrote
                        && let Some(view) = beside.view.clone()
                    {
                        ledger.viewed(&step.path, after, view);
                    }
                }
                (_, None) => ledger.forget(&step.path),
            }
        }
    }
}

fn hashes(text: &[u8]) -> impl Iterator<Item = u64> {
    lines(text).map(|line| line_hash(line.text))
}

/// The lines that a hunk leaves.
fn told(hunk: &Hunk) -> impl Iterator<Item = u64> {
    hunk.lines.iter().filter_map(|line| match line {
        HunkLine::Context(text) | HunkLine::Add(text) => Some(line_hash(text.as_bytes())),
        HunkLine::Remove(_) => None,
    })
}

/// The lines that a step brought, with those around them that its diff shows.
fn stretches(changes: &[Change], all: Option<&[u64]>) -> Stretches {
    const AROUND: usize = 3;
    let count = all.map_or(usize::MAX, <[u64]>::len);
    let stretch = |change: &Change| {
        let first = change.after_line.saturating_sub(1);
        first.saturating_sub(AROUND)..first.saturating_add(change.after_lines).saturating_add(AROUND).min(count)
    };
    match changes {
        [one] if one.after_line <= 1 && one.after_lines >= count => Stretches::All,
        changes => Stretches::Some(changes.iter().map(stretch).collect()),
    }
}

/// The hashes of the lines that a step leaves, where that is text and not much.
fn lines_of(act: &Act) -> Option<Arc<[u64]>> {
    let bytes = match act {
        Act::Replace { after, .. } if after.len() <= REMEMBERED => after.whole(),
        Act::Create(Fresh::File { bytes, .. }) if bytes.len() <= REMEMBERED => Cow::Borrowed(bytes.as_slice()),
        _ => return None,
    };
    let text = Document::open(bytes, None).ok()?;
    Some(hashes(text.text()).collect())
}

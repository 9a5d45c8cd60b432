//! What this session has last seen of each file: its proof of sight when a call brings no hash, and what
//! its anchors are held against.
//!
//! Two questions are kept apart. Which lines of the present version was the session shown, all of which a call needs
//! that writes the whole file ([`Shown`])? And what did the file say before somebody else changed it, against which
//! anchors are held ([`Earlier`])? For the latter, a file is known again as a whole only once it was read as a whole;
//! until then the ledger keeps what was known before and the stretches that were seen or written since.

mod form;
mod shown;
mod view;

pub(crate) use form::Form;
pub(crate) use shown::Shown;
pub(crate) use view::View;

use patchwright_core::digest::Digest;
use patchwright_core::intent::{Earlier, Knows, Numbers};
use patchwright_core::path::RelPath;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Lines of so many files are remembered; of others only the hash of the whole.
const REMEMBERED: usize = 256;
/// Of a file that somebody else changed, so many stretches are remembered.
const STRETCHES: usize = 64;
/// Of the times that somebody else changed a file, so many are remembered: if the first ones are explained, so are
/// the rest.
const JUMPS: usize = 8;
/// Of the versions of a file that were shown as a whole, so many are remembered, the last ones.
const WHOLE: usize = 8;

/// The files this session has read or written, by where they really are.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    files: HashMap<RelPath, Known>,
    /// The versions of which all lines were shown, by the path at which they were. Whatever brings such bytes back
    /// there, brings back what the session has seen.
    whole: HashMap<RelPath, Vec<Digest>>,
    /// The hashes that a listing showed, with the count of that sight: enough to delete or move, not to write.
    listed: HashMap<RelPath, (Digest, u64)>,
    /// Counts sights, so that the oldest lines can be forgotten.
    clock: u64,
}

/// What is known of one file.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The bytes it had when it was last seen; nothing once this session took it away.
    digest: Option<Digest>,
    /// Has this session been shown the line numbers of these very bytes beside their anchors?
    numbers: Numbers,
    /// The bytes that it had each time before somebody else changed it; the first few of them.
    jumps: Vec<Digest>,
    /// Has somebody else changed it, and not all of it been seen since?
    behind: bool,
    lines: Earlier,
    /// Which of its lines this session was shown.
    shown: Shown,
    /// The hashes of all its lines, where they are known.
    hashes: Option<Arc<[u64]>>,
    /// A version that was read, and what it was like beside its lines.
    form: Option<(Digest, Form)>,
    /// How the last seen version is made, where it never stood anywhere.
    view: Option<(Digest, View)>,
    at: u64,
}

/// The lines of a file: the hashes of all of them, where they are known, and which of them this is about.
pub(crate) struct Lines {
    pub(crate) all: Option<Arc<[u64]>>,
    pub(crate) stretches: Stretches,
}

/// Which lines of a file.
pub(crate) enum Stretches {
    All,
    /// From 0, half-open.
    Some(Vec<Range<usize>>),
}

/// What a session was shown of a file.
pub(crate) struct Reading {
    pub(crate) lines: Lines,
    pub(crate) numbers: Numbers,
    pub(crate) shown: Shown,
}

/// What a call of this session wrote into a file.
pub(crate) struct Written {
    /// The hash before; nothing if the file is new.
    pub(crate) before: Option<Digest>,
    /// The hash after.
    pub(crate) after: Digest,
    pub(crate) lines: Lines,
    pub(crate) own: Own,
}

/// Which lines of a file are a call's own words.
pub(crate) enum Own {
    All,
    /// Those that it sent, place by place; it changed nothing else.
    Some(Vec<OwnChange>),
    /// None: it brought earlier bytes back, or carried out what was proposed.
    None,
}

/// A place that a call changed, its lines counted from 0.
pub(crate) struct OwnChange {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
    /// The lines after, whole, that the call sent.
    pub(crate) sent: Vec<usize>,
}

impl Ledger {
    /// The session has read these lines of a file with these bytes.
    pub(crate) fn read(&mut self, path: RelPath, digest: Digest, reading: Reading) {
        let Reading { lines, numbers, shown } = reading;
        let first = !self.files.contains_key(&path);
        self.see(path, Some(digest), digest, |known, foreign| {
            known.is_shown(digest, lines.all.clone(), shown);
            if numbers == Numbers::Seen || foreign {
                known.numbers = numbers;
            }
            match lines.stretches {
                Stretches::Some(some) if !first && (foreign || known.behind) => known.add(lines.all, some),
                Stretches::Some(_) if !first => {}
                // Hashes that are not worked out anew still hold where the bytes are the same.
                _ if lines.all.is_none() && !foreign && !known.behind => {}
                _ => known.all(lines.all),
            }
        });
    }

    /// The session has turned a file with the one hash into these lines with the other.
    pub(crate) fn wrote(&mut self, path: RelPath, Written { before, after, lines, own }: Written) {
        self.see(path, before, after, |known, foreign| {
            known.numbers = Numbers::Unseen;
            known.has_written(before, lines.all.clone(), own);
            match lines.stretches {
                Stretches::Some(some) if foreign || known.behind => known.add(lines.all, some),
                _ => known.all(lines.all),
            }
        });
    }

    /// Takes a sight in: it was about a file with the one hash, and leaves it with the other.
    fn see(&mut self, path: RelPath, before: Option<Digest>, after: Digest, learn: impl FnOnce(&mut Known, bool)) {
        self.clock += 1;
        let fresh = !self.files.contains_key(&path);
        let whole = self.whole.entry(path.clone()).or_default();
        let known = self.files.entry(path).or_default();
        let foreign = !fresh && known.digest != before;
        if foreign {
            known.jumped();
        }
        learn(known, foreign);
        (known.digest, known.at) = (Some(after), self.clock);
        known.shown_before(after, whole);
        if known.holds_lines() {
            self.forget_oldest_lines();
        }
    }

    /// A listing showed the hash of a file or link.
    pub(crate) fn listed(&mut self, path: RelPath, digest: Digest) {
        self.clock += 1;
        self.listed.insert(path, (digest, self.clock));
    }

    /// That hash was not shown after all.
    pub(crate) fn unlisted(&mut self, path: &RelPath, digest: Digest) {
        if self.listed.get(path).is_some_and(|(listed, _)| *listed == digest) {
            self.listed.remove(path);
        }
    }

    /// The hash that the session was last shown, be it of a file it read or of one in a listing.
    pub(crate) fn looked_at(&self, path: &RelPath) -> Option<Digest> {
        let read = self.files.get(path).and_then(|known| Some((known.digest?, known.at)));
        let newest = read.into_iter().chain(self.listed.get(path).copied()).max_by_key(|(_, at)| *at);
        newest.map(|(digest, _)| digest)
    }

    /// The file has another name now.
    pub(crate) fn moved(&mut self, from: &RelPath, to: RelPath, digest: Digest) {
        if let Some((seen, at)) = self.listed.remove(from) {
            self.listed.insert(to.clone(), (seen, at));
            if !self.files.contains_key(from) {
                return;
            }
        }
        let mut known = self.files.remove(from).unwrap_or_else(|| Known { digest: Some(digest), ..Known::default() });
        if known.digest != Some(digest) {
            known.jumped();
            known.hides();
            (known.digest, known.numbers) = (Some(digest), Numbers::Unseen);
            known.behind = true;
        }
        known.shown_before(digest, self.whole.entry(to.clone()).or_default());
        self.files.insert(to, known);
    }

    /// The file is gone. Whatever comes under its name is another writer's.
    pub(crate) fn forget(&mut self, path: &RelPath) {
        self.listed.remove(path);
        if let Some(known) = self.files.get_mut(path) {
            known.digest = None;
            known.hides();
        }
    }

    /// The lines of its last seen version that were not shown, from 0; nothing if all were. The count is that of the
    /// lines there are, in case the ledger does not know it.
    pub(crate) fn unseen(&self, path: &RelPath, count: usize) -> Option<Vec<Range<usize>>> {
        match self.files.get(path) {
            Some(known) if known.shown.is_all() => None,
            Some(known) => Some(known.shown.missing(count)),
            None => Some(Shown::default().missing(count)),
        }
    }

    /// The versions that the session saw, as far as it remembers, the last first.
    pub(crate) fn versions_seen(&self, path: &RelPath) -> Vec<Digest> {
        let known = self.files.get(path);
        let earlier = known.iter().flat_map(|known| known.digest.into_iter().chain(known.jumps.iter().rev().copied()));
        self.looked_at(path).into_iter().chain(earlier).collect()
    }

    /// The hashes of the lines of a version, where it was the last one seen and they are known.
    pub(crate) fn lines_seen(&self, path: &RelPath, version: Digest) -> Option<Arc<[u64]>> {
        self.files.get(path).filter(|known| known.digest == Some(version))?.hashes.clone()
    }

    /// A file that was read is like this beside its lines.
    pub(crate) fn formed(&mut self, path: &RelPath, version: Digest, form: Form) {
        if let Some(known) = self.files.get_mut(path) {
            known.form = Some((version, form));
        }
    }

    /// What a version was like beside its lines, where it was the last one read.
    pub(crate) fn form_seen(&self, path: &RelPath, version: Digest) -> Option<Form> {
        let (_, form) = self.files.get(path)?.form.filter(|(digest, _)| *digest == version)?;
        Some(form)
    }

    /// What the session last saw.
    pub(crate) fn last_seen(&self, path: &RelPath) -> Option<Digest> {
        self.files.get(path).and_then(|known| known.digest)
    }

    /// What the session knows of a file that has this hash now.
    pub(crate) fn knows(&self, path: &RelPath, now: Digest) -> Knows {
        let Some(known) = self.files.get(path) else { return Knows::default() };
        let same = known.digest == Some(now);
        let numbers = if same { known.numbers } else { Numbers::Unseen };
        Knows { numbers, earlier: (!same || known.behind).then(|| known.lines.clone()) }
    }

    /// Has the session seen anything of this file?
    pub(crate) fn has(&self, path: &RelPath) -> bool {
        self.files.contains_key(path)
    }

    /// The versions of a file that has this hash now after each of which somebody other than this session wrote it.
    pub(crate) fn jumps(&self, path: &RelPath, now: Digest) -> Vec<Digest> {
        let Some(known) = self.files.get(path) else { return Vec::new() };
        let last = known.digest.filter(|last| *last != now);
        known.jumps.iter().copied().chain(last).collect()
    }

    fn forget_oldest_lines(&mut self) {
        let holding = || self.files.iter().filter(|(_, known)| known.holds_lines());
        if holding().count() <= REMEMBERED {
            return;
        }
        let oldest = holding().min_by_key(|(_, known)| known.at).map(|(path, _)| path.clone());
        if let Some(known) = oldest.and_then(|path| self.files.get_mut(&path)) {
            (known.lines, known.hashes) = (Earlier::default(), None);
        }
    }
}

impl Known {
    /// Somebody else has changed it.
    fn jumped(&mut self) {
        let room = self.jumps.len() < JUMPS;
        self.jumps.extend(self.digest.filter(|_| room));
    }

    fn holds_lines(&self) -> bool {
        self.lines.whole.is_some() || self.hashes.is_some()
    }

    /// Nothing of its lines counts as shown.
    fn hides(&mut self) {
        (self.shown, self.hashes) = (Shown::default(), None);
    }

    /// It has this hash now: all of it counts as shown if all of it was once, and is remembered if it is.
    fn shown_before(&mut self, digest: Digest, whole: &mut Vec<Digest>) {
        if whole.contains(&digest) {
            self.shown = Shown::all();
        }
        if self.shown.is_all() {
            whole.retain(|one| *one != digest);
            whole.push(digest);
            let surplus = whole.len().saturating_sub(WHOLE);
            whole.drain(..surplus);
        }
    }

    /// Lines of a version with this hash were shown.
    fn is_shown(&mut self, digest: Digest, hashes: Option<Arc<[u64]>>, shown: Shown) {
        if self.digest != Some(digest) {
            self.shown = self.shown.carried_over(self.hashes.as_deref(), hashes.as_deref(), shown.charset());
            self.hashes = None;
        }
        self.hashes = hashes.or(self.hashes.take());
        self.shown.join(shown);
    }

    /// This session has turned the version with this hash into one with these lines.
    fn has_written(&mut self, before: Option<Digest>, hashes: Option<Arc<[u64]>>, own: Own) {
        let same = self.digest.is_some() && self.digest == before;
        let carried = || match same {
            true => self.shown.carried(self.hashes.as_deref(), hashes.as_deref(), None),
            false => self.shown.carried_over(self.hashes.as_deref(), hashes.as_deref(), None),
        };
        let shown = match own {
            Own::All => Shown::all(),
            Own::Some(_) if same && self.shown.is_all() => Shown::all(),
            Own::Some(changes) => {
                let mut shown = carried();
                for OwnChange { before, after, sent } in changes {
                    // What a change put in place of lines that were shown is made of them and of the call's words.
                    if same && self.shown.has(&before) {
                        shown.add(after);
                    } else {
                        sent.into_iter().for_each(|line| shown.add(line..line + 1));
                    }
                }
                shown
            }
            Own::None => carried(),
        };
        (self.shown, self.hashes) = (shown, hashes);
    }

    /// All lines are known.
    fn all(&mut self, lines: Option<Arc<[u64]>>) {
        self.behind = false;
        self.lines = Earlier { whole: lines, parts: Vec::new() };
    }

    /// Some lines of a file that somebody else changed are known.
    fn add(&mut self, lines: Option<Arc<[u64]>>, stretches: Vec<Range<usize>>) {
        self.behind = true;
        let Some(lines) = lines else { return };
        self.lines.parts.extend(stretches.into_iter().filter_map(|range| lines.get(range)).map(Arc::from));
        let surplus = self.lines.parts.len().saturating_sub(STRETCHES);
        self.lines.parts.drain(..surplus);
    }
}

#[cfg(test)]
mod tests;

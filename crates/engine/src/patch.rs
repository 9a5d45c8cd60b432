//! `apply_patch`: what the sections of an envelope want, once the files they name were looked at.

use crate::alike::alike;
use crate::flow::Prepare;
use crate::gather::{Depth, Gather, Links, Look, any_path};
use crate::options::Proof;
use crate::prepare::{Prepared, Wish};
use crate::watch::Watch;
use crate::workspace::Workspace;
use patchwright_core::dialect::envelope::{Conventions, Noted, Reading, parse};
use patchwright_core::dialect::wanted::{Wanted, What, wanted};
use patchwright_core::digest::Digest;
use patchwright_core::intent::{Content, Intent, Onto, Parents};
use patchwright_core::outcome::{Failed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, check_apart, plan};
use patchwright_core::refusal::{Expected, Missing, Refusal, Stale, StaleReason, Why};
use patchwright_core::text::encode_new;
use patchwright_core::tool::{ApplyPatch, Atomic, Call, Run};
use patchwright_core::warning::Warning;
use std::collections::HashMap;

/// The argument that carries proofs of sight for a patch.
const EXPECTED: &str = "expectedSha256ByPath";

impl Workspace {
    /// Applies a patch.
    pub fn apply_patch(&self, ask: &ApplyPatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let call = Call::ApplyPatch(ask.clone());
        // A proposal is always whole.
        let atomic = if ask.shared.run == Run::Propose { Atomic::Whole } else { ask.atomic };
        match atomic {
            Atomic::Whole => {
                let prepare: Prepare<'_> = &|gather, _| {
                    let patch = self.read_patch(ask)?;
                    self.look_at_all(gather, &patch)?.prepared(gather, &patch)
                };
                self.change(&call, watch, prepare)
            }
            Atomic::Sections => self.apply_sections(&call, ask, watch),
        }
    }

    /// Reads the envelope and everything that was said about its files.
    pub(crate) fn read_patch<'a>(&self, ask: &'a ApplyPatch) -> Result<Patch<'a>, Trouble> {
        let parsed = parse(&ask.patch, ask.conventions)?;
        let sections = wanted(&parsed, ask.conventions).into_iter().map(Section::of).collect();
        let expected = self.expected(&ask.expected)?;
        Ok(Patch { ask, sections, expected, warnings: parsed.readings.iter().map(told).collect() })
    }

    /// What was said about files, by path.
    pub(crate) fn expected(&self, given: &[(String, String)]) -> Result<Vec<(RelPath, String)>, Trouble> {
        let mut expected: Vec<(RelPath, String)> = Vec::with_capacity(given.len());
        let mut known: HashMap<RelPath, &str> = HashMap::new();
        for (key, value) in given {
            let path = any_path(&self.disk, key)?;
            if let Some(other) = known.insert(path.clone(), key) {
                return Err(Refusal::about(key, Why::SameFileTwice { other: other.to_owned() }).into());
            }
            expected.push((path, value.clone()));
        }
        Ok(expected)
    }

    /// Looks at the files of all sections, and refuses what no section can mend: one file in two of them,
    /// and a neighbour that is not as it was said to be.
    pub(crate) fn look_at_all(&self, gather: &mut Gather<'_>, patch: &Patch<'_>) -> Result<Looked, Trouble> {
        patch.check_names()?;
        gather.look_ahead(patch.sections.iter().flatten().flat_map(Section::looks).collect());
        let looked: Vec<_> = patch.sections.iter().map(|section| self.look_at(gather, patch, section)).collect();
        let seen: Vec<Intent> = looked.iter().flatten().map(|(intent, _)| intent.clone()).collect();
        check_apart(&gather.snapshot, &seen)?;
        for (path, value) in &patch.expected {
            if !patch.sections.iter().flatten().any(|section| section.is_about(path)) {
                self.check_neighbour(gather, path, value)?;
            }
        }
        Ok(Looked(looked))
    }

    /// Looks at the files of one section, and checks what was said about them.
    pub(crate) fn look_at(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        section: &Result<Section, Refusal>,
    ) -> Result<(Intent, Wish), Trouble> {
        let Section { wanted, path, to } = section.as_ref().map_err(Clone::clone)?;
        match (&wanted.what, to) {
            (What::Add(text), _) => self.add(gather, patch, (path, text)),
            (What::Update, _) => {
                self.see_there(gather, patch, path, (Links::Follow, Text::Proves))?;
                let hunks = wanted.hunks.clone();
                let intent = Intent::Patch { path: path.clone(), hunks, charset: patch.ask.charset };
                Ok((intent, Wish { hunks: wanted.hunks.len(), ..Wish::new("update", path.clone()) }))
            }
            (What::Delete, _) => {
                self.see_there(gather, patch, path, (Links::Keep, Text::SaysNothing))?;
                Ok((Intent::Delete { path: path.clone() }, Wish::new("delete", path.clone())))
            }
            (What::Move, to) => self.rename(gather, patch, (path, to.as_ref().unwrap_or(path)), wanted),
        }
    }

    fn add(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        (path, text): (&RelPath, &str),
    ) -> Result<(Intent, Wish), Trouble> {
        gather.see_at(path, Links::Keep, Depth::Hash)?;
        self.check_place(patch, path, &gather.snapshot.seen(path))?;
        let bytes = match patch.ask.charset {
            None => text.as_bytes().to_vec(),
            Some(charset) => {
                encode_new(text, charset).map_err(|problem| Refusal::of_text(path, Some(charset), problem))?
            }
        };
        let content = Content::Bytes(bytes);
        let intent = Intent::Create { path: path.clone(), content, onto: patch.onto(), parents: patch.parents() };
        Ok((intent, Wish::new("create", path.clone())))
    }

    fn rename(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        (from, to): (&RelPath, &RelPath),
        wanted: &Wanted,
    ) -> Result<(Intent, Wish), Trouble> {
        if from == to {
            return Err(Refusal::at(from, Why::MoveOntoItself).into());
        }
        let text = if wanted.hunks.is_empty() { Text::SaysNothing } else { Text::Proves };
        self.see_there(gather, patch, from, (Links::Keep, text))?;
        gather.see_at(to, Links::Keep, Depth::Hash)?;
        self.check_place(patch, to, &gather.snapshot.seen(to))?;
        let intent = Intent::Move {
            from: from.clone(),
            to: to.clone(),
            onto: patch.onto(),
            parents: patch.parents(),
            hunks: wanted.hunks.clone(),
            charset: patch.ask.charset,
        };
        let wish = Wish { to: Some(to.clone()), hunks: wanted.hunks.len(), ..Wish::new("move", from.clone()) };
        Ok((intent, wish))
    }

    /// Looks at a file that has to be there.
    fn see_there(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        path: &RelPath,
        (links, text): (Links, Text),
    ) -> Result<(), Trouble> {
        gather.see_at(path, links, text.depth())?;
        match gather.snapshot.seen(path) {
            Seen::Absent { .. } => Err(self.absent(path)),
            seen => self.check_sight(patch, path, (&seen, text)),
        }
    }

    /// What shows that the author of a section has seen a file that is there: what was said about it; else the
    /// section's own lines; else that this session did not see another version.
    fn check_sight(&self, patch: &Patch<'_>, path: &RelPath, (seen, text): (&Seen, Text)) -> Result<(), Trouble> {
        // Something that is no file is refused with its own reason.
        let (Some(actual), Some(real)) = (seen.digest(), seen.real()) else { return Ok(()) };
        let stale = |expected: Option<Digest>, reason| {
            let expected = expected.map(|digest| digest.to_string());
            let stale = Stale { expected, actual: Some(actual), reason, argument: EXPECTED };
            Err(Refusal::at(path, Why::Stale(stale)).into())
        };
        match (patch.value(path), self.proof, text) {
            (Some(value), ..) => same(path, value, Some(actual)),
            (None, Proof::HashOnly, _) => stale(None, StaleReason::Unproven),
            (None, Proof::HashOrLedger, Text::SaysNothing) => match self.ledger().last_seen(real) {
                Some(known) if known != actual => stale(Some(known), StaleReason::ChangedSinceSeen),
                _ => Ok(()),
            },
            (None, Proof::HashOrLedger | Proof::Unchecked, _) => Ok(()),
        }
    }

    /// What was said about the place of a new file. What is replaced there is not what the section was made for.
    fn check_place(&self, patch: &Patch<'_>, path: &RelPath, seen: &Seen) -> Result<(), Trouble> {
        match (patch.value(path), seen) {
            (Some(value), Seen::Absent { .. }) if !value.is_empty() => same(path, value, None),
            (_, Seen::File(_) | Seen::Link { .. }) if patch.codex() => {
                self.check_sight(patch, path, (seen, Text::Proves))
            }
            _ => Ok(()),
        }
    }

    /// A file that the call does not touch, of which something was said all the same.
    pub(crate) fn check_neighbour(&self, gather: &mut Gather<'_>, path: &RelPath, value: &str) -> Result<(), Trouble> {
        if value.is_empty() {
            // A link that leads nowhere is something, too.
            return match gather.peek(path, Links::Keep, Depth::Hash)? {
                Seen::Absent { .. } => Ok(()),
                seen => same(path, value, seen.digest()),
            };
        }
        match gather.peek(path, Links::Follow, Depth::Hash)? {
            Seen::Absent { .. } => {
                let alike = alike(self, path);
                Err(Refusal::at(path, Why::NotFound(Missing::Neighbour { alike })).into())
            }
            seen => match seen.digest() {
                Some(actual) => same(path, value, Some(actual)),
                None => Err(seen.not_a_file(path).into()),
            },
        }
    }
}

/// An envelope, read, with what its caller said about files.
pub(crate) struct Patch<'a> {
    pub(crate) ask: &'a ApplyPatch,
    pub(crate) sections: Vec<Result<Section, Refusal>>,
    expected: Vec<(RelPath, String)>,
    pub(crate) warnings: Vec<Warning>,
}

/// One section, its paths understood.
pub(crate) struct Section {
    wanted: Wanted,
    path: RelPath,
    to: Option<RelPath>,
}

/// Whether the lines of a section show that its author has seen the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// They do: each is looked for, and must be there.
    Proves,
    /// It has none.
    SaysNothing,
}

impl Text {
    fn depth(self) -> Depth {
        match self {
            Text::Proves => Depth::Bytes,
            Text::SaysNothing => Depth::Hash,
        }
    }
}

/// What each section wants of the files it names, or why that cannot be.
pub(crate) struct Looked(pub(crate) Vec<Result<(Intent, Wish), Trouble>>);

impl Patch<'_> {
    fn codex(&self) -> bool {
        self.ask.conventions == Conventions::Codex
    }

    fn onto(&self) -> Onto {
        if self.codex() { Onto::Replace } else { Onto::Nothing }
    }

    fn parents(&self) -> Parents {
        if self.codex() { Parents::Create } else { self.ask.parents }
    }

    /// No name in two sections, whether there is anything under it or not.
    fn check_names(&self) -> Result<(), Trouble> {
        let mut named: HashMap<&RelPath, usize> = HashMap::new();
        for (at, section) in self.sections.iter().enumerate() {
            let Ok(section) = section else { continue };
            for path in [Some(&section.path), section.to.as_ref()].into_iter().flatten() {
                if *named.entry(path).or_insert(at) != at {
                    return Err(Refusal::at(path, Why::DuplicatePath { other: path.to_string() }).into());
                }
            }
        }
        Ok(())
    }

    fn value(&self, path: &RelPath) -> Option<&str> {
        self.expected.iter().find(|(known, _)| known == path).map(|(_, value)| value.as_str())
    }

    /// A call for these sections.
    pub(crate) fn prepared(&self, looked: Vec<(Intent, Wish)>, warnings: Vec<Warning>) -> Prepared {
        let (intents, wishes) = looked.into_iter().unzip();
        let patch = Some(self.ask.atomic);
        Prepared { patch, charset: self.ask.charset, warnings, ..Prepared::of(intents, wishes) }
    }
}

impl Looked {
    /// All sections as one call; of several that cannot be, the first in the patch is told.
    fn prepared(self, gather: &Gather<'_>, patch: &Patch<'_>) -> Result<Prepared, Trouble> {
        let (mut good, mut bad) = (Vec::new(), None);
        for section in self.0 {
            match section {
                Ok(section) => good.push(section),
                Err(trouble) => {
                    bad = Some(trouble);
                    break;
                }
            }
        }
        if let Some(trouble) = bad {
            let earlier: Vec<Intent> = good.into_iter().map(|(intent, _)| intent).collect();
            plan(&gather.snapshot, &earlier)?;
            return Err(trouble);
        }
        let mut warnings = patch.warnings.clone();
        warnings.extend(good.iter().filter_map(|(intent, _)| replaced(gather, intent)));
        Ok(patch.prepared(good, warnings))
    }
}

impl Section {
    fn of(wanted: Wanted) -> Result<Section, Refusal> {
        let path = patch_path(&wanted.path)?;
        let to = wanted.to.as_deref().map(patch_path).transpose()?;
        Ok(Section { wanted, path, to })
    }

    /// What has to be looked at for it.
    fn looks(&self) -> Vec<Look> {
        let (path, hash) = (self.path.clone(), Depth::Hash);
        let there = if self.wanted.hunks.is_empty() { Depth::Hash } else { Depth::Bytes };
        match (&self.wanted.what, &self.to) {
            (What::Update, _) => vec![(path, Links::Follow, Depth::Bytes)],
            (What::Add(_) | What::Delete, _) | (What::Move, None) => vec![(path, Links::Keep, hash)],
            (What::Move, Some(to)) => vec![(path, Links::Keep, there), (to.clone(), Links::Keep, hash)],
        }
    }

    fn is_about(&self, path: &RelPath) -> bool {
        self.path == *path || self.to.as_ref() == Some(path)
    }
}

/// A path as patches have them: relative, and of a file.
fn patch_path(given: &str) -> Result<RelPath, Refusal> {
    if given.starts_with('/') {
        return Err(Refusal::about(given, Why::AbsolutePath));
    }
    let path = RelPath::parse(given, &[]).map_err(|problem| Refusal::about(given, Why::Path(problem)))?;
    if path.is_root() {
        return Err(Refusal::about(given, Why::NotFound(Missing::IsFolder)));
    }
    if given.ends_with('/') {
        return Err(Refusal::argument("patch", Expected::FilePath, format!("{given:?}")));
    }
    Ok(path)
}

/// Checks what was said about a file.
pub(crate) fn same(path: &RelPath, value: &str, actual: Option<Digest>) -> Result<(), Trouble> {
    if actual.is_some() && Digest::parse(value) == actual {
        return Ok(());
    }
    let expected = Some(value.to_owned());
    let stale = Stale { expected, actual, reason: StaleReason::Mismatch, argument: EXPECTED };
    Err(Refusal::at(path, Why::Stale(stale)).into())
}

/// What stands where something new is put goes to the trash, and that is told.
pub(crate) fn replaced(gather: &Gather<'_>, intent: &Intent) -> Option<Warning> {
    let place = match intent {
        Intent::Create { path, onto: Onto::Replace, .. } => path,
        Intent::Move { to, onto: Onto::Replace, .. } => to,
        _ => return None,
    };
    gather.snapshot.seen(place).digest().map(|_| Warning::Replaced { path: place.to_string() })
}

fn told(noted: &Noted) -> Warning {
    let word = match noted.reading {
        Reading::MoveTo => "move_to",
        Reading::EndOfFile => "end_of_file",
        Reading::NoAt => "no_at",
        Reading::SeveralAt => "several_at",
        Reading::EmptyContext => "empty_context",
        Reading::SkippedBlank => "skipped_blank",
        Reading::BlankAroundMarker => "blank_around_marker",
        Reading::CrLf => "crlf",
        Reading::PaddedMarker => "padded_marker",
        Reading::Heredoc => "heredoc",
    };
    Warning::PatchReading { reading: word.to_owned(), line: noted.line as u64, count: noted.count as u64 }
}

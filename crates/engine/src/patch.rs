//! `apply_patch`: what the sections of a patch want, once the files they name were looked at.

mod repeated;
mod section;

pub(crate) use section::Section;

use crate::alike::alike;
use crate::gather::{Depth, Gather, Links, any_path};
use crate::newline::{Ends, NewText, new_bytes};
use crate::options::Proof;
use crate::prepare::{Kind, Prepared, Wish, few_enough};
use crate::proof::{BY_PATH, same};
use crate::session::Session;
use crate::transaction::Prepare;
use crate::watch::Watch;
use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::envelope::{Noted, Reading};
use patchwright_core::dialect::patch::{Form, read};
use patchwright_core::dialect::unified;
use patchwright_core::dialect::wanted::{Wanted, What};
use patchwright_core::digest::Digest;
use patchwright_core::intent::{Content, Intent, Onto, Parents};
use patchwright_core::outcome::{Failed, Operation, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, check_apart, check_emptied, patched_text, plan};
use patchwright_core::refusal::{Expected, Missing, Refusal, Stale, StaleReason, Why};
use patchwright_core::text::Charset;
use patchwright_core::tool::{ApplyPatch, Atomic, Call, Run};
use patchwright_core::warning::Warning;
use section::Spelling;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Session {
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

    /// Reads the patch and everything that was said about its files.
    pub(crate) fn read_patch<'a>(&self, ask: &'a ApplyPatch) -> Result<Patch<'a>, Trouble> {
        let conventions = ask.conventions.unwrap_or(self.workspace.conventions);
        let read = read(&ask.patch, conventions)?;
        few_enough(read.wanted.len())?;
        self.check_prefixes(ask, &read.wanted)?;
        let spelling = Spelling { ask, conventions, roots: &self.workspace.disk.roots() };
        let mut sections: Vec<_> = read.wanted.into_iter().map(|wanted| Section::of(wanted, spelling)).collect();
        // Sections that are committed one by one cannot be one change.
        let whole = ask.atomic == Atomic::Whole || ask.shared.run == Run::Propose;
        if conventions == Conventions::Codex && whole {
            sections = repeated::joined(sections);
        }
        let manner = Manner { conventions, form: read.form };
        let (expected, charsets) = (self.by_path(&ask.expected)?, self.by_path(&ask.charsets)?);
        let by_path = expected.iter().enumerate().map(|(at, (path, _))| (path.clone(), at)).collect();
        let warnings = read.readings.iter().map(told).collect();
        let charsets = charsets.into_iter().collect();
        let patch = Patch { ask, manner, sections, expected, by_path, charsets, ends: Ends::default(), warnings };
        patch.check_charsets()?;
        Ok(patch)
    }

    /// Refuses a diff whose names could have `b/` for a folder, where there is such a folder.
    fn check_prefixes(&self, ask: &ApplyPatch, sections: &[Wanted]) -> Result<(), Trouble> {
        let gather = Gather::new(&self.workspace);
        for section in sections {
            let folder = section.otherwise.as_deref().and_then(|name| name.split('/').next());
            let Some(Ok(folder)) = folder.map(|name| RelPath::parse(name, &[])) else { continue };
            if let Ok(Seen::Folder) = gather.peek(&folder, Links::Follow, Depth::Hash) {
                return Err(unified::two_readings(&ask.patch, section.at).into());
            }
        }
        Ok(())
    }

    /// What was said of files, by the paths that are meant. No file twice.
    pub(crate) fn by_path<T: Clone>(&self, given: &[(String, T)]) -> Result<Vec<(RelPath, T)>, Trouble> {
        let mut said: Vec<(RelPath, T)> = Vec::with_capacity(given.len());
        let mut known: HashMap<RelPath, &str> = HashMap::new();
        for (key, value) in given {
            let path = any_path(&self.workspace.disk, key)?;
            if let Some(other) = known.insert(path.clone(), key) {
                return Err(Refusal::about(key, Why::SameFileTwice { other: other.to_owned() }).into());
            }
            said.push((path, value.clone()));
        }
        Ok(said)
    }

    /// Looks at the files of all sections, and refuses what no section can mend: one file in two of them,
    /// and a neighbour that is not as it was said to be.
    pub(crate) fn look_at_all(&self, gather: &mut Gather<'_>, patch: &Patch<'_>) -> Result<Looked, Trouble> {
        patch.check_names()?;
        if patch.is_whole() {
            gather.leaving.add(patch.sections.iter().flatten().filter_map(Section::leaves).cloned());
        }
        gather.look_ahead(patch.sections.iter().flatten().flat_map(Section::looks).collect());
        let looked = self.look_in_order(gather, patch);
        let seen: Vec<Intent> = looked.iter().flatten().map(|(intent, _)| intent.clone()).collect();
        check_apart(&gather.snapshot, &seen)?;
        let touched = patch.touched();
        for (path, value) in &patch.expected {
            if !touched.contains(path) {
                self.check_neighbour(gather, path, value)?;
            }
        }
        Ok(Looked(looked))
    }

    /// Looks at section after section. Where they are applied one by one, later ones have not left their names by
    /// then.
    fn look_in_order(&self, gather: &mut Gather<'_>, patch: &Patch<'_>) -> Vec<Result<(Intent, Wish), Trouble>> {
        let mut looked = Vec::with_capacity(patch.sections.len());
        for section in &patch.sections {
            if let (false, Ok(section)) = (patch.is_whole(), section) {
                gather.leaving.add(section.leaves().cloned());
            }
            looked.push(self.look_at(gather, patch, section));
        }
        looked
    }

    /// Looks at the files of one section, and checks what was said about them.
    pub(crate) fn look_at(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        section: &Result<Section, Refusal>,
    ) -> Result<(Intent, Wish), Trouble> {
        let section = section.as_ref().map_err(Clone::clone)?;
        let Section { wanted, path, .. } = section;
        match &wanted.what {
            What::Add(text) => self.add(gather, patch, section, text),
            What::Update => {
                self.see_there(gather, patch, path, ReadAs { links: Links::Follow, text: Text::Proves })?;
                let hunks = wanted.hunks.clone();
                let charset = patch.charset(path);
                let intent = Intent::Patch { path: path.clone(), hunks, charset };
                Ok((intent, Wish { hunks: wanted.hunks.len(), charset, ..Wish::new(Operation::Update, path.clone()) }))
            }
            What::Delete => {
                self.see_there(gather, patch, path, ReadAs { links: Links::Keep, text: Text::SaysNothing })?;
                Ok((Intent::Delete { path: path.clone() }, Wish::new(Operation::Delete, path.clone())))
            }
            What::DeleteText => {
                self.see_there(gather, patch, path, ReadAs { links: Links::Keep, text: Text::Proves })?;
                let Seen::File(file) = gather.snapshot.seen(path) else {
                    return Err(Refusal::at(path, Why::HunksForLink).into());
                };
                check_emptied(path, &file, &wanted.hunks, patch.charset(path), wanted.at)?;
                let wish = Wish { hunks: wanted.hunks.len(), ..Wish::new(Operation::Delete, path.clone()) };
                Ok((Intent::Delete { path: path.clone() }, wish))
            }
            What::Move => self.rename(gather, patch, section),
        }
    }

    fn add(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        section: &Section,
        text: &str,
    ) -> Result<(Intent, Wish), Trouble> {
        let Section { wanted, path, .. } = section;
        match section.replaces {
            true => self.see_there(gather, patch, path, ReadAs { links: Links::Keep, text: Text::SaysNothing })?,
            false => gather.see_at(path, Links::Keep, Depth::Hash)?,
        }
        self.check_place(patch, path, &gather.snapshot.seen(path))?;
        let text = patched_text(path, text, &wanted.hunks)?;
        let NewText { text, told } = patch.ends.give(self, &gather.real(path), &text, patch.ask.newline);
        let content = Content::Bytes(new_bytes(path, &text, patch.charset(path))?);
        let intent = Intent::Create { path: path.clone(), content, onto: patch.onto(), parents: patch.parents() };
        let (hunks, charset) = (wanted.hunks.len(), patch.charset(path));
        Ok((intent, Wish { hunks, charset, told, ..Wish::new(Operation::Create, path.clone()) }))
    }

    fn rename(&self, gather: &mut Gather<'_>, patch: &Patch<'_>, section: &Section) -> Result<(Intent, Wish), Trouble> {
        let Section { wanted, path: from, .. } = section;
        let to = section.name();
        if from == to {
            return Err(Refusal::at(from, Why::MoveOntoItself).into());
        }
        let text = if wanted.hunks.is_empty() { Text::SaysNothing } else { Text::Proves };
        self.see_there(gather, patch, from, ReadAs { links: Links::Keep, text })?;
        gather.see_at(to, Links::Keep, Depth::Hash)?;
        self.check_place(patch, to, &gather.snapshot.seen(to))?;
        let charset = patch.named_charset(from).or_else(|| patch.charset(to));
        let intent = Intent::Move {
            from: from.clone(),
            to: to.clone(),
            onto: patch.onto(),
            parents: patch.parents(),
            hunks: wanted.hunks.clone(),
            charset,
        };
        let wish = Wish {
            to: Some(to.clone()),
            hunks: wanted.hunks.len(),
            charset,
            ..Wish::new(Operation::Move, from.clone())
        };
        Ok((intent, wish))
    }

    /// Looks at a file that has to be there.
    fn see_there(
        &self,
        gather: &mut Gather<'_>,
        patch: &Patch<'_>,
        path: &RelPath,
        read_as: ReadAs,
    ) -> Result<(), Trouble> {
        gather.see_at(path, read_as.links, read_as.text.depth())?;
        match gather.snapshot.seen(path) {
            Seen::Absent { .. } => Err(self.absent(path)),
            seen => self.check_sight(patch, path, &seen, read_as.text),
        }
    }

    /// What shows that the author of a section has seen a file that is there: what was said about it; else the
    /// section's own lines; else that this session did not see another version.
    fn check_sight(&self, patch: &Patch<'_>, path: &RelPath, seen: &Seen, text: Text) -> Result<(), Trouble> {
        // Something that is no file is refused with its own reason.
        let (Some(actual), Some(real), Some(sort)) = (seen.digest(), seen.real(), seen.sort()) else { return Ok(()) };
        let stale = |expected: Option<Digest>, reason| {
            let expected = expected.map(|digest| digest.to_string());
            let stale = Stale { expected, actual: Some(actual), reason, sort, argument: BY_PATH };
            Err(Refusal::at(path, Why::Stale(stale)).into())
        };
        match (patch.value(path), self.proof, text) {
            (Some(value), ..) => same(path, value, seen),
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
            (Some(value), Seen::Absent { .. }) if !value.is_empty() => same(path, value, seen),
            (_, Seen::File(_) | Seen::Link { .. }) if patch.codex() => {
                self.check_sight(patch, path, seen, Text::SaysNothing)
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
                seen => same(path, value, &seen),
            };
        }
        match gather.peek(path, Links::Follow, Depth::Hash)? {
            Seen::Absent { .. } => {
                let alike = alike(self, path);
                Err(Refusal::at(path, Why::NotFound(Missing::Neighbour { alike })).into())
            }
            seen => match seen.digest() {
                Some(_) => same(path, value, &seen),
                None => Err(seen.not_a_file(path).into()),
            },
        }
    }
}

/// A patch, read, with what its caller said about files.
pub(crate) struct Patch<'a> {
    pub(crate) ask: &'a ApplyPatch,
    manner: Manner,
    pub(crate) sections: Vec<Result<Section, Refusal>>,
    expected: Vec<(RelPath, String)>,
    /// Where in `expected` a path stands.
    by_path: HashMap<RelPath, usize>,
    charsets: BTreeMap<RelPath, Charset>,
    ends: Ends,
    pub(crate) warnings: Vec<Warning>,
}

/// How a patch is written.
#[derive(Clone, Copy)]
struct Manner {
    conventions: Conventions,
    form: Form,
}

/// How a section looks at a file that has to be there.
#[derive(Clone, Copy)]
struct ReadAs {
    links: Links,
    text: Text,
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
    /// Are all sections applied as one? A proposal always is.
    fn is_whole(&self) -> bool {
        self.ask.atomic == Atomic::Whole || self.ask.shared.run == Run::Propose
    }

    /// By folder, which sections take something out of it, and what.
    pub(crate) fn leaving_by_folder(&self) -> HashMap<RelPath, Vec<(usize, RelPath)>> {
        let mut by_folder: HashMap<RelPath, Vec<(usize, RelPath)>> = HashMap::new();
        for (at, section) in self.sections.iter().enumerate() {
            let Some(path) = section.as_ref().ok().and_then(Section::leaves) else { continue };
            for folder in path.ancestors() {
                by_folder.entry(folder).or_default().push((at, path.clone()));
            }
        }
        by_folder
    }

    fn codex(&self) -> bool {
        self.manner.conventions == Conventions::Codex
    }

    /// What becomes of something in the place of a new file. A diff says that there is nothing.
    fn onto(&self) -> Onto {
        if self.codex() && self.manner.form == Form::Envelope { Onto::Replace } else { Onto::Nothing }
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

    /// A charset is named only for files of the patch: a misspelt path must not leave one out.
    fn check_charsets(&self) -> Result<(), Refusal> {
        // A section that cannot be told apart says so itself.
        if self.sections.iter().any(Result::is_err) {
            return Ok(());
        }
        let touched = self.touched();
        match self.charsets.keys().find(|path| !touched.contains(path)) {
            None => Ok(()),
            Some(path) => {
                let got = format!("{:?}", path.as_str());
                Err(Refusal::argument("encodingByPath", Expected::PatchedFile, got))
            }
        }
    }

    /// The charset that was named for a file.
    fn named_charset(&self, path: &RelPath) -> Option<Charset> {
        self.charsets.get(path).copied()
    }

    /// The charset of a file, as far as one was named.
    fn charset(&self, path: &RelPath) -> Option<Charset> {
        self.named_charset(path).or(self.ask.charset)
    }

    fn value(&self, path: &RelPath) -> Option<&str> {
        self.by_path.get(path).and_then(|at| self.expected.get(*at)).map(|(_, value)| value.as_str())
    }

    /// The paths that its sections are about.
    fn touched(&self) -> HashSet<&RelPath> {
        let sections = self.sections.iter().flatten();
        sections.flat_map(|section| [Some(&section.path), section.to.as_ref()]).flatten().collect()
    }

    /// A call for these sections.
    pub(crate) fn prepared(&self, looked: Vec<(Intent, Wish)>, warnings: Vec<Warning>) -> Prepared {
        let (intents, wishes) = looked.into_iter().unzip();
        let kind = Kind::Patch(self.ask.atomic);
        Prepared { kind, charset: self.ask.charset, warnings, ..Prepared::of(intents, wishes) }
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
        Reading::UnifiedDiff => "unified_diff",
    };
    Warning::PatchReading { reading: word.to_owned(), line: noted.line as u64, count: noted.count as u64 }
}

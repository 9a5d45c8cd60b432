//! One section of a patch, its paths understood.

use crate::gather::{Depth, Links, Look};
use patchwright_core::conventions::Conventions;
use patchwright_core::dialect::patch::read;
use patchwright_core::dialect::unified::is_diff;
use patchwright_core::dialect::wanted::{Wanted, What};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::{Absolute, Expected, Missing, Refusal, Why};
use patchwright_core::tool::ApplyPatch;

/// A patch of more bytes is not shown again whole.
const SHOWN: usize = 600;

/// One section, its paths understood.
pub(crate) struct Section {
    pub(crate) wanted: Wanted,
    pub(crate) path: RelPath,
    pub(crate) to: Option<RelPath>,
    /// Does an earlier section delete what the new file takes the place of?
    pub(crate) replaces: bool,
}

/// How the paths of a patch are read.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'a> {
    pub(crate) ask: &'a ApplyPatch,
    pub(crate) conventions: Conventions,
    /// The spellings of the workspace's root.
    pub(crate) roots: &'a [&'a str],
}

impl Section {
    pub(crate) fn of(wanted: Wanted, spelling: Spelling<'_>) -> Result<Section, Refusal> {
        let path = spelling.path(&wanted, &wanted.path)?;
        let to = wanted.to.as_deref().map(|to| spelling.path(&wanted, to)).transpose()?;
        Ok(Section { wanted, path, to, replaces: false })
    }

    /// What has to be looked at for it.
    pub(super) fn looks(&self) -> Vec<Look> {
        let keep = |path: &RelPath, depth| Look { path: path.clone(), links: Links::Keep, depth };
        let there = if self.wanted.hunks.is_empty() { Depth::Hash } else { Depth::Bytes };
        match (&self.wanted.what, &self.to) {
            (What::Update, _) => vec![Look { links: Links::Follow, ..keep(&self.path, Depth::Bytes) }],
            (What::DeleteText, _) => vec![keep(&self.path, Depth::Bytes)],
            (What::Add(_) | What::Delete, _) | (What::Move, None) => vec![keep(&self.path, Depth::Hash)],
            (What::Move, Some(to)) => vec![keep(&self.path, there), keep(to, Depth::Hash)],
        }
    }

    /// The name that it leaves free.
    pub(crate) fn leaves(&self) -> Option<&RelPath> {
        matches!(self.wanted.what, What::Delete | What::DeleteText | What::Move).then_some(&self.path)
    }

    /// The name under which it puts something that was not there.
    pub(crate) fn takes(&self) -> Option<&RelPath> {
        match self.wanted.what {
            What::Add(_) => Some(&self.path),
            What::Move => self.to.as_ref(),
            What::Update | What::Delete | What::DeleteText => None,
        }
    }

    /// The name that its file has afterwards.
    pub(super) fn name(&self) -> &RelPath {
        self.to.as_ref().unwrap_or(&self.path)
    }
}

impl Spelling<'_> {
    /// A path as patches have them: of a file, and relative; the Codex conventions have absolute ones too.
    fn path(self, section: &Wanted, given: &str) -> Result<RelPath, Refusal> {
        let parsed = RelPath::parse(given, self.roots);
        if given.starts_with('/') && self.conventions == Conventions::Strict {
            let inside = parsed.ok().filter(|path| !path.is_root());
            let written = inside.map(|path| Box::new(self.relative(section, given, &path)));
            return Err(Refusal::about(given, Why::AbsolutePath(written)));
        }
        let path = parsed.map_err(|problem| Refusal::about(given, Why::Path(problem)))?;
        if path.is_root() {
            return Err(Refusal::about(given, Why::NotFound(Missing::IsFolder)));
        }
        if given.ends_with('/') {
            return Err(Refusal::argument("patch", Expected::FilePath, format!("{given:?}")));
        }
        Ok(path)
    }

    /// How to write an absolute path.
    fn relative(self, section: &Wanted, given: &str, path: &RelPath) -> Absolute {
        let lines = self.ask.patch.lines().enumerate().skip(section.at.saturating_sub(1));
        let mut lines = lines.filter(|(_, line)| self.header(line) != *line && line.contains(given));
        let (line, header) = lines.next().unwrap_or_default();
        Absolute {
            relative: path.to_string(),
            line: line.saturating_add(1),
            header: self.header(header),
            patch: self.all_relative(),
        }
    }

    /// The whole patch with relative paths, where it is short. It must say the same as before: in the hunks of a diff a
    /// line of a file can look like a header.
    fn all_relative(self) -> Option<String> {
        let patch = &self.ask.patch;
        if patch.len() > SHOWN {
            return None;
        }
        let written: String = patch.split_inclusive('\n').map(|line| self.header(line)).collect();
        let (before, after) = (read(patch, self.conventions).ok()?, read(&written, self.conventions).ok()?);
        let rewritten = before.wanted.into_iter().map(|wanted| self.rewritten(wanted));
        (rewritten.collect::<Option<Vec<_>>>()? == after.wanted).then_some(written)
    }

    /// The section with its paths relative.
    fn rewritten(self, wanted: Wanted) -> Option<Wanted> {
        let path = self.name(&wanted.path)?;
        let to = match wanted.to.as_deref() {
            Some(to) => Some(self.name(to)?),
            None => None,
        };
        Some(Wanted { path, to, ..wanted })
    }

    /// A line of the patch; if it names files, with relative paths.
    fn header(self, line: &str) -> String {
        let text = line.trim_end_matches(['\n', '\r']);
        let end = line.get(text.len()..).unwrap_or_default();
        let words = if is_diff(&self.ask.patch) { OF_DIFFS.as_slice() } else { OF_ENVELOPES.as_slice() };
        let Some((word, rest)) = words.iter().find_map(|word| Some((*word, text.strip_prefix(word)?))) else {
            return line.to_owned();
        };
        let name = |name: &str| self.name(name).unwrap_or_else(|| name.to_owned());
        let named = match (word, rest.split_once(" -> "), rest.split_once('\t')) {
            ("*** Move File: ", Some((from, to)), _) => format!("{} -> {}", name(from), name(to)),
            ("--- " | "+++ ", _, Some((path, time))) => format!("{}\t{time}", name(path)),
            _ => name(rest),
        };
        format!("{word}{named}{end}")
    }

    /// A path, relative where it is absolute and inside the workspace; nothing where it is outside.
    fn name(self, given: &str) -> Option<String> {
        if !given.starts_with('/') {
            return Some(given.to_owned());
        }
        RelPath::parse(given, self.roots).ok().filter(|path| !path.is_root()).map(|path| path.to_string())
    }
}

/// How the lines of an envelope begin that name files; its other lines begin otherwise.
const OF_ENVELOPES: [&str; 5] =
    ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move File: ", "*** Move to: "];
/// How those of a diff begin.
const OF_DIFFS: [&str; 4] = ["--- ", "+++ ", "rename from ", "rename to "];

//! Makes sections of an envelope from files before and after.
//!
//! Promises that a section, applied by the strict rules, gives exactly the bytes after from the bytes
//! before; or says why no section can. Each hunk has as little context as makes its old lines stand once.
//! `window` finds that context, `fit` tries the rules about line ends. Left to others: which files were
//! renamed.

use std::collections::{BTreeMap, HashMap};

use super::fit::fits;
use super::window::{Sides, Window, windows};
use super::{AddEnd, Closes, Hunk, Line, Marker, Patch, Section, Sign};
use crate::diff::script::{Change, changes};
use crate::text::{Document, FinalNewline, final_newline, lines};

/// Why a change cannot be written as an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexpressible {
    /// A line that the section would have to hold is not UTF-8.
    NotText,
    /// The file is binary, before or after.
    Binary,
    /// Lines would get other terminators than those after: sections do not speak about these.
    LineEnds,
    /// The byte-order mark changes, or with it the charset.
    Mark,
    /// The path has blanks at its ends, a line break, or nothing in it.
    Path,
    /// A file takes the place of a folder, or a folder that of a file: all paths of a patch are looked at
    /// before anything changes.
    Sort,
}

/// A file whose change cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The file.
    pub path: String,
    /// Why.
    pub why: Inexpressible,
}

/// The section that turns a file before (nothing: there is none) into the file after; nothing if they
/// are the same.
///
/// ```
/// use patchwright_core::dialect::envelope::{generate::section, print_section};
/// let made = section("a", Some(b"one\ntwo\nthree\n"), Some(b"one\n2\nthree\n")).unwrap().unwrap();
/// assert_eq!(print_section(&made), "*** Update File: a\n@@\n-two\n+2\n");
/// ```
pub fn section(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Result<Option<Section>, Inexpressible> {
    if before == after {
        return Ok(None);
    }
    let path = writable(path)?;
    Ok(Some(match (before, after) {
        (_, None) => Section::Delete { path },
        (None, Some(after)) => added(path, after)?,
        (Some(before), Some(after)) => Section::Update { path, move_to: None, hunks: hunks(before, after)? },
    }))
}

/// The section that gives a file another name and, where they differ, the bytes after.
pub fn moved(from: &str, to: &str, before: &[u8], after: &[u8]) -> Result<Section, Inexpressible> {
    let hunks = if before == after { Vec::new() } else { hunks(before, after)? };
    let (old, new) = (writable(from)?, writable(to)?);
    let arrow = from.contains(" -> ") || to.contains(" -> ") || from.ends_with(" ->") || to.starts_with("-> ");
    Ok(match arrow {
        true => Section::Update { path: old, move_to: Some(new), hunks },
        false => Section::Move { from: old, to: new, hunks },
    })
}

/// The patch that turns one tree of files into another; nothing if they are the same. Deletions come
/// first.
pub fn patch(
    before: &BTreeMap<String, Vec<u8>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> Result<Option<Patch>, Unwritable> {
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let mut sections = Vec::new();
    for path in gone.chain(after.keys()) {
        if !before.contains_key(path) && changes_sort(path, before) {
            return Err(Unwritable { path: path.clone(), why: Inexpressible::Sort });
        }
        let made = section(path, before.get(path).map(Vec::as_slice), after.get(path).map(Vec::as_slice));
        sections.extend(made.map_err(|why| Unwritable { path: path.clone(), why })?);
    }
    Ok(if sections.is_empty() { None } else { Some(Patch { sections }) })
}

/// Did a file stand where this path needs a folder, or a folder where it is a file?
fn changes_sort(path: &str, before: &BTreeMap<String, Vec<u8>>) -> bool {
    let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let below = format!("{path}/");
    above.into_iter().any(|folder| before.contains_key(folder))
        || before.range(below.clone()..).next().is_some_and(|(first, _)| first.starts_with(&below))
}

fn writable(path: &str) -> Result<String, Inexpressible> {
    let fit = !path.is_empty() && path.trim() == path && !path.contains('\n');
    if fit { Ok(path.to_owned()) } else { Err(Inexpressible::Path) }
}

/// The lines are joined by `\n`, and one more is added after a last line that is not empty.
fn added(path: String, content: &[u8]) -> Result<Section, Inexpressible> {
    open(content)?;
    let text = std::str::from_utf8(content).map_err(|_| Inexpressible::NotText)?;
    let joined = text.strip_suffix('\n').filter(|rest| !rest.is_empty() && !rest.ends_with('\n')).unwrap_or(text);
    let lines = if text.is_empty() { Vec::new() } else { joined.split('\n').map(str::to_owned).collect() };
    let end = if final_newline(content) { AddEnd::Ruled } else { AddEnd::Bare };
    Ok(Section::Add { path, lines, end })
}

fn open(bytes: &[u8]) -> Result<Document<'_>, Inexpressible> {
    Document::open(bytes, None).map_err(|_| Inexpressible::Binary)
}

/// The hunks that turn one content into another that differs.
fn hunks(before: &[u8], after: &[u8]) -> Result<Vec<Hunk>, Inexpressible> {
    let (before, after) = (open(before)?, open(after)?);
    if before.charset() != after.charset() || before.has_mark() != after.has_mark() {
        return Err(Inexpressible::Mark);
    }
    let pair = Pair::of(&before, &after);
    let changes = pair.changes();
    if !pair.can_write(&changes) {
        return Err(Inexpressible::NotText);
    }
    if !fits(&before, &after, &changes, &pair.new_lines, pair.ending) {
        return Err(if pair.lossy { Inexpressible::NotText } else { Inexpressible::LineEnds });
    }
    let unusable: Vec<usize> = pair.unusable().collect();
    let sides = Sides { old: &pair.old, new: &pair.new, changes: &changes, unusable: &unusable };
    let windows = windows(&sides).ok_or(Inexpressible::NotText)?;
    Ok(windows.iter().map(|window| pair.hunk(window, &changes)).collect())
}

/// Two texts as lines, and the same lines as numbers: equal numbers are equal lines.
struct Pair<'a> {
    old_lines: Vec<&'a [u8]>,
    new_lines: Vec<&'a [u8]>,
    old: Vec<usize>,
    new: Vec<usize>,
    /// The text of each line by its number, where it can be written.
    texts: Vec<Option<&'a str>>,
    /// Whether equal lines may stand for unlike bytes: where text was decoded, U+FFFD may be anything.
    lossy: bool,
    /// What must be said about the end of the file.
    ending: FinalNewline,
}

impl<'a> Pair<'a> {
    fn of(before: &'a Document<'_>, after: &'a Document<'_>) -> Self {
        let lossy = before.charset().is_utf16() && (before.is_lossy() || after.is_lossy());
        let text = |line: &'a [u8]| {
            std::str::from_utf8(line).ok().filter(|text| !lossy || !text.contains(char::REPLACEMENT_CHARACTER))
        };
        let split = |document: &'a Document<'_>| lines(document.text()).map(|line| line.text).collect::<Vec<_>>();
        let (old_lines, new_lines) = (split(before), split(after));
        let (mut ids, mut texts) = (HashMap::with_capacity(old_lines.len()), Vec::new());
        let mut number = |line: &&'a [u8]| {
            *ids.entry(*line).or_insert_with(|| {
                texts.push(text(line));
                texts.len() - 1
            })
        };
        let old = old_lines.iter().map(&mut number).collect();
        let new = new_lines.iter().map(&mut number).collect();
        let ending = match (final_newline(before.text()), final_newline(after.text())) {
            (true, false) => FinalNewline::Without,
            (false, true) if !new_lines.is_empty() => FinalNewline::With,
            _ => FinalNewline::Keep,
        };
        Self { old_lines, new_lines, old, new, texts, lossy, ending }
    }

    /// Where the end of the file changes, its last line is taken out or brought in, so that a marker can
    /// stand under it: as a line unlike any other.
    fn changes(&self) -> Vec<Change> {
        let (mut old, mut new) = (self.old.clone(), self.new.clone());
        let marked = match self.ending {
            FinalNewline::Keep => None,
            FinalNewline::With => old.last_mut(),
            FinalNewline::Without => new.last_mut(),
        };
        if let Some(line) = marked {
            *line = self.texts.len();
        }
        changes(&old, &new)
    }

    fn text(&self, line: Option<&usize>) -> Option<&'a str> {
        self.texts.get(*line?).copied().flatten()
    }

    fn can_write(&self, changes: &[Change]) -> bool {
        let all = |lines: &[usize]| lines.iter().all(|line| self.text(Some(line)).is_some());
        changes
            .iter()
            .all(|change| all(part(&self.old, change.old.clone())) && all(part(&self.new, change.new.clone())))
    }

    /// The old lines that cannot be written.
    fn unusable(&self) -> impl Iterator<Item = usize> {
        (0..self.old_lines.len()).filter(|at| self.text(self.old.get(*at)).is_none())
    }

    fn hunk(&self, window: &Window, changes: &[Change]) -> Hunk {
        let mut lines = Vec::new();
        let mut push = |sign: Sign, numbers: &[usize]| {
            lines.extend(numbers.iter().filter_map(|number| {
                let text = self.text(Some(number))?.to_owned();
                Some(Line { sign, text, marker: Marker::Unmarked })
            }));
            lines.len()
        };
        let mut at = window.old.start;
        let (mut removed, mut added) = (0, 0);
        for change in changes.get(window.changes.clone()).unwrap_or_default() {
            push(Sign::Context, part(&self.old, at..change.old.start));
            removed = push(Sign::Remove, part(&self.old, change.old.clone()));
            added = push(Sign::Add, part(&self.new, change.new.clone()));
            at = change.old.end;
        }
        push(Sign::Context, part(&self.old, at..window.old.end));
        let marked = match self.ending {
            _ if window.changes.end < changes.len() => None,
            FinalNewline::Keep => None,
            FinalNewline::With => removed.checked_sub(1),
            FinalNewline::Without => added.checked_sub(1),
        };
        if let Some(line) = marked.and_then(|at| lines.get_mut(at)) {
            line.marker = Marker::NoNewline;
        }
        Hunk { headers: vec![String::new()], lines, closes: Closes::Open }
    }
}

fn part(lines: &[usize], range: std::ops::Range<usize>) -> &[usize] {
    lines.get(range).unwrap_or_default()
}

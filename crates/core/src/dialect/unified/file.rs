//! One file's part of a diff: what it names, and what it wants of it.

use super::hunk;
use super::lines::Lines;
use super::name::{self, Fits, Named, Style};
use super::said::{self, Said};
use super::time;
use crate::dialect::envelope::{Marker, Sign};
use crate::dialect::wanted::{self, Wanted, What};
use crate::intent;
use crate::refusal::{Grammar, Refusal, Unread};

/// A file's part of a diff, its names as they are written.
pub(super) struct File<'t> {
    /// The 1-based number of its first line.
    at: usize,
    /// What stands behind `diff --git `.
    git: Option<&'t str>,
    said: Said,
    /// The names behind `--- ` and `+++ `, if those lines are there.
    sides: Option<(Side, Side)>,
    /// Do those two lines say that the file is of the beginning of time, as `diff -N` does where there is none?
    timeless: (bool, bool),
    hunks: Vec<hunk::Read>,
    /// Do lines that are not the file's own end in `\r\n`?
    returns: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Side {
    /// `/dev/null`
    Absent,
    Named(String),
}

/// What becomes of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    New,
    Goes,
    Stays,
}

pub(super) fn read<'t>(lines: &mut Lines<'t>) -> Result<File<'t>, Refusal> {
    let (at, returns) = (lines.number(), lines.returns());
    let git = lines.peek().and_then(|line| line.strip_prefix("diff --git "));
    let mut said = Said::default();
    if git.is_some() {
        lines.take_header();
        said = said::read(lines)?;
    }
    let timeless = (lines.peek().is_some_and(time::is_epoch), lines.beyond(1).is_some_and(time::is_epoch));
    let sides = sides(lines, git)?;
    let mut hunks = Vec::new();
    while sides.is_some() && hunk::begins(lines) {
        hunks.push(hunk::read(lines, returns)?);
    }
    let file = File { at, git, said, sides, timeless, hunks, returns };
    file.check_end(lines)?;
    Ok(file)
}

/// The names behind `--- ` and `+++ `.
fn sides(lines: &mut Lines<'_>, git: Option<&str>) -> Result<Option<(Side, Side)>, Refusal> {
    let Some(old) = lines.peek().and_then(|line| line.strip_prefix("--- ")) else {
        return if git.is_some() { Ok(None) } else { Err(lines.fault(unread(lines))) };
    };
    let old = side(lines, old)?;
    lines.take_header();
    let Some(new) = lines.peek().and_then(|line| line.strip_prefix("+++ ")) else {
        return Err(lines.fault(Grammar::DiffNewName));
    };
    let new = side(lines, new)?;
    lines.take_header();
    Ok(Some((old, new)))
}

fn side(lines: &Lines<'_>, text: &str) -> Result<Side, Refusal> {
    match name::behind(text) {
        None => Err(lines.fault(Grammar::DiffName)),
        Some(name) if name == "/dev/null" => Ok(Side::Absent),
        Some(name) => Ok(Side::Named(name)),
    }
}

/// Why a line is not the first of a file's part.
fn unread(lines: &Lines<'_>) -> Grammar {
    let line = lines.peek().unwrap_or_default();
    match line {
        _ if line.starts_with("diff --cc ") || line.starts_with("diff --combined ") => {
            Grammar::DiffWithout(Unread::Combined)
        }
        _ if line.starts_with("Binary files ") || line == "GIT binary patch" => Grammar::DiffWithout(Unread::Binary),
        _ => Grammar::DiffFile,
    }
}

impl File<'_> {
    /// Beyond it another file's part comes, or nothing. One without names must say what it is about.
    fn check_end(&self, lines: &Lines<'_>) -> Result<(), Refusal> {
        let ends = lines
            .peek()
            .is_none_or(|line| line.trim().is_empty() || line.starts_with("diff --git ") || line.starts_with("--- "));
        let tells = self.said.is_new || self.said.goes || self.said.to.is_some() || !self.hunks.is_empty();
        if ends && self.said.has_text && self.hunks.is_empty() {
            return Err(lines.fault(Grammar::DiffHunk));
        }
        match (ends, tells) {
            (true, true) => Ok(()),
            (false, _) if self.hunks.is_empty() => Err(lines.fault(Grammar::DiffHunk)),
            (false, _) => Err(lines.fault(unread(lines))),
            (true, false) => Err(lines.fault(Grammar::DiffHunk)),
        }
    }

    /// In which styles its names make sense.
    pub(super) fn fits(&self) -> Fits {
        Fits { prefixed: self.named(Style::Prefixed), plain: self.named(Style::Plain) }
    }

    /// What it names in a style; nothing where its lines contradict each other.
    fn named(&self, style: Style) -> Option<Named> {
        if let (Some(from), Some(to)) = (&self.said.from, &self.said.to) {
            return self.renamed(from, to, style);
        }
        let bare = |name: &str| match style {
            Style::Plain => Some(name.to_owned()),
            Style::Prefixed if self.git.is_some() => name::bare(name).map(|(name, _)| name.to_owned()),
            Style::Prefixed => name::alone(name).map(str::to_owned),
        };
        let (old, new) = match &self.sides {
            None => {
                let name = name::twins(self.git?, style)?;
                let (is_new, goes) = (self.said.is_new, self.said.goes);
                return Some(Named { old: (!is_new).then(|| name.clone()), new: (!goes).then_some(name) });
            }
            Some((Side::Named(old), Side::Named(new))) => {
                let name = name::same(old, new, style)?;
                (Some(name.clone()), Some(name))
            }
            Some((Side::Named(old), Side::Absent)) => (Some(bare(old)?), None),
            Some((Side::Absent, Side::Named(new))) => (None, Some(bare(new)?)),
            Some((Side::Absent, Side::Absent)) => return None,
        };
        let name = old.as_ref().or(new.as_ref())?;
        let agrees = self.git.is_none_or(|git| name::twins(git, style).as_ref() == Some(name));
        agrees.then_some(Named { old, new })
    }

    /// A rename gives both names bare; the other lines must say the same.
    fn renamed(&self, from: &str, to: &str, style: Style) -> Option<Named> {
        let is = |written: &str, bare: &str| match style {
            Style::Plain => written == bare,
            Style::Prefixed => name::bare(written).is_some_and(|(name, _)| name == bare),
        };
        let agree = match &self.sides {
            None => true,
            Some((Side::Named(old), Side::Named(new))) => is(old, from) && is(new, to),
            Some(_) => false,
        };
        let pair = self.git.is_some_and(|git| match style {
            Style::Plain => name::is_pair(git, from, to),
            Style::Prefixed => name::is_prefixed_pair(git, from, to),
        });
        (agree && pair).then(|| Named { old: Some(from.to_owned()), new: Some(to.to_owned()) })
    }

    /// What it wants. Where both styles make sense and no other file shows which is meant, git's own goes first, and the
    /// other is told.
    pub(super) fn wanted(self, lines: &Lines<'_>, fits: Fits, style: Option<Style>) -> Result<Wanted, Refusal> {
        let fault = |expected| lines.fault_at(self.at, expected);
        let fate = self.fate().ok_or_else(|| fault(self.contradiction()))?;
        let (named, otherwise) = match (fits.prefixed, fits.plain, style) {
            (Some(named), None, _) | (Some(named), Some(_), Some(Style::Prefixed)) => (named, None),
            (None, Some(named), _) | (Some(_), Some(named), Some(Style::Plain)) => (named, None),
            (Some(named), Some(other), None) => (named, other.old.or(other.new)),
            (None, None, _) => return Err(fault(Grammar::DiffSameFile)),
        };
        let what = match fate {
            Fate::New => What::Add(self.new_text(lines)?),
            Fate::Goes => {
                self.only(Sign::Remove, lines, Grammar::DiffGoneFile)?;
                What::DeleteText
            }
            Fate::Stays if self.said.to.is_some() => What::Move,
            Fate::Stays => What::Update,
        };
        let to = named.new.clone().filter(|_| what == What::Move);
        let path = named.old.or(named.new).unwrap_or_default();
        let hunks = match what {
            What::Add(_) => Vec::new(),
            _ => {
                let all_goes = what == What::DeleteText;
                self.hunks.iter().map(|read| self.hunk(read, all_goes)).collect()
            }
        };
        Ok(Wanted { what, path, to, hunks, otherwise, at: self.at })
    }

    fn hunk(&self, read: &hunk::Read, all_goes: bool) -> intent::Hunk {
        let hunk = wanted::of_diff(&read.unmarked(all_goes), read.at);
        // In a diff that ends all its lines in `\r\n`, they are its own.
        intent::Hunk { ends: if self.returns { Vec::new() } else { read.ends.clone() }, ..hunk }
    }

    /// What becomes of the file, if all lines say the same.
    fn fate(&self) -> Option<Fate> {
        let Said { is_new, goes, from, to, .. } = &self.said;
        let (absent, gone) = match &self.sides {
            None => (*is_new, *goes),
            Some((old, new)) => (*old == Side::Absent || self.begins(), *new == Side::Absent || self.ends()),
        };
        let renamed = from.is_some() || to.is_some();
        let agrees = (absent || !is_new) && (gone || !goes) && from.is_some() == to.is_some();
        match (absent, gone) {
            _ if !agrees || renamed && (absent || gone) => None,
            (true, false) => Some(Fate::New),
            (false, true) => Some(Fate::Goes),
            (false, false) => Some(Fate::Stays),
            (true, true) => None,
        }
    }

    /// What to expect where the lines do not say the same.
    fn contradiction(&self) -> Grammar {
        match (&self.said, &self.sides) {
            (Said { is_new: true, goes: false, from: None, to: None, .. }, Some((Side::Named(_), Side::Named(_)))) => {
                Grammar::DiffOldNull
            }
            (Said { is_new: false, goes: true, from: None, to: None, .. }, Some((Side::Named(_), Side::Named(_)))) => {
                Grammar::DiffNewNull
            }
            _ => Grammar::DiffSameFile,
        }
    }

    /// Does `diff -N` say that there was no such file?
    fn begins(&self) -> bool {
        self.timeless.0 && matches!(self.hunks.as_slice(), [read] if read.starts.0 == 0 && read.all(Sign::Add))
    }

    /// Does `diff -N` say that there is no such file any more?
    fn ends(&self) -> bool {
        self.timeless.1 && matches!(self.hunks.as_slice(), [read] if read.starts.1 == 0 && read.all(Sign::Remove))
    }

    /// At most one hunk, with lines of this sort alone.
    fn only(&self, sign: Sign, lines: &Lines<'_>, expected: Grammar) -> Result<(), Refusal> {
        match (self.hunks.iter().find(|read| !read.all(sign)), self.hunks.get(1)) {
            (Some(read), _) | (None, Some(read)) => Err(lines.fault_at(read.at, expected)),
            (None, None) => Ok(()),
        }
    }

    /// The text of a new file, with the line ends that the diff shows, unless those are the diff's own.
    fn new_text(&self, lines: &Lines<'_>) -> Result<String, Refusal> {
        self.only(Sign::Add, lines, Grammar::DiffNewFile)?;
        let mut text = String::new();
        for read in &self.hunks {
            for (line, returns) in read.hunk.lines.iter().zip(&read.returns) {
                text.push_str(&line.text);
                if *returns && !self.returns && line.marker == Marker::Unmarked {
                    text.push('\r');
                }
                if line.marker == Marker::Unmarked {
                    text.push('\n');
                }
            }
        }
        Ok(text)
    }
}

//! New lines whose indentation does not go with what stands there.
//!
//! The usual slips: the neighbour's anchor, an indentation lost in the copying, tabs for blanks. A line that replaces
//! another keeps its indentation or goes as deep as both lines around it; an inserted one is not shallower than both; a
//! text that indents with blanks alone, or tabs alone, goes on so. A change of nothing but white space is meant where it
//! brings a line in step with a neighbour. Where the line is drawn was measured on real commits.

use super::Versions;
use super::standing::Core;
use crate::anchor::{Anchors, is_blank, is_low};
use crate::intent::LineOperation;
use crate::plan::placed::Placed;
use crate::sanity::Doubt;
use std::cell::OnceCell;
use std::ops::Range;

/// Of a line so many characters are shown.
const SHOWN: usize = 120;
/// So many are told of: the rest is likely to follow from them.
const TOLD: usize = 2;
/// So many lines above and below an insert are looked at for one that is filled.
const AROUND: usize = 64;

/// Doubts about indentation, by whether the call says what the line was.
#[derive(Default)]
pub(super) struct Indented {
    /// With `was`: worth a warning.
    pub(super) vouched: Vec<Doubt>,
    /// Without: a reason to refuse.
    pub(super) bare: Vec<Doubt>,
}

/// Both texts, open for looking at lines by their number from 0.
pub(super) struct Texts<'a> {
    pub(super) versions: Versions<'a>,
    /// What the lines of the old text begin with.
    pub(super) habit: Habit<'a>,
}

/// What the lines of a text are indented with. Looked at once, and only when it is asked.
pub(super) struct Habit<'a> {
    text: &'a [u8],
    known: OnceCell<(bool, bool)>,
}

impl<'a> Habit<'a> {
    pub(super) fn of(text: &'a [u8]) -> Habit<'a> {
        Habit { text, known: OnceCell::new() }
    }

    /// Does a line begin with a tab, and one with two blanks?
    fn begins(&self) -> (bool, bool) {
        let has = |start: &[u8]| {
            self.text.starts_with(start) || memchr::memmem::find(self.text, &[b"\n", start].concat()).is_some()
        };
        *self.known.get_or_init(|| (has(TAB), has(BLANKS)))
    }
}

const TAB: &[u8] = b"\t";
const BLANKS: &[u8] = b"  ";

pub(super) fn find(texts: &Texts<'_>, placed: &[Placed<'_>], cores: &[Core], operations: &[LineOperation]) -> Indented {
    let mut found = Indented::default();
    for (one, core) in placed.iter().zip(cores) {
        let vouched = operations.get(one.index).is_some_and(|operation| operation.was.is_some());
        let told = if vouched { &mut found.vouched } else { &mut found.bare };
        if told.len() < TOLD {
            told.extend(texts.doubt(core));
        }
    }
    found
}

impl Texts<'_> {
    fn doubt(&self, core: &Core) -> Option<Doubt> {
        let filled =
            |anchors: &Anchors<'_>, lines: &Range<usize>| lines.clone().find(|at| !is_blank(anchors.text(at + 1)));
        let first = filled(self.versions.after, &core.new)?;
        let misplaced = match filled(self.versions.before, &core.old) {
            Some(old) => self.shifted(core, old, first).or_else(|| self.fallen(core)),
            None if core.old.is_empty() => self.sunken(core, first),
            None => None,
        };
        let (line, wanted) = misplaced.or_else(|| self.foreign(core))?;
        let text = self.versions.after.text(line + 1);
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(SHOWN).collect::<String>();
        let found = text_of(indentation(text));
        Some(Doubt::Indented { line: line + 1, found, wanted: text_of(wanted), excerpt: text_of(text) })
    }

    /// A line that replaces another and is indented otherwise, unless it goes as deep as both lines around, or nothing
    /// but white space changes and it goes with one of them.
    fn shifted(&self, core: &Core, old: usize, new: usize) -> Option<(usize, &[u8])> {
        let wanted = indentation(self.versions.before.text(old + 1));
        let found = indentation(self.versions.after.text(new + 1));
        let (above, below) = (self.above(core), self.below(core));
        let like = |other: Option<&[u8]>| other.is_some_and(|line| indentation(line) == found);
        let blanks = self.blanks_alone(core);
        let meant = found.len() > wanted.len() && like(above) && like(below)
            || blanks && (like(above) || like(below) || above.is_some_and(|above| self.opened(core, above, found)));
        (found != wanted && !meant).then_some((new, wanted))
    }

    /// Does nothing but white space change?
    fn blanks_alone(&self, core: &Core) -> bool {
        let words = |anchors: &Anchors<'_>, lines: &Range<usize>| -> Vec<Vec<u8>> {
            let all = lines.clone().map(|at| anchors.text(at + 1).trim_ascii().to_vec());
            all.filter(|line| !line.is_empty()).collect()
        };
        words(self.versions.before, &core.old) == words(self.versions.after, &core.new)
    }

    /// Does a line go deeper than the one above because that opens a block? Several lines that do are meant.
    fn opened(&self, core: &Core, above: &[u8], found: &[u8]) -> bool {
        let deeper = found.len() > indentation(above).len() && found.starts_with(indentation(above));
        let opener = above.trim_ascii_end().last().is_some_and(|last| !last.is_ascii_alphanumeric() && *last != b';');
        deeper && (opener || core.new.len() > 1)
    }

    /// A line that takes the place of another and lacks the indentation which all lines that go share with those around.
    fn fallen(&self, core: &Core) -> Option<(usize, &[u8])> {
        let old = core.old.clone().map(|at| self.versions.before.text(at + 1)).filter(|line| !is_blank(line));
        let around = self.above(core).into_iter().chain(self.below(core));
        let floor = old.chain(around).map(indentation).min_by_key(|indentation| indentation.len())?;
        let text = |at: &usize| self.versions.after.text(at + 1);
        let counts = |line: &[u8]| !is_low(line) && !line.starts_with(b"#");
        let fallen = |at: &usize| counts(text(at)) && indentation(text(at)).len() < floor.len();
        core.new.clone().take(core.old.len()).find(fallen).map(|at| (at, floor))
    }

    /// An inserted line that lacks the indentation which the lines around it share.
    fn sunken(&self, core: &Core, new: usize) -> Option<(usize, &[u8])> {
        let (above, below) = (indentation(self.above(core)?), indentation(self.below(core)?));
        let shared = above.iter().zip(below).take_while(|(one, two)| one == two).count();
        let wanted = above.get(..shared)?;
        let line = self.versions.after.text(new + 1);
        (!is_low(line) && !indentation(line).starts_with(wanted)).then_some((new, wanted))
    }

    /// The filled line above what comes, if it is near.
    fn above(&self, core: &Core) -> Option<&[u8]> {
        let text = |at: usize| self.versions.after.text(at + 1);
        (0..core.new.start).rev().take(AROUND).map(text).find(|line| !is_blank(line))
    }

    /// The filled line below it.
    fn below(&self, core: &Core) -> Option<&[u8]> {
        let text = |at: usize| self.versions.after.text(at + 1);
        (core.new.end..self.versions.after.count()).take(AROUND).map(text).find(|line| !is_blank(line))
    }

    /// A line that begins with a tab where all others begin with blanks, or the reverse.
    fn foreign(&self, core: &Core) -> Option<(usize, &[u8])> {
        let text = |at: usize| self.versions.after.text(at + 1);
        let first = |start: &[u8]| core.new.clone().find(|at| text(*at).starts_with(start) && !is_blank(text(*at)));
        let (tab, blanks) = (first(TAB), first(BLANKS));
        if tab.is_none() && blanks.is_none() {
            return None;
        }
        match self.habit.begins() {
            (false, true) => Some((tab?, BLANKS)),
            (true, false) => Some((blanks?, TAB)),
            _ => None,
        }
    }
}

/// The blanks and tabs that a line begins with.
fn indentation(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

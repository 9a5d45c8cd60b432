//! Unified diffs of two byte texts, for showing what a change did.
//!
//! Promises bounded work without a clock, so that the same change always has the same diff, and
//! that the text stays under a limit and says so when cut. It is for reading: it does not
//! promise to be the shortest, nor, once cut or lossy, to apply.

mod edge;
pub(crate) mod script;
mod window;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::text::{Line, Splices, Terminator, lines};
use edge::{common_line_suffix, common_prefix, line_start, lines_back, lines_on, tail};
use script::{Change, changes};
use window::{Window, Windows};

/// How many bytes of diff are shown unless somebody asks for another limit.
pub const DIFF_LIMIT: usize = 64 * 1024;

/// How many equal lines are shown around a change.
const CONTEXT: usize = 3;

/// What is different between two texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The unified diff; empty where the texts are equal.
    pub text: String,
    /// Whether the text was cut at the limit.
    pub truncated: bool,
    /// Lines that are new, in what was cut off too.
    pub added: usize,
    /// Lines that are gone, in what was cut off too.
    pub removed: usize,
}

impl Diff {
    /// Two files of which one at least is no text.
    pub fn binary() -> Self {
        Self { text: "Binary files differ\n".to_owned(), ..Self::default() }
    }
}

/// The unified diff of two texts, cut between lines at `limit` bytes.
///
/// A `\r` at the end of a line is shown only where it is the difference. Bytes that are not
/// UTF-8 are shown as U+FFFD.
///
/// ```
/// use patchwright_core::diff::{unified, DIFF_LIMIT};
/// let diff = unified("a/x", "b/x", b"one\ntwo\n", b"one\n2\n", DIFF_LIMIT);
/// assert_eq!(diff.text, "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// assert_eq!((diff.added, diff.removed), (1, 1));
/// ```
pub fn unified(old_name: &str, new_name: &str, before: &[u8], after: &[u8], limit: usize) -> Diff {
    let mut out = Out::new(old_name, new_name, limit);
    out.add(before, after, (0, 0));
    out.finish()
}

/// The unified diff of a text and what an edit makes of it. Only the text around the edit is looked at.
///
/// ```
/// use patchwright_core::diff::{unified, unified_edit, DIFF_LIMIT};
/// use patchwright_core::text::{Splice, Splices};
/// let edit = Splices::new(vec![Splice { range: 4..7, text: b"2".to_vec() }]).unwrap();
/// let diff = unified_edit("a/x", "b/x", b"one\ntwo\n", &edit, DIFF_LIMIT);
/// assert_eq!(diff, unified("a/x", "b/x", b"one\ntwo\n", b"one\n2\n", DIFF_LIMIT));
/// ```
pub fn unified_edit(old_name: &str, new_name: &str, before: &[u8], edit: &Splices, limit: usize) -> Diff {
    let mut out = Out::new(old_name, new_name, limit);
    for Window { old, new, above } in Windows::of(before, edit) {
        out.add(old, &new, above);
    }
    out.finish()
}

/// A diff in the making.
struct Out {
    head: String,
    cut: Cut,
    added: usize,
    removed: usize,
}

impl Out {
    fn new(old_name: &str, new_name: &str, limit: usize) -> Self {
        let cut = Cut { text: String::new(), limit, full: false };
        Self { head: format!("--- {old_name}\n+++ {new_name}\n"), cut, added: 0, removed: 0 }
    }

    /// Compares two texts that stand below so many lines.
    fn add(&mut self, before: &[u8], after: &[u8], above: Above) {
        if before == after {
            return;
        }
        let frame = Frame::around_difference(before, after, above);
        let changes = frame.changes();
        self.cut.push(&std::mem::take(&mut self.head));
        for hunk in hunks(&changes) {
            if self.cut.full {
                break;
            }
            frame.write_hunk(hunk, &mut self.cut);
        }
        self.added += changes.iter().map(|change| change.new.len()).sum::<usize>();
        self.removed += changes.iter().map(|change| change.old.len()).sum::<usize>();
    }

    fn finish(self) -> Diff {
        Diff { text: self.cut.text, truncated: self.cut.full, added: self.added, removed: self.removed }
    }
}

/// How many lines stand above something, before and after.
type Above = (usize, usize);

/// The lines that may differ, with a little context, and how many equal ones stand above.
struct Frame<'a> {
    above: Above,
    old: Vec<Line<'a>>,
    new: Vec<Line<'a>>,
}

impl<'a> Frame<'a> {
    /// Sets equal beginnings and ends aside by bytes, before any line is looked at: a change of
    /// one line in a huge file costs little more than comparing the two.
    fn around_difference(before: &'a [u8], after: &'a [u8], above: Above) -> Self {
        let head = line_start(before, common_prefix(before, after));
        let (old, new) = (tail(before, head), tail(after, head));
        let foot = common_line_suffix(old, new);
        let shown_head = lines_back(before.get(..head).unwrap_or_default(), CONTEXT);
        let shown_foot = lines_on(tail(old, old.len() - foot), CONTEXT);
        let cut = |text: &'a [u8]| text.get(shown_head..text.len() - foot + shown_foot).unwrap_or_default();
        let passed = memchr::memchr_iter(b'\n', before.get(..shown_head).unwrap_or_default()).count();
        Self {
            above: (above.0 + passed, above.1 + passed),
            old: lines(cut(before)).collect(),
            new: lines(cut(after)).collect(),
        }
    }

    fn changes(&self) -> Vec<Change> {
        let mut ids = HashMap::with_capacity(self.old.len());
        let mut number = |line: &Line<'a>| {
            let next = ids.len();
            *ids.entry((line.text, line.terminator)).or_insert(next)
        };
        let old: Vec<usize> = self.old.iter().map(&mut number).collect();
        let new: Vec<usize> = self.new.iter().map(&mut number).collect();
        changes(&old, &new)
    }

    fn write_hunk(&self, hunk: &[Change], out: &mut Cut) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
            return;
        };
        let lead = first.old.start.min(CONTEXT);
        let trail = self.old.len().saturating_sub(last.old.end).min(CONTEXT);
        let old = first.old.start - lead..last.old.end + trail;
        let new = first.new.start - lead..last.new.end + trail;
        out.push(&format!("@@ -{} +{} @@\n", span(self.above.0, &old), span(self.above.1, &new)));
        let mut at = old.start;
        for change in hunk {
            self.write_lines(' ', self.old.get(at..change.old.start), Endings::Hidden, out);
            let endings = self.endings(change);
            self.write_lines('-', self.old.get(change.old.clone()), endings, out);
            self.write_lines('+', self.new.get(change.new.clone()), endings, out);
            at = change.old.end;
        }
        self.write_lines(' ', self.old.get(at..old.end), Endings::Hidden, out);
    }

    /// A carriage return is shown where a line goes and comes back with the other terminator.
    fn endings(&self, change: &Change) -> Endings {
        let gone: HashSet<&[u8]> =
            self.old.get(change.old.clone()).into_iter().flatten().map(|line| line.text).collect();
        let mut come = self.new.get(change.new.clone()).into_iter().flatten();
        if come.any(|line| gone.contains(line.text)) { Endings::Shown } else { Endings::Hidden }
    }

    fn write_lines(&self, sign: char, lines: Option<&[Line<'a>]>, endings: Endings, out: &mut Cut) {
        for line in lines.unwrap_or_default() {
            if out.full {
                return;
            }
            let cr = if endings == Endings::Shown && line.terminator == Terminator::CrLf { "\r" } else { "" };
            let end = if line.terminator == Terminator::None { "\n\\ No newline at end of file" } else { "" };
            out.push(&format!("{sign}{}{cr}{end}\n", String::from_utf8_lossy(line.text)));
        }
    }
}

/// A range of lines as hunk headers write it, `above` lines further down: an empty one names the line before it.
fn span(above: usize, range: &Range<usize>) -> String {
    let start = above + range.start;
    match range.len() {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        len => format!("{},{len}", start + 1),
    }
}

/// Whether carriage returns before a newline are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Endings {
    Shown,
    Hidden,
}

/// Text that stops growing at a limit, between lines.
struct Cut {
    text: String,
    limit: usize,
    full: bool,
}

impl Cut {
    fn push(&mut self, lines: &str) {
        self.full |= self.text.len().saturating_add(lines.len()) > self.limit;
        if !self.full {
            self.text.push_str(lines);
        }
    }
}

/// Changes whose contexts touch, together.
fn hunks(changes: &[Change]) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * CONTEXT)
}

//! One file before and after, as hunks of lines that can be applied again, exactly or with a slip.

use crate::replay::chance::Chance;
use crate::replay::edit::{Change, Edit};
use patchwright_engine::core::sanity::Touched;
use std::ops::Range;

/// A file that changed.
pub(super) struct Pair<'a> {
    /// Where it comes from, for showing.
    pub(super) name: String,
    pub(super) path: String,
    pub(super) before: &'a [u8],
    /// The lines of the old text, terminators included.
    pub(super) old: Vec<&'a [u8]>,
    /// What changed, with no line too many.
    pub(super) hunks: Vec<Hunk<'a>>,
}

/// Lines that go, and the lines that come in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk<'a> {
    pub(super) range: Range<usize>,
    pub(super) content: Vec<&'a [u8]>,
}

/// The text files that an edit changes.
pub(super) fn pairs(edit: &Edit) -> Vec<Pair<'_>> {
    let mut found = Vec::new();
    for change in &edit.changes {
        if let Change::Update { path, before, after } = change
            && let (Some(before), Some(after)) = (text(&before.bytes), text(&after.bytes))
        {
            found.extend(Pair::of(&edit.name, path, before, after));
        }
    }
    found
}

/// A text without its mark; nothing for a binary file.
fn text(bytes: &[u8]) -> Option<&[u8]> {
    let head = bytes.get(..bytes.len().min(8 << 10)).unwrap_or(bytes);
    (!head.contains(&0)).then(|| bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

impl<'a> Pair<'a> {
    pub(super) fn of(name: &str, path: &str, before: &'a [u8], after: &'a [u8]) -> Option<Pair<'a>> {
        let (old, new) = (lines(before), lines(after));
        let bare = |lines: &[&'a [u8]]| -> Vec<&'a [u8]> { lines.iter().map(|line| trimmed(line)).collect() };
        let ops = similar::capture_diff_slices(similar::Algorithm::Histogram, &bare(&old), &bare(&new));
        let changed = ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal);
        let hunk = |op: &similar::DiffOp| Hunk {
            range: op.old_range(),
            content: new.get(op.new_range()).unwrap_or_default().to_vec(),
        };
        let hunks: Vec<Hunk<'_>> = changed.map(hunk).collect();
        (!hunks.is_empty()).then(|| Pair { name: name.to_owned(), path: path.to_owned(), before, old, hunks })
    }

    /// The text with these hunks applied, and which lines became which.
    pub(super) fn apply(&self, hunks: &[Hunk<'_>]) -> (Vec<u8>, Vec<Touched>) {
        let (mut lines, mut touched): (Vec<&[u8]>, Vec<Touched>) = (Vec::new(), Vec::new());
        let mut at = 0;
        for hunk in hunks {
            lines.extend(self.old.get(at..hunk.range.start).unwrap_or_default());
            let start = lines.len();
            lines.extend(&hunk.content);
            touched.push(Touched { before: hunk.range.clone(), after: start..lines.len() });
            at = hunk.range.end;
        }
        lines.extend(self.old.get(at..).unwrap_or_default());
        (joined(&lines), touched)
    }

    /// The same hunks with up to three unchanged lines more at each end, as a careless range has them.
    pub(super) fn widened(&self, chance: &mut Chance) -> Vec<Hunk<'a>> {
        let mut wide: Vec<Hunk<'a>> = Vec::new();
        for (number, hunk) in self.hunks.iter().enumerate() {
            let floor = wide.last().map_or(0, |above| above.range.end);
            let ceiling = self.hunks.get(number + 1).map_or(self.old.len(), |below| below.range.start);
            let above = chance.below(4).min(hunk.range.start - floor);
            let below = chance.below(4).min(ceiling - hunk.range.end);
            wide.push(self.wide(hunk, above, below));
        }
        wide
    }

    /// A hunk with so many unchanged lines above and below.
    pub(super) fn wide(&self, hunk: &Hunk<'a>, above: usize, below: usize) -> Hunk<'a> {
        let range = hunk.range.start - above..hunk.range.end + below;
        let head = self.old.get(range.start..hunk.range.start).unwrap_or_default();
        let foot = self.old.get(hunk.range.end..range.end).unwrap_or_default();
        Hunk { range, content: [head, &hunk.content, foot].concat() }
    }
}

/// The lines of a text, terminators included.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// A line without its terminator.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Lines as a text; only the last may be without a terminator.
fn joined(lines: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        if !text.is_empty() && !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str) {
        let pair = Pair::of("x", "x", before.as_bytes(), after.as_bytes()).unwrap();
        for seed in 0..20 {
            for hunks in [pair.hunks.clone(), pair.widened(&mut Chance::new(seed))] {
                let (text, touched) = pair.apply(&hunks);
                assert_eq!(String::from_utf8_lossy(&text), after);
                assert!(touched.iter().all(|one| one.before != one.after || !one.before.is_empty()));
            }
        }
    }

    #[test]
    fn hunks_applied_are_the_new_text() {
        check("a\nb\nc\n", "a\nB\nc\n");
        check("a\nb\nc\nd\ne\nf\n", "a\nB\nB\nc\nd\nf\n");
        check("", "a\n");
        check("a\n", "");
        check("a\nb", "a\nb\nc");
        assert!(Pair::of("x", "x", b"a\r\n", b"a\n").is_none(), "only line ends");
    }

    #[test]
    fn marks_and_binary_files() {
        assert_eq!(text(b"\xef\xbb\xbfa"), Some(&b"a"[..]));
        assert_eq!(text(b"a\0"), None);
    }
}

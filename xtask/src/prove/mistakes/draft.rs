//! An edit as a model has it in mind before it writes it down in some dialect: blocks of lines that stay, go and
//! come, each with the place where the model believes it to be.

use super::text::Text;
use std::ops::Range;

/// Lines that go, from 0, and the lines that come in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Vec<String>,
}

/// Some neighbouring hunks with the lines around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The first of its old lines, from 0.
    pub(super) at: usize,
    pub(super) lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) sign: Sign,
    pub(super) text: String,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Stays,
    Goes,
    Comes,
}

/// The lines that differ between two texts, as few as can be.
pub(super) fn hunks(before: &[String], after: &[String]) -> Vec<Hunk> {
    let ops = similar::capture_diff_slices(similar::Algorithm::Histogram, before, after);
    let changed = ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    changed
        .map(|op| Hunk { old: op.old_range(), new: after.get(op.new_range()).unwrap_or_default().to_vec() })
        .collect()
}

/// A text with hunks applied that stand in order and apart.
pub(super) fn applied(text: &Text, hunks: &[Hunk]) -> Text {
    let (mut lines, mut at) = (Vec::new(), 0);
    for hunk in hunks {
        lines.extend_from_slice(text.lines.get(at..hunk.old.start).unwrap_or_default());
        lines.extend_from_slice(&hunk.new);
        at = hunk.old.end;
    }
    lines.extend_from_slice(text.lines.get(at..).unwrap_or_default());
    text.with(lines)
}

/// The hunks as blocks with so many lines around them; those that would touch become one.
pub(super) fn blocks(text: &Text, hunks: &[Hunk], around: usize) -> Vec<Block> {
    let mut groups: Vec<Vec<&Hunk>> = Vec::new();
    for hunk in hunks {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| last.old.end + 2 * around >= hunk.old.start) => {
                group.push(hunk);
            }
            _ => groups.push(vec![hunk]),
        }
    }
    groups.iter().map(|group| block(&text.lines, group, around)).collect()
}

fn block(lines: &[String], hunks: &[&Hunk], around: usize) -> Block {
    let first = hunks.first().map_or(0, |hunk| hunk.old.start.saturating_sub(around));
    let last = hunks.last().map_or(0, |hunk| (hunk.old.end + around).min(lines.len()));
    let mut made = Vec::new();
    let mut push = |sign: Sign, some: &[String]| {
        made.extend(some.iter().map(|text| Line { sign, text: text.clone() }));
    };
    let mut at = first;
    for hunk in hunks {
        push(Sign::Stays, lines.get(at..hunk.old.start).unwrap_or_default());
        push(Sign::Goes, lines.get(hunk.old.clone()).unwrap_or_default());
        push(Sign::Comes, &hunk.new);
        at = hunk.old.end;
    }
    push(Sign::Stays, lines.get(at..last).unwrap_or_default());
    Block { at: first, lines: made }
}

impl Block {
    /// The lines that must be there.
    pub(super) fn old_lines(&self) -> Vec<String> {
        self.side(Sign::Comes)
    }

    /// The lines that are to be there.
    pub(super) fn new_lines(&self) -> Vec<String> {
        self.side(Sign::Goes)
    }

    fn side(&self, without: Sign) -> Vec<String> {
        self.lines.iter().filter(|line| line.sign != without).map(|line| line.text.clone()).collect()
    }

    /// The runs of lines that go and come, with nothing around them.
    pub(super) fn runs(&self) -> Vec<Hunk> {
        let (mut runs, mut at): (Vec<Hunk>, usize) = (Vec::new(), self.at);
        let mut open = false;
        for line in &self.lines {
            if line.sign == Sign::Stays {
                (open, at) = (false, at + 1);
                continue;
            }
            if !open {
                runs.push(Hunk { old: at..at, new: Vec::new() });
                open = true;
            }
            if let Some(run) = runs.last_mut() {
                match line.sign {
                    Sign::Comes => run.new.push(line.text.clone()),
                    _ => (run.old.end, at) = (at + 1, at + 1),
                }
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, around: usize, count: usize) {
        let (old, new) = (Text::of(before.as_bytes()).unwrap(), Text::of(after.as_bytes()).unwrap());
        let hunks = hunks(&old.lines, &new.lines);
        assert_eq!(applied(&old, &hunks), new);
        let blocks = blocks(&old, &hunks, around);
        assert_eq!(blocks.len(), count, "{before:?} {after:?}");
        let runs: Vec<Hunk> = blocks.iter().flat_map(Block::runs).collect();
        assert_eq!(applied(&old, &runs), new, "{runs:?}");
        for block in blocks {
            assert_eq!(old.lines[block.at..block.at + block.old_lines().len()], block.old_lines());
        }
    }

    #[test]
    fn an_edit_in_blocks_is_the_same_edit() {
        check("a\nb\nc\nd\ne\nf\n", "A\nb\nc\nd\ne\nF\n", 1, 2);
        check("a\nb\nc\nd\ne\nf\n", "A\nb\nc\nd\ne\nF\n", 2, 1);
        check("a\nb\nc\n", "a\nc\n", 0, 1);
        check("a\nb\n", "x\na\nb\ny\n", 1, 1);
        check("a\n", "", 3, 1);
    }
}

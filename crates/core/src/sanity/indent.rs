//! Indentation that an edit of a Python text broke.
//!
//! The grammar forgives it: a `def` without a body, a body without its `def`, a line that stands between
//! two levels. So this looks for itself, at logical lines: strings, brackets and a backslash at the end
//! join lines. Says nothing of a text that indents with tabs and blanks, nor of places that were broken.

mod logical;

use super::block::{Block, Part, syntax_doubt};
use super::{Doubt, TOLD};
use logical::{Ending, Line, Logical};
use std::ops::RangeInclusive;

/// Places of the new text whose indentation the edit broke.
pub(super) fn compare(before: &[u8], after: &[u8], blocks: &[Block<'_>]) -> Vec<Doubt> {
    let (Some(old), Some(new)) = (faults(before), faults(after)) else { return Vec::new() };
    let mut told: Vec<usize> = Vec::new();
    for block in blocks {
        let came: Vec<&Fault> = new.iter().filter(|fault| fault.is_near(&block.new)).collect();
        if came.len() > old.iter().filter(|fault| fault.is_near(&block.old)).count() {
            told.extend(came.iter().map(|fault| fault.at));
        }
    }
    told.dedup();
    told.iter().take(TOLD).map(|at| syntax_doubt(after, *at)).collect()
}

/// A place where the indentation makes no sense.
struct Fault {
    /// The offset that shows it best.
    at: usize,
    /// Where the two lines lie that do not go together.
    span: RangeInclusive<usize>,
}

impl Fault {
    fn is_near(&self, part: &Part<'_>) -> bool {
        part.start() <= *self.span.end() && *self.span.start() <= part.end()
    }
}

/// The faults of a text; nothing if it indents with both tabs and blanks.
fn faults(text: &[u8]) -> Option<Vec<Fault>> {
    let mut levels: Vec<usize> = Vec::new();
    let mut above = Line { at: 0, column: 0, tabs: None, ending: Ending::Plain };
    let (mut tabs, mut found) = (None, Vec::new());
    for line in Logical::new(text) {
        let line = line?;
        if tabs.is_some() && line.tabs.is_some() && tabs != line.tabs {
            return None;
        }
        tabs = tabs.or(line.tabs);
        if let Some(at) = fault(&mut levels, &above, &line) {
            found.push(Fault { at, span: above.at..=line.at });
        }
        above = line;
    }
    if above.ending == Ending::Opens {
        found.push(Fault { at: above.at, span: above.at..=text.len() });
    }
    Some(found)
}

/// Goes on from a line to the next; tells where a fault is, if there is one. `levels` are the open ones but the margin.
fn fault(levels: &mut Vec<usize>, above: &Line, line: &Line) -> Option<usize> {
    let deeper = line.column > levels.last().copied().unwrap_or(0);
    if deeper {
        levels.push(line.column);
        return (above.ending == Ending::Plain).then_some(line.at);
    }
    while levels.last().is_some_and(|level| *level > line.column) {
        levels.pop();
    }
    let between = levels.last().copied().unwrap_or(0) != line.column;
    if between {
        levels.push(line.column);
    }
    match above.ending {
        Ending::Opens => Some(above.at),
        Ending::Plain => between.then_some(line.at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanity::block::line_of;

    /// The lines with faults, counted from 1.
    fn check(text: &str, expected: Option<&[usize]>) {
        let line = |fault: &Fault| line_of(text.as_bytes(), fault.at);
        let found = faults(text.as_bytes()).map(|found| found.iter().map(line).collect::<Vec<_>>());
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn bodies_and_levels() {
        check("", Some(&[]));
        check("def f():\n    return 1\n\n\nif x: pass\nelse:\n\n    # why\n    y\nz", Some(&[]));
        check("def f():\nreturn 1\n", Some(&[1]));
        check("def f():\n", Some(&[1]));
        check("def f():\n    # only this\n\ndef g():\n    pass\n", Some(&[1]));
        check("a\n    return 1\n    b\nc\n", Some(&[2]));
        check("if a:\n    b\n  c\n    d\n", Some(&[3, 4]));
        check("if a:\n    b\n      c\n    d\n", Some(&[3]));
        check("if a:\n    if b:\n        c\n  d\ne\n", Some(&[4]));
        check("  a\nb\n", Some(&[1]));
        check("if a:\n\tb\nif c:\n\td\n", Some(&[]));
        check("if a:\n\tb\nif c:\n    d\n", None);
        check("if a:\n \tb\n", None);
    }

    #[test]
    fn lines_that_belong_together() {
        check("a = [\n  1,\n      2:\n]\nb\n", Some(&[]));
        check("s = '''\n   x:\n y\n''' # :\nb\n", Some(&[]));
        check("a = 1 + \\\n        2\nb\n", Some(&[]));
        check("s = 'a:' # b:\nc\n", Some(&[]));
        check("s = 'it\\'s:\\\n   :'\nc\n", Some(&[]));
        check("if a: # b\n    c = {1:\n2}\n", Some(&[]));
        check("if a:\r\n    b\r\n\r\nc\r\n", Some(&[]));
        check("\x0cif a:\n    b\n\x0cc\n", Some(&[]));
        check("f(\n", Some(&[]));
        check("a)\nif b:\n    c\n", Some(&[]));
        check("'''\nif a:\n", Some(&[]));
        check("x = 'lone\nif b:\nc\n", Some(&[2]));
    }
}

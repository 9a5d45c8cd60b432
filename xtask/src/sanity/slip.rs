//! Slips, seeded into real edits as a model makes them.
//!
//! One hunk of the pair is the model's edit, the others are applied right: a hunk taken by chance, or the
//! next after it that has room. The model replaces a range: the changed lines, and one to three unchanged
//! lines on each side (fewer where the next hunk is near, but at least one), then further lines until the
//! first and the last line of the range are not blank, for a model picks lines with something in them as
//! the ends of its range. (`ShortAtBlank` leaves that last step out and takes only ranges with a blank
//! end: nobody can tell a blank line too many from one that was meant.) Its content is what those lines
//! are in the new text. Then:
//!
//! - `Short`: the range leaves out its last line, or its first; the content has it. The line stands twice.
//! - `Long`: the range takes in one line more below; the content knows nothing of it. The line is gone.
//! - `Dropped`: the content lacks its last closing line: one of nothing but closing brackets, a word
//!   such as `end` or `fi`, or a closing tag. Only in files of a language that the check knows.
//! - `Twice`: the content has the whole block two times.
//! - `Stays`: the content is inserted before or after the range; the old lines stay.
//!
//! None is chosen by what the check finds. A slip that gives the right text is none.

use super::pair::{Hunk, Pair, trimmed};
use crate::replay::chance::Chance;

/// A sort of slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slip {
    Short,
    ShortAtBlank,
    Long,
    Dropped,
    Twice,
    Stays,
}

pub(super) const SLIPS: [Slip; 6] =
    [Slip::Short, Slip::ShortAtBlank, Slip::Long, Slip::Dropped, Slip::Twice, Slip::Stays];

/// Words that close a block where brackets do not.
const CLOSING: &[&[u8]] = &[b"end", b"fi", b"done", b"esac", b"endif", b"#endif"];

impl Slip {
    pub(super) fn words(self) -> &'static str {
        match self {
            Slip::Short => "range one line short",
            Slip::ShortAtBlank => "  (the same at a blank line)",
            Slip::Long => "range one line long",
            Slip::Dropped => "closing line dropped",
            Slip::Twice => "block twice in the content",
            Slip::Stays => "new block beside the old",
        }
    }

    /// The pair's hunks with this slip in one of them, if one has room for it.
    pub(super) fn seed<'a>(self, pair: &Pair<'a>, chance: &mut Chance) -> Option<Vec<Hunk<'a>>> {
        let from = chance.below(pair.hunks.len());
        let (number, edit) = (from..pair.hunks.len())
            .chain(0..from)
            .find_map(|number| Some((number, model_edit(pair, number, self, chance)?)))?;
        let hunk = self.applied(pair, number, edit, chance)?;
        let mut hunks = pair.hunks.clone();
        *hunks.get_mut(number)? = hunk;
        (pair.apply(&hunks).0 != pair.apply(&pair.hunks).0).then_some(hunks)
    }

    fn applied<'a>(self, pair: &Pair<'a>, number: usize, mut hunk: Hunk<'a>, chance: &mut Chance) -> Option<Hunk<'a>> {
        match self {
            Slip::Short | Slip::ShortAtBlank => short(hunk, self, chance),
            Slip::Long => {
                let next = pair.hunks.get(number + 1).map_or(pair.old.len(), |next| next.range.start);
                (hunk.range.end < next).then(|| {
                    hunk.range.end += 1;
                    hunk
                })
            }
            Slip::Dropped => {
                let last = hunk.content.iter().rposition(|line| closes(line))?;
                hunk.content.remove(last);
                Some(hunk)
            }
            Slip::Twice => {
                hunk.content = [&hunk.content[..], &hunk.content].concat();
                Some(hunk)
            }
            Slip::Stays => {
                let at = if chance.once_in(2) { hunk.range.start } else { hunk.range.end };
                hunk.range = at..at;
                Some(hunk)
            }
        }
    }
}

/// A range as a model would choose it.
fn model_edit<'a>(pair: &Pair<'a>, number: usize, slip: Slip, chance: &mut Chance) -> Option<Hunk<'a>> {
    let hunk = pair.hunks.get(number)?;
    let floor = number.checked_sub(1).and_then(|above| pair.hunks.get(above)).map_or(0, |above| above.range.end);
    let ceiling = pair.hunks.get(number + 1).map_or(pair.old.len(), |below| below.range.start);
    let upper = pair.old.get(floor..hunk.range.start).unwrap_or_default();
    let lower = pair.old.get(hunk.range.end..ceiling).unwrap_or_default();
    let (mut above, mut below) = ((1 + chance.below(3)).min(upper.len()), (1 + chance.below(3)).min(lower.len()));
    if slip != Slip::ShortAtBlank {
        above = solid(upper.iter().rev(), above);
        below = solid(lower.iter(), below);
    }
    (above > 0 && below > 0).then(|| pair.wide(hunk, above, below))
}

/// So many lines or some more, up to one that is not blank; none if there is none.
fn solid<'a>(lines: impl Iterator<Item = &'a &'a [u8]>, wanted: usize) -> usize {
    let Some(skip) = wanted.checked_sub(1) else { return 0 };
    { lines }.skip(skip).position(|line| !is_blank(line)).map_or(0, |more| wanted + more)
}

fn short<'a>(mut hunk: Hunk<'a>, slip: Slip, chance: &mut Chance) -> Option<Hunk<'a>> {
    let fits = |line: Option<&&[u8]>| line.is_some_and(|line| is_blank(line) == (slip == Slip::ShortAtBlank));
    match (fits(hunk.content.first()), fits(hunk.content.last())) {
        (false, false) => return None,
        (true, true) if chance.once_in(2) => hunk.range.start += 1,
        (_, true) => hunk.range.end -= 1,
        (true, false) => hunk.range.start += 1,
    }
    Some(hunk)
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// Whether a line does nothing but close something.
fn closes(line: &[u8]) -> bool {
    let line = trimmed(line).trim_ascii();
    let bare = line.strip_suffix(b";").or(line.strip_suffix(b",")).unwrap_or(line);
    let tag = bare.starts_with(b"</") && bare.iter().position(|byte| *byte == b'>') == bare.len().checked_sub(1);
    let brackets = !bare.is_empty() && bare.iter().all(|byte| b")]}".contains(byte));
    brackets || tag || CLOSING.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &[u8] = b"top\n\nfn f() {\n    a();\n    b();\n}\n\nlast\n";
    const NEW: &[u8] = b"top\n\nfn f() {\n    a();\n    c();\n}\n\nlast\n";

    /// Every text that a slip can come to, over many throws.
    fn all(slip: Slip) -> Vec<String> {
        let pair = Pair::of("x", "x.rs", OLD, NEW).unwrap();
        let texts = (0..200).filter_map(|seed| slip.seed(&pair, &mut Chance::new(seed)));
        let mut texts: Vec<String> = texts.map(|hunks| String::from_utf8(pair.apply(&hunks).0).unwrap()).collect();
        texts.sort();
        texts.dedup();
        texts
    }

    fn check(slip: Slip, count: usize, example: &str) {
        let texts = all(slip);
        assert_eq!(texts.len(), count, "{slip:?} {texts:#?}");
        assert!(texts.iter().any(|text| text == example), "{slip:?} {texts:#?}");
    }

    #[test]
    fn slips_are_made_as_they_are_described() {
        check(Slip::Short, 5, "top\n\nfn f() {\n    a();\n    c();\n}\n}\n\nlast\n");
        check(Slip::ShortAtBlank, 2, "top\n\n\nfn f() {\n    a();\n    c();\n}\n\nlast\n");
        check(Slip::Long, 1, "top\n\nfn f() {\n    a();\n    c();\n}\nlast\n");
        check(Slip::Dropped, 1, "top\n\nfn f() {\n    a();\n    c();\n\nlast\n");
        check(Slip::Twice, 6, "top\n\nfn f() {\n    a();\n    c();\n}\n    a();\n    c();\n}\n\nlast\n");
        check(Slip::Stays, 12, "top\n\nfn f() {\n    a();\n    c();\n}\n    a();\n    b();\n}\n\nlast\n");
    }

    #[test]
    fn closing_lines() {
        for (line, expected) in [
            ("}\n", true),
            ("  ]);\r\n", true),
            ("fi", true),
            ("</div>\n", true),
            ("", false),
            ("} else {\n", false),
            ("<br></b>\n", false),
            (");a\n", false),
        ] {
            assert_eq!(closes(line.as_bytes()), expected, "{line:?}");
        }
    }
}

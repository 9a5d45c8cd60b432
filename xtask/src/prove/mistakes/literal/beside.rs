//! Exact texts in a file that others changed since it was read: what they stand for is certain only where the lines
//! around each of them are the same in both versions.

use super::super::text::Text;
use super::strings;
use std::ops::Range;

/// So many lines on either side must be the same.
pub(in super::super) const NEAR: usize = 3;

/// What becomes of the present text; nothing where the edit must be refused.
pub(in super::super) fn edited(edits: &[(String, String)], seen: &Text, disk: &Text) -> Option<Text> {
    strings(edits, seen)?;
    let after = strings(edits, disk)?;
    let same = |(old, _): &(String, String)| {
        let (was, is) = (place(old, seen), place(old, disk));
        is_some_and_equal(around(seen, was), around(disk, is))
    };
    (seen.ends == disk.ends && seen.mark == disk.mark && edits.iter().all(same)).then_some(after)
}

/// The lines on which a text stands, from 0.
pub(in super::super) fn place(text: &str, file: &Text) -> Option<Range<usize>> {
    let shown = file.shown();
    let above = shown.get(..shown.find(text)?)?.matches('\n').count();
    let breaks = text.strip_suffix('\n').unwrap_or(text).matches('\n').count();
    Some(above..above + breaks + 1)
}

/// Those lines and their neighbours; as many of them as there are, so that an edge of the file counts.
fn around(file: &Text, lines: Option<Range<usize>>) -> Option<(&[String], [bool; 2])> {
    let lines = lines?;
    let (start, end) = (lines.start.saturating_sub(NEAR), (lines.end + NEAR).min(file.lines.len()));
    let edges = [lines.start < NEAR, lines.end + NEAR > file.lines.len()];
    Some((file.lines.get(start..end)?, edges))
}

fn is_some_and_equal<T: PartialEq>(one: Option<T>, two: Option<T>) -> bool {
    one.is_some() && one == two
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(disk: &str, old: &str, expected: Option<&str>) {
        let text = |text: &str| Text::of(text.as_bytes()).unwrap();
        let seen = text("a\nb\nc\nd\ne\nf\ng\nh\ni\n");
        let found = edited(&[(old.to_owned(), "X".to_owned())], &seen, &text(disk));
        assert_eq!(found.map(|text| text.shown()).as_deref(), expected, "{disk:?} {old}");
    }

    #[test]
    fn lines_around_must_be_the_same() {
        check("a\nb\nc\nd\ne\nf\ng\nh\nZ\n", "e", Some("a\nb\nc\nd\nX\nf\ng\nh\nZ\n"));
        check("a\nb\nc\nd\ne\nf\ng\nZ\ni\n", "e", None);
        check("a\nZ\nc\nd\ne\nf\ng\nh\ni\n", "e", None);
        check("Z\nb\nc\nd\ne\nf\ng\nh\ni\n", "e", Some("Z\nb\nc\nd\nX\nf\ng\nh\ni\n"));
        check("Z\na\nb\nc\nd\ne\nf\ng\nh\ni\n", "b", None); // the edge of the file was near
        check("a\nb\nc\nd\ne\nf\ng\nh\ni\ne\n", "e", None);
        check("a\nb\nc\nd\nf\ng\nh\ni\n", "e", None);
    }
}

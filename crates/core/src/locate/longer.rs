//! What to add to a text that stands in several places, so that only one of them fits. Only ever shown: the caller decides
//! which place is meant.

use super::{All, Needle, find_all};
use std::ops::Range;

/// Texts longer than this are not looked through again and again.
const TEXT_LIMIT: usize = 1 << 20;
/// Around a place no more is added than so many bytes, or so many lines above and below it.
const BYTES_LIMIT: usize = 400;
const LINES_LIMIT: usize = 3;
/// Of so many places the surroundings are told.
const PLACES_LIMIT: usize = 8;

/// One of several places, and what tells it from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longer {
    /// The 1-based line where the place begins.
    pub line: usize,
    /// What stands before it, and is to be added.
    pub before: String,
    /// What stands after it.
    pub after: String,
}

/// What stands around a place, as little as tells it from all others, by whole lines; nothing if that is not text, or too
/// much.
fn around(text: &[u8], place: &Range<usize>) -> Option<(String, String)> {
    let sizes = (0..=LINES_LIMIT).flat_map(|size| [(size, 0), (0, size), (size, size)]);
    for (above, below) in sizes {
        let (start, end) = (line_start(text, place.start, above), line_end(text, place.end, below));
        let whole = text.get(start..end)?;
        if whole.len() > place.len() + BYTES_LIMIT {
            continue;
        }
        let once = Needle::new(whole)
            .is_some_and(|whole| matches!(find_all(text, whole), All::Disjoint(found) if found.len() == 1));
        if once {
            let said = |range: Range<usize>| std::str::from_utf8(text.get(range)?).ok().map(str::to_owned);
            return Some((said(start..place.start)?, said(place.end..end)?));
        }
    }
    None
}

/// What tells each of these places from the others, as far as that can be said.
pub fn longer(text: &[u8], places: &[Range<usize>], lines: &[usize]) -> Vec<Longer> {
    if text.len() > TEXT_LIMIT || places.len() > PLACES_LIMIT {
        return Vec::new();
    }
    let told = |(place, line): (&Range<usize>, &usize)| {
        around(text, place).map(|(before, after)| Longer { line: *line, before, after })
    };
    places.iter().zip(lines).filter_map(told).collect()
}

/// Where the line of this place begins, or one so many lines above it.
fn line_start(text: &[u8], at: usize, above: usize) -> usize {
    let mut start = at;
    for step in 0..=above {
        let back = if step == 0 { start } else { start.saturating_sub(1) };
        start = text.get(..back).and_then(|head| head.iter().rposition(|byte| *byte == b'\n')).map_or(0, |end| end + 1);
    }
    start
}

/// Where the line of this place ends, before its newline, or one so many lines below it.
fn line_end(text: &[u8], at: usize, below: usize) -> usize {
    let inside = at == 0 || text.get(at - 1) != Some(&b'\n');
    let mut end = at;
    for step in usize::from(!inside)..=below {
        let from = if step == 0 || (step == 1 && !inside) { end } else { (end + 1).min(text.len()) };
        let rest = text.get(from..).unwrap_or_default();
        end = rest.iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| from + length);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, sought: &str, want: &[(&str, &str)]) {
        let places: Vec<Range<usize>> = text.match_indices(sought).map(|(at, found)| at..at + found.len()).collect();
        let lines = vec![1; places.len()];
        let got = longer(text.as_bytes(), &places, &lines);
        let got: Vec<(&str, &str)> = got.iter().map(|one| (one.before.as_str(), one.after.as_str())).collect();
        assert_eq!(got, want, "{text:?}");
        for (place, (before, after)) in places.iter().zip(got) {
            let whole = format!("{before}{sought}{after}");
            assert_eq!(text.matches(&whole).count(), 1, "{whole:?}");
            assert_eq!(text.find(&whole), Some(place.start - before.len()));
        }
    }

    #[test]
    fn as_little_as_tells_a_place_apart() {
        check("a x\nb x\n", "x", &[("a ", ""), ("b ", "")]);
        check("a\nx\nb\nx\n", "x", &[("a\n", ""), ("b\n", "")]);
        check("x\na\nx\nb\n", "x", &[("", "\na"), ("a\n", "")]);
        check("x\na\nx\nb\n", "x\n", &[("", "a"), ("a\n", "")]);
        check("a b c b d\n", "b", &[("a ", " c b d"), ("a b c ", " d")]);
        check("x\nx\nx\nx\nx\nx\nx\nx\n", "x", &[]);
    }

    #[test]
    fn bounded() {
        check(&format!("{}x\n{}x\n", "a".repeat(500), "b".repeat(500)), "x", &[]);
        check(&"x\n".repeat(9), "x", &[]);
    }
}

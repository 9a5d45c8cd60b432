//! New lines that were copied with the anchor that a reading shows before them.

use crate::anchor::{Anchor, Quality};
use crate::plan::placed::Placed;
use crate::sanity::Doubt;

/// Of a line so many characters are shown.
const SHOWN: usize = 120;

/// The first line of each operation that begins like a line of a reading. `starts` tells where in the new text
/// the lines of each operation begin, from 0.
pub(super) fn find(placed: &[Placed<'_>], starts: &[usize]) -> Vec<Doubt> {
    let first = |(one, start): (&Placed<'_>, &usize)| {
        let (at, line) = one.lines.iter().enumerate().find(|(_, line)| is_prefixed(line))?;
        Some(Doubt::Prefixed { line: start + at + 1, excerpt: line.chars().take(SHOWN).collect() })
    };
    placed.iter().zip(starts).filter_map(first).collect()
}

/// `N#form [quality]|` or `N#form|`, also with the sign that a diff has before it.
fn is_prefixed(line: &str) -> bool {
    let line = line.strip_prefix([' ', '+']).unwrap_or(line);
    let Some((shown, _)) = line.split_once('|') else { return false };
    let name = [Quality::Low, Quality::Med, Quality::High]
        .into_iter()
        .find_map(|quality| shown.strip_suffix(']')?.strip_suffix(quality.word())?.strip_suffix(" ["))
        .unwrap_or(shown);
    Anchor::parse(name).is_some_and(|anchor| anchor.line.is_some())
}

#[cfg(test)]
mod tests {
    use super::is_prefixed;

    #[test]
    fn copied_with_their_anchors() {
        for (line, yes) in [
            ("12#a1b2c3 [high]|let a = 1;", true),
            ("12#~a1b2c3d4 [low]|", true),
            ("12#a1b2c3@1/3 [med]|x", true),
            ("+12#a1b2c3 [high]|x", true), // from a diff
            (" 12#a1b2c3 [high]|x", true),
            ("12#a1b2c3|x", true),
            ("| a | b |", false),
            ("a1b2c3 [high]|x", false), // no reading shows it so
            ("12#a1b2c3 [best]|x", false),
            ("12#a1b2c3 [high] x", false),
            ("let a = b[1];", false),
            ("", false),
        ] {
            assert_eq!(is_prefixed(line), yes, "{line}");
        }
    }
}

//! Which stretches of a text's lines stand in it more than once.
//!
//! Promises time that grows with the text alone (times two logarithms), however many stretches are asked for.

use std::collections::HashMap;
use std::ops::Range;

/// The places of a text's lines, ordered by what stands from there on: equal stretches are neighbours.
pub(super) struct Repeats {
    /// Each line's text as a number; equal lines have the same.
    names: Vec<usize>,
    /// Every place, from 0, in order.
    order: Vec<usize>,
    /// Where in `order` each place is.
    position: Vec<usize>,
}

impl Repeats {
    /// For stretches of at most so many lines.
    pub(super) fn up_to<'a>(longest: usize, lines: impl Iterator<Item = &'a [u8]>) -> Repeats {
        let mut known = HashMap::new();
        let names: Vec<usize> = lines
            .map(|line| {
                let next = known.len();
                *known.entry(line).or_insert(next)
            })
            .collect();
        // Ordered by one line first, then by twice as many each time.
        let mut rank = names.clone();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|at| rank.get(*at));
        let mut width = 1;
        while width < longest {
            let key = |at: &usize| (rank.get(*at), rank.get(at.saturating_add(width)));
            order.sort_by_key(key);
            let mut ranked = vec![0; rank.len()];
            let mut next = 0;
            for pair in order.windows(2) {
                let [one, other] = pair else { continue };
                next += usize::from(key(one) != key(other));
                if let Some(place) = ranked.get_mut(*other) {
                    *place = next;
                }
            }
            rank = ranked;
            width = width.saturating_mul(2);
        }
        let mut position = vec![0; order.len()];
        for (at, place) in order.iter().enumerate() {
            if let Some(position) = position.get_mut(*place) {
                *position = at;
            }
        }
        Repeats { names, order, position }
    }

    /// Where else the same lines stand, at most so many places of them, from top to bottom.
    pub(super) fn elsewhere(&self, span: &Range<usize>, most: usize) -> Vec<usize> {
        let Some(position) = self.position.get(span.start) else { return Vec::new() };
        let (before, after) = self.order.split_at(*position);
        let same = |start: &&usize| self.stretch(**start, span.len()) == self.stretch(span.start, span.len());
        let near = before.iter().rev().take_while(same);
        let mut found: Vec<usize> = near.chain(after.iter().skip(1).take_while(same)).take(most).copied().collect();
        found.sort_unstable();
        found
    }

    fn stretch(&self, start: usize, count: usize) -> Option<&[usize]> {
        self.names.get(start..start.checked_add(count)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(text: &str, longest: usize) -> Repeats {
        Repeats::up_to(longest, text.as_bytes().chunks(1))
    }

    #[test]
    fn the_same_lines_elsewhere() {
        for (text, span, want) in [
            ("abc", 1..2, vec![]),
            ("abab", 0..1, vec![2]),
            ("abab", 0..2, vec![2]),
            ("abab", 1..3, vec![]),
            ("abac", 0..2, vec![]),
            ("aaaa", 1..3, vec![0, 2]),
            ("abcabd", 3..6, vec![]),
        ] {
            assert_eq!(of(text, 3).elsewhere(&span, 9), want, "{text} {span:?}");
        }
        assert_eq!(of("aaaaaaaa", 1).elsewhere(&(4..5), 3).len(), 3);
    }

    proptest! {
        #[test]
        fn as_if_compared_one_by_one(text in "[ab]{1,24}", start in 0..24_usize, count in 1..8_usize, spare in 0..4_usize) {
            prop_assume!(start + count <= text.len());
            let want: Vec<usize> = (0..=text.len() - count)
                .filter(|at| *at != start && text.get(*at..at + count) == text.get(start..start + count))
                .collect();
            prop_assert_eq!(of(&text, count + spare).elsewhere(&(start..start + count), 99), want);
        }
    }
}

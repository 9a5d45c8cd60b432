//! Exact matching, byte for byte.
//!
//! Promises to tell none, one and many apart and never to choose among many; linear time, also
//! on text that repeats itself. Newlines are the caller's: match on a view with `\n` alone.

use std::ops::Range;

use memchr::memmem::Finder;

/// Bytes to look for. Never empty: nothing is found everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needle<'a>(&'a [u8]);

impl<'a> Needle<'a> {
    /// `None` for no bytes.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        (!bytes.is_empty()).then_some(Self(bytes))
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is not there.
    Nowhere,
    /// It is there once.
    Once(Range<usize>),
    /// It is there more than once. The starts are in order; where occurrences overlap, the
    /// first overlap is shown and after that only disjoint ones.
    Many(Vec<usize>),
}

/// Looks for the one place of a needle. Occurrences that overlap are as many candidates.
///
/// ```
/// use patchwright_core::locate::{find, Found, Needle};
/// let needle = Needle::new(b"aa").unwrap();
/// assert_eq!(find(b"baab", needle), Found::Once(1..3));
/// assert_eq!(find(b"aaa", needle), Found::Many(vec![0, 1]));
/// ```
pub fn find(haystack: &[u8], needle: Needle<'_>) -> Found {
    let starts = candidates(haystack, needle).starts;
    match starts[..] {
        [] => Found::Nowhere,
        [at] => Found::Once(at..at.saturating_add(needle.0.len())),
        _ => Found::Many(starts),
    }
}

/// So many occurrences are told at most: a list of more would be larger than any file should make it.
pub const MOST: usize = 1_000_000;

/// Every occurrence, for replacing all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum All {
    /// They do not touch each other's bytes; empty if there is none.
    Disjoint(Vec<Range<usize>>),
    /// More than [`MOST`]: they are not told one by one.
    TooMany {
        /// How many there are.
        count: usize,
        /// The first [`MOST`] of them.
        starts: Vec<usize>,
    },
    /// Some overlap, so that "all" has more than one reading.
    SelfOverlapping {
        /// As in [`Found::Many`].
        starts: Vec<usize>,
    },
}

/// Looks for all places of a needle.
pub fn find_all(haystack: &[u8], needle: Needle<'_>) -> All {
    let Candidates { starts, count, overlap } = candidates(haystack, needle);
    if overlap {
        return All::SelfOverlapping { starts };
    }
    if count > MOST {
        return All::TooMany { count, starts };
    }
    All::Disjoint(starts.into_iter().map(|at| at..at.saturating_add(needle.0.len())).collect())
}

struct Candidates {
    /// The first [`MOST`].
    starts: Vec<usize>,
    count: usize,
    overlap: bool,
}

fn candidates(haystack: &[u8], needle: Needle<'_>) -> Candidates {
    let finder = Finder::new(needle.0);
    let len = needle.0.len();
    let mut found = Candidates { starts: Vec::new(), count: 0, overlap: false };
    let (mut from, mut last) = (0, None);
    while let Some(at) = haystack.get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at) {
        found.overlap |= last.is_some_and(|last| at - last < len);
        last = Some(at);
        found.count += 1;
        if found.count <= MOST {
            found.starts.push(at);
        }
        // One byte on, a needle that repeats itself could be found at every byte, at the cost
        // of its length each time. One overlap is proof enough.
        from = if found.overlap { at + len } else { at + 1 };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(haystack: &str, needle: &str, want: Found, disjoint: Option<&[usize]>) {
        let needle = Needle::new(needle.as_bytes()).unwrap();
        assert_eq!(find(haystack.as_bytes(), needle), want, "{haystack:?}");
        let all = match find_all(haystack.as_bytes(), needle) {
            All::Disjoint(ranges) => Some(ranges.iter().map(|range| range.start).collect::<Vec<_>>()),
            All::SelfOverlapping { .. } | All::TooMany { .. } => None,
        };
        assert_eq!(all.as_deref(), disjoint, "{haystack:?}");
    }

    #[test]
    fn none_one_and_many() {
        check("", "a", Found::Nowhere, Some(&[]));
        check("abc", "abcd", Found::Nowhere, Some(&[]));
        check("xabx", "ab", Found::Once(1..3), Some(&[1]));
        check("abab", "ab", Found::Many(vec![0, 2]), Some(&[0, 2]));
        check("aaa", "aa", Found::Many(vec![0, 1]), None);
        check("aaaaa", "aa", Found::Many(vec![0, 1, 3]), None); // the overlap, then disjoint ones
        check("aba_ababa", "aba", Found::Many(vec![0, 4, 6]), None);
        check("a\nb\na\n", "a\n", Found::Many(vec![0, 4]), Some(&[0, 4]));
        assert_eq!(Needle::new(b""), None);
    }

    #[test]
    fn a_list_of_places_has_an_end() {
        let haystack = vec![b'a'; MOST + 2];
        let needle = Needle::new(b"a").unwrap();
        let many = find_all(&haystack, needle);
        assert!(matches!(many, All::TooMany { count, starts } if count == MOST + 2 && starts.len() == MOST));
        assert!(matches!(find_all(&haystack[..MOST], needle), All::Disjoint(ranges) if ranges.len() == MOST));
    }

    #[test]
    fn repeats_stay_linear() {
        let haystack = vec![b'a'; 1 << 22];
        let needle = Needle::new(&haystack[..1 << 21]).unwrap();
        assert_eq!(find(&haystack, needle), Found::Many(vec![0, 1]));
    }

    proptest! {
        #[test]
        fn agrees_with_looking_everywhere(haystack in "[ab]{0,24}", needle in "[ab]{1,4}") {
            let everywhere: Vec<usize> =
                (0..haystack.len()).filter(|&at| haystack[at..].starts_with(&needle)).collect();
            let overlap = everywhere.windows(2).any(|pair| pair[1] - pair[0] < needle.len());
            let sought = Needle::new(needle.as_bytes()).unwrap();
            match find(haystack.as_bytes(), sought) {
                Found::Nowhere => prop_assert!(everywhere.is_empty()),
                Found::Once(range) => prop_assert_eq!(everywhere, vec![range.start]),
                Found::Many(starts) => {
                    prop_assert!(starts.len() > 1 && starts.iter().all(|at| everywhere.contains(at)));
                    prop_assert!(overlap || starts == everywhere);
                }
            }
            prop_assert_eq!(matches!(find_all(haystack.as_bytes(), sought), All::SelfOverlapping { .. }), overlap);
        }
    }
}

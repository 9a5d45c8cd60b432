//! How much there is of something, in few letters: counts, sizes, and the beginnings of long texts.

use patchwright_core::digest::{Digest, DigestPrefix};
use patchwright_core::outcome::Holds;

/// Of changed lines, and of what a refusal points at, no more than this many bytes are shown.
pub(super) const SHOWN: usize = 2 << 10;

pub(super) fn many(count: usize, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {more}") }
}

/// A size, in as few letters as will do.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        // One digit behind the point, rounded down.
        Some((unit, name)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} B"),
    }
}

/// Whole lines of a text up to so many bytes, and how many lines are left out. Of a longer first line comes its beginning.
pub(super) fn head(text: &str, most: usize) -> (&str, usize) {
    if text.len() <= most {
        return (text, 0);
    }
    let room = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = text.get(..room).and_then(|head| head.rfind('\n')).map_or(room, |at| at.saturating_add(1));
    let (head, rest) = text.split_at(end);
    (head, rest.lines().count())
}

/// So many digits of a hash are told.
const DIGITS: usize = DigestPrefix::LEAST;

/// The beginning of a hash, which is enough to give it back.
pub(super) fn short(digest: Digest) -> String {
    digest.to_string().chars().take(DIGITS).collect()
}

/// How much a folder holds.
pub(super) fn held(holds: Holds) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    format!("{} in {}", many(count(holds.files), "file", "files"), many(count(holds.folders), "folder", "folders"))
}

/// The diffs of all files up to a limit, each with whether it was cut before; then that there is more, and where.
pub(super) fn diffs<'a>(diffs: impl Iterator<Item = (&'a str, bool)>, most: usize, rest: &str) -> String {
    let (mut all, mut cut) = (String::new(), false);
    for (diff, was_cut) in diffs {
        all.push_str(diff);
        cut |= was_cut;
    }
    match (head(&all, most), cut) {
        ((diff, 0), false) => diff.to_owned(),
        ((diff, more), false) => format!("{diff}… {} of the diff{rest}\n", many(more, "more line", "more lines")),
        ((diff, _), true) => format!("{diff}… there is more of the diff{rest}\n"),
    }
}

/// `line 3`, `lines 3-5`
pub(super) fn range(first: usize, count: usize) -> String {
    if count == 1 { format!("line {first}") } else { format!("lines {first}-{}", last(first, count)) }
}

/// The last of so many lines.
pub(super) fn last(first: usize, count: usize) -> usize {
    first.saturating_add(count).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (bytes, want) in [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (4200, "4.1 KB"), (3 << 20, "3.0 MB")] {
            assert_eq!(size(bytes), want);
        }
    }

    #[test]
    fn heads() {
        for (text, most, want) in [
            ("a\nb\nc\n", 6, ("a\nb\nc\n", 0)),
            ("a\nb\nc\n", 5, ("a\nb\n", 1)),
            ("a\nb\nc", 4, ("a\nb\n", 1)),
            ("long line\nb\n", 3, ("lon", 2)),
            ("ééé\nb\n", 3, ("é", 2)),
            ("", 0, ("", 0)),
        ] {
            assert_eq!(head(text, most), want, "{text:?}");
        }
    }
}

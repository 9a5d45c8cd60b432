//! Names that a caller may have meant: close spellings of a path that is not there.

use crate::session::Session;
use patchwright_core::fold::fold;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_store::disk::Disk;

/// At most so many are named.
const SHOWN: usize = 3;
/// Folders with more names than this are not gone through.
const MOST_NAMES: usize = 5_000;

/// Paths in the same folder whose names are close, best first.
pub(crate) fn alike(session: &Session, path: &RelPath) -> Vec<String> {
    let Ok(dir) = session.workspace.disk.folder(&path.parent()) else { return Vec::new() };
    let names = session.workspace.disk.names(&dir).unwrap_or_default();
    if names.len() > MOST_NAMES {
        return Vec::new();
    }
    let wanted = fold(path.name());
    let mut close: Vec<(usize, String)> = names
        .iter()
        // A name with a line break in it could pass for a sentence of the refusal.
        .filter(|name| !name.chars().any(char::is_control))
        .filter_map(|name| {
            let distance = close(&wanted, &fold(name))?;
            let there = path.parent().join(name).filter(|there| there != path)?;
            let seen = session.workspace.policy.check(&there, Access::Read).is_ok();
            seen.then(|| (distance, there.to_string()))
        })
        .collect();
    close.sort();
    close.into_iter().take(SHOWN).map(|(_, path)| path).collect()
}

/// How far apart two names are, if one may be meant by the other: the same but for what stands behind the dot, or a few
/// letters of the rest.
fn close(wanted: &str, name: &str) -> Option<usize> {
    let parts = |name: &str| match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => (stem.to_owned(), end.to_owned()),
        _ => (name.to_owned(), String::new()),
    };
    let ((stem, end), (other, other_end)) = (parts(wanted), parts(name));
    let most = |name: &str| (name.chars().count() / 3).max(1);
    match (stem == other, end == other_end) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, true) if swapped(&stem, &other) => Some(1),
        (false, true) => distance(&stem, &other, most(&stem)).filter(|_| stem.chars().count() > 1),
        (false, false) => distance(wanted, name, 1),
    }
}

/// Do two neighbouring letters stand the other way round, and nothing else differs?
fn swapped(one: &str, two: &str) -> bool {
    let differ: Vec<(usize, (char, char))> =
        one.chars().zip(two.chars()).enumerate().filter(|(_, (one, two))| one != two).collect();
    one.chars().count() == two.chars().count()
        && matches!(differ[..], [(at, (a, b)), (next, (c, d))] if next == at + 1 && a == d && b == c)
}

/// How many letters differ, if no more than `most` do.
fn distance(one: &str, two: &str, most: usize) -> Option<usize> {
    let two: Vec<char> = two.chars().collect();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut corner = at;
        let mut left = at + 1;
        let mut next = vec![left];
        for (above, other) in row.iter().skip(1).zip(&two) {
            let best = (corner + usize::from(letter != *other)).min(left + 1).min(above + 1);
            corner = *above;
            left = best;
            next.push(best);
        }
        if next.iter().all(|cost| *cost > most) {
            return None;
        }
        row = next;
    }
    row.last().copied().filter(|cost| *cost <= most)
}

#[cfg(test)]
mod tests {
    use super::{close, distance};

    #[test]
    fn names_that_may_be_meant() {
        for (wanted, name, want) in [
            ("mian.rs", "main.rs", Some(1)),
            ("srx", "src", Some(1)),
            ("config.yml", "config.yaml", Some(1)),
            ("readme", "readme.md", Some(1)),
            ("settings.json", "setings.json", Some(1)),
            ("lat.txt", "have.txt", None),
            ("a.txt", "b.txt", None),
            ("a.txt", "n.txt", None),
            ("old.txt", "new.txt", None),
            (".env", ".git", None),
        ] {
            assert_eq!(close(wanted, name), want, "{wanted} {name}");
        }
    }

    #[test]
    fn letters_that_differ() {
        for (one, two, most, want) in [
            ("main.rs", "main.rs", 3, Some(0)),
            ("main.rs", "mian.rs", 3, Some(2)),
            ("main.rs", "lib.rs", 1, None),
            ("", "ab", 2, Some(2)),
            ("readme", "readme.md", 3, Some(3)),
        ] {
            assert_eq!(distance(one, two, most), want, "{one} {two}");
        }
    }
}

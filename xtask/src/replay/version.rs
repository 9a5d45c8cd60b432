//! Names of packages with their versions, and the order of versions.

use std::cmp::Ordering;

/// A version: numbers, then the words of a pre-release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    numbers: Vec<u64>,
    early: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Number(u64),
    Text(String),
}

/// Tells a package's name from its version: `some-name-1.2.3-rc.1`.
pub(super) fn split(stem: &str) -> Option<(&str, Version)> {
    stem.match_indices('-').find_map(|(at, _)| {
        let version = Version::parse(stem.get(at.checked_add(1)?..)?)?;
        Some((stem.get(..at)?, version))
    })
}

impl Version {
    /// Reads a version that has at least two numbers. What follows a `+` does not count.
    fn parse(text: &str) -> Option<Version> {
        let text = text.split_once('+').map_or(text, |(version, _)| version);
        let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
        let (release, early) = (text.get(..digits)?.trim_end_matches('.'), text.get(digits..)?);
        let numbers: Vec<u64> = release.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        if numbers.len() < 2 {
            return None;
        }
        let words = early.split(['-', '.']).filter(|word| !word.is_empty());
        let word = |word: &str| word.parse().map_or_else(|_| Word::Text(word.to_owned()), Word::Number);
        Some(Version { numbers, early: words.map(word).collect() })
    }
}

impl Ord for Version {
    /// By numbers; a pre-release comes before what it leads up to.
    fn cmp(&self, other: &Version) -> Ordering {
        let late = |version: &Version| version.early.is_empty();
        let early = late(self).cmp(&late(other)).then_with(|| self.early.cmp(&other.early));
        self.numbers.cmp(&other.numbers).then(early)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stem: &str, name: Option<&str>) {
        assert_eq!(split(stem).map(|(name, _)| name), name, "{stem}");
    }

    #[test]
    fn names() {
        check("serde-1.0.0", Some("serde"));
        check("sha-1-0.10.0", Some("sha-1"));
        check("x-y-0.1.0-alpha.2", Some("x-y"));
        check("z-2.0b1", Some("z"));
        check("a-1.2.3+4.5", Some("a"));
        check("a", None);
        check("a-b", None);
        check("a-1", None);
    }

    #[test]
    fn order() {
        let rising = [
            "0.9",
            "0.10.0-alpha",
            "0.10.0-alpha.2",
            "0.10.0-alpha.10",
            "0.10.0-beta",
            "0.10.0",
            "1.0rc1",
            "1.0",
            "1.0.1",
        ];
        let versions: Vec<Version> = rising.iter().map(|text| Version::parse(text).unwrap()).collect();
        assert!(versions.is_sorted_by(|one, two| one < two), "{versions:?}");
    }
}

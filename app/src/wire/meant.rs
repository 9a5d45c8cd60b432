//! Which known name a wrong one was probably meant to be. Only ever a suggestion: nothing is taken for it.

/// Names that other tools use for the same thing, in folded form.
const ALIASES: &[(&str, &str)] = &[
    ("oldstring", "oldText"),
    ("oldstr", "oldText"),
    ("search", "oldText"),
    ("find", "oldText"),
    ("old", "oldText"),
    ("new", "newText"),
    ("expectedreplacements", "expectedOccurrences"),
    ("newstring", "newText"),
    ("newstr", "newText"),
    ("replace", "newText"),
    ("replacement", "newText"),
    ("file", "path"),
    ("filepath", "path"),
    ("filename", "path"),
    ("directory", "path"),
    ("folder", "path"),
    ("target", "path"),
    ("text", "content"),
    ("filetext", "content"),
    ("newcontent", "content"),
    ("body", "content"),
    ("data", "content"),
    ("source", "fromPath"),
    ("src", "fromPath"),
    ("from", "fromPath"),
    ("oldpath", "fromPath"),
    ("destination", "toPath"),
    ("dest", "toPath"),
    ("to", "toPath"),
    ("newpath", "toPath"),
    ("patchtext", "patch"),
    ("diff", "patch"),
    ("anchor", "hash"),
    ("edits", "operations"),
    ("include", "includeGlobs"),
    ("includes", "includeGlobs"),
    ("glob", "includeGlobs"),
    ("exclude", "excludeGlobs"),
    ("excludes", "excludeGlobs"),
    ("pattern", "query"),
    ("regex", "query"),
    ("query", "pattern"),
    ("limit", "maxResults"),
    ("offset", "startLine"),
    ("id", "trashId"),
    ("trash", "trashId"),
    ("batch", "batchId"),
    ("preview", "dryRun"),
    ("dry", "dryRun"),
    ("simulate", "dryRun"),
    ("path", "root"),
    ("label", "batchLabel"),
    ("label", "fileLabel"),
    ("encodingbypath", "encoding"),
    ("folder", "root"),
    ("directory", "root"),
    ("expectedsha", "expectedSha256"),
    ("hash", "expectedSha256"),
    ("sha256", "expectedSha256"),
    ("expectedlines", "expectedOriginalLines"),
    ("mkdir", "createParentDirectories"),
    ("parents", "createParentDirectories"),
    ("createparents", "createParentDirectories"),
    ("createdirs", "createParentDirectories"),
    ("createdirectories", "createParentDirectories"),
    ("makeparents", "createParentDirectories"),
    ("listfiles", "list_directory"),
    ("ls", "list_directory"),
    ("grep", "search_files"),
    ("cat", "read_file"),
    ("rename", "move_file"),
    ("rm", "delete_file"),
    ("strreplace", "edit_file"),
];

/// How far apart two names of one thing are.
const ALIAS: usize = 20;

/// The known name that is most like `name`, if one is like it at all.
///
/// ```
/// use patchwright_app::wire::closest;
/// let known = ["path", "expectedSha256"];
/// assert_eq!(closest("expected_sha_256", known.into_iter()), Some("expectedSha256"));
/// assert_eq!(closest("colour", known.into_iter()), None);
/// ```
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    best(name, known, usize::MAX)
}

/// The same, where the name is mistyped or one that other tools use; a name that is only part of another says too little.
pub(super) fn slip<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    best(name, known, ALIAS)
}

fn best<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Option<&'a str> {
    let name = fold(name);
    // Nobody mistypes a name of this length, and comparing costs its square.
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let mut best: Option<(usize, &'a str)> = None;
    let mut rivals = false;
    for known in known {
        let Some(score) = score(&name, known).filter(|score| *score <= most) else { continue };
        match best {
            Some((least, _)) if least < score => {}
            Some((least, other)) if least == score => rivals |= other != known,
            _ => (best, rivals) = (Some((score, known)), false),
        }
    }
    // Of two that are equally alike neither is clearly meant.
    best.filter(|_| !rivals).map(|(_, known)| known)
}

/// Names that look alike and say the opposite.
const OPPOSITES: &[(&str, &str)] = &[("caseinsensitive", "caseSensitive")];

/// Lower is more alike.
fn score(name: &str, known: &str) -> Option<usize> {
    if OPPOSITES.contains(&(name, known)) {
        return None;
    }
    let folded = fold(known);
    let distance = distance(name.as_bytes(), folded.as_bytes());
    if distance == 0 || is_slip(name, &folded, distance) {
        return Some(distance);
    }
    if ALIASES.contains(&(name, known)) {
        return Some(ALIAS);
    }
    let begins = folded.starts_with(name) || name.starts_with(&folded);
    let part = folded.len().min(name.len()) >= 4 && (folded.contains(name) || name.contains(&folded));
    part.then_some(if begins { 30 } else { 31 })
}

/// Does a name look mistyped? In a short one a letter too many or too few, or two that changed places; with another
/// letter it is mostly another word, as `context` for `content`, unless it is a vowel that only sounds alike.
fn is_slip(name: &str, known: &str, distance: usize) -> bool {
    match name.len().min(known.len()) {
        0..=2 => false,
        3..=7 => distance == 1 && name.len() != known.len() || is_alike(name.as_bytes(), known.as_bytes()),
        more => distance <= more / 4,
    }
}

/// Do two neighbouring letters stand the other way round, or is one vowel another, and nothing else?
fn is_alike(name: &[u8], known: &[u8]) -> bool {
    let pairs = || name.iter().zip(known).enumerate().filter(|(_, (one, two))| one != two);
    let differ: Vec<(usize, (&u8, &u8))> = pairs().collect();
    let vowel = |letter: &u8| b"aeiouy".contains(letter);
    name.len() == known.len()
        && match differ[..] {
            [(_, (one, two))] => vowel(one) && vowel(two),
            [(at, one), (next, two)] => next == at + 1 && one == (two.1, two.0),
            _ => false,
        }
}

/// Without capitals and joints, so that `file_path` and `filePath` are one.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Letters to put in, take out or change.
fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, a) in left.iter().enumerate() {
        let mut diagonal = at;
        let mut before = at + 1;
        for (b, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let changed = diagonal + usize::from(a != b);
            diagonal = *cell;
            before = changed.min(before + 1).min(*cell + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or(left.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &[
        "path",
        "content",
        "expectedSha256",
        "startLine",
        "endLine",
        "maxBytes",
        "oldText",
        "newText",
        "fromPath",
        "toPath",
    ];

    #[test]
    fn suggestions() {
        for (name, want) in [
            ("pth", Some("path")),
            ("Path", Some("path")),
            ("file_path", Some("path")),
            ("old_string", Some("oldText")),
            ("newtext", Some("newText")),
            ("expectedSha", Some("expectedSha256")),
            ("expected_sha256", Some("expectedSha256")),
            ("start", Some("startLine")),
            ("end_line", Some("endLine")),
            ("destination", Some("toPath")),
            ("colour", None),
            ("hash", Some("expectedSha256")),
            // Another word, or one of two.
            ("bath", None),
            ("ptah", Some("path")),
            ("peth", Some("path")),
            ("paths", Some("path")),
            ("math.h", None),
            ("line", None),
            ("context", None),
            ("boldText", Some("oldText")),
            ("p", None),
            ("", None),
            ("___", None),
        ] {
            assert_eq!(closest(name, KNOWN.iter().copied()), want, "{name}");
        }
        assert_eq!(closest(&"path".repeat(1_000_000), KNOWN.iter().copied()), None);
    }

    #[test]
    fn a_part_of_a_name_is_no_slip() {
        let known = ["expectedOccurrences", "batchId", "content", "dryRun", "oldText", "was"];
        for (name, want) in [
            ("occurrence", None),
            ("contentBase64", None),
            ("expected", None),
            ("old", Some("oldText")),
            ("batch", Some("batchId")),
            ("contents", Some("content")),
            ("preview", Some("dryRun")),
            ("old_text", Some("oldText")),
        ] {
            assert_eq!(slip(name, known.into_iter()), want, "{name}");
        }
    }

    #[test]
    fn distances() {
        for (left, right, want) in
            [("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("abc", "abc", 0)]
        {
            assert_eq!(distance(left.as_bytes(), right.as_bytes()), want, "{left} {right}");
        }
    }
}

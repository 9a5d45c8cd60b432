//! Which known name a wrong one was probably meant to be. Only ever a suggestion: nothing is taken for it.

/// Names that other tools use for the same thing, in folded form.
const ALIASES: &[(&str, &str)] = &[
    ("oldstring", "oldText"),
    ("oldstr", "oldText"),
    ("search", "oldText"),
    ("newstring", "newText"),
    ("newstr", "newText"),
    ("replace", "newText"),
    ("replacement", "newText"),
    ("file", "path"),
    ("filename", "path"),
    ("directory", "path"),
    ("folder", "path"),
    ("target", "path"),
    ("text", "content"),
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
    ("pattern", "query"),
    ("regex", "query"),
    ("query", "pattern"),
    ("limit", "maxResults"),
    ("offset", "startLine"),
    ("id", "trashId"),
    ("hash", "expectedSha256"),
    ("sha256", "expectedSha256"),
    ("mkdir", "createParentDirectories"),
    ("parents", "createParentDirectories"),
    ("listfiles", "list_directory"),
    ("ls", "list_directory"),
    ("grep", "search_files"),
    ("cat", "read_file"),
    ("rename", "move_file"),
    ("rm", "delete_file"),
    ("strreplace", "edit_file"),
];

/// The known name that is most like `name`, if one is like it at all.
///
/// ```
/// use patchwright_app::wire::closest;
/// let known = ["path", "expectedSha256"];
/// assert_eq!(closest("expected_sha_256", known.into_iter()), Some("expectedSha256"));
/// assert_eq!(closest("colour", known.into_iter()), None);
/// ```
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = fold(name);
    // Nobody mistypes a name of this length, and comparing costs its square.
    if name.is_empty() || name.len() > 64 {
        return None;
    }
    let scored = known.filter_map(|known| score(&name, known).map(|score| (score, known)));
    scored.min_by_key(|(score, _)| *score).map(|(_, known)| known)
}

/// Lower is more alike.
fn score(name: &str, known: &str) -> Option<usize> {
    let folded = fold(known);
    let distance = distance(name.as_bytes(), folded.as_bytes());
    if distance <= folded.len().max(3) / 3 {
        return Some(distance);
    }
    if ALIASES.contains(&(name, known)) {
        return Some(20);
    }
    let part = folded.len().min(name.len()) >= 4 && (folded.contains(name) || name.contains(&folded));
    part.then_some(30 + distance)
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
            ("", None),
            ("___", None),
        ] {
            assert_eq!(closest(name, KNOWN.iter().copied()), want, "{name}");
        }
        assert_eq!(closest(&"path".repeat(1_000_000), KNOWN.iter().copied()), None);
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

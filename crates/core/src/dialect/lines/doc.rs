//! `docPath`s: workspace paths in lower case.
//!
//! Promises one lower case for names on disk and for `docPath`s, whatever stands around a letter. Leaves looking
//! for the files to the engine.

/// A name in lower case. Letter by letter: what stands around a letter has no say, so that a name and the path
/// that it is part of agree.
///
/// ```
/// use patchwright_core::dialect::lines::lowered;
/// assert_eq!(lowered("Src/README.md"), "src/readme.md");
/// assert_eq!(lowered("ΟΔΟΣ"), lowered("οδος"));
/// ```
pub fn lowered(name: &str) -> String {
    // The sigma at the end of a word is the lower case of the same capital.
    name.chars().flat_map(char::to_lowercase).map(|letter| if letter == 'ς' { 'σ' } else { letter }).collect()
}

/// Is this in lower case already?
pub fn is_lower(doc_path: &str) -> bool {
    doc_path.chars().all(|letter| letter.to_lowercase().eq([letter]))
}

/// The rest of a `docPath` that begins with the workspace's own name.
///
/// ```
/// use patchwright_core::dialect::lines::without_root;
/// assert_eq!(without_root("myrepo/src/a.rs", "MyRepo"), Some("src/a.rs"));
/// assert_eq!(without_root("myrepo2/a.rs", "MyRepo"), None);
/// ```
pub fn without_root<'a>(doc_path: &'a str, root: &str) -> Option<&'a str> {
    let (first, rest) = doc_path.split_once('/')?;
    (!rest.is_empty() && lowered(first) == lowered(root)).then_some(rest)
}

/// Does a `docPath` mean this path by its spelling, by itself or under some workspace's name?
///
/// ```
/// use patchwright_core::dialect::lines::is_doc_of;
/// assert!(is_doc_of("src/a.rs", "Src/A.rs") && is_doc_of("myrepo/src/a.rs", "Src/A.rs"));
/// assert!(!is_doc_of("a.rs", "Src/A.rs"));
/// ```
pub fn is_doc_of(doc_path: &str, path: &str) -> bool {
    let lower = lowered(path);
    doc_path == lower || doc_path.split_once('/').is_some_and(|(_, rest)| rest == lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lower_case() {
        for (name, want) in
            [("a/b-1.txt", true), ("A", false), ("a/B", false), ("ß", true), ("Ä", false), ("ä", true), ("ς", true)]
        {
            assert_eq!(is_lower(name), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn what_was_lowered_is_lower(name in ".*") {
            let low = lowered(&name);
            prop_assert!(is_lower(&low) || low.chars().any(|letter| letter.is_uppercase()), "{}", low);
            prop_assert_eq!(lowered(&low), low.clone());
        }
    }
}

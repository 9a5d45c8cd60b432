//! Words of a command line, quoted where a shell would take them apart.

/// A word as a POSIX shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |ch: char| ch.is_ascii_alphanumeric() || "_-./:@%+=,".contains(ch);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (word, want) in [
            ("src/a.rs", "src/a.rs"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("*.rs", "'*.rs'"),
            ("naïve", "'naïve'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}

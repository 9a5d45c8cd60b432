//! What we build on: licences, banned crates and sources, checked offline from `cargo metadata`.
//!
//! Every crate of the lock file counts, on every platform. Two versions of one crate are a note, no failure.

mod expression;

use crate::failure::Failure;
use crate::{run, say};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Licences that let everybody use the binary for anything.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that must not come in, not even through others, and why.
const BANNED: &[(&str, &str)] = &[
    ("openssl", "a C library with a long history of holes"),
    ("openssl-sys", "a C library with a long history of holes"),
    ("native-tls", "it brings openssl"),
    ("git2", "a C library; we read no repository"),
    ("libgit2-sys", "a C library; we read no repository"),
];

/// Cargo's name for the public registry, as it stands in every lock file.
const REGISTRY: &str = "crates.io-index";

/// Checks the workspace at `root`.
pub(crate) fn report(root: &Path) -> Result<(), Failure> {
    let metadata = run::metadata(root, &["--locked", "--all-features"])?;
    let empty = Vec::new();
    let packages = metadata.get("packages").and_then(Value::as_array).unwrap_or(&empty);
    for note in twice(packages) {
        say::line(&format!("note: {note}"));
    }
    let complaints: Vec<String> = packages.iter().flat_map(complaints).collect();
    say::line(&format!("{} crates looked at", packages.len()));
    if complaints.is_empty() && !packages.is_empty() {
        return Ok(());
    }
    Err(Failure::new(complaints.join("\n"), "use another crate, or argue for the licence in xtask/src/licences.rs"))
}

fn complaints(package: &Value) -> Vec<String> {
    let word = |key: &str| package.get(key).and_then(Value::as_str);
    let name = word("name").unwrap_or("a crate without a name");
    let mut found = Vec::new();
    match word("license") {
        None => found.push(format!("{name} states no licence")),
        Some(text) if !expression::permits(text, ALLOWED) => found.push(format!("{name} has the licence {text}")),
        Some(_) => {}
    }
    if let Some((_, why)) = BANNED.iter().find(|(banned, _)| *banned == name) {
        found.push(format!("{name} is banned: {why}"));
    }
    if let Some(source) =
        word("source").filter(|source| !source.starts_with("registry+") || !source.ends_with(REGISTRY))
    {
        found.push(format!("{name} comes from {source}, not from the public registry"));
    }
    found
}

fn twice(packages: &[Value]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        let word = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
        versions.entry(word("name")).or_default().push(word("version"));
    }
    versions.retain(|_, list| list.len() > 1);
    versions
        .iter()
        .map(|(name, list)| format!("{name} comes in {} versions: {}", list.len(), list.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const HOME: &str = "registry+https://example.invalid/crates.io-index";

    fn check(package: Value, words: &[&str]) {
        let found = complaints(&package);
        assert_eq!(found.len(), words.len(), "{found:?}");
        for (line, word) in found.iter().zip(words) {
            assert!(line.contains(word), "{line} lacks {word}");
        }
    }

    #[test]
    fn each_fault_is_named() {
        check(json!({"name": "a", "license": "MIT", "source": HOME}), &[]);
        check(json!({"name": "ours", "license": "MIT OR Apache-2.0", "source": null}), &[]);
        check(json!({"name": "a", "source": HOME}), &["no licence"]);
        check(json!({"name": "a", "license": "GPL-3.0-only", "source": HOME}), &["GPL-3.0-only"]);
        check(json!({"name": "openssl", "license": "Apache-2.0", "source": HOME}), &["banned"]);
        check(
            json!({"name": "a", "license": "MIT", "source": "git+https://example.invalid/a"}),
            &["not from the public registry"],
        );
        check(json!({"name": "git2", "license": "GPL-2.0", "source": "git+x"}), &["licence GPL", "banned", "not from"]);
    }

    #[test]
    fn two_versions_are_a_note() {
        let packages = [
            json!({"name": "a", "version": "1.0.0"}),
            json!({"name": "a", "version": "2.0.0"}),
            json!({"name": "b", "version": "1.0.0"}),
        ];
        assert_eq!(twice(&packages), ["a comes in 2 versions: 1.0.0, 2.0.0"]);
    }
}

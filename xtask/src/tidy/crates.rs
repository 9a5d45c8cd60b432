//! Which crates each crate of the workspace may lean on.
//!
//! The table below is the architecture: a new line under `[dependencies]` must be added here on purpose.
//! Test-only dependencies are free, and the test kit is nothing else.

use super::Complaint;
use super::tree::Tree;
use crate::failure::Failure;
use crate::run;
use serde_json::Value;

/// A crate, and everything it may name under `[dependencies]` and `[build-dependencies]`.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "patchwright-core",
        &[
            "encoding_rs",
            "globset",
            "memchr",
            "serde",
            "sha2",
            "similar",
            "stacker",
            "tree-sitter",
            "tree-sitter-bash",
            "tree-sitter-c",
            "tree-sitter-cpp",
            "tree-sitter-css",
            "tree-sitter-go",
            "tree-sitter-html",
            "tree-sitter-java",
            "tree-sitter-javascript",
            "tree-sitter-json",
            "tree-sitter-python",
            "tree-sitter-rust",
            "tree-sitter-toml-ng",
            "tree-sitter-typescript",
            "tree-sitter-yaml",
            "twox-hash",
            "unicode-normalization",
        ],
    ),
    (
        "patchwright-store",
        &[
            "patchwright-core",
            "crc32fast",
            "encoding_rs",
            "globset",
            "grep-matcher",
            "grep-regex",
            "grep-searcher",
            "hmac",
            "ignore",
            "landlock",
            "memchr",
            "regex-automata",
            "rmp-serde",
            "rusqlite",
            "rustix",
            "serde",
            "sha2",
        ],
    ),
    ("patchwright-engine", &["patchwright-core", "patchwright-store", "jiff", "uuid"]),
    ("patchwright-lib", &["patchwright-engine"]),
    (
        "patchwright",
        &[
            "patchwright-engine",
            "patchwright-core",
            "clap",
            "clap_complete",
            "jiff",
            "rmcp",
            "rustix",
            "serde",
            "serde_json",
            "signal-hook",
            "terminal_size",
            "tokio",
            "toml",
            "unicode-width",
        ],
    ),
    (
        "patchwright-testkit",
        &["patchwright-core", "patchwright-store", "rusqlite", "rustix", "serde_json", "tempfile", "tiktoken-rs"],
    ),
    (
        "patchwright-fuzz",
        &["patchwright", "patchwright-core", "patchwright-store", "patchwright-testkit", "serde_json"],
    ),
    ("xtask", &["patchwright-engine", "patchwright-testkit", "rustix", "serde_json", "similar", "tempfile"]),
];

const KIT: &str = "patchwright-testkit";
/// Crates that are themselves test means.
const TESTERS: &[&str] = &["patchwright-fuzz", "xtask"];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let metadata = run::metadata(tree.root(), &["--no-deps", "--offline"])?;
    let root = metadata.get("workspace_root").and_then(Value::as_str).unwrap_or_default();
    let packages = metadata.get("packages").and_then(Value::as_array);
    Ok(packages.into_iter().flatten().flat_map(|package| of_package(package, root)).collect())
}

/// The names of the workspace's crates and their folders.
pub(super) fn members(tree: &Tree) -> Result<Vec<String>, Failure> {
    let metadata = run::metadata(tree.root(), &["--no-deps", "--offline"])?;
    let root = metadata.get("workspace_root").and_then(Value::as_str).unwrap_or_default().to_owned();
    let packages = metadata.get("packages").and_then(Value::as_array);
    Ok(packages
        .into_iter()
        .flatten()
        .map(|package| manifest(package, &root).trim_end_matches("/Cargo.toml").to_owned())
        .collect())
}

fn of_package(package: &Value, root: &str) -> Vec<Complaint> {
    let file = manifest(package, root);
    let name = word(package, "name");
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![Complaint::about(
            &file,
            format!("the crate {name} is not in the table of xtask/src/tidy/crates.rs"),
        )];
    };
    let mut found = Vec::new();
    let dependencies = package.get("dependencies").and_then(Value::as_array);
    for dependency in dependencies.into_iter().flatten().filter(|one| word(one, "kind") != "dev") {
        let other = word(dependency, "name");
        if other == KIT && !TESTERS.contains(&name) {
            found.push(Complaint::about(&file, format!("{KIT} may only be a dev-dependency")));
        } else if !allowed.contains(&other) {
            found.push(Complaint::about(
                &file,
                format!("{name} must not lean on {other}, or it must be said in xtask/src/tidy/crates.rs"),
            ));
        }
    }
    found
}

fn manifest(package: &Value, root: &str) -> String {
    word(package, "manifest_path").trim_start_matches(root).trim_start_matches('/').to_owned()
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed {
        check,
        needs: |path| path.ends_with("Cargo.toml") || path.ends_with("/lib.rs") || path.ends_with("/main.rs"),
    };

    #[test]
    fn a_dependency_off_the_table_is_found() {
        let rows = [
            ("crates/core", "serde_json", "patchwright-core must not lean on serde_json"),
            ("crates/core", "patchwright-store", "patchwright-core must not lean on patchwright-store"),
            ("crates/store", "clap", "patchwright-store must not lean on clap"),
            ("crates/engine", "tokio", "patchwright-engine must not lean on tokio"),
            ("crates/lib", "patchwright-store", "patchwright-lib must not lean on patchwright-store"),
            ("app", "patchwright-store", "patchwright must not lean on patchwright-store"),
            ("app", KIT, "app/Cargo.toml: patchwright-testkit may only be a dev-dependency"),
        ];
        let rows = rows.map(|(folder, name, words)| {
            (format!("{folder}/Cargo.toml"), format!("[dependencies]\n{name}.workspace = true"), words)
        });
        let plants: Vec<Plant<'_>> =
            rows.iter().map(|(file, text, _)| Plant::Replace(file, "[dependencies]", text)).collect();
        expect(&BED, &plants, &rows.each_ref().map(|(_, _, words)| *words));
    }

    #[test]
    fn a_build_dependency_counts_and_a_test_dependency_does_not() {
        let build = "\n[build-dependencies]\nserde_json.workspace = true\n";
        expect(&BED, &[Plant::Append("crates/core/Cargo.toml", build)], &["must not lean on serde_json"]);
        let dev = "[dev-dependencies]\nserde_json.workspace = true";
        expect_none(&BED, &[Plant::Replace("crates/core/Cargo.toml", "[dev-dependencies]", dev)]);
    }

    #[test]
    fn a_crate_off_the_table_is_found() {
        let manifest = "[package]\nname = \"stray\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        let plants = [
            Plant::Write("crates/stray/Cargo.toml", manifest),
            Plant::Write("crates/stray/src/lib.rs", "//! Stray.\n"),
            Plant::Replace("Cargo.toml", "\"crates/core\"", "\"crates/core\", \"crates/stray\""),
        ];
        expect(&BED, &plants, &["the crate stray is not in the table"]);
    }
}

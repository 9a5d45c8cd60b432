//! The public items of the library, as a list that a change of them has to change, too.
//!
//! Read from the sources: what `lib.rs` exports, and the public functions, fields and conversions of every module. No
//! type of the crates below may be named in it.

use std::fmt::Write;
use std::fs;

const GOLDEN: &str = include_str!("public_items.txt");

#[test]
fn the_public_items_are_those_of_the_list() {
    let found = public_items();
    if std::env::var_os("PATCHWRIGHT_BLESS").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/library/public_items.txt"), &found).unwrap();
        return;
    }
    let differs = found.lines().zip(GOLDEN.lines()).find(|(now, listed)| now != listed);
    let advice = "if that is meant, run this test with PATCHWRIGHT_BLESS=1 and tell of it in CHANGELOG.md";
    assert_eq!(differs, None, "{advice}");
    assert_eq!(found.lines().count(), GOLDEN.lines().count(), "{advice}");
}

#[test]
fn no_type_of_the_engine_leaks() {
    for line in GOLDEN.lines() {
        for word in ["engine", "outcome", "core::", "Digest", "BatchName", "Trouble", "Failed", "Reply"] {
            assert!(!line.contains(word), "{line}");
        }
    }
}

/// One line for each public item.
fn public_items() -> String {
    let mut found = String::new();
    let mut files: Vec<_> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap().flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files.iter().filter(|file| file.path().extension().is_some_and(|ext| ext == "rs")) {
        let text = fs::read_to_string(file.path()).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap();
        writeln!(found, "{}", file.file_name().to_string_lossy()).unwrap();
        let mut lines = product.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if is_public(line) {
                let mut item = line.to_owned();
                while item.ends_with(['(', ',']) && item.contains("fn ") {
                    item.push_str(lines.next().unwrap());
                }
                writeln!(found, "    {}", item.trim_end_matches([' ', '{', ',', ';'])).unwrap();
            }
        }
    }
    found
}

/// Public, or a conversion: those are public whatever stands before them.
fn is_public(line: &str) -> bool {
    line.starts_with("pub ") || line.starts_with("impl From<")
}

//! `docs/bounds.md` says what the code says: every bound it names is a constant of that value.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reads the sources and breaks when it must"
)]

use std::fs;
use std::path::Path;

/// A row of the table: the value as it is written, the file and the constant.
fn rows(text: &str) -> Vec<(String, String, String)> {
    let cells = |line: &str| -> Vec<String> {
        line.split(" | ").map(|cell| cell.trim_matches(['|', ' ', '`']).to_owned()).collect()
    };
    let bounds = text.lines().filter(|line| line.starts_with("| ") && line.contains(".rs::"));
    let row = |line: &str| match cells(line).as_slice() {
        [_, value, _, place] => {
            let (file, name) = place.split_once("::").unwrap();
            (value.clone(), file.to_owned(), name.to_owned())
        }
        other => panic!("{other:?}"),
    };
    bounds.map(row).collect()
}

/// What a constant is set to in a source.
fn value<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let lines = source.lines().filter(|line| !line.starts_with(' ') && line.contains("const "));
    let (_, set) = lines.filter_map(|line| line.split_once(&format!("const {name}: "))).next()?;
    set.split_once(" = ").map(|(_, value)| value.trim_end_matches(';'))
}

#[test]
fn the_table_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let rows = rows(&fs::read_to_string(root.join("docs/bounds.md")).unwrap());
    assert!(rows.len() > 20, "{rows:?}");
    for (want, file, name) in rows {
        let source = fs::read_to_string(root.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(value(&source, &name), Some(want.as_str()), "{file}::{name}");
    }
}

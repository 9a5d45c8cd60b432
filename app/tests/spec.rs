//! The pages in `spec/` say what the code does: the list of kinds and the reference of tools.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that fails shall panic, and may read files"
)]

use patchwright_app::report::docs::tools_markdown;
use patchwright_core::refusal::Kind;
use std::path::PathBuf;

fn page(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../spec").join(name)
}

#[test]
fn errors_md_lists_every_kind() {
    let text = std::fs::read_to_string(page("errors.md")).unwrap();
    let rows: Vec<(&str, &str)> = text.lines().filter_map(row).collect();
    let want: Vec<(&str, &str)> = Kind::ALL.iter().map(|kind| (kind.name(), recoverable(*kind))).collect();
    assert_eq!(rows, want);
}

fn row(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
    let recoverable = rest.strip_suffix(" |")?.rsplit(" | ").next()?;
    Some((name, recoverable))
}

fn recoverable(kind: Kind) -> &'static str {
    match kind {
        Kind::CommandFailed => "depends",
        kind if kind.recoverable() => "yes",
        _ => "no",
    }
}

#[test]
fn tools_md_is_what_the_table_gives() {
    let want = tools_markdown();
    if std::env::var_os("UPDATE_SPEC").is_some() {
        std::fs::write(page("tools.md"), &want).unwrap();
    }
    let found = std::fs::read_to_string(page("tools.md")).unwrap();
    assert!(found == want, "spec/tools.md is out of date: UPDATE_SPEC=1 cargo test -p patchwright --test spec");
}

//! ARCHITECTURE.md against the tree: every path it names exists, and it names every crate.

use super::tree::Tree;
use super::{Complaint, crates, table};
use crate::failure::Failure;

const FILE: &str = "ARCHITECTURE.md";

/// What the product makes at run time; it is in no checkout.
const MADE_LATER: &[&str] = &[".patchwright", "target"];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    if !tree.has(FILE) {
        return Ok(vec![Complaint::about(FILE, "is missing: it tells a newcomer which room is where")]);
    }
    let text = tree.text(FILE)?;
    let mut found = absent_paths(tree, &text);
    for folder in crates::members(tree)? {
        if !text.contains(&format!("`{folder}`")) && !text.contains(&format!("`{folder}/")) {
            found.push(Complaint::about(FILE, format!("does not name the crate at `{folder}`")));
        }
    }
    Ok(found)
}

fn absent_paths(tree: &Tree, text: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    for (line, prose) in table::prose(text) {
        for span in table::spans(prose).into_iter().filter(|span| is_path(span)) {
            if !tree.has_file_or_folder(span) {
                found.push(Complaint::at(FILE, line, format!("names `{span}`, which does not exist")));
            }
        }
    }
    found
}

/// Code spans that look like a path of this project.
fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
    let file = [".rs", ".md", ".toml", ".json"].iter().any(|end| span.ends_with(end));
    let made = MADE_LATER.iter().any(|folder| span.starts_with(folder));
    plain && !made && !span.starts_with(['/', '-']) && (file || span.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed {
        check,
        needs: |path| {
            path == FILE || path.ends_with("Cargo.toml") || path.ends_with("/lib.rs") || path.ends_with("/main.rs")
        },
    };

    const WHOLE: &str =
        "# Rooms\n`crates/core` `crates/store` `crates/engine` `crates/lib` `app` `testkit` `fuzz` `xtask`\n";

    #[test]
    fn a_path_that_is_gone_is_found() {
        let whole = Plant::Write(FILE, WHOLE);
        expect(
            &BED,
            &[whole, Plant::Append(FILE, "see `crates/core/src/gone.rs`\n")],
            &[":3: names `crates/core/src/gone.rs`"],
        );
        expect(&BED, &[Plant::Write(FILE, WHOLE), Plant::Append(FILE, "see `crates/gone/`\n")], &["`crates/gone/`"]);
        let fine = "`crates/core/src/lib.rs` `crates/core/` `.patchwright/log` `a::b` `x <y>` `/proc/self`\n```\n`no/such`\n```\n";
        expect_none(&BED, &[Plant::Write(FILE, WHOLE), Plant::Append(FILE, fine)]);
    }

    #[test]
    fn a_crate_left_out_is_found() {
        expect(&BED, &[Plant::Write(FILE, &WHOLE.replace("`testkit` ", ""))], &["the crate at `testkit`"]);
    }

    #[test]
    fn spans_that_are_no_paths_are_passed_over() {
        for (span, expected) in [
            ("crates/core", true),
            ("lib.rs", true),
            ("Cargo.toml", true),
            ("core::plan", false),
            ("cargo xtask test", false),
            ("/proc/self", false),
            (".patchwright/log", false),
            ("app", false),
            ("0001-name/{before/}", false),
        ] {
            assert_eq!(is_path(span), expected, "{span}");
        }
    }
}

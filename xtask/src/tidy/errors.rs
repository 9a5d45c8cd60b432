//! The closed list of error kinds: the code's and the specification's must be the same.

use super::tree::Tree;
use super::{Complaint, table};
use crate::failure::Failure;
use std::collections::BTreeSet;

const CODE: &str = "crates/core/src/refusal.rs";
const SPEC: &str = "spec/errors.md";

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    for file in [CODE, SPEC] {
        if !tree.has(file) {
            return Ok(vec![Complaint::about(file, "is missing: it holds the list of error kinds")]);
        }
    }
    let (code, spec) = (in_code(&tree.text(CODE)?), in_spec(&tree.text(SPEC)?));
    if code.is_empty() {
        return Ok(vec![Complaint::about(CODE, "holds no `kinds!` list that tidy can read")]);
    }
    let unwritten =
        code.difference(&spec).map(|kind| Complaint::about(SPEC, format!("lacks the kind `{kind}` of the code")));
    let unknown = spec
        .difference(&code)
        .map(|kind| Complaint::about(SPEC, format!("has the kind `{kind}`, which the code does not know")));
    Ok(unwritten.chain(unknown).collect())
}

/// Lines such as `NotFound = "not_found", true;` inside `kinds! { … }`.
fn in_code(text: &str) -> BTreeSet<String> {
    let list = text.lines().skip_while(|line| !line.starts_with("kinds! {")).take_while(|line| !line.starts_with('}'));
    list.filter(|line| !line.trim_start().starts_with("//"))
        .filter_map(|line| line.split('"').nth(1))
        .map(str::to_owned)
        .collect()
}

/// Table rows whose first cell is one or more kinds in backticks.
fn in_spec(text: &str) -> BTreeSet<String> {
    let rows = table::rows(text);
    rows.iter().filter_map(|(_, cells)| cells.first()).flat_map(|cell| table::spans(cell)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path == CODE || path == SPEC };

    const NOT_FOUND: &str = "    NotFound = \"not_found\", true;\n";

    #[test]
    fn a_list_that_drifts_is_found() {
        let more = format!("{NOT_FOUND}    /// New.\n    Planted = \"planted_kind\", true;\n");
        let spec = Plant::Append(SPEC, "\n| kind | when |\n| --- | --- |\n| `planted_kind` | never |\n");
        expect(&BED, &[Plant::Replace(CODE, NOT_FOUND, &more)], &["lacks the kind `planted_kind`"]);
        expect(&BED, &[spec], &["has the kind `planted_kind`"]);
        expect(&BED, &[Plant::Replace(CODE, NOT_FOUND, "")], &["has the kind `not_found`"]);
        expect(&BED, &[Plant::Replace(CODE, "kinds! {\n", "other! {\n")], &["no `kinds!` list"]);
        expect(&BED, &[Plant::Remove(SPEC)], &["is missing"]);
    }

    #[test]
    fn both_together_pass() {
        let more = format!("{NOT_FOUND}    Planted = \"planted_kind\", true;\n");
        let spec = Plant::Append(SPEC, "\n| kind | when |\n| --- | --- |\n| `planted_kind` | never |\n");
        expect_none(&BED, &[Plant::Replace(CODE, NOT_FOUND, &more), spec]);
    }
}

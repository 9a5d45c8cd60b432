//! spec/attacks.md against the tests: every attack has a test, and every test it names exists.
//!
//! A row is `| attack | test |`; the second cell holds one or more code spans, each
//! `path/to/file.rs::test_name` or `cases/NNNN-name`.

use super::tree::Tree;
use super::{Complaint, table};
use crate::failure::Failure;
use std::collections::BTreeSet;

const FILE: &str = "spec/attacks.md";

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    if !tree.has(FILE) {
        return Ok(vec![Complaint::about(FILE, "is missing: it maps each attack to its test")]);
    }
    let rows = table::rows(&tree.text(FILE)?);
    if rows.is_empty() {
        return Ok(vec![Complaint::about(FILE, "holds no table `| attack | test |`")]);
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (line, cells) in &rows {
        let (attack, tests) = (cells.first().map_or("", String::as_str), cells.get(1).map_or("", String::as_str));
        if attack.is_empty() {
            found.push(Complaint::at(FILE, *line, "an attack without a name"));
        } else if !seen.insert(attack) {
            found.push(Complaint::at(FILE, *line, format!("the attack \"{attack}\" stands there twice")));
        }
        let tests = table::spans(tests);
        if tests.is_empty() {
            found.push(Complaint::at(FILE, *line, format!("the attack \"{attack}\" has no test")));
        }
        for test in tests {
            if let Some(fault) = fault(tree, test)? {
                found.push(Complaint::at(FILE, *line, fault));
            }
        }
    }
    Ok(found)
}

/// What is wrong with the name of a test, if anything.
fn fault(tree: &Tree, test: &str) -> Result<Option<String>, Failure> {
    if test.starts_with("cases/") {
        let call = format!("{}/call.json", test.trim_end_matches('/'));
        return Ok((!tree.has(&call)).then(|| format!("names the case `{test}`, which does not exist")));
    }
    let Some((file, name)) = test.split_once("::") else {
        return Ok(Some(format!("`{test}` is neither `file.rs::test` nor `cases/NNNN-name`")));
    };
    if !tree.has(file) {
        return Ok(Some(format!("names `{file}`, which does not exist")));
    }
    let name = name.rsplit("::").next().unwrap_or(name);
    Ok((!has_function(&tree.text(file)?, name)).then(|| format!("`{file}` holds no test `{name}`")))
}

fn has_function(text: &str, name: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| {
        line.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('('))
    })
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path == FILE };

    const HEAD: &str = "| attack | test |\n| --- | --- |\n";
    const TEST: &str = "//! T.\n#[test]\nfn link_swap() {}\n";

    #[test]
    fn a_row_without_its_test_is_found() {
        for (row, words) in [
            ("| link swap | |", "has no test"),
            ("| link swap |", "has no test"),
            ("| | `crates/store/tests/planted.rs::link_swap` |", "without a name"),
            ("| link swap | `crates/store/tests/gone.rs::link_swap` |", "which does not exist"),
            ("| link swap | `crates/store/tests/planted.rs::link_swa` |", "holds no test"),
            ("| link swap | `cases/9999-gone` |", "which does not exist"),
            ("| link swap | `somewhere` |", "is neither"),
            ("| a | `cases/9998-planted` |\n| a | `cases/9998-planted` |", "stands there twice"),
        ] {
            let plants = [
                Plant::Write("crates/store/tests/planted.rs", TEST),
                Plant::Write("cases/9998-planted/call.json", "{}"),
                Plant::Write(FILE, &format!("{HEAD}{row}\n")),
            ];
            expect(&BED, &plants, &[words]);
        }
        expect(&BED, &[Plant::Write(FILE, "# Attacks\n")], &["no table"]);
    }

    #[test]
    fn rows_with_tests_pass() {
        let rows = "| a | `crates/store/tests/planted.rs::link_swap`, `cases/9998-planted` |\n| b | `crates/store/tests/planted.rs::inner::link_swap` |\n";
        let plants = [
            Plant::Write("crates/store/tests/planted.rs", TEST),
            Plant::Write("cases/9998-planted/call.json", "{}"),
            Plant::Write(FILE, &format!("{HEAD}{rows}")),
        ];
        expect_none(&BED, &plants);
    }
}

//! The head and the length of every source file.
//!
//! A file opens by saying which room it is; and it ends before it is a maze.

use super::Complaint;
use super::source::Source;
use super::tree::Tree;
use crate::failure::Failure;

/// The most lines of a file, its tests not counted.
const MOST: usize = 500;

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for file in tree.sources() {
        let text = tree.text(file)?;
        if !text.starts_with("//! ") {
            found.push(Complaint::at(
                file,
                1,
                "a source file opens with `//!`: which room, what it promises, what it leaves to others",
            ));
        }
        let lines = length(&text);
        if !is_test(file) && lines > MOST {
            found.push(Complaint::about(
                file,
                format!("{lines} lines without tests, {MOST} are the most: split it by purpose"),
            ));
        }
    }
    Ok(found)
}

/// Does the whole file belong to tests?
pub(super) fn is_test(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/") || file.starts_with("tests/")
}

/// Lines, without those of test items.
fn length(text: &str) -> usize {
    let source = Source::of(text);
    let tests = source
        .with_tests
        .lines()
        .zip(source.code.lines())
        .filter(|(all, kept)| !all.trim().is_empty() && kept.trim().is_empty());
    text.lines().count().saturating_sub(tests.count())
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path.starts_with("crates/core/") };

    #[test]
    fn a_file_without_a_head_is_found() {
        let texts = ["", "fn f() {}\n", "// a comment\n", "\n//! Late.\n", "//!\n"];
        let files: Vec<String> = (0..texts.len()).map(|number| format!("crates/core/src/planted{number}.rs")).collect();
        let plants: Vec<Plant<'_>> = files.iter().zip(texts).map(|(file, text)| Plant::Write(file, text)).collect();
        let words: Vec<String> = files.iter().map(|file| format!("{file}:1: ")).collect();
        expect(&BED, &plants, &words);
        expect_none(&BED, &[Plant::Write("cases/0001-planted/before/a.rs", "fn f() {}\n")]);
    }

    #[test]
    fn a_long_file_is_found_and_tests_do_not_count() {
        let long = format!("//! Long.\n{}", "const _: () = ();\n".repeat(MOST));
        let tested = format!("//! Tested.\n#[cfg(test)]\nmod tests {{\n{}}}\n", "const _: () = ();\n".repeat(MOST));
        expect(&BED, &[Plant::Write("crates/core/src/planted.rs", &long)], &["501 lines"]);
        expect_none(&BED, &[Plant::Write("crates/core/src/planted.rs", &tested)]);
        expect_none(&BED, &[Plant::Write("crates/core/tests/planted.rs", &long)]);
    }
}

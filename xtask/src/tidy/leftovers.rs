//! Unfinished work: stand-ins in code, notes to oneself in comments, tests that are switched off.

use super::Complaint;
use super::source::Source;
use super::tree::Tree;
use crate::failure::Failure;

/// In code, tests too.
const IN_CODE: &[&str] = &["todo!", "unimplemented!", "#[ignore"];

/// In comments, as whole words.
const IN_COMMENTS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    for file in tree.sources() {
        let source = Source::of(&tree.text(file)?);
        for (at, line) in source.with_tests.lines().enumerate() {
            let hits = IN_CODE.iter().filter(|word| line.contains(**word));
            found.extend(
                hits.map(|word| Complaint::at(file, at.saturating_add(1), format!("`{word}` is unfinished work"))),
            );
        }
        for (at, line) in source.comments.lines().enumerate() {
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            if let Some(word) = words.find(|word| IN_COMMENTS.contains(word)) {
                found.push(Complaint::at(
                    file,
                    at.saturating_add(1),
                    format!("`{word}` is unfinished work: do it, or open an issue"),
                ));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path.starts_with("app/") };

    #[test]
    fn every_leftover_is_found() {
        let code: String = IN_CODE.iter().map(|word| format!("fn f() {{ {word} }}\n")).collect();
        let tested = format!("//! P.\n#[cfg(test)]\nmod tests {{\n{code}}}\n");
        let comments: String = IN_COMMENTS.iter().map(|word| format!("// {word}: later\n")).collect();
        for (text, first, words) in [
            (format!("//! P.\n{code}"), 2, IN_CODE),
            (tested, 4, IN_CODE),
            (format!("//! P.\n{comments}"), 2, IN_COMMENTS),
        ] {
            let expected: Vec<String> =
                words.iter().enumerate().map(|(at, word)| format!("planted.rs:{}: `{word}`", at + first)).collect();
            expect(&BED, &[Plant::Write("app/src/planted.rs", &text)], &expected);
        }
        expect_none(
            &BED,
            &[Plant::Write("app/src/planted.rs", "//! P.\nconst A: &str = \"XXX todo!()\"; // a XXXL shirt\n")],
        );
    }
}

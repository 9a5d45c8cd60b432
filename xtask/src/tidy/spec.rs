//! The numbered statements of `spec/` against the cases: each is shown by a case, and each case shows
//! statements that exist.
//!
//! A statement is a list item `- **E12** What is so.` on a page of `spec/`; the letter belongs to that page
//! alone. A case names what it shows in `call.json`: `"shows": ["E12"]`.

use super::tree::Tree;
use super::{Complaint, table};
use crate::failure::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A letter and a number, told apart so that E9 comes before E10.
type Number = (char, u32);

/// Where each statement stands: page and line.
type Statements = BTreeMap<Number, (String, usize)>;

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    let statements = statements(tree, &mut found)?;
    let shown = shown(tree, &statements, &mut found)?;
    let unshown = statements.iter().filter(|(number, _)| !shown.contains(number));
    found.extend(unshown.map(|((letter, number), (page, line))| {
        Complaint::at(page, *line, format!("{letter}{number} is shown by no case: add one, or name it in its `shows`"))
    }));
    Ok(found)
}

/// Every statement, with complaints about numbers given twice and letters on two pages.
fn statements(tree: &Tree, found: &mut Vec<Complaint>) -> Result<Statements, Failure> {
    let mut all = Statements::new();
    let mut letters: BTreeMap<char, String> = BTreeMap::new();
    for page in tree.files().filter(|file| file.starts_with("spec/") && file.ends_with(".md")) {
        for (line, text) in table::prose(&tree.text(page)?) {
            let Some((number, said)) = statement(text) else { continue };
            let (letter, count) = number;
            if said.is_empty() {
                found.push(Complaint::at(page, line, format!("{letter}{count} says nothing")));
            }
            let owner = letters.entry(letter).or_insert_with(|| page.to_owned());
            if owner != page {
                found.push(Complaint::at(page, line, format!("the letter {letter} belongs to {owner}")));
            }
            if all.insert(number, (page.to_owned(), line)).is_some() {
                found.push(Complaint::at(page, line, format!("{letter}{count} stands there twice")));
            }
        }
    }
    Ok(all)
}

/// `- **E12** What is so.`
fn statement(line: &str) -> Option<(Number, &str)> {
    let (number, said) = line.strip_prefix("- **")?.split_once("**")?;
    Some((self::number(number)?, said.trim()))
}

/// A capital and digits that do not begin with a nought.
fn number(text: &str) -> Option<Number> {
    let mut rest = text.chars();
    let letter = rest.next().filter(char::is_ascii_uppercase)?;
    let digits = rest.as_str();
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    Some((letter, digits.parse().ok().filter(|_| plain)?))
}

/// The statements that cases show, with complaints about those that do not exist.
fn shown(tree: &Tree, statements: &Statements, found: &mut Vec<Complaint>) -> Result<BTreeSet<Number>, Failure> {
    let mut shown = BTreeSet::new();
    for file in tree.files().filter(|file| file.starts_with("cases/") && file.ends_with("/call.json")) {
        for named in citations(&tree.text(file)?) {
            match number(&named).filter(|number| statements.contains_key(number)) {
                Some(number) => drop(shown.insert(number)),
                None => found.push(Complaint::about(file, format!("shows {named}, which no page of spec/ states"))),
            }
        }
    }
    Ok(shown)
}

/// What a case says it shows. A call that is not sound JSON is the runner's business.
fn citations(call: &str) -> Vec<String> {
    let call: Value = serde_json::from_str(call).unwrap_or_default();
    match call.get("shows") {
        None => Vec::new(),
        Some(Value::Array(list)) => {
            list.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect()
        }
        Some(other) => vec![other.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path.starts_with("spec/") || path.ends_with("/call.json") };

    const PAGE: &str = "spec/planted.md";
    const CASE: &str = "cases/9998-planted/call.json";

    #[test]
    fn what_nobody_shows_and_what_nobody_states_is_found() {
        for (page, case, words) in [
            ("- **Z1** So.\n- **Z2** So too.\n", r#"{"shows": ["Z1"]}"#, "planted.md:2: Z2 is shown by no case"),
            ("- **Z1** So.\n", "{}", "Z1 is shown by no case"),
            ("- **Z1** So.\n", r#"{"shows": "Z1"}"#, "Z1 is shown by no case"),
            ("- **Z1** So.\n", r#"{"shows": ["Z1", "Z3"]}"#, "call.json: shows Z3, which no page"),
            ("- **Z1** So.\n", r#"{"shows": ["Z1", "Z01"]}"#, "shows Z01, which no page"),
            ("- **Z1** So.\n", r#"{"shows": ["Z1", 7]}"#, "shows 7, which no page"),
            ("- **Z1** So.\n- **Z1** Not so.\n", r#"{"shows": ["Z1"]}"#, "planted.md:2: Z1 stands there twice"),
            ("- **Z1**\n", r#"{"shows": ["Z1"]}"#, "Z1 says nothing"),
            ("```\n- **Z1** So.\n```\n", r#"{"shows": ["Z1"]}"#, "shows Z1, which no page"),
            ("- **E900** So.\n", r#"{"shows": ["E900"]}"#, "the letter E belongs to spec/envelope.md"),
        ] {
            expect(&BED, &[Plant::Write(PAGE, page), Plant::Write(CASE, case)], &[words]);
        }
    }

    #[test]
    fn what_is_shown_passes() {
        let page = Plant::Write(PAGE, "# P\n\n- **Z2** So,\n  and so on.\n- **Z10** So.\n- **Note** no statement.\n");
        expect_none(&BED, &[page, Plant::Write(CASE, r#"{"shows": ["Z2", "Z10"]}"#)]);
    }
}

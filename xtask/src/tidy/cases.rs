//! The folders under `cases/`: each is numbered once and holds a call, its reply and the text that a model reads.

use super::Complaint;
use super::tree::Tree;
use crate::failure::Failure;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(tree: &Tree) -> Result<Vec<Complaint>, Failure> {
    let mut found = Vec::new();
    let mut numbers: BTreeMap<&str, &str> = BTreeMap::new();
    for folder in folders(tree) {
        let path = format!("cases/{folder}");
        for part in ["call.json", "reply.json"] {
            if !tree.has(&format!("{path}/{part}")) {
                found.push(Complaint::about(&path, format!("has no {part}")));
            }
        }
        match number(folder) {
            None => found.push(Complaint::about(&path, "is not named like 0001-what-it-shows")),
            Some(number) => {
                if let Some(other) = numbers.insert(number, folder) {
                    found.push(Complaint::about(&path, format!("has the number of cases/{other}")));
                }
            }
        }
    }
    Ok(found)
}

fn folders(tree: &Tree) -> BTreeSet<&str> {
    let inside = tree.files().filter_map(|file| file.strip_prefix("cases/"));
    inside.filter_map(|rest| rest.split_once('/')).map(|(folder, _)| folder).collect()
}

fn number(folder: &str) -> Option<&str> {
    let (number, name) = folder.split_once('-')?;
    let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    (number.len() == 4 && number.chars().all(|c| c.is_ascii_digit()) && !name.is_empty() && plain).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::scratch::{Bed, Plant, expect, expect_none};
    use super::*;

    const BED: Bed = Bed { check, needs: |path| path.starts_with("cases/") && path.ends_with(".json") };

    #[test]
    fn a_broken_case_is_found() {
        let call = Plant::Write("cases/9998-planted/call.json", "{}");
        expect(&BED, &[call], &["cases/9998-planted: has no reply.json"]);
        expect(&BED, &[Plant::Write("cases/9998-planted/reply.json", "{}")], &["has no call.json"]);
        for name in ["planted", "98-planted", "9998-", "9998-Planted"] {
            let file = format!("cases/{name}/call.json");
            expect(&BED, &[Plant::Write(&file, "{}")], &["is not named like"]);
        }
        let whole = ["9998-a/call.json", "9998-a/reply.json", "9998-b/call.json", "9998-b/reply.json"]
            .map(|name| format!("cases/{name}"));
        let plants: Vec<Plant<'_>> = whole.iter().map(|file| Plant::Write(file, "{}")).collect();
        expect(&BED, &plants, &["has the number of cases/9998-a"]);
    }

    #[test]
    fn a_whole_case_passes() {
        let plants = [
            Plant::Write("cases/9998-a/call.json", "{}"),
            Plant::Write("cases/9998-a/reply.json", "{}"),
            Plant::Write("cases/README.md", "x"),
        ];
        expect_none(&BED, &plants);
    }
}

//! `docs/record.md` compared with the code: a heading for every type of the log, and a row for every field and choice.

use super::{choices, samples};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// What the page tells of the log, between these two headings.
const BEGIN: &str = "## Records";
const END: &str = "## Audit entries";

/// Every name that the log may hold.
fn written() -> BTreeMap<&'static str, BTreeSet<String>> {
    choices::check_all();
    choices::NAMED.with(|names| {
        for (_, record) in samples::all() {
            names.take(&record);
        }
        names.told()
    })
}

/// The rows of the page: under each heading `` ### `Type` `` the first cells of its table. A cell
/// `` `Choice {a, b}` `` names a choice and its fields.
fn told(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let from = page.find(BEGIN).unwrap_or_else(|| panic!("docs/record.md has no heading {BEGIN}"));
    let to = page.find(END).unwrap_or_else(|| panic!("docs/record.md has no heading {END}"));
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut owner = None;
    for line in page[from..to].lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            owner = heading.trim().strip_prefix('`').and_then(|name| name.strip_suffix('`')).map(str::to_owned);
            told.extend(owner.iter().map(|owner| (owner.clone(), BTreeSet::new())));
        }
        let cell = line.strip_prefix("| `").and_then(|rest| rest.split_once("` |")).map(|(cell, _)| cell);
        if let (Some(owner), Some(cell)) = (&owner, cell) {
            told.entry(owner.clone()).or_default().extend(names_in(cell));
        }
    }
    told
}

fn names_in(cell: &str) -> Vec<String> {
    let Some((choice, fields)) = cell.strip_suffix('}').and_then(|cell| cell.split_once(" {")) else {
        return vec![cell.to_owned()];
    };
    let fields = fields.split(", ").map(|field| format!("{choice}.{field}"));
    std::iter::once(choice.to_owned()).chain(fields).collect()
}

pub(crate) fn check() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (mut written, told) = (written(), told(&page));
    let mut wrong = Vec::new();
    for (owner, rows) in &told {
        let Some(names) = written.remove(owner.as_str()) else {
            wrong.push(format!("the heading `{owner}` is of no type in the log"));
            continue;
        };
        wrong.extend(names.difference(rows).map(|name| format!("under `{owner}` there is no row for `{name}`")));
        wrong.extend(rows.difference(&names).map(|name| format!("under `{owner}`, `{name}` is not in the log")));
    }
    wrong.extend(written.iter().map(|(owner, names)| format!("there is no heading `{owner}` (with {names:?})")));
    assert!(wrong.is_empty(), "docs/record.md does not fit the code:\n  {}", wrong.join("\n  "));
}

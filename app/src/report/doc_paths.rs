//! Answers in which every path that they list is told with its `docPath`: the path in lower case, as line patches and
//! every other tool take it.

use super::message::Words;
use super::telling::Telling;
use super::terminal::one_line;
use patchwright_core::dialect::lines::lowered;
use patchwright_core::outcome::{Answer, FilePatchView};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The lists that answers have, in which objects name files.
const LISTS: [&str; 3] = ["entries", "matches", "files"];

/// Data with the `docPath`s of its files beside their paths.
pub(super) fn beside(mut data: Value) -> Value {
    each(&mut data, "batches", &mut |batch| each(batch, "files", &mut put));
    LISTS.iter().for_each(|list| each(&mut data, list, &mut put));
    data
}

fn each(data: &mut Value, list: &str, see: &mut dyn FnMut(&mut Value)) {
    if let Some(items) = data.get_mut(list).and_then(Value::as_array_mut) {
        items.iter_mut().for_each(see);
    }
}

fn put(item: &mut Value) {
    let Value::Object(fields) = item else { return };
    put_one(fields, "relativePath", "docPath");
    put_one(fields, "path", "docPath");
    put_one(fields, "to", "toDocPath");
}

/// What a line patch was told stays as it was.
fn put_one(fields: &mut Map<String, Value>, path: &str, doc_path: &str) {
    let Some(lower) = fields.get(path).and_then(Value::as_str).map(lowered) else { return };
    fields.entry(doc_path).or_insert_with(|| lower.into());
}

/// For a model: the `docPath`s that are not just the paths.
pub(super) fn lines(answer: &Answer) -> String {
    let others = paths(answer).into_iter().map(|path| (path, lowered(path))).filter(|(path, lower)| path != lower);
    let others: BTreeSet<(&str, String)> = others.collect();
    others
        .iter()
        .map(|(path, lower)| {
            format!("docPath {} is {}\n", super::terminal::one_line(lower), super::terminal::one_line(path))
        })
        .collect()
}

/// Every path that an answer lists.
fn paths(answer: &Answer) -> Vec<&str> {
    match answer {
        Answer::Listing(listing) => listing.entries.iter().map(|entry| entry.path.as_str()).collect(),
        Answer::Globbed(found) => found.matches.iter().map(|entry| entry.path.as_str()).collect(),
        Answer::Hits(found) => found.matches.iter().map(|hit| hit.path.as_str()).collect(),
        Answer::Trash(entries) => entries.iter().map(|entry| entry.path.as_str()).collect(),
        Answer::Batches(list) => {
            let files = list.batches.iter().flat_map(|batch| &batch.files);
            files.flat_map(|file| std::iter::once(file.path.as_str()).chain(file.to.as_deref())).collect()
        }
        Answer::Batch(view) => named(&view.files),
        Answer::Settled(settled) => named(&settled.files),
        _ => Vec::new(),
    }
}

fn named(files: &[FilePatchView]) -> Vec<&str> {
    files.iter().flat_map(|file| std::iter::once(file.path.as_str()).chain(file.to.as_deref())).collect()
}

/// A `docPath` that several files share.
pub(super) fn ambiguous(doc_path: &str, paths: &[String], tell: &Telling<'_>) -> Words {
    let named: Vec<String> = paths.iter().map(|path| one_line(path)).collect();
    let message = format!("The docPath {doc_path} is shared by {} files: {}.", paths.len(), named.join(", "));
    let mut lower: Vec<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    lower.dedup();
    let root = doc_path.split('/').next().unwrap_or_default();
    let next = match lower.as_slice() {
        [_] => format!(
            "They differ only in capitals, which a docPath does not tell apart: change the one you mean with a tool that takes its real path ({}), or give one of them another name with {}.",
            tell.changing(),
            tell.moving()
        ),
        // One of them is found by taking the first name for the workspace's own.
        spellings => {
            let own = |path: &String| if doc_path == path { format!("{root}/{path}") } else { path.clone() };
            format!("Use one of these docPaths instead: {}.", spellings.iter().map(own).collect::<Vec<_>>().join(", "))
        }
    };
    Words::new(message, next)
}

//! Everything that a line patch breaks, in words and as facts: which file and change, what is so, what to do.

use super::super::answer::Fields;
use super::super::ready::compact;
use super::super::telling::Telling;
use super::super::terminal::one_line;
use super::super::words::{Words, trouble};
use super::{Entry, LISTED, problems};
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{LineFault, LinePlace, LineProblem, Missing, Refusal, Why};
use serde_json::Value;

/// One fault as an entry of the answer.
pub(super) fn entry(fault: &LineFault, tell: &Telling<'_>) -> Entry {
    Entry { kind: fault.problem.kind(), words: one(fault, tell), details: Some(facts(fault)) }
}

/// One fault as JSON.
pub(crate) fn error(fault: &LineFault) -> Value {
    entry(fault, &Telling::PROGRAM).json()
}

/// All faults in one message, for people.
pub(crate) fn words(faults: &[LineFault], tell: &Telling<'_>) -> Words {
    match faults {
        [fault] => one(fault, tell),
        faults => {
            let told: Vec<String> = faults
                .iter()
                .take(LISTED)
                .map(|fault| {
                    let Words { message, next } = one(fault, tell);
                    format!("- {message} {next}")
                })
                .collect();
            Words::new(
                format!("{} rules are broken; nothing was changed:\n{}", faults.len(), told.join("\n")),
                "Put all of it right, then send the whole batch again.",
            )
        }
    }
}

/// A `docPath` that several files share.
pub(crate) fn ambiguous(doc_path: &str, paths: &[String], tell: &Telling<'_>) -> Words {
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

/// Words for bad news of any sort, as a caller of these tools needs them.
pub(super) fn told(bad: &Trouble, name: &str, tell: &Telling<'_>) -> Words {
    match bad {
        Trouble::Refused(Refusal { path: Some(path), why: Why::NotFound(Missing::File { alike }), .. }) => {
            absent((name, path), alike, tell)
        }
        bad => trouble(bad, tell),
    }
}

fn absent((name, doc_path): (&str, &str), alike: &[String], tell: &Telling<'_>) -> Words {
    match alike.first() {
        Some(first) => Words::new(
            format!("No file has the docPath {doc_path}. Spelt alike: {}.", alike.join(", ")),
            format!(
                "Set {name} to {} if that is the one you mean; else look for the file {}.",
                compact(&first.to_lowercase().into()),
                tell.finding()
            ),
        ),
        None => Words::new(
            format!("No file has the docPath {doc_path}."),
            format!(
                "Look for the file {}; a docPath is its path in lower case. A new file is made with {}.",
                tell.finding(),
                tell.making()
            ),
        ),
    }
}

/// One fault: its place, what is so, and what to do.
fn one(fault: &LineFault, tell: &Telling<'_>) -> Words {
    let place = place(fault);
    let Words { message, next } = match &fault.problem {
        LineProblem::File(refusal) => {
            told(&Trouble::Refused((**refusal).clone()), &problems::at(fault, "docPath"), tell)
        }
        _ => problems::words(fault, tell),
    };
    Words::new(format!("{place}{message}"), next)
}

/// Which file and change, in words.
fn place(fault: &LineFault) -> String {
    let name = fault.doc_path.as_deref().or(fault.path.as_deref());
    let file = match (fault.file, name) {
        (Some(at), Some(name)) => format!("files[{at}] {name}"),
        (Some(at), None) => format!("files[{at}]"),
        (None, Some(name)) => name.to_owned(),
        (None, None) => return String::new(),
    };
    let Some(change) = fault.change else { return format!("{file}: ") };
    let key = fault.key.as_deref().map(|key| format!(" {key:?}")).unwrap_or_default();
    let about = fault.about.map(|about| format!(" ({})", problems::place(about))).unwrap_or_default();
    format!("{file}, changes[{change}]{key}{about}: ")
}

fn facts(fault: &LineFault) -> Value {
    let key = if fault.change.is_some() { "changeKey" } else { "fileKey" };
    let fields = Fields::new()
        .maybe("file", fault.doc_path.as_deref())
        .maybe("fileIndex", fault.file)
        .maybe("path", fault.path.as_deref())
        .maybe("change", fault.change)
        .maybe(key, fault.key.as_deref())
        .put("rule", fault.problem.rule());
    let fields = match fault.about {
        None => fields,
        Some(LinePlace::Insert { after }) => fields.put("operation", "insert").put("afterLine", after),
        Some(about @ (LinePlace::Replace { first, last } | LinePlace::Delete { first, last })) => {
            fields.put("operation", about.operation()).put("startLine", first).put("endLine", last)
        }
    };
    fields.with(problems::facts(fault)).done()
}

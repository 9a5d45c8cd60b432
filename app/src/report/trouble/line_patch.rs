//! Everything that a line patch breaks, in words and as facts: which file and change, what is so, what to do.

use super::super::fields::Fields;
use super::super::message::Words;
use super::super::ready::compact;
use super::super::telling::Telling;
use super::{line_problems, trouble};
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Kind, LineFault, LinePlace, LineProblem, Missing, Refusal, Why};
use serde_json::Value;

/// No more than so many entries are listed.
pub(in crate::report) const LISTED: usize = 500;

/// One thing that stands against a call.
pub(in crate::report) struct Entry {
    pub(in crate::report) kind: Kind,
    pub(in crate::report) words: Words,
    pub(in crate::report) details: Option<Value>,
}

impl Entry {
    pub(in crate::report) fn json(&self) -> Value {
        let Words { message, next } = &self.words;
        Fields::new()
            .put("errorCode", self.kind.name())
            .put("message", format!("{message} {next}").trim_end())
            .maybe("details", self.details.clone())
            .done()
    }
}

/// One fault as an entry of the answer.
pub(in crate::report) fn entry(fault: &LineFault, tell: &Telling<'_>) -> Entry {
    Entry { kind: fault.problem.kind(), words: one(fault, tell), details: Some(facts(fault)) }
}

/// One fault as JSON.
pub(super) fn error(fault: &LineFault) -> Value {
    entry(fault, &Telling::PROGRAM).json()
}

/// All faults in one message, for people.
pub(super) fn words(faults: &[LineFault], tell: &Telling<'_>) -> Words {
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

/// Words for bad news of any sort, as a caller of these tools needs them.
pub(in crate::report) fn told(bad: &Trouble, name: &str, tell: &Telling<'_>) -> Words {
    match bad {
        Trouble::Refused(Refusal { path: Some(path), why: Why::NotFound(Missing::File { alike }), .. }) => {
            absent(name, path, alike, tell)
        }
        bad => trouble(bad, tell),
    }
}

fn absent(name: &str, doc_path: &str, alike: &[String], tell: &Telling<'_>) -> Words {
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
            told(&Trouble::Refused((**refusal).clone()), &line_problems::at_file(fault, "docPath"), tell)
        }
        _ => line_problems::words(fault, tell),
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
    let about = fault.about.map(|about| format!(" ({})", line_problems::place(about))).unwrap_or_default();
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
    fields.with(line_problems::facts(fault)).done()
}

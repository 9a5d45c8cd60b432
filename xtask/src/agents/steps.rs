//! The calls of the script, in each dialect.

use super::fixture::{self, DOOMED, MADE, SHARED, SMALL};
use serde_json::{Value, json};

/// The sizes of the files that are read to find the largest that arrives whole, in KB.
pub(crate) const LADDER: &[usize] = &[4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96];

/// What a call is for; each has its column in the table of costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// A look that only prepares another call.
    Look,
    Read,
    Create,
    Edit,
    Overwrite,
    /// An edit whose old text is not there.
    Mismatch,
    /// A change to a file that somebody else changed meanwhile.
    Stale,
    Delete,
    List,
    Undo,
    /// A read of so many KB.
    Rung(usize),
    /// A read of the largest file, as long as the server's own limit lets it be.
    Default,
}

/// One call of the script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    /// Written to a file just before the call, as somebody else would.
    pub(super) meddle: Option<(&'static str, String)>,
}

impl Step {
    fn new(act: Act, tool: &'static str, arguments: Value) -> Step {
        Step { act, tool, arguments, meddle: None }
    }

    /// Must the server refuse it?
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.act, Act::Mismatch | Act::Stale)
    }
}

/// How changes are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Dialect {
    Strings,
    Envelope,
}

/// The calls, in the dialect that the program gets.
pub(crate) fn steps(dialect: Dialect) -> Vec<Step> {
    let read = |act, name: &str| Step::new(act, "read_file", json!({"path": name}));
    let mut steps = vec![read(Act::Read, SMALL)];
    match dialect {
        Dialect::Strings => steps.extend(strings()),
        Dialect::Envelope => steps.extend(envelope()),
    }
    steps.push(Step::new(Act::List, "list_batches", json!({})));
    steps.push(Step::new(Act::Undo, "undo", json!({"path": DOOMED})));
    steps.extend(LADDER.iter().map(|size| {
        Step::new(Act::Rung(*size), "read_file", json!({"path": fixture::rung(*size), "maxBytes": 262_144}))
    }));
    steps.extend(LADDER.last().map(|size| read(Act::Default, &fixture::rung(*size))));
    steps
}

fn strings() -> Vec<Step> {
    let read = |name: &str| Step::new(Act::Look, "read_file", json!({"path": name}));
    let edit = |act, old: &str, new: &str| {
        Step::new(act, "edit_file", json!({"path": SMALL, "edits": [{"oldText": old, "newText": new}]}))
    };
    let write = |act, name: &str, text: String| Step::new(act, "write_file", json!({"path": name, "content": text}));
    let (old, new) = fixture::edited_line();
    vec![
        Step::new(Act::Create, "create_file", json!({"path": MADE, "content": fixture::created()})),
        edit(Act::Edit, &old, &new),
        edit(Act::Mismatch, &old.replace("line", "lime"), &new),
        write(Act::Overwrite, SMALL, fixture::overwritten()),
        read(SHARED),
        Step { meddle: Some((SHARED, fixture::meddled())), ..write(Act::Stale, SHARED, "nothing\n".to_owned()) },
        read(DOOMED),
        Step::new(Act::Delete, "delete_file", json!({"path": DOOMED})),
    ]
}

fn envelope() -> Vec<Step> {
    let patch = |act, sections: &str| {
        let patch = format!("*** Begin Patch\n{sections}*** End Patch\n");
        Step::new(act, "apply_patch", json!({"patch": patch}))
    };
    let marked = |mark: char, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let update = |act, old: &str, new: &str| {
        patch(act, &format!("*** Update File: {SMALL}\n@@\n{}{}", marked('-', old), marked('+', new)))
    };
    let (old, new) = fixture::edited_line();
    vec![
        patch(Act::Create, &format!("*** Add File: {MADE}\n{}", marked('+', &fixture::created()))),
        update(Act::Edit, &old, &new),
        update(Act::Mismatch, &old.replace("line", "lime"), &new),
        update(Act::Overwrite, &fixture::edited(), &fixture::overwritten()),
        Step::new(Act::Look, "read_file", json!({"path": SHARED})),
        Step {
            meddle: Some((SHARED, fixture::meddled())),
            ..patch(Act::Stale, &format!("*** Delete File: {SHARED}\n"))
        },
        patch(Act::Delete, &format!("*** Delete File: {DOOMED}\n")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_does_the_whole_work() {
        let wanted =
            [Act::Read, Act::Create, Act::Edit, Act::Overwrite, Act::Mismatch, Act::Stale, Act::Delete, Act::Undo];
        for dialect in [Dialect::Strings, Dialect::Envelope] {
            let acts: Vec<Act> = steps(dialect).iter().map(|step| step.act).collect();
            assert!(wanted.iter().all(|act| acts.contains(act)), "{dialect:?} {acts:?}");
        }
    }
}

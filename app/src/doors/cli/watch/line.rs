//! CLI door: one event as a line of JSON. The first seven fields are always there; what else an event does not have is left
//! out. `docs/record.md` tells what each field says, and a test here compares the two.

use crate::report::time::rfc3339;
use patchwright_core::batch::BatchName;
use patchwright_engine::{Event, EventKind, Ruling};
use serde_json::{Map, Value, json};

/// Does an event come straight after the record was found to be another one?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Steady,
    Restarted,
}

/// An event as JSON.
pub(super) fn line(event: &Event, course: Course) -> Value {
    let batch = event.batch.as_deref();
    let (kind, decision) = match &event.kind {
        EventKind::Refusal { kind } => (Some(kind), None),
        EventKind::Verdict(Ruling::Rejected) => (None, Some("rejected")),
        EventKind::Verdict(Ruling::Conflicted) => (None, Some("conflicted")),
        _ => (None, None),
    };
    let undoes = batch.map(|batch| batch.undoes.iter().map(BatchName::to_string).collect::<Vec<_>>());
    let fixed = [
        ("cursor", json!(event.cursor.to_string())),
        ("event", json!(event.kind.name())),
        ("batch", json!(batch.map(|batch| batch.name.to_string()))),
        ("tool", json!(event.tool)),
        ("session", json!(event.by.session)),
        ("actor", json!(event.by.actor)),
        ("paths", json!(event.paths)),
    ];
    let further = [
        ("time", json!(rfc3339(event.by.time_ns.into()))),
        ("client", json!(event.by.client)),
        ("door", json!(event.door.name())),
        ("role", json!(event.by.role.name())),
        ("batchId", json!(batch.map(|batch| &batch.name.id))),
        ("batchLabel", json!(batch.and_then(|batch| batch.label.as_ref()))),
        ("kind", json!(kind)),
        ("decision", json!(decision)),
        ("linesAdded", json!(batch.map(|batch| batch.added))),
        ("linesRemoved", json!(batch.map(|batch| batch.removed))),
        ("undoes", json!(undoes.filter(|undoes| !undoes.is_empty()))),
        ("hidden", json!((event.hidden > 0).then_some(event.hidden))),
        ("restarted", json!((course == Course::Restarted).then_some(true))),
    ];
    let further = further.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(fixed.into_iter().chain(further).map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::batch::{Author, BatchStatus, Role};
    use patchwright_core::outcome::BatchSummary;
    use patchwright_engine::{Cursor, Door};
    use std::collections::BTreeSet;

    fn author() -> Author {
        let (session, client, actor) = ("s".to_owned(), "c/1".to_owned(), Some("ada".to_owned()));
        Author { session, client, actor, role: Role::Person, time_ns: 1 }
    }

    /// An event of a kind in which every field says something. No literal here may end in `..`.
    fn full(kind: EventKind) -> Event {
        let batch = BatchSummary {
            name: BatchName::new("id", 7),
            key: None,
            label: Some("words".to_owned()),
            tool: "undo".to_owned(),
            author: author(),
            status: BatchStatus::Applied,
            files: Vec::new(),
            changes: 1,
            added: 1,
            removed: 0,
            undoes: vec![BatchName::new("other", 3)],
            applied: None,
            undone_by: Vec::new(),
        };
        Event {
            cursor: Cursor::START,
            kind,
            tool: "undo".to_owned(),
            by: author(),
            door: Door::Cli,
            batch: Some(Box::new(batch)),
            paths: vec!["a".to_owned()],
            hidden: 1,
        }
    }

    #[test]
    fn what_is_always_there() {
        let bare = Event {
            batch: None,
            paths: Vec::new(),
            by: Author { actor: None, ..author() },
            hidden: 0,
            ..full(EventKind::Refusal { kind: "busy".to_owned() })
        };
        let told = line(&bare, Course::Steady).to_string();
        let fixed = r#""event":"refusal","batch":null,"tool":"undo","session":"s","actor":null,"paths":[],"time""#;
        assert!(told.starts_with(r#"{"cursor":"0-32-0000"#) && told.contains(fixed), "{told}");
        assert!(told.ends_with(r#""door":"cli","role":"person","kind":"busy"}"#), "{told}");
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the page stands in the repository")]
    fn the_page_tells_every_field() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/record.md")).unwrap();
        let (_, page) = page.split_once("\n## Events\n").unwrap();
        let told: BTreeSet<&str> =
            page.lines().filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0)).collect();
        let kinds = [EventKind::Refusal { kind: "busy".to_owned() }, EventKind::Verdict(Ruling::Rejected)];
        let lines: Vec<Value> = kinds.into_iter().map(|kind| line(&full(kind), Course::Restarted)).collect();
        let printed: BTreeSet<&str> =
            lines.iter().filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str).collect();
        assert_eq!(told, printed);
    }
}

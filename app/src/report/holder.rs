//! Words for a workspace that somebody else holds, and for one whose folder is no longer where it was.

use super::message::Words;
use super::terminal::label;
use super::time::{rfc3339, to_the_second};
use patchwright_core::refusal::{Holder, RootNow};
use serde_json::{Map, Value, json};

/// Another writer held the workspace for too long.
pub(super) fn busy(waited_ms: u64, holder: Option<&Holder>) -> Words {
    let who = holder.map_or_else(|| "Another writer".to_owned(), named);
    Words::new(
        format!("{who} held the workspace for more than {waited_ms} ms (limits.lock_wait_ms). Nothing was changed."),
        match holder {
            None => "Make the same call again.",
            Some(_) => "Make the same call again. If it stays so, tell the user which process it is.",
        },
    )
}

fn named(holder: &Holder) -> String {
    let client = holder.client.as_deref().map(|client| format!(" ({})", label(client))).unwrap_or_default();
    let since = holder.since_ns.map(|since| format!(", at work since {}", to_the_second(since))).unwrap_or_default();
    format!("Another writer, process {}{client}{since},", holder.pid)
}

pub(super) fn details(waited_ms: u64, holder: Option<&Holder>) -> Value {
    let mut fields = Map::new();
    fields.insert("waitedMs".to_owned(), json!(waited_ms));
    fields.insert("setting".to_owned(), json!("limits.lock_wait_ms"));
    if let Some(holder) = holder {
        let mut told = Map::new();
        told.insert("pid".to_owned(), json!(holder.pid));
        let since = holder.since_ns.map(|since| ("since".to_owned(), json!(rfc3339(since.into()))));
        let client = holder.client.as_ref().map(|client| ("client".to_owned(), json!(client)));
        told.extend(since.into_iter().chain(client));
        fields.insert("holder".to_owned(), Value::Object(told));
    }
    Value::Object(fields)
}

/// The workspace's folder is no longer where it was.
pub(super) fn root_moved(path: &str, now: RootNow) -> Words {
    let what = match now {
        RootNow::Another => {
            format!("The workspace folder was replaced: another one stands at {path} now than when this session began.")
        }
        RootNow::Nothing => {
            format!("The workspace folder was moved away or removed: nothing stands at {path} any more.")
        }
    };
    Words::new(
        format!("{what} Nothing was read or changed."),
        "Tell the user to start again: a new Patchwright process opens the folder that is there now. No call of this session will go through until the folder is back.",
    )
}

pub(super) fn now_word(now: RootNow) -> &'static str {
    match now {
        RootNow::Another => "replaced",
        RootNow::Nothing => "missing",
    }
}

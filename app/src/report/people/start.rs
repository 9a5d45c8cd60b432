//! The start screen: where one is, what waits, and the few commands that most people need.

use super::batches::{effect, fitted};
use super::cells::{left, width};
use super::view::{Role, View};
use super::who::by;
use patchwright_core::outcome::BatchSummary;

/// What the start screen tells.
#[derive(Clone, Debug)]
pub struct Start {
    /// The workspace's folder name.
    pub folder: String,
    /// How many batches are on record.
    pub batches: u64,
    /// The newest of them.
    pub last: Option<BatchSummary>,
    /// What `undo` would take back.
    pub undo: Option<BatchSummary>,
    /// How many proposals wait.
    pub waiting: usize,
    /// What is wrong with the record, if anything is.
    pub damage: Option<String>,
}

/// The start screen.
pub fn start(start: &Start, view: &View) -> String {
    let mut rows: Vec<(String, &str, String)> = Vec::new();
    let none = String::new;
    if start.waiting > 0 {
        let verb = if start.waiting == 1 { "waits" } else { "wait" };
        rows.push((format!("{} {verb} for you", start.waiting), "patchwright review", none()));
    }
    if start.batches > 0 || start.damage.is_some() {
        rows.push(("what was done".to_owned(), "patchwright log", none()));
    } else {
        rows.push(("see how it works".to_owned(), "patchwright demo", none()));
        rows.push(("connect an agent".to_owned(), "patchwright mcp --help", none()));
    }
    if let Some(batch) = &start.undo {
        let counts = super::counts::Counts::new(batch.added, batch.removed).words(view);
        let plain = BatchSummary { applied: None, undone_by: Vec::new(), ..batch.clone() };
        let what = fitted(&plain, view.columns.map_or(60, |columns| columns.saturating_sub(60).max(20)), view);
        rows.push(("take the last back".to_owned(), "patchwright undo", format!("{} {what} {counts}", batch.name)));
    }
    if start.damage.is_some() {
        rows.push(("look it over".to_owned(), "patchwright doctor", none()));
    }
    rows.push(("everything else".to_owned(), "patchwright help", none()));
    summary(start, view) + &table(&rows, view)
}

fn summary(start: &Start, view: &View) -> String {
    let record = match &start.damage {
        None => "record whole".to_owned(),
        Some(damage) => view.paint(Role::Bad, &format!("record BAD: {damage}")),
    };
    let many = if start.batches == 1 { "batch" } else { "batches" };
    match &start.last {
        _ if start.batches == 0 && start.damage.is_none() => {
            format!("{}: nothing is on record here yet\n", view.paint(Role::Strong, &start.folder))
        }
        last => {
            let last = last.as_ref().map(|last| {
                let last = effect(last);
                format!(", the last {} by {}", view.ago(last.time_ns), by(last))
            });
            format!(
                "{}: {} {many}{}; {record}\n",
                view.paint(Role::Strong, &start.folder),
                start.batches,
                last.unwrap_or_default()
            )
        }
    }
}

fn table(rows: &[(String, &str, String)], view: &View) -> String {
    let what = rows.iter().map(|row| width(&row.0)).max().unwrap_or(0);
    let command = rows.iter().map(|row| width(row.1)).max().unwrap_or(0);
    let row = |(said, typed, more): &(String, &str, String)| {
        let typed = if more.is_empty() { (*typed).to_owned() } else { left(typed, command) };
        let more = if more.is_empty() { String::new() } else { format!("     {more}") };
        format!("  {}  {}{more}", left(said, what), view.paint(Role::Name, &typed)).trim_end().to_owned() + "\n"
    };
    rows.iter().map(row).collect()
}

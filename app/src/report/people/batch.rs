//! `show` and `diff`: one batch, who made it, when and why, and its lines.

use super::super::terminal::label;
use super::batches::{effect, name};
use super::counts::Counts;
use super::hunks;
use super::view::{Role, View};
use super::who::by;
use patchwright_core::batch::{BatchName, BatchStatus};
use patchwright_core::outcome::{BatchView, FilePatchView};

/// How much of a batch is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its files alone.
    Files,
    /// Its lines too.
    Lines,
}

/// A batch.
pub fn show(batch: &BatchView, part: Part, view: &View) -> String {
    let mut out = heading(batch, view);
    for line in said(batch) {
        out.push_str(&line);
        out.push('\n');
    }
    if !batch.files.is_empty() {
        out.push('\n');
    }
    match part {
        Part::Lines => out + &hunks::files(&batch.files, view),
        Part::Files => out + &batch.files.iter().map(|file| hunks::heading(file, view) + "\n").collect::<String>(),
    }
}

fn heading(batch: &BatchView, view: &View) -> String {
    let summary = &batch.summary;
    let (counts, files) = totals(&batch.files);
    let many = if files == 1 { "file" } else { "files" };
    let colour = match summary.status {
        BatchStatus::Applied => Role::Good,
        BatchStatus::Proposed | BatchStatus::Conflicted => Role::Waiting,
        BatchStatus::Undone | BatchStatus::Rejected => Role::Faint,
    };
    let made = &summary.author;
    let what = if batch.one { "one change".to_owned() } else { format!("{files} {many}") };
    let counts = match counts.words(view) {
        words if words.is_empty() => words,
        words => format!(" {words}"),
    };
    format!(
        "{}  {}   {}, {} ({})   {what}{counts}\n",
        view.paint(Role::Name, &name(&summary.name, view)),
        view.paint(colour, status(summary.status)),
        by(made),
        view.ago(made.time_ns),
        view.clock(made.time_ns),
    ) + &accepted(batch, view)
}

fn accepted(batch: &BatchView, view: &View) -> String {
    let summary = &batch.summary;
    let Some(author) = &summary.applied else { return String::new() };
    let moved = if batch.rebased { ", on files that had changed since" } else { "" };
    let time = effect(summary).time_ns;
    format!("accepted by {}, {} ({}){moved}\n", by(author), view.ago(time), view.clock(time))
}

fn status(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Conflicted => "proposed, no longer fits",
        other => other.name(),
    }
}

/// What was said of it, and what it has to do with others.
fn said(batch: &BatchView) -> Vec<String> {
    let summary = &batch.summary;
    let names = |names: &[BatchName]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let undoes = (!summary.undoes.is_empty()).then(|| format!("undoes {}", names(&summary.undoes)));
    let whole = summary.status == BatchStatus::Undone;
    let undone = (!summary.undone_by.is_empty())
        .then(|| format!("{} by {}", if whole { "undone" } else { "partly undone" }, names(&summary.undone_by)));
    [summary.label.as_deref().map(label), undoes, undone].into_iter().flatten().collect()
}

fn totals(files: &[FilePatchView]) -> (Counts, usize) {
    let counts = files.iter().map(hunks::counts).fold(Counts::default(), |sum, one| {
        Counts::new(sum.added.saturating_add(one.added), sum.removed.saturating_add(one.removed))
    });
    (counts, files.len())
}

/// The diffs of a batch, each file with its whole diff.
pub fn diff<'a>(files: impl Iterator<Item = (&'a FilePatchView, &'a str)>, view: &View) -> String {
    files.map(|(file, diff)| hunks::bare(diff, file, view)).collect()
}

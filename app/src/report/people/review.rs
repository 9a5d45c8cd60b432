//! `review`: what waits for somebody to decide, and whether it still fits.

use super::batches::{NARROW, fitted, name, subject};
use super::cells::{left, width};
use super::counts::{CountColumns, Counts};
use super::view::{Role, View};
use super::who::by;
use patchwright_core::outcome::BatchSummary;

/// A proposal.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// What a list tells of it.
    pub batch: BatchSummary,
    /// Does it still fit?
    pub standing: Standing,
}

/// Whether a proposal can be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It can.
    Fits,
    /// The file is not what it was made for: at this line, if it is one.
    Changed(Option<usize>),
    /// It cannot, for another reason, in a few words.
    Not(String),
}

/// A line for each proposal.
pub fn review(waiting: &[Waiting], view: &View) -> String {
    let narrow = view.columns.unwrap_or(usize::MAX);
    let made = |one: &Waiting| match narrow < NARROW.1 {
        true => by(&one.batch.author),
        false => format!("{} {}", by(&one.batch.author), view.age(one.batch.author.time_ns)),
    };
    let counts = |one: &Waiting| match narrow < NARROW.0 {
        true => Counts::default(),
        false => Counts::new(one.batch.added, one.batch.removed),
    };
    let widest = |text: &dyn Fn(&Waiting) -> String| waiting.iter().map(|one| width(&text(one))).max().unwrap_or(0);
    let (names, makers) = (widest(&|one| name(&one.batch.name, view)), widest(&made));
    let columns = CountColumns::over(waiting.iter().map(counts));
    let row = |one: &Waiting| {
        let note = note(&one.standing);
        let sign = if one.standing == Standing::Fits { "?" } else { "!" };
        let counted = if columns.width() > 0 { format!("{}  ", columns.row(counts(one), view)) } else { String::new() };
        let gap = if counted.is_empty() { 0 } else { 2 };
        let used = 2 + names + 2 + makers + 2 + columns.width() + gap + width(&note);
        let text = match view.columns {
            Some(columns) => fitted(&plain(&one.batch), columns.saturating_sub(used), view),
            None => subject(&plain(&one.batch), view),
        };
        let line = format!(
            "{} {}  {}  {counted}{text}{}",
            view.paint(Role::Waiting, sign),
            view.paint(Role::Name, &left(&name(&one.batch.name, view), names)),
            left(&made(one), makers),
            view.paint(Role::Waiting, &note),
        );
        line.trim_end().to_owned() + "\n"
    };
    waiting.iter().map(row).collect()
}

/// That it waits goes without saying here.
fn plain(batch: &BatchSummary) -> BatchSummary {
    BatchSummary { status: patchwright_core::batch::BatchStatus::Applied, ..batch.clone() }
}

fn note(standing: &Standing) -> String {
    match standing {
        Standing::Fits => String::new(),
        Standing::Changed(Some(line)) => format!("   line {line} changed"),
        Standing::Changed(None) => "   the file changed".to_owned(),
        Standing::Not(why) => format!("   {why}"),
    }
}

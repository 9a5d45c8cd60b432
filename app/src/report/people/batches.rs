//! `log`: one line a batch, newest first; on a terminal those of one session under a heading, in a pipe each by itself.

use super::super::terminal::label;
use super::cells::{cut_end, cut_path, left, right, width};
use super::counts::{CountColumns, Counts};
use super::hunks;
use super::view::{Ids, Role, View};
use super::who::by;
use patchwright_core::batch::{Author, BatchName, BatchStatus, Role as Caller};
use patchwright_core::outcome::{BatchPath, BatchSummary, BatchView, Operation};

/// Below so many cells the counts are left out, and below so many the age as well.
pub(super) const NARROW: (usize, usize) = (60, 45);

/// What the list leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum More {
    /// Nothing.
    No,
    /// So many batches, and the command that shows them.
    Some {
        /// How many, if that is known.
        count: Option<u64>,
        /// The command.
        command: String,
    },
}

/// The batches, with the lines of each where they are given.
pub fn log(batches: &[BatchSummary], lines: &[BatchView], more: &More, view: &View) -> String {
    let body = if view.is_terminal() { grouped(batches, lines, view) } else { flat(batches, lines, view) };
    body + &left_out(more, view)
}

fn left_out(more: &More, view: &View) -> String {
    match more {
        More::Some { count, command } if view.is_terminal() => {
            let count = count.map(|count| format!("{count} ")).unwrap_or_default();
            format!("{}\n", view.paint(Role::Faint, &format!("… {count}more: {command}")))
        }
        _ => String::new(),
    }
}

fn grouped(batches: &[BatchSummary], lines: &[BatchView], view: &View) -> String {
    let columns = Columns::over(batches, view);
    let mut out = String::new();
    for group in batches.chunk_by(is_one_group) {
        if let Some(first) = group.first() {
            let heading = format!("{}, {}", by(&first.author), view.ago(effect(first).time_ns));
            out.push_str(&format!("{}\n", view.paint(Role::Strong, &heading)));
        }
        for batch in group {
            out.push_str(&columns.row(batch, view));
            out.push('\n');
            out.push_str(&body_of(batch, lines, view));
        }
    }
    out
}

fn body_of(batch: &BatchSummary, lines: &[BatchView], view: &View) -> String {
    let of = lines.iter().find(|of| of.summary.name.id == batch.name.id);
    of.map(|of| hunks::files(&of.files, view)).unwrap_or_default()
}

/// Does a batch stand under the heading of the one before it? At the command line every command is a session.
fn is_one_group(one: &BatchSummary, other: &BatchSummary) -> bool {
    let same_name = by(&one.author) == by(&other.author);
    let person = |batch: &BatchSummary| batch.author.role == Caller::Person;
    same_name && (one.author.session == other.author.session || (person(one) && person(other)))
}

fn flat(batches: &[BatchSummary], lines: &[BatchView], view: &View) -> String {
    let row = |batch: &BatchSummary| {
        let counts = Counts::new(batch.added, batch.removed).behind(view);
        let time = view.time(effect(batch).time_ns);
        let line = format!(
            "{} {}  {time}  {}{counts}  {}",
            sign(batch.status),
            name(&batch.name, view),
            by(&batch.author),
            subject(batch, view)
        );
        format!("{}\n{}", line.trim_end(), body_of(batch, lines, view))
    };
    batches.iter().map(row).collect()
}

/// Who made it take effect, and when: of an accepted proposal, whoever accepted it.
pub(super) fn effect(batch: &BatchSummary) -> &Author {
    batch.applied.as_ref().unwrap_or(&batch.author)
}

/// A sign for where a batch stands; nothing for what was simply done.
pub(super) fn sign(status: BatchStatus) -> &'static str {
    match status {
        BatchStatus::Applied => " ",
        BatchStatus::Proposed => "?",
        BatchStatus::Conflicted => "!",
        BatchStatus::Undone | BatchStatus::Rejected => "x",
    }
}

/// `b17`, with its id where that was asked for.
pub(super) fn name(name: &BatchName, view: &View) -> String {
    match view.ids {
        Ids::Hidden => name.to_string(),
        Ids::Shown => format!("{name} {}", name.id),
    }
}

/// The columns of a list.
struct Columns {
    name: usize,
    age: usize,
    counts: CountColumns,
    text: usize,
}

impl Columns {
    fn over(batches: &[BatchSummary], view: &View) -> Columns {
        let total = view.columns.unwrap_or(usize::MAX);
        let widest = |text: &dyn Fn(&BatchSummary) -> String| batches.iter().map(|one| width(&text(one))).max();
        let name = widest(&|batch| name(&batch.name, view)).unwrap_or(0);
        let age = widest(&|batch| view.age(effect(batch).time_ns)).unwrap_or(0);
        let counts = CountColumns::over(batches.iter().map(|batch| Counts::new(batch.added, batch.removed)));
        let (counts, age) = match total {
            total if total < NARROW.1 => (CountColumns::default(), 0),
            total if total < NARROW.0 => (CountColumns::default(), age),
            _ => (counts, age),
        };
        let column = |cells: usize| if cells > 0 { cells + 2 } else { 0 };
        let used = 2 + name + column(age) + column(counts.width()) + 2;
        Columns { name, age, counts, text: total.saturating_sub(used) }
    }

    fn row(&self, batch: &BatchSummary, view: &View) -> String {
        let faint = matches!(batch.status, BatchStatus::Undone | BatchStatus::Rejected);
        let name = left(&name(&batch.name, view), self.name);
        let sign = match batch.status {
            BatchStatus::Proposed | BatchStatus::Conflicted => view.paint(Role::Waiting, sign(batch.status)),
            _ => sign(batch.status).to_owned(),
        };
        let name = view.paint(if faint { Role::Faint } else { Role::Name }, &name);
        let mut line = format!("{sign} {name}");
        if self.age > 0 {
            line.push_str(&format!("  {}", right(&view.age(effect(batch).time_ns), self.age)));
        }
        if self.counts.width() > 0 {
            line.push_str(&format!("  {}", self.counts.row(Counts::new(batch.added, batch.removed), view)));
        }
        let text = fitted(batch, self.text, view);
        line.push_str("  ");
        line.push_str(&if faint { view.paint(Role::Faint, &text) } else { text });
        line.trim_end().to_owned()
    }
}

/// What a batch is about, uncut: label, paths, and where it stands.
pub(super) fn subject(batch: &BatchSummary, view: &View) -> String {
    let paths: Vec<String> = batch.files.iter().map(|file| path(file, view)).collect();
    let text = labelled(batch.label.as_deref().map(label), paths.join(", "));
    with_notes(text, &notes(batch))
}

/// The same in so many cells: a label is cut at its end, a path in its middle.
pub(super) fn fitted(batch: &BatchSummary, cells: usize, view: &View) -> String {
    let notes = notes(batch);
    let room = notes.iter().fold(cells, |room, note| room.saturating_sub(width(note) + 2));
    let first = batch.files.first().map(|file| path(file, view)).unwrap_or_default();
    let more = match batch.files.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = match batch.label.as_deref().map(label) {
        None => cut_path(&first, room.saturating_sub(width(&more))) + &more,
        Some(said) => {
            let whole = labelled(Some(said.clone()), format!("{first}{more}"));
            if width(&whole) <= room { whole } else { cut_both(&said, &first, &more, room) }
        }
    };
    with_notes(text, &notes)
}

/// A path keeps at least half of the room, if it needs that.
fn cut_both(said: &str, path: &str, more: &str, room: usize) -> String {
    let path = cut_path(path, (room / 2).saturating_sub(width(more)).max(12)) + more;
    let left = room.saturating_sub(width(&path) + 2);
    if left < 4 { path } else { labelled(Some(cut_end(said, left)), path) }
}

fn labelled(said: Option<String>, paths: String) -> String {
    match said {
        Some(said) if paths.is_empty() => said,
        Some(said) => format!("{said}: {paths}"),
        None => paths,
    }
}

fn with_notes(text: String, notes: &[String]) -> String {
    let text = std::iter::once(text).filter(|text| !text.is_empty());
    text.chain(notes.iter().cloned()).collect::<Vec<_>>().join("  ")
}

fn path(file: &BatchPath, view: &View) -> String {
    match &file.to {
        Some(to) => format!("{} -> {}", view.path(&file.path), view.path(to)),
        None => view.path(&file.path),
    }
}

fn notes(batch: &BatchSummary) -> Vec<String> {
    let all = |wanted: Operation| !batch.files.is_empty() && batch.files.iter().all(|file| file.operation == wanted);
    let names = |names: &[BatchName]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut notes = Vec::new();
    let mut note = |holds: bool, words: &str| notes.extend(holds.then(|| words.to_owned()));
    note(all(Operation::Create) && batch.undoes.is_empty(), "new");
    note(all(Operation::Delete) && batch.undoes.is_empty(), "deleted");
    note(batch.files.is_empty() && batch.tool == "purge_trash", "trash purged");
    note(batch.status == BatchStatus::Proposed, "proposed");
    note(batch.status == BatchStatus::Conflicted, "no longer fits");
    note(batch.status == BatchStatus::Rejected, "rejected");
    if let Some(applied) = &batch.applied {
        notes.push(format!("accepted by {}", by(applied)));
    }
    if !batch.undoes.is_empty() {
        notes.push(format!("undoes {}", names(&batch.undoes)));
    }
    if !batch.undone_by.is_empty() {
        let how = if batch.status == BatchStatus::Undone { "undone" } else { "partly undone" };
        notes.push(format!("{how} by {}", names(&batch.undone_by)));
    }
    notes
}

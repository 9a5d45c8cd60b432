//! `watch`: one line an event, as it happens: when, which batch, who, how many lines, and what it is about.

use super::super::terminal::plain;
use super::batches::{fitted, name, sign, subject};
use super::cells::{cut_end, width};
use super::counts::Counts;
use super::view::{Colour, Role, View};
use super::who::by;
use patchwright_core::batch::{Author, BatchStatus};
use patchwright_core::outcome::BatchSummary;
use patchwright_core::refusal::Kind;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub struct Happened<'a> {
    /// Who did it, and when.
    pub by: &'a Author,
    /// What it was.
    pub what: What<'a>,
    /// How many more files it is about that may not be named.
    pub hidden: usize,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A batch was made, proposed or decided about.
    Batch(&'a BatchSummary),
    /// A call changed nothing.
    Refused {
        /// The error kind.
        kind: &'a str,
        /// The files that it named.
        paths: &'a [String],
    },
}

/// So many cells a batch's name has at least, so that short ones stand below each other.
const NAME: usize = 4;
/// So many cells are left for what an event is about, before its counts are shown.
const ABOUT: usize = 32;

/// The line of an event, without its end.
pub fn event(happened: &Happened<'_>, view: &View) -> String {
    let time = happened.by.time_ns;
    let time = if view.is_terminal() { view.clock(time) } else { view.time(time) };
    let (sign, name) = match happened.what {
        What::Batch(batch) => (sign(batch.status), name(&batch.name, view)),
        What::Refused { .. } => (sign(BatchStatus::Rejected), String::new()),
    };
    let sign = if sign.trim().is_empty() { sign.to_owned() } else { view.paint(Role::Waiting, sign) };
    let (who, blanks) = (by(happened.by), NAME.saturating_sub(width(&name)));
    let gaps = "  ".len() + "x ".len() + "  ".len() + "  ".len();
    let used = width(&time) + width(&name) + blanks + width(&who) + gaps;
    let room = view.columns.map(|columns| columns.saturating_sub(used));
    let counts = counts(happened, room, view);
    let text = about(happened, room.map(|room| room.saturating_sub(counts.cells).max(12)), view);
    let name = view.paint(Role::Name, &name) + &" ".repeat(blanks);
    let line = format!("{time}  {sign} {name}  {who}{}  {text}", counts.text);
    line.trim_end().to_owned()
}

/// How many lines come and go, and how wide that is.
#[derive(Default)]
struct Told {
    text: String,
    cells: usize,
}

/// The counts, where they leave enough room for what the event is about.
fn counts(happened: &Happened<'_>, room: Option<usize>, view: &View) -> Told {
    let What::Batch(batch) = happened.what else { return Told::default() };
    let counts = Counts::new(batch.added, batch.removed);
    let plain = View { colour: Colour::No, ..view.clone() };
    let cells = width(&counts.behind(&plain));
    match room {
        Some(room) if room < cells + ABOUT => Told::default(),
        _ => Told { text: counts.behind(view), cells },
    }
}

/// What it is about, in so many cells.
fn about(happened: &Happened<'_>, room: Option<usize>, view: &View) -> String {
    let notes = notes(happened);
    let room = room.map(|room| notes.iter().fold(room, |room, note| room.saturating_sub(width(note) + 2)));
    let text = match (happened.what, room) {
        (What::Batch(batch), None) => subject(&acted(batch), view),
        (What::Batch(batch), Some(room)) => fitted(&acted(batch), room, view),
        (What::Refused { kind, paths }, room) => refused(kind, paths, room, view),
    };
    std::iter::once(text).filter(|text| !text.is_empty()).chain(notes).collect::<Vec<_>>().join("  ")
}

/// What else there is to say: whose proposal was accepted, and what may not be named.
fn notes(happened: &Happened<'_>) -> Vec<String> {
    let accepted = match happened.what {
        What::Batch(batch) if batch.applied.is_some() => Some(format!("proposed by {}", by(&batch.author))),
        _ => None,
    };
    let hidden = match happened.hidden {
        0 => None,
        1 => Some("1 file not shown".to_owned()),
        count => Some(format!("{count} files not shown")),
    };
    accepted.into_iter().chain(hidden).collect()
}

/// A batch as of its own event: who acts is named already.
fn acted(batch: &BatchSummary) -> BatchSummary {
    BatchSummary { applied: None, undone_by: Vec::new(), ..batch.clone() }
}

fn refused(kind: &str, paths: &[String], room: Option<usize>, view: &View) -> String {
    let why = format!("refused: {}", reason(kind));
    let shown: Vec<String> = paths.iter().map(|path| view.path(path)).collect();
    let whole = match shown.is_empty() {
        true => why.clone(),
        false => format!("{why}: {}", shown.join(", ")),
    };
    match room {
        Some(room) if width(&whole) > room => cut_end(&whole, room),
        _ => whole,
    }
}

/// Why a call changed nothing, in a few words.
fn reason(kind: &str) -> String {
    let known = Kind::ALL.iter().find(|known| known.name() == kind);
    let words = known.map(|kind| match kind {
        Kind::InvalidArguments => "the call makes no sense",
        Kind::NotFound => "not there",
        Kind::AlreadyExists => "something is there already",
        Kind::PermissionDenied => "not allowed",
        Kind::OutsideWorkspace => "outside the workspace",
        Kind::CommandFailed => "could not be done",
        Kind::BinaryFile => "not a text file",
        Kind::UnsupportedEncoding => "text in another charset",
        Kind::FileTooLarge => "too large",
        Kind::StaleFile => "not seen as it is now",
        Kind::Conflict => "changed since",
        Kind::AmbiguousPath => "could be several files",
        Kind::OldTextNotFound => "text not found",
        Kind::MultipleMatches => "text found several times",
        Kind::OverlappingEdits | Kind::OverlappingOperations => "edits that overlap",
        Kind::PatchParseError => "not a patch",
        Kind::PatchApplyError => "the patch does not fit",
        Kind::AnchorStale => "anchor of another version",
        Kind::AnchorAmbiguous | Kind::AnchorContextAmbiguous => "anchor of several lines",
        Kind::AnchorLowEntropy => "anchor of a line without words",
        Kind::InvalidRangeOrder => "a range without lines",
        Kind::SafetyCheckFailed => "looks like a slip",
        Kind::Busy => "another program was at work",
        Kind::Timeout => "took too long",
        Kind::Cancelled => "called off",
        Kind::InDoubt => "the disk failed",
        Kind::Internal => "a bug in patchwright",
    });
    words.map_or_else(|| plain(&kind.replace('_', " ")), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::batch::{BatchName, Role as Caller};
    use patchwright_core::outcome::{BatchPath, Operation};

    fn author(client: &str) -> Author {
        let (session, client) = ("s".to_owned(), client.to_owned());
        Author { session, client, actor: None, role: Caller::Agent, time_ns: 59_000_000_000 }
    }

    fn batch(path: &str, status: BatchStatus) -> BatchSummary {
        BatchSummary {
            name: BatchName::new("id", 7),
            key: None,
            label: None,
            tool: "edit_file".to_owned(),
            author: author("codex/1"),
            status,
            files: vec![BatchPath { operation: Operation::Update, path: path.to_owned(), to: None }],
            changes: 1,
            added: 3,
            removed: 1,
            undoes: Vec::new(),
            applied: None,
            undone_by: Vec::new(),
        }
    }

    fn line(what: What<'_>, hidden: usize, columns: Option<usize>) -> String {
        event(&Happened { by: &author("codex/1"), what, hidden }, &View { columns, ..View::default() })
    }

    #[test]
    fn lines() {
        let long = format!("src/{}main.rs", "deep/".repeat(12));
        for (path, status, hidden, columns, want) in [
            ("a.rs", BatchStatus::Applied, 0, Some(80), "00:00:59    b7    codex  +3 -1  a.rs"),
            ("a.rs", BatchStatus::Proposed, 0, Some(80), "00:00:59  ? b7    codex  +3 -1  a.rs  proposed"),
            ("a.rs", BatchStatus::Rejected, 0, Some(80), "00:00:59  x b7    codex  +3 -1  a.rs  rejected"),
            ("a.rs", BatchStatus::Applied, 2, Some(80), "00:00:59    b7    codex  +3 -1  a.rs  2 files not shown"),
            ("a.rs", BatchStatus::Applied, 0, None, "1970-01-01 00:00:59    b7    codex  +3 -1  a.rs"),
            (
                &long,
                BatchStatus::Applied,
                0,
                Some(70),
                "00:00:59    b7    codex  +3 -1  src/…/deep/deep/deep/deep/deep/main.rs",
            ),
            (&long, BatchStatus::Applied, 0, Some(60), "00:00:59    b7    codex  src/…/deep/deep/deep/deep/main.rs"),
            ("a.rs", BatchStatus::Applied, 0, Some(60), "00:00:59    b7    codex  a.rs"),
            ("a\nb\u{1b}[2J", BatchStatus::Applied, 0, Some(80), r#"00:00:59    b7    codex  +3 -1  "a\nb\u001b[2J""#),
        ] {
            let batch = batch(path, status);
            assert_eq!(line(What::Batch(&batch), hidden, columns), want);
        }
    }

    #[test]
    fn refusals() {
        let paths = ["a\u{1b}[31m\nb".to_owned(), "../out".to_owned()];
        for (kind, paths, hidden, columns, want) in [
            ("stale_file", &paths[1..], 0, Some(80), "00:00:59  x       codex  refused: not seen as it is now: ../out"),
            ("not_found", &paths[..1], 0, Some(80), r#"00:00:59  x       codex  refused: not there: "a\u001b[31m\nb""#),
            (
                "busy",
                &[],
                1,
                Some(80),
                "00:00:59  x       codex  refused: another program was at work  1 file not shown",
            ),
            ("not_found", &paths[..], 0, Some(50), "00:00:59  x       codex  refused: not there: \"a\\u…"),
            ("new_kind\n\u{1b}", &[], 0, None, r"1970-01-01 00:00:59  x       codex  refused: new kind\u{a}\u{1b}"),
        ] {
            assert_eq!(line(What::Refused { kind, paths }, hidden, columns), want);
        }
    }

    #[test]
    fn people_read_no_kinds() {
        for kind in Kind::ALL {
            assert!(!reason(kind.name()).contains('_') && reason(kind.name()) != kind.name(), "{kind:?}");
        }
    }
}

//! How a command ends that changed something: what was done, under which name, to which files.

use super::cells::{cut_path, width};
use super::counts::Counts;
use super::hunks;
use super::view::{Role, View};
use super::who::by;
use patchwright_core::batch::{BatchName, ChangeName};
use patchwright_core::outcome::{BatchPath, BatchSummary, Extent, FilePatchView, Operation, Patched, PatchedFile};

/// So many files are named.
const NAMED: usize = 10;
/// So many batches are named one by one.
const LISTED: usize = 6;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Batches or changes were taken back.
    Undo,
    /// An undo was taken back.
    Redo,
    /// A proposal was carried out.
    Accept,
    /// A proposal was dropped.
    Reject,
    /// A patch was applied.
    Apply,
    /// Lines were changed.
    Edit,
    /// A file came back.
    Restore,
}

impl Deed {
    fn words(self, extent: Extent) -> &'static str {
        let would = extent == Extent::Dry;
        match self {
            Deed::Undo if would => "Would take back",
            Deed::Undo => "Took back",
            Deed::Redo if would => "Would bring back",
            Deed::Redo => "Brought back",
            Deed::Accept if would => "Would accept",
            Deed::Accept => "Accepted",
            Deed::Reject if would => "Would reject",
            Deed::Reject => "Rejected",
            Deed::Apply if would => "Would apply",
            Deed::Apply => "Applied",
            Deed::Edit if would => "Would change",
            Deed::Edit => "Changed",
            Deed::Restore if would => "Would restore",
            Deed::Restore => "Restored",
        }
    }
}

/// What a command came to.
#[derive(Clone, Debug)]
pub struct Done<'a> {
    /// What was done.
    pub deed: Deed,
    /// How far it went.
    pub extent: Extent,
    /// The batches it was about, by what a list tells of them.
    pub about: &'a [BatchSummary],
    /// The changes it was about, if those are not all of the one batch.
    pub changes: &'a [ChangeName],
    /// Under which name it is on record, if that is a new one.
    pub name: Option<&'a BatchName>,
    /// The files.
    pub files: Vec<FileLine>,
}

/// A file that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    sign: char,
    path: String,
    to: Option<String>,
    counts: Counts,
}

impl From<&FilePatchView> for FileLine {
    fn from(file: &FilePatchView) -> FileLine {
        let (path, to) = (file.path.clone(), file.to.clone());
        FileLine { sign: sign(file.operation), path, to, counts: hunks::counts(file) }
    }
}

impl From<&BatchPath> for FileLine {
    fn from(file: &BatchPath) -> FileLine {
        let (path, to) = (file.path.clone(), file.to.clone());
        FileLine { sign: sign(file.operation), path, to, counts: Counts::default() }
    }
}

impl From<&PatchedFile> for FileLine {
    fn from(file: &PatchedFile) -> FileLine {
        let (path, to) = (file.path.clone(), file.to.clone());
        FileLine { sign: sign(file.operation), path, to, counts: counted(&file.diff) }
    }
}

impl FileLine {
    /// A file by what was done to it and by its diff.
    pub fn new(operation: Operation, path: &str, diff: &str) -> FileLine {
        FileLine { sign: sign(operation), path: path.to_owned(), to: None, counts: counted(diff) }
    }

    fn words(&self, cells: usize, view: &View) -> String {
        let room = cells.saturating_sub(width(&self.counts.words(&View::default())) + 4);
        let path = match &self.to {
            Some(to) => format!("{} -> {}", view.path(&self.path), view.path(to)),
            None => cut_path(&view.path(&self.path), room),
        };
        format!("{} {}{}", self.sign, view.paint(Role::Name, &path), self.counts.behind(view))
    }
}

fn sign(operation: Operation) -> char {
    match operation {
        Operation::Create | Operation::Restore => 'A',
        Operation::Update => 'M',
        Operation::Delete => 'D',
        Operation::Move => 'R',
    }
}

/// Lines that come and go, of a diff.
fn counted(diff: &str) -> Counts {
    let body = |line: &&str| !line.starts_with("--- ") && !line.starts_with("+++ ");
    let of = |sign: char| diff.lines().filter(body).filter(|line| line.starts_with(sign)).count();
    let count = |sign| u64::try_from(of(sign)).unwrap_or(u64::MAX);
    Counts::new(count('+'), count('-'))
}

/// The lines of an ending.
pub fn done(done: &Done<'_>, view: &View) -> String {
    let mut head = format!("{}{}", done.deed.words(done.extent), about(done, view));
    if let Some(name) = done.name {
        head.push_str(&format!(", as {}", view.paint(Role::Name, &name.to_string())));
    }
    let columns = view.columns.unwrap_or(usize::MAX);
    if let ([file], Deed::Accept | Deed::Reject) = (done.files.as_slice(), done.deed) {
        let words = file.words(columns.saturating_sub(width(&head) + 2), view);
        return format!("{head}  {words}\n");
    }
    head.push('\n');
    let lines =
        done.files.iter().take(NAMED).map(|file| format!("  {}\n", file.words(columns.saturating_sub(2), view)));
    let more = match done.files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("  … and {more} more\n"),
    };
    head + &lines.collect::<String>() + &more
}

/// The batches, with who made the one and when.
fn about(done: &Done<'_>, view: &View) -> String {
    match done.about {
        [] => String::new(),
        [one] => {
            let when = match done.deed {
                Deed::Accept | Deed::Reject => String::new(),
                _ => format!(", {}", view.ago(one.applied.as_ref().unwrap_or(&one.author).time_ns)),
            };
            let names = match done.changes {
                [] => one.name.to_string(),
                changes => changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            };
            format!(" {} ({}{when})", view.paint(Role::Name, &names), by(&one.author))
        }
        many => format!(" {} batches, {}", many.len(), view.paint(Role::Name, &span(many))),
    }
}

/// `b31-b59` where nothing between them is left out.
fn span(batches: &[BatchSummary]) -> String {
    let mut numbers: Vec<u64> = batches.iter().map(|batch| batch.name.number).collect();
    numbers.sort_unstable();
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if last - first + 1 == numbers.len() as u64 && numbers.len() > 1 => {
            format!("b{first}-b{last}")
        }
        (Some(first), Some(last)) if numbers.len() > LISTED => format!("from b{first} to b{last}"),
        _ => numbers.iter().map(|number| format!("b{number}")).collect::<Vec<_>>().join(", "),
    }
}

/// What a patch came to.
pub fn patched(patch: &Patched, view: &View) -> String {
    let files = patch.files.iter().map(FileLine::from).collect();
    let name = patch.batch.as_ref().filter(|_| patch.extent == Extent::Done);
    done(&Done { deed: Deed::Apply, extent: patch.extent, about: &[], changes: &[], name, files }, view)
}

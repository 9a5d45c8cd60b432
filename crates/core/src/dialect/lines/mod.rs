//! Line patches: changes of whole lines by their numbers, file by file, each with what its author expects there.
//!
//! Promises that every rule a patch breaks is told, not only the first: [`shape`] looks at the patch alone,
//! [`compare()`] holds it against the text of a file. Leaves reading arguments to the tool, finding files to the
//! engine and making new text to `plan`.

mod compare;
mod doc;
mod place;
mod repeats;
pub mod shape;

pub use compare::compare;
pub use doc::{is_doc_of, is_lower, lowered, without_root};

use crate::digest::Digest;
use crate::intent::{ChangeMarks, LineChange};
use crate::refusal::{LineFault, LinePlace, LineProblem};
use crate::text::FinalNewline;
use crate::text::encoding::Charset;

/// What is to become of one file.
///
/// Of a patch that came as arguments parts may be missing; then the call has faults, and nothing is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePatch {
    /// The file's path in lower case.
    pub doc_path: Option<String>,
    /// The hash of the bytes that the patch was made for.
    pub original: Option<Digest>,
    /// The caller's key for it.
    pub key: Option<String>,
    /// The caller's words for it.
    pub label: Option<String>,
    /// Its charset, where the caller names one for this file.
    pub charset: Option<Charset>,
    /// Whether it ends in a newline afterwards.
    pub final_newline: FinalNewline,
    /// Its changes, from top to bottom.
    pub changes: Vec<LineEdit>,
}

/// One change of whole lines, with what its author expects to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineEdit {
    /// Where, and what is done there.
    pub place: Option<LinePlace>,
    /// The new lines, without terminators.
    pub lines: Option<Vec<String>>,
    /// What the lines that go say.
    pub expected: Option<Vec<String>>,
    /// What stands above an insert, or above the first of its lines.
    pub above: Quoted,
    /// What stands below it, or below the last of them.
    pub below: Quoted,
    /// The caller's key for it.
    pub key: Option<String>,
    /// Why, in the caller's words.
    pub description: Option<String>,
    /// What else the caller says of it.
    pub marks: ChangeMarks,
}

/// What a caller says of a neighbouring line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Quoted {
    /// Nothing.
    #[default]
    Unsaid,
    /// There is none: the file begins or ends here.
    Edge,
    /// It says this.
    Line(String),
}

impl Quoted {
    /// What it says, if there is one.
    pub fn line(&self) -> Option<&String> {
        match self {
            Quoted::Line(line) => Some(line),
            Quoted::Unsaid | Quoted::Edge => None,
        }
    }
}

impl FilePatch {
    /// Changes of a file whose bytes have this hash.
    pub fn new(doc_path: impl Into<String>, original: Digest, changes: Vec<LineEdit>) -> FilePatch {
        FilePatch { doc_path: Some(doc_path.into()), original: Some(original), changes, ..FilePatch::default() }
    }

    /// The changes as planning takes them, once nothing stands against them.
    pub fn wanted(&self) -> Vec<LineChange> {
        self.changes.iter().filter_map(LineEdit::wanted).collect()
    }

    /// Something wrong with this file of a batch, or with one of its changes.
    pub fn fault(&self, file: usize, change: Option<usize>, problem: LineProblem) -> LineFault {
        let edit = change.and_then(|at| self.changes.get(at));
        LineFault {
            file: Some(file),
            doc_path: self.doc_path.clone(),
            path: None,
            change,
            key: edit.map_or_else(|| self.key.clone(), |edit| edit.key.clone()),
            about: edit.and_then(|edit| edit.place),
            problem,
        }
    }
}

impl LineEdit {
    /// New lines below a line; 0 for the top of the file.
    pub fn insert(after: usize, lines: Vec<String>) -> LineEdit {
        LineEdit { place: Some(LinePlace::Insert { after }), lines: Some(lines), ..LineEdit::default() }
    }

    /// New lines in place of those from `first` on, which say what is expected.
    pub fn replace(first: usize, expected: Vec<String>, lines: Vec<String>) -> LineEdit {
        let last = first.saturating_add(expected.len()).saturating_sub(1);
        let place = Some(LinePlace::Replace { first, last });
        LineEdit { place, lines: Some(lines), expected: Some(expected), ..LineEdit::default() }
    }

    /// No more of the lines from `first` on, which say what is expected.
    pub fn delete(first: usize, expected: Vec<String>) -> LineEdit {
        let last = first.saturating_add(expected.len()).saturating_sub(1);
        let place = Some(LinePlace::Delete { first, last });
        LineEdit { place, lines: Some(Vec::new()), expected: Some(expected), ..LineEdit::default() }
    }

    fn wanted(&self) -> Option<LineChange> {
        Some(LineChange {
            span: place::span(self.place?)?,
            lines: self.lines.clone().unwrap_or_default(),
            key: self.key.clone(),
            description: self.description.clone(),
            marks: self.marks.clone(),
        })
    }
}

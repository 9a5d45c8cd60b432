//! The facts behind refused line patches: every rule that is broken, each with its place.

use super::{ArgumentFault, Expected, Kind, Missing, Refusal, Why};

/// One rule that a line patch breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFault {
    /// Which of the files, from 0.
    pub file: Option<usize>,
    /// Its `docPath` as it was given.
    pub doc_path: Option<String>,
    /// The file, where it was found.
    pub path: Option<String>,
    /// Which of its changes, from 0.
    pub change: Option<usize>,
    /// The change's key, or the file's where no change is meant.
    pub key: Option<String>,
    /// The change in short, where it could be read.
    pub about: Option<LinePlace>,
    /// What is wrong.
    pub problem: LineProblem,
}

/// Which lines a change is about, as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePlace {
    /// New lines below this one; 0 for the top of the file.
    Insert {
        /// The line above, from 1.
        after: usize,
    },
    /// New lines in place of these, from 1, both included.
    Replace {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
    },
    /// No more of these lines.
    Delete {
        /// The first.
        first: usize,
        /// The last.
        last: usize,
    },
}

/// How a line patch breaks a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum LineProblem {
    /// An argument that does not fit by itself.
    Argument(ArgumentFault),
    /// A field that the operation needs.
    FieldMissing {
        /// The field.
        field: &'static str,
        /// The operation.
        operation: &'static str,
    },
    /// A field of other operations.
    FieldForeign {
        /// The field.
        field: &'static str,
        /// The operation.
        operation: &'static str,
        /// The operation's own fields.
        own: &'static str,
    },
    /// A `docPath` with capital letters.
    UpperCase {
        /// How it should be spelt.
        lower: String,
    },
    /// A file that an earlier part of the batch is about, too.
    SameFile {
        /// Which, from 0.
        earlier: usize,
        /// The file, where two `docPath`s lead to it.
        path: Option<String>,
    },
    /// A key that an earlier file of the batch, or an earlier change of the file, has too.
    SameKey {
        /// `fileKey` or `changeKey`.
        field: &'static str,
        /// The key.
        key: String,
        /// Which, from 0.
        earlier: usize,
    },
    /// A range that ends before it begins.
    Reversed,
    /// Lines that the file does not have.
    BeyondEnd {
        /// How many it has.
        count: usize,
    },
    /// Another number of expected lines than the range has.
    ExpectedCount {
        /// How many lines the range has.
        wanted: usize,
        /// How many were given.
        given: usize,
    },
    /// A line that would not be one.
    NotOneLine {
        /// The field it stands in.
        field: &'static str,
        /// Which of the list, from 0, if the field is one.
        index: Option<usize>,
        /// What is in it.
        what: Intruder,
    },
    /// A change that stands above the one before it.
    Order {
        /// The one before it, from 0.
        earlier: usize,
        /// Where that is.
        place: LinePlace,
    },
    /// Two changes that touch the same lines.
    Overlap {
        /// The other one, from 0.
        other: usize,
        /// Where that is.
        place: LinePlace,
    },
    /// Other lines than were expected.
    Differs(Box<Differing>),
    /// Another neighbour than was quoted.
    Neighbour {
        /// On which side.
        side: Side,
        /// What was quoted; nothing for the edge of the file.
        expected: Option<String>,
        /// What stands there; nothing for the edge of the file.
        actual: Option<String>,
        /// Where the change would belong by what was quoted, if that is in one place only: an insert after this
        /// line, another from this line on.
        instead: Option<usize>,
    },
    /// Quoted lines that stand elsewhere too, without a neighbour that says which of them are meant.
    Repeated(Box<RepeatedLines>),
    /// The file itself stands against it.
    File(Box<Refusal>),
}

/// Lines that stand in several places, and what tells one place from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedLines {
    /// Where else, from 1, the first few.
    pub lines: Vec<usize>,
    /// Are there more?
    pub more: bool,
    /// What stands above this place; nothing at the top of the file.
    pub above: Option<String>,
    /// What stands below it; nothing at the end.
    pub below: Option<String>,
    /// Where even both neighbours do not tell: the lines that would, from 1, if so many are enough.
    pub wider: Option<Wider>,
}

/// How far a range must reach to be the only one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wider {
    /// From this line to that one.
    Lines(usize, usize),
    /// Farther than was looked.
    Far,
}

/// What no line can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intruder {
    /// A line break.
    Newline,
    /// A carriage return at its end, which would become part of the line break.
    CarriageReturn,
    /// A NUL.
    Nul,
}

/// Above or below a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `expectedLineBefore`
    Before,
    /// `expectedLineAfter`
    After,
}

/// Lines that are not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The first line of the range, from 1.
    pub first: usize,
    /// How many lines differ.
    pub count: usize,
    /// Those that differ, the first few of them.
    pub pairs: Vec<DifferingLine>,
    /// Where the expected lines stand instead, if that is in one place only.
    pub instead: Option<usize>,
}

/// A line that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferingLine {
    /// Its number, from 1.
    pub line: usize,
    /// What was expected.
    pub expected: String,
    /// What stands there.
    pub actual: String,
    /// Is what stands there text as it is shown, so that it can be quoted?
    pub quotable: bool,
}

impl LinePlace {
    /// The operation's name.
    pub fn operation(self) -> &'static str {
        match self {
            LinePlace::Insert { .. } => "insert",
            LinePlace::Replace { .. } => "replace",
            LinePlace::Delete { .. } => "delete",
        }
    }
}

impl LineProblem {
    /// The kind on the wire.
    pub fn kind(&self) -> Kind {
        match self {
            LineProblem::Differs(_) | LineProblem::Neighbour { .. } => Kind::Conflict,
            LineProblem::Repeated(_) => Kind::MultipleMatches,
            LineProblem::File(refusal) => refusal.kind(),
            _ => Kind::InvalidArguments,
        }
    }

    /// The name of the rule that is broken. It never changes.
    pub fn rule(&self) -> &'static str {
        match self {
            LineProblem::Argument(fault) => argument_rule(&fault.expected),
            LineProblem::FieldMissing { .. } => "required_field",
            LineProblem::FieldForeign { .. } => "foreign_field",
            LineProblem::UpperCase { .. } => "lower_case",
            LineProblem::SameFile { .. } => "file_once",
            LineProblem::SameKey { .. } => "unique_key",
            LineProblem::Reversed | LineProblem::BeyondEnd { .. } => "range",
            LineProblem::ExpectedCount { .. } => "expected_count",
            LineProblem::NotOneLine { .. } => "whole_lines",
            LineProblem::Order { .. } => "order",
            LineProblem::Overlap { .. } => "overlap",
            LineProblem::Differs(_) => "expected_lines",
            LineProblem::Neighbour { .. } => "neighbour",
            LineProblem::Repeated(_) => "one_place",
            LineProblem::File(refusal) => line_patch_rule(&refusal.why).unwrap_or("file"),
        }
    }
}

/// The rule behind an argument that does not fit by itself.
pub fn argument_rule(expected: &Expected) -> &'static str {
    match expected {
        Expected::Present(_) | Expected::Chosen(_) => "required_field",
        Expected::Field { .. } => "known_fields",
        Expected::UniqueKey => "unique_fields",
        Expected::NotEmpty => "not_empty",
        Expected::Sha256 | Expected::Sha256Start => "sha256_format",
        Expected::Between(..) => "range",
        _ => "type",
    }
}

/// The rule behind a refusal that is about a file by its `docPath`.
pub fn line_patch_rule(why: &Why) -> Option<&'static str> {
    match why {
        Why::Stale(_) => Some("sha256_match"),
        Why::NotFound(Missing::File { .. }) => Some("file_found"),
        Why::AmbiguousDoc(_) => Some("one_file"),
        _ => None,
    }
}

/// The file and change that a place in the arguments lies in, such as `files[0].changes[2].newLines`.
pub fn line_patch_place(at: &str) -> (Option<usize>, Option<usize>) {
    let index = |rest: &str| rest.split_once(']').and_then(|(number, _)| number.parse().ok());
    let Some(rest) = at.strip_prefix("files[") else { return (None, None) };
    let change = rest.split_once("].changes[").and_then(|(_, rest)| index(rest));
    (index(rest), change)
}

#[cfg(test)]
mod tests {
    use super::line_patch_place;

    #[test]
    fn places_in_the_arguments() {
        for (at, want) in [
            ("", (None, None)),
            ("batchKey", (None, None)),
            ("files", (None, None)),
            ("files[x]", (None, None)),
            ("files[0]", (Some(0), None)),
            ("files[12].docPath", (Some(12), None)),
            ("files[1].changes", (Some(1), None)),
            ("files[1].changes[20]", (Some(1), Some(20))),
            ("files[1].changes[0].newLines[3]", (Some(1), Some(0))),
            ("files[99999999999999999999]", (None, None)),
        ] {
            assert_eq!(line_patch_place(at), want, "{at}");
        }
    }
}

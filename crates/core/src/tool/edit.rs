//! `edit`: operations on lines that anchors name, all against the text as it is, all or none.

use super::guidance::{freshness, identity, matrix, order, parameters, quoting, selection};
use super::read_file::PATH;
use super::shape::{BATCH, BATCH_ID, CONCURRENCY, DIFF_TRUNCATED, DRY_RUN as DRY, STATUS};
use super::shared::{
    DOC_PATH, DRY_RUN, ENCODING, EXECUTABLE, EXPECTED_SHA256, FINAL_NEWLINE, IDEMPOTENCY_KEY, MODE, Shared, charset,
    executable, final_newline,
};
use super::{Args, Call, Effect, Example, Field, Group, Need, Param, ParamKind, Repeat, Shape, Tool, Value};
use crate::anchor::{Anchor, Form};
use crate::digest::DigestPrefix;
use crate::intent::{Executable, LineDeed, LineOperation, Reach, Safety};
use crate::refusal::{ArgumentFault, Expected, Refusal, Why};
use crate::text::encoding::Charset;
use crate::text::{FinalNewline, lines};

/// The arguments of `edit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The path as the caller spelt it.
    pub path: String,
    /// Proof of sight.
    pub expected: Option<DigestPrefix>,
    /// The operations.
    pub operations: Vec<LineOperation>,
    /// What to do about a result that looks like a slip.
    pub safety: Safety,
    /// The charset, where the caller names one.
    pub charset: Option<Charset>,
    /// Whether the file ends in a newline afterwards.
    pub final_newline: FinalNewline,
    /// Whether it shall be executable, where the caller says.
    pub executable: Option<Executable>,
    /// What every changing call shares.
    pub shared: Shared,
}

impl Edit {
    /// Operations on the lines of a file; every option at its default.
    pub fn new(path: impl Into<String>, operations: Vec<LineOperation>) -> Edit {
        Edit {
            path: path.into(),
            expected: None,
            operations,
            safety: Safety::Strict,
            charset: None,
            final_newline: FinalNewline::Keep,
            executable: None,
            shared: Shared::default(),
        }
    }
}

pub(super) const TOOL: Tool = Tool {
    name: "edit",
    title: "Edit lines by their anchors",
    description: concat!(
        "Change lines of one file that you name by the hashes that read_file(hashes: true) or search_files(hashes: true) printed. \
All operations are resolved against the file as it is now and applied together; if one does not fit, none is applied and every bad one is reported. \
The answer's diff has the anchors of the new lines, so that you can go on editing without reading again; \
`must_refresh_from_line` says from where on older anchors have moved. \
Give `content` as plain lines joined by \\n, with their indentation and without the anchor prefix; one \\n at the end changes nothing. \
A result with brackets or syntax newly broken, with a boundary line repeated, or with the inserted lines standing there already, is refused (`safety_check`).\n\n",
        identity!(),
        "\n\n",
        freshness!(),
        "\n\n",
        selection!(),
        "\n\n",
        quoting!(),
        "\n\n",
        matrix!(),
        "\n\n",
        order!(),
        "\n\n",
        parameters!()
    ),
    parameters: &[
        PATH,
        DOC_PATH,
        Param {
            name: "operations",
            kind: ParamKind::Some(&ParamKind::Record(OPERATION)),
            need: Need::Required,
            doc: "The operations, in any order; they must not claim the same lines.",
        },
        Param {
            doc: "The file's sha256 as you know it: checked if given. The anchors are proof enough without it.",
            ..EXPECTED_SHA256
        },
        Param {
            name: "safety_check",
            kind: ParamKind::Choice(&["strict", "warn", "off"]),
            need: Need::Default("\"strict\""),
            doc: "What to do when the result looks like a slip: refuse it, apply it with `safety_warnings`, or do not look.",
        },
        ENCODING,
        DRY_RUN,
        IDEMPOTENCY_KEY,
        MODE,
        FINAL_NEWLINE,
        EXECUTABLE,
    ],
    answer: ANSWER,
    examples: &[
        Example {
            about: "change one line",
            arguments: r#"{"path": "src/server.ts", "operations": [{"op": "replace_line", "hash": "a1b2c3", "was": "const PORT = 3000;", "content": "const PORT = 4000;"}]}"#,
        },
        Example {
            about: "rewrite a block and add a line above another one",
            arguments: r#"{"path": "src/server.ts", "operations": [{"op": "replace_range", "start_hash": "5#77aa01", "end_hash": "9#~0c812f1b", "was": "function start() {", "content": "function start() {\\n  listen(PORT);\\n}"}, {"op": "insert_before", "hash": "1#d41d8c", "content": "// The server."}]}"#,
        },
    ],
    effect: Effect::Changes,
    repeat: Repeat::Different,
    groups: &[Group::Anchors],
    read,
};

const OPERATION: &[Param] = &[
    Param {
        name: "op",
        kind: ParamKind::Choice(&[
            Op::ReplaceLine.name(),
            Op::ReplaceRange.name(),
            Op::InsertAfter.name(),
            Op::InsertBefore.name(),
            Op::DeleteLine.name(),
            Op::DeleteRange.name(),
        ]),
        need: Need::Required,
        doc: "What to do.",
    },
    Param {
        name: "hash",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "The line's anchor; for replace_line, insert_after, insert_before and delete_line.",
    },
    Param {
        name: "start_hash",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "The anchor of the first line; for replace_range and delete_range.",
    },
    Param {
        name: "end_hash",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "The anchor of the last line, inclusive; for replace_range and delete_range.",
    },
    Param {
        name: "content",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "The new lines, joined by \\n, never empty; for all but delete_line and delete_range. A single \\n is one empty line.",
    },
    Param {
        name: "was",
        kind: ParamKind::Text,
        need: Need::Optional,
        doc: "What the first line that the operation touches says now, exactly and without its anchor (of an insert: the anchor's line; \
of a range: its first line, or all of its lines). Another text is refused; it never picks a line.",
    },
    Param {
        name: "occurrence",
        kind: ParamKind::Whole(1, i64::MAX),
        need: Need::Optional,
        doc: "Which of several lines with the same `hash`, counted from 1.",
    },
    Param {
        name: "line",
        kind: ParamKind::Whole(1, i64::MAX),
        need: Need::Optional,
        doc: "The line number that stood before the anchor: checked where the file is as you read it, never used to pick.",
    },
];

const ANSWER: &[Field] = &[
    Field { name: "path", shape: Shape::Text, need: Need::Required, doc: "The file, relative to the workspace." },
    Field {
        name: "operations_applied",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "How many operations were applied.",
    },
    Field { name: "lines_before", shape: Shape::Whole, need: Need::Required, doc: "Lines before." },
    Field { name: "lines_after", shape: Shape::Whole, need: Need::Required, doc: "Lines now." },
    Field { name: "net_change", shape: Shape::Whole, need: Need::Required, doc: "Lines now, less the lines before." },
    Field {
        name: "anchors_valid_through",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "Up to this line your anchors still hold, but for those in stale_anchors.",
    },
    Field {
        name: "must_refresh_from_line",
        shape: Shape::Whole,
        need: Need::Required,
        doc: "From this line on, take anchors from the diff or read again.",
    },
    Field {
        name: "stale_anchors",
        shape: Shape::List(&Shape::Record(STALE)),
        need: Need::Required,
        doc: "Lines above the change whose printed anchor no longer names them.",
    },
    Field {
        name: "stale_anchors_total",
        shape: Shape::Whole,
        need: Need::Optional,
        doc: "How many there are, when the list was cut.",
    },
    Field {
        name: "diff",
        shape: Shape::Text,
        need: Need::Required,
        doc: "What changed, with the new anchors of kept and added lines: `+12#a1b2c3 [high]|text`; cut at 64 KiB.",
    },
    DIFF_TRUNCATED,
    Field {
        name: "sha256",
        shape: Shape::Text,
        need: Need::Required,
        doc: "The file's hash now. Use it as expectedSha256 of the next change.",
    },
    Field {
        name: "baseline_continuity",
        shape: Shape::Text,
        need: Need::Required,
        doc: "mixed: something other than edit wrote this file, by the record of changes or by what this session saw; else clean.",
    },
    Field { name: "writer_type", shape: Shape::Text, need: Need::Required, doc: "Always edit." },
    Field {
        name: "auto_corrections",
        shape: Shape::List(&Shape::Record(NOTED)),
        need: Need::Required,
        doc: "What was put right without asking.",
    },
    Field {
        name: "safety_status",
        shape: Shape::Text,
        need: Need::Required,
        doc: "clean, suspicious (look at safety_warnings) or skipped.",
    },
    Field {
        name: "safety_warnings",
        shape: Shape::List(&Shape::Record(DOUBT)),
        need: Need::Required,
        doc: "What looks like a slip.",
    },
    BATCH_ID,
    BATCH,
    STATUS,
    Field {
        name: "unchanged",
        shape: Shape::Flag,
        need: Need::Optional,
        doc: "True when the file already was as asked for.",
    },
    DRY,
    CONCURRENCY,
];

const STALE: &[Field] = &[
    Field { name: "line", shape: Shape::Whole, need: Need::Required, doc: "The line." },
    Field { name: "was", shape: Shape::Text, need: Need::Required, doc: "The anchor it had." },
    Field { name: "anchor", shape: Shape::Text, need: Need::Required, doc: "The anchor it has, as `N#hash`." },
    Field { name: "quality", shape: Shape::Text, need: Need::Required, doc: "low, med or high." },
];

const NOTED: &[Field] = &[
    Field { name: "type", shape: Shape::Text, need: Need::Required, doc: "range_order_swapped." },
    Field { name: "detail", shape: Shape::Text, need: Need::Required, doc: "What was done." },
];

const DOUBT: &[Field] = &[
    Field {
        name: "type",
        shape: Shape::Text,
        need: Need::Required,
        doc: "unbalanced_bracket, syntax_error, repeated_line, anchor_in_content, already_there or indentation.",
    },
    Field { name: "line", shape: Shape::Whole, need: Need::Required, doc: "Where, in the new text." },
    Field { name: "detail", shape: Shape::Text, need: Need::Required, doc: "What it is." },
];

fn read(args: &Args) -> Result<Call, Refusal> {
    Ok(Call::Edit(Edit {
        path: args.text("path")?,
        expected: args.sha256("expectedSha256")?,
        operations: operations(args)?,
        safety: match args.word("safety_check") {
            Some("warn") => Safety::Warn,
            Some("off") => Safety::Off,
            _ => Safety::Strict,
        },
        charset: charset(args)?,
        final_newline: final_newline(args),
        executable: executable(args),
        shared: Shared::read(args)?,
    }))
}

/// All operations, or everything that is wrong with any of them.
fn operations(args: &Args) -> Result<Vec<LineOperation>, Refusal> {
    let (mut read, mut faults) = (Vec::new(), Vec::new());
    for (index, value) in args.list("operations").iter().enumerate() {
        let Value::Record(fields) = value else { continue };
        let mut one = Reader { index, fields, faults: &mut faults };
        read.extend(one.operation());
    }
    if faults.is_empty() { Ok(read) } else { Err(Refusal::plain(Why::Arguments(faults))) }
}

/// What an operation does, and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    ReplaceLine,
    ReplaceRange,
    InsertAfter,
    InsertBefore,
    DeleteLine,
    DeleteRange,
}

impl Op {
    const ALL: [Op; 6] =
        [Op::ReplaceLine, Op::ReplaceRange, Op::InsertAfter, Op::InsertBefore, Op::DeleteLine, Op::DeleteRange];

    /// Its name on the wire.
    const fn name(self) -> &'static str {
        match self {
            Op::ReplaceLine => "replace_line",
            Op::ReplaceRange => "replace_range",
            Op::InsertAfter => "insert_after",
            Op::InsertBefore => "insert_before",
            Op::DeleteLine => "delete_line",
            Op::DeleteRange => "delete_range",
        }
    }

    fn named(name: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.name() == name)
    }

    fn deed(self) -> LineDeed {
        match self {
            Op::ReplaceLine | Op::ReplaceRange => LineDeed::Replace,
            Op::InsertAfter => LineDeed::InsertAfter,
            Op::InsertBefore => LineDeed::InsertBefore,
            Op::DeleteLine | Op::DeleteRange => LineDeed::Delete,
        }
    }

    fn extent(self) -> Extent {
        match self {
            Op::ReplaceRange | Op::DeleteRange => Extent::Range,
            Op::ReplaceLine | Op::InsertAfter | Op::InsertBefore | Op::DeleteLine => Extent::Line,
        }
    }
}

/// What an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Line,
    Range,
}

impl Extent {
    /// The fields that say where.
    fn fields(self) -> &'static str {
        match self {
            Extent::Line => "hash, occurrence, line",
            Extent::Range => "start_hash, end_hash",
        }
    }
}

/// Lines joined by `\n`; one at the end ends the last line.
fn split(text: &str) -> Vec<String> {
    lines(text.as_bytes()).map(|line| String::from_utf8_lossy(line.text).into_owned()).collect()
}

/// The lines of a `was`; an empty one quotes an empty line.
fn quoted(was: &str) -> Vec<String> {
    if was.is_empty() { vec![String::new()] } else { split(was) }
}

/// Reads one operation and notes what is wrong with it.
struct Reader<'a> {
    index: usize,
    fields: &'a Args,
    faults: &'a mut Vec<ArgumentFault>,
}

impl Reader<'_> {
    fn operation(&mut self) -> Option<LineOperation> {
        let op = self.fields.word("op").and_then(Op::named).unwrap_or(Op::DeleteRange);
        let deed = op.deed();
        let reach = match op.extent() {
            Extent::Line => self.line(op),
            Extent::Range => self.range(op),
        };
        let lines = if deed == LineDeed::Delete { self.nothing(op) } else { self.lines() };
        let was = self.fields.word("was").map(quoted);
        Some(LineOperation { deed, reach: reach?, lines: lines?, was })
    }

    fn line(&mut self, op: Op) -> Option<Reach> {
        for name in ["start_hash", "end_hash"] {
            self.foreign(op, name, Extent::Line.fields());
        }
        let anchor = self.anchor("hash")?;
        let (occurrence, line) = (self.fields.count("occurrence"), self.fields.count("line"));
        match (anchor.form, occurrence) {
            (Form::Place { at, .. }, Some(other)) if other != at => {
                self.fault("occurrence", Expected::SameOccurrence(at), other.to_string());
                None
            }
            _ => Some(Reach::Line { anchor, occurrence, line }),
        }
    }

    fn range(&mut self, op: Op) -> Option<Reach> {
        for name in ["hash", "occurrence", "line"] {
            self.foreign(op, name, Extent::Range.fields());
        }
        let (start, end) = (self.anchor("start_hash"), self.anchor("end_hash"));
        Some(Reach::Range { start: start?, end: end? })
    }

    /// A field that belongs to operations of another sort.
    fn foreign(&mut self, op: Op, name: &'static str, fields: &'static str) {
        let Some((_, value)) = self.fields.fields().find(|(known, _)| *known == name) else { return };
        let got = match value {
            Value::Text(text) => format!("{text:?}"),
            Value::Whole(number) => number.to_string(),
            _ => "a value".to_owned(),
        };
        self.fault(name, Expected::OtherOperation { op: op.name(), fields }, got);
    }

    fn anchor(&mut self, name: &'static str) -> Option<Anchor> {
        let Some(word) = self.fields.word(name) else {
            self.fault(name, Expected::Present("string"), "nothing".to_owned());
            return None;
        };
        let anchor = Anchor::parse(word);
        if anchor.is_none() {
            let shown: String = word.chars().take(80).collect();
            self.fault(name, Expected::Anchor, format!("{shown:?}"));
        }
        anchor
    }

    fn nothing(&mut self, op: Op) -> Option<Vec<String>> {
        self.foreign(op, "content", op.extent().fields());
        Some(Vec::new())
    }

    fn lines(&mut self) -> Option<Vec<String>> {
        match self.fields.word("content") {
            None => self.fault("content", Expected::Present("string"), "nothing".to_owned()),
            Some("") => self.fault("content", Expected::Lines, "\"\"".to_owned()),
            // It would make the file a binary one, which no text tool could mend.
            Some(content) if content.contains('\0') => {
                self.fault("content", Expected::WithoutNul, "text with a NUL character".to_owned());
            }
            Some(content) => return Some(split(content)),
        }
        None
    }

    fn fault(&mut self, name: &str, expected: Expected, got: String) {
        self.faults.push(ArgumentFault { at: format!("operations[{}].{name}", self.index), expected, got });
    }
}

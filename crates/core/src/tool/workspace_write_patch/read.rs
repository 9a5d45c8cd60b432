//! From arguments to line patches. What does not fit is told with its place, and the rest is read all the same,
//! so that everything that stands against a call can be told at once.

use super::super::shared::{Shared, charset, final_newline};
use super::super::{Args, Call, Value};
use super::WritePatch;
use crate::dialect::lines::{FilePatch, LineEdit, Quoted};
use crate::digest::Digest;
use crate::intent::ChangeMarks;
use crate::refusal::{ArgumentFault, Expected, LineFault, LinePlace, LineProblem, Refusal, Why, line_patch_place};
use crate::text::encoding::Charset;

/// What a change does to lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Insert,
    Replace,
    Delete,
}

impl Operation {
    const ALL: [Operation; 3] = [Operation::Insert, Operation::Replace, Operation::Delete];

    /// Its name on the wire.
    fn name(self) -> &'static str {
        match self {
            Operation::Insert => "insert",
            Operation::Replace => "replace",
            Operation::Delete => "delete",
        }
    }

    fn named(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// The fields that it needs.
    fn needs(self) -> &'static [&'static str] {
        match self {
            Operation::Insert => &["afterLine", "newLines"],
            Operation::Replace => &["startLine", "endLine", "expectedOriginalLines", "newLines"],
            Operation::Delete => &["startLine", "endLine", "expectedOriginalLines"],
        }
    }

    /// Those it may have, in words. What names or describes a change, and the lines beside it, may stand with every
    /// operation.
    fn fields(self) -> &'static str {
        match self {
            Operation::Insert => "afterLine, newLines, expectedLineBefore, expectedLineAfter",
            Operation::Replace => {
                "startLine, endLine, expectedOriginalLines, newLines, expectedLineBefore, expectedLineAfter"
            }
            Operation::Delete => "startLine, endLine, expectedOriginalLines, expectedLineBefore, expectedLineAfter",
        }
    }
}

/// Which change of a call, by its place in it, from 0.
#[derive(Clone, Copy)]
struct ChangeAt {
    file: usize,
    change: usize,
}

impl ChangeAt {
    /// What the names of its arguments begin with.
    fn prefix(self) -> String {
        format!("files[{}].changes[{}].", self.file, self.change)
    }
}

/// Every field that belongs to some operations only.
const OWN: &[&str] = &["afterLine", "startLine", "endLine", "expectedOriginalLines", "newLines"];

pub(super) fn call(args: &Args) -> Result<Call, Refusal> {
    let mut reader = Reader { unfit: args.unfit().to_vec(), faults: Vec::new(), ignored: Vec::new() };
    reader.note_id(args, "batchId", String::new());
    let files: Vec<FilePatch> =
        args.list("files").iter().enumerate().map(|(file, value)| reader.file(file, value)).collect();
    let charset = charset(args).unwrap_or_else(|refusal| {
        reader.unfit.extend(argument_faults(refusal));
        None
    });
    let mut unfit: Vec<LineFault> = reader.unfit.into_iter().map(|fault| placed(&files, fault)).collect();
    unfit.extend(reader.faults.into_iter().map(|(ChangeAt { file, change }, problem)| match files.get(file) {
        Some(patch) => patch.fault(file, Some(change), problem),
        None => FilePatch::default().fault(file, Some(change), problem),
    }));
    Ok(Call::WorkspaceWritePatch(WritePatch {
        label: args.word("batchLabel").map(str::to_owned),
        key: args.word("batchKey").map(str::to_owned),
        files,
        unfit,
        ignored: reader.ignored,
        charset,
        shared: Shared::read(args)?,
    }))
}

fn argument_faults(refusal: Refusal) -> Vec<ArgumentFault> {
    match refusal.why {
        Why::Arguments(faults) => faults,
        _ => Vec::new(),
    }
}

/// An argument that does not fit, with the file and change it belongs to.
fn placed(files: &[FilePatch], fault: ArgumentFault) -> LineFault {
    let (file, change) = line_patch_place(&fault.at);
    let problem = LineProblem::Argument(fault);
    match file.and_then(|at| Some((at, files.get(at)?))) {
        Some((at, patch)) => patch.fault(at, change, problem),
        None => LineFault { file, doc_path: None, path: None, change, key: None, about: None, problem },
    }
}

/// Reads files and changes, and notes what is wrong with them.
struct Reader {
    unfit: Vec<ArgumentFault>,
    faults: Vec<(ChangeAt, LineProblem)>,
    ignored: Vec<String>,
}

impl Reader {
    fn file(&mut self, file: usize, value: &Value) -> FilePatch {
        let Value::Record(fields) = value else { return FilePatch::default() };
        self.note_id(fields, "filePatchId", format!("files[{file}]."));
        let changes = fields.list("changes").iter().enumerate();
        FilePatch {
            doc_path: fields.word("docPath").map(str::to_owned),
            original: self.sha256(fields, format!("files[{file}].originalSha256")),
            key: fields.word("fileKey").map(str::to_owned),
            label: fields.word("fileLabel").map(str::to_owned),
            charset: self.charset(fields, format!("files[{file}].encoding")),
            final_newline: final_newline(fields),
            changes: changes.map(|(change, value)| self.change(ChangeAt { file, change }, value)).collect(),
        }
    }

    fn charset(&mut self, fields: &Args, at: String) -> Option<Charset> {
        let label = fields.word("encoding")?;
        let read = Charset::from_label(label);
        if read.is_none() {
            self.unfit.push(ArgumentFault { at, expected: Expected::Charset, got: shortened(label) });
        }
        read
    }

    fn sha256(&mut self, fields: &Args, at: String) -> Option<Digest> {
        let hex = fields.word("originalSha256")?;
        let read = Digest::parse(hex);
        if read.is_none() {
            self.unfit.push(ArgumentFault { at, expected: Expected::Sha256, got: shortened(hex) });
        }
        read
    }

    fn change(&mut self, at: ChangeAt, value: &Value) -> LineEdit {
        let Value::Record(fields) = value else { return LineEdit::default() };
        self.note_id(fields, "changeId", at.prefix());
        let operation = fields.word("operation").and_then(Operation::named);
        if let Some(operation) = operation {
            self.check_fields(at, fields, operation);
        }
        LineEdit {
            place: operation.and_then(|operation| place(operation, fields)),
            lines: if operation == Some(Operation::Delete) { Some(Vec::new()) } else { lines(fields, "newLines") },
            expected: lines(fields, "expectedOriginalLines"),
            above: quoted(fields, "expectedLineBefore"),
            below: quoted(fields, "expectedLineAfter"),
            key: fields.word("changeKey").map(str::to_owned),
            description: fields.word("description").map(str::to_owned),
            marks: ChangeMarks {
                severity: fields.word("severity").map(str::to_owned),
                categories: fields.texts("categories"),
                tags: fields.texts("tags"),
            },
        }
    }

    /// Each operation has the fields that it needs, and none that belong to another.
    fn check_fields(&mut self, at: ChangeAt, fields: &Args, operation: Operation) {
        let (name, own) = (operation.name(), operation.fields());
        for field in OWN {
            let given = fields.value(field).is_some();
            let needed = operation.needs().contains(field);
            if needed && !given {
                self.fault(at, LineProblem::FieldMissing { field, operation: name });
            }
            if given && !needed {
                // That it does not belong here is all there is to say of it.
                let place = at.prefix() + field;
                let inside =
                    |at: &str| at.strip_prefix(&place).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
                self.unfit.retain(|fault| !inside(&fault.at));
                self.fault(at, LineProblem::FieldForeign { field, operation: name, own });
            }
        }
    }

    fn fault(&mut self, at: ChangeAt, problem: LineProblem) {
        self.faults.push((at, problem));
    }

    fn note_id(&mut self, fields: &Args, name: &str, at: String) {
        if fields.value(name).is_some() {
            self.ignored.push(at + name);
        }
    }
}

fn place(operation: Operation, fields: &Args) -> Option<LinePlace> {
    let range = || Some((fields.count("startLine")?, fields.count("endLine")?));
    match operation {
        Operation::Insert => fields.count("afterLine").map(|after| LinePlace::Insert { after }),
        Operation::Replace => range().map(|(first, last)| LinePlace::Replace { first, last }),
        Operation::Delete => range().map(|(first, last)| LinePlace::Delete { first, last }),
    }
}

/// A list of lines, if all of it fits.
fn lines(fields: &Args, name: &str) -> Option<Vec<String>> {
    let Some(Value::List(items)) = fields.value(name) else { return None };
    let line = |value: &Value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().map(line).collect()
}

fn quoted(fields: &Args, name: &str) -> Quoted {
    match fields.value(name) {
        Some(Value::Text(text)) => Quoted::Line(text.clone()),
        Some(Value::Null) => Quoted::Edge,
        _ => Quoted::Unsaid,
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

//! The fingerprint of a call: a hash by which a repeated call is known for the same one. It stands in the log beside
//! the idempotency key, so how it is made is part of the format and a golden test holds it.
//!
//! The tool and every argument that is not at its default go in under the names they have on the wire, each text with
//! its length before it, so that no two calls look alike. What is at its default is left out: a later version may add
//! arguments without changing the fingerprint of calls that do not use them. The idempotency key is no
//! part of it.

use super::{
    Age, ApplyBatch, ApplyPatch, Atomic, Call, CreateFile, Edit, EditFile, FileVersion, Ground, MoveFile, Recursive,
    RestoreWhat, Run, Shared, Undo, UndoWhat, VersionSide, WriteFile, WritePatch,
};
use crate::anchor::Anchor;
use crate::conventions::Conventions;
use crate::dialect::lines::{FilePatch, LineEdit, Quoted};
use crate::digest::{Digest, DigestPrefix, Hasher};
use crate::intent::{
    ExactEdit, Executable, LineDeed, LineOperation, Newline, Occurrences, Onto, Parents, Reach, Safety,
};
use crate::refusal::LinePlace;
use crate::text::encoding::Charset;
use crate::text::{FinalNewline, Terminator};

impl Call {
    /// A hash of everything that a changing call asks for; nothing for calls that only look.
    pub fn fingerprint(&self) -> Option<Digest> {
        let shared = self.shared()?;
        let mut print = Print(Hasher::default());
        print.text("tool", self.tool().name);
        print.arguments(self);
        print.mode(shared);
        Some(print.0.finish())
    }
}

/// A hash under way.
struct Print(Hasher);

impl Print {
    fn arguments(&mut self, call: &Call) {
        match call {
            Call::CreateFile(ask) => self.create_file(ask),
            Call::WriteFile(ask) => self.write_file(ask),
            Call::EditFile(ask) => self.edit_file(ask),
            Call::ApplyPatch(ask) => self.apply_patch(ask),
            Call::Edit(ask) => self.edit(ask),
            Call::WorkspaceWritePatch(ask) => self.write_patch(ask),
            Call::DeleteFile(ask) => {
                self.text("path", &ask.path);
                self.sha256("expectedSha256", ask.expected);
                self.folder(ask.recursive, &ask.expected_by_path);
            }
            Call::RestoreFile(ask) => self.restore_file(&ask.what),
            Call::MoveFile(ask) => self.move_file(ask),
            Call::PurgeTrash(ask) => match ask.older_than {
                Age::OlderThan(seconds) => self.text("olderThan", &format!("{seconds}s")),
                Age::Before(instant) => self.text("olderThan", &format!("@{instant}")),
            },
            Call::Undo(ask) => self.undo(ask),
            Call::ApplyBatch(ask) => self.apply_batch(ask),
            Call::RejectBatch(ask) => {
                self.text("batchId", &ask.batch);
                self.maybe("reason", ask.reason.as_deref());
            }
            // They only look, or are not yet what will be carried out, and have no fingerprint.
            Call::ByDocPath(_)
            | Call::ReadFile(_)
            | Call::ListDirectory(_)
            | Call::SearchFiles(_)
            | Call::Glob(_)
            | Call::ListTrash(_)
            | Call::WorkspaceReadFile(_)
            | Call::ListBatches(_)
            | Call::GetPatchChange(_)
            | Call::ExplainLines(_) => {}
        }
    }

    fn restore_file(&mut self, what: &RestoreWhat) {
        match what {
            RestoreWhat::Trash { id, target_path } => {
                self.text("trashId", id);
                self.maybe("targetPath", target_path.as_deref());
            }
            RestoreWhat::Version(FileVersion { path, batch, side }) => {
                self.text("path", path);
                self.text("version", batch);
                self.maybe("side", (*side == VersionSide::Before).then_some("before"));
            }
        }
    }

    fn create_file(&mut self, ask: &CreateFile) {
        self.text("path", &ask.path);
        self.text("content", &ask.content);
        self.parents(ask.parents);
        self.encoding(ask.charset);
        self.newline(ask.newline);
        self.maybe("linkTarget", ask.link_target.as_deref());
        self.executable(ask.executable);
    }

    fn write_file(&mut self, ask: &WriteFile) {
        self.text("path", &ask.path);
        self.text("content", &ask.content);
        self.sha256("expectedSha256", ask.expected);
        self.maybe("newline", (ask.newline == Newline::Verbatim).then_some("verbatim"));
        self.encoding(ask.charset);
        self.executable(ask.executable);
    }

    fn edit_file(&mut self, ask: &EditFile) {
        self.text("path", &ask.path);
        self.sha256("expectedSha256", ask.expected);
        self.list("edits", &ask.edits, |print, edit: &ExactEdit| {
            print.text("oldText", &edit.old);
            print.text("newText", &edit.new);
            match edit.occurrences {
                Occurrences::Once | Occurrences::Exactly(1) => {}
                Occurrences::Exactly(count) => print.text("expectedOccurrences", &count.to_string()),
                Occurrences::All => print.text("replaceAll", "true"),
            }
        });
        self.encoding(ask.charset);
        self.executable(ask.executable);
    }

    fn apply_patch(&mut self, ask: &ApplyPatch) {
        self.text("patch", &ask.patch);
        self.expected_by_path(&ask.expected);
        self.maybe("atomic", (ask.atomic == Atomic::Sections).then_some("false"));
        self.maybe("conventions", (ask.conventions == Some(Conventions::Codex)).then_some("codex"));
        self.parents(ask.parents);
        self.encoding(ask.charset);
        let mut charsets: Vec<(&str, &str)> =
            ask.charsets.iter().map(|(path, charset)| (path.as_str(), charset.name())).collect();
        charsets.sort_unstable();
        self.list("encodingByPath", &charsets, |print, (path, charset)| {
            print.text("path", path);
            print.text("encoding", charset);
        });
        self.newline(ask.newline);
    }

    fn edit(&mut self, ask: &Edit) {
        self.text("path", &ask.path);
        self.list("operations", &ask.operations, Print::operation);
        self.sha256("expectedSha256", ask.expected);
        let safety = match ask.safety {
            Safety::Strict => None,
            Safety::Warn => Some("warn"),
            Safety::Off => Some("off"),
        };
        self.maybe("safety_check", safety);
        self.encoding(ask.charset);
        self.final_newline(ask.final_newline);
        self.executable(ask.executable);
    }

    fn operation(&mut self, operation: &LineOperation) {
        let op = match (operation.deed, operation.reach) {
            (LineDeed::Replace, Reach::Line { .. }) => "replace_line",
            (LineDeed::Replace, Reach::Range { .. }) => "replace_range",
            (LineDeed::InsertAfter, _) => "insert_after",
            (LineDeed::InsertBefore, _) => "insert_before",
            (LineDeed::Delete, Reach::Line { .. }) => "delete_line",
            (LineDeed::Delete, Reach::Range { .. }) => "delete_range",
        };
        self.text("op", op);
        match operation.reach {
            Reach::Line { anchor, occurrence, line } => {
                self.anchor("hash", anchor);
                self.count("occurrence", occurrence);
                self.count("line", line);
            }
            Reach::Range { start, end } => {
                self.anchor("start_hash", start);
                self.anchor("end_hash", end);
            }
        }
        self.lines("content", &operation.lines);
        if let Some(was) = &operation.was {
            self.lines("was", was);
        }
    }

    fn write_patch(&mut self, ask: &WritePatch) {
        self.list("files", &ask.files, Print::file_patch);
        self.maybe("batchLabel", ask.label.as_deref());
        self.maybe("batchKey", ask.key.as_deref());
        self.encoding(ask.charset);
        self.lines("ignored", &ask.ignored);
        // Such a call is never carried out. It must not be taken for one that was.
        self.count("unfit", Some(ask.unfit.len()).filter(|count| *count > 0));
    }

    fn file_patch(&mut self, file: &FilePatch) {
        self.maybe("docPath", file.doc_path.as_deref());
        self.sha256("originalSha256", file.original);
        self.list("changes", &file.changes, Print::line_edit);
        self.maybe("fileKey", file.key.as_deref());
        self.maybe("fileLabel", file.label.as_deref());
        self.encoding(file.charset);
        self.final_newline(file.final_newline);
    }

    fn line_edit(&mut self, edit: &LineEdit) {
        let (operation, after, range) = match edit.place {
            None => (None, None, None),
            Some(LinePlace::Insert { after }) => (Some("insert"), Some(after), None),
            Some(LinePlace::Replace { first, last }) => (Some("replace"), None, Some((first, last))),
            Some(LinePlace::Delete { first, last }) => (Some("delete"), None, Some((first, last))),
        };
        self.maybe("operation", operation);
        self.count("afterLine", after);
        self.count("startLine", range.map(|(first, _)| first));
        self.count("endLine", range.map(|(_, last)| last));
        for (name, lines) in [("expectedOriginalLines", &edit.expected), ("newLines", &edit.lines)] {
            if let Some(lines) = lines {
                self.lines(name, lines);
            }
        }
        for (name, quoted) in [("expectedLineBefore", &edit.above), ("expectedLineAfter", &edit.below)] {
            match quoted {
                Quoted::Unsaid => {}
                Quoted::Edge => self.begin(name, Sort::Null),
                Quoted::Line(line) => self.text(name, line),
            }
        }
        self.maybe("changeKey", edit.key.as_deref());
        self.maybe("description", edit.description.as_deref());
        self.maybe("severity", edit.marks.severity.as_deref());
        self.lines("categories", &edit.marks.categories);
        self.lines("tags", &edit.marks.tags);
    }

    fn move_file(&mut self, ask: &MoveFile) {
        self.text("fromPath", &ask.from);
        self.text("toPath", &ask.to);
        self.sha256("expectedSha256", ask.expected);
        self.maybe("overwrite", (ask.onto == Onto::Replace).then_some("true"));
        self.sha256("expectedTargetSha256", ask.expected_target);
        self.folder(ask.recursive, &ask.expected_by_path);
    }

    fn folder(&mut self, recursive: Recursive, expected: &[(String, String)]) {
        self.maybe("recursive", (recursive == Recursive::Yes).then_some("true"));
        self.expected_by_path(expected);
    }

    fn expected_by_path(&mut self, expected: &[(String, String)]) {
        let mut expected: Vec<&(String, String)> = expected.iter().collect();
        expected.sort();
        self.list("expectedSha256ByPath", &expected, |print, (path, sha256)| {
            print.text("path", path);
            print.text("sha256", sha256);
        });
    }

    fn undo(&mut self, ask: &Undo) {
        match &ask.what {
            UndoWhat::Batch { id, changes } => {
                self.text("batchId", id);
                self.lines("changeIds", changes.as_deref().unwrap_or_default());
            }
            UndoWhat::Changes(changes) => self.lines("changeIds", changes),
            UndoWhat::Batches(batches) => self.lines("batchIds", batches),
            UndoWhat::Path(path) => self.text("path", path),
            UndoWhat::Session(id) => self.text("sessionId", id),
            UndoWhat::Since(id) => self.text("sinceBatchId", id),
        }
    }

    fn apply_batch(&mut self, ask: &ApplyBatch) {
        self.maybe("batchId", ask.batch.as_deref());
        self.lines("changeIds", ask.changes.as_deref().unwrap_or_default());
        self.maybe("rebase", (ask.ground == Ground::MayHaveMoved).then_some("true"));
    }

    fn mode(&mut self, shared: &Shared) {
        self.maybe("mode", (shared.run == Run::Propose).then_some("propose"));
        self.maybe("dryRun", (shared.run == Run::Dry).then_some("true"));
    }

    fn parents(&mut self, parents: Parents) {
        self.maybe("createParentDirectories", (parents == Parents::Create).then_some("true"));
    }

    fn encoding(&mut self, charset: Option<Charset>) {
        self.maybe("encoding", charset.map(Charset::name));
    }

    fn newline(&mut self, newline: Option<Terminator>) {
        self.maybe("newline", newline.map(|ends| if ends == Terminator::CrLf { "crlf" } else { "lf" }));
    }

    fn final_newline(&mut self, ends: FinalNewline) {
        let said = match ends {
            FinalNewline::Keep => None,
            FinalNewline::With => Some("true"),
            FinalNewline::Without => Some("false"),
        };
        self.maybe("finalNewline", said);
    }

    fn executable(&mut self, executable: Option<Executable>) {
        let said = executable.map(|said| if said == Executable::Yes { "true" } else { "false" });
        self.maybe("executable", said);
    }

    fn anchor(&mut self, name: &str, anchor: Anchor) {
        let line = anchor.line.map(|line| format!("{line}#")).unwrap_or_default();
        self.text(name, &format!("{line}{}", anchor.form));
    }

    /// As long as it was given: a hash and its beginning are different arguments.
    fn sha256(&mut self, name: &str, digest: Option<impl Into<DigestPrefix>>) {
        let digest: Option<DigestPrefix> = digest.map(Into::into);
        self.maybe(name, digest.map(|digest| digest.to_string()).as_deref());
    }

    fn count(&mut self, name: &str, count: Option<usize>) {
        self.maybe(name, count.map(|count| count.to_string()).as_deref());
    }

    fn maybe(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        self.begin(name, Sort::Text);
        self.sized(text);
    }

    fn lines(&mut self, name: &str, lines: &[String]) {
        self.list(name, lines, |print, line| print.text("line", line));
    }

    fn list<T>(&mut self, name: &str, items: &[T], each: impl Fn(&mut Print, &T)) {
        if items.is_empty() {
            return;
        }
        self.begin(name, Sort::List);
        self.size(items.len());
        for item in items {
            each(self, item);
            self.0.update(&[Sort::End as u8]);
        }
    }

    /// What is to come: its sort, then its name.
    fn begin(&mut self, name: &str, sort: Sort) {
        self.0.update(&[sort as u8]);
        self.sized(name);
    }

    fn sized(&mut self, text: &str) {
        self.size(text.len());
        self.0.update(text.as_bytes());
    }

    fn size(&mut self, size: usize) {
        self.0.update(&(size as u64).to_le_bytes());
    }
}

/// What follows.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Sort {
    /// Nothing more of a list's item.
    End = 0,
    /// A name, and a text.
    Text = 1,
    /// A name, a count, and as many items.
    List = 2,
    /// A name, which is said to have nothing.
    Null = 3,
}

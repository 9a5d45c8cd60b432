//! Line patches with identity, and the reading that goes with them.
//!
//! Promises that everything which stands against a line patch is told at once: what its arguments, its shape, the
//! files and their lines have against it. Once a file is not the one the patch was made for, its lines are
//! not compared any more.

use crate::answers;
use crate::docs::Docs;
use crate::gather::{Depth, Gather, Links, Look};
use crate::prepare::{Kind, Prepared, Wish};
use crate::session::Session;
use crate::transaction::Prepare;
use crate::watch::Watch;
use patchwright_core::dialect::lines::{FilePatch, compare, is_lower, shape};
use patchwright_core::digest::Digest;
use patchwright_core::intent::Intent;
use patchwright_core::outcome::{Answer, DocView, Failed, FileView, Operation, Reply, Trouble, ViewContent};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Plan, Seen, SnapshotFile, plan_one};
use patchwright_core::refusal::{
    ArgumentFault, Expected, LineFault, LineProblem, Missing, Refusal, Sort, Stale, StaleReason, Why,
};
use patchwright_core::text::Document;
use patchwright_core::text::encoding::Charset;
use patchwright_core::tool::{Call, DOC_BYTES, Numbered, ReadDoc, ReadFile, WritePatch};
use patchwright_core::warning::Warning;
use std::collections::HashMap;
use std::fmt::Write;

impl Session {
    /// A file by its `docPath`.
    pub fn workspace_read_file(&self, ask: &ReadDoc, watch: &dyn Watch) -> Result<Reply, Trouble> {
        self.mend()?;
        if !is_lower(&ask.doc_path) {
            let lower = ask.doc_path.to_lowercase();
            let patch = FilePatch { doc_path: Some(ask.doc_path.clone()), ..FilePatch::default() };
            let fault = LineFault { file: None, ..patch.fault(0, None, LineProblem::UpperCase { lower }) };
            return Err(Refusal::plain(Why::LinePatch(vec![fault])).into());
        }
        let path = Docs::new(self).find(&ask.doc_path)?;
        let plain = ReadFile {
            start_line: ask.start_line,
            end_line: ask.end_line,
            max_bytes: ask.max_bytes.unwrap_or(DOC_BYTES),
            charset: ask.charset,
            ..ReadFile::new(path.to_string())
        };
        let reply = self.read_file(&plain, watch)?;
        Ok(match reply.answer {
            Answer::File(view) => Reply { answer: Answer::Doc(doc_view(ask, view)), ..reply },
            other => Reply { answer: other, ..reply },
        })
    }

    /// Changes whole lines of one or more files.
    ///
    /// ```
    /// use patchwright_engine::core::dialect::lines::{FilePatch, LineEdit};
    /// use patchwright_engine::core::digest::Digest;
    /// use patchwright_engine::core::tool::WritePatch;
    /// use patchwright_engine::{HomeAt, Options, Quiet, Session};
    ///
    /// let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// std::fs::write(folder.path().join("Notes.md"), "one\ntwo\n")?;
    /// let options = Options { home: HomeAt::Folder(home.path().to_owned()), ..Options::default() };
    /// let session = Session::open(folder.path(), options).unwrap();
    /// let change = LineEdit::replace(2, vec!["two".into()], vec!["deux".into()]);
    /// let patch = FilePatch::new("notes.md", Digest::of(b"one\ntwo\n"), vec![change]);
    /// session.workspace_write_patch(&WritePatch::new(vec![patch]), &Quiet).unwrap();
    /// assert_eq!(std::fs::read_to_string(folder.path().join("Notes.md"))?, "one\ndeux\n");
    /// # std::io::Result::Ok(())
    /// ```
    pub fn workspace_write_patch(&self, ask: &WritePatch, watch: &dyn Watch) -> Result<Reply, Failed> {
        let prepare: Prepare<'_> = &|gather, _| self.line_patch(ask, gather);
        let reply = self.change(&Call::WorkspaceWritePatch(ask.clone()), watch, prepare)?;
        Ok(answers::lines::with_lines(reply, &ask.files))
    }

    fn line_patch(&self, ask: &WritePatch, gather: &mut Gather<'_>) -> Result<Prepared, Trouble> {
        let mut faults = ask.unfit.clone();
        faults.extend(shape::faults(&ask.files));
        faults.extend(empty_lists(ask));
        let mut desk = Desk { charset: ask.charset, known: HashMap::new(), faults };
        let found = self.find_all(ask, gather, &mut desk)?;
        let (mut intents, mut wishes) = (Vec::new(), Vec::new());
        for (at, (patch, path)) in ask.files.iter().zip(found).enumerate() {
            let Some(path) = path else { continue };
            if let Some((intent, wish)) = desk.look(Named { at, patch }, path, gather) {
                intents.push(intent);
                wishes.push(wish);
            }
        }
        if !desk.faults.is_empty() {
            return Err(desk.refusal().into());
        }
        let ignored = (!ask.ignored.is_empty()).then(|| Warning::IgnoredIds { at: ask.ignored.clone() });
        Ok(Prepared {
            charset: ask.charset,
            kind: Kind::Lines { key: ask.key.clone(), label: ask.label.clone() },
            warnings: ignored.into_iter().collect(),
            ..Prepared::of(intents, wishes)
        })
    }

    /// Finds all files and looks at them, many at once. Nothing for those that stand against it.
    fn find_all(
        &self,
        ask: &WritePatch,
        gather: &mut Gather<'_>,
        desk: &mut Desk,
    ) -> Result<Vec<Option<RelPath>>, Trouble> {
        let mut docs = Docs::new(self);
        let mut found = Vec::with_capacity(ask.files.len());
        for (at, patch) in ask.files.iter().enumerate() {
            let path = patch.doc_path.as_ref().map(|doc| docs.find(&doc.to_lowercase()));
            found.push(desk.take(Named { at, patch }, path)?);
        }
        let look = |path: &RelPath| Look { path: path.clone(), links: Links::Follow, depth: Depth::Bytes };
        gather.look_ahead(found.iter().flatten().map(look).collect());
        for ((at, patch), path) in ask.files.iter().enumerate().zip(&mut found) {
            let seen = path.as_ref().map(|path| gather.see_at(path, Links::Follow, Depth::Bytes));
            if desk.take(Named { at, patch }, seen)?.is_none() {
                *path = None;
            }
        }
        Ok(found)
    }
}

/// A file of the call: its place among them, and its changes.
#[derive(Clone, Copy)]
struct Named<'a> {
    at: usize,
    patch: &'a FilePatch,
}

/// The files of one call, and what is wrong with any of them.
struct Desk {
    charset: Option<Charset>,
    /// Which file of the call each file on disk is.
    known: HashMap<(u64, u64), usize>,
    faults: Vec<LineFault>,
}

impl Desk {
    /// What came of looking; a refusal is put down as one of the faults.
    fn take<T>(&mut self, file: Named<'_>, came: Option<Result<T, Trouble>>) -> Result<Option<T>, Trouble> {
        match came {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(Trouble::Refused(refusal))) => {
                self.faults.push(file.patch.fault(file.at, None, LineProblem::File(Box::new(refusal))));
                Ok(None)
            }
            Some(Err(fault)) => Err(fault),
        }
    }

    /// Checks the changes of a file against the file.
    fn look(&mut self, file: Named<'_>, path: RelPath, gather: &Gather<'_>) -> Option<(Intent, Wish)> {
        let Named { at, patch } = file;
        let before = self.faults.len();
        let (charset, last) = (patch.charset.or(self.charset), patch.final_newline);
        let intent = Intent::Lines { path: path.clone(), changes: patch.wanted(), charset, last };
        let problems = match gather.snapshot.seen(&path) {
            Seen::File(seen) => self.problems(file, &path, &seen, &|| plan_one(&gather.snapshot, 0, &intent)),
            // Its name was listed: a link that leads nowhere.
            Seen::Absent { .. } => vec![(None, of_file(&path, Why::NotFound(Missing::LinkTarget)))],
            other => vec![(None, LineProblem::File(Box::new(other.not_a_file(&path))))],
        };
        let real = gather.real(&path).to_string();
        let fault = |(change, problem)| LineFault { path: Some(real.clone()), ..patch.fault(at, change, problem) };
        self.faults.extend(problems.into_iter().map(fault));
        let wish = Wish {
            key: patch.key.clone(),
            label: patch.label.clone(),
            doc_path: patch.doc_path.clone(),
            charset: patch.charset,
            ..Wish::new(Operation::Update, path)
        };
        (self.faults.len() == before).then_some((intent, wish))
    }

    /// What is wrong with the changes of a file; `plan` applies them.
    fn problems(
        &mut self,
        Named { at, patch }: Named<'_>,
        path: &RelPath,
        file: &SnapshotFile,
        plan: &dyn Fn() -> Result<Plan, Refusal>,
    ) -> Vec<(Option<usize>, LineProblem)> {
        let mut found = Vec::new();
        let earlier = *self.known.entry(file.id).or_insert(at);
        let told = |fault: &LineFault| fault.file == Some(at) && matches!(fault.problem, LineProblem::SameFile { .. });
        if earlier != at && !self.faults.iter().any(told) {
            found.push((None, LineProblem::SameFile { earlier, path: Some(file.real.to_string()) }));
        }
        if let Some(stale) = patch.original.filter(|original| *original != file.digest) {
            found.push((None, of_file(path, stale_file(stale, file.digest))));
            return found;
        }
        let bytes = file.bytes.clone().unwrap_or_default();
        let charset = patch.charset.or(self.charset);
        let document = match Document::open(&bytes[..], charset) {
            Ok(document) => document,
            Err(problem) => {
                found.push((None, LineProblem::File(Box::new(Refusal::of_text(path, charset, problem)))));
                return found;
            }
        };
        found.extend(compare(document.text(), patch).into_iter().map(|(change, problem)| (Some(change), problem)));
        let sound = found.is_empty() && !self.faults.iter().any(|fault| fault.file == Some(at));
        // New lines that the charset cannot hold show only when they are written in it.
        if sound
            && document.charset() != Charset::Utf8
            && let Err(refusal) = plan()
        {
            found.push((None, LineProblem::File(Box::new(refusal))));
        }
        found
    }

    /// All faults, file by file and change by change.
    fn refusal(mut self) -> Refusal {
        let place = |at: Option<usize>| at.map_or(0, |at| at.saturating_add(1));
        self.faults.sort_by_key(|fault| (place(fault.file), place(fault.change)));
        Refusal::plain(Why::LinePatch(self.faults))
    }
}

/// Lists without an element, of which the arguments' own check has not told.
fn empty_lists(ask: &WritePatch) -> Vec<LineFault> {
    let told = |at: &str| {
        let same = |fault: &LineFault| matches!(&fault.problem, LineProblem::Argument(fault) if fault.at == at);
        ask.unfit.iter().any(same)
    };
    let empty = |at: &str| {
        let fault = ArgumentFault { at: at.to_owned(), expected: Expected::NotEmpty, got: "[]".to_owned() };
        LineProblem::Argument(fault)
    };
    let mut found = Vec::new();
    if ask.files.is_empty() && !told("files") {
        found.push(LineFault { file: None, ..FilePatch::default().fault(0, None, empty("files")) });
    }
    for (file, patch) in ask.files.iter().enumerate().filter(|(_, patch)| patch.changes.is_empty()) {
        let (at, whole) = (format!("files[{file}].changes"), format!("files[{file}]"));
        if !told(&at) && !told(&whole) {
            found.push(patch.fault(file, None, empty(&at)));
        }
    }
    found
}

fn of_file(path: &RelPath, why: Why) -> LineProblem {
    LineProblem::File(Box::new(Refusal::at(path, why)))
}

fn stale_file(expected: Digest, actual: Digest) -> Why {
    Why::Stale(Stale {
        expected: Some(expected.to_string()),
        actual: Some(actual),
        reason: StaleReason::Mismatch,
        sort: Sort::File,
        argument: "originalSha256",
    })
}

fn doc_view(ask: &ReadDoc, view: FileView) -> DocView {
    let content = match view.content {
        ViewContent::Text(text) if ask.numbered == Numbered::Yes => numbered(&text, view.start_line),
        ViewContent::Text(text) => text,
        ViewContent::Bytes(_) => String::new(),
    };
    DocView {
        doc_path: ask.doc_path.clone(),
        path: view.path,
        content,
        sha256: view.sha256,
        line_count: view.line_count,
        start_line: view.start_line,
        end_line: view.end_line,
        cut: view.cut,
    }
}

/// Each line behind its number and a bar.
fn numbered(text: &str, first: usize) -> String {
    let last = first.saturating_add(text.split_inclusive('\n').count()).saturating_sub(1);
    let width = last.to_string().len();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for (line, number) in text.split_inclusive('\n').zip(first..) {
        // Writing to a string cannot fail.
        let _written = write!(out, "{number:>width$}|{line}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn lines_behind_their_numbers() {
        for (text, first, want) in [
            ("", 1, ""),
            ("a", 1, "1|a"),
            ("a\n\nb\n", 1, "1|a\n2|\n3|b\n"),
            ("1\n2\n3\n4\n5\n6\n7\n8\n9\nx", 1, " 1|1\n 2|2\n 3|3\n 4|4\n 5|5\n 6|6\n 7|7\n 8|8\n 9|9\n10|x"),
            ("a\nb\n", 9, " 9|a\n10|b\n"),
        ] {
            assert_eq!(numbered(text, first), want);
        }
    }
}

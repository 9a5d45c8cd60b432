//! Who wrote which line, and who changed a file since: stories of one workspace, told step by step, each with what is
//! to be said at its end.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::anchor::{Anchor, Anchors};
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::{ExactEdit, LineDeed, LineOperation, Occurrences, Reach};
use patchwright_engine::core::outcome::{Answer, Explained, Reply, Trouble};
use patchwright_engine::core::refusal::{Kind, Refusal, Since};
use patchwright_engine::core::tool::{
    CreateFile, DeleteFile, Edit, EditFile, ExplainLines, MoveFile, ReadFile, RestoreFile, WriteFile,
};
use patchwright_engine::{Durability, Options, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use tempfile::TempDir;

struct Story {
    folder: TempDir,
    session: Session,
    /// The batch of each step, or nothing.
    batches: Vec<Option<String>>,
}

impl Story {
    /// `create F TEXT`, `edit F OLD NEW`, `move F TO`, `delete F`, `restore F`, and `foreign F TEXT` by somebody else.
    /// In a text `|` ends a line.
    fn of(steps: &[&str]) -> Story {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::open(
            folder.path(),
            Options { durability: Durability::None, home: home::at(), ..Options::default() },
        );
        let mut story = Story { folder, session: session.unwrap(), batches: Vec::new() };
        steps.iter().for_each(|step| story.step(step));
        story
    }

    fn step(&mut self, step: &str) {
        let words: Vec<&str> = step.split(' ').collect();
        let text = |said: &str| said.replace('|', "\n").replace('_', "");
        let session = &self.session;
        let reply = match words.as_slice() {
            ["create", path, said] => session.create_file(&CreateFile::new(*path, text(said)), &Quiet),
            ["edit", path, old, new] => {
                session.read_file(&ReadFile::new(*path), &Quiet).unwrap();
                let occurrences = Occurrences::Exactly(1);
                let edit = ExactEdit { old: text(old), new: text(new), occurrences };
                session.edit_file(&EditFile::new(*path, vec![edit]), &Quiet)
            }
            ["move", path, to] => {
                session.read_file(&ReadFile::new(*path), &Quiet).unwrap();
                session.move_file(&MoveFile::new(*path, *to), &Quiet)
            }
            ["delete", path] => {
                session.read_file(&ReadFile::new(*path), &Quiet).unwrap();
                session.delete_file(&DeleteFile::new(*path), &Quiet)
            }
            ["restore", path] => session.restore_file(&RestoreFile::new(self.in_trash(path)), &Quiet),
            ["foreign", path, said] => {
                fs::write(self.folder.path().join(path), text(said)).unwrap();
                self.batches.push(None);
                return;
            }
            _ => panic!("{step}"),
        };
        self.batches.push(Some(batch(reply.unwrap())));
    }

    fn in_trash(&self, path: &str) -> String {
        match self.session.list_trash().unwrap().answer {
            Answer::Trash(entries) => entries.into_iter().find(|entry| entry.path == path).unwrap().id,
            other => panic!("{other:?}"),
        }
    }

    fn explain(&self, path: &str, lines: (Option<usize>, Option<usize>)) -> Result<Explained, Trouble> {
        let ask = ExplainLines { path: path.to_owned(), start: lines.0, end: lines.1 };
        self.session.explain_lines(&ask, &Quiet).map(|reply| match reply.answer {
            Answer::Explained(explained) => explained,
            other => panic!("{other:?}"),
        })
    }

    /// The number of a batch's step, from 1.
    fn step_of(&self, batch: &str) -> usize {
        self.batches.iter().position(|known| known.as_deref() == Some(batch)).unwrap() + 1
    }

    /// `text:step` for each line, with `-` for lines that nobody here wrote, and the name of then where it differs.
    fn told(&self, path: &str) -> String {
        let explained = self.explain(path, (None, None)).unwrap();
        let mut told = Vec::new();
        let mut next = 1;
        for run in &explained.runs {
            assert_eq!(run.first, next);
            next += run.lines.len();
            let origin = run.origin.as_ref().map(|origin| {
                assert_eq!(origin.author.session, self.session.id());
                let then = origin.path.as_ref().map(|path| format!("@{path}")).unwrap_or_default();
                format!("{}{then}", self.step_of(&origin.batch.id))
            });
            let origin = origin.unwrap_or_else(|| "-".to_owned());
            told.extend(run.lines.iter().map(|line| format!("{line}:{origin}")));
        }
        assert_eq!(explained.line_count, next - 1);
        told.join(" ")
    }
}

fn batch(reply: Reply) -> String {
    match reply.answer {
        Answer::Changed(changed) => changed.batch.unwrap().id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn lines_are_followed_to_who_brought_them() {
    let table: &[(&[&str], &str, &str)] = &[
        (&["foreign f a|b|"], "f", "a:- b:-"),
        (&["create f a|b|"], "f", "a:1 b:1"),
        (&["create f _"], "f", ""),
        (&["create f a|b|c|", "edit f b x"], "f", "a:1 x:2 c:1"),
        (&["create f a|b|c|", "edit f b x|y", "edit f c z"], "f", "a:1 x:2 y:2 z:3"),
        (&["foreign f a|b|c|", "edit f b x"], "f", "a:- x:2 c:-"),
        (&["create f a|b|c|", "edit f b| _", "edit f a a|n"], "f", "a:1 n:3 c:1"),
        (&["create f a|b|", "move f g"], "g", "a:1@f b:1@f"),
        (&["create f a|b|", "move f g", "edit g b x"], "g", "a:1@f x:3"),
        (&["create f a|b|", "move f g", "create f n|"], "f", "n:3"),
        (&["create f a|b|", "edit f b x", "delete f", "restore f"], "f", "a:1 x:2"),
        (&["foreign f a|b|", "delete f", "restore f"], "f", "a:- b:-"),
        (&["create f a|b|", "delete f", "create f a|b|"], "f", "a:3 b:3"),
        // Somebody else wrote last.
        (&["create f a|b|c|", "edit f b x", "foreign f n|a|x|c|"], "f", "n:- a:1 x:2 c:1"),
        (&["create f a|b|c|", "foreign f a|c|"], "f", "a:1 c:1"),
        // Somebody else wrote in between, more than once.
        (&["create f a|b|c|", "foreign f n|a|b|c|", "edit f b x"], "f", "n:- a:1 x:3 c:1"),
        (
            &["create f a|b|c|", "foreign f n|a|b|c|", "edit f b x", "foreign f n|a|x|c|m|", "edit f c z"],
            "f",
            "n:- a:1 x:3 z:5 m:-",
        ),
        (
            &["create f a|b|", "foreign f a|b|m|", "move f g", "foreign g k|a|b|m|", "edit g b x"],
            "g",
            "k:- a:1@f x:5 m:-",
        ),
        (&["create f a|b|", "foreign f a|b|m|", "delete f", "restore f", "foreign f a|b|m|n|"], "f", "a:1 b:1 m:- n:-"),
    ];
    for (steps, path, expected) in table {
        assert_eq!(Story::of(steps).told(path), *expected, "{steps:?}");
    }
}

#[test]
fn a_part_of_a_file_is_explained() {
    let story = Story::of(&["create f a|b|c|d|", "edit f b x"]);
    let table = [
        ((Some(2), Some(3)), vec![(2, vec!["x"]), (3, vec!["c"])]),
        ((Some(3), None), vec![(3, vec!["c", "d"])]),
        ((None, Some(1)), vec![(1, vec!["a"])]),
        ((Some(5), None), vec![]),
        ((Some(9), Some(12)), vec![]),
    ];
    for (lines, expected) in table {
        let explained = story.explain("f", lines).unwrap();
        let runs: Vec<(usize, Vec<&str>)> =
            explained.runs.iter().map(|run| (run.first, run.lines.iter().map(String::as_str).collect())).collect();
        assert_eq!(runs, expected, "{lines:?}");
        assert_eq!((explained.line_count, explained.next_line), (4, None), "{lines:?}");
    }
}

#[test]
fn a_long_answer_is_cut() {
    let story = Story::of(&[&format!("create f {}", "l|".repeat(4_500))]);
    let table = [(None, 2_000, Some(2_001)), (Some(2_001), 2_000, Some(4_001)), (Some(4_001), 500, None)];
    for (start, lines, next) in table {
        let explained = story.explain("f", (start, None)).unwrap();
        assert_eq!(explained.runs.iter().map(|run| run.lines.len()).sum::<usize>(), lines);
        assert_eq!(explained.next_line, next);
    }
}

#[test]
fn what_is_no_text_file_is_refused() {
    let story = Story::of(&["foreign bin a\0b"]);
    fs::create_dir(story.folder.path().join("d")).unwrap();
    for (path, kind) in
        [("bin", Kind::BinaryFile), ("d", Kind::NotFound), ("none", Kind::NotFound), ("../x", Kind::OutsideWorkspace)]
    {
        assert_eq!(story.explain(path, (None, None)).unwrap_err().kind(), kind, "{path}");
    }
}

/// The refusal of a write that was made for an earlier version.
fn refused(story: &Story, path: &str, known: &str) -> Refusal {
    let expected = Some(Digest::of(known.replace('|', "\n").as_bytes()));
    let write = WriteFile { expected: expected.map(Into::into), ..WriteFile::new(path, "other\n") };
    match story.session.write_file(&write, &Quiet).unwrap_err().trouble {
        Trouble::Refused(refusal) => refusal,
        other @ Trouble::Fault(_) => panic!("{other:?}"),
    }
}

#[test]
fn a_stale_call_is_told_who_changed_the_file() {
    type Told = Option<(&'static [(usize, &'static [(usize, usize)])], usize, bool)>;
    let table: &[(&[&str], &str, Told)] = &[
        (&["create f a|b|c|", "edit f b x"], "a|b|c|", Some((&[(2, &[(2, 2)])], 1, false))),
        (
            &["foreign f a|b|c|", "edit f b x", "edit f c z"],
            "a|b|c|",
            Some((&[(2, &[(2, 2)]), (3, &[(3, 3)])], 2, false)),
        ),
        (&["create f a|b|c|", "edit f b x", "foreign f n|"], "a|b|c|", Some((&[(2, &[(2, 2)])], 1, true))),
        (&["create f a|b|c|", "foreign f a|b|c|m|", "edit f b x"], "a|b|c|", Some((&[(3, &[(2, 2)])], 1, true))),
        (&["create f a|b|c|", "foreign f n|"], "a|b|c|", Some((&[], 0, true))),
        (&["create f a|b|c|", "edit f b x"], "never|", None),
        (&["foreign f n|"], "a|b|c|", None),
        (
            &["create f a|", "edit f a b", "edit f b c", "edit f c d", "edit f d e", "edit f e f", "edit f f g"],
            "a|",
            Some((&[(3, &[(1, 1)]), (4, &[(1, 1)]), (5, &[(1, 1)]), (6, &[(1, 1)]), (7, &[(1, 1)])], 6, false)),
        ),
    ];
    for (steps, known, expected) in table {
        let story = Story::of(steps);
        let refusal = refused(&story, "f", known);
        assert_eq!(refusal.kind(), Kind::StaleFile);
        let since = refusal.since.as_deref();
        assert_eq!(since.is_some_and(|since| since.unknown), expected.is_none(), "{steps:?}");
        let told = since.filter(|since| !since.unknown).map(|Since { batches, count, foreign, .. }| {
            let batches: Vec<_> = batches.iter().map(|one| (story.step_of(&one.batch.id), one.lines.clone())).collect();
            (batches, *count, *foreign)
        });
        let expected = expected.map(|(batches, count, foreign)| {
            (batches.iter().map(|(step, lines)| (*step, lines.to_vec())).collect::<Vec<_>>(), count, foreign)
        });
        assert_eq!(told, expected, "{steps:?}");
    }
}

/// An anchor that names no line any more: who took it away is told, from the version that the session last saw.
#[test]
fn a_stale_anchor_is_told_who_changed_the_file() {
    let story = Story::of(&["create f alpha|beta|gamma|"]);
    let options = Options { durability: Durability::None, home: home::at(), ..Options::default() };
    let other = Session::open(story.folder.path(), options).unwrap();
    other.read_file(&ReadFile::new("f"), &Quiet).unwrap();
    let edit = ExactEdit { old: "beta".to_owned(), new: "other".to_owned(), occurrences: Occurrences::Exactly(1) };
    let changed = batch(other.edit_file(&EditFile::new("f", vec![edit]), &Quiet).unwrap());
    let form = Anchors::of(b"alpha\nbeta\ngamma\n").shown(&[2]).first().unwrap().form;
    let reach = Reach::Line { anchor: Anchor { line: None, form }, occurrence: None, line: None };
    let operation = LineOperation { deed: LineDeed::Replace, reach, lines: vec!["mine".to_owned()], was: None };
    let Trouble::Refused(refusal) = story.session.edit(&Edit::new("f", vec![operation]), &Quiet).unwrap_err().trouble
    else {
        panic!("a fault");
    };
    assert_eq!(refusal.kind(), Kind::AnchorStale);
    let since = refusal.since.unwrap();
    let named: Vec<&str> = since.batches.iter().map(|one| one.batch.id.as_str()).collect();
    assert_eq!((named, since.count, since.foreign), (vec![changed.as_str()], 1, false));
}

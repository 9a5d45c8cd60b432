//! Calls that are bound to what their dry run came to: the engine tells what that is, and holds them to it.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Failed, Reply};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{
    ApplyPatch, Atomic, Call, CreateFile, DeleteFile, MoveFile, Run, Shared, Undo, UndoWhat,
};
use patchwright_engine::{Durability, Options, PlannedFiles, Proof, Session, Versions, Watch};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

/// Keeps what a call comes to, and holds it to what it must come to.
#[derive(Default)]
struct Binding {
    planned: Mutex<PlannedFiles>,
    expects: Option<PlannedFiles>,
}

impl Watch for Binding {
    fn planned(&self, files: &dyn Fn() -> PlannedFiles) {
        *self.planned.lock().unwrap() = files();
    }

    fn expects(&self) -> Option<&PlannedFiles> {
        self.expects.as_ref()
    }
}

fn open(root: &Path) -> Session {
    let options =
        Options { durability: Durability::None, home: home::at(), proof: Proof::Unchecked, ..Options::default() };
    Session::open(root, options).unwrap()
}

fn planned(session: &Session, call: &Call) -> PlannedFiles {
    let binding = Binding::default();
    session.call(call, &binding).unwrap();
    binding.planned.into_inner().unwrap()
}

fn bound(session: &Session, call: &Call, expects: PlannedFiles) -> Result<Reply, Failed> {
    session.call(call, &Binding { expects: Some(expects), ..Binding::default() })
}

fn dry() -> Shared {
    Shared { run: Run::Dry, ..Shared::default() }
}

/// What is told, with every hash by the text it is of.
fn told(files: &PlannedFiles, texts: &[&str]) -> Vec<(String, Option<String>, Option<String>)> {
    let text = |digest: Digest| texts.iter().find(|text| Digest::of(text.as_bytes()) == digest).unwrap().to_string();
    let one =
        |(path, Versions { before, after }): (&str, Versions)| (path.to_owned(), before.map(text), after.map(text));
    files.iter().map(one).collect()
}

#[test]
fn a_dry_run_tells_every_file_once() {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [("a", "1"), ("b", "2"), ("src/c", "3")] {
        fs::create_dir_all(root.path().join("src")).unwrap();
        fs::write(root.path().join(path), text).unwrap();
    }
    let session = open(root.path());
    let check = |call: Call, want: &[(&str, Option<&str>, Option<&str>)]| {
        let found = told(&planned(&session, &call), &["1", "2", "3", "new"]);
        let own = |text: Option<&str>| text.map(str::to_owned);
        let want: Vec<_> = want.iter().map(|(path, one, two)| (path.to_string(), own(*one), own(*two))).collect();
        assert_eq!(found, want);
    };
    check(Call::CreateFile(CreateFile { shared: dry(), ..CreateFile::new("n", "new") }), &[("n", None, Some("new"))]);
    check(Call::DeleteFile(DeleteFile { shared: dry(), ..DeleteFile::new("a") }), &[("a", Some("1"), None)]);
    let onto = patchwright_engine::core::intent::Onto::Replace;
    let replacing = MoveFile { shared: dry(), onto, ..MoveFile::new("a", "b") };
    check(Call::MoveFile(replacing), &[("a", Some("1"), None), ("b", Some("2"), Some("1"))]);
    let recursive = patchwright_engine::core::tool::Recursive::Yes;
    let moved = MoveFile { shared: dry(), recursive, ..MoveFile::new("src", "lib") };
    check(Call::MoveFile(moved), &[("lib/c", None, Some("3")), ("src/c", Some("3"), None)]);
}

#[test]
fn a_call_that_comes_to_more_or_less_than_was_told_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    let patch = |names: &[&str], run: Run| {
        let sections: String = names.iter().map(|name| format!("*** Add File: {name}\n+x\n")).collect();
        let patch = ApplyPatch::new(format!("*** Begin Patch\n{sections}*** End Patch\n"));
        Call::ApplyPatch(ApplyPatch { shared: Shared { run, ..Shared::default() }, ..patch })
    };
    for (shown, done) in [(&["a"][..], &["a", "b"][..]), (&["a", "b"], &["a"]), (&[], &["a"])] {
        let expects = match shown {
            [] => PlannedFiles::default(),
            _ => planned(&session, &patch(shown, Run::Dry)),
        };
        let refused = bound(&session, &patch(done, Run::Apply), expects).unwrap_err();
        assert_eq!(refused.trouble.kind(), Kind::StaleFile, "{shown:?} {done:?}");
        assert!(refused.audit_head.is_some(), "it is on record");
    }
    assert!(!root.path().join("a").exists());
    let expects = planned(&session, &patch(&["a", "b"], Run::Dry));
    bound(&session, &patch(&["a", "b"], Run::Apply), expects).unwrap();
}

#[test]
fn sections_that_are_applied_one_by_one_cannot_be_bound() {
    let root = tempfile::tempdir().unwrap();
    let patch = ApplyPatch::new("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n");
    let call = Call::ApplyPatch(ApplyPatch { atomic: Atomic::Sections, ..patch });
    let refused = bound(&open(root.path()), &call, PlannedFiles::default()).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::InvalidArguments);
    assert!(!root.path().join("a").exists());
}

#[test]
fn an_undo_is_told_and_bound() {
    let root = tempfile::tempdir().unwrap();
    let session = open(root.path());
    session.call(&Call::CreateFile(CreateFile::new("a", "1")), &Binding::default()).unwrap();
    let undo = |shared| Call::Undo(Undo { what: UndoWhat::Path("a".to_owned()), shared });
    let expects = planned(&session, &undo(dry()));
    assert_eq!(told(&expects, &["1"]), [("a".to_owned(), Some("1".to_owned()), None)]);
    let refused = bound(&session, &undo(Shared::default()), PlannedFiles::default()).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::StaleFile);
    bound(&session, &undo(Shared::default()), expects).unwrap();
    assert!(!root.path().join("a").exists());
}

/// Where a name is a folder before and a file after, or the reverse, nothing is in the way of what was planned.
#[test]
fn a_name_that_changes_its_sort_can_be_bound() {
    let turned = ["*** Delete File: d/x\n*** Add File: d\n+new\n", "*** Delete File: f\n*** Add File: f/x\n+new\n"];
    for (sections, made) in turned.into_iter().zip(["d", "f/x"]) {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("d")).unwrap();
        fs::write(root.path().join("d/x"), "1").unwrap();
        fs::write(root.path().join("f"), "2").unwrap();
        let session = open(root.path());
        let call = |shared| {
            let patch = ApplyPatch::new(format!("*** Begin Patch\n{sections}*** End Patch\n"));
            Call::ApplyPatch(ApplyPatch { shared, parents: Parents::Create, ..patch })
        };
        let expects = planned(&session, &call(dry()));
        bound(&session, &call(Shared::default()), expects).unwrap();
        assert_eq!(fs::read_to_string(root.path().join(made)).unwrap(), "new\n");
        let undo = |shared| Call::Undo(Undo { what: UndoWhat::Path(made.to_owned()), shared });
        let expects = planned(&session, &undo(dry()));
        bound(&session, &undo(Shared::default()), expects).unwrap();
    }
}

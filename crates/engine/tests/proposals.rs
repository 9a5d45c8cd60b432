//! What a proposal shows is what applying it does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::intent::{ExactEdit, Executable, Occurrences};
use patchwright_engine::core::outcome::{Answer, BatchView};
use patchwright_engine::core::tool::{
    ApplyBatch, ApplyPatch, Call, CreateFile, DeleteFile, EditFile, GetPatchChange, Ground, MoveFile, Recursive, Run,
    Shared, WriteFile,
};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::fs::symlink;

fn view(session: &Session, ask: &GetPatchChange) -> BatchView {
    match session.get_patch_change(ask).unwrap().answer {
        Answer::Batch(view) => *view,
        other => panic!("{other:?}"),
    }
}

fn diffs(view: &BatchView) -> Vec<(String, String)> {
    view.files.iter().map(|file| (file.path.clone(), file.diff.clone())).collect()
}

/// Proposes a call in a small tree, and compares what is shown before it is applied with what is on record afterwards.
fn check(call: &dyn Fn(Shared) -> Call, has: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("d/e")).unwrap();
    for (path, text) in [("x.sh", "a\nb\nc\n"), ("d/a", "one\n"), ("d/e/b", "two\n"), ("d/bin", "\0")] {
        fs::write(root.join(path), text).unwrap();
    }
    symlink("a", root.join("d/link")).unwrap();
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    let session = Session::open(root, Options { durability, proof, home: home::at(), ..Options::default() }).unwrap();
    session.call(&call(Shared { run: Run::Propose, ..Shared::default() }), &Quiet).unwrap();
    let whole = GetPatchChange::new("b1");
    let proposed = diffs(&view(&session, &whole));
    let one = GetPatchChange { change: Some("b1.1".to_owned()), ..GetPatchChange::default() };
    let alone = diffs(&view(&session, &one));
    let (batch, shared) = (Some("b1".to_owned()), Shared::default());
    let apply = ApplyBatch { batch, changes: None, ground: Ground::MustBeTheSame, shared };
    session.apply_batch(&apply, &Quiet).unwrap();
    assert_eq!(proposed, diffs(&view(&session, &whole)));
    assert_eq!(alone, diffs(&view(&session, &one)));
    let shown: String = proposed.into_iter().map(|(_, diff)| diff).collect();
    for part in has {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
}

#[test]
fn what_a_proposal_shows_is_what_applying_it_does() {
    let executable = Some(Executable::Yes);
    let edit = ExactEdit { old: "a\n".to_owned(), new: "A\n".to_owned(), occurrences: Occurrences::Exactly(1) };
    let modes = "old mode 100644\nnew mode 100755\n";
    check(
        &|shared| Call::EditFile(EditFile { executable, shared, ..EditFile::new("x.sh", vec![edit.clone()]) }),
        &[modes, "-a\n+A\n"],
    );
    check(&|shared| Call::WriteFile(WriteFile { executable, shared, ..WriteFile::new("x.sh", "a\nb\nc\n") }), &[modes]);
    check(
        &|shared| Call::CreateFile(CreateFile { executable, shared, ..CreateFile::new("y.sh", "new\n") }),
        &["new file mode 100755\n--- /dev/null\n+++ b/y.sh\n"],
    );
    let recursive = Recursive::Yes;
    check(
        &|shared| Call::DeleteFile(DeleteFile { recursive, shared, ..DeleteFile::new("d") }),
        &["-one\n", "-two\n", "deleted file mode 120000\n", "deleted d/\n"],
    );
    check(
        &|shared| Call::MoveFile(MoveFile { recursive, shared, ..MoveFile::new("d", "n") }),
        &["rename from d/\nrename to n/\n"],
    );
    let patch = "*** Begin Patch\n*** Update File: x.sh\n*** Move to: z.sh\n@@\n-a\n+A\n*** Delete File: d/link\n*** End Patch\n";
    check(
        &|shared| Call::ApplyPatch(ApplyPatch { shared, ..ApplyPatch::new(patch) }),
        &["rename from x.sh\nrename to z.sh\n--- a/x.sh\n+++ b/z.sh\n", "deleted file mode 120000\n--- a/d/link\n"],
    );
}

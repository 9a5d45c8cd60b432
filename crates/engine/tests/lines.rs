//! Line patches through the library: what is on record of them, and files found by their `docPath`s.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test sets up files and says no by panicking"
)]

use patchwright_engine::core::dialect::lines::{FilePatch, LineEdit};
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::outcome::{Answer, Extent, Failed, LinePatched, Replayed, Reply, Trouble};
use patchwright_engine::core::refusal::{Refusal, Why};
use patchwright_engine::core::tool::{Call, ReadDoc, Run, Shared, WritePatch};
use patchwright_engine::{AuditEntry, Options, Quiet, Session, Watch};
use patchwright_testkit::home;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

fn place(files: &[(&str, &str)]) -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let workspace = Session::open(folder.path(), Options { home: home::at(), ..Options::default() }).unwrap();
    (folder, workspace)
}

fn replace(doc: &str, old: &str, new: &str) -> FilePatch {
    let line = |text: &str| vec![text.trim_end().to_owned()];
    FilePatch::new(doc, Digest::of(old.as_bytes()), vec![LineEdit::replace(1, line(old), line(new))])
}

fn patched(reply: Reply) -> LinePatched {
    match reply.answer {
        Answer::LinePatched(patched) => *patched,
        other => panic!("{other:?}"),
    }
}

fn rules(failed: Failed) -> Vec<(Option<usize>, &'static str)> {
    match failed.trouble {
        Trouble::Refused(Refusal { why: Why::LinePatch(faults), .. }) => {
            faults.iter().map(|fault| (fault.file, fault.problem.rule())).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn text(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn an_answer_given_again_is_the_same() {
    let (folder, workspace) = place(&[("Src/A.txt", "a\n")]);
    let patch = FilePatch { key: Some("f".into()), label: Some("F".into()), ..replace("src/a.txt", "a\n", "b\n") };
    let ask = WritePatch {
        key: Some("k".into()),
        label: Some("L".into()),
        shared: Shared { idempotency_key: Some("once".into()), ..Shared::default() },
        ..WritePatch::new(vec![patch])
    };
    let first = workspace.workspace_write_patch(&ask, &Quiet).unwrap();
    let again = Session::open(folder.path(), Options { home: home::at(), ..Options::default() })
        .unwrap()
        .workspace_write_patch(&ask, &Quiet)
        .unwrap();
    assert_eq!((first.replayed, again.replayed), (Replayed::No, Replayed::Yes));
    let (first, again) = (patched(first), patched(again));
    assert_eq!(first, again);
    assert_eq!((first.key.as_deref(), first.label.as_deref()), (Some("k"), Some("L")));
    let file = first.files.first().unwrap();
    assert_eq!((file.path.as_str(), file.doc_path.as_deref()), ("Src/A.txt", Some("src/a.txt")));
    assert_eq!((file.key.as_deref(), file.label.as_deref()), (Some("f"), Some("F")));
    assert_eq!(text(folder.path(), "Src/A.txt"), "b\n");
}

#[test]
fn a_dry_run_changes_nothing_and_has_no_ids() {
    let (folder, workspace) = place(&[("a.txt", "a\n")]);
    let shared = Shared { run: Run::Dry, ..Shared::default() };
    let ask = WritePatch { shared, ..WritePatch::new(vec![replace("a.txt", "a\n", "b\n")]) };
    let told = patched(workspace.workspace_write_patch(&ask, &Quiet).unwrap());
    let file = told.files.first().unwrap();
    assert_eq!((told.extent, told.batch, file.id.as_str()), (Extent::Dry, None, ""));
    assert_eq!((file.after, text(folder.path(), "a.txt").as_str()), (Some(Digest::of(b"b\n")), "a\n"));
}

#[test]
fn what_a_rust_caller_leaves_out_is_told_too() {
    let (folder, workspace) = place(&[("a.txt", "a\n")]);
    let check = |files: Vec<FilePatch>, want: &[(Option<usize>, &str)]| {
        let failed = workspace.workspace_write_patch(&WritePatch::new(files), &Quiet).unwrap_err();
        assert_eq!(rules(failed), want);
    };
    let with = |change: LineEdit| FilePatch::new("a.txt", Digest::of(b"a\n"), vec![change]);
    check(vec![], &[(None, "not_empty")]);
    check(vec![FilePatch::new("a.txt", Digest::of(b"a\n"), vec![])], &[(Some(0), "not_empty")]);
    check(vec![with(LineEdit::insert(0, vec![]))], &[(Some(0), "required_field")]);
    check(vec![with(LineEdit::delete(1, vec![]))], &[(Some(0), "range")]);
    check(
        vec![replace("a.txt", "x\n", "y\n"), replace("b", "x\n", "y\n")],
        &[(Some(0), "sha256_match"), (Some(1), "file_found")],
    );
    assert_eq!(text(folder.path(), "a.txt"), "a\n");
}

#[test]
fn refused_patches_are_on_record_with_their_files() {
    let (_folder, workspace) = place(&[("A.txt", "a\n")]);
    let ask = WritePatch::new(vec![replace("a.txt", "x\n", "y\n"), replace("none", "x\n", "y\n")]);
    workspace.call(&Call::WorkspaceWritePatch(ask), &Quiet).unwrap_err();
    workspace.workspace_write_patch(&WritePatch::new(vec![replace("a.txt", "a\n", "b\n")]), &Quiet).unwrap();
    let mut entries = Vec::new();
    workspace
        .audit_export(&mut |entry| {
            let files: Vec<String> = entry.files.iter().map(|file| file.path.clone()).collect();
            entries.push((entry.operation.clone(), files));
            Ok(())
        })
        .unwrap();
    assert_eq!(
        entries,
        [
            ("patch".to_owned(), vec!["A.txt".to_owned(), "none".to_owned()]),
            ("patch".to_owned(), vec!["A.txt".to_owned()])
        ]
    );
}

/// A line patch with a key for everything.
fn keyed() -> WritePatch {
    let mut file = FilePatch { key: Some("f".into()), label: Some("F".into()), ..replace("a.txt", "a\n", "b\n") };
    file.changes[0].key = Some("c".into());
    WritePatch { key: Some("b".into()), label: Some("B".into()), ..WritePatch::new(vec![file]) }
}

/// Saves the file when it is asked for the last time of so many.
struct Meddler {
    left: AtomicU64,
    path: PathBuf,
}

impl Watch for Meddler {
    fn cancelled(&self) -> bool {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            fs::write(&self.path, "theirs\n").unwrap();
        }
        false
    }
}

#[test]
fn keys_go_with_a_patch_that_is_refused_or_taken_back() {
    let mut met = Vec::new();
    for at in 1..20 {
        let (folder, workspace) = place(&[("A.txt", "a\n")]);
        let meddler = Meddler { left: AtomicU64::new(at), path: folder.path().join("A.txt") };
        let Err(_) = workspace.workspace_write_patch(&keyed(), &meddler) else { continue };
        assert_eq!(text(folder.path(), "A.txt"), "theirs\n");
        let mut entries = Vec::new();
        let mut each = |entry: &AuditEntry| {
            entries.push(entry.clone());
            Ok(())
        };
        workspace.audit_export(&mut each).unwrap();
        let [entry] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((entry.batch_key.as_deref(), entry.label.as_deref()), (Some("b"), Some("B")), "{entry:?}");
        assert_eq!((entry.counts.files, entry.counts.changes), (1, 1), "{entry:?}");
        let [file] = &entry.files[..] else { panic!("{entry:?}") };
        assert_eq!((file.path.as_str(), file.doc_path.as_deref()), ("A.txt", Some("a.txt")), "{entry:?}");
        assert_eq!((file.key.as_deref(), file.label.as_deref()), (Some("f"), Some("F")), "{entry:?}");
        assert_eq!(file.change_keys, ["c"], "{entry:?}");
        met.push((entry.outcome, entry.kind.clone().unwrap(), entry.broken[0].rule.clone()));
    }
    met.dedup();
    let stale = "stale_file".to_owned();
    let before = ("refused", stale.clone(), "sha256_match".to_owned());
    assert_eq!(met, [before, ("rolled_back", stale, "changed_meanwhile".to_owned())]);
}

#[test]
fn folders_that_link_to_themselves_end() {
    let (folder, workspace) = place(&[("a.txt", "a\n")]);
    std::os::unix::fs::symlink(".", folder.path().join("x")).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("X")).unwrap();
    let deep = format!("{}a.txt", "x/".repeat(60));
    let reply = workspace.workspace_read_file(&ReadDoc::new(deep), &Quiet).unwrap();
    assert!(matches!(reply.answer, Answer::Doc(view) if view.path == "a.txt"));
}

//! Patches through the library: what a session remembers, keys over several commits, and looking back at a
//! batch. What a single call comes to is in the cases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Operation, Patched, Replayed, Reply};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{ApplyPatch, Atomic, RestoreFile, Shared, WriteFile};
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;

fn open(root: &Path) -> Session {
    Session::open(root, Options { home: home::at(), ..Options::default() }).unwrap()
}

fn patch(body: &str) -> ApplyPatch {
    ApplyPatch::new(format!("*** Begin Patch\n{body}*** End Patch\n"))
}

fn patched(reply: &Reply) -> &Patched {
    match &reply.answer {
        Answer::Patched(patched) => patched,
        other => panic!("{other:?}"),
    }
}

fn text(root: &Path, name: &str) -> Option<String> {
    fs::read_to_string(root.join(name)).ok()
}

#[test]
fn a_session_has_seen_what_its_patch_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("a"), "one\ntwo\n").unwrap();
    let workspace = open(root);
    workspace.apply_patch(&patch("*** Update File: a\n@@\n-two\n+2\n*** Move File: a2 -> b\n"), &Quiet).unwrap_err();
    workspace.apply_patch(&patch("*** Move File: a -> b\n@@\n-one\n-two\n+1\n+2\n"), &Quiet).unwrap();
    workspace.write_file(&WriteFile::new("b", "new\n"), &Quiet).unwrap();
    assert_eq!((text(root, "a"), text(root, "b")), (None, Some("new\n".to_owned())));
}

#[test]
fn a_key_covers_all_sections() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("c"), "same\n").unwrap();
    let shared = Shared { idempotency_key: Some("k".to_owned()), ..Shared::default() };
    let body = "*** Add File: a\n+a\n*** Add File: b\n+b\n*** Update File: c\n@@\n-same\n+same\n";
    let ask = ApplyPatch { atomic: Atomic::Sections, shared, ..patch(body) };
    let first = open(root).apply_patch(&ask, &Quiet).unwrap();
    let again = open(root).apply_patch(&ask, &Quiet).unwrap();
    assert_eq!((first.replayed, again.replayed), (Replayed::No, Replayed::Yes));
    assert_eq!(patched(&first), patched(&again));
    assert_eq!(patched(&first).files.len(), 2);
    let other = ApplyPatch { patch: ask.patch.replace("+b", "+c"), ..ask };
    let kind = open(root).apply_patch(&other, &Quiet).unwrap_err().trouble.kind();
    assert_eq!(kind, Kind::InvalidArguments);
}

#[test]
fn a_call_that_stopped_half_way_goes_on_with_its_key() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let shared = Shared { idempotency_key: Some("k".to_owned()), ..Shared::default() };
    let ask = ApplyPatch { atomic: Atomic::Sections, shared, ..patch("*** Add File: a\n+a\n*** Delete File: gone\n") };
    let failed = open(root).apply_patch(&ask, &Quiet).unwrap_err();
    assert_eq!((failed.trouble.kind(), failed.done.unwrap().files.len()), (Kind::NotFound, 1));
    // What it has done is not done again, and is told again.
    let again = open(root).apply_patch(&ask, &Quiet).unwrap_err();
    assert_eq!((again.trouble.kind(), again.done.unwrap().files.len()), (Kind::NotFound, 1));
    fs::write(root.join("gone"), "").unwrap();
    let done = open(root).apply_patch(&ask, &Quiet).unwrap();
    assert_eq!((done.replayed, patched(&done).files.len()), (Replayed::No, 2));
    let replayed = open(root).apply_patch(&ask, &Quiet).unwrap();
    assert_eq!((replayed.replayed, patched(&replayed)), (Replayed::Yes, patched(&done)));
}

#[test]
fn a_batch_can_be_looked_back_at() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    for (name, bytes) in [("a", "one\n"), ("b", "two\n"), ("c", "three\n")] {
        fs::write(root.join(name), bytes).unwrap();
    }
    let workspace = open(root);
    let body = "*** Update File: a\n@@\n-one\n+1\n*** Delete File: b\n*** Move File: c -> d\n@@\n-three\n+3\n*** Add File: e\n+new\n";
    let reply = workspace.apply_patch(&patch(body), &Quiet).unwrap();
    let batch = patched(&reply).batch.clone().unwrap();
    // A later change takes the place of what the batch left.
    workspace.write_file(&WriteFile::new("a", "later\n"), &Quiet).unwrap();
    let seen: Vec<_> = workspace
        .batch(&batch.id)
        .unwrap()
        .iter()
        .map(|file| {
            let bytes = |bytes: Option<Vec<u8>>| bytes.map(|bytes| String::from_utf8(bytes).unwrap());
            let before = bytes(workspace.bytes_before(file).unwrap());
            let after = bytes(workspace.bytes_after(file).unwrap());
            (file.change.path.clone(), file.change.operation, before, after)
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    let want = [
        ("a".to_owned(), Operation::Update, some("one\n"), some("1\n")),
        ("b".to_owned(), Operation::Delete, some("two\n"), None),
        ("c".to_owned(), Operation::Move, some("three\n"), some("3\n")),
        ("e".to_owned(), Operation::Create, None, some("new\n")),
    ];
    assert_eq!(seen, want);
    assert_eq!(workspace.batch("none").unwrap_err().kind(), Kind::NotFound);
}

#[test]
fn what_a_patch_deletes_can_be_restored() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("a"), "one\n").unwrap();
    let workspace = open(root);
    let reply = workspace.apply_patch(&patch("*** Delete File: a\n"), &Quiet).unwrap();
    let id = patched(&reply).files[0].trash.clone().unwrap();
    workspace.restore_file(&RestoreFile::new(id), &Quiet).unwrap();
    assert_eq!(text(root, "a"), Some("one\n".to_owned()));
}

#[test]
fn a_name_stands_in_one_section_also_where_nothing_is_yet() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    for body in [
        "*** Add File: n\n+x\n*** Update File: n\n@@\n-x\n+y\n",
        "*** Add File: n\n+x\n*** Delete File: ./n\n",
        "*** Move File: f -> n\n*** Update File: n\n@@\n-x\n+y\n",
        "*** Update File: n\n@@\n-x\n+y\n*** Update File: n\n@@\n-x\n+y\n",
    ] {
        fs::write(root.join("f"), "x\n").unwrap();
        for atomic in [Atomic::Whole, Atomic::Sections] {
            let failed = open(root).apply_patch(&ApplyPatch { atomic, ..patch(body) }, &Quiet).unwrap_err();
            assert_eq!(failed.trouble.kind(), Kind::PatchApplyError, "{body}");
            assert_eq!(text(root, "n"), None, "{body}");
        }
    }
}

#[test]
fn no_folder_is_made_in_the_place_of_a_link_that_leads_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    std::os::unix::fs::symlink("nowhere", root.join("dang")).unwrap();
    let ask = ApplyPatch { parents: Parents::Create, ..patch("*** Add File: dang/x\n+1\n") };
    assert_eq!(open(root).apply_patch(&ask, &Quiet).unwrap_err().trouble.kind(), Kind::NotFound);
    open(root).apply_patch(&patch("*** Add File: x\n+1\n"), &Quiet).unwrap();
    assert_eq!(text(root, "x"), Some("1\n".to_owned()));
}

//! What a name is: links and permission bits that come and go, files in the place of folders; through the library, with
//! everything taken back in one call.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::{ExactEdit, Executable, Occurrences, Parents};
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{
    ApplyBatch, ApplyPatch, CreateFile, DeleteFile, EditFile, Ground, MoveFile, Run, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::core::warning::Warning;
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::home;
use patchwright_testkit::tree::Tree;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

struct Desk {
    folder: tempfile::TempDir,
    workspace: Session,
}

impl Desk {
    fn new(files: &[(&str, u32)]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (path, mode) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, TEXT).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(*mode)).unwrap();
        }
        let workspace = Session::open(folder.path(), Options { home: home::at(), ..Options::default() }).unwrap();
        Desk { folder, workspace }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn tree(&self) -> Tree {
        Tree::read(self.root()).unwrap()
    }

    fn mode(&self, path: &str) -> u32 {
        self.root().join(path).metadata().unwrap().permissions().mode() & 0o7777
    }

    fn chmod(&self, path: &str, mode: u32) {
        std::fs::set_permissions(self.root().join(path), PermissionsExt::from_mode(mode)).unwrap();
    }

    /// The file's bit, its text staying as it is.
    fn bit(&self, path: &str, executable: Executable) -> Reply {
        let text = std::fs::read_to_string(self.root().join(path)).unwrap();
        let expected = Some(Digest::of(text.as_bytes()));
        let ask = WriteFile {
            expected: expected.map(Into::into),
            executable: Some(executable),
            ..WriteFile::new(path, text)
        };
        self.workspace.write_file(&ask, &Quiet).unwrap()
    }

    fn edit(&self, path: &str, old: &str, new: &str, executable: Option<Executable>) -> Reply {
        let edit = ExactEdit { old: old.into(), new: new.into(), occurrences: Occurrences::Exactly(1) };
        let expected = Some(Digest::of(&std::fs::read(self.root().join(path)).unwrap()));
        let ask = EditFile { expected: expected.map(Into::into), executable, ..EditFile::new(path, vec![edit]) };
        self.workspace.edit_file(&ask, &Quiet).unwrap()
    }

    fn link(&self, path: &str, target: &str) -> Result<Reply, Failed> {
        let ask = CreateFile { link_target: Some(target.into()), ..CreateFile::new(path, "") };
        self.workspace.create_file(&ask, &Quiet)
    }

    fn patch(&self, body: &str) -> Reply {
        let text = format!("*** Begin Patch\n{body}*** End Patch\n");
        let ask = ApplyPatch { parents: Parents::Create, ..ApplyPatch::new(text) };
        self.workspace.apply_patch(&ask, &Quiet).unwrap()
    }

    fn delete(&self, path: &str) {
        let expected = Some(Digest::of(&std::fs::read(self.root().join(path)).unwrap()));
        self.workspace
            .delete_file(&DeleteFile { expected: expected.map(Into::into), ..DeleteFile::new(path) }, &Quiet)
            .unwrap();
    }

    fn undo(&self, what: UndoWhat) -> Reply {
        self.workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet).unwrap()
    }

    fn undo_batch(&self, reply: &Reply) -> Reply {
        self.undo(UndoWhat::Batch { id: batch(reply), changes: None })
    }

    fn undo_all(&self) -> Reply {
        self.undo(UndoWhat::Session(self.workspace.id().to_owned()))
    }
}

const TEXT: &str = "one\ntwo\n";

fn batch(reply: &Reply) -> String {
    let id = match &reply.answer {
        Answer::Patched(patch) => patch.batch.clone(),
        Answer::Changed(change) => change.batch.clone(),
        Answer::Settled(done) => done.batch.clone(),
        other => panic!("{other:?}"),
    };
    id.unwrap().id
}

fn kind(failed: &Failed) -> Kind {
    match &failed.trouble {
        Trouble::Refused(refusal) => refusal.kind(),
        Trouble::Fault(fault) => panic!("{fault:?}"),
    }
}

#[test]
fn a_session_of_bits_goes_whole() {
    let desk = Desk::new(&[("a", 0o640), ("b", 0o755), ("c", 0o711)]);
    let before = desk.tree();
    desk.bit("a", Executable::Yes);
    desk.edit("a", "two", "2", None);
    desk.bit("a", Executable::No);
    desk.edit("b", "one", "1", Some(Executable::No));
    desk.delete("b");
    desk.bit("c", Executable::No);
    desk.workspace
        .move_file(&MoveFile { expected: Some(Digest::of(TEXT.as_bytes()).into()), ..MoveFile::new("c", "d") }, &Quiet)
        .unwrap();
    let after = desk.tree();
    assert_eq!((desk.mode("a"), desk.mode("d")), (0o640, 0o600));
    let back = desk.undo_all();
    assert_eq!(before.difference(&desk.tree()), Vec::<String>::new());
    desk.undo_batch(&back);
    assert_eq!(after.difference(&desk.tree()), Vec::<String>::new());
}

#[test]
fn a_bit_is_taken_back_whatever_chmod_did() {
    for (now, want) in [(0o755, 0o644), (0o775, 0o664), (0o664, 0o664), (0o700, 0o600)] {
        let desk = Desk::new(&[("a", 0o644)]);
        let set = desk.bit("a", Executable::Yes);
        desk.chmod("a", now);
        desk.undo_batch(&set);
        assert_eq!(desk.mode("a"), want, "{now:o}");
    }
}

#[test]
fn a_bit_beside_later_text() {
    let desk = Desk::new(&[("a", 0o644)]);
    let set = desk.bit("a", Executable::Yes);
    desk.edit("a", "two", "2", None);
    assert_eq!(desk.mode("a"), 0o755);
    desk.undo_batch(&set);
    assert_eq!((desk.mode("a"), std::fs::read_to_string(desk.root().join("a")).unwrap()), (0o644, "one\n2\n".into()));
}

#[test]
fn a_bit_alone_parts_no_hard_link_and_drops_set_id() {
    let desk = Desk::new(&[("a", 0o4644)]);
    std::fs::hard_link(desk.root().join("a"), desk.root().join("b")).unwrap();
    let set = desk.bit("a", Executable::Yes);
    assert_eq!((desk.mode("a"), desk.mode("b")), (0o755, 0o755));
    assert_eq!(desk.root().join("a").metadata().unwrap().nlink(), 2);
    assert!(set.warnings.iter().any(|told| matches!(told, Warning::DroppedSetId { .. })), "{:?}", set.warnings);
}

#[test]
fn bits_and_links_are_proposed() {
    let desk = Desk::new(&[("a", 0o644)]);
    let before = desk.tree();
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    let expected = Some(Digest::of(TEXT.as_bytes()));
    let bit = WriteFile {
        expected: expected.map(Into::into),
        executable: Some(Executable::Yes),
        shared: shared.clone(),
        ..WriteFile::new("a", TEXT)
    };
    let new = CreateFile { executable: Some(Executable::Yes), shared: shared.clone(), ..CreateFile::new("n", "x\n") };
    let link = CreateFile { link_target: Some("a".into()), shared, ..CreateFile::new("l", "") };
    let proposed = [
        desk.workspace.write_file(&bit, &Quiet).unwrap(),
        desk.workspace.create_file(&new, &Quiet).unwrap(),
        desk.workspace.create_file(&link, &Quiet).unwrap(),
    ];
    assert_eq!(before.difference(&desk.tree()), Vec::<String>::new());
    for one in &proposed {
        let ask = ApplyBatch {
            batch: Some(batch(one)),
            changes: None,
            ground: Ground::MustBeTheSame,
            shared: Shared::default(),
        };
        desk.workspace.apply_batch(&ask, &Quiet).unwrap();
    }
    assert_eq!((desk.mode("a"), desk.mode("n")), (0o755, 0o755));
    assert_eq!(std::fs::read_link(desk.root().join("l")).unwrap(), Path::new("a"));
    desk.undo_all();
    assert_eq!(before.difference(&desk.tree()), Vec::<String>::new());
}

#[test]
fn links_lead_to_nothing_closed() {
    let desk = Desk::new(&[("d/a", 0o644), (".env", 0o600), (".git/config", 0o644)]);
    symlink("..", desk.root().join("out")).unwrap();
    symlink(".git", desk.root().join("g")).unwrap();
    let check = |target: &str, want: Option<Kind>| {
        let made = desk.link("d/l", target);
        assert_eq!(made.as_ref().err().map(kind), want, "{target}: {made:?}");
        if want.is_none() {
            std::fs::remove_file(desk.root().join("d/l")).unwrap();
        }
    };
    for fine in ["a", "./a", "../d", "..", ".", "later", "a/below", "l"] {
        check(fine, None);
    }
    for outside in [
        "../..",
        "../../x",
        "x/../../../y",
        "later/x/../y",
        "/etc/passwd",
        "../out",
        "../out/x",
        "../d/../out/x",
        "../out/../x",
    ] {
        check(outside, Some(Kind::OutsideWorkspace));
    }
    for closed in ["../.env", "../.git/hooks/x", "../.git", "../g", "../g/hooks", "../.patchwright/x", "x/../../.GIT/x"]
    {
        check(closed, Some(Kind::PermissionDenied));
    }
    check("x\ny", Some(Kind::InvalidArguments));
    check(&"x/".repeat(3000), Some(Kind::InvalidArguments));
    let ask =
        CreateFile { link_target: Some("../out/x".into()), parents: Parents::Create, ..CreateFile::new("new/l", "") };
    assert_eq!(kind(&desk.workspace.create_file(&ask, &Quiet).unwrap_err()), Kind::OutsideWorkspace);
}

#[test]
fn files_and_folders_change_places_and_back() {
    let desk = Desk::new(&[("a", 0o755), ("d/b", 0o644), ("d/e/c", 0o600)]);
    let before = desk.tree();
    for body in [
        "*** Delete File: a\n*** Add File: a/n/x\n+x\n",
        "*** Add File: d\n+x\n*** Delete File: d/b\n*** Delete File: d/e/c\n",
        "*** Move File: a -> a/a\n",
        "*** Move File: d/e/c -> d/e\n",
        "*** Move File: d/e/c -> a/c\n*** Move File: a -> d/e\n",
        "*** Delete File: d/e/c\n*** Move File: a -> d/e\n*** Add File: a/d/e\n+x\n",
    ] {
        let done = desk.patch(body);
        let after = desk.tree();
        let back = desk.undo_batch(&done);
        assert_eq!(before.difference(&desk.tree()), Vec::<String>::new(), "{body}");
        let again = desk.undo_batch(&back);
        assert_eq!(after.difference(&desk.tree()), Vec::<String>::new(), "{body}, done again");
        desk.undo_batch(&again);
        assert_eq!(before.difference(&desk.tree()), Vec::<String>::new(), "{body}, taken back again");
    }
}

#[test]
fn a_session_in_which_a_name_was_file_and_folder_in_turn() {
    let desk = Desk::new(&[("keep", 0o644)]);
    let before = desk.tree();
    desk.patch("*** Add File: a/b\n+x\n");
    desk.patch("*** Delete File: a/b\n*** Add File: a\n+y\n");
    desk.patch("*** Move File: a -> a/a\n");
    desk.undo_all();
    assert_eq!(before.difference(&desk.tree()), Vec::<String>::new());
}

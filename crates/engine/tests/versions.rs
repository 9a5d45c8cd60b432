//! Versions on record: brought back under their names when another program has removed the file, and read.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::BatchStatus;
use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Failed, Reply, Trouble, ViewContent};
use patchwright_engine::core::refusal::{Kind, Missing, Why};
use patchwright_engine::core::tool::{
    Age, ApplyBatch, CreateFile, DeleteFile, FileVersion, Ground, ListBatches, MoveFile, PurgeTrash, ReadFile,
    RestoreFile, Run, Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Options, Quiet, Session};
use patchwright_testkit::{attributes, home};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

struct Desk {
    folder: tempfile::TempDir,
    workspace: Session,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let workspace = Session::open(folder.path(), Options { home: home::at(), ..Options::default() }).unwrap();
        Desk { folder, workspace }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root().join(path)).ok()
    }

    fn write(&self, path: &str, text: &str) -> String {
        self.workspace.read_file(&ReadFile::new(path), &Quiet).unwrap();
        batch(&self.workspace.write_file(&WriteFile::new(path, text), &Quiet).unwrap())
    }

    fn create(&self, path: &str, text: &str) -> String {
        let ask = CreateFile { parents: Parents::Create, ..CreateFile::new(path, text) };
        batch(&self.workspace.create_file(&ask, &Quiet).unwrap())
    }

    fn delete(&self, path: &str) -> String {
        let _ = self.workspace.read_file(&ReadFile::new(path), &Quiet);
        let mut ask = DeleteFile::new(path);
        if let Ok(target) = std::fs::read_link(self.root().join(path)) {
            ask.expected =
                Some(patchwright_engine::core::digest::Digest::of(target.to_str().unwrap().as_bytes()).into());
        }
        batch(&self.workspace.delete_file(&ask, &Quiet).unwrap())
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.root().join(path)).unwrap();
    }

    fn restore(&self, version: FileVersion) -> Result<String, Failed> {
        self.workspace.restore_file(&RestoreFile::version(version), &Quiet).map(|reply| batch(&reply))
    }

    fn read(&self, version: FileVersion) -> Result<String, Trouble> {
        let reply = self.workspace.read_version(&version, &ReadFile::new("ignored"))?;
        let Answer::File(view) = reply.answer else { panic!() };
        let ViewContent::Text(text) = view.content else { panic!() };
        Ok(text)
    }

    fn undo(&self, id: &str) -> Result<String, Failed> {
        let what = UndoWhat::Batch { id: id.to_owned(), changes: None };
        self.workspace.undo(&Undo { what, shared: Shared::default() }, &Quiet).map(|reply| batch(&reply))
    }
}

fn batch(reply: &Reply) -> String {
    let id = match &reply.answer {
        Answer::Changed(change) => change.batch.clone(),
        Answer::Settled(done) => done.batch.clone(),
        other => panic!("{other:?}"),
    };
    id.unwrap().id
}

fn why(trouble: &Trouble) -> &Why {
    match trouble {
        Trouble::Refused(refusal) => &refusal.why,
        Trouble::Fault(fault) => panic!("{fault:?}"),
    }
}

#[test]
fn a_version_comes_back_with_mode_and_attributes() {
    let desk = Desk::new(&[("a", "one\n")]);
    let path = desk.root().join("a");
    attributes::set(&path, "user.mark", b"mine").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750)).unwrap();
    let first = desk.write("a", "two\n");
    let second = desk.write("a", "three\n");
    for (version, text) in [
        (FileVersion::before("a", &first), "one\n"),
        (FileVersion::after("a", &first), "two\n"),
        (FileVersion::before("a", &second), "two\n"),
        (FileVersion::after("a", &second), "three\n"),
    ] {
        desk.remove("a");
        desk.restore(version.clone()).unwrap();
        assert_eq!(desk.text("a").as_deref(), Some(text), "{version:?}");
        assert_eq!(attributes::get(&path, "user.mark").as_deref(), Some(&b"mine"[..]), "{version:?}");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o750, "{version:?}");
        assert_eq!(desk.read(version).unwrap(), text);
    }
}

#[test]
fn a_folder_that_is_gone_comes_back_too() {
    let desk = Desk::new(&[]);
    let made = desk.create("x/y/z", "z\n");
    std::fs::remove_dir_all(desk.root().join("x")).unwrap();
    let back = desk.restore(FileVersion::after("x/y/z", &made)).unwrap();
    assert_eq!(desk.text("x/y/z").as_deref(), Some("z\n"));
    desk.undo(&back).unwrap();
    assert!(!desk.root().join("x").exists());
}

#[test]
fn every_form_of_an_id_names_a_version() {
    let desk = Desk::new(&[("a", "one\n")]);
    desk.create("z", "z\n");
    let id = desk.write("a", "two\n");
    for given in [id.as_str(), "b2", "b2.1", &id.replace('-', "")] {
        assert_eq!(desk.read(FileVersion::after("a", given)).unwrap(), "two\n", "{given}");
    }
    // Ids of one minute begin alike.
    let refused = desk.read(FileVersion::after("a", &id[..8])).unwrap_err();
    assert_eq!(refused.kind(), Kind::InvalidArguments);
    for given in ["b17", "b0", "yesterday"] {
        let refused = desk.read(FileVersion::after("a", given)).unwrap_err();
        assert!(matches!(why(&refused), Why::NotFound(Missing::Batch { .. })), "{given}");
    }
}

#[test]
fn a_restored_version_goes_on_with_its_history() {
    let desk = Desk::new(&[("a", "1\n2\n3\n4\n5\n")]);
    let first = desk.write("a", "1\ntwo\n3\n4\n5\n");
    let second = desk.write("a", "1\ntwo\n3\n4\nfive\n");
    desk.remove("a");
    desk.restore(FileVersion::after("a", &second)).unwrap();
    desk.undo(&first).unwrap();
    assert_eq!(desk.text("a").as_deref(), Some("1\n2\n3\n4\nfive\n"));
    desk.undo(&second).unwrap();
    assert_eq!(desk.text("a").as_deref(), Some("1\n2\n3\n4\n5\n"));
}

#[test]
fn a_restored_version_is_taken_back_first() {
    let desk = Desk::new(&[]);
    let made = desk.create("a", "one\n");
    desk.remove("a");
    let back = desk.restore(FileVersion::after("a", &made)).unwrap();
    assert_eq!(desk.undo(&made).unwrap_err().trouble.kind(), Kind::Conflict);
    desk.undo(&back).unwrap();
    assert_eq!(desk.text("a"), None);
    // It is as it should be: nothing is left to do, and nothing stays behind.
    desk.undo(&made).unwrap();
    assert_eq!(desk.text("a"), None);
}

#[test]
fn what_a_batch_deleted_comes_from_the_trash() {
    let desk = Desk::new(&[("a", "one\n")]);
    std::os::unix::fs::symlink("a", desk.root().join("l")).unwrap();
    let (gone, link) = (desk.delete("a"), desk.delete("l"));
    desk.restore(FileVersion::before("a", &gone)).unwrap();
    desk.restore(FileVersion::before("l", &link)).unwrap();
    assert_eq!(std::fs::read_link(desk.root().join("l")).unwrap(), Path::new("a"));
    let Answer::Trash(entries) = desk.workspace.list_trash().unwrap().answer else { panic!() };
    assert_eq!((entries.len(), desk.text("a").as_deref()), (0, Some("one\n")));
    // A link has no text.
    let refused = desk.read(FileVersion::before("l", &link)).unwrap_err();
    assert!(matches!(why(&refused), Why::NotFound(Missing::LinkVersion)));
}

#[test]
fn what_is_no_longer_kept_is_refused() {
    let desk = Desk::new(&[("a", "one\n")]);
    let gone = desk.delete("a");
    let ask = PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() };
    desk.workspace.purge_trash(&ask, &Quiet).unwrap();
    let refused = desk.restore(FileVersion::before("a", &gone)).unwrap_err();
    assert!(matches!(why(&refused.trouble), Why::NotFound(Missing::Kept)));
}

#[test]
fn a_version_is_closed_where_its_path_is() {
    let desk = Desk::new(&[("secret", "s3cret\n"), ("a", "one\n")]);
    let made = desk.write("secret", "other\n");
    let gone = desk.delete("secret");
    let moved = {
        desk.create("hidden", "hidden\n");
        desk.workspace.read_file(&ReadFile::new("hidden"), &Quiet).unwrap();
        batch(&desk.workspace.move_file(&MoveFile::new("hidden", "open"), &Quiet).unwrap())
    };
    desk.remove("open");
    std::os::unix::fs::symlink(".", desk.root().join("here")).unwrap();
    let open = |read: &[&str], write: &[&str]| {
        let mut options = Options { home: home::at(), ..Options::default() };
        options.settings.read.deny.extend(read.iter().map(|glob| (*glob).to_owned()));
        options.settings.write.deny.extend(write.iter().map(|glob| (*glob).to_owned()));
        Desk { folder: tempfile::tempdir().unwrap(), workspace: Session::open(desk.root(), options).unwrap() }
    };
    let unread = open(&["secret", "hidden"], &[]);
    for version in [
        FileVersion::after("secret", &made),
        FileVersion::before("secret", &gone),
        FileVersion::after("here/secret", &made),
        FileVersion::after("./a/../secret", &made),
    ] {
        assert_eq!(unread.read(version.clone()).unwrap_err().kind(), Kind::PermissionDenied, "{version:?}");
        assert_eq!(unread.restore(version).unwrap_err().trouble.kind(), Kind::PermissionDenied);
    }
    // What came from a closed name is closed under the new one, too.
    let version = FileVersion::after("open", &moved);
    assert_eq!(unread.read(version.clone()).unwrap_err().kind(), Kind::NotFound);
    assert_eq!(unread.restore(version).unwrap_err().trouble.kind(), Kind::NotFound);
    let unwritten = open(&[], &["secret"]);
    assert_eq!(unwritten.read(FileVersion::after("secret", &made)).unwrap(), "other\n");
    let refused = unwritten.restore(FileVersion::after("secret", &made)).unwrap_err();
    assert_eq!(refused.trouble.kind(), Kind::PermissionDenied);
    assert_eq!(unwritten.read(FileVersion::after("../outside", &made)).unwrap_err().kind(), Kind::OutsideWorkspace);
}

#[test]
fn a_restored_version_can_be_proposed() {
    let desk = Desk::new(&[("a", "one\n")]);
    let made = desk.write("a", "two\n");
    desk.remove("a");
    let mut ask = RestoreFile::version(FileVersion::after("a", made));
    ask.shared.run = Run::Propose;
    let id = batch(&desk.workspace.restore_file(&ask, &Quiet).unwrap());
    assert_eq!(desk.text("a"), None);
    let refused = desk.read(FileVersion::after("a", &id)).unwrap_err();
    assert_eq!(refused.kind(), Kind::Conflict);
    let ask =
        ApplyBatch { batch: Some(id.clone()), changes: None, ground: Ground::MustBeTheSame, shared: Shared::default() };
    desk.workspace.apply_batch(&ask, &Quiet).unwrap();
    assert_eq!(desk.text("a").as_deref(), Some("two\n"));
    desk.undo(&id).unwrap();
    assert_eq!(desk.text("a"), None);
    let Answer::Batches(list) = desk.workspace.list_batches(&ListBatches::default()).unwrap().answer else { panic!() };
    assert!(list.batches.iter().any(|batch| batch.name.id == id && batch.status == BatchStatus::Undone));
}

#[test]
fn a_link_comes_back_whatever_it_was_called() {
    let desk = Desk::new(&[("a", "text\n")]);
    std::os::unix::fs::symlink("a", desk.root().join("own")).unwrap();
    let digest = patchwright_engine::core::digest::Digest::of(b"a");
    let rename = |from: &str, to: &str| {
        let ask = MoveFile { expected: Some(digest.into()), ..MoveFile::new(from, to) };
        batch(&desk.workspace.move_file(&ask, &Quiet).unwrap())
    };
    let first = rename("own", "two");
    for _ in 0..6 {
        rename("two", "own");
        rename("own", "two");
    }
    let target = |name: &str| std::fs::read_link(desk.root().join(name)).unwrap().to_str().unwrap().to_owned();
    desk.restore(FileVersion::before("own", &first)).unwrap();
    assert_eq!((target("own").as_str(), target("two").as_str()), ("a", "a"));
    desk.remove("own");
    desk.remove("two");
    // It is on record since it came back.
    desk.restore(FileVersion::after("two", &first)).unwrap();
    assert_eq!(target("two"), "a");
}

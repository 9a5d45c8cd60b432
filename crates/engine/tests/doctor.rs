//! The doctor looks at every byte that undo, the trash and open proposals need: what is missing or damaged is told with
//! the batches that suffer from it, and where all is well nothing is told.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::BatchName;
use patchwright_engine::core::digest::Digest;
use patchwright_engine::core::intent::Onto;
use patchwright_engine::core::outcome::Answer;
use patchwright_engine::core::policy::{Retention, Settings};
use patchwright_engine::core::tool::{
    Age, ApplyPatch, Call, CreateFile, DeleteFile, FileVersion, MoveFile, PurgeTrash, Recursive, RestoreFile, Run,
    Shared, Undo, UndoWhat, WriteFile,
};
use patchwright_engine::{Doctor, Durability, Finding, KeptFiles, Mode, Options, Proof, Quiet, Session, TrashFile};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

fn options() -> Options {
    Options { durability: Durability::None, proof: Proof::Unchecked, home: home::at(), ..Options::default() }
}

/// A workspace on which things are done.
struct Place {
    folder: tempfile::TempDir,
    session: Session,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        Place::with(files, options())
    }

    fn with(files: &[(&str, &str)], options: Options) -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let session = Session::open(folder.path(), options).unwrap();
        Place { folder, session }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn call(&self, call: Call) {
        self.session.call(&call, &Quiet).unwrap_or_else(|failed| panic!("{call:?}: {failed:?}"));
    }

    fn write(&self, name: &str, text: &str) {
        self.call(Call::WriteFile(WriteFile::new(name, text)));
    }

    fn create(&self, name: &str, text: &str) {
        self.call(Call::CreateFile(CreateFile::new(name, text)));
    }

    fn delete(&self, name: &str) {
        self.call(Call::DeleteFile(DeleteFile::new(name)));
    }

    fn delete_all(&self, name: &str) {
        self.call(Call::DeleteFile(DeleteFile { recursive: Recursive::Yes, ..DeleteFile::new(name) }));
    }

    fn rename(&self, from: &str, to: &str) {
        self.call(Call::MoveFile(MoveFile { onto: Onto::Replace, ..MoveFile::new(from, to) }));
    }

    fn undo(&self, batch: &str) {
        let what = UndoWhat::Batch { id: batch.to_owned(), changes: None };
        self.call(Call::Undo(Undo { what, shared: Shared::default() }));
    }

    fn purge(&self) {
        self.call(Call::PurgeTrash(PurgeTrash { older_than: Age::OlderThan(0), shared: Shared::default() }));
    }

    /// The id of the trash entry that a path went into.
    fn trashed(&self, path: &str) -> String {
        let Answer::Trash(entries) = self.session.list_trash().unwrap().answer else { panic!() };
        entries.into_iter().find(|entry| entry.path == path).unwrap().id
    }

    fn blob(&self, text: &str) -> PathBuf {
        home::record(self.root()).join("blobs").join(Digest::of(text.as_bytes()).to_string())
    }

    fn trash_file(&self, path: &str) -> PathBuf {
        home::record(self.root()).join("trash").join(self.trashed(path))
    }

    fn doctor(&self) -> Doctor {
        self.session.doctor().unwrap()
    }
}

fn names(batches: &[BatchName]) -> Vec<String> {
    batches.iter().map(BatchName::to_string).collect()
}

fn trash_names(files: &[TrashFile]) -> Vec<String> {
    files.iter().map(|file| format!("{} {}", file.change, file.path)).collect()
}

/// What a doctor may find, for a table.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    missing: u64,
    damaged: u64,
    batches: Vec<String>,
    gone: Vec<String>,
    spoilt: Vec<String>,
}

impl Told {
    fn of(doctor: &Doctor) -> Told {
        Told {
            missing: doctor.undo.missing,
            damaged: doctor.undo.damaged,
            batches: names(&doctor.undo.batches),
            gone: trash_names(&doctor.trash.missing),
            spoilt: trash_names(&doctor.trash.damaged),
        }
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&one| one.to_owned()).collect()
}

/// Six batches: of some the record alone has what they displaced, of others the kept file alone.
fn six_batches() -> Place {
    let place = Place::new(&[("a", "a0\n"), ("b", "b0\n")]);
    place.write("a", "a1\n");
    place.write("a", "a2\n");
    place.delete("b");
    place.create("n", "n0\n");
    place.write("n", "n1\n");
    place.delete("n");
    place
}

/// Harms what is kept and looks what the doctor says.
fn check(harm: &dyn Fn(&Place), missing_damaged: (u64, u64), batches: &[&str], trash: (&[&str], &[&str])) {
    let place = six_batches();
    harm(&place);
    let doctor = place.doctor();
    let (missing, damaged) = missing_damaged;
    let want = Told { missing, damaged, batches: strings(batches), gone: strings(trash.0), spoilt: strings(trash.1) };
    assert_eq!(Told::of(&doctor), want);
    assert_eq!((doctor.undo.needed, doctor.trash.count, doctor.trash.entries), (5, 2, 2));
    assert_eq!(doctor.keeps_all(), missing + damaged == 0);
}

fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn what_is_missing_or_damaged_is_told_with_the_batches_that_suffer() {
    check(&|_| {}, (0, 0), &[], (&[], &[]));
    check(&|place| remove(&place.blob("a0\n")), (1, 0), &["b1"], (&[], &[]));
    check(&|place| flip(&place.blob("a0\n")), (0, 1), &["b1"], (&[], &[]));
    check(&|place| fs::write(place.blob("a0\n"), "").unwrap(), (0, 1), &["b1"], (&[], &[]));
    check(&|place| fs::write(place.blob("a0\n"), "a").unwrap(), (0, 1), &["b1"], (&[], &[]));
    // What the record can make anew can be taken back all the same.
    check(&|place| remove(&place.blob("a1\n")), (1, 0), &[], (&[], &[]));
    check(&|place| remove(&place.blob("n0\n")), (1, 0), &[], (&[], &[]));
    check(
        &|place| {
            remove(&place.blob("a1\n"));
            flip(&place.blob("a0\n"));
        },
        (1, 1),
        &["b1", "b2"],
        (&[], &[]),
    );
    // What stands in the workspace can be had there.
    check(
        &|place| {
            remove(&place.blob("a0\n"));
            fs::write(place.root().join("a"), "a0\n").unwrap();
        },
        (1, 0),
        &[],
        (&[], &[]),
    );
    check(&|place| remove(&place.trash_file("b")), (1, 0), &["b3"], (&["b3.1 b"], &[]));
    check(&|place| flip(&place.trash_file("b")), (0, 1), &["b3"], (&[], &["b3.1 b"]));
    check(&|place| remove(&place.trash_file("n")), (1, 0), &[], (&["b6.1 n"], &[]));
    check(
        &|place| {
            let lost = place.trash_file("b");
            remove(&lost);
            symlink("elsewhere", lost).unwrap();
        },
        (0, 1),
        &["b3"],
        (&[], &["b3.1 b"]),
    );
    check(
        &|place| {
            let record = home::record(place.root());
            fs::remove_dir_all(record.join("blobs")).unwrap();
            fs::remove_dir_all(record.join("trash")).unwrap();
        },
        (5, 0),
        &["b1", "b2", "b3"],
        (&["b3.1 b", "b6.1 n"], &[]),
    );
}

/// The doctor says so of a batch, and undo refuses it, one by one.
#[test]
fn undo_and_the_doctor_agree() {
    let place = six_batches();
    fs::remove_dir_all(home::record(place.root()).join("blobs")).unwrap();
    fs::remove_dir_all(home::record(place.root()).join("trash")).unwrap();
    let lost = names(&place.doctor().undo.batches);
    for batch in ["b6", "b5", "b4", "b3", "b2", "b1"] {
        let what = UndoWhat::Batch { id: batch.to_owned(), changes: None };
        let done = place.session.undo(&Undo { what, shared: Shared::default() }, &Quiet);
        assert_eq!(done.is_err(), lost.contains(&batch.to_owned()), "{batch}: {done:?}");
    }
}

#[test]
fn a_kept_file_that_cannot_be_read_is_no_reason_to_stop() {
    let place = six_batches();
    for path in [place.blob("a0\n"), place.trash_file("b")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Root reads it all the same.
    let told = Told::of(&place.doctor());
    assert!(matches!(told.damaged, 0 | 2) && told.missing == 0, "{told:?}");
}

/// Everything that leaves the shelves on purpose, and everything that moves about in them.
#[test]
fn a_healthy_workspace_is_clean() {
    let big = "line\n".repeat(400_000);
    let files = [("a", "a0\n"), ("b", "b0\n"), ("c", "c0\n"), ("d/e/f", "f0\n"), ("d/g", "g0\n"), ("same", "a0\n")];
    let place = Place::new(&files);
    symlink("a", place.root().join("link")).unwrap();
    symlink("f", place.root().join("d/e/link")).unwrap();
    let clean = |story: &str| {
        let doctor = place.doctor();
        assert!(doctor.keeps_all() && doctor.audit.findings.is_empty(), "{story}: {doctor:?}");
        (doctor.undo.needed, doctor.undo.let_go)
    };
    assert_eq!(clean("nothing was done"), (0, 0));
    place.write("a", "a1\n");
    place.write("same", "other\n");
    assert_eq!(clean("equal pre-images are kept once"), (1, 0));
    place.delete("b");
    place.rename("a", "moved");
    place.rename("moved", "c");
    place.delete("link");
    clean("moves and deletes");
    place.undo("b6");
    place.undo("b3");
    clean("back from the trash");
    place.undo("b8");
    clean("and again");
    place.delete_all("d");
    place.undo("b10");
    place.delete_all("d");
    place.call(Call::RestoreFile(RestoreFile::to(place.trashed("d"), "elsewhere")));
    clean("folders");
    place.call(Call::RestoreFile(RestoreFile::version(FileVersion::before("a", "b1"))));
    place.create("big", &big);
    place.write("big", "small\n");
    place.delete("big");
    place.undo("b17");
    place.undo("b16");
    clean("versions and big files");
    let patch = "*** Begin Patch\n*** Update File: c\n*** Move to: later\n@@\n-a1\n+a3\n*** End Patch\n";
    place.call(Call::ApplyPatch(ApplyPatch::new(patch.to_owned())));
    place.undo("b20");
    place.purge();
    clean("purged");
    assert_eq!(place.session.list_trash().unwrap().answer, Answer::Trash(Vec::new()));
}

#[test]
fn what_was_let_go_is_no_damage() {
    let retention = Retention { keep_days: 0, max_bytes: 0, ..Retention::default() };
    let settings = Settings { retention, ..Settings::default() };
    let place = Place::with(&[("a", "first\n"), ("b", "b0\n")], Options { settings, ..options() });
    place.delete("b");
    (0..140).for_each(|n| place.write("a", &format!("{n}\n")));
    let doctor = place.doctor();
    assert!(doctor.keeps_all() && doctor.undo.let_go > 100, "{doctor:?}");
    place.purge();
    let let_go = doctor.undo.let_go;
    let doctor = place.doctor();
    assert_eq!((doctor.keeps_all(), doctor.undo.let_go, doctor.trash.count), (true, let_go + 1, 0));
    // What was let go and displaced once more is there again.
    fs::write(place.root().join("a"), "first\n").unwrap();
    place.write("a", "last\n");
    assert_eq!(place.doctor().undo.let_go, let_go);
    remove(&place.blob("first\n"));
    let doctor = place.doctor();
    assert_eq!(names(&doctor.undo.batches), ["b2", "b143"]);
}

fn proposing() -> Place {
    let place = Place::new(&[("a", "a0\n"), ("b", "b0\n"), ("c", "c0\n"), ("old", "old\n"), ("d/f", "f0\n")]);
    place.delete("old");
    place.delete_all("d");
    let shared = || Shared { run: Run::Propose, ..Shared::default() };
    let patch = "*** Begin Patch\n*** Update File: b\n*** Move to: later\n@@\n-b0\n+b1\n*** End Patch\n";
    for call in [
        Call::WriteFile(WriteFile { shared: shared(), ..WriteFile::new("a", "a1\n") }),
        Call::CreateFile(CreateFile { shared: shared(), ..CreateFile::new("n", "x\n".repeat(800_000)) }),
        Call::ApplyPatch(ApplyPatch { shared: shared(), ..ApplyPatch::new(patch.to_owned()) }),
        Call::DeleteFile(DeleteFile { shared: shared(), ..DeleteFile::new("c") }),
        Call::MoveFile(MoveFile { shared: shared(), ..MoveFile::new("c", "c2") }),
        Call::RestoreFile(RestoreFile { shared: shared(), ..RestoreFile::new(place.trashed("old")) }),
        Call::RestoreFile(RestoreFile { shared: shared(), ..RestoreFile::new(place.trashed("d")) }),
        Call::RestoreFile(RestoreFile { shared: shared(), ..RestoreFile::version(FileVersion::before("old", "b1")) }),
    ] {
        place.call(call);
    }
    place
}

#[test]
fn what_open_proposals_need() {
    fn check(harm: &dyn Fn(&Place), (missing, damaged): (u64, u64), batches: &[&str]) {
        let place = proposing();
        harm(&place);
        let KeptFiles { missing: gone, damaged: spoilt, batches: lost, .. } = place.doctor().proposals.files;
        assert_eq!((gone, spoilt, names(&lost)), (missing, damaged, strings(batches)));
    }
    assert_eq!(proposing().doctor().proposals.open, 8);
    check(&|_| {}, (0, 0), &[]);
    // The file itself has what it was made for, until somebody changes it.
    check(&|place| remove(&place.blob("a0\n")), (1, 0), &[]);
    let change_too = |place: &Place| {
        remove(&place.blob("a0\n"));
        fs::write(place.root().join("a"), "other\n").unwrap();
    };
    check(&change_too, (1, 0), &["b3"]);
    check(&|place| flip(&place.blob(&"x\n".repeat(800_000))), (0, 1), &["b4"]);
    check(&|place| remove(&place.trash_file("old")), (1, 0), &["b8", "b10"]);
    check(&|place| fs::remove_dir_all(home::record(place.root()).join("trash")).unwrap(), (2, 0), &["b8", "b9", "b10"]);
}

/// What is not open needs nothing, and what was purged by a person is no damage.
#[test]
fn what_is_settled_needs_nothing() {
    let place = proposing();
    place.purge();
    let doctor = place.doctor();
    assert!(doctor.keeps_all() && doctor.proposals.files.let_go == 2, "{doctor:?}");
}

#[test]
fn a_damaged_record_is_looked_through_up_to_the_damage() {
    let place = six_batches();
    place.undo("b3");
    let log = home::record(place.root()).join("log");
    let mut bytes = fs::read(&log).unwrap();
    let at = bytes.windows(4).rposition(|part| part == b"+n1\n").unwrap();
    bytes[at] ^= 1;
    fs::write(&log, bytes).unwrap();
    let session = Session::open(place.root(), options()).unwrap();
    let doctor = session.doctor().unwrap();
    assert!(matches!(doctor.audit.findings.as_slice(), [Finding::Damaged { sequence: 10, .. }]), "{doctor:?}");
    assert!(doctor.keeps_all() && doctor.undo.needed == 2, "{doctor:?}");
    remove(&place.blob("a0\n"));
    for mode in [Mode::ReadWrite, Mode::ReadOnly] {
        let session = Session::open(place.root(), Options { mode, ..options() }).unwrap();
        assert_eq!(names(&session.doctor().unwrap().undo.batches), ["b1"]);
    }
}

/// The target of a link that the record made is on record: it comes back as a link, whatever became of the trash.
#[test]
fn a_link_comes_back_as_a_link() {
    let place = Place::new(&[("a", "a0\n")]);
    symlink("a", place.root().join("theirs")).unwrap();
    place.call(Call::CreateFile(CreateFile { link_target: Some("a".to_owned()), ..CreateFile::new("ours", "") }));
    place.delete("ours");
    place.delete("theirs");
    for name in ["ours", "theirs"] {
        remove(&place.trash_file(name));
    }
    let doctor = place.doctor();
    assert_eq!((doctor.undo.missing, names(&doctor.undo.batches)), (2, strings(&["b3"])));
    place.undo("b2");
    assert_eq!(fs::read_link(place.root().join("ours")).unwrap(), Path::new("a"));
    let what = UndoWhat::Batch { id: "b3".to_owned(), changes: None };
    place.session.undo(&Undo { what, shared: Shared::default() }, &Quiet).unwrap_err();
    assert!(fs::symlink_metadata(place.root().join("theirs")).is_err());
}

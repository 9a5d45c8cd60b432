//! Every error has a kind, a path and one sentence.

use super::Scratch;
use patchwright_lib::{DiskState, Error, ErrorKind, Protection, Session, Undo, Workspace};
use std::error::Error as StdError;

type Ask = fn(&Session) -> Result<(), Error>;

/// What is asked, and the kind, the path and the sentence of the answer.
const ROWS: &[(Ask, ErrorKind, Option<&str>, &str)] = &[
    (|s| s.read("no").map(drop), ErrorKind::NotFound, Some("no"), "no does not exist"),
    (|s| s.read("src").map(drop), ErrorKind::NotFound, Some("src"), "src is a folder"),
    (|s| s.list("a.txt").run().map(drop), ErrorKind::NotFound, Some("a.txt"), "a.txt is not a folder"),
    (|s| s.read("../x").map(drop), ErrorKind::OutsideWorkspace, Some("../x"), "../x lies outside the workspace"),
    (|s| s.read("").map(drop), ErrorKind::InvalidArguments, Some(""), "the path is empty"),
    (|s| s.read("bin").map(drop), ErrorKind::BinaryFile, Some("bin"), "bin is not text"),
    (
        |s| s.read(".env").map(drop),
        ErrorKind::PermissionDenied,
        Some(".env"),
        ".env is closed: it is probably a secret, by the pattern .env",
    ),
    (
        |s| s.reader("a.txt").charset("klingon").read().map(drop),
        ErrorKind::InvalidArguments,
        None,
        "no charset is called klingon",
    ),
    (
        |s| s.create("a.txt", "").plan().map(drop),
        ErrorKind::AlreadyExists,
        Some("a.txt"),
        "a.txt is already there, as a file",
    ),
    (
        |s| s.create("x/y", "").plan().map(drop),
        ErrorKind::NotFound,
        Some("x/y"),
        "x/y cannot be made, for the folder x does not exist",
    ),
    (
        |s| s.create(".git/x", "").plan().map(drop),
        ErrorKind::PermissionDenied,
        Some(".git/x"),
        ".git/x is closed: it belongs to git",
    ),
    (
        |s| s.edit("unread").replace("a", "b").plan().map(drop),
        ErrorKind::StaleFile,
        Some("unread"),
        "unread was not read by this session",
    ),
    (
        |s| s.edit("a.txt").replace("four", "4").plan().map(drop),
        ErrorKind::OldTextNotFound,
        Some("a.txt"),
        "a.txt does not hold the old text of replacement 1",
    ),
    (
        |s| s.edit("a.txt").replace("one", "1").replace("t", "T").plan().map(drop),
        ErrorKind::MultipleMatches,
        Some("a.txt"),
        "a.txt holds the old text of replacement 2 2 times, at lines 2, 3",
    ),
    (
        |s| s.edit("a.txt").replace("one\ntwo", "1").replace("two", "2").plan().map(drop),
        ErrorKind::OverlappingEdits,
        Some("a.txt"),
        "replacements 1 and 2 touch the same text of a.txt",
    ),
    (
        |s| s.delete("src").plan().map(drop),
        ErrorKind::NotFound,
        Some("src"),
        "src is a folder, and the call does not say `recursive`",
    ),
    (
        |s| s.delete("src").recursive().plan().map(drop),
        ErrorKind::StaleFile,
        Some("src"),
        "src holds 1 file that this session has not seen",
    ),
    (
        |s| s.rename("a.txt", "a.txt").plan().map(drop),
        ErrorKind::CommandFailed,
        Some("a.txt"),
        "a.txt cannot be moved onto itself",
    ),
    (
        |s| s.patch("nonsense").plan().map(drop),
        ErrorKind::PatchParseError,
        None,
        "line 1 of the patch does not follow its grammar",
    ),
    (
        |s| s.patch("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-four\n+4\n").plan().map(drop),
        ErrorKind::PatchApplyError,
        Some("a.txt"),
        "the hunk at line 3 of the patch does not fit a.txt",
    ),
    (
        |s| s.edit("a.txt").replace("", "x").plan().map(drop),
        ErrorKind::InvalidArguments,
        None,
        "the text to replace is empty",
    ),
    (|s| s.edit("a.txt").plan().map(drop), ErrorKind::InvalidArguments, None, "the edit has no replacement"),
    (
        |s| s.edit("a.txt").replace("one", "1").replace_times(0, "two", "2").plan().map(drop),
        ErrorKind::InvalidArguments,
        None,
        "replacement 2 is to be made 0 times",
    ),
    (
        |s| s.search_regex("one(").run().map(drop),
        ErrorKind::CommandFailed,
        None,
        "the regular expression does not compile: unclosed group",
    ),
    (
        |s| s.glob("[").run().map(drop),
        ErrorKind::CommandFailed,
        None,
        "the glob does not compile: error parsing glob '[': unclosed character class; missing ']'",
    ),
    (
        |s| s.undo(Undo::changes([""; 0])).map(drop),
        ErrorKind::InvalidArguments,
        None,
        "no change is named that is to be undone",
    ),
    (
        |s| s.undo(Undo::batches([""; 0])).map(drop),
        ErrorKind::InvalidArguments,
        None,
        "no batch is named that is to be undone",
    ),
    (
        |s| s.proposal("b1").only([""; 0]).plan().map(drop),
        ErrorKind::InvalidArguments,
        None,
        "no change of the proposal is named",
    ),
    (|s| s.undo("b99").map(drop), ErrorKind::NotFound, None, "there is no batch b99"),
    (|s| s.show("b99").map(drop), ErrorKind::NotFound, None, "there is no batch b99"),
    (|s| s.proposal("b99").plan().map(drop), ErrorKind::NotFound, None, "there is no batch b99"),
    (|s| s.restore("0199").plan().map(drop), ErrorKind::NotFound, None, "there is no trash entry 0199"),
    (|s| s.redo().map(drop), ErrorKind::NotFound, None, "there is no undo that could be taken back"),
];

fn files() -> Scratch {
    let files = [("a.txt", "one\ntwo\nthree\n"), ("unread", "a\n"), ("src/b", ""), ("bin", "\0\u{1}\0"), (".env", "x")];
    Scratch::with(&files)
}

#[test]
fn errors_say_what_is_so() {
    let scratch = files();
    let session = scratch.session();
    session.create("made", "").plan().unwrap().commit().unwrap();
    session.read("a.txt").unwrap();
    for (ask, kind, path, sentence) in ROWS {
        let error = ask(&session).unwrap_err();
        assert_eq!((error.kind(), error.path(), error.to_string().as_str()), (*kind, *path, *sentence));
        assert_eq!(error.disk_state(), DiskState::Unchanged);
    }
}

#[test]
fn a_read_only_workspace_changes_nothing() {
    let scratch = files();
    let session = scratch.options().read_only().open(scratch.folder.path()).unwrap().session("x");
    session.read("a.txt").unwrap();
    let error = session.create("new", "").plan().unwrap_err();
    assert_eq!(error.to_string(), "the workspace is open for reading only");
    assert!(!error.is_recoverable());
}

#[test]
fn options_narrow_and_open() {
    let scratch = files();
    let open = |options: patchwright_lib::Options| options.open(scratch.folder.path()).unwrap().session("x");
    let denied = |result: Result<patchwright_lib::FileView, Error>| result.unwrap_err().to_string();
    assert_eq!(open(scratch.options().unprotect(Protection::Secrets)).read(".env").unwrap().text, "x");
    let narrow = open(scratch.options().allow_read("*.txt").allow_read("unread").deny_read("unread"));
    narrow.read("a.txt").unwrap();
    assert_eq!(denied(narrow.read("src/b")), "src/b is closed: it is not among the allowed paths");
    assert_eq!(denied(narrow.read("unread")), "unread is closed: it is denied by unread");
    let writes = open(scratch.options().allow_write("*.md").max_file_bytes(3));
    writes.read("src/b").unwrap();
    assert_eq!(writes.create("a.rs", "").plan().unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(writes.create("a.md", "long").plan().unwrap_err().kind(), ErrorKind::FileTooLarge);
    let bad = scratch.options().deny_read("[").open(scratch.folder.path()).unwrap_err();
    assert_eq!(bad.kind(), ErrorKind::InvalidArguments);
    assert_eq!(bad.to_string(), "the glob [ does not compile: unclosed character class; missing ']'");
}

#[test]
fn a_workspace_that_cannot_be_opened_is_named() {
    let scratch = files();
    for (path, what) in [("no", "does not exist"), ("a.txt", "is not a folder"), ("a.txt/x", "does not exist")] {
        let folder = scratch.path(path);
        let shown = folder.display().to_string();
        for error in [Workspace::open(&folder).unwrap_err(), scratch.options().discover(&folder).unwrap_err()] {
            assert_eq!((error.kind(), error.path()), (ErrorKind::NotFound, Some(shown.as_str())));
            assert_eq!(error.to_string(), format!("{shown} {what}"));
        }
    }
    let error = Workspace::options().home(scratch.path("home")).open(scratch.folder.path()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(error.to_string().ends_with(" cannot hold the key of the record: it lies in the workspace"), "{error}");
}

#[test]
fn a_batch_about_closed_files_is_known_by_its_short_name() {
    let scratch = files();
    scratch.session().create("closed", "").plan().unwrap().commit().unwrap();
    let session = scratch.options().deny_read("closed").open(scratch.folder.path()).unwrap().session("x");
    let error = session.undo("b1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert_eq!(error.to_string(), "b1 is about 1 file that may not be read");
}

#[test]
fn a_plan_founds_the_record_even_if_it_is_refused() {
    let scratch = files();
    let session = scratch.session();
    assert!(!scratch.path(".patchwright").is_dir());
    session.create("a.txt", "").plan().unwrap_err();
    assert!(scratch.path(".patchwright").is_dir());
}

/// What anyhow and its like ask of an error.
fn into_any<E: StdError + Send + Sync + 'static>(error: E) -> Box<dyn StdError + Send + Sync> {
    error.into()
}

#[test]
fn an_error_goes_wherever_errors_go() {
    fn boxed(session: &Session) -> Result<(), Box<dyn StdError>> {
        session.read("no")?;
        Ok(())
    }
    let scratch = files();
    let session = scratch.session();
    assert_eq!(boxed(&session).unwrap_err().to_string(), "no does not exist");
    let any = into_any(session.read("no").unwrap_err());
    let back = any.downcast_ref::<Error>().unwrap();
    assert_eq!((back.kind().as_str(), back.path()), ("not_found", Some("no")));
    assert!(std::mem::size_of::<Error>() <= 8, "a result with it stays small");
}

#[test]
fn a_sentence_is_one_line_whatever_the_path() {
    let scratch = files();
    let error = scratch.session().read("a\nb\u{202e}c").unwrap_err();
    assert!(!error.to_string().contains(['\n', '\u{202e}']), "{error}");
}

#[test]
fn kinds_have_the_names_of_the_specification() {
    const SPEC: &str = include_str!("../../../../spec/errors.md");
    for kind in [ErrorKind::StaleFile, ErrorKind::OldTextNotFound, ErrorKind::InDoubt, ErrorKind::Internal] {
        assert!(SPEC.contains(&format!("`{kind}`")), "{kind}");
    }
}

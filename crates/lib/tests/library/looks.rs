//! Reading, listing and finding.

use super::Scratch;
use patchwright_lib::{CutAt, EntryKind, ErrorKind, LineEnds, Sha256};
use std::fs;

#[test]
fn a_read_shows_the_text_and_knows_the_bytes() {
    let scratch = Scratch::with(&[("a.txt", "one\r\ntwo\r\n"), ("empty", "")]);
    let session = scratch.session();
    let view = session.read("a.txt").unwrap();
    assert_eq!(view.text, "one\ntwo\n");
    assert_eq!(view.sha256, Sha256::of(b"one\r\ntwo\r\n"));
    assert_eq!((view.line_count, view.size, view.line_ends), (2, 10, LineEnds::CrLf));
    assert_eq!(view.lines().collect::<Vec<_>>(), [(1, "one"), (2, "two")]);
    let empty = session.read("empty").unwrap();
    assert_eq!((empty.text.as_str(), empty.line_count, empty.line_ends), ("", 0, LineEnds::None));
}

#[test]
fn a_read_may_be_of_some_lines() {
    let scratch = Scratch::with(&[("a.txt", "1\n2\n3\n4\n")]);
    let session = scratch.session();
    let check = |view: Result<patchwright_lib::FileView, patchwright_lib::Error>, want: (&str, usize)| {
        let view = view.unwrap();
        assert_eq!((view.text.as_str(), view.first_line), want);
    };
    check(session.reader("a.txt").lines(2..=3).read(), ("2\n3\n", 2));
    check(session.reader("a.txt").lines(2..3).read(), ("2\n", 2));
    check(session.reader("a.txt").lines(..2).read(), ("1\n", 1));
    check(session.reader("a.txt").lines(4..).read(), ("4\n", 4));
    let cut = session.reader("a.txt").max_bytes(4).read().unwrap();
    assert_eq!((cut.text.as_str(), cut.cut), ("1\n2\n", Some(CutAt::Line(3))));
}

#[test]
fn a_read_is_never_cut_unless_that_is_asked_for() {
    let text = "0123456789abcde\n".repeat(40_000);
    let scratch = Scratch::with(&[("big.txt", &text)]);
    let view = scratch.session().read("big.txt").unwrap();
    assert_eq!((view.text == text, view.cut), (true, None));
}

#[test]
fn a_charset_is_named_or_it_is_told() {
    let scratch = Scratch::new();
    fs::write(scratch.path("a.txt"), b"caf\xe9\n").unwrap();
    let session = scratch.session();
    assert!(session.read("a.txt").unwrap().text.contains('\u{fffd}'));
    let told: Vec<String> = session.take_warnings().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["a.txt: is not valid UTF-8, and is shown with replacement characters"]);
    assert_eq!(session.take_warnings(), []);
    assert_eq!(session.reader("a.txt").charset("windows-1252").read().unwrap().text, "café\n");
    session.edit("a.txt").charset("windows-1252").replace("é", "è").plan().unwrap().commit().unwrap();
    assert_eq!(fs::read(scratch.path("a.txt")).unwrap(), b"caf\xe8\n");
}

#[test]
fn folders_are_listed() {
    let scratch = Scratch::with(&[("a.txt", "a"), ("src/b.rs", ""), (".hidden", "")]);
    let session = scratch.session();
    let check = |list: patchwright_lib::List, want: &[(&str, EntryKind)]| {
        let entries = list.run().unwrap();
        assert_eq!(entries.iter().map(|entry| (entry.path.as_str(), entry.kind)).collect::<Vec<_>>(), want);
    };
    check(session.list("."), &[("a.txt", EntryKind::File), ("src", EntryKind::Folder)]);
    check(session.list("src"), &[("src/b.rs", EntryKind::File)]);
    check(
        session.list(".").levels(2),
        &[("a.txt", EntryKind::File), ("src", EntryKind::Folder), ("src/b.rs", EntryKind::File)],
    );
    let hashed = session.list(".").hidden().hashes().run().unwrap();
    let hashed: Vec<_> = hashed.into_iter().map(|entry| (entry.path, entry.sha256)).collect();
    let want = [(".hidden", Some(Sha256::of(b""))), ("a.txt", Some(Sha256::of(b"a"))), ("src", None)];
    assert_eq!(hashed, want.map(|(path, sha256)| (path.to_owned(), sha256)));
}

#[test]
fn a_long_listing_comes_whole() {
    let scratch = Scratch::new();
    for n in 0..5_100 {
        scratch.put(&format!("f{n:04}"), "");
    }
    assert_eq!(scratch.session().list(".").run().unwrap().len(), 5_100);
}

#[test]
fn files_are_found() {
    let files = [("src/a.rs", "let PORT = 1;\n"), ("src/b.txt", "port\n"), ("x.rs", ""), (".gitignore", "x.rs\n")];
    let scratch = Scratch::with(&files);
    fs::create_dir(scratch.path(".git")).unwrap();
    let session = scratch.session();
    let globbed = |glob: patchwright_lib::Glob| {
        let found = glob.run().unwrap();
        (found.items.into_iter().map(|entry| entry.path).collect::<Vec<_>>(), found.truncated)
    };
    assert_eq!(globbed(session.glob("**/*.rs")), (vec!["src/a.rs".to_owned()], false));
    assert_eq!(globbed(session.glob("**/*.rs").include_ignored()).0, ["src/a.rs", "x.rs"]);
    assert_eq!(globbed(session.glob("*").below("src").exclude("*.txt")).0, ["src/a.rs"]);
    assert_eq!(globbed(session.glob("*").below("src").max_results(1)), (vec!["src/a.rs".to_owned()], true));
    let searched = |search: patchwright_lib::Search| {
        let places = search.run().unwrap().items.into_iter();
        places.map(|hit| (hit.path, hit.line, hit.column, hit.length)).collect::<Vec<_>>()
    };
    assert_eq!(searched(session.search("PORT")), [("src/a.rs".to_owned(), 1, 5, 4)]);
    assert_eq!(searched(session.search("port").ignore_case().include("**/*.rs")).len(), 1);
    assert_eq!(searched(session.search_regex("P.RT|port")).len(), 2);
    assert_eq!(searched(session.search_regex("P.RT|port").below("src").exclude("*.rs")).len(), 1);
    assert_eq!(session.search_regex("(").run().unwrap_err().kind(), ErrorKind::CommandFailed);
}

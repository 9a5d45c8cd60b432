//! Searching, globbing and listing over small trees, and over trees made to trip a walker up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::outcome::{Entry, Hit};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use patchwright_store::look::{
    Anchoring, Case, Depth, Globbing, Hashing, Hidden, Ignored, Listing, LookProblem, Mode, Searching, Sight, glob,
    list, search,
};
use patchwright_store::real::{Means, RealDisk};
use patchwright_testkit::home;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

fn tree(files: &[(&str, &[u8])]) -> (TempDir, RealDisk) {
    let home = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    (home, disk)
}

fn path(text: &str) -> RelPath {
    RelPath::parse(text, &[]).unwrap()
}

fn ask(query: &str, mode: Mode) -> Searching {
    Searching {
        query: query.to_owned(),
        mode,
        root: RelPath::root(),
        include: Vec::new(),
        exclude: Vec::new(),
        max_results: 100,
        context_lines: 0,
        case: Case::Sensitive,
        ignored: Ignored::Honour,
        anchors: Anchoring::Without,
    }
}

/// A hit as `path:line:column:preview`, or `path` alone.
fn word(hit: &Hit) -> String {
    match &hit.place {
        None => hit.path.clone(),
        Some(place) => format!("{}:{}:{}:{}", hit.path, place.line, place.column, place.preview),
    }
}

fn found(disk: &RealDisk, ask: &Searching) -> Vec<String> {
    search(disk, ask, &Sight::ALL).unwrap().answer.matches.iter().map(word).collect()
}

fn globs(list: &[&str]) -> Vec<String> {
    list.iter().map(|glob| (*glob).to_owned()).collect()
}

#[test]
fn lines_in_every_dress() {
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain("x\r\nün hit\r\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let (_home, disk) = tree(&[
        ("a.txt", b"one hit\ntwo\nhit hit\n"),
        ("binary", b"hit\0hit"),
        ("bom.txt", b"\xEF\xBB\xBFhit"),
        ("crlf.txt", b"a hit\r\nb\r\n"),
        ("latin.txt", b"\xE9 hit\n"),
        ("utf16.txt", &wide),
        (".hidden/f", b"hit"),
        ("ünï", "é€𝄞 hit".as_bytes()),
    ]);
    let all = [
        ".hidden/f:1:1:hit",
        "a.txt:1:5:one hit",
        "a.txt:3:1:hit hit",
        "bom.txt:1:1:hit",
        "crlf.txt:1:3:a hit",
        "latin.txt:1:3:\u{FFFD} hit",
        "utf16.txt:2:4:ün hit",
        "ünï:1:5:é€𝄞 hit",
    ];
    assert_eq!(found(&disk, &ask("hit", Mode::Text)), all);
    assert_eq!(found(&disk, &ask("hit$", Mode::Regex)).len(), 8); // `$` before a return, too
    assert_eq!(found(&disk, &Searching { case: Case::Insensitive, ..ask("HIT", Mode::Text) }), all);
    assert_eq!(found(&disk, &ask("HIT", Mode::Text)), [""; 0]);
    assert_eq!(found(&disk, &ask("h.t", Mode::Text)), [""; 0]);
    assert_eq!(found(&disk, &ask("tw.", Mode::Regex)), ["a.txt:2:1:two"]);
    let answer = search(&disk, &ask("hit", Mode::Text), &Sight::ALL).unwrap().answer;
    assert_eq!((answer.files_scanned, answer.truncated), (8, false));
}

#[test]
fn context_is_given_to_each_hit() {
    let (_home, disk) = tree(&[("f", b"1\n2 x\r\n3\n4 x\n5 x\n6\n7\n")]);
    let ask = Searching { context_lines: 2, ..ask("x", Mode::Text) };
    let hits = search(&disk, &ask, &Sight::ALL).unwrap().answer.matches;
    let seen: Vec<_> =
        hits.iter().filter_map(|hit| hit.place.as_ref()).map(|at| (at.before.join("|"), at.after.join("|"))).collect();
    let want =
        [("1", "3|4 x"), ("2 x|3", "5 x|6"), ("3|4 x", "6|7")].map(|(one, two)| (one.to_owned(), two.to_owned()));
    assert_eq!(seen, want);
    for max_results in [1, 2] {
        let cut = search(&disk, &Searching { max_results, ..ask.clone() }, &Sight::ALL).unwrap().answer;
        assert_eq!((&cut.matches[..], cut.truncated), (&hits[..max_results], true), "context is whole at the cut");
    }
}

#[test]
fn globs_include_and_exclude() {
    let (_home, disk) = tree(&[("a.rs", b"x"), ("src/b.rs", b"x"), ("src/c.txt", b"x"), ("src/gen/d.rs", b"x")]);
    let check = |root: &str, include: &[&str], exclude: &[&str], want: &[&str]| {
        let ask =
            Searching { root: path(root), include: globs(include), exclude: globs(exclude), ..ask("x", Mode::Text) };
        let got: Vec<_> =
            search(&disk, &ask, &Sight::ALL).unwrap().answer.matches.into_iter().map(|hit| hit.path).collect();
        assert_eq!(got, want, "{root} {include:?} {exclude:?}");
    };
    check(".", &[], &[], &["a.rs", "src/b.rs", "src/c.txt", "src/gen/d.rs"]);
    check(".", &["*.rs"], &[], &["a.rs"]);
    check(".", &["**/*.rs"], &[], &["a.rs", "src/b.rs", "src/gen/d.rs"]);
    check(".", &["**/*.rs"], &["**/gen"], &["a.rs", "src/b.rs"]);
    check(".", &["**/*.rs"], &["**/gen/**"], &["a.rs", "src/b.rs"]);
    check("src", &["*.rs"], &[], &["src/b.rs"]);
    check("src", &[], &["*.txt", "gen"], &["src/b.rs"]);
}

#[test]
fn ignore_files_are_honoured() {
    let (home, disk) = tree(&[
        (".gitignore", b"/build\n*.log\n!keep.log\n"),
        ("build/x", b"hit"),
        ("a.log", b"hit"),
        ("keep.log", b"hit"),
        ("sub/.gitignore", b"local\n"),
        ("sub/local", b"hit"),
        ("sub/a.log", b"hit"),
        ("sub/build/x", b"hit"),
        ("sub/.ignore", b"!a.log\n"),
        (".git/config", b"hit"),
        (".patchwright/log", b"hit"),
    ]);
    let hits = |root: &str, ignored| found(&disk, &Searching { root: path(root), ignored, ..ask("hit", Mode::Text) });
    assert_eq!(hits(".", Ignored::Honour), ["keep.log:1:1:hit", "sub/a.log:1:1:hit", "sub/build/x:1:1:hit"]);
    assert_eq!(hits("build", Ignored::Honour), ["build/x:1:1:hit"]); // asked for by name
    assert_eq!(hits("sub", Ignored::Honour), ["sub/a.log:1:1:hit", "sub/build/x:1:1:hit"]);
    assert_eq!(hits(".", Ignored::Include).len(), 7); // never the state folder
    fs::write(home.path().join("sub/.ignore"), "").unwrap();
    assert_eq!(hits("sub", Ignored::Honour), ["sub/build/x:1:1:hit"]); // the rules above count
}

#[test]
fn ignore_files_that_are_none_do_no_harm() {
    let (home, disk) = tree(&[("f", b"hit"), ("sub/f", b"hit")]);
    let fifo = home.path().join(".gitignore"); // whoever opened it would wait for ever
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    symlink("/dev/zero", home.path().join("sub/.ignore")).unwrap();
    assert_eq!(found(&disk, &ask("hit", Mode::Text)).len(), 2);
}

#[test]
fn first_hits_are_the_same_every_time() {
    let names: Vec<String> = (0..300).map(|at| format!("d{}/{}/f{at:03}", at % 7, at % 3)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"hit\nhit\nhit\n"[..])).collect();
    let (_home, disk) = tree(&files);
    let all = search(&disk, &Searching { max_results: 10_000, ..ask("hit", Mode::Text) }, &Sight::ALL).unwrap().answer;
    assert_eq!((all.matches.len(), all.truncated), (900, false));
    assert!(all.matches.is_sorted_by_key(|hit| (hit.path.clone(), hit.place.as_ref().map(|place| place.line))));
    for max_results in [1, 2, 3, 10, 100, 899, 900] {
        for _ in 0..5 {
            let part = search(&disk, &Searching { max_results, ..ask("hit", Mode::Text) }, &Sight::ALL).unwrap().answer;
            assert_eq!(part.matches, all.matches[..max_results]);
            assert_eq!((part.truncated, part.files_scanned), (max_results < 900, 300));
        }
    }
}

#[test]
fn paths_by_glob() {
    let (_home, disk) = tree(&[("a.rs", b""), ("src/B.rs", b""), ("src/c.txt", b"")]);
    let check = |query: &str, case, want: &[&str]| {
        assert_eq!(found(&disk, &Searching { case, ..ask(query, Mode::Path) }), want, "{query}")
    };
    check("**/*.rs", Case::Sensitive, &["a.rs", "src/B.rs"]);
    check("*.rs", Case::Sensitive, &["a.rs"]);
    check("src/b.rs", Case::Sensitive, &[]);
    check("src/b.rs", Case::Insensitive, &["src/B.rs"]);
    check("src", Case::Sensitive, &[]); // files, not folders
}

#[test]
fn bad_patterns_say_why() {
    let (_home, disk) = tree(&[]);
    for (query, mode) in [("(", Mode::Regex), ("(a{1000}){1000}", Mode::Regex), ("a\nb", Mode::Text)] {
        match search(&disk, &ask(query, mode), &Sight::ALL) {
            Err(LookProblem::BadPattern(why)) => assert!(!why.is_empty()),
            other => panic!("{query:?}: {other:?}"),
        }
    }
    let exclude = Searching { exclude: globs(&["{"]), ..ask("a", Mode::Text) };
    for asked in [ask("[", Mode::Path), exclude] {
        match search(&disk, &asked, &Sight::ALL) {
            Err(LookProblem::BadGlob(why)) => assert!(!why.is_empty()),
            other => panic!("{asked:?}: {other:?}"),
        }
    }
}

#[test]
fn without_the_kernels_help_the_answers_are_the_same() {
    let (home, best) = tree(&[(".gitignore", b"*.log"), ("a.log", b"hit"), ("b", b"hit"), ("c/d/e", b"hit\nhit")]);
    symlink("c", home.path().join("l")).unwrap();
    let portable = RealDisk::open(home.path(), &home::whereabouts(), Means::Portable).unwrap();
    let want = ["b:1:1:hit", "c/d/e:1:1:hit", "c/d/e:2:1:hit"];
    assert_eq!(found(&best, &ask("hit", Mode::Text)), want);
    assert_eq!(found(&portable, &ask("hit", Mode::Text)), want);
}

#[test]
fn roots_that_are_none() {
    let (home, disk) = tree(&[("f", b"hit"), ("in/f", b"hit")]);
    symlink("in", home.path().join("l")).unwrap();
    symlink("/etc", home.path().join("out")).unwrap();
    let at = |root: &str| search(&disk, &Searching { root: path(root), ..ask("hit", Mode::Text) }, &Sight::ALL);
    assert!(matches!(at("f"), Err(LookProblem::NotFolder)));
    assert!(matches!(at("none"), Err(LookProblem::Halt(halt)) if halt.is_missing()));
    assert!(matches!(at("out"), Err(LookProblem::Halt(patchwright_store::disk::Halt::Escape))));
    assert_eq!(word(&at("l").unwrap().answer.matches[0]), "l/f:1:1:hit"); // as the caller would spell it
}

#[test]
fn what_may_not_be_seen_is_left_out() {
    let (_home, disk) = tree(&[("a", b"hit"), ("secret/b", b"hit"), ("secret/open", b"hit")]);
    let sight = Sight { may: &|path| path.name() == "open" || path.as_str() == "a", go_on: &|_| true };
    let hits = search(&disk, &ask("hit", Mode::Text), &sight).unwrap().answer;
    assert_eq!((hits.matches.len(), hits.files_scanned), (2, 2));
    let globbing = Globbing {
        pattern: "**".into(),
        root: RelPath::root(),
        exclude: vec![],
        max_results: 10,
        ignored: Ignored::Honour,
    };
    let matches = glob(&disk, &globbing, &sight).unwrap().answer.matches;
    assert_eq!(matches.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["a", "secret/open"]);
    let listing = Listing {
        path: RelPath::root(),
        depth: Depth::Below(8),
        hidden: Hidden::Include,
        hashes: Hashing::No,
        cursor: None,
    };
    let entries = list(&disk, &listing, &sight).unwrap().answer.entries;
    assert_eq!(entries.iter().map(|entry| entry.path.as_str()).collect::<Vec<_>>(), ["a", "secret/open"]);
}

#[test]
fn a_search_can_be_called_off() {
    let (_home, disk) = tree(&[("a", b"hit"), ("b/c", b"hit")]);
    let sight = Sight { may: &|_| true, go_on: &|_| false };
    assert!(matches!(search(&disk, &ask("hit", Mode::Text), &sight), Err(LookProblem::Stopped)));
}

fn paths(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.path.as_str()).collect()
}

#[test]
fn globbing() {
    let (home, disk) = tree(&[("a.rs", b"12"), ("src/b.rs", b""), ("src/deep/c.rs", b""), (".h/d.rs", b"")]);
    symlink("src", home.path().join("l.rs")).unwrap();
    let check = |pattern: &str, root: &str, max_results, want: &[&str]| {
        let ask = Globbing {
            pattern: pattern.into(),
            root: path(root),
            exclude: vec![],
            max_results,
            ignored: Ignored::Honour,
        };
        let got = glob(&disk, &ask, &Sight::ALL).unwrap().answer;
        assert_eq!(paths(&got.matches), want, "{pattern}");
        got
    };
    let all = check("**/*.rs", ".", 9, &[".h/d.rs", "a.rs", "l.rs", "src/b.rs", "src/deep/c.rs"]);
    let sorts: Vec<_> = all.matches.iter().map(|entry| (entry.sort, entry.size)).collect();
    assert_eq!(sorts[1..3], [(Sort::File, 2), (Sort::Link, 3)]); // the link, not what is behind it
    assert!(!all.truncated && all.matches[1].mtime_ns > 0);
    assert!(check("**/*.rs", ".", 2, &[".h/d.rs", "a.rs"]).truncated);
    check("src/*", ".", 9, &["src/b.rs", "src/deep"]);
    check("*", "src", 9, &["src/b.rs", "src/deep"]);
    check("src/deep/c.rs", ".", 9, &["src/deep/c.rs"]);
    check("{src,.h}/*.rs", ".", 9, &[".h/d.rs", "src/b.rs"]);
    check("l.rs/*", ".", 9, &[]); // links are not followed
}

#[test]
fn listing() {
    let (home, disk) =
        tree(&[("b", b"12"), ("a/x/y", b""), ("a/.h", b""), ("a-b", b""), (".git/c", b""), (".patchwright/log", b"")]);
    symlink("a", home.path().join("l")).unwrap();
    symlink("..", home.path().join("a/loop")).unwrap();
    let check = |at: &str, depth, hidden, want: &[&str]| {
        let ask = Listing { path: path(at), depth, hidden, hashes: Hashing::No, cursor: None };
        let got = list(&disk, &ask, &Sight::ALL).unwrap().answer;
        assert_eq!((paths(&got.entries), got.next_cursor), (want.to_vec(), None), "{at}");
        got.entries
    };
    let top = check(".", Depth::Children, Hidden::Skip, &["a", "a-b", "b", "l"]);
    assert_eq!((top[2].size, top[2].depth, top[3].sort), (2, 0, Sort::Link));
    check(".", Depth::Below(8), Hidden::Skip, &["a", "a/loop", "a/x", "a/x/y", "a-b", "b", "l"]);
    check(".", Depth::Below(1), Hidden::Skip, &["a", "a/loop", "a/x", "a-b", "b", "l"]);
    check(".", Depth::Below(1), Hidden::Include, &[".git", ".git/c", "a", "a/.h", "a/loop", "a/x", "a-b", "b", "l"]);
    check("a/x", Depth::Children, Hidden::Skip, &["a/x/y"]);
    check("l", Depth::Children, Hidden::Skip, &["l/loop", "l/x"]);
    let bad = Listing {
        path: path("."),
        depth: Depth::Children,
        hidden: Hidden::Skip,
        hashes: Hashing::No,
        cursor: Some("x".into()),
    };
    assert!(matches!(list(&disk, &bad, &Sight::ALL), Err(LookProblem::BadCursor)));
    assert!(matches!(
        list(&disk, &Listing { path: path("b"), cursor: None, ..bad }, &Sight::ALL),
        Err(LookProblem::NotFolder)
    ));
}

/// Folders in folders, made step by step because the whole path is longer than the system takes.
fn deep(root: &Path, depth: usize) {
    let mut at = rustix::fs::open(root, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&at, "d", rustix::fs::Mode::RWXU).unwrap();
        at = rustix::fs::openat(&at, "d", rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty()).unwrap();
    }
}

/// Takes the tree down from the top: the standard library would recurse into it.
fn undeep(root: &Path) {
    while root.join("d/d").exists() {
        fs::rename(root.join("d/d"), root.join("next")).unwrap();
        fs::remove_dir(root.join("d")).unwrap();
        fs::rename(root.join("next"), root.join("d")).unwrap();
    }
}

#[test]
fn deep_trees_and_odd_names_end() {
    // Some file systems take a millisecond for each folder; one in memory does not.
    let memory = Path::new("/dev/shm");
    let home = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    fs::write(home.path().join("f"), "hit").unwrap();
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    deep(home.path(), 4_096);
    symlink(".", home.path().join("loop")).unwrap();
    fs::write(home.path().join(std::ffi::OsStr::from_bytes(b"\xFF")), "hit").unwrap();
    let looked = search(&disk, &ask("hit", Mode::Text), &Sight::ALL).unwrap();
    assert_eq!(looked.answer.matches.len(), 1);
    assert_eq!((looked.left_out.unreadable, looked.left_out.unaddressable), (1, 1)); // where the path grew too long
    let listing = Listing {
        path: RelPath::root(),
        depth: Depth::Below(usize::MAX),
        hidden: Hidden::Include,
        hashes: Hashing::No,
        cursor: None,
    };
    let listed = list(&disk, &listing, &Sight::ALL).unwrap();
    assert_eq!((listed.answer.entries.len(), listed.left_out.unreadable), (2 + 2_048, 1));
    undeep(home.path());
}

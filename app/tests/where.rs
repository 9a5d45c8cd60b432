//! Where people are: the workspace is found upwards, paths count from the folder one is in, looking makes nothing, and a
//! damaged record is told by every command.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_engine::HomeAt;
use patchwright_testkit::tree::Tree;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    /// A git work tree in which one file was made and one changed by Patchwright.
    fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(bench.root().join(".git")).unwrap();
        fs::create_dir_all(bench.root().join("src/deep")).unwrap();
        fs::create_dir(bench.home()).unwrap();
        fs::write(bench.root().join("src/a.rs"), "one\ntwo\n").unwrap();
        bench
    }

    fn used() -> Bench {
        let bench = Bench::new();
        let edit = r#"{"path":"src/a.rs","edits":[{"oldText":"two","newText":"2"}]}"#;
        let (code, out, _) = bench.run(&bench.root(), &["--unchecked", "call", "edit_file", edit]);
        assert_eq!(code, 0, "{out}");
        let (code, out, _) =
            bench.run(&bench.root(), &["call", "create_file", r#"{"path":"README.md","content":"x\n"}"#]);
        assert_eq!(code, 0, "{out}");
        bench
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("w")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn run(&self, current: &Path, args: &[&str]) -> (u8, String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let line: Vec<OsString> = std::iter::once(&"patchwright").chain(args).map(OsString::from).collect();
        let home = HomeAt::Folder(self.home());
        let surroundings = Surroundings { home, current: Some(current.to_owned()), ..Surroundings::default() };
        let mut ports = Ports {
            input: &mut std::io::empty(),
            output: &mut out,
            errors: &mut err,
            screen: Screen::Pipe,
            pager: &mut NoPager,
            manner: Manner::default(),
        };
        let Next::Exit(status) = cli::run(line, &mut ports, &surroundings) else { panic!("{args:?} serves") };
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code(), text(out), text(err))
    }
}

/// Every command that only looks.
const LOOKS: [&[&str]; 13] = [
    &[],
    &["log"],
    &["watch", "--from-start", "--once"],
    &["show"],
    &["diff"],
    &["why", "a.rs"],
    &["review"],
    &["trash"],
    &["read", "a.rs"],
    &["search", "one"],
    &["doctor"],
    &["audit", "verify"],
    &["audit", "export"],
];

#[test]
fn the_workspace_is_found_upwards() {
    let bench = Bench::used();
    let (root, src, deep) = (bench.root(), bench.root().join("src"), bench.root().join("src/deep"));
    for (current, typed, shown) in
        [(&root, "src/a.rs", "src/a.rs"), (&src, "a.rs", "a.rs"), (&deep, "../a.rs", "../a.rs")]
    {
        let (code, out, err) = bench.run(current, &["why", &format!("{typed}:2")]);
        assert!(code == 0 && out.starts_with("b1  you"), "{current:?}: {out}{err}");
        assert_eq!(bench.run(current, &["read", typed]).1, "one\n2\n", "{current:?}");
        let (_, out, _) = bench.run(current, &["log"]);
        assert!(out.contains(&format!("  {shown}\n")), "{current:?}: {out}");
        let (_, out, _) = bench.run(current, &["diff", "b1"]);
        assert!(out.contains("--- a/src/a.rs\n"), "diffs count from the root: {out}");
    }
    let (_, out, _) = bench.run(&deep, &["log", "b1", "--json"]);
    assert!(out.contains("\"ok\":false"), "{out}");
    let (_, out, _) = bench.run(&src, &["log", "--json"]);
    assert!(out.contains("\"src/a.rs\""), "JSON counts from the root: {out}");
    let (_, out, _) = bench.run(&deep, &["-R", root.to_str().unwrap(), "read", "src/a.rs"]);
    assert_eq!(out, "one\n2\n", "with --root paths count from there");
    let (code, out, err) = bench.run(&deep, &["log", "../*.rs"]);
    assert!(code == 0 && out.contains("b1  "), "a glob may climb: {out}{err}");
    // Programs mean the folder that they are in.
    let (code, out, _) = bench.run(&src, &["call", "read_file", r#"{"path":"a.rs"}"#]);
    assert!(code == 0 && out.contains("\"path\":\"a.rs\""), "{out}");
}

#[test]
fn search_looks_below_here() {
    let bench = Bench::used();
    let (code, out, _) = bench.run(&bench.root().join("src"), &["search", "o"]);
    assert_eq!((code, out.as_str()), (0, "a.rs:1:1: one\n"));
    let (code, out, _) = bench.run(&bench.root().join("src/deep"), &["search", "o"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(bench.run(&bench.root(), &["search", "nowhere", "--json"]).0, 1);
    let (_, out, _) = bench.run(&bench.root(), &["search", "o", "-g", "*.rs"]);
    assert_eq!(out, "src/a.rs:1:1: one\n");
}

#[test]
fn looking_makes_nothing() {
    for (bench, used) in [(Bench::new(), false), (Bench::used(), true)] {
        let src = bench.root().join("src");
        // The first look at a record of ours makes its index at home, which is a cache.
        bench.run(&src, &["log"]);
        let before = [Tree::read(&bench.root()).unwrap(), Tree::read(&bench.home()).unwrap()];
        for args in LOOKS {
            let (code, out, err) = bench.run(&src, args);
            assert!(code < 2, "{args:?}: {out}{err}");
        }
        assert_eq!(before[0].difference(&Tree::read(&bench.root()).unwrap()), [""; 0], "used: {used}");
        if !used {
            assert_eq!(before[1].difference(&Tree::read(&bench.home()).unwrap()), [""; 0]);
        }
    }
}

#[test]
fn no_record_is_said_and_never_nobody() {
    let bench = Bench::new();
    let src = bench.root().join("src");
    let (code, out, err) = bench.run(&src, &["why", "a.rs"]);
    assert!(
        code == 0 && out.contains("not on record") && err.contains("no record of changes stands here"),
        "{out}{err}"
    );
    let (code, out, _) = bench.run(&src, &["log"]);
    assert!(code == 0 && out.contains("Nothing is on record here"), "{out}");
    let (code, out, _) = bench.run(&src, &[]);
    assert!(code == 0 && out.starts_with("w: nothing is on record here yet\n"), "{out}");
    let (code, _, err) = bench.run(&src, &["undo"]);
    assert!(code == 1 && err.starts_with("patchwright: "), "{err}");
    assert!(!bench.root().join(".git/patchwright").exists() && !bench.root().join(".patchwright").exists());
}

#[test]
fn a_damaged_record_is_told_by_every_command() {
    let bench = Bench::used();
    let place = bench.root().join(".git/patchwright");
    let id = fs::read_dir(&place).unwrap().next().unwrap().unwrap().path();
    let log = id.join("log");
    let mut bytes = fs::read(&log).unwrap();
    let at = bytes.windows(8).position(|part| part == b"src/a.rs").unwrap();
    bytes[at] = b'S';
    fs::write(&log, bytes).unwrap();
    let commands = LOOKS.iter().copied().filter(|args| !matches!(args, ["doctor"] | ["audit", ..] | []));
    for args in commands.chain([&["undo"][..], &["redo"], &["accept", "b1"], &["trash", "restore", "x"]]) {
        let (_, out, err) = bench.run(&bench.root().join("src"), args);
        let first = err.lines().next().unwrap_or_default();
        assert!(first.contains("damaged") && first.contains("patchwright doctor"), "{args:?}: {out}{err}");
    }
    let (code, out, _) = bench.run(&bench.root(), &["doctor"]);
    assert!(
        code == 1 && out.starts_with("Record   BAD  ") && out.contains("fix: ") && out.contains("problem"),
        "{out}"
    );
    let (_, out, _) = bench.run(&bench.root(), &[]);
    assert!(out.contains("record BAD"), "{out}");
    let (_, _, err) = bench.run(&bench.root(), &["call", "list_directory", "{}"]);
    assert!(err.contains("damaged"), "{err}");
}

/// The one command that destroys for good asks, and takes no silence for an answer.
#[test]
fn purging_asks() {
    let bench = Bench::used();
    let root = bench.root();
    let (code, out, err) = bench.run(&root, &["--unchecked", "call", "delete_file", r#"{"path":"README.md"}"#]);
    assert_eq!(code, 0, "{out}{err}");
    let purge = ["trash", "purge", "--older-than", "2999-01-01T00:00:00Z"];
    let (code, out, err) = bench.run(&root, &purge);
    assert!(code == 2 && out.is_empty() && err.contains("README.md") && err.contains("-y"), "{out}{err}");
    let (code, out, _) = bench.run(&root, &[&purge[..], &["-n"]].concat());
    assert!(code == 0 && out.starts_with("For good: README.md (2 B). b3 can then not be undone."), "{out}");
    assert!(bench.run(&root, &["trash"]).1.contains("README.md"));
    let (code, out, _) = bench.run(&root, &[&purge[..], &["-y"]].concat());
    assert!(code == 0 && out.contains("Removed for good: 1 entry"), "{out}");
    assert_eq!(bench.run(&root, &["trash"]).1, "The trash is empty\n");
}

#[test]
fn json_everywhere() {
    let bench = Bench::used();
    for args in [
        &["undo", "--frobnicate"][..],
        &["show", "nonsense"],
        &["log", "--since", "noon"],
        &["log", "no/such"],
        &["log", "--who", "nobody"],
        &["why", "src/a.rs:99"],
        &["accept"],
    ] {
        let (code, out, err) = bench.run(&bench.root(), &[args, &["--json"]].concat());
        let told: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{args:?}: {out}{err}"));
        assert!(code > 0 && told["ok"] == false && told["error"]["message"].is_string(), "{args:?}: {out}");
        assert_eq!(out.lines().count(), 1);
    }
}

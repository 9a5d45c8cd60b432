//! The command line for anchors, run in this process: `read --hashes`, `search --hashes`, `edit` and `prompt`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_core::anchor::Anchors;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;

const TEXT: &str = "one\ntwo\nthree\n}\ntwo\nfive\n";

/// What a command left behind.
struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run_on(screen: Screen, root: &Path, input: &str, args: &[&str]) -> Ran {
    let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), root.into()];
    line.extend(args.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut ports = Ports {
        input: &mut input.as_bytes(),
        output: &mut out,
        errors: &mut err,
        screen,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    let code = match cli::run(line, &mut ports, &surroundings()) {
        Next::Exit(status) => status.code(),
        Next::Serve(..) => panic!("{args:?} asks for a server"),
    };
    Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), TEXT).unwrap();
    std::fs::write(folder.path().join("new.txt"), "2\n2½\n").unwrap();
    folder
}

/// The anchor that names a line of the text, counted from 1, without its number.
fn anchor(line: usize) -> String {
    let anchors = Anchors::of(TEXT.as_bytes());
    anchors.shown(&[line]).first().unwrap().form.to_string()
}

/// Edits `a.txt`: the arguments after the path, standard input, the text that it has then.
fn check(args: &[&str], input: &str, want: &str) {
    let folder = workspace();
    let ran = run_on(Screen::Pipe, folder.path(), input, &[&["edit", "a.txt"], args].concat());
    let story = format!("{args:?} ended with {}\nout: {}\nerr: {}", ran.code, ran.out, ran.err);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{story}");
    assert!(ran.out.starts_with("Changed, as b1\n  M a.txt"), "{story}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), want, "{story}");
}

/// An edit that fails with this status and these words, and changes nothing.
fn fails(args: &[&str], code: u8, words: &[&str]) {
    let folder = workspace();
    let ran = run_on(Screen::Pipe, folder.path(), "", &[&["edit", "a.txt"], args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{args:?}: {}", ran.err);
    for part in words {
        assert!(ran.err.contains(part), "{part:?} in {}", ran.err);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), TEXT, "{args:?}");
}

#[test]
fn one_operation_by_flags() {
    let (one, three, five) = (anchor(1), anchor(3), anchor(6));
    check(&["--replace", &three, "--with", "3"], "", "one\ntwo\n3\n}\ntwo\nfive\n");
    check(&["--replace", &format!("3#{three}"), "--with", "-3"], "", "one\ntwo\n-3\n}\ntwo\nfive\n");
    check(&["--replace", &format!("{one}..{three}"), "--with", "1\n2\n"], "", "1\n2\n}\ntwo\nfive\n");
    check(&["--after", &five, "--with", "six"], "", "one\ntwo\nthree\n}\ntwo\nfive\nsix\n");
    check(&["--before", &one, "--from", "-"], "zero\n", "zero\none\ntwo\nthree\n}\ntwo\nfive\n");
    check(&["--delete", &five, "--was", "five"], "", "one\ntwo\nthree\n}\ntwo\n");
    check(&["--delete", &five], "", "one\ntwo\nthree\n}\ntwo\n");
    check(&["--delete", &format!("{one}..{three}")], "", "}\ntwo\nfive\n");
    let short: String = format!("{:06x}", patchwright_core::anchor::line_hash(b"two") >> 40);
    check(&["--replace", &short, "--with", "2", "--occurrence", "2"], "", "one\ntwo\nthree\n}\n2\nfive\n");
}

#[test]
fn new_lines_come_from_any_file() {
    let folder = workspace();
    let from = folder.path().join("new.txt");
    check(&["--replace", &anchor(3), "--from", from.to_str().unwrap()], "", "one\ntwo\n2\n2½\n}\ntwo\nfive\n");
    let none = folder.path().join("none.txt");
    fails(&["--replace", &anchor(3), "--from", none.to_str().unwrap()], 2, &["cannot read the new lines from"]);
}

#[test]
fn operations_as_json() {
    let operations = json!([{ "op": "insert_after", "hash": anchor(1), "content": "one and a half" }]).to_string();
    let want = "one\none and a half\ntwo\nthree\n}\ntwo\nfive\n";
    check(&[&operations], "", want);
    check(&["-"], &operations, want);
    fails(&["[{"], 2, &["the operations are not valid JSON"]);
    fails(&["{}"], 1, &["patchwright: "]);
    fails(&[r#"[{"op": "delete_line", "op": "delete_line", "hash": "a1b2c3"}]"#], 1, &["twice"]);
    fails(&["[]"], 1, &["patchwright: "]);
}

#[test]
fn what_is_refused_says_why() {
    let nothing = "Nothing was changed.\n";
    fails(&["--delete", "ffffff"], 1, &["ffffff", nothing]);
    let brace = anchor(4);
    fails(&["--replace", &brace, "--with", "x"], 1, &["line 4", nothing]);
    fails(&["--replace", "zz", "--with", "x"], 1, &["zz", nothing]);
    fails(&["--delete", &anchor(1), "--was", "three"], 1, &["--was", "three", "one", nothing]);
    fails(&["--delete", &anchor(1), "--sha256", &"0".repeat(64)], 1, &["a.txt", nothing]);
}

#[test]
fn refusals_name_flags() {
    let twice = ["--after", &anchor(3), "--with", "three\nfour"];
    fails(&twice, 1, &["three", "Nothing was changed."]);
    fails(&twice, 1, &["--safety warn does it all the same"]);
    check_warned(&[&twice[..], &["--safety", "warn"]].concat(), "one\ntwo\nthree\nthree\nfour\n}\ntwo\nfive\n");
}

/// An edit that goes through with a warning.
fn check_warned(args: &[&str], want: &str) {
    let folder = workspace();
    let ran = run_on(Screen::Pipe, folder.path(), "", &[&["edit", "a.txt"], args].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), want, "{args:?}");
}

#[test]
fn how_the_file_ends_and_whether_it_runs() {
    use std::os::unix::fs::PermissionsExt;
    check(&["--replace", &anchor(6), "--with", "5", "--final-newline", "false"], "", "one\ntwo\nthree\n}\ntwo\n5");
    let folder = workspace();
    let args = ["edit", "a.txt", "--replace", &anchor(6), "--with", "5", "--executable", "true"];
    let ran = run_on(Screen::Pipe, folder.path(), "", &args);
    let mode = std::fs::metadata(folder.path().join("a.txt")).unwrap().permissions().mode();
    assert_eq!((ran.code, mode & 0o100), (0, 0o100), "{}", ran.err);
    fails(&["--delete", &anchor(6), "--executable", "maybe"], 2, &["--executable"]);
}

#[test]
fn wrong_usage() {
    for args in [
        [].as_slice(),
        &["--replace", "a1b2c3"],
        &["--delete", "a1b2c3", "--with", "x"],
        &["--delete", "a1b2c3", "--after", "a1b2c3", "--with", "x"],
        &["[]", "--with", "x"],
        &["--after", "a1b2c3", "--with", "x", "--from", "-"],
    ] {
        fails(args, 2, &["Usage: patchwright edit"]);
    }
    fails(&["--delete", "a1b2c3", "--safety", "loose"], 2, &["loose", "strict, warn, off"]);
}

#[test]
fn dry_runs_and_screens() {
    let three = anchor(3);
    let folder = workspace();
    let run = |screen, more: &[&str]| {
        run_on(
            screen,
            folder.path(),
            "",
            &[&["edit", "a.txt", "--replace", &three, "--with", "3", "-n"], more].concat(),
        )
    };
    let piped = run(Screen::Pipe, &[]);
    assert_eq!(piped.out, "Would change\n  M a.txt  +1 -1\n");
    let shown = run(Screen::Terminal, &["-p"]).out;
    assert!(shown.contains("\u{1b}[31m-3|three\u{1b}[0m\n\u{1b}[32m+3#"), "{shown}");
    let answer: Value = serde_json::from_str(&run(Screen::Pipe, &["--json", "--safety", "off"]).out).unwrap();
    assert_eq!(answer.pointer("/data/dryRun"), Some(&json!(true)));
    assert_eq!(answer.pointer("/data/safety_status"), Some(&json!("skipped")));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), TEXT);
}

#[test]
fn anchors_are_shown_and_taken() {
    let folder = workspace();
    let anchors = Anchors::of(TEXT.as_bytes());
    let lines: Vec<usize> = (1..=anchors.count()).collect();
    let mut want = String::new();
    for (shown, text) in anchors.shown(&lines).iter().zip(TEXT.lines()) {
        shown.render(text, &mut want);
        want.push('\n');
    }
    assert_eq!(run_on(Screen::Pipe, folder.path(), "", &["read", "a.txt", "--hashes"]).out, want);
    let third = want.lines().nth(2).unwrap();
    let slice = run_on(Screen::Pipe, folder.path(), "", &["read", "a.txt:3", "--hashes"]).out;
    assert_eq!(slice, format!("{third}\n"));
    let found = run_on(Screen::Pipe, folder.path(), "", &["search", "three", "--hashes"]).out;
    assert_eq!(found, format!("a.txt:3:1: {third}\n"));
    let json = run_on(Screen::Pipe, folder.path(), "", &["read", "a.txt", "--hashes", "--json"]).out;
    assert!(json.contains(r#""anchorFormat":"v1""#) && json.contains(r#""recommendedAnchors":["1#"#), "{json}");
    let (name, _) = third.split_once(' ').unwrap();
    check(&["--delete", name], "", "one\ntwo\n}\ntwo\nfive\n");
}

#[test]
fn the_prompt_needs_no_workspace() {
    let nowhere = Path::new("no/such/folder");
    let ran = run_on(Screen::Pipe, nowhere, "", &["prompt"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("Patchwright changes files exactly or not at all:"), "{}", ran.out);
    assert_eq!(run_on(Screen::Pipe, nowhere, "", &["prompt", "--profile", "none"]).code, 2);
    let help = run_on(Screen::Pipe, nowhere, "", &["edit", "--help"]).out;
    assert!(help.contains("patchwright edit src/server.ts --replace a1b2c3 --with"), "{help}");
}

/// No settings of the user's, and a home for tests.
fn surroundings() -> Surroundings {
    Surroundings { home: home::at(), ..Surroundings::default() }
}

//! The command line, run in this process: what it prints where, and with which status it ends.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_app::doors::sandbox::Sandbox;
use patchwright_core::tool::Profile;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// What a command left behind.
struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run_on(screen: Screen, root: &Path, input: &str, args: &[&str]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut ports = Ports {
        input: &mut input.as_bytes(),
        output: &mut out,
        errors: &mut err,
        screen,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    let code = match cli::run(line(root, args), &mut ports, &surroundings()) {
        Next::Exit(status) => status.code(),
        Next::Serve(..) => panic!("{args:?} asks for a server"),
    };
    Ran { code, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn line(root: &Path, args: &[&str]) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), root.into()];
    line.extend(args.iter().map(OsString::from));
    line
}

fn run(root: &Path, args: &[&str]) -> Ran {
    run_on(Screen::Pipe, root, "", args)
}

fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    std::fs::write(folder.path().join("odd.txt"), "\u{1b}[31mred\u{202e}\n").unwrap();
    folder
}

/// Runs a command and looks for pieces in what it prints; an empty list means that nothing is printed.
fn check(args: &[&str], code: u8, out: &[&str], err: &[&str]) {
    let folder = workspace();
    let ran = run(folder.path(), args);
    let story = format!("{args:?} ended with {}\nout: {}\nerr: {}", ran.code, ran.out, ran.err);
    assert_eq!(ran.code, code, "{story}");
    for (text, pieces) in [(&ran.out, out), (&ran.err, err)] {
        assert_eq!(text.is_empty(), pieces.is_empty(), "{story}");
        for piece in pieces {
            assert!(text.contains(piece), "{piece:?} is missing\n{story}");
        }
    }
}

#[test]
fn call_answers_with_one_line_of_json() {
    check(&["call", "read_file", r#"{"path":"a.txt"}"#], 0, &[r#""ok":true"#, r#""content":"one\ntwo\nthree\n""#], &[]);
    check(&["call", "read_file", r#"{"path":"none.txt"}"#], 1, &[r#""ok":false"#, r#""kind":"not_found""#], &[]);
    check(&["call", "read_file", r#"{"pth":"a.txt"}"#], 1, &[r#""kind":"invalid_arguments""#, "path"], &[]);
    check(&["call", "read_file"], 1, &[r#""kind":"invalid_arguments""#], &[]);
    check(&["call", "read_file", "[]"], 1, &[r#""kind":"invalid_arguments""#], &[]);
    check(&["call", "read_file", r#"{"path":"a.txt","path":"a.txt"}"#], 1, &[r#""kind":"invalid_arguments""#], &[]);
    check(
        &["call", "create_file", r#"{"path":"b","content":"","path":"c"}"#],
        1,
        &[r#""kind":"invalid_arguments""#],
        &[],
    );
}

#[test]
fn wrong_usage_prints_nothing_on_the_way_out() {
    check(&["call", "read_file", "{"], 2, &[], &["not valid JSON"]);
    check(&["call", "read_file", r#"{"path":"\ud800"}"#], 2, &[], &["not valid JSON"]);
    check(&["call", "raed_file", "{}"], 2, &[], &["raed_file", "read_file"]);
    check(&["call"], 2, &[], &["TOOL"]);
    check(&["frobnicate"], 2, &[], &["frobnicate"]);
    check(&["call", "read_file", "--durability", "iron"], 2, &[], &["iron", "full"]);
    check(&["--require-sha", "--unchecked", "doctor"], 2, &[], &["--unchecked"]);
    check(&["--deny-read", "a[", "read", "a.txt"], 2, &[], &["read.deny", "a["]);
    check(&["audit", "verify", "--head", "xyz"], 2, &[], &["64 hex digits"]);
    check(&["call", "edit_file", r#"{"expectedSha256":"0"}"#, "--sha256", "00"], 2, &[], &["twice"]);
    check(&["mcp", "--profile", "none"], 2, &[], &["none", "envelope"]);
}

#[test]
fn arguments_come_from_standard_input() {
    let folder = workspace();
    let ran = run_on(Screen::Pipe, folder.path(), r#"{"path":"a.txt"}"#, &["call", "read_file", "-"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
}

#[test]
fn the_root_may_stand_after_the_command() {
    let folder = workspace();
    let mut ports = Ports {
        input: &mut io::empty(),
        output: &mut Vec::new(),
        errors: &mut Vec::new(),
        screen: Screen::Pipe,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    let mut args: Vec<OsString> = ["patchwright", "read", "a.txt", "--root"].map(OsString::from).to_vec();
    args.push(folder.path().into());
    assert!(matches!(cli::run(args, &mut ports, &surroundings()), Next::Exit(status) if status.code() == 0));
}

#[test]
fn read_prints_the_text_itself() {
    let folder = workspace();
    for (target, want) in
        [("a.txt", "one\ntwo\nthree\n"), ("a.txt:2", "two\n"), ("a.txt:2-3", "two\nthree\n"), ("a.txt:3-", "three\n")]
    {
        assert_eq!(run(folder.path(), &["read", target]).out, want, "{target}");
    }
    let raw = run(folder.path(), &["read", "odd.txt"]).out;
    assert_eq!(raw, "\u{1b}[31mred\u{202e}\n");
    let shown = run_on(Screen::Terminal, folder.path(), "", &["read", "odd.txt"]).out;
    assert_eq!(shown, "\\u{1b}[31mred\\u{202e}\n");
    check(&["read", "none.txt"], 1, &[], &["patchwright: none.txt does not exist"]);
    check(&["read", "a.txt", "--json"], 0, &[r#""ok":true"#], &[]);
}

#[test]
fn search_prints_hits() {
    check(&["search", "two"], 0, &["a.txt:2:1: two\n"], &[]);
    check(&["search", "TWO", "-i"], 0, &["a.txt:2:1: two\n"], &[]);
    check(
        &["search", "t[wx]o", "--mode", "regex", "-C", "1"],
        0,
        &["a.txt-1- one\na.txt:2:1: two\na.txt-3- three\n"],
        &[],
    );
    check(&["search", "*.txt", "--mode", "path"], 0, &["a.txt\nodd.txt\n"], &[]);
    check(&["search", "red"], 0, &["odd.txt:1:6: \u{1b}[31mred\u{202e}"], &[]);
    check(&["search", "two", "--glob", "!a.txt"], 1, &[], &[]);
    check(&["search", "nothing like it"], 1, &[], &[]);
    check(&["search", "(", "--mode", "regex"], 1, &[], &["patchwright: "]);
    check(&["search", "one\ntwo"], 1, &[], &["patchwright: "]);
    check(&["search", "two", "--json"], 0, &[r#""filesScanned""#], &[]);
    let folder = workspace();
    let shown = run_on(Screen::Terminal, folder.path(), "", &["search", "two"]).out;
    assert_eq!(shown, "\u{1b}[36ma.txt\u{1b}[0m\n\u{1b}[32m2\u{1b}[0m:\u{1b}[1mtwo\u{1b}[0m\n");
    let odd = run_on(Screen::PlainTerminal, folder.path(), "", &["search", "red"]).out;
    assert_eq!(odd, "odd.txt\n1:\\u{1b}[31mred\\u{202e}\n");
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::write(folder.path().join("deep/b.txt"), "x two\ny\nz two\n").unwrap();
    let deep = run(folder.path(), &["search", "two", "-g", "b.*"]).out;
    assert_eq!(deep, "deep/b.txt:1:3: x two\ndeep/b.txt:3:3: z two\n");
    let merged = run_on(Screen::PlainTerminal, folder.path(), "", &["search", "two", "-g", "b.*", "-C", "1"]).out;
    assert_eq!(merged, "deep/b.txt\n1:x two\n2-y\n3:z two\n");
    assert!(!run_on(Screen::PlainTerminal, folder.path(), "", &["search", "two"]).out.contains('\u{1b}'));
}

#[test]
fn tables_need_no_workspace() {
    check(&["tools"], 0, &["\"inputSchema\"", "read_file"], &[]);
    check(&["tools", "--answers", "structured"], 0, &["\"outputSchema\""], &[]);
    check(&["tools", "--profile", "envelope", "--tools", "+why"], 0, &["\"apply_patch\"", "\"explain_lines\""], &[]);
    for command in ["tools", "prompt", "mcp"] {
        let said = ["named \"whi\"", "the groups are look, strings", "the tools are read_file, list_directory"];
        check(&[command, "--tools", "+whi"], 2, &[], &said);
    }
    check(&["tools", "--format", "openai"], 0, &["\"function\""], &[]);
    check(&["tools", "--format", "anthropic"], 0, &["\"input_schema\""], &[]);
    check(&["completions", "bash"], 0, &["patchwright"], &[]);
    check(&["--version"], 0, &["patchwright 0."], &[]);
    check(&["--help"], 0, &["call", "Exit status"], &[]);
    check(&["call", "--help"], 0, &["--sha256", "--profile"], &[]);
    check(&["help", "workspace"], 0, &["--root", "--as <NAME>", "--as-session"], &[]);
    check(&["mcp", "--as", "ada"], 2, &[], &["--as and --as-session are for single commands"]);
    check(&["--as-session", "s1", "mcp"], 2, &[], &["--as and --as-session are for single commands"]);
}

#[test]
fn settings_count_and_bad_ones_stop_everything() {
    let folder = workspace();
    let write = |text: &str| std::fs::write(folder.path().join("patchwright.toml"), text).unwrap();
    write("[read]\ndeny = [\"a.*\"]\n");
    assert_eq!(run(folder.path(), &["read", "a.txt"]).code, 1);
    write("[read]\ndenny = [\"a.*\"]\n");
    let ran = run(folder.path(), &["read", "a.txt"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("read.denny") && ran.err.contains("read.deny"), "{}", ran.err);
    assert_eq!(run(folder.path(), &["--deny-read", "odd.*", "tools"]).code, 0);
}

#[test]
fn flags_add_rules() {
    check(&["--deny-read", "a.*", "read", "a.txt"], 1, &[], &["a.txt"]);
    check(&["--allow-read", "odd.*", "read", "a.txt"], 1, &[], &["a.txt"]);
    check(&["--allow-read", "a.*", "read", "a.txt"], 0, &["one"], &[]);
    for flags in [["--deny-write", "b/**"], ["--allow-write", "a.*"]] {
        check(
            &[&flags[..], &["call", "create_file", r#"{"path":"b/c.txt","content":"x"}"#]].concat(),
            1,
            &[r#""permission_denied""#, "in patchwright.toml", flags.first().copied().unwrap_or_default()],
            &[],
        );
    }
    let create = r#"{"path":"b/c.txt","content":"x"}"#;
    check(&["--read-only", "call", "create_file", create], 1, &[r#""permission_denied""#, "without --read-only"], &[]);
    check(&["--unprotect", "everything", "read", "a.txt"], 2, &[], &["git, secrets"]);
    check(&["--deny-read", "a.*", "read", "a.txt"], 1, &[], &["read.deny has a.*", "patchwright.toml", "--deny-read"]);
}

#[test]
fn proof_of_sight_is_given_by_flag() {
    let folder = workspace();
    let answer = |args: &[&str]| -> Value { serde_json::from_str(&run(folder.path(), args).out).unwrap() };
    let edit = r#"{"path":"a.txt","edits":[{"oldText":"two","newText":"2"}]}"#;
    assert_eq!(answer(&["call", "edit_file", edit]).pointer("/error/details/reason"), Some(&json!("unproven")));
    let sha256 = answer(&["call", "read_file", r#"{"path":"a.txt"}"#])
        .pointer("/data/sha256")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(answer(&["call", "edit_file", edit, "--sha256", &sha256]).get("ok"), Some(&json!(true)));
    assert_eq!(
        answer(&["call", "edit_file", edit, "--sha256", &sha256]).pointer("/error/kind"),
        Some(&json!("stale_file"))
    );
    let back = r#"{"path":"a.txt","edits":[{"oldText":"2","newText":"two"}]}"#;
    assert_eq!(answer(&["--unchecked", "call", "edit_file", back]).get("ok"), Some(&json!(true)));
    assert_eq!(run(folder.path(), &["read", "a.txt"]).out, "one\ntwo\nthree\n");
}

#[test]
fn what_was_deleted_comes_back() {
    let folder = workspace();
    let ran = run(folder.path(), &["--unchecked", "call", "delete_file", r#"{"path":"a.txt"}"#]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(answer.pointer("/data/trashId").is_some());
    let listed = run(folder.path(), &["trash", "list"]);
    assert!(listed.out.starts_with("b1.1  you  ") && listed.out.ends_with("  14 B  a.txt\n"), "{}", listed.out);
    assert_eq!(run(folder.path(), &["trash"]).out, listed.out);
    assert_eq!(run(folder.path(), &["trash", "purge", "--older-than", "30d"]).code, 0);
    assert_eq!(run(folder.path(), &["trash", "purge", "--older-than", "long"]).code, 1);
    assert_eq!(run(folder.path(), &["trash", "restore", "nothing"]).code, 1);
    let dry = run(folder.path(), &["trash", "restore", "a.txt", "-n"]);
    assert!(
        dry.code == 0 && dry.out.starts_with("Would restore") && !folder.path().join("a.txt").exists(),
        "{}",
        dry.out
    );
    let back = run(folder.path(), &["trash", "restore", "a.txt"]);
    assert!(back.code == 0 && back.out.contains("  A a.txt"), "{}{}", back.out, back.err);
    assert_eq!(run(folder.path(), &["undo"]).code, 0);
    let id = run(folder.path(), &["trash", "--json"]).out;
    let id: Value = serde_json::from_str(&id).unwrap();
    let id = id.pointer("/data/entries/0/trashId").unwrap().as_str().unwrap();
    assert_eq!(run(folder.path(), &["trash", "restore", id, "b.txt"]).code, 0);
    assert_eq!(run(folder.path(), &["read", "b.txt"]).out, "one\ntwo\nthree\n");
    assert_eq!(run(folder.path(), &["trash", "restore", id]).code, 1);
}

#[test]
fn the_record_is_checked_and_exported() {
    let folder = workspace();
    let ran = run(folder.path(), &["call", "create_file", r#"{"path":"b.txt","content":"x\n"}"#]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let head = answer.get("auditHead").unwrap().as_str().unwrap().to_owned();
    assert_eq!(run(folder.path(), &["audit", "verify", "--head", &head]).code, 0);
    let cut = run(folder.path(), &["audit", "verify", "--head", &"1".repeat(64)]);
    assert_eq!(cut.code, 1, "{}{}", cut.out, cut.err);
    assert!(cut.err.contains("cut off"), "{}", cut.err);
    let exported = run(folder.path(), &["audit", "export"]).out;
    let entries: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let created = entries.iter().find(|entry| entry.get("tool") == Some(&json!("create_file"))).unwrap();
    assert_eq!(created.pointer("/files/0/path"), Some(&json!("b.txt")));
    assert_eq!(created.get("head"), Some(&json!(head)));
    assert_eq!(run(folder.path(), &["doctor"]).code, 0);
}

#[test]
fn a_root_that_is_no_folder_is_wrong_usage() {
    let folder = workspace();
    for (root, said) in
        [("none", "there is no folder "), ("a.txt", "a.txt is not a folder"), ("a.txt/b", "a.txt/b is not a folder")]
    {
        for args in [["read", "a.txt"].as_slice(), &["call", "list_trash"], &["doctor", "--json"], &["search", "x"]] {
            let ran = run(&folder.path().join(root), args);
            let told = if args.contains(&"--json") { &ran.out } else { &ran.err };
            assert_eq!(ran.code, 2, "{root} {args:?}: {}", ran.err);
            assert_eq!(ran.out.is_empty(), !args.contains(&"--json"), "{root} {args:?}: {}", ran.out);
            assert!(told.contains(said) && told.contains("--root"), "{root} {args:?}: {told}");
            assert!(!ran.err.contains("create_file"), "{root} {args:?}: {}", ran.err);
        }
    }
}

/// A workspace that is there and cannot be opened: `call` answers with JSON, a person is told in words.
fn closed(put: impl Fn(&Path), code: u8, kind: &str) {
    let folder = workspace();
    put(folder.path());
    for call in [["call", "read_file", r#"{"path":"a.txt"}"#], ["call", "read_file", "{}"]] {
        let ran = run(folder.path(), &call);
        assert_eq!((ran.code, ran.out.lines().count(), ran.err.as_str()), (code, 1, ""), "{}", ran.out);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer.get("ok"), Some(&json!(false)), "{answer}");
        assert_eq!(answer.pointer("/error/kind"), Some(&json!(kind)), "{answer}");
    }
    let ran = run(folder.path(), &["read", "a.txt"]);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""));
    assert!(ran.err.starts_with("patchwright: "), "{}", ran.err);
}

#[test]
fn a_workspace_that_cannot_be_opened_is_an_answer_too() {
    closed(|root| std::fs::create_dir(root.join("patchwright.toml")).unwrap(), 3, "command_failed");
    let socket = |root: &Path| drop(std::os::unix::net::UnixListener::bind(root.join("patchwright.toml")).unwrap());
    closed(socket, 3, "command_failed");
}

/// What stands in the place of records keeps nobody from looking, and a change says what is wrong.
#[test]
fn a_file_in_the_place_of_records_is_in_the_way_of_changes_only() {
    let folder = workspace();
    std::fs::write(folder.path().join(".patchwright"), "").unwrap();
    assert_eq!(run(folder.path(), &["read", "a.txt"]).code, 0);
    let ran = run(folder.path(), &["call", "create_file", r#"{"path":"b.txt","content":""}"#]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, answer.pointer("/error/kind")), (3, Some(&json!("command_failed"))), "{answer}");
    assert!(!folder.path().join("b.txt").exists());
}

/// A reader that goes away.
struct Gone(io::ErrorKind);

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_broken_pipe_is_no_error_and_a_full_disk_is() {
    for (kind, code, said) in [(io::ErrorKind::BrokenPipe, 0, false), (io::ErrorKind::StorageFull, 3, true)] {
        let folder = workspace();
        let mut err = Vec::new();
        let mut ports = Ports {
            input: &mut io::empty(),
            output: &mut Gone(kind),
            errors: &mut err,
            screen: Screen::Pipe,
            pager: &mut NoPager,
            manner: Manner::default(),
        };
        let next = cli::run(line(folder.path(), &["read", "a.txt"]), &mut ports, &surroundings());
        assert!(matches!(next, Next::Exit(status) if status.code() == code), "{kind:?}: {next:?}");
        assert_eq!(!err.is_empty(), said, "{kind:?}");
    }
}

#[test]
fn mcp_is_handed_back() {
    let folder = workspace();
    let mut ports = Ports {
        input: &mut io::empty(),
        output: &mut Vec::new(),
        errors: &mut Vec::new(),
        screen: Screen::Pipe,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    for (flag, want) in [(None, Sandbox::On), (Some("--no-sandbox"), Sandbox::Off)] {
        let args: Vec<_> = ["mcp", "--profile", "lines"].into_iter().chain(flag).collect();
        let next = cli::run(line(folder.path(), &args), &mut ports, &surroundings());
        assert!(matches!(next, Next::Serve(opening, sandbox)
            if opening.root == folder.path() && opening.server.profile == Some(Profile::Lines) && sandbox == want));
    }
}

/// No settings of the user's, and a home for tests.
fn surroundings() -> Surroundings {
    Surroundings { home: home::at(), ..Surroundings::default() }
}

#[test]
fn what_is_longer_than_a_request_may_be_is_not_read() {
    let folder = workspace();
    std::fs::write(folder.path().join("patchwright.toml"), "[limits]\nmax_request_bytes = 100\n").unwrap();
    let long = "x".repeat(101);
    let call = format!("{{\"path\":\"{long}\"}}");
    let told = "is longer than 100 bytes; the setting limits.max_request_bytes holds this limit";
    for (args, input) in [
        (vec!["call", "read_file", &call], ""),
        (vec!["call", "read_file", "-"], &call[..]),
        (vec!["apply"], &long[..]),
        (vec!["edit", "a.txt", "-"], &long[..]),
        (vec!["edit", "a.txt", "--after", "a1b2c3", "--from", "-"], &long[..]),
    ] {
        let ran = run_on(Screen::Pipe, folder.path(), input, &args);
        assert!(ran.code == 2 && ran.err.contains(told), "{args:?} ended with {}: {}", ran.code, ran.err);
    }
    let ran = run_on(Screen::Pipe, folder.path(), "{\"path\":\"a.txt\"}", &["call", "read_file", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn wrong_usage_shows_no_control_characters() {
    for screen in [Screen::Pipe, Screen::Terminal] {
        let folder = workspace();
        let ran = run_on(screen, folder.path(), "", &["--as", "x\u{1b}[31m\u{7}", "log"]);
        assert_eq!(ran.code, 2);
        assert!(!ran.err.contains(['\u{1b}', '\u{7}']) && ran.err.contains("--as"), "{:?}", ran.err);
    }
}

#[test]
fn charsets_and_line_ends_of_a_patch() {
    let folder = workspace();
    for name in ["l1.txt", "l2.txt"] {
        std::fs::write(folder.path().join(name), b"caf\xe9\n").unwrap();
    }
    let update = |name: &str| format!("*** Update File: {name}\n@@\n-café\n+cafés\n");
    let patch =
        format!("*** Begin Patch\n{}{}*** Add File: n\n+x\n*** End Patch\n", update("l1.txt"), update("l2.txt"));
    let one = ["apply", "--encoding-for", "l1.txt=windows-1252", "--newline", "crlf"];
    let ran = run_on(Screen::Pipe, folder.path(), &patch, &one);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("l2.txt") && ran.err.contains("Nothing was changed."), "{}", ran.err);
    let both = [&one[..], &["--encoding-for", "l2.txt=windows-1252"]].concat();
    let ran = run_on(Screen::Pipe, folder.path(), &patch, &both);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(std::fs::read(folder.path().join("l2.txt")).unwrap(), b"caf\xe9s\n");
    assert_eq!(std::fs::read(folder.path().join("n")).unwrap(), b"x\r\n");
    let read = run(folder.path(), &["read", "l1.txt", "--encoding", "windows-1252"]);
    assert_eq!(read.out, "cafés\n");
    check(&["apply", "--encoding-for", "a.txt"], 2, &[], &["expected PATH=CHARSET"]);
    check(&["read", "a.txt", "--encoding", "klingon"], 2, &[], &["no such charset"]);
}

//! The MCP server as a client meets it: the built binary, spoken to in raw lines. Every line that comes
//! back is parsed, so anything but protocol on standard output fails each of these tests.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_core::tool::TOOLS;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

#[path = "doors_mcp/beside.rs"]
mod beside;
#[path = "doors_mcp/offers.rs"]
mod offers;
#[path = "doors_mcp/shapes.rs"]
mod shapes;

struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    /// A server on this folder that has been greeted by nobody yet.
    fn raw(root: &Path, flags: &[&str]) -> Session {
        Session::at_home(Path::new("/nonexistent"), root, flags)
    }

    /// The same, with the user's own settings in this folder.
    fn at_home(config: &Path, root: &Path, flags: &[&str]) -> Session {
        let mut child = Command::new(env!("CARGO_BIN_EXE_patchwright"))
            .env("XDG_CONFIG_HOME", config)
            .env("PATCHWRIGHT_HOME", home::home())
            .arg("mcp")
            .arg("--root")
            .arg(root)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Session { child, input, output }
    }

    /// A server on this folder that serves every tool and answers programs, ready for calls.
    fn open(root: &Path) -> Session {
        Session::with(root, &["--tools", "all", "--answers", "structured"])
    }

    /// A server with these flags, ready for calls.
    fn with(root: &Path, flags: &[&str]) -> Session {
        Session::greeted(root, flags, &initialize("2025-06-18"))
    }

    /// The same, greeted so.
    fn greeted(root: &Path, flags: &[&str], greeting: &Value) -> Session {
        let mut session = Session::raw(root, flags);
        session.ask(greeting);
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next line, as JSON; nothing at the end.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        if line.is_empty() {
            return None;
        }
        assert!(line.ends_with('\n'), "a line without an end: {line}");
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message.get("jsonrpc"), Some(&json!("2.0")), "{line}");
        Some(message)
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.send(message);
        self.next().unwrap()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask(&call(7, tool, arguments))
    }

    /// The server is still there and answers what is asked of it now.
    fn is_alive(&mut self) {
        let pong = self.ask(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" }));
        assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": "ping", "result": {} }));
    }

    /// Closes the input and gives whatever else was said.
    fn close(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = std::iter::from_fn(|| self.next()).collect();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0));
        rest
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize(revision: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } })
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {value}"))
}

fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    folder
}

#[test]
fn every_revision_with_a_greeting_is_spoken() {
    let folder = workspace();
    let spoken = ["2024-11-05", "2025-06-18", "2025-11-25"];
    // Batches of requests are not answered, and only one revision wants that; whoever asks for it knows the one before.
    let others = [("2025-03-26", "2024-11-05"), ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25")];
    for (asked, got) in spoken.map(|it| (it, it)).into_iter().chain(others) {
        let mut session = Session::raw(folder.path(), &["--answers", "structured"]);
        let answer = session.ask(&initialize(asked));
        assert_eq!(at(&answer, "/result/protocolVersion"), got, "{asked}");
        assert_eq!(at(&answer, "/result/serverInfo/name"), "patchwright");
        assert!(at(&answer, "/result/instructions").as_str().unwrap().contains("Read a file before"));
        assert!(at(&answer, "/result/capabilities/tools").is_object());
        let read = session.call("read_file", &json!({ "path": "a.txt" }));
        assert_eq!(at(&read, "/result/structuredContent/data/content"), "one\ntwo\n");
        assert!(session.close().is_empty());
    }
}

#[test]
fn the_stateless_revision_needs_no_greeting() {
    let folder = workspace();
    let mut session = Session::raw(folder.path(), &["--tools", "all", "--answers", "structured"]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let ask = |id: u64, method: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    };
    let discovered = session.ask(&ask(1, "server/discover", json!({})));
    let revisions = at(&discovered, "/result/supportedVersions").as_array().unwrap();
    assert!(revisions.contains(&json!("2026-07-28")) && !revisions.contains(&json!("2025-03-26")));
    assert!(at(&discovered, "/result/instructions").as_str().unwrap().contains("Read a file before"));
    let listed = session.ask(&ask(2, "tools/list", json!({})));
    assert_eq!(at(&listed, "/result/tools").as_array().unwrap().len(), TOOLS.len());
    let read = session.ask(&ask(3, "tools/call", json!({ "name": "read_file", "arguments": { "path": "a.txt" } })));
    assert_eq!(at(&read, "/result/resultType"), "complete");
    assert_eq!(at(&read, "/result/structuredContent/data/content"), "one\ntwo\n");
    let bare = session.call("read_file", &json!({ "path": "a.txt" }));
    assert_eq!(at(&bare, "/error/code"), -32602);
    assert!(session.close().is_empty());
}

#[test]
fn the_list_says_everything_about_every_tool() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let listed = session.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let tools = at(&listed, "/result/tools").as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| at(tool, "/name").as_str().unwrap()).collect();
    assert_eq!(names, TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>());
    for tool in tools {
        for text in ["/title", "/description"] {
            assert!(!at(tool, text).as_str().unwrap().is_empty(), "{tool}");
        }
        for schema in ["/inputSchema/type", "/outputSchema/type"] {
            assert_eq!(at(tool, schema), "object", "{tool}");
        }
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint"] {
            assert!(at(tool, &format!("/annotations/{hint}")).is_boolean(), "{tool}");
        }
        assert_eq!(at(tool, "/annotations/openWorldHint"), false, "{tool}");
    }
    for method in ["prompts/list", "resources/list", "made/up"] {
        let answer = session.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": method }));
        assert_eq!(at(&answer, "/error/code"), -32601, "{method}");
    }
}

#[test]
fn doc_paths_are_told_where_line_patches_are_spoken() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("Src")).unwrap();
    std::fs::write(folder.path().join("Src/App.rs"), "x\n").unwrap();
    for (profile, told) in [("lines", true), ("all", true), ("auto", false), ("strings", false)] {
        let flags = ["--profile", profile, "--tools", "all", "--answers", "structured"];
        let mut session = Session::with(folder.path(), &flags);
        let made = session.call("create_file", &json!({ "path": "Src/B.txt", "content": "b\n" }));
        assert_eq!(made.pointer("/result/isError"), Some(&json!(false)), "{made}");
        session.call("delete_file", &json!({ "path": "Src/B.txt" }));
        for (tool, arguments, pointer, doc_path) in [
            ("list_directory", json!({ "path": "Src" }), "/entries/0", "src/app.rs"),
            ("glob", json!({ "pattern": "Src/*" }), "/matches/0", "src/app.rs"),
            ("search_files", json!({ "query": "x", "mode": "text" }), "/matches/0", "src/app.rs"),
            ("list_trash", json!({}), "/entries/0", "src/b.txt"),
            ("list_batches", json!({}), "/batches/0/files/0", "src/b.txt"),
            ("get_patch_change", json!({ "batchId": "b1" }), "/files/0", "src/b.txt"),
            ("undo", json!({ "path": "Src/B.txt", "dryRun": true }), "/files/0", "src/b.txt"),
        ] {
            let answer = session.call(tool, &arguments);
            let found = answer.pointer(&format!("/result/structuredContent/data{pointer}")).unwrap();
            let want = told.then(|| json!(doc_path));
            assert_eq!(found.get("docPath"), want.as_ref(), "{tool} in {profile}: {answer}");
            let text = answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap();
            assert_eq!(text.contains(&format!("docPath {doc_path} is ")), told, "{tool} in {profile}: {text}");
        }
    }
}

/// One call and what its result must hold.
fn check(tool: &str, arguments: &Value, error: bool, pieces: &[(&str, &str)]) {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let answer = session.call(tool, arguments);
    assert_eq!(at(&answer, "/result/isError"), error, "{answer}");
    assert_eq!(at(&answer, "/result/structuredContent/ok"), !error, "{answer}");
    assert_eq!(at(&answer, "/result/content").as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(at(&answer, "/result/content/0/type"), "text", "{answer}");
    let text = at(&answer, "/result/content/0/text").as_str().unwrap();
    let last = text.trim_end().lines().last().unwrap_or_default();
    assert_eq!(last.starts_with("Next step: "), error, "{text}");
    for (pointer, want) in pieces {
        assert_eq!(at(&answer, pointer), want, "{answer}");
    }
    session.is_alive();
}

#[test]
fn answers_and_refusals_are_results() {
    check("read_file", &json!({ "path": "a.txt" }), false, &[("/result/structuredContent/data/content", "one\ntwo\n")]);
    check("read_file", &json!({ "path": "b.txt" }), true, &[("/result/structuredContent/error/kind", "not_found")]);
    check(
        "read_file",
        &json!({ "pth": "a.txt" }),
        true,
        &[("/result/structuredContent/error/kind", "invalid_arguments")],
    );
    check("read_file", &json!(7), true, &[("/result/structuredContent/error/kind", "invalid_arguments")]);
    check("read_file", &Value::Null, true, &[("/result/structuredContent/error/kind", "invalid_arguments")]);
    check(
        "create_file",
        &json!({ "path": "b", "content": "x" }),
        false,
        &[("/result/structuredContent/data/path", "b")],
    );
    check(
        "create_file",
        &json!({ "path": "a.txt", "content": "x" }),
        true,
        &[("/result/structuredContent/error/kind", "already_exists")],
    );
}

#[test]
fn an_unknown_tool_names_the_known_ones() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let answer = session.call("read", &json!({}));
    assert_eq!(at(&answer, "/error/code"), -32602);
    assert!(at(&answer, "/error/message").as_str().unwrap().contains("read_file, list_directory"));
    session.is_alive();
}

#[test]
fn a_session_remembers_what_it_read() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let edit = json!({ "path": "a.txt", "edits": [{ "oldText": "two", "newText": "2" }] });
    let unproven = session.call("edit_file", &edit);
    assert_eq!(at(&unproven, "/result/structuredContent/error/details/reason"), "unproven");
    session.call("read_file", &json!({ "path": "a.txt" }));
    let edited = session.call("edit_file", &edit);
    assert_eq!(at(&edited, "/result/isError"), false, "{edited}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\n2\n");
}

#[test]
fn a_key_that_comes_twice_is_refused_as_on_the_command_line() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let rows = [
        ("read_file", r#"{"path":"a.txt","path":"b.txt"}"#),
        ("edit_file", r#"{"path":"a.txt","edits":[{"oldText":"one","newText":"1","oldText":"two"}]}"#),
    ];
    for (tool, arguments) in rows {
        session.write(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#).as_bytes());
        session.write(b"\n");
        let answer = session.next().unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_patchwright"))
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("PATCHWRIGHT_HOME", home::home())
            .args(["call", tool, arguments, "--root"])
            .arg(folder.path())
            .output()
            .unwrap();
        let told: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(at(&answer, "/result/isError"), true);
        assert_eq!(at(&told, "/error/kind"), "invalid_arguments");
        assert_eq!(at(&answer, "/result/structuredContent/error"), at(&told, "/error"));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\ntwo\n");
}

#[test]
fn a_line_over_the_limit_is_answered_and_the_connection_lives() {
    let folder = workspace();
    std::fs::write(folder.path().join("patchwright.toml"), "[limits]\nmax_request_bytes = 1000\n").unwrap();
    let mut session = Session::open(folder.path());
    for size in [1000, 100_000, 1_000_000] {
        let answer = session.call("create_file", &json!({ "path": "b", "content": "x".repeat(size) }));
        assert_eq!(at(&answer, "/id"), 7);
        assert_eq!(at(&answer, "/error/code"), -32600);
        assert!(at(&answer, "/error/message").as_str().unwrap().contains("max_request_bytes"));
        session.is_alive();
    }
    assert!(!folder.path().join("b").exists());
}

#[test]
fn garbage_is_answered_and_the_connection_lives() {
    let folder = workspace();
    let rows: [(&[u8], i64); 6] = [
        (b"garbage\n", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\n", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}\n", -32700),
        (b"[]\n", -32600),
        (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{}}\n", -32602),
    ];
    // Before the greeting as well as after it, notifications out of turn included.
    for mut session in [Session::raw(folder.path(), &[]), Session::open(folder.path())] {
        for (line, code) in rows {
            session.write(line);
            let answer = session.next().unwrap();
            assert_eq!(at(&answer, "/error/code"), code, "{}", String::from_utf8_lossy(line));
            assert_eq!(at(&answer, "/id").is_null(), !line.starts_with(b"{"), "{answer}");
        }
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/made-up" }));
        session.write(b"\n\r\n");
        session.is_alive();
    }
}

#[test]
fn a_call_withdrawn_before_it_began_changes_nothing_and_is_not_answered() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let withdrawn = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let lines = [
        call(1, "create_file", &json!({ "path": "b", "content": "x" })),
        withdrawn,
        call(2, "read_file", &json!({ "path": "a.txt" })),
    ];
    // In one piece, so that the server has read all of it before it begins.
    session.write(lines.map(|line| format!("{line}\n")).concat().as_bytes());
    assert_eq!(at(&session.next().unwrap(), "/id"), 2);
    assert!(session.close().is_empty());
    assert!(!folder.path().join("b").exists());
}

#[test]
fn the_end_of_input_waits_for_the_commit() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    for id in 1..=5_u64 {
        session.send(&call(id, "create_file", &json!({ "path": format!("b{id}"), "content": "x" })));
    }
    // The last line has no end, and counts.
    session.write(call(6, "read_file", &json!({ "path": "b5" })).to_string().as_bytes());
    let answers = session.close();
    let ids: Vec<_> = answers.iter().map(|answer| at(answer, "/id").as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
    assert!(answers.iter().all(|answer| at(answer, "/result/isError") == false), "{answers:?}");
    assert!((1..=5).all(|id| folder.path().join(format!("b{id}")).exists()));
}

#[test]
fn a_client_may_send_everything_before_it_reads_anything() {
    let folder = workspace();
    std::fs::write(folder.path().join("a.txt"), "0123456789abcde\n".repeat(256)).unwrap();
    let mut session = Session::open(folder.path());
    let many = 1000;
    for id in 0..many {
        session.send(&call(id, "read_file", &json!({ "path": "a.txt" })));
    }
    let ids: BTreeSet<_> = session.close().iter().map(|answer| at(answer, "/id").as_u64().unwrap()).collect();
    assert_eq!(ids, (0..many).collect());
}

#[test]
fn a_workspace_that_cannot_be_opened_is_told_on_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let run = |root: &Path| {
        Command::new(env!("CARGO_BIN_EXE_patchwright"))
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("PATCHWRIGHT_HOME", home::home())
            .args(["mcp", "--root"])
            .arg(root)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let missing = run(&folder.path().join("none"));
    assert_eq!(missing.status.code(), Some(2));
    assert!(missing.stdout.is_empty() && String::from_utf8_lossy(&missing.stderr).contains("there is no folder "));
    std::fs::write(folder.path().join("patchwright.toml"), "[raed]\n").unwrap();
    let misspelt = run(folder.path());
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(misspelt.stdout.is_empty() && String::from_utf8_lossy(&misspelt.stderr).contains("raed"));
}

#[test]
fn what_a_reading_prints_an_edit_takes() {
    let folder = workspace();
    let mut session = Session::open(folder.path());
    let read = session.call("read_file", &json!({ "path": "a.txt", "hashes": true }));
    let shown = at(&read, "/result/content/0/text").as_str().unwrap().to_owned();
    let (anchor, _) = shown.lines().find(|line| line.ends_with("|two")).unwrap().split_once(' ').unwrap();
    let operations = json!([{ "op": "replace_line", "hash": anchor, "content": "2" }]);
    let edit = |hash: &str| json!([{ "op": "insert_after", "hash": hash, "content": "3" }]);
    let done = session.call("edit", &json!({ "path": "a.txt", "operations": operations }));
    let told = at(&done, "/result/content/0/text").as_str().unwrap();
    assert!(told.starts_with("1 operation applied to a.txt"), "{told}");
    // The diff's own anchors go on from there.
    let (new, _) = told.lines().find(|line| line.ends_with("|2")).unwrap().split_once(' ').unwrap();
    let done = session.call("edit", &json!({ "path": "a.txt", "operations": edit(new) }));
    assert_eq!(at(&done, "/result/structuredContent/data/baseline_continuity"), "clean", "{done}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one\n2\n3\n");
    let stale = session.call("edit", &json!({ "path": "a.txt", "operations": edit(anchor) }));
    assert_eq!(at(&stale, "/result/isError"), &json!(true));
    let told = at(&stale, "/result/content/0/text").as_str().unwrap();
    assert!(told.starts_with("anchor_stale: ") && told.contains("\nNext step: Call read_file"), "{told}");
}

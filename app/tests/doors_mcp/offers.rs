//! Which tools a server shows to whom, in which form it answers, and that nothing which comes from a client or a
//! workspace widens that.

use super::{Session, at, call, initialize, workspace};
use patchwright_core::tool::TOOLS;
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const STRINGS: &str = "read_file list_directory search_files glob create_file write_file edit_file delete_file move_file \
                       list_batches undo";
const ENVELOPE: &str = "read_file list_directory search_files glob apply_patch list_batches undo";

/// The greeting of a client of this name.
fn hello(name: &str) -> Value {
    let mut greeting = initialize("2025-06-18");
    greeting["params"]["clientInfo"]["name"] = json!(name);
    greeting
}

fn tools(session: &mut Session) -> Vec<Value> {
    let listed = session.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    at(&listed, "/result/tools").as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> BTreeSet<String> {
    tools.iter().map(|tool| at(tool, "/name").as_str().unwrap().to_owned()).collect()
}

fn set(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

fn check(root: &Path, flags: &[&str], client: &str, want: &str) {
    let mut session = Session::greeted(root, flags, &hello(client));
    assert_eq!(names(&tools(&mut session)), set(want), "{flags:?} {client}");
}

/// A tool call with this `_meta`.
fn call_with(meta: &Value, tool: &str, arguments: &Value) -> Value {
    let mut asked = call(3, tool, arguments);
    asked["params"]["_meta"] = meta.clone();
    asked
}

fn text(answer: &Value) -> &str {
    at(answer, "/result/content/0/text").as_str().unwrap()
}

#[test]
fn a_client_is_shown_one_dialect_by_its_name() {
    let folder = workspace();
    for client in ["claude-code", "opencode", "gemini-cli-mcp-client", "qwen-cli-mcp-client-x", "copilot-cli", "who"] {
        check(folder.path(), &[], client, STRINGS);
    }
    check(folder.path(), &[], "codex-mcp-client", ENVELOPE);
    check(folder.path(), &["--profile", "strings"], "codex-mcp-client", STRINGS);
    check(folder.path(), &["--profile", "envelope"], "who", ENVELOPE);
    for (client, spoken, silent) in [("codex-mcp-client", "apply_patch", "oldText"), ("who", "oldText", "apply_patch")]
    {
        let greeted = Session::raw(folder.path(), &["--descriptions", "long"]).ask(&hello(client));
        let instructions = at(&greeted, "/result/instructions").as_str().unwrap();
        assert!(instructions.contains(spoken) && !instructions.contains(silent), "{client}: {instructions}");
    }
}

#[test]
fn the_operator_adds_tools_or_names_them() {
    let folder = workspace();
    let more = |names: &str| format!("{STRINGS} {names}");
    for (flags, want) in [
        (&["--tools", "+review,+why"][..], more("get_patch_change apply_batch reject_batch explain_lines")),
        (&["--tools", "+trash"], more("list_trash restore_file purge_trash")),
        (&["--tools", "+apply_patch"], more("apply_patch")),
        (&["--tools", "read_file,edit_file"], "read_file edit_file".to_owned()),
        (&["--tools", "all"], TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(" ")),
        (&["--read-only"], "read_file list_directory search_files glob list_batches".to_owned()),
        (
            &["--read-only", "--tools", "+review,+trash,+why"],
            "read_file list_directory search_files glob list_batches get_patch_change list_trash explain_lines"
                .to_owned(),
        ),
    ] {
        check(folder.path(), flags, "who", &want);
    }
}

#[test]
fn what_is_not_shown_is_not_served() {
    let folder = workspace();
    let mut session = Session::with(folder.path(), &["--answers", "structured"]);
    for (tool, arguments, group) in [
        ("apply_batch", json!({ "batchId": "b1" }), "review"),
        ("purge_trash", json!({ "olderThan": "0d" }), "trash"),
        ("apply_patch", json!({ "patch": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch" }), "envelope"),
        ("explain_lines", json!({ "path": "a.txt" }), "why"),
        ("workspace_write_patch", json!({ "files": [] }), "lines"),
    ] {
        let answer = session.call(tool, &arguments);
        assert_eq!(at(&answer, "/result/isError"), true, "{answer}");
        let kind = answer.pointer("/result/structuredContent/error/kind");
        let kind = kind.unwrap_or_else(|| at(&answer, "/result/structuredContent/errors/0/errorCode"));
        assert_eq!(kind, "permission_denied", "{answer}");
        let told = text(&answer);
        assert!(told.contains(&format!("--tools +{group} or --tools +{tool}.")), "{told}");
    }
    assert!(folder.path().join("a.txt").exists());
    let unknown = session.call("apply_patches", &json!({}));
    assert_eq!(at(&unknown, "/error/code"), -32602);
    let listed = at(&unknown, "/error/message").as_str().unwrap().split_once("he tools are ").unwrap().1;
    assert_eq!(listed.split(", ").map(str::to_owned).collect::<BTreeSet<_>>(), set(STRINGS));
    session.close();
    assert_eq!(refusals(folder.path()), ["apply_batch", "purge_trash", "apply_patch", "workspace_write_patch"]);
}

/// The tools of the refused calls on record, which are those that would have changed something.
fn refusals(root: &Path) -> Vec<String> {
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_patchwright"))
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("PATCHWRIGHT_HOME", home::home())
        .args(["audit", "export", "--root"])
        .arg(root)
        .output()
        .unwrap();
    let entries = String::from_utf8(done.stdout).unwrap();
    let entries = entries.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let denied = entries.filter(|entry| entry.get("kind") == Some(&json!("permission_denied")));
    denied.map(|entry| at(&entry, "/tool").as_str().unwrap().to_owned()).collect()
}

#[test]
fn answers_are_text_unless_somebody_wants_more() {
    let folder = workspace();
    let read = json!({ "path": "a.txt" });
    let refused = json!({ "path": "b.txt" });
    for (flags, structured) in [(&[][..], false), (&["--answers", "text"], false), (&["--answers", "structured"], true)]
    {
        let mut session = Session::with(folder.path(), flags);
        for arguments in [&read, &refused] {
            let answer = session.call("read_file", arguments);
            assert_eq!(answer.pointer("/result/structuredContent").is_some(), structured, "{answer}");
            assert_eq!(at(&answer, "/result/content").as_array().unwrap().len(), 1);
        }
        // Also where the call goes through the SDK.
        let made = session.call("create_file", &json!({ "path": "c.txt", "content": "" }));
        assert_eq!(made.pointer("/result/structuredContent").is_some(), structured, "{made}");
        session.call("delete_file", &json!({ "path": "c.txt" }));
        for tool in tools(&mut session) {
            assert_eq!(tool.get("outputSchema").is_some(), structured, "{tool}");
        }
    }
}

#[test]
fn a_client_asks_for_a_form_of_answers() {
    let folder = workspace();
    let read = json!({ "path": "a.txt" });
    let meta = |form: &str| json!({ "patchwright/answers": form });
    for (ours, theirs) in [("text", "structured"), ("structured", "text")] {
        let mut greeting = hello("who");
        greeting["params"]["_meta"] = meta(theirs);
        let mut session = Session::greeted(folder.path(), &["--answers", ours], &greeting);
        let told = |answer: Value| answer.pointer("/result/structuredContent").is_some();
        assert_eq!(told(session.call("read_file", &read)), theirs == "structured");
        assert_eq!(tools(&mut session)[0].get("outputSchema").is_some(), theirs == "structured");
        let once = session.ask(&call_with(&meta(ours), "read_file", &read));
        assert_eq!(told(once), ours == "structured", "for that call");
        assert_eq!(told(session.call("read_file", &read)), theirs == "structured", "and for no other");
        for wrong in [json!("json"), json!(7), Value::Null] {
            let answer = session.ask(&call_with(&json!({ "patchwright/answers": wrong }), "read_file", &read));
            assert_eq!(at(&answer, "/error/code"), -32602, "{answer}");
            assert!(at(&answer, "/error/message").as_str().unwrap().contains("\"text\" or \"structured\""));
        }
    }
    let mut session = Session::raw(folder.path(), &[]);
    let mut greeting = hello("who");
    greeting["params"]["_meta"] = meta("json");
    assert_eq!(at(&session.ask(&greeting), "/error/code"), -32602);
    assert!(session.ask(&hello("who")).get("result").is_some(), "it may try again");
}

/// What each request of the stateless revision says of its client.
fn stateless(client: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn each_request_of_the_stateless_revision_is_for_its_own_client() {
    let folder = workspace();
    let mut session = Session::raw(folder.path(), &["--descriptions", "long"]);
    let patch = json!({ "patch": "*** Begin Patch\n*** Add File: n.txt\n+n\n*** End Patch", "dryRun": true });
    for (client, want) in [("codex-mcp-client", ENVELOPE), ("who", STRINGS), ("codex-mcp-client", ENVELOPE)] {
        let ask = |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "_meta": stateless(client) } });
        let listed = session.ask(&ask("tools/list"));
        assert_eq!(names(at(&listed, "/result/tools").as_array().unwrap()), set(want), "{client}");
        let told = session.ask(&ask("server/discover"));
        let instructions = at(&told, "/result/instructions").as_str().unwrap();
        assert_eq!(instructions.contains("apply_patch"), want == ENVELOPE, "{instructions}");
        let answer = session.ask(&call_with(&stateless(client), "apply_patch", &patch));
        assert_eq!(at(&answer, "/result/isError"), want != ENVELOPE, "{answer}");
    }
}

/// A name, or anything else that a client says of itself, picks a dialect and nothing more.
#[test]
fn no_client_talks_its_way_to_grave_tools() {
    let folder = workspace();
    let grave = ["purge_trash", "apply_batch", "reject_batch"];
    let names = ["codex-mcp-client", "all", "--tools all", "+review", "patchwright-cli", "operator", "*", ""];
    for name in names {
        let mut greeting = hello(name);
        let wide = json!({ "patchwright/tools": "all", "patchwright/profile": "all", "tools": "all" });
        greeting["params"]["_meta"] = wide.clone();
        greeting["params"]["capabilities"] = json!({ "experimental": { "tools": { "all": true } } });
        let mut session = Session::greeted(folder.path(), &[], &greeting);
        for tool in grave {
            let listed = super::offers::names(&tools(&mut session));
            assert!(!listed.contains(tool), "{tool} for {name}");
            for meta in [&wide, &stateless(name)] {
                let answer = session.ask(&call_with(meta, tool, &json!({ "batchId": "b1", "olderThan": "0d" })));
                assert!(text(&answer).starts_with("permission_denied: "), "{tool} for {name}: {answer}");
            }
        }
    }
}

/// What comes with a workspace never says what is served, and that it tried is told.
#[test]
fn a_workspace_does_not_widen_what_is_served() {
    let folder = workspace();
    let asks = "[mcp]\nprofile = \"all\"\ntools = [\"all\"]\nanswers = \"structured\"\n";
    fs::write(folder.path().join("patchwright.toml"), asks).unwrap();
    check(folder.path(), &[], "who", STRINGS);
    let mut session = Session::with(folder.path(), &[]);
    let answer = session.call("purge_trash", &json!({ "olderThan": "0d" }));
    assert!(text(&answer).starts_with("permission_denied: ") && !answer.to_string().contains("structuredContent"));
    let told = session.call("list_directory", &json!({}));
    for setting in ["mcp.profile", "mcp.tools", "mcp.answers"] {
        assert!(text(&told).contains(setting), "{told}");
    }
}

/// The user's own settings say what is served; flags go before them.
#[test]
fn the_users_settings_choose() {
    let folder = workspace();
    let config = tempfile::tempdir().unwrap();
    fs::create_dir(config.path().join("patchwright")).unwrap();
    let text = "[mcp]\nprofile = \"envelope\"\ntools = [\"+why\"]\nanswers = \"structured\"\n";
    fs::write(config.path().join("patchwright/config.toml"), text).unwrap();
    for (flags, want, structured) in [
        (&[][..], format!("{ENVELOPE} explain_lines"), true),
        (&["--profile", "strings"], format!("{STRINGS} explain_lines"), true),
        (&["--tools", "+list_trash", "--answers", "text"], format!("{ENVELOPE} list_trash"), false),
    ] {
        let mut session = Session::at_home(config.path(), folder.path(), flags);
        session.ask(&hello("who"));
        let shown = tools(&mut session);
        assert_eq!(names(&shown), set(&want), "{flags:?}");
        assert_eq!(shown[0].get("outputSchema").is_some(), structured, "{flags:?}");
    }
    // A settings folder in the workspace may have come with it.
    let inside = folder.path().join("config");
    fs::create_dir_all(inside.join("patchwright")).unwrap();
    fs::write(inside.join("patchwright/config.toml"), "[mcp]\ntools = [\"all\"]\n").unwrap();
    let mut session = Session::at_home(&inside, folder.path(), &[]);
    session.ask(&hello("who"));
    assert_eq!(names(&tools(&mut session)), set(STRINGS));
}

#[test]
fn a_reading_is_as_long_as_a_client_shows_it() {
    let folder = workspace();
    let long = "0123456789abcde\n".repeat(4096);
    fs::write(folder.path().join("long.txt"), &long).unwrap();
    for (flags, arguments, want) in [
        (&[][..], json!({ "path": "long.txt" }), 24576),
        (&[], json!({ "path": "long.txt", "maxBytes": 160 }), 160),
        (&[], json!({ "path": "long.txt", "maxBytes": 65536 }), 65536),
        (&["--answers", "structured"], json!({ "path": "long.txt" }), 65536),
    ] {
        let mut session = Session::with(folder.path(), flags);
        let answer = session.call("read_file", &arguments);
        let lines = text(&answer).lines().filter(|line| *line == "0123456789abcde").count();
        assert_eq!(lines * 16, want, "{flags:?} {arguments}");
    }
    let mut session = Session::with(folder.path(), &["--profile", "lines"]);
    let answer = session.call("workspace_read_file", &json!({ "docPath": "long.txt" })).to_string();
    // JSON makes a text longer.
    assert_eq!(answer.matches("0123456789abcde").count() * 16, 24576 / 2);
}

/// What a reading cut off was not shown, and does not count as seen.
#[test]
fn what_was_cut_off_is_not_overwritten() {
    let folder = workspace();
    fs::write(folder.path().join("long.txt"), "0123456789abcde\n".repeat(2048)).unwrap();
    let mut session = Session::with(folder.path(), &[]);
    session.call("read_file", &json!({ "path": "long.txt" }));
    let write = json!({ "path": "long.txt", "content": "short\n" });
    let told = text(&session.call("write_file", &write)).to_owned();
    assert!(told.starts_with("stale_file: ") && told.contains("1537-2048"), "{told}");
    assert!(told.contains(r#"read_file {"path":"long.txt","startLine":1537}"#), "{told}");
    session.call("read_file", &json!({ "path": "long.txt", "startLine": 1537 }));
    assert_eq!(text(&session.call("write_file", &write)), "b1: wrote long.txt (6 B)");
}

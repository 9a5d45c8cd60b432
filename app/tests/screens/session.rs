//! The session that the screens show: two agents and a person at work in one tree.

use patchwright_app::wire;
use patchwright_engine::Session as EngineSession;
use patchwright_engine::core::outcome::{Answer, Reply};
use patchwright_engine::core::tool::Call;
use patchwright_engine::{Client, Door, HomeAt, Options, Proof, Quiet, Role, SetClock};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// When the screens are looked at: 2026-11-18 20:18:28 UTC.
pub(crate) const NOW: i64 = 1_795_033_108_000_000_000;

const MINUTE: i64 = 60_000_000_000;

/// A tree with its record, and the home that proves it.
pub(crate) struct Session {
    folder: tempfile::TempDir,
    pub(crate) root: PathBuf,
}

impl Session {
    pub(crate) fn home(&self) -> HomeAt {
        HomeAt::Folder(self.folder.path().join("home"))
    }

    fn open(&self, name: &str, role: Role) -> EngineSession {
        let door = if role == Role::Person { Door::Cli } else { Door::Stdio };
        let client = Client { name: name.to_owned(), version: "1.0".to_owned(), actor: None, door, role };
        let options = Options { home: self.home(), client, proof: Proof::Unchecked, ..Options::default() };
        EngineSession::open(&self.root, options).unwrap()
    }

    /// Plays it.
    pub(crate) fn play() -> Session {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("ripgrep");
        std::fs::create_dir_all(folder.path().join("home")).unwrap();
        files(&root);
        let session = Session { folder, root };
        let (claude, codex) = (session.open("claude-code", Role::Agent), session.open("codex-mcp-client", Role::Agent));
        let you = || session.open("patchwright-cli", Role::Person);
        // b1 to b3
        edit(&codex, 26, "build.rs", &[("// line 1\n", "// Line one.\n")]);
        edit(&codex, 25, "build.rs", &[("// line 3\n", "// Line three.\n")]);
        edit(&claude, 24, "build.rs", &[("--short=10", "--short=12"), ("c();", "see();"), ("e();", "easy();")]);
        // b4
        let original = sha(&claude, "crates/core/haystack.rs");
        let changes = json!([
            { "operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["Defines a builder for haystacks."],
              "newLines": ["Builds haystacks, the things to search."], "description": "Shorter first line" },
            { "operation": "insert", "afterLine": 7, "newLines": ["use std::io;"], "expectedLineBefore": "use std::path::Path;" },
        ]);
        let label = "Say what a haystack is in one sentence";
        let file = json!({ "docPath": "crates/core/haystack.rs", "originalSha256": original, "changes": changes });
        call(&claude, 23, "workspace_write_patch", json!({ "batchLabel": label, "files": [file] }));
        // b5 to b7
        call(
            &claude,
            21,
            "create_file",
            json!({ "path": "docs/notes.md", "content": "# Notes\n\n- one\n", "createParentDirectories": true }),
        );
        edit(&codex, 21, "build.rs", &[("b();", "be();")]);
        let long = "crates/auth/src/main/java/providers/OpenIdFactoryBuilderTest.java";
        edit(
            &you(),
            20,
            long,
            &[("class OpenIdFactoryBuilderTest {\n", "class OpenIdFactoryBuilderTest {\n    // Slow.\n    // Keep.\n")],
        );
        session.go_on(&claude, &codex);
        session
    }

    fn go_on(&self, claude: &EngineSession, codex: &EngineSession) {
        // b8 and b9
        let patch = "*** Begin Patch\n*** Update File: crates/core/messages.rs\n@@\n-// message 1\n-// message 2\n+// Messages.\n*** Update File: crates/core/main.rs\n@@\n fn main() {\n+    // Entry.\n*** Delete File: RELEASE-CHECKLIST.md\n*** End Patch\n";
        call(codex, 14, "apply_patch", json!({ "patch": patch }));
        edit(codex, 13, "build.rs", &[("--short=12", "--short=16")]);
        // b10 and b11: proposals
        let change = |line: usize, old: &str, new: &[&str]| json!({ "operation": "replace", "startLine": line, "endLine": line, "expectedOriginalLines": [old], "newLines": new });
        let exit = change(
            4,
            "    std::process::exit(code);",
            &["    // 0 found, 1 not found, 2 error", "    std::process::exit(code);"],
        );
        propose(codex, "Name the exit codes", "crates/core/main.rs", exit);
        let lines: Vec<String> = (4..=10).map(|line| format!("/// Log line {line}.")).collect();
        let banner = json!({ "operation": "delete", "startLine": 4, "endLine": 10, "expectedOriginalLines": lines });
        propose(codex, "Drop the banner", "crates/core/logger.rs", banner);
        // b12 to b16
        edit(claude, 9, "crates/core/logger.rs", &[("/// Log line 4.", "/// Log line four.")]);
        edit(claude, 7, "docs/notes.md", &[("- one\n", "- one\n- two\n")]);
        call(claude, 5, "move_file", json!({ "fromPath": "docs/notes.md", "toPath": "docs/NOTES.md" }));
        edit(
            claude,
            3,
            "crates/core/logger.rs",
            &[(
                "/// Log line 13.",
                "/// It does no filtering: it relies on the log crate to do its filtering for it, by its max level.",
            )],
        );
        edit(claude, 3, "GUIDE.md", &[("Line 2 of the guide.\n", "Line 2 of the user guide.\n")]);
        // b17 and b18
        edit(claude, 2, "tests/timing.rs", &[("sleep(1)", "sleep(2)")]);
        call(claude, 2, "undo", json!({ "batchId": "b17" }));
        // b19
        let guide: String = (1..=100)
            .map(|line| {
                if line > 4 {
                    format!("Line {line} of the Guide, reworked.\n")
                } else {
                    format!("Line {line} of the guide.\n")
                }
            })
            .collect();
        call(claude, 2, "write_file", json!({ "path": "GUIDE.md", "content": guide }));
    }
}

fn files(root: &Path) {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (1..=count).map(line).collect::<String>();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("GUIDE.md", &lines(100, &|line| format!("Line {line} of the guide.\n")));
    write(
        "crates/core/haystack.rs",
        "/*!\nDefines a builder for haystacks.\n\nA \"haystack\" represents something we want to search.\n*/\n\nuse std::path::Path;\n",
    );
    write(
        "crates/core/logger.rs",
        &(lines(13, &|line| format!("/// Log line {line}.\n"))
            + "/// filtering via its global max_level setting.\n#[derive(Debug)]\npub struct Logger(());\n"),
    );
    write("crates/core/main.rs", "fn main() {\n    let code = run();\n    std::process::exit(code);\n}\n");
    write("crates/core/messages.rs", &lines(60, &|line| format!("// message {line}\n")));
    write("crates/auth/src/main/java/providers/OpenIdFactoryBuilderTest.java", "class OpenIdFactoryBuilderTest {\n}\n");
    write(
        "build.rs",
        &(lines(38, &|line| format!("// line {line}\n"))
            + "    let args = &[\"rev-parse\", \"--short=10\", \"HEAD\"];\n    let output = run(args);\n    a();\n    b();\n    c();\n    d();\n    e();\n"),
    );
    write("RELEASE-CHECKLIST.md", &lines(160, &|line| format!("- check {line:03} twice\n")));
    write("tests/timing.rs", "fn t() {\n    sleep(1);\n}\n");
}

/// Calls a tool so many minutes ago.
fn call(workspace: &EngineSession, minutes: i64, tool: &str, arguments: Value) -> Reply {
    let _clock = SetClock::to(NOW - minutes * MINUTE);
    let call: Call = wire::call(tool, &arguments.to_string()).unwrap();
    workspace.call(&call, &Quiet).unwrap_or_else(|failed| panic!("{tool} {arguments}: {failed:?}"))
}

fn edit(workspace: &EngineSession, minutes: i64, path: &str, edits: &[(&str, &str)]) {
    let edits: Vec<Value> = edits.iter().map(|(old, new)| json!({ "oldText": old, "newText": new })).collect();
    call(workspace, minutes, "edit_file", json!({ "path": path, "edits": edits }));
}

fn sha(workspace: &EngineSession, path: &str) -> String {
    match call(workspace, 60, "read_file", json!({ "path": path })).answer {
        Answer::File(view) => view.sha256.to_string(),
        other => panic!("{other:?}"),
    }
}

fn propose(workspace: &EngineSession, label: &str, path: &str, change: Value) {
    let file = json!({ "docPath": path, "originalSha256": sha(workspace, path), "changes": [change] });
    call(workspace, 12, "workspace_write_patch", json!({ "mode": "propose", "batchLabel": label, "files": [file] }));
}

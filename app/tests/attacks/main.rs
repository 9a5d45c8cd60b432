//! Attacks on the workspace, made through the command line in this process with proof of sight switched
//! off, so that nothing but the guard, the policy and the checks stands in the way. Which attack is shown
//! by which test: `spec/attacks.md`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

mod forged;
mod input;
mod links;
mod names;
mod specials;
mod spelling;
mod state;

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_core::anchor::line_hash;
use patchwright_testkit::home;
use patchwright_testkit::tree::{Tree, times};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What lies outside holds this word; no answer may.
const SECRET: &str = "OUTSIDE-SECRET";

/// A workspace `ws` and what lies beside it.
struct Place {
    home: TempDir,
    root: PathBuf,
    beside: Beside,
}

/// Everything beside the workspace, and when it last changed.
type Beside = (Tree, BTreeMap<String, i128>);

/// What a command came to.
struct Ran {
    code: u8,
    out: String,
    err: String,
}

impl Place {
    /// `ws/` with a few files; beside it a file, a folder and a twin whose name begins alike.
    fn new() -> Place {
        let home = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(home.path()).unwrap().join("ws");
        for (path, text) in [
            ("ws/a.txt", "inside\n"),
            ("ws/d/b.txt", "inside\n"),
            ("secret.txt", SECRET),
            ("beside/x", SECRET),
            ("beside/deep/x", SECRET),
            ("ws-evil/x", SECRET),
            ("WS/x", SECRET),
        ] {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut place = Place { home, root, beside: Beside::default() };
        place.settle();
        place
    }

    /// Takes what lies outside as it is now for what must stay so.
    fn settle(&mut self) {
        self.beside = self.outside();
    }

    fn outside(&self) -> Beside {
        let mut tree = Tree::read(self.home.path()).unwrap();
        tree.items.retain(|path, _| path != "ws" && !path.starts_with("ws/"));
        let times = times(self.home.path(), &tree).unwrap();
        (tree, times)
    }

    /// Nothing outside was touched.
    fn is_intact(&self, story: &str) {
        let now = self.outside();
        assert_eq!(self.beside.0.difference(&now.0), Vec::<String>::new(), "{story}");
        assert_eq!(self.beside.1, now.1, "{story}");
    }

    fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    fn inside(&self) -> Tree {
        Tree::read(&self.root).unwrap()
    }

    /// Runs a command as a person or program would.
    fn run(&self, screen: Screen, args: &[&str]) -> Ran {
        run(&self.root, screen, args)
    }

    /// Makes one call; the answer.
    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let ran = self.run(Screen::Pipe, &["--unchecked", "call", tool, &arguments.to_string()]);
        let answer = serde_json::from_str(&ran.out);
        answer.unwrap_or_else(|_| panic!("{tool} {arguments} ended with {}: {}{}", ran.code, ran.out, ran.err))
    }

    /// Makes one call that must be refused with one of these kinds and touch nothing, inside or out.
    fn refused(&self, tool: &str, arguments: &Value, kinds: &[&str]) {
        let before = self.inside();
        let answer = self.call(tool, arguments);
        let story = format!("{tool} {arguments} answered {answer}");
        // A patch has words of its own for absolute paths, and for names that its grammar cannot hold.
        let of_patches = ["command_failed", "patch_parse_error"];
        let patched = tool == "apply_patch" && of_patches.contains(&kind(&answer));
        assert!(patched || kinds.contains(&kind(&answer)), "{kinds:?} expected: {story}");
        assert!(!answer.to_string().contains(SECRET), "{story}");
        assert_eq!(before.difference(&self.inside()), Vec::<String>::new(), "{story}");
        self.is_intact(&story);
    }

    /// A path through every argument of every tool that takes one.
    fn calls(&self, path: &str) -> Vec<(&'static str, Value)> {
        let edits = json!([{ "oldText": "inside", "newText": "x" }]);
        // The line that lies outside: an edit that got there would find it.
        let secret = format!("{:06x}", line_hash(SECRET.as_bytes()) >> 40);
        let operations = json!([{ "op": "replace_line", "hash": secret, "content": "x" }]);
        let patch = |body: String| json!({ "patch": format!("*** Begin Patch\n{body}\n*** End Patch\n"), "conventions": "codex" });
        vec![
            ("read_file", json!({ "path": path })),
            ("list_directory", json!({ "path": path })),
            ("search_files", json!({ "query": "S", "mode": "text", "root": path })),
            ("glob", json!({ "pattern": "**", "root": path })),
            ("create_file", json!({ "path": path, "content": "x", "createParentDirectories": true })),
            ("write_file", json!({ "path": path, "content": "x" })),
            ("edit_file", json!({ "path": path, "edits": edits })),
            ("edit", json!({ "path": path, "operations": operations })),
            ("edit", json!({ "file_path": path, "operations": operations })),
            ("read_file", json!({ "path": path, "hashes": true })),
            ("search_files", json!({ "query": "S", "mode": "text", "root": path, "hashes": true })),
            ("delete_file", json!({ "path": path })),
            ("move_file", json!({ "fromPath": path, "toPath": "stolen.txt" })),
            ("move_file", json!({ "fromPath": "a.txt", "toPath": path, "overwrite": true })),
            ("restore_file", json!({ "trashId": self.trash_id(), "targetPath": path })),
            ("apply_patch", patch(format!("*** Add File: {path}\n+x"))),
            ("apply_patch", patch(format!("*** Update File: {path}\n@@\n-inside\n+x"))),
            ("apply_patch", patch(format!("*** Delete File: {path}"))),
            ("apply_patch", patch(format!("*** Move File: {path} -> stolen.txt"))),
            ("apply_patch", patch(format!("*** Move File: a.txt -> {path}\n@@\n-inside\n+x"))),
            ("apply_patch", patch(format!("*** Update File: a.txt\n*** Move to: {path}"))),
            (
                "apply_patch",
                json!({ "patch": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n", "expectedSha256ByPath": { path: "0" } }),
            ),
        ]
    }

    /// The id of something in the trash.
    fn trash_id(&self) -> String {
        let listed = self.call("list_trash", &json!({}));
        if let Some(id) = listed.pointer("/data/entries/0/trashId").and_then(Value::as_str) {
            return id.to_owned();
        }
        fs::write(self.path("doomed"), "doomed\n").unwrap();
        let deleted = self.call("delete_file", &json!({ "path": "doomed" }));
        deleted.pointer("/data/trashId").and_then(Value::as_str).unwrap().to_owned()
    }
}

fn run(root: &Path, screen: Screen, args: &[&str]) -> Ran {
    let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), root.into()];
    line.extend(["--durability".into(), "none".into()]);
    line.extend(args.iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut ports = Ports {
        input: &mut std::io::empty(),
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

/// The kind of a refusal; `ok` if it is none.
fn kind(answer: &Value) -> &str {
    answer.pointer("/error/kind").and_then(Value::as_str).unwrap_or("ok")
}

/// No settings of the user's, and a home for tests.
fn surroundings() -> Surroundings {
    Surroundings { home: home::at(), ..Surroundings::default() }
}

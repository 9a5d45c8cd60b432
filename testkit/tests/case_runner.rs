//! The case runner notices what it is there to notice: each row breaks one thing and must be told.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_testkit::case::{Answer, Case, Door, Flags, bless, run};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A door whose tool is a closure over the root and the arguments.
struct Stub<F> {
    root: PathBuf,
    tool: F,
    exit: i32,
}

impl<F: Fn(&Path, &Value) -> Value> Door for Stub<F> {
    fn name(&self) -> &'static str {
        "stub"
    }

    fn open(&mut self, root: &Path, _flags: &Flags) -> Result<(), String> {
        root.clone_into(&mut self.root);
        Ok(())
    }

    fn call(&mut self, _tool: &str, arguments: &str) -> Result<Answer, String> {
        let arguments = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
        Ok(Answer { reply: (self.tool)(&self.root, &arguments), exit: Some(self.exit), text: None })
    }

    fn close(&mut self) -> Result<(), String> {
        Ok(())
    }
}

fn stub<F: Fn(&Path, &Value) -> Value>(exit: i32, tool: F) -> Stub<F> {
    Stub { root: PathBuf::new(), tool, exit }
}

/// A case folder with these files.
fn case(files: &[(&str, &str)]) -> (tempfile::TempDir, Case) {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let case = Case::read(place.path()).unwrap();
    (place, case)
}

const CALL: (&str, &str) = ("call.json", r#"{"tool": "t", "arguments": {"sha": "$sha256:a"}}"#);
const OK: (&str, &str) = ("reply.json", r#"{"ok": true}"#);

/// What the runner says about a tool that does this.
fn verdict(files: &[(&str, &str)], exit: i32, tool: impl Fn(&Path)) -> Result<(), String> {
    let (_place, case) = case(files);
    run(
        &case,
        &mut stub(exit, |root, _| {
            tool(root);
            json!({"ok": true})
        }),
    )
}

#[test]
fn what_goes_wrong_is_told() {
    let same = [CALL, OK, ("before/a", "1"), ("before/d/b", "2")];
    let changed = [CALL, OK, ("before/a", "1"), ("before/d/b", "2"), ("after/a", "3")];
    let write = |root: &Path| fs::write(root.join("a"), "3").unwrap();
    let write_and_remove = |root: &Path| {
        write(root);
        fs::remove_file(root.join("d/b")).unwrap();
    };
    verdict(&same, 0, |_| {}).unwrap();
    // A folder that became empty stays.
    verdict(&changed, 0, write_and_remove).unwrap();
    let told = |files: &[(&str, &str)], exit, tool: &dyn Fn(&Path), word: &str| {
        let what = verdict(files, exit, tool).expect_err(word);
        assert!(what.contains(word), "{what}");
    };
    told(&same, 1, &|_| {}, "exit status 1");
    told(&same, 0, &write, "a: expected file 0644 \"1\", found file 0644 \"3\"");
    told(&changed, 0, &write, "d/b: expected nothing");
    told(&same, 0, &|root| fs::write(root.join("../x"), "").unwrap(), "outside the workspace: x");
    told(&same, 0, &|root| fs::write(root.join("a.1.apply-patch.tmp"), "").unwrap(), "litter");
    let touch = |root: &Path| {
        let file = fs::File::options().write(true).open(root.join("a")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    };
    told(&same, 0, &touch, "a: written, though nothing changes");
}

#[test]
fn answers_and_earlier_calls() {
    let call = r#"{"tool": "t", "arguments": {"sha": "$sha256:a", "id": "$kept:id", "root": "$ROOT"},
        "session": [{"tool": "s", "arguments": {"first": true}, "keep": {"id": "/data/id"}}]}"#;
    let reply = r#"{"ok": true, "got": {"sha": "$before:a", "id": "seven", "root": "$ROOT"}}"#;
    let (_place, case) = case(&[("call.json", call), ("reply.json", reply), ("before/a", "1")]);
    let echo = |_: &Path, arguments: &Value| match arguments.get("first") {
        Some(_) => json!({"ok": true, "data": {"id": "seven"}}),
        None => json!({"ok": true, "got": arguments}),
    };
    run(&case, &mut stub(0, echo)).unwrap();
    let refuse = |_: &Path, _: &Value| json!({"ok": false});
    assert!(run(&case, &mut stub(0, refuse)).unwrap_err().contains("earlier call"));
}

#[test]
fn what_another_program_does_between_the_calls() {
    let call = r#"{"tool": "t", "session": [{"tool": "s"}, {"do": "text", "path": "a", "text": "2"}, {"tool": "s"}]}"#;
    let reply = r#"{"ok": true, "saw": "122"}"#;
    let (_place, case) = case(&[("call.json", call), ("reply.json", reply), ("before/a", "1")]);
    let log = std::cell::RefCell::new(String::new());
    let look = |root: &Path, _: &Value| {
        log.borrow_mut().push_str(&fs::read_to_string(root.join("a")).unwrap());
        json!({"ok": true, "saw": *log.borrow()})
    };
    run(&case, &mut stub(0, look)).unwrap();
}

#[test]
fn expectations_of_what_git_cannot_keep() {
    let call = r#"{"tool": "t", "setup": [{"do": "mode", "path": "a", "mode": "0600"}, {"do": "symlink", "path": "l", "target": "a"}],
        "expectTree": {"a": {"mode": "0640", "text": "9"}, "l": null, "e": {"folder": true}}}"#;
    let files = [("call.json", call), OK, ("before/a", "1")];
    let tool = |root: &Path| {
        use std::os::unix::fs::PermissionsExt;
        fs::write(root.join("a"), "9").unwrap();
        fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o640)).unwrap();
        fs::remove_file(root.join("l")).unwrap();
        fs::create_dir(root.join("e")).unwrap();
    };
    verdict(&files, 0, tool).unwrap();
    assert!(verdict(&files, 0, |_| {}).is_err());
}

#[test]
fn many_of_a_kind_are_written_out() {
    let call = r#"{"tool": "t", "arguments": {"names": "$REPEAT"}, "repeat": {"text": "f{}\n", "count": 2},
        "setup": [{"do": "text", "path": "f{}", "text": "{}", "count": 2}],
        "expectTree": {"f{}": {"text": "new {}", "count": 2}}, "shows": ["E1"]}"#;
    let reply = r#"{"ok": true, "files": {"$count": 2, "$each": {"path": "f{}", "sha": "$before:f{}"}}}"#;
    let (_place, case) = case(&[("call.json", call), ("reply.json", reply)]);
    assert_eq!(case.shows, ["E1"]);
    let rename = |root: &Path, arguments: &Value| {
        let names = arguments["names"].as_str().unwrap_or_default().lines();
        let digest = |name: &str| patchwright_core::digest::Digest::of(&fs::read(root.join(name)).unwrap()).to_string();
        let files: Vec<Value> = names.map(|name| json!({"path": name, "sha": digest(name)})).collect();
        for number in 1..=files.len() {
            fs::write(root.join(format!("f{number}")), format!("new {number}")).unwrap();
        }
        json!({"ok": true, "files": files})
    };
    run(&case, &mut stub(0, rename)).unwrap();
    assert!(run(&case, &mut stub(0, |_: &Path, _: &Value| json!({"ok": true, "files": []}))).is_err());
}

#[test]
fn a_misspelt_key_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("call.json"), r#"{"tool": "t", "exti": 1}"#).unwrap();
    assert!(Case::read(place.path()).unwrap_err().contains("exti"));
}

#[test]
fn what_was_blessed_passes() {
    let (place, case) = case(&[CALL, ("before/a", "1"), ("before/b", "2")]);
    let tool = |root: &Path, arguments: &Value| {
        fs::write(root.join("a"), "3").unwrap();
        fs::remove_file(root.join("b")).unwrap();
        json!({"ok": true, "was": arguments["sha"], "id": "01890a5d-ac96-774b-bcce-b302099a8057", "n": 1})
    };
    bless(&case, &mut stub(0, tool)).unwrap();
    let again = Case::read(place.path()).unwrap();
    assert_eq!(again.reply, json!({"ok": true, "was": "$before:a", "id": "$UUID", "n": 1}));
    run(&again, &mut stub(0, tool)).unwrap();
    assert!(run(&again, &mut stub(0, |_: &Path, _: &Value| json!({"ok": true}))).is_err());
}

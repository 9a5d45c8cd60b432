//! What an entry of the audit tells: which rule refused a call, how much it was, under which keys and in whose name; and
//! which entries `audit export` gives to whoever asks for some.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::Surroundings;
use patchwright_core::digest::Digest;
use patchwright_testkit::{frames, home};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use tempfile::TempDir;

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("a.txt", "one\ntwo\nthree\n");
        place.write("src/b.txt", "b\n");
        place.write("patchwright.toml", "[write]\ndeny = ['vendor/**']\n[limits]\nmax_file_bytes = 100\n");
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, args: &[&str]) -> (u8, String, String) {
        let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), self.folder.path().into()];
        line.extend(args.iter().map(OsString::from));
        let (mut out, mut err, mut input) = (Vec::new(), Vec::new(), std::io::empty());
        let mut ports = Ports {
            input: &mut input,
            output: &mut out,
            errors: &mut err,
            screen: Screen::Pipe,
            pager: &mut NoPager,
            manner: Manner::default(),
        };
        let surroundings = Surroundings { home: home::at(), ..Surroundings::default() };
        let Next::Exit(status) = cli::run(line, &mut ports, &surroundings) else {
            panic!("{args:?} asks for a server")
        };
        (status.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        self.call_as(&[], tool, arguments)
    }

    fn call_as(&self, flags: &[&str], tool: &str, arguments: &Value) -> Value {
        let (_, out, err) = self.run(&[flags, &["call", tool, &arguments.to_string()]].concat());
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"))
    }

    fn export(&self, more: &[&str]) -> Vec<Value> {
        let (code, out, err) = self.run(&[&["audit", "export"], more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The entry of the call that was made last.
    fn last(&self) -> Value {
        self.export(&[]).pop().unwrap()
    }
}

fn sha(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}

const A: &str = "one\ntwo\nthree\n";

fn edit(edits: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> = edits.iter().map(|(old, new)| json!({ "oldText": old, "newText": new })).collect();
    json!({ "path": "a.txt", "edits": edits, "expectedSha256": sha(A) })
}

fn patch(body: &str) -> Value {
    json!({ "patch": format!("*** Begin Patch\n{body}*** End Patch\n") })
}

#[test]
fn a_refused_call_is_on_record_with_the_rule_that_refused_it() {
    let table = [
        ("create_file", json!({ "path": "../x", "content": "" }), "outside", json!({ "path": "../x" })),
        ("create_file", json!({ "path": "a\nb", "content": "" }), "control", json!({ "path": "a\nb" })),
        ("create_file", json!({ "path": "n/x", "content": "" }), "parent_absent", json!({ "path": "n/x" })),
        (
            "create_file",
            json!({ "path": "vendor/x", "content": "" }),
            "deny",
            json!({ "path": "vendor/x", "setting": "write.deny", "pattern": "vendor/**" }),
        ),
        (
            "create_file",
            json!({ "path": ".git/x", "content": "" }),
            "git",
            json!({ "path": ".git/x", "setting": "protect.git" }),
        ),
        (
            "create_file",
            json!({ "path": "k.pem", "content": "" }),
            "secret",
            json!({ "path": "k.pem", "setting": "protect.secrets", "pattern": "*.pem" }),
        ),
        ("create_file", json!({ "path": "a.txt", "content": "" }), "already_exists", json!({ "path": "a.txt" })),
        (
            "create_file",
            json!({ "path": "big", "content": "x".repeat(101) }),
            "limit",
            json!({ "path": "big", "setting": "limits.max_file_bytes" }),
        ),
        ("create_file", json!({ "path": "x" }), "required_field", json!({ "at": "content" })),
        ("write_file", json!({ "path": "a.txt", "content": "" }), "unproven", json!({ "path": "a.txt" })),
        (
            "write_file",
            json!({ "path": "a.txt", "content": "", "expectedSha256": sha("") }),
            "mismatch",
            json!({ "path": "a.txt" }),
        ),
        (
            "edit_file",
            edit(&[("one", "1"), ("four", "4")]),
            "old_text_not_found",
            json!({ "at": "edits[1]", "path": "a.txt" }),
        ),
        ("edit_file", edit(&[("e", "E")]), "multiple_matches", json!({ "at": "edits[0]", "path": "a.txt" })),
        ("apply_patch", json!({ "patch": "x" }), "grammar", json!({ "patchLine": 1 })),
        (
            "apply_patch",
            patch("*** Update File: a.txt\n@@\n one\n-two\n+2\n@@\n-nine\n+9\n"),
            "context_not_found",
            json!({ "path": "a.txt", "hunkIndex": 1, "patchLine": 7 }),
        ),
        ("apply_patch", patch("*** Delete File: /etc/x\n"), "absolute_path", json!({ "path": "/etc/x" })),
        (
            "edit",
            json!({ "path": "a.txt", "operations": [{ "op": "replace_line", "hash": "ffffff", "content": "x" }] }),
            "anchor_stale",
            json!({ "at": "operations[0].hash", "path": "a.txt" }),
        ),
        ("undo", json!({ "batchId": "0199c82c-0000-7000-8000-000000000001" }), "no_batch", json!({})),
    ];
    let place = Place::new();
    for (tool, arguments, rule, facts) in table {
        let answer = place.call(tool, &arguments);
        let entry = place.last();
        assert_eq!(entry["kind"], answer["error"]["kind"], "{tool} {arguments}: {answer}");
        let mut want = facts;
        want["rule"] = json!(rule);
        assert_eq!(entry["rules"], json!([want]), "{tool} {arguments}: {answer}");
        assert_eq!((&entry["rule"], &entry["outcome"]), (&json!(rule), &json!("refused")), "{entry}");
        // Who got the answer and who reads the record speak of the same thing.
        let details = &answer["error"]["details"];
        let said = ["rule", "reason", "fact"].map(|name| &details[name]);
        let said_by_kind = entry["kind"] == rule || ["grammar", "limit", "required_field"].contains(&rule);
        assert!(said_by_kind || said.contains(&&json!(rule)), "{rule}: {answer}");
    }
}

#[test]
fn nobody_fills_the_log_by_being_refused() {
    let place = Place::new();
    let long = "x".repeat(1_000_000);
    let change = json!({ "changeKey": long, "operation": "delete", "startLine": 1, "endLine": 1 });
    let file =
        json!({ "docPath": long, "fileKey": long, "fileLabel": long, "originalSha256": sha(A), "changes": [change] });
    place.call("create_file", &json!({ "path": long, "content": "", "idempotencyKey": long }));
    place.call("workspace_write_patch", &json!({ "batchKey": long, "batchLabel": long, "files": [file] }));
    place.call("create_file", &json!({ "path": "x", (long.as_str()): "", "content": 1 }));
    let entries = place.export(&[]);
    assert_eq!(entries.len(), 3);
    for entry in entries {
        assert!(entry["outcome"] == "refused" && entry.to_string().len() < 20_000, "{}", entry.to_string().len());
    }
}

/// A line patch with a key for everything.
fn line_patch(changes: &Value) -> Value {
    json!({
        "batchKey": "add-timeout", "batchLabel": "Give up after a while", "idempotencyKey": "k1",
        "files": [{
            "docPath": "a.txt", "fileKey": "the-file", "fileLabel": "Where it waits", "originalSha256": sha(A),
            "changes": changes,
        }],
    })
}

#[test]
fn keys_and_labels_are_on_record_whatever_a_line_patch_comes_to() {
    let good = json!([{ "changeKey": "c1", "operation": "replace", "startLine": 2, "endLine": 2,
        "expectedOriginalLines": ["two"], "newLines": ["2", "2b"] }]);
    let bad = json!([
        { "changeKey": "c1", "operation": "replace", "startLine": 2, "endLine": 2, "expectedOriginalLines": ["zwei"],
            "newLines": ["2"] },
        { "changeKey": "c2", "operation": "delete", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["one"] },
    ]);
    let place = Place::new();
    place.call("workspace_write_patch", &line_patch(&bad));
    let refused = place.last();
    assert_eq!((&refused["outcome"], &refused["kind"]), (&json!("refused"), &json!("conflict")), "{refused}");
    let rules = json!([
        { "rule": "expected_lines", "at": "files[0].changes[0]", "path": "a.txt", "docPath": "a.txt", "key": "c1" },
        { "rule": "order", "at": "files[0].changes[1]", "docPath": "a.txt", "key": "c2" },
    ]);
    assert_eq!((&refused["rule"], &refused["rules"]), (&json!("expected_lines"), &rules), "{refused}");
    assert_eq!(refused["counts"], json!({ "files": 1, "changes": 2 }), "{refused}");
    assert_eq!(refused["files"][0]["changeKeys"], json!(["c1", "c2"]), "{refused}");

    let mut dry = line_patch(&good);
    dry["dryRun"] = json!(true);
    place.call("workspace_write_patch", &dry);
    let dry = place.last();
    assert_eq!(dry["outcome"], json!("dry_run"), "{dry}");
    let answer = place.call("workspace_write_patch", &line_patch(&good));
    assert_eq!(answer["successful"], json!(true), "{answer}");
    let committed = place.last();
    assert_eq!(committed["batchId"], answer["result"]["batchId"]);
    place.call("workspace_write_patch", &line_patch(&good));
    let replayed = place.last();
    assert_eq!(replayed["outcome"], json!("replayed"), "{replayed}");

    for entry in [&refused, &dry, &committed, &replayed] {
        assert_eq!(entry["batchKey"], json!("add-timeout"), "{entry}");
        assert_eq!(entry["batchLabel"], json!("Give up after a while"), "{entry}");
        let file = &entry["files"][0];
        assert_eq!((&file["path"], &file["docPath"]), (&json!("a.txt"), &json!("a.txt")), "{entry}");
        assert_eq!((&file["fileKey"], &file["fileLabel"]), (&json!("the-file"), &json!("Where it waits")), "{entry}");
        assert_eq!(entry["files"].as_array().map(Vec::len), Some(1), "{entry}");
    }
    for entry in [&dry, &committed, &replayed] {
        assert_eq!(entry["files"][0]["changeKeys"], json!(["c1"]), "{entry}");
    }
    for entry in [&dry, &committed] {
        assert_eq!(entry["counts"], json!({ "files": 1, "changes": 1, "linesAdded": 2, "linesRemoved": 1 }), "{entry}");
    }
    for entry in [&refused, &committed, &replayed] {
        assert_eq!(entry["idempotencyKey"], json!("k1"), "{entry}");
    }
}

#[test]
fn an_entry_counts_what_was_done() {
    let place = Place::new();
    let count = |tool: &str, arguments: &Value, want: Value| {
        let answer = place.call(tool, arguments);
        assert_eq!(answer["ok"], json!(true), "{answer}");
        assert_eq!(place.last()["counts"], want, "{tool} {arguments}");
    };
    count(
        "create_file",
        &json!({ "path": "c.txt", "content": "1\n2\n" }),
        json!({ "files": 1, "changes": 1, "linesAdded": 2 }),
    );
    count(
        "edit_file",
        &edit(&[("one", "1"), ("three", "3\n4")]),
        json!({ "files": 1, "changes": 2, "linesAdded": 3, "linesRemoved": 2 }),
    );
    count(
        "apply_patch",
        &patch(
            "*** Update File: c.txt\n@@\n-1\n+eins\n 2\n*** Move File: src/b.txt -> d.txt\n@@\n-b\n+d\n*** Add File: e.txt\n+e\n",
        ),
        json!({ "files": 3, "changes": 4, "hunks": 2, "linesAdded": 3, "linesRemoved": 2 }),
    );
    count(
        "move_file",
        &json!({ "fromPath": "d.txt", "toPath": "f.txt", "expectedSha256": sha("d\n") }),
        json!({ "files": 1, "changes": 1 }),
    );
    let deleted = json!({ "path": "e.txt", "expectedSha256": sha("e\n") });
    count("delete_file", &deleted, json!({ "files": 1, "changes": 1, "linesRemoved": 1 }));
    count("purge_trash", &json!({ "olderThan": "0s" }), json!({ "files": 1 }));
    // Of a call that was refused, what it asked for.
    place.call("edit_file", &edit(&[("one", "1"), ("three", "3")]));
    assert_eq!(place.last()["counts"], json!({ "files": 1, "edits": 2 }));
    place.call("apply_patch", &patch("*** Update File: c.txt\n@@\n-x\n+y\n@@\n-z\n+y\n*** Delete File: q\n"));
    assert_eq!(place.last()["counts"], json!({ "files": 2, "hunks": 2 }));
    let operations = json!([{ "op": "delete_line", "hash": "ffffff" }, { "op": "delete_line", "hash": "eeeeee" }]);
    place.call("edit", &json!({ "path": "c.txt", "operations": operations }));
    assert_eq!(place.last()["counts"], json!({ "files": 1, "operations": 2 }));
}

#[test]
fn callers_at_the_command_line_say_who_they_are() {
    let place = Place::new();
    let who: &[&str] = &["--as", "Ada Lovelace", "--as-session", "nightly-7"];
    place.call_as(who, "create_file", &json!({ "path": "c.txt", "content": "c\n" }));
    place.call_as(who, "create_file", &json!({ "path": "c.txt", "content": "c\n" }));
    place.write("p.patch", "*** Begin Patch\n*** Add File: d.txt\n+d\n*** End Patch\n");
    let patch_file = place.folder.path().join("p.patch");
    let (code, _, err) =
        place.run(&["apply", patch_file.to_str().unwrap(), "--as-session", "nightly-7", "--as", "ada"]);
    assert_eq!((code, err.as_str()), (0, ""));
    place.call("create_file", &json!({ "path": "e.txt", "content": "e\n" }));
    let entries = place.export(&["--session", "nightly-7"]);
    let told: Vec<_> = entries.iter().map(|entry| (&entry["outcome"], &entry["actor"], &entry["door"])).collect();
    let (ada, cli) = (json!("Ada Lovelace"), json!("cli"));
    let (done, refused) = (json!("committed"), json!("refused"));
    assert_eq!(told, [(&done, &ada, &cli), (&refused, &ada, &cli), (&done, &json!("ada"), &cli)]);
    let listed = place.call("list_batches", &json!({ "sessionId": "nightly-7" }));
    assert_eq!(listed["data"]["batches"].as_array().map(Vec::len), Some(2), "{listed}");
    // Everything under that name is taken back together, and nothing else.
    let (code, _, err) = place.run(&["undo", "--session", "nightly-7", "--as", "bob"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let there = |name: &str| place.folder.path().join(name).exists();
    assert_eq!((there("c.txt"), there("d.txt"), there("e.txt")), (false, false, true));
    assert_eq!((&place.last()["actor"], &place.last()["operation"]), (&json!("bob"), &json!("undo")));
}

#[test]
fn names_that_could_fool_a_reader_are_wrong_usage() {
    let place = Place::new();
    let long = "x".repeat(101);
    for (flag, given, part) in [
        ("--as", "", "it is empty"),
        ("--as", "a\nb", "the character \\n"),
        ("--as", "a\u{1b}[31mb", "the character \\u{1b}"),
        ("--as", "a\u{202e}b", "the character \\u{202e}"),
        ("--as", &long, "more than 100 characters"),
        ("--as-session", "", "it is empty"),
        ("--as-session", "a b", "letters and digits"),
        ("--as-session", "a\0b", "the character \\u{0}"),
        ("--as-session", &long, "more than 100 characters"),
    ] {
        let (code, out, err) = place.run(&[flag, given, "call", "create_file", r#"{"path":"z","content":""}"#]);
        assert_eq!((code, out.as_str()), (2, ""), "{flag} {given:?}: {err}");
        assert!(err.contains(flag) && err.contains(part), "{flag} {given:?}: {err}");
    }
    for flags in [["--as", "ada"], ["--as-session", "s"]] {
        let (code, _, err) = place.run(&[flags[0], flags[1], "mcp"]);
        assert_eq!((code, err.contains("names itself")), (2, true), "{err}");
    }
    assert!(!place.folder.path().join("z").exists());
    let (_, help, _) = place.run(&["help", "workspace"]);
    assert!(help.contains("--as <NAME>") && help.contains("--as-session <ID>"), "{help}");
}

/// A workspace with a little history of two sessions.
fn history() -> (Place, Vec<Value>) {
    let place = Place::new();
    for (session, tool, arguments) in [
        ("s1", "create_file", json!({ "path": "c.txt", "content": "c\n" })),
        ("s1", "create_file", json!({ "path": "../c.txt", "content": "c\n" })),
        ("s2", "edit_file", edit(&[("one", "1")])),
        ("s2", "move_file", json!({ "fromPath": "src/b.txt", "toPath": "doc.txt", "expectedSha256": sha("b\n") })),
        ("s1", "delete_file", json!({ "path": "c.txt", "expectedSha256": sha("c\n") })),
    ] {
        place.call_as(&["--as-session", session], tool, &arguments);
    }
    let all = place.export(&[]);
    assert_eq!(all.len(), 5);
    (place, all)
}

#[test]
fn whoever_asks_for_some_entries_gets_those() {
    let (place, all) = history();
    let batch = |at: usize| all[at]["batchId"].as_str().unwrap().to_owned();
    let time = |at: usize| all[at]["time"].as_str().unwrap().to_owned();
    let root = place.folder.path().join("a.txt").to_str().unwrap().to_owned();
    let (first, third) = (batch(0), batch(2));
    let (at_one, at_three, short) = (time(1), time(3), third[..23].to_owned());
    let table: &[(&[&str], &[usize])] = &[
        (&[], &[0, 1, 2, 3, 4]),
        (&["--session", "s1"], &[0, 1, 4]),
        (&["--session", "nobody"], &[]),
        (&["--tool", "create_file"], &[0, 1]),
        (&["--tool", "undo"], &[]),
        (&["--tool", "retention"], &[]),
        (&["--path", "c.txt"], &[0, 4]),
        (&["--path", "./c.txt"], &[0, 4]),
        (&["--path", "../c.txt"], &[1]),
        (&["--path", &root], &[2]),
        (&["--path", "src/b.txt"], &[3]),
        (&["--path", "doc.txt"], &[3]),
        (&["--path", "src"], &[3]),
        (&["--path", "sr"], &[]),
        (&["--since", &at_one], &[1, 2, 3, 4]),
        (&["--until", &at_three], &[0, 1, 2, 3]),
        (&["--since", &at_one, "--until", &at_three], &[1, 2, 3]),
        (&["--since", "1h"], &[0, 1, 2, 3, 4]),
        (&["--until", "1h"], &[]),
        (&["--since", "2999-01-01T00:00:00Z"], &[]),
        (&["--since", &first], &[1, 2, 3, 4]),
        (&["--since", &third], &[3, 4]),
        (&["--since", &short], &[3, 4]),
        (&["--session", "s1", "--tool", "create_file", "--path", "c.txt", "--since", "1h"], &[0]),
    ];
    for (flags, want) in table {
        let want: Vec<&Value> = want.iter().map(|at| &all[*at]).collect();
        assert_eq!(place.export(flags).iter().collect::<Vec<_>>(), want, "{flags:?}");
    }
}

#[test]
fn conditions_that_cannot_be_meant_are_wrong_usage() {
    let (place, _) = history();
    for (flags, part) in [
        (&["--tool", "create_fle"][..], "create_file"),
        (&["--tool", ""], "--tool"),
        (&["--session", ""], "--session is empty"),
        (&["--path", ""], "--path is empty"),
        (&["--since", "yesterday"], "--since takes a time such as"),
        (&["--until", "tomorrow"], "--until takes a time such as"),
        (&["--until", "0199c82c-0000-7000-8000-000000000001"], "--until takes a time such as"),
        (&["--since", "2026-02-01T00:00:00Z", "--until", "2026-01-01T00:00:00Z"], "--since is later than --until"),
        (&["--since", "1h", "--until", "2h"], "--since is later than --until"),
        (&["--sesion", "x"], "--session"),
    ] {
        let (code, out, err) = place.run(&[&["audit", "export"], flags].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{flags:?}: {err}");
        assert!(err.contains(part), "{flags:?}: {err}");
    }
    let absent = "0199c82c-0000-7000-8000-000000000001";
    let (code, out, err) = place.run(&["audit", "export", "--since", absent]);
    assert_eq!((code, out.as_str(), err.contains("no batch")), (1, "", true), "{err}");
}

#[test]
fn a_damaged_record_does_not_keep_the_others_back() {
    let (place, all) = history();
    let log = home::record(place.folder.path()).join("log");
    let good = fs::read(&log).unwrap();
    let ranges: Vec<_> = frames::all(&good).into_iter().map(|frame| frame.range).collect();
    let number = |at: usize| usize::try_from(all[at]["sequence"].as_u64().unwrap()).unwrap();
    let export = |bytes: &[u8]| {
        fs::write(&log, bytes).unwrap();
        let (code, out, err) = place.run(&["audit", "export"]);
        let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (code, told, err)
    };
    // Its content: the one behind it stands where it should.
    let mut bad = good.clone();
    bad[ranges[number(2) - 1].end - 40] ^= 1;
    let (code, told, err) = export(&bad);
    assert_eq!((code, told), (1, vec![all[0].clone(), all[1].clone(), all[3].clone(), all[4].clone()]));
    assert_eq!(err, format!("record {} is damaged: its checksum does not fit\n", number(2)));
    // Its length: nothing says where the next one begins.
    let mut bad = good.clone();
    bad[ranges[number(2) - 1].start + 1] ^= 1;
    let (code, told, err) = export(&bad);
    assert_eq!((code, told), (1, all[..2].to_vec()), "{err}");
    assert!(err.contains(&format!("what stands behind record {} cannot be read", number(2))), "{err}");
    assert_eq!(export(&good), (0, all.clone(), String::new()));
}

#[test]
fn a_damaged_record_still_tells_what_was_done_before_it() {
    let (place, all) = history();
    let log = home::record(place.folder.path()).join("log");
    let good = fs::read(&log).unwrap();
    let number = usize::try_from(all[3]["sequence"].as_u64().unwrap()).unwrap();
    let mut bad = good.clone();
    bad[frames::all(&good)[number - 1].range.end - 40] ^= 1;
    fs::write(&log, bad).unwrap();
    let (code, out, err) = place.run(&["log", "--json"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let ids: Vec<&Value> = told["data"]["batches"].as_array().unwrap().iter().map(|batch| &batch["batchId"]).collect();
    assert_eq!((code, ids), (1, vec![&all[2]["batchId"], &all[0]["batchId"]]), "{err}");
    assert!(err.contains(&format!("record {number} is damaged: its checksum does not fit")), "{err}");
    let (code, out, err) = place.run(&["log", "a.txt"]);
    assert_eq!((code, out.contains("a.txt"), out.contains("c.txt")), (1, true, false), "{out}{err}");
    // Who would change something by what the record says is refused as before.
    let answer = place.call("undo", &json!({ "path": "a.txt" }));
    assert_eq!((&answer["ok"], &answer["error"]["kind"]), (&json!(false), &json!("command_failed")), "{answer}");
}

#[test]
fn a_call_that_does_not_fit_is_found_by_the_files_it_names() {
    let place = Place::new();
    place.write("a.txt", "one\n");
    place.call("create_file", &json!({ "path": "a.txt", "content": "x", "colour": 1 }));
    place.call("move_file", &json!({ "fromPath": "a.txt", "toPath": "b.txt", "quick": true }));
    place.call("apply_patch", &json!({ "patch": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n", "x": 1 }));
    let tools: Vec<Value> = place.export(&["--path", "a.txt"]).iter().map(|entry| entry["tool"].clone()).collect();
    assert_eq!(tools, ["create_file", "move_file", "apply_patch"]);
    assert_eq!(place.export(&["--path", "b.txt"]).len(), 1);
}

#[test]
fn a_replay_is_found_by_its_files_and_behind_its_batch() {
    let place = Place::new();
    let ask = json!({ "path": "n.txt", "content": "one\n", "idempotencyKey": "k" });
    let batch = place.call("create_file", &ask)["data"]["batchId"].as_str().unwrap().to_owned();
    assert_eq!(place.call("create_file", &ask)["replayed"], true);
    let outcomes =
        |more: &[&str]| -> Vec<Value> { place.export(more).iter().map(|entry| entry["outcome"].clone()).collect() };
    assert_eq!(outcomes(&["--path", "n.txt"]), ["committed", "replayed"]);
    assert_eq!(outcomes(&["--since", &batch]), ["replayed"]);
}

#[test]
fn a_refused_line_patch_names_its_files_as_they_are() {
    let place = Place::new();
    place.write("Notes.md", "one\n");
    place.write("Other.md", "two\n");
    let root = place.folder.path().file_name().unwrap().to_str().unwrap().to_lowercase();
    let change = json!({ "changeKey": "c", "operation": "replace", "startLine": 1, "endLine": 1,
        "expectedOriginalLines": ["wrong"], "newLines": ["x"] });
    let file = |doc: &str, key: &str, text: &str| json!({ "docPath": doc, "fileKey": key, "originalSha256": sha(text), "changes": [change] });
    let files =
        [file(&format!("{root}/notes.md"), "n", "one\n"), file("other.md", "o", "two\n"), file("gone.md", "g", "")];
    place.call("workspace_write_patch", &json!({ "files": files }));
    let told: Vec<Value> = place.last()["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
    assert_eq!(told, ["Notes.md", "Other.md", "gone.md"], "{}", place.last());
}

#[test]
fn whom_a_call_was_for_is_told_everywhere() {
    let place = Place::new();
    let made = place.call_as(&["--as", "Ada"], "create_file", &json!({ "path": "n.txt", "content": "one\n" }));
    let batch = made["data"]["batchId"].as_str().unwrap();
    for text in [place.run(&["log"]).1, place.run(&["show", batch]).1] {
        assert!(text.contains("  Ada  ") || text.contains("   Ada, "), "{text}");
    }
    let listed = place.call("list_batches", &json!({}));
    assert_eq!(listed["data"]["batches"][0]["actor"], "Ada");
    let shown = place.call("get_patch_change", &json!({ "batchId": batch }));
    assert_eq!(shown["data"]["author"]["actor"], "Ada");
}

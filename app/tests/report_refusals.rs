//! Bad news as JSON and as text: kind, details and words for every reason there is. The words name the
//! file, the fact and the next step.
#![allow(clippy::unwrap_used, clippy::panic, clippy::result_large_err, reason = "a test that fails shall panic")]

use patchwright_app::report::{Telling, answer, text};
use patchwright_core::digest::Digest;
use patchwright_core::locate::{Edges, nearest};
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::path::{NameProblem, PathProblem};
use patchwright_core::policy::{Access, Denial, Rule};
use patchwright_core::refusal::{
    ArgumentFault, Expected, Holder, Missing, Refusal, RootNow, Sort, Stale, StaleReason, Why,
};
use serde_json::{Value, json};

/// As a reader who can call every tool is told.
fn text(outcome: &Result<Reply, Failed>) -> String {
    text::text(outcome, &Telling::PROGRAM)
}

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn failed(trouble: Trouble) -> Result<Reply, Failed> {
    Err(Failed::unrecorded(trouble))
}

/// Kind, details, and words that must stand in the message and in the next step.
fn check(why: Why, kind: &str, details: Value, message: &str, next: &str) {
    let recoverable = !matches!(kind, "permission_denied" | "outside_workspace" | "file_too_large");
    let outcome = failed(Refusal::about("src/a.rs", why).into());
    let got = answer(&outcome);
    assert_eq!(got["ok"], json!(false));
    let error = &got["error"];
    assert_eq!(
        (&error["kind"], &error["path"], &error["recoverable"]),
        (&json!(kind), &json!("src/a.rs"), &json!(recoverable))
    );
    assert_eq!(error.get("details").cloned().unwrap_or_default(), details, "{error:#}");
    let (told, step) = (error["message"].as_str().unwrap(), error["suggestedAction"].as_str().unwrap());
    assert!(told.contains(message), "{told}");
    assert!(step.contains(next), "{step}");
    let words = text(&outcome);
    assert!(
        words.starts_with(&format!("{kind}: {told}\n")) && words.ends_with(&format!("\nNext step: {step}")),
        "{words}"
    );
}

fn argument(at: &str, expected: Expected, got: &str) -> ArgumentFault {
    ArgumentFault { at: at.into(), expected, got: got.into() }
}

fn arguments(faults: Vec<ArgumentFault>, message: &str, next: &str) {
    let outcome = failed(Refusal::plain(Why::Arguments(faults)).into());
    let got = answer(&outcome);
    assert_eq!(got["error"]["kind"], "invalid_arguments");
    assert_eq!(got["error"]["message"], message);
    assert_eq!(got["error"]["suggestedAction"], next);
    assert_eq!(got["error"].get("path"), None);
}

fn one(at: &str, expected: Expected, got: &str, message: &str, next: &str) {
    let message = format!("The arguments do not fit: {message}.");
    let look =
        if next.starts_with("Call ") { format!(": set {at} to the sha256 that it shows") } else { String::new() };
    arguments(vec![argument(at, expected, got)], &message, &format!("{next}, then call again{look}."));
}

#[test]
fn arguments_that_do_not_fit() {
    one("path", Expected::Present("string"), "nothing", "path is missing; it takes a string", "Add path");
    one(
        "startLine",
        Expected::Type("integer"),
        "\"5\"",
        "startLine must be an integer, and it is \"5\"",
        "Set startLine to an integer",
    );
    one(
        "mode",
        Expected::OneOf(vec!["text".into(), "path".into()]),
        "\"x\"",
        "mode must be one of text, path, and it is \"x\"",
        "Set mode to one of text, path",
    );
    one(
        "startLine",
        Expected::Between(1, i64::MAX),
        "0",
        "startLine must be a whole number of at least 1, and it is 0",
        "Set startLine to a whole number of at least 1",
    );
    one(
        "maxResults",
        Expected::Between(1, 9),
        "0",
        "maxResults must be a whole number from 1 to 9, and it is 0",
        "Set maxResults to a whole number from 1 to 9",
    );
    one("edits", Expected::NotEmpty, "[]", "edits must not be empty", "Set edits to something that is not empty");
}

#[test]
fn null_is_told_what_to_do_instead() {
    one(
        "expectedSha256",
        Expected::Type("string"),
        "null",
        "expectedSha256 must be a string, and it is null",
        "Call read_file for the file",
    );
    one(
        "mode",
        Expected::OneOf(vec!["apply".into(), "propose".into()]),
        "null",
        "mode must be one of apply, propose, and it is null",
        "Leave out mode instead of giving null, or set it to one of apply, propose",
    );
    one("path", Expected::Present("string"), "null", "path is null; it takes a string", "Set path to a string");
    one(
        "",
        Expected::Type("object"),
        "null",
        "the arguments must be an object, and it is null",
        "Set the arguments to an object",
    );
}

#[test]
fn arguments_that_mean_nothing() {
    one("path", Expected::UniqueKey, "", "path is given twice in one object", "Give path once");
    one(
        "",
        Expected::Json("EOF at line 1".into()),
        "",
        "they are not valid JSON (EOF at line 1)",
        "Write the arguments as one valid JSON object",
    );
    one(
        "expectedSha256",
        Expected::Sha256Start,
        "\"e3\"",
        "expectedSha256 must be a sha256 as all 64 hexadecimal digits, or at least the first 12, and it is \"e3\"",
        "Call read_file for the file",
    );
    one(
        "mode",
        Expected::NoProposal,
        "\"propose\"",
        "mode cannot be \"propose\": this tool takes effect at once, and is no change that could be stored for review",
        "Leave out mode",
    );
    one(
        "since",
        Expected::AgeOrBatch,
        "\"noon\"",
        "since must be a time such as 2026-01-31T00:00:00Z, an age such as 2h, or a batch id, and it is \"noon\"",
        "Set since to a time such as 2026-01-31T00:00:00Z, an age such as 2h, or a batch id",
    );
    one(
        "",
        Expected::ExactlyOne(vec!["batchId", "path"]),
        "batchId and path",
        "exactly one of batchId, path must be given, and the call has batchId and path",
        "Give exactly one of batchId, path",
    );
    one(
        "path",
        Expected::BatchWithChanges,
        "changeIds",
        "path cannot stand beside changeIds: changes belong to a batch, named by batchId",
        "Leave out changeIds, or name their batch by batchId instead of path",
    );
    one(
        "endLine",
        Expected::FromStartLine(9),
        "3",
        "endLine must be a line number not below startLine, which is 9, and it is 3",
        "Set endLine to 9 or more",
    );
}

#[test]
fn all_faults_are_told() {
    arguments(
        vec![
            argument(
                "expectedSha",
                Expected::Field {
                    known: vec!["path".into(), "expectedSha256".into()],
                    meant: Some("expectedSha256".into()),
                },
                "x",
            ),
            argument("colour", Expected::Field { known: vec!["path".into()], meant: None }, "x"),
        ],
        "The arguments do not fit in 2 places: expectedSha is not known; did you mean expectedSha256? The fields here are path, expectedSha256; \
         colour is not known; the fields here are path.",
        "Rename expectedSha to expectedSha256, leave out colour only if the call means the same without it, then call again.",
    );
}

#[test]
fn details_of_arguments() {
    let fault = argument("pth", Expected::Field { known: vec!["path".into()], meant: Some("path".into()) }, "\"a\"");
    let got = answer(&failed(Refusal::plain(Why::Arguments(vec![fault])).into()));
    let want = json!({ "argument": "pth", "expected": "one of the fields path", "got": "\"a\"", "knownFields": ["path"], "didYouMean": "path" });
    assert_eq!(got["error"]["details"]["faults"], json!([want]));
}

#[test]
fn paths() {
    check(
        Why::Path(PathProblem::Outside),
        "outside_workspace",
        json!({ "reason": "outside" }),
        "src/a.rs lies outside the workspace",
        "relative to the workspace root",
    );
    check(
        Why::Path(PathProblem::Empty),
        "invalid_arguments",
        json!({ "reason": "empty" }),
        "empty",
        "relative to the workspace root",
    );
    check(Why::Path(PathProblem::Nul), "invalid_arguments", json!({ "reason": "nul" }), "NUL", "out");
    check(
        Why::Path(PathProblem::TooLong),
        "invalid_arguments",
        json!({ "reason": "too_long" }),
        "at most 255 bytes",
        "shorter",
    );
    check(
        Why::LinkLeavesRoot,
        "outside_workspace",
        json!({ "reason": "link" }),
        "a link that leads out",
        "inside the workspace",
    );
    check(
        Why::Name(NameProblem::Backslash),
        "invalid_arguments",
        json!({ "reason": "backslash", "character": "U+005C" }),
        "backslash",
        "/",
    );
    check(
        Why::Name(NameProblem::Bidi('\u{202e}')),
        "invalid_arguments",
        json!({ "reason": "bidirectional", "character": "U+202E" }),
        "U+202E",
        "without that character",
    );
    check(
        Why::SpecialFile,
        "permission_denied",
        json!({ "reason": "special_file" }),
        "a device, pipe or socket",
        "regular files",
    );
    check(
        Why::SameFileTwice { other: "b".into() },
        "invalid_arguments",
        json!({ "other": "b" }),
        "src/a.rs and b",
        "once",
    );
}

#[test]
fn what_is_there_and_what_is_not() {
    let alike = vec!["src/b.rs".to_owned(), "src/c.rs".to_owned()];
    check(
        Why::NotFound(Missing::File { alike: alike.clone() }),
        "not_found",
        json!({ "reason": "absent", "alike": alike }),
        "src/a.rs does not exist. Spelt alike: src/b.rs, src/c.rs",
        "src/b.rs",
    );
    check(
        Why::NotFound(Missing::File { alike: vec![] }),
        "not_found",
        json!({ "reason": "absent", "alike": [] }),
        "src/a.rs does not exist",
        "create_file",
    );
    check(
        Why::NotFound(Missing::Parent { folder: "src".into() }),
        "not_found",
        json!({ "reason": "parent_absent", "folder": "src" }),
        "folder src does not exist",
        "add createParentDirectories: true, which makes it (create_file and apply_patch can do so)",
    );
    check(
        Why::NotFound(Missing::IsFolder),
        "not_found",
        json!({ "reason": "is_directory" }),
        "is a folder",
        "list_directory",
    );
    check(Why::NotFound(Missing::IsFile), "not_found", json!({ "reason": "is_file" }), "is a file", "read_file");
    check(
        Why::NotFound(Missing::TrashEntry { id: "T1".into() }),
        "not_found",
        json!({ "reason": "no_trash_entry", "trashId": "T1" }),
        "trashId",
        "list_trash",
    );
    check(Why::NotFound(Missing::Kept), "not_found", json!({ "reason": "not_kept" }), "no longer kept", "list_trash");
    check(
        Why::AlreadyExists(Sort::File),
        "already_exists",
        json!({ "type": "file" }),
        "src/a.rs already exists; it is a file",
        "edit_file or write_file",
    );
    check(
        Why::AlreadyExists(Sort::Folder),
        "already_exists",
        json!({ "type": "directory" }),
        "a folder",
        "inside that folder",
    );
    check(
        Why::AlreadyExists(Sort::Link),
        "already_exists",
        json!({ "type": "symlink" }),
        "a symbolic link",
        "another path",
    );
}

fn denied(access: Access, rule: Rule, details: Value, message: &str, next: &str) {
    check(Why::Denied(Denial { access, rule, through: None }), "permission_denied", details, message, next);
}

#[test]
fn what_the_policy_forbids() {
    let r = Access::Read;
    let w = Access::Write;
    denied(r, Rule::State, json!({ "access": "read", "rule": "state" }), "own state", "no setting opens it");
    denied(w, Rule::SettingsFile, json!({ "access": "write", "rule": "settings_file" }), "settings", "Ask the user");
    denied(
        w,
        Rule::Git,
        json!({ "access": "write", "rule": "git", "setting": "protect.git" }),
        "src/a.rs may not be changed: it lies in a .git folder",
        "--unprotect git, or in the user's own settings file (~/.config/patchwright/config.toml) add \"src/a.rs\" to protect.except",
    );
    denied(
        r,
        Rule::Secret("*.pem"),
        json!({ "access": "read", "rule": "secret", "pattern": "*.pem", "setting": "protect.secrets" }),
        "*.pem (protect.secrets)",
        "set protect.secrets = false",
    );
    denied(
        r,
        Rule::Deny("src/**".into()),
        json!({ "access": "read", "rule": "deny", "pattern": "src/**", "setting": "read.deny" }),
        "read.deny holds src/**",
        "take \"src/**\" out of read.deny in patchwright.toml or the user's settings, or to start Patchwright without the flag",
    );
    denied(
        w,
        Rule::NotAllowed,
        json!({ "access": "write", "rule": "not_allowed", "setting": "write.allow" }),
        "write.allow lists other paths only",
        "add \"src/a.rs\" to each write.allow that there is",
    );
    check(
        Why::ReadOnly,
        "permission_denied",
        json!({ "access": "write", "rule": "read_only" }),
        "started with --read-only",
        "without --read-only",
    );
    check(
        Why::NotShown { tool: "apply_batch", group: "review" },
        "permission_denied",
        json!({ "rule": "not_shown", "tool": "apply_batch", "flag": "--tools +review" }),
        "apply_batch is not among the tools that this server serves.",
        "start Patchwright with --tools +review or --tools +apply_batch.",
    );
    let through = Denial { access: r, rule: Rule::Secret(".env"), through: Some(".env".into()) };
    check(
        Why::Denied(through),
        "permission_denied",
        json!({ "access": "read", "rule": "secret", "pattern": ".env", "setting": "protect.secrets", "through": ".env" }),
        "src/a.rs (a link that leads to .env) may not be read",
        "add \".env\" to protect.except",
    );
    check(
        Why::Forbidden("Permission denied".into()),
        "permission_denied",
        json!({ "said": "Permission denied" }),
        "src/a.rs: Permission denied",
        "permissions",
    );
}

#[test]
fn stale_files() {
    let reread = "Re-read the file to obtain the current sha256 and re-apply your edit.";
    let table = [
        (StaleReason::Mismatch, "mismatch", Some("0123456789ab"), "its sha256 is not the expectedSha256 you gave"),
        (StaleReason::Mismatch, "mismatch", Some("0123456789a"), "or at least the first 12"),
        (StaleReason::Unproven, "unproven", None, "No expectedSha256 was given for src/a.rs"),
        (
            StaleReason::ChangedSinceSeen,
            "changed_since_seen",
            Some("ab"),
            "has changed since this session last read or wrote it",
        ),
        (StaleReason::ChangedMeanwhile, "changed_meanwhile", Some("ab"), "Another program saved src/a.rs"),
    ];
    for (reason, word, expected, message) in table {
        let stale = Stale {
            expected: expected.map(str::to_owned),
            actual: Some(Digest::of(b"")),
            reason,
            sort: Sort::File,
            argument: "expectedSha256",
        };
        let details = json!({ "path": "src/a.rs", "expectedSha256": expected, "actualSha256": EMPTY, "reason": word });
        check(Why::Stale(stale), "stale_file", details, message, reread);
    }
}

#[test]
fn what_the_file_is() {
    check(
        Why::TooLarge { size: 9, limit: 5, setting: "limits.max_file_bytes" },
        "file_too_large",
        json!({ "sizeBytes": 9, "limitBytes": 5, "setting": "limits.max_file_bytes" }),
        "has 9 bytes, and the limit is 5",
        "raise limits.max_file_bytes",
    );
    check(Why::Binary, "binary_file", json!(null), "src/a.rs is a binary file", "allowBinary: true");
    let encoding = |line, unencodable| Why::Encoding { charset: "windows-1252".into(), line, unencodable };
    check(
        encoding(Some(3), Some('Ж')),
        "unsupported_encoding",
        json!({ "encoding": "windows-1252", "line": 3, "character": "U+0416" }),
        "which has no 'Ж' (U+0416), needed in line 3",
        "without that character",
    );
    check(
        encoding(Some(3), None),
        "unsupported_encoding",
        json!({ "encoding": "windows-1252", "line": 3 }),
        "line 3 of src/a.rs cannot be decoded",
        "the charset that it is really in",
    );
    check(
        encoding(None, None),
        "unsupported_encoding",
        json!({ "encoding": "windows-1252" }),
        "In windows-1252, src/a.rs cannot",
        "the charset that it is really in",
    );
}

#[test]
fn matching() {
    let many = |expected, count, overlapping| Why::MultipleMatches {
        edit: 1,
        expected,
        count,
        lines: vec![4, 9, 12],
        overlapping,
        longer: Vec::new(),
    };
    check(
        many(Some(1), 3, false),
        "multiple_matches",
        json!({ "editIndex": 1, "expectedOccurrences": 1, "count": 3, "lines": [4, 9, 12] }),
        "edits[1].oldText stands in src/a.rs 3 times, at lines 4, 9 and 12; 1 expected",
        "set edits[1].expectedOccurrences to 3.",
    );
    check(
        many(None, 3, true),
        "multiple_matches",
        json!({ "editIndex": 1, "count": 3, "lines": [4, 9, 12], "overlapping": true }),
        "overlap each other",
        "longer",
    );
    check(
        Why::OverlappingEdits { edits: (0, 2), lines: (4, 5) },
        "overlapping_edits",
        json!({ "editIndexes": [0, 2], "lines": [4, 5] }),
        "edits[0] (line 4) and edits[2] (line 5)",
        "into one edit",
    );
    let absent = |already_at| Why::OldTextNotFound { edit: 0, nearest: None, already_at, other_charset: false };
    check(
        absent(vec![]),
        "old_text_not_found",
        json!({ "editIndex": 0 }),
        "edits[0].oldText is not in src/a.rs",
        "Call read_file {\"path\":\"src/a.rs\"}, then call again: set edits[0].oldText to",
    );
    check(
        absent(vec![7]),
        "old_text_not_found",
        json!({ "editIndex": 0, "alreadyPresentAtLines": [7] }),
        "already stands at line 7",
        "leave out edits[0]",
    );
}

#[test]
fn the_closest_place() {
    let near = nearest(b"top\nfn a() {\n\tone();\n}\n", b"fn a() {\n    one();\n}\n", Edges::Whole).unwrap();
    let why = Why::OldTextNotFound { edit: 0, nearest: Some(Box::new(near)), already_at: vec![], other_charset: false };
    let details = json!({
        "editIndex": 0,
        "nearest": {
            "startLine": 2,
            "looksLike": "tabs_for_spaces",
            "firstDifference": { "line": 3, "expected": "    one();", "found": "\tone();", "expectedVisible": "····one();", "foundVisible": "→one();" },
            "lines": [
                { "line": 2, "expected": "fn a() {", "found": "fn a() {", "same": true },
                { "line": 3, "expected": "    one();", "found": "\tone();", "same": false },
                { "line": 4, "expected": "}", "found": "}", "same": true },
            ],
        },
    });
    check(
        why.clone(),
        "old_text_not_found",
        details,
        "The closest place begins at line 2: one side has tabs where the other has spaces. Line 3: oldText has `····one();`, the file has `→one();`.",
        "Call read_file {\"path\":\"src/a.rs\",\"startLine\":2,\"endLine\":4}",
    );
    let words = text(&failed(Refusal::about("src/a.rs", why).into()));
    assert!(
        words.contains("\n     2 = fn a() {\n     3 - ····one();\n     3 + →one();\n     4 = }\nNext step: "),
        "{words}"
    );
}

#[test]
fn the_call_as_such() {
    check(Why::MoveOntoItself, "command_failed", json!(null), "src/a.rs is both", "toPath");
    check(
        Why::Pattern("unclosed group".into()),
        "command_failed",
        json!({ "said": "unclosed group" }),
        "unclosed group",
        "a query holds no line break; mode \"text\" takes every other character as it is",
    );
    check(
        Why::Glob("unclosed alternate group".into()),
        "command_failed",
        json!({ "said": "unclosed alternate group" }),
        "The pattern does not compile: unclosed alternate group",
        "such as [{] or [*]",
    );
    check(
        Why::KeyReused { batch: "B1".into() },
        "invalid_arguments",
        json!({ "batchId": "B1", "batch": "B1" }),
        "B1",
        "set idempotencyKey to one that was not used before",
    );
    let busy = |holder: Option<Holder>| Why::Busy { waited_ms: 10, holder: holder.map(Box::new) };
    let waited = json!({ "waitedMs": 10, "setting": "limits.lock_wait_ms" });
    check(busy(None), "busy", waited.clone(), "10 ms", "again");
    for (since_ns, client, told, text) in [
        (
            Some(1_500_000_000),
            Some("one/1"),
            json!({ "pid": 7, "since": "1970-01-01T00:00:01.500Z", "client": "one/1" }),
            "process 7 (one/1), at work since 1970-01-01T00:00:01Z, held",
        ),
        (Some(-1), None, json!({ "pid": 7, "since": "1969-12-31T23:59:59.999999999Z" }), "1969-12-31T23:59:59Z, held"),
        (None, None, json!({ "pid": 7 }), "process 7, held"),
        (None, Some("a\nb"), json!({ "pid": 7, "client": "a\nb" }), "process 7 (a"),
    ] {
        let holder = Holder { pid: 7, since_ns, client: client.map(str::to_owned) };
        let mut details = waited.clone();
        details["holder"] = told;
        check(busy(Some(holder)), "busy", details, text, "which process");
    }
    for (now, word, text) in
        [(RootNow::Another, "replaced", "was replaced"), (RootNow::Nothing, "missing", "moved away")]
    {
        let moved = Why::RootMoved { path: "/w/s".into(), now };
        check(moved, "permission_denied", json!({ "root": "/w/s", "now": word }), text, "start again");
    }
    check(Why::Cancelled, "cancelled", json!(null), "withdrawn. Nothing was changed", "again");
    check(Why::Timeout, "timeout", json!(null), "limit passed. Nothing was changed", "again");
}

#[test]
fn faults() {
    for (state, kind, message) in [
        (DiskState::Unchanged, "command_failed", "Nothing was changed"),
        (DiskState::InDoubt, "in_doubt", "not known until recovery has run"),
        (DiskState::Bug, "internal", "Patchwright itself failed"),
    ] {
        let fault = Fault { path: Some("a".into()), doing: "sync", said: "I/O error".into(), state, id: None };
        let outcome = Err(Failed { audit_head: Some(Digest::of(b"")), ..Failed::unrecorded(Trouble::Fault(fault)) });
        let got = answer(&outcome);
        let error = &got["error"];
        assert_eq!((&error["kind"], &error["recoverable"], &error["path"]), (&json!(kind), &json!(false), &json!("a")));
        assert_eq!(
            (&error["details"], &got["auditHead"]),
            (&json!({ "doing": "sync", "said": "I/O error" }), &json!(EMPTY))
        );
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        assert!(text(&outcome).contains("\nNext step: "));
    }
}

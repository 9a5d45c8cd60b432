//! Arguments that fit the table become typed calls; what only the tool itself can tell is refused by it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_core::digest::Digest;
use patchwright_core::intent::{ExactEdit, Newline, Occurrences, Parents};
use patchwright_core::refusal::{Expected, Refusal, Why};
use patchwright_core::text::Charset;
use patchwright_core::tool::{
    Age, Args, Call, CreateFile, DeleteFile, EditFile, Effect, Glob, Ignored, PurgeTrash, ReadFile, RestoreFile, Run,
    Shared, TOOLS, Value, WhenBinary, WriteFile, find,
};

type Fields<'a> = &'a [(&'static str, Value)];

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn args(fields: Fields<'_>) -> Args {
    Args::new(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn call(tool: &str, fields: Fields<'_>) -> Result<Call, Refusal> {
    Call::new(find(tool).unwrap(), &args(fields))
}

fn check(fields: Fields<'_>, want: Call) {
    let name = want.tool().name;
    assert_eq!(call(name, fields), Ok(want), "{name} {fields:?}");
}

fn refused(tool: &str, fields: Fields<'_>, at: &str, expected: Expected) {
    match call(tool, fields) {
        Err(Refusal { why: Why::Arguments(faults), .. }) => {
            let got: Vec<_> = faults.into_iter().map(|fault| (fault.at, fault.expected)).collect();
            assert_eq!(got, [(at.to_owned(), expected)], "{tool} {fields:?}");
        }
        other => panic!("{tool} {fields:?}: {other:?}"),
    }
}

fn read() -> ReadFile {
    let when_binary = WhenBinary::Refuse;
    ReadFile { path: "a".into(), start_line: 1, end_line: None, max_bytes: 262_144, when_binary, charset: None }
}

#[test]
fn reading() {
    let path = ("path", text("a"));
    check(std::slice::from_ref(&path), Call::ReadFile(read()));
    check(
        &[path.clone(), ("startLine", Value::Whole(5)), ("endLine", Value::Whole(5)), ("maxBytes", Value::Whole(9))],
        Call::ReadFile(ReadFile { start_line: 5, end_line: Some(5), max_bytes: 9, ..read() }),
    );
    check(
        &[path.clone(), ("allowBinary", Value::Flag(true)), ("encoding", text("UTF-16LE"))],
        Call::ReadFile(ReadFile { when_binary: WhenBinary::Base64, charset: Some(Charset::Utf16Le), ..read() }),
    );
    refused("read_file", &[path.clone(), ("hashes", Value::Flag(true))], "hashes", Expected::NotYet);
    refused("read_file", &[path.clone(), ("encoding", text("klingon"))], "encoding", Expected::Charset);
    let backwards = [path, ("startLine", Value::Whole(5)), ("endLine", Value::Whole(4))];
    refused("read_file", &backwards, "endLine", Expected::FromStartLine(5));
}

#[test]
fn globbing() {
    let glob = Glob {
        pattern: "*".into(),
        root: ".".into(),
        exclude_globs: vec![],
        max_results: 1000,
        ignored: Ignored::Honour,
    };
    check(&[("pattern", text("*"))], Call::Glob(glob.clone()));
    check(
        &[("pattern", text("*")), ("root", text("src")), ("includeIgnored", Value::Flag(true))],
        Call::Glob(Glob { root: "src".into(), ignored: Ignored::Include, ..glob }),
    );
}

#[test]
fn creating_and_writing() {
    let given = [("path", text("a")), ("content", text("x"))];
    let with = |more: Fields<'_>| [&given, more].concat();
    let shared = Shared::default();
    let create = CreateFile {
        path: "a".into(),
        content: "x".into(),
        parents: Parents::MustExist,
        charset: None,
        shared: shared.clone(),
    };
    check(&given, Call::CreateFile(create.clone()));
    check(
        &with(&[("createParentDirectories", Value::Flag(true)), ("encoding", text("utf8"))]),
        Call::CreateFile(CreateFile { parents: Parents::Create, charset: Some(Charset::Utf8), ..create }),
    );
    let slash = [("path", text("a/")), ("content", text("x"))];
    refused("create_file", &slash, "path", Expected::FilePath);

    let write = WriteFile {
        path: "a".into(),
        content: "x".into(),
        expected: None,
        newline: Newline::Preserve,
        charset: None,
        shared,
    };
    check(&given, Call::WriteFile(write.clone()));
    let sha = Digest::of(b"x");
    check(
        &with(&[("newline", text("verbatim")), ("expectedSha256", text(&sha.to_string().to_uppercase()))]),
        Call::WriteFile(WriteFile { newline: Newline::Verbatim, expected: Some(sha), ..write }),
    );
    refused("write_file", &with(&[("expectedSha256", text(""))]), "expectedSha256", Expected::Sha256);
}

#[test]
fn editing() {
    let edit = |more: Fields<'_>| {
        let fields = [&[("oldText", text("a")), ("newText", text(""))], more].concat();
        [("path", text("a")), ("edits", Value::List(vec![Value::Record(args(&fields))]))]
    };
    let want = |occurrences| {
        let edits = vec![ExactEdit { old: "a".into(), new: String::new(), occurrences }];
        Call::EditFile(EditFile { path: "a".into(), expected: None, edits, charset: None, shared: Shared::default() })
    };
    check(&edit(&[]), want(Occurrences::Exactly(1)));
    check(&edit(&[("expectedOccurrences", Value::Whole(3))]), want(Occurrences::Exactly(3)));
    check(&edit(&[("replaceAll", Value::Flag(true))]), want(Occurrences::All));
    // Both: every occurrence, and it must be so many.
    let both = [("replaceAll", Value::Flag(true)), ("expectedOccurrences", Value::Whole(3))];
    check(&edit(&both), want(Occurrences::Exactly(3)));
}

#[test]
fn trash() {
    let shared = Shared { run: Run::Dry, idempotency_key: Some("k".into()) };
    let given = [("dryRun", Value::Flag(true)), ("idempotencyKey", text("k"))];
    let with = |more: Fields<'_>| [&given, more].concat();
    let delete = DeleteFile { path: "a".into(), expected: None, shared: shared.clone() };
    check(&with(&[("path", text("a"))]), Call::DeleteFile(delete));
    let restore = RestoreFile { trash_id: "t".into(), target_path: None, shared: shared.clone() };
    check(&with(&[("trashId", text("t"))]), Call::RestoreFile(restore.clone()));
    let target = [("trashId", text("t")), ("targetPath", text("b"))];
    check(&with(&target), Call::RestoreFile(RestoreFile { target_path: Some("b".into()), ..restore }));
    let slash = [("trashId", text("t")), ("targetPath", text("b/"))];
    refused("restore_file", &slash, "targetPath", Expected::FilePath);
    let purge = PurgeTrash { older_than: Age::OlderThan(86_400), shared };
    check(&with(&[("olderThan", text("1d"))]), Call::PurgeTrash(purge));
    refused("purge_trash", &[("olderThan", text("1y"))], "olderThan", Expected::Age);
}

#[test]
fn the_table_is_in_order() {
    for tool in TOOLS {
        let names: Vec<_> = tool.parameters.iter().map(|param| param.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{} names a parameter twice", tool.name);
        let changes = tool.effect != Effect::Looks;
        for shared in ["dryRun", "idempotencyKey", "mode"] {
            let search_mode = tool.name == "search_files" && shared == "mode";
            assert_eq!(names.contains(&shared), changes || search_mode, "{} {shared}", tool.name);
        }
        assert!(!tool.examples.is_empty() && !tool.answer.is_empty(), "{}", tool.name);
    }
}

#[test]
fn proposing_comes_later() {
    for tool in TOOLS.iter().filter(|tool| tool.effect != Effect::Looks) {
        let fields = ["path", "content", "trashId", "fromPath", "toPath"].map(|name| (name, text("a")));
        let fields =
            [&fields[..], &[("olderThan", text("1d")), ("patch", text("a")), ("mode", text("propose"))]].concat();
        refused(tool.name, &fields, "mode", Expected::NotYet);
    }
}

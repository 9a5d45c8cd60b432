//! Arguments that fit the table become typed calls; what only the tool itself can tell is refused by it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]

use patchwright_core::anchor::Anchor;
use patchwright_core::batch::BatchStatus;
use patchwright_core::dialect::lines::{FilePatch, LineEdit, Quoted};
use patchwright_core::digest::Digest;
use patchwright_core::intent::{ExactEdit, LineDeed, LineOperation, Newline, Occurrences, Parents, Reach, Safety};
use patchwright_core::refusal::{ArgumentFault, Expected, Refusal, Why};
use patchwright_core::text::Charset;
use patchwright_core::tool::{
    After, Age, ApplyBatch, Args, Call, CreateFile, DeleteFile, Edit, EditFile, Effect, ExplainLines, FileVersion,
    GetPatchChange, Glob, Ground, Hashes, Ignored, ListBatches, Numbered, PurgeTrash, ReadDoc, ReadFile, RejectBatch,
    RestoreFile, Run, Shared, TOOLS, Undo, UndoWhat, Value, WhenBinary, WriteFile, WritePatch, find,
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
    ReadFile {
        path: "a".into(),
        start_line: 1,
        end_line: None,
        max_bytes: 262_144,
        when_binary,
        hashes: Hashes::No,
        charset: None,
    }
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
    check(&[path.clone(), ("hashes", Value::Flag(true))], Call::ReadFile(ReadFile { hashes: Hashes::Yes, ..read() }));
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
        newline: None,
        link_target: None,
        executable: None,
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
        executable: None,
        shared,
    };
    check(&given, Call::WriteFile(write.clone()));
    let sha = Digest::of(b"x");
    check(
        &with(&[("newline", text("verbatim")), ("expectedSha256", text(&sha.to_string().to_uppercase()))]),
        Call::WriteFile(WriteFile { newline: Newline::Verbatim, expected: Some(sha.into()), ..write }),
    );
    refused("write_file", &with(&[("expectedSha256", text(""))]), "expectedSha256", Expected::Sha256Start);
}

#[test]
fn editing() {
    let edit = |more: Fields<'_>| {
        let fields = [&[("oldText", text("a")), ("newText", text(""))], more].concat();
        [("path", text("a")), ("edits", Value::List(vec![Value::Record(args(&fields))]))]
    };
    let want = |occurrences| {
        let edits = vec![ExactEdit { old: "a".into(), new: String::new(), occurrences }];
        Call::EditFile(EditFile {
            path: "a".into(),
            expected: None,
            edits,
            charset: None,
            executable: None,
            shared: Shared::default(),
        })
    };
    check(&edit(&[]), want(Occurrences::Once));
    check(&edit(&[("expectedOccurrences", Value::Whole(3))]), want(Occurrences::Exactly(3)));
    check(&edit(&[("replaceAll", Value::Flag(true))]), want(Occurrences::All));
    // Both: every occurrence, and it must be so many.
    let both = [("replaceAll", Value::Flag(true)), ("expectedOccurrences", Value::Whole(3))];
    check(&edit(&both), want(Occurrences::Exactly(3)));
}

/// Fields of operations of `edit`.
type Operations<'a> = &'a [Fields<'a>];

fn operations(all: Operations<'_>) -> (&'static str, Value) {
    ("operations", Value::List(all.iter().map(|fields| Value::Record(args(fields))).collect()))
}

fn anchored(fields: Fields<'_>, reach: Reach, deed: LineDeed, lines: &[&str]) {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let want = Edit::new("a", vec![LineOperation { deed, reach, lines, was: None }]);
    check(&[("path", text("a")), operations(&[fields])], Call::Edit(want));
}

#[test]
fn operations_on_anchors() {
    let content = ("content", text("x\r\ny\n"));
    let anchor = |word: &str| Anchor::parse(word).unwrap();
    let line = |word| Reach::Line { anchor: anchor(word), occurrence: None, line: None };
    for (op, deed) in [
        ("replace_line", LineDeed::Replace),
        ("insert_after", LineDeed::InsertAfter),
        ("insert_before", LineDeed::InsertBefore),
    ] {
        let fields = [("op", text(op)), ("hash", text("7#~a1b2c3d4")), content.clone()];
        anchored(&fields, line("7#~a1b2c3d4"), deed, &["x", "y"]);
    }
    anchored(&[("op", text("delete_line")), ("hash", text("A1B2C3"))], line("a1b2c3"), LineDeed::Delete, &[]);
    let ends = [("start_hash", text("a1b2c3")), ("end_hash", text("a1b2c3@2/5"))];
    let range = Reach::Range { start: anchor("a1b2c3"), end: anchor("a1b2c3@2/5") };
    anchored(&[&ends[..], &[("op", text("delete_range"))]].concat(), range, LineDeed::Delete, &[]);
    let fields = [&ends[..], &[("op", text("replace_range")), ("content", text("\n"))]].concat();
    anchored(&fields, range, LineDeed::Replace, &[""]); // one empty line

    let picked = [("op", text("delete_line")), ("hash", text("a1b2c3"))];
    let more = [("occurrence", Value::Whole(2)), ("line", Value::Whole(9))];
    let reach = Reach::Line { anchor: anchor("a1b2c3"), occurrence: Some(2), line: Some(9) };
    anchored(&[&picked[..], &more].concat(), reach, LineDeed::Delete, &[]);
    // An occurrence that says the same as the anchor does no harm.
    let same = [("op", text("delete_line")), ("hash", text("a1b2c3@2/5")), ("occurrence", Value::Whole(2))];
    let reach = Reach::Line { anchor: anchor("a1b2c3@2/5"), occurrence: Some(2), line: None };
    anchored(&same, reach, LineDeed::Delete, &[]);
}

#[test]
fn options_of_edit() {
    let delete: Fields<'_> = &[("op", text("delete_line")), ("hash", text("a1b2c3"))];
    let given = |fields: Fields<'_>| [fields, &[operations(&[delete])]].concat();
    let reach = Reach::Line { anchor: Anchor::parse("a1b2c3").unwrap(), occurrence: None, line: None };
    let edit = Edit::new("a", vec![LineOperation { deed: LineDeed::Delete, reach, lines: Vec::new(), was: None }]);
    let sha = Digest::of(b"x");
    check(
        &given(&[("path", text("a")), ("expectedSha256", text(&sha.to_string())), ("encoding", text("utf8"))]),
        Call::Edit(Edit { expected: Some(sha.into()), charset: Some(Charset::Utf8), ..edit.clone() }),
    );
    for (word, safety) in [("strict", Safety::Strict), ("warn", Safety::Warn), ("off", Safety::Off)] {
        let fields = given(&[("path", text("a")), ("safety_check", text(word)), ("dryRun", Value::Flag(true))]);
        let shared = Shared { run: Run::Dry, ..Shared::default() };
        check(&fields, Call::Edit(Edit { safety, shared, ..edit.clone() }));
    }
    refused("edit", &given(&[]), "path", Expected::Present("string"));
    refused(
        "edit",
        &given(&[("path", text("a")), ("expectedSha256", text("x"))]),
        "expectedSha256",
        Expected::Sha256Start,
    );
}

/// Every fault of these operations, as place and what was expected.
fn bad_operations(all: Operations<'_>, want: &[(&str, Expected)]) {
    match call("edit", &[("path", text("a")), operations(all)]) {
        Err(Refusal { why: Why::Arguments(faults), .. }) => {
            let got: Vec<_> = faults.iter().map(|fault| (fault.at.as_str(), fault.expected.clone())).collect();
            assert_eq!(got, want, "{all:?}");
        }
        other => panic!("{all:?}: {other:?}"),
    }
}

#[test]
fn operations_that_mix_what_does_not_belong_together() {
    const ONE_LINE: &str = "hash, occurrence, line";
    const RANGE: &str = "start_hash, end_hash";
    let (hash, content) = (("hash", text("a1b2c3")), ("content", text("x")));
    let (start, end) = (("start_hash", text("a1b2c3")), ("end_hash", text("d4e5f6")));
    for op in ["replace_line", "insert_after", "insert_before"] {
        let other = Expected::OtherOperation { op, fields: ONE_LINE };
        let fields = [("op", text(op)), hash.clone(), content.clone(), start.clone(), end.clone()];
        let want = [("operations[0].start_hash", other.clone()), ("operations[0].end_hash", other)];
        bad_operations(&[&fields], &want);
    }
    for (op, content) in [("replace_range", Some(content.clone())), ("delete_range", None)] {
        let other = Expected::OtherOperation { op, fields: RANGE };
        let fields = [("op", text(op)), start.clone(), end.clone()];
        for foreign in [hash.clone(), ("occurrence", Value::Whole(1)), ("line", Value::Whole(1))] {
            let at = format!("operations[0].{}", foreign.0);
            let fields = [&fields[..], content.as_slice(), &[foreign]].concat();
            bad_operations(&[&fields], &[(at.as_str(), other.clone())]);
        }
    }
    let other = |op, fields| [("operations[0].content", Expected::OtherOperation { op, fields })];
    bad_operations(&[&[("op", text("delete_line")), hash, content.clone()]], &other("delete_line", ONE_LINE));
    bad_operations(&[&[("op", text("delete_range")), start, end, content]], &other("delete_range", RANGE));
}

#[test]
fn operations_that_lack_something() {
    let (hash, content) = (("hash", text("a1b2c3")), ("content", text("x")));
    let replace = ("op", text("replace_line"));
    let missing = || Expected::Present("string");
    bad_operations(
        &[std::slice::from_ref(&replace), &[("op", text("delete_range"))]],
        &[
            ("operations[0].hash", missing()),
            ("operations[0].content", missing()),
            ("operations[1].start_hash", missing()),
            ("operations[1].end_hash", missing()),
        ],
    );
    let empty = [replace.clone(), hash, ("content", text(""))];
    bad_operations(&[&empty], &[("operations[0].content", Expected::Lines)]);
    for word in ["", "a1b2", "12#", "a1b2c3 [high]", "a1b2c3@3/2", "12#a1b2c3|x"] {
        let fields = [replace.clone(), ("hash", text(word)), content.clone()];
        bad_operations(&[&fields], &[("operations[0].hash", Expected::Anchor)]);
    }
    let two = [replace, ("hash", text("a1b2c3@2/5")), content, ("occurrence", Value::Whole(3))];
    bad_operations(&[&two], &[("operations[0].occurrence", Expected::SameOccurrence(2))]);
}

#[test]
fn trash() {
    let shared = Shared { run: Run::Dry, idempotency_key: Some("k".into()) };
    let given = [("dryRun", Value::Flag(true)), ("idempotencyKey", text("k"))];
    let with = |more: Fields<'_>| [&given, more].concat();
    let delete = DeleteFile { shared: shared.clone(), ..DeleteFile::new("a") };
    check(&with(&[("path", text("a"))]), Call::DeleteFile(delete));
    let restore = RestoreFile { shared: shared.clone(), ..RestoreFile::new("t") };
    check(&with(&[("trashId", text("t"))]), Call::RestoreFile(restore.clone()));
    let target = [("trashId", text("t")), ("targetPath", text("b"))];
    check(&with(&target), Call::RestoreFile(RestoreFile { shared: shared.clone(), ..RestoreFile::to("t", "b") }));
    let version = [("path", text("a")), ("version", text("b17")), ("side", text("before"))];
    let wanted = RestoreFile::version(FileVersion::before("a", "b17"));
    check(&with(&version), Call::RestoreFile(RestoreFile { shared: shared.clone(), ..wanted }));
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
fn some_calls_cannot_be_proposed() {
    for tool in ["undo", "apply_batch", "reject_batch", "purge_trash"].map(|name| find(name).unwrap()) {
        let fields = [("olderThan", text("1d")), ("batchId", text("a")), ("mode", text("propose"))];
        refused(tool.name, &fields, "mode", Expected::NoProposal);
    }
}

const BATCH: &str = "019a0000-0000-7000-8000-000000000001";

#[test]
fn looking_at_history() {
    check(&[], Call::ListBatches(ListBatches::default()));
    check(
        &[
            ("path", text("a")),
            ("sessionId", text("s")),
            ("since", text("2h")),
            ("status", text("conflicted")),
            ("limit", Value::Whole(9)),
            ("cursor", text("c")),
        ],
        Call::ListBatches(ListBatches {
            path: Some("a".into()),
            session: Some("s".into()),
            since: Some(After::Time(Age::OlderThan(7200))),
            status: Some(BatchStatus::Conflicted),
            limit: Some(9),
            cursor: Some("c".into()),
            ..ListBatches::default()
        }),
    );
    check(
        &[("since", text(&BATCH.to_uppercase()))],
        Call::ListBatches(ListBatches { since: Some(After::Batch(BATCH.into())), ..ListBatches::default() }),
    );
    for given in ["b17", "b17.3", "019a0000", "019A0000-0000"] {
        let since = Some(After::Batch(given.to_ascii_lowercase()));
        check(&[("since", text(given))], Call::ListBatches(ListBatches { since, ..ListBatches::default() }));
    }
    for given in ["noon", "b17.", "019a000"] {
        refused("list_batches", &[("since", text(given))], "since", Expected::AgeOrBatch);
    }

    let batch = ("batchId", text("b"));
    let whole = GetPatchChange::new("b");
    check(std::slice::from_ref(&batch), Call::GetPatchChange(whole.clone()));
    let one = GetPatchChange { change: Some("c".into()), ..whole };
    check(&[batch, ("changeId", text("c"))], Call::GetPatchChange(one.clone()));
    check(&[("changeId", text("c"))], Call::GetPatchChange(GetPatchChange { batch: None, ..one }));
    let file = GetPatchChange { file: Some("f".into()), ..GetPatchChange::default() };
    check(&[("filePatchId", text("f"))], Call::GetPatchChange(file.clone()));
    check(
        &[("filePatchId", text("f")), ("limit", Value::Whole(9)), ("cursor", text("1f"))],
        Call::GetPatchChange(GetPatchChange { limit: Some(9), cursor: Some("1f".into()), ..file }),
    );
    let any = || Expected::AnyOf(vec!["batchId", "changeId", "filePatchId"]);
    refused("get_patch_change", &[], "", any());
    refused("get_patch_change", &[("limit", Value::Whole(9))], "", any());
    let both = [("changeId", text("c")), ("filePatchId", text("f"))];
    refused("get_patch_change", &both, "filePatchId", Expected::Without("changeId"));

    let explain = ExplainLines { path: "a".into(), start: None, end: None };
    check(&[("path", text("a"))], Call::ExplainLines(explain.clone()));
    check(
        &[("path", text("a")), ("startLine", Value::Whole(3)), ("endLine", Value::Whole(3))],
        Call::ExplainLines(ExplainLines { start: Some(3), end: Some(3), ..explain }),
    );
    let backwards = [("path", text("a")), ("startLine", Value::Whole(3)), ("endLine", Value::Whole(2))];
    refused("explain_lines", &backwards, "endLine", Expected::FromStartLine(3));
}

#[test]
fn taking_back_and_carrying_out() {
    let undo = |what| Call::Undo(Undo { what, shared: Shared::default() });
    let batch = ("batchId", text("b"));
    let changes = ("changeIds", Value::List(vec![text("c"), text("d"), text("c")]));
    let once = Some(vec!["c".to_owned(), "d".to_owned()]);
    check(std::slice::from_ref(&batch), undo(UndoWhat::Batch { id: "b".into(), changes: None }));
    check(&[batch.clone(), changes.clone()], undo(UndoWhat::Batch { id: "b".into(), changes: once.clone() }));
    check(&[("path", text("a"))], undo(UndoWhat::Path("a".into())));
    check(&[("sessionId", text("s"))], undo(UndoWhat::Session("s".into())));
    check(&[("sinceBatchId", text("b"))], undo(UndoWhat::Since("b".into())));
    let all = || Expected::ExactlyOne(vec!["batchId", "changeIds", "path", "docPath", "sessionId", "sinceBatchId"]);
    refused("undo", &[], "", all());
    refused("undo", &[batch.clone(), ("path", text("a"))], "", all());
    check(std::slice::from_ref(&changes), undo(UndoWhat::Changes(vec!["c".into(), "d".into()])));
    refused("undo", &[("path", text("a")), changes.clone()], "path", Expected::BatchWithChanges);

    let apply =
        ApplyBatch { batch: Some("b".into()), changes: None, ground: Ground::MustBeTheSame, shared: Shared::default() };
    check(std::slice::from_ref(&batch), Call::ApplyBatch(apply.clone()));
    let alone = ApplyBatch { batch: None, changes: once.clone(), ..apply.clone() };
    check(std::slice::from_ref(&changes), Call::ApplyBatch(alone));
    refused("apply_batch", &[], "", Expected::AnyOf(vec!["batchId", "changeIds"]));
    check(
        &[batch.clone(), changes, ("rebase", Value::Flag(true)), ("dryRun", Value::Flag(true))],
        Call::ApplyBatch(ApplyBatch {
            changes: once,
            ground: Ground::MayHaveMoved,
            shared: Shared { run: Run::Dry, idempotency_key: None },
            ..apply
        }),
    );
    let reject = RejectBatch { batch: "b".into(), reason: None, shared: Shared::default() };
    check(
        &[batch.clone(), ("reason", text("no"))],
        Call::RejectBatch(RejectBatch { reason: Some("no".into()), ..reject }),
    );
}

fn record(fields: Fields<'_>) -> Value {
    Value::Record(args(fields))
}

fn texts(lines: &[&str]) -> Value {
    Value::List(lines.iter().map(|line| text(line)).collect())
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn reading_for_a_line_patch() {
    check(&[("docPath", text("a"))], Call::WorkspaceReadFile(ReadDoc::new("a")));
    check(
        &[("docPath", text("a")), ("maxBytes", Value::Whole(9)), ("numbered", Value::Flag(true))],
        Call::WorkspaceReadFile(ReadDoc { max_bytes: Some(9), numbered: Numbered::Yes, ..ReadDoc::new("a") }),
    );
    check(
        &[("docPath", text("a")), ("startLine", Value::Whole(3)), ("endLine", Value::Whole(3))],
        Call::WorkspaceReadFile(ReadDoc { start_line: 3, end_line: Some(3), ..ReadDoc::new("a") }),
    );
    let backwards = [("docPath", text("a")), ("startLine", Value::Whole(3)), ("endLine", Value::Whole(2))];
    refused("workspace_read_file", &backwards, "endLine", Expected::FromStartLine(3));
}

#[test]
fn patching_lines() {
    let sha = Digest::of(b"");
    let changes = Value::List(vec![
        record(&[
            ("operation", text("insert")),
            ("afterLine", Value::Whole(0)),
            ("newLines", texts(&["x"])),
            ("expectedLineBefore", Value::Null),
            ("expectedLineAfter", text("a")),
        ]),
        record(&[
            ("operation", text("replace")),
            ("startLine", Value::Whole(1)),
            ("endLine", Value::Whole(2)),
            ("expectedOriginalLines", texts(&["a", "b"])),
            ("newLines", texts(&["c"])),
            ("changeKey", text("k")),
            ("description", text("why")),
        ]),
        record(&[
            ("operation", text("delete")),
            ("startLine", Value::Whole(3)),
            ("endLine", Value::Whole(3)),
            ("expectedOriginalLines", texts(&[""])),
            ("changeId", Value::Null),
        ]),
    ]);
    let file = record(&[
        ("docPath", text("a.txt")),
        ("originalSha256", text(&sha.to_string())),
        ("changes", changes),
        ("fileKey", text("f")),
        ("fileLabel", text("F")),
    ]);
    let edits = vec![
        LineEdit { above: Quoted::Edge, below: Quoted::Line("a".into()), ..LineEdit::insert(0, owned(&["x"])) },
        LineEdit {
            key: Some("k".into()),
            description: Some("why".into()),
            ..LineEdit::replace(1, owned(&["a", "b"]), owned(&["c"]))
        },
        LineEdit::delete(3, owned(&[""])),
    ];
    let wanted = FilePatch { key: Some("f".into()), label: Some("F".into()), ..FilePatch::new("a.txt", sha, edits) };
    check(
        &[("files", Value::List(vec![file])), ("batchKey", text("b")), ("encoding", text("utf8"))],
        Call::WorkspaceWritePatch(WritePatch {
            key: Some("b".into()),
            charset: Some(Charset::Utf8),
            ignored: owned(&["files[0].changes[2].changeId"]),
            ..WritePatch::new(vec![wanted])
        }),
    );
}

/// What the reading of a line patch notes: the rules, each with its file and change.
fn noted(given: Args, want: &[(Option<usize>, Option<usize>, &str)]) {
    let Ok(Call::WorkspaceWritePatch(patch)) = Call::new(find("workspace_write_patch").unwrap(), &given) else {
        panic!("no line patch: {given:?}")
    };
    let found: Vec<_> = patch.unfit.iter().map(|fault| (fault.file, fault.change, fault.problem.rule())).collect();
    assert_eq!(found, want, "{given:?}");
}

#[test]
fn line_patches_that_do_not_fit_are_read_as_far_as_they_go() {
    let file = |changes: Vec<Value>, sha: &str| {
        record(&[("docPath", text("a")), ("originalSha256", text(sha)), ("changes", Value::List(changes))])
    };
    let sha = Digest::of(b"").to_string();
    let with = |change: Value| args(&[("files", Value::List(vec![file(vec![change], &sha)]))]);
    let first = |rule| (Some(0), Some(0), rule);
    noted(with(record(&[("operation", text("insert"))])), &[first("required_field"), first("required_field")]);
    let delete = [
        ("operation", text("delete")),
        ("startLine", Value::Unfit),
        ("endLine", Value::Whole(1)),
        ("expectedOriginalLines", texts(&["a"])),
    ];
    noted(with(record(&delete)), &[]); // the check of the arguments has told
    noted(with(record(&[&delete[..], &[("newLines", texts(&["x"]))]].concat())), &[first("foreign_field")]);
    noted(args(&[("files", Value::List(vec![Value::Unfit, file(vec![], "12")]))]), &[(Some(1), None, "sha256_format")]);
    noted(args(&[("encoding", text("klingon"))]), &[(None, None, "type")]);
    let fault = |field: &str| ArgumentFault {
        at: format!("files[0].changes[0].{field}"),
        expected: Expected::Type("string"),
        got: "5".into(),
    };
    let foreign = with(record(&[&delete[..], &[("newLines", Value::Unfit)]].concat()));
    let told = ["newLines", "newLines[0]", "newLinesToo"].map(fault).to_vec();
    noted(foreign.with_unfit(told), &[first("type"), first("foreign_field")]);
    let unfit =
        ArgumentFault { at: "files[0].changes[2].newLines".into(), expected: Expected::NotEmpty, got: "[]".into() };
    noted(args(&[]).with_unfit(vec![unfit]), &[(Some(0), Some(2), "not_empty")]);
}

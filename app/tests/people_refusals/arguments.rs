//! Arguments that do not fit.

use super::{Row, plain, row};
use patchwright_core::batch::BatchName;
use patchwright_core::refusal::{ArgumentFault, Expected, Many, Why};

fn fault(at: &str, expected: Expected, got: &str) -> ArgumentFault {
    ArgumentFault { at: at.into(), expected, got: got.into() }
}

fn one(typed: &'static str, fault: ArgumentFault, want: &'static str) -> Row {
    row(typed, plain(Why::Arguments(vec![fault])), want)
}

pub(crate) fn rows() -> Vec<Row> {
    single().into_iter().chain(values()).chain(relations()).collect()
}

fn single() -> Vec<Row> {
    let several = vec![
        fault("operations[0].opp", Expected::Field { known: vec!["op".into()], meant: Some("op".into()) }, "1"),
        fault("operations[1].hash", Expected::Anchor, "\"zz\""),
    ];
    let words = || vec!["replace_line".to_owned(), "insert_after".to_owned(), "delete_range".to_owned()];
    vec![
        row(
            "edit a -",
            plain(Why::Arguments(several)),
            r#"
patchwright: 2 arguments do not fit
  opp is no part of an operation
  the anchor of operation 2 must be an anchor such as a1b2c3 or 12#a1b2c3, and it is "zz"
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a -",
            fault("operations[0].hash", Expected::Present("string"), "nothing"),
            r#"
patchwright: the anchor is missing
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a -",
            fault("operations[0].op", Expected::Chosen(words()), "nothing"),
            r#"
patchwright: the operation is missing
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a -",
            fault("operations[0].op", Expected::OneOf(words()), "\"x\""),
            r#"
patchwright: the operation must be one of --replace, --after, --delete, and it is "x"
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "other",
            fault("propose", Expected::Field { known: Vec::new(), meant: None }, "1"),
            r#"
patchwright: an argument is not known
"#,
        ),
        one(
            "edit a -",
            fault("operations", Expected::Json("expected value at column 3".into()), "\"x\""),
            r#"
patchwright: the list of operations is not valid JSON: expected value at column 3
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a -",
            fault("operations[2].was", Expected::UniqueKey, "\"x\""),
            r#"
patchwright: --was of operation 3 is given twice
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "search x",
            fault("query", Expected::NotEmpty, "\"\""),
            r#"
patchwright: the text to look for must not be empty
hint: patchwright help search
"#,
        ),
    ]
}

fn values() -> Vec<Row> {
    let sha = "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85\"";
    vec![
        one(
            "read a",
            fault("startLine", Expected::Type("integer"), "\"x\""),
            r#"
patchwright: the first line must be a whole number, and it is "x"
hint: patchwright help read
"#,
        ),
        one(
            "edit a",
            fault("finalNewline", Expected::Type("boolean"), "\"x\""),
            r#"
patchwright: --final-newline must be true or false, and it is "x"
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("operations", Expected::Type("array"), "1"),
            r#"
patchwright: the list of operations must be a list, and it is 1
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("operations[0]", Expected::Type("object"), "1"),
            r#"
patchwright: operation 1 must be an object, and it is 1
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("path", Expected::Type("string"), "1"),
            r#"
patchwright: the path must be a text, and it is 1
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "log",
            fault("limit", Expected::Between(1, 1000), "0"),
            r#"
patchwright: the limit must be a whole number from 1 to 1000, and it is 0
hint: patchwright help log
"#,
        ),
        one(
            "read a",
            fault("startLine", Expected::Between(1, i64::MAX), "0"),
            r#"
patchwright: the first line must be a whole number of at least 1, and it is 0
hint: patchwright help read
"#,
        ),
        one(
            "edit a --sha256 x",
            fault("expectedSha256", Expected::Sha256, sha),
            r#"
patchwright: --sha256 must be a sha256, all 64 digits of it
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a --sha256 x",
            fault("expectedSha256", Expected::Sha256Start, "\"x\""),
            r#"
patchwright: --sha256 must be a sha256, or at least its first 12 digits, and it is "x"
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "read a",
            fault("encoding", Expected::Charset, "\"foo\""),
            r#"
patchwright: --encoding must be a charset such as utf-8, windows-1252 or shift_jis, and it is "foo"
hint: patchwright help read
"#,
        ),
        one(
            "apply x",
            fault("encodingByPath", Expected::PatchedFile, "\"b\""),
            r#"
patchwright: --encoding-for must be a file that the patch is about, spelt as there, and it is "b"
Nothing was changed.
hint: patchwright help apply
"#,
        ),
        one(
            "read a:9-3",
            fault("endLine", Expected::FromStartLine(9), "3"),
            r#"
patchwright: the last line must be 9 or more, where the lines begin, and it is 3
hint: patchwright help read
"#,
        ),
        one(
            "read a/",
            fault("path", Expected::FilePath, "\"a/\""),
            r#"
patchwright: the path must be the path of a file, without a slash at its end, and it is "a/"
hint: patchwright help read
"#,
        ),
        one(
            "other",
            fault("expectedSha256", Expected::HashesByPath, "\"x\""),
            r#"
patchwright: a folder has no sha256 of its own; its files have
"#,
        ),
        one(
            "trash purge --older-than xx",
            fault("olderThan", Expected::Age, "\"xx\""),
            r#"
patchwright: --older-than must be an age such as 30d or 12h, or a time such as 2026-01-31T00:00:00Z, and it is "xx"
Nothing was changed.
hint: patchwright help trash
"#,
        ),
        one(
            "log --since foo",
            fault("since", Expected::AgeOrBatch, "\"foo\""),
            r#"
patchwright: --since must be an age such as 2h, a time such as 2026-01-31T00:00:00Z, or a batch such as b17, and it is "foo"
hint: patchwright help log
"#,
        ),
        one(
            "other",
            fault("docPath", Expected::LowerCase("a.rs".into()), "\"A.rs\""),
            r#"
patchwright: the path must be in lower case, a.rs, and it is "A.rs"
"#,
        ),
        one(
            "other",
            fault("cursor", Expected::Cursor, "\"x\""),
            r#"
patchwright: an argument must be the place where an earlier answer ended, and it is "x"
"#,
        ),
        one(
            "edit a",
            fault("operations[0].content", Expected::Lines, "\"\""),
            r#"
patchwright: the new text needs at least one line
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("operations[0].content", Expected::WithoutNul, "text"),
            r#"
patchwright: the new text holds a NUL character
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("operations[0].content", Expected::BytesAtMost(9), "text"),
            r#"
patchwright: the new text has more than 9 bytes
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("edits", Expected::Places { most: 9, bytes: 10 }, "11"),
            r#"
patchwright: the list of edits stands in too many places: at most 9 change at once, by at most 10 bytes
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("operations[0].occurrence", Expected::SameOccurrence(2), "3"),
            r#"
patchwright: --occurrence is 3, and the anchor says 2
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("edits", Expected::AtMost(9, Many::Edits), "11"),
            r#"
patchwright: at most 9 edits go at once; this is 11
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "edit a",
            fault("edits", Expected::AtMost(9, Many::EditsOfThisFile), "11"),
            r#"
patchwright: at most 9 edits of a file of this size go at once; this is 11
Nothing was changed.
hint: patchwright help edit
"#,
        ),
        one(
            "apply a",
            fault("patch", Expected::AtMost(9, Many::HunksOfThisFile), "11"),
            r#"
patchwright: at most 9 hunks for a file of this size go at once; this is 11
Nothing was changed.
hint: patchwright help apply
"#,
        ),
        one(
            "apply a",
            fault("patch", Expected::AtMost(9, Many::Files), "11"),
            r#"
patchwright: at most 9 files go at once; this is 11
Nothing was changed.
hint: patchwright help apply
"#,
        ),
        one(
            "edit a",
            fault("operations", Expected::AtMost(9, Many::Entries), "11"),
            r#"
patchwright: at most 9 entries go at once; this is 11
Nothing was changed.
hint: patchwright help edit
"#,
        ),
    ]
}

fn relations() -> Vec<Row> {
    let ids = vec!["019a8c1e-77b2-7d00".to_owned(), "019a8c1e-77b3-7d00".to_owned()];
    let same = Expected::SameAs { name: "path", other: "file".into(), value: "\"b\"".into() };
    vec![
        one(
            "undo",
            fault("", Expected::ExactlyOne(vec!["batchId", "path", "sessionId"]), "two"),
            r#"
patchwright: exactly one of these must be given: the batch, the path, --session
Nothing was changed.
hint: patchwright help undo
"#,
        ),
        one(
            "show",
            fault("", Expected::AnyOf(vec!["batchId", "changeId"]), "none"),
            r#"
patchwright: one of these must be given: the batch, the change
hint: patchwright help show
"#,
        ),
        one(
            "undo 019a8c1e",
            fault("batchId", Expected::OneId(ids), "\"019a8c1e\""),
            r#"
patchwright: the batch is the beginning of 2 ids; more of it tells which
Nothing was changed.
hint: patchwright log --ids
"#,
        ),
        one(
            "other",
            fault("path", Expected::SameFile { name: "docPath", path: "b".into() }, "\"a\""),
            r#"
patchwright: "a" and b are different files
"#,
        ),
        one(
            "other",
            fault("path", same, "\"a\""),
            r#"
patchwright: the path is given twice, as "a" and as "b"
"#,
        ),
        one(
            "other",
            fault("newText", Expected::InList("edits"), "\"a\""),
            r#"
patchwright: the new text stands beside the list that it belongs into
"#,
        ),
        one(
            "reject b5.2",
            fault("batchId", Expected::WholeBatch(BatchName::new("x", 5)), "\"b5.2\""),
            r#"
patchwright: "b5.2" is one part of b5, and only a whole batch can be rejected
Nothing was changed.
hint: patchwright reject b5
"#,
        ),
        one(
            "undo b5",
            fault("changeIds", Expected::BatchWithChanges, "path"),
            r#"
patchwright: changes belong to a batch, which has to be named with them
Nothing was changed.
hint: patchwright help undo
"#,
        ),
        one(
            "undo b5",
            fault("mode", Expected::NoProposal, "\"propose\""),
            r#"
patchwright: this takes effect at once, and cannot be proposed
Nothing was changed.
hint: patchwright help undo
"#,
        ),
        one(
            "read a",
            fault("version", Expected::Without("encoding"), "\"b5\""),
            r#"
patchwright: the batch and --encoding cannot be given together
hint: patchwright help read
"#,
        ),
        one(
            "edit a -",
            fault(
                "operations[0].end_hash",
                Expected::OtherOperation { op: "delete_line", fields: "op, hash" },
                "\"a\"",
            ),
            r#"
patchwright: the anchor does not go with --delete
Nothing was changed.
hint: patchwright help edit
"#,
        ),
    ]
}

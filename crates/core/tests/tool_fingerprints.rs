//! The fingerprint of a call stands in the log beside its idempotency key: it must be the same in every version, and
//! another for any other call.
//!
//! `golden/fingerprints.txt` has one for each sample. A tool or argument that is new adds lines or, filled in a sample,
//! changes that sample's; what failed shows the whole file as it would be.

#![allow(clippy::unwrap_used, reason = "a test that fails shall panic")]

use patchwright_core::digest::Digest;
use patchwright_core::tool::{Args, Call, Effect, Need, Param, TOOLS, Tool, Value, find};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const GOLDEN: &str = include_str!("golden/fingerprints.txt");
const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const OTHER: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// An argument, and what it may be instead. `None` is an argument left out.
type Argument = (&'static str, Value, Vec<Option<Value>>);

/// A call with as many arguments as go together, none at its default.
struct Sample {
    label: &'static str,
    tool: &'static Tool,
    arguments: Vec<Argument>,
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn texts(words: &[&str]) -> Value {
    Value::List(words.iter().map(|word| text(word)).collect())
}

fn record(fields: &[(&str, Value)]) -> Value {
    Value::Record(Args::new(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()))
}

/// An argument that must be there.
fn must(name: &'static str, value: &str, other: &str) -> Argument {
    (name, text(value), vec![Some(text(other))])
}

/// An argument that may be left out.
fn may(name: &'static str, value: &str, other: &str) -> Argument {
    (name, text(value), vec![Some(text(other)), None])
}

fn set(name: &'static str, value: bool) -> Argument {
    (name, Value::Flag(value), vec![None])
}

fn proof(name: &'static str) -> Argument {
    may(name, HASH, OTHER)
}

fn propose() -> Argument {
    ("mode", text("propose"), vec![None])
}

fn encoding() -> Argument {
    may("encoding", "shift_jis", "windows-1252")
}

fn executable() -> Argument {
    ("executable", Value::Flag(true), vec![Some(Value::Flag(false)), None])
}

fn sample(label: &'static str, tool: &str, arguments: Vec<Argument>) -> Sample {
    Sample { label, tool: find(tool).unwrap(), arguments }
}

fn samples() -> Vec<Sample> {
    let parents = || set("createParentDirectories", true);
    let mut all = vec![
        sample(
            "create_file",
            "create_file",
            vec![must("path", "a", "b"), must("content", "x", ""), parents(), encoding(), propose()],
        ),
        sample(
            "write_file",
            "write_file",
            vec![
                must("path", "a", "b"),
                must("content", "x", "y"),
                proof("expectedSha256"),
                ("newline", text("verbatim"), vec![None]),
                encoding(),
                propose(),
            ],
        ),
        sample(
            "edit_file",
            "edit_file",
            vec![must("path", "a", "b"), proof("expectedSha256"), edits(), encoding(), propose()],
        ),
        sample(
            "apply_patch",
            "apply_patch",
            vec![
                must("patch", "p", "q"),
                expected_by_path(),
                set("atomic", false),
                ("conventions", text("codex"), vec![None]),
                parents(),
                encoding(),
                propose(),
            ],
        ),
    ];
    all.extend(of_names());
    all.extend(of_sorts());
    all.extend(of_lines());
    all.extend(of_history());
    all.extend(of_text());
    all
}

/// How files and their lines end, and charsets file by file.
fn of_text() -> Vec<Sample> {
    let charsets =
        |pairs: &[(&str, &str)]| record(&pairs.iter().map(|(path, name)| (*path, text(name))).collect::<Vec<_>>());
    let by_path = || {
        let others = [charsets(&[("a", "shift_jis")]), charsets(&[("b", "windows-1252")])];
        let others = others.into_iter().map(Some).chain([None]).collect();
        ("encodingByPath", charsets(&[("a", "windows-1252")]), others)
    };
    let ends = || may("newline", "crlf", "lf");
    let last = || ("finalNewline", Value::Flag(true), vec![Some(Value::Flag(false)), None]);
    let file = |more: &[(&str, Value)]| {
        let fields = [&[("docPath", text("t")), ("originalSha256", text(HASH))][..], more].concat();
        Value::List(vec![record(&fields)])
    };
    let files = || {
        let given = [("encoding", text("shift_jis")), ("finalNewline", Value::Flag(true))];
        let other = [("encoding", text("windows-1252")), ("finalNewline", Value::Flag(false))];
        (
            "files",
            file(&given),
            vec![Some(file(&other)), Some(file(&given[..1])), Some(file(&given[1..])), Some(file(&[]))],
        )
    };
    vec![
        sample("create_file newline", "create_file", vec![must("path", "t", "u"), must("content", "x", "y"), ends()]),
        sample("apply_patch encodingByPath", "apply_patch", vec![must("patch", "t", "u"), by_path(), ends()]),
        sample("edit finalNewline", "edit", vec![must("path", "t", "u"), operations(), last()]),
        sample("workspace_write_patch finalNewline", "workspace_write_patch", vec![files()]),
    ]
}

fn of_names() -> Vec<Sample> {
    vec![
        sample("delete_file", "delete_file", vec![must("path", "a", "b"), proof("expectedSha256"), propose()]),
        sample("restore_file", "restore_file", vec![must("trashId", "t", "u"), may("targetPath", "a", "b"), propose()]),
        sample(
            "restore_file version",
            "restore_file",
            vec![
                must("path", "a", "b"),
                must("version", "b17", "b18"),
                ("side", text("before"), vec![None]),
                propose(),
            ],
        ),
        sample(
            "move_file",
            "move_file",
            vec![
                must("fromPath", "a", "c"),
                must("toPath", "b", "c"),
                proof("expectedSha256"),
                set("overwrite", true),
                proof("expectedTargetSha256"),
                propose(),
            ],
        ),
    ]
}

fn of_sorts() -> Vec<Sample> {
    vec![
        sample(
            "create_file link",
            "create_file",
            vec![must("path", "a", "b"), must("linkTarget", "x", "y"), set("createParentDirectories", true), propose()],
        ),
        sample(
            "create_file executable",
            "create_file",
            vec![must("path", "a", "b"), must("content", "x", ""), executable()],
        ),
        sample(
            "write_file executable",
            "write_file",
            vec![must("path", "a", "b"), must("content", "x", "y"), executable()],
        ),
        sample("edit_file executable", "edit_file", vec![must("path", "a", "b"), edits(), executable()]),
        sample(
            "delete_file recursive",
            "delete_file",
            vec![must("path", "a", "b"), ("recursive", Value::Flag(true), Vec::new()), expected_by_path()],
        ),
        sample(
            "move_file recursive",
            "move_file",
            vec![
                must("fromPath", "a", "c"),
                must("toPath", "b", "c"),
                ("recursive", Value::Flag(true), Vec::new()),
                expected_by_path(),
            ],
        ),
    ]
}

fn of_lines() -> Vec<Sample> {
    let safety = || ("safety_check", text("warn"), vec![Some(text("off")), None]);
    let edit = vec![must("path", "a", "b"), operations(), proof("expectedSha256"), safety(), encoding(), propose()];
    vec![
        sample("edit", "edit", edit),
        sample("edit executable", "edit", vec![must("path", "a", "b"), operations(), executable()]),
        sample(
            "workspace_write_patch",
            "workspace_write_patch",
            vec![
                files(),
                may("batchLabel", "l", "m"),
                may("batchKey", "k", "l"),
                ("batchId", text("id"), vec![None]),
                encoding(),
                propose(),
            ],
        ),
    ]
}

fn of_history() -> Vec<Sample> {
    let changes = || {
        let others = [&["c"][..], &["d", "c"], &["cd"]].map(|words| Some(texts(words)));
        ("changeIds", texts(&["c", "d"]), others.into_iter().chain([None]).collect())
    };
    let apply = || ("mode", text("apply"), Vec::new());
    let undo = |label, name| sample(label, "undo", vec![must(name, "a", "b"), apply()]);
    vec![
        sample("purge_trash age", "purge_trash", vec![must("olderThan", "30d", "31d"), apply()]),
        sample(
            "purge_trash time",
            "purge_trash",
            vec![must("olderThan", "2026-01-31T00:00:00Z", "2026-01-31T00:00:01Z"), apply()],
        ),
        sample("undo batch", "undo", vec![must("batchId", "a", "b"), changes(), apply()]),
        sample("undo changes", "undo", vec![("changeIds", texts(&["c", "d"]), vec![Some(texts(&["c"]))]), apply()]),
        sample("undo parts", "undo", vec![must("changeId", "e", "f"), may("filePatchId", "g", "h"), apply()]),
        undo("undo path", "path"),
        undo("undo session", "sessionId"),
        undo("undo since", "sinceBatchId"),
        sample("apply_batch", "apply_batch", vec![must("batchId", "a", "b"), changes(), set("rebase", true), apply()]),
        sample(
            "apply_batch parts",
            "apply_batch",
            vec![must("changeId", "e", "f"), may("filePatchId", "g", "h"), apply()],
        ),
        sample("reject_batch", "reject_batch", vec![must("batchId", "a", "b"), may("reason", "r", ""), apply()]),
    ]
}

fn edits() -> Argument {
    let one = |old: &str, new: &str| record(&[("oldText", text(old)), ("newText", text(new))]);
    let counted =
        |count| record(&[("oldText", text("o")), ("newText", text("n")), ("expectedOccurrences", Value::Whole(count))]);
    let all = record(&[("oldText", text("o")), ("newText", text("n")), ("replaceAll", Value::Flag(true))]);
    let others = [
        vec![counted(3), one("a", "b")],
        vec![all.clone(), one("a", "b")],
        vec![one("o", "n"), one("a", "b")],
        vec![counted(2)],
        vec![one("a", "b"), counted(2)],
        vec![counted(2), one("ab", "")],
        vec![counted(2), one("a", "b"), all],
    ];
    ("edits", Value::List(vec![counted(2), one("a", "b")]), others.map(|list| Some(Value::List(list))).to_vec())
}

fn expected_by_path() -> Argument {
    let map =
        |pairs: &[(&str, &str)]| record(&pairs.iter().map(|(path, sha256)| (*path, text(sha256))).collect::<Vec<_>>());
    let others = [&[("a", HASH)][..], &[("a", HASH), ("b", HASH)], &[("a", HASH), ("c", "")]].map(&map);
    ("expectedSha256ByPath", map(&[("a", HASH), ("b", "")]), others.map(Some).into_iter().chain([None]).collect())
}

fn operations() -> Argument {
    let line = |op: &str, hash: &str, content: &str| {
        record(&[("op", text(op)), ("hash", text(hash)), ("content", text(content))])
    };
    let placed = |field: &str, at| {
        let fields = [("op", text("replace_line")), ("hash", text("a1b2c3")), ("content", text("x"))];
        record(&[&fields[..], &[(field, Value::Whole(at))]].concat())
    };
    let range = |op: &str, ends: [&str; 2]| {
        record(&[("op", text(op)), ("start_hash", text(ends[0])), ("end_hash", text(ends[1]))])
    };
    let replaced = record(&[
        ("op", text("replace_range")),
        ("start_hash", text("a1b2c3")),
        ("end_hash", text("5#~0c812f1b")),
        ("content", text("x\ny")),
    ]);
    let plain = || line("replace_line", "5#a1b2c3", "x");
    let quoting = |was: &str| {
        let fields = [("op", text("replace_line")), ("hash", text("5#a1b2c3")), ("content", text("x"))];
        record(&[&fields[..], &[("was", text(was))]].concat())
    };
    let others = vec![
        quoting("x"),
        quoting(""),
        quoting("x\ny"),
        line("replace_line", "6#a1b2c3", "x"),
        line("replace_line", "a1b2c3", "x"),
        line("replace_line", "5#a1b2c3d4", "x"),
        line("replace_line", "5#~a1b2c3d4", "x"),
        line("replace_line", "5#a1b2c3@1/2", "x"),
        line("replace_line", "5#a1b2c3", "x\ny"),
        line("insert_after", "5#a1b2c3", "x"),
        line("insert_before", "5#a1b2c3", "x"),
        record(&[("op", text("delete_line")), ("hash", text("5#a1b2c3"))]),
        placed("occurrence", 2),
        placed("occurrence", 3),
        placed("line", 2),
        range("delete_range", ["a1b2c3", "a1b2c4"]),
        range("delete_range", ["a1b2c4", "a1b2c3"]),
        replaced,
    ];
    let alone = others.iter().map(|other| Value::List(vec![other.clone()]));
    let more = others.iter().map(|other| Value::List(vec![plain(), other.clone()]));
    ("operations", Value::List(vec![plain()]), alone.chain(more).map(Some).collect())
}

fn files() -> Argument {
    let changes = |list: Vec<Value>| ("changes", Value::List(list));
    let insert: Vec<(&str, Value)> = vec![
        ("operation", text("insert")),
        ("afterLine", Value::Whole(3)),
        ("expectedLineBefore", text("above")),
        ("expectedLineAfter", Value::Null),
        ("newLines", texts(&["x", ""])),
        ("changeKey", text("c")),
        ("description", text("d")),
        ("changeId", text("id")),
    ];
    let replace: Vec<(&str, Value)> = vec![
        ("operation", text("replace")),
        ("startLine", Value::Whole(5)),
        ("endLine", Value::Whole(6)),
        ("expectedOriginalLines", texts(&["o", "p"])),
        ("newLines", texts(&["n"])),
    ];
    let delete = replace.iter().filter(|(name, _)| *name != "newLines").map(|(name, value)| match *name {
        "operation" => ("operation", text("delete")),
        name => (name, value.clone()),
    });
    let delete: Vec<(&str, Value)> = delete.collect();
    let file: Vec<(&str, Value)> = vec![
        ("docPath", text("a")),
        ("originalSha256", text(HASH)),
        changes(vec![record(&insert), record(&replace)]),
        ("fileKey", text("k")),
        ("fileLabel", text("l")),
        ("filePatchId", text("id")),
    ];
    let with = |list: Vec<Value>| record(&varied(&file, "changes", Some(Value::List(list))));
    let mut others = vec![with(vec![record(&insert), record(&delete)]), with(vec![record(&replace), record(&insert)])];
    // Beside the sample itself, which is older than these.
    let marks = [
        ("severity", text("m")),
        ("severity", text("n")),
        ("categories", texts(&["m"])),
        ("categories", texts(&["m", "n"])),
        ("tags", texts(&["m"])),
    ];
    let marked = marks.map(|mark| record(&[&insert[..], &[mark]].concat()));
    others.extend(marked.map(|insert| with(vec![insert, record(&replace)])));
    others.extend(each_other(&insert).into_iter().map(|insert| with(vec![insert, record(&replace)])));
    others.extend(each_other(&replace).into_iter().map(|replace| with(vec![record(&insert), replace])));
    others.extend(each_other(&file));
    let alone = others.into_iter().map(|other| Value::List(vec![other]));
    let twice = Value::List(vec![record(&file), record(&file)]);
    ("files", Value::List(vec![record(&file)]), alone.chain([twice]).map(Some).collect())
}

/// The same fields with one of them another, or left out.
fn varied<'a>(fields: &[(&'a str, Value)], name: &str, to: Option<Value>) -> Vec<(&'a str, Value)> {
    let other = |(known, value): &(&'a str, Value)| match (*known == name, &to) {
        (true, Some(to)) => Some((*known, to.clone())),
        (true, None) => None,
        (false, _) => Some((*known, value.clone())),
    };
    fields.iter().filter_map(other).collect()
}

/// For each field, a record without it, and one where it says something else.
fn each_other(fields: &[(&str, Value)]) -> Vec<Value> {
    let mut others = Vec::new();
    for (name, value) in fields {
        others.push(record(&varied(fields, name, None)));
        let to = match value {
            // That an id was given is all that counts of it.
            _ if name.ends_with("Id") => continue,
            Value::Text(said) if said == HASH => text(OTHER),
            Value::Text(said) if *name == "operation" => text(if said == "insert" { "replace" } else { "insert" }),
            Value::Text(said) => text(&format!("{said}2")),
            Value::Whole(number) => Value::Whole(number + 1),
            Value::Null => text("below"),
            Value::List(items) => Value::List(items.iter().take(1).cloned().collect()),
            other => other.clone(),
        };
        if to != *value {
            others.push(record(&varied(fields, name, Some(to))));
        }
    }
    others
}

fn call(tool: &Tool, fields: Vec<(&str, Value)>) -> Call {
    let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Call::new(tool, &Args::new(fields)).unwrap()
}

fn fingerprint(tool: &Tool, fields: Vec<(&str, Value)>) -> Digest {
    call(tool, fields).fingerprint().unwrap()
}

impl Sample {
    fn fields(&self) -> Vec<(&'static str, Value)> {
        self.arguments.iter().map(|(name, value, _)| (*name, value.clone())).collect()
    }

    fn with(&self, more: &[(&'static str, Value)]) -> Digest {
        fingerprint(self.tool, [self.fields(), more.to_vec()].concat())
    }
}

fn changing() -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().copied().filter(|tool| tool.parameters.iter().any(|param| param.name == "idempotencyKey"))
}

#[test]
fn fingerprints_are_what_they_were() {
    let mut now = String::new();
    for sample in samples() {
        writeln!(now, "{}: {}", sample.label, sample.with(&[])).unwrap();
    }
    assert!(now == GOLDEN, "the fingerprints would be:\n{now}");
}

#[test]
fn every_argument_of_every_tool_is_in_a_sample() {
    for tool in changing() {
        let samples = samples();
        let filled = samples.iter().filter(|sample| sample.tool.name == tool.name).flat_map(Sample::fields);
        let mut filled: BTreeSet<&str> = filled.map(|(name, _)| name).collect();
        filled.extend(["dryRun", "idempotencyKey"]);
        // A docPath has become a path before there is a fingerprint.
        let own = tool.parameters.iter().filter(|param| !matches!(param.need, Need::InPlaceOf(_)));
        let known: BTreeSet<&str> = own.map(|param| param.name).collect();
        assert_eq!(filled, known, "{}", tool.name);
    }
}

#[test]
fn any_other_argument_gives_another_fingerprint() {
    let mut seen: Vec<(Digest, String)> = Vec::new();
    for sample in samples() {
        let whole = sample.with(&[]);
        seen.push((whole, sample.label.to_owned()));
        for (name, _, others) in &sample.arguments {
            for other in others {
                let about = format!("{} {name}: {other:?}", sample.label);
                let call = call(sample.tool, varied(&sample.fields(), name, other.clone()));
                let found = call.fingerprint().unwrap();
                match call {
                    // It is never carried out: only calls that were must not be taken for it.
                    Call::WorkspaceWritePatch(ask) if !ask.unfit.is_empty() => assert_ne!(found, whole, "{about}"),
                    _ => seen.push((found, about)),
                }
            }
        }
    }
    seen.sort();
    let same = seen.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let same: Vec<_> = same.map(|pair| (&pair[0].1, &pair[1].1)).collect();
    assert!(same.is_empty() && seen.len() > 100, "{same:#?}");
}

#[test]
fn the_key_does_not_count_and_a_dry_run_does() {
    for sample in samples() {
        let plain = fingerprint(sample.tool, varied(&sample.fields(), "mode", None));
        let with = |name: &'static str, value: Value| {
            let fields = [varied(&sample.fields(), "mode", None), vec![(name, value)]].concat();
            fingerprint(sample.tool, fields)
        };
        assert_eq!(with("idempotencyKey", text("k")), plain, "{}", sample.label);
        let looks = sample.tool.effect == Effect::Looks;
        assert_eq!(with("dryRun", Value::Flag(true)) == plain, looks, "{}", sample.label);
    }
}

/// What an argument is when it is left out, where that is something.
fn default_of(param: &Param) -> Option<Value> {
    let Need::Default(said) = param.need else { return None };
    Some(match said {
        "true" | "false" => Value::Flag(said == "true"),
        _ if said.starts_with('"') => text(said.trim_matches('"')),
        number => Value::Whole(number.parse().unwrap()),
    })
}

#[test]
fn a_default_spelt_out_is_the_same_call() {
    for sample in samples() {
        let defaults: Vec<(&str, Value)> =
            sample.tool.parameters.iter().filter_map(|param| Some((param.name, default_of(param)?))).collect();
        let is_default = |name: &str| defaults.iter().any(|(known, _)| *known == name);
        let bare: Vec<_> = sample.fields().into_iter().filter(|(name, _)| !is_default(name)).collect();
        let spelt = [bare.clone(), defaults.clone()].concat();
        assert_eq!(fingerprint(sample.tool, spelt), fingerprint(sample.tool, bare), "{}", sample.label);
    }
    let edit = |more: &[(&str, Value)]| {
        let edit = record(&[&[("oldText", text("o")), ("newText", text("n"))][..], more].concat());
        fingerprint(find("edit_file").unwrap(), vec![("path", text("a")), ("edits", Value::List(vec![edit]))])
    };
    let spelt = [("expectedOccurrences", Value::Whole(1)), ("replaceAll", Value::Flag(false))];
    assert_eq!(edit(&spelt), edit(&[]));
}

#[test]
fn the_order_of_a_map_does_not_count() {
    let map = |pairs: [&str; 2]| {
        let map = record(&pairs.map(|path| (path, text(HASH))));
        fingerprint(find("apply_patch").unwrap(), vec![("patch", text("p")), ("expectedSha256ByPath", map)])
    };
    assert_eq!(map(["a", "b"]), map(["b", "a"]));
}

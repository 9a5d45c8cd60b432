//! Line patches that break rules.

use super::{Row, plain, row};
use patchwright_core::refusal::{
    ArgumentFault, Differing, DifferingLine, Expected, Intruder, LineFault, LinePlace, LineProblem, Refusal,
    RepeatedLines, Side, Why,
};

fn fault(problem: LineProblem) -> LineFault {
    LineFault {
        file: Some(0),
        doc_path: Some("src/a.rs".into()),
        path: Some("src/a.rs".into()),
        change: Some(1),
        key: Some("k".into()),
        about: Some(LinePlace::Replace { first: 3, last: 5 }),
        problem,
    }
}

fn one(problem: LineProblem, want: &'static str) -> Row {
    row("other", plain(Why::LinePatch(vec![fault(problem)])), want)
}

pub(crate) fn rows() -> Vec<Row> {
    rules().into_iter().chain(content()).collect()
}

fn rules() -> Vec<Row> {
    let at = LinePlace::Delete { first: 3, last: 3 };
    let argument = ArgumentFault { at: "files[0].docPath".into(), expected: Expected::NotEmpty, got: "\"\"".into() };
    let bare = LineFault { path: None, doc_path: None, change: None, about: None, ..fault(LineProblem::Reversed) };
    let insert =
        LineFault { about: Some(LinePlace::Insert { after: 4 }), ..fault(LineProblem::BeyondEnd { count: 3 }) };
    let own = "startLine, endLine";
    let line = |what| LineProblem::NotOneLine { field: "newLines", index: Some(0), what };
    vec![
        one(
            LineProblem::Argument(argument),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): the path must not be empty
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::FieldMissing { field: "expectedOriginalLines", operation: "replace" },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): to replace, the text that is there has to be given
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::FieldForeign { field: "newLines", operation: "delete", own },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): to delete, the new text is not given
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::UpperCase { lower: "src/a.rs".into() },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): its name is given in lower case, src/a.rs
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::SameFile { earlier: 0, path: None },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): it is the same file as file 1
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::SameKey { field: "changeKey", key: "k".into(), earlier: 0 },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): the key k is that of number 1 already
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "other",
            plain(Why::LinePatch(vec![bare.clone()])),
            r#"
patchwright: file 1: it ends before it begins
"#,
        ),
        row(
            "other",
            plain(Why::LinePatch(vec![insert.clone()])),
            r#"
patchwright: src/a.rs, change 2 (insert after line 4): the file has 3 lines
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "other",
            plain(Why::LinePatch(vec![bare, insert])),
            r#"
patchwright: the patch breaks 2 rules
  file 1: it ends before it begins
  src/a.rs, change 2 (insert after line 4): the file has 3 lines
"#,
        ),
        one(
            LineProblem::ExpectedCount { wanted: 3, given: 2 },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): it has 3 lines, and 2 were quoted
hint: patchwright read src/a.rs
"#,
        ),
        one(
            line(Intruder::Newline),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): a line of it holds a line break
hint: patchwright read src/a.rs
"#,
        ),
        one(
            line(Intruder::CarriageReturn),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): a line of it holds a carriage return at its end
hint: patchwright read src/a.rs
"#,
        ),
        one(
            line(Intruder::Nul),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): a line of it holds a NUL character
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::Order { earlier: 0, place: at },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): it stands above change 1, which comes before it
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::Overlap { other: 0, place: at },
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): it touches lines of change 1
hint: patchwright read src/a.rs
"#,
        ),
    ]
}

fn content() -> Vec<Row> {
    let pair = |line| DifferingLine { line, expected: "a".into(), actual: "b".into(), quotable: true };
    let differs =
        |count, instead| LineProblem::Differs(Box::new(Differing { first: 3, count, pairs: vec![pair(4)], instead }));
    let neighbour = |side| LineProblem::Neighbour { side, expected: Some("a".into()), actual: None, instead: Some(9) };
    let repeated = RepeatedLines { lines: vec![9, 12], more: true, above: None, below: None, wider: None };
    vec![
        one(
            differs(1, None),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): line 4 is not what was expected
  expected  a
  file      b
hint: patchwright read src/a.rs
"#,
        ),
        one(
            differs(3, Some(8)),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): line 4 and 2 other lines are not what was expected
  expected  a
  file      b
  what was expected stands at line 8
hint: patchwright read src/a.rs
"#,
        ),
        one(
            neighbour(Side::Before),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): the line above it is not the one quoted
  expected  a
  file      (no line)
  what was quoted stands at line 9
hint: patchwright read src/a.rs
"#,
        ),
        one(
            neighbour(Side::After),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): the line below it is not the one quoted
  expected  a
  file      (no line)
  what was quoted stands at line 9
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::Repeated(Box::new(repeated)),
            r#"
patchwright: src/a.rs, change 2 (replace lines 3-5): the same lines stand at lines 9 and 12 and elsewhere, too
hint: patchwright read src/a.rs
"#,
        ),
        one(
            LineProblem::File(Box::new(Refusal::about("src/a.rs", Why::Binary))),
            r#"
patchwright: src/a.rs is a binary file, and this needs text
  if it is text in a charset of its own: --encoding NAME, such as utf-16le
"#,
        ),
    ]
}

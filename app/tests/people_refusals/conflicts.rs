//! What meets other content than it was made for.

use super::{Row, plain, row};
use patchwright_app::report::people::refusal::{Part, rest_without};
use patchwright_core::batch::{BatchName, ChangeName, Role};
use patchwright_core::refusal::{
    Conflict, ConflictLine, ConflictPlace, ConflictReason, LineBy, Refusal, SinceBatch, Why,
};

const ID: &str = "019a8c1e-77b2-7d00-8000-0000000000aa";

fn batch(number: u64) -> BatchName {
    BatchName::new(ID, number)
}

fn change(batch: u64, place: u64) -> ChangeName {
    ChangeName { id: format!("019a8c1e-77b2-7d00-8000-{batch:06}{place:06}"), batch, place }
}

pub(crate) fn by(number: u64, client: &str) -> SinceBatch {
    SinceBatch {
        batch: batch(number),
        session: "s".into(),
        client: client.into(),
        actor: None,
        role: Role::Agent,
        tool: "apply_patch".into(),
        time_ns: 0,
        lines: vec![(39, 39)],
        about: None,
    }
}

pub(crate) fn place(reason: ConflictReason) -> ConflictPlace {
    ConflictPlace {
        path: "src/a.rs".into(),
        change: Some(change(3, 3)),
        reason,
        lines: None,
        expected: Vec::new(),
        actual: Vec::new(),
        by: Vec::new(),
        line_by: LineBy::Unknown,
        line: None,
    }
}

pub(crate) fn lines(reason: ConflictReason, by: Vec<SinceBatch>) -> ConflictPlace {
    let expected = vec!["let args = &[\"rev-parse\", \"--short=12\"];".to_owned()];
    let actual = vec!["let args = &[\"rev-parse\", \"--short=16\"];".to_owned()];
    let line_by = by.first().cloned().map_or(LineBy::Unknown, LineBy::Batch);
    ConflictPlace { lines: Some((39, 39)), expected, actual, by, line_by, ..place(reason) }
}

fn met(number: u64, places: Vec<ConflictPlace>) -> Refusal {
    plain(Why::Conflict(Box::new(Conflict { batch: Some(batch(number)), places })))
}

pub(crate) fn one(place: ConflictPlace) -> Refusal {
    met(3, vec![place])
}

pub(crate) fn codex() -> Vec<SinceBatch> {
    vec![by(9, "codex-mcp-client/0.46.0")]
}

pub(crate) fn rows() -> Vec<Row> {
    undos().into_iter().chain(files()).collect()
}

fn undos() -> Vec<Row> {
    use ConflictReason::{Changed, Inseparable, Shared, Touched};
    let elsewhere = |path: &str, by| ConflictPlace { path: path.into(), ..lines(Touched, by) };
    let foreign = || ConflictPlace { line_by: LineBy::Foreign, ..lines(Touched, codex()) };
    let line = ConflictLine { number: Some(41), expected: Some("b".into()), actual: None };
    let blanks = ConflictPlace {
        expected: vec!["  a".into(), "b".into()],
        actual: vec!["\ta".into(), "b".into()],
        ..lines(Touched, Vec::new())
    };
    let many = (1..=5).map(|line| format!("line {line}")).collect();
    vec![
        row(
            "undo b3",
            one(lines(Touched, codex())),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b9 first, or the rest alone: undo b3.1 b3.2
"#,
        )
        .rest("b3.1 b3.2"),
        row(
            "undo b3",
            one(lines(Touched, codex())),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo b3 -n",
            one(lines(Touched, vec![by(9, "patchwright-cli/0.1.0")])),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 you     let args = &["rev-parse", "--short=16"];
hint: patchwright -R ../other undo b9 first
"#,
        )
        .flags("-R ../other"),
        row(
            "undo b3.3",
            one(lines(Touched, Vec::new())),
            r#"
patchwright: cannot take back b3.3: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  now        let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
        row(
            "undo b3",
            one(lines(Touched, Vec::new())),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  now        let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b3.1
"#,
        )
        .rest("b3.1"),
        row(
            "undo b3",
            one(ConflictPlace { expected: Vec::new(), actual: many, ..lines(Touched, codex()) }),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  (no line)
  b9 codex   line 1
             line 2
             …
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo b3",
            one(foreign()),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left        let args = &["rev-parse", "--short=12"];
  another program  let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
        row(
            "undo b3",
            met(3, vec![lines(Touched, codex()), foreign()]),
            r#"
patchwright: cannot take back b3: src/a.rs:39 and 1 more place have changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
  src/a.rs:39 too (another program)
Nothing was changed.
hint: patchwright undo b3.1
"#,
        )
        .rest("b3.1"),
        row(
            "undo b3",
            one(ConflictPlace { line: Some(line), lines: Some((39, 42)), ..lines(Touched, codex()) }),
            r#"
patchwright: cannot take back b3: src/a.rs:41 has changed since
  b3.3 left  b
  b9 codex   (no line)
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo b3",
            one(blanks),
            r#"
patchwright: cannot take back b3: src/a.rs:39 has changed since
  b3.3 left  ··a
             b
  now        →a
             b
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
        row(
            "undo b3",
            met(
                3,
                vec![
                    lines(Touched, codex()),
                    elsewhere("src/b.rs", codex()),
                    elsewhere("src/c.rs", vec![by(12, "claude-code/2")]),
                    elsewhere("src/d.rs", codex()),
                ],
            ),
            r#"
patchwright: cannot take back b3: src/a.rs:39 and 3 more places have changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
  src/b.rs:39 too (b9 codex)
  src/c.rs:39 too (b12 claude-code)
  and 1 more place
Nothing was changed.
hint: patchwright undo b12 first
"#,
        ),
        row(
            "redo",
            met(20, vec![lines(Touched, codex())]),
            r#"
patchwright: cannot bring back b20: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b9 first, then undo b20
"#,
        ),
        row(
            "undo b1 b2 b3 b4 b5",
            met(4, vec![lines(Changed, codex())]),
            r#"
patchwright: cannot take back b4: src/a.rs:39 has changed since
  b3.3 left  let args = &["rev-parse", "--short=12"];
  b9 codex   let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo",
            one(ConflictPlace { by: codex(), ..place(Changed) }),
            r#"
patchwright: cannot take back b3: src/a.rs has changed since
  that was b9 codex
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo b3.2",
            one(place(Inseparable)),
            r#"
patchwright: cannot take back b3.2: the changes of src/a.rs cannot be told apart line by line
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "undo b3",
            one(place(Inseparable)),
            r#"
patchwright: cannot take back b3: the changes of src/a.rs cannot be told apart line by line
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
        row(
            "undo b3.2",
            one(ConflictPlace { change: Some(change(3, 2)), ..place(Shared(vec![change(3, 3)])) }),
            r#"
patchwright: cannot take back b3.2: it shares lines of src/a.rs with b3.3; they go together or not at all
Nothing was changed.
hint: patchwright undo b3.2 b3.3
"#,
        ),
        row(
            "accept b3.1 b3.2 --rebase",
            one(ConflictPlace { change: Some(change(3, 2)), ..place(Shared(vec![change(3, 3)])) }),
            r#"
patchwright: cannot accept b3.1 b3.2: b3.2 shares lines of src/a.rs with b3.3; they go together or not at all
Nothing was changed.
hint: patchwright accept b3.1 b3.2 b3.3 --rebase
"#,
        ),
    ]
}

fn files() -> Vec<Row> {
    use ConflictReason::{Final, Gone, Moved, NotKept, Occupied, Removed, Replaced, Returned};
    vec![
        row(
            "undo b3",
            one(ConflictPlace { by: codex(), ..place(Gone) }),
            r#"
patchwright: cannot take back b3: src/a.rs is no longer there
  that was b9 codex
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "accept b3",
            one(place(Gone)),
            r#"
patchwright: cannot accept b3: src/a.rs is no longer there
Nothing was changed.
hint: patchwright reject b3
"#,
        ),
        row(
            "undo b3",
            one(place(Removed { version: Some(batch(7)) })),
            r#"
patchwright: cannot take back b3: src/a.rs is no longer there: another program removed it
Nothing was changed.
hint: patchwright read src/a.rs@b7 > src/a.rs
"#,
        ),
        row(
            "undo b3",
            one(place(Removed { version: Some(batch(7)) })),
            r#"
patchwright: cannot take back b3: src/a.rs is no longer there: another program removed it
Nothing was changed.
hint: patchwright --root ../x show b3.3
"#,
        )
        .flags("--root ../x"),
        row(
            "undo b3",
            one(place(Removed { version: None })),
            r#"
patchwright: cannot take back b3: src/a.rs is no longer there: another program removed it
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
        row(
            "undo b3",
            one(ConflictPlace { by: codex(), ..place(Returned) }),
            r#"
patchwright: cannot take back b3: src/a.rs is there again already
  that was b9 codex
Nothing was changed.
hint: patchwright log src/a.rs
"#,
        ),
        row(
            "undo b3",
            one(ConflictPlace { by: codex(), ..place(Moved) }),
            r#"
patchwright: cannot take back b3: src/a.rs was moved since, or another file has its name
  that was b9 codex
Nothing was changed.
hint: patchwright undo b9 first
"#,
        ),
        row(
            "undo b3",
            one(place(Moved)),
            r#"
patchwright: cannot take back b3: src/a.rs was moved since, or another file has its name
Nothing was changed.
hint: patchwright log src/a.rs
"#,
        ),
        row(
            "undo b3",
            one(place(Occupied)),
            r#"
patchwright: cannot take back b3: something stands at src/a.rs, where the file belongs
  mv src/a.rs src/a.rs.other makes room
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            one(ConflictPlace { path: "my notes/it's.md".into(), ..place(Occupied) }),
            r#"
patchwright: cannot take back b3: something stands at my notes/it's.md, where the file belongs
  mv 'my notes/it'\''s.md' 'my notes/it'\''s.md.other' makes room
Nothing was changed.
hint: patchwright undo b3.1
"#,
        )
        .rest("b3.1"),
        row(
            "undo b3",
            one(ConflictPlace { path: String::new(), ..place(Final) }),
            r#"
patchwright: b3 emptied the trash, and that cannot be taken back
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            one(ConflictPlace { path: String::new(), ..place(Replaced) }),
            r#"
patchwright: taking b3 back would change nothing: another undo has done the same since
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "undo b3",
            one(place(NotKept)),
            r#"
patchwright: cannot take back b3: what it needs of src/a.rs is no longer kept
Nothing was changed.
hint: patchwright show b3.3
"#,
        ),
    ]
}

#[test]
fn what_may_go_alone() {
    use ConflictReason::{Changed, Touched};
    let names: Vec<ChangeName> = (1..=4).map(|place| change(3, place)).collect();
    let all: Vec<Part<'_>> = names.iter().zip(["a", "a", "b", "b"]).map(|(name, path)| Part { name, path }).collect();
    let check = |reason: ConflictReason, at: u64, want: &[&str]| {
        let place = ConflictPlace { change: Some(change(3, at)), path: "moved".into(), ..place(reason) };
        let conflict = Conflict { batch: Some(batch(3)), places: vec![place] };
        assert_eq!(rest_without(&conflict, &all), want);
    };
    check(Touched, 1, &["b3.2", "b3.3", "b3.4"]);
    check(Touched, 4, &["b3.1", "b3.2", "b3.3"]);
    check(Changed, 3, &["b3.1", "b3.2"]);
    check(Touched, 9, &[]);
}

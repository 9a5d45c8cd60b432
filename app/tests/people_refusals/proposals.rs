//! Proposals that the files do not fit, and batches that do not stand as a command needs them.

use super::conflicts::{codex, lines, one, place};
use super::{Row, row};
use patchwright_core::batch::BatchStatus;
use patchwright_core::refusal::{ConflictPlace, ConflictReason};

pub(crate) fn rows() -> Vec<Row> {
    proposals().into_iter().chain(standing()).collect()
}

fn proposals() -> Vec<Row> {
    use ConflictReason::{GroundMoved, Outdated, Touched};
    vec![
        row(
            "accept b3",
            one(lines(GroundMoved, codex())),
            r#"
patchwright: cannot accept b3: src/a.rs:39 has changed since it was proposed
  b3 saw    let args = &["rev-parse", "--short=12"];
  b9 codex  let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright accept b3 --rebase
"#,
        ),
        row(
            "accept b3 --rebase",
            one(lines(GroundMoved, codex())),
            r#"
patchwright: cannot accept b3: src/a.rs:39 has changed since it was proposed
  b3 saw    let args = &["rev-parse", "--short=12"];
  b9 codex  let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright reject b3
"#,
        ),
        row(
            "accept b3 --rebase",
            one(lines(Touched, codex())),
            r#"
patchwright: cannot accept b3: src/a.rs:39 has changed since it was proposed
  b3 saw    let args = &["rev-parse", "--short=12"];
  b9 codex  let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright undo b9 first, or drop it: reject b3
"#,
        ),
        row(
            "accept b3 --rebase",
            one(lines(Touched, codex())),
            r#"
patchwright: cannot accept b3: src/a.rs:39 has changed since it was proposed
  b3 saw    let args = &["rev-parse", "--short=12"];
  b9 codex  let args = &["rev-parse", "--short=16"];
Nothing was changed.
hint: patchwright accept b3.1 b3.2 --rebase
"#,
        )
        .rest("b3.1 b3.2"),
        row(
            "accept b3",
            one(ConflictPlace { change: None, ..place(Outdated) }),
            r#"
patchwright: cannot accept b3: src/a.rs is not what it was proposed for
Nothing was changed.
hint: patchwright reject b3
"#,
        ),
    ]
}

fn standing() -> Vec<Row> {
    let stands =
        |status| one(ConflictPlace { path: String::new(), change: None, ..place(ConflictReason::Status(status)) });
    let part = ConflictPlace { path: String::new(), ..place(ConflictReason::Status(BatchStatus::Undone)) };
    vec![
        row(
            "undo b3",
            stands(BatchStatus::Proposed),
            r#"
patchwright: b3 is only proposed: nothing of it is in the files
Nothing was changed.
hint: patchwright reject b3
"#,
        ),
        row(
            "undo b3",
            stands(BatchStatus::Conflicted),
            r#"
patchwright: b3 is a proposal that the files no longer fit: nothing of it is in them
Nothing was changed.
hint: patchwright reject b3
"#,
        ),
        row(
            "undo b3",
            stands(BatchStatus::Rejected),
            r#"
patchwright: b3 was rejected: nothing of it is in the files
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            stands(BatchStatus::Undone),
            r#"
patchwright: b3 was taken back already
Nothing was changed.
hint: patchwright show b3
"#,
        ),
        row(
            "undo b3.3",
            one(part),
            r#"
patchwright: b3.3 was taken back already
Nothing was changed.
hint: patchwright show b3
"#,
        ),
        row(
            "accept b3",
            stands(BatchStatus::Applied),
            r#"
patchwright: b3 is in the files already
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "reject b3",
            stands(BatchStatus::Applied),
            r#"
patchwright: b3 is in the files already
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "accept b3",
            stands(BatchStatus::Rejected),
            r#"
patchwright: b3 was rejected: nothing of it is in the files
Nothing was changed.
hint: patchwright -R ../x diff b3 | patchwright -R ../x apply
"#,
        )
        .flags("-R ../x"),
        row(
            "reject b3",
            stands(BatchStatus::Rejected),
            r#"
patchwright: b3 was rejected: nothing of it is in the files
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            stands(BatchStatus::Undone),
            r#"
patchwright: b3 was accepted, and taken back since
Nothing was changed.
hint: patchwright show b3
"#,
        ),
    ]
}

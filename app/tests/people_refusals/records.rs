//! What the record does not have.

use super::{Row, at, plain, row};
use patchwright_core::batch::BatchName;
use patchwright_core::refusal::{Missing, NoVersion, Refusal, Why};

const ID: &str = "019a8c1e-77b2-7d00-8000-0000000000aa";

fn batch() -> BatchName {
    BatchName::new(ID, 5)
}

fn absent(missing: Missing) -> Refusal {
    plain(Why::NotFound(missing))
}

fn absent_at(missing: Missing) -> Refusal {
    at("src/a.rs", Why::NotFound(missing))
}

pub(crate) fn rows() -> Vec<Row> {
    batches().into_iter().chain(files()).chain(versions()).collect()
}

fn batches() -> Vec<Row> {
    let id = |id: &str| id.to_owned();
    vec![
        row(
            "undo b99",
            absent(Missing::Batch { id: id("b99") }),
            r#"
patchwright: there is no batch b99
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "show 019a8c1e77b2",
            absent(Missing::Batch { id: id(ID) }),
            r#"
patchwright: there is no batch with that id
hint: patchwright log
"#,
        ),
        row(
            "undo b5.9",
            absent(Missing::Change { id: id("b5.9"), batch: batch() }),
            r#"
patchwright: b5 has no change b5.9
Nothing was changed.
hint: patchwright show b5
"#,
        ),
        row(
            "undo b5 b5",
            absent(Missing::Change { id: id("b5"), batch: batch() }),
            r#"
patchwright: b5 is the batch itself, not a change of it
Nothing was changed.
hint: patchwright show b5
"#,
        ),
        row(
            "undo b5",
            absent(Missing::Change { id: id(ID), batch: batch() }),
            r#"
patchwright: b5 has no such change
Nothing was changed.
hint: patchwright show b5
"#,
        ),
        row(
            "show b5.9",
            absent(Missing::AnyChange { id: id("b5.9") }),
            r#"
patchwright: there is no change b5.9
hint: patchwright log
"#,
        ),
        row(
            "undo b5",
            absent(Missing::ChangeNotBatch { id: id("b5"), batch: batch() }),
            r#"
patchwright: b5 is a batch, not a change
Nothing was changed.
hint: patchwright undo b5
"#,
        ),
        row(
            "accept b5",
            absent(Missing::ChangeNotBatch { id: id("b5"), batch: batch() }),
            r#"
patchwright: b5 is a batch, not a change
Nothing was changed.
hint: patchwright accept b5
"#,
        ),
        row(
            "undo --session nightly",
            absent(Missing::Session { id: id("nightly") }),
            r#"
patchwright: no session nightly has changed anything that still stands
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "undo --session x",
            absent(Missing::Session { id: id(ID) }),
            r#"
patchwright: that session has changed nothing that still stands
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "undo",
            absent(Missing::Undoable),
            r#"
patchwright: nothing is on record that could be taken back
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "redo",
            absent(Missing::Undoable),
            r#"
patchwright: there is no undo that could be taken back
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "undo src/a.rs",
            absent_at(Missing::Undoable),
            r#"
patchwright: nothing on record of src/a.rs could be taken back
  what other programs do is not on record
Nothing was changed.
hint: patchwright log
"#,
        ),
        row(
            "trash restore NOTES.md",
            absent(Missing::TrashEntry { id: id("NOTES.md") }),
            r#"
patchwright: nothing in the trash is called NOTES.md
Nothing was changed.
hint: patchwright trash
"#,
        ),
        row(
            "trash restore x",
            absent(Missing::TrashEntry { id: id(ID) }),
            r#"
patchwright: nothing in the trash has that id
Nothing was changed.
hint: patchwright trash
"#,
        ),
    ]
}

fn files() -> Vec<Row> {
    let alike = || vec!["src/main.rs".to_owned(), "src/my main.rs".to_owned()];
    vec![
        row(
            "read src/a.rs",
            absent_at(Missing::File { alike: Vec::new() }),
            r#"
patchwright: src/a.rs does not exist
"#,
        ),
        row(
            "read src/a.rs:3",
            absent_at(Missing::File { alike: alike() }),
            r#"
patchwright: src/a.rs does not exist
  spelt alike: src/main.rs, src/my main.rs
hint: patchwright -R ../x read src/main.rs
"#,
        )
        .flags("-R ../x"),
        row(
            "edit src/a.rs --delete a1b2c3",
            absent_at(Missing::File { alike: alike() }),
            r#"
patchwright: src/a.rs does not exist
  spelt alike: src/main.rs, src/my main.rs
Nothing was changed.
"#,
        ),
        row(
            "why src/a.rs",
            absent_at(Missing::File { alike: vec!["my main.rs".to_owned()] }),
            r#"
patchwright: src/a.rs does not exist
  spelt alike: my main.rs
hint: patchwright why 'my main.rs'
"#,
        ),
        row(
            "read src/a.rs",
            absent_at(Missing::LinkTarget),
            r#"
patchwright: src/a.rs is a link that leads to nothing
"#,
        ),
        row(
            "apply fix.patch",
            absent_at(Missing::Parent { folder: "src".into() }),
            r#"
patchwright: the folder src does not exist, so src/a.rs cannot be put there
Nothing was changed.
hint: patchwright apply fix.patch --create-parents
"#,
        ),
        row(
            "apply -",
            absent_at(Missing::Parent { folder: "src".into() }),
            r#"
patchwright: the folder src does not exist, so src/a.rs cannot be put there
  --create-parents makes it
Nothing was changed.
"#,
        )
        .piped(),
        row(
            "apply",
            absent_at(Missing::Parent { folder: "src".into() }),
            r#"
patchwright: the folder src does not exist, so src/a.rs cannot be put there
  --create-parents makes it
2 files were changed before that; nothing else was.
"#,
        )
        .done(2),
        row(
            "trash restore b.rs src/a.rs",
            absent_at(Missing::Parent { folder: "src".into() }),
            r#"
patchwright: cannot bring back b.rs: the folder src does not exist, so src/a.rs cannot be put there
  mkdir -p src makes it
Nothing was changed.
"#,
        ),
        row(
            "read src/a.rs",
            absent_at(Missing::IsFolder),
            r#"
patchwright: src/a.rs is a folder, and a file is needed
"#,
        ),
        row(
            "read src/a.rs/x",
            absent_at(Missing::IsFile),
            r#"
patchwright: src/a.rs is a file, and a folder is needed
"#,
        ),
        row(
            "apply --expect src/a.rs= x.patch",
            absent_at(Missing::Neighbour { alike: alike() }),
            r#"
patchwright: --expect names src/a.rs, which does not exist
  spelt alike: src/main.rs, src/my main.rs
  nothing after the = says that a path is to be free
Nothing was changed.
"#,
        ),
        row(
            "trash restore src/a.rs",
            absent_at(Missing::Kept),
            r#"
patchwright: what src/a.rs held then is no longer kept, or is damaged
Nothing was changed.
hint: patchwright doctor
"#,
        ),
        row(
            "read src/a.rs@b5",
            absent_at(Missing::LinkVersion),
            r#"
patchwright: src/a.rs was a link in that version, and a link has no text
"#,
        ),
    ]
}

fn versions() -> Vec<Row> {
    let version = |version| absent_at(Missing::Version(version));
    let below = vec!["src/a.rs/x.rs".to_owned()];
    vec![
        row(
            "read src/a.rs@b5",
            version(NoVersion::Untouched { batch: batch(), paths: vec!["b".into(), "c".into()] }),
            r#"
patchwright: b5 did not touch src/a.rs
  it touched b, c
hint: patchwright log src/a.rs
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::NotAfter { batch: batch(), moved: None }),
            r#"
patchwright: b5 deleted src/a.rs, and left nothing of it
hint: patchwright read --before src/a.rs@b5
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::NotAfter { batch: batch(), moved: Some("src/b.rs".into()) }),
            r#"
patchwright: b5 moved src/a.rs to src/b.rs
hint: patchwright read src/b.rs@b5
"#,
        ),
        row(
            "read --before src/a.rs@b5",
            version(NoVersion::NotBefore { batch: batch(), moved: None }),
            r#"
patchwright: b5 made src/a.rs, and found nothing there
hint: patchwright read src/a.rs@b5
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::NotBefore { batch: batch(), moved: Some("src/b.rs".into()) }),
            r#"
patchwright: b5 moved src/b.rs to src/a.rs
hint: patchwright read --before src/b.rs@b5
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::Folder { batch: batch(), trash: Some(ID.into()), below: below.clone() }),
            r#"
patchwright: src/a.rs was a folder in b5, and only files have versions
  in it: src/a.rs/x.rs
hint: patchwright trash restore src/a.rs
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::Folder { batch: batch(), trash: None, below }),
            r#"
patchwright: src/a.rs was a folder in b5, and only files have versions
  in it: src/a.rs/x.rs
hint: patchwright read src/a.rs/x.rs@b5
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::Folder { batch: batch(), trash: None, below: Vec::new() }),
            r#"
patchwright: src/a.rs was a folder in b5, and only files have versions
hint: patchwright show b5
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::SameBytes { batch: batch(), moved: true }),
            r#"
patchwright: b5 only moved src/a.rs, and what it held then is not on record
hint: patchwright log src/a.rs
"#,
        ),
        row(
            "read src/a.rs@b5",
            version(NoVersion::SameBytes { batch: batch(), moved: false }),
            r#"
patchwright: b5 only changed the permission bits of src/a.rs, and what it held then is not on record
hint: patchwright log src/a.rs
"#,
        ),
        row(
            "read b5",
            version(NoVersion::NotAfter { batch: BatchName::new(ID, 0), moved: None }),
            r#"
patchwright: b5 deleted src/a.rs, and left nothing of it
hint: patchwright read --before src/a.rs@b5
"#,
        ),
    ]
}

//! Others at work, folders and keys that went away, disks that failed, bugs.

use super::{Row, plain, row};
use patchwright_core::batch::BatchName;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::refusal::{Holder, NoHome, RootNow, Why};

pub(crate) fn rows() -> Vec<Row> {
    others().into_iter().chain(homes()).chain(faults()).collect()
}

fn others() -> Vec<Row> {
    let busy = |waited_ms, holder: Option<Holder>| plain(Why::Busy { waited_ms, holder: holder.map(Box::new) });
    let holder = |client: Option<&str>| Holder { pid: 4711, since_ns: Some(0), client: client.map(str::to_owned) };
    let moved = |now| plain(Why::RootMoved { path: "/srv/ws".into(), now });
    vec![
        row(
            "undo b3",
            busy(10_000, Some(holder(Some("codex-mcp-client/1")))),
            r#"
patchwright: codex (process 4711) is at work here
  waited 10 s; limits.lock_wait_ms sets how long
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "undo b3",
            busy(10_000, Some(holder(Some("patchwright-cli/0.1.0")))),
            r#"
patchwright: another patchwright command (process 4711) is at work here
  waited 10 s; limits.lock_wait_ms sets how long
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "undo b3",
            busy(500, Some(holder(None))),
            r#"
patchwright: another program (process 4711) is at work here
  waited 500 ms; limits.lock_wait_ms sets how long
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "undo b3",
            busy(10_000, None),
            r#"
patchwright: another program is at work here
  waited 10 s; limits.lock_wait_ms sets how long
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "undo b3",
            moved(RootNow::Another),
            r#"
patchwright: the folder of the workspace was replaced: another one stands at /srv/ws
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
        row(
            "read a",
            moved(RootNow::Nothing),
            r#"
patchwright: the folder of the workspace is gone: nothing stands at /srv/ws
"#,
        ),
        row(
            "other",
            plain(Why::KeyReused { batch: BatchName::new("019a8c1e", 5) }),
            r#"
patchwright: b5 was made under the same key, by a call with other arguments
hint: patchwright show b5
"#,
        ),
        row(
            "other",
            plain(Why::KeyReused { batch: BatchName::new("019a8c1e", 0) }),
            r#"
patchwright: an earlier batch was made under the same key, by a call with other arguments
"#,
        ),
        row(
            "undo b3",
            plain(Why::KeyGone),
            r#"
patchwright: the record of this workspace, or its key, was removed while it was in use
Nothing was changed.
hint: patchwright doctor
"#,
        ),
        row(
            "undo b3",
            plain(Why::Cancelled),
            r#"
patchwright: interrupted
Nothing was changed.
"#,
        ),
        row(
            "search x",
            plain(Why::Timeout),
            r#"
patchwright: a time limit passed
  less at once may do
"#,
        ),
    ]
}

fn homes() -> Vec<Row> {
    let row = |why, want| row("undo b3", plain(Why::NoHome(why)), want);
    let path = || "/srv/keys".to_owned();
    vec![
        row(
            NoHome::Relative("keys".into()),
            r#"
patchwright: PATCHWRIGHT_HOME is keys, which is not an absolute path
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
        row(
            NoHome::InWorkspace(path()),
            r#"
patchwright: the folder for keys, /srv/keys, lies in the workspace, where agents could reach it
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
        row(
            NoHome::Foreign(path(), 1001),
            r#"
patchwright: the folder for keys, /srv/keys, belongs to the user with the number 1001
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
        row(
            NoHome::Shared(path()),
            r#"
patchwright: other users may write to the folder for keys, /srv/keys
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
        row(
            NoHome::Closed(path()),
            r#"
patchwright: the folder for keys, /srv/keys, cannot be made or written
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
        row(
            NoHome::Unknown,
            r#"
patchwright: nothing says where the folder for keys should be: neither PATCHWRIGHT_HOME nor HOME is set
  without a key nothing can be put on record
  PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on
Nothing was changed.
"#,
        ),
    ]
}

fn faults() -> Vec<Row> {
    let fault = |state, doing, said: &str, id: Option<&str>| {
        Trouble::Fault(Fault {
            path: Some("src/a.rs".into()),
            doing,
            said: said.into(),
            state,
            id: id.map(str::to_owned),
        })
    };
    let id = Some("019a8c1e-77b2-7d00-8000-0000000000aa");
    let full = "No space left on device (os error 28)";
    vec![
        row(
            "undo b3",
            fault(DiskState::Unchanged, "stage", full, None),
            r#"
patchwright: the system failed at src/a.rs while writing: No space left on device (os error 28)
Nothing was changed.
"#,
        ),
        row(
            "apply x",
            fault(DiskState::InDoubt, "sync", "Input/output error (os error 5)", None),
            r#"
patchwright: the disk failed at src/a.rs while flushing to the disk: Input/output error (os error 5)
Whether anything was changed is not known; the next command settles it.
hint: patchwright log
"#,
        ),
        row(
            "log",
            fault(DiskState::Damaged, "log", "", None),
            r#"
patchwright: the record of changes is damaged, and cannot be looked through
hint: patchwright doctor
"#,
        ),
        row(
            "undo b3",
            fault(DiskState::Damaged, "log", "", None),
            r#"
patchwright: the record of changes is damaged, and cannot be looked through
Nothing was changed.
hint: patchwright doctor
"#,
        ),
        row(
            "undo b3",
            fault(DiskState::Bug, "call", "index out of bounds", id),
            r#"
patchwright: Patchwright itself failed at src/a.rs: this is a bug
  index out of bounds
Nothing was changed.
hint: patchwright audit export --since 1h
"#,
        ),
        row(
            "undo b3",
            fault(DiskState::InDoubt, "call", "index out of bounds", id),
            r#"
patchwright: Patchwright itself failed at src/a.rs: this is a bug
  index out of bounds
Whether anything was changed is not known; the next command settles it.
hint: patchwright log
"#,
        ),
        row(
            "read a",
            fault(DiskState::Bug, "attributes", "", None),
            r#"
patchwright: Patchwright itself failed at src/a.rs: this is a bug
"#,
        ),
    ]
}

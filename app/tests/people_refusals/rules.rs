//! What rules or the system forbid, and folders that stay.

use super::{Row, at, plain, row};
use patchwright_core::batch::BatchName;
use patchwright_core::policy::{Access, Denial, Rule};
use patchwright_core::refusal::{Closed, FolderFault, Refusal, Sort, Why};

fn file(why: Why) -> Refusal {
    at("src/a.rs", why)
}

pub(crate) fn rows() -> Vec<Row> {
    rules().into_iter().chain(folders()).collect()
}

fn rules() -> Vec<Row> {
    let denied = |access, rule| file(Why::Denied(Denial { access, rule, through: None }));
    let linked = Denial { access: Access::Read, rule: Rule::Secret(".env"), through: Some("conf/.env".into()) };
    let hidden = |batch| plain(Why::Hidden { id: "019a8c1e-77b2-7d00-8000-0000000000aa".into(), batch, count: 2 });
    vec![
        row(
            "read src/a.rs",
            denied(Access::Read, Rule::State),
            r#"
patchwright: src/a.rs may not be read: it belongs to Patchwright's own records or settings, which no command opens
"#,
        ),
        row(
            "edit src/a.rs --delete a1b2c3",
            denied(Access::Write, Rule::SettingsFile),
            r#"
patchwright: src/a.rs may not be changed: it holds Patchwright's settings, which are for an editor to change
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            denied(Access::Write, Rule::Git),
            r#"
patchwright: cannot take back b3: src/a.rs may not be changed: it lies in a .git folder, where a file can become code that runs (protect.git)
Nothing was changed.
hint: patchwright undo b3 --unprotect git
"#,
        ),
        row(
            "read src/a.rs",
            denied(Access::Read, Rule::Secret("*.pem")),
            r#"
patchwright: src/a.rs may not be read: its name says that it holds secrets, *.pem (protect.secrets)
hint: patchwright read src/a.rs --unprotect secrets
"#,
        ),
        row(
            "read src/a.rs",
            denied(Access::Read, Rule::Secret("*.pem")),
            r#"
patchwright: src/a.rs may not be read: its name says that it holds secrets, *.pem (protect.secrets)
  patchwright.toml closes it, whatever flags say
"#,
        )
        .flags("--unprotect secrets"),
        row(
            "read src/a.rs",
            file(Why::Denied(linked)),
            r#"
patchwright: src/a.rs (a link to conf/.env) may not be read: its name says that it holds secrets, .env (protect.secrets)
hint: patchwright read src/a.rs --unprotect secrets
"#,
        ),
        row(
            "apply x.patch",
            denied(Access::Write, Rule::Deny("src/**".into())),
            r#"
patchwright: src/a.rs may not be changed: write.deny has src/**
  it stands in patchwright.toml, in your settings, or behind --deny-write
Nothing was changed.
"#,
        ),
        row(
            "read src/a.rs",
            denied(Access::Read, Rule::NotAllowed),
            r#"
patchwright: src/a.rs may not be read: read.allow lists other paths only
  each list has to have it: patchwright.toml's, your settings', that of --allow-read
"#,
        ),
        row(
            "undo b3",
            hidden(Some(BatchName::new("019a8c1e", 3))),
            r#"
patchwright: b3 is about 2 files that may not be read here
  read.allow, read.deny or protect.secrets says so
Nothing was changed.
"#,
        ),
        row(
            "trash restore x",
            hidden(None),
            r#"
patchwright: that is about 2 files that may not be read here
  read.allow, read.deny or protect.secrets says so
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            plain(Why::ReadOnly),
            r#"
patchwright: cannot take back b3: nothing may be changed with --read-only
Nothing was changed.
hint: patchwright -R ../x undo b3
"#,
        )
        .flags("-R ../x --read-only"),
        row(
            "other",
            plain(Why::NotShown { tool: "list_trash", group: "trash" }),
            r#"
patchwright: that is not served here
  a server serves it with --tools +trash
"#,
        ),
        row(
            "undo b3",
            file(Why::Forbidden("Permission denied (os error 13)".into())),
            r#"
patchwright: cannot take back b3: the system does not permit it on src/a.rs: Permission denied (os error 13)
Nothing was changed.
"#,
        ),
    ]
}

fn folders() -> Vec<Row> {
    let fault = |fault| at("src", Why::Folder(fault));
    let closed = Closed { denied: 2, special: 1, mounts: 1, unaddressable: 1, named: vec!["src/.env".into()] };
    vec![
        row(
            "apply x.patch",
            fault(FolderFault::NotRecursive),
            r#"
patchwright: src is a folder, and a file is needed
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            fault(FolderFault::Root),
            r#"
patchwright: the workspace itself can be neither deleted nor moved
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            fault(FolderFault::IntoItself { to: "src/b".into() }),
            r#"
patchwright: cannot accept b3: src cannot be moved to src/b, which lies in it
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            fault(FolderFault::Occupied(Sort::File)),
            r#"
patchwright: cannot accept b3: src exists already; it is a file, and a folder replaces nothing
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            fault(FolderFault::Holds { left: vec!["src/a.rs".into()], more: true }),
            r#"
patchwright: src is a folder, and not all that is in it would go
  left in it: src/a.rs, …
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            fault(FolderFault::Closed(Box::new(closed))),
            r#"
patchwright: cannot take back b3: src holds 2 entries that rules close, 1 device, pipe or socket, 1 mounted file system, 1 name that is not text
  src/.env
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            fault(FolderFault::TooMany { most: 10_000 }),
            r#"
patchwright: cannot take back b3: src holds more than 10000 files and folders, which is more than goes at once
Nothing was changed.
"#,
        ),
        row(
            "undo b3",
            fault(FolderFault::Attributes { limit: 65_536 }),
            r#"
patchwright: cannot take back b3: src has more than 65536 bytes of extended attributes, which is more than could be brought back
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            fault(FolderFault::Unproven { missing: vec!["src/a.rs".into()], count: 3 }),
            r#"
patchwright: cannot accept b3: nothing shows that you know 3 files in src
  src/a.rs
Nothing was changed.
hint: patchwright accept b3 --unchecked
"#,
        ),
        row(
            "undo b3",
            fault(FolderFault::Grew),
            r#"
patchwright: cannot take back b3: another program put something into src at the same time, and that was kept
Nothing was changed.
hint: patchwright undo b3
"#,
        ),
    ]
}

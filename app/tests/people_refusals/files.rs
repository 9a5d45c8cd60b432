//! Paths, names, links, places that are taken, and content.

use super::{Row, at, plain, row};
use patchwright_core::path::{NameProblem, PathProblem};
use patchwright_core::refusal::{Refusal, Sort, Why};

fn file(why: Why) -> Refusal {
    at("src/a.rs", why)
}

pub(crate) fn rows() -> Vec<Row> {
    paths().into_iter().chain(links()).chain(taken()).chain(content()).collect()
}

fn paths() -> Vec<Row> {
    vec![
        row(
            "read ",
            plain(Why::Path(PathProblem::Empty)),
            r#"
patchwright: the path is empty
"#,
        ),
        row(
            "read /etc/passwd",
            at("/etc/passwd", Why::Path(PathProblem::Outside)),
            r#"
patchwright: /etc/passwd is outside the workspace
  --root DIR names another workspace
"#,
        ),
        row(
            "read x",
            plain(Why::Path(PathProblem::Nul)),
            r#"
patchwright: the path holds a NUL character, which no file name can
"#,
        ),
        row(
            "read x",
            at(&"x".repeat(300), Why::Path(PathProblem::TooLong)),
            r#"
patchwright: the path is too long: a name has at most 255 bytes, a path 4095
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
"#,
        ),
        row(
            "apply x.patch",
            at("src\\a.rs", Why::Name(NameProblem::Backslash)),
            r#"
patchwright: src\a.rs holds a backslash, which new names may not have
  folders are parted by /
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            at("a\u{1b}[31mb", Why::Name(NameProblem::Control('\u{1b}'))),
            r#"
patchwright: a\u{1b}[31mb holds the control character U+001B, which new names may not have
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            at("a\u{202e}b", Why::Name(NameProblem::Bidi('\u{202e}'))),
            r#"
patchwright: a\u{202e}b holds the text-reordering character U+202E, which new names may not have
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            at("a\u{e0041}b", Why::Name(NameProblem::Tag('\u{e0041}'))),
            r#"
patchwright: a\u{e0041}b holds the invisible tag character U+E0041, which new names may not have
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            file(Why::SameFileTwice { other: "src/A.rs".into() }),
            r#"
patchwright: src/a.rs and src/A.rs are one and the same file
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            file(Why::MoveOntoItself),
            r#"
patchwright: src/a.rs is both where the file is and where it is to go
Nothing was changed.
"#,
        ),
        row(
            "read a.rs",
            at("a.rs", Why::AmbiguousDoc(vec!["src/a.rs".into(), "lib/a.rs".into()])),
            r#"
patchwright: a.rs may be any of 2 files
  src/a.rs, lib/a.rs
"#,
        ),
    ]
}

fn links() -> Vec<Row> {
    let target = |target: &str| file(Why::LinkTarget { target: target.into(), relative: Some("../lib".into()) });
    let moved =
        |to: &str| file(Why::LinkMoved { to: to.into(), target: "../../x".into(), relative: Some("../x".into()) });
    vec![
        row(
            "read src/a.rs",
            file(Why::LinkLeavesRoot),
            r#"
patchwright: src/a.rs goes through a link that leads out of the workspace, or in a circle
  such links are not followed; one with an absolute target counts as leading out
"#,
        ),
        row(
            "accept b3",
            target("/lib"),
            r#"
patchwright: cannot accept b3: src/a.rs cannot be a link to /lib, which is absolute, and such links are not followed
  the same place from there: ../lib
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            target("x/../../lib"),
            r#"
patchwright: cannot accept b3: src/a.rs cannot be a link to x/../../lib, which has ".." after a name, and could come to lead elsewhere
  the same place from there: ../lib
Nothing was changed.
"#,
        ),
        row(
            "accept b3",
            target("../../lib"),
            r#"
patchwright: cannot accept b3: src/a.rs cannot be a link to ../../lib, which leads out of the workspace, or in a circle
  the same place from there: ../lib
Nothing was changed.
"#,
        ),
        row(
            "apply x.patch",
            moved("b.rs"),
            r#"
patchwright: src/a.rs cannot be moved to b.rs: it is a link to ../../x, which from b.rs leads out of the workspace
  a link to the same place from there: ../x
Nothing was changed.
"#,
        ),
        row(
            "trash restore x src/a.rs",
            moved("src/a.rs"),
            r#"
patchwright: cannot bring back x: it is a link to ../../x, which from src/a.rs leads out of the workspace
  a link to the same place from there: ../x
Nothing was changed.
"#,
        ),
    ]
}

fn taken() -> Vec<Row> {
    vec![
        row(
            "apply x.patch",
            file(Why::AlreadyExists(Sort::File)),
            r#"
patchwright: src/a.rs exists already; it is a file
Nothing was changed.
hint: patchwright read src/a.rs
"#,
        ),
        row(
            "apply x.patch",
            file(Why::AlreadyExists(Sort::Folder)),
            r#"
patchwright: src/a.rs exists already; it is a folder
Nothing was changed.
"#,
        ),
        row(
            "trash restore src/a.rs",
            file(Why::AlreadyExists(Sort::Link)),
            r#"
patchwright: cannot bring back src/a.rs: a symbolic link stands there
Nothing was changed.
hint: patchwright trash restore src/a.rs src/a.rs.restored
"#,
        ),
        row(
            "trash restore b.rs src/a.rs",
            file(Why::AlreadyExists(Sort::Special)),
            r#"
patchwright: cannot bring back b.rs: something that is no file stands at src/a.rs
Nothing was changed.
"#,
        ),
        row(
            "trash restore src/a.rs",
            file(Why::VersionOccupied(Sort::File)),
            r#"
patchwright: cannot bring back src/a.rs: a file stands there
  a version comes back only where nothing stands
Nothing was changed.
hint: patchwright trash restore src/a.rs src/a.rs.restored
"#,
        ),
    ]
}

fn content() -> Vec<Row> {
    let large = |size| Why::TooLarge { size, limit: 512 << 20, setting: "limits.max_file_bytes" };
    let encoding = |line, unencodable| file(Why::Encoding { charset: "utf-8".into(), line, unencodable });
    let regex = "regex parse error:\n    (?:(a)\n    ^\nerror: unclosed group";
    vec![
        row(
            "read src/a.rs",
            file(Why::SpecialFile),
            r#"
patchwright: src/a.rs is a device, pipe or socket, and is never opened
"#,
        ),
        row(
            "read src/a.rs",
            file(large(600 << 20)),
            r#"
patchwright: src/a.rs is too large: 600.0 MB, and limits.max_file_bytes is 512.0 MB
  ~/.config/patchwright/config.toml may raise it
hint: patchwright read src/a.rs:1-200
"#,
        ),
        row(
            "edit src/a.rs --delete a1b2c3",
            file(large((512 << 20) + 1)),
            r#"
patchwright: src/a.rs is too large: 536870913 bytes, and limits.max_file_bytes is 536870912 bytes
  ~/.config/patchwright/config.toml may raise it
Nothing was changed.
"#,
        ),
        row(
            "read src/a.rs",
            file(Why::Binary),
            r#"
patchwright: src/a.rs is a binary file, and this needs text
  if it is text in a charset of its own: --encoding NAME, such as utf-16le
"#,
        ),
        row(
            "apply x.patch",
            file(Why::CharsetUnnamed),
            r#"
patchwright: src/a.rs is not UTF-8, and the new text has letters beyond ASCII
  --encoding-for src/a.rs=NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            "edit src/a.rs --with ü",
            file(Why::CharsetUnnamed),
            r#"
patchwright: src/a.rs is not UTF-8, and the new text has letters beyond ASCII
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            "edit src/a.rs --encoding shift_jis",
            encoding(Some(3), None),
            r#"
patchwright: line 3 of src/a.rs is not valid utf-8, and could not be written back as it is
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
"#,
        ),
        row(
            "edit src/a.rs",
            encoding(Some(3), None),
            r#"
patchwright: line 3 of src/a.rs is not valid utf-8, and could not be written back as it is
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            "edit src/a.rs",
            encoding(Some(3), Some('€')),
            r#"
patchwright: src/a.rs is in utf-8, which has no € (U+20AC), which line 3 needs
Nothing was changed.
"#,
        ),
        row(
            "edit src/a.rs",
            encoding(None, None),
            r#"
patchwright: src/a.rs is not valid utf-8, and could not be written back as it is
  --encoding NAME names its charset, which may be windows-1252
Nothing was changed.
hint: patchwright read --encoding windows-1252 src/a.rs
"#,
        ),
        row(
            "search (a",
            plain(Why::Pattern(regex.into())),
            r#"
patchwright: the pattern cannot be read
  regex parse error:
      (?:(a)
      ^
  error: unclosed group
  a character that is meant as itself has a backslash before it
"#,
        ),
        row(
            "search -g {a x",
            plain(Why::Glob("error parsing glob '{a': unclosed alternate group".into())),
            r#"
patchwright: the glob cannot be read: error parsing glob '{a': unclosed alternate group
  a character that is meant as itself stands in brackets, such as [{] or [*]
"#,
        ),
    ]
}

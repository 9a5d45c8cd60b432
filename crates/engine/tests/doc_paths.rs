//! A `docPath` in place of a path, tool by tool: what it means, and that it opens no way that a path does not.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and stops at the first surprise"
)]

use patchwright_engine::core::outcome::{Answer, Failed, Reply};
use patchwright_engine::core::policy::{Rules, Settings};
use patchwright_engine::core::refusal::Kind;
use patchwright_engine::core::tool::{Args, Call, TOOLS, Value, find};
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn open(root: &Path) -> Session {
    let read = Rules { allow: Vec::new(), deny: vec!["closed/**".to_owned()] };
    let settings = Settings { read, ..Settings::default() };
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    Session::open(root, Options { durability, proof, settings, home: home::at(), ..Options::default() }).unwrap()
}

/// A workspace in a folder of this name: `Src/App.rs`, two files and two folders that differ in case alone, a closed
/// folder, and links that lead out.
fn workspace() -> (TempDir, Session) {
    let around = TempDir::new().unwrap();
    fs::write(around.path().join("outside.txt"), "out\n").unwrap();
    let root = around.path().join("Repo");
    for file in ["Src/App.rs", "Two/a.txt", "Two/A.txt", "Both/x", "BOTH/y", "closed/Secret.txt"] {
        fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
        fs::write(root.join(file), "text\n").unwrap();
    }
    std::os::unix::fs::symlink("../outside.txt", root.join("Out.txt")).unwrap();
    std::os::unix::fs::symlink("..", root.join("Up")).unwrap();
    let session = open(&root);
    (around, session)
}

fn call(session: &Session, tool: &str, fields: &[(&str, &str)]) -> Result<Reply, Failed> {
    let field = |(name, value): &(&str, &str)| ((*name).to_owned(), Value::Text((*value).to_owned()));
    let tool = find(tool).unwrap();
    session.call(&Call::new(tool, &Args::new(fields.iter().map(field).collect())).unwrap(), &Quiet)
}

/// What a `docPath` comes to when a file is read by it: the path, or the kind of refusal.
fn read(session: &Session, doc_path: &str) -> Result<String, Kind> {
    match call(session, "read_file", &[("docPath", doc_path)]) {
        Ok(Reply { answer: Answer::File(view), .. }) => Ok(view.path),
        Ok(other) => panic!("{other:?}"),
        Err(failed) => Err(failed.trouble.kind()),
    }
}

#[test]
fn what_a_file_is_called() {
    let (_around, session) = workspace();
    for (doc_path, want) in [
        ("src/app.rs", Ok("Src/App.rs")),
        ("./src//app.rs", Ok("Src/App.rs")),
        ("repo/src/app.rs", Ok("Src/App.rs")),
        ("Src/app.rs", Err(Kind::InvalidArguments)),
        ("src/nothing.rs", Err(Kind::NotFound)),
        ("src", Err(Kind::NotFound)),
        ("two/a.txt", Err(Kind::AmbiguousPath)),
        ("both/x", Ok("Both/x")),
        ("closed/secret.txt", Err(Kind::PermissionDenied)),
        ("closed/nothing.txt", Err(Kind::PermissionDenied)),
        ("../outside.txt", Err(Kind::OutsideWorkspace)),
        ("src/../../outside.txt", Err(Kind::OutsideWorkspace)),
        ("out.txt", Err(Kind::OutsideWorkspace)),
        ("up/outside.txt", Err(Kind::OutsideWorkspace)),
        ("/etc/hostname", Err(Kind::OutsideWorkspace)),
        (".git/config", Err(Kind::PermissionDenied)),
    ] {
        assert_eq!(read(&session, doc_path), want.map(str::to_owned), "{doc_path}");
    }
}

#[test]
fn what_a_folder_is_called() {
    let (_around, session) = workspace();
    for (doc_path, want) in [
        ("src", Ok("Src")),
        ("repo/src", Ok("Src")),
        ("repo", Ok(".")),
        (".", Ok(".")),
        ("both", Err(Kind::AmbiguousPath)),
        ("src/app.rs", Err(Kind::NotFound)),
        ("nothing", Err(Kind::NotFound)),
        ("up", Err(Kind::OutsideWorkspace)),
    ] {
        let found = match call(&session, "list_directory", &[("docPath", doc_path)]) {
            Ok(Reply { answer: Answer::WithDocPaths(inner), .. }) => match *inner {
                Answer::Listing(listing) => Ok(listing.path),
                other => panic!("{other:?}"),
            },
            Ok(other) => panic!("{other:?}"),
            Err(failed) => Err(failed.trouble.kind()),
        };
        assert_eq!(found, want.map(str::to_owned), "{doc_path}");
    }
}

#[test]
fn what_something_new_is_called() {
    let (_around, session) = workspace();
    for (doc_path, want) in [
        ("src/new.rs", Ok("Src/new.rs")),
        ("repo/top.rs", Ok("top.rs")),
        ("src/app.rs", Err(Kind::AlreadyExists)),
        ("two/a.txt", Err(Kind::AmbiguousPath)),
        ("both/new", Err(Kind::AmbiguousPath)),
        ("nowhere/new", Err(Kind::NotFound)),
        ("src/New.rs", Err(Kind::InvalidArguments)),
        ("closed/new", Err(Kind::PermissionDenied)), // whether something is there or not
        ("up/new", Err(Kind::OutsideWorkspace)),
        ("../new", Err(Kind::OutsideWorkspace)),
        (".git/hooks/new", Err(Kind::PermissionDenied)),
    ] {
        let made = match call(&session, "create_file", &[("docPath", doc_path), ("content", "x\n")]) {
            Ok(Reply { answer: Answer::Changed(changed), .. }) => Ok(changed.path),
            Ok(other) => panic!("{other:?}"),
            Err(failed) => Err(failed.trouble.kind()),
        };
        assert_eq!(made, want.map(str::to_owned), "{doc_path}");
    }
}

#[test]
fn a_name_that_only_the_record_knows() {
    let (_around, session) = workspace();
    for path in ["Gone.txt", "GONE.TXT", "Lone.txt"] {
        call(&session, "create_file", &[("path", path), ("content", "x\n")]).unwrap();
        call(&session, "delete_file", &[("path", path)]).unwrap();
    }
    let list = |doc_path: &str| call(&session, "list_batches", &[("docPath", doc_path)]);
    let Answer::WithDocPaths(found) = list("lone.txt").unwrap().answer else { panic!() };
    let Answer::Batches(found) = *found else { panic!() };
    assert_eq!(found.batches.len(), 2);
    assert_eq!(list("gone.txt").unwrap_err().trouble.kind(), Kind::AmbiguousPath);
    assert_eq!(list("never.txt").unwrap_err().trouble.kind(), Kind::NotFound);
    call(&session, "undo", &[("docPath", "lone.txt")]).unwrap();
    assert_eq!(read(&session, "lone.txt"), Ok("Lone.txt".to_owned()));
}

/// Whoever adds a tool that takes a path is reminded.
#[test]
fn every_path_has_its_doc_path() {
    for tool in TOOLS {
        let has = |name: &str| tool.parameters.iter().any(|param| param.name == name);
        let twins = [
            ("path", "docPath"),
            ("root", "docPath"),
            ("fromPath", "fromDocPath"),
            ("toPath", "toDocPath"),
            ("targetPath", "targetDocPath"),
        ];
        for (path, doc_path) in twins {
            assert!(!has(path) || has(doc_path), "{}: {path} without {doc_path}", tool.name);
        }
    }
}

/// What a call by `docPath` comes to, without the name that was asked for.
fn told(session: &Session, tool: &str, (argument, doc_path): (&str, &str)) -> String {
    let more: &[(&str, &str)] = match tool {
        "search_files" => &[("query", "text"), ("mode", "text")],
        "glob" => &[("pattern", "**")],
        _ => &[],
    };
    let fields: Vec<(&str, &str)> = std::iter::once((argument, doc_path)).chain(more.iter().copied()).collect();
    format!("{:?}", call(session, tool, &fields).map(|reply| reply.answer)).replace(doc_path, "IT")
}

#[test]
fn a_closed_name_is_told_like_an_absent_one() {
    let (around, _) = workspace();
    let root = around.path().join("Repo");
    fs::write(root.join("A.pem"), "key\n").unwrap();
    fs::create_dir_all(root.join("Hid/Vault")).unwrap();
    fs::write(root.join("Hid/Vault/Key.txt"), "key\n").unwrap();
    let deny = ["closed/**", "Hid/Vault", "Hid/Vault/**", "hid/**"].map(str::to_owned).to_vec();
    let settings = Settings { read: Rules { allow: Vec::new(), deny }, ..Settings::default() };
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    let options = Options { durability, proof, settings, home: home::at(), ..Options::default() };
    let session = Session::open(&root, options).unwrap();
    let files =
        [("closed/secret.txt", "closed/absent.txt"), ("a.pem", "b.pem"), ("hid/vault/key.txt", "hid/vault/no.txt")];
    for tool in ["read_file", "workspace_read_file", "list_batches"] {
        for (there, absent) in files {
            let (there, absent) = (told(&session, tool, ("docPath", there)), told(&session, tool, ("docPath", absent)));
            assert_eq!(there, absent, "{tool}");
            assert!(!there.contains("A.pem") && !there.contains("Vault"), "{there}");
        }
    }
    for tool in ["list_directory", "search_files", "glob"] {
        let argument = if tool == "list_directory" { "docPath" } else { "rootDocPath" };
        let (there, absent) =
            (told(&session, tool, (argument, "hid/vault")), told(&session, tool, (argument, "hid/not")));
        assert_eq!(there, absent, "{tool}");
        assert!(!there.contains("Vault"), "{there}");
    }
}

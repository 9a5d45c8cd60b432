//! Whose settings count: flags, the user's own settings file, and what comes with the workspace.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test sets up files and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::open::{Opening, Surroundings};
use patchwright_core::tool::{Call, ReadFile};
use patchwright_core::warning::Warning;
use patchwright_engine::{Client, Quiet, Repair};
use patchwright_testkit::home;
use rustix::fs::{CWD, FileType, Mode as FsMode, mknodat};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A workspace and a user.
struct Place {
    root: TempDir,
    config: TempDir,
}

impl Place {
    /// With these settings in the workspace, and these of the user.
    fn new(workspace: &str, user: &str) -> Place {
        let place = Place { root: TempDir::new().unwrap(), config: TempDir::new().unwrap() };
        for (path, text) in [
            ("src/a.rs", "a\n"),
            ("doc/a.md", "a\n"),
            (".env", "a\n"),
            (".git/HEAD", "a\n"),
            ("patchwright.toml", workspace),
        ] {
            let path = place.root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir(place.config.path().join("patchwright")).unwrap();
        fs::write(place.user_settings(), user).unwrap();
        place
    }

    fn user_settings(&self) -> PathBuf {
        self.config.path().join("patchwright/config.toml")
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings { user_settings: Some(self.user_settings()), home: home::at(), ..Surroundings::default() }
    }

    fn run(&self, args: &[&str]) -> (u8, String, String) {
        let mut line: Vec<OsString> = vec!["patchwright".into(), "--root".into(), self.root.path().into()];
        line.extend(args.iter().map(OsString::from));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut ports = Ports {
            input: &mut std::io::empty(),
            output: &mut out,
            errors: &mut err,
            screen: Screen::Pipe,
            pager: &mut NoPager,
            manner: Manner::default(),
        };
        let code = match cli::run(line, &mut ports, &self.surroundings()) {
            Next::Exit(status) => status.code(),
            Next::Serve(..) => panic!("{args:?} asks for a server"),
        };
        (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    }

    /// May a path be read, and may something be created beside it?
    fn may(&self, flags: &[&str], path: &str) -> (bool, bool) {
        let ask = |tool: &str, arguments: Value| {
            let (_, out, err) = self.run(&[flags, &["call", tool, &arguments.to_string()]].concat());
            let answer: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
            match answer.pointer("/error/kind").and_then(Value::as_str) {
                None => true,
                Some("permission_denied") => false,
                Some(_) => panic!("{answer}"),
            }
        };
        (
            ask("read_file", json!({"path": path})),
            ask("create_file", json!({"path": format!("{path}x"), "content": ""})),
        )
    }
}

const GIT: &[&str] = &["--unprotect", "git"];
const SECRETS: &[&str] = &["--unprotect", "secrets"];

/// Settings of the workspace and of the user, flags, a path; whether it may be read, and something created beside it.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str, (bool, bool));

#[test]
fn the_workspace_only_narrows() {
    let open =
        "[read]\nallow = ['**']\n[write]\nallow = ['**']\n[protect]\ngit = false\nsecrets = false\nexcept = ['**']\n";
    let table: &[Row] = &[
        // Without anybody's word, what is protected stays closed whatever the workspace says.
        (open, "", &[], ".git/HEAD", (true, false)),
        (open, "", &[], ".env", (false, true)),
        (open, "", GIT, ".git/HEAD", (true, true)),
        (open, "", SECRETS, ".env", (true, true)),
        (open, "[protect]\ngit = false", &[], ".git/HEAD", (true, true)),
        (open, "[protect]\nexcept = ['.env']", &[], ".env", (true, true)),
        // The workspace may close what the user opened.
        ("[protect]\ngit = true", "", GIT, ".git/HEAD", (true, false)),
        ("[write]\ndeny = ['src/**']", "[write]\nallow = ['src/**']", &[], "src/a.rs", (true, false)),
        // What may not be read may not be written: else the answer would tell whether something is there.
        ("[read]\nallow = ['doc/**']", "", &[], "src/a.rs", (false, false)),
        // Every list of the user counts, flags and file.
        (open, "", &["--allow-write", "src/**"], "doc/a.md", (true, false)),
        (open, "[write]\nallow = ['src/**']", &[], "doc/a.md", (true, false)),
        (open, "[write]\nallow = ['src/**']", &["--allow-write", "doc/**"], "doc/a.md", (true, false)),
        (open, "[write]\nallow = ['src/**']", &["--allow-write", "**"], "src/a.rs", (true, true)),
        (open, "[read]\ndeny = ['doc/**']", &["--allow-read", "**"], "doc/a.md", (false, false)),
        (open, "", &["--deny-write", "src/**"], "src/a.rs", (true, false)),
        (open, "", &["--read-only"], "src/a.rs", (true, false)),
    ];
    for (workspace, user, flags, path, want) in table {
        let place = Place::new(workspace, user);
        assert_eq!(place.may(flags, path), *want, "{workspace:?} {user:?} {flags:?} {path}");
    }
}

#[test]
fn what_is_asked_for_in_vain_is_told_once() {
    let place = Place::new("[protect]\ngit = false\n[retention]\nmax_bytes = 0\n", "");
    let opening =
        Opening { root: place.root.path().to_owned(), surroundings: place.surroundings(), ..Opening::default() };
    let session = opening.open(Client::default(), Repair::AtOpen).unwrap().session;
    let read = Call::ReadFile(ReadFile::new("src/a.rs"));
    let settings = vec!["protect.git".to_owned(), "retention.max_bytes".to_owned()];
    assert_eq!(session.call(&read, &Quiet).unwrap().warnings, [Warning::SettingsBeyond { settings }]);
    assert_eq!(session.call(&read, &Quiet).unwrap().warnings, []);
    let (code, out, _) = place.run(&["doctor"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("Setting  -    patchwright.toml in the workspace asks") && out.contains("--unprotect"),
        "{out}"
    );
    let (_, out, _) = place.run(&["doctor", "--json"]);
    let doctor: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(doctor.get("settings"), Some(&json!({"beyond": ["protect.git", "retention.max_bytes"]})));
    let (_, out, _) = Place::new("", "").run(&["doctor"]);
    assert!(!out.contains("Setting"), "{out}");
}

#[test]
fn a_bad_settings_file_is_named_by_its_path() {
    let (code, _, err) = Place::new("[reed]", "").run(&["read", "src/a.rs"]);
    assert_eq!((code, err.starts_with("patchwright: patchwright.toml: ")), (2, true), "{err}");
    for bad in ["[reed]", "x", "[read]\ndeny = ['a[']"] {
        let place = Place::new("", bad);
        let (code, _, err) = place.run(&["read", "src/a.rs"]);
        assert_eq!((code, err.contains(place.user_settings().to_str().unwrap())), (2, true), "{err}");
    }
    let place = Place::new("", "");
    fs::remove_file(place.user_settings()).unwrap();
    assert_eq!(place.run(&["read", "src/a.rs"]).0, 0);
    fs::create_dir(place.user_settings()).unwrap();
    assert_eq!(place.run(&["read", "src/a.rs"]).0, 2);
}

#[test]
fn the_users_settings_are_closed_to_tools() {
    let root = TempDir::new().unwrap();
    let place = Place { config: TempDir::new_in(root.path()).unwrap(), root };
    fs::create_dir(place.config.path().join("patchwright")).unwrap();
    fs::write(place.user_settings(), "[protect]\nexcept = ['**']\n").unwrap();
    fs::write(place.config.path().join("other"), "x").unwrap();
    let name = place.config.path().file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(place.may(&[], &format!("{name}/patchwright/config.toml")), (false, false));
    assert_eq!(place.may(&[], &format!("{name}/other")), (true, true));
}

#[test]
fn where_the_users_settings_are() {
    let at = |config: Option<&str>, home: Option<&str>| {
        let found = Surroundings::new(config.map(OsString::from), home.map(OsString::from)).user_settings;
        found.map(|path| path.to_str().unwrap().to_owned())
    };
    let found = |path: &str| Some(path.to_owned());
    assert_eq!(at(Some("/c"), Some("/h")), found("/c/patchwright/config.toml"));
    assert_eq!(at(None, Some("/h")), found("/h/.config/patchwright/config.toml"));
    assert_eq!(at(Some(""), Some("/h")), found("/h/.config/patchwright/config.toml"));
    assert_eq!(at(Some("relative"), Some("/h")), found("/h/.config/patchwright/config.toml"));
    assert_eq!(at(None, Some("")), None);
    assert_eq!(at(None, None), None);
}

/// What stands in the place of a settings file is told by its name, and nobody waits for it.
#[test]
fn settings_that_are_no_file_are_refused_by_name() {
    type Make = fn(&Path);
    let makes: [(&str, Make); 4] = [
        ("link", |at| symlink("elsewhere.toml", at).unwrap()),
        ("folder", |at| fs::create_dir(at).unwrap()),
        ("pipe", |at| mknodat(CWD, at, FileType::Fifo, FsMode::RUSR | FsMode::WUSR, 0).unwrap()),
        ("long", |at| fs::write(at, "# settings without end\n".repeat(50_000) + "[read]\ndeny = ['**']\n").unwrap()),
    ];
    for (what, make) in makes {
        let place = Place::new("", "");
        let files = [place.root.path().join("patchwright.toml"), place.user_settings()];
        for file in &files {
            // A link is followed to the user's own settings, and these may be long.
            if *file == files[1] && ["link", "long"].contains(&what) {
                continue;
            }
            fs::remove_file(file).unwrap();
            make(file);
            let (code, out, err) = place.run(&["call", "read_file", r#"{"path":"src/a.rs"}"#]);
            if *file == files[0] {
                // The workspace's own: a call is answered.
                let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
                assert_eq!(
                    (code, answer["error"]["path"].as_str()),
                    (3, Some("patchwright.toml")),
                    "{what}: {out}{err}"
                );
            } else {
                let told = format!("{}: cannot be read: ", file.display());
                assert!(
                    code == 2 && out.is_empty() && err.contains(&told) && err.contains("next: "),
                    "{what}: {out}{err}"
                );
            }
            if what == "folder" {
                fs::remove_dir(file).unwrap()
            } else {
                fs::remove_file(file).unwrap()
            }
            fs::write(file, "").unwrap();
        }
    }
}

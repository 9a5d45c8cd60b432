//! `docs/settings.md` compared with the code: every setting with its default and who may set it, every flag, every
//! variable of the environment.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test reads the repository and breaks when it must"
)]

use patchwright_app::doors::cli::{self, Manner, Next, NoPager, Ports, Screen};
use patchwright_app::doors::offer::Offer;
use patchwright_app::doors::open::{Opening, Surroundings};
use patchwright_app::wire::config;
use patchwright_core::policy::{Guarded, Layer, Settings, combine};
use patchwright_core::tool::Group;
use patchwright_engine::{Client, Repair};
use patchwright_testkit::home;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The rows of the table under a heading of the page, cell by cell.
fn table(heading: &str) -> Vec<Vec<String>> {
    table_of("settings.md", heading)
}

/// The same on another page.
fn table_of(page: &str, heading: &str) -> Vec<Vec<String>> {
    let page = fs::read_to_string(repository().join("docs").join(page)).unwrap();
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no heading {heading}"));
    let section = rest.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// What stands between the first two backticks of a cell.
fn code(cell: &str) -> &str {
    cell.split('`').nth(1).unwrap_or_else(|| panic!("{cell} names nothing"))
}

/// A settings file that sets this alone.
fn layer(name: &str, value: &str) -> Layer {
    let (section, key) = name.split_once('.').unwrap();
    config::settings(&format!("[{section}]\n{key} = {value}\n"), "page").unwrap().layer
}

/// The value of a setting, as a settings file would say it.
fn value(settings: &Settings, name: &str) -> String {
    let globs = |globs: &[String]| format!("{globs:?}");
    let guard = |guard: Guarded| (guard == Guarded::Yes).to_string();
    match name {
        "read.allow" => globs(&settings.read.allow.concat()),
        "read.deny" => globs(&settings.read.deny),
        "write.allow" => globs(&settings.write.allow.concat()),
        "write.deny" => globs(&settings.write.deny),
        "protect.secrets" => guard(settings.protect.secrets),
        "protect.git" => guard(settings.protect.git),
        "protect.except" => globs(&settings.protect.except),
        "limits.max_file_bytes" => settings.limits.max_file_bytes.to_string(),
        "limits.max_request_bytes" => settings.limits.max_request_bytes.to_string(),
        "limits.lock_wait_ms" => settings.limits.lock_wait_ms.to_string(),
        "retention.keep_days" => settings.retention.keep_days.to_string(),
        "retention.max_bytes" => settings.retention.max_bytes.to_string(),
        "patch.conventions" => settings.conventions.name().to_owned(),
        new => panic!("say here where {new} stands in the settings"),
    }
}

/// Values that ask for less than the default, and for more.
fn less_and_more(name: &str) -> (&'static str, Option<&'static str>) {
    match name {
        "protect.secrets" | "protect.git" => ("true", Some("false")),
        "patch.conventions" => ("\"strict\"", Some("\"codex\"")),
        "protect.except" => ("[]", Some("[\"x\"]")),
        name if name.ends_with(".allow") || name.ends_with(".deny") => ("[\"x\"]", None),
        _ => ("1", Some("99999999999")),
    }
}

/// What the workspace's file can do about a setting, by trying.
fn workspace_may(name: &str) -> &'static str {
    // The user has switched off what can be switched on.
    let open = match name {
        "patch.conventions" => "\"codex\"",
        "protect.except" => "",
        name if name.starts_with("protect.") => "false",
        _ => "",
    };
    let user: Vec<Layer> = (!open.is_empty()).then(|| layer(name, open)).into_iter().collect();
    let (less, more) = less_and_more(name);
    let more = if name == "retention.keep_days" { Some("9999") } else { more };
    let plain = value(&combine(&user, &[]).settings, name);
    let narrowed = value(&combine(&user, &[layer(name, less)]).settings, name);
    if let Some(more) = more {
        let widened = combine(&[], &[layer(name, more)]);
        assert_eq!(value(&widened.settings, name), value(&Settings::default(), name), "{name} is not the workspace's");
        assert_eq!(widened.beyond, [name]);
    }
    match (narrowed == plain, less) {
        (true, _) => "ignored",
        (false, "true") => "may switch it on",
        (false, "1") => "may lower it",
        (false, "\"strict\"") => "may set `strict`",
        (false, _) => "narrows",
    }
}

#[test]
fn every_setting_its_default_and_who_may_set_it() {
    let rows = table("Settings");
    let named: Vec<&str> = rows.iter().map(|row| code(&row[0])).collect();
    let known: Vec<&str> = config::names().collect();
    let missing: Vec<_> = known.iter().filter(|name| !named.contains(name)).collect();
    assert!(missing.is_empty(), "docs/settings.md, Settings: no row for {missing:?}");
    assert_eq!(named, known, "docs/settings.md, Settings: in the order of the code, and nothing else");
    for row in &rows {
        let [name, _, default, user, flag, workspace] = &row[..] else { panic!("{row:?} has another number of cells") };
        let name = code(name);
        let flags: Vec<String> = table("Flags").iter().map(|row| first_word(code(&row[0]))).collect();
        assert!(flag == "–" || flags.contains(&code(flag).to_owned()), "{name}: {flag} is not in the table of flags");
        if name.starts_with("mcp.") {
            assert_eq!(
                (code(default), user.as_str(), workspace.as_str()),
                (of_server(name), "any", "ignored"),
                "{name}"
            );
            continue;
        }
        assert_eq!(code(default), value(&Settings::default(), name), "the default of {name}");
        let (less, more) = less_and_more(name);
        let wanted = if name == "retention.keep_days" { "9999" } else { more.unwrap_or(less) };
        assert_eq!(
            value(&combine(&[layer(name, wanted)], &[]).settings, name),
            wanted.trim_matches('"'),
            "the user sets {name}"
        );
        assert_eq!(user, "any", "{name}");
        assert_eq!(workspace, workspace_may(name), "what the workspace may do about {name}");
    }
}

/// The default of a setting about servers; the user sets it, and the workspace does not.
fn of_server(name: &str) -> &'static str {
    let (default, other) = match name {
        "mcp.profile" => ("auto", "\"all\""),
        "mcp.tools" => ("[]", "[\"all\"]"),
        "mcp.answers" => ("text", "\"structured\""),
        "mcp.descriptions" => ("short", "\"long\""),
        new => panic!("say here what {new} may be"),
    };
    let (root, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let offer = |file: &Path| {
        let text = format!("[mcp]\n{} = {other}\n", name.trim_start_matches("mcp."));
        fs::write(file, text).unwrap();
        let user_settings = Some(home.path().join("config.toml"));
        let surroundings = Surroundings { user_settings, home: home::at(), ..Surroundings::default() };
        let opening = Opening { root: root.path().to_owned(), surroundings, ..Opening::default() };
        let opened = opening.open(Client::default(), Repair::WhenCalled).unwrap();
        fs::remove_file(file).unwrap();
        (opened.offer, opened.beyond)
    };
    let (own, beyond) = offer(&root.path().join("patchwright.toml"));
    assert!(own == Offer::default() && beyond == [name], "{name} is not the workspace's: {beyond:?}");
    let (users, beyond) = offer(&home.path().join("config.toml"));
    assert!(users != Offer::default() && beyond.is_empty(), "the user's file sets {name}");
    default
}

#[test]
fn every_group_with_its_tools() {
    let rows = table_of("models.md", "Tools");
    let named: Vec<&str> = rows.iter().map(|row| code(&row[0])).collect();
    assert_eq!(named, Group::ALL.iter().map(|group| group.name()).collect::<Vec<_>>());
    for (row, group) in rows.iter().zip(Group::ALL) {
        let told: BTreeSet<&str> = row[1].split(", ").map(code).collect();
        assert_eq!(told, group.tools().map(|tool| tool.name).collect(), "{group:?}");
    }
}

fn first_word(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// The flags that a help text explains.
fn flags_of(args: &[&str]) -> BTreeSet<String> {
    let line: Vec<OsString> = ["patchwright"].iter().chain(args).map(OsString::from).collect();
    let (mut out, mut err, mut input) = (Vec::new(), Vec::new(), std::io::empty());
    let mut ports = Ports {
        input: &mut input,
        output: &mut out,
        errors: &mut err,
        screen: Screen::Pipe,
        pager: &mut NoPager,
        manner: Manner::default(),
    };
    let surroundings = Surroundings { home: home::at(), ..Surroundings::default() };
    let Next::Exit(_) = cli::run(line, &mut ports, &surroundings) else { panic!("{args:?} asks for a server") };
    let help = String::from_utf8(out).unwrap();
    let explained = help.lines().map(str::trim_start).filter_map(|line| {
        // A short form may stand before the long one.
        let line = if line.starts_with('-') && !line.starts_with("--") { line.split_once(", ")?.1 } else { line };
        line.strip_prefix("--")
    });
    let flags = explained.map(|rest| format!("--{}", rest.split([' ', '=']).next().unwrap_or_default()));
    flags.filter(|flag| !["--help", "--version"].contains(&flag.as_str())).collect()
}

#[test]
fn every_flag_of_every_command() {
    let told: BTreeSet<String> = table("Flags").iter().map(|row| first_word(code(&row[0]))).collect();
    let known: BTreeSet<String> =
        flags_of(&["help", "workspace"]).into_iter().chain(flags_of(&["mcp", "--help"])).collect();
    assert!(known.contains("--root") && known.contains("--no-sandbox"), "{known:?}");
    let missing: Vec<_> = known.difference(&told).collect();
    assert!(missing.is_empty(), "docs/settings.md, Flags: no row for {missing:?}");
    let idle: Vec<_> = told.difference(&known).collect();
    assert!(idle.is_empty(), "docs/settings.md, Flags: no command has {idle:?}");
}

/// Every source of the program, tests left out.
fn sources(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push(fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_variable_of_the_environment() {
    let mut all = Vec::new();
    for folder in ["app/src", "crates/core/src", "crates/store/src", "crates/engine/src"] {
        sources(&repository().join(folder), &mut all);
    }
    let mut known = BTreeSet::new();
    for source in &all {
        for asked in ["var_os(\"", "env::var(\"", "variable(\""] {
            let names = source.split(asked).skip(1).filter_map(|rest| rest.split('"').next());
            known.extend(names.map(str::to_owned));
        }
        // What the standard library asks for.
        if source.contains("env::temp_dir()") {
            known.insert("TMPDIR".to_owned());
        }
    }
    // A build with planted bugs, which is never shipped, asks which one.
    known.remove("PATCHWRIGHT_SEEDED_BUG");
    assert!(known.contains("PATCHWRIGHT_HOME"), "{known:?}");
    let told: BTreeSet<String> = table("Environment").iter().map(|row| code(&row[0]).to_owned()).collect();
    let missing: Vec<_> = known.difference(&told).collect();
    assert!(missing.is_empty(), "docs/settings.md, Environment: no row for {missing:?}");
    let idle: Vec<_> = told.difference(&known).collect();
    assert!(idle.is_empty(), "docs/settings.md, Environment: nothing asks for {idle:?}");
}

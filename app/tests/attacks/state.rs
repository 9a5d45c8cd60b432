//! The state folder under attack: links in the place of its files, and modes that others could use.

use crate::{Place, kind};
use patchwright_app::doors::cli::Screen;
use patchwright_testkit::home;
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

const CALLS: &[&str] = &["create_file", "delete_file", "list_trash", "purge_trash"];

/// Calls that write state, answered however they like.
fn provoke(place: &Place) {
    for tool in CALLS {
        let arguments = match *tool {
            "create_file" => json!({ "path": "new.txt", "content": "x", "idempotencyKey": "k" }),
            "delete_file" => json!({ "path": "a.txt" }),
            "purge_trash" => json!({ "olderThan": "0s" }),
            _ => json!({}),
        };
        let _whatever = place.run(Screen::Pipe, &["--unchecked", "call", tool, &arguments.to_string()]);
    }
    let _whatever = place.run(Screen::Pipe, &["doctor"]);
    let _whatever = place.run(Screen::Pipe, &["audit", "verify"]);
}

#[test]
fn a_link_in_the_place_of_a_state_file_is_not_followed() {
    let old = ["log", "lock", "index.sqlite", "index.sqlite-journal", "index.sqlite-wal", "blobs", "trash"];
    for name in old.into_iter().chain([".gitignore"]) {
        for target in ["../../beside", "../../secret.txt", "../../none"] {
            let place = Place::new();
            fs::create_dir(place.path(".patchwright")).unwrap();
            symlink(target, place.path(".patchwright").join(name)).unwrap();
            provoke(&place);
            place.is_intact(&format!(".patchwright/{name} -> {target}"));
        }
    }
}

/// The same in the folder of a record that is ours, before and after something is in it.
#[test]
fn a_link_in_the_place_of_a_file_of_our_record_is_not_followed() {
    for name in ["log", "key", "index.sqlite", "index.sqlite-wal", ".gitignore", "blobs", "trash"] {
        for target in ["../../../beside", "../../../secret.txt", "../../../none"] {
            let place = Place::new();
            place.trash_id();
            let path = home::record(&place.root).join(name);
            let _gone = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            symlink(target, &path).unwrap();
            provoke(&place);
            place.is_intact(&format!("{name} of the record -> {target}"));
        }
    }
    for target in ["../../beside", "../../none", "../d"] {
        let place = Place::new();
        place.trash_id();
        let record = home::record(&place.root);
        fs::remove_dir_all(&record).unwrap();
        symlink(target, &record).unwrap();
        provoke(&place);
        place.is_intact(&format!("the record's folder -> {target}"));
        assert_eq!(fs::read_dir(place.path("d")).unwrap().count(), 1, "nothing was put into d");
    }
}

#[test]
fn a_link_in_the_place_of_the_state_folder_is_not_followed() {
    for target in ["../beside", "../none", "d"] {
        let place = Place::new();
        symlink(target, place.path(".patchwright")).unwrap();
        provoke(&place);
        place.is_intact(target);
        assert_eq!(fs::read_dir(place.path("d")).unwrap().count(), 1, "nothing was put into d");
    }
}

#[test]
fn a_link_in_the_place_of_the_settings_is_not_followed() {
    let place = Place::new();
    fs::write(place.home.path().join("beside/lax.toml"), "[protect]\nsecrets = false\n").unwrap();
    symlink("../beside/lax.toml", place.path("patchwright.toml")).unwrap();
    fs::write(place.path(".env"), "TOKEN\n").unwrap();
    let ran = place.run(Screen::Pipe, &["call", "read_file", r#"{"path":".env"}"#]);
    assert!(!ran.out.contains("TOKEN"), "{}", ran.out);
}

#[test]
fn state_is_for_its_owner_alone() {
    let place = Place::new();
    let deleted = place.call("delete_file", &json!({ "path": "a.txt", "idempotencyKey": "k" }));
    assert_eq!(kind(&deleted), "ok", "{deleted}");
    let written = place.call("write_file", &json!({ "path": "d/b.txt", "content": "new\n" }));
    assert_eq!(kind(&written), "ok", "{written}");
    let mut folders = vec![place.path(".patchwright")];
    while let Some(folder) = folders.pop() {
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let kept = path.parent().is_some_and(|parent| parent.ends_with("trash") || parent.ends_with("blobs"));
            if path.is_dir() {
                folders.push(path);
            } else if !kept {
                // Kept files have the modes they had; nobody else gets past their folder.
                assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
            }
        }
    }
}

#[test]
fn a_mode_is_not_smuggled_in() {
    let place = Place::new();
    let made = place.call("create_file", &json!({ "path": "run.sh", "content": "#!/bin/sh\n" }));
    assert_eq!(kind(&made), "ok", "{made}");
    let mode = |name: &str| fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("run.sh") & 0o7111, 0, "a new file cannot be run");
    fs::set_permissions(place.path("a.txt"), fs::Permissions::from_mode(0o6755)).unwrap();
    let written = place.call("write_file", &json!({ "path": "a.txt", "content": "evil\n" }));
    assert_eq!(kind(&written), "ok", "{written}");
    assert_eq!(mode("a.txt"), 0o755, "set-id bits go when content changes");
}

#[test]
fn a_foreign_change_since_the_session_looked_is_noticed() {
    use patchwright_app::wire;
    use patchwright_core::tool::Call;
    use patchwright_engine::{Options, Quiet, Session};
    let place = Place::new();
    let workspace = Session::open(&place.root, Options { home: home::at(), ..Options::default() }).unwrap();
    let call = |name: &str, arguments: &str| {
        let tool = wire::tool(name).unwrap();
        let arguments =
            wire::check(tool, wire::canonical(tool, wire::parse_json(arguments).unwrap(), wire::NullProof::LeftOut))
                .unwrap();
        workspace.call(&Call::new(tool, &arguments).unwrap(), &Quiet)
    };
    assert!(call("read_file", r#"{"path":"a.txt"}"#).is_ok());
    fs::write(place.path("a.txt"), "theirs\n").unwrap();
    let refused = patchwright_app::report::answer(&call("write_file", r#"{"path":"a.txt","content":"mine\n"}"#));
    assert_eq!(kind(&refused), "stale_file", "{refused}");
    assert_eq!(refused.pointer("/error/details/reason").unwrap(), "changed_since_seen");
    assert_eq!(fs::read_to_string(place.path("a.txt")).unwrap(), "theirs\n");
}

#[test]
fn a_lock_held_for_ever_is_answered_and_stops_no_reader() {
    let place = Place::new();
    fs::write(place.path("patchwright.toml"), "[limits]\nlock_wait_ms = 1\n").unwrap();
    place.trash_id();
    let lock = fs::File::open(&place.root).unwrap();
    lock.lock().unwrap();
    for (tool, arguments) in [
        ("create_file", json!({ "path": "new.txt", "content": "x" })),
        ("delete_file", json!({ "path": "a.txt" })),
        ("purge_trash", json!({ "olderThan": "0s" })),
    ] {
        place.refused(tool, &arguments, &["busy"]);
    }
    for (tool, arguments) in [("read_file", json!({ "path": "a.txt" })), ("list_trash", json!({}))] {
        assert_eq!(kind(&place.call(tool, &arguments)), "ok", "{tool}");
    }
    drop(lock);
    assert_eq!(kind(&place.call("create_file", &json!({ "path": "new.txt", "content": "x" }))), "ok");
}

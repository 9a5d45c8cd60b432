//! Where a review found honest people led astray: records in linked worktrees and named folders, records that go
//! while a server runs, roots that move.

use crate::git::{git, init};
use crate::place::{Place, Ran, history, is_id, names};
use crate::snapshot::snapshot;
use crate::speaker::Server;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn file(path: &str) -> Value {
    json!({ "path": path, "content": "x\n" })
}

/// The folders of records in a folder.
fn ids(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| is_id(name)).collect()
}

/// A confined server makes two files, another one a third; everybody sees all of them, in one record.
fn serves(place: &Place, root: &Path, (flags, state): (&[&str], &Path), story: &str) {
    let mut server = Server::start_in(place, root, flags);
    server.done("create_file", &file("one.txt"));
    assert!(server.done("list_batches", &json!({})).contains("one.txt"), "{story}");
    server.done("create_file", &file("two.txt"));
    assert_eq!(server.close(), "", "{story}");
    let mut server = Server::start_in(place, root, flags);
    server.done("create_file", &file("three.txt"));
    server.close();
    let run = |args: &[&str]| place.run_in(root, &[flags, args].concat());
    let listed = run(&["call", "list_batches", "{}"]);
    assert_eq!(listed.warned(), "", "{story}");
    assert_eq!(history(&listed), ["one.txt", "two.txt", "three.txt"], "{story}");
    run(&["audit", "verify"]).is(0, story);
    assert_eq!((place.ids(), ids(state).len()), (ids(state), 1), "{story}: one record");
    let inside = [".patchwright", ".git/patchwright"].map(|name| ids(&root.join(name)).len());
    assert_eq!(inside, [0, 0], "{story}: and none in the tree");
}

#[test]
fn a_confined_server_in_a_linked_worktree_keeps_its_record() {
    let place = Place::new();
    init(&place.root);
    let linked = place.at("linked");
    git(&place.root, &["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let state = place.path(".git/worktrees/linked/patchwright");
    serves(&place, &linked, (&[], &state), "a linked worktree");
}

#[test]
fn a_confined_server_with_a_named_state_folder_keeps_its_record() {
    type Named = fn(&Place) -> PathBuf;
    let rows: [(&str, Named); 3] = [
        ("one that is there", |place| {
            fs::create_dir(place.at("far")).unwrap();
            place.at("far")
        }),
        ("one that is not there yet", |place| place.at("some/where/far")),
        ("one whose parent is a link", |place| {
            fs::create_dir(place.at("real")).unwrap();
            symlink(place.at("real"), place.at("link")).unwrap();
            place.at("link/far")
        }),
    ];
    for (story, named) in rows {
        let place = Place::new();
        let far = named(&place);
        serves(&place, &place.root, (&["--state-dir", far.to_str().unwrap()], &far), story);
    }
}

/// The server is told to start again, and the folder of the old record does not come back.
fn must_start_again(server: &mut Server, place: &Place, old: &Path, story: &str) {
    assert!(!old.exists(), "{story}: moved aside");
    for name in ["lost.txt", "lost-too.txt"] {
        let said = server.call("create_file", &file(name));
        assert!(said.refused && said.text.contains("start again"), "{story}: {}", said.text);
        assert!(!place.path(name).exists(), "{story}");
    }
    assert!(!old.exists(), "{story}: the old record came back");
    let read = server.done("read_file", &json!({ "path": "a.txt" }));
    assert!(read.contains("inside"), "{story}: {read}");
}

#[test]
fn a_fresh_start_stops_the_changes_of_a_running_server() {
    for flags in [&[][..], &["--no-sandbox"]] {
        let place = Place::new();
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("one.txt"));
        let old = place.record();
        place.run(&["adopt", "--fresh", "--yes"]).is(0, "a fresh start");
        must_start_again(&mut server, &place, &old, &format!("{flags:?}"));
        server.close();
        place.make("two.txt");
        assert_eq!((place.history(), place.verify()), (vec!["two.txt".to_owned()], Some(0)), "{flags:?}");
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("three.txt"));
        server.close();
        assert_eq!((place.history().len(), place.verify()), (2, Some(0)), "{flags:?}");
    }
}

#[test]
fn taking_a_key_stops_the_changes_of_a_running_server() {
    for flags in [&[][..], &["--no-sandbox"]] {
        let place = Place::new();
        let other = |args: &[&str]| {
            let mut command = place.command(&place.root, args);
            command.env("PATCHWRIGHT_HOME", place.at("other"));
            Ran::of(command)
        };
        let key = place.at("key.txt");
        other(&["call", "create_file", &file("theirs.txt").to_string()]).is(0, "another home's record");
        other(&["key", "export", key.to_str().unwrap()]).is(0, "its key");
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("one.txt"));
        let old = place.record();
        place.run(&["adopt", "--yes", "--key", key.to_str().unwrap()]).is(0, "shared from now on");
        must_start_again(&mut server, &place, &old, &format!("{flags:?}"));
        server.close();
        place.make("two.txt");
        assert_eq!(place.history(), ["theirs.txt", "two.txt"], "{flags:?}");
        assert_eq!(place.verify(), Some(0), "{flags:?}");
        other(&["audit", "verify"]).is(0, "for both");
    }
}

#[test]
fn a_named_state_folder_and_the_usual_one_take_turns() {
    for repository in [false, true] {
        let place = Place::new();
        if repository {
            init(&place.root);
        }
        let far = place.at("far");
        let ways = [&[][..], &["--state-dir", far.to_str().unwrap()]];
        for round in 0..3 {
            for (way, flags) in ways.iter().enumerate() {
                let story = format!("repository {repository}, round {round}, way {way}");
                let run = |args: &[&str]| place.run(&[flags, args].concat());
                let call = file(&format!("{round}-{way}.txt")).to_string();
                assert_eq!(run(&["call", "create_file", &call]).is(0, &story).warned(), "", "{story}");
                let listed = run(&["call", "list_batches", "{}"]).is(0, &story);
                assert_eq!((listed.warned().as_str(), history(&listed).len()), ("", round + 1), "{story}");
                run(&["audit", "verify"]).is(0, &story);
            }
        }
        let near = place.path(if repository { ".git/patchwright" } else { ".patchwright" });
        let both = [ids(&near), ids(&far)];
        assert_eq!((both[0].len(), both[1].len(), place.ids().len()), (1, 1, 2), "{both:?}");
        assert_ne!(both[0], both[1]);
    }
}

#[test]
fn two_roots_share_a_named_state_folder() {
    let place = Place::new();
    let (second, far) = (place.at("second"), place.at("far"));
    fs::create_dir(&second).unwrap();
    let run =
        |root: &Path, args: &[&str]| place.run_in(root, &[&["--state-dir", far.to_str().unwrap()], args].concat());
    for (root, name) in [(&place.root, "one.txt"), (&second, "two.txt"), (&place.root, "three.txt")] {
        let made = run(root, &["call", "create_file", &file(name).to_string()]).is(0, name);
        assert_eq!(made.warned(), "", "{name}");
    }
    let before = snapshot(&far);
    for (root, wanted) in [(&place.root, &["one.txt", "three.txt"][..]), (&second, &["two.txt"])] {
        assert_eq!(history(&run(root, &["call", "list_batches", "{}"])), wanted);
        let found = run(root, &["adopt", "--yes", "--json"]).is(0, "nothing to adopt").answer();
        assert_eq!((&found["adopted"], &found["found"]["others"]), (&Value::Null, &json!([])), "{found}");
        run(root, &["adopt"]).is(0, "nothing to ask about");
        run(root, &["audit", "verify"]).is(0, "whole");
    }
    assert_eq!((snapshot(&far), ids(&far).len()), (before, 2));
}

#[test]
fn a_log_cut_under_a_server_stops_no_reading_and_is_told() {
    for (flags, left) in [(&[][..], 0), (&["--no-sandbox"], 0), (&[], 32), (&[], 100)] {
        let place = Place::new();
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("one.txt"));
        let clean = server.done("read_file", &json!({ "path": "a.txt" }));
        assert!(!clean.contains("record of changes"), "{clean}");
        fs::File::options().write(true).open(place.record().join("log")).unwrap().set_len(left).unwrap();
        let read = server.done("read_file", &json!({ "path": "a.txt" }));
        assert!(read.contains("inside"), "{flags:?}, {left} left: {read}");
        assert!(read.contains("record of changes"), "{flags:?}, {left} left: {read}");
        server.done("create_file", &file("two.txt"));
        server.close();
        assert_eq!(place.verify(), Some(1), "{flags:?}, {left} left: it shows");
    }
}

#[test]
fn a_server_on_a_fresh_workspace_has_nothing_to_warn_of() {
    for repository in [false, true] {
        let place = Place::new();
        if repository {
            init(&place.root);
        }
        let mut server = Server::start(&place, &[]);
        for (tool, arguments) in [("read_file", json!({ "path": "a.txt" })), ("list_batches", json!({}))] {
            let said = server.done(tool, &arguments).to_lowercase();
            assert!(!said.contains("record of changes") && !said.contains("warning"), "{tool}: {said}");
        }
        assert_eq!(server.close(), "");
        place.run(&["audit", "verify"]).is(0, "nothing was changed, nothing is wrong");
        let listed = place.call("list_batches", &json!({})).is(0, "looking");
        assert_eq!((listed.warned().as_str(), history(&listed).len()), ("", 0));
        assert_eq!(place.make("one.txt").warned(), "");
        assert_eq!(place.verify(), Some(0));
    }
}

#[test]
fn the_loss_of_a_record_is_told_where_the_root_has_moved() {
    for (repository, changed) in [(false, false), (false, true), (true, false), (true, true)] {
        let story = format!("repository {repository}, changed since {changed}");
        let place = Place::new();
        if repository {
            init(&place.root);
        }
        place.make("one.txt");
        let moved = place.at("moved");
        fs::rename(&place.root, &moved).unwrap();
        let place = place.rooted(moved);
        assert_eq!(place.history(), ["one.txt"], "{story}");
        if changed {
            place.make("two.txt");
        }
        fs::remove_dir_all(place.record()).unwrap();
        let looked = place.call("list_batches", &json!({})).is(0, &story);
        assert!(looked.warned().contains("record of changes"), "{story}: {}", looked.told());
        assert_eq!(place.verify(), Some(1), "{story}");
        place.make("three.txt");
        assert_eq!((place.verify(), place.ids().len()), (Some(1), 1), "{story}: until somebody has looked");
        place.run(&["adopt", "--yes"]).is(0, &story);
        assert_eq!(place.verify(), Some(0), "{story}");
    }
}

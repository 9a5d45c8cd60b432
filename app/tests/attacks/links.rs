//! Links at leaf, parent and grandparent, of every kind, through every tool: only what stays inside is
//! followed, and nothing is ever written through one that leads out or nowhere.

use crate::{Place, SECRET, kind};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

/// A workspace with these links; `$HOME` in a target is the folder the root lies in.
fn place(links: &[(&str, &str)]) -> Place {
    let place = Place::new();
    let home = place.home.path().canonicalize().unwrap();
    for (link, target) in links {
        let path = place.path(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target.replace("$HOME", &home.to_string_lossy()), path).unwrap();
    }
    place
}

/// Every tool, with this path that goes through links: refused with one of these kinds.
fn check(links: &[(&str, &str)], path: &str, kinds: &[&str]) {
    let place = place(links);
    for (tool, arguments) in place.calls(path) {
        let acts_on_the_link = links.iter().any(|(link, _)| *link == path);
        let follows = arguments.to_string().contains("*** Update File: l");
        if acts_on_the_link && (["delete_file", "move_file"].contains(&tool) || tool == "apply_patch" && !follows) {
            continue;
        }
        let mut kinds = kinds.to_vec();
        if acts_on_the_link && ["create_file", "restore_file"].contains(&tool) {
            kinds = vec!["already_exists"];
        }
        place.refused(tool, &arguments, &kinds);
    }
}

const OUT: &[&str] = &["outside_workspace"];

#[test]
fn leaf_links_that_lead_out() {
    for target in [
        "../secret.txt",
        "../beside",
        "..",
        "/etc/passwd",
        "$HOME/secret.txt",
        "$HOME/beside",
        "d/../../secret.txt",
        "../ws-evil/x",
        "/proc/self/root",
        "/proc/self/cwd",
        "/dev/zero",
    ] {
        check(&[("l", target)], "l", OUT);
        check(&[("l", "m"), ("m", target)], "l", OUT); // chained
        check(&[("l", "d/m"), ("d/m", "../n"), ("n", target)], "l", OUT);
    }
}

#[test]
fn parents_that_lead_out() {
    for target in ["../beside", "$HOME/beside", "d/../../beside", "/proc/self/root"] {
        check(&[("l", target)], "l/x", OUT);
        check(&[("l", target)], "l/new.txt", OUT);
        check(&[("l", "m"), ("m", target)], "l/x", OUT);
    }
    for target in ["..", "$HOME", "../ws/.."] {
        check(&[("l", target)], "l/beside/x", OUT); // grandparent
        check(&[("l", target)], "l/beside/deep/x", OUT);
        check(&[("l", target)], "l/ws/a.txt", OUT); // out and in again
    }
}

#[test]
fn links_that_lead_nowhere() {
    // In a circle.
    check(&[("l", "l")], "l", OUT);
    check(&[("l", "m"), ("m", "l")], "l", OUT);
    check(&[("l", "m"), ("m", "l")], "l/x", OUT);
    check(&[("l", "l/x")], "l", OUT);
    // To what is not there, inside and out.
    check(&[("l", "none")], "l", &["not_found"]);
    check(&[("l", "../none")], "l", OUT);
    check(&[("l", "$HOME/none")], "l", OUT);
    check(&[("l", "../none")], "l/x", OUT);
}

#[test]
fn nothing_is_made_through_a_dangling_link() {
    for target in ["none", "../none", "../beside/none", "d/none"] {
        let place = place(&[("l", target)]);
        place.refused("create_file", &json!({ "path": "l", "content": "x" }), &["already_exists"]);
        place.refused("move_file", &json!({ "fromPath": "a.txt", "toPath": "l" }), &["already_exists"]);
        // Asked to replace, a move replaces the link and not what it names.
        let moved = place.call("move_file", &json!({ "fromPath": "a.txt", "toPath": "l", "overwrite": true }));
        assert_eq!(kind(&moved), "ok", "{moved}");
        assert_eq!(fs::read_to_string(place.path("l")).unwrap(), "inside\n");
        assert!(fs::symlink_metadata(place.path("l")).unwrap().is_file());
        place.is_intact(target);
    }
}

#[test]
fn delete_and_move_act_on_the_link_itself() {
    for target in ["../secret.txt", "../beside", "$HOME/secret.txt", "/dev/zero", "l", "none", "a.txt"] {
        let place = place(&[("l", target)]);
        let moved = place.call("move_file", &json!({ "fromPath": "l", "toPath": "d/m" }));
        assert_eq!(kind(&moved), "ok", "{moved}");
        let deleted = place.call("delete_file", &json!({ "path": "d/m" }));
        assert_eq!(kind(&deleted), "ok", "{deleted}");
        assert!(!deleted.to_string().contains(SECRET), "{deleted}");
        let id = deleted.pointer("/data/trashId").cloned().unwrap();
        let restored = place.call("restore_file", &json!({ "trashId": id }));
        assert_eq!(kind(&restored), "ok", "{restored}");
        assert!(fs::symlink_metadata(place.path("d/m")).unwrap().is_symlink());
        place.is_intact(target);
    }
}

#[test]
fn listings_and_searches_do_not_follow() {
    let place = place(&[("l", "../beside"), ("m", "$HOME/beside"), ("d/up", ".."), ("f", "../secret.txt")]);
    for (tool, arguments) in [
        ("list_directory", json!({ "recursive": true, "maxDepth": 40 })),
        ("glob", json!({ "pattern": "**" })),
        ("search_files", json!({ "query": "SECRET", "mode": "text" })),
        ("search_files", json!({ "query": "**", "mode": "path" })),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(kind(&answer), "ok", "{answer}");
        for name in ["l/x", "m/x", "deep", "up/", SECRET] {
            assert!(!answer.to_string().contains(name), "{tool} shows {name}: {answer}");
        }
    }
}

#[test]
fn a_hard_link_to_the_outside_is_cut_not_written_through() {
    let mut place = Place::new();
    fs::hard_link(place.home.path().join("secret.txt"), place.path("twin")).unwrap();
    place.settle();
    for (tool, arguments) in [
        ("write_file", json!({ "path": "twin", "content": "mine\n" })),
        ("edit_file", json!({ "path": "twin", "edits": [{ "oldText": "mine", "newText": "ours" }] })),
        ("delete_file", json!({ "path": "twin" })),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(kind(&answer), "ok", "{answer}");
        place.is_intact(tool);
    }
}

#[test]
fn two_names_of_one_file_are_not_moved_onto_each_other() {
    let place = Place::new();
    fs::hard_link(place.path("a.txt"), place.path("twin")).unwrap();
    let arguments = json!({ "fromPath": "a.txt", "toPath": "twin", "overwrite": true });
    place.refused("move_file", &arguments, &["invalid_arguments", "command_failed"]);
    let number = |name: &str| fs::metadata(place.path(name)).unwrap().ino();
    assert_eq!(number("a.txt"), number("twin"));
    // The same name twice, however it is spelt or reached.
    symlink("d", place.path("e")).unwrap();
    for (from, to) in [("a.txt", "./a.txt"), ("d/b.txt", "e/b.txt"), ("e/b.txt", "d/../d/b.txt")] {
        let arguments = json!({ "fromPath": from, "toPath": to, "overwrite": true });
        place.refused("move_file", &arguments, &["command_failed", "invalid_arguments"]);
    }
}

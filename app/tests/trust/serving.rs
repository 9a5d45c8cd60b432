//! The server: confined, it still makes and mends its index; the key is looked at before each change; what is deleted
//! under it comes back whole or is told.

use crate::git::init;
use crate::place::{Place, names};
use crate::snapshot::snapshot;
use crate::speaker::Server;
use landlock::{AccessFs, LandlockStatus, Ruleset, RulesetAttr};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

/// Does this kernel confine? Asked without a line of ours, on a thread that ends at once.
fn kernel_confines() -> bool {
    let ask =
        || Ruleset::default().handle_access(AccessFs::MakeBlock).unwrap().create().unwrap().restrict_self().unwrap();
    let status = std::thread::spawn(ask).join().unwrap().landlock;
    let can = matches!(status, LandlockStatus::Available { effective_abi, .. } if effective_abi as i32 >= 2);
    if !can {
        println!("this kernel has no Landlock that serves: {status:?}");
    }
    can
}

fn file(path: &str) -> Value {
    json!({ "path": path, "content": "x\n" })
}

#[test]
fn a_confined_server_makes_its_index() {
    for repository in [false, true] {
        let place = Place::new();
        if repository {
            init(&place.root);
        }
        let mut server = Server::start(&place, &[]);
        server.done("create_file", &file("one.txt"));
        assert!(server.done("list_batches", &json!({})).contains("one.txt"));
        let index = place.ring().join("index.sqlite");
        assert!(index.is_file(), "repository {repository}: {:?}", names(&place.ring()));
        assert_eq!(server.close(), "", "nothing is wrong, so nothing is said");
        for name in names(&place.ring()).iter().filter(|name| name.starts_with("index.sqlite")) {
            fs::remove_file(place.ring().join(name)).unwrap();
        }
        let mut server = Server::start(&place, &[]);
        assert!(server.done("list_batches", &json!({})).contains("one.txt"), "made anew");
        server.done("create_file", &file("two.txt"));
        assert!(server.done("list_batches", &json!({})).contains("two.txt"));
        assert!(index.is_file());
        assert_eq!(server.close(), "");
        assert_eq!((place.history().len(), place.verify()), (2, Some(0)));
    }
}

#[test]
fn a_server_that_may_not_write_founds_nothing() {
    let place = Place::new();
    let before = snapshot(place.dir.path());
    let mut server = Server::start(&place, &["--read-only"]);
    server.done("read_file", &json!({ "path": "a.txt" }));
    server.done("list_batches", &json!({}));
    assert!(server.call("create_file", &file("one.txt")).refused);
    server.close();
    let changed = crate::snapshot::differing(&before, &snapshot(place.dir.path()));
    assert_eq!(changed, Vec::<String>::new());
}

#[test]
fn a_key_deleted_under_a_server_stops_its_changes() {
    for flags in [&[][..], &["--no-sandbox"]] {
        let place = Place::new();
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("one.txt"));
        fs::remove_dir_all(place.ring()).unwrap();
        let said = server.call("create_file", &file("two.txt"));
        assert!(said.refused && said.text.contains("start again"), "{flags:?}: {}", said.text);
        assert!(!place.path("two.txt").exists(), "{flags:?}");
        assert!(server.done("read_file", &json!({ "path": "a.txt" })).contains("inside"), "{flags:?}");
        server.close();
        place.make("two.txt");
    }
}

#[test]
fn state_deleted_under_a_server_comes_back_whole() {
    for flags in [&[][..], &["--no-sandbox"]] {
        let place = Place::new();
        let mut server = Server::start(&place, flags);
        server.done("create_file", &file("one.txt"));
        let record = place.record();
        fs::remove_dir_all(place.path(".patchwright")).unwrap();
        server.done("create_file", &file("two.txt"));
        server.done("read_file", &json!({ "path": "a.txt" }));
        server.done("delete_file", &json!({ "path": "a.txt" }));
        assert_eq!(place.record(), record, "{flags:?}: the same record");
        for folder in [&place.path(".patchwright"), &record] {
            let ignored = fs::read_to_string(folder.join(".gitignore")).unwrap_or_default();
            assert_eq!(ignored.trim(), "*", "{flags:?}: {}", folder.display());
        }
        for shelf in ["blobs", "trash"] {
            assert!(record.join(shelf).is_dir(), "{flags:?}: {shelf}");
        }
        server.close();
        assert_eq!(place.history(), ["two.txt", "a.txt"], "{flags:?}: the loss is what it is");
        assert_eq!(place.verify(), Some(1), "{flags:?}: and shows");
    }
}

#[test]
fn a_git_state_folder_deleted_under_a_server_comes_back() {
    let place = Place::new();
    init(&place.root);
    let mut server = Server::start(&place, &[]);
    server.done("create_file", &file("one.txt"));
    fs::remove_dir_all(place.path(".git/patchwright")).unwrap();
    server.done("create_file", &file("two.txt"));
    server.close();
    assert_eq!(place.record().parent().unwrap(), place.path(".git/patchwright"));
    assert_eq!((place.history(), place.verify()), (vec!["two.txt".to_owned()], Some(1)));
}

/// The index is opened by its path. Led to the keys of another workspace by a link, an unconfined server could write
/// there: this is how we see from outside that a confined one cannot.
#[test]
fn the_keys_of_other_workspaces_are_out_of_reach() {
    if !kernel_confines() {
        return;
    }
    let place = Place::new();
    let other = place.at("other");
    fs::create_dir(&other).unwrap();
    place.make_in(&other, "theirs.txt");
    let theirs = place.home.join("ws").join(&place.ids()[0]);
    let mut server = Server::start(&place, &[]);
    server.done("create_file", &file("one.txt"));
    let before = snapshot(&theirs);
    let ring = place.ring();
    fs::rename(&ring, place.at("aside")).unwrap();
    symlink(&theirs, &ring).unwrap();
    for (tool, arguments) in [
        ("list_batches", json!({})),
        ("list_trash", json!({})),
        ("create_file", file("two.txt")),
        ("list_batches", json!({ "limit": 5 })),
    ] {
        let _whatever = server.call(tool, &arguments);
        assert_eq!(snapshot(&theirs), before, "{tool}");
    }
    symlink(theirs.join("key"), place.path("stolen")).unwrap();
    let said = server.call("read_file", &json!({ "path": "stolen", "allowBinary": true }));
    assert!(said.refused, "{}", said.text);
    server.close();
}

#[test]
fn two_servers_and_a_person_share_a_workspace() {
    let place = Place::new();
    let (mut one, mut two) = (Server::start(&place, &[]), Server::start(&place, &["--no-sandbox"]));
    for round in 0..5 {
        one.done("create_file", &file(&format!("one-{round}.txt")));
        two.done("create_file", &file(&format!("two-{round}.txt")));
        place.make(&format!("person-{round}.txt"));
    }
    one.close();
    two.close();
    assert_eq!((place.history().len(), place.verify(), place.ids().len()), (15, Some(0), 1));
}

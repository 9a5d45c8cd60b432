//! Adopting: a person looks at records that are not ours and takes them over. History comes along; nothing in the work
//! tree changes, unless that is asked for, and then only as the guard allows.

use crate::forged::{ENTRY, FOREIGN, SCRIPT, ship};
use crate::frames::{Seal, creation, deletion, new_log, old_log, proposal};
use crate::place::{Place, Ran, copy, kind, names};
use crate::snapshot::{Snapshot, Thing, snapshot};
use crate::speaker::Server;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn with_nothing_to_adopt_it_says_so() {
    let place = Place::new();
    let ran = place.run(&["adopt"]).is(0, "nothing there");
    assert_ne!(ran.told(), "");
    place.make("one.txt");
    let before = snapshot(&place.root);
    place.run(&["adopt"]).is(0, "nothing but our own, and that is current");
    assert_eq!(place.changes(&before), Vec::<String>::new());
    assert_eq!(place.verify(), Some(0));
}

#[test]
fn without_a_terminal_it_asks_for_yes() {
    let place = Place::new();
    ship(&place.root, &[FOREIGN], &deletion("d/planted", ENTRY, SCRIPT));
    let before = snapshot(place.dir.path());
    for args in
        [&["adopt"][..], &["adopt", "--take-back"], &["adopt", "--fresh"], &["adopt", FOREIGN], &["adopt", "--json"]]
    {
        let ran = place.run(args).is(2, "no terminal");
        assert!(ran.told().contains("--yes"), "{args:?}: {}", ran.told());
        assert_eq!(snapshot(place.dir.path()), before, "{args:?}");
    }
}

#[test]
fn it_is_no_tool() {
    let place = Place::new();
    let tools = place.run(&["tools", "--tools", "all"]).is(0, "listing");
    let listed: Value = serde_json::from_str(&tools.out).unwrap();
    assert!(!listed.to_string().contains("\"adopt\""), "no tool of that name");
    place.call("adopt", &json!({})).is(2, "an unknown tool");
    place.call("key", &json!({})).is(2, "an unknown tool");
}

/// A hostile state: what it is, and how it is planted.
type Plant = fn(&Place);

fn log_of(place: &Place, bytes: &[u8]) {
    let record = place.path(".patchwright").join(FOREIGN);
    fs::create_dir_all(&record).unwrap();
    fs::write(record.join("log"), bytes).unwrap();
}

const HOSTILE: &[(&str, Plant)] = &[
    ("an intent to plant", |place| ship(&place.root, &[FOREIGN], &deletion("d/planted", ENTRY, SCRIPT))),
    ("an intent to remove", |place| ship(&place.root, &[FOREIGN], &creation("a.txt", b"inside\n"))),
    ("an intent through a link", |place| {
        fs::create_dir_all(place.path(".git/hooks")).unwrap();
        symlink(".git", place.path("vendor")).unwrap();
        ship(&place.root, &[FOREIGN], &deletion("vendor/hooks/pre-commit", ENTRY, SCRIPT));
    }),
    ("an intent that climbs", |place| ship(&place.root, &[FOREIGN], &deletion("../planted", ENTRY, SCRIPT))),
    ("an entry that climbs", |place| {
        ship(&place.root, &[FOREIGN], &deletion("d/planted", "../../../a.txt", b"inside\n"))
    }),
    ("an intent on settings", |place| ship(&place.root, &[FOREIGN], &deletion("patchwright.toml", ENTRY, SCRIPT))),
    ("a proposal", |place| ship(&place.root, &[FOREIGN], &proposal("run.sh", SCRIPT))),
    ("garbage", |place| log_of(place, &[0xa5; 10_000])),
    ("nothing", |place| log_of(place, b"")),
    ("a length without end", |place| log_of(place, &[&crate::frames::top()[..], &[0xff; 4096]].concat())),
    ("a later version", |place| log_of(place, &[&b"patchwright log\n"[..], &[9, 0, 0, 0], &[0; 12]].concat())),
    ("half a frame", |place| {
        let log = new_log(&Seal::wrong(FOREIGN), &[deletion("d/planted", ENTRY, SCRIPT)]);
        log_of(place, &log[..log.len() - 20]);
    }),
    ("a payload that is none", |place| log_of(place, &new_log(&Seal::wrong(FOREIGN), &[vec![0xc1; 300]]))),
    ("a folder for a log", |place| fs::create_dir_all(place.path(".patchwright").join(FOREIGN).join("log")).unwrap()),
    ("a link for a log", |place| {
        log_of(place, b"");
        let log = place.path(".patchwright").join(FOREIGN).join("log");
        fs::remove_file(&log).unwrap();
        fs::write(place.at("outside"), old_log(&[creation("a.txt", b"inside\n")])).unwrap();
        symlink(place.at("outside"), log).unwrap();
    }),
    ("a pipe for a log", |place| {
        log_of(place, b"");
        let log = place.path(".patchwright").join(FOREIGN).join("log");
        fs::remove_file(&log).unwrap();
        assert!(Command::new("mkfifo").arg(log).status().unwrap().success());
    }),
    ("a copy of ours", |place| {
        place.make("one.txt");
        let record = place.record();
        fs::rename(&record, record.parent().unwrap().join(FOREIGN)).unwrap();
        fs::remove_dir_all(&place.home).unwrap();
    }),
];

/// The work tree alone, without any state, ours or not.
fn tree(place: &Place) -> Snapshot {
    let mut all = snapshot(&place.root);
    let state = |path: &str| [".patchwright", ".git/patchwright"].iter().any(|top| path.starts_with(top));
    all.retain(|path, _| !state(path));
    all
}

#[test]
fn adopting_hostile_states_changes_no_file() {
    for (story, plant) in HOSTILE {
        for args in [&["adopt", "--yes"][..], &["adopt", FOREIGN, "--yes", "--json"], &["adopt", "--fresh", "--yes"]] {
            let place = Place::new();
            plant(&place);
            let before = tree(&place);
            let ran = place.run(args);
            let story = format!("{story}: {args:?} told {}", ran.told());
            assert!(matches!(ran.code, Some(0..=2)), "{:?}: {story}", ran.code);
            assert_eq!(tree(&place), before, "{story}");
            place.call("list_batches", &json!({})).is(0, &story);
            place.make("after.txt");
            let mut wanted = before.clone();
            wanted.insert("after.txt".to_owned(), tree(&place).remove("after.txt").unwrap());
            assert_eq!(tree(&place), wanted, "{story}");
            assert!(!place.at("planted").exists(), "{story}");
        }
    }
}

#[test]
fn taking_back_goes_through_the_guard() {
    // What a fooled recovery would do must not be done even when somebody asks for it.
    let rows = ["an intent through a link", "an intent that climbs", "an entry that climbs", "an intent on settings"];
    for (story, plant) in HOSTILE.iter().filter(|(story, _)| rows.contains(story)) {
        let place = Place::new();
        plant(&place);
        let before = tree(&place);
        let ran = place.run(&["adopt", "--yes", "--take-back"]);
        assert!(matches!(ran.code, Some(0..=2)), "{story}: {:?} {}", ran.code, ran.told());
        assert_eq!(tree(&place), before, "{story}: {}", ran.told());
        place.make("after.txt");
    }
    let place = Place::new();
    ship(&place.root, &[], &deletion("d/planted", ENTRY, SCRIPT));
    place.run(&["adopt", "--yes", "--take-back"]).is(0, "an honest one");
    assert_eq!(fs::read(place.path("d/planted")).unwrap(), SCRIPT, "is taken back");
}

fn journals() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/engine/tests/journals");
    let found: Vec<PathBuf> = names(&all).iter().map(|name| all.join(name)).collect();
    assert!(found.len() >= 4, "{found:?}");
    found
}

/// A workspace as a killed process of 0.1 left it.
fn left_by(journal: &Path) -> Place {
    let place = Place::new();
    fs::remove_dir_all(&place.root).unwrap();
    copy(&journal.join("tree"), &place.root);
    copy(&journal.join("state"), &place.path(".patchwright"));
    place
}

/// The bytes of the files in a folder itself.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let file = |(path, thing): (String, Thing)| match thing {
        Thing::File { bytes, .. } if !path.contains('/') => Some((path, bytes)),
        _ => None,
    };
    snapshot(folder).into_iter().filter_map(file).collect()
}

#[test]
fn journals_of_0_1_are_left_alone_until_somebody_asks() {
    for journal in journals() {
        let (place, story) = (left_by(&journal), journal.display().to_string());
        let before = snapshot(&place.root);
        for args in [&["log"][..], &["doctor"], &["trash", "list"], &["--read-only", "search", "x"]] {
            let told = place.run(args).told();
            assert_eq!(snapshot(&place.root), before, "{story}: {args:?} told {told}");
        }
        let mut server = Server::start(&place, &[]);
        server.done("list_directory", &json!({}));
        server.close();
        assert_eq!(place.changes(&before), Vec::<String>::new(), "{story}: a server");
        place.make("new.txt");
        assert_eq!(place.changes(&before), ["new.txt"], "{story}: a change");
        place.run(&["adopt", "--yes"]).is(0, &story);
        assert_eq!(files(&place.root).len(), files(&journal.join("tree")).len() + 1, "{story}: adopted");
        let mut tree = files(&place.root);
        tree.retain(|(name, _)| name != "new.txt");
        assert_eq!(tree, files(&journal.join("tree")), "{story}: adopted");
    }
}

#[test]
fn journals_of_0_1_are_recovered_when_somebody_asks() {
    for journal in journals() {
        let (place, story) = (left_by(&journal), journal.display().to_string());
        assert_ne!(files(&place.root), files(&journal.join("recovered")), "{story} has nothing to recover");
        place.run(&["adopt", "--yes", "--take-back"]).is(0, &story);
        assert_eq!(files(&place.root), files(&journal.join("recovered")), "{story}");
        assert!(!place.history().is_empty(), "{story}: its history came along");
        assert_eq!(place.verify(), Some(0), "{story}");
        place.make("new.txt");
        assert_eq!(place.verify(), Some(0), "{story}");
    }
}

/// A copy of a workspace in which something was done with a key and something proposed, adopted.
fn adopted() -> (Place, Value) {
    let place = Place::new();
    let keyed = json!({ "path": "one.txt", "content": "one\n", "idempotencyKey": "k" });
    place.call("create_file", &keyed).is(0, "made");
    assert_eq!(place.call("create_file", &keyed).is(0, "again").answer()["replayed"], json!(true));
    let proposed = json!({ "path": "two.txt", "content": "two\n", "mode": "propose" });
    let proposed = place.call("create_file", &proposed).is(0, "proposed").answer();
    place.call("delete_file", &json!({ "path": "a.txt" })).is(0, "deleted");
    let other = place.at("copy");
    copy(&place.root, &other);
    let place = place.rooted(other);
    let before = tree(&place);
    place.run(&["adopt", "--yes"]).is(0, "a copy of ours");
    assert_eq!(tree(&place), before);
    (place, proposed["data"]["batchId"].clone())
}

#[test]
fn adopted_history_serves_looking_trash_and_undo() {
    let (place, _) = adopted();
    assert!(place.history().contains(&"one.txt".to_owned()), "{:?}", place.history());
    let trash = place.call("list_trash", &json!({})).is(0, "the trash").answer();
    let id = &trash["data"]["entries"][0]["trashId"];
    place.call("restore_file", &json!({ "trashId": id })).is(0, "restored");
    assert_eq!(fs::read_to_string(place.path("a.txt")).unwrap(), "inside\n");
    place.call("undo", &json!({ "path": "one.txt" })).is(0, "undone");
    assert!(!place.path("one.txt").exists());
    assert_eq!(place.verify(), Some(0));
}

#[test]
fn adopted_keys_do_not_replay_and_proposals_are_closed() {
    let (place, proposal) = adopted();
    let keyed = json!({ "path": "one.txt", "content": "one\n", "idempotencyKey": "k" });
    let answer = place.call("create_file", &keyed).is(1, "the file is there").answer();
    assert_eq!((kind(&answer), answer.get("replayed")), ("already_exists", None), "{answer}");
    let listed = place.call("list_batches", &json!({ "status": "proposed" })).is(0, "listing").answer();
    assert_eq!(listed["data"]["batches"], json!([]));
    let ran: Ran = place.call("apply_batch", &json!({ "batchId": proposal })).is(1, "closed");
    assert!(!place.path("two.txt").exists(), "{}", ran.told());
}

#[test]
fn a_fresh_start_moves_the_old_aside() {
    let place = Place::new();
    ship(&place.root, &[], &deletion("d/planted", ENTRY, SCRIPT));
    place.run(&["adopt", "--fresh", "--yes"]).is(0, "moved aside");
    let made = place.make("one.txt");
    assert!(!made.warned().contains("adopt"), "nothing is left to tell of: {}", made.told());
    assert_eq!((place.history(), place.verify()), (vec!["one.txt".to_owned()], Some(0)));
    let kept = snapshot(place.dir.path())
        .into_values()
        .filter(|thing| matches!(thing, Thing::File { bytes, .. } if bytes == SCRIPT));
    assert_ne!(kept.count(), 0, "aside is not away");
}

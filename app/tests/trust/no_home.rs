//! No home at all: the runtime folder, then one of our own among the temporary ones, with a warning that history ends
//! with it; else the change is refused, and the refusal names what helps.

use crate::place::{NOBODY, Place, Ran, is_root, names};
use crate::snapshot::{Thing, snapshot};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;

const CALL: [&str; 3] = ["call", "create_file", r#"{"path":"one.txt","content":"x"}"#];

/// Which folders are left for a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Runtime,
    Temporary,
    Nothing,
}

/// Runs a command whose user's home is a file: no folder can be made in it, not even by root.
fn homeless(place: &Place, left: Left, args: &[&str]) -> Ran {
    let mut command = place.command(&place.root, args);
    let file = place.at("no-folder");
    fs::write(&file, "").unwrap();
    command.env("HOME", &file).env_remove("PATCHWRIGHT_HOME").env_remove("XDG_STATE_HOME");
    if left != Left::Runtime {
        command.env_remove("XDG_RUNTIME_DIR");
    }
    if left == Left::Nothing {
        command.env("TMPDIR", &file);
    }
    Ran::of(command)
}

/// The keys below a folder.
fn keys(folder: &Path) -> Vec<String> {
    let is_key = |thing: &Thing| matches!(thing, Thing::File { bytes, mode } if bytes.len() == 32 && mode & 0o077 == 0);
    let all = snapshot(folder);
    all.iter().filter(|(path, thing)| path.ends_with("/key") && is_key(thing)).map(|(path, _)| path.clone()).collect()
}

fn ours(place: &Place) -> std::path::PathBuf {
    place.at("tmp").join(format!("patchwright-{}", place.uid()))
}

#[test]
fn without_a_home_the_runtime_folder_serves() {
    let place = Place::new();
    let made = homeless(&place, Left::Runtime, &CALL).is(0, "made");
    assert_ne!(made.warned(), "", "that history ends with it is said");
    assert_eq!((keys(&place.at("run")).len(), names(&place.at("tmp")).len()), (1, 0), "{}", made.told());
    homeless(&place, Left::Runtime, &["audit", "verify"]).is(0, "whole");
    homeless(&place, Left::Runtime, &["undo"]).is(0, "and of use");
    assert!(!place.path("one.txt").exists());
}

#[test]
fn without_that_a_temporary_folder_of_our_own_serves() {
    let place = Place::new();
    let made = homeless(&place, Left::Temporary, &CALL).is(0, "made");
    assert_ne!(made.warned(), "", "that history ends with it is said");
    let meta = fs::metadata(ours(&place)).unwrap();
    assert_eq!((meta.mode() & 0o777, meta.uid()), (0o700, place.uid()));
    assert_eq!(keys(&ours(&place)).len(), 1);
    homeless(&place, Left::Temporary, &["audit", "verify"]).is(0, "whole");
    homeless(&place, Left::Temporary, &["undo"]).is(0, "and of use");
}

/// The change is refused and says what helps; nothing is made anywhere, and looking goes on.
fn is_refused(place: &Place, left: Left, story: &str) {
    let (before, temporary) = (snapshot(&place.root), snapshot(&place.at("tmp")));
    let ran = homeless(place, left, &CALL).is(1, story);
    assert!(ran.told().contains("PATCHWRIGHT_HOME"), "{story}: {}", ran.told());
    assert_eq!(snapshot(&place.root), before, "{story}");
    assert_eq!(snapshot(&place.at("tmp")), temporary, "{story}");
    assert_eq!(homeless(place, left, &["read", "d/b.txt"]).is(0, story).out, "inside\n");
}

#[test]
fn without_any_place_the_change_is_refused() {
    is_refused(&Place::new(), Left::Nothing, "nowhere to go");
}

/// What somebody else has prepared.
type Plant = fn(&Place);

#[test]
fn a_temporary_name_that_is_taken_is_not_used() {
    let rows: [(&str, Plant); 4] = [
        ("a folder that others may enter", |place| {
            fs::create_dir(ours(place)).unwrap();
            fs::set_permissions(ours(place), fs::Permissions::from_mode(0o755)).unwrap();
        }),
        ("a link", |place| {
            fs::create_dir(place.at("bait")).unwrap();
            fs::set_permissions(place.at("bait"), fs::Permissions::from_mode(0o700)).unwrap();
            symlink(place.at("bait"), ours(place)).unwrap();
        }),
        ("a file", |place| fs::write(ours(place), "").unwrap()),
        ("another user's", |place| {
            fs::create_dir(ours(place)).unwrap();
            fs::set_permissions(ours(place), fs::Permissions::from_mode(0o700)).unwrap();
            if is_root() {
                chown(ours(place), Some(NOBODY), Some(NOBODY)).unwrap();
            } else {
                fs::set_permissions(ours(place), fs::Permissions::from_mode(0o777)).unwrap();
            }
        }),
    ];
    for (story, take) in rows {
        let place = Place::new();
        take(&place);
        is_refused(&place, Left::Temporary, story);
        assert!(names(&place.at("bait")).is_empty(), "{story}");
    }
}

#[test]
fn a_runtime_folder_of_another_is_not_used() {
    if !is_root() {
        println!("only root can give a folder away");
        return;
    }
    let place = Place::new();
    chown(place.at("run"), Some(NOBODY), Some(NOBODY)).unwrap();
    let ran = homeless(&place, Left::Runtime, &CALL).is(0, "the next place serves");
    assert_eq!(names(&place.at("run")), Vec::<String>::new(), "{}", ran.told());
    assert_eq!(keys(&ours(&place)).len(), 1, "{}", ran.told());
}

#[test]
fn a_home_that_cannot_be_made_is_no_home() {
    // The folder is named, and it cannot be there: modes count for this user.
    let place = Place::of_nobody();
    let closed = place.at("closed");
    fs::create_dir(&closed).unwrap();
    place.give(&closed, place.uid());
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let mut command = place.command(&place.root, &CALL);
    command.env("PATCHWRIGHT_HOME", closed.join("home"));
    let ran = Ran::of(command).is(0, "made");
    assert_ne!(ran.warned(), "", "that history ends with it is said");
    assert_eq!(keys(&place.at("run")).len(), 1, "{}", ran.told());
}

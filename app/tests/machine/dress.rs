//! What a new file or folder looks like: exactly as if any other program had made it there. What an edit, a restore or an
//! undo brings looks as it did before.

use crate::place::Place;
use patchwright_testkit::dress::{Acl, attributes, set};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

/// Some group and some user, who need not exist.
const GROUP: u32 = 4321;
const USER: u32 = 4322;

/// Mode, group and attributes of something.
type Looks = (u32, u32, Vec<(String, Vec<u8>)>);

fn looks(path: &Path) -> Looks {
    let found = fs::symlink_metadata(path).unwrap();
    (found.mode() & 0o7777, found.gid(), attributes(path).unwrap())
}

/// Folders in which new things are to look otherwise than elsewhere.
fn folders() -> [(&'static str, u32, Option<Acl>); 8] {
    [
        ("plain", 0o755, None),
        ("private by its list", 0o755, Some(Acl::plain(6, 0, 0))),
        ("open by its list, whatever the umask", 0o755, Some(Acl::plain(7, 7, 7))),
        ("a list that names a user", 0o755, Some(Acl::plain(7, 5, 0).with_user(USER, 6, 7))),
        ("a list with a narrow mask", 0o755, Some(Acl::plain(7, 7, 4).with_user(USER, 7, 4))),
        ("its group's", 0o2775, None),
        ("its group's, with a list", 0o2770, Some(Acl::plain(6, 6, 0).with_user(USER, 4, 6))),
        ("nobody may write", 0o755, Some(Acl::plain(4, 4, 4))),
    ]
}

/// A workspace with such a folder; nothing where the file system has no access lists.
fn prepared(mode: u32, list: Option<&Acl>) -> Option<Place> {
    let place = Place::new();
    let folder = place.path("f");
    fs::create_dir(&folder).unwrap();
    if mode & 0o2000 != 0 && crate::place::is_root() {
        chown(&folder, None, Some(GROUP)).unwrap();
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    if let Some(list) = list
        && !set(&folder, "system.posix_acl_default", &list.bytes()).unwrap()
    {
        println!("the file system of {} has no access lists: not tried", folder.display());
        return None;
    }
    Some(place)
}

fn granted(place: &Place, tool: &str, arguments: &Value) -> Value {
    place.call(tool, arguments).is(0, tool).answer()
}

#[test]
fn new_things_look_as_if_any_program_had_made_them() {
    for (name, mode, list) in folders() {
        let Some(place) = prepared(mode, list.as_ref()) else { continue };
        fs::File::create(place.path("f/theirs")).unwrap();
        fs::create_dir_all(place.path("f/their/own")).unwrap();
        fs::File::create(place.path("f/their/own/file")).unwrap();
        let text = "x\n";
        granted(&place, "create_file", &json!({ "path": "f/ours", "content": text }));
        let below = json!({ "path": "f/our/own/file", "content": text, "createParentDirectories": true });
        granted(&place, "create_file", &below);
        let patch = "*** Begin Patch\n*** Add File: f/patched\n+x\n*** Add File: f/by/patch\n+x\n*** End Patch\n";
        granted(&place, "apply_patch", &json!({ "patch": patch, "createParentDirectories": true }));
        for (ours, theirs) in [
            ("f/ours", "f/theirs"),
            ("f/patched", "f/theirs"),
            ("f/our", "f/their"),
            ("f/our/own", "f/their/own"),
            ("f/our/own/file", "f/their/own/file"),
            ("f/by", "f/their"),
            ("f/by/patch", "f/their/own/file"),
        ] {
            let (ours_at, theirs_at) = (place.path(ours), place.path(theirs));
            assert_eq!(looks(&ours_at), looks(&theirs_at), "in a folder that is {name}: {ours}");
        }
    }
}

#[test]
fn what_was_there_keeps_its_looks() {
    for (name, mode, list) in folders() {
        let Some(place) = prepared(mode, list.as_ref()) else { continue };
        for file in ["f/edited", "f/restored", "f/undone", "f/moved"] {
            fs::write(place.path(file), "one\ntwo\n").unwrap();
            fs::set_permissions(place.path(file), fs::Permissions::from_mode(0o640)).unwrap();
            set(&place.path(file), "user.note", b"mine").unwrap();
            if list.is_some() {
                set(&place.path(file), "system.posix_acl_access", &Acl::plain(6, 4, 0).with_user(USER, 4, 4).bytes())
                    .unwrap();
            }
        }
        let before = looks(&place.path("f/edited"));
        let edits = json!([{ "oldText": "two", "newText": "2" }]);
        granted(&place, "edit_file", &json!({ "path": "f/edited", "edits": edits }));
        let gone = granted(&place, "delete_file", &json!({ "path": "f/restored" }));
        let id = gone.pointer("/data/trashId").or_else(|| gone.pointer("/data/changedFiles/0/trashId")).unwrap();
        granted(&place, "restore_file", &json!({ "trashId": id }));
        let gone = granted(&place, "delete_file", &json!({ "path": "f/undone" }));
        granted(&place, "undo", &json!({ "batchId": gone.pointer("/data/batchId").unwrap() }));
        granted(&place, "move_file", &json!({ "fromPath": "f/moved", "toPath": "d/moved" }));
        for file in ["f/edited", "f/restored", "f/undone", "d/moved"] {
            assert_eq!(looks(&place.path(file)), before, "in a folder that is {name}: {file}");
        }
    }
}

//! Names that are closed to every tool, in any folder, in any spelling, through links, whatever is unprotected: state
//! and keys for reading too, settings for writing.

use crate::place::{Place, kind};
use crate::snapshot::snapshot;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

const SECRET: &str = "STATE-SECRET";

/// Where state may stand; a file `x` is put into each.
const STATE: &[&str] = &[
    ".patchwright",
    "sub/.patchwright",
    "sub/deep/.PatchWright",
    ".git/patchwright",
    ".git/worktrees/w/patchwright",
    ".git/modules/m/patchwright",
    ".git/modules/m/modules/n/patchwright",
    "sub/.git/patchwright",
    "sub/.GIT/PATCHWRIGHT",
];

/// A place with a file in every closed folder, and links that lead to some.
fn planted() -> Place {
    let place = Place::new();
    for folder in STATE {
        fs::create_dir_all(place.path(folder)).unwrap();
        fs::write(place.path(folder).join("x"), format!("{SECRET}\n")).unwrap();
    }
    for (link, target) in
        [("to-git", ".git"), ("to-sub", "sub"), ("to-state", "sub/.patchwright"), ("to-x", "sub/.patchwright/x")]
    {
        symlink(target, place.path(link)).unwrap();
    }
    place
}

fn through_links() -> Vec<String> {
    let ways = ["to-git/patchwright/x", "to-git/worktrees/w/patchwright/x", "to-sub/.patchwright/x", "to-state/x"];
    ways.map(str::to_owned).to_vec()
}

/// Every way to read a file.
fn reads(path: &str) -> Vec<(&'static str, Value)> {
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    vec![
        ("read_file", json!({ "path": path })),
        ("read_file", json!({ "path": path, "hashes": true })),
        ("list_directory", json!({ "path": folder, "includeHidden": true })),
        ("search_files", json!({ "query": "SECRET", "mode": "text", "root": folder, "includeIgnored": true })),
    ]
}

/// Every way to change one.
fn writes(path: &str) -> Vec<(&'static str, Value)> {
    let new = format!("{path}-new");
    let patch = |body: String| json!({ "patch": format!("*** Begin Patch\n{body}\n*** End Patch\n") });
    vec![
        ("create_file", json!({ "path": new, "content": "x", "createParentDirectories": true })),
        ("write_file", json!({ "path": path, "content": "x" })),
        ("edit_file", json!({ "path": path, "edits": [{ "oldText": "S", "newText": "x" }] })),
        ("delete_file", json!({ "path": path })),
        ("move_file", json!({ "fromPath": path, "toPath": "stolen.txt" })),
        ("move_file", json!({ "fromPath": "a.txt", "toPath": new })),
        ("move_file", json!({ "fromPath": "a.txt", "toPath": path, "overwrite": true })),
        ("apply_patch", patch(format!("*** Add File: {new}\n+x"))),
        ("apply_patch", patch(format!("*** Delete File: {path}"))),
        ("apply_patch", patch(format!("*** Update File: {path}\n@@\n-{SECRET}\n+x"))),
    ]
}

/// Makes calls that must all be refused and touch nothing.
fn refused(place: &Place, flags: &[&str], calls: Vec<(&'static str, Value)>) {
    for (tool, arguments) in calls {
        let before = snapshot(&place.root);
        let ran = place.run(&[flags, &["call", tool, &arguments.to_string()]].concat());
        let story = format!("{flags:?} {tool} {arguments} told {}", ran.told());
        assert_eq!((ran.code, kind(&ran.answer())), (Some(1), "permission_denied"), "{story}");
        assert!(!ran.told().contains(SECRET), "{story}");
        assert_eq!(place.changes(&before), Vec::<String>::new(), "{story}");
    }
}

#[test]
fn state_in_any_folder_is_closed() {
    let place = planted();
    let paths = STATE.iter().map(|folder| format!("{folder}/x")).chain(through_links());
    for path in paths {
        refused(&place, &[], reads(&path));
        refused(&place, &[], writes(&path));
    }
    refused(&place, &[], vec![("read_file", json!({ "path": "to-x" }))]);
    refused(&place, &[], vec![("write_file", json!({ "path": "to-x", "content": "x" }))]);
}

#[test]
fn unprotecting_git_does_not_open_it() {
    let place = planted();
    for flags in [&["--unprotect", "git"][..], &["--unprotect", "git", "--unprotect", "secrets"]] {
        for path in
            ["sub/.patchwright/x", ".git/patchwright/x", ".git/worktrees/w/patchwright/x", "to-git/patchwright/x"]
        {
            refused(&place, flags, reads(path));
            refused(&place, flags, writes(path));
        }
    }
    // The counterpart: what is opened is open.
    let config = r#"{"path":".git/description","content":"x"}"#;
    place.run(&["--unprotect", "git", "call", "create_file", config]).is(0, "git itself is unprotected");
}

#[test]
fn new_state_cannot_be_made_through_tools() {
    for path in
        ["d/.patchwright/log", "d/.patchwright", "new/.patchwright/log", "d/.PATCHWRIGHT/x", ".git/patchwright/x"]
    {
        let place = Place::new();
        let patch = format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n");
        refused(
            &place,
            &[],
            vec![
                ("create_file", json!({ "path": path, "content": "x", "createParentDirectories": true })),
                ("move_file", json!({ "fromPath": "a.txt", "toPath": path })),
                ("apply_patch", json!({ "patch": patch, "createParentDirectories": true })),
            ],
        );
    }
}

#[test]
fn settings_in_any_folder_are_closed_to_writing_only() {
    for path in ["patchwright.toml", "sub/patchwright.toml", "sub/deep/PatchWright.toml", "to-sub/patchwright.toml"] {
        let place = planted();
        let real = place.path(&path.replace("to-sub", "sub"));
        fs::write(&real, "[limits]\n").unwrap();
        let read = place.call("read_file", &json!({ "path": path })).is(0, path).answer();
        assert_eq!(read["data"]["content"], json!("[limits]\n"), "{path}");
        let calls = writes(path).into_iter().filter(|(_, arguments)| !arguments.to_string().contains("-new"));
        refused(&place, &[], calls.collect());
        fs::remove_file(&real).unwrap();
        refused(
            &place,
            &[],
            vec![
                ("create_file", json!({ "path": path, "content": "x" })),
                ("move_file", json!({ "fromPath": "a.txt", "toPath": path })),
            ],
        );
    }
}

#[test]
fn listings_and_searches_leave_state_out() {
    let place = planted();
    for (tool, arguments) in [
        ("list_directory", json!({ "recursive": true, "includeHidden": true })),
        ("search_files", json!({ "query": "SECRET", "mode": "text", "includeIgnored": true })),
        ("search_files", json!({ "query": "**/x", "mode": "path", "includeIgnored": true })),
        ("glob", json!({ "pattern": "**/x" })),
    ] {
        let answer = place.call(tool, &arguments).is(0, tool).answer();
        let told = answer["data"].to_string();
        let shown = told.to_lowercase();
        assert!(!shown.contains("patchwright") && !told.contains(SECRET), "{tool} {arguments}: {told}");
    }
}

#[test]
fn a_folder_with_state_in_it_is_not_moved_to_where_it_counts() {
    // Whole folders cannot be moved by tools; what stands in them keeps its name.
    let place = planted();
    refused(
        &place,
        &[],
        vec![
            ("move_file", json!({ "fromPath": "sub/.patchwright/x", "toPath": "d/.patchwright/x" })),
            ("move_file", json!({ "fromPath": "to-x", "toPath": ".patchwright/y" })),
        ],
    );
}

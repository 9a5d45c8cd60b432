//! Names: protected ones in every disguise, ones that new files may not have, and ones that would take a
//! terminal over.

use crate::{Place, kind};
use patchwright_app::doors::cli::Screen;
use serde_json::json;
use std::fs;

/// Disguises of a protected name: the name itself, other case, and characters that show nothing.
fn disguises(name: &str) -> Vec<String> {
    let invisible = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}', '\u{fe0f}', '\u{34f}'];
    let mut all =
        vec![name.to_owned(), name.to_uppercase(), capital(name), format!("./{name}"), format!("d/../{name}")];
    for hidden in invisible {
        all.push(format!("{name}{hidden}"));
        all.push(format!("{hidden}{name}"));
        all.push(name.replacen(|letter: char| letter.is_ascii_alphabetic(), &format!("{hidden}{}", first(name)), 1));
    }
    all.push(name.replace('i', "\u{ff49}").replace('e', "\u{ff45}").replace('a', "\u{ff41}")); // full width
    all
}

fn first(name: &str) -> char {
    name.chars().find(char::is_ascii_alphabetic).unwrap()
}

fn capital(name: &str) -> String {
    let at = name.find(first(name)).unwrap();
    format!("{}{}{}", &name[..at], first(name).to_ascii_uppercase(), &name[at + 1..])
}

/// What must not happen to a path below a protected name.
fn closed_to_writing(place: &Place, path: &str) {
    for (tool, arguments) in [
        ("create_file", json!({ "path": path, "content": "x", "createParentDirectories": true })),
        ("move_file", json!({ "fromPath": "a.txt", "toPath": path })),
        ("restore_file", json!({ "trashId": place.trash_id(), "targetPath": path })),
    ] {
        // Disguised by a character that names may not have, it is refused for that.
        place.refused(tool, &arguments, &["permission_denied", "invalid_arguments"]);
    }
}

#[test]
fn git_is_not_written_in_any_disguise() {
    let place = Place::new();
    for name in disguises(".git") {
        closed_to_writing(&place, &format!("{name}/hooks/pre-commit"));
        closed_to_writing(&place, &format!("{name}/config"));
    }
    closed_to_writing(&place, ".git");
    closed_to_writing(&place, "sub/module/.git/hooks/post-checkout");
    closed_to_writing(&place, "sub/.GIT");
}

#[test]
fn git_is_not_changed_where_it_is() {
    let place = Place::new();
    fs::create_dir_all(place.path(".git/hooks")).unwrap();
    fs::write(place.path(".git/config"), "[core]\n").unwrap();
    std::os::unix::fs::symlink(".git", place.path("g")).unwrap();
    std::os::unix::fs::symlink(".git/config", place.path("c")).unwrap();
    for path in [".git/config", "g/config", "g/../.git/config", ".GIT/config"] {
        for (tool, arguments) in [
            ("write_file", json!({ "path": path, "content": "x" })),
            ("edit_file", json!({ "path": path, "edits": [{ "oldText": "core", "newText": "x" }] })),
            ("delete_file", json!({ "path": path })),
            ("move_file", json!({ "fromPath": path, "toPath": "x" })),
            ("move_file", json!({ "fromPath": "a.txt", "toPath": path, "overwrite": true })),
        ] {
            place.refused(tool, &arguments, &["permission_denied"]);
        }
    }
    for tool in ["write_file", "edit_file"] {
        let arguments = json!({ "path": "c", "content": "x" });
        let edit = json!({ "path": "c", "edits": [{ "oldText": "core", "newText": "x" }] });
        place.refused(tool, if tool == "write_file" { &arguments } else { &edit }, &["permission_denied"]);
    }
    place.refused("create_file", &json!({ "path": "g/hooks/pre-commit", "content": "x" }), &["permission_denied"]);
}

#[test]
fn secrets_are_closed_in_every_disguise() {
    for name in [".env", ".env.local", "server.pem", "tls.key", "id_rsa", ".npmrc", ".netrc"] {
        let place = Place::new();
        for path in disguises(name) {
            closed_to_writing(&place, &path);
        }
        closed_to_writing(&place, &format!("d/{name}"));
        fs::write(place.path(name), "TOKEN\n").unwrap();
        std::os::unix::fs::symlink(name, place.path("l")).unwrap();
        for path in [name, "l", &format!("d/../{name}")] {
            place.refused("read_file", &json!({ "path": path }), &["permission_denied"]);
        }
        for (tool, arguments) in [
            ("search_files", json!({ "query": "TOKEN", "mode": "text", "includeIgnored": true })),
            ("search_files", json!({ "query": "**", "mode": "path" })),
            ("list_directory", json!({ "includeHidden": true })),
            ("glob", json!({ "pattern": "**", "includeIgnored": true })),
        ] {
            let answer = place.call(tool, &arguments).to_string();
            assert!(!answer.contains("TOKEN") && !answer.contains(name), "{tool} shows {name}: {answer}");
        }
    }
}

#[test]
fn our_own_state_is_closed_in_every_disguise() {
    let place = Place::new();
    for name in disguises(".patchwright") {
        closed_to_writing(&place, &format!("{name}/log"));
    }
    place.trash_id();
    for path in
        [".patchwright", ".patchwright/log", ".patchwright/trash", ".patchwright/index.sqlite", ".PATCHWRIGHT/log"]
    {
        for (tool, arguments) in place.calls(path) {
            place.refused(tool, &arguments, &["permission_denied"]);
        }
    }
    assert_eq!(place.run(Screen::Pipe, &["audit", "verify"]).code, 0, "the record is whole");
    let listed = place.call("list_directory", &json!({ "includeHidden": true, "recursive": true }));
    assert!(!listed.to_string().contains("patchwright"), "{listed}");
}

/// A folder below may be opened as a workspace of its own one day.
#[test]
fn state_and_settings_of_folders_below_are_closed() {
    let place = Place::new();
    fs::create_dir_all(place.path("sub/.git/modules/m")).unwrap();
    for path in [
        "sub/.patchwright/log",
        "sub/.git/patchwright/0/log",
        "sub/.git/modules/m/patchwright/log",
        "sub/patchwright.toml",
    ] {
        closed_to_writing(&place, path);
        fs::create_dir_all(place.path(path).parent().unwrap()).unwrap();
        fs::write(place.path(path), "inside\n").unwrap();
        closed_to_writing(&place, path);
        let read = place.call("read_file", &json!({ "path": path }));
        assert_eq!(kind(&read) == "ok", path.ends_with(".toml"), "{read}");
    }
    std::os::unix::fs::symlink("sub/.patchwright", place.path("link")).unwrap();
    closed_to_writing(&place, "link/log");
    place.refused("read_file", &json!({ "path": "link/log" }), &["permission_denied"]);
}

#[test]
fn new_names_hold_nothing_that_deceives() {
    let place = Place::new();
    for odd in [
        '\u{1b}',
        '\n',
        '\r',
        '\t',
        '\u{7}',
        '\u{7f}',
        '\u{9b}',
        '\u{202a}',
        '\u{202e}',
        '\u{2066}',
        '\u{2069}',
        '\u{200e}',
        '\u{e0041}',
        '\\',
    ] {
        for path in [format!("n{odd}m"), format!("{odd}"), format!("d{odd}/x")] {
            for (tool, arguments) in [
                ("create_file", json!({ "path": path, "content": "x", "createParentDirectories": true })),
                ("move_file", json!({ "fromPath": "a.txt", "toPath": path })),
                ("restore_file", json!({ "trashId": place.trash_id(), "targetPath": path })),
            ] {
                let kinds: &[&str] =
                    if tool == "create_file" { &["invalid_arguments"] } else { &["invalid_arguments", "not_found"] };
                place.refused(tool, &arguments, kinds);
            }
        }
    }
}

#[test]
fn odd_names_that_are_there_are_shown_harmless() {
    let place = Place::new();
    let name = "x\u{1b}]0;owned\u{7}\u{202e}.txt";
    fs::write(place.path(name), "hit \u{1b}[2J\n").unwrap();
    for args in
        [&["search", "hit"][..], &["search", "--mode", "path", "*.txt"], &["read", name], &["read", "x\u{1b}[2J"]]
    {
        let ran = place.run(Screen::Terminal, args);
        for text in [&ran.out, &ran.err] {
            let shown = text.replace("\u{1b}[0m", "");
            for bad in ["\u{1b}]", "\u{1b}[2J", "\u{7}", "\u{202e}"] {
                assert!(!shown.contains(bad), "{args:?} shows {text:?}");
            }
        }
        assert!(!(ran.out + &ran.err).is_empty(), "{args:?} shows nothing");
    }
    // To a program every name goes out as it is, and can be used.
    let read = place.call("read_file", &json!({ "path": name }));
    assert_eq!(kind(&read), "ok", "{read}");
    assert_eq!(read.pointer("/data/path").unwrap(), name);
}

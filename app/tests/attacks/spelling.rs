//! Traversal in every spelling, and prefix twins, through every path of every tool.

use crate::{Place, SECRET, kind};
use serde_json::json;

/// Spellings that leave the root, on any system we run on. `$HOME` is the folder the root lies in.
const OUT: &[&str] = &[
    "..",
    "../",
    "../.",
    "../..",
    "./..",
    "./../",
    "d/../..",
    "d/../../",
    "d/./../..",
    "d//..//..",
    "d/../d/../..",
    "../secret.txt",
    "./../secret.txt",
    "././../secret.txt",
    ".//../secret.txt",
    "..//secret.txt",
    "../././secret.txt",
    "d/../../secret.txt",
    "d/b.txt/../../../secret.txt",
    "none/../../secret.txt",
    "none/none/../../../secret.txt",
    "../beside/x",
    "../beside/../secret.txt",
    "../../../../../../../../../../etc/passwd",
    "../ws-evil/x",
    "../WS/x",
    "../ws/../secret.txt",
    "../ws/a.txt",
    "../ws/../ws/a.txt",
    "d/../../ws/a.txt",
    "$HOME/secret.txt",
    "$HOME/beside/x",
    "$HOME/ws-evil/x",
    "$HOME/ws-evil",
    "$HOME/WS/x",
    "$HOME/ws/../secret.txt",
    "$HOME/ws/d/../../secret.txt",
    "$HOME//secret.txt",
    "$HOME/./secret.txt",
    "$HOME/ws-evil/../secret.txt",
    "/",
    "//",
    "/.",
    "/..",
    "/etc/passwd",
    "//etc/passwd",
    "///etc/passwd",
    "/./etc/passwd",
    "/../etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd",
    "/proc/1/root",
    "/dev/stdin",
    "/dev/fd/0",
    "/dev/zero",
    "/tmp/../etc/passwd",
];

/// Spellings that leave the root for some other program. Here they are odd names, and stay inside.
const ODD: &[&str] = &[
    "..\\secret.txt",
    "..\\..\\secret.txt",
    "d\\..\\..\\secret.txt",
    "C:\\Windows\\system.ini",
    "C:/secret.txt",
    "\\\\host\\share\\x",
    "%2e%2e/secret.txt",
    "..%2fsecret.txt",
    "%2e%2e%2fsecret.txt",
    "..%252fsecret.txt",
    "..%c0%afsecret.txt",
    "..;/secret.txt",
    "file:///etc/passwd",
    "~/secret.txt",
    "~root/x",
    "$HOMEPATH/x",
    "${HOME}/x",
    "`id`/x",
    "...",
    ".../secret.txt",
    "..../secret.txt",
    ".. /secret.txt",
    " ../secret.txt",
    "..\u{200b}/secret.txt",
    "\u{200b}../secret.txt",
    "\u{2024}\u{2024}/secret.txt",
    "\u{ff0e}\u{ff0e}/secret.txt",
    "..\u{2215}secret.txt",
    "..\u{ff0f}secret.txt",
    "..\u{0}/secret.txt",
    "a.txt\u{0}/../../secret.txt",
    "../secret.txt\u{0}",
    "..\n/secret.txt",
    "\u{202e}..\u{202c}/secret.txt",
];

#[test]
fn traversal_in_every_spelling() {
    let place = Place::new();
    let home = place.home.path().canonicalize().unwrap();
    for spelling in OUT {
        let path = spelling.replace("$HOME", &home.to_string_lossy());
        for (tool, arguments) in place.calls(&path) {
            // A final slash says "folder", which file tools refuse before they look where it is.
            let kinds: &[&str] =
                if path.ends_with('/') { &["outside_workspace", "invalid_arguments"] } else { &["outside_workspace"] };
            place.refused(tool, &arguments, kinds);
        }
    }
}

#[test]
fn spellings_of_other_systems_stay_inside() {
    for spelling in ODD {
        let place = Place::new();
        for (tool, arguments) in place.calls(spelling) {
            let answer = place.call(tool, &arguments);
            let story = format!("{tool} {arguments} answered {answer}");
            // What one tool made under an odd name, the next one finds.
            let mut kinds = vec!["ok", "invalid_arguments", "not_found", "already_exists", "old_text_not_found"];
            if tool == "edit" {
                kinds.push("anchor_stale");
            }
            if tool == "apply_patch" {
                kinds.extend([
                    "patch_parse_error",
                    "patch_apply_error",
                    "stale_file",
                    "command_failed",
                    "outside_workspace",
                ]);
            }
            assert!(kinds.contains(&kind(&answer)), "{story}");
            assert!(!answer.to_string().contains(SECRET), "{story}");
            place.is_intact(&story);
        }
    }
}

#[test]
fn patterns_do_not_climb() {
    let place = Place::new();
    for pattern in ["../**", "../*", "**/../**", "/**", "/etc/*", "d/../../*", "{..,d}/*", "[.][.]/*", "..", "$HOME/**"]
    {
        let pattern = pattern.replace("$HOME", &place.home.path().to_string_lossy());
        for (tool, arguments) in [
            ("glob", json!({ "pattern": pattern })),
            ("glob", json!({ "pattern": "**", "excludeGlobs": [pattern] })),
            ("search_files", json!({ "query": pattern, "mode": "path" })),
            ("search_files", json!({ "query": "S", "mode": "text", "includeGlobs": [pattern] })),
        ] {
            let answer = place.call(tool, &arguments);
            let story = format!("{tool} {arguments} answered {answer}");
            let found = answer.pointer("/data/matches").and_then(|found| found.as_array()).cloned().unwrap_or_default();
            let inside = |path: &str| ["a.txt", "d", "d/b.txt"].contains(&path);
            assert!(found.iter().all(|hit| hit["path"].as_str().is_some_and(inside)), "{story}");
            assert!(!answer.to_string().contains(SECRET), "{story}");
        }
    }
}

#[test]
fn an_absolute_path_inside_counts_and_its_twin_does_not() {
    let place = Place::new();
    let root = place.root.to_string_lossy();
    let read = |path: String| place.call("read_file", &json!({ "path": path }));
    assert_eq!(kind(&read(format!("{root}/a.txt"))), "ok");
    assert_eq!(kind(&read(format!("{root}//d/../a.txt"))), "ok");
    assert_eq!(kind(&read(format!("{root}-evil/x"))), "outside_workspace");
    assert_eq!(kind(&read(format!("{root}x"))), "outside_workspace");
    assert_eq!(kind(&read(format!("{root}/../ws-evil/x"))), "outside_workspace");
}

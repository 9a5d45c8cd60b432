//! Files and trees without an end.

use crate::{Bound, MEBI, SMALL, check, limited, place};
use patchwright_core::anchor::line_hash;
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::process::Command;

#[test]
fn a_sparse_file_of_a_terabyte_is_not_taken_in() {
    let place = place();
    File::create(place.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
    let patch = "*** Begin Patch\n*** Update File: sparse\n@@\n-x\n+y\n*** End Patch\n";
    let operation = json!({ "op": "replace_line", "hash": "aaaaaa", "content": "x" });
    for (tool, arguments, kind) in [
        ("read_file", json!({ "path": "sparse" }), "binary_file"),
        ("workspace_read_file", json!({ "docPath": "sparse" }), "binary_file"),
        ("search_files", json!({ "query": "needle", "mode": "text" }), "ok"),
        ("search_files", json!({ "query": "needle", "mode": "regex", "hashes": true }), "ok"),
        ("list_directory", json!({}), "ok"),
        ("write_file", json!({ "path": "sparse", "content": "x" }), "file_too_large"),
        ("edit_file", json!({ "path": "sparse", "edits": [{ "oldText": "a", "newText": "b" }] }), "file_too_large"),
        ("edit", json!({ "path": "sparse", "operations": [operation] }), "file_too_large"),
        ("apply_patch", json!({ "patch": patch }), "file_too_large"),
        ("explain_lines", json!({ "path": "sparse" }), "file_too_large"),
    ] {
        check(&place, (tool, &arguments), &[kind], SMALL);
    }
}

/// These need the hash of all its bytes, so the work is as long as the file says it is. Whoever asked can call it off.
#[test]
fn work_on_a_sparse_file_can_be_called_off() {
    let place = place();
    File::create(place.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
    for (tool, arguments) in [
        ("read_file", json!({ "path": "sparse", "allowBinary": true })),
        ("delete_file", json!({ "path": "sparse" })),
        ("move_file", json!({ "fromPath": "sparse", "toPath": "moved" })),
        ("apply_patch", json!({ "patch": "*** Begin Patch\n*** Delete File: sparse\n*** End Patch\n" })),
    ] {
        let mut server = limited(place.path(), SMALL.work);
        server.call_off(tool, &arguments);
        // Comes after it in turn, so it is through.
        server.done("list_trash", &json!({}));
        assert_eq!(server.close(), "", "{tool}");
    }
    assert!(place.path().join("sparse").exists());
}

#[test]
fn a_line_of_500_megabytes() {
    let place = place();
    let mut file = File::create(place.path().join("line")).unwrap();
    let piece = vec![b'x'; 1 << 20];
    (0..500).for_each(|_| file.write_all(&piece).unwrap());
    let edits = json!([{ "oldText": "xy", "newText": "z" }]);
    let of_files = |files: u64| Bound { memory: 64 + files * 500, work: 60, answer: 600_000 };
    let read = json!({ "path": "line" });
    check(&place, ("read_file", &read), &["ok"], of_files(0));
    check(&place, ("search_files", &json!({ "query": "xy", "mode": "text" })), &["ok"], of_files(1));
    check(&place, ("edit_file", &json!({ "path": "line", "edits": edits })), &["old_text_not_found"], of_files(2));
    check(&place, ("read_file", &json!({ "path": "line", "hashes": true })), &["ok"], of_files(4));
    check(&place, ("delete_file", &read), &["ok"], of_files(0));
}

#[test]
fn a_diff_of_long_lines_is_cut() {
    let place = place();
    fs::write(place.path().join("line"), "x".repeat(32 << 20) + "y").unwrap();
    let bound = Bound { memory: 256, ..SMALL };
    for old in ["xy", "y"] {
        let edits = json!([{ "oldText": old, "newText": "zy" }]);
        check(&place, ("edit_file", &json!({ "path": "line", "edits": edits })), &["ok"], bound);
    }
    check(&place, ("write_file", &json!({ "path": "line", "content": "short\n" })), &["ok"], bound);
}

#[test]
fn a_context_repeated_a_hundred_thousand_times() {
    let place = place();
    fs::write(place.path().join("same"), "same line\n".repeat(100_000)).unwrap();
    let old = "same line\n".repeat(50_000);
    let bound = Bound { answer: 2_000_000, work: 10, ..SMALL };
    for (old, kind) in [(format!("{old}other\n"), "old_text_not_found"), (old, "multiple_matches")] {
        let arguments = json!({ "path": "same", "edits": [{ "oldText": old, "newText": "x" }] });
        check(&place, ("edit_file", &arguments), &[kind], bound);
    }
    let context = " same line\n".repeat(50_000);
    for (hunks, kind) in [
        (format!("@@\n{context}-other\n+x\n"), "patch_apply_error"),
        (format!("@@\n{context}+x\n"), "multiple_matches"),
        (format!("@@\n-other\n{context}"), "patch_apply_error"),
        ("@@\n same line\n-same line\n+x\n".repeat(10_000), "multiple_matches"),
    ] {
        let patch = format!("*** Begin Patch\n*** Update File: same\n{hunks}*** End Patch\n");
        check(&place, ("apply_patch", &json!({ "patch": patch })), &[kind], bound);
    }
    let hash = format!("{:06x}", line_hash(b"same line") >> 40);
    let operations = vec![json!({ "op": "replace_line", "hash": hash, "content": "x" }); 1];
    let arguments = json!({ "path": "same", "operations": operations });
    check(
        &place,
        ("edit", &arguments),
        &["anchor_context_ambiguous"],
        Bound { answer: 40_000_000, memory: 512, ..bound },
    );
}

#[test]
fn one_text_in_ten_million_places() {
    let place = place();
    fs::write(place.path().join("many"), "a".repeat(10_000_000)).unwrap();
    fs::write(place.path().join("some"), "a".repeat(10_000)).unwrap();
    for (path, new) in [("many", "b".to_owned()), ("some", "b".repeat(100_000))] {
        let arguments = json!({ "path": path, "edits": [{ "oldText": "a", "newText": new, "replaceAll": true }] });
        check(&place, ("edit_file", &arguments), &["invalid_arguments"], SMALL);
    }
    let arguments = json!({ "path": "many", "edits": [{ "oldText": "a", "newText": "b" }] });
    check(&place, ("edit_file", &arguments), &["multiple_matches"], SMALL);
}

#[test]
fn brackets_nested_a_hundred_thousand_deep() {
    for (ending, open, close) in [
        ("rs", "(", ")"),
        ("json", "[", "]"),
        ("js", "(", ")"),
        ("py", "[", "]"),
        ("c", "{", "}"),
        ("html", "<b>", "</b>"),
        ("yaml", "[", "]"),
        ("css", "a{", "}"),
        ("sh", "$(", ")"),
    ] {
        let place = place();
        let name = format!("f.{ending}");
        let text = format!("one two three\n{}\n{}\n", open.repeat(100_000), close.repeat(100_000));
        fs::write(place.path().join(&name), text).unwrap();
        let hash = format!("{:06x}", line_hash(b"one two three") >> 40);
        let operations = json!([{ "op": "replace_line", "hash": hash, "content": "four five six" }]);
        let kinds = ["ok", "safety_check_failed"];
        check(&place, ("edit", &json!({ "path": name, "operations": operations })), &kinds, SMALL);
    }
}

/// Deeper than a path can be long, and than there may be open files.
#[test]
fn a_tree_4096_deep() {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let place = place();
    let folder = OFlags::PATH | OFlags::DIRECTORY;
    let mut at = openat(CWD, place.path(), folder, Mode::empty()).unwrap();
    for _ in 0..4096 {
        mkdirat(&at, "d", Mode::RWXU).unwrap();
        at = openat(&at, "d", folder, Mode::empty()).unwrap();
    }
    let bound = Bound { memory: 128, work: 30, answer: usize::try_from(32 * MEBI).unwrap() };
    for (tool, arguments) in [
        ("list_directory", json!({ "recursive": true, "maxDepth": 4096 })),
        ("glob", json!({ "pattern": "**" })),
        ("search_files", json!({ "query": "needle", "mode": "text" })),
    ] {
        check(&place, (tool, &arguments), &["ok"], bound);
    }
    // The folder's own clean-up would need a handle for each level.
    assert!(Command::new("rm").arg("-rf").arg(place.path().join("d")).status().unwrap().success());
}

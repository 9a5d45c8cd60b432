//! Input made to break the reader: JSON that is deep, doubled or broken, patterns that explode, trees
//! without a bottom. Each ends in an answer.

use crate::{Place, kind, run};
use patchwright_app::doors::cli::Screen;
use serde_json::json;
use std::fs;

#[test]
fn json_that_is_no_call_is_wrong_usage() {
    let place = Place::new();
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    for text in [
        deep("[", "]"),
        deep("{\"path\":", "}"),
        format!("{{\"path\":{}}}", deep("[", "]")),
        "[".repeat(200_000),
        r#"{"path":"\ud800"}"#.to_owned(),
        r#"{"path":"\udc00\ud800"}"#.to_owned(),
        r#"{"path":"\ud800\u0061"}"#.to_owned(),
        r#"{"path":"a.txt""#.to_owned(),
        r#"{"path":"a.txt"} {}"#.to_owned(),
        r#"{path:"a.txt"}"#.to_owned(),
        "{\"path\":\"a\u{1}\"}".to_owned(),
        String::new(),
    ] {
        let ran = run(&place.root, Screen::Pipe, &["call", "read_file", &text]);
        let start: String = text.chars().take(40).collect();
        assert!([1, 2].contains(&ran.code), "{start} ended with {}", ran.code);
        assert!(ran.out.is_empty() || ran.out.contains("invalid_arguments"), "{start}: {}", ran.out);
        assert!((ran.out + &ran.err).len() < 10_000, "{start}: the answer is as long as the attack");
    }
}

#[test]
fn keys_given_twice_are_refused_at_every_depth() {
    let place = Place::new();
    for (tool, text) in [
        ("write_file", r#"{"path":"a.txt","content":"x","content":"y"}"#),
        ("write_file", r#"{"path":"a.txt","content":"x","expectedSha256":null,"expectedSha256":null}"#),
        ("write_file", r#"{"path":"a.txt","p\u0061th":"d/b.txt","content":"x"}"#),
        ("edit_file", r#"{"path":"a.txt","edits":[{"oldText":"i","newText":"x","oldText":"n"}]}"#),
        ("create_file", r#"{"path":"n","content":"","dryRun":true,"dryRun":false}"#),
    ] {
        let before = place.inside();
        let ran = place.run(Screen::Pipe, &["--unchecked", "call", tool, text]);
        assert_eq!(ran.code, 1, "{text}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("invalid_arguments") && ran.out.contains("twice"), "{text}: {}", ran.out);
        assert_eq!(before.difference(&place.inside()), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn numbers_out_of_all_bounds_are_refused() {
    let place = Place::new();
    for number in ["-1", "0", "1.5", "1e400", "-0", "18446744073709551616", "9e99", "1e3", "NaN", "null", "\"1\"", "[]"]
    {
        for (tool, field) in [("read_file", "maxBytes"), ("list_directory", "maxDepth"), ("glob", "maxResults")] {
            let text = format!(r#"{{"path":"a.txt","pattern":"*","{field}":{number}}}"#);
            let ran = place.run(Screen::Pipe, &["call", tool, &text]);
            assert!([1, 2].contains(&ran.code), "{text} ended with {}: {}", ran.code, ran.out);
        }
    }
}

#[test]
fn patterns_made_to_explode_are_refused_or_fast() {
    let place = Place::new();
    fs::write(place.path("as"), "a".repeat(50_000)).unwrap();
    for query in [
        "(a+)+$".to_owned(),
        "(a|a)*b".to_owned(),
        "(a*)*b".to_owned(),
        "a{1000}{1000}{1000}".to_owned(),
        r"\w{100000}{100}".to_owned(),
        "(".repeat(100_000),
        "(?:a".repeat(5_000) + &")".repeat(5_000),
        "a?".repeat(1_000) + &"a".repeat(1_000),
        r"(?=a)".to_owned(),
        r"(a)\1".to_owned(),
        "[".to_owned(),
    ] {
        let start: String = query.chars().take(30).collect();
        let answer = place.call("search_files", &json!({ "query": query, "mode": "regex" }));
        assert!(["ok", "command_failed", "invalid_arguments"].contains(&kind(&answer)), "{start}: {answer}");
        assert!(answer.to_string().len() < 20_000, "{start}: the answer is as long as the attack");
    }
    for pattern in [
        "{".repeat(10_000),
        "{a,".repeat(2_000) + &"}".repeat(2_000),
        "**/".repeat(5_000),
        "[".to_owned(),
        "*a".repeat(5_000),
    ] {
        let answer = place.call("glob", &json!({ "pattern": pattern }));
        assert!(["ok", "command_failed", "invalid_arguments"].contains(&kind(&answer)), "{answer}");
    }
}

/// Makes folders one in the other, deeper than a path can be long.
fn dig(place: &Place, name: &str, depth: usize) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let mut at = openat(CWD, &place.root, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&at, name, Mode::RWXU).unwrap();
        at = openat(&at, name, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
}

#[test]
fn a_tree_500_deep_is_walked_to_its_end() {
    let place = Place::new();
    dig(&place, "deep-deep-deep", 500);
    for (tool, arguments) in [
        ("list_directory", json!({ "recursive": true, "maxDepth": 4096 })),
        ("glob", json!({ "pattern": "**" })),
        ("search_files", json!({ "query": "inside", "mode": "text" })),
    ] {
        let answer = place.call(tool, &arguments);
        assert_eq!(kind(&answer), "ok", "{tool}");
        assert!(answer.to_string().contains("a.txt"), "{tool}");
    }
}

#[test]
fn a_path_of_many_names_is_refused() {
    let place = Place::new();
    for path in [
        "x/".repeat(3_000) + "y",
        "x".repeat(5_000),
        "x/".repeat(100_000) + "y",
        "../".repeat(100_000),
        "./".repeat(100_000) + "a.txt",
    ] {
        for (tool, arguments) in place.calls(&path) {
            let answer = place.call(tool, &arguments);
            let start: String = answer.to_string().chars().take(300).collect();
            assert!(path.starts_with("./") || kind(&answer) != "ok", "{tool}: {start}");
        }
        place.is_intact("long paths");
    }
}

#[test]
fn a_patch_of_very_many_edits_is_answered() {
    let place = Place::new();
    let lines: String = (0..20_000).map(|line| format!("line {line};\n")).collect();
    fs::write(place.path("many"), &lines).unwrap();
    let edits: Vec<_> = (0..2_000).map(|line| json!({ "oldText": format!("line {line};"), "newText": "x" })).collect();
    let arguments = json!({ "path": "many", "edits": edits }).to_string();
    let ran = place.run(Screen::Pipe, &["--unchecked", "call", "edit_file", &arguments]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// Each nested brace is a call of the compiler's own.
#[test]
fn braces_without_end_overflow_nothing() {
    let place = Place::new();
    let braces = "{".repeat(300_000);
    for name in [".gitignore", ".ignore"] {
        fs::write(place.path(name), format!("{braces}\n{braces}{}\n", "}".repeat(300_000))).unwrap();
    }
    let found = place.call("search_files", &json!({ "query": "inside", "mode": "text" }));
    assert_eq!(kind(&found), "ok", "{found}");
    for (tool, arguments) in [
        ("glob", json!({ "pattern": "{".repeat(30_000) })),
        ("search_files", json!({ "query": "{".repeat(30_000), "mode": "path" })),
        ("search_files", json!({ "query": "x", "mode": "text", "excludeGlobs": ["{".repeat(30_000)] })),
    ] {
        place.refused(tool, &arguments, &["command_failed"]);
    }
    for (count, said) in [(60_000, "60000 opening braces"), (300_000, "longer than 65536 bytes")] {
        let settings = format!("[read]\ndeny = [\"{}\"]\n", "{".repeat(count));
        fs::write(place.path("patchwright.toml"), settings).unwrap();
        let ran = place.run(Screen::Pipe, &["read", "a.txt"]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(said) && ran.err.len() < 1000, "{} bytes", ran.err.len());
    }
}

//! What a call costs at a size and at four times that size: what grows in line with its input costs about four times as
//! much, what grows with the square sixteen times. Costs are processor seconds of the server, never time on the clock.

use crate::{Bound, SMALL, check, kind, limited, place, start};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::forge::{BATCH, Seal, caller, new_log, pack, sha};
use patchwright_testkit::home;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Processor seconds of a process so far. The kernel counts a hundred ticks a second for everybody who asks.
fn spent(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = |at: usize| fields.split(' ').nth(at).and_then(|field| field.parse::<u32>().ok()).unwrap();
    f64::from(ticks(12) + ticks(13)) / 100.0
}

/// The cost of one call, which ends in `want`.
fn cost(root: &Path, (tool, arguments): (&str, &Value), want: &str) -> f64 {
    let mut server = limited(root, 120);
    let before = spent(server.id());
    let answer = server.call(tool, arguments);
    assert_eq!(kind(&answer), want, "{tool}: {}", start(&answer));
    spent(server.id()) - before
}

/// Asserts that a cost grows in line with the size.
fn check_growth(what: &str, size: usize, cost: impl Fn(usize) -> f64) {
    let (small, large) = (cost(size), cost(4 * size));
    // Half a second of grace: what costs little is mostly noise.
    assert!(large <= 7.0 * small + 0.5, "{what}: {small} s for {size}, {large} s for {}", 4 * size);
}

fn patch(count: usize) -> String {
    let sections: String = (0..count).map(|at| format!("*** Add File: f{at}\n+{at}\n")).collect();
    format!("*** Begin Patch\n{sections}*** End Patch\n")
}

/// With something said of each file, and of as many neighbours.
#[test]
fn sections_of_a_patch() {
    check_growth("sections", 3_000, |count| {
        let place = place();
        let absent: serde_json::Map<String, Value> =
            (0..count).flat_map(|at| [(format!("f{at}"), json!("")), (format!("n{at}"), json!(""))]).collect();
        let arguments = json!({ "patch": patch(count), "expectedSha256ByPath": absent, "dryRun": true });
        cost(place.path(), ("apply_patch", &arguments), "ok")
    });
}

#[test]
fn more_files_than_a_call_may_have() {
    let sections: String = (0..200_001).map(|at| format!("*** Delete File: {at}\n")).collect();
    let patch = format!("*** Begin Patch\n{sections}*** End Patch\n");
    let bound = Bound { memory: 512, ..SMALL };
    check(&place(), ("apply_patch", &json!({ "patch": patch })), &["invalid_arguments"], bound);
}

/// Beyond what a call may have they are counted, not looked for; below it each is looked for in the whole text.
#[test]
fn more_edits_than_a_call_may_have() {
    let place = place();
    fs::write(place.path().join("long"), "x".repeat(8 << 20)).unwrap();
    check_growth("edits", 100_001, |count| {
        let edits = vec![json!({ "oldText": "a", "newText": "b" }); count];
        cost(place.path(), ("edit_file", &json!({ "path": "long", "edits": edits })), "invalid_arguments")
    });
    // As many as a request has room for.
    let edits = vec![json!({ "oldText": "a", "newText": "b" }); 2_000_000];
    let arguments = json!({ "path": "long", "edits": edits });
    check(&place, ("edit_file", &arguments), &["invalid_arguments"], Bound { memory: 512, ..SMALL });
    let edits = vec![json!({ "oldText": "a", "newText": "b" }); 10_000];
    let arguments = json!({ "path": "long", "edits": edits });
    check(&place, ("edit_file", &arguments), &["invalid_arguments"], Bound { memory: 256, ..SMALL });
}

/// An expression of twenty bytes whose states are very many, over one long line, and somebody who changes their mind.
#[test]
fn a_search_in_a_long_line_can_be_called_off() {
    let place = place();
    let mut dice = Dice::new(7);
    let line: String = (0..1 << 20).map(|_| if dice.coin() { 'a' } else { 'b' }).collect();
    fs::write(place.path().join("line"), line).unwrap();
    for query in ["a[ab]{9999}[cd]", r"[ab]*a.{5000}[cd]"] {
        let mut server = limited(place.path(), SMALL.work);
        let searching = json!({ "query": query, "mode": "regex" });
        server.call_off("search_files", &searching);
        // Comes after it in turn, so it is through.
        server.done("list_trash", &json!({}));
        assert_eq!(server.close(), "", "{query}");
    }
}

/// The record of somebody else, with an unfinished call of very many steps.
fn forged(root: &Path, works: usize) {
    let id = "0123456789abcdef0123456789abcdee";
    let work = |at: usize| {
        json!({
            "deed": "Create", "path": format!("d{}/f{at}", at % 100), "to": null, "temp_folder": format!("d{}", at % 100),
            "temp": format!("f{at}.0123456789abcdef.apply-patch.tmp"), "keep": null, "before": null, "after": sha(b"inside\n")
        })
    };
    let works: Vec<Value> = (0..works).map(work).collect();
    let intent = json!({ "Intent": {
        "batch": BATCH, "caller": caller("create_file"), "folders": [], "gone": [], "works": works
    }});
    let folder = root.join(".patchwright").join(id);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("log"), new_log(&Seal::wrong(id), &[pack(&intent)])).unwrap();
    (0..100).for_each(|at| fs::create_dir_all(root.join(format!("d{at}"))).unwrap());
}

/// Runs the program with so many processor seconds at most.
fn run(root: &Path, seconds: u32, args: &[&str]) -> Output {
    let script = r#"ulimit -t "$1" && shift && exec "$0" "$@""#;
    let mut command = Command::new("sh");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_patchwright"), &seconds.to_string(), "--root"])
        .arg(root)
        .args(args);
    command.env("PATCHWRIGHT_HOME", home::home()).env("XDG_CONFIG_HOME", "/nonexistent");
    command.output().unwrap()
}

#[test]
fn steps_of_an_unfinished_call() {
    let place = place();
    forged(place.path(), 50_000);
    let ran = run(place.path(), 30, &["adopt", "--yes", "--take-back"]);
    assert!(ran.status.success(), "{ran:?}");
    let place = crate::place();
    forged(place.path(), 200_001);
    let ran = run(place.path(), 30, &["adopt", "--yes", "--take-back"]);
    assert_eq!(ran.status.code(), Some(1), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// Names that look like records, very many of them, next to our own.
#[test]
fn sibling_records() {
    check_growth("siblings", 5_000, |count| {
        let place = place();
        (0..count).for_each(|at| fs::create_dir_all(place.path().join(format!(".patchwright/{at:032x}"))).unwrap());
        cost(place.path(), ("create_file", &json!({ "path": "b.txt", "content": "b\n" })), "ok")
    });
}

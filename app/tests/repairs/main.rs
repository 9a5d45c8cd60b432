//! Refusals that are provoked, and a repairer that does what they say. It is a program: it knows the tool, its own
//! arguments, what it meant to give for them, and the refusal's text as a model reads it; nothing else. It looks once at
//! most, and then calls again. The files must then be as meant, and nothing else may have changed.
//!
//! `rows/*.json` has the refusals, `failures.txt` those that the repairer does not get over, with the reason. A row that
//! is `final` by nature is not counted: nothing that its caller can do leads on. `BLESS_REPAIRS=1` writes the list anew.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test sets up files, says no by panicking, and shows what came of it"
)]

mod grammar;
mod repairer;
mod row;
mod world;

use repairer::{Attempt, repair};
use row::Row;
use std::fmt::Write as _;
use std::path::PathBuf;
use world::World;

/// Of the refusals that are not final, so many hundredths are got over at least.
const SHARE: usize = 95;
/// There are so many of them at least.
const ROWS: usize = 100;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/repairs")
}

/// How a row ended.
enum Ended {
    /// By the very next call.
    AtOnce,
    /// With one look in between.
    AfterLook,
    /// Not at all.
    Failed(String),
}

fn run(row: &Row, told: impl FnOnce(&str) -> String) -> Ended {
    let mut world = World::new(row);
    let row = &row.filled(&world);
    let (tool, arguments) = &row.call;
    let refused = world.call(tool, arguments);
    if !refused.refused {
        return Ended::Failed("was not refused".to_owned());
    }
    world.keep();
    let attempt = repair(row, &told(&refused.text), &mut world);
    if std::env::var("SHOW_REPAIRS").is_ok_and(|name| row.name.contains(&name)) {
        println!("== {}\n{}\n-- {attempt:?}\n", row.name, refused.text);
    }
    match attempt {
        Attempt::Stuck(why) => Ended::Failed(why),
        Attempt::Made { looks, answer, .. } => match world.compare(row, &answer) {
            Err(why) => Ended::Failed(why),
            Ok(()) if looks == 0 => Ended::AtOnce,
            Ok(()) => Ended::AfterLook,
        },
    }
}

#[test]
fn a_refusal_leads_to_what_was_meant() {
    let rows: Vec<Row> = row::all(&folder().join("rows")).into_iter().filter(Row::is_counted).collect();
    let (mut at_once, mut after_look, mut failed) = (0, 0, String::new());
    for row in &rows {
        match run(row, str::to_owned) {
            Ended::AtOnce => at_once += 1,
            Ended::AfterLook => after_look += 1,
            Ended::Failed(why) => writeln!(failed, "{}: {}", row.name, why.lines().next().unwrap_or_default()).unwrap(),
        }
    }
    let count = rows.len();
    println!("{count} refusals: {at_once} by the very next call, {after_look} with one look in between\n{failed}");
    let list = folder().join("failures.txt");
    if std::env::var("BLESS_REPAIRS").is_ok() {
        std::fs::write(&list, &failed).unwrap();
    }
    assert!(count >= ROWS, "{count} rows");
    assert_eq!(failed, std::fs::read_to_string(&list).unwrap_or_default(), "the list of failures has changed");
    assert!((at_once + after_look) * 100 >= count * SHARE, "{at_once} + {after_look} of {count}:\n{failed}");
}

/// What is final by nature sends nobody off to try again: neither to a change, nor in circles.
#[test]
fn what_is_final_offers_no_change() {
    for row in row::all(&folder().join("rows")).into_iter().filter(|row| row.is_final) {
        let mut world = World::new(&row);
        let refused = world.call(&row.call.0, &row.call.1);
        assert!(refused.refused, "{} was not refused", row.name);
        for ready in grammar::ready_calls(grammar::instruction(&refused.text)) {
            assert!(world::only_looks(&ready.tool), "{}: {}", row.name, refused.text);
        }
    }
}

/// Where more than one call may be meant, none that changes something is written out; words say what there is to decide.
#[test]
fn what_is_unclear_is_not_written_out() {
    let mut wrong = String::new();
    for row in row::all(&folder().join("rows")) {
        let mut world = World::new(&row);
        let row = row.filled(&world);
        let refused = world.call(&row.call.0, &row.call.1);
        let changes = grammar::ready_calls(&refused.text).iter().any(|ready| !world::only_looks(&ready.tool));
        let lacks = row.says.iter().any(|part| !refused.text.contains(part));
        let has = row.says_not.iter().any(|part| refused.text.contains(part));
        if !refused.refused || row.unclear && changes || lacks || has {
            writeln!(wrong, "{}: {}\n", row.name, refused.text).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The repairer does not know the answers: without the next step it gets nowhere.
#[test]
fn without_its_next_step_a_refusal_leads_nowhere() {
    let rows = row::all(&folder().join("rows"));
    for row in rows.iter().filter(|row| row.is_counted()) {
        let blank = |_: &str| "conflict: It was refused.\nNext step: Try again.".to_owned();
        assert!(matches!(run(row, blank), Ended::Failed(_)), "{} succeeds on a blank text", row.name);
    }
}

/// A ready call is within its budget.
#[test]
fn refusals_are_short() {
    for row in row::all(&folder().join("rows")) {
        let mut world = World::new(&row);
        let row = row.filled(&world);
        let text = world.call(&row.call.0, &row.call.1).text;
        let tokens = patchwright_testkit::tokens::count(&text);
        // An answer in JSON has all facts beside the sentences.
        let most = if text.lines().count() > 2 || text.starts_with('{') || row.lists { 1_000 } else { 250 };
        assert!(tokens <= most, "{}: {tokens} tokens\n{text}", row.name);
    }
}

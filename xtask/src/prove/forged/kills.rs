//! Calls killed at any time while they write content that looks like records.

use super::cuts::{big, content, verified};
use super::fail;
use super::ground::{Ground, Where};
use super::judge::{May, Seen, judge};
use super::openers::{Effect, Trash};
use super::past::log_of;
use super::plant::Planted;
use super::trial::packed;
use crate::failure::Failure;
use crate::prove::findings::{Findings, Violation};
use patchwright_testkit::dice::Dice;
use serde_json::json;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// So many workspaces at a time.
pub(super) const COUNT: usize = 4;
/// So many kills in each.
const KILLS: usize = 8;

/// Where this one is tried.
pub(super) fn place(at: usize) -> Where {
    super::cuts::place(at)
}

/// Kills call after call, and looks after each.
pub(super) fn tried(ground: &Ground, mut dice: Dice) -> Result<Findings, Failure> {
    ground.again()?;
    let mut findings = Findings::default();
    // How long a call takes when nobody kills it.
    let begun = Instant::now();
    let _ = ended(start(ground, "undisturbed.bin", &mut dice)?, Duration::from_secs(60));
    let whole = begun.elapsed();
    for number in 0..KILLS {
        let path: &'static str = PATHS.get(number).copied().unwrap_or("big");
        let before = Seen::now(ground);
        let after = whole.mul_f64(f64::from(u32::try_from(dice.below(1000)).unwrap_or_default()) / 900.0);
        let answered = ended(start(ground, path, &mut dice)?, after);
        let result = judged(ground, &before, path, answered).and_then(|()| verified(ground));
        let broken = result.is_err();
        findings.note(match result {
            Ok(()) => Ok(()),
            Err(what) => {
                let what = format!("{:?}, killed after {after:?} with records in content: {what}", ground.at);
                Err(Violation { what, more: vec![("found.tar".to_owned(), packed(ground)?)], ..Violation::default() })
            }
        });
        if broken {
            break;
        }
    }
    Ok(findings)
}

const PATHS: &[&str] = &["k0.bin", "k1.bin", "k2.bin", "k3.bin", "k4.bin", "k5.bin", "k6.bin", "k7.bin"];

/// Starts a call that makes a file of records.
fn start(ground: &Ground, path: &str, dice: &mut Dice) -> Result<Child, Failure> {
    let (_, log) = log_of(&ground.record())?;
    let arguments = big(path, &content(ground, &log, dice)).to_string();
    let mut command = ground.command(&["call", "create_file", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(fail(&ground.root))?;
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(arguments.as_bytes());
    }
    Ok(child)
}

/// Kills it when its time is over; whether it had answered before.
fn ended(mut child: Child, after: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < after {
        if let Ok(Some(status)) = child.try_wait() {
            return status.success();
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    let _ = child.kill();
    child.wait().is_ok_and(|status| status.success())
}

/// The call is done or not done, and done if it said so; nothing else happened, and work goes on.
fn judged(ground: &Ground, before: &Seen, path: &'static str, answered: bool) -> Result<(), String> {
    let ran = ground.call("list_batches", &json!({}))?;
    if ran.code != Some(0) {
        return Err(format!("looking is refused: {}", ran.told()));
    }
    let planted = Planted { own: true, ..Planted::default() };
    let there = ground.root.join(path).exists();
    if answered && !there {
        return Err("what was answered is not there".to_owned());
    }
    let made = std::fs::read(ground.root.join(path)).unwrap_or_default();
    let effect = match there {
        true => Effect::Exactly(vec![(path, Some(String::from_utf8_lossy(&made).into_owned()))]),
        false => Effect::Nothing,
    };
    let may = May { effect: &effect, trash: Trash::Kept, only_looks: false, planted };
    judge(ground, before, &Seen::now(ground), &ran, &may)?;
    // What is there is whole: it ends as it was to end, with the last byte of a record.
    let told = ran.out.contains(path);
    if there == told { Ok(()) } else { Err(format!("{path} is there: {there}; on record: {told}")) }
}

//! One trial: the workspace as it was, something hostile put there, opened, and then used as anybody would.

use super::fail;
use super::ground::Ground;
use super::judge::{May, Seen, judge};
use super::openers::{self, Effect, Opening, Trash};
use super::plan::Plan;
use super::plant::{Planted, plant};
use crate::failure::Failure;
use crate::prove::findings::{Findings, Violation};
use serde_json::{Value, json};
use std::process::Command;

/// Runs it.
pub(super) fn run(ground: &Ground, plan: &Plan, number: usize) -> Result<Findings, Failure> {
    ground.again()?;
    let planted =
        plant(ground, plan).map_err(|error| Failure::new(format!("{plan:?}: {error}"), "look at the suite"))?;
    let mut findings = Findings::default();
    let result = opened(ground, plan, planted).and_then(|()| used(ground, planted));
    findings.note(match result {
        Ok(()) => Ok(()),
        Err(what) => Err(violation(ground, plan, format!("trial {number}: {what}"))?),
    });
    Ok(findings)
}

fn opened(ground: &Ground, plan: &Plan, planted: Planted) -> Result<(), String> {
    let (opener, before) = (openers::of(ground, plan), Seen::now(ground));
    let only_looks = plan.opening == Opening::ReadOnly;
    let ran = opener.open(ground)?;
    let may = May { effect: &opener.effect, trash: opener.trash, only_looks, planted };
    judge(ground, &before, &Seen::now(ground), &ran, &may).map_err(|why| format!("{}: {why}", opener.words()))
}

/// Nobody is locked out: a file is made, another one changed, and history tells of it.
pub(super) fn used(ground: &Ground, planted: Planted) -> Result<(), String> {
    let create = json!({ "path": "ordinary.txt", "content": "ordinary\n" });
    let (path, content) = ("ordinary.txt", "ordinary\n");
    ordinary(ground, planted, &Ordinary { tool: "create_file", arguments: &create, path, content })?;
    if std::fs::read(ground.root.join("b.txt")).is_ok_and(|bytes| bytes == b"inside\n") {
        let edit = json!({ "path": "b.txt", "edits": [{ "oldText": "inside", "newText": "changed" }] });
        let (path, content) = ("b.txt", "changed\n");
        ordinary(ground, planted, &Ordinary { tool: "edit_file", arguments: &edit, path, content })?;
    }
    let listed = ground.call("list_batches", &json!({ "limit": 5 }))?;
    let (tells, may) = (listed.out.contains("ordinary.txt"), planted.may_refuse || planted.damaged);
    match listed.code {
        Some(0) if tells => Ok(()),
        Some(0..=3) if may => Ok(()),
        _ => Err(format!("history does not tell of an ordinary call: {}", listed.told())),
    }
}

/// A call and the one file that it leaves so.
struct Ordinary<'a> {
    tool: &'a str,
    arguments: &'a Value,
    path: &'static str,
    content: &'a str,
}

fn ordinary(ground: &Ground, planted: Planted, call: &Ordinary<'_>) -> Result<(), String> {
    let Ordinary { tool, arguments, path, content } = *call;
    let before = Seen::now(ground);
    let ran = ground.call(tool, arguments)?;
    let effect = Effect::Exactly(vec![(path, Some(content.to_owned()))]);
    let may = May { effect: &effect, trash: Trash::Kept, only_looks: false, planted };
    judge(ground, &before, &Seen::now(ground), &ran, &may).map_err(|why| format!("an ordinary {tool}: {why}"))?;
    if ran.code == Some(0) || planted.may_refuse {
        return Ok(());
    }
    Err(format!("an ordinary {tool} is refused: {}", ran.told()))
}

/// What is needed to look at it: the workspace as it was found, and as it was planted.
fn violation(ground: &Ground, plan: &Plan, what: String) -> Result<Violation, Failure> {
    let found = packed(ground)?;
    ground.again()?;
    plant(ground, plan).map_err(fail(&ground.folder))?;
    let story = format!("{what}\n\n{plan:#?}\n\nroot: {}\n", ground.named(&ground.root));
    let more = vec![
        ("story.txt".to_owned(), story.into_bytes()),
        ("planted.tar".to_owned(), packed(ground)?),
        ("found.tar".to_owned(), found),
    ];
    let call = Some(json!(openers::of(ground, plan).words()));
    let short: String = what.chars().take(600).collect();
    Ok(Violation { what: format!("{:?}, {:?}: {short}", plan.at, plan.what), call, more, ..Violation::default() })
}

pub(super) fn packed(ground: &Ground) -> Result<Vec<u8>, Failure> {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sparse", "--file", "-", "--directory"]).arg(&ground.folder).arg(".");
    crate::run::output(tar, "look at the disk")
}

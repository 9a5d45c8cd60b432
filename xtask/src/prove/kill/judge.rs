//! After the kill: the workspace is opened again, in one of several ways, and everything that can be seen of it is held
//! against what was there before the call and after it.

use super::account::{Account, Ids, account};
use super::shelves;
use super::site::{Site, is_ok, server};
use super::talk::{Talk, once};
use crate::home;
use crate::prove::answer::Wrong;
use crate::prove::workload::{self, Answered};
use patchwright_testkit::tree::Item;
use serde_json::{Value, json};
use std::path::Path;

/// Who opens the workspace again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    Doctor,
    /// A call that only reads.
    Reader,
    /// A call that looks things up in the index.
    Lister,
    /// `audit verify`, with the head that was answered if one was. It reads the record only and mends nothing.
    Auditor,
    /// An ordinary edit.
    Editor,
    /// A server that is asked for an account.
    Server,
}

/// All of them.
pub(super) const OPENERS: &[Opener] =
    &[Opener::Doctor, Opener::Reader, Opener::Lister, Opener::Auditor, Opener::Editor, Opener::Server];

/// What the caller was told before it ended.
pub(super) struct Told<'a> {
    pub(super) answered: Answered,
    pub(super) answer: &'a Value,
}

/// Which of the two a workspace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Before,
    After,
    /// The call leaves nothing behind that could be seen.
    Either,
}

/// What the editor makes.
const EXTRA: &str = "opened-again.txt";

/// What the caller was told by an answer.
pub(super) fn answered(answer: &Value) -> Answered {
    let kind = answer.pointer("/error/kind").and_then(Value::as_str);
    match answer {
        Value::Null => Answered::Unknown,
        _ if is_ok(answer) => Answered::Done,
        _ if kind == Some("in_doubt") => Answered::Unknown,
        _ => Answered::Refused,
    }
}

/// Opens and judges.
pub(super) fn judge(site: &Site, binary: &Path, root: &Path, told: &Told<'_>, opener: Opener) -> Result<(), Wrong> {
    open(binary, root, told, opener)?;
    if !matches!(opener, Opener::Server | Opener::Auditor) {
        let mut tree = workload::read(root)?;
        tree.items.remove(EXTRA);
        site.ready.judge(&tree, told.answered).map_err(|wrong| format!("after {opener:?}: {wrong}"))?;
    }
    let mut talk = Talk::greeted(server(binary, root))?;
    let ids = interview(site, &mut talk, root, told, opener)?;
    talk.end(Value::Null)?;
    at_the_end(site, binary, root, &ids)
}

fn open(binary: &Path, root: &Path, told: &Told<'_>, opener: Opener) -> Result<(), Wrong> {
    let mut command = home::patchwright(binary, root);
    match opener {
        Opener::Server => return Ok(()),
        Opener::Doctor => command.arg("doctor"),
        Opener::Reader => command.args(["call", "read_file", r#"{"path":"f0.txt"}"#]),
        Opener::Lister => command.args(["call", "list_batches", "{}"]),
        Opener::Auditor => command.args(["audit", "verify"]),
        Opener::Editor => command.args(["call", "create_file", &json!({"path": EXTRA, "content": "x\n"}).to_string()]),
    };
    let head = told.answer.get("auditHead").and_then(Value::as_str);
    if let (Opener::Auditor, Some(head)) = (opener, head) {
        command.args(["--head", head]);
    }
    command.arg("--root").arg(root);
    let ended = once(command, "")?;
    // The file that is read may be gone, rightly.
    let may_refuse = opener == Opener::Reader && ended.answer.pointer("/error/kind") == Some(&json!("not_found"));
    match ended.is_well() || may_refuse {
        true => Ok(()),
        false => Err(format!("{opener:?} cannot open it: {:?} {}", ended.how, ended.answer).into()),
    }
}

/// Asks for the account, and tries what should work now: the call again where it did not happen, taking it back where
/// it did. The ids in the end.
fn interview(site: &Site, talk: &mut Talk, root: &Path, told: &Told<'_>, opener: Opener) -> Result<Ids, Wrong> {
    let (found, ids) = account(talk, root)?;
    let (found, newest) = strip(found, &ids, opener)?;
    let stands = stands(site, &found, told.answered)?;
    let call = &site.ready.call;
    let (answer, wanted) = match (stands, newest) {
        (Stands::Before, _) => (talk.call(call.tool, &call.arguments), Some(&site.after.tree)),
        (Stands::After, Some(batch)) => (talk.call("undo", &json!({"batchId": batch})), site.undone.as_ref()),
        _ => return Ok(ids),
    };
    if is_ok(&answer) != wanted.is_some() {
        return Err(format!("it stands {stands:?}; what should follow is answered {answer}").into());
    }
    let (mut found, ids) = account(talk, root)?;
    found.tree.items.remove(EXTRA);
    let unlike = wanted.map(|wanted| wanted.difference(&found.tree)).unwrap_or_default();
    match unlike.is_empty() {
        true => Ok(ids),
        false => Err(format!("it stood {stands:?}, and what followed went wrong: {}", unlike.join("; ")).into()),
    }
}

/// Leaves out what the editor did, and finds the newest batch that is not its own.
fn strip(mut found: Account, ids: &Ids, opener: Opener) -> Result<(Account, Option<String>), String> {
    if opener != Opener::Editor {
        return Ok((found, ids.batches.first().cloned()));
    }
    let made = matches!(found.tree.items.remove(EXTRA), Some(Item::File { bytes, .. }) if bytes == b"x\n");
    let on_record = found.batches.first().is_some_and(|line| line.starts_with("create_file applied"));
    if !made || !on_record {
        return Err(format!("a following edit did not take: {:?}", found.batches));
    }
    found.batches.remove(0);
    Ok((found, ids.batches.get(1).cloned()))
}

fn stands(site: &Site, found: &Account, answered: Answered) -> Result<Stands, String> {
    let (before, after) = (site.before.difference(found), site.after.difference(found));
    match (before.is_empty(), after.is_empty()) {
        (true, true) => Ok(Stands::Either),
        (false, true) => Ok(Stands::After),
        (true, false) if answered == Answered::Done => {
            Err(format!("answered, yet not on record: {}", after.join("; ")))
        }
        (true, false) => Ok(Stands::Before),
        (false, false) => {
            Err(format!("tree and record disagree. To before: {}. To after: {}", before.join("; "), after.join("; ")))
        }
    }
}

/// Whatever happened: the doctor is content, and the state folder holds nothing that nobody needs.
fn at_the_end(site: &Site, binary: &Path, root: &Path, ids: &Ids) -> Result<(), Wrong> {
    let mut command = home::patchwright(binary, root);
    command.args(["doctor", "--json", "--root"]).arg(root);
    let ended = once(command, "")?;
    if !ended.is_well() || !is_ok(&ended.answer) || ended.answer.pointer("/audit/ok") != Some(&Value::Bool(true)) {
        return Err(format!("the doctor ends with {:?} and {}", ended.how, ended.answer).into());
    }
    let (tree, state) = (workload::read(root)?, shelves::shelves(root)?);
    if !tree.litter().is_empty() {
        return Err(format!("litter in the end: {:?}", tree.litter()).into());
    }
    let mut contents = site.contents.clone();
    contents.extend(shelves::contents(&[&tree]));
    if let Some(fault) = shelves::fault(&state, ids, &contents) {
        return Err(fault.into());
    }
    let lost: Vec<_> = site.needed.difference(&shelves::blobs(&state)).cloned().collect();
    if lost.is_empty() { Ok(()) } else { Err(format!("kept before, and lost: {lost:?}").into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &Value, expected: Answered) {
        assert_eq!(answered(answer), expected, "{answer}");
    }

    #[test]
    fn answers() {
        check(&Value::Null, Answered::Unknown);
        check(&json!({"ok": true}), Answered::Done);
        check(&json!({"successful": true}), Answered::Done);
        check(&json!({"ok": false, "error": {"kind": "in_doubt"}}), Answered::Unknown);
        check(&json!({"ok": false, "error": {"kind": "busy"}}), Answered::Refused);
    }
}

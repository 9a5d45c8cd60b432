//! Idempotency keys: a call repeated with a key already answered gets the first answer again.

use crate::answers;
use crate::flow::Held;
use crate::trouble::{broken, index};
use crate::workspace::Workspace;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Reply, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Run};
use patchwright_store::log::{Entry, Walk};
use patchwright_store::records::{End, Record};

/// The answer that an earlier call with this key got, if there was one.
pub(crate) fn earlier(workspace: &Workspace, held: &mut Held<'_>, call: &Call) -> Result<Option<Reply>, Trouble> {
    let Some((key, arguments)) = fingerprint(call) else { return Ok(None) };
    let found = workspace.index(held)?.answered(call.tool().name, &key).map_err(index)?;
    let Some(found) = found else { return Ok(None) };
    if found.arguments != arguments {
        return Err(Refusal::plain(Why::KeyReused { batch: found.batch }).into());
    }
    let mut entry: Option<Entry> = None;
    let mut first = |read: Entry| {
        entry = Some(read);
        Walk::Stop
    };
    held.log()?.entries(&workspace.disk, found.offset, &mut first).map_err(|halt| broken("log", halt))?;
    let reply = entry.and_then(|entry| match entry.record {
        Record::Commit(commit) => Some(answers::replayed(&commit, entry.head)),
        Record::Purge(purge) => Some(answers::purge_replayed(&purge, entry.head)),
        _ => None,
    });
    if reply.is_some() {
        workspace.note(held, call.tool().name, End::Replayed(found.batch))?;
    }
    Ok(reply)
}

/// The key of a call with the hash of everything else it asks for; nothing for a dry run, which answers
/// nothing that could be replayed.
pub(crate) fn key(call: &Call) -> Option<(String, Digest)> {
    fingerprint(call).filter(|_| call.shared().is_some_and(|shared| shared.run == Run::Apply))
}

fn fingerprint(call: &Call) -> Option<(String, Digest)> {
    let key = call.shared()?.idempotency_key.clone()?;
    Some((key, Digest::of(format!("{call:?}").as_bytes())))
}

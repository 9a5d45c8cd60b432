//! Idempotency keys: a call repeated with a key already answered gets the first answer again.

use crate::answers;
use crate::answers::settled::rejected;
use crate::recorded::touched;
use crate::session::Session;
use crate::trouble::index;
use crate::turn::Turn;
use patchwright_core::batch::BatchStatus;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Extent, Replayed, Reply, Trouble};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Call, Run};
use patchwright_store::log::Entry;
use patchwright_store::records::{Commit, End, Record};

/// The answer that an earlier call with this key got, if there was one.
pub(crate) fn earlier(session: &Session, held: &mut Turn<'_>, call: &Call) -> Result<Option<Reply>, Trouble> {
    let Some((batch, entry)) = keyed(session, held, call)? else { return Ok(None) };
    let mut files = Vec::new();
    let reply = match entry.record {
        Record::Commit(commit) => {
            let commits = whole_batch(session, held, entry.sequence, commit)?;
            files.extend(commits.iter().flat_map(|commit| &commit.files).map(touched));
            answers::replayed(&commits, entry.head).filter(|_| is_whole(&commits))
        }
        Record::Purge(purge) => {
            files.clone_from(&purge.files);
            Some(answers::purge_replayed(&purge, entry.head))
        }
        Record::Proposal(proposal) => {
            files.extend(proposal.commit.files.iter().map(touched));
            Some(Reply { replayed: Replayed::Yes, ..answers::proposed(&proposal.commit, entry.head) })
        }
        Record::Verdict(verdict) => {
            let reply = rejected(&verdict.batch, BatchStatus::Rejected, Extent::Done, entry.head);
            Some(Reply { replayed: Replayed::Yes, ..reply })
        }
        _ => None,
    };
    if reply.is_some() {
        session.note_about(held, call, End::Replayed(batch), files)?;
    }
    Ok(reply)
}

/// What an earlier call with this key has done, if it applies sections one by one and did not come to its
/// end: it failed, or its process died. Done again, those sections would be applied twice.
pub(crate) fn begun(session: &Session, held: &mut Turn<'_>, call: &Call) -> Result<Vec<Commit>, Trouble> {
    match keyed(session, held, call)?.map(|(_, entry)| (entry.sequence, entry.record)) {
        Some((sequence, Record::Commit(commit))) => whole_batch(session, held, sequence, commit),
        _ => Ok(Vec::new()),
    }
}

fn is_whole(commits: &[Commit]) -> bool {
    commits.last().and_then(|last| last.patch.as_ref()).is_none_or(|patch| !patch.goes_on)
}

/// The batch that has this call's key, and its first record.
fn keyed(session: &Session, held: &mut Turn<'_>, call: &Call) -> Result<Option<(String, Entry)>, Trouble> {
    let Some((key, arguments)) = fingerprint(call) else { return Ok(None) };
    let past = session.past_of(held)?;
    let found = past.index.answered(call.tool().name, &key).map_err(index)?;
    let Some(found) = found else { return Ok(None) };
    if found.arguments != arguments {
        return Err(Refusal::plain(Why::KeyReused { batch: found.batch.into() }).into());
    }
    Ok(past.entry(found.offset)?.map(|entry| (found.batch, entry)))
}

/// The commits of a batch of which one is given; mostly that one alone.
fn whole_batch(session: &Session, held: &mut Turn<'_>, sequence: u64, commit: Commit) -> Result<Vec<Commit>, Trouble> {
    let commits = session.past_of(held)?.whole(sequence, commit)?;
    Ok(commits.into_iter().map(|(_, commit)| commit).collect())
}

/// The key of a call with the hash of everything else it asks for; nothing for a dry run, which answers
/// nothing that could be replayed.
pub(crate) fn key(call: &Call) -> Option<(String, Digest)> {
    fingerprint(call).filter(|_| call.shared().is_some_and(|shared| shared.run != Run::Dry))
}

fn fingerprint(call: &Call) -> Option<(String, Digest)> {
    let key = call.shared()?.idempotency_key.clone()?;
    Some((key, call.fingerprint()?))
}

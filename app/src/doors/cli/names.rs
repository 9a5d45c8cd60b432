//! CLI door: which batch, change or session a person means.

use super::stop::Stop;
use patchwright_core::outcome::{Answer, BatchList, BatchSummary, BatchView, Failed, Replayed, Reply};
use patchwright_core::tool::{After, Call, GetPatchChange, IdForm, ListBatches};
use patchwright_engine::{Quiet, Session};

/// What stands for the newest batch.
const LAST: &str = "last";

/// The largest page that the tool gives.
const PAGE: usize = 1000;

/// What a name given on the command line may mean.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// The newest.
    Last,
    /// A batch, or by its id perhaps a change.
    Batch(String),
    /// A change.
    Change(String),
    /// Neither: a path, perhaps.
    Other(String),
}

pub(super) fn read(given: &str) -> Named {
    let lower = given.to_ascii_lowercase();
    match IdForm::parse(given) {
        _ if given == LAST => Named::Last,
        Some(IdForm::Batch(_) | IdForm::Start(_)) => Named::Batch(lower),
        Some(IdForm::Change(..)) => Named::Change(lower),
        None => Named::Other(given.to_owned()),
    }
}

/// The batch or change of this name, as the engine takes it.
pub(super) fn id(session: &Session, given: &str) -> Result<String, Stop> {
    match read(given) {
        Named::Last => Ok(last(session)?.name.id),
        Named::Batch(name) | Named::Change(name) => Ok(name),
        Named::Other(given) => Err(no_name(&given)),
    }
}

fn no_name(given: &str) -> Stop {
    Stop::usage(format!("{given:?} is no batch; `patchwright log` has their names, such as b17"))
}

/// The newest batch.
pub(super) fn last(session: &Session) -> Result<BatchSummary, Stop> {
    let list = newest(session, &ListBatches::default(), 1, &mut |_| true)?.map_err(|failed| failed.trouble)?;
    list.batches.into_iter().next().ok_or_else(|| Stop::refused("nothing is on record here yet"))
}

/// The session that a batch of it, or the beginning of its id, names.
pub(super) fn session(session: &Session, given: &str) -> Result<String, Stop> {
    match read(given) {
        Named::Last => Ok(last(session)?.author.session),
        Named::Batch(name) | Named::Change(name) if name.starts_with('b') => {
            Ok(view(session, &name)?.map_err(|failed| failed.trouble)?.summary.author.session)
        }
        _ => Ok(given.to_owned()),
    }
}

/// A batch, or a part of one, with as many lines as a page has.
pub(super) fn view(session: &Session, id: &str) -> Result<Result<Box<BatchView>, Failed>, Stop> {
    let ask = GetPatchChange { batch: Some(id.to_owned()), ..GetPatchChange::default() };
    Ok(match session.call(&Call::GetPatchChange(ask), &Quiet) {
        Ok(Reply { answer: Answer::Batch(view), .. }) => Ok(view),
        Ok(_) => return Err(no_name(id)),
        Err(failed) => Err(failed),
    })
}

/// The newest batches that fit and that `keep` takes, over as many pages as it needs.
pub(super) fn newest(
    session: &Session,
    ask: &ListBatches,
    number: usize,
    keep: &mut dyn FnMut(&BatchSummary) -> bool,
) -> Result<Result<BatchList, Failed>, Stop> {
    let mut all = BatchList::default();
    loop {
        let limit = if all.next_cursor.is_none() { number.clamp(1, PAGE) } else { PAGE };
        let ask = ListBatches { limit: Some(limit), cursor: all.next_cursor.take(), ..ask.clone() };
        let list = match session.call(&Call::ListBatches(ask), &Quiet) {
            Ok(Reply { answer: Answer::Batches(list), .. }) => list,
            Ok(_) => BatchList::default(),
            Err(failed) => return Ok(Err(failed)),
        };
        let BatchList { batches, asked_by, next_cursor } = list;
        all.batches.extend(batches.into_iter().filter(|batch| keep(batch)));
        (all.asked_by, all.next_cursor) = (asked_by, next_cursor);
        if all.next_cursor.is_none() || all.batches.len() >= number {
            return Ok(Ok(all));
        }
    }
}

/// What lists tell of batches, each once. What is not there is left to the call that asks for it.
pub(super) fn summaries<'a>(
    session: &Session,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<BatchSummary>, Stop> {
    let mut found: Vec<BatchSummary> = Vec::new();
    for id in ids {
        if let Ok(view) = view(session, id)?
            && found.iter().all(|known| known.name.id != view.summary.name.id)
        {
            found.push(view.summary);
        }
    }
    Ok(found)
}

/// An answer around a list of batches.
pub(super) fn looked(list: BatchList) -> Reply {
    Reply { answer: Answer::Batches(list), warnings: Vec::new(), audit_head: None, replayed: Replayed::No }
}

/// A time, an age, or a batch.
pub(super) fn after(given: &str, session: &Session) -> Result<After, Stop> {
    let malformed = || {
        Stop::usage(format!(
            "{given:?} is no time: give an age such as 2h or 3d, a batch such as b17, or a time such as 2026-01-31T00:00:00Z"
        ))
    };
    match After::parse(given) {
        Some(After::Batch(name)) => Ok(After::Batch(session.batch_id(&id(session, &name)?)?)),
        parsed => parsed.ok_or_else(malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let whole = "019A0000-0000-7000-8000-000000000001";
        for (given, want) in [
            ("last", Named::Last),
            (whole, Named::Batch(whole.to_ascii_lowercase())),
            ("019A0000", Named::Batch("019a0000".to_owned())),
            ("b17", Named::Batch("b17".to_owned())),
            ("B17.3", Named::Change("b17.3".to_owned())),
            ("src/b17", Named::Other("src/b17".to_owned())),
            ("./b17", Named::Other("./b17".to_owned())),
            ("yesterday", Named::Other("yesterday".to_owned())),
            ("", Named::Other(String::new())),
        ] {
            assert_eq!(read(given), want, "{given}");
        }
    }
}

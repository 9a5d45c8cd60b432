//! CLI door: which batch or change a person means. A whole id names itself; the beginning of one is looked up, and has
//! to fit one alone. Also the way through all batches, page by page.

use super::output::{Stop, ask, word};
use crate::doors::carry::Outcome;
use crate::wire::Json;
use patchwright::Workspace;
use patchwright_core::outcome::{Answer, BatchList, BatchSummary, Failed, Reply};
use patchwright_core::tool::IdForm;
use std::ops::ControlFlow;

/// So much of an id has to be given: the digits that tell the minute.
const SHORTEST: usize = 8;

/// The length of a whole id.
const WHOLE: usize = 36;

/// A complaint names no more ids than this.
const NAMED: usize = 10;

/// The largest page that the tool gives.
pub(super) const PAGE: usize = 1000;

/// Arguments of a call.
pub(super) type Arguments = Vec<(&'static str, Json)>;

/// The batch of this id, or of the only id that begins so. What is no batch's may be the id of a change or of a file's
/// part, and is handed on: the tools know these.
pub(super) fn batch(workspace: &Workspace, given: &str) -> Result<String, Stop> {
    let start = match read(given) {
        Given::Whole(id) | Given::Short(id) => return Ok(id),
        Given::Start(start) => start,
        Given::Neither => return Err(no_id(given)),
    };
    let mut fitting = Vec::new();
    walk(workspace, &Vec::new(), |page| {
        let older = page.iter().all(|batch| is_older(&batch.name.id, &start));
        fitting.extend(page.into_iter().map(|batch| batch.name.id).filter(|id| id.starts_with(&start)));
        // Ids begin with the time, so behind a whole page of older ones there are only older ones.
        if older { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(only(given, "batches", fitting)?.unwrap_or(start))
}

/// The changes of these ids. Which of a batch's they are, and whether a beginning fits one alone, the tools find out.
pub(super) fn changes(given: &[String]) -> Result<Option<Json>, Stop> {
    let ids: Result<Vec<Json>, Stop> = given.iter().map(|id| Ok(Json::Text(change(id)?))).collect();
    Ok(if given.is_empty() { None } else { Some(Json::List(ids?)) })
}

/// A change, or a file's part of a batch.
pub(super) fn change(given: &str) -> Result<String, Stop> {
    match read(given) {
        Given::Whole(id) | Given::Start(id) | Given::Short(id) => Ok(id),
        Given::Neither => Err(no_id(given)),
    }
}

/// What somebody gave for an id.
#[derive(Debug, PartialEq, Eq)]
enum Given {
    Whole(String),
    Start(String),
    /// `b17` or `b17.3`; the tools know what these mean.
    Short(String),
    Neither,
}

fn read(given: &str) -> Given {
    match IdForm::parse(given) {
        Some(IdForm::Start(id)) if id.len() == WHOLE => Given::Whole(id),
        Some(IdForm::Start(start)) => Given::Start(start),
        Some(IdForm::Batch(_) | IdForm::Change(..)) => Given::Short(given.to_ascii_lowercase()),
        None => Given::Neither,
    }
}

fn no_id(given: &str) -> Stop {
    Stop::usage(format!(
        "{given:?} is no id: give it whole, at least its first {SHORTEST} characters, or a short name such as b17; `patchwright log` shows the batches, `patchwright show ID` the changes of one"
    ))
}

/// Was a batch made in an earlier minute than those whose ids begin so?
fn is_older(id: &str, start: &str) -> bool {
    match (id.get(..SHORTEST), start.get(..SHORTEST)) {
        (Some(id), Some(start)) => id < start,
        _ => false,
    }
}

fn only(given: &str, what: &str, mut fitting: Vec<String>) -> Result<Option<String>, Stop> {
    // A proposal that was applied, and a patch applied section by section, may be on record more than once.
    fitting.sort_unstable();
    fitting.dedup();
    if fitting.len() < 2 {
        return Ok(fitting.pop());
    }
    let more = fitting.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names: Vec<&str> = fitting.iter().take(NAMED).map(String::as_str).collect();
    Err(Stop::usage(format!("{given} fits several {what}: {}{more}; give more of the id", names.join(", "))))
}

/// Goes through the batches that fit, newest first and a page at a time, until `see` has seen enough.
pub(super) fn walk(
    workspace: &Workspace,
    arguments: &Arguments,
    mut see: impl FnMut(Vec<BatchSummary>) -> ControlFlow<()>,
) -> Result<(), Stop> {
    let mut cursor = None;
    loop {
        let list = match page(workspace, arguments, PAGE, cursor.as_deref())? {
            Ok(list) => list,
            Err(failed) => return Err(failed.trouble.into()),
        };
        let seen = see(list.batches);
        cursor = list.next_cursor;
        if seen.is_break() || cursor.is_none() {
            return Ok(());
        }
    }
}

/// The newest batches that fit, as the tool answers, but over as many pages as it takes.
pub(super) fn newest(workspace: &Workspace, arguments: &Arguments, number: usize) -> Result<Outcome, Stop> {
    let mut all = BatchList::default();
    loop {
        let left = number.saturating_sub(all.batches.len());
        let list = match page(workspace, arguments, left.clamp(1, PAGE), all.next_cursor.as_deref())? {
            Ok(list) => list,
            Err(failed) => return Ok(Err(failed)),
        };
        all.batches.extend(list.batches);
        all.next_cursor = list.next_cursor;
        if all.next_cursor.is_none() || all.batches.len() >= number {
            return Ok(Ok(looked(all)));
        }
    }
}

/// An answer around a list of batches.
pub(super) fn looked(list: BatchList) -> Reply {
    Reply {
        answer: Answer::Batches(list),
        warnings: Vec::new(),
        audit_head: None,
        replayed: patchwright_core::outcome::Replayed::No,
    }
}

fn page(
    workspace: &Workspace,
    arguments: &Arguments,
    limit: usize,
    cursor: Option<&str>,
) -> Result<Result<BatchList, Failed>, Stop> {
    let mut arguments = arguments.clone();
    arguments.push(("limit", Json::Whole(i64::try_from(limit).unwrap_or(i64::MAX))));
    arguments.extend(cursor.map(|cursor| ("cursor", word(cursor))));
    Ok(match ask(workspace, "list_batches", arguments)? {
        Ok(Reply { answer: Answer::Batches(list), .. }) => Ok(list),
        Ok(_) => Ok(BatchList::default()),
        Err(failed) => Err(failed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_beginnings() {
        let whole = "019A0000-0000-7000-8000-000000000001";
        for (given, want) in [
            (whole, Given::Whole(whole.to_ascii_lowercase())),
            ("019A0000", Given::Start("019a0000".to_owned())),
            ("019a0000-0000-7000-8000-00000000000", Given::Start("019a0000-0000-7000-8000-00000000000".to_owned())),
            ("b17", Given::Short("b17".to_owned())),
            ("B17.3", Given::Short("b17.3".to_owned())),
            ("019a000", Given::Neither),
            ("019a000g", Given::Neither),
            ("yesterday", Given::Neither),
            ("", Given::Neither),
            ("019a0000-0000-7000-8000-0000000000011", Given::Neither),
        ] {
            assert_eq!(read(given), want, "{given}");
        }
    }

    #[test]
    fn one_alone() {
        let check = |fitting: &[&str], want: Result<Option<&str>, &str>| {
            let fitting = fitting.iter().map(|id| (*id).to_owned()).collect();
            match (only("ab", "batches", fitting), want) {
                (Ok(got), Ok(want)) => assert_eq!(got.as_deref(), want),
                (Err(Stop::Complaint(got)), Err(want)) => assert_eq!(got.to_string(), want),
                (got, want) => panic!("{got:?} {want:?}"),
            }
        };
        check(&[], Ok(None));
        check(&["ab1"], Ok(Some("ab1")));
        check(&["ab1", "ab1"], Ok(Some("ab1")));
        check(&["ab2", "ab1"], Err("ab fits several batches: ab1, ab2; give more of the id"));
        let many: Vec<String> = (10..22).map(|at| format!("ab{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(
            &many,
            Err(
                "ab fits several batches: ab10, ab11, ab12, ab13, ab14, ab15, ab16, ab17, ab18, ab19 and 2 more; give more of the id",
            ),
        );
    }

    #[test]
    fn what_is_older() {
        for (id, start, want) in
            [("019a0000-1", "019a0001", true), ("019a0001-1", "019a0001-0", false), ("x", "019a0001", false)]
        {
            assert_eq!(is_older(id, start), want, "{id} {start}");
        }
    }
}

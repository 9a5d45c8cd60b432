//! Words for a proof of sight that fails: what was not seen, what changed, and the call that shows it. No hash is
//! said that could be handed back without looking; the details of the answer have them.

use super::message::Words;
use super::telling::Telling;
use super::terminal::{as_json, for_terminal};
use patchwright_core::digest::DigestPrefix;
use patchwright_core::refusal::{ChangedLines, Refusal, Sort, Stale, StaleReason, Unseen};

/// The action that callers of the stale-file protocol look for, in these very words.
const REREAD: &str = "Re-read the file to obtain the current sha256 and re-apply your edit.";
/// Lines longer than this may be more than a reading shows unless it is asked to.
const LONG: usize = 16 * 1024;
/// So many stretches of lines are named.
const NAMED: usize = 5;

/// Words for a file that is not what its caller believes.
pub(super) fn words(path: &str, refusal: &Refusal, stale: &Stale, tell: &Telling<'_>) -> Words {
    match stale.sort {
        Sort::Link => link(path, stale, tell),
        _ => Words::new(what(path, stale, tell), next(path, refusal, stale, tell)),
    }
}

/// Words for lines that would be overwritten and do not count as shown: they never were, or the ledger has forgotten.
pub(super) fn unseen(path: &str, unseen: &Unseen, tell: &Telling<'_>) -> Words {
    let all = matches!(unseen.lines.as_slice(), [(1, last)] if *last == unseen.line_count);
    let (which, count) = match unseen.lines.as_slice() {
        _ if all => (format!("The text of {path}"), "does not count"),
        [] => (format!("Not all of {path}"), "counts"),
        [(line, last)] if line == last => (format!("Line {line} of {path}"), "does not count"),
        _ => (format!("Lines {} of {path}", named(unseen)), "do not count"),
    };
    let message = format!(
        "{which} {count} as shown to you in this session, so writing the whole file could overwrite text that you have not seen. Nothing was changed."
    );
    let small = " For a small change use edit_file instead: it needs only the text that it replaces.";
    let small = tell.pick(&[("edit_file", small)], "");
    let next = format!("Call read_file {}, and then write_file again.{small}", reading(path, unseen));
    Words::new(message, next)
}

/// The one reading that shows all lines that were not seen, from the first to the last.
fn reading(path: &str, unseen: &Unseen) -> String {
    let mut arguments = format!("{{\"path\":{}", quoted(path));
    if let [(first, _), ..] = unseen.lines.as_slice() {
        arguments += &format!(",\"startLine\":{first}");
        // Of more stretches than are named, the last is not known.
        let named = unseen.lines.last().filter(|_| unseen.stretches <= unseen.lines.len());
        if let Some((_, last)) = named.filter(|(_, last)| *last < unseen.line_count) {
            arguments += &format!(",\"endLine\":{last}");
        }
    }
    if unseen.longest > LONG {
        arguments += &format!(",\"maxBytes\":{}", unseen.longest.saturating_add(1).next_power_of_two());
    }
    arguments + "}"
}

fn named(unseen: &Unseen) -> String {
    let range = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let shown: Vec<String> = unseen.lines.iter().take(NAMED).map(range).collect();
    let more = if unseen.stretches > shown.len() { " and others" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// What to do about a file that is not what its caller believes: the reading that shows it, and the same call with the
/// proof put right. Where a hash is the proof, the words that callers of the stale-file protocol look for come first.
fn next(path: &str, refusal: &Refusal, stale: &Stale, tell: &Telling<'_>) -> String {
    let (changes, proof) = (changes(refusal), place(path, stale, tell));
    let call = format!("read_file {{\"path\":{}{}}}", quoted(path), changes.map(range).unwrap_or_default());
    let by_lines = stale.argument == "originalSha256" && tell.has("workspace_read_file");
    let call =
        if by_lines { format!("workspace_read_file {{\"docPath\":{}}}", quoted(&path.to_lowercase())) } else { call };
    let shows = if changes.is_some() { ", which shows what changed" } else { "" };
    let given = stale.expected.as_deref().filter(|_| stale.reason == StaleReason::Mismatch);
    let (Some(_), true) = (given, stale.actual.is_none()) else {
        let malformed = given.is_some_and(|given| !given.is_empty() && DigestPrefix::parse(given).is_none());
        return match (given, tell.hashes) {
            (Some(_), false) if malformed => format!(
                "Call {call}, then call again: set {proof} to the sha256 of what you have read (list_directory shows it with hashes: true)."
            ),
            (Some(_), false) => format!("Call {call}{shows}, then call again: leave out {proof}."),
            (None, false) => format!("Call {call}{shows}, then send your change again."),
            (_, true) => {
                format!("{REREAD} Call {call}{shows}, then call again: set {proof} to the sha256 that it shows.")
            }
        };
    };
    // Nothing is there that could be read.
    format!("Leave out {proof}, then call again; or correct the path.")
}

/// The argument that holds the proof of this file.
fn place(path: &str, stale: &Stale, tell: &Telling<'_>) -> String {
    match stale.argument {
        "expectedSha256ByPath" => format!("expectedSha256ByPath[{}]", quoted(path)),
        "originalSha256" => match file_index(path, tell) {
            Some(at) => format!("files[{at}].originalSha256"),
            None => "originalSha256".to_owned(),
        },
        argument => argument.to_owned(),
    }
}

/// Which of the files of a line patch this is.
fn file_index(path: &str, tell: &Telling<'_>) -> Option<usize> {
    let files = tell.given("files")?.as_array()?;
    files.iter().position(|file| file.get("docPath").and_then(|name| name.as_str()) == Some(&path.to_lowercase()))
}

/// The lines that changed, as arguments of a reading; nothing where none are left.
fn range(changes: &ChangedLines) -> String {
    let (first, last) = changes.lines;
    match (first, last < changes.line_count) {
        (0, _) => String::new(),
        (first, true) => format!(",\"startLine\":{first},\"endLine\":{last}"),
        (first, false) => format!(",\"startLine\":{first}"),
    }
}

/// The lines that changed since the caller saw the file.
pub(super) fn differences(refusal: &Refusal) -> String {
    let Some(changes) = changes(refusal) else { return String::new() };
    let cut = if changes.cut { "and more, left out here\n" } else { "" };
    format!("What changed since you saw it (- then, + now):\n{}{cut}", for_terminal(&changes.diff))
}

fn changes(refusal: &Refusal) -> Option<&ChangedLines> {
    refusal.since.as_deref()?.changes.as_ref()
}

/// A path that is on one line already, as it stands in JSON.
fn quoted(path: &str) -> String {
    as_json(path)
}

fn what(path: &str, stale: &Stale, tell: &Telling<'_>) -> String {
    let (expected, argument) = (stale.expected.as_deref().unwrap_or_default(), stale.argument);
    match stale.reason {
        StaleReason::Mismatch if expected.is_empty() && stale.actual.is_some() => {
            format!("Nothing was expected at {path}, but a file is there.")
        }
        StaleReason::Mismatch if expected.is_empty() => {
            format!("Nothing was expected at {path}, but something is there that is no file.")
        }
        StaleReason::Mismatch if stale.actual.is_none() => format!(
            "Nothing is at {path}, but {argument} expects a file there; give \"\" for a path that is to be free."
        ),
        StaleReason::Mismatch if DigestPrefix::parse(expected).is_none() => format!(
            "The hash given for {path} in expectedSha256ByPath is no hash: it takes all 64 hexadecimal digits, or at least the first {}.",
            DigestPrefix::LEAST
        ),
        StaleReason::Mismatch => {
            format!("{path} is not the file you have seen: its sha256 is not the {argument} you gave.")
        }
        StaleReason::Unproven if !tell.hashes => {
            format!("You have not read {path} in this session, so nothing shows that you know its present content.")
        }
        StaleReason::Unproven => format!(
            "No {argument} was given for {path}, and no earlier read or write of this session counts as proof: nothing shows that you have seen its present bytes."
        ),
        StaleReason::ChangedSinceSeen => {
            format!("{path} has changed since this session last read or wrote it.")
        }
        StaleReason::ChangedMeanwhile => {
            format!("Another program saved {path} during this call. Its version was kept, and nothing was changed.")
        }
    }
}

/// The proof for a link is the hash of its target text, which reading through it does not show.
fn link(path: &str, stale: &Stale, tell: &Telling<'_>) -> Words {
    let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let proof = place(path, stale, tell);
    Words::new(
        format!("{} It is a link, and what counts is where it leads.", what(path, stale, tell)),
        format!(
            "Call list_directory {{\"path\":{},\"includeHidden\":true,\"hashes\":true}}, then call again: set {proof} to the sha256 that it shows for {path}, the hash of the link's target text.",
            as_json(folder)
        ),
    )
}

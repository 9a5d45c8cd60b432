//! Target `strings`: exact replacements, from the JSON of a call to the new bytes, against finding every place
//! byte by byte.

use crate::feed::Feed;
use crate::one_file::{self, NAME, planned};
use crate::page::{Page, word};
use patchwright_app::wire;
use patchwright_core::intent::Intent;
use patchwright_core::refusal::Kind;
use patchwright_core::tool::{Call, EditFile};
use serde_json::{Value, json};
use std::ops::Range;

/// A replacement as it is asked for.
#[derive(Debug)]
struct Asked {
    old: String,
    new: String,
    count: Count,
}

#[derive(Clone, Copy, Debug)]
enum Count {
    Unsaid,
    Just(usize),
    All,
}

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let page = Page::read(&mut feed, 8);
    let view = plain(&page.text);
    let asked: Vec<Asked> = (0..=feed.below(3)).map(|_| one(&mut feed, &view)).collect();
    let ask = typed(&asked);
    let intent = Intent::Edit { path: one_file::path(NAME), edits: ask.edits, charset: ask.charset };
    let found = planned(&page.raw, intent);
    let wanted = places(&view, &asked);
    let about = || format!("{asked:?} on {:?}", page.raw.escape_ascii().to_string());
    match (found, wanted) {
        (Ok(after), Ok(places)) => compare(&page, &view, &asked, &places, &after),
        (Err(refusal), Err(kind)) if refusal.kind() == kind => {}
        (found, wanted) => panic!("{}: found {found:?}, wanted {wanted:?}", about()),
    }
}

fn one(feed: &mut Feed<'_>, view: &[u8]) -> Asked {
    let old = match feed.below(4) {
        3 => word(feed),
        _ => piece(feed, view),
    };
    let mut new = word(feed);
    match feed.below(8) {
        7 => new.push('\n'),
        6 => new = format!("{new}\n{}", word(feed)),
        5 => new = format!("{old}{new}"),
        4 => new.clear(),
        3 => new = old.clone(),
        2 => new = format!("{new}\n{old}"),
        _ => {}
    }
    let count = match feed.below(8) {
        7 => Count::Just(2),
        6 | 5 => Count::All,
        4 => Count::Just(1),
        _ => Count::Unsaid,
    };
    Asked { old: if old.is_empty() { "a".to_owned() } else { old }, new, count }
}

/// Something that stands in the text.
fn piece(feed: &mut Feed<'_>, view: &[u8]) -> String {
    let text = String::from_utf8_lossy(view);
    let from = feed.below(view.len().max(1));
    let many = 1 + feed.below(12);
    text.chars().skip(from).take(many).collect()
}

fn typed(asked: &[Asked]) -> EditFile {
    let edit = |one: &Asked| match one.count {
        Count::Unsaid => json!({"oldText": one.old, "newText": one.new}),
        Count::Just(count) => json!({"oldText": one.old, "newText": one.new, "expectedOccurrences": count}),
        Count::All => json!({"oldText": one.old, "newText": one.new, "replaceAll": true}),
    };
    let edits: Vec<Value> = asked.iter().map(edit).collect();
    let arguments = json!({"path": NAME, "edits": edits}).to_string();
    match wire::call("edit_file", &arguments) {
        Ok(Call::EditFile(ask)) => ask,
        other => panic!("{arguments}: {other:?}"),
    }
}

/// A text as callers see it, with `\n` alone.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        if *byte != b'\r' || text.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

/// Every place that is to be replaced, with its edit, in the order of the text; or the kind of refusal.
fn places(view: &[u8], asked: &[Asked]) -> Result<Vec<(Range<usize>, usize)>, Kind> {
    let mut all: Vec<(Range<usize>, usize)> = Vec::new();
    for (edit, one) in asked.iter().enumerate() {
        let old = plain(one.old.as_bytes());
        let starts: Vec<usize> =
            (0..view.len()).filter(|at| view.get(*at..).is_some_and(|rest| rest.starts_with(&old))).collect();
        if starts.is_empty() {
            return Err(lost(view, one));
        }
        let crowded = starts.windows(2).any(|pair| matches!(pair, [one, two] if two - one < old.len()));
        let wrong = match one.count {
            Count::Unsaid => starts.len() != 1,
            Count::Just(count) => starts.len() != count,
            Count::All => false,
        };
        if crowded || wrong {
            return Err(Kind::MultipleMatches);
        }
        all.extend(starts.into_iter().map(|at| (at..at + old.len(), edit)));
    }
    all.sort_by_key(|(range, _)| range.start);
    let meet = all.windows(2).any(|pair| matches!(pair, [(one, _), (two, _)] if two.start < one.end));
    if meet { Err(Kind::OverlappingEdits) } else { Ok(all) }
}

/// Replacement characters come from a reading of bytes that are no text.
fn lost(view: &[u8], one: &Asked) -> Kind {
    let broken = std::str::from_utf8(view).is_err();
    if broken && one.old.contains('\u{fffd}') { Kind::UnsupportedEncoding } else { Kind::OldTextNotFound }
}

fn compare(page: &Page, view: &[u8], asked: &[Asked], places: &[(Range<usize>, usize)], after: &[u8]) {
    let (mut wanted, mut at) = (Vec::new(), 0);
    for (range, edit) in places {
        wanted.extend_from_slice(view.get(at..range.start).unwrap_or_default());
        wanted.extend(asked.get(*edit).map(|one| plain(one.new.as_bytes())).unwrap_or_default());
        at = range.end;
    }
    wanted.extend_from_slice(view.get(at..).unwrap_or_default());
    let crlf = page.text.windows(2).filter(|pair| pair == b"\r\n").count();
    let returns =
        page.text.iter().chain(asked.iter().flat_map(|one| one.new.as_bytes())).filter(|byte| **byte == b'\r').count();
    let newlines = page.text.iter().filter(|byte| **byte == b'\n').count();
    if returns == 0 {
        same(after, &page.dressed(&wanted), asked);
    } else if returns == crlf && crlf == newlines {
        let ends = String::from_utf8_lossy(&wanted).replace('\n', "\r\n");
        let lossless = std::str::from_utf8(&wanted).is_ok();
        if lossless {
            same(after, &page.dressed(ends.as_bytes()), asked);
        }
    }
    outside(page, places, after);
}

fn same(after: &[u8], wanted: &[u8], asked: &[Asked]) {
    assert_eq!(after.escape_ascii().to_string(), wanted.escape_ascii().to_string(), "{asked:?}");
}

/// What stands above the first place and below the last one is there byte for byte.
fn outside(page: &Page, places: &[(Range<usize>, usize)], after: &[u8]) {
    let (Some((first, _)), Some((last, _))) = (places.first(), places.last()) else { return };
    let head = page.dressed(page.text.get(..source(&page.text, first.start)).unwrap_or_default());
    let tail = page.text.get(source(&page.text, last.end)..).unwrap_or_default();
    let mark = page.dressed(b"").len();
    let tail = page.dressed(tail).get(mark..).map(<[u8]>::to_vec).unwrap_or_default();
    assert!(after.starts_with(&head), "what stands above changed: {:?}", after.escape_ascii().to_string());
    assert!(after.ends_with(&tail), "what stands below changed: {:?}", after.escape_ascii().to_string());
    assert!(after.len() >= head.len() + tail.len(), "above and below meet");
}

/// Where in a text an offset of its plain view lies: before a whole `\r\n`, never within.
fn source(text: &[u8], offset: usize) -> usize {
    let within = |at: usize| at > 0 && text.get(at - 1) == Some(&b'\r') && text.get(at) == Some(&b'\n');
    let reaches = |at: usize| plain(text.get(..at).unwrap_or_default()).len() >= offset;
    (0..=text.len()).find(|at| reaches(*at) && !within(*at)).unwrap_or(text.len())
}

//! What looking came to, as a model reads it: a file's text, what a folder holds, what a search found.

use super::amounts::{held, many, short, size};
use super::base64::base64;
use super::fields::{newline_style, sort};
use super::telling::Telling;
use super::terminal::one_line;
use super::time::to_the_minute;
use patchwright_core::outcome::{Entry, FileView, Globbed, Hit, Hits, Listing, Place, TrashEntry, ViewContent};
use patchwright_core::refusal::Sort;
use patchwright_core::text::{Cut, NewlineStyle};

/// So many bytes of names or hits are told.
const ROOM: usize = 24 << 10;

/// `read_file`: which lines these are and what is unusual about them, then the text.
pub(super) fn file(view: &FileView, tell: &Telling<'_>) -> (String, String) {
    let path = one_line(&view.path);
    let (range, text) = match &view.content {
        ViewContent::Bytes(bytes) => (format!("base64 of {}", size(view.size)), base64(bytes)),
        ViewContent::Text(text) if view.line_count == 0 => ("empty".to_owned(), text.clone()),
        ViewContent::Text(text) if view.end_line < view.start_line => {
            (format!("no lines from {}, of {}", view.start_line, view.line_count), text.clone())
        }
        ViewContent::Text(text) => {
            (format!("lines {}-{} of {}", view.start_line, view.end_line, view.line_count), text.clone())
        }
    };
    let sha = if tell.hashes { format!("; sha256 {}", short(view.sha256)) } else { String::new() };
    (format!("{path}: {range}{}{}{sha}", unusual(view), cut(view)), text)
}

fn unusual(view: &FileView) -> String {
    let is_text = matches!(view.content, ViewContent::Text(_));
    let style = match view.newline_style {
        NewlineStyle::Crlf | NewlineStyle::Mixed => Some(format!("newlines {}", newline_style(view.newline_style))),
        NewlineStyle::Lf | NewlineStyle::None => None,
    };
    let facts = [
        (is_text && view.encoding != "utf-8").then(|| view.encoding.clone()),
        style,
        view.has_bom.then(|| "byte-order mark".to_owned()),
        (is_text && !view.final_newline).then(|| "no final newline".to_owned()),
    ];
    facts.into_iter().flatten().map(|fact| format!(", {fact}")).collect()
}

fn cut(view: &FileView) -> String {
    match view.cut {
        None => String::new(),
        Some(Cut::GoOnAt(line)) => format!("; cut at maxBytes, go on with startLine {line}"),
        Some(Cut::InLine(line)) => {
            format!("; cut within line {line}, which alone is over maxBytes: ask again with a larger maxBytes")
        }
    }
}

/// `list_directory`: names below their folders.
pub(super) fn listing(listing: &Listing) -> (String, String) {
    let (rows, count) = entries(listing);
    let last = listing.entries.get(..count).and_then(<[Entry]>::last).filter(|_| count < listing.entries.len());
    let cut = last.map(|last| Listing::cursor_after(&listing.path, &last.path));
    let more = cut.or_else(|| listing.next_cursor.clone());
    let more = more.map(|cursor| format!("; there are more, go on with cursor {cursor:?}")).unwrap_or_default();
    (format!("{}: {}{more}", one_line(&listing.path), many(count, "entry", "entries")), rows)
}

/// As many of the entries as there is room for, and how many these are.
pub(super) fn entries(listing: &Listing) -> (String, usize) {
    let root = if listing.path == "." { "" } else { listing.path.as_str() };
    let mut out = String::new();
    let mut open: Vec<&str> = vec![root];
    let mut count = 0;
    for entry in &listing.entries {
        let (folder, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        while open.len() > 1 && open.last().is_some_and(|last| *last != folder) {
            open.pop();
        }
        // What does not stand below its folder, as on a further page, goes by its whole path.
        let known = open.last() == Some(&folder) && !name.starts_with(char::is_whitespace);
        let indent = if known { open.len() - 1 } else { 0 };
        let row = format!("{}{}\n", "  ".repeat(indent), line(entry, if known { name } else { &entry.path }));
        if count > 0 && out.len().saturating_add(row.len()) > ROOM {
            break;
        }
        out.push_str(&row);
        count += 1;
        if known && entry.sort == Sort::Folder {
            open.push(&entry.path);
        }
    }
    (out, count)
}

fn line(entry: &Entry, name: &str) -> String {
    let hash = entry.sha256.map(|digest| format!(" sha256 {}", short(digest))).unwrap_or_default();
    match entry.sort {
        Sort::Folder => format!("{}/", one_line(name)),
        Sort::File => format!("{} {}{hash}", one_line(name), size(entry.size)),
        Sort::Link | Sort::Special => format!("{} ({}){hash}", one_line(name), sort(entry.sort)),
    }
}

/// `glob`: a path a line.
pub(super) fn globbed(found: &Globbed) -> (String, String) {
    let rows: Vec<String> = found.matches.iter().map(|entry| format!("{}\n", line(entry, &entry.path))).collect();
    let shown = fitting(&rows);
    let more = unshown(shown, rows.len(), found.truncated, "pattern");
    (format!("{}{more}", many(rows.len(), "match", "matches")), rows.get(..shown).unwrap_or_default().concat())
}

/// How many of these rows there is room for; one always.
fn fitting(rows: &[String]) -> usize {
    let mut room = ROOM;
    let fits = |row: &&String| room.checked_sub(row.len()).map(|rest| room = rest).is_some();
    rows.iter().take_while(fits).count().max(1).min(rows.len())
}

/// That not all is shown, or not all was found, and what to do.
fn unshown(shown: usize, all: usize, truncated: bool, what: &str) -> String {
    match (shown < all, truncated) {
        (false, false) => String::new(),
        (false, true) => format!("; there are more, narrow the {what} or raise maxResults"),
        (true, false) => format!(", the first {shown} of them below; narrow the {what} to see the others"),
        (true, true) => format!(", the first {shown} of them below, and there are more; narrow the {what}"),
    }
}

/// `search_files`: the lines below the name of their file.
pub(super) fn hits(found: &Hits) -> (String, String) {
    let mut shown = found.matches.len();
    let mut rows = listed(&found.matches, found.context_lines);
    // Hits in a file share lines, so that only the whole tells how long it is.
    while rows.len() > ROOM && shown > 1 {
        shown = (shown.saturating_mul(ROOM) / rows.len()).clamp(1, shown - 1);
        rows = listed(found.matches.get(..shown).unwrap_or_default(), found.context_lines);
    }
    let count = many(found.matches.len(), "match", "matches");
    let more = unshown(shown, found.matches.len(), found.truncated, "search");
    (format!("{count} in {} searched{more}", many(found.files_scanned, "file", "files")), rows)
}

fn listed(hits: &[Hit], context: usize) -> String {
    hits.chunk_by(|one, next| one.path == next.path).map(|hits| in_file(hits, context)).collect()
}

/// The hits in one file, each line once.
fn in_file(hits: &[Hit], context: usize) -> String {
    let path = hits.first().map(|hit| one_line(&hit.path)).unwrap_or_default();
    let mut out = format!("{path}\n");
    let mut last: Option<usize> = None;
    let places: Vec<&Place> = hits.iter().filter_map(|hit| hit.place.as_ref()).collect();
    for (at, place) in places.iter().enumerate() {
        let first = place.line.saturating_sub(place.before.len());
        if context > 0 && last.is_some_and(|last| first > last.saturating_add(1)) {
            out.push_str("--\n");
        }
        let unseen = |number: &usize| last.is_none_or(|last| *number > last);
        let before = (first..).zip(&place.before).filter(|(number, _)| unseen(number));
        out.extend(before.map(|(number, line)| format!("{number}- {line}\n")));
        out.push_str(&hit(place));
        let next = places.get(at.saturating_add(1)).map_or(usize::MAX, |next| next.line);
        let below = place.line.saturating_add(1);
        let after = (below..).zip(&place.after).take_while(|(number, _)| *number < next);
        out.extend(after.map(|(number, line)| format!("{number}- {line}\n")));
        last = Some(place.line.saturating_add(place.after.len()).min(next.saturating_sub(1)).max(place.line));
    }
    out
}

fn hit(place: &Place) -> String {
    match &place.anchor {
        Some(anchor) => {
            let mut line = String::new();
            anchor.render(&place.preview, &mut line);
            line + "\n"
        }
        None => format!("{}: {}\n", place.line, place.preview),
    }
}

/// `list_trash`: each entry by as much of its id as tells it from the others.
pub(super) fn trash(found: &[TrashEntry]) -> (String, String) {
    let ids: Vec<&str> = found.iter().map(|entry| entry.id.as_str()).collect();
    let entry = |(entry, id): (&TrashEntry, &str)| {
        let path = one_line(&entry.path);
        let (slash, held) = match entry.holds {
            Some(holds) => ("/", format!("{}, ", held(holds))),
            None => ("", String::new()),
        };
        let (size, time, by) = (size(entry.size), to_the_minute(entry.deleted_ns), one_line(client(&entry.by)));
        format!("{id} {path}{slash} ({held}{size}, deleted {time} by {by})\n")
    };
    let lines = found.iter().zip(beginnings(&ids)).map(entry).collect();
    (format!("{} in the trash", many(found.len(), "entry", "entries")), lines)
}

/// Who it was, without the session.
fn client(by: &str) -> &str {
    by.rsplit_once(' ').map_or(by, |(client, _)| client)
}

/// Of each id as much as no other begins with, and no less than an argument takes.
fn beginnings<'a>(ids: &[&'a str]) -> Vec<&'a str> {
    const LEAST: usize = 8;
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    let common = |one: &str, other: &str| one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let beginning = |id: &&'a str| {
        let at = sorted.partition_point(|other| other < id);
        let before = at.checked_sub(1).and_then(|at| sorted.get(at)).map_or(0, |other| common(id, other));
        let after = sorted.get(at.saturating_add(1)).map_or(0, |other| common(id, other));
        id.get(..before.max(after).saturating_add(1).max(LEAST)).unwrap_or(id)
    };
    ids.iter().map(beginning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_tell_ids_apart() {
        for (ids, want) in [
            (&["019a0000-0000"][..], &["019a0000"][..]),
            (&["019a0000-0001", "019a0000-0002"], &["019a0000-0001", "019a0000-0002"]),
            (&["019a0001-02", "019a0000-01", "019a0000-11"], &["019a0001", "019a0000-0", "019a0000-1"]),
        ] {
            assert_eq!(beginnings(ids), want);
        }
    }
}

//! `search`: hits under the name of their file on a terminal, one a line with everything before it in a pipe.

use super::view::{Role, View};
use patchwright_core::outcome::{Hit, Hits, Place};
use std::collections::BTreeMap;

/// The hits, with the lines around them where they were asked for.
pub fn hits(hits: &Hits, view: &View) -> String {
    let files: Vec<&[Hit]> = hits.matches.chunk_by(|one, other| one.path == other.path).collect();
    let told: Vec<String> = files.iter().filter_map(|hits| file(hits, view)).collect();
    // Names alone need no room between them.
    let named = hits.matches.iter().all(|hit| hit.place.is_none());
    told.join(if view.is_terminal() && !named { "\n" } else { "" })
}

fn file(hits: &[Hit], view: &View) -> Option<String> {
    let path = view.paint(Role::Name, &view.path(&hits.first()?.path));
    let lines = lines(hits, view);
    if lines.is_empty() {
        return Some(format!("{path}\n"));
    }
    let mut out = if view.is_terminal() { format!("{path}\n") } else { String::new() };
    let surrounded = hits.iter().filter_map(|hit| hit.place.as_ref()).any(has_context);
    let mut last = None;
    for (number, line) in &lines {
        if surrounded && last.is_some_and(|last: usize| last + 1 < *number) {
            out.push_str("--\n");
        }
        last = Some(*number);
        out.push_str(&line.shown(*number, &path, view));
    }
    Some(out)
}

fn has_context(place: &Place) -> bool {
    !place.before.is_empty() || !place.after.is_empty()
}

enum Line {
    /// A hit, with its column.
    Hit(usize, String),
    Around(String),
}

impl Line {
    fn shown(&self, number: usize, path: &str, view: &View) -> String {
        let coloured = view.paint(Role::Good, &number.to_string());
        match (self, view.is_terminal()) {
            (Line::Hit(_, text), true) => format!("{coloured}:{text}\n"),
            (Line::Around(text), true) => format!("{coloured}-{text}\n"),
            (Line::Hit(column, text), false) => format!("{path}:{number}:{column}: {text}\n"),
            (Line::Around(text), false) => format!("{path}-{number}- {text}\n"),
        }
    }
}

/// The lines of a file, each once: what is near two hits, and hits near others.
fn lines(hits: &[Hit], view: &View) -> BTreeMap<usize, Line> {
    let mut lines = BTreeMap::new();
    for place in hits.iter().filter_map(|hit| hit.place.as_ref()) {
        let first = place.line.saturating_sub(place.before.len());
        let above = place.before.iter().enumerate().map(|(at, text)| (first + at, text));
        let below = place.after.iter().enumerate().map(|(at, text)| (place.line.saturating_add(at + 1), text));
        for (number, text) in above.chain(below) {
            lines.entry(number).or_insert_with(|| Line::Around(one_line(text, view)));
        }
    }
    for place in hits.iter().filter_map(|hit| hit.place.as_ref()) {
        lines.insert(place.line, Line::Hit(place.column, found(place, view)));
    }
    lines
}

/// The line, with its anchor if that was asked for, and else with the hit in bold.
fn found(place: &Place, view: &View) -> String {
    if let Some(anchor) = &place.anchor {
        let mut line = String::new();
        anchor.render(&place.preview, &mut line);
        return one_line(&line, view);
    }
    let from = place.column.saturating_sub(1);
    let part = |skip: usize, take: usize| place.preview.chars().skip(skip).take(take).collect::<String>();
    let (before, hit, after) =
        (part(0, from), part(from, place.length), part(from.saturating_add(place.length), usize::MAX));
    // A line that was cut has its hit elsewhere.
    if place.preview.starts_with('…') || hit.is_empty() {
        return one_line(&place.preview, view);
    }
    let bold = view.paint(Role::Strong, &one_line(&hit, view));
    format!("{}{bold}{}", one_line(&before, view), one_line(&after, view))
}

/// Kept to one line whatever it holds.
fn one_line(text: &str, view: &View) -> String {
    view.content(text.trim_end_matches(['\r', '\n'])).replace('\n', "\\n")
}

//! Which lines of a file are different from those that a caller knows, as text for a refusal.
//!
//! Shows nothing of a file that may not be read, and no more than a refusal has room for. What is shown here does not
//! count as seen: it may be cut, and it is only the difference.

use crate::ledger::Form;
use crate::past::Past;
use crate::session::Session;
use patchwright_core::anchor::line_hash;
use patchwright_core::diff::unified;
use patchwright_core::digest::Digest;
use patchwright_core::history::same_runs;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{ChangedLines, Since};
use patchwright_core::text::{Document, lines as split};
use std::ops::Range;

/// At most this many bytes of a difference are shown.
const SHOWN: usize = 1500;
/// At most this many lines are shown on either side of what is different.
const AROUND: usize = 2;

/// Files over this size have no lines remembered by readings.
const REMEMBERED: usize = 256 << 10;

/// A file that changed: from a version that is on record, or of which the session remembers the lines, to the present
/// one.
pub(super) struct Changed<'a> {
    pub(super) session: &'a Session,
    pub(super) past: &'a Past<'a>,
    pub(super) path: &'a RelPath,
    pub(super) known: Digest,
    pub(super) now: Digest,
}

impl Changed<'_> {
    /// Adds the lines that differ to what is known of who changed them.
    pub(super) fn with_lines(&self, since: Since) -> Since {
        let Changed { session, past, path, known, now } = *self;
        if session.workspace.policy.check(path, Access::Read).is_err() {
            return since;
        }
        let Some(present) = past.version(path.as_str(), now).ok().flatten() else { return since };
        let Ok(present) = Document::open(present.as_slice(), None) else { return since };
        if let Some(earlier) = session.version_seen(past, path, known) {
            let Ok(earlier) = Document::open(earlier.bytes.as_slice(), None) else { return since };
            let form = Form::of(&earlier).changes(Form::of(&present));
            return Since { changes: by_text(earlier.text(), present.text()), form, ..since };
        }
        let ledger = session.ledger();
        let hashes = ledger.lines_seen(path, known);
        let form = ledger.form_seen(path, known).map(|form| form.changes(Form::of(&present)));
        Since {
            changes: hashes.as_deref().and_then(|hashes| by_hashes(hashes, present.text())),
            form: form.unwrap_or_default(),
            too_large: hashes.is_none() && present.raw().len() > REMEMBERED,
            ..since
        }
    }
}

fn by_text(earlier: &[u8], present: &[u8]) -> Option<ChangedLines> {
    let (old, new) = (hashes(earlier), hashes(present));
    let diff = unified("", "", earlier, present, SHOWN);
    let (_, text) = diff.text.split_once("@@ ")?;
    Some(ChangedLines { diff: format!("@@ {text}"), cut: diff.truncated, ..place(&old, &new)? })
}

/// The lines as they were are known by their hashes alone.
fn by_hashes(old: &[u64], present: &[u8]) -> Option<ChangedLines> {
    let new = hashes(present);
    let all: Vec<String> = split(present).map(|line| String::from_utf8_lossy(line.text).into_owned()).collect();
    let mut told = place(old, &new)?;
    for (was, now) in gaps(old, &new) {
        let above = now.start.saturating_sub(AROUND)..now.start;
        let below = now.end..now.end.saturating_add(AROUND).min(all.len());
        let shown = |sign: char, range: Range<usize>| -> String {
            all.get(range).unwrap_or_default().iter().map(|line| format!("{sign}{line}\n")).collect()
        };
        let size = |range: &Range<usize>| range.len() + above.len() + below.len();
        let (top, left) = (above.start + 1, (was.start + 1).saturating_sub(above.len()));
        let mut hunk = format!("@@ -{left},{} +{top},{} @@\n{}", size(&was), size(&now), shown(' ', above.clone()));
        if !was.is_empty() {
            hunk += &format!("\\ {} stood here before\n", counted(was.len()));
        }
        hunk += &shown('+', now.clone());
        hunk += &shown(' ', below.clone());
        if told.diff.len() + hunk.len() > SHOWN {
            let room = SHOWN.saturating_sub(told.diff.len());
            let end = hunk.as_bytes().iter().take(room).rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            told.diff += hunk.get(..end).unwrap_or_default();
            told.cut = true;
            break;
        }
        told.diff += &hunk;
    }
    Some(told)
}

fn counted(lines: usize) -> String {
    if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") }
}

/// Where the present lines are different; nothing where only line ends are.
fn place(old: &[u64], new: &[u64]) -> Option<ChangedLines> {
    let gaps = gaps(old, new);
    let (first, last) = (gaps.first()?.1.start + 1, gaps.last()?.1.end);
    let last = last.max(first).min(new.len());
    Some(ChangedLines { lines: (first.min(last), last), line_count: new.len(), ..ChangedLines::default() })
}

/// The stretches that two versions do not have in common.
fn gaps(old: &[u64], new: &[u64]) -> Vec<(Range<usize>, Range<usize>)> {
    let runs = same_runs(old, new);
    let starts = std::iter::once((0, 0)).chain(runs.iter().map(|(was, now)| (was.end, now.end)));
    let ends = runs.iter().map(|(was, now)| (was.start, now.start)).chain([(old.len(), new.len())]);
    let gaps = starts.zip(ends).map(|(start, end)| (start.0..end.0, start.1..end.1));
    gaps.filter(|(was, now)| !was.is_empty() || !now.is_empty()).collect()
}

fn hashes(text: &[u8]) -> Vec<u64> {
    split(text).map(|line| line_hash(line.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, want: Option<(&str, (usize, usize))>) {
        let told = by_hashes(&hashes(old.as_bytes()), new.as_bytes());
        assert_eq!(told.as_ref().map(|told| (told.diff.as_str(), told.lines)), want, "{old:?} {new:?}");
        let by_text = by_text(old.as_bytes(), new.as_bytes());
        assert_eq!(by_text.map(|told| told.lines), want.map(|want| want.1), "{old:?} {new:?}");
    }

    #[test]
    fn lines_that_are_different() {
        check("a\n", "a\n", None);
        check("a\nb\n", "a\nX\n", Some(("@@ -1,2 +1,2 @@\n a\n\\ 1 line stood here before\n+X\n", (2, 2))));
        check("a\n", "a\nb\nc\n", Some(("@@ -1,1 +1,3 @@\n a\n+b\n+c\n", (2, 3))));
        check("a\nb\n", "b\n", Some(("@@ -1,2 +1,1 @@\n\\ 1 line stood here before\n b\n", (1, 1))));
        check("a\nb\n", "a\n", Some(("@@ -1,2 +1,1 @@\n a\n\\ 1 line stood here before\n", (1, 1))));
    }

    #[test]
    fn no_more_than_there_is_room_for() {
        let new: String = (0..1000).map(|line| format!("line {line}\n")).collect();
        let told = by_hashes(&[], new.as_bytes()).unwrap();
        assert!(told.cut && told.diff.len() <= SHOWN && told.diff.ends_with('\n'), "{told:?}");
        assert_eq!((told.lines, told.line_count), ((1, 1000), 1000));
        let told = by_text(b"x\n", new.as_bytes()).unwrap();
        assert!(told.cut && told.diff.len() <= SHOWN, "{told:?}");
    }
}

//! Target `lines`: line patches, from the JSON of a call to the new bytes, against a list of lines.

use crate::feed::Feed;
use crate::one_file::{self, NAME, planned};
use crate::page::{Page, some_lines, word};
use crate::rows::{Rows, Swap, meet};
use patchwright_app::wire;
use patchwright_core::dialect::lines::{compare, shape};
use patchwright_core::digest::Digest;
use patchwright_core::intent::Intent;
use patchwright_core::text::FinalNewline;
use patchwright_core::tool::{Call, WritePatch};
use serde_json::{Value, json};
use std::ops::Range;

/// A change as it is asked for.
#[derive(Debug)]
struct Asked {
    sort: Sort,
    /// Lines of the file, as the caller counts: of an insert the one above it, twice.
    first: usize,
    last: usize,
    lines: Vec<String>,
    expected: Vec<String>,
    above: Said,
    below: Said,
    key: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Insert,
    Replace,
    Delete,
}

/// What is said of a neighbour.
#[derive(Debug)]
enum Said {
    Nothing,
    Edge,
    Line(String),
}

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let page = Page::read(&mut feed, 12);
    let rows = Rows::of(&page.text);
    let asked = changes(&mut feed, &rows);
    let ask = typed(&page, &asked);
    let [file] = ask.files.as_slice() else { panic!("one file was given: {ask:?}") };
    let bad: Vec<usize> = (0..asked.len()).filter(|at| is_bad(&rows, &asked, *at)).collect();
    let swaps: Vec<Swap> = asked.iter().enumerate().filter_map(|(index, one)| one.swap(index)).collect();
    let fits = bad.is_empty() && in_order(&asked) && apart(&swaps);
    let mut faults: Vec<Option<usize>> = ask.unfit.iter().map(|fault| fault.change).collect();
    faults.extend(shape::faults(&ask.files).iter().map(|fault| fault.change));
    faults.extend(compare(&page.text, file).iter().map(|(change, _)| Some(*change)));
    for change in &bad {
        assert!(faults.contains(&Some(*change)), "nothing is said of change {change}: {asked:?} told {faults:?}");
    }
    assert_eq!(faults.is_empty(), fits, "{asked:?} on {:?}: told {faults:?}", page.text.escape_ascii().to_string());
    if fits {
        let intent = Intent::Lines {
            path: one_file::path(NAME),
            changes: file.wanted(),
            charset: None,
            last: FinalNewline::Keep,
        };
        let found = planned(&page.raw, intent).unwrap_or_else(|refusal| panic!("{asked:?}: {refusal:?}"));
        let wanted = page.dressed(&rows.swapped(&swaps));
        assert_eq!(found.escape_ascii().to_string(), wanted.escape_ascii().to_string(), "{asked:?}");
    }
}

/// Changes that mostly follow each other down the file, and mostly quote it rightly.
fn changes(feed: &mut Feed<'_>, rows: &Rows) -> Vec<Asked> {
    let (mut at, mut all) = (0, Vec::new());
    for _ in 0..=feed.below(5) {
        let sort = feed.pick(&[Sort::Replace, Sort::Insert, Sort::Delete]);
        let start = if feed.once_in(12) { feed.below(16) } else { at + feed.below(4) };
        let len = if sort == Sort::Insert { 0 } else { 1 + feed.below(3) };
        let (first, last) = match sort {
            Sort::Insert => (start, start),
            _ if feed.once_in(24) => (start + 1, start),
            _ => (start + 1, start + len),
        };
        let lines = if sort == Sort::Delete { Vec::new() } else { new_lines(feed) };
        let expected = if sort == Sort::Insert { Vec::new() } else { quoted(feed, rows, start..start + len) };
        let (above, below) = (said(feed, rows, start.checked_sub(1)), said(feed, rows, Some(start + len)));
        let key = feed.pick(&[None, None, None, None, Some("k"), Some("l")]);
        all.push(Asked { sort, first, last, lines, expected, above, below, key });
        at = start + len;
    }
    all
}

fn new_lines(feed: &mut Feed<'_>) -> Vec<String> {
    let mut lines = some_lines(feed);
    match feed.below(32) {
        31 => lines.clear(),
        30 => lines.push("x\ny".to_owned()),
        29 => lines.push("x\r".to_owned()),
        28 => lines.push("\0".to_owned()),
        _ => {}
    }
    lines
}

/// What stands on lines of the file, now and then with a slip.
fn quoted(feed: &mut Feed<'_>, rows: &Rows, span: Range<usize>) -> Vec<String> {
    let line = |at| rows.text(at).map(|text| String::from_utf8_lossy(text).into_owned());
    let mut lines: Vec<String> = span.map(|at| line(at).unwrap_or_default()).collect();
    match feed.below(16) {
        15 => lines.push(word(feed)),
        14 => drop(lines.pop()),
        13 => {
            let at = feed.below(lines.len());
            lines.iter_mut().skip(at).take(1).for_each(|line| *line = word(feed));
        }
        12 => lines.iter_mut().take(1).for_each(|line| line.push(' ')),
        _ => {}
    }
    lines
}

fn said(feed: &mut Feed<'_>, rows: &Rows, at: Option<usize>) -> Said {
    let there = at.and_then(|at| rows.text(at));
    match (feed.below(8), there) {
        (0..4, _) => Said::Nothing,
        (7, _) => Said::Line(word(feed)),
        (6, _) => Said::Edge,
        (_, None) => Said::Edge,
        (_, Some(text)) => Said::Line(String::from_utf8_lossy(text).into_owned()),
    }
}

impl Asked {
    fn json(&self) -> Value {
        let mut change = match self.sort {
            Sort::Insert => json!({"operation": "insert", "afterLine": self.first, "newLines": self.lines}),
            Sort::Replace => json!({
                "operation": "replace", "startLine": self.first, "endLine": self.last,
                "expectedOriginalLines": self.expected, "newLines": self.lines,
            }),
            Sort::Delete => json!({
                "operation": "delete", "startLine": self.first, "endLine": self.last,
                "expectedOriginalLines": self.expected,
            }),
        };
        let mut put =
            |name: &str, value: Value| drop(change.as_object_mut().map(|fields| fields.insert(name.to_owned(), value)));
        for (name, said) in [("expectedLineBefore", &self.above), ("expectedLineAfter", &self.below)] {
            match said {
                Said::Nothing => {}
                Said::Edge => put(name, Value::Null),
                Said::Line(text) => put(name, json!(text)),
            }
        }
        if let Some(key) = self.key {
            put("changeKey", json!(key));
        }
        change
    }

    /// The change as lines that go and come; nothing where its range is none.
    fn swap(&self, index: usize) -> Option<Swap> {
        let span = match self.sort {
            Sort::Insert => self.first..self.first,
            _ if self.first > self.last => return None,
            _ => self.first - 1..self.last,
        };
        Some(Swap { span, lines: self.lines.clone(), index })
    }
}

fn typed(page: &Page, asked: &[Asked]) -> WritePatch {
    let changes: Vec<Value> = asked.iter().map(Asked::json).collect();
    let sha = Digest::of(&page.raw).to_string();
    let arguments = json!({"files": [{"docPath": NAME, "originalSha256": sha, "changes": changes}]}).to_string();
    match wire::call("workspace_write_patch", &arguments) {
        Ok(Call::WorkspaceWritePatch(ask)) => ask,
        other => panic!("{arguments}: {other:?}"),
    }
}

/// Is something wrong with a change by itself, or with its key?
fn is_bad(rows: &Rows, all: &[Asked], at: usize) -> bool {
    let Some(asked) = all.get(at) else { return false };
    let twice = asked.key.is_some() && all.iter().take(at).any(|other| other.key == asked.key);
    let odd = |line: &String| line.contains(['\n', '\0']) || line.ends_with('\r');
    let no_lines = asked.sort != Sort::Delete && asked.lines.is_empty();
    let misplaced = match asked.sort {
        Sort::Insert => asked.first > rows.count() || wrong_beside(rows, asked, asked.first..asked.first),
        _ if asked.first > asked.last => true,
        _ => {
            let span = asked.first - 1..asked.last;
            let quoted = asked.expected.iter().map(|line| Some(line.as_bytes()));
            !span.clone().map(|line| rows.text(line)).eq(quoted)
                || wrong_beside(rows, asked, span.clone())
                || is_elsewhere(rows, asked, &span)
        }
    };
    twice || no_lines || misplaced || asked.lines.iter().any(odd)
}

/// Is a neighbour quoted that is another?
fn wrong_beside(rows: &Rows, asked: &Asked, span: Range<usize>) -> bool {
    let wrong = |said: &Said, there: Option<&[u8]>| match said {
        Said::Nothing => false,
        Said::Edge => there.is_some(),
        Said::Line(text) => there != Some(text.as_bytes()),
    };
    let above = span.start.checked_sub(1).and_then(|at| rows.text(at));
    wrong(&asked.above, above) || wrong(&asked.below, rows.text(span.end))
}

/// Does all that is quoted stand elsewhere too? The edge of the file is in one place only.
fn is_elsewhere(rows: &Rows, asked: &Asked, span: &Range<usize>) -> bool {
    let line = |said: &Said| usize::from(matches!(said, Said::Line(_)));
    let edge = [&asked.above, &asked.below].into_iter().any(|said| matches!(said, Said::Edge));
    let whole = span.start.saturating_sub(line(&asked.above))..span.end + line(&asked.below);
    !edge && repeats(rows, &whole)
}

/// Do the same lines stand elsewhere?
fn repeats(rows: &Rows, span: &Range<usize>) -> bool {
    let same = |start: usize| span.clone().zip(start..).all(|(one, other)| rows.text(one) == rows.text(other));
    (0..rows.count()).any(|start| start != span.start && start + span.len() <= rows.count() && same(start))
}

fn in_order(asked: &[Asked]) -> bool {
    asked.is_sorted_by_key(|one| one.first)
}

fn apart(swaps: &[Swap]) -> bool {
    swaps.iter().enumerate().all(|(at, one)| swaps.iter().skip(at + 1).all(|other| !meet(one, other)))
}

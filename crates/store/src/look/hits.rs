//! The hits in one file, gathered while the searcher goes through it; and the first so many of all.

use super::expression::Watched;
use super::preview::{bare, column, preview};
use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkError, SinkMatch};
use patchwright_core::outcome::{Hit, Place};
use std::collections::BTreeMap;
use std::io;

/// Takes the lines of one file as the searcher finds them.
pub(super) struct Gather<'a> {
    matcher: &'a Watched<'a>,
    /// One hit more than this is enough to know that there are more.
    limit: usize,
    context: usize,
    hits: Vec<Found>,
    /// Every line that came, hits and neighbours, in order.
    lines: Vec<(usize, String)>,
}

struct Found {
    line: usize,
    column: usize,
    length: usize,
    preview: String,
}

impl<'a> Gather<'a> {
    pub(super) fn new(matcher: &'a Watched<'a>, limit: usize, context: usize) -> Gather<'a> {
        Gather { matcher, limit, context, hits: Vec::new(), lines: Vec::new() }
    }

    /// The places found, with their neighbours.
    pub(super) fn finish(mut self) -> Vec<Place> {
        let hits = std::mem::take(&mut self.hits);
        hits.into_iter().map(|hit| self.place(hit)).collect()
    }

    fn place(&self, hit: Found) -> Place {
        let Found { line, column, length, preview } = hit;
        let before = self.between(line.saturating_sub(self.context), line.saturating_sub(1));
        let after = self.between(line.saturating_add(1), line.saturating_add(self.context));
        Place { line, column, length, preview, before, after, anchor: None }
    }

    fn between(&self, from: usize, to: usize) -> Vec<String> {
        let start = self.lines.partition_point(|(line, _)| *line < from);
        let rest = self.lines.get(start..).unwrap_or_default();
        rest.iter().take_while(|(line, _)| *line <= to).map(|(_, text)| text.clone()).collect()
    }

    fn keep(&mut self, line: usize, bytes: &[u8]) {
        if self.context > 0 {
            self.lines.push((line, preview(bytes, 0)));
        }
    }

    /// Have all hits that count, and their neighbours, come?
    fn enough(&self, line: usize) -> bool {
        let last = self.limit.checked_sub(1).and_then(|at| self.hits.get(at)).map_or(0, |hit| hit.line);
        self.hits.len() > self.limit && line >= last.saturating_add(self.context)
    }
}

impl Sink for Gather<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let line = number(found.line_number());
        let bytes = found.bytes();
        if self.hits.len() <= self.limit {
            // What the searcher calls a match may reach into the terminator; the hit is in the line.
            let hit = self.matcher.find(bare(bytes)).map_err(io::Error::error_message)?;
            let (at, end) = hit.map_or((0, 0), |hit| (hit.start(), hit.end()));
            let length = column(bytes, end).saturating_sub(column(bytes, at));
            self.hits.push(Found { line, column: column(bytes, at), length, preview: preview(bytes, at) });
        }
        self.keep(line, bytes);
        Ok(!self.enough(line))
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        self.keep(number(found.line_number()), found.bytes());
        Ok(true)
    }
}

fn number(line: Option<u64>) -> usize {
    line.and_then(|line| usize::try_from(line).ok()).unwrap_or(0)
}

/// The first so many hits in the order of paths and lines, and whether there were more.
#[derive(Default)]
pub(super) struct First {
    limit: usize,
    count: usize,
    files: BTreeMap<String, Vec<Option<Place>>>,
}

impl First {
    pub(super) fn new(limit: usize) -> First {
        First { limit, ..First::default() }
    }

    /// Can hits in this file still count?
    pub(super) fn wants(&self, path: &str) -> bool {
        self.count <= self.limit || self.files.last_key_value().is_none_or(|(last, _)| path < last.as_str())
    }

    pub(super) fn add(&mut self, path: String, places: Vec<Option<Place>>) {
        self.count += places.len();
        self.files.insert(path, places);
        while let Some(last) = self.files.last_entry() {
            if self.count - last.get().len() <= self.limit {
                return;
            }
            self.count -= last.remove().len();
        }
    }

    pub(super) fn merge(mut self, other: First) -> First {
        for (path, places) in other.files {
            self.add(path, places);
        }
        self
    }

    /// The hits, and whether there were more.
    pub(super) fn finish(self) -> (Vec<Hit>, bool) {
        let truncated = self.count > self.limit;
        let hits = self
            .files
            .into_iter()
            .flat_map(|(path, places)| places.into_iter().map(move |place| Hit { path: path.clone(), place }));
        (hits.take(self.limit).collect(), truncated)
    }
}

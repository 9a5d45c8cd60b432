//! Searching: files by path, lines by text or regular expression, with ripgrep's own parts.
//!
//! Promises the first hits in the order of paths and lines, whatever the threads do, and linear time
//! and bounded memory for any pattern. A binary file is not searched.

use super::anchored;
use super::decode::choose;
use super::expression::{Ended, Expression, Watched};
use super::glob::shown;
use super::hits::{First, Gather};
use super::pattern::{Letters, compile};
use super::query::{Case, Mode, Searching};
use super::slice::Anchoring;
use super::walk::{Hidden, Readable, Seen, Visitor, Walk};
use super::{LookProblem, Looked, Sight};
use crate::disk::Disk;
use crate::real::RealDisk;
use globset::GlobSet;
use grep_matcher::LineTerminator;
use grep_searcher::{BinaryDetection, MmapChoice, Searcher, SearcherBuilder};
use patchwright_core::outcome::{Hits, Place};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use std::fs::File;
use std::io::{self, Read, Seek};

/// Files up to this size are read in one go.
const WHOLE: u64 = 1 << 20;
/// So much memory is kept from file to file.
const KEPT: usize = 2 << 20;
/// A longer line ends the search of its file, which counts as unreadable: a line is held in memory.
const LONGEST_LINE: usize = 64 << 20;
const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Searches.
pub fn search(disk: &RealDisk, ask: &Searching, sight: &Sight<'_>) -> Result<Looked<Hits>, LookProblem> {
    let base = disk.folder(&ask.root)?.path().cloned().unwrap_or_else(RelPath::root);
    let plan =
        Plan { disk, ask, sight, base: &base, target: target(ask)?, include: included(ask)?, exclude: excluded(ask)? };
    let walk = Walk { disk, sight, base: base.clone(), hidden: Hidden::Include, ignored: ask.ignored };
    let (seekers, left_out) = walk.run(|| Seeker::new(&plan))?;
    let files_scanned = seekers.iter().map(|seeker| seeker.files).sum();
    let first = seekers.into_iter().fold(First::new(ask.max_results), |first, seeker| first.merge(seeker.first));
    let (matches, truncated) = first.finish();
    Ok(Looked { answer: Hits { matches, truncated, files_scanned, context_lines: ask.context_lines }, left_out })
}

/// What every thread needs to know.
struct Plan<'a> {
    disk: &'a RealDisk,
    ask: &'a Searching,
    sight: &'a Sight<'a>,
    base: &'a RelPath,
    target: Target,
    include: Option<GlobSet>,
    exclude: GlobSet,
}

enum Target {
    Paths(GlobSet),
    Lines(Expression),
}

fn target(ask: &Searching) -> Result<Target, LookProblem> {
    let letters = if ask.case == Case::Sensitive { Letters::AsTheyAre } else { Letters::EitherCase };
    if ask.mode == Mode::Path {
        return compile(std::slice::from_ref(&ask.query), letters).map(Target::Paths);
    }
    Expression::new(ask).map(Target::Lines)
}

fn included(ask: &Searching) -> Result<Option<GlobSet>, LookProblem> {
    if ask.include.is_empty() { Ok(None) } else { compile(&ask.include, Letters::AsTheyAre).map(Some) }
}

fn excluded(ask: &Searching) -> Result<GlobSet, LookProblem> {
    compile(&ask.exclude, Letters::AsTheyAre)
}

impl Plan<'_> {
    fn covers(&self, entry: &Seen<'_>) -> bool {
        let sort = match self.target {
            Target::Paths(_) => matches!(entry.sort, Sort::File | Sort::Link),
            Target::Lines(_) => entry.sort == Sort::File,
        };
        sort && self.include.as_ref().is_none_or(|globs| globs.is_match(entry.below))
            && !self.exclude.is_match(entry.below)
            && (self.sight.may)(entry.path)
    }

    fn searcher(&self) -> Searcher {
        SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .before_context(self.ask.context_lines)
            .after_context(self.ask.context_lines)
            .binary_detection(BinaryDetection::none())
            .memory_map(MmapChoice::never())
            .heap_limit(Some(LONGEST_LINE))
            .build()
    }
}

/// What one thread does.
struct Seeker<'a> {
    plan: &'a Plan<'a>,
    searcher: Searcher,
    /// What to look for in lines.
    matcher: Option<Watched<'a>>,
    buffer: Vec<u8>,
    first: First,
    files: usize,
}

impl<'a> Seeker<'a> {
    fn new(plan: &'a Plan<'a>) -> Seeker<'a> {
        let first = First::new(plan.ask.max_results);
        let matcher = match &plan.target {
            Target::Paths(_) => None,
            Target::Lines(expression) => Some(expression.watched(plan.sight)),
        };
        Seeker { plan, searcher: plan.searcher(), matcher, buffer: Vec::new(), first, files: 0 }
    }

    fn shown(&self, path: &RelPath) -> String {
        shown(&self.plan.ask.root, self.plan.base, path)
    }

    fn search(&mut self, entry: &Seen<'_>) -> Readable {
        let Some(matcher) = self.matcher.take() else { return Readable::No };
        matcher.begin(entry.done);
        let searched = self.search_for(&matcher, entry);
        let ended = matcher.ended();
        self.matcher = Some(matcher);
        match (searched, ended) {
            (Ok(()), _) => Readable::Yes,
            (Err(_), Some(Ended::Withdrawn)) => Readable::NotWanted,
            (Err(_), Some(Ended::TooLong)) => Readable::TooLong,
            (Err(_), None) => Readable::No,
        }
    }

    fn search_for(&mut self, matcher: &Watched<'_>, entry: &Seen<'_>) -> io::Result<()> {
        let file = match self.plan.disk.open_known(entry.dir, entry.path.name()) {
            Ok(file) => file,
            Err(_) => return Err(io::ErrorKind::PermissionDenied.into()),
        };
        let more = self.fill(&file)?;
        if choose(&self.buffer, None).is_none() {
            return Ok(());
        }
        let mut places = self.places(matcher, &file, more)?;
        places = self.anchored(places, matcher, &file, more)?;
        if !places.is_empty() {
            self.first.add(self.shown(entry.path), places.into_iter().map(Some).collect());
        }
        Ok(())
    }

    /// The hits in what was read, and in the rest of the file if there is one.
    fn places(&mut self, matcher: &Watched<'_>, file: &File, more: Rest) -> io::Result<Vec<Place>> {
        let mut gather = Gather::new(matcher, self.plan.ask.max_results, self.plan.ask.context_lines);
        let head = self.buffer.strip_prefix(UTF8_MARK).unwrap_or(&self.buffer);
        match more {
            Rest::None => self.searcher.search_slice(matcher, head, &mut gather)?,
            Rest::Some => self.searcher.search_reader(matcher, head.chain(file), &mut gather)?,
        }
        Ok(gather.finish())
    }

    /// The same hits with their anchors, if these are asked for. A long file is read again, at once, and searched again: hits and
    /// anchors must be of the same bytes.
    fn anchored(
        &mut self,
        mut places: Vec<Place>,
        matcher: &Watched<'_>,
        file: &File,
        more: Rest,
    ) -> io::Result<Vec<Place>> {
        let (false, Anchoring::UpTo(limit)) = (places.is_empty(), self.plan.ask.anchors) else { return Ok(places) };
        // An anchor is judged over the whole file; of a part it would be another.
        if self.buffer.len() as u64 > limit || (more == Rest::Some && self.fill_whole(file, limit)? == Rest::Some) {
            return Ok(places);
        }
        if more == Rest::Some {
            places = self.places(matcher, file, Rest::None)?;
        }
        anchored::mark(&self.buffer, &mut places);
        self.buffer.shrink_to(KEPT);
        Ok(places)
    }

    /// Reads all of a file, unless that is more than the limit.
    fn fill_whole(&mut self, mut file: &File, limit: u64) -> io::Result<Rest> {
        if file.metadata()?.len() > limit {
            return Ok(Rest::Some);
        }
        file.rewind()?;
        self.buffer.clear();
        file.take(limit.saturating_add(1)).read_to_end(&mut self.buffer)?;
        Ok(if self.buffer.len() as u64 > limit { Rest::Some } else { Rest::None })
    }

    /// Reads the beginning of a file, or all of it if it is small.
    fn fill(&mut self, file: &File) -> io::Result<Rest> {
        self.buffer.clear();
        let size = file.metadata()?.len();
        self.buffer.reserve(usize::try_from(size.min(WHOLE)).unwrap_or(0) + 1);
        file.take(WHOLE).read_to_end(&mut self.buffer)?;
        Ok(if (self.buffer.len() as u64) < WHOLE { Rest::None } else { Rest::Some })
    }
}

/// Whether there is more of a file than was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    None,
    Some,
}

impl Visitor for Seeker<'_> {
    fn enters(&self, below: &str) -> bool {
        !self.plan.exclude.is_match(below)
    }

    fn see(&mut self, entry: &Seen<'_>) -> Readable {
        if !self.plan.covers(entry) {
            return Readable::Yes;
        }
        self.files += 1;
        // Whatever lies behind the last hit that counts need not be read; it has been looked at all
        // the same, so that the number of files does not hang on the threads.
        if !self.first.wants(&self.shown(entry.path)) {
            return Readable::Yes;
        }
        match &self.plan.target {
            Target::Paths(glob) => {
                if glob.is_match(entry.below) {
                    self.first.add(self.shown(entry.path), vec![None]);
                }
                Readable::Yes
            }
            Target::Lines(_) => self.search(entry),
        }
    }
}

//! Who brought the lines of a file, by the record; and where others wrote in between, by comparing the versions on
//! both sides of that. Waits for no writer.

use crate::gather::{Depth, Gather, Links, file_path};
use crate::past::Past;
use crate::session::Session;
use crate::trouble::index;
use crate::watch::Watch;
use patchwright_core::batch::Author;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{RawLines, same_lines};
use patchwright_core::outcome::{Answer, Explained, LineOrigin, LineRun, Replayed, Reply, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, SnapshotFile};
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Missing, Refusal, Sort, Why};
use patchwright_core::text::{Document, TextProblem};
use patchwright_core::tool::ExplainLines;
use patchwright_store::index::{Ground, LineHistory, Origin, Run};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// At most this many lines are explained in one answer.
const AT_ONCE: usize = 2_000;

impl Session {
    /// Who brought the lines of a file.
    pub fn explain_lines(&self, ask: &ExplainLines, watch: &dyn Watch) -> Result<Reply, Trouble> {
        self.mend()?;
        let path = file_path(&self.workspace.disk, &ask.path)?;
        let file = self.text_file(&path)?;
        let bytes = file.bytes.clone().unwrap_or_default();
        let lines = RawLines::of(&bytes);
        let first = ask.start.unwrap_or(1).saturating_sub(1);
        let end = ask.end.unwrap_or(usize::MAX).min(lines.len());
        let shown = first.min(end)..end.min(first.saturating_add(AT_ONCE));
        let runs = self.runs(&file, &lines, shown.clone(), watch)?;
        let next_line = (shown.end < end).then_some(shown.end + 1);
        let (line_count, sha256) = (lines.len(), file.digest);
        let answer = Answer::Explained(Explained { path: path.to_string(), line_count, sha256, runs, next_line });
        Ok(Reply { answer, warnings: Vec::new(), audit_head: None, replayed: Replayed::No })
    }

    fn text_file(&self, path: &RelPath) -> Result<SnapshotFile, Trouble> {
        let seen = Gather::new(&self.workspace).peek(path, Links::Follow, Depth::Bytes)?;
        let file = match seen {
            Seen::File(file) => file,
            Seen::Absent { .. } => return Err(self.absent(path)),
            other if other.sort() == Some(Sort::Folder) => {
                return Err(Refusal::at(path, Why::NotFound(Missing::IsFolder)).into());
            }
            other => return Err(other.not_a_file(path).into()),
        };
        match Document::open(file.bytes.as_deref().map_or(&[][..], |bytes| bytes), None) {
            Err(problem @ TextProblem::Binary) => Err(Refusal::of_text(path, None, problem).into()),
            _ => Ok(file),
        }
    }

    fn runs(
        &self,
        file: &SnapshotFile,
        lines: &RawLines<'_>,
        shown: Range<usize>,
        watch: &dyn Watch,
    ) -> Result<Vec<LineRun>, Trouble> {
        let from = match self.past()? {
            Some(past) => {
                let mut search =
                    Search { past: &past, path: &file.real, open: BTreeMap::new(), found: BTreeMap::new() };
                search.begin(file, lines, shown.clone())?;
                search.go_back(watch)?;
                search.told()?
            }
            None => BTreeMap::new(),
        };
        let mut runs: Vec<(Option<LineOrigin>, Range<usize>)> = Vec::new();
        for line in shown {
            let origin = from.get(&line);
            match runs.last_mut() {
                Some((last, range)) if last.as_ref() == origin => range.end = line + 1,
                _ => runs.push((origin.cloned(), line..line + 1)),
            }
        }
        let run = |(origin, range): (_, Range<usize>)| LineRun {
            first: range.start + 1,
            lines: range.map(|at| lines.shown(at)).collect(),
            origin,
        };
        Ok(runs.into_iter().map(run).collect())
    }
}

/// The way back from lines to what brought them.
struct Search<'a> {
    past: &'a Past<'a>,
    path: &'a RelPath,
    /// By ground: lines of the version found there that stand for lines of the file, with these.
    open: BTreeMap<i64, Vec<(u64, usize)>>,
    /// Lines of the file, with the number of the change that brought them.
    found: BTreeMap<usize, i64>,
}

impl Search<'_> {
    /// From the file as it is to the last recorded version.
    fn begin(&mut self, file: &SnapshotFile, lines: &RawLines<'_>, shown: Range<usize>) -> Result<(), Trouble> {
        let Some(history) = self.past.index.lines_of(self.path.as_str()).map_err(index)? else { return Ok(()) };
        if history.digest == file.digest {
            let same = shown.map(|line| (line as u64, line)).collect();
            self.follow(&history, same);
            return Ok(());
        }
        let history = self.told_of(history)?;
        let Some(old) = self.left(&history)? else { return Ok(()) };
        let same = same_lines(&RawLines::of(&old), lines);
        let old_line = |line: usize| same.get(line).copied().flatten().map(|old| (old as u64, line));
        self.follow(&history, shown.filter_map(old_line).collect());
        Ok(())
    }

    /// A version of which nothing is known but what it stands on has nothing to tell that this has not.
    fn told_of(&self, history: LineHistory) -> Result<LineHistory, Trouble> {
        match history.ground.filter(|_| history.is_bare()) {
            Some(ground) => Ok(self.past.index.ground(ground).map_err(index)?.map_or(history, |ground| ground.known)),
            None => Ok(history),
        }
    }

    /// From version to version that somebody else wrote, until nothing is open.
    fn go_back(&mut self, watch: &dyn Watch) -> Result<(), Trouble> {
        while let Some((id, lines)) = self.open.pop_last() {
            if watch.cancelled() {
                return Err(Refusal::plain(Why::Cancelled).into());
            }
            let Some(Ground { known, found }) = self.past.index.ground(id).map_err(index)? else { continue };
            // Grounds only ever lead to older ones; anything else is damage.
            let deeper = known.ground.is_none_or(|deeper| deeper < id);
            let (Some(old), Some(new)) = (self.left(&known)?, self.version(found)?) else { continue };
            let same = same_lines(&RawLines::of(&old), &RawLines::of(&new));
            let old_line = |(at, line): (u64, usize)| {
                let old = usize::try_from(at).ok().and_then(|at| same.get(at).copied().flatten());
                old.map(|old| (old as u64, line))
            };
            if deeper {
                self.follow(&known, lines.into_iter().filter_map(old_line).collect());
            }
        }
        Ok(())
    }

    /// Looks lines of a recorded version up: each with the line of the file that it stands for.
    fn follow(&mut self, history: &LineHistory, mut lines: Vec<(u64, usize)>) {
        lines.sort_unstable();
        let mut runs = history.runs.iter();
        let (mut start, mut run): (u64, Option<&Run>) = (0, runs.next());
        for (at, line) in lines {
            while let Some(passed) = run
                && passed.lines != Run::OPEN
                && start.saturating_add(passed.lines) <= at
            {
                start = start.saturating_add(passed.lines);
                run = runs.next();
            }
            let Some(run) = run else { return };
            let further = at.saturating_sub(start);
            match &run.from {
                Origin::Change(change) => {
                    self.found.insert(line, *change);
                }
                Origin::Ground(first) => self.leave_open(history.ground, first.saturating_add(further), line),
                Origin::Older(ground, first) => self.leave_open(*ground, first.saturating_add(further), line),
            }
        }
    }

    /// Lines of the very first version have nobody here for an author.
    fn leave_open(&mut self, ground: Option<i64>, at: u64, line: usize) {
        if let Some(ground) = ground {
            self.open.entry(ground).or_default().push((at, line));
        }
    }

    /// The bytes that the last change of a recorded version left.
    fn left(&self, history: &LineHistory) -> Result<Option<Bytes>, Trouble> {
        let commit = self.past.commit_at(history.last.place)?;
        let file =
            commit.iter().flat_map(|commit| commit.files.iter().rev()).find(|file| file.after == Some(history.digest));
        match file {
            Some(file) => self.past.after_bytes(file),
            None => self.version(history.digest),
        }
    }

    fn version(&self, digest: Digest) -> Result<Option<Bytes>, Trouble> {
        self.past.version(self.path.as_str(), digest)
    }

    /// The changes by name.
    fn told(&self) -> Result<BTreeMap<usize, LineOrigin>, Trouble> {
        let mut known: HashMap<i64, Option<LineOrigin>> = HashMap::new();
        let mut told = BTreeMap::new();
        for (line, change) in &self.found {
            if !known.contains_key(change) {
                known.insert(*change, self.origin(*change)?);
            }
            if let Some(Some(origin)) = known.get(change) {
                told.insert(*line, origin.clone());
            }
        }
        Ok(told)
    }

    fn origin(&self, change: i64) -> Result<Option<LineOrigin>, Trouble> {
        let Some(row) = self.past.index.change_row(change).map_err(index)? else { return Ok(None) };
        let told = |path: &String| {
            let policy = &self.past.session().workspace.policy;
            path != self.path.as_str()
                && RelPath::parse(path, &[]).is_ok_and(|path| policy.check(&path, Access::Read).is_ok())
        };
        Ok(Some(LineOrigin {
            batch: row.batch.into(),
            change: row.id.into(),
            tool: row.tool,
            author: Author {
                session: row.session,
                client: row.client,
                actor: None,
                role: row.role,
                time_ns: row.time_ns,
            },
            description: row.description,
            path: Some(row.path).filter(told),
        }))
    }
}

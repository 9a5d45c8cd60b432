//! Looking: reading, listing, searching. The same road as a change, left early.

use crate::gather::{any_path, file_path, permit};
use crate::ledger::{Form, Ledger, Lines, Reading, Shown, Stretches};
use crate::session::Session;
use crate::trouble::{Task, halted, unresolved};
use crate::watch::Watch;
use patchwright_core::digest::Digest;
use patchwright_core::intent::Numbers;
use patchwright_core::outcome::{Answer, Entry, Replayed, Reply, Trouble, ViewContent};
use patchwright_core::path::RelPath;
use patchwright_core::plan::rebased;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Expected, Missing, Refusal, Sort, Why};
use patchwright_core::text::Cut;
use patchwright_core::tool::{
    Case, Glob, Hashes, Hidden, Ignored, ListDirectory, ReadFile, SearchFiles, SearchMode, WhenBinary,
};
use patchwright_core::warning::Warning;
use patchwright_store::disk::Disk;
use patchwright_store::look::{self, LeftOut, LookProblem, Sight};
use patchwright_store::real::{Leaf, Resolved, Unresolved};

impl Session {
    /// Reads a file, whole or a slice, with the hash of all of it.
    pub fn read_file(&self, ask: &ReadFile, watch: &dyn Watch) -> Result<Reply, Trouble> {
        self.mend()?;
        let path = file_path(&self.workspace.disk, &ask.path)?;
        let at = self.readable(&path)?;
        let stat = at.stat().ok_or_else(|| self.absent(&path))?;
        match stat.sort {
            Sort::File => {}
            Sort::Folder => return Err(Refusal::at(&path, Why::NotFound(Missing::IsFolder)).into()),
            Sort::Link | Sort::Special => return Err(Refusal::at(&path, Why::SpecialFile).into()),
        }
        let file = self.workspace.disk.open_resolved(&at).map_err(|halt| halted(Some(&path), Task::Read, halt))?;
        let reading = look::Reading {
            path: &path,
            start_line: ask.start_line,
            end_line: ask.end_line,
            max_bytes: ask.max_bytes,
            on_binary: match ask.when_binary {
                WhenBinary::Refuse => look::OnBinary::Refuse,
                WhenBinary::Base64 => look::OnBinary::Bytes,
            },
            charset: ask.charset,
            anchors: self.anchoring(ask.hashes),
        };
        let sight = Sight { may: &|_| true, go_on: &|_| !watch.cancelled() };
        let slice =
            look::read(&self.workspace.disk, &file, &reading, &sight).map_err(|problem| unshown(&path, problem))?;
        let plain = ask
            .charset
            .map(|_| look::read(&self.workspace.disk, &file, &look::Reading { charset: None, ..reading }, &sight));
        self.sees(at.real, &slice, plain.and_then(Result::ok));
        let warnings = slice.lossy.then(|| Warning::LossyText { path: path.to_string() }).into_iter().collect();
        Ok(reply(Answer::File(slice.view), warnings))
    }

    /// Takes a reading into the ledger. If it names a charset, there is a second one which names none: what a wrong
    /// charset makes of a file that can be read without naming it is not its text.
    fn sees(&self, path: RelPath, slice: &look::Slice, plain: Option<look::Slice>) {
        let plain = plain.filter(|plain| !plain.lossy && !is_bytes(plain));
        let shown = |slice: &look::Slice| (slice.view.line_count, slice.view.content.clone());
        let (slice, reading) = match &plain {
            Some(plain) if shown(plain) == shown(slice) => (plain, sighted(plain)),
            Some(plain) => (plain, unsighted(plain)),
            None => (slice, sighted(slice)),
        };
        let view = &slice.view;
        let form = Form { ends: view.newline_style, final_newline: view.final_newline, has_mark: view.has_bom };
        let mut ledger = self.ledger();
        ledger.read(path.clone(), view.sha256, reading);
        ledger.formed(&path, view.sha256, form);
    }

    /// Lists a folder.
    pub fn list_directory(&self, ask: &ListDirectory, watch: &dyn Watch) -> Result<Reply, Trouble> {
        let path = self.folder_to_see(&ask.path)?;
        let listing = look::Listing {
            path: path.clone(),
            depth: if ask.levels <= 1 { look::Depth::Children } else { look::Depth::Below(ask.levels - 1) },
            hidden: if ask.hidden == Hidden::Include { look::Hidden::Include } else { look::Hidden::Skip },
            hashes: if ask.hashes == Hashes::Yes { look::Hashing::Yes } else { look::Hashing::No },
            cursor: ask.cursor.clone(),
        };
        let found = self
            .seeing(watch, |sight| look::list(&self.workspace.disk, &listing, sight))
            .map_err(|problem| unshown(&path, problem))?;
        self.remember_listed(&path, &found.answer.entries);
        Ok(reply(Answer::Listing(found.answer), warn(&found.left_out)))
    }

    /// What a listing showed the hash of may be deleted or moved.
    fn remember_listed(&self, folder: &RelPath, entries: &[Entry]) {
        self.each_listed(folder, entries, Ledger::listed);
    }

    /// Entries of a listing that its reader was not shown after all, for want of room.
    pub fn not_shown(&self, folder: &str, entries: &[Entry]) {
        if let Ok(folder) = RelPath::parse(folder, &[]) {
            self.each_listed(&folder, entries, |ledger, path, digest| ledger.unlisted(&path, digest));
        }
    }

    fn each_listed(&self, folder: &RelPath, entries: &[Entry], note: impl Fn(&mut Ledger, RelPath, Digest)) {
        let hashed = entries.iter().filter_map(|entry| Some((RelPath::parse(&entry.path, &[]).ok()?, entry.sha256?)));
        let mut hashed = hashed.peekable();
        if hashed.peek().is_none() {
            return;
        }
        // Links on the way to the folder were followed; in it none was.
        let real = self.workspace.disk.folder(folder).ok().and_then(|dir| dir.path().cloned());
        let Some(real) = real else { return };
        let mut ledger = self.ledger();
        for (path, digest) in hashed {
            if let Some(path) = rebased(&path, folder, &real) {
                note(&mut ledger, path, digest);
            }
        }
    }

    /// Searches by text, expression or path.
    pub fn search_files(&self, ask: &SearchFiles, watch: &dyn Watch) -> Result<Reply, Trouble> {
        let root = self.folder_to_see(&ask.root)?;
        let searching = look::Searching {
            query: ask.query.clone(),
            mode: match ask.mode {
                SearchMode::Path => look::Mode::Path,
                SearchMode::Text => look::Mode::Text,
                SearchMode::Regex => look::Mode::Regex,
            },
            root: root.clone(),
            include: ask.include_globs.clone(),
            exclude: ask.exclude_globs.clone(),
            max_results: ask.max_results,
            context_lines: ask.context_lines,
            case: if ask.case == Case::Sensitive { look::Case::Sensitive } else { look::Case::Insensitive },
            ignored: ignored(ask.ignored),
            anchors: self.anchoring(ask.hashes),
        };
        let found = self
            .seeing(watch, |sight| look::search(&self.workspace.disk, &searching, sight))
            .map_err(|problem| unshown(&root, problem))?;
        Ok(reply(Answer::Hits(found.answer), warn(&found.left_out)))
    }

    /// Finds files and folders by a glob.
    pub fn glob(&self, ask: &Glob, watch: &dyn Watch) -> Result<Reply, Trouble> {
        let root = self.folder_to_see(&ask.root)?;
        let globbing = look::Globbing {
            pattern: ask.pattern.clone(),
            root: root.clone(),
            exclude: ask.exclude_globs.clone(),
            max_results: ask.max_results,
            ignored: ignored(ask.ignored),
        };
        let found = self
            .seeing(watch, |sight| look::glob(&self.workspace.disk, &globbing, sight))
            .map_err(|problem| unshown(&root, problem))?;
        Ok(reply(Answer::Globbed(found.answer), warn(&found.left_out)))
    }

    /// Resolves a path for reading, past the policy as named and as it really is.
    fn readable(&self, path: &RelPath) -> Result<Resolved, Trouble> {
        permit(&self.workspace.policy, path, Access::Read, None)?;
        let at = match self.workspace.disk.resolve(path) {
            Ok(at) => at,
            Err(Unresolved::NoFolder(_)) => return Err(self.absent(path)),
            Err(other) => return Err(unresolved(path, other)),
        };
        permit(&self.workspace.policy, &at.real, Access::Read, Some(path))?;
        if at.leaf == Leaf::Dangling {
            return Err(Refusal::at(path, Why::NotFound(Missing::LinkTarget)).into());
        }
        Ok(at)
    }

    fn folder_to_see(&self, given: &str) -> Result<RelPath, Trouble> {
        self.mend()?;
        let path = any_path(&self.workspace.disk, given)?;
        let at = self.readable(&path)?;
        match at.stat().map(|stat| stat.sort) {
            Some(Sort::Folder) => Ok(path),
            Some(_) => Err(Refusal::at(&path, Why::NotFound(Missing::IsFile)).into()),
            None => Err(self.absent(&path)),
        }
    }

    /// Nothing there; with names in the same folder that are spelt alike.
    pub(crate) fn absent(&self, path: &RelPath) -> Trouble {
        let why = match path.name_problem() {
            Some(problem) => Why::Name(problem),
            None => Why::NotFound(Missing::File { alike: crate::alike::alike(self, path) }),
        };
        Refusal::at(path, why).into()
    }

    /// Anchors need the whole file in memory, as a change of it does: the limit is the same.
    fn anchoring(&self, hashes: Hashes) -> look::Anchoring {
        match hashes {
            Hashes::No => look::Anchoring::Without,
            Hashes::Yes => look::Anchoring::UpTo(self.workspace.limits.max_file_bytes),
        }
    }

    /// Policy and watcher as the store asks for them.
    fn seeing<T>(&self, watch: &dyn Watch, look: impl FnOnce(&Sight<'_>) -> T) -> T {
        let may = |path: &RelPath| self.workspace.policy.check(path, Access::Read).is_ok();
        let go_on = |done: u64| {
            watch.progress(done, None);
            !watch.cancelled()
        };
        look(&Sight { may: &may, go_on: &go_on })
    }
}

/// A reading that shows none of a file's lines.
fn unsighted(slice: &look::Slice) -> Reading {
    let view = &slice.view;
    let lines = Lines { all: slice.hashes.clone(), stretches: Stretches::Some(Vec::new()) };
    Reading { lines, numbers: Numbers::Unseen, shown: Shown::read(0..0, &view.encoding, view.line_count) }
}

/// Is it a binary file that was read?
fn is_bytes(slice: &look::Slice) -> bool {
    matches!(slice.view.content, ViewContent::Bytes(_))
}

/// What a reading shows of a file's lines.
fn sighted(slice: &look::Slice) -> Reading {
    let view = &slice.view;
    let shown = view.start_line.saturating_sub(1)..view.end_line.min(view.line_count);
    let is_bytes = is_bytes(slice);
    let whole = view.cut.is_none() && (is_bytes || view.start_line <= 1 && view.end_line >= view.line_count);
    let stretches = if whole { Stretches::All } else { Stretches::Some(vec![shown.clone()]) };
    let numbers = if view.anchors.is_some() { Numbers::Seen } else { Numbers::Unseen };
    let shown = match view.cut {
        _ if whole => Shown::all(),
        // Some of the bytes of a file that has no lines.
        _ if is_bytes => Shown::default(),
        // The last line only in part.
        Some(Cut::InLine(line)) => Shown::read(shown.start..line.saturating_sub(1), &view.encoding, view.line_count),
        _ => Shown::read(shown, &view.encoding, view.line_count),
    };
    Reading { lines: Lines { all: slice.hashes.clone(), stretches }, numbers, shown }
}

fn ignored(asked: Ignored) -> look::Ignored {
    match asked {
        Ignored::Honour => look::Ignored::Honour,
        Ignored::Include => look::Ignored::Include,
    }
}

fn warn(left_out: &LeftOut) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if left_out.unaddressable > 0 {
        warnings.push(Warning::UnaddressableNames { count: left_out.unaddressable });
    }
    if let Some(path) = &left_out.first_unreadable {
        warnings.push(Warning::Unreadable { path: path.clone(), count: left_out.unreadable });
    }
    if let Some(path) = &left_out.first_unsearched {
        warnings.push(Warning::Unsearched { path: path.clone(), count: left_out.unsearched });
    }
    warnings
}

pub(crate) fn reply(answer: Answer, warnings: Vec<Warning>) -> Reply {
    Reply { answer, warnings, audit_head: None, replayed: Replayed::No }
}

/// Why something cannot be shown.
pub(crate) fn unshown(path: &RelPath, problem: LookProblem) -> Trouble {
    let why = match problem {
        LookProblem::BadPattern(message) => return Refusal::plain(Why::Pattern(shortened(&message))).into(),
        LookProblem::BadGlob(message) => return Refusal::plain(Why::Glob(shortened(&message))).into(),
        LookProblem::BadCursor => return Refusal::argument("cursor", Expected::Cursor, "another text").into(),
        LookProblem::NotFolder => Why::NotFound(Missing::IsFile),
        LookProblem::Binary => Why::Binary,
        LookProblem::TooLarge { size, limit } => Why::TooLarge { size, limit, setting: "limits.max_file_bytes" },
        LookProblem::Stopped => return Refusal::plain(Why::Cancelled).into(),
        LookProblem::Halt(halt) => return halted(Some(path), Task::Read, halt),
    };
    Refusal::at(path, why).into()
}

/// A compiler quotes the whole pattern, which may be long; its end says what is wrong with it.
fn shortened(message: &str) -> String {
    const SIDE: usize = 500;
    let total = message.chars().count();
    if total <= 2 * SIDE {
        return message.to_owned();
    }
    let head: String = message.chars().take(SIDE).collect();
    let tail: String = message.chars().skip(total - SIDE).collect();
    format!("{head} … {tail}")
}

//! Looking: reading, listing, searching. Nothing changes, nothing goes on record, and nobody waits.

use crate::charset::charset;
use crate::error::Error;
use crate::ids::time;
use crate::session::Session;
use crate::sha256::Sha256;
use patchwright_engine::core::outcome::{self, Answer, ViewContent};
use patchwright_engine::core::refusal::Sort;
use patchwright_engine::core::text::{Cut, NewlineStyle};
use patchwright_engine::core::tool::{Call, Hashes, Hidden, ListDirectory, ReadFile};
use std::ops::{Bound, RangeBounds};
use std::time::SystemTime;

impl Session {
    /// Reads a text file as a whole. What was read counts as seen, so that the session may change it.
    ///
    /// A file that is not text is [`ErrorKind::BinaryFile`](crate::ErrorKind::BinaryFile).
    pub fn read(&self, path: impl Into<String>) -> Result<FileView, Error> {
        self.reader(path).read()
    }

    /// Reads a part of a file, or one in another charset.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("a.txt", "one\ntwo\nthree\n").plan()?.commit()?;
    /// let view = session.reader("a.txt").lines(2..).read()?;
    /// assert_eq!((view.text.as_str(), view.first_line, view.line_count), ("two\nthree\n", 2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reader(&self, path: impl Into<String>) -> Reader {
        let ask = ReadFile { max_bytes: usize::MAX, ..ReadFile::new(path) };
        Reader { session: self.clone(), ask, charset: None }
    }

    /// Lists a folder, page by page into one list; `"."` is the workspace.
    ///
    /// ```
    /// # let (folder, home) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// # let workspace = patchwright_lib::Workspace::options().home(home.path()).open(folder.path())?;
    /// # let session = workspace.session("docs");
    /// session.create("src/a.rs", "").create_folders().plan()?.commit()?;
    /// let paths: Vec<String> = session.list(".").levels(2).run()?.into_iter().map(|entry| entry.path).collect();
    /// assert_eq!(paths, ["src", "src/a.rs"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, path: impl Into<String>) -> List {
        let ask =
            ListDirectory { path: path.into(), levels: 1, hidden: Hidden::Omit, hashes: Hashes::No, cursor: None };
        List { session: self.clone(), ask }
    }
}

/// A reading that is not yet done; see [`Session::reader`].
#[derive(Clone, Debug)]
#[must_use = "nothing is read until `read` is called"]
pub struct Reader {
    session: Session,
    ask: ReadFile,
    charset: Option<String>,
}

impl Reader {
    /// Only these lines, counted from 1. Only they count as seen.
    pub fn lines(mut self, lines: impl RangeBounds<usize>) -> Reader {
        self.ask.start_line = match lines.start_bound() {
            Bound::Included(first) => *first,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 1,
        };
        self.ask.end_line = match lines.end_bound() {
            Bound::Included(last) => Some(*last),
            Bound::Excluded(after) => Some(after.saturating_sub(1)),
            Bound::Unbounded => None,
        };
        self
    }

    /// Reads it in this charset, such as `windows-1252`, where it is neither UTF-8 nor UTF-16 with a mark.
    pub fn charset(mut self, label: impl Into<String>) -> Reader {
        self.charset = Some(label.into());
        self
    }

    /// At most so many bytes of text; [`FileView::cut`] says where to go on.
    pub fn max_bytes(mut self, bytes: usize) -> Reader {
        self.ask.max_bytes = bytes;
        self
    }

    /// Reads.
    pub fn read(mut self) -> Result<FileView, Error> {
        self.ask.charset = charset(self.charset.as_deref())?;
        match self.session.look(&Call::ReadFile(self.ask))? {
            Answer::File(view) => FileView::of(view),
            _ => Err(Error::unexpected_answer()),
        }
    }
}

/// A text file, or some lines of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileView {
    /// Relative to the workspace.
    pub path: String,
    /// The text, with `\n` line ends and without byte-order mark, whatever the file has on disk.
    pub text: String,
    /// The hash of the whole file as it is on disk.
    pub sha256: Sha256,
    /// The number of the first line of the text, from 1.
    pub first_line: usize,
    /// How many lines the whole file has.
    pub line_count: usize,
    /// The size of the whole file in bytes.
    pub size: u64,
    /// The charset on disk, such as `utf-8`.
    pub charset: String,
    /// How the lines end on disk.
    pub line_ends: LineEnds,
    /// Where to go on, if the text was cut at [`Reader::max_bytes`].
    pub cut: Option<CutAt>,
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineEnds {
    /// With `\n`.
    Lf,
    /// With `\r\n`.
    CrLf,
    /// Some so, some so.
    Mixed,
    /// No line is terminated.
    None,
}

/// Where a text that was cut goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CutAt {
    /// At the beginning of this line.
    Line(usize),
    /// Within this line, which alone is longer than the limit.
    WithinLine(usize),
}

impl FileView {
    fn of(view: outcome::FileView) -> Result<FileView, Error> {
        let ViewContent::Text(text) = view.content else { return Err(Error::unexpected_answer()) };
        Ok(FileView {
            path: view.path,
            text,
            sha256: Sha256::of_digest(view.sha256),
            first_line: view.start_line,
            line_count: view.line_count,
            size: view.size,
            charset: view.encoding,
            line_ends: match view.newline_style {
                NewlineStyle::Lf => LineEnds::Lf,
                NewlineStyle::Crlf => LineEnds::CrLf,
                NewlineStyle::Mixed => LineEnds::Mixed,
                NewlineStyle::None => LineEnds::None,
            },
            cut: view.cut.map(|cut| match cut {
                Cut::GoOnAt(line) => CutAt::Line(line),
                Cut::InLine(line) => CutAt::WithinLine(line),
            }),
        })
    }

    /// The lines of the text with their numbers in the file.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (self.first_line..).zip(self.text.split_terminator('\n'))
    }
}

/// A listing that is not yet done; see [`Session::list`].
#[derive(Clone, Debug)]
#[must_use = "nothing is listed until `run` is called"]
pub struct List {
    session: Session,
    ask: ListDirectory,
}

impl List {
    /// So many levels: 1 for the folder's own entries, which is the default, 2 for their entries too, and so on.
    pub fn levels(mut self, levels: usize) -> List {
        self.ask.levels = levels;
        self
    }

    /// With names that begin with a dot.
    pub fn hidden(mut self) -> List {
        self.ask.hidden = Hidden::Include;
        self
    }

    /// With the hash of each file and link. They then count as seen for deleting and renaming.
    pub fn hashes(mut self) -> List {
        self.ask.hashes = Hashes::Yes;
        self
    }

    /// Lists, sorted by path.
    pub fn run(mut self) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        loop {
            let Answer::Listing(page) = self.session.look(&Call::ListDirectory(self.ask.clone()))? else {
                return Err(Error::unexpected_answer());
            };
            entries.extend(page.entries.into_iter().map(Entry::of));
            match page.next_cursor {
                Some(cursor) => self.ask.cursor = Some(cursor),
                None => return Ok(entries),
            }
        }
    }
}

/// A file, folder or link of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Relative to the workspace.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Bytes; of a link, of its target text.
    pub size: u64,
    /// When it was last changed.
    pub modified: SystemTime,
    /// Its hash, where it was asked for.
    pub sha256: Option<Sha256>,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Anything else, which is never opened.
    Special,
}

impl Entry {
    pub(crate) fn of(entry: outcome::Entry) -> Entry {
        let kind = match entry.sort {
            Sort::File => EntryKind::File,
            Sort::Folder => EntryKind::Folder,
            Sort::Link => EntryKind::Link,
            Sort::Special => EntryKind::Special,
        };
        let (modified, sha256) = (time(entry.mtime_ns), entry.sha256.map(Sha256::of_digest));
        Entry { path: entry.path, kind, size: entry.size, modified, sha256 }
    }
}

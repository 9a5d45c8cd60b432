//! Reading a file, or a slice of its lines, with the hash of the whole.
//!
//! Promises one pass over the file with a fixed buffer: memory grows with the answer alone. What is
//! shown and what was hashed are the same bytes. Leaves opening to the guard, and anchors to [`super::anchored`].

use super::anchored;
use super::decode::{Decode, More, choose, has_mark};
use super::pieces::Source;
use super::scan::{Scan, Wanted};
use super::slice::{Anchoring, OnBinary, Reading, Slice};
use super::{LookProblem, Sight};
use crate::disk::{Disk, Stat};
use patchwright_core::anchor::line_hash;
use patchwright_core::digest::{Digest, Hasher};
use patchwright_core::outcome::{FileView, ViewContent};
use patchwright_core::text::Cut;
use patchwright_core::text::{Charset, Document, NewlineStyle, lines};
use std::sync::Arc;

const BUFFER: usize = 256 * 1024;
/// How often a file that changes while it is read is read again. After that the last reading stands:
/// its hash is that of the bytes shown, so nothing false is said.
const TRIES: usize = 3;

/// Reads an open file.
pub fn read<D: Disk>(disk: &D, file: &D::File, ask: &Reading<'_>, sight: &Sight<'_>) -> Result<Slice, LookProblem> {
    let mut before = disk.stat_file(file)?;
    let mut tries = 1;
    loop {
        let pass = Pass { disk, file, ask, sight, size: before.size };
        let slice = match ask.anchors {
            Anchoring::Without => pass.run()?,
            Anchoring::UpTo(limit) => {
                let source = Source { disk, file, size: before.size, sight };
                anchored::read(source, ask, limit)?.map_or_else(|| pass.run(), Ok)?
            }
        };
        let after = disk.stat_file(file)?;
        if tries == TRIES || same(&before, &after) {
            return Ok(slice);
        }
        before = after;
        tries += 1;
    }
}

/// Reads bytes that are at hand, as if they were a file's. Anchors are for files alone.
pub fn read_bytes(bytes: &[u8], ask: &Reading<'_>) -> Result<Slice, LookProblem> {
    let mut view = View::new(bytes, ask)?;
    view.feed(bytes, More::Ends);
    Ok(view.finish(ask, bytes.len() as u64, Digest::of(bytes)))
}

fn same(one: &Stat, two: &Stat) -> bool {
    (one.size, one.mtime_ns, one.ctime_ns) == (two.size, two.mtime_ns, two.ctime_ns)
}

/// One pass over the file, as far as it reached when the pass began.
struct Pass<'a, D: Disk> {
    disk: &'a D,
    file: &'a D::File,
    ask: &'a Reading<'a>,
    sight: &'a Sight<'a>,
    size: u64,
}

impl<D: Disk> Pass<'_, D> {
    fn run(&self) -> Result<Slice, LookProblem> {
        let mut buffer = vec![0; usize::try_from(self.size).unwrap_or(BUFFER).min(BUFFER)];
        let head = self.piece(0, &mut buffer)?;
        let mut view = View::new(head, self.ask)?;
        let mut hasher = Hasher::default();
        hasher.update(head);
        view.feed(head, self.more(head.len() as u64));
        let hashes = if head.len() as u64 == self.size { line_hashes(head, self.ask.charset) } else { None };
        let mut done = head.len() as u64;
        while done < self.size {
            if !(self.sight.go_on)(done) {
                return Err(LookProblem::Stopped);
            }
            let piece = self.piece(done, &mut buffer)?;
            if piece.is_empty() {
                view.feed(b"", More::Ends);
                break;
            }
            hasher.update(piece);
            done += piece.len() as u64;
            view.feed(piece, self.more(done));
        }
        Ok(Slice { hashes, ..view.finish(self.ask, done, hasher.finish()) })
    }

    fn piece<'b>(&self, offset: u64, buffer: &'b mut [u8]) -> Result<&'b [u8], LookProblem> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let room = left.min(buffer.len());
        let into = buffer.get_mut(..room).unwrap_or_default();
        let count = self.disk.read_at(self.file, offset, into)?;
        Ok(into.get(..count).unwrap_or_default())
    }

    fn more(&self, done: u64) -> More {
        if done < self.size { More::Follows } else { More::Ends }
    }
}

/// The hashes of the lines of a small file, which is at hand as a whole.
fn line_hashes(bytes: &[u8], charset: Option<Charset>) -> Option<Arc<[u64]>> {
    let text = Document::open(bytes, charset).ok()?;
    Some(lines(text.text()).map(|line| line_hash(line.text)).collect())
}

/// What the bytes are shown as.
enum View {
    Bytes(Bytes),
    Text(Box<Text>),
}

struct Bytes {
    kept: Vec<u8>,
    max_bytes: usize,
    last: Option<u8>,
}

struct Text {
    charset: Charset,
    decode: Decode,
    scan: Scan,
    /// Bytes of the mark still to be skipped.
    mark: usize,
    has_mark: bool,
}

impl View {
    fn new(head: &[u8], ask: &Reading<'_>) -> Result<View, LookProblem> {
        match (choose(head, ask.charset), ask.on_binary) {
            (Some(charset), _) => Ok(View::Text(Box::new(Text::new(head, charset, ask)))),
            (None, OnBinary::Bytes) => {
                Ok(View::Bytes(Bytes { kept: Vec::new(), max_bytes: ask.max_bytes, last: None }))
            }
            (None, OnBinary::Refuse) => Err(LookProblem::Binary),
        }
    }

    fn feed(&mut self, raw: &[u8], more: More) {
        match self {
            View::Bytes(bytes) => bytes.feed(raw),
            View::Text(text) => text.feed(raw, more),
        }
    }

    fn finish(self, ask: &Reading<'_>, size: u64, sha256: Digest) -> Slice {
        match self {
            View::Bytes(bytes) => bytes.finish(ask, size, sha256),
            View::Text(text) => text.finish(ask, size, sha256),
        }
    }
}

impl Bytes {
    fn feed(&mut self, raw: &[u8]) {
        let room = self.max_bytes.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(raw.get(..room).unwrap_or(raw));
        self.last = raw.last().copied().or(self.last);
    }

    /// A binary file has bytes, not lines; what is said of lines is said of an empty text.
    fn finish(self, ask: &Reading<'_>, size: u64, sha256: Digest) -> Slice {
        let cut = (size > self.kept.len() as u64).then_some(Cut::InLine(1));
        let view = FileView {
            path: ask.path.to_string(),
            content: ViewContent::Bytes(self.kept),
            encoding: "binary".to_owned(),
            start_line: 1,
            end_line: 0,
            line_count: 0,
            size,
            sha256,
            cut,
            newline_style: NewlineStyle::None,
            has_bom: false,
            final_newline: self.last.is_none_or(|byte| byte == b'\n'),
            anchors: None,
        };
        Slice { view, lossy: false, hashes: None }
    }
}

impl Text {
    fn new(head: &[u8], charset: Charset, ask: &Reading<'_>) -> Text {
        let has_mark = has_mark(head, charset);
        let end = ask.end_line.unwrap_or(usize::MAX);
        let wanted = Wanted { start: ask.start_line.max(1), end, max_bytes: ask.max_bytes };
        let mark = if has_mark { charset.mark().len() } else { 0 };
        Text { charset, decode: Decode::new(charset), scan: Scan::new(wanted), mark, has_mark }
    }

    fn feed(&mut self, raw: &[u8], more: More) {
        let body = raw.get(self.mark..).unwrap_or_default();
        self.mark = 0;
        self.decode.feed(body, more, &mut self.scan);
    }

    fn finish(self, ask: &Reading<'_>, size: u64, sha256: Digest) -> Slice {
        let (line_count, newline_style) = (self.scan.line_count(), self.scan.newline_style());
        let (final_newline, start_line) = (self.scan.final_newline(), ask.start_line.max(1));
        let shown = self.scan.into_slice();
        let view = FileView {
            path: ask.path.to_string(),
            content: ViewContent::Text(shown.text),
            encoding: self.charset.name().to_owned(),
            start_line,
            end_line: if start_line > line_count { start_line - 1 } else { shown.end_line },
            line_count,
            size,
            sha256,
            cut: shown.cut,
            newline_style,
            has_bom: self.has_mark,
            final_newline,
            anchors: None,
        };
        Slice { view, lossy: self.decode.is_lossy(), hashes: None }
    }
}

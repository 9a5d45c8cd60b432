//! Reading with anchors: the whole file is hashed line by line, and the slice shows each line's anchor.
//!
//! Promises that every anchor shown is judged over the whole file, and that anchors, content and the hash of the
//! file are of the same bytes. Memory grows with the file here. Leaves what anchors are to the core.

use super::LookProblem;
use super::decode::{choose, has_mark};
use super::kept::Kept;
use super::pieces::{Hashed, Reader, Source};
use super::scan::Wanted;
use super::slice::{Reading, Slice};
use crate::content::{self, Whole};
use crate::disk::Disk;
use patchwright_core::anchor::{Anchors, LineHashes, Rendered, render};
use patchwright_core::outcome::{FileView, Place, ViewContent};
use patchwright_core::text::line::Census;
use patchwright_core::text::{Charset, Document};
use std::panic::resume_unwind;
use std::sync::Arc;

/// From so many lines on a second thread is worth its while.
const LONG: usize = 1 << 18;

/// Reads a text with anchors; nothing if it is not a text.
pub(super) fn read<D: Disk>(
    source: Source<'_, D>,
    ask: &Reading<'_>,
    limit: u64,
) -> Result<Option<Slice>, LookProblem> {
    let (disk, file, size) = (source.disk, source.file, source.size);
    let end = ask.end_line.unwrap_or(usize::MAX);
    let kept = Kept::new(Wanted { start: ask.start_line.max(1), end, max_bytes: ask.max_bytes });
    let reader = Reader::new(source)?;
    let Some(charset) = choose(reader.head(), ask.charset) else { return Ok(None) };
    if size > limit {
        return Err(LookProblem::TooLarge { size, limit });
    }
    let marked = has_mark(reader.head(), charset);
    let mark = if marked { charset.mark().len() } else { 0 };
    let hashed = match charset {
        Charset::Utf8 => reader.run(mark, kept)?,
        _ => decoded(content::read_hashed(disk, file, size, limit)?, charset, kept)?,
    };
    Ok(Some(show(hashed, Coding { charset, has_bom: marked }, ask)))
}

/// Text of another charset is decoded all at once.
fn decoded(whole: Whole, charset: Charset, mut kept: Kept) -> Result<Hashed, LookProblem> {
    let document = Document::open(&whole.bytes, Some(charset)).map_err(|_| LookProblem::Binary)?;
    let text = document.text();
    kept.see(text, 0);
    Ok(Hashed {
        hashes: LineHashes::of(text),
        kept,
        lossy: document.is_lossy(),
        size: whole.bytes.len() as u64,
        sha256: whole.digest,
        last: text.last().copied(),
    })
}

/// How the text of a file is written.
struct Coding {
    charset: Charset,
    has_bom: bool,
}

fn show(hashed: Hashed, coding: Coding, ask: &Reading<'_>) -> Slice {
    let Hashed { hashes, kept, lossy, size, sha256, last } = hashed;
    let start_line = ask.start_line.max(1);
    let (page, own) = rendered(&hashes, &kept, ask);
    let final_newline = last.is_none_or(|byte| byte == b'\n');
    let crlf = hashes.returns();
    let lf = hashes.count().saturating_sub(crlf).saturating_sub(usize::from(!final_newline));
    let view = FileView {
        path: ask.path.to_string(),
        content: ViewContent::Text(page.content),
        encoding: coding.charset.name().to_owned(),
        start_line,
        end_line: page.end_line,
        line_count: hashes.count(),
        size,
        sha256,
        cut: page.cut,
        newline_style: Census { lf, crlf }.style(),
        has_bom: coding.has_bom,
        final_newline,
        anchors: Some(page.best),
    };
    Slice { view, lossy, hashes: Some(own) }
}

/// The page, and beside it a copy of the hashes to be kept.
fn rendered(hashes: &LineHashes, kept: &Kept, ask: &Reading<'_>) -> (Rendered, Arc<[u64]>) {
    let show = || render(hashes, ask.start_line.max(1), &kept.bytes, ask.max_bytes);
    if hashes.count() < LONG {
        return (show(), hashes.own().into());
    }
    std::thread::scope(|scope| {
        let copying = std::thread::Builder::new().spawn_scoped(scope, || Arc::from(hashes.own()));
        let page = show();
        let own = match copying {
            // A bug over there is a bug here.
            Ok(thread) => thread.join().unwrap_or_else(|why| resume_unwind(why)),
            Err(_) => hashes.own().into(),
        };
        (page, own)
    })
}

/// Gives hits in these bytes their lines' anchors.
pub(super) fn mark(bytes: &[u8], places: &mut [Place]) {
    let Ok(document) = Document::open(bytes, None) else { return };
    let found: Vec<usize> = places.iter().map(|place| place.line).collect();
    let shown = Anchors::of(document.text()).shown(&found);
    for (place, anchor) in places.iter_mut().zip(shown) {
        place.anchor = Some(anchor).filter(|anchor| anchor.line == place.line);
    }
}

//! Reading with anchors: the whole file is hashed line by line, and the slice shows each line's anchor.
//!
//! Promises that every anchor shown is judged over the whole file, and that anchors, content and the hash of the
//! file are of the same bytes. Memory grows with the file here. Leaves what anchors are to the core.

use super::LookProblem;
use super::read::{Reading, Slice};
use patchwright_core::anchor::{Anchors, Shown, recommended};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Cut, FileView, Place, ViewContent};
use patchwright_core::text::line::{Census, Terminator, final_newline};
use patchwright_core::text::{Document, lines};

/// Whether lines come with their anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchoring {
    /// Without.
    Without,
    /// With. The whole file is held in memory for it, so a larger one than this is refused.
    UpTo(u64),
}

/// Bytes of a file and their hash, shown with anchors.
pub(super) fn view(bytes: &[u8], sha256: Digest, ask: &Reading<'_>) -> Result<Slice, LookProblem> {
    let document = Document::open(bytes, ask.charset).map_err(|_| LookProblem::Binary)?;
    let text = document.text();
    let anchors = Anchors::of(text);
    let start_line = ask.start_line.max(1);
    let part = Part::render(text, &anchors, ask);
    let line_count = anchors.count();
    let view = FileView {
        path: ask.path.to_string(),
        content: ViewContent::Text(part.content),
        encoding: document.charset().name().to_owned(),
        start_line,
        end_line: if start_line > line_count { start_line - 1 } else { part.end_line },
        line_count,
        size: bytes.len() as u64,
        sha256,
        cut: part.cut,
        newline_style: Census::of(text).style(),
        has_bom: document.has_mark(),
        final_newline: final_newline(text),
        anchors: Some(recommended(&part.shown)),
    };
    Ok(Slice { view, lossy: document.is_lossy(), hashes: Some(anchors.hashes().into()) })
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

/// The lines that fit.
struct Part {
    content: String,
    shown: Vec<Shown>,
    end_line: usize,
    cut: Option<Cut>,
}

impl Part {
    fn render(text: &[u8], anchors: &Anchors<'_>, ask: &Reading<'_>) -> Part {
        let start = ask.start_line.max(1);
        let end = ask.end_line.unwrap_or(usize::MAX).min(anchors.count());
        let mut part = Part { content: String::new(), shown: Vec::new(), end_line: end, cut: None };
        let shown = anchors.slice(start..=end);
        for (line, anchor) in lines(text).skip(start - 1).zip(shown) {
            let from = part.content.len();
            // More of a line than fits need not be looked at.
            let enough = line.text.get(..ask.max_bytes.saturating_add(1)).unwrap_or(line.text);
            anchor.render(&String::from_utf8_lossy(enough), &mut part.content);
            if line.terminator != Terminator::None {
                part.content.push('\n');
            }
            if part.content.len() > ask.max_bytes {
                part.take_back(from, anchor, ask.max_bytes);
                return part;
            }
            part.shown.push(anchor);
        }
        part
    }

    /// The line that begins at `from` is too much.
    fn take_back(&mut self, from: usize, anchor: Shown, most: usize) {
        if from > 0 {
            self.content.truncate(from);
            self.end_line = anchor.line - 1;
            self.cut = Some(Cut::GoOnAt(anchor.line));
            return;
        }
        let whole = (0..=most).rev().find(|at| self.content.is_char_boundary(*at)).unwrap_or(0);
        self.content.truncate(whole);
        self.shown.push(anchor);
        self.end_line = anchor.line;
        self.cut = Some(Cut::InLine(anchor.line));
    }
}

//! A file's raw bytes seen as text, and edits of that text taken back to bytes.
//!
//! Promises that a mark, the charset and bytes nobody touches stay as they are. Leaves edits of
//! decoded text to `rewrite` and choosing terminators to `terminate`.

use std::borrow::Cow;
use std::ops::Range;

use super::encoding::Charset;
use super::line::Census;
use super::problem::{TextProblem, unencodable};
use super::rewrite::Rewrite;
use super::splice::{Pieces, Splices};
use super::terminate::with_terminator;
use super::view::{View, decode};
use crate::bytes::Bytes;

/// How far a NUL is looked for that makes a file binary.
const BINARY_WINDOW: usize = 8 * 1024;

/// From this size on what stays of a file is not copied when it is edited. Below, one piece is quicker.
const BIG: usize = 1 << 20;

/// Raw bytes and the text they hold.
///
/// ```
/// use patchwright_core::text::{Document, Splice, Splices};
/// let file = Document::open(&b"\xFF\xFEa\0\r\0\n\0b\0"[..], None).unwrap();
/// assert_eq!(file.text(), b"a\r\nb");
/// let edit = Splices::new(vec![Splice { range: 3..4, text: b"c".to_vec() }]).unwrap();
/// assert_eq!(file.rewrite(&edit).unwrap(), b"\xFF\xFEa\0\r\0\n\0c\0");
/// ```
#[derive(Clone, Debug)]
pub struct Document<'a> {
    raw: Cow<'a, [u8]>,
    charset: Charset,
    mark: usize,
    lossy: bool,
    decoded: Option<View>,
}

/// A new file's bytes in a charset. UTF-16 gets its mark, without which it would not be known again.
///
/// ```
/// use patchwright_core::text::{Charset, encode_new};
/// assert_eq!(encode_new("ü", Charset::from_label("latin1").unwrap()).unwrap(), b"\xFC");
/// assert_eq!(encode_new("a", Charset::Utf16Le).unwrap(), b"\xFF\xFEa\0");
/// ```
pub fn encode_new(text: &str, charset: Charset) -> Result<Vec<u8>, TextProblem> {
    let mark = if charset.is_utf16() { charset.mark() } else { &[] };
    encode_like(&Document::open(mark, Some(charset))?, text)
}

/// Is this no text, in the charset that was asked for or by itself?
pub fn is_binary(raw: &[u8], asked: Option<Charset>) -> bool {
    let head = raw.get(..BINARY_WINDOW).unwrap_or(raw);
    !choose(raw, asked).is_utf16() && memchr::memchr(0, head).is_some()
}

impl<'a> Document<'a> {
    /// Opens bytes as text: in the charset that was asked for, else UTF-16 by its mark, else
    /// UTF-8. Where a UTF-16 order was asked for, a mark that says the other order wins.
    pub fn open(raw: impl Into<Cow<'a, [u8]>>, asked: Option<Charset>) -> Result<Self, TextProblem> {
        let raw = raw.into();
        let charset = choose(&raw, asked);
        if is_binary(&raw, asked) {
            return Err(TextProblem::Binary);
        }
        let marked = !charset.mark().is_empty() && raw.starts_with(charset.mark());
        let mark = if marked { charset.mark().len() } else { 0 };
        let body = raw.get(mark..).unwrap_or_default();
        let (decoded, lossy) = match charset {
            Charset::Utf8 => (None, std::str::from_utf8(body).is_err()),
            _ => decode(charset, body),
        };
        Ok(Self { raw, charset, mark, lossy, decoded })
    }

    /// The bytes as they were given.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The text: UTF-8 without a mark, with its own terminators. Where the file is UTF-8 these
    /// are its own bytes, valid or not.
    pub fn text(&self) -> &[u8] {
        self.decoded.as_ref().map_or(self.body(), |view| view.text.as_bytes())
    }

    /// The charset it was opened in.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Whether the bytes begin with a byte-order mark.
    pub fn has_mark(&self) -> bool {
        self.mark > 0
    }

    /// Whether some bytes are not text in this charset, so that showing them loses something.
    pub fn is_lossy(&self) -> bool {
        self.lossy
    }

    /// Part of the text to show, with U+FFFD for what is not text. A range outside is cut.
    pub fn display(&self, range: Range<usize>) -> String {
        let end = range.end.min(self.text().len());
        let part = self.text().get(range.start.min(end)..end).unwrap_or_default();
        String::from_utf8_lossy(part).into_owned()
    }

    /// The raw bytes after an edit of the text. The mark stays.
    pub fn rewrite(&self, edit: &Splices) -> Result<Vec<u8>, TextProblem> {
        let mut raw = Vec::with_capacity(self.raw.len());
        raw.extend_from_slice(self.raw.get(..self.mark).unwrap_or_default());
        let (charset, body) = (self.charset, self.body());
        match &self.decoded {
            None => edit.apply_onto(body, &mut raw).ok_or(TextProblem::OutOfBounds)?,
            Some(view) => Rewrite { charset, body, view, edit }.run(&mut raw)?,
        }
        Ok(raw)
    }

    /// The raw bytes after an edit of the text, those that stay shared with the old ones where the file is big.
    /// `raw` is what was opened.
    pub(crate) fn rewrite_shared(&self, raw: &Bytes, edit: Splices) -> Result<Pieces, TextProblem> {
        let shared = self.decoded.is_none() && std::ptr::eq(self.raw(), raw.as_slice());
        if shared && raw.len() >= BIG {
            return Pieces::spliced(raw.clone(), self.mark, edit).ok_or(TextProblem::OutOfBounds);
        }
        self.rewrite(&edit).map(Pieces::from)
    }

    fn body(&self) -> &[u8] {
        self.raw.get(self.mark..).unwrap_or_default()
    }
}

/// Bytes for a whole new text in the manner of an existing file: its charset, its mark, its
/// majority terminator. Where that file has no terminator the text's own newlines stay. The
/// final newline is as given.
pub fn encode_like(model: &Document<'_>, text: &str) -> Result<Vec<u8>, TextProblem> {
    let text = if model.has_mark() { text.strip_prefix('\u{FEFF}').unwrap_or(text) } else { text };
    let text = match Census::of(model.text()).majority() {
        None => Cow::Borrowed(text),
        Some(terminator) => with_terminator(text, terminator),
    };
    let mut raw = model.raw.get(..model.mark).unwrap_or_default().to_vec();
    raw.extend_from_slice(&model.charset.encode(&text).map_err(|at| unencodable(text.as_bytes(), at))?);
    Ok(raw)
}

fn choose(raw: &[u8], asked: Option<Charset>) -> Charset {
    let marked = [Charset::Utf16Le, Charset::Utf16Be].into_iter().find(|charset| raw.starts_with(charset.mark()));
    match (asked, marked) {
        (Some(asked), Some(marked)) if asked.is_utf16() => marked,
        (Some(asked), _) => asked,
        // The mark of UTF-32 begins like that of UTF-16. Nobody edits UTF-32: leave it binary.
        (None, Some(_)) if raw.starts_with(b"\xFF\xFE\0\0") => Charset::Utf8,
        (None, marked) => marked.unwrap_or(Charset::Utf8),
    }
}

//! One pass over text that comes in pieces: lines counted, a slice of them kept.
//!
//! Promises to keep no more than one byte over the limit, and that where the pieces were cut makes no
//! difference. Knows nothing of charsets: it is given text whose newline is the byte `\n`.

use patchwright_core::text::Cut;
use patchwright_core::text::{NewlineStyle, to_lf};

/// The lines to keep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// First, from 1.
    pub(super) start: usize,
    /// Last, inclusive.
    pub(super) end: usize,
    /// Most bytes.
    pub(super) max_bytes: usize,
}

/// What has been seen so far.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    wanted: Wanted,
    kept: Vec<u8>,
    /// A `\r` at the end of the last piece, kept back until its neighbour is known.
    held_cr: bool,
    newlines: usize,
    last: Option<u8>,
    lf: bool,
    crlf: bool,
}

impl Scan {
    pub(super) fn new(wanted: Wanted) -> Scan {
        Scan { wanted, kept: Vec::new(), held_cr: false, newlines: 0, last: None, lf: false, crlf: false }
    }

    pub(super) fn feed(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.see_terminators(text);
        self.keep(wanted_part(&self.wanted, self.newlines, text));
        self.newlines += memchr::memchr_iter(b'\n', text).count();
        self.last = text.last().copied();
    }

    /// Lines so far.
    pub(super) fn line_count(&self) -> usize {
        self.newlines + usize::from(self.last.is_some_and(|byte| byte != b'\n'))
    }

    pub(super) fn final_newline(&self) -> bool {
        self.last.is_none_or(|byte| byte == b'\n')
    }

    pub(super) fn newline_style(&self) -> NewlineStyle {
        match (self.lf, self.crlf) {
            (true, true) => NewlineStyle::Mixed,
            (true, false) => NewlineStyle::Lf,
            (false, true) => NewlineStyle::Crlf,
            (false, false) => NewlineStyle::None,
        }
    }

    /// The slice, cut to the limit.
    pub(super) fn into_slice(mut self) -> Shown {
        if self.held_cr {
            self.kept.push(b'\r');
        }
        let last = self.wanted.end.min(self.line_count());
        let text = match String::from_utf8(self.kept) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        cut(text, self.wanted, last)
    }

    fn see_terminators(&mut self, text: &[u8]) {
        if self.lf && self.crlf {
            return;
        }
        let returns = self.last == Some(b'\r') || memchr::memchr(b'\r', text).is_some();
        if !returns {
            self.lf = self.lf || memchr::memchr(b'\n', text).is_some();
            return;
        }
        for at in memchr::memchr_iter(b'\n', text) {
            let before = at.checked_sub(1).map_or(self.last, |before| text.get(before).copied());
            if before == Some(b'\r') {
                self.crlf = true
            } else {
                self.lf = true
            }
            if self.lf && self.crlf {
                return;
            }
        }
    }

    fn keep(&mut self, part: &[u8]) {
        let room = self.wanted.max_bytes.saturating_add(1).saturating_sub(self.kept.len());
        if room == 0 || part.is_empty() {
            return;
        }
        if self.held_cr && part.first() != Some(&b'\n') {
            self.kept.push(b'\r');
        }
        self.held_cr = part.last() == Some(&b'\r');
        let part = if self.held_cr { part.split_last().map_or(part, |(_, rest)| rest) } else { part };
        // Every kept byte stands for two at most, so the rest of a long piece need not be looked at.
        let enough = part.get(..room.saturating_mul(2)).unwrap_or(part);
        self.held_cr = self.held_cr && enough.len() == part.len();
        let flat = to_lf(enough);
        self.kept.extend_from_slice(flat.get(..room).unwrap_or(&flat));
    }
}

/// The part of a piece that lies in the wanted lines; `done` newlines came before it.
pub(super) fn wanted_part<'a>(wanted: &Wanted, done: usize, text: &'a [u8]) -> &'a [u8] {
    let before = wanted.start.saturating_sub(1);
    let from = match before.checked_sub(done) {
        None | Some(0) => 0,
        Some(skip) => match memchr::memchr_iter(b'\n', text).nth(skip - 1) {
            Some(at) => at + 1,
            None => return b"",
        },
    };
    let rest = text.get(from..).unwrap_or_default();
    let lines = wanted.end.saturating_sub(done.max(before));
    if lines == 0 {
        return b"";
    }
    let whole = lines > rest.len();
    let to = if whole { None } else { memchr::memchr_iter(b'\n', rest).nth(lines - 1) };
    to.and_then(|at| rest.get(..=at)).unwrap_or(rest)
}

/// The slice as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) end_line: usize,
    pub(super) cut: Option<Cut>,
}

fn cut(mut text: String, wanted: Wanted, last: usize) -> Shown {
    let start = wanted.start;
    if text.len() <= wanted.max_bytes {
        return Shown { text, end_line: last.max(start.saturating_sub(1)), cut: None };
    }
    let head = text.as_bytes().get(..wanted.max_bytes).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', head).count();
    match memchr::memrchr(b'\n', head) {
        Some(at) => {
            text.truncate(at + 1);
            let next = start.saturating_add(lines);
            Shown { text, end_line: next.saturating_sub(1), cut: Some(Cut::GoOnAt(next)) }
        }
        None => {
            let whole = (0..=wanted.max_bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            text.truncate(whole);
            Shown { text, end_line: start, cut: Some(Cut::InLine(start)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str, lines: (usize, usize), max_bytes: usize, piece: usize) -> Scan {
        let mut scan = Scan::new(Wanted { start: lines.0, end: lines.1, max_bytes });
        text.as_bytes().chunks(piece).for_each(|part| scan.feed(part));
        scan
    }

    fn check(text: &str, lines: (usize, usize), max_bytes: usize, want: (&str, usize, Option<Cut>)) {
        for piece in [1, 2, 3, 5, 1000] {
            let got = scan(text, lines, max_bytes, piece).into_slice();
            let want = Shown { text: want.0.to_owned(), end_line: want.1, cut: want.2 };
            assert_eq!(got, want, "{text:?} {lines:?} {max_bytes} in pieces of {piece}");
        }
    }

    #[test]
    fn slices() {
        let all = (1, usize::MAX);
        check("a\nb\nc\n", all, 100, ("a\nb\nc\n", 3, None));
        check("a\r\nb\rc\r\n", all, 100, ("a\nb\rc\n", 2, None)); // a lone return is content
        check("a\nb\nc", (2, 2), 100, ("b\n", 2, None)); // keeps its newline
        check("a\nb\nc", (2, 9), 100, ("b\nc", 3, None));
        check("a\nb\nc", (4, 9), 100, ("", 3, None));
        check("", all, 100, ("", 0, None));
        check("a\r", all, 100, ("a\r", 1, None));
        check("a\r\n", all, 2, ("a\n", 1, None));
        check("a\r\r\nb", all, 100, ("a\r\nb", 2, None));
        check("\r\n\r\n", (2, 2), 100, ("\n", 2, None));
    }

    #[test]
    fn cuts() {
        let all = (1, usize::MAX);
        check("aa\nbb\ncc\n", all, 6, ("aa\nbb\n", 2, Some(Cut::GoOnAt(3))));
        check("aa\nbb\ncc\n", all, 8, ("aa\nbb\n", 2, Some(Cut::GoOnAt(3))));
        check("aa\nbb\ncc\n", all, 9, ("aa\nbb\ncc\n", 3, None));
        check("aa\nbb\ncc\n", (2, 3), 3, ("bb\n", 2, Some(Cut::GoOnAt(3))));
        check("aaaa\n", all, 3, ("aaa", 1, Some(Cut::InLine(1))));
        check("aaaa\n", all, 4, ("aaaa", 1, Some(Cut::InLine(1))));
        check("aéé\n", all, 2, ("a", 1, Some(Cut::InLine(1)))); // between characters
        check("€\n", all, 1, ("", 1, Some(Cut::InLine(1))));
        check("x\r\ny\r\n", all, 2, ("x\n", 1, Some(Cut::GoOnAt(2))));
        check("ab\r\r\n", all, 3, ("ab\r", 1, Some(Cut::InLine(1))));
    }

    #[test]
    fn facts() {
        for (text, lines, style, ends) in [
            ("", 0, NewlineStyle::None, true),
            ("a", 1, NewlineStyle::None, false),
            ("a\n", 1, NewlineStyle::Lf, true),
            ("a\r\nb", 2, NewlineStyle::Crlf, false),
            ("a\r\nb\n", 2, NewlineStyle::Mixed, true),
            ("a\n\r\nb\n", 3, NewlineStyle::Mixed, true),
            ("a\rb", 1, NewlineStyle::None, false),
        ] {
            for piece in [1, 2, 100] {
                let scan = scan(text, (1, 1), 1, piece);
                let got = (scan.line_count(), scan.newline_style(), scan.final_newline());
                assert_eq!(got, (lines, style, ends), "{text:?} in pieces of {piece}");
            }
        }
    }
}

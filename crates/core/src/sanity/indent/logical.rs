//! The logical lines of a Python text: what stands between two ends of a statement.
//!
//! Promises one pass over any bytes. Blank lines and comments are no lines.

/// A logical line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where its code begins.
    pub(super) at: usize,
    /// How many blanks or tabs stand before that.
    pub(super) column: usize,
    /// Which of them; nothing at the margin.
    pub(super) tabs: Option<u8>,
    pub(super) ending: Ending,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a colon: a body follows.
    Opens,
    Plain,
}

/// Passes the logical lines; an item is nothing where a line is indented with tabs and blanks.
pub(super) struct Logical<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Logical<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Logical { text, at: 0 }
    }
}

impl Iterator for Logical<'_> {
    type Item = Option<Line>;

    fn next(&mut self) -> Option<Option<Line>> {
        loop {
            let indent = self.indent();
            match self.byte()? {
                b'\n' | b'\r' => self.at = self.at.saturating_add(1),
                b'#' => self.comment(),
                _ => {
                    let start = self.at;
                    let ending = self.code();
                    return Some(indent.map(|(column, tabs)| Line { at: start, column, tabs, ending }));
                }
            }
        }
    }
}

impl<'a> Logical<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Passes what stands before the code: how much, and of which sort. A form feed begins anew.
    fn indent(&mut self) -> Option<(usize, Option<u8>)> {
        let blank = self.rest().iter().take_while(|byte| b" \t\x0c".contains(byte)).count();
        let all = self.rest().get(..blank).unwrap_or_default();
        self.skip(blank);
        let counted = all.rsplit(|byte| *byte == b'\x0c').next().unwrap_or_default();
        let sort = counted.first().copied();
        counted.iter().all(|byte| Some(*byte) == sort).then_some((counted.len(), sort))
    }

    fn comment(&mut self) {
        self.skip(memchr::memchr(b'\n', self.rest()).unwrap_or(self.rest().len()));
    }

    /// Passes the code up to its end.
    fn code(&mut self) -> Ending {
        let (mut depth, mut last) = (0_usize, 0);
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' if depth == 0 => break,
                b'#' => {
                    self.comment();
                    continue;
                }
                b'\\' => self.escape(),
                b'"' | b'\'' => self.string(byte),
                _ => self.skip(1),
            }
            match byte {
                b'(' | b'[' | b'{' => depth = depth.saturating_add(1),
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            last = if byte.is_ascii_whitespace() { last } else { byte };
        }
        if last == b':' && depth == 0 { Ending::Opens } else { Ending::Plain }
    }

    /// Passes a backslash and what it hides: one byte, or the end of a line.
    fn escape(&mut self) {
        let pair = self.rest().get(1..).is_some_and(|next| next.starts_with(b"\r\n"));
        self.skip(if pair { 3 } else { 2 });
    }

    /// Passes a string; one that its line does not close ends there.
    fn string(&mut self, quote: u8) {
        let thrice = [quote; 3];
        let close = if self.rest().starts_with(&thrice) { thrice.as_slice() } else { std::slice::from_ref(&quote) };
        self.skip(close.len());
        while let Some(byte) = self.byte() {
            match byte {
                b'\\' => self.escape(),
                b'\n' if close.len() == 1 => return,
                _ if self.rest().starts_with(close) => return self.skip(close.len()),
                _ => self.skip(1),
            }
        }
    }
}

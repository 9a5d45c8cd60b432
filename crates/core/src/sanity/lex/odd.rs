//! What tables of quotes cannot say: lifetimes, fenced raw strings, patterns between slashes.

use super::super::balance::Side;
use super::{Bracket, Lexer, Odd, Sort};

/// Words after which a slash begins a pattern.
const BEFORE_PATTERN: &[&[u8]] = &[
    b"return", b"typeof", b"case", b"in", b"of", b"delete", b"void", b"throw", b"new", b"do", b"else", b"yield",
    b"await",
];

impl Lexer<'_> {
    /// Passes something of the language's own, if it begins here.
    pub(super) fn odd(&mut self) -> bool {
        match (self.style.odd, self.byte(self.at)) {
            (Odd::Rust, Some(b'\'')) => self.character(),
            (Odd::Rust, Some(b'r')) => self.fenced(),
            (Odd::Cpp, Some(b'R')) => self.delimited(),
            (Odd::Cpp, Some(b'\'')) => self.digit_quote(),
            (Odd::Script, Some(b'/')) => self.pattern(),
            (Odd::Lua, Some(b'[')) => self.long_bracket(0),
            _ => false,
        }
    }

    /// `'a'` and `'\u{7d}'` are characters, `'a` is a lifetime.
    fn character(&mut self) -> bool {
        let inner = self.from(self.at.saturating_add(1));
        let len = match inner.first() {
            Some(b'\\') => {
                inner.iter().skip(2).take(12).position(|byte| *byte == b'\'').map(|end| end.saturating_add(2))
            }
            Some(first) => Some(width(*first)).filter(|width| inner.get(*width) == Some(&b'\'')),
            None => None,
        };
        self.skip(len.map_or(1, |len| len.saturating_add(2)));
        true
    }

    /// `r"…"`, `br##"…"##`.
    fn fenced(&mut self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        let second = self.at.checked_sub(2).and_then(|at| self.byte(at));
        let prefixed = matches!(before, Some(b'b' | b'c')) && !second.is_some_and(is_word);
        if before.is_some_and(is_word) && !prefixed {
            self.skip(1);
            return true;
        }
        let inner = self.from(self.at.saturating_add(1));
        let fence = inner.iter().take_while(|byte| **byte == b'#').count();
        if inner.get(fence) != Some(&b'"') {
            self.skip(1);
            return true;
        }
        self.skip(fence.saturating_add(2));
        while let Some(quote) = memchr::memchr(b'"', self.rest()) {
            self.skip(quote.saturating_add(1));
            let closing = self.rest().iter().take(fence).take_while(|byte| **byte == b'#').count();
            self.skip(closing);
            if closing == fence {
                return true;
            }
        }
        self.at = self.text.len();
        true
    }

    /// `R"mark( … )mark"`.
    fn delimited(&mut self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        let free = !before.is_some_and(|byte| is_word(byte) && !matches!(byte, b'u' | b'U' | b'L' | b'8'));
        let inner = self.rest().strip_prefix(b"R\"").filter(|_| free);
        let mark = inner.and_then(|inner| inner.get(..inner.iter().take(17).position(|byte| *byte == b'(')?));
        let Some(mark) = mark.filter(|mark| !mark.iter().any(|byte| b" )\\\"\n".contains(byte))) else {
            self.skip(1);
            return true;
        };
        let close = [b")", mark, b"\""].concat();
        let found = memchr::memmem::find(self.rest(), &close);
        self.skip(found.map_or(self.text.len(), |at| at.saturating_add(close.len())));
        true
    }

    /// `1'000`: no character begins here.
    fn digit_quote(&mut self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        let after = self.byte(self.at.saturating_add(1));
        let between =
            before.is_some_and(|byte| byte.is_ascii_hexdigit()) && after.is_some_and(|b| b.is_ascii_hexdigit());
        if between {
            self.skip(1);
        }
        between
    }

    /// `/…/`, where no division can be.
    fn pattern(&mut self) -> bool {
        let next = self.byte(self.at.saturating_add(1));
        if next == Some(b'>') || self.at < self.slash_hopeless || !self.may_be_pattern() {
            return false;
        }
        let end = self.line_end(self.at);
        let body = self.text.get(self.at.saturating_add(1)..end).unwrap_or_default();
        let Some(len) = pattern_len(body) else {
            self.slash_hopeless = end;
            return false;
        };
        self.skip(len.saturating_add(2));
        true
    }

    fn may_be_pattern(&self) -> bool {
        let code = self.text.get(..self.at).unwrap_or_default().trim_ascii_end();
        match code.last() {
            None => true,
            Some(last) if is_word(*last) => {
                let word = code.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
                BEFORE_PATTERN.contains(&word)
            }
            // `</div>` closes an element.
            Some(b'<') => self.at != code.len(),
            Some(last) => !b")]\"'`".contains(last),
        }
    }

    /// `[[ … ]]`, `[==[ … ]==]`, after so many bytes.
    pub(super) fn long_bracket(&mut self, after: usize) -> bool {
        let inner = self.from(self.at.saturating_add(after).saturating_add(1));
        let level = inner.iter().take_while(|byte| **byte == b'=').count();
        if inner.get(level) != Some(&b'[') {
            return false;
        }
        let close = [&b"]"[..], &vec![b'='; level], b"]"].concat();
        let found = memchr::memmem::find(self.rest(), &close);
        self.skip(found.map_or(self.text.len(), |at| at.saturating_add(close.len())));
        true
    }
}

/// Conditional compilation. Of its branches only the first is looked at: each may open what the end closes.
impl Lexer<'_> {
    /// The `#if` or `#endif` here; passes the branches between.
    pub(super) fn conditional(&mut self) -> Option<Bracket> {
        if self.style.odd != Odd::Cpp || self.byte(self.at) != Some(b'#') || !self.begins_line() {
            return None;
        }
        match Directive::of(self.rest())? {
            Directive::If if self.is_about_cpp() => {
                self.pass_branches();
                self.skip(1);
                None
            }
            Directive::If => self.directive(Side::Open),
            Directive::End => self.directive(Side::Close),
            Directive::Else => {
                self.pass_branches();
                (self.at < self.text.len()).then(|| self.directive(Side::Close)).flatten()
            }
        }
    }

    fn directive(&mut self, side: Side) -> Option<Bracket> {
        let at = self.at;
        self.skip(1);
        Some(Bracket { at, sort: Sort::Conditional, side })
    }

    /// `extern "C" {` stands in one such group, and its end in another.
    fn is_about_cpp(&self) -> bool {
        let line = self.text.get(self.at..self.line_end(self.at)).unwrap_or_default();
        memchr::memmem::find(line, b"__cplusplus").is_some()
    }

    fn begins_line(&self) -> bool {
        let code = self.text.get(..self.at).unwrap_or_default();
        let blank = code.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        blank.is_none_or(|byte| *byte == b'\n')
    }

    /// Goes to the `#endif` that ends the branch here.
    fn pass_branches(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.at = self.line_end(self.at).saturating_add(1).min(self.text.len());
            let indent = self.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            self.skip(indent);
            match Directive::of(self.rest()) {
                _ if self.at >= self.text.len() => return,
                Some(Directive::If) => depth = depth.saturating_add(1),
                Some(Directive::End) if depth == 0 => return,
                Some(Directive::End) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// In style sheets `//` after something else is part of an address.
    pub(super) fn is_address(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.byte(at));
        let apart = before.is_none_or(|byte| byte.is_ascii_whitespace() || b";{}".contains(&byte));
        self.style.odd == Odd::Sheet && !apart
    }
}

/// What divides branches.
enum Directive {
    If,
    Else,
    End,
}

impl Directive {
    fn of(line: &[u8]) -> Option<Directive> {
        let word = line.strip_prefix(b"#")?;
        let word = word.get(..word.len().min(64)).unwrap_or_default().trim_ascii_start();
        let end = word.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(word.len());
        match word.get(..end)? {
            b"if" | b"ifdef" | b"ifndef" => Some(Directive::If),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => Some(Directive::Else),
            b"endif" => Some(Directive::End),
            _ => None,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// How many bytes the character has that begins so.
fn width(first: u8) -> usize {
    match first {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}

/// Where the slash stands that ends a pattern. One in `[…]` does not.
fn pattern_len(body: &[u8]) -> Option<usize> {
    let (mut class, mut escaped) = (false, false);
    body.iter().position(|byte| {
        let ends = *byte == b'/' && !class && !escaped;
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => class = true,
            b']' => class = false,
            _ => {}
        }
        ends
    })
}

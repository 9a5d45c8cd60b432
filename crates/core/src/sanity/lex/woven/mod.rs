//! Brackets of languages whose strings hold code, run on to a word of their own, or begin where a division might stand.
//!
//! Promises to say nothing rather than something doubtful: a text in which one such place could be read in two ways, or in
//! which something never ends, has no brackets to tell. Brackets of code inside strings are passed over. Linear work on any
//! bytes: nothing is looked for twice.

mod groovy;
mod hcl;
mod php;
mod ruby;
mod slash;
mod vue;

pub(super) use groovy::groovy;
pub(super) use hcl::hcl;
pub(super) use php::php;
pub(super) use ruby::ruby;
pub(in super::super) use vue::custom as custom_blocks;
pub(super) use vue::vue;

use super::super::balance::Side;
use super::{Bracket, Sort};

/// A text that is being read.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    /// Brackets of code outside strings.
    found: Vec<Bracket>,
    /// What the place is inside of, the innermost last.
    inside: Vec<Inside>,
    /// Could the text not be told?
    lost: bool,
}

/// What a place may be inside of.
#[derive(Clone, Copy)]
enum Inside {
    /// A string.
    Text(Text),
    /// Code in a string, so deep in curly brackets of its own.
    Hole(usize),
}

/// How a string goes on and ends.
#[derive(Clone, Copy)]
struct Text {
    close: &'static [u8],
    /// What opens another level that needs its own end, and how many levels are open.
    nest: Option<(u8, usize)>,
    /// Whether a backslash takes the meaning of what follows.
    escapes: bool,
    /// What begins code in it.
    holes: &'static [&'static [u8]],
    /// What looks like such a beginning and is none.
    plain: &'static [&'static [u8]],
    /// Whether it may run over lines.
    lines: bool,
}

/// A string of one line, in which a backslash escapes and no code can be.
const PLAIN: Text = Text { close: b"'", nest: None, escapes: true, holes: &[], plain: &[], lines: false };

impl<'a> Scan<'a> {
    /// Reads a whole text; `code` passes at least one byte of code each time.
    fn read(text: &'a [u8], code: impl FnMut(&mut Scan<'a>)) -> Option<Vec<Bracket>> {
        let mut scan = Scan { text, at: 0, found: Vec::new(), inside: Vec::new(), lost: false };
        scan.run(code);
        (scan.inside.is_empty() && !scan.lost).then_some(scan.found)
    }

    fn run(&mut self, mut code: impl FnMut(&mut Scan<'a>)) {
        while self.at < self.text.len() && !self.lost {
            match self.inside.last().copied() {
                Some(Inside::Text(text)) => self.text(text),
                Some(Inside::Hole(_)) | None => code(self),
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn starts(&self, mark: &[u8]) -> bool {
        self.rest().starts_with(mark)
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at.saturating_add(ahead)).copied()
    }

    fn before(&self) -> Option<u8> {
        self.at.checked_sub(1).and_then(|at| self.text.get(at)).copied()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    fn begins_line(&self) -> bool {
        self.before().is_none_or(|byte| byte == b'\n')
    }

    /// Goes to the end of the line, before its newline.
    fn pass_line(&mut self) {
        self.skip(memchr::memchr(b'\n', self.rest()).unwrap_or(usize::MAX));
    }

    /// Goes past the next such mark, or is lost.
    fn pass(&mut self, mark: &[u8]) {
        match memchr::memmem::find(self.rest(), mark) {
            Some(at) => self.skip(at.saturating_add(mark.len())),
            None => self.lost = true,
        }
    }

    /// Goes past a comment between `/*` and `*/`: a slash right behind the beginning is no end.
    fn pass_comment(&mut self) {
        self.skip(2);
        self.pass(b"*/");
    }

    /// Enters a string whose beginning has so many bytes.
    fn enter(&mut self, open: usize, text: Text) {
        self.skip(open);
        self.inside.push(Inside::Text(text));
    }

    /// Passes one byte of a string, or what means more there.
    fn text(&mut self, text: Text) {
        let rest = self.rest();
        let hole = || text.holes.iter().find(|mark| rest.starts_with(mark));
        let plain = || text.plain.iter().find(|mark| rest.starts_with(mark));
        match self.byte(0) {
            Some(b'\\') if text.escapes => self.skip(2),
            Some(b'\n') if !text.lines => self.lost = true,
            Some(byte) if text.nest.is_some_and(|(open, _)| open == byte) => {
                self.nest(|depth| depth.checked_add(1));
                self.skip(1);
            }
            _ if rest.starts_with(text.close) => {
                if !self.nest(|depth| depth.checked_sub(1)) {
                    self.inside.pop();
                }
                self.skip(text.close.len());
            }
            _ => match (plain(), hole()) {
                (Some(mark), _) => self.skip(mark.len()),
                (None, Some(mark)) => {
                    self.inside.push(Inside::Hole(0));
                    self.skip(mark.len());
                }
                (None, None) => self.skip(1),
            },
        }
    }

    /// Goes a level up or down in the string here; says whether there was one to go to.
    fn nest(&mut self, step: impl Fn(usize) -> Option<usize>) -> bool {
        let Some(Inside::Text(Text { nest: Some((_, depth)), .. })) = self.inside.last_mut() else { return false };
        let Some(level) = step(*depth) else { return false };
        *depth = level;
        true
    }

    /// Passes one byte of code: a bracket, or anything else.
    fn code(&mut self) {
        let bracket = self.byte(0).and_then(bracket);
        let at = self.at;
        self.skip(1);
        let Some((sort, side)) = bracket else { return };
        match (self.inside.last_mut(), sort, side) {
            (Some(Inside::Hole(depth)), Sort::Curly, Side::Open) => *depth = depth.saturating_add(1),
            (Some(Inside::Hole(0)), Sort::Curly, Side::Close) => drop(self.inside.pop()),
            (Some(Inside::Hole(depth)), Sort::Curly, Side::Close) => *depth = depth.saturating_sub(1),
            (Some(_), ..) => {}
            (None, ..) => self.found.push(Bracket { at, sort, side }),
        }
    }

    /// Goes past the line that has nothing but this word and blanks before it, or is lost; `ends` says whether what follows
    /// the word may follow it.
    fn pass_to_word(&mut self, word: &[u8], ends: impl Fn(&[u8]) -> bool) {
        while self.at < self.text.len() {
            let line =
                self.rest().get(..memchr::memchr(b'\n', self.rest()).unwrap_or(usize::MAX)).unwrap_or(self.rest());
            let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let after = line.get(blank..).and_then(|line| line.strip_prefix(word));
            if after.is_some_and(&ends) {
                return self.skip(blank.saturating_add(word.len()));
            }
            self.skip(line.len().saturating_add(1));
        }
        self.lost = true;
    }
}

fn bracket(byte: u8) -> Option<(Sort, Side)> {
    Some(match byte {
        b'(' => (Sort::Round, Side::Open),
        b')' => (Sort::Round, Side::Close),
        b'[' => (Sort::Square, Side::Open),
        b']' => (Sort::Square, Side::Close),
        b'{' => (Sort::Curly, Side::Open),
        b'}' => (Sort::Curly, Side::Close),
        _ => return None,
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The word that a text begins with.
fn word(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| is_word(**byte)).count();
    text.get(..len).unwrap_or_default()
}

#[cfg(test)]
mod tests;

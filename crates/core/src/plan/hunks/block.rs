//! Where the block of a line ends: by indentation, brackets and closing words.
//!
//! Promises that a line inside a string never ends a block, and where the end is in doubt the larger block: that can make
//! a hunk fit twice, never in the wrong place.

use crate::sanity::Row;

/// A line on the way through a block.
#[derive(Clone, Copy)]
pub(super) struct Step<'l, T> {
    pub(super) at: T,
    pub(super) text: &'l [u8],
    pub(super) row: Row,
    /// Did a hunk of this patch bring it? Then nobody knows whether it stands in a string that was there before.
    pub(super) fresh: bool,
}

/// Beginnings of lines that only comment, in whatever language: where indentation alone ends a block, they do not.
const COMMENTS: &[&[u8]] = &[b"#", b"//", b"/*", b"--", b";", b"%"];

/// Words that end a block, by the endings of files.
const CLOSERS: &[(&[&str], &[&[u8]])] = &[
    (&["rb", "rake", "gemspec", "ru", "lua", "ex", "exs", "jl", "cr"], &[b"end"]),
    (&["sh", "bash", "zsh"], &[b"fi", b"done", b"esac"]),
];

/// Words that begin a block which a word ends.
const OPENERS: &[&[u8]] = &[
    b"def",
    b"defp",
    b"class",
    b"module",
    b"defmodule",
    b"function",
    b"local function",
    b"if",
    b"unless",
    b"while",
    b"until",
    b"for",
    b"case",
    b"begin",
];

/// What ends the block of a header beside indentation and brackets.
enum Closing {
    Nothing,
    /// One of these words.
    Words(&'static [&'static [u8]]),
    /// `</…` or `/>`.
    Tag,
}

impl Closing {
    fn of(path: &str, header: &[u8]) -> Closing {
        if header.strip_prefix(b"<").and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic) {
            return Closing::Tag;
        }
        let ending = path.rsplit('.').next().unwrap_or_default();
        let words = CLOSERS.iter().find(|(endings, _)| endings.contains(&ending)).map(|(_, words)| *words);
        let begun = OPENERS.iter().any(|word| starts_with_word(header, word));
        let ends = [&b" do"[..], b" then", b"|"].iter().any(|end| header.ends_with(end));
        match words {
            Some(words) if begun || ends => Closing::Words(words),
            _ => Closing::Nothing,
        }
    }

    /// Does a line close the block? Where nothing of the kind does, a bracket.
    fn closes(&self, line: &[u8]) -> bool {
        match self {
            Closing::Nothing => line.starts_with(b"}") || line.starts_with(b")") || line.starts_with(b"]"),
            Closing::Words(words) => words.iter().any(|word| starts_with_word(line, word)),
            Closing::Tag => line.starts_with(b"</") || line.starts_with(b"/>"),
        }
    }
}

fn starts_with_word(line: &[u8], word: &[u8]) -> bool {
    line.strip_prefix(word)
        .is_some_and(|rest| !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// Does a header have its whole block on its own line?
fn is_whole(header: &[u8]) -> bool {
    let bare = header.trim_ascii();
    let holds = |part: &[u8]| memchr::memmem::find(bare, part).is_some();
    let named =
        [&b"class "[..], b"struct ", b"enum ", b"interface ", b"impl ", b"impl<", b"trait ", b"mod ", b"namespace "];
    let defines = holds(b") {") || holds(b"){") || holds(b"{") && named.iter().any(|word| holds(word));
    let braces = defines && [&b"}"[..], b"};", b"},"].iter().any(|end| bare.ends_with(end));
    let python = [&b"def "[..], b"class ", b"async def "].iter().any(|word| bare.starts_with(word))
        && bare.contains(&b':')
        && !bare.contains(&b'{')
        && ![&b":"[..], b"(", b",", b"\\"].iter().any(|end| bare.ends_with(end));
    braces || python
}

/// Is this between a header and its bracket, whatever its indentation?
fn is_between(line: &[u8]) -> bool {
    line == b"where" || line.starts_with(b"where ")
}

/// The block of a header while its lines are read.
struct Block {
    /// Does the header end in a colon, as the name of a list does?
    colon: bool,
    indent: usize,
    closing: Closing,
    /// Are brackets guessed where they are not known? So it is if the header opens one.
    guesses: bool,
    depth: i64,
    closed: bool,
    /// Has the header a block of its own, or does it stand for the one it is in?
    has_block: Option<bool>,
}

/// What a line is to a block.
enum Part {
    Inside,
    /// Inside if what follows is.
    Neutral,
    Beyond,
    /// The block in which the header stands ends here.
    OuterEnd,
}

/// The first line beyond the block of the first.
pub(super) fn beyond<'l, T: Copy>(path: &str, mut lines: impl Iterator<Item = Step<'l, T>>) -> Option<T> {
    let first = lines.next()?;
    let mut block = Block::of(path, first.text, first.row);
    if block.depth == 0 && !first.row.held && is_whole(first.text) {
        return lines.next().map(|step| step.at);
    }
    let mut end = None;
    let mut continued = is_continued(first.text);
    let mut strings = has_string(first.text);
    for step in lines {
        let doubtful = step.fresh && !first.fresh && strings;
        strings |= step.row.held || has_string(step.text);
        let held = std::mem::replace(&mut continued, is_continued(step.text)) || step.row.held;
        match block.part(step.text, Row { held, ..step.row }) {
            Part::Inside => end = None,
            Part::Neutral => end = end.or(Some(step.at)),
            Part::Beyond if doubtful => end = end.or(Some(step.at)),
            Part::Beyond => return end.or(Some(step.at)),
            Part::OuterEnd => return Some(step.at),
        }
    }
    end.filter(|_| block.has_block == Some(true))
}

/// May a string begin or end on this line that runs over several?
fn has_string(line: &[u8]) -> bool {
    let marks = [&b"\"\"\""[..], b"'''", b"`", b"<<", b"/*", b"[[", b"[=", b"=begin"];
    marks.iter().any(|mark| memchr::memmem::find(line, mark).is_some())
        || [b'"', b'\''].iter().any(|quote| memchr::memchr_iter(*quote, line).count() % 2 == 1)
}

/// Does the next line go on with this one?
fn is_continued(line: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(b"\\")
}

impl Block {
    fn of(path: &str, header: &[u8], row: Row) -> Block {
        let bare = header.trim_ascii();
        let guesses = row.leap == 0 && row.guess > 0;
        let depth = if guesses { row.guess } else { row.leap };
        let opens = row.leap > 0 || guesses && matches!(bare.last(), Some(b'{' | b'(' | b'['));
        let closing = if opens { Closing::Nothing } else { Closing::of(path, bare) };
        let has_block = opens.then_some(true);
        let colon = bare.ends_with(b":");
        Block { colon, indent: columns(header), closing, guesses, depth, closed: false, has_block }
    }

    fn part(&mut self, line: &[u8], row: Row) -> Part {
        let before = self.depth;
        self.depth += if self.guesses { row.guess } else { row.leap };
        let (bare, column) = (line.trim_ascii(), columns(line));
        if row.held {
            return Part::Inside;
        }
        let comments = before <= 0 && row.guess == 0 && COMMENTS.iter().any(|mark| bare.starts_with(mark));
        let between = self.has_block.is_none() && column == self.indent && is_between(bare);
        if bare.is_empty() || between || comments && column <= self.indent && !self.closed {
            return Part::Neutral;
        }
        // The items of a list may stand right below its name.
        let item = column == self.indent && bare.starts_with(b"-") && self.colon;
        let deeper = column > self.indent;
        if !*self.has_block.get_or_insert(deeper || bare.starts_with(b"{") || item) {
            // The block in which it stands ends where less indentation or a bracket says so.
            let outer_end = column < self.indent || self.depth < 0 && !self.guesses;
            return if outer_end { Part::OuterEnd } else { Part::Neutral };
        }
        let inside = before > 0 || deeper || item || self.goes_on(bare, column);
        self.close(bare, column);
        if inside { Part::Inside } else { Part::Beyond }
    }

    /// Does a line that is not deeper than the header belong to the block?
    fn goes_on(&self, bare: &[u8], column: usize) -> bool {
        let closes = self.closing.closes(bare);
        let same = column == self.indent && (closes || bare.starts_with(b"{"));
        // Where a word or a tag ends the block, nothing else does.
        let unclosed = !closes && !matches!(self.closing, Closing::Nothing);
        !self.closed && (same || unclosed)
    }

    /// Notes whether a line closes the block. `} else {` goes on, whether or not the header itself was such a line.
    fn close(&mut self, bare: &[u8], column: usize) {
        let closes = match self.closing {
            Closing::Nothing => bare.starts_with(b"}") && self.depth <= 0 && !bare.ends_with(b"{"),
            Closing::Words(_) | Closing::Tag => self.closing.closes(bare),
        };
        self.closed |= closes && column == self.indent;
    }
}

/// How far a line is indented; tabs reach to the next multiple of eight.
fn columns(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |column, byte| if *byte == b'\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of the line that begins with `>`, marked by `|` before each of its lines.
    fn check(path: &str, text: &str) {
        let marked: Vec<&str> = text.lines().collect();
        let header = marked.iter().position(|line| line.starts_with('>')).unwrap();
        let bare: Vec<&[u8]> = marked.iter().map(|line| &line.as_bytes()[1..]).collect();
        let whole: Vec<u8> = bare.iter().flat_map(|line| [*line, b"\n"].concat()).collect();
        let rows = crate::sanity::rows(path, &whole);
        let step = |(at, (text, row))| Step { at, text, row, fresh: false };
        let lines = bare.iter().copied().zip(rows).enumerate().skip(header).map(step);
        let found = beyond(path, lines).unwrap_or(bare.len());
        let end = marked.iter().rposition(|line| line.starts_with(['>', '|'])).unwrap();
        assert_eq!(found, end + 1, "{path}:\n{text}");
    }

    #[test]
    fn blocks() {
        check("a.py", " import x\n>class A:\n|    def f(self):\n|        pass\n|\n|    y = 1\n \n class B:\n     pass");
        check("a.py", " class A:\n>    def f(self,\n|          x):\n|        pass\n     def g(self):\n         pass");
        check("a.py", " class A:\n>    x = 1\n|    y = 2\n|\n|    def f(self):\n|        pass\n class B:\n     pass");
        check("a.rs", " fn a() {\n }\n>fn b(\n|    x: u8,\n|) -> u8 {\n|    x\n|}\n fn c() {\n }");
        check("a.rs", ">impl A {\n|    fn b() {\n|        \"}\";\n|    }\n|}\n impl B {\n }");
        check(
            "a.c",
            ">int f(int a,\n|      int b)\n|{\n|    if (a)\n|    {\n|#if X\n|        a();\n|#endif\n|    }\n|}\n int g()\n {\n }",
        );
        check("a.c", " int f()\n {\n>    a();\n|    b();\n|    if (c) {\n|    }\n }");
        check("a.js", ">if (a) {\n|  b();\n|} else {\n|  c();\n|}\n d();");
        check("a.rs", " if a {\n     b\n>} else if c {\n|    d\n|} else if e {\n|    f\n|} else {\n|    g\n|}\n h();");
        check("unknown", ">when {\n|  a\n|} else {\n|  b\n|}\n when {\n   a\n }");
        check("a.rs", ">impl<T> A for B<T>\n|where\n|    T: C,\n|{\n|    fn f() {}\n|}\n impl D {\n     fn g() {}\n }");
        check("a.rs", ">impl A for B\n|// why\n|{\n|    fn f() {}\n|}\n impl D {\n }");
        check("a.js", ">function a(x) { return x; }\n function b(x) {\n   log(x);\n }");
        check("a.rs", ">use a::{b, c};\n|use d;\n|fn f() {\n|    g();\n|}");
        check("a.ts", ">class A {}\n class B {\n   x = 1;\n }");
        check("a.py", ">def a(): return 1\n def b():\n     return 2");
        check("a.py", ">def a():\n|    x = 1\n|# note\n|    y = 2\n # end\n def b():\n     pass");
        check("a.yml", ">a:\n|- x: 1\n|  y: 2\n|- x: 3\n b:\n - x: 1");
        check("notes.md", " # A\n>## B\n|text\n|## C\n|more");
        check("unknown", ">begin {\n|  a\n|}\n begin {\n   a\n }");
        check("unknown", ">a:\n|\tb\n|\n|        c\n d");
        check("a.py", ">def f():\n|    x()\n|    s = \"\"\"\n|col 0\n|\"\"\"\n|    x()\n \n def g():\n     x()");
        check("a.py", ">class A:\n|    \"\"\"A\n|thing.\n|    \"\"\"\n|    x = 1\n class B:\n     x = 1");
        check("a.py", ">def f():\n|    x = 1 + \\\n|2\n|    y\n z");
        check("a.sh", ">f() {\n|  x\n|  cat <<E\n|}\n|col0\n|E\n|  x\n|}\n g() {\n   x\n }");
        check("a.sh", ">if x; then\n|  a\n|else\n|  b\n|fi\n c");
        check("a.rb", ">def f\n|  x\n|  s = <<~E\n|col0\n|E\n|  x\n|rescue\n|  x\n|end\n def g\n   x\n end");
        check("a.lua", ">function f()\n|  x()\n|-- note\n|  s = [[\n|a\n|]]\n|  x()\n|end\n x()");
        check("a.txt", ">f {\n|  x\n|label:\n|  x \"}\"\n|more\n|}\n g {\n   x\n }");
        check("a.html", "><div>\n|  a\n|text\n|  a\n|</div>\n <div>\n   a\n </div>");
        check("a.css", ">.a {\n|  b: c;\n|}\n #d {\n   b: c;\n }");
        check("x.go", ">func f() {\n|x()\n|}\n func g() {\n }");
    }
}

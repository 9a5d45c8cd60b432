//! The block that a header names: from its line to where indentation or brackets end it.
//!
//! Promises one line for each header or the reason why there is none, and a block that holds that line and never
//! reaches beyond the block of the header above it. A header is compared with whole lines, without the blanks around
//! them: those who write headers tend to leave the indentation out. One that has indentation of its own means the
//! line with just that, if there is one. Nothing is told by likeness. Only the block itself is read for its end.

use super::find::Bounds;
use super::index::Index;
use super::place::Miss;
use super::roll::{At, Held, Roll};
use crate::sanity;
use crate::seeded::{Bug, is_planted};
use crate::text::final_newline;
use std::borrow::Cow;

/// The lines of a text that open more brackets than they close, or fewer, by where they begin.
pub(super) type Leaps = Vec<(usize, i64)>;

impl<'a> Roll<'a> {
    /// The block that the last of these headers names.
    pub(super) fn scope(&self, headers: &'a [String]) -> Result<Bounds, Miss<'a>> {
        let mut outer = Bounds::default();
        let mut scope = outer;
        for header in headers {
            let at = match self.meant(header, self.alike(header, outer))[..] {
                [] => return Err(Miss::NoHeader(header, outer)),
                [(at, _)] => at,
                _ => return Err(Miss::ManyHeaders(header, outer)),
            };
            let until = if is_planted(Bug::ScopeIgnored) { None } else { self.block_end(at, outer.until) };
            outer = Bounds { under: Some(at), until };
            scope = Bounds { under: self.previous(at), until };
        }
        Ok(scope)
    }

    /// The lines that a header may mean, each with its number from 1 in the stretch.
    pub(super) fn named(&self, header: &str, bounds: Bounds) -> Vec<(At, usize)> {
        let bare = header.as_bytes().trim_ascii();
        let lines = self.between(bounds).zip(1..);
        self.meant(header, lines.filter(|(at, _)| self.row(*at).text.trim_ascii() == bare).collect())
    }

    /// The lines that say what a header does, whatever their indentation; without numbers where there is an index.
    fn alike(&self, header: &str, bounds: Bounds) -> Vec<(At, usize)> {
        let Some(index) = self.headings() else { return self.named(header, bounds) };
        let nodes = index.nodes(header.as_bytes().trim_ascii()).inspect(|_| self.pay());
        let lines = nodes.filter(|node| self.is_live(*node)).filter_map(|node| self.head(node));
        let under = |at: &At| bounds.under.is_none_or(|under| self.is_below(*at, under));
        let above = |at: &At| bounds.until.is_none_or(|until| self.is_below(until, *at));
        // Two are as bad as many, unless indentation tells them apart.
        let most = if is_indented(header) { usize::MAX } else { 2 };
        lines.filter(|at| under(at) && above(at)).take(most).map(|at| (at, 0)).collect()
    }

    /// Those with the indentation of the header, if it has some and there are such.
    fn meant(&self, header: &str, alike: Vec<(At, usize)>) -> Vec<(At, usize)> {
        let exact = |(at, _): &&(At, usize)| self.row(*at).text.trim_ascii_end() == header.as_bytes().trim_ascii_end();
        let exact: Vec<(At, usize)> = alike.iter().filter(exact).copied().collect();
        if is_indented(header) && !exact.is_empty() { exact } else { alike }
    }

    /// All lines by what they say without the blanks around, where each is a node of its own.
    fn headings(&self) -> Option<&Index<'a>> {
        self.index.as_ref()?;
        Some(self.headings.get_or_init(|| {
            let mut index = Index::default();
            self.between(Bounds::default()).for_each(|at| index.add(self.row(at).text.trim_ascii(), at.node));
            index
        }))
    }

    /// The first line beyond the block of a line, if it ends before `limit`.
    fn block_end(&self, header: At, limit: Option<At>) -> Option<At> {
        let lines = self.between(Bounds { under: self.previous(header), until: limit });
        let comments = Comments::of(self.path);
        beyond(lines.map(|at| (at, self.row(at).text, self.leap(at))), comments).or(limit)
    }

    /// How many more brackets are open after a line than before it. Of an old line that is so as the file was at first:
    /// it would have to be read anew for each hunk.
    fn leap(&self, at: At) -> i64 {
        match self.held(at.node) {
            Held::New { text, .. } => leaps(self.path, text).first().map_or(0, |(_, leap)| *leap),
            Held::Old { .. } => {
                let leaps = self.leaps.get_or_init(|| leaps(self.path, self.text));
                let found = leaps.binary_search_by_key(&at.offset, |(start, _)| *start);
                found.ok().and_then(|found| leaps.get(found)).map_or(0, |(_, leap)| *leap)
            }
        }
    }
}

fn is_indented(header: &str) -> bool {
    header.starts_with([' ', '\t'])
}

fn leaps(path: &str, text: &[u8]) -> Leaps {
    let mut whole = Cow::Borrowed(text);
    if !final_newline(text) {
        whole.to_mut().push(b'\n');
    }
    let depths = sanity::depths(path, &whole).unwrap_or_default();
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &whole).map(|end| end + 1));
    let before = std::iter::once(0).chain(depths.iter().copied());
    let leaps = starts.zip(depths.iter().zip(before)).map(|(start, (after, before))| (start, after - before));
    leaps.filter(|(_, leap)| *leap != 0).collect()
}

/// How lines that only comment begin, by the file's name: where indentation alone ends a block, they do not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    Hash,
    Other,
}

impl Comments {
    fn of(path: &str) -> Comments {
        let ending = path.rsplit('.').next().unwrap_or_default();
        if ["py", "pyi", "yml", "yaml", "rb", "sh"].contains(&ending) { Comments::Hash } else { Comments::Other }
    }
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
    line == b"where" || [&b"where "[..], b"//", b"/*"].iter().any(|word| line.starts_with(word))
}

/// The first line beyond the block of the first. Each comes with how many more brackets are open after it than before.
fn beyond<'l, T: Copy>(mut lines: impl Iterator<Item = (T, &'l [u8], i64)>, comments: Comments) -> Option<T> {
    let (_, header, opened) = lines.next()?;
    let indent = columns(header);
    let (mut depth, mut closed) = (opened, false);
    if opened == 0 && is_whole(header) {
        return lines.next().map(|(at, ..)| at);
    }
    let mut has_block = (opened > 0).then_some(true);
    let mut end = None;
    for (at, line, leap) in lines {
        let before = depth;
        depth += leap;
        end = end.or(Some(at));
        let bare = line.trim_ascii();
        if bare.is_empty() || comments == Comments::Hash && bare.starts_with(b"#") && columns(line) <= indent {
            continue;
        }
        if has_block.is_none() && columns(line) == indent && is_between(bare) {
            continue;
        }
        // The items of a list may stand right below its name.
        let item = columns(line) == indent && bare.starts_with(b"-") && header.trim_ascii().ends_with(b":");
        if !*has_block.get_or_insert(columns(line) > indent || bare.starts_with(b"{") || item) {
            // The block in which it stands ends where less indentation or a bracket says so.
            if columns(line) < indent || depth < 0 {
                return Some(at);
            }
            continue;
        }
        let closes = bare.starts_with(b"}") || bare.starts_with(b")") || bare.starts_with(b"]");
        let same = columns(line) == indent && !closed;
        let inside = before > 0 || columns(line) > indent || item || same && (closes || bare.starts_with(b"{"));
        if !inside {
            return end;
        }
        // `} else {` goes on, whether or not the header itself was such a line.
        closed |= bare.starts_with(b"}") && columns(line) == indent && depth <= 0 && !bare.ends_with(b"{");
        end = None;
    }
    end.filter(|_| has_block == Some(true))
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
        let leaps = leaps(path, &whole);
        let starts = bare.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len() + 1)));
        let leap = |start| leaps.iter().find(|(at, _)| *at == start).map_or(0, |(_, leap)| *leap);
        let lines = bare.iter().zip(starts).enumerate().skip(header);
        let lines = lines.map(|(at, (line, start))| (at, *line, leap(start)));
        let found = beyond(lines, Comments::of(path)).unwrap_or(bare.len());
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
        check("x.go", ">func f() {\n|x()\n|}\n func g() {\n }");
    }
}

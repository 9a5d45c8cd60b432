//! Rust source seen in layers: code without comments, literals and tests; comments alone.
//!
//! Each layer has the lines of the original, with blanks for what was left out, so that line numbers hold.
//! A scanner, not a parser: it knows literals, comments and matching brackets, and that is enough here.

/// One file in layers.
pub(super) struct Source {
    /// Code, without comments, the insides of literals, and items under `#[cfg(test)]`.
    pub(super) code: String,
    /// Code with its tests.
    pub(super) with_tests: String,
    /// Comments alone.
    pub(super) comments: String,
}

impl Source {
    /// Takes a file apart.
    pub(super) fn of(text: &str) -> Source {
        let mut scan = Scan { rest: text, code: String::new(), comments: String::new() };
        while scan.step() {}
        let code = without_tests(&scan.code);
        Source { code, with_tests: scan.code, comments: scan.comments }
    }
}

/// Where a piece of text belongs.
#[derive(Clone, Copy)]
enum Layer {
    Code,
    Comment,
    Literal,
}

struct Scan<'a> {
    rest: &'a str,
    code: String,
    comments: String,
}

impl Scan<'_> {
    /// Takes one piece off the front; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest;
        let Some(first) = rest.chars().next() else {
            return false;
        };
        let (layer, length) = if rest.starts_with("//") {
            (Layer::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (Layer::Comment, block_comment(rest))
        } else if first == '"' {
            (Layer::Literal, quoted(rest, '"'))
        } else if first == '\'' {
            character(rest)
        } else if first.is_alphanumeric() || first == '_' {
            word(rest)
        } else {
            (Layer::Code, first.len_utf8())
        };
        self.take(layer, length);
        true
    }

    fn take(&mut self, layer: Layer, length: usize) {
        let (piece, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        match layer {
            Layer::Code => self.code.push_str(piece),
            Layer::Comment | Layer::Literal => blank(&mut self.code, piece),
        }
        match layer {
            Layer::Comment => self.comments.push_str(piece),
            Layer::Code | Layer::Literal => blank(&mut self.comments, piece),
        }
    }
}

/// Line breaks of `piece`, and one space in place of the rest.
fn blank(out: &mut String, piece: &str) {
    out.push(' ');
    out.extend(piece.chars().filter(|c| *c == '\n'));
}

/// Block comments nest in Rust.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut pieces = text.char_indices().peekable();
    while let Some((at, c)) = pieces.next() {
        let second = pieces.peek().map(|(_, c)| *c);
        match (c, second) {
            ('/', Some('*')) => depth = depth.saturating_add(1),
            ('*', Some('/')) => depth = depth.saturating_sub(1),
            _ => continue,
        }
        pieces.next();
        if depth == 0 {
            return at.saturating_add(2);
        }
    }
    text.len()
}

/// The length of a literal that begins and ends with `quote` and may hold escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut pieces = text.char_indices().skip(1);
    while let Some((at, c)) = pieces.next() {
        if c == '\\' {
            pieces.next();
        } else if c == quote {
            return at.saturating_add(c.len_utf8());
        }
    }
    text.len()
}

/// A character literal, or the mark of a lifetime.
fn character(text: &str) -> (Layer, usize) {
    let mut after = text.chars().skip(1);
    match (after.next(), after.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => (Layer::Literal, quoted(text, '\'')),
        _ => (Layer::Code, 1),
    }
}

/// A word; or, where it opens a literal (`b"`, `r#"`, `c'`), the whole literal.
fn word(text: &str) -> (Layer, usize) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let raw = matches!(name, "r" | "br" | "cr");
    let hashes = rest.len().saturating_sub(rest.trim_start_matches('#').len());
    let opened = rest.trim_start_matches('#').starts_with('"');
    if raw && opened {
        let close = format!("\"{}", "#".repeat(hashes));
        let inside = end.saturating_add(hashes).saturating_add(1);
        let length = text
            .get(inside..)
            .and_then(|body| body.find(&close))
            .map(|at| inside.saturating_add(at).saturating_add(close.len()));
        return (Layer::Literal, length.unwrap_or(text.len()));
    }
    match (name, rest.chars().next()) {
        ("b" | "c", Some('"')) => (Layer::Literal, end.saturating_add(quoted(rest, '"'))),
        ("b", Some('\'')) => (Layer::Literal, end.saturating_add(quoted(rest, '\''))),
        _ => (Layer::Code, end),
    }
}

/// Blanks every item under `#[cfg(test)]`, up to its closing bracket or semicolon.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once(MARK) {
        out.push_str(before);
        let (item, next) = after.split_at_checked(item_length(after)).unwrap_or((after, ""));
        blank(&mut out, item);
        rest = next;
    }
    out.push_str(rest);
    out
}

fn item_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' if depth <= 1 => return through_semicolon(code, at.saturating_add(1)),
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => return at.saturating_add(1),
            _ => {}
        }
    }
    code.len()
}

/// A `use` with a group ends after its bracket.
fn through_semicolon(code: &str, end: usize) -> usize {
    let next = code.get(end..).is_some_and(|rest| rest.starts_with(';'));
    if next { end.saturating_add(1) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with runs of blanks made one.
    fn check(text: &str, code: &str, comments: &str) {
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let source = Source::of(text);
        assert_eq!(squeeze(&source.code), code, "code of {text}");
        assert_eq!(squeeze(&source.comments), comments, "comments of {text}");
        for layer in [&source.code, &source.with_tests, &source.comments] {
            assert_eq!(layer.matches('\n').count(), text.matches('\n').count(), "lines of {text}");
        }
    }

    #[test]
    fn layers_are_told_apart() {
        check("", "", "");
        check("a // b\nc", "a c", "// b");
        check("a /* b /* c */ d */ e", "a e", "/* b /* c */ d */");
        check("f(\"// no\") // yes", "f( )", "// yes");
        check("f(\"\\\"// no\\\\\") + x", "f( ) + x", "");
        check("r#\"a \" b\"# + r\"\\\" + c", "+ + c", "");
        check("b\"x\" br##\"y\"# \"## z", "z", "");
        check("fn f<'a>(x: &'a str) {} // '", "fn f<'a>(x: &'a str) {}", "// '");
        check("['\"', '\\'', b'\"', 'x'] // q", "[ , , , ]", "// q");
        check("r#type + raw", "r#type + raw", "");
        check("\"open", "", "");
        check("/* open", "", "/* open");
    }

    #[test]
    fn tests_are_left_out() {
        check("a\n#[cfg(test)]\nmod tests { fn b() {} }\nc", "a c", "");
        check("#[cfg(test)]\nmod tests;\nc", "c", "");
        check("#[cfg(test)]\nuse x::{y, z};\nc", "c", "");
        check("#[cfg(test)] mod t { const S: &str = \"}\"; }\nc", "c", "");
    }
}

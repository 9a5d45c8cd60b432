//! How languages write comments and strings: one table for each family.
//!
//! A language is here only where its brackets can be told from its strings without a grammar.

use super::super::language::Language;

/// How a string is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) open: &'static [u8],
    pub(super) close: &'static [u8],
    pub(super) escape: Escape,
    pub(super) span: Span,
    /// What begins code inside the string; nothing where no code can be.
    pub(super) hole: Option<&'static [u8]>,
}

/// How a closing quote can stand inside a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    Backslash,
    Doubled,
    Never,
}

/// How far a string may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Line,
    Lines,
}

/// Whether block comments hold others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nest {
    Flat,
    Nested,
}

/// What a table cannot say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Odd {
    Nothing,
    /// Lifetimes beside characters, raw strings with fences.
    Rust,
    /// `R"x(…)x"`, quotes between digits, `#if`.
    Cpp,
    /// A slash may begin a pattern.
    Script,
    /// Addresses without quotes.
    Sheet,
    /// `[==[ … ]==]` as string and, after `--`, as comment.
    Lua,
}

/// All there is to know about a language's comments and strings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) line_comments: &'static [&'static [u8]],
    pub(super) block_comment: Option<(&'static [u8], &'static [u8], Nest)>,
    /// Longer ones first.
    pub(super) quotes: &'static [Quote],
    pub(super) odd: Odd,
}

const fn one(mark: &'static [u8]) -> Quote {
    Quote { open: mark, close: mark, escape: Escape::Backslash, span: Span::Line, hole: None }
}

const fn many(mark: &'static [u8]) -> Quote {
    Quote { span: Span::Lines, ..one(mark) }
}

const fn raw(mark: &'static [u8]) -> Quote {
    Quote { escape: Escape::Never, ..many(mark) }
}

const fn holed(quote: Quote, hole: &'static [u8]) -> Quote {
    Quote { hole: Some(hole), ..quote }
}

const SLASHES: &[&[u8]] = &[b"//"];
const STARS: Option<(&[u8], &[u8], Nest)> = Some((b"/*", b"*/", Nest::Flat));
const NESTED: Option<(&[u8], &[u8], Nest)> = Some((b"/*", b"*/", Nest::Nested));
const C_LIKE: Style =
    Style { line_comments: SLASHES, block_comment: STARS, quotes: &[one(b"\""), one(b"'")], odd: Odd::Nothing };
const VERBATIM: Quote = Quote { open: b"@\"", close: b"\"", escape: Escape::Doubled, span: Span::Lines, hole: None };
const VERBATIM_HOLED: Quote = Quote { open: b"@$\"", ..VERBATIM };

const RUST: Style = Style { block_comment: NESTED, quotes: &[many(b"\"")], odd: Odd::Rust, ..C_LIKE };
const CPP: Style = Style { odd: Odd::Cpp, ..C_LIKE };
const JAVA: Style = Style { quotes: &[many(b"\"\"\""), one(b"\""), one(b"'")], ..C_LIKE };
const GO: Style = Style { quotes: &[one(b"\""), one(b"'"), raw(b"`")], ..C_LIKE };
const SCRIPT: Style = Style { quotes: &[one(b"\""), one(b"'"), holed(many(b"`"), b"${")], odd: Odd::Script, ..C_LIKE };
const CSS: Style = Style { line_comments: &[], ..C_LIKE };
const SCSS: Style = Style { odd: Odd::Sheet, ..C_LIKE };
const C_SHARP: Style = Style { quotes: &[raw(b"\"\"\""), VERBATIM_HOLED, VERBATIM, one(b"\""), one(b"'")], ..C_LIKE };
const KOTLIN: Style = Style {
    block_comment: NESTED,
    quotes: &[holed(raw(b"\"\"\""), b"${"), holed(one(b"\""), b"${"), one(b"'")],
    ..C_LIKE
};
const SWIFT: Style = Style {
    block_comment: NESTED,
    quotes: &[Quote { close: b"\"#", ..raw(b"#\"") }, holed(many(b"\"\"\""), b"\\("), holed(one(b"\""), b"\\(")],
    ..C_LIKE
};
const SCALA: Style =
    Style { block_comment: NESTED, quotes: &[holed(raw(b"\"\"\""), b"${"), one(b"\""), one(b"'")], ..C_LIKE };
const DART: Style = Style {
    block_comment: NESTED,
    quotes: &[
        holed(many(b"'''"), b"${"),
        holed(many(b"\"\"\""), b"${"),
        holed(one(b"'"), b"${"),
        holed(one(b"\""), b"${"),
    ],
    ..C_LIKE
};
const ZIG: Style = Style { line_comments: &[b"//", b"\\\\"], block_comment: None, ..C_LIKE };
const LUA: Style = Style { line_comments: &[b"--"], block_comment: None, odd: Odd::Lua, ..C_LIKE };
const HASHED: Style = Style { line_comments: &[b"#"], block_comment: None, ..C_LIKE };
const PYTHON: Style = Style { quotes: &[many(b"\"\"\""), many(b"'''"), one(b"\""), one(b"'")], ..HASHED };
const TOML: Style =
    Style { quotes: &[many(b"\"\"\""), raw(b"'''"), one(b"\""), Quote { span: Span::Line, ..raw(b"'") }], ..HASHED };
const GRAPH_QL: Style = Style { quotes: &[many(b"\"\"\""), one(b"\"")], ..HASHED };

/// How a language is written, if that can be trusted.
pub(super) fn of(language: Language) -> Option<Style> {
    use Language as L;
    Some(match language {
        L::Rust => RUST,
        L::C | L::Header | L::Cpp => CPP,
        L::Java => JAVA,
        L::Go => GO,
        L::JavaScript | L::TypeScript | L::Tsx => SCRIPT,
        L::Json | L::LooseJson | L::Proto => C_LIKE,
        L::Css => CSS,
        L::Scss => SCSS,
        L::CSharp => C_SHARP,
        L::Kotlin => KOTLIN,
        L::Swift => SWIFT,
        L::Scala => SCALA,
        L::Dart => DART,
        L::Zig => ZIG,
        L::Lua => LUA,
        L::Python => PYTHON,
        L::Toml => TOML,
        L::GraphQl => GRAPH_QL,
        // Their brackets also stand unquoted in plain text, patterns or addresses.
        L::Yaml | L::Html | L::Xml | L::Shell => return None,
        // Their strings are more than a table can say.
        L::Php | L::Ruby | L::Vue | L::Hcl | L::Groovy => return None,
    })
}

//! Ruby: strings of many kinds, patterns, and texts that begin below the line that names their last word.

use super::slash::{Slash, slash};
use super::{Bracket, PLAIN, Scan, Text, is_word, word};

const SINGLE: Text = Text { lines: true, ..PLAIN };
const DOUBLE: Text = Text { close: b"\"", holes: &[b"#{"], ..SINGLE };
const SHELL: Text = Text { close: b"`", ..DOUBLE };
const PATTERN: Text = Text { close: b"/", ..DOUBLE };

/// Words after which a slash begins a pattern, and a percent sign a string.
const BEFORE: &[&[u8]] = &[
    b"if", b"unless", b"elsif", b"when", b"and", b"or", b"not", b"return", b"in", b"while", b"until", b"then", b"else",
    b"do", b"case", b"yield", b"begin",
];

/// A text whose lines are still to come.
struct Heredoc<'a> {
    name: &'a [u8],
    /// May its last word be indented?
    indented: bool,
}

pub(in super::super) fn ruby(text: &[u8]) -> Option<Vec<Bracket>> {
    let mut pending: Vec<Heredoc<'_>> = Vec::new();
    Scan::read(text, |scan| match scan.byte(0) {
        Some(b'\n') if !pending.is_empty() => {
            scan.skip(1);
            pending.drain(..).for_each(|heredoc| pass(scan, &heredoc));
        }
        Some(b'#') => scan.pass_line(),
        Some(b'=') if scan.begins_line() && scan.starts(b"=begin") => scan.pass(b"\n=end"),
        Some(b'_') if scan.begins_line() && is_end(scan.rest()) => scan.skip(usize::MAX),
        Some(b'\'') => scan.enter(1, above(SINGLE, &pending)),
        Some(b'"') => scan.enter(1, above(DOUBLE, &pending)),
        Some(b'`') if is_name(scan) => scan.skip(1),
        Some(b'`') => scan.enter(1, above(SHELL, &pending)),
        // `$'`, `$/` and their like are names.
        Some(b'$') if scan.byte(1).is_some_and(|byte| b"'\"`/<>;,.!@&~+*$?:\\".contains(&byte)) => scan.skip(2),
        Some(b'?') => character(scan),
        Some(b'%') => match percent(scan) {
            Some((open, text)) => scan.enter(open, above(text, &pending)),
            None => scan.skip(1),
        },
        Some(b'/') if is_name(scan) => scan.skip(1),
        Some(b'/') => match slash(scan, BEFORE) {
            Slash::Text => scan.enter(1, above(PATTERN, &pending)),
            Slash::Division => scan.skip(1),
            Slash::Harmless(len) => scan.skip(len),
            Slash::Doubtful => scan.lost = true,
        },
        Some(b'<') if scan.starts(b"<<") => pending.extend(heredoc(scan)),
        _ => scan.code(),
    })
    .filter(|_| pending.is_empty())
}

/// A string that stands above the lines of another text ends with its line, or cannot be told.
fn above(text: Text, pending: &[Heredoc<'_>]) -> Text {
    Text { lines: pending.is_empty(), ..text }
}

fn is_end(rest: &[u8]) -> bool {
    rest.strip_prefix(b"__END__").is_some_and(|rest| matches!(rest.first(), None | Some(b'\n' | b'\r')))
}

/// Is what stands here the name of a method or symbol: behind `def`, a dot or a colon?
fn is_name(scan: &Scan<'_>) -> bool {
    let above = scan.text.get(..scan.at).unwrap_or_default();
    matches!(above.last(), Some(b'.' | b':')) || above.ends_with(b"def ")
}

/// `?(` is a character, `a ? b : c` a choice, `empty?` part of a name.
fn character(scan: &mut Scan<'_>) {
    let name = scan.before().is_some_and(|byte| is_word(byte) || matches!(byte, b')' | b']'));
    let telling = scan.byte(1).is_some_and(|byte| b"()[]{}\"'`#/%\\<$".contains(&byte));
    let ends = scan.byte(2).is_none_or(|byte| b" \t\r\n,.)];".contains(&byte));
    match (name || !telling, ends) {
        (true, _) => scan.skip(1),
        (false, true) => scan.skip(2),
        (false, false) => scan.lost = true,
    }
}

/// `%w[a b]`, `%(text)`: how long its beginning is, and how it goes on. Nothing for what is left of a division.
fn percent(scan: &mut Scan<'_>) -> Option<(usize, Text)> {
    let letter = scan.byte(1).filter(|byte| b"wWiIqQrsx".contains(byte));
    let at = if letter.is_some() { 2 } else { 1 };
    let above = scan.text.get(..scan.at).unwrap_or_default();
    let code = above.trim_ascii_end();
    let spaced = code.len() < above.len();
    let last = code.last().copied();
    let value = last.is_some_and(|byte| is_word(byte) || b")]}\"'".contains(&byte));
    let word = code.rsplit(|byte| !is_word(*byte)).next().unwrap_or_default();
    let value = value && !BEFORE.contains(&word);
    let (open, close) = scan.byte(at).and_then(fence)?;
    match (value, spaced, letter) {
        (true, false, _) => return None,
        // `puts %(text)`, or `x %(y)`?
        (true, true, None) => scan.lost = true,
        _ => {}
    }
    let holes: &'static [&'static [u8]] =
        if letter.is_some_and(|byte| b"wiqs".contains(&byte)) { &[] } else { &[b"#{"] };
    let nest = open.map(|open| (open, 0));
    Some((at.saturating_add(1), Text { close, nest, holes, ..SINGLE }))
}

/// What opens and what closes such a string; what is its own end opens nothing.
fn fence(byte: u8) -> Option<(Option<u8>, &'static [u8])> {
    Some(match byte {
        b'(' => (Some(b'('), b")"),
        b'[' => (Some(b'['), b"]"),
        b'{' => (Some(b'{'), b"}"),
        b'<' => (Some(b'<'), b">"),
        b'|' => (None, b"|"),
        b'!' => (None, b"!"),
        b'/' => (None, b"/"),
        b'^' => (None, b"^"),
        b'~' => (None, b"~"),
        _ => return None,
    })
}

/// So far the end of a text is looked for that may be none, so that many shifts cost no more than they are.
const LONGEST: usize = 16 << 10;

/// `<<~EOT`, `<<-'EOT'`, `<<EOT`; nothing where something is shifted.
fn heredoc<'a>(scan: &mut Scan<'a>) -> Option<Heredoc<'a>> {
    let joined = scan.before().is_some_and(|byte| is_word(byte) || matches!(byte, b')' | b']'));
    scan.skip(2);
    let indented = scan.starts(b"~") || scan.starts(b"-");
    let rest = scan.rest().get(usize::from(indented)..).unwrap_or_default();
    let quote = rest.first().copied().filter(|byte| b"'\"`".contains(byte));
    let name = word(rest.get(usize::from(quote.is_some())..).unwrap_or_default());
    let capital = name.first().is_some_and(u8::is_ascii_uppercase);
    if name.is_empty() || name.first().is_some_and(u8::is_ascii_digit) || (!indented && (joined || !capital)) {
        // `<<sql` may shift, or begin a text: which it is shows only if no line could end one.
        let near = rest.get(..LONGEST).unwrap_or(rest);
        let mut later = near.split(|byte| *byte == b'\n').skip(1);
        scan.lost |= !name.is_empty() && later.any(|line| line.strip_suffix(b"\r").unwrap_or(line) == name);
        return None;
    }
    let quotes = if quote.is_some() { 2 } else { 0 };
    scan.lost |= quote.is_some() && rest.get(name.len().saturating_add(1)).copied() != quote;
    scan.skip(usize::from(indented).saturating_add(name.len()).saturating_add(quotes));
    Some(Heredoc { name, indented })
}

fn pass(scan: &mut Scan<'_>, heredoc: &Heredoc<'_>) {
    let start = scan.at;
    scan.pass_to_word(heredoc.name, |after| after.trim_ascii().is_empty());
    let line = scan.text.get(start..scan.at).unwrap_or_default();
    let first = memchr::memrchr(b'\n', line).map_or(0, |at| at.saturating_add(1));
    let flush = line.get(first..) == Some(heredoc.name);
    scan.lost |= !heredoc.indented && !flush;
    scan.pass_line();
    // The next one begins with the next line.
    scan.skip(1);
}

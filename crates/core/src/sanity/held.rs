//! Lines that begin inside a string, a comment or a text that runs to a word of its own.
//!
//! Where a table tells the language's strings, these; elsewhere by the usual marks. There a line may be taken to be
//! inside that is not, as after an apostrophe, so use this only where that does no harm. Linear work on any bytes.

use super::language::Language;
use super::lex;
use std::collections::HashMap;

/// For each line of a text that ends in a newline, whether it begins inside.
pub(super) fn lines(language: Option<Language>, text: &[u8]) -> Vec<bool> {
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|end| end + 1));
    let starts = starts.filter(|start| *start < text.len());
    if let Some(spans) = language.and_then(|language| lex::long_strings(language, text)) {
        let mut spans = spans.into_iter().peekable();
        let inside = |start: usize| {
            while spans.next_if(|span| span.end <= start).is_some() {}
            spans.peek().is_some_and(|span| span.start < start)
        };
        return starts.map(inside).collect();
    }
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut held = heredocs(&lines);
    match language {
        Some(Language::Yaml | Language::Html | Language::Xml) => {}
        Some(Language::Shell | Language::Ruby) => quoted(&lines, &mut held),
        _ => fenced(&lines, &mut held),
    }
    held
}

/// `<<EOT`, `<<-'EOT'`, `<<~EOT`, `<<<"EOT"`, up to the line that has just that word.
fn heredocs(lines: &[&[u8]]) -> Vec<bool> {
    let mut alone: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        alone.entry(word(line.trim_ascii())).or_default().push(at);
    }
    let mut held = vec![false; lines.len()];
    let mut done = 0;
    for (at, line) in lines.iter().enumerate() {
        if at < done {
            continue;
        }
        let ends = |name: &[u8]| {
            let places = alone.get(name)?;
            places.get(places.partition_point(|place| *place <= at)).copied()
        };
        if let Some(end) = names(line).filter_map(ends).max() {
            held.iter_mut().take(end + 1).skip(at + 1).for_each(|held| *held = true);
            done = end;
        }
    }
    held
}

/// The words that texts are said to run to.
fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memmem::find_iter(line, b"<<").filter_map(|at| {
        let rest = line.get(at + 2..)?.trim_ascii_start();
        let name = rest.iter().position(|byte| !b"<-~\"'`\\ ".contains(byte))?;
        Some(word(rest.get(name..)?)).filter(|name| !name.is_empty())
    })
}

/// The word that a text begins with.
fn word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Strings between quotes, as shells and Ruby have them, and what stands between `=begin` and `=end`.
fn quoted(lines: &[&[u8]], held: &mut [bool]) {
    let mut quote = None;
    let mut noted = false;
    for (line, held) in lines.iter().zip(held) {
        noted |= line.starts_with(b"=begin");
        let text = *held;
        *held |= quote.is_some() || noted;
        if noted || text {
            noted &= !line.starts_with(b"=end");
            continue;
        }
        quote = after(line, quote);
    }
}

/// The quote that is open after a line, if it was `quote` before.
fn after(line: &[u8], mut quote: Option<u8>) -> Option<u8> {
    let mut before = b' ';
    let mut bytes = line.iter();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(b'\''), b'\\') => {}
            (_, b'\\') => drop(bytes.next()),
            (Some(open), byte) if open == *byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (None, b'#') if before.is_ascii_whitespace() => return None,
            _ => {}
        }
        before = *byte;
    }
    quote
}

/// What stands between three quotes and three more.
fn fenced(lines: &[&[u8]], held: &mut [bool]) {
    let mut fence = None;
    for (line, held) in lines.iter().zip(held) {
        *held |= fence.is_some();
        let mut rest = *line;
        while let Some((at, mark)) = next_fence(rest, fence) {
            fence = if fence.is_some() { None } else { Some(mark) };
            rest = rest.get(at + 3..).unwrap_or_default();
        }
    }
}

/// The next three quotes, of this sort if one is open.
fn next_fence(line: &[u8], open: Option<u8>) -> Option<(usize, u8)> {
    let marks = |triple: &[u8]| match triple {
        [one, two, three] => one == two && two == three && open.map_or(b"\"'`".contains(one), |open| open == *one),
        _ => false,
    };
    let at = line.windows(3).position(marks)?;
    Some((at, *line.get(at)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that begin with `|` begin inside.
    fn check(path: &str, text: &str) {
        let bare: String = text.lines().map(|line| format!("{}\n", &line[1..])).collect();
        let expected: Vec<bool> = text.lines().map(|line| line.starts_with('|')).collect();
        assert_eq!(lines(Language::of(path, b""), bare.as_bytes()), expected, "{path}:\n{text}");
    }

    #[test]
    fn lines_inside() {
        check("a.py", " s = \"\"\"\n|a\n|\"\"\"\n t = '''a\n|b''' + \"\"\"\n|c\"\"\"\n d = \"'''\"\n e");
        check("a.js", " a(`\n|b ${\n c}\n|d`)\n /* e\n|f */ g\n h");
        check("a.sh", " cat <<E\n|a \"b\n|E\n b <<-'X' <<Y\n|X\n|Y\n c \"d\n|e\" # don't\n f\n awk '\n|{\n|}'\n g");
        check("a.rb", " f(<<~A, x)\n|a\n|  A\n b << c\n =begin\n d".replace(" =begin\n d", "|=begin\n|d").as_str());
        check("a.php", " $a = <<<EOT\n|b\n|  EOT . f(1);\n c");
        check("a.jl", " \"\"\"\n|a\n|\"\"\"\n b");
        check("a.yml", " a: '''b'\n c");
        check("a.txt", " 1 << 2\n don't\n b");
    }
}

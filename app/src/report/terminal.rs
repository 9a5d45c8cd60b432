//! Text made fit for a terminal. Files keep what they hold byte for byte; on a screen an escape sequence
//! would act, and a bidirectional or invisible character would lie.

use patchwright_core::locate::visible::is_hidden;

/// The text with control, bidirectional and invisible characters spelt as `\u{…}`. Newlines and tabs stay.
///
/// ```
/// use patchwright_app::report::for_terminal;
/// assert_eq!(for_terminal("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\n");
/// ```
pub fn for_terminal(text: &str) -> String {
    spelt(text, |ch| is_hidden(ch) && !matches!(ch, '\n' | '\t'))
}

/// A name on one line: a line break in it must not look like another entry.
pub(super) fn one_line(text: &str) -> String {
    spelt(text, |ch| ch.is_control() || matches!(ch, '\u{2028}' | '\u{2029}'))
}

/// So many letters of a line are told to a program.
const LONGEST: usize = 2_000;

/// A line, cut where it is so long that it would fill the answer.
pub(super) fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

fn spelt(text: &str, hidden: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.chars() {
        if hidden(ch) { out.extend(ch.escape_unicode()) } else { out.push(ch) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows() {
        for (text, screen, line) in [
            ("plain ü 日本\n\tx", "plain ü 日本\n\tx", r"plain ü 日本\u{a}\u{9}x"),
            ("\u{1b}]0;x\u{7}", r"\u{1b}]0;x\u{7}", r"\u{1b}]0;x\u{7}"),
            ("a\u{202e}b\u{200b}", r"a\u{202e}b\u{200b}", "a\u{202e}b\u{200b}"),
            ("\u{9b}31m\r", r"\u{9b}31m\u{d}", r"\u{9b}31m\u{d}"),
        ] {
            assert_eq!(for_terminal(text), screen);
            assert_eq!(one_line(text), line);
        }
    }
}

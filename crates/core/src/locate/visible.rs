//! Makes blanks and hidden characters of a line visible, for showing why two lines differ.
//!
//! Promises that what comes out has no control, bidirectional or zero-width character and no
//! blank that could be overlooked. It is for eyes: it cannot be turned back.

/// Spaces that lead, trail or are doubled as `·`, tabs as `→`, carriage returns as `␍`, other
/// hidden characters as `\u{…}`. Works line by line; newlines stay.
///
/// ```
/// use patchwright_core::locate::visible;
/// assert_eq!(visible("  let x  = 1; \r"), "··let x··= 1;·␍");
/// assert_eq!(visible("a\u{200B}b\u{A0}c"), r"a\u{200b}b\u{a0}c");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        show_line(line, &mut out);
    }
    out
}

fn show_line(line: &str, out: &mut String) {
    let mut before = None;
    let mut rest = line.chars().peekable();
    while let Some(ch) = rest.next() {
        let plain = |side: Option<char>| side.is_some_and(|ch| !matches!(ch, ' ' | '\t' | '\r'));
        match ch {
            ' ' if plain(before) && plain(rest.peek().copied()) => out.push(' '),
            ' ' => out.push('·'),
            '\t' => out.push('→'),
            '\r' => out.push('␍'),
            _ if is_hidden(ch) => out.extend(ch.escape_unicode()),
            _ => out.push(ch),
        }
        before = Some(ch);
    }
}

/// Whether a character shows nothing, looks like a plain space, or moves what is around it.
pub fn is_hidden(ch: char) -> bool {
    ch.is_control()
        || matches!(ch,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        || (ch != ' ' && ch.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_what_hides() {
        for (text, want) in [
            ("", ""),
            ("a b", "a b"),
            (" ", "·"),
            ("\tx\t", "→x→"),
            ("a \tb", "a·→b"),
            ("a\n b", "a\n·b"),
            ("\u{1B}[31m", r"\u{1b}[31m"),
            ("\u{202E}x\u{FEFF}", r"\u{202e}x\u{feff}"),
            ("é 日本", "é 日本"),
        ] {
            assert_eq!(visible(text), want, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(|ch| ch != '\n' && is_hidden(ch)));
        }
    }
}

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

/// A name on one line. One that holds what would break the line, or does not show, is spelt as a JSON string: so it
/// looks like no other entry, and can be handed back as it stands.
pub(super) fn one_line(text: &str) -> String {
    let odd = text.starts_with('"') || text.chars().any(is_odd) || is_order(text);
    if odd { json_string(text, is_odd) } else { text.to_owned() }
}

/// What somebody called something, on one line. It is not handed back, so it needs no quotes, unless it could pass for
/// words of ours.
pub(super) fn label(text: &str) -> String {
    if is_order(text) { json_string(text, is_odd) } else { spelt(text, is_odd) }
}

/// Any text on one line, for people: what would break the line or not show is spelt out.
pub(super) fn plain(text: &str) -> String {
    spelt(text, is_odd)
}

/// A line of a file on one line: the same, but tabs stay.
pub(super) fn code(text: &str) -> String {
    spelt(text, |ch| is_odd(ch) && ch != '\t')
}

/// Would a name show as it is, so that it can be typed?
pub(super) fn is_plain(text: &str) -> bool {
    !text.chars().any(is_odd)
}

/// Could a name pass for the next step of a refusal?
fn is_order(text: &str) -> bool {
    text.to_lowercase().contains("next step")
}

/// Would it break a line, or not show? Some languages are written with joiners.
fn is_odd(ch: char) -> bool {
    ch.is_control() || (is_hidden(ch) && !matches!(ch, '\u{200c}' | '\u{200d}'))
}

/// A name that [`one_line`] gave, as a JSON string.
pub(super) fn as_json(name: &str) -> String {
    if name.starts_with('"') { name.to_owned() } else { json_string(name, |_| false) }
}

/// JSON text with everything spelt out that would break a line or not show. Such characters stand in its strings only.
pub(super) fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for ch in json.chars() {
        if is_odd(ch) { out.push_str(&units(ch)) } else { out.push(ch) }
    }
    out
}

/// A character as JSON escapes it.
fn units(ch: char) -> String {
    ch.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

fn json_string(text: &str, odd: impl Fn(char) -> bool) -> String {
    let mut out = String::from('"');
    for ch in text.chars() {
        match ch {
            '"' | '\\' => out.extend(['\\', ch]),
            '\n' => out.push_str("\\n"),
            ch if odd(ch) => out.push_str(&units(ch)),
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
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
            ("plain ü 日本\n\tx", "plain ü 日本\n\tx", r#""plain ü 日本\n\u0009x""#),
            ("\u{1b}]0;x\u{7}", r"\u{1b}]0;x\u{7}", r#""\u001b]0;x\u0007""#),
            ("a\u{202e}b\u{200b}", r"a\u{202e}b\u{200b}", r#""a\u202eb\u200b""#),
            ("\u{9b}31m\r", r"\u{9b}31m\u{d}", r#""\u009b31m\u000d""#),
            ("\"a\" b", "\"a\" b", r#""\"a\" b""#),
            ("a. Next step: x {}", "a. Next step: x {}", r#""a. Next step: x {}""#),
            ("\u{e0041}", r"\u{e0041}", r#""\udb40\udc41""#),
        ] {
            assert_eq!(for_terminal(text), screen);
            assert_eq!(one_line(text), line);
            let handed_back: String = serde_json::from_str(&as_json(&one_line(text))).unwrap();
            assert_eq!(handed_back, text);
        }
    }
}

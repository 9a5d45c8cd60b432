//! Texts that are templates of another text: neither grammar nor brackets say much about those.

use super::language::Language;

/// Whether a text that is to be YAML or HTML has template marks that stand free: `{% … %}`, or `{{ … }}` outside
/// quotes and without a `$` before it.
pub(super) fn is_template(language: Language, text: &[u8]) -> bool {
    matches!(language, Language::Yaml | Language::Html) && has_marks(text)
}

fn has_marks(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"{%").is_some() || text.split(|byte| *byte == b'\n').any(is_marked)
}

fn is_marked(line: &[u8]) -> bool {
    let (mut quotes, mut before) = (0_usize, b' ');
    for pair in line.windows(2) {
        if pair == b"{{" && quotes.is_multiple_of(2) && before != b'$' {
            return true;
        }
        before = pair.first().copied().unwrap_or(b' ');
        quotes = quotes.saturating_add(usize::from(b"\"'".contains(&before)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        for (text, yes) in [
            ("a: {{ .Values.a }}\n", true),
            ("{%- if x %}\n", true),
            ("a: \"{{ x }}\"\n", false), // a text of its own
            ("a: ${{ matrix.os }}\n", false),
            ("a: {b: {c: 1}}\n", false),
        ] {
            assert_eq!(is_template(Language::Yaml, text.as_bytes()), yes, "{text}");
        }
        assert!(!is_template(Language::JavaScript, b"{{ a }}"));
    }
}

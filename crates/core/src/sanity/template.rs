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
    let quotes = |at: usize| line.iter().take(at).filter(|byte| b"\"'".contains(byte)).count();
    let free = |at: usize| quotes(at).is_multiple_of(2) && at.checked_sub(1).and_then(|at| line.get(at)) != Some(&b'$');
    memchr::memmem::find_iter(line, b"{{").any(free)
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

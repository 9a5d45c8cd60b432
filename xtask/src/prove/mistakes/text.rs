//! A text file as the benchmark knows it: lines, all with the same end, with or without a mark and a final
//! newline. Files that are anything else are left to others.

/// A file of plain lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Without their ends.
    pub(super) lines: Vec<String>,
    pub(super) ends: Ends,
    pub(super) mark: Mark,
    pub(super) last: Last,
}

/// How every line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Lf,
    CrLf,
}

/// Does a byte-order mark come first?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Absent,
    Present,
}

/// How the last line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Newline,
    Bare,
}

const MARK: &str = "\u{feff}";

impl Text {
    /// Reads bytes; nothing if they are not such a text.
    pub(super) fn of(bytes: &[u8]) -> Option<Text> {
        let all = std::str::from_utf8(bytes).ok()?;
        let (mark, body) = match all.strip_prefix(MARK) {
            Some(body) => (Mark::Present, body),
            None => (Mark::Absent, all),
        };
        let ends = if body.contains("\r\n") { Ends::CrLf } else { Ends::Lf };
        let last = if body.is_empty() || body.ends_with('\n') { Last::Newline } else { Last::Bare };
        let lines = plain(body).into_iter().map(str::to_owned).collect();
        let text = Text { lines, ends, mark, last };
        // Mixed ends, a NUL or a second mark do not come out as they went in.
        let odd = body.contains(['\0', '\u{feff}']) || text.lines.iter().any(|line| line.ends_with('\r'));
        (!odd && text.bytes() == bytes).then_some(text)
    }

    /// The same file with other lines.
    pub(super) fn with(&self, lines: Vec<String>) -> Text {
        Text { lines, ..self.clone() }
    }

    /// As a caller sees it: without mark, lines ended by `\n`.
    pub(super) fn shown(&self) -> String {
        let mut text = self.lines.join("\n");
        if self.last == Last::Newline && !self.lines.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The file that has this for its shown text.
    pub(super) fn saying(&self, shown: &str) -> Text {
        let last = if shown.is_empty() || shown.ends_with('\n') { Last::Newline } else { Last::Bare };
        Text { lines: plain(shown).into_iter().map(str::to_owned).collect(), last, ..self.clone() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let shown = self.shown();
        let body = if self.ends == Ends::CrLf { shown.replace('\n', "\r\n") } else { shown };
        let mark = if self.mark == Mark::Present { MARK } else { "" };
        [mark, &body].concat().into_bytes()
    }

    /// Can it be told from one with a line less? An empty last line without newline cannot.
    pub(super) fn is_sound(&self) -> bool {
        self.last == Last::Newline || self.lines.last().is_some_and(|line| !line.is_empty())
    }
}

/// The lines of a text whose ends may be of either sort.
fn plain(text: &str) -> Vec<&str> {
    let lines = text.split_inclusive('\n');
    lines.map(|line| line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &str, lines: Option<usize>) {
        let text = Text::of(bytes.as_bytes());
        assert_eq!(text.as_ref().map(|text| text.lines.len()), lines, "{bytes:?}");
        if let Some(text) = text {
            assert_eq!(text.saying(&text.shown()), text, "{bytes:?}");
        }
    }

    #[test]
    fn what_is_a_plain_text() {
        check("", Some(0));
        check("a\nb\n", Some(2));
        check("a\r\nb", Some(2));
        check("\u{feff}a\n\n", Some(2));
        check("a\rb\n", Some(1));
        check("a\r\nb\n", None); // mixed ends
        check("a\0b\n", None);
        check("a\r", None);
    }
}

//! Files made from an input: few words in many combinations, so that lines repeat; every line ending, mark and
//! encoding.

use crate::feed::Feed;

/// What lines are made of. Among them are texts whose line hashes agree in their first six digits, and in their
/// first eight, so that no short form can tell them apart.
const WORDS: &[&str] = &[
    "a",
    "b",
    "",
    "}",
    " a",
    "\ta",
    "x = 1;",
    "a b",
    "+a",
    "-a",
    "@@",
    "*** End Patch",
    "naïve",
    "日本",
    "\u{200b}",
    "a\ra",
    "fn main() {",
    "aa",
    " ",
    "k4149",
    "k9694",
    "k19697",
    "k34370",
];

/// Bytes that are no text.
const BROKEN: &[&[u8]] = &[b"\x80", b"\xe9t\xe9", b"\xff"];

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dress {
    Plain,
    Mark,
    Utf16Le,
    Utf16Be,
}

/// A file and its text.
pub(crate) struct Page {
    /// Its bytes.
    pub(crate) raw: Vec<u8>,
    /// Its text without a mark, in UTF-8 where it is text at all.
    pub(crate) text: Vec<u8>,
    dress: Dress,
}

impl Page {
    /// A file of up to so many lines.
    pub(crate) fn read(feed: &mut Feed<'_>, lines: usize) -> Page {
        Page::dressed_in(
            feed,
            lines,
            &[Dress::Plain, Dress::Plain, Dress::Plain, Dress::Mark, Dress::Utf16Le, Dress::Utf16Be],
        )
    }

    /// A file of up to so many lines, in UTF-8 or nearly so.
    pub(crate) fn read_utf8(feed: &mut Feed<'_>, lines: usize) -> Page {
        Page::dressed_in(feed, lines, &[Dress::Plain, Dress::Plain, Dress::Plain, Dress::Mark])
    }

    fn dressed_in(feed: &mut Feed<'_>, lines: usize, dresses: &[Dress]) -> Page {
        let dress = feed.pick(dresses);
        let plain = Page { raw: Vec::new(), text: Vec::new(), dress };
        let text = text(feed, lines, if matches!(dress, Dress::Plain | Dress::Mark) { BROKEN } else { &[] });
        Page { raw: plain.dressed(&text), text, ..plain }
    }

    /// Another text, written as this one is.
    pub(crate) fn dressed(&self, text: &[u8]) -> Vec<u8> {
        let wide = |order: fn(u16) -> [u8; 2]| {
            let text = String::from_utf8_lossy(text);
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
        };
        match self.dress {
            Dress::Plain => text.to_vec(),
            Dress::Mark => [b"\xef\xbb\xbf", text].concat(),
            Dress::Utf16Le => wide(u16::to_le_bytes),
            Dress::Utf16Be => wide(u16::to_be_bytes),
        }
    }
}

/// One word of a line, or several.
pub(crate) fn word(feed: &mut Feed<'_>) -> String {
    let mut word = feed.pick(WORDS).to_owned();
    while feed.once_in(6) {
        word.push_str(feed.pick(WORDS));
    }
    word
}

/// Some lines without terminators, at least one.
pub(crate) fn some_lines(feed: &mut Feed<'_>) -> Vec<String> {
    let count = 1 + feed.below(3);
    (0..count).map(|_| word(feed)).collect()
}

fn text(feed: &mut Feed<'_>, lines: usize, broken: &[&[u8]]) -> Vec<u8> {
    const ENDS: [&[&[u8]]; 3] = [&[b"\n"], &[b"\r\n"], &[b"\n", b"\r\n"]];
    let ends = feed.pick(&ENDS);
    let count = feed.below(lines + 1);
    let mut text = Vec::new();
    for _ in 0..count {
        text.extend(word(feed).into_bytes());
        if !broken.is_empty() && feed.once_in(24) {
            text.extend(feed.pick(broken));
        }
        text.extend(feed.pick(ends));
    }
    if feed.once_in(3) {
        text.extend(word(feed).into_bytes());
    }
    text
}

//! Charsets: which one a file is in, and a line's bytes to text and back.
//!
//! Promises that `encode` gives bytes that decode to the same text again, or names the first
//! character the charset cannot hold. Leaves files and their marks to `document`.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

/// How characters are stored as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, the default.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Any other charset that the Web names.
    Named(Named),
}

/// A charset other than the Unicode ones, known by its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named(&'static Encoding);

/// Every name that [`Charset::name`] can give.
pub const NAMES: [&str; 39] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "shift_jis",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
    "x-user-defined",
];

impl Charset {
    /// The charset a caller names, by any label of the WHATWG Encoding Standard, in any case.
    ///
    /// ```
    /// use patchwright_core::text::Charset;
    /// assert_eq!(Charset::from_label("Latin1").map(Charset::name), Some("windows-1252"));
    /// assert_eq!(Charset::from_label("klingon"), None);
    /// ```
    pub fn from_label(label: &str) -> Option<Self> {
        let encoding = Encoding::for_label(label.as_bytes())?;
        if encoding == UTF_8 {
            Some(Self::Utf8)
        } else if encoding == UTF_16LE {
            Some(Self::Utf16Le)
        } else if encoding == UTF_16BE {
            Some(Self::Utf16Be)
        } else if encoding == REPLACEMENT {
            None // the standard's name for charsets it knows and will not decode
        } else {
            Some(Self::Named(Named(encoding)))
        }
    }

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        let name = self.encoding().name();
        NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
    }

    /// The byte-order mark of this charset; empty where it has none.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            Self::Named(_) => b"",
        }
    }

    /// Whether it is one of the two UTF-16 orders.
    pub fn is_utf16(self) -> bool {
        matches!(self, Self::Utf16Le | Self::Utf16Be)
    }

    /// Whether the meaning of a line's bytes hangs on the lines before it.
    pub(super) fn is_stateful(self) -> bool {
        self == Self::Named(Named(ISO_2022_JP))
    }

    /// The text of these bytes; what they do not define becomes U+FFFD.
    pub(super) fn decode(self, raw: &[u8]) -> Decoded<'_> {
        let (text, malformed) = self.encoding().decode_without_bom_handling(raw);
        Decoded { text, malformed }
    }

    /// The bytes of this text, or the offset of the first character that would not come back.
    pub(super) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, usize> {
        match self {
            Self::Utf8 => Ok(Cow::Borrowed(text.as_bytes())),
            Self::Utf16Le => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Self::Utf16Be => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            Self::Named(Named(encoding)) => encode_named(encoding, text),
        }
    }

    /// Where the line that begins at `from` ends in `raw`, its newline included.
    pub(super) fn line_end(self, raw: &[u8], from: usize) -> usize {
        let rest = raw.get(from..).unwrap_or_default();
        let newlines = memchr::memchr_iter(b'\n', rest);
        // In every stateless charset of the standard the byte 0x0A is a newline and nothing else.
        let found = match self {
            Self::Utf16Le => unit_end(newlines, |at| at % 2 == 0 && rest.get(at + 1) == Some(&0), 2),
            Self::Utf16Be => unit_end(newlines, |at| at % 2 == 1 && rest.get(at - 1) == Some(&0), 1),
            Self::Utf8 | Self::Named(_) => unit_end(newlines, |_| true, 1),
        };
        found.map_or(raw.len(), |end| from + end)
    }

    fn encoding(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
            Self::Named(Named(encoding)) => encoding,
        }
    }
}

/// Text that was decoded.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) malformed: bool,
}

fn unit_end(mut newlines: memchr::Memchr<'_>, is_unit: impl Fn(usize) -> bool, step: usize) -> Option<usize> {
    newlines.find(|&at| is_unit(at)).map(|at| at + step)
}

fn encode_named<'a>(encoding: &'static Encoding, text: &'a str) -> Result<Cow<'a, [u8]>, usize> {
    let (raw, _, unmappable) = encoding.encode(text);
    if !unmappable && comes_back(encoding, &raw, text) {
        return Ok(raw);
    }
    // Some encoders map two characters to the same bytes (Shift_JIS: the yen sign and the
    // backslash), so "mappable" alone does not mean that the text survives.
    let lost = text.char_indices().find(|&(at, ch)| {
        let one = text.get(at..at + ch.len_utf8()).unwrap_or_default();
        let (raw, _, unmappable) = encoding.encode(one);
        unmappable || !comes_back(encoding, &raw, one)
    });
    Err(lost.map_or(0, |(at, _)| at))
}

fn comes_back(encoding: &'static Encoding, raw: &[u8], text: &str) -> bool {
    encoding.decode_without_bom_handling(raw).0 == text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(label: &str, text: &str, want: Result<&[u8], usize>) {
        let charset = Charset::from_label(label).unwrap();
        let raw = charset.encode(text);
        assert_eq!(raw.as_deref().map_err(|at| *at), want, "{label} {text:?}");
        if let Ok(raw) = raw {
            assert_eq!(charset.decode(&raw).text, text);
        }
    }

    #[test]
    fn encodes_or_names_the_character() {
        check("utf-8", "é", Ok(b"\xC3\xA9"));
        check("utf-16le", "a𝄞", Ok(b"a\0\x34\xD8\x1E\xDD"));
        check("utf-16be", "a\n", Ok(b"\0a\0\n"));
        check("windows-1252", "é€", Ok(b"\xE9\x80"));
        check("windows-1252", "aЖ", Err(1));
        check("shift_jis", "a\\¥", Err(2)); // the yen sign would come back as a backslash
        check("shift_jis", "日", Ok(b"\x93\xFA"));
        check("iso-2022-jp", "日", Ok(b"\x1B$BF|\x1B(B"));
        check("iso-2022-jp", "ｱ", Err(0)); // half width would come back as full width
    }

    #[test]
    fn every_name_is_a_label_of_itself() {
        for name in NAMES {
            assert_eq!(Charset::from_label(name).map(Charset::name), Some(name));
        }
        for label in ["replacement", "hz-gb-2312", "", "utf-7"] {
            assert_eq!(Charset::from_label(label), None, "{label}");
        }
    }

    #[test]
    fn finds_newlines_by_code_unit() {
        for (label, raw, want) in [
            ("utf-16le", &b"\x0A\x01\x0A\0b\0"[..], 4), // U+010A is no newline
            ("utf-16be", b"\x01\x0A\x0A\0\0\x0Ab", 6),
            ("utf-16le", b"a\0\n", 3),
            ("shift_jis", b"\x81\nb", 2),
        ] {
            assert_eq!(Charset::from_label(label).unwrap().line_end(raw, 0), want, "{raw:?}");
        }
    }
}

//! A file's lines as bytes, with their terminators, in any encoding that lines can be told in.

/// The lines of some bytes. Together with the mark they are all of them.
///
/// ```
/// use patchwright_core::history::RawLines;
/// let lines = RawLines::of(b"a\r\nb");
/// assert_eq!((lines.len(), lines.raw(0), lines.text(0)), (2, &b"a\r\n"[..], &b"a"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLines<'a> {
    mark: &'a [u8],
    wide: Wide,
    lines: Vec<&'a [u8]>,
}

/// How a line break is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wide {
    /// As one byte.
    No,
    /// In two bytes, the lower first.
    Little,
    /// In two bytes, the higher first.
    Big,
}

impl Wide {
    fn unit(self, byte: u8) -> Vec<u8> {
        match self {
            Wide::No => vec![byte],
            Wide::Little => vec![byte, 0],
            Wide::Big => vec![0, byte],
        }
    }
}

impl<'a> RawLines<'a> {
    /// Splits bytes into lines. A byte-order mark belongs to none.
    pub fn of(bytes: &'a [u8]) -> RawLines<'a> {
        let (mark, wide) = match bytes {
            [0xef, 0xbb, 0xbf, ..] => (3, Wide::No),
            [0xff, 0xfe, ..] => (2, Wide::Little),
            [0xfe, 0xff, ..] => (2, Wide::Big),
            _ => (0, Wide::No),
        };
        let (mark, body) = bytes.split_at_checked(mark).unwrap_or_default();
        RawLines { mark, wide, lines: split(body, wide) }
    }

    /// Are lines of these bytes told in units of two?
    pub fn is_wide(bytes: &[u8]) -> bool {
        matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The byte-order mark, or nothing.
    pub fn mark(&self) -> &'a [u8] {
        self.mark
    }

    /// A line with its terminator; nothing beyond the end.
    pub fn raw(&self, at: usize) -> &'a [u8] {
        self.lines.get(at).copied().unwrap_or_default()
    }

    /// A line without its terminator.
    pub fn text(&self, at: usize) -> &'a [u8] {
        let raw = self.raw(at);
        raw.get(..raw.len() - self.terminator(raw).len()).unwrap_or(raw)
    }

    /// All lines, with their terminators.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        self.lines.iter().copied()
    }

    /// A line as text for people.
    pub fn shown(&self, at: usize) -> String {
        let text = self.text(at);
        let pair = |two: &[u8]| match (self.wide, two) {
            (Wide::Big, [high, low]) => u16::from_be_bytes([*high, *low]),
            (_, [low, high]) => u16::from_le_bytes([*low, *high]),
            _ => 0xfffd,
        };
        match self.wide {
            Wide::No => String::from_utf8_lossy(text).into_owned(),
            Wide::Little | Wide::Big => String::from_utf16_lossy(&text.chunks(2).map(pair).collect::<Vec<_>>()),
        }
    }

    /// Does the last line have a terminator? No lines count as having one.
    pub fn ends_in_newline(&self) -> bool {
        self.lines.last().is_none_or(|last| !self.terminator(last).is_empty())
    }

    /// The terminator that most lines have.
    pub fn majority(&self) -> Vec<u8> {
        let ends = self.lines.iter().map(|line| self.terminator(line).len()).filter(|length| *length > 0);
        let (mut count, mut long) = (0, 0);
        for length in ends {
            count += 1;
            long += usize::from(length > self.wide.unit(b'\n').len());
        }
        let mut terminator = Vec::new();
        if long * 2 > count {
            terminator.extend(self.wide.unit(b'\r'));
        }
        terminator.extend(self.wide.unit(b'\n'));
        terminator
    }

    /// The terminator of a line of this file; nothing if it has none.
    pub fn terminator<'b>(&self, line: &'b [u8]) -> &'b [u8] {
        let (lf, cr) = (self.wide.unit(b'\n'), self.wide.unit(b'\r'));
        let Some(body) = line.strip_suffix(lf.as_slice()) else { return &[] };
        let text = body.strip_suffix(cr.as_slice()).unwrap_or(body);
        line.get(text.len()..).unwrap_or_default()
    }

    /// Lines in the manner of this file: its mark before them, and terminators wherever a line is followed by
    /// another. The last line's is as `end` says, but an empty line needs one to be a line at all.
    pub fn joined(&self, lines: &[&[u8]], end: End) -> Vec<u8> {
        self.joined_like(lines, end, self)
    }

    /// The same, with terminators like those of another version where none is at hand.
    pub fn joined_like(&self, lines: &[&[u8]], end: End, like: &RawLines<'_>) -> Vec<u8> {
        let mut bytes = self.mark.to_vec();
        let mut above: Option<&[u8]> = None;
        for (at, line) in lines.iter().enumerate() {
            let own = self.terminator(line);
            let text = line.get(..line.len() - own.len()).unwrap_or(line);
            bytes.extend_from_slice(text);
            let is_last = at + 1 == lines.len();
            let wanted = match end {
                _ if !is_last || text.is_empty() => true,
                End::Newline => true,
                End::Bare => false,
                End::AsGiven => !own.is_empty(),
            };
            if wanted && own.is_empty() {
                bytes.extend(like.lent(text, above));
            } else if wanted {
                bytes.extend_from_slice(own);
            }
            if !own.is_empty() {
                above = Some(own);
            }
        }
        bytes
    }

    /// A terminator for a line that has none, like that above. A carriage return at the line's end would
    /// become part of a plain newline, so it gets one of its own.
    fn lent(&self, text: &[u8], above: Option<&[u8]>) -> Vec<u8> {
        let lent = above.map_or_else(|| self.majority(), <[u8]>::to_vec);
        let cr = self.wide.unit(b'\r');
        if text.ends_with(&cr) && !lent.starts_with(&cr) { [cr, lent].concat() } else { lent }
    }
}

/// How the last line of joined lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With a terminator.
    Newline,
    /// Without.
    Bare,
    /// As it was given.
    AsGiven,
}

fn split(body: &[u8], wide: Wide) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let end = match wide {
            Wide::No => memchr::memchr(b'\n', rest).map(|at| at + 1),
            Wide::Little => rest.chunks_exact(2).position(|two| two == [b'\n', 0]).map(|at| at * 2 + 2),
            Wide::Big => rest.chunks_exact(2).position(|two| two == [0, b'\n']).map(|at| at * 2 + 2),
        };
        let (line, later) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, &[]));
        lines.push(line);
        rest = later;
    }
    lines
}

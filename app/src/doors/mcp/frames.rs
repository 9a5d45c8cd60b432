//! MCP door: cuts the incoming bytes into messages, one a line, none longer than the limit. A longer
//! line is dropped as it comes in, never gathered, and reported with its id so that it can be answered.

use super::id_scan::IdScan;
use rmcp::model::RequestId;

/// What the input holds next.
#[derive(Debug)]
pub(super) enum Frame {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line over the limit; its id, if it had one.
    TooLong(Option<RequestId>),
}

/// Bytes on their way to becoming lines.
#[derive(Debug)]
pub(super) struct Frames {
    limit: usize,
    buffer: Vec<u8>,
    /// Bytes at the front of `buffer` that were given out already.
    used: usize,
    /// Bytes at the front of `buffer` known to hold no unseen line end.
    searched: usize,
    dropping: Option<IdScan>,
}

impl Frames {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(limit: u64) -> Frames {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Frames { limit, buffer: Vec::new(), used: 0, searched: 0, dropping: None }
    }

    /// The longest line allowed.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Takes bytes in.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.used > 0 {
            self.buffer.drain(..self.used);
            self.searched = self.searched.saturating_sub(self.used);
            self.used = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole line.
    pub(super) fn next(&mut self) -> Option<Frame> {
        loop {
            let unseen = self.buffer.get(self.searched..).unwrap_or_default();
            let Some(at) = unseen.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                self.drop_what_is_too_long();
                return None;
            };
            let end = self.searched + at;
            let frame = self.cut(end);
            self.used = end + 1;
            self.searched = end + 1;
            if frame.is_some() {
                return frame;
            }
        }
    }

    /// What is left when the input has ended: a last line without an end.
    pub(super) fn finish(&mut self) -> Option<Frame> {
        let frame = self.cut(self.buffer.len());
        self.used = self.buffer.len();
        self.searched = self.buffer.len();
        frame
    }

    /// The line from `used` to `end`; nothing for an empty one.
    fn cut(&mut self, end: usize) -> Option<Frame> {
        let line = self.buffer.get(self.used..end).unwrap_or_default();
        if let Some(mut scan) = self.dropping.take() {
            scan.feed(line);
            return Some(Frame::TooLong(scan.finish()));
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match line.len() {
            0 => None,
            long if long > self.limit => Some(Frame::TooLong(IdScan::of(line))),
            _ => Some(Frame::Line(line.to_vec())),
        }
    }

    fn drop_what_is_too_long(&mut self) {
        let pending = self.buffer.get(self.used..).unwrap_or_default();
        if self.dropping.is_none() && pending.len() <= self.limit {
            return;
        }
        self.dropping.get_or_insert_with(IdScan::new).feed(pending);
        self.buffer.clear();
        self.used = 0;
        self.searched = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way of cutting the input in two must give the same lines.
    fn check(input: &str, limit: u64, want: &[&str]) {
        for at in 0..=input.len() {
            let mut frames = Frames::new(limit);
            let mut got = Vec::new();
            for part in [&input.as_bytes()[..at], &input.as_bytes()[at..]] {
                frames.push(part);
                got.extend(std::iter::from_fn(|| frames.next()).map(shown));
            }
            got.extend(frames.finish().map(shown));
            assert_eq!(got, want, "{input:?} cut at {at}");
        }
    }

    fn shown(frame: Frame) -> String {
        match frame {
            Frame::Line(line) => String::from_utf8(line).unwrap(),
            Frame::TooLong(id) => format!("too long: {}", id.map_or("no id".to_owned(), |id| id.to_string())),
        }
    }

    #[test]
    fn lines() {
        check("", 10, &[]);
        check("a\nb\r\n\n\r\nc", 10, &["a", "b", "c"]);
        check("0123456789\nx\n", 10, &["0123456789", "x"]);
        check("0123456789a\nx\n", 10, &["too long: no id", "x"]);
        check("{\"id\":1,\"a\":\"aaaaaaaaaaaaa\"}\nx\n", 10, &["too long: 1", "x"]);
        check("{\"a\":\"aaaaaaaaaaaaa\",\"id\":\"q\"}\nx", 10, &["too long: q", "x"]);
        check("x\n0123456789abcdef", 10, &["x", "too long: no id"]);
    }
}

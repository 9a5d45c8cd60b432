//! Where lines end, found sixty-four bytes at a time: for short lines several times as quick as looking for one
//! newline after the other.
//!
//! Promises the same lines as `text::lines`.

/// A line's place in a text, without its terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// Every line of a text, in order.
pub(super) fn each_line(text: &[u8], mut see: impl FnMut(Span)) {
    let mut start = 0;
    each_newline(text, |at| {
        let returned = at > start && text.get(at.wrapping_sub(1)) == Some(&b'\r');
        see(Span { start, end: at.saturating_sub(usize::from(returned)) });
        start = at.saturating_add(1);
    });
    if start < text.len() {
        see(Span { start, end: text.len() });
    }
}

fn each_newline(text: &[u8], mut see: impl FnMut(usize)) {
    const BLOCK: usize = 64;
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut base = 0;
    for block in blocks {
        let mut found = newlines(block);
        while found != 0 {
            see(base + found.trailing_zeros() as usize);
            found &= found - 1;
        }
        base += BLOCK;
    }
    for at in memchr::memchr_iter(b'\n', rest) {
        see(base + at);
    }
}

/// One bit for each byte that is a newline, the first byte's lowest.
fn newlines(block: &[u8; 64]) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    words.iter().rev().fold(0, |found, word| found << 8 | newlines_of_eight(u64::from_le_bytes(*word)))
}

/// The same for eight bytes. A byte that is a newline becomes zero, and only a zero's top bit survives the rest;
/// the product then moves the eight top bits next to each other.
fn newlines_of_eight(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const NEWLINES: u64 = 0x0a0a_0a0a_0a0a_0a0a;
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let other = word ^ NEWLINES;
    let zero = !(((other & LOW) + LOW) | other | LOW);
    (zero >> 7).wrapping_mul(TOGETHER) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;
    use proptest::prelude::*;

    fn check(text: &[u8]) {
        let mut found = Vec::new();
        each_line(text, |span| found.push((span.start, span.of(text))));
        let want: Vec<_> = lines(text).map(|line| (line.start, line.text)).collect();
        assert_eq!(found, want, "{text:?}");
    }

    #[test]
    fn every_byte_in_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..70 {
                let mut text = [b'a'; 70];
                text[at] = byte;
                check(&text);
            }
        }
    }

    proptest! {
        #[test]
        fn the_same_lines(text in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..300)) {
            check(&text);
        }
    }
}

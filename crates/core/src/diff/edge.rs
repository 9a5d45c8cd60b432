//! Where two texts begin and end alike, and where lines begin and end, by bytes.
//!
//! Promises the speed of comparing memory: no line is looked at by itself. Leaves what differs to `script`.

pub(super) fn tail(text: &[u8], from: usize) -> &[u8] {
    text.get(from..).unwrap_or_default()
}

/// Compares in blocks first: equality of slices runs at the speed of memory.
pub(super) fn common_prefix(one: &[u8], two: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let blocks = one.chunks_exact(BLOCK).zip(two.chunks_exact(BLOCK)).take_while(|(a, b)| a == b).count();
    let at = blocks * BLOCK;
    at + tail(one, at).iter().zip(tail(two, at)).take_while(|(a, b)| a == b).count()
}

fn common_suffix(one: &[u8], two: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let blocks = one.rchunks_exact(BLOCK).zip(two.rchunks_exact(BLOCK)).take_while(|(a, b)| a == b).count();
    let at = blocks * BLOCK;
    let head = |text: &[u8]| text.len() - at;
    let (one, two) = (one.get(..head(one)).unwrap_or_default(), two.get(..head(two)).unwrap_or_default());
    at + one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// How many bytes of whole lines two texts have in common at their ends.
pub(super) fn common_line_suffix(one: &[u8], two: &[u8]) -> usize {
    let len = common_suffix(one, two);
    let starts_line = |text: &[u8]| matches!(text.get(..text.len() - len), Some([] | [.., b'\n']));
    if starts_line(one) && starts_line(two) {
        return len;
    }
    let suffix = tail(one, one.len() - len);
    memchr::memchr(b'\n', suffix).map_or(0, |at| len - at - 1)
}

/// The start of the line that holds the byte at `at`.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', text.get(..at).unwrap_or(text)).map_or(0, |newline| newline + 1)
}

/// Where the last `count` lines of a text of whole lines begin.
pub(super) fn lines_back(text: &[u8], count: usize) -> usize {
    let body = text.len().saturating_sub(1);
    let newlines = memchr::memrchr_iter(b'\n', text.get(..body).unwrap_or_default());
    newlines.take(count).nth(count - 1).map_or(0, |at| at + 1)
}

/// How many bytes the first `count` lines of a text have.
pub(super) fn lines_on(text: &[u8], count: usize) -> usize {
    memchr::memchr_iter(b'\n', text).nth(count - 1).map_or(text.len(), |at| at + 1)
}

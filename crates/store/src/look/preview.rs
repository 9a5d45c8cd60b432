//! A line as a search shows it: without its terminator, cut around the hit when it is long.

const BEFORE: usize = 100;
const MOST: usize = 400;
/// No character takes more bytes.
const WIDEST: usize = 4;

/// The column from 1, in characters, of a byte offset.
pub(super) fn column(line: &[u8], at: usize) -> usize {
    let before = line.get(..at).unwrap_or(line);
    String::from_utf8_lossy(before).chars().count() + 1
}

/// The line around a byte offset.
pub(super) fn preview(line: &[u8], at: usize) -> String {
    let line = bare(line);
    let short = line.len() <= MOST || String::from_utf8_lossy(line).chars().count() <= MOST;
    if short {
        return String::from_utf8_lossy(line).into_owned();
    }
    let at = at.min(line.len());
    let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at..).unwrap_or_default());
    let head = last_characters(before, BEFORE);
    let rest = String::from_utf8_lossy(after.get(..(MOST + 1) * WIDEST).unwrap_or(after));
    let tail: String = rest.chars().take(MOST - head.chars().count()).collect();
    let left = if String::from_utf8_lossy(before).len() > head.len() { "…" } else { "" };
    let right = if rest.len() > tail.len() { "…" } else { "" };
    format!("{left}{head}{tail}{right}")
}

/// A line without its terminator.
pub(super) fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn last_characters(text: &[u8], count: usize) -> String {
    let from = text.len().saturating_sub(count * WIDEST);
    let part = text.get(from..).unwrap_or_default();
    // A cut within a character leaves bytes that continue nothing.
    let whole = part.iter().take_while(|byte| from > 0 && **byte & 0xC0 == 0x80).count();
    let part = String::from_utf8_lossy(part.get(whole..).unwrap_or_default());
    let skip = part.chars().count().saturating_sub(count);
    part.chars().skip(skip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, at: usize, want: &str) {
        assert_eq!(preview(line.as_bytes(), at), want);
    }

    #[test]
    fn previews() {
        check("abc\r\n", 1, "abc");
        check("abc", 1, "abc");
        check(&"é".repeat(400), 2, &"é".repeat(400));
        check(&"a".repeat(500), 0, &format!("{}…", "a".repeat(400)));
        check(&"é".repeat(600), 400, &format!("…{}…", "é".repeat(400)));
        check(&format!("{}hit\n", "a".repeat(500)), 500, &format!("…{}hit", "a".repeat(100)));
        check(&format!("{}hit\n", "€".repeat(500)), 1500, &format!("…{}hit", "€".repeat(100)));
    }

    #[test]
    fn columns() {
        assert_eq!(column("éa".as_bytes(), 2), 2);
        assert_eq!(column(b"\xFFa", 1), 2);
        assert_eq!(column(b"abc", 0), 1);
    }
}

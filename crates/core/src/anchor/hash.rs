//! The hashes behind anchors, and what a line is made of.

use twox_hash::XxHash3_64;

/// The hash of a line without its terminator.
///
/// ```
/// assert_eq!(patchwright_core::anchor::line_hash(b""), 0x2d06_8005_38d3_94c2);
/// ```
pub fn line_hash(line: &[u8]) -> u64 {
    XxHash3_64::oneshot(line)
}

/// Six hex digits of a hash.
pub(crate) fn short(hash: u64) -> u32 {
    (hash >> 40) as u32
}

/// Eight hex digits of a hash.
pub(crate) fn long(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Has it no letter and no digit? Such a line is found everywhere and says nothing.
pub fn is_low(line: &[u8]) -> bool {
    if line.iter().any(u8::is_ascii_alphanumeric) {
        return false;
    }
    line.is_ascii() || !line.utf8_chunks().any(|chunk| chunk.valid().chars().any(char::is_alphanumeric))
}

/// Has it nothing but white space?
pub fn is_blank(line: &[u8]) -> bool {
    let white = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    // Indentation mostly comes in fours.
    let mut rest = line;
    while let Some((b"    ", more)) = rest.split_first_chunk() {
        rest = more;
    }
    match rest.iter().find(|byte| !white(byte)) {
        None => true,
        Some(byte) if byte.is_ascii() => false,
        Some(_) => {
            line.utf8_chunks().all(|chunk| chunk.invalid().is_empty() && chunk.valid().chars().all(char::is_whitespace))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_is_made_of() {
        let check = |line: &[u8], low: bool, blank: bool| {
            assert_eq!((is_low(line), is_blank(line)), (low, blank), "{line:?}");
        };
        check(b"", true, true);
        check(b" \t\r\x0B\x0C", true, true);
        check("\u{A0}\u{2003}\u{85} ".as_bytes(), true, true); // white space beyond ASCII
        check(b"\x1F", true, false); // a control character is not white
        check(b" \x00", true, false);
        check(b"  },", true, false);
        check(b"\xFF", true, false); // no text at all
        check(b" \xC2\xA0\xFF", true, false);
        check("\u{200B}—…".as_bytes(), true, false);
        check(b"  }a", false, false);
        check(b"_0", false, false);
        check("— é".as_bytes(), false, false);
        check("٣".as_bytes(), false, false); // a digit beyond ASCII
        check(b"\xFF\xC3\xA9", false, false); // a letter beside bytes that are none
    }
}

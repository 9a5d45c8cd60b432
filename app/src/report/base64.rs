//! Bytes as base64 with padding (RFC 4648), for binary files in JSON.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            out.push(if at <= chunk.len() { digit(group >> (18 - 6 * at)) } else { '=' });
        }
    }
    out
}

fn digit(bits: u32) -> char {
    let at = usize::try_from(bits & 63).unwrap_or(0);
    ALPHABET.get(at).copied().map_or('=', char::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, want) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"fooba", "Zm9vYmE="),
            (b"foobar", "Zm9vYmFy"),
            (b"\xfb\xff\xbf", "+/+/"),
        ] {
            assert_eq!(base64(bytes), want);
        }
    }
}

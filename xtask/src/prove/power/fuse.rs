//! The kernel's FUSE protocol, as much of it as one file needs.
//!
//! Requests are taken apart and answers put together here, as bytes; `disk` does what they ask for. Layouts are those of
//! the kernel's `fuse.h`, version 7.31.

/// The largest write that is taken at once.
pub(crate) const MOST: u32 = 1 << 20;

/// Room for the largest request.
pub(crate) const ROOM: usize = MOST as usize + 4096;

/// What a header before a request is long.
const HEADER: usize = 40;

/// No such operation.
const ENOSYS: i32 = -38;

/// The disk failed.
const EIO: i32 = -5;

/// Larger writes than a page, and as many pages as [`MOST`] has.
const ABILITIES: u32 = (1 << 5) | (1 << 22);

/// A request, and the number under which it is answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Request<'a> {
    pub(crate) number: u64,
    pub(crate) wish: Wish<'a>,
}

/// What the kernel wants.
#[derive(Debug, PartialEq)]
pub(crate) enum Wish<'a> {
    Greeting,
    Attributes,
    Open,
    Read {
        at: u64,
        count: usize,
    },
    Write {
        at: u64,
        bytes: &'a [u8],
    },
    /// Everything written must now be durable.
    Flush,
    /// Something that is always granted.
    Nothing,
    /// Something that is not answered at all.
    Silence,
    /// Something that one file does not need.
    Unknown,
}

impl Request<'_> {
    /// Takes a request apart; nothing if it is too short to be one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Request<'_>> {
        let (header, body) = (bytes.get(..HEADER)?, bytes.get(HEADER..)?);
        let wish = match word(header, 4)? {
            26 => Wish::Greeting,
            3 | 4 => Wish::Attributes,
            14 => Wish::Open,
            15 => Wish::Read { at: long(body, 8)?, count: word(body, 16)? as usize },
            16 => {
                let (at, count) = (long(body, 8)?, word(body, 16)? as usize);
                Wish::Write { at, bytes: body.get(40..)?.get(..count)? }
            }
            20 => Wish::Flush,
            18 | 25 | 38 => Wish::Nothing,
            2 | 36 | 42 => Wish::Silence,
            _ => Wish::Unknown,
        };
        Some(Request { number: long(header, 8)?, wish })
    }
}

/// An answer with these bytes.
pub(crate) fn granted(number: u64, body: &[u8]) -> Vec<u8> {
    answer(number, 0, body)
}

/// Such a thing is not known here.
pub(crate) fn unknown(number: u64) -> Vec<u8> {
    answer(number, ENOSYS, &[])
}

/// It could not be done.
pub(crate) fn failed(number: u64) -> Vec<u8> {
    answer(number, EIO, &[])
}

/// Which version we speak, and how much we take at once.
pub(crate) fn greeting() -> Vec<u8> {
    let mut body = Vec::new();
    for word in [7, 31, MOST, ABILITIES] {
        body.extend_from_slice(&word.to_ne_bytes());
    }
    // How many requests may wait, and when that is called crowded.
    body.extend_from_slice(&16_u16.to_ne_bytes());
    body.extend_from_slice(&12_u16.to_ne_bytes());
    body.extend_from_slice(&MOST.to_ne_bytes());
    body.extend_from_slice(&1_u32.to_ne_bytes());
    body.extend_from_slice(&256_u16.to_ne_bytes());
    body.resize(64, 0);
    body
}

/// The attributes of the one file, which is so long.
pub(crate) fn attributes(size: u64) -> Vec<u8> {
    let mut body = Vec::new();
    // Valid for an hour: nobody else changes it.
    for long in [3600, 0, 1, size, size / 512, 0, 0, 0] {
        body.extend_from_slice(&u64::to_ne_bytes(long));
    }
    // Fractions of three times, mode, links, owner, group, device, block size, flags.
    for word in [0, 0, 0, 0o100_600, 1, 0, 0, 0, 4096, 0] {
        body.extend_from_slice(&u32::to_ne_bytes(word));
    }
    body
}

/// An open file.
pub(crate) fn opened() -> Vec<u8> {
    vec![0; 16]
}

/// So much was written.
pub(crate) fn written(count: usize) -> Vec<u8> {
    let count = u64::try_from(count).unwrap_or_default();
    count.to_ne_bytes().to_vec()
}

fn answer(number: u64, error: i32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len().saturating_add(16)).unwrap_or_default();
    [&length.to_ne_bytes()[..], &error.to_ne_bytes(), &number.to_ne_bytes(), body].concat()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_ne_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_ne_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(code: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[4..8].copy_from_slice(&code.to_ne_bytes());
        bytes[8..16].copy_from_slice(&7_u64.to_ne_bytes());
        bytes.extend_from_slice(body);
        bytes
    }

    fn check(code: u32, body: &[u8], expected: Option<Wish<'_>>) {
        let bytes = request(code, body);
        assert_eq!(Request::read(&bytes), expected.map(|wish| Request { number: 7, wish }), "{code}");
    }

    #[test]
    fn requests() {
        let mut body = vec![0; 43];
        body[8..16].copy_from_slice(&4096_u64.to_ne_bytes());
        body[16..20].copy_from_slice(&3_u32.to_ne_bytes());
        body[40..].copy_from_slice(b"abc");
        check(16, &body, Some(Wish::Write { at: 4096, bytes: b"abc" }));
        check(16, &body[..42], None); // cut off
        check(15, &body, Some(Wish::Read { at: 4096, count: 3 }));
        check(20, &[], Some(Wish::Flush));
        check(26, &[], Some(Wish::Greeting));
        check(99, &[], Some(Wish::Unknown));
        assert_eq!(Request::read(&[0; 39]), None);
    }

    #[test]
    fn answers_have_the_kernels_lengths() {
        assert_eq!(greeting().len(), 64);
        assert_eq!(attributes(1).len(), 104);
        assert_eq!(granted(1, &opened()).len(), 32);
        assert_eq!(unknown(1)[4..8], (-38_i32).to_ne_bytes());
    }
}

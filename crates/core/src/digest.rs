//! Content hashes. A [`Digest`] is always the sha256 of a file's raw bytes, never of decoded text.
//!
//! A [`Trail`] keeps the way to a hash, so that bytes with the same beginning need not be hashed from the start.
//! Leaves reading bytes to the store, and which beginnings are the same to [`crate::text`].

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The sha256 of some bytes.
///
/// ```
/// use patchwright_core::digest::Digest;
/// let d = Digest::of(b"");
/// assert_eq!(d.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// assert_eq!(Digest::parse(&d.to_string().to_uppercase()), Some(d));
/// assert_eq!(Digest::parse("e3b0"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest(#[serde(with = "bytes32")] pub [u8; 32]);

impl Digest {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// Reads 64 hex digits, in either case.
    pub fn parse(hex: &str) -> Option<Digest> {
        let digits = hex.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut out = [0; 32];
        for (byte, pair) in out.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = pair else { return None };
            *byte = nibble(*high)? << 4 | nibble(*low)?;
        }
        Some(Digest(out))
    }
}

/// A hash as a caller gives it: all 64 digits, or at least the first [`DigestPrefix::LEAST`]. Stands for a file only once it
/// is held against the bytes that are there; from then on the whole digest counts.
///
/// ```
/// use patchwright_core::digest::{Digest, DigestPrefix};
/// let d = Digest::of(b"");
/// assert!(DigestPrefix::parse("E3B0C44298FC").unwrap().fits(d));
/// assert!(DigestPrefix::from(d).fits(d));
/// assert!(!DigestPrefix::parse("e3b0c44298fd").unwrap().fits(d));
/// assert_eq!(DigestPrefix::parse("e3b0c44298f"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DigestPrefix {
    /// Digits that were not given are 0.
    digest: Digest,
    digits: usize,
}

impl DigestPrefix {
    /// So many digits are needed.
    pub const LEAST: usize = 12;

    /// Reads hex digits, in either case.
    pub fn parse(hex: &str) -> Option<DigestPrefix> {
        let digits = hex.len();
        if !(DigestPrefix::LEAST..=64).contains(&digits) || !hex.is_ascii() {
            return None;
        }
        Digest::parse(&format!("{hex:0<64}")).map(|digest| DigestPrefix { digest, digits })
    }

    /// Is this the beginning of that digest?
    pub fn fits(&self, digest: Digest) -> bool {
        digest.to_string().get(..self.digits) == Some(self.to_string().as_str())
    }

    /// The digest, if all of it was given.
    pub fn whole(&self) -> Option<Digest> {
        (self.digits == 64).then_some(self.digest)
    }
}

impl From<Digest> for DigestPrefix {
    fn from(digest: Digest) -> DigestPrefix {
        DigestPrefix { digest, digits: 64 }
    }
}

impl fmt::Display for DigestPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digest.to_string().get(..self.digits).unwrap_or_default())
    }
}

impl fmt::Debug for DigestPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Hashes bytes that come in pieces.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes in the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The hash of all pieces.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// How many bytes lie between two marks of a [`Trail`].
const STRIDE: usize = 1 << 20;

/// A [`Hasher`] that leaves marks on its way.
#[derive(Clone, Default)]
pub struct Tracer {
    hasher: Hasher,
    marks: Vec<Hasher>,
    /// How far it is past the last mark.
    past: usize,
}

impl Tracer {
    /// Takes in the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            let (now, later) = rest.split_at_checked(STRIDE.saturating_sub(self.past)).unwrap_or((rest, &[]));
            self.hasher.update(now);
            self.past = self.past.saturating_add(now.len());
            if self.past >= STRIDE {
                self.marks.push(self.hasher.clone());
                self.past = 0;
            }
            rest = later;
        }
    }

    /// The hash of all pieces, and the way to it.
    pub fn finish(self) -> (Digest, Trail) {
        (self.hasher.finish(), Trail { marks: self.marks })
    }
}

/// The way to the hash of some bytes: other bytes that begin like them need to be hashed only from where they differ.
///
/// ```
/// use patchwright_core::digest::{Digest, Tracer};
/// let (old, mut new) = (vec![b'a'; 3 << 20], vec![b'a'; 3 << 20]);
/// new[2 << 20] = b'b';
/// let mut tracer = Tracer::default();
/// tracer.update(&old);
/// let (_, trail) = tracer.finish();
/// let (mut hasher, done) = trail.up_to(2 << 20);
/// hasher.update(&new[done..]);
/// assert_eq!(hasher.finish(), Digest::of(&new));
/// ```
#[derive(Clone, Default)]
pub struct Trail {
    /// One every [`STRIDE`] bytes, the first after so many.
    marks: Vec<Hasher>,
}

impl Trail {
    /// A hasher that has taken in the first bytes already, and how many: `len` or, to the last mark, fewer.
    pub fn up_to(&self, len: usize) -> (Hasher, usize) {
        let passed = (len / STRIDE).min(self.marks.len());
        let mark = passed.checked_sub(1).and_then(|last| self.marks.get(last));
        mark.map_or_else(Default::default, |hasher| (hasher.clone(), passed.saturating_mul(STRIDE)))
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trail({} marks)", self.marks.len())
    }
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Keeps a digest as 32 raw bytes on disk instead of a list of numbers.
mod bytes32 {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<[u8; 32], D::Error> {
        from.deserialize_bytes(Raw)
    }

    struct Raw;

    impl Visitor<'_> for Raw {
        type Value = [u8; 32];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("32 bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<[u8; 32], E> {
            <[u8; 32]>::try_from(bytes).map_err(|_| E::invalid_length(bytes.len(), &self))
        }
    }
}

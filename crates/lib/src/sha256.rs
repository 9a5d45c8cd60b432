//! The hash by which a file's bytes are known.

use crate::error::Error;
use patchwright_engine::core::digest::Digest;
use std::fmt;
use std::str::FromStr;

/// The SHA-256 of a file's bytes; of a symbolic link, that of its target text.
///
/// It prints as 64 lower-case hex digits, and parses from them.
///
/// ```
/// use patchwright_lib::Sha256;
///
/// let hash = Sha256::of(b"");
/// assert!(hash.to_string().starts_with("e3b0c442"));
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Sha256 {
        Sha256::of_digest(Digest::of(bytes))
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(crate) fn digest(self) -> Digest {
        Digest(self.0)
    }
}

impl Sha256 {
    pub(crate) fn of_digest(digest: Digest) -> Sha256 {
        Sha256(digest.0)
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digest().fmt(out)
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Sha256({self})")
    }
}

impl FromStr for Sha256 {
    type Err = Error;

    fn from_str(hex: &str) -> Result<Sha256, Error> {
        let digest = Digest::parse(hex).ok_or_else(|| Error::invalid("a SHA-256 has 64 hex digits"))?;
        Ok(Sha256::of_digest(digest))
    }
}

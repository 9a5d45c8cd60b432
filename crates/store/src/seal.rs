//! How a record is known to be ours: its id, and a key that stands outside the work tree.
//!
//! Every frame of the log carries a tag: a keyed hash over the id, the frame's offset in the file and the frame's own
//! hash. Whoever can write into the work tree but does not have the key cannot make one; and a genuine frame that is
//! copied to another offset, such as into the content of a file, no longer fits.

use hmac::{Hmac, KeyInit, Mac};
use patchwright_core::digest::Digest;
use patchwright_core::seeded::{Bug, is_planted};
use sha2::Sha256;
use std::fmt;

/// The bytes of a tag.
pub const TAG: usize = 32;
/// The bytes of a key.
pub const KEY: usize = 32;
/// The letters of an id.
const ID: usize = 32;

/// A record's id: 32 lower-case hex digits, drawn at random.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// The id with these random bits.
    pub fn new(bits: u128) -> Id {
        Id(format!("{bits:0width$x}", width = ID))
    }

    /// Reads an id; nothing for any other name, such as one in upper case or one that leads elsewhere.
    ///
    /// ```
    /// use patchwright_store::seal::Id;
    /// assert!(Id::parse("0123456789abcdef0123456789abcdef").is_some());
    /// for other in ["../x", "0123456789ABCDEF0123456789ABCDEF", "0123", ""] {
    ///     assert!(Id::parse(other).is_none());
    /// }
    /// ```
    pub fn parse(name: &str) -> Option<Id> {
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (name.len() == ID && name.bytes().all(hex)).then(|| Id(name.to_owned()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record's key. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(pub [u8; KEY]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// What the frames of one record are tagged with.
#[derive(Clone, Debug)]
pub struct Seal {
    id: Id,
    keyed: Hmac<Sha256>,
}

impl Seal {
    /// The seal of a record.
    pub fn new(id: Id, key: &Key) -> Seal {
        // A key shorter than the hash's block counts as filled up with zeros.
        let mut block = [0; 64];
        if let Some(start) = block.first_chunk_mut::<KEY>() {
            *start = key.0;
        }
        Seal { id, keyed: Hmac::new(&block.into()) }
    }

    /// Whose it is.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The tag of the frame with this hash at this offset.
    pub fn tag(&self, offset: u64, hash: &Digest) -> [u8; TAG] {
        self.over(offset, hash).finalize().into_bytes().into()
    }

    /// Does a tag fit the frame?
    pub fn fits(&self, offset: u64, hash: &Digest, tag: &[u8; TAG]) -> bool {
        is_planted(Bug::TagNotChecked) || self.over(offset, hash).verify(tag.into()).is_ok()
    }

    fn over(&self, offset: u64, hash: &Digest) -> Hmac<Sha256> {
        let offset = if is_planted(Bug::OffsetNotTagged) { 0 } else { offset };
        let mut keyed = self.keyed.clone();
        keyed.update(self.id.as_str().as_bytes());
        keyed.update(&offset.to_le_bytes());
        keyed.update(&hash.0);
        keyed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_fits_its_own_frame_alone() {
        let id = Id::new(7);
        let (seal, hash) = (Seal::new(id.clone(), &Key([1; KEY])), Digest::of(b"frame"));
        let tag = seal.tag(32, &hash);
        assert!(seal.fits(32, &hash, &tag));
        assert!(!seal.fits(33, &hash, &tag), "another offset");
        assert!(!seal.fits(32, &Digest::of(b"other"), &tag), "another frame");
        assert!(!Seal::new(Id::new(8), &Key([1; KEY])).fits(32, &hash, &tag), "another record");
        assert!(!Seal::new(id, &Key([2; KEY])).fits(32, &hash, &tag), "another key");
    }
}

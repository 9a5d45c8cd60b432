//! Reading a record, also one of a kind that only a later version knows.

use super::Record;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Kinds whose names are taken and which this version does not write: what other programs did to files, and the state
/// that later records count from.
pub const RESERVED: [&str; 2] = ["Observed", "Baseline"];

/// Every kind that this version reads.
const KNOWN: [&str; 10] =
    ["Intent", "Commit", "Abort", "Note", "Purge", "Retired", "Proposal", "Verdict", "Resumed", "Adopted"];

/// Reads a record's payload. A kind that is not known gives [`Record::Other`]; a known kind that does not fit is an
/// error.
pub fn decode(payload: &[u8]) -> Result<Record, rmp_serde::decode::Error> {
    let error = match rmp_serde::from_slice(payload) {
        Ok(record) => return Ok(record),
        Err(error) => error,
    };
    match rmp_serde::from_slice(payload) {
        Ok(Kind(kind)) if !KNOWN.contains(&kind.as_str()) => Ok(Record::Other { kind }),
        _ => Err(error),
    }
}

/// The name of a payload's kind, whatever it holds.
struct Kind(String);

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        from.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    /// A kind without fields.
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Kind, E> {
        Ok(Kind(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let Some((name, IgnoredAny)) = map.next_entry()? else { return Err(de::Error::invalid_length(0, &self)) };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(Kind(name)),
            Some(_) => Err(de::Error::invalid_length(2, &self)),
        }
    }
}

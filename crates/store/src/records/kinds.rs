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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Retired;
    use serde::Serialize;
    use std::collections::BTreeMap;

    /// A kind that holds these fields, as the log would hold it.
    fn payload(kind: &str, fields: &impl Serialize) -> Vec<u8> {
        rmp_serde::to_vec_named(&BTreeMap::from([(kind, fields)])).unwrap()
    }

    fn other(kind: &str) -> Option<Record> {
        Some(Record::Other { kind: kind.to_owned() })
    }

    #[test]
    fn a_kind_that_is_not_known_is_passed_over() {
        let fields = BTreeMap::from([("batch", vec![1, 2])]);
        for kind in ["Observed", "Baseline", "Later", "commit"] {
            assert_eq!(decode(&payload(kind, &fields)).ok(), other(kind));
            assert_eq!(decode(&payload(kind, &())).ok(), other(kind));
            assert_eq!(decode(&rmp_serde::to_vec(kind).unwrap()).ok(), other(kind), "without fields");
        }
        assert!(RESERVED.iter().all(|kind| !KNOWN.contains(kind)));
    }

    #[test]
    fn a_known_kind_that_does_not_fit_is_an_error() {
        for kind in KNOWN {
            assert!(decode(&payload(kind, &())).is_err(), "{kind}");
            assert!(decode(&payload(kind, &BTreeMap::from([("none", 1)]))).is_err(), "{kind}");
        }
    }

    #[test]
    fn what_is_no_record_is_an_error() {
        let cut = payload("Later", &BTreeMap::from([("batch", "b")]));
        let two = rmp_serde::to_vec(&BTreeMap::from([("Later", 1), ("Other", 2)])).unwrap();
        let none = rmp_serde::to_vec(&BTreeMap::<&str, u8>::new()).unwrap();
        for bytes in [&[][..], &[0xc0], &[0x07], &[0x93, 1, 2, 3], &cut[..cut.len() - 1], &two, &none] {
            assert!(decode(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn a_field_that_is_not_known_is_ignored() {
        #[derive(Serialize)]
        struct Later {
            time_ns: i64,
            blobs: Vec<String>,
            news: BTreeMap<String, Vec<u64>>,
            trash: Vec<String>,
            bytes: u64,
        }
        let news = BTreeMap::from([("a".to_owned(), vec![1])]);
        let later = Later { time_ns: 5, blobs: Vec::new(), news, trash: vec!["t".to_owned()], bytes: 9 };
        let read = Retired { time_ns: 5, blobs: Vec::new(), trash: vec!["t".to_owned()], bytes: 9 };
        assert_eq!(decode(&payload("Retired", &later)).ok(), Some(Record::Retired(read)));
    }

    #[test]
    fn what_is_not_known_is_never_written() {
        assert!(rmp_serde::to_vec_named(&Record::Other { kind: "Later".to_owned() }).is_err());
    }
}

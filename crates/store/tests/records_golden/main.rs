//! The log's format is what stands under `tests/golden`: a sample of every kind of record with every field filled, and
//! every choice that a field has, each as its tree and its bytes. A renamed field or choice shows as a difference, and
//! what stands there must be read for ever.
//!
//! After a deliberate addition: `PATCHWRIGHT_GOLDEN=write cargo test -p patchwright-store --test records_golden`, and
//! look at the difference before it is kept.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod choices;
mod names;
mod page;
mod samples;
mod tree;

use patchwright_core::digest::Digest;
use patchwright_store::records::{Record, decode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// One value as the log holds it.
fn bytes(value: &impl Serialize) -> Vec<u8> {
    rmp_serde::to_vec_named(value).unwrap()
}

/// The tree, the hash of the bytes, the bytes.
fn listing(bytes: &[u8]) -> String {
    let mut out = tree::listing(bytes);
    writeln!(out, "sha256 {}", Digest::of(bytes)).unwrap();
    for row in bytes.chunks(48) {
        out.push_str("bytes ");
        row.iter().for_each(|byte| write!(out, "{byte:02x}").unwrap());
        out.push('\n');
    }
    out
}

/// The bytes that a listing holds, one entry for each value in it.
fn listed(listing: &str) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    for line in listing.lines() {
        if line.starts_with("sha256 ") {
            values.push(Vec::new());
        }
        let Some(row) = line.strip_prefix("bytes ") else { continue };
        let pairs = row.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        values.last_mut().unwrap().extend(pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()));
    }
    values
}

/// The golden file of this name. Where it is asked for, it is written first.
fn golden(name: &str, now: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("PATCHWRIGHT_GOLDEN").is_some_and(|how| how == "write") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, now).unwrap();
    }
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, values: &[T]) {
    let now: String = values.iter().map(|value| listing(&bytes(value))).collect();
    let golden = golden(name, &now);
    assert_eq!(now, golden, "{name} is written another way than it stands in tests/golden");
    let read: Vec<T> = listed(&golden).iter().map(|bytes| rmp_serde::from_slice(bytes).unwrap()).collect();
    assert_eq!(read, values, "{name} is not read as it was written");
}

#[test]
fn every_kind_is_written_and_read_as_ever() {
    let samples = samples::all();
    let kinds: Vec<&str> = samples.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, choices::names::<Record>(), "a sample of every kind");
    for (kind, record) in samples {
        check(&kind.to_lowercase(), std::slice::from_ref(&record));
        assert_eq!(decode(&bytes(&record)).unwrap(), record);
        assert!(decode(&bytes(&BTreeMap::from([(kind, ())]))).is_err(), "{kind} is known");
    }
}

#[test]
fn every_choice_is_written_and_read_as_ever() {
    choices::check_all();
}

#[test]
fn the_page_tells_every_field_and_choice() {
    page::check();
}

#[test]
fn a_record_tells_the_number_of_the_batch_it_names() {
    let told = |(kind, record): (&'static str, Record)| record.number().map(|number| (kind, number));
    let numbers: Vec<(&str, u64)> = samples::all().into_iter().filter_map(told).collect();
    assert_eq!(numbers, [("Commit", 17), ("Purge", 18), ("Proposal", 17)]);
    assert_eq!(samples::plain_commit().number(), None);
}

#[test]
fn what_is_not_said_is_not_written() {
    let short = listing(&bytes(&samples::plain_commit()));
    for name in ["number", "actor", "door", "role"] {
        assert!(!short.contains(&format!("{name}:")), "{short}");
    }
}

//! Fuzz targets with oracles. Each target takes any bytes, makes files and a call out of them, and compares
//! what the product does with what a slow and plain reference says; where they differ, it panics.
//!
//! Promises that the same bytes always do the same. What is absent: the fuzzing itself. `fuzz/engine` binds the
//! targets to libFuzzer, and the tests of this crate replay `fuzz/corpus` and `fuzz/regressions`.

#![allow(clippy::panic, reason = "a target tells of a mismatch by a panic, as fuzzers expect it")]

mod anchors;
mod arguments;
mod envelope;
mod feed;
mod globs;
mod journal;
mod lines;
mod one_file;
mod page;
mod paths;
mod rows;
mod strings;

#[cfg(feature = "seeded-bugs")]
pub use patchwright_core::seeded::plant;

/// Something to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, also that of its folder in the corpus.
    pub name: &'static str,
    /// Runs it on some bytes; panics where an oracle disagrees.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "envelope", run: envelope::run },
    Target { name: "anchors", run: anchors::run },
    Target { name: "lines", run: lines::run },
    Target { name: "strings", run: strings::run },
    Target { name: "arguments", run: arguments::run },
    Target { name: "journal", run: journal::run },
    Target { name: "paths", run: paths::run },
    Target { name: "globs", run: globs::run },
];

/// The target of this name.
pub fn named(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

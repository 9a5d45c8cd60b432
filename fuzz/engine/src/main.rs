//! Binds the fuzz targets to libFuzzer; `PATCHWRIGHT_FUZZ_TARGET` says which one runs.

#![no_main]

use patchwright_fuzz::{Target, named};
use std::sync::OnceLock;

static TARGET: OnceLock<Target> = OnceLock::new();

fn chosen() -> Target {
    #[cfg(feature = "seeded-bugs")]
    if let Ok(bug) = std::env::var("PATCHWRIGHT_SEEDED_BUG") {
        assert!(patchwright_fuzz::plant(&bug), "there is no bug named {bug}");
    }
    let name = std::env::var("PATCHWRIGHT_FUZZ_TARGET").unwrap_or_default();
    named(&name).unwrap_or_else(|| panic!("PATCHWRIGHT_FUZZ_TARGET names no target: {name:?}"))
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.get_or_init(chosen).run)(data));

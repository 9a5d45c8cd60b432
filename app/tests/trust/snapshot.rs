//! A folder as a value, everything below it included: what must be the same where nothing may happen.

pub(crate) use patchwright_testkit::snapshot::*;

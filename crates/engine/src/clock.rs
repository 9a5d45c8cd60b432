//! Time and fresh ids: the only place where the engine asks for either.

use jiff::Timestamp;
use uuid::Uuid;

/// Now, in nanoseconds since 1970 UTC.
pub(crate) fn now_ns() -> i64 {
    i64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX)
}

/// A fresh id; ids sort by time.
pub(crate) fn fresh_id() -> String {
    Uuid::now_v7().to_string()
}

/// A number that no other call has.
pub(crate) fn salt() -> u64 {
    let (_, low) = Uuid::now_v7().as_u64_pair();
    low
}

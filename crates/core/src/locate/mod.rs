//! Where a text stands in another: exactly, or, for a refusal, nearly.
//!
//! Promises linear time and that two candidates are never one. Only [`exact`] decides where an
//! edit lands; [`nearest`](mod@nearest) and [`visible`](mod@visible) serve to explain why one did not.

mod align;
pub mod exact;
mod lines;
pub mod longer;
pub mod nearest;
mod reason;
pub mod visible;

pub use exact::{All, Found, MOST, Needle, find, find_all};
pub(crate) use lines::LinePattern;
pub use nearest::{Difference, Edges, Nearest, Pair, nearest};
pub use reason::Reason;
pub use visible::visible;

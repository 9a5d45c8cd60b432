//! File contents in memory.

use std::sync::Arc;

/// Bytes that several hold and nobody copies.
pub type Bytes = Arc<Vec<u8>>;

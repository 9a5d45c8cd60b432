//! Errors of the system as the disk tells them.

use crate::disk::Halt;
use rustix::io::Errno;
use std::io;

/// An error of the system as it is.
pub(super) fn os(errno: Errno) -> Halt {
    Halt::Os(io::Error::from(errno))
}

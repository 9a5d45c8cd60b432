//! Reading a file that is not the workspace's: a patch that somebody names on a command line. Nothing of the
//! guard applies, because the caller could read it anyway; no tool leads here.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// All bytes of a file, wherever it is.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

//! CLI door: what comes from standard input or a file, bounded like a request to a server.

use super::output::Ports;
use super::stop::Stop;
use patchwright_core::policy::Limits;
use patchwright_engine::read_outside;
use std::io::{self, Read};
use std::path::Path;

/// Everything on standard input.
pub(super) fn piped(ports: &mut Ports<'_>, limits: Limits, what: &str) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let most = limits.max_request_bytes.saturating_add(1);
    match ports.input.take(most).read_to_end(&mut bytes) {
        Ok(_) => within(limits, what, bytes),
        Err(error) => Err(Stop::usage(format!("cannot read {what} from standard input: {error}"))),
    }
}

/// A file, which may lie anywhere: it is the caller's, not the workspace's.
pub(super) fn file(path: &str, limits: Limits, what: &str) -> Result<Vec<u8>, Stop> {
    let bytes = read_outside(Path::new(path));
    within(limits, what, bytes.map_err(|error| Stop::usage(format!("cannot read {what} from {path}: {error}")))?)
}

/// What is not longer than a request may be.
pub(super) fn within<T: AsRef<[u8]>>(limits: Limits, what: &str, given: T) -> Result<T, Stop> {
    let limit = limits.max_request_bytes;
    if u64::try_from(given.as_ref().len()).unwrap_or(u64::MAX) > limit {
        let setting = "the setting limits.max_request_bytes holds this limit";
        return Err(Stop::usage(format!("{what} is longer than {limit} bytes; {setting}")));
    }
    Ok(given)
}

/// The same as text.
pub(super) fn text(bytes: Vec<u8>, what: &str, from: &str) -> Result<String, Stop> {
    String::from_utf8(bytes).map_err(|_| Stop::usage(format!("cannot read {what} from {from}: it is not UTF-8")))
}

/// Does whoever sits there agree? Only a plain yes counts.
pub(super) fn is_yes(input: &mut dyn Read) -> io::Result<bool> {
    let mut answer = Vec::new();
    let mut byte = [0];
    while answer.len() < 16 && input.read(&mut byte)? == 1 && byte != *b"\n" {
        answer.extend_from_slice(&byte);
    }
    let answer = String::from_utf8_lossy(&answer).trim().to_lowercase();
    Ok(matches!(answer.as_str(), "y" | "yes"))
}

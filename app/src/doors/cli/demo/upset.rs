//! CLI door, demo: what keeps a step from coming out.

use std::io;

/// What keeps a step from coming out.
#[derive(Debug)]
pub(super) enum Upset {
    /// It did not show what it claims to show; why, in a sentence.
    Claim(String),
    /// The demo's own output could not be written: nobody is watching any more.
    Output(io::Error),
}

/// From writing to the show. What fails about the workspace or the server is a claim: see [`failed`].
impl From<io::Error> for Upset {
    fn from(error: io::Error) -> Upset {
        Upset::Output(error)
    }
}

/// A claim that must hold.
pub(super) fn claim(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Upset> {
    if holds { Ok(()) } else { Err(Upset::Claim(otherwise())) }
}

/// What the machine said while the demo did something.
pub(super) fn failed(doing: &str) -> impl Fn(io::Error) -> Upset {
    move |error| Upset::Claim(format!("{doing}: {error}"))
}

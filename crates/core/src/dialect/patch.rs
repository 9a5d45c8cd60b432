//! A patch in whichever form it is written: an envelope or a unified diff.

use super::envelope::{Noted, parse};
use super::unified;
use super::wanted::{Wanted, wanted};
use crate::conventions::Conventions;
use crate::refusal::Refusal;

/// A patch that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// In what it is written.
    pub form: Form,
    /// What each of its sections wants, in order.
    pub wanted: Vec<Wanted>,
    /// What was read kindly, by first line.
    pub readings: Vec<Noted>,
}

/// In what a patch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An envelope.
    Envelope,
    /// A unified diff.
    Diff,
}

/// Reads a patch of either form, or says on which line it is none.
pub fn read(text: &str, conventions: Conventions) -> Result<Patch, Refusal> {
    if unified::is_diff(text) {
        let (wanted, readings) = unified::read(text)?;
        return Ok(Patch { form: Form::Diff, wanted, readings });
    }
    let parsed = parse(text, conventions)?;
    Ok(Patch { form: Form::Envelope, wanted: wanted(&parsed, conventions), readings: parsed.readings })
}

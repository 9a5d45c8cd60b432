//! Where xtask writes for a person: lines on standard output, errors on standard error.
//!
//! A closed pipe is not an error here: nobody is listening any more.

use std::io::Write;

/// One line for the person at the terminal.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// One line about what went wrong.
pub(crate) fn error(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

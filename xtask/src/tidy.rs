//! `cargo xtask tidy`: the house rules that a machine can check, one file a rule.
//!
//! Each check reads a [`Tree`] and gives back complaints; none of them changes anything. Each has a test
//! that plants the fault in a scratch copy of this project and expects the complaint.

mod architecture;
mod attacks;
mod cases;
mod crates;
mod cycles;
mod errors;
mod heads;
mod leftovers;
mod papers;
mod parameters;
mod paths;
mod rooms;
#[cfg(test)]
mod scratch;
mod source;
mod spec;
mod table;
mod tree;
mod words;

use crate::failure::Failure;
use crate::say;
use std::fmt;
use std::path::Path;
use tree::Tree;

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Complaint {
    path: String,
    line: usize,
    text: String,
}

type Check = fn(&Tree) -> Result<Vec<Complaint>, Failure>;

const CHECKS: &[Check] = &[
    architecture::check,
    attacks::check,
    cases::check,
    crates::check,
    cycles::check,
    errors::check,
    heads::check,
    leftovers::check,
    papers::check,
    parameters::check,
    rooms::check,
    spec::check,
    words::check,
];

/// Runs every check and prints every complaint.
pub(crate) fn report(root: &Path) -> Result<(), Failure> {
    let tree = Tree::read(root)?;
    let mut count = 0_usize;
    for check in CHECKS {
        for complaint in check(&tree)? {
            say::line(&complaint.to_string());
            count = count.saturating_add(1);
        }
    }
    if count == 0 {
        return Ok(());
    }
    Err(Failure::new(format!("tidy found {count} faults, listed above"), "mend them, then run `cargo xtask tidy`"))
}

impl Complaint {
    /// About a line, counted from one.
    fn at(path: &str, line: usize, text: impl Into<String>) -> Complaint {
        Complaint { path: path.to_owned(), line, text: text.into() }
    }

    /// About a whole file.
    fn about(path: &str, text: impl Into<String>) -> Complaint {
        Complaint::at(path, 0, text)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.path, self.text),
            line => write!(out, "{}:{line}: {}", self.path, self.text),
        }
    }
}

//! A call that did not go through, and the form in which its caller is told.

use super::{Patched, Trouble};
use crate::digest::Digest;
use crate::tool::{Group, Tool};
use crate::warning::Warning;

/// A call that did not go through.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// Why.
    pub trouble: Trouble,
    /// The head of the log after this call, if it is on record.
    pub audit_head: Option<Digest>,
    /// What was done all the same, before it failed: sections of a patch that may be applied one by one.
    pub done: Option<Box<Patched>>,
    /// What its caller should know besides.
    pub warnings: Vec<Warning>,
    /// In which form its caller is told.
    pub form: Form,
}

/// The form in which a caller is told what its call came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `{ok, data}` or `{ok, error}`.
    #[default]
    Plain,
    /// `{successful, result, errors, warnings}`.
    Invoke,
}

impl Form {
    /// The form of a tool's answers.
    pub fn of(tool: &Tool) -> Form {
        if tool.is_in(Group::Lines) { Form::Invoke } else { Form::Plain }
    }
}

impl Failed {
    /// A failure that left nothing done and nothing on record.
    pub fn unrecorded(trouble: impl Into<Trouble>) -> Failed {
        Failed { trouble: trouble.into(), audit_head: None, done: None, warnings: Vec::new(), form: Form::Plain }
    }

    /// The same, told in the form of this tool's answers.
    pub fn told_by(self, tool: &Tool) -> Failed {
        Failed { form: Form::of(tool), ..self }
    }
}

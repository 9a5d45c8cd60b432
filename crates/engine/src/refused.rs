//! Calls that change nothing go on record too: what they asked for, and what stood against it.

use crate::asked;
use crate::flow::{Held, operation_of};
use crate::proof::Proven;
use crate::watch::Quiet;
use crate::workspace::Workspace;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Failed, Trouble};
use patchwright_core::path::PATH_MAX;
use patchwright_core::tool::{Call, find};
use patchwright_store::records::{Asked, End, Note, Record, Touched};

impl Workspace {
    /// Puts on record that a call changed nothing.
    pub(crate) fn note(&self, held: &mut Held<'_>, call: &Call, end: End) -> Result<Digest, Trouble> {
        let note = self.note_of(call.tool().name, end, Some(asked::of_call(call)));
        self.append(held, &Record::Note(note))
    }

    fn note_of(&self, tool: &str, end: End, asked: Option<Asked>) -> Note {
        let caller = self.caller(tool, Proven::Seen);
        let (operation, files, diff) = (operation_of(tool).to_owned(), Vec::new(), String::new());
        let asked = asked.filter(|asked| *asked != Asked::default()).map(Box::new);
        Note { caller, end, operation, files, diff, asked }
    }

    /// Puts a refused call on record.
    pub(crate) fn refuse(&self, held: &mut Held<'_>, call: &Call, trouble: Trouble, files: Vec<Touched>) -> Failed {
        self.refuse_as(held, (call.tool().name, asked::of_call(call)), trouble, files)
    }

    /// Puts a call on record of which nothing but its tool is known.
    pub(crate) fn refuse_before(&self, held: &mut Held<'_>, tool: &str, trouble: Trouble) -> Failed {
        self.refuse_as(held, (tool, Asked::default()), trouble, Vec::new())
    }

    fn refuse_as(
        &self,
        held: &mut Held<'_>,
        (tool, asked): (&str, Asked),
        trouble: Trouble,
        files: Vec<Touched>,
    ) -> Failed {
        let end = End::Refused(trouble.kind().name().to_owned());
        let note = Note { files, ..self.note_of(tool, end, Some(asked::with_trouble(asked, &trouble))) };
        let audit_head = self.append(held, &Record::Note(note)).ok();
        Failed { audit_head, ..Failed::unrecorded(trouble) }
    }

    /// Puts a changing call on record that was refused before it became a [`Call`], such as one whose
    /// arguments do not fit.
    pub fn record_refusal(&self, tool: &str, trouble: Trouble) -> Failed {
        let failed = match self.hold(&Quiet) {
            Ok(mut held) => self.refuse_before(&mut held, tool, trouble),
            Err(_) => Failed::unrecorded(trouble),
        };
        match find(tool) {
            Some(tool) => failed.told_by(tool),
            None => failed,
        }
    }
}

/// What is too long for a path is cut: nobody fills the log by being refused.
pub(crate) fn brief(mut path: String) -> String {
    let cut = path.char_indices().map(|(at, _)| at).take_while(|at| *at <= PATH_MAX).last();
    if let Some(at) = cut.filter(|_| path.len() > PATH_MAX) {
        path.truncate(at);
        path.push('…');
    }
    path
}

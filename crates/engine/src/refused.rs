//! Calls that change nothing go on record too: what they asked for, and what stood against it.

use crate::asked;
use crate::flow::operation_of;
use crate::proof::Proven;
use crate::session::Session;
use crate::turn::Turn;
use crate::watch::Quiet;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Failed, Trouble};
use patchwright_core::path::PATH_MAX;
use patchwright_core::tool::{Call, find};
use patchwright_store::records::{Asked, End, Note, Record, Touched};

impl Session {
    /// Puts on record that a call changed nothing.
    pub(crate) fn note(&self, held: &mut Turn<'_>, call: &Call, end: End) -> Result<Digest, Trouble> {
        self.note_about(held, call, (end, Vec::new()))
    }

    /// The same with the files that it was about.
    pub(crate) fn note_about(
        &self,
        held: &mut Turn<'_>,
        call: &Call,
        (end, files): (End, Vec<Touched>),
    ) -> Result<Digest, Trouble> {
        let note = Note {
            files,
            ..self.note_of(call.tool().name, end, Some(asked::of_call(call, self.workspace.conventions)))
        };
        self.append(held, &Record::Note(note))
    }

    fn note_of(&self, tool: &str, end: End, asked: Option<Asked>) -> Note {
        let caller = self.caller(tool, Proven::Seen);
        let (operation, files, diff) = (operation_of(tool).to_owned(), Vec::new(), String::new());
        let asked = asked.filter(|asked| *asked != Asked::default()).map(Box::new);
        Note { caller, end, operation, files, diff, asked }
    }

    /// Puts a refused call on record.
    pub(crate) fn refuse(&self, held: &mut Turn<'_>, call: &Call, trouble: Trouble, files: Vec<Touched>) -> Failed {
        self.refuse_as(held, (call.tool().name, asked::of_call(call, self.workspace.conventions)), trouble, files)
    }

    /// Puts a call on record of which nothing is known but its tool and the files that it names.
    pub(crate) fn refuse_before(
        &self,
        held: &mut Turn<'_>,
        (tool, named): (&str, &[String]),
        trouble: Trouble,
    ) -> Failed {
        let files = named.iter().map(|name| by_name(name.clone())).collect();
        self.refuse_as(held, (tool, Asked::default()), trouble, files)
    }

    fn refuse_as(
        &self,
        held: &mut Turn<'_>,
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
    /// arguments do not fit. `named` are the files that these name.
    pub fn record_refusal(&self, tool: &str, named: &[String], trouble: Trouble) -> Failed {
        let failed = match self.take_turn(&Quiet) {
            Ok(mut held) => self.refuse_before(&mut held, (tool, named), trouble),
            Err(_) => Failed::unrecorded(trouble),
        };
        match find(tool) {
            Some(tool) => failed.told_by(tool),
            None => failed,
        }
    }
}

/// A file of which nothing but its name is known.
pub(crate) fn by_name(name: String) -> Touched {
    Touched { path: brief(name), to: None, before: None, after: None }
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

//! Calls that change nothing go on record too: what they asked for, and why it was refused.

use crate::asked;
use crate::operation::Purpose;
use crate::proof::Proven;
use crate::session::Session;
use crate::turn::Turn;
use crate::watch::Quiet;
use patchwright_core::dialect::lines::is_doc_of;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{Failed, Trouble};
use patchwright_core::path::PATH_MAX;
use patchwright_core::plan::Snapshot;
use patchwright_core::refusal::{LineFault, LineProblem, Refusal, Why};
use patchwright_core::tool::{Call, find};
use patchwright_store::records::{Asked, End, Note, Record, Touched};
use std::collections::BTreeMap;

/// A refused call, as it goes on record.
struct RefusedCall<'a> {
    tool: &'a str,
    asked: Asked,
    /// The files that it is about.
    files: Vec<Touched>,
}

impl Session {
    /// Puts on record that a call changed nothing.
    pub(crate) fn note(&self, held: &mut Turn<'_>, call: &Call, end: End) -> Result<Digest, Trouble> {
        self.note_about(held, call, end, Vec::new())
    }

    /// The same with the files that it was about.
    pub(crate) fn note_about(
        &self,
        held: &mut Turn<'_>,
        call: &Call,
        end: End,
        files: Vec<Touched>,
    ) -> Result<Digest, Trouble> {
        let note = Note {
            files,
            ..self.note_of(call.tool().name, end, Some(asked::of_call(call, self.workspace.conventions)))
        };
        self.append(held, &Record::Note(note))
    }

    fn note_of(&self, tool: &str, end: End, asked: Option<Asked>) -> Note {
        let caller = self.caller(tool, Proven::Seen);
        let (operation, files, diff) = (Purpose::of_tool(tool).name().to_owned(), Vec::new(), String::new());
        let asked = asked.filter(|asked| *asked != Asked::default()).map(Box::new);
        Note { caller, end, operation, files, diff, asked }
    }

    /// Puts a refused call on record.
    pub(crate) fn refuse(&self, held: &mut Turn<'_>, call: &Call, trouble: Trouble, files: Vec<Touched>) -> Failed {
        let asked = asked::of_call(call, self.workspace.conventions);
        self.refuse_as(held, RefusedCall { tool: call.tool().name, asked, files }, trouble)
    }

    /// Puts a call on record of which nothing is known but its tool and the files that it names.
    pub(crate) fn refuse_before(&self, held: &mut Turn<'_>, tool: &str, named: &[String], trouble: Trouble) -> Failed {
        let files = named.iter().map(|name| by_name(name.clone())).collect();
        self.refuse_as(held, RefusedCall { tool, asked: Asked::default(), files }, trouble)
    }

    fn refuse_as(&self, held: &mut Turn<'_>, call: RefusedCall<'_>, trouble: Trouble) -> Failed {
        let RefusedCall { tool, asked, files } = call;
        let end = End::Refused(trouble.kind().name().to_owned());
        let note = Note { files, ..self.note_of(tool, end, Some(asked::with_trouble(asked, &trouble))) };
        let audit_head = self.append(held, &Record::Note(note)).ok();
        Failed { audit_head, ..Failed::unrecorded(trouble) }
    }

    /// Puts a changing call on record that was refused before it became a [`Call`], such as one whose
    /// arguments do not fit. `named` are the files that these name.
    pub fn record_refusal(&self, tool: &str, named: &[String], trouble: Trouble) -> Failed {
        let failed = match self.take_turn(&Quiet) {
            Ok(mut held) => self.refuse_before(&mut held, tool, named, trouble),
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

/// Cuts what is too long for a path, so that refused calls cannot fill the log.
pub(crate) fn brief(mut path: String) -> String {
    let cut = path.char_indices().map(|(at, _)| at).take_while(|at| *at <= PATH_MAX).last();
    if let Some(at) = cut.filter(|_| path.len() > PATH_MAX) {
        path.truncate(at);
        path.push('…');
    }
    path
}

/// A failure that ends a call, with what the record needs to know about it.
pub(crate) struct Stumble {
    pub(crate) trouble: Trouble,
    /// What it was about, for the record.
    pub(crate) paths: Vec<Touched>,
    /// Does the log already tell of it?
    pub(crate) recorded: bool,
}

impl Stumble {
    /// A failure for which no files are recorded.
    pub(crate) fn without_paths(trouble: Trouble) -> Stumble {
        Stumble { trouble, paths: Vec::new(), recorded: false }
    }

    pub(crate) fn recorded(trouble: Trouble) -> Stumble {
        Stumble { trouble, paths: Vec::new(), recorded: true }
    }

    /// The same with the files that a line patch is about, where they were found: it names them by their `docPath`s.
    pub(crate) fn having_seen(trouble: Trouble, snapshot: &Snapshot) -> Stumble {
        let stumble = Stumble::from(trouble);
        if !matches!(&stumble.trouble, Trouble::Refused(Refusal { why: Why::LinePatch(_), .. })) {
            return stumble;
        }
        let files = snapshot.files().map(|file| (file.real.to_string(), file.digest));
        let found: BTreeMap<String, Digest> = files.collect();
        let unknown = |named: &Touched| !found.keys().any(|path| is_doc_of(&named.path, path) || named.path == *path);
        let unknown: Vec<Touched> = stumble.paths.into_iter().filter(unknown).collect();
        let seen = found.iter().map(|(path, digest)| Touched { before: Some(*digest), ..by_name(path.clone()) });
        Stumble { paths: seen.chain(unknown).collect(), ..stumble }
    }
}

impl From<Trouble> for Stumble {
    fn from(trouble: Trouble) -> Stumble {
        let paths = match &trouble {
            Trouble::Refused(Refusal { why: Why::LinePatch(faults), .. }) => named(faults),
            Trouble::Refused(refusal) => refusal.path.clone().into_iter().collect(),
            Trouble::Fault(fault) => fault.path.clone().into_iter().collect(),
        };
        Stumble { trouble, paths: paths.into_iter().map(by_name).collect(), recorded: false }
    }
}

impl From<Refusal> for Stumble {
    fn from(refusal: Refusal) -> Stumble {
        Stumble::from(patchwright_core::outcome::Trouble::from(refusal))
    }
}

/// The files that a refused line patch names, for the record.
pub(crate) fn named(faults: &[LineFault]) -> Vec<String> {
    let mut names: Vec<String> =
        faults.iter().filter_map(|fault| fault.path.clone().or_else(|| fault.doc_path.clone())).collect();
    names.dedup();
    names
}

/// Applies `tell` to each refusal about a file inside the refusal of a line patch, or to the refusal itself if it is of
/// another kind.
pub(crate) fn each_refusal(refusal: Refusal, tell: &mut dyn FnMut(Refusal) -> Refusal) -> Refusal {
    let Refusal { path, why: Why::LinePatch(mut faults), since } = refusal else { return tell(refusal) };
    for fault in &mut faults {
        if let LineProblem::File(inner) = &mut fault.problem {
            **inner = tell((**inner).clone());
        }
    }
    Refusal { path, why: Why::LinePatch(faults), since }
}

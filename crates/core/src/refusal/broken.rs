//! Which rules a refused call broke, in fixed words: what the record keeps of a refusal. The words are those of the
//! answer's `details`, so that who reads the record and who got the answer speak of the same thing.

use super::{
    HunkRef, LineFault, LineProblem, Misfit, Missing, NoVersion, OperationField, Refusal, StaleReason, Why,
    argument_rule,
};
use crate::path::{NameProblem, PathProblem};
use crate::policy::{Access, Denial, Rule};
use crate::sanity::Doubt;

/// One rule that a refused call broke.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The rule's name, which never changes; the error kind where that says it all.
    pub rule: &'static str,
    /// Where in the arguments: `edits[2]`, `files[0].changes[1]`.
    pub at: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The file as a line patch names it.
    pub doc_path: Option<String>,
    /// The caller's key for the change, or for the file where no change is meant.
    pub key: Option<String>,
    /// The setting that holds the rule.
    pub setting: Option<&'static str>,
    /// The glob or pattern that the path met.
    pub pattern: Option<String>,
    /// The hunk in its section, from 0.
    pub hunk: Option<usize>,
    /// The line of the patch, from 1.
    pub patch_line: Option<usize>,
}

impl Refusal {
    /// Every rule that the call broke; never none.
    pub fn broken(&self) -> Vec<Broken> {
        let path = || self.path.clone();
        let mut found: Vec<Broken> = match &self.why {
            Why::Arguments(faults) => {
                let one = |at: &str, rule| Broken { rule, at: place(at), path: path(), ..Broken::default() };
                faults.iter().map(|fault| one(&fault.at, argument_rule(&fault.expected))).collect()
            }
            Why::Operations(faults) => {
                let at = |index: usize, field: OperationField| match field {
                    OperationField::Op => format!("operations[{index}]"),
                    field => format!("operations[{index}].{}", field.name()),
                };
                let one = |rule, at| Broken { rule, at: Some(at), path: path(), ..Broken::default() };
                faults.iter().map(|bad| one(bad.fault.kind().name(), at(bad.index, bad.field))).collect()
            }
            Why::Unsafe(doubts) => {
                doubts.iter().map(|doubt| Broken { rule: doubted(doubt), path: path(), ..Broken::default() }).collect()
            }
            Why::LinePatch(faults) => faults.iter().map(of_lines).collect(),
            Why::Conflict(conflict) => {
                let one = |rule, path| Broken { rule, path, ..Broken::default() };
                conflict.places.iter().map(|place| one(place.reason.word(), Some(place.path.clone()))).collect()
            }
            _ => Vec::new(),
        };
        if found.is_empty() {
            found.push(self.one_rule());
        }
        found
    }

    /// The rule behind a refusal that is for one reason only.
    fn one_rule(&self) -> Broken {
        let plain = Broken { rule: self.kind().name(), path: self.path.clone(), ..Broken::default() };
        let of_edit = |edit: &usize| Broken { at: Some(format!("edits[{edit}]")), ..plain.clone() };
        match &self.why {
            Why::Denied(denial) => of_policy(denial, plain),
            Why::TooLarge { setting, .. } => Broken { rule: "limit", setting: Some(*setting), ..plain },
            Why::Busy { .. } => Broken { setting: Some("limits.lock_wait_ms"), ..plain },
            Why::OldTextNotFound { edit, .. } | Why::MultipleMatches { edit, .. } => of_edit(edit),
            Why::OverlappingEdits { edits: (_, later), .. } => of_edit(later),
            Why::Syntax(syntax) => Broken { rule: "grammar", patch_line: Some(syntax.line), ..plain },
            Why::HunkMisfit { hunk, misfit } => of_hunk(hunk, Broken { rule: misfit_rule(misfit), ..plain }),
            Why::HunkBare { hunk } => of_hunk(hunk, Broken { rule: "missing_context", ..plain }),
            Why::HunkMany { hunk, .. } | Why::HunkOverlap { hunk, .. } => of_hunk(hunk, plain),
            why => Broken { rule: word(why).unwrap_or(plain.rule), ..plain },
        }
    }
}

/// The word for a reason that needs no more than one.
fn word(why: &Why) -> Option<&'static str> {
    Some(match why {
        Why::Path(problem) => path_word(*problem),
        Why::LinkLeavesRoot | Why::HunksForLink => "link",
        Why::LinkTarget { .. } => "linkTarget",
        Why::LinkMoved { .. } => "linkMoved",
        Why::Name(problem) => name_word(*problem),
        Why::NotFound(missing) => missing_word(missing),
        Why::Hidden { .. } => "hidden",
        Why::ReadOnly => "read_only",
        Why::NotShown { .. } => "not_shown",
        Why::SpecialFile => "special_file",
        Why::Forbidden(_) => "operating_system",
        Why::Stale(stale) => match stale.reason {
            StaleReason::Mismatch => "mismatch",
            StaleReason::Unproven => "unproven",
            StaleReason::ChangedSinceSeen => "changed_since_seen",
            StaleReason::ChangedMeanwhile => "changed_meanwhile",
        },
        Why::Unseen(_) => "unproven",
        Why::DuplicatePath { .. } => "duplicate_path",
        Why::CommitFailed { .. } => "commit_failed",
        Why::AbsolutePath(_) => "absolute_path",
        Why::SameFileTwice { .. } => "same_file",
        Why::MoveOntoItself => "move_onto_itself",
        Why::Pattern(_) | Why::Glob(_) => "pattern",
        Why::KeyReused { .. } => "key_reused",
        Why::NoHome(_) => "no_home",
        Why::KeyGone => "key_gone",
        Why::RootMoved { .. } => "root_moved",
        _ => return None,
    })
}

fn path_word(problem: PathProblem) -> &'static str {
    match problem {
        PathProblem::Empty => "empty",
        PathProblem::Outside => "outside",
        PathProblem::Nul => "nul",
        PathProblem::TooLong => "too_long",
    }
}

fn name_word(problem: NameProblem) -> &'static str {
    match problem {
        NameProblem::Backslash => "backslash",
        NameProblem::Control(_) => "control",
        NameProblem::Bidi(_) => "bidirectional",
        NameProblem::Tag(_) => "tag",
    }
}

fn missing_word(missing: &Missing) -> &'static str {
    match missing {
        Missing::File { .. } | Missing::Neighbour { .. } => "absent",
        Missing::Parent { .. } => "parent_absent",
        Missing::IsFolder => "is_directory",
        Missing::IsFile => "is_file",
        Missing::LinkTarget => "dangling_link",
        Missing::TrashEntry { .. } => "no_trash_entry",
        Missing::Batch { .. } => "no_batch",
        Missing::Kept => "not_kept",
        Missing::Change { .. } | Missing::AnyChange { .. } | Missing::ChangeNotBatch { .. } => "no_change",
        Missing::Session { .. } | Missing::AnySession { .. } => "no_session",
        Missing::Undoable => "nothing_to_undo",
        Missing::Version(version) => match version {
            NoVersion::Untouched { .. } => "untouched",
            NoVersion::Folder { .. } => "folder_version",
            NoVersion::SameBytes { .. } => "not_kept",
            NoVersion::NotAfter { moved: None, .. } => "deleted_by_batch",
            NoVersion::NotBefore { moved: None, .. } => "made_by_batch",
            NoVersion::NotAfter { .. } | NoVersion::NotBefore { .. } => "moved_by_batch",
        },
        Missing::LinkVersion => "was_link",
    }
}

fn doubted(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::Bracket { .. } => "unbalanced_bracket",
        Doubt::Syntax { .. } => "syntax_error",
        Doubt::Repeated { .. } => "repeated_line",
        Doubt::Prefixed { .. } => "anchor_in_content",
        Doubt::Standing { .. } => "already_there",
        Doubt::Indented { .. } => "indentation",
    }
}

fn misfit_rule(misfit: &Misfit) -> &'static str {
    match misfit {
        Misfit::Nowhere { .. } => "context_not_found",
        Misfit::NotAtEnd(_) => "not_at_end",
        Misfit::EndsInNewline => "ends_in_newline",
        Misfit::NoHeader { .. } => "no_header",
        Misfit::OutOfScope { .. } => "out_of_scope",
        Misfit::LinesLeft(_) => "lines_left",
        Misfit::LineEnds { .. } => "line_ends",
    }
}

fn of_hunk(hunk: &HunkRef, plain: Broken) -> Broken {
    Broken { hunk: Some(hunk.index), patch_line: Some(hunk.at), ..plain }
}

fn of_policy(denial: &Denial, plain: Broken) -> Broken {
    let pattern = match &denial.rule {
        Rule::Secret(pattern) => Some((*pattern).to_owned()),
        Rule::Deny(glob) => Some(glob.clone()),
        _ => None,
    };
    Broken { rule: denial.rule.name(), setting: denial.setting(), pattern, ..plain }
}

fn of_lines(fault: &LineFault) -> Broken {
    let inner = match &fault.problem {
        LineProblem::File(refusal) => Some(refusal.one_rule()),
        _ => None,
    };
    let at = match (fault.file, fault.change, &fault.problem) {
        (_, _, LineProblem::Argument(argument)) => place(&argument.at),
        (Some(file), Some(change), _) => Some(format!("files[{file}].changes[{change}]")),
        (Some(file), None, _) => Some(format!("files[{file}]")),
        (None, ..) => None,
    };
    Broken {
        rule: fault.problem.rule(),
        at,
        path: fault.path.clone(),
        doc_path: fault.doc_path.clone(),
        key: fault.key.clone(),
        setting: inner.as_ref().and_then(|inner| inner.setting),
        pattern: inner.and_then(|inner| inner.pattern),
        ..Broken::default()
    }
}

/// The arguments as a whole have no place in themselves.
fn place(at: &str) -> Option<String> {
    (!at.is_empty()).then(|| at.to_owned())
}

impl Rule {
    /// The name it has in answers and on record.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::State => "state",
            Rule::SettingsFile => "settings_file",
            Rule::Git => "git",
            Rule::Secret(_) => "secret",
            Rule::Deny(_) => "deny",
            Rule::NotAllowed => "not_allowed",
        }
    }
}

impl Denial {
    /// The setting that lifts the rule, where one does.
    pub fn setting(&self) -> Option<&'static str> {
        match (&self.rule, self.access) {
            (Rule::State | Rule::SettingsFile, _) => None,
            (Rule::Git, _) => Some("protect.git"),
            (Rule::Secret(_), _) => Some("protect.secrets"),
            (Rule::Deny(_), Access::Read) => Some("read.deny"),
            (Rule::Deny(_), Access::Write) => Some("write.deny"),
            (Rule::NotAllowed, Access::Read) => Some("read.allow"),
            (Rule::NotAllowed, Access::Write) => Some("write.allow"),
        }
    }
}

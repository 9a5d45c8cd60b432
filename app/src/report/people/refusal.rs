//! Bad news for people at a terminal: what is so, what shows it, whether anything was changed, and a command that gets
//! further. One function words every refusal and every fault; each submodule has the words for some of them.
//!
//! Decides nothing and prints nothing. Hints are command lines that can be typed as they stand; where none would help
//! there is none.

mod anchors;
mod arguments;
mod conflict;
mod content;
mod denied;
mod doubts;
mod folder;
mod grammar;
mod lines;
mod machine;
mod missing;
mod patch;
mod place;
mod said;
mod shown;
mod stale;
mod text;
mod version;

pub use conflict::{Author, Part, author_of, rest_without};
pub use doubts::doubt;
pub use said::{Command, Input, Rehearsal, Said};

use crate::report::amounts::many;
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::refusal::{Refusal, Why};

/// So many lines of evidence are shown.
const EVIDENCE: usize = 8;

/// Bad news in parts, each fit for one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// What is so.
    pub what: String,
    /// What shows it, line by line.
    pub evidence: Vec<String>,
    /// What became of the files.
    pub changed: Changed,
    /// A command that gets further. It begins with `patchwright`.
    pub hint: Option<String>,
}

/// What became of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing was to be changed, so nothing is said.
    NotAsked,
    /// Nothing was changed.
    Nothing,
    /// So many files were changed before it failed.
    Before(usize),
    /// It is not known until the next command has recovered the workspace.
    Unknown,
}

/// Words for bad news of either kind.
pub fn told(trouble: &Trouble, said: &Said<'_>) -> News {
    let draft = match trouble {
        Trouble::Refused(refusal) => refused(refusal, said).show(stale::changed_by(refusal)),
        Trouble::Fault(fault) => machine::fault(fault, said),
    };
    draft.news(said, changed(trouble, said))
}

/// The news as it is printed, each line with its end.
///
/// ```
/// use patchwright_app::report::people::refusal::{Changed, News, render};
/// let news = News {
///     what: "there is no batch b99".into(),
///     evidence: Vec::new(),
///     changed: Changed::Nothing,
///     hint: Some("patchwright log".into()),
/// };
/// assert_eq!(render(&news), "patchwright: there is no batch b99\nNothing was changed.\nhint: patchwright log\n");
/// ```
pub fn render(news: &News) -> String {
    let mut out = format!("patchwright: {}\n", news.what);
    out.extend(news.evidence.iter().map(|line| format!("  {line}\n")));
    out.extend(news.changed.sentence().map(|sentence| sentence + "\n"));
    out.extend(news.hint.iter().map(|hint| format!("hint: {hint}\n")));
    out
}

impl Changed {
    /// What is said of it.
    pub fn sentence(self) -> Option<String> {
        match self {
            Changed::NotAsked => None,
            Changed::Nothing => Some("Nothing was changed.".to_owned()),
            Changed::Before(files) => {
                Some(format!("{} changed before that; nothing else was.", were(files, "file", "files")))
            }
            Changed::Unknown => {
                Some("Whether anything was changed is not known; the next command settles it.".to_owned())
            }
        }
    }
}

fn were(count: usize, one: &str, more: &str) -> String {
    format!("{} {}", many(count, one, more), if count == 1 { "was" } else { "were" })
}

fn changed(trouble: &Trouble, said: &Said<'_>) -> Changed {
    match trouble {
        Trouble::Fault(Fault { state: DiskState::InDoubt, .. }) => Changed::Unknown,
        _ if said.done > 0 => Changed::Before(said.done),
        _ if said.was_to_change() => Changed::Nothing,
        _ => Changed::NotAsked,
    }
}

/// What goes before a fact.
enum Lead {
    /// Nothing.
    None,
    /// What the command cannot do.
    Cannot,
    /// The same, about this.
    CannotDo(String),
}

/// News in the making.
struct Draft {
    lead: Lead,
    what: String,
    evidence: Vec<String>,
    hint: Option<String>,
}

impl Draft {
    /// A fact that says all by itself.
    fn plain(what: impl Into<String>) -> Draft {
        Draft { lead: Lead::None, what: what.into(), evidence: Vec::new(), hint: None }
    }

    /// A fact that is the reason why the command cannot do what it was to do.
    fn because(what: impl Into<String>) -> Draft {
        Draft { lead: Lead::Cannot, ..Draft::plain(what) }
    }

    /// The same, where the command is about this.
    fn because_of(about: String, what: impl Into<String>) -> Draft {
        Draft { lead: Lead::CannotDo(about), ..Draft::plain(what) }
    }

    /// With more to show.
    fn show(mut self, lines: impl IntoIterator<Item = String>) -> Draft {
        self.evidence.extend(lines);
        self
    }

    /// With a hint, unless there is one.
    fn hint(mut self, hint: Option<String>) -> Draft {
        self.hint = self.hint.or(hint);
        self
    }

    /// With the hint to add a flag to the command; where that cannot be said, the flag alone is told.
    fn hint_flag(self, said: &Said<'_>, flag: &str, does: &str) -> Draft {
        match said.again_with(flag) {
            None => self.show([format!("{flag} {does}")]),
            hint => self.hint(hint),
        }
    }

    fn news(mut self, said: &Said<'_>, changed: Changed) -> News {
        let lead = match &self.lead {
            Lead::None => None,
            Lead::Cannot => said.cannot(None),
            Lead::CannotDo(about) => said.cannot(Some(about)),
        };
        let more = self.evidence.len().saturating_sub(EVIDENCE);
        if more > 0 {
            self.evidence.truncate(EVIDENCE);
            self.evidence.push(format!("… {}", many(more, "more line", "more lines")));
        }
        let what = lead.map_or_else(|| self.what.clone(), |lead| format!("{lead}: {}", self.what));
        News { what, evidence: self.evidence, changed, hint: self.hint }
    }
}

/// The words for a refusal, by what it is about.
fn refused(refusal: &Refusal, said: &Said<'_>) -> Draft {
    let path = refusal.path.as_deref();
    match &refusal.why {
        Why::Arguments(faults) => arguments::told(faults, said),
        Why::Path(_) | Why::Name(_) => place::told(path, &refusal.why, said),
        Why::LinkLeavesRoot | Why::LinkTarget { .. } | Why::LinkMoved { .. } => place::told(path, &refusal.why, said),
        Why::AlreadyExists(_) | Why::VersionOccupied(_) => place::told(path, &refusal.why, said),
        Why::SameFileTwice { .. } | Why::MoveOntoItself | Why::AmbiguousDoc(_) => place::told(path, &refusal.why, said),
        Why::NotFound(absent) => missing::told(path, absent, said),
        Why::Denied(denial) => denied::told(path, denial, said),
        Why::Hidden { batch, count, .. } => denied::hidden(batch.as_ref(), *count),
        Why::ReadOnly | Why::NotShown { .. } | Why::Forbidden(_) => denied::closed(path, &refusal.why, said),
        Why::SpecialFile | Why::TooLarge { .. } | Why::Binary => content::told(path, &refusal.why, said),
        Why::CharsetUnnamed | Why::Encoding { .. } => content::told(path, &refusal.why, said),
        Why::Pattern(_) | Why::Glob(_) => content::told(path, &refusal.why, said),
        Why::Stale(stale) => stale::told(refusal, stale, said),
        Why::Unseen(unseen) => stale::unseen(path, unseen, said),
        Why::OldTextNotFound { .. } | Why::MultipleMatches { .. } | Why::OverlappingEdits { .. } => {
            text::told(path, &refusal.why, said)
        }
        Why::Syntax(syntax) => grammar::told(syntax, said),
        Why::HunkMisfit { hunk, misfit } => patch::misfit(path, *hunk, misfit, said),
        Why::HunkMany { .. } | Why::HunkOverlap { .. } | Why::HunkBare { .. } | Why::HunksForLink => {
            patch::told(path, &refusal.why, said)
        }
        Why::DuplicatePath { .. } | Why::CommitFailed { .. } | Why::AbsolutePath(_) => {
            patch::told(path, &refusal.why, said)
        }
        Why::Operations(faults) => anchors::told(path, faults, said),
        Why::Unsafe(doubts) => doubts::told(path, doubts, said),
        Why::LinePatch(faults) => lines::told(faults, said),
        Why::Conflict(conflict) => conflict::told(conflict, said),
        Why::Folder(fault) => folder::told(path, fault, said),
        Why::KeyReused { .. } | Why::Busy { .. } | Why::RootMoved { .. } | Why::NoHome(_) | Why::KeyGone => {
            machine::told(&refusal.why, said)
        }
        Why::Cancelled | Why::Timeout => machine::told(&refusal.why, said),
    }
}

/// A path as it is shown here; where there is none, a file.
fn named(path: Option<&str>, said: &Said<'_>) -> String {
    path.map_or_else(|| "the file".to_owned(), |path| said.path(path))
}

//! What rules or the system forbid: which rule it is, and what lifts it.

use super::conflict::short;
use super::said::Said;
use super::shown::line;
use super::{Draft, named};
use crate::report::amounts::many;
use patchwright_core::batch::BatchName;
use patchwright_core::policy::{Access, Denial, Rule};
use patchwright_core::refusal::Why;

/// Words for what a rule forbids.
pub(super) fn told(path: Option<&str>, denial: &Denial, said: &Said<'_>) -> Draft {
    let verb = match denial.access {
        Access::Read => "read",
        Access::Write => "changed",
    };
    let through = denial.through.as_deref().map(|target| format!(" (a link to {})", said.path(target)));
    let name = format!("{}{}", named(path, said), through.unwrap_or_default());
    let draft = Draft::because(format!("{name} may not be {verb}: {}", reason(denial)));
    match &denial.rule {
        Rule::State | Rule::SettingsFile => draft,
        Rule::Git => lifted(draft, "git", said),
        Rule::Secret(_) => lifted(draft, "secrets", said),
        Rule::Deny(_) => {
            draft.show([format!("it stands in patchwright.toml, in your settings, or behind {}", flag(denial))])
        }
        Rule::NotAllowed => draft
            .show([format!("each list has to have it: patchwright.toml's, your settings', that of {}", flag(denial))]),
    }
}

fn reason(denial: &Denial) -> String {
    let setting = denial.setting().unwrap_or_default();
    match &denial.rule {
        Rule::State => "it belongs to Patchwright's own records or settings, which no command opens".to_owned(),
        Rule::SettingsFile => "it holds Patchwright's settings, which are for an editor to change".to_owned(),
        Rule::Git => format!("it lies in a .git folder, where a file can become code that runs ({setting})"),
        Rule::Secret(pattern) => format!("its name says that it holds secrets, {pattern} ({setting})"),
        Rule::Deny(glob) => format!("{setting} has {}", line(glob)),
        Rule::NotAllowed => format!("{setting} lists other paths only"),
    }
}

/// A flag opens what is closed by default, unless the workspace's own settings close it.
fn lifted(draft: Draft, what: &str, said: &Said<'_>) -> Draft {
    let flag = format!("--unprotect {what}");
    match said.has_flag("--unprotect") && said.flags.iter().any(|word| word == what) {
        true => draft.show(["patchwright.toml closes it, whatever flags say".to_owned()]),
        false => draft.hint_flag(said, &flag, "opens it"),
    }
}

fn flag(denial: &Denial) -> &'static str {
    match (&denial.rule, denial.access) {
        (Rule::NotAllowed, Access::Read) => "--allow-read",
        (Rule::NotAllowed, Access::Write) => "--allow-write",
        (_, Access::Read) => "--deny-read",
        (_, Access::Write) => "--deny-write",
    }
}

/// A batch, or an entry of the trash, of whose files not even the names are told.
pub(super) fn hidden(batch: Option<&BatchName>, count: usize) -> Draft {
    let name = batch.and_then(short).unwrap_or_else(|| "that".to_owned());
    Draft::plain(format!("{name} is about {} that may not be read here", many(count, "file", "files")))
        .show(["read.allow, read.deny or protect.secrets says so".to_owned()])
}

/// Words for what is closed as a whole.
pub(super) fn closed(path: Option<&str>, why: &Why, said: &Said<'_>) -> Draft {
    match why {
        Why::ReadOnly => {
            let flags: Vec<String> = said.flags.iter().filter(|flag| *flag != "--read-only").cloned().collect();
            let hint = Said { flags: &flags, ..*said }.again().filter(|_| said.has_flag("--read-only"));
            Draft::because("nothing may be changed with --read-only").hint(hint)
        }
        Why::NotShown { group, .. } => {
            Draft::plain("that is not served here").show([format!("a server serves it with --tools +{group}")])
        }
        Why::Forbidden(words) => {
            Draft::because(format!("the system does not permit it on {}: {}", named(path, said), line(words)))
        }
        // Nothing else is closed so.
        _ => Draft::because("it is not permitted"),
    }
}

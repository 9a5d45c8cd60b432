//! Words for what the policy forbids: which rule, and which setting lifts it. Globs come from `patchwright.toml`, from
//! the user's own settings and from flags, and no rule says from which; so the words hold for all.

use super::message::Words;
use super::telling::Telling;
use super::terminal::{as_json, one_line};
use patchwright_core::policy::{Access, Denial, Rule};

/// Which rule stands against it, and who can lift it.
pub(super) fn words(path: &str, denial: &Denial, tell: &Telling<'_>) -> Words {
    let verb = match denial.access {
        Access::Read => "read",
        Access::Write => "changed",
    };
    let through = denial
        .through
        .as_deref()
        .map(|target| format!(" (a link that leads to {})", one_line(target)))
        .unwrap_or_default();
    let message = format!("{path}{through} may not be {verb}: {}.", reason(denial));
    let target = denial.through.as_deref().unwrap_or(path);
    Words::new(message, next(target, denial, tell))
}

/// What is known by its id alone is about files that may not be read.
pub(super) fn hidden(id: &str, count: usize) -> Words {
    let files = if count == 1 { "a file".to_owned() } else { format!("{count} files") };
    Words::new(
        format!(
            "{id} is about {files} that may not be read here (read.allow, read.deny, protect.secrets), and is left as it is."
        ),
        "Do without it, or ask the user to do this, or to start Patchwright with settings that let those files be read.",
    )
}

/// Nothing may be changed at all.
pub(super) fn read_only() -> Words {
    Words::new(
        "Nothing may be changed here: Patchwright was started with --read-only.".to_owned(),
        "Only look, or ask the user to start Patchwright without --read-only.",
    )
}

/// The tool exists, and is not served here.
pub(super) fn not_shown(tool: &str, group: &str) -> Words {
    let flag = flag(group);
    Words::new(
        format!("{tool} is not among the tools that this server serves."),
        format!("Use the tools that it lists, or ask the user to start Patchwright with {flag} or --tools +{tool}."),
    )
}

/// The flag that has a server serve a group of tools.
pub(super) fn flag(group: &str) -> String {
    format!("--tools +{group}")
}

/// The setting that lifts a rule, where one does.
pub(super) fn setting(denial: &Denial) -> Option<&'static str> {
    denial.setting()
}

fn reason(denial: &Denial) -> String {
    let setting = setting(denial).unwrap_or_default();
    match &denial.rule {
        Rule::State => "it belongs to Patchwright's own state or settings, which are closed to every tool".to_owned(),
        Rule::SettingsFile => "it holds Patchwright's settings, which only people change".to_owned(),
        Rule::Git => format!("it lies in a .git folder, where a file can become code that runs ({setting})"),
        Rule::Secret(pattern) => format!("its name says that it holds secrets, {pattern} ({setting})"),
        Rule::Deny(glob) => format!("{setting} holds {glob}"),
        Rule::NotAllowed => format!("{setting} lists other paths only"),
    }
}

fn next(path: &str, denial: &Denial, tell: &Telling<'_>) -> String {
    let ask = "Do without this file, or ask the user to";
    match &denial.rule {
        Rule::State => {
            let back = [("list_trash", "list_trash and restore_file"), ("undo", "undo")];
            let back = tell.pick(&back, "the tools of the history");
            format!("Leave it alone: no setting opens it. Use {back} to bring files back.")
        }
        Rule::SettingsFile => "Ask the user to change patchwright.toml.".to_owned(),
        Rule::Git | Rule::Secret(_) => {
            let setting = setting(denial).unwrap_or_default();
            let what = setting.trim_start_matches("protect.");
            format!(
                "{ask} lift this: start Patchwright with --unprotect {what}, or in the user's own settings file \
                 (~/.config/patchwright/config.toml) add {} to protect.except or set {setting} = false.",
                as_json(path)
            )
        }
        Rule::Deny(glob) => {
            let (setting, flag) = (setting(denial).unwrap_or_default(), deny_flags(denial.access));
            format!("{ask} take {glob:?} out of {setting} in patchwright.toml or the user's settings, or to {flag}.")
        }
        Rule::NotAllowed => {
            let (setting, flag) = (setting(denial).unwrap_or_default(), allow_flag(denial.access));
            format!(
                "{ask} add {} to each {setting} that there is: in patchwright.toml, the user's settings, {flag}.",
                as_json(path)
            )
        }
    }
}

fn deny_flags(access: Access) -> &'static str {
    match access {
        Access::Read => "start Patchwright without the flag that says so (--deny-read)",
        Access::Write => "start Patchwright without the flag that says so (--deny-write)",
    }
}

fn allow_flag(access: Access) -> &'static str {
    match access {
        Access::Read => "and the flags that Patchwright is started with (--allow-read)",
        Access::Write => "and the flags that Patchwright is started with (--allow-write)",
    }
}

//! CLI door: what was typed, as far as bad news has to know it: a hint is the same command with one thing put right.

use super::args::{Command, TrashCommand};
use super::names::{self, Named};
use crate::report::people::refusal::{Command as Name, Input, Rehearsal, Said};
use crate::report::people::{View, quoted};
use std::ffi::OsString;

/// What was typed.
#[derive(Clone, Debug)]
pub struct Typed {
    command: Name,
    /// The command and its arguments.
    words: Vec<String>,
    /// The flags of the workspace.
    flags: Vec<String>,
    rehearsal: Rehearsal,
    input: Input,
    /// The batches and changes that it is about, where the command line does not name them.
    pub(super) batches: Vec<String>,
    /// Changes that would go without those that are in the way.
    pub(super) rest: Vec<String>,
}

impl Default for Typed {
    fn default() -> Typed {
        let (words, flags, batches, rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (rehearsal, input) = (Rehearsal::No, Input::Typed);
        Typed { command: Name::Other, words, flags, rehearsal, input, batches, rest }
    }
}

/// Flags of the workspace that take a value.
const VALUED: [&str; 11] = [
    "--root",
    "-R",
    "--state-dir",
    "--durability",
    "--unprotect",
    "--allow-read",
    "--deny-read",
    "--allow-write",
    "--deny-write",
    "--as",
    "--as-session",
];

/// Flags of the workspace that take none.
const BARE: [&str; 3] = ["--require-sha", "--unchecked", "--read-only"];

/// Flags that say how answers are shown: a hint needs none of them.
const SHOWN: [&str; 6] = ["--json", "--quiet", "-q", "--ids", "--no-pager", "--color"];

impl Typed {
    pub(super) fn new(args: &[OsString], command: &Command) -> Typed {
        let mut typed = Typed { command: name(command), ..Typed::default() };
        let mut words = args.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
        while let Some(word) = words.next() {
            let flag = word.split_once('=').map_or(word.as_str(), |(flag, _)| flag).to_owned();
            match flag.as_str() {
                flag if VALUED.contains(&flag) => {
                    let value = if word.contains('=') { None } else { words.next() };
                    typed.flags.extend(std::iter::once(word).chain(value));
                }
                flag if BARE.contains(&flag) => typed.flags.push(word),
                "--color" if !word.contains('=') => drop(words.next()),
                flag if SHOWN.contains(&flag) => {}
                _ => typed.words.push(word),
            }
        }
        typed.rehearsal = if is_dry(command) { Rehearsal::Yes } else { Rehearsal::No };
        typed.input = if is_piped(command) { Input::Piped } else { Input::Typed };
        typed
    }

    /// The same for bad news, with so many files changed before it came.
    pub(super) fn said<'a>(
        &'a self,
        batches: &'a [String],
        done: usize,
        from_here: &'a dyn Fn(&str) -> String,
    ) -> Said<'a> {
        let Typed { command, words, flags, rehearsal, input, rest, .. } = self;
        Said {
            command: *command,
            typed: words,
            flags,
            batches,
            rest,
            rehearsal: *rehearsal,
            input: *input,
            done,
            from_here,
        }
    }

    /// A command with the flags that lead to the same workspace.
    pub(super) fn same_place(&self, text: &str) -> String {
        let flags: Vec<String> = self.flags.iter().map(|flag| quoted(flag)).collect();
        match flags.is_empty() {
            true => text.to_owned(),
            false => text.replace("patchwright ", &format!("patchwright {} ", flags.join(" "))),
        }
    }

    /// The batches and changes that it is about.
    pub(super) fn about(&self) -> Vec<String> {
        if !self.batches.is_empty() {
            return self.batches.clone();
        }
        let short = |word: &String| match names::read(word) {
            Named::Batch(name) | Named::Change(name) if name.starts_with('b') => Some(name),
            _ => None,
        };
        self.words.iter().skip(1).filter_map(short).collect()
    }
}

/// How a path from the root is shown here. What is no path of the workspace stays as it is.
pub(super) fn from_here(view: &View) -> impl Fn(&str) -> String + '_ {
    |path: &str| if path.starts_with('/') || path.is_empty() { path.to_owned() } else { view.bare_path(path) }
}

fn name(command: &Command) -> Name {
    match command {
        Command::Read(_) => Name::Read,
        Command::Apply(_) => Name::Apply,
        Command::Edit(_) => Name::Edit,
        Command::Undo(_) => Name::Undo,
        Command::Redo(_) => Name::Redo,
        Command::Accept(_) => Name::Accept,
        Command::Reject(_) => Name::Reject,
        Command::Log(_) => Name::Log,
        Command::Show(_) => Name::Show,
        Command::Diff(_) => Name::Diff,
        Command::Why(_) => Name::Why,
        Command::Search(_) => Name::Search,
        Command::Review(_) | Command::Proposals => Name::Review,
        Command::Trash(args) => match &args.command {
            Some(TrashCommand::Restore(_)) => Name::Restore,
            Some(TrashCommand::Purge(_)) => Name::Purge,
            None | Some(TrashCommand::List) => Name::Trash,
        },
        _ => Name::Other,
    }
}

fn is_dry(command: &Command) -> bool {
    match command {
        Command::Apply(args) => args.dry_run,
        Command::Edit(args) => args.dry_run,
        Command::Undo(args) => args.dry_run,
        Command::Redo(args) => args.dry_run,
        Command::Accept(args) => args.dry_run,
        Command::Reject(args) => args.dry_run,
        Command::Trash(args) => match &args.command {
            Some(TrashCommand::Restore(args)) => args.dry_run,
            Some(TrashCommand::Purge(args)) => args.dry_run,
            None | Some(TrashCommand::List) => false,
        },
        _ => false,
    }
}

fn is_piped(command: &Command) -> bool {
    match command {
        Command::Apply(args) => args.file == "-",
        Command::Edit(args) => args.operations.as_deref() == Some("-") || args.from.as_deref() == Some("-"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_words() {
        let args =
            ["patchwright", "-R", "w", "undo", "b3", "--json", "--unchecked", "--as=ada", "--color", "never", "-n"];
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let typed = Typed::new(&args, &Command::Proposals);
        assert_eq!(typed.flags, ["-R", "w", "--unchecked", "--as=ada"]);
        assert_eq!(typed.words, ["undo", "b3", "-n"]);
        assert_eq!(typed.about(), ["b3"]);
    }
}

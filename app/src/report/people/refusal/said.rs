//! The command that was typed, as far as bad news needs to know it, and the command lines that hints are made of.

use super::super::quoting::quoted;
use crate::report::terminal::{is_plain, plain};
use patchwright_core::tool::IdForm;

/// A command line longer than this is not said again.
const LONGEST: usize = 240;

/// Which command was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `read`
    Read,
    /// `apply`
    Apply,
    /// `edit`
    Edit,
    /// `undo`
    Undo,
    /// `redo`
    Redo,
    /// `accept`
    Accept,
    /// `reject`
    Reject,
    /// `trash restore`
    Restore,
    /// `trash purge`
    Purge,
    /// `log`
    Log,
    /// `show`
    Show,
    /// `diff`
    Diff,
    /// `why`
    Why,
    /// `search`
    Search,
    /// `review`
    Review,
    /// `trash`
    Trash,
    /// Any other.
    Other,
}

/// Was the command to change anything, or only to show what it would do?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rehearsal {
    /// It was meant.
    #[default]
    No,
    /// `-n`
    Yes,
}

/// Where the patch or the new lines came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// From what was typed, or from a file that it names.
    #[default]
    Typed,
    /// From standard input: the command alone does not do the same again.
    Piped,
}

/// What was typed.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    /// The command.
    pub command: Command,
    /// The command and its arguments as typed: what followed `patchwright`, without the flags below.
    pub typed: &'a [String],
    /// The flags of the workspace as typed. Every hint repeats them: else it would be about another workspace.
    pub flags: &'a [String],
    /// The batches and changes it is about, by their short names: `b3`, `b3.2`.
    pub batches: &'a [String],
    /// Changes that would go without those that are in the way, by their short names, if that was tried.
    pub rest: &'a [String],
    /// Was it only to be shown?
    pub rehearsal: Rehearsal,
    /// Where its input came from.
    pub input: Input,
    /// So many files were changed before it failed.
    pub done: usize,
    /// A path from the root, as it is shown and typed here. Whatever is no path of the workspace comes back as it is.
    pub from_here: &'a dyn Fn(&str) -> String,
}

impl<'a> Said<'a> {
    /// A command of which no more is known.
    pub fn of(command: Command, from_here: &'a dyn Fn(&str) -> String) -> Said<'a> {
        let (typed, rehearsal): (&[String], _) = (&[], Rehearsal::No);
        Said { command, typed, flags: &[], batches: &[], rest: &[], rehearsal, input: Input::Typed, done: 0, from_here }
    }

    /// Would it have changed something?
    pub(super) fn was_to_change(&self) -> bool {
        let changes = match self.command {
            Command::Apply | Command::Edit | Command::Undo | Command::Redo => true,
            Command::Accept | Command::Reject | Command::Restore | Command::Purge => true,
            Command::Read | Command::Log | Command::Show | Command::Diff | Command::Why => false,
            Command::Search | Command::Review | Command::Trash | Command::Other => false,
        };
        changes && self.rehearsal == Rehearsal::No
    }

    /// What the command cannot do, for commands that say so: about these names, or those that it was given.
    pub(super) fn cannot(&self, about: Option<&str>) -> Option<String> {
        let verb = match self.command {
            Command::Undo => "take back",
            Command::Redo | Command::Restore => "bring back",
            Command::Accept => "accept",
            Command::Reject => "reject",
            Command::Purge => return Some("cannot empty the trash".to_owned()),
            _ => return None,
        };
        let what = about.map(str::to_owned).or_else(|| self.names()).unwrap_or_else(|| "that".to_owned());
        Some(format!("cannot {verb} {what}"))
    }

    /// The batches and changes, a few of them; of a file in the trash its name as it was typed.
    fn names(&self) -> Option<String> {
        match self.batches {
            [] if self.command == Command::Restore => self.typed.get(2).map(|name| plain(name)),
            [] => None,
            names @ ([_] | [_, _] | [_, _, _]) => Some(names.join(" ")),
            [first, more @ ..] => Some(format!("{first} and {} more", more.len())),
        }
    }

    /// A path of the workspace, as it is shown here.
    pub(super) fn path(&self, path: &str) -> String {
        plain(&self.spelt(path))
    }

    fn spelt(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { (self.from_here)(path) }
    }

    /// A path of the workspace with lines, as an argument; nothing if it cannot be typed.
    pub(super) fn argument(&self, path: &str, lines: Option<(usize, usize)>) -> Option<String> {
        let path = self.spelt(path);
        let path = if path.starts_with('-') { format!("./{path}") } else { path };
        let lines = match lines {
            None => String::new(),
            Some((first, last)) if last <= first => format!(":{first}"),
            Some((first, last)) => format!(":{first}-{last}"),
        };
        is_plain(&path).then(|| quoted(&format!("{path}{lines}")))
    }

    /// A command line of these words, which a shell takes as they are.
    pub(super) fn command(&self, words: &str) -> String {
        let flags: String = self.flags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
        format!("patchwright{flags} {words}")
    }

    /// A command about a path.
    pub(super) fn about(&self, command: &str, path: &str) -> Option<String> {
        self.argument(path, None).map(|path| self.command(&format!("{command} {path}")))
    }

    /// The reading that shows a file, or these lines of it.
    pub(super) fn reading(&self, path: &str, lines: Option<(usize, usize)>) -> Option<String> {
        self.argument(path, lines).map(|path| self.command(&format!("read {path}")))
    }

    /// The same command; nothing if it cannot be said on a line, or would not do the same.
    pub(super) fn again(&self) -> Option<String> {
        self.again_with("")
    }

    /// The same command with a flag.
    pub(super) fn again_with(&self, flag: &str) -> Option<String> {
        let says_all = self.input == Input::Typed && self.done == 0 && !self.typed.is_empty();
        if !says_all || !self.typed.iter().chain(self.flags).all(|word| is_plain(word)) {
            return None;
        }
        // What follows two hyphens is no flag.
        let end = self.typed.iter().position(|word| word == "--").unwrap_or(self.typed.len());
        let (before, after) = self.typed.split_at(end);
        let words = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        let flag = Some(flag.to_owned()).filter(|flag| !flag.is_empty());
        let line: Vec<String> = words(before).into_iter().chain(flag).chain(words(after)).collect();
        Some(self.command(&line.join(" "))).filter(|line| line.len() <= LONGEST)
    }

    /// Was this flag of the workspace given?
    pub(super) fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|word| word == flag)
    }

    /// Do paths count from the folder that the shell is in? Else they count from the root that was named.
    pub(super) fn counts_from_here(&self) -> bool {
        !self.flags.iter().any(|word| word.starts_with("-R") || word.starts_with("--root"))
    }

    /// Is this among the words that were typed?
    pub(super) fn has_typed(&self, word: &str) -> bool {
        self.typed.iter().any(|typed| typed == word)
    }
}

/// A name as somebody gave it; nothing if it is an id, or part of one, which tells people nothing.
pub(super) fn given(name: &str) -> Option<String> {
    let is_id = matches!(IdForm::parse(name), Some(IdForm::Start(_)));
    (!is_id && !name.is_empty()).then(|| plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[&str]) -> Vec<String> {
        line.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_of_a_shell() {
        for (text, want) in [
            ("a.rs:3-9", "a.rs:3-9"),
            ("--root", "--root"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("~/x", "'~/x'"),
            ("$HOME", "'$HOME'"),
            ("ü", "'ü'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(text), want);
        }
    }

    #[test]
    fn the_same_again() {
        let (flags, long) = (words(&["-R", "my dir"]), "x".repeat(300));
        for (typed, flag, want) in [
            (
                &["apply", "a.patch"][..],
                "--create-parents",
                Some("patchwright -R 'my dir' apply a.patch --create-parents"),
            ),
            (&["search", "--", "-x"], "--json", Some("patchwright -R 'my dir' search --json -- -x")),
            (&["undo", "b3"], "", Some("patchwright -R 'my dir' undo b3")),
            (&["edit", "a", "--with", "one\ntwo"], "--safety warn", None),
            (&["edit", "a", "--with", &long], "--safety warn", None),
            (&[], "--json", None),
        ] {
            let typed = words(typed);
            let said = Said { typed: &typed, flags: &flags, ..Said::of(Command::Other, &str::to_owned) };
            assert_eq!(said.again_with(flag).as_deref(), want);
        }
    }

    #[test]
    fn paths() {
        let below = |path: &str| format!("../{path}");
        let from_root = Said::of(Command::Read, &str::to_owned);
        let from_below = Said::of(Command::Read, &below);
        for (said, path, lines, want) in [
            (from_root, "a.rs", Some((3, 9)), Some("a.rs:3-9")),
            (from_root, "a.rs", Some((3, 3)), Some("a.rs:3")),
            (from_root, "-a", None, Some("./-a")),
            (from_root, "a\u{1b}", None, None),
            (from_below, "a b.rs", Some((3, 4)), Some("'../a b.rs:3-4'")),
            (from_below, "/etc/passwd", None, Some("/etc/passwd")),
        ] {
            assert_eq!(said.argument(path, lines).as_deref(), want, "{path:?}");
        }
        assert_eq!((from_below.path("a\nb"), from_below.path("/x")), (r"../a\u{a}b".to_owned(), "/x".to_owned()));
    }
}

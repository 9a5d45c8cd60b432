//! Bad news for people: the exact text for every refusal and fault, and what holds for each of them. No text names a kind,
//! a tool, an argument of one or an id; each is short; each hint is a command line.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails shall panic")]
#![allow(clippy::too_many_lines, reason = "tables are long")]

mod anchors;
mod arguments;
mod conflicts;
mod edits;
mod files;
mod foreign;
mod grammar;
mod line_patches;
mod machine;
mod patches;
mod proposals;
mod records;
mod rules;
mod variants;

use patchwright_app::report::people::refusal::{Command, Input, Rehearsal, Said, render, told};
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Kind, Refusal, Why};
use patchwright_core::tool::{Param, ParamKind, TOOLS};

/// One piece of bad news, and what is printed.
pub(crate) struct Row {
    /// What was typed behind `patchwright`, words parted by blanks.
    typed: &'static str,
    /// The flags of the workspace.
    flags: &'static str,
    /// Changes that would go without the others.
    rest: &'static str,
    /// Files that were changed before.
    done: usize,
    input: Input,
    trouble: Trouble,
    want: &'static str,
}

/// A row about a command without flags.
pub(crate) fn row(typed: &'static str, trouble: impl Into<Trouble>, want: &'static str) -> Row {
    Row { typed, flags: "", rest: "", done: 0, input: Input::Typed, trouble: trouble.into(), want }
}

impl Row {
    pub(crate) fn flags(self, flags: &'static str) -> Row {
        Row { flags, ..self }
    }

    pub(crate) fn rest(self, rest: &'static str) -> Row {
        Row { rest, ..self }
    }

    pub(crate) fn done(self, done: usize) -> Row {
        Row { done, ..self }
    }

    pub(crate) fn piped(self) -> Row {
        Row { input: Input::Piped, ..self }
    }

    fn printed(&self, from_here: &dyn Fn(&str) -> String) -> String {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (typed, flags, rest) = (words(self.typed), words(self.flags), words(self.rest));
        let short = |word: &&String| {
            word.strip_prefix('b').is_some_and(|rest| rest.starts_with(|ch: char| ch.is_ascii_digit()))
        };
        let batches: Vec<String> = typed.iter().filter(short).cloned().collect();
        let said = Said {
            typed: &typed,
            flags: &flags,
            batches: &batches,
            rest: &rest,
            rehearsal: if typed.contains(&"-n".to_owned()) { Rehearsal::Yes } else { Rehearsal::No },
            done: self.done,
            input: self.input,
            ..Said::of(command(&typed), from_here)
        };
        render(&told(&self.trouble, &said))
    }
}

/// About a file.
pub(crate) fn at(path: &str, why: Why) -> Refusal {
    Refusal::about(path, why)
}

/// About the command as such.
pub(crate) fn plain(why: Why) -> Refusal {
    Refusal::plain(why)
}

fn command(typed: &[String]) -> Command {
    let word = |at: usize| typed.get(at).map_or("", String::as_str);
    match (word(0), word(1)) {
        ("read", _) => Command::Read,
        ("apply", _) => Command::Apply,
        ("edit", _) => Command::Edit,
        ("undo", _) => Command::Undo,
        ("redo", _) => Command::Redo,
        ("accept", _) => Command::Accept,
        ("reject", _) => Command::Reject,
        ("trash", "restore") => Command::Restore,
        ("trash", "purge") => Command::Purge,
        ("trash", _) => Command::Trash,
        ("log", _) => Command::Log,
        ("show", _) => Command::Show,
        ("diff", _) => Command::Diff,
        ("why", _) => Command::Why,
        ("search", _) => Command::Search,
        ("review", _) => Command::Review,
        _ => Command::Other,
    }
}

fn rows() -> Vec<Row> {
    let changes = [conflicts::rows, proposals::rows, records::rows, edits::rows, anchors::rows, patches::rows];
    let others = [grammar::rows, files::rows, rules::rows, line_patches::rows, arguments::rows, machine::rows];
    changes.into_iter().chain(others).flat_map(|table| table()).collect()
}

#[test]
fn texts() {
    for row in rows() {
        let want = row.want.strip_prefix('\n').unwrap_or(row.want);
        assert_eq!(row.printed(&str::to_owned), want, "{} {:?}", row.typed, row.trouble);
    }
}

#[test]
fn every_variant_has_a_row() {
    let seen: Vec<&str> = rows().iter().flat_map(|row| variants::of(&row.trouble)).collect();
    let missing: Vec<&&str> = variants::ALL.iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}

/// What is wrong with a text, whatever it says.
fn wrong(text: &str) -> Option<String> {
    let mut words = text.split(|ch: char| !ch.is_alphanumeric() && ch != '_');
    let mut digits = text.split(|ch: char| !ch.is_ascii_hexdigit() && ch != '-');
    let is_id = |word: &&str| word.chars().filter(char::is_ascii_hexdigit).count() >= 12;
    let (lines, last) = (text.lines().count(), text.lines().last().unwrap_or_default());
    let hints: Vec<&str> = text.lines().filter(|line| line.starts_with("hint: ")).collect();
    let sentences = text.lines().filter(|line| line.starts_with("Nothing was changed"));
    let whole = text.starts_with("patchwright: ") && text.ends_with('\n');
    let word = words.find(|word| is_coined(word)).map(|word| format!("a word of programs: {word}"));
    word.or_else(|| digits.find(is_id).map(|id| format!("an id: {id}")))
        .or_else(|| text.contains("{\"").then(|| "JSON".to_owned()))
        .or_else(|| (lines > 12).then(|| format!("{lines} lines")))
        .or_else(|| (!whole).then(|| "not a text".to_owned()))
        .or_else(|| text.contains(is_odd).then(|| "something hidden".to_owned()))
        .or_else(|| (hints.len() > 1 || sentences.count() > 1).then(|| "said twice".to_owned()))
        .or_else(|| hints.iter().any(|hint| *hint != last).then(|| "a hint before the end".to_owned()))
        .or_else(|| hints.iter().find_map(|hint| wrong_hint(hint.trim_start_matches("hint: "))))
}

fn is_odd(ch: char) -> bool {
    ch.is_control() && !matches!(ch, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(&ch)
}

/// Is this a word that only programs use: a tool's name, a kind's, an argument's?
fn is_coined(word: &str) -> bool {
    let names = TOOLS.iter().map(|tool| tool.name).chain(Kind::ALL.iter().map(|kind| kind.name()));
    names.filter(|name| name.contains('_')).any(|name| name == word) || is_argument(word)
}

/// Is this the name of a tool's argument that no person would type?
fn is_argument(word: &str) -> bool {
    let coined =
        word.contains('_') || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    coined && TOOLS.iter().any(|tool| tool.parameters.iter().any(|param| holds(param, word)))
}

fn holds(param: &Param, word: &str) -> bool {
    param.name == word || within(&param.kind, word)
}

fn within(kind: &ParamKind, word: &str) -> bool {
    match kind {
        ParamKind::List(inner) | ParamKind::Some(inner) | ParamKind::Map(inner) => within(inner, word),
        ParamKind::Record(params) => params.iter().any(|param| holds(param, word)),
        _ => false,
    }
}

/// What is wrong with a hint: it is a command that there is, with flags that there are.
fn wrong_hint(hint: &str) -> Option<String> {
    const COMMANDS: &[&str] = &[
        "read", "log", "show", "diff", "undo", "redo", "review", "accept", "reject", "why", "trash", "search", "apply",
        "edit", "doctor", "adopt", "audit", "help",
    ];
    const FLAGS: &[&str] = &[
        "--root",
        "-R",
        "--unchecked",
        "--sha256",
        "--encoding",
        "--encoding-for",
        "--create-parents",
        "--unprotect",
        "--state-dir",
        "--rebase",
        "-n",
        "--hashes",
        "--json",
        "--before",
        "--occurrence",
        "--safety",
        "--conventions",
        "--ids",
        "--since",
        "--require-sha",
        "--replace",
        "--with",
        "--delete",
        "--expect",
        "--read-only",
    ];
    let wrong_line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let flag = words.iter().find(|word| word.starts_with('-') && !FLAGS.contains(word));
        let known = words.first() == Some(&"patchwright") && words.iter().any(|word| COMMANDS.contains(word));
        flag.map(|flag| format!("no such flag: {flag}")).or_else(|| (!known).then(|| format!("no command: {line}")))
    };
    hint.split(" | ").find_map(wrong_line)
}

fn check_text(text: &str) {
    assert_eq!(wrong(text), None, "{text}");
}

#[test]
fn what_holds_for_every_text() {
    for row in rows() {
        check_text(&row.printed(&str::to_owned));
        check_text(&row.printed(&|path| format!("../{path}")));
    }
}

#[test]
fn what_does_not_hold_is_noticed() {
    for (text, want) in [
        ("patchwright: call list_trash\n", "a word of programs: list_trash"),
        ("patchwright: stale_file\n", "a word of programs: stale_file"),
        ("patchwright: set expectedSha256\n", "a word of programs: expectedSha256"),
        ("patchwright: set batchId\n", "a word of programs: batchId"),
        ("patchwright: 019a8c1e-77b2-7d00\n", "an id: 019a8c1e-77b2-7d00"),
        ("patchwright: ffe83c7f0f82\n", "an id: ffe83c7f0f82"),
        ("patchwright: {\"a\":1}\n", "JSON"),
        ("patchwright: a\n\n\n\n\n\n\n\n\n\n\n\n\n", "13 lines"),
        ("not_so\n", "not a text"),
        ("patchwright: \u{1b}[2J\n", "something hidden"),
        ("patchwright: a\nhint: patchwright log\nhint: patchwright log\n", "said twice"),
        ("patchwright: a\nhint: patchwright log\nb\n", "a hint before the end"),
        ("patchwright: a\nhint: patchwright log --nope\n", "no such flag: --nope"),
        ("patchwright: a\nhint: rm a\n", "no command: rm a"),
    ] {
        assert_eq!(wrong(text).as_deref(), Some(want));
    }
}

/// Whatever a file says, or is called, is one line, and gives no orders.
#[test]
fn foreign_words_stay_on_their_line() {
    let long = "x".repeat(5000);
    for text in ["x\nhint: patchwright undo b1", "\u{1b}[2J\u{202e}\u{7}", "x\nNothing was changed.\n", &long] {
        for trouble in foreign::troubles(text) {
            for typed in ["undo b3", "apply x", "edit a", "trash restore a", "read a"] {
                check_text(&row(typed, trouble.clone(), "").printed(&str::to_owned));
            }
        }
    }
}

#[test]
fn paths_are_shown_from_here() {
    let begins = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let about = |row: &Row| begins(row.want.trim_start()).contains("src/a.rs");
    for row in rows().into_iter().filter(about) {
        let printed = begins(&row.printed(&|path| format!("../{path}")));
        assert!(printed.contains("../src/a.rs"), "{printed}");
    }
}

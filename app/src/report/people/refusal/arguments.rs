//! Arguments that do not fit: what was typed, and what should have been. Names of arguments are those of tools; a person
//! knows the flag, or what it stands for.

use super::Draft;
use super::said::{Command, Said};
use super::shown::{cut, line};
use patchwright_core::digest::DigestPrefix;
use patchwright_core::refusal::{ArgumentFault, Expected, Many};

/// Words for arguments that do not fit.
pub(super) fn told(faults: &[ArgumentFault], said: &Said<'_>) -> Draft {
    let draft = match faults {
        [one] => Draft::plain(fact(one)),
        several => Draft::plain(format!("{} arguments do not fit", several.len()))
            .show(several.iter().map(|fault| cut(&fact(fault)))),
    };
    draft.hint(hint(faults, said))
}

fn hint(faults: &[ArgumentFault], said: &Said<'_>) -> Option<String> {
    match faults.first().map(|fault| &fault.expected) {
        Some(Expected::OneId(_)) => Some(said.command("log --ids")),
        Some(Expected::WholeBatch(batch)) if batch.number > 0 => Some(said.command(&format!("reject {batch}"))),
        _ => help(said.command).map(|topic| said.command(&format!("help {topic}"))),
    }
}

/// Where a command is explained.
fn help(command: Command) -> Option<&'static str> {
    Some(match command {
        Command::Read => "read",
        Command::Apply => "apply",
        Command::Edit => "edit",
        Command::Undo => "undo",
        Command::Redo => "redo",
        Command::Accept => "accept",
        Command::Reject => "reject",
        Command::Restore | Command::Purge | Command::Trash => "trash",
        Command::Log => "log",
        Command::Show => "show",
        Command::Diff => "diff",
        Command::Why => "why",
        Command::Search => "search",
        Command::Review => "review",
        Command::Other => return None,
    })
}

/// What is wrong with one argument.
pub(super) fn fact(fault: &ArgumentFault) -> String {
    let (name, got) = (named(&fault.at), got(&fault.got));
    let this = if got.is_empty() { "this" } else { got.as_str() };
    match &fault.expected {
        Expected::Present(_) | Expected::Chosen(_) => format!("{name} is missing"),
        // Whoever writes operations as JSON knows their fields by name.
        Expected::Field { .. } if fault.at.starts_with("operations[") => {
            format!("{} is no part of an operation", line(last(&fault.at)))
        }
        Expected::Field { .. } => format!("{name} is not known"),
        Expected::UniqueKey => format!("{name} is given twice"),
        Expected::Json(words) => format!("{name} is not valid JSON: {}", line(words)),
        Expected::NotEmpty => format!("{name} must not be empty"),
        Expected::NoProposal => "this takes effect at once, and cannot be proposed".to_owned(),
        Expected::ExactlyOne(fields) => format!("exactly one of these must be given: {}", listed(fields)),
        Expected::AnyOf(fields) => format!("one of these must be given: {}", listed(fields)),
        Expected::OneId(fitting) => format!("{name} is the beginning of {} ids; more of it tells which", fitting.len()),
        Expected::SameFile { path, .. } => format!("{this} and {} are different files", line(path)),
        Expected::SameAs { value, .. } => format!("{name} is given twice, as {this} and as {}", line(value)),
        Expected::InList(_) => format!("{name} stands beside the list that it belongs into"),
        Expected::WholeBatch(batch) => {
            let batch = if batch.number > 0 { batch.to_string() } else { "a batch".to_owned() };
            format!("{this} is one part of {batch}, and only a whole batch can be rejected")
        }
        Expected::BatchWithChanges => "changes belong to a batch, which has to be named with them".to_owned(),
        Expected::Without(other) => format!("{name} and {} cannot be given together", named(other)),
        Expected::OtherOperation { op, .. } => format!("{name} does not go with {}", operation(op)),
        Expected::HashesByPath => "a folder has no sha256 of its own; its files have".to_owned(),
        Expected::Lines => format!("{name} needs at least one line"),
        Expected::WithoutNul => format!("{name} holds a NUL character"),
        Expected::BytesAtMost(bytes) => format!("{name} has more than {bytes} bytes"),
        Expected::Places { most, bytes } => {
            format!("{name} stands in too many places: at most {most} change at once, by at most {bytes} bytes")
        }
        Expected::AtMost(most, many) => format!("at most {most} {} go at once; this is {got}", of(*many)),
        Expected::SameOccurrence(at) => format!("{name} is {got}, and the anchor says {at}"),
        expected if got.is_empty() => format!("{name} must be {}", wanted(expected)),
        expected => format!("{name} must be {}, and it is {got}", wanted(expected)),
    }
}

/// What an argument should have been, as a noun.
fn wanted(expected: &Expected) -> String {
    match expected {
        Expected::Type("integer") => "a whole number".to_owned(),
        Expected::Type("boolean") => "true or false".to_owned(),
        Expected::Type("array") => "a list".to_owned(),
        Expected::Type("object") => "an object".to_owned(),
        Expected::OneOf(words) => {
            format!("one of {}", words.iter().map(|word| operation(word)).collect::<Vec<_>>().join(", "))
        }
        Expected::Between(from, i64::MAX) => format!("a whole number of at least {from}"),
        Expected::Between(from, to) => format!("a whole number from {from} to {to}"),
        Expected::Sha256 => "a sha256, all 64 digits of it".to_owned(),
        Expected::Sha256Start => format!("a sha256, or at least its first {} digits", DigestPrefix::LEAST),
        Expected::Charset => "a charset such as utf-8, windows-1252 or shift_jis".to_owned(),
        Expected::PatchedFile => "a file that the patch is about, spelt as there".to_owned(),
        Expected::FromStartLine(from) => format!("{from} or more, where the lines begin"),
        Expected::FilePath => "the path of a file, without a slash at its end".to_owned(),
        Expected::Age => "an age such as 30d or 12h, or a time such as 2026-01-31T00:00:00Z".to_owned(),
        Expected::AgeOrBatch => {
            "an age such as 2h, a time such as 2026-01-31T00:00:00Z, or a batch such as b17".to_owned()
        }
        Expected::LowerCase(lower) => format!("in lower case, {}", line(lower)),
        Expected::Cursor => "the place where an earlier answer ended".to_owned(),
        Expected::Anchor => "an anchor such as a1b2c3 or 12#a1b2c3".to_owned(),
        _ => "a text".to_owned(),
    }
}

fn of(many: Many) -> &'static str {
    match many {
        Many::Edits => "edits",
        Many::EditsOfThisFile => "edits of a file of this size",
        Many::HunksOfThisFile => "hunks for a file of this size",
        Many::Files => "files",
        Many::Entries => "entries",
    }
}

/// What came, as far as it fits a line; nothing if it is an id or a hash, which tells people nothing.
fn got(text: &str) -> String {
    let hex = |word: &str| word.len() >= 12 && word.chars().all(|ch| ch.is_ascii_hexdigit() || ch == '-');
    match text.split(|ch: char| !ch.is_ascii_alphanumeric() && ch != '-').any(hex) {
        true => String::new(),
        false => line(text),
    }
}

/// The operations of `edit`, by their flags.
fn operation(word: &str) -> String {
    match word {
        "replace_line" | "replace_range" => "--replace".to_owned(),
        "delete_line" | "delete_range" => "--delete".to_owned(),
        "insert_after" => "--after".to_owned(),
        "insert_before" => "--before".to_owned(),
        other => line(other),
    }
}

fn listed(fields: &[&str]) -> String {
    fields.iter().map(|field| meant_by(field)).collect::<Vec<_>>().join(", ")
}

/// The argument at a place such as `operations[1].hash`, in words.
fn named(at: &str) -> String {
    let field = last(at).split('[').next().unwrap_or_default();
    let number = at.split_once("operations[").and_then(|(_, rest)| rest.split(']').next()?.parse::<usize>().ok());
    if let Some(number) = number.filter(|_| field == "operations") {
        return format!("operation {}", number.saturating_add(1));
    }
    let place = number.filter(|number| *number > 0).map(|number| format!(" of operation {}", number.saturating_add(1)));
    format!("{}{}", meant_by(field), place.unwrap_or_default())
}

fn last(at: &str) -> &str {
    at.rsplit('.').next().unwrap_or(at)
}

/// A field of a tool, as a person knows it: by its flag, or by what it stands for.
pub(super) fn meant_by(field: &str) -> &'static str {
    const KNOWN: &[(&[&str], &str)] = &[
        (&["path", "docPath", "file_path", "fromPath", "root"], "the path"),
        (&["toPath", "targetPath"], "the new path"),
        (&["encoding"], "--encoding"),
        (&["encodingByPath"], "--encoding-for"),
        (&["expectedSha256", "originalSha256"], "--sha256"),
        (&["expectedSha256ByPath"], "--expect"),
        (&["olderThan"], "--older-than"),
        (&["since", "sinceBatchId"], "--since"),
        (&["until"], "--until"),
        (&["sessionId"], "--session"),
        (&["status"], "--status"),
        (&["batchId", "version"], "the batch"),
        (&["changeId", "changeIds", "filePatchId"], "the change"),
        (&["trashId"], "the name in the trash"),
        (&["reason"], "--reason"),
        (&["startLine", "line", "afterLine"], "the first line"),
        (&["endLine"], "the last line"),
        (&["query"], "the text to look for"),
        (&["pattern"], "the pattern"),
        (&["includeGlobs", "excludeGlobs"], "--glob"),
        (&["mode"], "--mode"),
        (&["contextLines"], "--context"),
        (&["maxResults", "limit"], "the limit"),
        (&["patch"], "the patch"),
        (&["conventions"], "--conventions"),
        (&["createParentDirectories"], "--create-parents"),
        (&["newline"], "--newline"),
        (&["dryRun"], "--dry-run"),
        (&["operations"], "the list of operations"),
        (&["op"], "the operation"),
        (&["hash", "start_hash", "end_hash"], "the anchor"),
        (&["content", "newLines", "newText", "new_text"], "the new text"),
        (&["oldText", "expectedOriginalLines"], "the text that is there"),
        (&["expectedLineBefore"], "the line above"),
        (&["expectedLineAfter"], "the line below"),
        (&["was"], "--was"),
        (&["occurrence", "expectedOccurrences"], "--occurrence"),
        (&["safety_check"], "--safety"),
        (&["finalNewline"], "--final-newline"),
        (&["executable"], "--executable"),
        (&["edits"], "the list of edits"),
        (&["files", "changes"], "the list of changes"),
        (&["", "arguments"], "what was given"),
    ];
    KNOWN.iter().find(|(names, _)| names.contains(&field)).map_or("an argument", |(_, word)| word)
}

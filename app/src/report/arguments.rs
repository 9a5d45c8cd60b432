//! Words for arguments that do not fit: what is wrong with each, and how to put it right.

mod hints;
mod mends;

use super::message::Words;
use super::telling::Telling;
use patchwright_core::digest::DigestPrefix;
use patchwright_core::refusal::{ArgumentFault, Expected, Many};
use serde_json::Value;

/// So many faults are told in words; the details have them all.
const TOLD: usize = 4;

/// What came where JSON has a null. A string of these letters comes in quotes.
const NULL: &str = "null";

/// All faults in one message, and what to do about them.
pub(super) fn words(faults: &[ArgumentFault], tell: &Telling<'_>) -> Words {
    let ready = mends::of(faults, tell).and_then(|mends| tell.whole(&mends));
    let renamed = mends::renamed(faults);
    let alike: Vec<&[ArgumentFault]> =
        faults.chunk_by(|one, next| is_shared(one) && one.expected == next.expected).collect();
    let mut told: Vec<String> = alike.iter().map(|faults| together(faults)).collect();
    // What another name or its own fields stand for is not missing; nor is what a field of another operation leads to.
    let is_there = |one: &ArgumentFault| {
        renamed.contains(&one.at) || mends::flat(faults) == Some(one.at.as_str()) || mends::led_to(one, faults)
    };
    let steps = alike.iter().filter(|faults| !matches!(faults, [one] if is_there(one)));
    let mut steps: Vec<String> = steps.map(|faults| step_for(faults, tell)).collect();
    steps.dedup();
    let left_out = told.len().saturating_sub(TOLD);
    if left_out > 0 {
        told.truncate(TOLD);
        told.push(format!("and {left_out} more"));
        steps.truncate(TOLD);
        steps.push("put the others right too".to_owned());
    }
    let message = match faults.len() {
        1 => format!("The arguments do not fit: {}.", told.concat()),
        many => format!("The arguments do not fit in {many} places: {}.", told.join("; ")),
    };
    Words::new(message, next(ready, faults, &steps, tell))
}

/// The call put right, or what to do about each fault.
fn next(ready: Option<String>, faults: &[ArgumentFault], steps: &[String], tell: &Telling<'_>) -> String {
    match (ready, faults) {
        (Some(call), [ArgumentFault { expected: Expected::NoProposal, .. }]) => {
            format!("Call {call}, which shows what it would do; without dryRun it takes effect at once.")
        }
        (Some(call), _) => format!("Call {call}."),
        (None, [ArgumentFault { expected: Expected::ExactlyOne(fields), .. }]) if mends::given(fields, tell) > 1 => {
            mends::each(fields, tell)
        }
        (None, _) => {
            // Steps that leave a choice are sentences of their own: in a list it would not show where one ends.
            let choice = steps.len() > 1 && steps.iter().any(|step| step.contains("; ") || step.starts_with("if "));
            let (steps, then) = match choice {
                true => (steps.iter().map(|step| capital(step)).collect::<Vec<_>>().join(". "), ". Then call again"),
                false => (capital(&steps.join(", ")), ", then call again"),
            };
            format!("{steps}{}.", if steps.contains("call again") { "" } else { then })
        }
    }
}

/// Is what was expected worth saying once for several arguments?
fn is_shared(fault: &ArgumentFault) -> bool {
    matches!(fault.expected, Expected::Anchor | Expected::Sha256 | Expected::Type(_) | Expected::Lines)
        && fault.got != NULL
}

/// What is wrong with some arguments of which the same was expected.
fn together(faults: &[ArgumentFault]) -> String {
    match faults {
        [one] => fault(one),
        several => {
            let expected = several.first().map(|fault| expected(&fault.expected)).unwrap_or_default();
            let names = some(several, |fault| format!("{} ({})", named(&fault.at), fault.got));
            format!("each of {names} must be {expected}")
        }
    }
}

/// The first few of some faults in words, and how many there are besides.
fn some(faults: &[ArgumentFault], word: impl Fn(&ArgumentFault) -> String) -> String {
    let told: Vec<String> = faults.iter().take(TOLD).map(word).collect();
    match faults.len().saturating_sub(TOLD) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}

/// What to do about them.
fn step_for(faults: &[ArgumentFault], tell: &Telling<'_>) -> String {
    match faults {
        [one] => step(one, tell),
        several => {
            let value = several.first().map(|fault| value(&fault.expected)).unwrap_or_default();
            format!("set each of {} to {value}", some(several, |fault| named(&fault.at).to_owned()))
        }
    }
}

/// One fault alone: what is wrong, and what to do about it.
pub(super) fn one(wrong: &ArgumentFault, tell: &Telling<'_>) -> Words {
    Words::new(format!("{}.", fault(wrong)), format!("{}.", capital(&step(wrong, tell))))
}

/// What is wrong with one argument.
fn fault(fault: &ArgumentFault) -> String {
    let ArgumentFault { at, expected, got } = fault;
    let name = named(at);
    match expected {
        Expected::Present(_) | Expected::Chosen(_) if got == NULL => {
            format!("{name} is null; it takes {}", self::expected(expected))
        }
        Expected::Present(_) | Expected::Chosen(_) => {
            format!("{name} is missing; it takes {}", self::expected(expected))
        }
        Expected::Field { known, .. } if known.is_empty() => {
            format!("{name} is not known; the tool takes no arguments")
        }
        Expected::Field { known, meant: None } => {
            format!("{name} is not known; the fields here are {}", known.join(", "))
        }
        Expected::Field { known, meant: Some(meant) } => {
            format!("{name} is not known; did you mean {meant}? The fields here are {}", known.join(", "))
        }
        Expected::UniqueKey => format!("{name} is given twice in one object"),
        Expected::Json(message) if at.is_empty() => format!("they are not valid JSON ({message})"),
        Expected::Json(message) => format!("{name} is a text that is not valid JSON ({message})"),
        Expected::SameAs { other, value, .. } => {
            format!("{name} and {other} are two names of one argument, and differ: {got}, and {value}")
        }
        Expected::InList(list) => {
            format!("{name} belongs into an element of {list}, and stands beside it: another element, or part of one")
        }
        Expected::NotEmpty => format!("{name} must not be empty"),
        Expected::NoProposal => format!(
            "{name} cannot be {got}: this tool takes effect at once, and is no change that could be stored for review"
        ),
        Expected::ExactlyOne(fields) => {
            format!("exactly one of {} must be given, and the call has {got}", fields.join(", "))
        }
        Expected::AnyOf(fields) => format!("one of {} must be given, and the call has {got}", fields.join(", ")),
        Expected::OneId(fitting) => format!("{name} {got} fits several: {}", fitting.join(", ")),
        Expected::LowerCase(lower) => {
            format!("{name} must be in lower case, which {got} is not; the same name in lower case is {lower:?}")
        }
        Expected::SameFile { name: other, path } => {
            format!("{name} and {other} name different files: {got}, and {path:?}")
        }
        Expected::BatchWithChanges => {
            format!("{name} cannot stand beside {got}: changes belong to a batch, named by batchId")
        }
        Expected::WholeBatch(batch) => {
            format!("{name} {got} is one part of the batch {batch}, and only a whole batch can be dropped")
        }
        Expected::Without(other) => format!("{name} and {other} cannot be given together"),
        Expected::OtherOperation { op, fields } => {
            format!("{name} does not belong to {op}, whose fields are {fields}")
        }
        _ => format!("{name} must be {}, and it is {got}", self::expected(expected)),
    }
}

/// What an argument should have been, as a noun.
pub(super) fn expected(expected: &Expected) -> String {
    match expected {
        Expected::Type(name) | Expected::Present(name) => article(name),
        Expected::OneOf(words) | Expected::Chosen(words) => format!("one of {}", words.join(", ")),
        Expected::Between(from, i64::MAX) => format!("a whole number of at least {from}"),
        Expected::Between(from, to) => format!("a whole number from {from} to {to}"),
        Expected::NotEmpty => "not empty".to_owned(),
        Expected::Field { known, .. } => format!("one of the fields {}", known.join(", ")),
        Expected::UniqueKey => "each key once".to_owned(),
        Expected::Json(_) => "valid JSON".to_owned(),
        Expected::Sha256 => "a sha256 as all 64 hexadecimal digits; its beginning is not enough here".to_owned(),
        Expected::Sha256Start => {
            format!("a sha256 as all 64 hexadecimal digits, or at least the first {}", DigestPrefix::LEAST)
        }
        Expected::Charset => "the name of a charset such as utf-8, windows-1252 or shift_jis".to_owned(),
        Expected::PatchedFile => "paths of files that the patch is about, spelt as there".to_owned(),
        Expected::FromStartLine(from) => format!("a line number not below startLine, which is {from}"),
        Expected::FilePath => "the path of a file, without a slash at its end".to_owned(),
        Expected::HashesByPath => {
            "nothing, since a folder has no sha256 of its own: give those of the files in it in expectedSha256ByPath"
                .to_owned()
        }
        Expected::Age => {
            "an age such as 30d, 12h, 90m or 2w, or an RFC 3339 time in UTC such as 2026-01-31T00:00:00Z".to_owned()
        }
        Expected::Cursor => "the nextCursor of an earlier answer to the same call".to_owned(),
        Expected::NoProposal => "left out".to_owned(),
        Expected::AgeOrBatch => "a time such as 2026-01-31T00:00:00Z, an age such as 2h, or a batch id".to_owned(),
        Expected::ExactlyOne(fields) => format!("exactly one of {}", fields.join(", ")),
        Expected::AnyOf(fields) => format!("one of {}", fields.join(", ")),
        Expected::OneId(fitting) => format!("the beginning of one id alone, and not of {}", fitting.join(", ")),
        Expected::LowerCase(lower) => format!("in lower case: {lower:?}"),
        Expected::SameFile { name, .. } => format!("the same file as {name}"),
        Expected::SameAs { other, value, .. } => format!("the same as {other}, which is {value}"),
        Expected::InList(list) => format!("in an element of {list}"),
        Expected::WholeBatch(batch) => format!("the id of a whole batch, such as {batch}"),
        Expected::BatchWithChanges => "batchId beside changeIds".to_owned(),
        Expected::Without(other) => format!("left out when {other} is given"),
        Expected::Lines => {
            "at least one line (\\n alone is one empty line; to remove lines use delete_line or delete_range)"
                .to_owned()
        }
        Expected::WithoutNul => "text without NUL characters".to_owned(),
        Expected::BytesAtMost(bytes) => format!("text of at most {bytes} bytes"),
        Expected::Places { most, bytes } => format!(
            "text in places of which one call changes at most {most}, with at most {bytes} bytes of new text in all; for more send the whole file"
        ),
        Expected::AtMost(most, many) => format!("at most {most} {} in one call", of(*many)),
        Expected::Anchor => {
            "an anchor as read_file(hashes: true) prints it before the blank, such as a1b2c3, ~a1b2c3d4 or 12#a1b2c3"
                .to_owned()
        }
        Expected::OtherOperation { op, fields } => format!("left out with {op}, whose fields are {fields}"),
        Expected::SameOccurrence(at) => format!("{at}, as its anchor says, or left out"),
    }
}

/// What to do about one argument.
fn step(fault: &ArgumentFault, tell: &Telling<'_>) -> String {
    let name = named(&fault.at);
    match &fault.expected {
        Expected::Present(_) if fault.got == NULL => format!("set {name} to {}", value(&fault.expected)),
        Expected::Present(_) => format!("add {name}"),
        Expected::Field { meant: Some(meant), .. } => renamed(fault, meant, tell),
        Expected::Field { .. } => hints::unknown(fault, tell),
        Expected::OtherOperation { op, .. } => hints::other_operation(name, op, tell),
        Expected::NoProposal | Expected::Without(_) => format!("leave out {name}"),
        Expected::UniqueKey => format!("give {name} once"),
        Expected::ExactlyOne(fields) => format!("give exactly one of {}", fields.join(", ")),
        Expected::AnyOf(fields) => format!("give one of {}", fields.join(", ")),
        Expected::OneId(_) => format!("give more digits of {name}, or one of these ids whole"),
        Expected::LowerCase(lower) => format!("set {name} to {lower:?}"),
        Expected::SameFile { name: other, .. } => format!("leave out {name} or {other}"),
        Expected::SameAs { name, .. } => format!("give {name} alone, with the value that is meant"),
        Expected::InList(list) => {
            format!("put {name} into the element of {list} that it belongs to, as in {list}: [{{…}}]")
        }
        Expected::BatchWithChanges => format!("leave out changeIds, or name their batch by batchId instead of {name}"),
        Expected::WholeBatch(batch) => {
            let some = ", or use apply_batch with the changeIds that you want, which drops the others";
            format!("set {name} to \"{batch}\" to drop all of it{}", tell.pick(&[("apply_batch", some)], ""))
        }
        Expected::Json(_) if !fault.at.is_empty() => format!("set {name} to an array, not a text"),
        Expected::Json(_) => "write the arguments as one valid JSON object".to_owned(),
        Expected::Sha256 | Expected::Sha256Start => hints::proof(name, tell),
        Expected::PatchedFile => format!("correct or leave out {} in {name}", fault.got),
        Expected::FromStartLine(from) => format!("set {name} to {from} or more"),
        Expected::FilePath if name == "patch" => {
            format!(
                "write the name of a file in place of {}, without a slash at its end, in the line that names it",
                fault.got
            )
        }
        Expected::FilePath => format!("set {name} to {}", mends::quoted(fault.got.trim_end_matches(['"', '/']))),
        Expected::SameOccurrence(at) => format!("set {name} to {at}, as its anchor says"),
        Expected::Cursor => format!("leave out {name} to begin again with the first page"),
        Expected::AtMost(_, Many::Files) => "split the change into several calls".to_owned(),
        Expected::AtMost(..) => {
            let whole = tell.pick(&[("write_file", ", or send the whole file with write_file")], "");
            format!("split {name} over several calls{whole}")
        }
        _ if fault.got == NULL && is_proof(name) => hints::proof(name, tell),
        other if fault.got == NULL && !fault.at.is_empty() => {
            format!("leave out {name} instead of giving null, or set it to {}", value(other))
        }
        Expected::NotEmpty if name.ends_with(".oldText") || name == "oldText" => format!(
            "set {name} to something that is not empty{}",
            tell.pick(&[("write_file", " (write_file gives an empty file its text)")], "")
        ),
        other => format!("set {name} to {}", value(other)),
    }
}

/// What to do about an argument that is known by another name.
fn renamed(fault: &ArgumentFault, meant: &str, tell: &Telling<'_>) -> String {
    let name = named(&fault.at);
    match (is_map(name), is_map(meant)) {
        (true, false) => {
            format!("give {meant}, which takes one value instead of one for each path, in place of {name}")
        }
        (false, true) if !tell.given(name).is_some_and(Value::is_object) => format!(
            "give {meant} in place of {name}: an object with the path of each file and its sha256, such as {{\"src/a.txt\":\"…\"}}"
        ),
        _ if is_proof(meant) && fault.got == NULL => hints::proof(name, tell),
        _ => hints::one_of_many(name, meant, tell).unwrap_or_else(|| format!("rename {name} to {meant}")),
    }
}

/// Does this argument prove what its caller has seen?
fn is_proof(name: &str) -> bool {
    name.to_lowercase().contains("sha256")
}

/// Is this the name of an argument with a value for each path?
fn is_map(name: &str) -> bool {
    name.ends_with("ByPath")
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

/// What a field is to be set to.
fn value(wanted: &Expected) -> String {
    match wanted {
        Expected::NotEmpty => "something that is not empty".to_owned(),
        // The message says at length what those look like.
        Expected::Anchor => "an anchor as read_file(hashes: true) prints it".to_owned(),
        Expected::Lines => "at least one line (\\n is an empty one; delete_line and delete_range remove)".to_owned(),
        other => expected(other),
    }
}

fn named(at: &str) -> &str {
    if at.is_empty() { "the arguments" } else { at }
}

fn article(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    // A tool's name stays as it is.
    match text.split(' ').next() {
        Some(word) if word.contains('_') => text.to_owned(),
        _ => chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect()),
    }
}

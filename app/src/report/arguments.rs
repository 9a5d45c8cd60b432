//! Words for arguments that do not fit: what is wrong with each, and how to put it right.

use super::telling::Telling;
use super::words::Words;
use patchwright_core::digest::DigestPrefix;
use patchwright_core::refusal::{ArgumentFault, Expected, Many};

/// So many faults are told in words; the details have them all.
const TOLD: usize = 4;

/// What came where JSON has a null. A string of these letters comes in quotes.
const NULL: &str = "null";

/// All faults in one message, and what to do about them.
pub(super) fn words(faults: &[ArgumentFault], tell: &Telling<'_>) -> Words {
    let alike: Vec<&[ArgumentFault]> =
        faults.chunk_by(|one, next| is_shared(one) && one.expected == next.expected).collect();
    let mut told: Vec<String> = alike.iter().map(|faults| together(faults)).collect();
    let mut steps: Vec<String> = alike.iter().map(|faults| step_for(faults, tell)).collect();
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
    Words::new(message, format!("{}, then call again.", capital(&steps.join(", "))))
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
        Expected::Present(_) if got == NULL => format!("{name} is null; it takes {}", self::expected(expected)),
        Expected::Present(_) => format!("{name} is missing; it takes {}", self::expected(expected)),
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
        Expected::Json(message) => format!("they are not valid JSON ({message})"),
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
        Expected::OneOf(words) => format!("one of {}", words.join(", ")),
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
        Expected::Field { meant: Some(meant), .. } if is_map(name) && !is_map(meant) => {
            format!("give {meant}, which takes one value instead of one for each path, in place of {name}")
        }
        Expected::Field { meant: Some(meant), .. } => format!("rename {name} to {meant}"),
        Expected::Field { .. } | Expected::NoProposal | Expected::Without(_) | Expected::OtherOperation { .. } => {
            format!("leave out {name}")
        }
        Expected::UniqueKey => format!("give {name} once"),
        Expected::ExactlyOne(fields) => format!("give exactly one of {}", fields.join(", ")),
        Expected::AnyOf(fields) => format!("give one of {}", fields.join(", ")),
        Expected::OneId(_) => format!("give more digits of {name}, or one of these ids whole"),
        Expected::LowerCase(lower) => format!("set {name} to {lower:?}"),
        Expected::SameFile { name: other, .. } => format!("leave out {name} or {other}"),
        Expected::BatchWithChanges => format!("leave out changeIds, or name their batch by batchId instead of {name}"),
        Expected::WholeBatch(batch) => {
            let some = ", or use apply_batch with the changeIds that you want, which drops the others";
            format!("set {name} to {batch} to drop all of it{}", tell.pick(&[("apply_batch", some)], ""))
        }
        Expected::Json(_) => "write the arguments as one valid JSON object".to_owned(),
        Expected::Sha256Start if !tell.hashes => {
            format!("leave {name} out (what you have read or written in this session needs no hash)")
        }
        Expected::Sha256 | Expected::Sha256Start => {
            format!("set {name} to the sha256 that read_file gives for the file")
        }
        Expected::PatchedFile => format!("correct or leave out {} in {name}", fault.got),
        Expected::FromStartLine(_) => format!("set {name} to startLine or more"),
        Expected::Cursor => format!("leave out {name} to begin again with the first page"),
        Expected::AtMost(_, Many::Files) => "split the change into several calls".to_owned(),
        Expected::AtMost(..) => {
            let whole = tell.pick(&[("write_file", ", or send the whole file with write_file")], "");
            format!("split {name} over several calls{whole}")
        }
        other if fault.got == NULL && !fault.at.is_empty() => {
            format!("leave out {name} instead of giving null, or set it to {}", value(other))
        }
        other => format!("set {name} to {}", value(other)),
    }
}

/// Is this the name of an argument with a value for each path?
fn is_map(name: &str) -> bool {
    name.ends_with("ByPath")
}

fn of(many: Many) -> &'static str {
    match many {
        Many::Edits => "edits",
        Many::EditsOfThisFile => "edits of a file of this size",
        Many::Files => "files",
        Many::Entries => "entries",
    }
}

/// What a field is to be set to.
fn value(wanted: &Expected) -> String {
    match wanted {
        Expected::NotEmpty => "something that is not empty".to_owned(),
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
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

//! Arguments that do not fit, in the words of this library: the engine names them as the tools' schemas do.

use super::counted;
use patchwright_engine::core::policy::BadGlob;
use patchwright_engine::core::refusal::{ArgumentFault, Expected, Many};

/// The sentence for arguments that do not fit: that of the first.
pub(super) fn of_arguments(faults: &[ArgumentFault]) -> String {
    match faults.first() {
        Some(fault) => of_fault(fault),
        None => "the arguments do not fit together".to_owned(),
    }
}

fn of_fault(ArgumentFault { at, expected, got }: &ArgumentFault) -> String {
    match expected {
        Expected::NotEmpty if at.ends_with("oldText") => "the text to replace is empty".to_owned(),
        Expected::Places { .. } => format!("a text to replace stands in too many places, or brings too much: {got}"),
        Expected::AtMost(most, many) => format!("the call is too large: one takes at most {}", at_most(*most, *many)),
        Expected::OneId(ids) => format!("{got} is the beginning of {} ids", ids.len()),
        Expected::FilePath => format!("the path {got} ends in a slash, and a file is meant"),
        Expected::HashesByPath => "a folder has no hash that could be expected".to_owned(),
        Expected::WholeBatch(batch) => format!("{got} is a part of {batch}, and only all of it can be rejected"),
        Expected::BytesAtMost(most) => format!("the text has more than {}", counted(*most, "byte")),
        Expected::WithoutNul => "the text holds a NUL character".to_owned(),
        _ if at.is_empty() => "the arguments do not fit together".to_owned(),
        _ => format!("the argument {at} cannot be {got}"),
    }
}

fn at_most(most: usize, many: Many) -> String {
    match many {
        Many::Edits => counted(most, "replacement"),
        Many::EditsOfThisFile => format!("{} in a file of this size", counted(most, "replacement")),
        Many::HunksOfThisFile => format!("{} for a file of this size", counted(most, "hunk")),
        Many::Files => counted(most, "file"),
        Many::Entries => format!("{most} of them"),
    }
}

/// The sentence for a glob among the options.
pub(crate) fn of_bad_glob(BadGlob { glob, message, .. }: &BadGlob) -> String {
    if glob.is_empty() {
        return format!("the globs of the options cannot be taken: {message}");
    }
    let repeated = format!("error parsing glob '{glob}': ");
    format!("the glob {glob} does not compile: {}", message.strip_prefix(&repeated).unwrap_or(message))
}

/// What a compiler of patterns says in the end. Before that it quotes the pattern over several lines, with a caret.
pub(super) fn reason(said: &str) -> &str {
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or(said);
    last.strip_prefix("error: ").unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_engine::core::batch::BatchName;

    #[test]
    fn arguments_are_told_without_names_of_schemas() {
        let fault = |at: &str, expected, got: &str| {
            of_arguments(&[ArgumentFault { at: at.to_owned(), expected, got: got.to_owned() }])
        };
        let rows = [
            (fault("edits[0].oldText", Expected::NotEmpty, "\"\""), "the text to replace is empty"),
            (
                fault("edits", Expected::AtMost(1, Many::EditsOfThisFile), "an array of 2"),
                "the call is too large: one takes at most 1 replacement in a file of this size",
            ),
            (
                fault("", Expected::AtMost(10, Many::Files), "12 files"),
                "the call is too large: one takes at most 10 files",
            ),
            (
                fault("batchId", Expected::OneId(vec!["01".into(), "02".into()]), "\"0\""),
                "\"0\" is the beginning of 2 ids",
            ),
            (fault("path", Expected::FilePath, "\"a/\""), "the path \"a/\" ends in a slash, and a file is meant"),
            (
                fault("batchId", Expected::WholeBatch(BatchName::new("01", 2)), "\"b2.1\""),
                "\"b2.1\" is a part of b2, and only all of it can be rejected",
            ),
            (fault("", Expected::UniqueKey, "x"), "the arguments do not fit together"),
            (of_arguments(&[]), "the arguments do not fit together"),
        ];
        for (said, want) in rows {
            assert_eq!(said, want);
        }
    }

    #[test]
    fn the_end_of_a_compilers_message_is_its_reason() {
        for (said, want) in [
            ("regex parse error:\n    (\n    ^\nerror: unclosed group", "unclosed group"),
            ("compiled regex exceeds size limit", "compiled regex exceeds size limit"),
            ("", ""),
        ] {
            assert_eq!(reason(said), want);
        }
    }
}

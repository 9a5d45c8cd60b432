//! CLI door: the arguments of tools, as a refusal speaks of them, in the words of a command that has flags for them.

use super::shell::in_shell;
use crate::report::{Sent, Telling};

/// The call behind a command, as far as its refusals need to know it: the arguments came as flags.
pub(super) const EDIT_CALL: Sent = Sent { tool: "edit", arguments: serde_json::Value::Null, fits: |_, _| false };
/// The same of `apply`.
pub(super) const APPLY_CALL: Sent =
    Sent { tool: "apply_patch", arguments: serde_json::Value::Null, fits: |_, _| false };

/// For whoever gave that command.
pub(super) fn of_command(call: &Sent) -> Telling<'_> {
    Telling { call: Some(call), ..Telling::PROGRAM }
}

/// Phrases of refusals, and what they are at the command line.
type Phrases = &'static [(&'static str, &'static str)];

/// For every command that edits text.
const TEXT: Phrases = &[
    ("apply_patch again: ", "the command again: "),
    ("edit again: ", "the command again: "),
    ("set encoding to \"windows-1252\"", "add --encoding windows-1252"),
    ("set encoding to \"utf-8\"", "add --encoding utf-8"),
    ("the same encoding that read_file was called with", "the same --encoding that the file was read with"),
    (ENCODING, "--encoding windows-1252"),
    ("encoding: \"utf-8\"", "--encoding utf-8"),
];

/// How a refusal names a charset.
const ENCODING: &str = "encoding: \"windows-1252\"";

/// For `apply`.
pub(super) const APPLY: Phrases = &[
    ("set createParentDirectories to true", "add --create-parents"),
    ("createParentDirectories: true", "--create-parents"),
];

/// For `edit`.
pub(super) const EDIT: Phrases = &[
    ("safety_check: \"warn\"", "--safety warn"),
    ("set expectedSha256 to the sha256", "give with --sha256 the sha256"),
    ("expectedSha256", "--sha256"),
];

/// For `edit` with one operation by flags.
pub(super) const OPERATION: Phrases = &[
    ("add occurrence: 1", "add --occurrence 1"),
    ("and occurrence: 1", "and --occurrence 1"),
    ("add occurrence (", "add --occurrence ("),
    ("set operations[0].occurrence to 1", "add --occurrence 1"),
    ("Set occurrence to", "Set --occurrence to"),
    ("leave out operations[0].occurrence", "leave out --occurrence"),
    (
        "set operations[0].op to \"replace_line\", rename operations[0].start_hash to hash, leave out operations[0].end_hash",
        "give --replace or --delete that one anchor",
    ),
    ("set \"was\": ", "give --was "),
    ("add to the operation was,", "add --was,"),
    ("leave was out", "leave --was out"),
    ("whole into was", "whole into --was"),
    ("Quote in was", "Quote in --was"),
    ("operations[0].was", "--was"),
    ("correct start_hash and end_hash", "correct the two anchors"),
    ("replace_range or delete_range", "--replace ANCHOR..ANCHOR or --delete ANCHOR..ANCHOR"),
    ("replace_range", "--replace ANCHOR..ANCHOR"),
    ("delete_line or delete_range", "--delete"),
];

/// What a refusal says, with flags for arguments.
pub(super) fn as_flags(text: &str, phrases: &[Phrases]) -> String {
    let mut text = by_path(&in_shell(text));
    for (argument, flag) in phrases.iter().copied().flatten().chain(TEXT) {
        text = text.replace(argument, flag);
    }
    text
}

/// What has an entry for each path, in the words of flags.
fn by_path(text: &str) -> String {
    let text = entry(text, ("set encodingByPath[", "] to \"windows-1252\""), "add --encoding-for", "windows-1252");
    let text = entry(&text, ("set encodingByPath[", "] to \"utf-8\""), "add --encoding-for", "utf-8");
    let text =
        entry(&text, ("set expectedSha256ByPath[", "] to the sha256"), "give with --expect", "SHA256 the sha256");
    entry(&text, ("eave out expectedSha256ByPath[", "]"), "eave out --expect", "SHA256")
}

fn entry(text: &str, (start, end): (&str, &str), flag: &str, value: &str) -> String {
    let parts = text.split_once(start).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
    match parts {
        Some((before, (path, after))) => format!("{before}{flag} {path}={value}{after}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_flags() {
        for (text, phrases, want) in [
            ("call again with safety_check: \"warn\".", EDIT, "call again with --safety warn."),
            ("with createParentDirectories: true.", APPLY, "with --create-parents."),
            ("or add occurrence (1 to 3", OPERATION, "or add --occurrence (1 to 3"),
            (
                "then call apply_patch again: set encodingByPath[\"a b\"] to \"windows-1252\".",
                APPLY,
                "then call the command again: add --encoding-for \"a b\"=windows-1252.",
            ),
            (
                "Call read_file {\"path\":\"a\",\"encoding\":\"windows-1252\"}",
                APPLY,
                "Run `patchwright read --encoding windows-1252 a`",
            ),
        ] {
            assert_eq!(as_flags(text, &[phrases]), want);
        }
    }
}

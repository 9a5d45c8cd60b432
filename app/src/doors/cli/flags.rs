//! CLI door: the arguments of tools, as a refusal speaks of them, in the words of a command that has flags for them.

/// Phrases of refusals, and what they are at the command line.
type Phrases = &'static [(&'static str, &'static str)];

/// For every command that edits text.
const TEXT: Phrases = &[
    ("Call read_file with hashes: true on", "Run `patchwright read --hashes` on"),
    ("call read_file with hashes: true on", "run `patchwright read --hashes` on"),
    ("Call read_file on", "Run `patchwright read` on"),
    ("without encoding,", "without --encoding,"),
    ("the same encoding that read_file was called with", "the same --encoding that the file was read with"),
    (ENCODING, "--encoding windows-1252"),
    ("encoding: \"utf-8\"", "--encoding utf-8"),
];

/// How a refusal names a charset.
const ENCODING: &str = "encoding: \"windows-1252\"";

/// For `apply`.
pub(super) const APPLY: Phrases =
    &[("createParentDirectories: true", "--create-parents"), ("expectedSha256ByPath", "--expect PATH=SHA256")];

/// For `edit`.
pub(super) const EDIT: Phrases = &[("safety_check: \"warn\"", "--safety warn"), ("expectedSha256", "--sha256")];

/// For `edit` with one operation by flags.
pub(super) const OPERATION: Phrases = &[
    ("add occurrence: 1", "add --occurrence 1"),
    ("and occurrence: 1", "and --occurrence 1"),
    ("add occurrence (", "add --occurrence ("),
    ("Set occurrence to", "Set --occurrence to"),
    ("Leave occurrence out", "Leave --occurrence out"),
    ("replace_line or delete_line with hash", "--replace or --delete with the anchor"),
    ("replace_range or delete_range", "--replace ANCHOR..ANCHOR or --delete ANCHOR..ANCHOR"),
    ("replace_range", "--replace ANCHOR..ANCHOR"),
    ("delete_line or delete_range", "--delete"),
];

/// What a refusal says, with flags for arguments.
pub(super) fn as_flags(text: &str, phrases: &[Phrases]) -> String {
    let mut text = by_path(text);
    for (argument, flag) in phrases.iter().copied().flatten().chain(TEXT) {
        text = text.replace(argument, flag);
    }
    text
}

/// `encodingByPath` with its one entry.
fn by_path(text: &str) -> String {
    let (start, end) = ("encodingByPath: {", ": \"windows-1252\"}");
    let parts = text.split_once(start).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
    match parts {
        Some((before, (path, after))) => format!("{before}--encoding-for {path}=windows-1252{after}"),
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
                "send this call again with encodingByPath: {\"a b\": \"windows-1252\"}, beside",
                APPLY,
                "send this call again with --encoding-for \"a b\"=windows-1252, beside",
            ),
            (
                "Call read_file on a with encoding: \"windows-1252\"",
                APPLY,
                "Run `patchwright read` on a with --encoding windows-1252",
            ),
        ] {
            assert_eq!(as_flags(text, &[phrases]), want);
        }
    }
}

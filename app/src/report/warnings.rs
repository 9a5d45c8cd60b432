//! Words for warnings: things worth knowing about a call that went through.

use super::terminal::{as_json, one_line};
use patchwright_core::reading::Reading;
use patchwright_core::warning::Warning;

/// So many stretches of lines are named.
const NAMED: usize = 5;

/// One warning as a sentence.
pub fn warning(warning: &Warning) -> String {
    match warning {
        Warning::LossyText { path } => format!(
            "{path} is not valid in its encoding; what cannot be shown is shown as \u{fffd}. Do not copy \u{fffd} into an edit. If the file has another charset, name it, such as `encoding: \"windows-1252\"`."
        ),
        Warning::HardLinks { path, others } => format!("{path} had {others} further hard link(s); those names keep the old bytes."),
        Warning::DroppedSetId { path } => format!("The set-user-id and set-group-id bits of {path} were dropped, as with every change of a file."),
        Warning::EmptyLastLine { path } => format!("{path} still ends in a newline, although finalNewline is false: its last line is empty, and would be no line without it. To have the file end without one, remove that line too."),
        Warning::BitsLeftOut { path } => format!("The proposal also changes the mode of {path}. That goes only with all of its changes to this file, so it was left out; to have it, set executable in a call of its own."),
        Warning::NobodyReads { path } => format!("{path} was not made executable: nobody may read it, and only those who may read a file can be allowed to run it. The user may change its mode first."),
        Warning::MetaNotKept { path, what } => format!("This could not be carried over to the new {path}: {what}."),
        Warning::HiddenCharacters { path, characters } => {
            format!("The new text of {path} brings characters that show nothing or reorder text: {}. Check that they are meant.", characters.join(", "))
        }
        Warning::CheckedOnly => {
            "This file system cannot exchange names: other programs' saves were checked for just before the change, not excluded.".to_owned()
        }
        Warning::Unchecked => "The call was made without proof of sight, by request; that is on record.".to_owned(),
        Warning::WrittenAfterSwap { path, kept } => {
            format!("Another program wrote into the replaced {path} through a handle it still held; what it wrote is kept as {kept}.")
        }
        Warning::OtherRecords { .. }
        | Warning::RecordPutBack
        | Warning::RecordTailLost
        | Warning::UnfinishedCall { .. }
        | Warning::UnfinishedLeft { .. }
        | Warning::ShortLivedHome { .. }
        | Warning::RecordMadeAgain => about_the_record(warning),
        Warning::DiffCut { path } => format!("The diff of {path} was cut at 64 KiB; the change itself is whole."),
        Warning::UnaddressableNames { count } => format!("{count} name(s) that are not valid UTF-8 were left out: no tool can address them."),
        Warning::Unsearched { path, count } => unsearched(path, *count),
        Warning::Unreadable { path, count: 1 } => format!("{path} could not be read and was left out."),
        Warning::Unreadable { path, count } => format!("{count} entries could not be read and were left out, the first of them {path}."),
        Warning::SettleLater { reason } => format!("The change is made and safe; cleaning up after it was put off: {reason}."),
        Warning::MarkInContent { path } => format!("The content given for {path} begins with a byte-order mark of its own."),
        Warning::ChangedSinceSeen { path } => format!(
            "{path} was changed by somebody else since it was last seen here; each anchor of this call still names a line that says what it said, but read the file again before you go on."
        ),
        Warning::DeprecatedArgument { .. } | Warning::CallRead { .. } => about_the_call(warning),
        Warning::RecoveryLeftAlone { path } => {
            format!(
                "After an interrupted change {path} was not as that change had left it: another program has changed or \
                 moved it. It was left alone, and both versions are kept."
            )
        }
        Warning::RollbackLeftAlone { path, kept } => left_there(path, kept.as_deref()),
        Warning::IgnoredIds { at } => ignored(at),
        Warning::SettingsBeyond { settings } => beyond(settings),
        Warning::TrashKept { count } => format!(
            "{count} further entries are old enough to go and stay in the trash, because the paths they come from may not be changed."
        ),
        Warning::PatchReading { reading, line, count } => read_kindly(reading, *line, *count),
        Warning::AlreadySo { path } => format!("{path} already is as the patch wants it; it was not touched."),
        Warning::Replaced { path } => format!("{path} was there already; what it held went to the trash."),
        Warning::BesideOthers { .. } => beside(warning),
        other => about_new_files(other),
    }
}

/// An edit beside what others changed: who did, which lines, and how to see them.
fn beside(warning: &Warning) -> String {
    let Warning::BesideOthers { path, batches, foreign, lines, stretches } = warning else { return String::new() };
    let who = match (batches.as_slice(), foreign) {
        ([], _) => "another program".to_owned(),
        (batches, false) => batches.join(", "),
        (batches, true) => format!("{} and another program", batches.join(", ")),
    };
    let range = |(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let named: Vec<String> = lines.iter().take(NAMED).map(range).collect();
    let word = if matches!(lines.as_slice(), [(first, last)] if first == last) { "line" } else { "lines" };
    let more = if *stretches > named.len() as u64 { " and others" } else { "" };
    let path = one_line(path);
    let first = lines.first().map(|(first, _)| format!(",\"startLine\":{first}")).unwrap_or_default();
    let last = lines.last().filter(|_| *stretches <= lines.len() as u64);
    let last = last.map(|(_, last)| format!(",\"endLine\":{last}")).unwrap_or_default();
    format!(
        "{path} has changed since you saw it, by {who}: {word} {}{more}. This edit keeps clear of that, and you have not seen it: read_file {{\"path\":{}{first}{last}}} shows it.",
        named.join(", "),
        as_json(&path),
    )
}

fn ignored(at: &[String]) -> String {
    let at = at.iter().take(20).cloned().collect::<Vec<_>>().join(", ");
    format!("Ids are given by the answer, and were ignored in the call: {at}.")
}

fn unsearched(path: &str, count: u64) -> String {
    let files = match count.saturating_sub(1) {
        0 => format!("{path} was"),
        more => format!("{path} and {more} more files were"),
    };
    format!(
        "{files} not searched to the end: the expression takes too many steps on long lines. Use a simpler expression or mode text, or search fewer files with includeGlobs."
    )
}

/// What is worth knowing about files and links that are new.
fn about_new_files(warning: &Warning) -> String {
    match warning {
        Warning::LineEndsChosen { path, by } => {
            format!("{path} was written with \\r\\n line ends, as {by} says for it.")
        }
        Warning::LineEndsKept { path } => {
            format!(
                "The content given for {path} has \\r\\n already: its line ends stay as given, and newline does not apply."
            )
        }
        Warning::LinkLeadsNowhere { path, target } => {
            format!("{path} leads to nothing yet: {target} is not there.")
        }
        other => format!("{other:?}"),
    }
}

/// What is worth knowing about how a call was written.
fn about_the_call(warning: &Warning) -> String {
    match warning {
        Warning::DeprecatedArgument { used, instead } => {
            format!("The argument {used} is deprecated and will be rejected one day; use {instead}.")
        }
        Warning::CallRead { readings } => {
            let told: Vec<String> = readings.iter().map(reading).collect();
            format!("The call was read so: {}.", told.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn reading(reading: &Reading) -> String {
    match reading {
        Reading::Name { given, name } | Reading::Deprecated { given, name } => format!("{given} as {name}"),
        Reading::LineCount { given } => format!("{given} as a number of lines"),
        Reading::Flat(list) => format!("the fields beside path as one of {list}"),
        Reading::Null(name) => format!("null for {name} as left out"),
        Reading::JsonText(name) => format!("the text for {name} as a JSON array"),
        Reading::OneString(name) => format!("the string for {name} as an array of one"),
        Reading::Spelt(name) => format!("the text for {name} as a value"),
    }
}

/// A save that came while a call was being taken back.
fn left_there(path: &str, kept: Option<&str>) -> String {
    let kept = kept.map_or_else(String::new, |blob| {
        format!(" What the file held before that save is kept in the state directory as blobs/{blob}.")
    });
    format!(
        "While this call was being taken back, another program saved {path}. Its save was left there and may \
         include text of this call: read the file before you go on.{kept}"
    )
}

/// What is worth knowing about the record of changes itself.
fn about_the_record(warning: &Warning) -> String {
    match warning {
        Warning::OtherRecords { count } => format!(
            "{count} other record(s) of changes stand in this workspace; they are not known to be this user's and were not opened. Changes from now on go to a new record. Tell the user: `patchwright adopt` shows the others and can take their history over."
        ),
        Warning::RecordPutBack => "The record of changes is not what it was when it was last used: an older copy stands in its place, part of it is gone, or nothing says how far it went. History may be incomplete, and nothing was recovered from it. Tell the user: `patchwright audit verify` tells more, `patchwright adopt` accepts it.".to_owned(),
        Warning::RecordTailLost => "The machine stopped before the newest entries of the record of changes were durable; they are lost. The files are as they are on disk.".to_owned(),
        Warning::UnfinishedCall { batch } => format!(
            "An unfinished call (batch {batch}) was left as it is: its writer was interrupted, and its files may be half changed. The next change, or `patchwright doctor`, without --read-only takes it back."
        ),
        Warning::UnfinishedLeft { batch } => format!(
            "The record of changes ends in an unfinished call (batch {batch}); because the record is not what it was, nothing was done about it, and its files may be half changed. Tell the user: `patchwright adopt --take-back` takes it back."
        ),
        Warning::ShortLivedHome { home, owner } => {
            let why = match (home, owner) {
                (Some(home), Some(owner)) => format!(": {home} belongs to the user with the number {owner} and was not touched"),
                (Some(home), None) => format!(": {home} cannot be made or written, or others may write there"),
                (None, _) => String::new(),
            };
            format!("There is no lasting home for the key of this record{why}. History and undo end with this login or the next start of the machine. Tell the user: set PATCHWRIGHT_HOME to a folder of their own that lasts.")
        }
        Warning::RecordMadeAgain => "The folder with the record of changes was gone; a new one was begun. Earlier history and what was in the trash are lost; the files are not affected.".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What a workspace's settings ask for in vain.
pub(crate) fn beyond(settings: &[impl AsRef<str>]) -> String {
    let names = settings.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ");
    format!(
        "patchwright.toml in the workspace asks for more than its user allows, and that part of it does not apply: {names}. \
         Only the user can allow it, in their own settings file (~/.config/patchwright/config.toml) or, for what is \
         protected, with --unprotect."
    )
}

/// Warnings for a reader of plain text, a line each.
pub(crate) fn warned(warnings: &[Warning]) -> String {
    warnings.iter().map(|told| format!("Warning: {}\n", warning(told))).collect()
}

/// What was read in a patch although its grammar has it otherwise.
fn read_kindly(reading: &str, line: u64, count: u64) -> String {
    let (what, better) = match reading {
        "move_to" => ("`*** Move to:` was read as a move", "`*** Move File: OLD -> NEW` says the same"),
        "end_of_file" => {
            ("`*** End of File` was read: the hunk's lines had to end the file", "context lines alone do as well")
        }
        "no_at" => ("a hunk without `@@` was read", "put `@@` above each hunk"),
        "several_at" => ("several `@@` lines above one hunk were read", "one is enough"),
        "empty_context" => ("an empty line in a hunk was read as an empty context line", "write it as a single space"),
        "skipped_blank" => ("an empty line between parts was skipped", "leave it out"),
        "blank_around_marker" => {
            ("a blank line beside `*** Begin Patch` or `*** End Patch` was skipped", "leave it out")
        }
        "crlf" => {
            ("line ends of the patch are \\r\\n and were read as \\n", "files keep their own line ends either way")
        }
        "padded_marker" => ("blanks around a marker or path were ignored", "leave them out"),
        "unified_diff" => (
            "a unified diff was read",
            "its lines must stand in the file once, word for word; its line numbers decide nothing",
        ),
        "heredoc" => ("a heredoc around the patch was ignored", "leave it out"),
        other => (other, "keep to the grammar"),
    };
    let more = if count > 1 { format!(" ({count} times)") } else { String::new() };
    format!("Line {line} of the patch: {what}{more}; {better}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_names_its_fact() {
        let path = || "a.txt".to_owned();
        for (told, part) in [
            (Warning::LossyText { path: path() }, "a.txt is not valid"),
            (Warning::HardLinks { path: path(), others: 2 }, "a.txt had 2 further"),
            (Warning::DroppedSetId { path: path() }, "a.txt were dropped, as with every change"),
            (Warning::EmptyLastLine { path: path() }, "a.txt still ends in a newline, although finalNewline is false"),
            (Warning::NobodyReads { path: path() }, "a.txt was not made executable: nobody may read it"),
            (Warning::LinkLeadsNowhere { path: path(), target: "../b".into() }, "a.txt leads to nothing yet: ../b"),
            (Warning::MetaNotKept { path: path(), what: "owner".into() }, "new a.txt: owner"),
            (Warning::HiddenCharacters { path: path(), characters: vec!["U+202E".into()] }, "U+202E"),
            (Warning::CheckedOnly, "cannot exchange"),
            (Warning::Unchecked, "without proof"),
            (Warning::WrittenAfterSwap { path: path(), kept: "blob1".into() }, "kept as blob1"),
            (Warning::DiffCut { path: path() }, "64 KiB"),
            (Warning::UnaddressableNames { count: 3 }, "3 name(s)"),
            (Warning::Unreadable { path: path(), count: 1 }, "a.txt could not be read"),
            (Warning::Unsearched { path: path(), count: 1 }, "a.txt was not searched to the end"),
            (Warning::Unsearched { path: path(), count: 3 }, "a.txt and 2 more files were not searched"),
            (Warning::Unreadable { path: path(), count: 4 }, "4 entries"),
            (Warning::SettleLater { reason: "EIO".into() }, "put off: EIO"),
            (Warning::MarkInContent { path: path() }, "byte-order mark"),
            (Warning::RecoveryLeftAlone { path: path() }, "both versions are kept"),
            (
                Warning::RollbackLeftAlone { path: path(), kept: Some("ab12".into()) },
                "kept in the state directory as blobs/ab12",
            ),
            (Warning::RollbackLeftAlone { path: path(), kept: None }, "another program saved a.txt"),
            (
                Warning::PatchReading { reading: "no_at".into(), line: 3, count: 1 },
                "Line 3 of the patch: a hunk without",
            ),
            (Warning::PatchReading { reading: "empty_context".into(), line: 3, count: 4 }, "(4 times)"),
            (
                Warning::SettingsBeyond { settings: vec!["protect.git".into(), "limits.x".into()] },
                "protect.git, limits.x",
            ),
            (Warning::TrashKept { count: 3 }, "3 further entries"),
            (Warning::AlreadySo { path: path() }, "a.txt already is"),
            (Warning::Replaced { path: path() }, "a.txt was there already"),
            (Warning::IgnoredIds { at: vec!["files[0].filePatchId".into()] }, "files[0].filePatchId"),
            (Warning::ChangedSinceSeen { path: path() }, "a.txt was changed by somebody else"),
            (Warning::LineEndsChosen { path: path(), by: ".gitattributes".into() }, "as .gitattributes says"),
            (Warning::LineEndsKept { path: path() }, "stay as given"),
            (Warning::BitsLeftOut { path: path() }, "changes the mode of a.txt"),
            (
                Warning::DeprecatedArgument { used: "file_path".into(), instead: "path".into() },
                "file_path is deprecated and will be rejected one day; use path",
            ),
        ] {
            let words = warning(&told);
            assert!(words.contains(part) && words.ends_with('.'), "{words}");
        }
    }

    #[test]
    fn others_changes_are_named_and_can_be_read() {
        let told = |batches: &[&str], foreign, lines: &[(u64, u64)], stretches| {
            let (batches, lines) = (batches.iter().map(|one| (*one).to_owned()).collect(), lines.to_vec());
            warning(&Warning::BesideOthers { path: "a.txt".into(), batches, foreign, lines, stretches })
        };
        let end = "This edit keeps clear of that, and you have not seen it: read_file";
        assert_eq!(
            told(&["b3", "b4"], true, &[(2, 2), (7, 9)], 2),
            format!(
                "a.txt has changed since you saw it, by b3, b4 and another program: lines 2, 7-9. {end} {{\"path\":\"a.txt\",\"startLine\":2,\"endLine\":9}} shows it."
            )
        );
        assert_eq!(
            told(&[], true, &[(2, 2)], 1),
            format!(
                "a.txt has changed since you saw it, by another program: line 2. {end} {{\"path\":\"a.txt\",\"startLine\":2,\"endLine\":2}} shows it."
            )
        );
        assert_eq!(
            told(&["b3"], false, &[(2, 2)], 99),
            format!(
                "a.txt has changed since you saw it, by b3: line 2 and others. {end} {{\"path\":\"a.txt\",\"startLine\":2}} shows it."
            )
        );
    }

    #[test]
    fn how_a_call_was_read_is_one_line() {
        let name = Reading::Name { given: "old_string", name: "oldText" };
        let count = Reading::LineCount { given: "limit" };
        let readings = vec![name, count, Reading::Flat("edits"), Reading::Null("mode".into())];
        let want = "The call was read so: old_string as oldText, limit as a number of lines, the fields beside path as one of edits, null for mode as left out.";
        assert_eq!(warning(&Warning::CallRead { readings }), want);
    }
}

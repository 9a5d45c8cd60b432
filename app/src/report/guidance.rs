//! How a model works well with the tools it is shown: the server's instructions and the printed prompt. Nothing here
//! sends it to a tool that it is not shown. What anchors and line patches need is written beside the tools themselves,
//! in `core::tool::guidance`.

use patchwright_core::tool::{Effect, Tool, guidance};

/// What holds for every tool.
const ALWAYS: &str = "\
Paths are relative to the workspace, with forward slashes. \
A refused call has changed nothing, and its text ends with the next step to take.";

/// What holds where something can be changed.
const CHANGES: &str = "\
Patchwright changes files exactly or not at all. \
Read a file before you change it: its sha256, or the fact that this session has read it, proves that you know its present content. \
A change answers with the file's new sha256; use it as expectedSha256 of the next change to that file.";

/// What holds for the trash.
const TRASH: &str = "\
Deleted files, and files that a move replaced, go to the trash: list_trash shows them, restore_file brings them back.";

/// What holds where there is more than one way to change text.
const CHOOSE: &str = "\
There is more than one way to change text here: exact texts, patches, lines by their anchors, lines by their numbers. They give the same result; \
use the one that you write most surely, and keep to it within one file.";

/// What exact texts need.
const STRINGS: &str = "\
Exact texts: edit_file puts newText in the place of oldText. Copy oldText from what read_file shows, character by character, \
with its indentation. It must stand in the file exactly once, or as often as expectedOccurrences says; where it stands \
more often, take a neighbouring line into it. All edits of a call are matched against the file as it is and must not \
overlap: put all edits of one file into one call. write_file gives a file a whole new content.";

/// What patches need.
const ENVELOPE: &str = "\
Patches: apply_patch takes one text, from `*** Begin Patch` to `*** End Patch`, with one section for each file: \
`*** Add File: PATH`, `*** Update File: PATH`, `*** Delete File: PATH` or `*** Move File: OLD -> NEW`. Below `@@` every line \
begins with its sign: a space for a line that stays, `-` for one that goes, `+` for one that comes. Copy the lines \
that stay or go exactly, and show so many of them that the hunk fits in one place only; text after `@@` does not \
narrow it. All sections are applied, or none.";

/// What holds for what was done.
const HISTORY: &str = "\
History: every call that changes something is one batch on record, and its answer gives the batchId. \
undo takes a batch back, or some of its changes, one file's part, all that a session did, or everything since a batch; later changes stay where they do not touch it, and an undo can be undone. \
list_batches shows what was done and by whom.";

/// What holds for what is proposed.
const REVIEW: &str = "\
get_patch_change shows one batch change by change. \
To have a change looked at first, make the call with mode: \"propose\": no file changes until apply_batch carries it out, and reject_batch drops it.";

/// What holds for the origin of lines.
const WHY: &str = "explain_lines tells who wrote which lines of a file.";

/// What a model should be told that is shown these tools.
pub fn for_tools(tools: &[&Tool]) -> String {
    let shown = |name: &str| tools.iter().any(|tool| tool.name == name);
    let part = |needed: &[&str], words| needed.iter().all(|name| shown(name)).then_some(words);
    let dialects: Vec<&str> = [
        part(&["edit_file", "write_file"], STRINGS),
        part(&["apply_patch"], ENVELOPE),
        part(&["edit"], guidance::ANCHORS),
        part(&["workspace_write_patch"], guidance::LINES),
    ]
    .into_iter()
    .flatten()
    .collect();
    let changes = tools.iter().any(|tool| tool.effect != Effect::Looks).then_some(CHANGES);
    let choose = (dialects.len() > 1).then_some(CHOOSE);
    let rest = [
        part(&["list_trash", "restore_file"], TRASH),
        part(&["list_batches", "undo"], HISTORY),
        part(&["get_patch_change", "apply_batch", "reject_batch"], REVIEW),
        part(&["explain_lines"], WHY),
    ];
    let parts = changes.into_iter().chain([ALWAYS]).chain(choose).chain(dialects).chain(rest.into_iter().flatten());
    parts.collect::<Vec<_>>().join("\n\n")
}

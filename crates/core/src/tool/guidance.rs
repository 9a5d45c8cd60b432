//! How a model uses anchors and line patches well. The descriptions of `edit` and `workspace_write_patch`, the
//! server's instructions and the printed prompt all take these texts from here.

/// What an anchor is.
macro_rules! identity {
    () => {
        "\
Anchors: read_file(hashes: true) shows each line as `12#a1b2c3 [high]|text`. The line number is advisory only, a position \
in the snapshot that you read; the hash is the authoritative identity for edit operations. Copy the hash exactly as printed, \
in any of its forms: `a1b2c3`, `a1b2c3d4`, `~a1b2c3d4` or `a1b2c3@2/5`, with or without `12#` before it."
    };
}

/// When to edit.
macro_rules! freshness {
    () => {
        "\
Fresh anchors: after you have read a file with read_file(hashes: true), apply your edits to that file in the same response \
turn or in the immediate next turn. Do not read file A, then read file B and edit file A later: by then the anchors of A \
can be stale, which ends in cross-version conflicts. Process one file completely (read → edit) before you read the anchors \
of another file."
    };
}

/// Which lines to choose.
macro_rules! selection {
    () => {
        "\
Choosing anchors: prefer lines with unique, distinctive content; they are marked [high], and `recommendedAnchors` lists some. \
Avoid empty lines, closing braces (`}`) and boilerplate that repeats often (such as `position: fixed;` or `display: flex;` \
in CSS, `</div>` in HTML). In files with repetitive content use replace_range with two unique boundary anchors instead \
of replace_line: both ends of a range must be unique, and an ambiguous one is refused. Where the anchor of a replace_line \
matches several lines, give `occurrence` (counted from 1) and `line` (the advisory line number) together: `occurrence` alone \
picks the line, `line` is checked against it and never picks."
    };
}

/// How to show that the right line was named.
macro_rules! quoting {
    () => {
        "\
Say what goes: with every replace and delete give `was`, the present text of the first line that it touches, copied as it was \
printed, without the anchor (of a range: its first line, or all of its lines joined by \\n). An anchor shows that a line is there, \
not that you copied the anchor of the line you meant; where `was` is another text, nothing is changed and both lines are shown. \
Where a replaced line changes its indentation and `was` is absent, the call is refused. On an insert `was` is the anchor's line."
    };
}

/// Which operation to choose.
macro_rules! matrix {
    () => {
        "\
| Situation | Operation |
| --- | --- |
| Change a single line with unique content | replace_line |
| Change a contiguous block of lines | replace_range |
| Insert new content between two existing lines | insert_after / insert_before |
| Remove a single unique line | delete_line |
| Remove a contiguous block of lines | delete_range |
| The target line is repetitive (an empty line, `}`, boilerplate) | replace_range around it, between unique neighbor anchors |"
    };
}

/// In which order to change several files.
macro_rules! order {
    () => {
        "\
Several files: complete all operations on one file before you go on to the next. Put the operations on one file into \
a single edit call where you can: all operations of a call are atomic and see the same snapshot. Do not interleave reads \
and edits of different files: read A → edit A → read B → edit B, not read A → read B → edit A → edit B."
    };
}

/// Which parameters go with which operation.
macro_rules! parameters {
    () => {
        "\
Parameters:
- `path` names the file. `file_path` is a deprecated alias: it still works, with a warning, and will be rejected one day.
- replace_line, delete_line, insert_after and insert_before take `hash` (one anchor), with `occurrence` and `line` if needed.
- replace_range and delete_range take `start_hash` and `end_hash` (two anchors).
- All take `was`.
- Mixing these (such as `start_hash` on a replace_line) fails validation."
    };
}

/// What a line patch is made from.
macro_rules! line_reading {
    () => {
        "\
Line patches start from a reading: read each file with workspace_read_file (`numbered: true` shows the line numbers) right before \
you patch it, and copy its `sha256` into originalSha256. Take line numbers and expected lines from that whole, current text \
alone, never from search results, snippets or an earlier version; never make up a hash. docPath is the file's path in lower case. \
If the file has changed since, the patch is refused: read it again."
    };
}

/// How changes are written down.
macro_rules! line_changes {
    () => {
        "\
Changes are whole lines: `insert` puts newLines below afterLine (0 is the top), `replace` and `delete` take startLine to endLine, both \
included, with every one of those lines quoted in expectedOriginalLines, exactly, white space too. To change part of a line, replace the \
whole line. All numbers are those of the file as you read it; changes of the same call do not shift them. Keep changes minimal: \
leave out lines that stay. List them from top to bottom; they must not overlap. With an insert, quote its neighbours in expectedLineBefore \
and expectedLineAfter (null at the edge of the file): the hash proves the file, not that you counted right. A replace or delete needs one \
of them where the lines it quotes stand elsewhere in the file too, one that tells them apart: a number alone never picks. Give each change a `description` that says why."
    };
}

/// How several files go together.
macro_rules! line_files {
    () => {
        "\
Send one call with all files of a task, each file once: they are applied together or not at all. The answer has an id for the batch, \
for each file and for each change, beside your own keys, and each file's newSha256, which is the originalSha256 of your next patch."
    };
}

pub(super) use {
    freshness, identity, line_changes, line_files, line_reading, matrix, order, parameters, quoting, selection,
};

/// Everything a model should know to use line patches well.
pub const LINES: &str = concat!(line_reading!(), "\n\n", line_changes!(), "\n\n", line_files!());

/// Everything a model should know to use anchors well.
pub const ANCHORS: &str = concat!(
    identity!(),
    "\n\n",
    freshness!(),
    "\n\n",
    selection!(),
    "\n\n",
    quoting!(),
    "\n\nWhich operation:\n",
    matrix!(),
    "\n\n",
    order!(),
    "\n\n",
    parameters!()
);

//! What a model is shown of each tool when it asks which there are: as little as it needs to call it well, because
//! every word is paid for before the first call. The arguments that are not here are taken all the same; the tool's
//! own file has them all, with the words at length.

use super::Tool;

/// What is shown of one tool.
#[derive(Debug)]
pub struct Brief {
    /// The tool's name.
    pub tool: &'static str,
    /// What it does and how to call it.
    pub description: &'static str,
    /// The arguments shown, in this order; of a list of objects also the fields, as `edits.oldText`.
    pub arguments: &'static [Argument],
}

/// One argument as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What its name does not say.
    pub words: &'static str,
    /// Where it is shown.
    pub when: When,
}

/// Where an argument is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Everywhere.
    Always,
    /// Where lines are edited by their anchors.
    Anchors,
    /// Where only a hash proves that a file was seen.
    HashOnly,
}

const fn argument(name: &'static str, words: &'static str) -> Argument {
    Argument { name, words, when: When::Always }
}

const fn plain(name: &'static str) -> Argument {
    argument(name, "")
}

const fn anchors(name: &'static str, words: &'static str) -> Argument {
    Argument { name, words, when: When::Anchors }
}

const fn hash(name: &'static str, words: &'static str) -> Argument {
    Argument { name, words, when: When::HashOnly }
}

/// What is shown of a tool.
pub fn of(tool: &Tool) -> Option<&'static Brief> {
    BRIEFS.iter().find(|brief| brief.tool == tool.name)
}

/// What `apply_patch` does and how to call it; conventions differ in what is said in the middle.
macro_rules! apply_patch {
    ($differs:literal) => {
        concat!(
            "Add, update, delete and move files with one patch; all sections are applied, or none.\n\
*** Begin Patch\n*** Add File: src/new.py\n+x = 1\n*** Update File: src/app.py\n@@\n def run():\n-    return 1\n+    return 2\n*** Delete File: old.py\n*** Move File: a.py -> b.py\n*** End Patch\n\
Below `@@` every line begins with its sign: a space for a line that stays, `-` for one that goes, `+` for one that comes. Copy the lines that stay or go exactly, and show so many that the hunk fits in one place only (about 3 on each side); ",
            $differs,
            "A Move may have hunks below it. A unified diff is read too. `*** End of File` under a hunk: it ends the file. `\\ No newline at end of file` as in diffs. createParentDirectories: true makes missing folders."
        )
    };
}

/// The description of `apply_patch` where the operator chose the conventions of Codex.
pub const APPLY_PATCH_CODEX: &str = apply_patch!(
    "text after `@@` names a line, and the hunk lies in the block that begins there. Sections for one file are read one after the other; Add and Move may replace a file, which goes to the trash. "
);

/// The hash that the first line of a read gives.
const SEEN: &str = "From the first line of your last read_file of it.";

/// Every tool's, in the order of the table.
pub const BRIEFS: &[Brief] = &[
    Brief {
        tool: "read_file",
        description: "Read a text file, or its lines startLine to endLine (from 1, inclusive). The first line of the answer says which lines came; a long file is cut there, and it says how to go on.",
        arguments: &[
            plain("path"),
            plain("startLine"),
            plain("endLine"),
            anchors("hashes", "Show each line as `12#a1b2c3 [high]|text`, for edit."),
        ],
    },
    Brief {
        tool: "list_directory",
        description: "List a folder, sorted.",
        arguments: &[plain("path"), plain("recursive"), plain("includeHidden"), plain("cursor")],
    },
    Brief {
        tool: "search_files",
        description: "Find lines by text or regex (no look-around), or files by a glob over paths. Files that .gitignore names are left out.",
        arguments: &[
            plain("query"),
            plain("mode"),
            argument("root", "Folder to search."),
            argument("includeGlobs", "Such as `**/*.ts`."),
            plain("contextLines"),
            plain("caseSensitive"),
            plain("maxResults"),
            anchors("hashes", "Give each hit an anchor for edit."),
        ],
    },
    Brief {
        tool: "glob",
        description: "Find files and folders by path: `**/*.rs` at any depth, `*.rs` at the top of root.",
        arguments: &[plain("pattern"), plain("root")],
    },
    Brief {
        tool: "create_file",
        description: "Create a file; refused if something stands there. createParentDirectories: true makes missing folders.\nExample: {\"path\":\"src/a.py\",\"content\":\"x = 1\\n\"}",
        arguments: &[plain("path"), plain("content")],
    },
    Brief {
        tool: "write_file",
        description: "Replace the whole text of an existing file, all of which you have read. For a few lines use a smaller edit. Write \\n; the file keeps its own line ends and encoding.\nExample: {\"path\":\"VERSION\",\"content\":\"1.2.0\\n\"}",
        arguments: &[plain("path"), plain("content"), hash("expectedSha256", SEEN)],
    },
    Brief {
        tool: "edit_file",
        description: "Replace exact text in a file. Each oldText, copied from read_file with its indentation, must stand in the file exactly once: take in a neighbouring line if it does not, or set replaceAll. All edits refer to the file as it is now, must not overlap, and are made together or not at all; put all edits of one file into one call.\nExample: {\"path\":\"src/a.py\",\"edits\":[{\"oldText\":\"x = 1\",\"newText\":\"x = 2\"}]}",
        arguments: &[
            plain("path"),
            plain("edits"),
            plain("edits.oldText"),
            argument("edits.newText", "Empty to delete."),
            plain("edits.replaceAll"),
            hash("expectedSha256", SEEN),
        ],
    },
    Brief {
        tool: "apply_patch",
        description: apply_patch!("text after `@@` does not narrow it. One section for each file. "),
        arguments: &[
            plain("patch"),
            hash(
                "expectedSha256ByPath",
                "For each file that the patch changes, its hash from the first line of your last read_file.",
            ),
        ],
    },
    Brief {
        tool: "edit",
        description: "Change lines of a file, named by the hashes that read_file or search_files printed with hashes: true. In `12#a1b2c3 [high]|text` the hash is the line's identity; the number 12 is advice only. Copy the hash as printed (`a1b2c3`, `a1b2c3d4`, `~a1b2c3d4`, `a1b2c3@2/5`, with or without `12#`).\n\
- Edit right after reading, one file completely before the next (read A, edit A, read B, edit B): older anchors go stale.\n\
- All operations of a call see the same snapshot and are made together or not at all: put all of one file into one call. The answer has the new anchors.\n\
- Prefer distinctive lines, marked [high]; avoid empty lines, `}` and boilerplate such as `</div>`.\n\
- hash: replace_line, insert_after, insert_before, delete_line. start_hash and end_hash: replace_range, delete_range; both ends must be unique. Do not mix them.\n\
- Change a unique line: replace_line. A block, or a line that repeats: replace_range between unique neighbours. If a hash names several lines, `occurrence` (from 1) picks; `line` is only checked.\n\
- was, with every replace and delete: the present text of the first line it touches; another text is refused.\n\
- content: plain lines joined by \\n, with indentation, without anchors.\n\
- A result with brackets or syntax newly broken is refused.\n\
Example: {\"path\":\"src/a.py\",\"operations\":[{\"op\":\"replace_line\",\"hash\":\"a1b2c3\",\"was\":\"x = 1\",\"content\":\"x = 2\"}]}",
        arguments: &[
            plain("path"),
            plain("operations"),
            plain("operations.op"),
            plain("operations.hash"),
            plain("operations.start_hash"),
            plain("operations.end_hash"),
            plain("operations.was"),
            plain("operations.content"),
            plain("operations.occurrence"),
            plain("operations.line"),
            hash("expectedSha256", SEEN),
        ],
    },
    Brief {
        tool: "workspace_read_file",
        description: "Read a file by its docPath (its path in lower case), with the sha256 that workspace_write_patch needs. numbered: true puts `   12|` before each line; that is no part of the line.",
        arguments: &[plain("docPath"), plain("numbered"), plain("startLine"), plain("endLine")],
    },
    Brief {
        tool: "workspace_write_patch",
        description: "Change whole lines, by number, in files that you have just read with workspace_read_file; all files together or not at all, each file once. \
Numbers are those of the file as read; changes of one call do not shift them. From top to bottom, not overlapping, no more lines than change.\n\
- insert: newLines below afterLine (0: at the top). Quote its neighbours in expectedLineBefore and expectedLineAfter (null at the edge of the file).\n\
- replace, delete: startLine to endLine, each of these lines quoted exactly in expectedOriginalLines; quote a neighbour too where the same lines stand elsewhere (a number alone does not pick).\n\
- originalSha256: copied from the reading, all 64 digits.\n\
The answer's newSha256 is the originalSha256 of your next patch.\n\
Example: {\"files\":[{\"docPath\":\"src/a.py\",\"originalSha256\":\"…\",\"changes\":[{\"operation\":\"replace\",\"startLine\":2,\"endLine\":2,\"expectedOriginalLines\":[\"x = 1\"],\"newLines\":[\"x = 2\"],\"description\":\"why\"}]}]}",
        arguments: &[
            plain("files"),
            plain("files.docPath"),
            plain("files.originalSha256"),
            plain("files.changes"),
            plain("files.changes.operation"),
            plain("files.changes.afterLine"),
            plain("files.changes.startLine"),
            plain("files.changes.endLine"),
            plain("files.changes.expectedOriginalLines"),
            plain("files.changes.newLines"),
            plain("files.changes.expectedLineBefore"),
            plain("files.changes.expectedLineAfter"),
            plain("files.changes.description"),
            plain("batchLabel"),
        ],
    },
    Brief {
        tool: "delete_file",
        description: "Delete a file that you have seen (undo brings it back). A folder only with recursive: true.\nExample: {\"path\":\"src/a.py\"}",
        arguments: &[plain("path"), hash("expectedSha256", SEEN)],
    },
    Brief {
        tool: "restore_file",
        description: "Bring a file back: from the trash by trashId, to where it was or to targetPath; or by path and version, as that batch left it (side \"before\": as it found it).\nExample: {\"path\":\"src/a.py\",\"version\":\"b17\",\"side\":\"before\"}",
        arguments: &[plain("trashId"), plain("targetPath"), plain("path"), plain("version"), plain("side")],
    },
    Brief {
        tool: "move_file",
        description: "Move or rename a file that you have seen. Refused if something stands at toPath.\nExample: {\"fromPath\":\"a.py\",\"toPath\":\"src/a.py\"}",
        arguments: &[plain("fromPath"), plain("toPath"), hash("expectedSha256", SEEN)],
    },
    Brief {
        tool: "list_trash",
        description: "List deleted and replaced files that restore_file can bring back, newest first.",
        arguments: &[],
    },
    Brief {
        tool: "purge_trash",
        description: "Remove trash entries for good; only when you were asked to free space. olderThan: an age such as 30d (0s: everything), or an RFC 3339 time. dryRun: true shows first what would go.",
        arguments: &[plain("olderThan"), plain("dryRun")],
    },
    Brief {
        tool: "list_batches",
        description: "List what was changed here, newest first, by whom. Every changing call is a batch such as b17.",
        arguments: &[
            argument("path", "Only batches that touch this file."),
            argument("since", "A batch, a time, or an age such as 2h."),
            plain("status"),
            plain("cursor"),
        ],
    },
    Brief {
        tool: "get_patch_change",
        description: "Show what a batch did or proposes, change by change, with the diff; or one change alone. Changes are named b17.1, b17.2 and so on.",
        arguments: &[plain("batchId"), plain("changeId"), plain("cursor")],
    },
    Brief {
        tool: "explain_lines",
        description: "Who wrote these lines of a file, when, and why: the batch, change and description that brought each.",
        arguments: &[plain("path"), plain("startLine"), plain("endLine")],
    },
    Brief {
        tool: "undo",
        description: "Take changes back; give one of: batchId (or changeIds, some of its changes), path (that file's part of the newest batch that changed it), sinceBatchId (all after that batch). Later changes stay where they do not touch it; where they do, it is refused and shows them. An undo is a batch too and can be undone.\nExample: {\"batchId\":\"b17\"}",
        arguments: &[plain("batchId"), argument("changeIds", "Such as b17.3."), plain("path"), plain("sinceBatchId")],
    },
    Brief {
        tool: "apply_batch",
        description: "Carry out a proposal, or only the changes named (the rest is dropped). If files have changed since it is refused and shows them; rebase: true carries it over where nothing touches it.\nExample: {\"batchId\":\"b17\"}",
        arguments: &[plain("batchId"), plain("changeIds"), plain("rebase")],
    },
    Brief {
        tool: "reject_batch",
        description: "Drop a proposal; no file changes.\nExample: {\"batchId\":\"b17\",\"reason\":\"wrong file\"}",
        arguments: &[plain("batchId"), plain("reason")],
    },
];

#[cfg(test)]
mod tests {
    use super::super::{Param, ParamKind, TOOLS};
    use super::*;

    /// The parameters at a place: of the tool itself, or of the objects in a list.
    fn fields(kind: &ParamKind) -> &'static [Param] {
        match kind {
            ParamKind::Record(fields) => fields,
            ParamKind::List(item) | ParamKind::Some(item) => fields(item),
            _ => &[],
        }
    }

    fn find(params: &'static [Param], name: &str) -> Option<&'static Param> {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let param = params.iter().find(|param| param.name == first)?;
        rest.map_or(Some(param), |rest| find(fields(&param.kind), rest))
    }

    /// What must be given, at any depth.
    fn required(params: &'static [Param], below: &str, out: &mut Vec<String>) {
        for param in params.iter().filter(|param| param.need.is_required()) {
            let name = format!("{below}{}", param.name);
            required(fields(&param.kind), &format!("{name}."), out);
            out.push(name);
        }
    }

    #[test]
    fn every_tool_has_one_in_order() {
        let names: Vec<&str> = BRIEFS.iter().map(|brief| brief.tool).collect();
        assert_eq!(names, TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>());
    }

    #[test]
    fn arguments_are_those_of_the_tool() {
        for (tool, brief) in TOOLS.iter().zip(BRIEFS) {
            for argument in brief.arguments {
                assert!(find(tool.parameters, argument.name).is_some(), "{}: {}", tool.name, argument.name);
            }
            let mut needed = Vec::new();
            required(tool.parameters, "", &mut needed);
            for name in needed {
                assert!(brief.arguments.iter().any(|shown| shown.name == name), "{}: {name} is needed", tool.name);
            }
        }
    }

    #[test]
    fn descriptions_are_short() {
        for brief in BRIEFS {
            let most = if brief.tool == "edit" { 1500 } else { 1000 };
            let long = brief.description.chars().count();
            assert!(long <= most, "{}: {long} characters", brief.tool);
        }
    }
}

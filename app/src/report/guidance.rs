//! How a model works well with the tools it is shown: in few words as the server's instructions, because every
//! session pays for them, and at length as the printed prompt. What anchors and line patches need is written beside
//! the tools themselves, in `core::tool::guidance`.

use patchwright_core::conventions::Conventions;
use patchwright_core::tool::{Effect, Tool, guidance};

/// What holds for every tool, in so few words that it stands alone where a client cuts the rest.
const FIRST: &str = "\
Patchwright changes files exactly or not at all: a refused call has changed nothing, and its text ends with the next step. \
Paths are relative to the workspace, with forward slashes.";

/// What proves that a file was seen, in a session.
const BY_READING: &str = "\
Read a file before you change it; what you read or wrote in this session needs no hash. \
If others changed it since, you are told what: read those lines, then send the change again.";

/// What proves it where the operator wants hashes.
const BY_HASH: &str = "\
Read a file before you change it, and pass the sha256 from the first line of that answer as expectedSha256.";

/// The same where patches are the way to change files.
const BY_HASH_AND_PATH: &str = "\
Read a file before you change it, and pass the sha256 from the first line of that answer for its path in expectedSha256ByPath.";

/// What holds for what was done, shortly.
const BATCHES: &str = "\
Every change is a batch such as b17, named in its answer: undo {\"batchId\":\"b17\"} takes it back, a deleted file too.";

/// Where what was deleted can be had again.
const TRASH: &str = "\
Trash: deleted files, and files that a move replaced, are kept: list_trash shows them, restore_file brings them back.";

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

/// What patches need; conventions differ in what the text after `@@` means.
macro_rules! envelope {
    ($differs:literal) => {
        concat!("\
Patches: apply_patch takes one text, from `*** Begin Patch` to `*** End Patch`, with one section for each file: \
`*** Add File: PATH`, `*** Update File: PATH`, `*** Delete File: PATH` or `*** Move File: OLD -> NEW`. Below `@@` every line \
begins with its sign: a space for a line that stays, `-` for one that goes, `+` for one that comes. Copy the lines \
that stay or go exactly, and show so many of them that the hunk fits in one place only; ", $differs, " A unified diff is read too. All sections are applied, or none.")
    };
}

const ENVELOPE: &str = envelope!("text after `@@` does not narrow it.");
const ENVELOPE_CODEX: &str = envelope!(
    "text after `@@` names a line, and the hunk lies in the block that begins there. Sections for one file are read one after the other; Add and Move may replace a file, which goes to the trash."
);

/// What holds for what was done and what is proposed.
const HISTORY: &str = "\
History: every call that changes something is one batch on record, named in its answer (b17; its changes are b17.1, b17.2 and so on). \
undo takes a batch back, or some of its changes, one file's part, all that a session did, or everything since a batch; later changes stay where they do not touch it, and an undo can be undone. \
list_batches shows what was done and by whom.";

/// What is told of proposals where they can be looked at.
const REVIEW: &str = "\
Proposals: to have a change looked at first, make the call with mode: \"propose\": no file changes until apply_batch carries it out, and reject_batch drops it. \
get_patch_change shows a batch change by change.";

/// The ways to change text, each by the tool that stands for it.
const DIALECTS: &[(&str, &str)] = &[
    ("edit_file", STRINGS),
    ("apply_patch", ENVELOPE),
    ("edit", guidance::ANCHORS),
    ("workspace_write_patch", guidance::LINES),
];

/// The tools that a model is shown, and what proves sight there.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The tools.
    pub tools: &'a [&'static Tool],
    /// Does only a hash prove that a file was seen?
    pub hash_only: bool,
    /// Whose conventions a patch follows that does not say.
    pub conventions: Conventions,
}

impl Shown<'_> {
    /// What the server tells once: at most 2,000 characters, of which the first 500 stand alone.
    pub fn instructions(self) -> String {
        self.first().into_iter().chain(self.choose()).collect::<Vec<_>>().join(" ")
    }

    /// Everything that a model should be told, for its system prompt.
    pub fn prompt(self) -> String {
        let mut dialects = self.those(DIALECTS);
        if self.conventions == Conventions::Codex {
            dialects.iter_mut().filter(|words| **words == ENVELOPE).for_each(|words| *words = ENVELOPE_CODEX);
        }
        let rest = self.those(&[("undo", HISTORY), ("apply_batch", REVIEW), ("restore_file", TRASH)]);
        let first = self.first().join(" ");
        let parts: Vec<&str> =
            std::iter::once(first.as_str()).chain(self.choose()).chain(dialects).chain(rest).collect();
        parts.join("\n\n")
    }

    /// What is told where there is more than one way to change text.
    fn choose(self) -> Option<&'static str> {
        (self.those(DIALECTS).len() > 1).then_some(CHOOSE)
    }

    fn first(self) -> Vec<&'static str> {
        let changes = self.tools.iter().any(|tool| tool.effect != Effect::Looks);
        // Line patches bring their own proof, and their description says which.
        let proof = match (changes, self.hash_only) {
            (false, _) => None,
            (true, true) if self.has("apply_patch") && !self.has("write_file") => Some(BY_HASH_AND_PATH),
            (true, true) => Some(BY_HASH),
            (true, false) => ["edit_file", "write_file", "apply_patch", "edit", "delete_file"]
                .iter()
                .any(|name| self.has(name))
                .then_some(BY_READING),
        };
        let batches = self.has("undo").then_some(BATCHES);
        std::iter::once(FIRST).chain(proof).chain(batches).collect()
    }

    /// The words about those of these tools that are shown.
    fn those(self, words: &[(&str, &'static str)]) -> Vec<&'static str> {
        words.iter().filter(|(name, _)| self.has(name)).map(|(_, words)| *words).collect()
    }

    fn has(self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }
}

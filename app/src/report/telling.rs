//! To whom a text is told: which tools its reader can call, and whether it needs hashes. No text sends a reader to a
//! tool that is not served.

use serde_json::Value;

/// A call as it was made, in canonical form: what a refusal answers.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments, an object.
    pub arguments: Value,
    /// Do arguments fit a tool? No call is proposed that would be refused for its arguments.
    pub fits: fn(&str, &Value) -> bool,
}

/// What a text has to know of its reader.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'a> {
    /// Does a read tell the file's hash? Where no ledger serves, the reader has to give it back.
    pub hashes: bool,
    /// The tools that are served; all of them if nothing is given.
    pub shown: Option<&'a [&'a str]>,
    /// The call that is answered, so that a refusal can say it again with what was wrong put right.
    pub call: Option<&'a Sent>,
}

impl Telling<'_> {
    /// For a reader who can call every tool.
    pub const ALL: Telling<'static> = Telling { hashes: false, shown: None, call: None };

    /// For a program, or a person at a shell: no ledger serves there.
    pub const PROGRAM: Telling<'static> = Telling { hashes: true, shown: None, call: None };

    /// Is this tool served?
    pub fn has(&self, tool: &str) -> bool {
        self.shown.is_none_or(|shown| shown.contains(&tool))
    }

    /// The first of these words whose tool is served.
    pub(super) fn pick<'w>(&self, words: &[(&str, &'w str)], or: &'w str) -> &'w str {
        words.iter().find(|(tool, _)| self.has(tool)).map_or(or, |(_, words)| *words)
    }

    /// Those of these tools that are served, as a list in words.
    pub(super) fn served(&self, tools: &[&str]) -> Option<String> {
        let served: Vec<&str> = tools.iter().copied().filter(|tool| self.has(tool)).collect();
        (!served.is_empty()).then(|| served.join(" and "))
    }

    /// The first two of these ways whose tool is served, as a choice in words.
    fn ways(&self, words: &[(&str, &str)], or: &str) -> String {
        let served = words.iter().filter(|(tool, _)| self.has(tool)).map(|(_, words)| *words);
        let ways: Vec<&str> = served.take(2).collect();
        if ways.is_empty() { or.to_owned() } else { ways.join(" or ") }
    }

    /// How to look for a file.
    pub(super) fn finding(&self) -> &'static str {
        match (self.has("glob"), self.has("search_files"), self.has("list_directory")) {
            (true, true, _) => "with glob or search_files",
            (true, false, _) => "with glob",
            (false, true, _) => "with search_files",
            (false, false, true) => "with list_directory",
            (false, false, false) => "in another way",
        }
    }

    /// How to make a new file.
    pub(super) fn making(&self) -> String {
        let words = [("create_file", "create_file"), ("apply_patch", "*** Add File in apply_patch")];
        self.ways(&words, "a tool that makes files")
    }

    /// How to change a file that is there.
    pub(super) fn changing(&self) -> String {
        let words = [
            ("edit_file", "edit_file or write_file"),
            ("apply_patch", "*** Update File in apply_patch"),
            ("edit", "edit"),
            ("workspace_write_patch", "workspace_write_patch"),
        ];
        self.ways(&words, "a tool that changes files")
    }

    /// How to delete something.
    pub(super) fn deleting(&self) -> String {
        let words = [("delete_file", "delete_file"), ("apply_patch", "*** Delete File in apply_patch")];
        self.ways(&words, "a tool that deletes files")
    }

    /// How to give something another name.
    pub(super) fn moving(&self) -> String {
        let words = [("move_file", "move_file"), ("apply_patch", "*** Move File in apply_patch")];
        self.ways(&words, "a tool that moves files")
    }

    /// How to see the changes of a batch.
    pub(super) fn reviewing(&self, batch: &str) -> String {
        match self.has("get_patch_change") {
            true => format!("get_patch_change {{\"batchId\":\"{batch}\"}} shows its changes"),
            false => "list_batches shows its files".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_served_is_named() {
        let envelope = Telling { shown: Some(&["read_file", "apply_patch"]), ..Telling::ALL };
        for (said, want) in [
            (envelope.making(), "*** Add File in apply_patch"),
            (envelope.finding().to_owned(), "in another way"),
            (Telling::ALL.making(), "create_file or *** Add File in apply_patch"),
            (Telling::ALL.finding().to_owned(), "with glob or search_files"),
            (Telling { shown: Some(&[]), ..Telling::PROGRAM }.moving(), "a tool that moves files"),
        ] {
            assert_eq!(said, want);
        }
        assert!(!envelope.has("glob") && Telling::ALL.has("glob"));
    }
}

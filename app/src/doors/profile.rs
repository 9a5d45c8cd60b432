//! Doors: which tools a model is shown. Every tool costs context, and a model does best with the
//! dialect it was trained on; reading, whole files and the trash are in every profile.

use crate::report::guidance;
use patchwright_core::tool::{Group, TOOLS, Tool};

/// A choice of tools.
#[derive(Debug)]
pub struct Profile {
    /// The name on the command line.
    pub name: &'static str,
    /// The families of tools it shows.
    groups: &'static [Group],
}

const EVERY: &[Group] = &[
    Group::Look,
    Group::Files,
    Group::Strings,
    Group::Envelope,
    Group::Anchors,
    Group::Lines,
    Group::Trash,
    Group::History,
];
const STRINGS: &[Group] = &[Group::Look, Group::Files, Group::Strings, Group::Trash, Group::History];
const ENVELOPE: &[Group] = &[Group::Look, Group::Files, Group::Envelope, Group::Trash, Group::History];
const ANCHORS: &[Group] = &[Group::Look, Group::Files, Group::Anchors, Group::Trash, Group::History];
const LINES: &[Group] = &[Group::Look, Group::Files, Group::Lines, Group::Trash, Group::History];

/// Every profile. `auto` shows all until a client is known to favour one dialect.
pub const PROFILES: &[Profile] = &[
    Profile { name: "auto", groups: EVERY },
    Profile { name: "all", groups: EVERY },
    Profile { name: "envelope", groups: ENVELOPE },
    Profile { name: "anchors", groups: ANCHORS },
    Profile { name: "strings", groups: STRINGS },
    Profile { name: "lines", groups: LINES },
];

impl Profile {
    /// The profile of this name.
    pub fn find(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// The tools it shows, in the order of the table.
    pub fn tools(&self) -> Vec<&'static Tool> {
        TOOLS.iter().copied().filter(|tool| self.groups.contains(&tool.group)).collect()
    }

    /// Are answers told with `docPath`s? Where line patches are spoken by choice; `auto` only offers them beside others.
    pub fn tells_doc_paths(&self) -> bool {
        self.name != "auto" && self.groups.contains(&Group::Lines)
    }

    /// How a model works with these tools: the server's instructions, and what `prompt` prints.
    pub fn guidance(&self) -> String {
        guidance::Shown { tools: &self.tools(), hash_only: false }.prompt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, shown: &[(&str, bool)]) {
        let tools: Vec<_> = Profile::find(name).unwrap().tools().iter().map(|tool| tool.name).collect();
        for (tool, there) in shown {
            assert_eq!(tools.contains(tool), *there, "{tool} in {name}");
        }
    }

    #[test]
    fn profiles() {
        let in_all = [("read_file", true), ("create_file", true), ("list_trash", true)];
        for (name, strings, envelope, anchors) in [
            ("auto", true, true, true),
            ("all", true, true, true),
            ("strings", true, false, false),
            ("envelope", false, true, false),
            ("anchors", false, false, true),
            ("lines", false, false, false),
        ] {
            check(name, &in_all);
            check(name, &[("edit_file", strings), ("apply_patch", envelope), ("edit", anchors)]);
        }
        assert!(Profile::find("none").is_none());
        let told: Vec<&str> = PROFILES.iter().filter(|profile| profile.tells_doc_paths()).map(|one| one.name).collect();
        assert_eq!(told, ["all", "lines"]);
    }
}

//! Which tools a server offers: a profile gives one dialect with what every model needs, and the operator adds to that
//! or names the tools one by one.

use super::{Group, TOOLS, Tool, find};

/// Which dialects of change are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The dialect that the client is known for.
    #[default]
    Auto,
    /// Patches.
    Envelope,
    /// Lines by their anchors.
    Anchors,
    /// Exact texts.
    Strings,
    /// Lines by their numbers.
    Lines,
    /// Every dialect.
    All,
}

impl Profile {
    /// Every profile.
    pub const ALL: &[Profile] =
        &[Profile::Auto, Profile::Envelope, Profile::Anchors, Profile::Strings, Profile::Lines, Profile::All];

    /// The name that operators use.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Auto => "auto",
            Profile::Envelope => "envelope",
            Profile::Anchors => "anchors",
            Profile::Strings => "strings",
            Profile::Lines => "lines",
            Profile::All => "all",
        }
    }

    /// The profile of this name.
    pub fn find(name: &str) -> Option<Profile> {
        Profile::ALL.iter().copied().find(|profile| profile.name() == name)
    }

    /// The dialects; where nobody knows the client, exact texts.
    fn dialects(self) -> &'static [Group] {
        match self {
            Profile::Auto | Profile::Strings => &[Group::Strings],
            Profile::Envelope => &[Group::Envelope],
            Profile::Anchors => &[Group::Anchors],
            Profile::Lines => &[Group::Lines],
            Profile::All => &[Group::Strings, Group::Envelope, Group::Anchors, Group::Lines],
        }
    }

    fn shows(self, tool: &Tool) -> bool {
        let always = [Group::Look, Group::History];
        always.iter().chain(self.dialects()).any(|group| tool.is_in(*group))
    }
}

/// The operator's own choice of tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolChoice {
    /// These and no others; where nothing is said, those of the profile.
    only: Option<Vec<&'static str>>,
    /// These as well.
    added: Vec<&'static str>,
}

impl ToolChoice {
    /// Reads words like `+review` (a group or a tool as well), `read_file` (these and no others) and `all`; several may
    /// stand in one, with commas. The word that names nothing comes back.
    ///
    /// ```
    /// use patchwright_core::tool::{Profile, ToolChoice};
    /// let choice = ToolChoice::read(["+why,+list_trash"]).unwrap();
    /// let names: Vec<_> = choice.tools(Profile::Envelope).iter().map(|tool| tool.name).collect();
    /// assert!(names.contains(&"apply_patch") && names.contains(&"explain_lines") && names.contains(&"list_trash"));
    /// assert_eq!(ToolChoice::read(["+whi"]), Err("whi".to_owned()));
    /// ```
    pub fn read<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<ToolChoice, String> {
        let mut choice = ToolChoice::default();
        for word in words.into_iter().flat_map(|words| words.split(',')).map(str::trim) {
            let (name, as_well) = word.strip_prefix('+').map_or((word, false), |name| (name, true));
            let names = named(name).ok_or_else(|| name.to_owned())?;
            let list = if as_well { &mut choice.added } else { choice.only.get_or_insert_default() };
            list.extend(names);
        }
        Ok(choice)
    }

    /// The tools offered beside this profile, in the order of the table.
    pub fn tools(&self, profile: Profile) -> Vec<&'static Tool> {
        let base = |tool: &Tool| match &self.only {
            Some(only) => only.contains(&tool.name),
            None => profile.shows(tool),
        };
        TOOLS.iter().copied().filter(|tool| base(tool) || self.added.contains(&tool.name)).collect()
    }
}

/// The tools that a word names: a group, a tool, or all of them.
fn named(word: &str) -> Option<Vec<&'static str>> {
    if word == "all" {
        return Some(TOOLS.iter().map(|tool| tool.name).collect());
    }
    match Group::find(word) {
        Some(group) => Some(group.tools().map(|tool| tool.name).collect()),
        None => find(word).map(|tool| vec![tool.name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: &str = "read_file list_directory search_files glob ";

    fn check(profile: Profile, words: &[&str], want: &str) {
        let names: Vec<_> = read(words).tools(profile).iter().map(|tool| tool.name).collect();
        let mut want: Vec<_> = want.split_whitespace().collect();
        want.sort_by_key(|name| TOOLS.iter().position(|tool| tool.name == *name));
        assert_eq!(names, want, "{profile:?} {words:?}");
    }

    fn read(words: &[&str]) -> ToolChoice {
        ToolChoice::read(words.iter().copied()).unwrap()
    }

    #[test]
    fn profiles() {
        let strings = format!("{LOOK} create_file write_file edit_file delete_file move_file list_batches undo");
        for profile in [Profile::Auto, Profile::Strings] {
            check(profile, &[], &strings);
        }
        check(Profile::Envelope, &[], &format!("{LOOK} apply_patch list_batches undo"));
        check(Profile::Anchors, &[], &format!("{LOOK} create_file edit delete_file move_file list_batches undo"));
        check(Profile::Lines, &[], &format!("{LOOK} workspace_read_file workspace_write_patch list_batches undo"));
        check(Profile::All, &[], &format!("{strings} apply_patch edit workspace_read_file workspace_write_patch"));
    }

    #[test]
    fn choices() {
        let envelope = format!("{LOOK} apply_patch list_batches undo ");
        for (words, want) in [
            (&["+review,+why"][..], envelope.clone() + "get_patch_change apply_batch reject_batch explain_lines"),
            (&["+trash"], envelope.clone() + "list_trash restore_file purge_trash"),
            (&["+list_trash", " +edit_file"], envelope.clone() + "list_trash edit_file"),
            (&["read_file,edit_file"], "read_file edit_file".to_owned()),
            (&["read_file", "+why"], "read_file explain_lines".to_owned()),
            (&["look"], LOOK.to_owned()),
            (&["all"], TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(" ")),
            (&["+all"], TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(" ")),
        ] {
            check(Profile::Envelope, words, &want);
        }
        for (word, unknown) in [("reviews", "reviews"), ("+", ""), ("", ""), ("read_file,", ""), ("-why", "-why")] {
            assert_eq!(ToolChoice::read([word]), Err(unknown.to_owned()), "{word}");
        }
    }

    /// What destroys for good, and what carries out a proposal, is the operator's to add.
    #[test]
    fn nothing_grave_comes_by_itself() {
        for profile in Profile::ALL {
            for tool in ToolChoice::default().tools(*profile) {
                assert!(!["purge_trash", "apply_batch", "reject_batch"].contains(&tool.name), "{profile:?}");
            }
        }
    }

    #[test]
    fn names_are_one_to_one() {
        for profile in Profile::ALL {
            assert_eq!(Profile::find(profile.name()), Some(*profile));
        }
        for group in Group::ALL {
            assert_eq!(Group::find(group.name()), Some(*group));
            assert!(group.tools().count() > 0 && find(group.name()).is_none(), "{group:?}");
        }
        assert!(TOOLS.iter().all(|tool| !tool.groups.is_empty()));
    }
}

//! Doors: what an MCP server offers to whom. Every tool costs context, and a model does best with the dialect it was
//! trained on; so the operator's choice, and where that is `auto` the client's name, say which tools are shown. What is
//! not shown is not served either.

use super::clients::known;
use crate::report::guidance;
use crate::wire::listing::{Length, View};
use crate::wire::server::{Answers, SetServer};
use patchwright_core::conventions::Conventions;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::tool::{Effect, Profile, Tool, ToolChoice};
use patchwright_engine::{Mode, Proof};

/// What the operator chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Which dialects are shown.
    pub profile: Profile,
    /// Which tools beside or instead.
    pub tools: ToolChoice,
    /// In which form answers are given.
    pub answers: Answers,
    /// How much is said of each tool.
    pub descriptions: Length,
    /// May anything be changed?
    pub mode: Mode,
    /// What proves that a file was seen.
    pub proof: Proof,
    /// Whose conventions a patch follows that does not say.
    pub conventions: Conventions,
}

impl Offer {
    /// The same as far as a source says nothing else.
    pub fn with(self, source: &SetServer) -> Offer {
        Offer {
            profile: source.profile.unwrap_or(self.profile),
            tools: source.tools.clone().unwrap_or(self.tools),
            answers: source.answers.unwrap_or(self.answers),
            descriptions: source.descriptions.unwrap_or(self.descriptions),
            ..self
        }
    }

    /// What a client of this name is shown.
    pub fn to(&self, client: &str) -> Shown {
        let profile = self.profile_for(client);
        let served = self.tools.tools(profile);
        let looks = |tool: &&Tool| self.mode == Mode::ReadWrite || tool.effect == Effect::Looks;
        let tools = served.iter().copied().filter(looks).collect();
        Shown {
            profile,
            tools,
            served,
            mode: self.mode,
            descriptions: self.descriptions,
            proof: self.proof,
            conventions: self.conventions,
        }
    }

    /// The tools that the operator chose and that are not shown because nothing may be changed, as a warning.
    pub fn held_back(&self) -> Option<String> {
        if self.mode == Mode::ReadWrite || self.tools == ToolChoice::default() {
            return None;
        }
        let changes = |tool: &&&Tool| tool.effect != Effect::Looks;
        let served = self.tools.tools(self.profile_for(""));
        let names: Vec<&str> = served.iter().filter(changes).map(|tool| tool.name).collect();
        let names = (!names.is_empty()).then(|| names.join(", "))?;
        Some(format!("patchwright: not shown, because --read-only changes nothing: {names}"))
    }

    /// The dialects for a client of this name.
    pub fn profile_for(&self, client: &str) -> Profile {
        match self.profile {
            Profile::Auto => known(client).profile,
            chosen => chosen,
        }
    }
}

/// What a client is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The dialects.
    pub profile: Profile,
    /// The tools that are listed, in the order of the table. Where nothing may be changed, those that look.
    pub tools: Vec<&'static Tool>,
    served: Vec<&'static Tool>,
    mode: Mode,
    descriptions: Length,
    /// What counts as proof of sight.
    pub proof: Proof,
    conventions: Conventions,
}

impl Shown {
    /// How the tools are listed.
    pub fn view(&self) -> View {
        let anchors = self.tools.iter().any(|tool| tool.name == "edit");
        View { length: self.descriptions, anchors, hash_only: self.hash_only(), conventions: self.conventions }
    }

    /// Does only a hash prove that a file was seen?
    pub fn hash_only(&self) -> bool {
        self.proof == Proof::HashOnly
    }

    /// Why a tool is not served, if it is not. Where nothing may be changed, that is the reason for whatever would.
    pub fn refusal(&self, tool: &'static Tool) -> Option<Refusal> {
        if self.mode != Mode::ReadWrite && tool.effect != Effect::Looks {
            return Some(Refusal::plain(Why::ReadOnly));
        }
        let served = self.served.iter().any(|served| served.name == tool.name);
        let group = tool.groups.first().map_or("all", |group| group.name());
        (!served).then(|| Refusal::plain(Why::NotShown { tool: tool.name, group }))
    }

    /// What a server tells a model once about these tools.
    pub fn instructions(&self) -> String {
        match self.descriptions {
            Length::Short => self.guidance().instructions(),
            Length::Long => self.prompt(),
        }
    }

    /// Everything that a model should be told about them.
    pub fn prompt(&self) -> String {
        self.guidance().prompt()
    }

    fn guidance(&self) -> guidance::Shown<'_> {
        guidance::Shown { tools: &self.tools, hash_only: self.hash_only(), conventions: self.conventions }
    }
}

/// Are answers told with `docPath`s? Where line patches are spoken by the operator's choice.
pub fn tells_doc_paths(profile: Profile) -> bool {
    matches!(profile, Profile::Lines | Profile::All)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::tool::find;

    fn offer(profile: Profile, tools: &str, mode: Mode) -> Offer {
        let tools = (!tools.is_empty()).then(|| ToolChoice::read([tools]).unwrap());
        let chosen = SetServer { profile: Some(profile), tools, ..SetServer::default() };
        Offer { mode, ..Offer::default() }.with(&chosen)
    }

    fn shows(offer: &Offer, client: &str, tool: &str) -> bool {
        offer.to(client).tools.iter().any(|shown| shown.name == tool)
    }

    #[test]
    fn a_name_counts_where_nobody_chose() {
        for (profile, client, patches) in [
            (Profile::Auto, "codex-mcp-client", true),
            (Profile::Auto, "claude-code", false),
            (Profile::Auto, "", false),
            (Profile::Strings, "codex-mcp-client", false),
            (Profile::Envelope, "claude-code", true),
        ] {
            let offer = offer(profile, "", Mode::ReadWrite);
            assert_eq!(shows(&offer, client, "apply_patch"), patches, "{profile:?} {client}");
            assert_eq!(shows(&offer, client, "edit_file"), !patches, "{profile:?} {client}");
        }
    }

    #[test]
    fn where_nothing_may_be_changed_only_what_looks_is_listed() {
        let offer = offer(Profile::All, "all", Mode::ReadOnly);
        let names: Vec<_> = offer.to("").tools.iter().map(|tool| tool.name).collect();
        let want = "read_file list_directory search_files glob workspace_read_file list_trash list_batches \
                    get_patch_change explain_lines";
        assert_eq!(names, want.split_whitespace().collect::<Vec<_>>());
        assert!(offer.held_back().unwrap().contains("write_file"));
        assert_eq!(self::offer(Profile::All, "", Mode::ReadOnly).held_back(), None, "nobody asked for them");
        assert_eq!(self::offer(Profile::All, "all", Mode::ReadWrite).held_back(), None);
        let narrow = self::offer(Profile::Auto, "", Mode::ReadOnly);
        for (offer, tool) in [(&offer, "edit_file"), (&narrow, "restore_file")] {
            let why = offer.to("").refusal(find(tool).unwrap()).map(|refusal| refusal.why);
            assert_eq!(why, Some(Why::ReadOnly), "{tool}: no other tools would help");
        }
    }

    #[test]
    fn what_is_not_shown_is_not_served() {
        let shown = offer(Profile::Auto, "+why", Mode::ReadWrite).to("");
        for (tool, group) in [
            ("apply_batch", Some("review")),
            ("purge_trash", Some("trash")),
            ("apply_patch", Some("envelope")),
            ("explain_lines", None),
            ("edit_file", None),
        ] {
            let why = shown.refusal(find(tool).unwrap()).map(|refusal| refusal.why);
            assert_eq!(why, group.map(|group| Why::NotShown { tool: find(tool).unwrap().name, group }), "{tool}");
        }
    }

    #[test]
    fn later_sources_count() {
        let user =
            SetServer { profile: Some(Profile::Lines), answers: Some(Answers::Structured), ..SetServer::default() };
        let flags = SetServer { profile: Some(Profile::Anchors), ..SetServer::default() };
        let offer = Offer::default().with(&user).with(&flags);
        assert_eq!((offer.profile, offer.answers), (Profile::Anchors, Answers::Structured));
    }
}

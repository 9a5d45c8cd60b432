//! What an operator chooses about an MCP server, by flags or in the user's settings.

use super::listing::Length;
use super::short::short_text;
use patchwright_core::tool::{Group, Profile, TOOLS, ToolChoice};

/// In which form a server answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// As text for a model.
    #[default]
    Text,
    /// As text and, for programs, as JSON beside it.
    Structured,
}

impl Answers {
    /// Every form.
    pub const ALL: [Answers; 2] = [Answers::Text, Answers::Structured];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Answers::Text => "text",
            Answers::Structured => "structured",
        }
    }

    /// The form with this word.
    pub fn find(name: &str) -> Option<Answers> {
        Answers::ALL.into_iter().find(|answers| answers.name() == name)
    }
}

/// What one source says about servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetServer {
    /// Which dialects are shown.
    pub profile: Option<Profile>,
    /// Which tools are shown.
    pub tools: Option<ToolChoice>,
    /// In which form answers are given.
    pub answers: Option<Answers>,
    /// How much is said of each tool.
    pub descriptions: Option<Length>,
}

impl SetServer {
    /// The names of the settings that it holds.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let profile = self.profile.map(|_| "mcp.profile");
        let tools = self.tools.as_ref().map(|_| "mcp.tools");
        let answers = self.answers.map(|_| "mcp.answers");
        let descriptions = self.descriptions.map(|_| "mcp.descriptions");
        [profile, tools, answers, descriptions].into_iter().flatten()
    }
}

/// What to say of a name in a choice of tools that names nothing.
pub fn unknown_tool(name: &str) -> String {
    let groups: Vec<&str> = Group::ALL.iter().map(|group| group.name()).collect();
    let tools: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    format!(
        "there is neither a group nor a tool named {}; the groups are {}; the tools are {}",
        short_text(name),
        groups.join(", "),
        tools.join(", ")
    )
}

//! MCP door: the tools that clients are shown, as the SDK lists them. Made when first asked for, and kept: there are no
//! more of them than dialects.

use crate::doors::offer::{Offer, Shown, tells_doc_paths};
use crate::wire::listing::{self, View};
use crate::wire::server::Answers;
use crate::wire::{formats, schema};
use patchwright_core::refusal::Refusal;
use patchwright_core::tool::Tool;
use patchwright_engine::Proof;
use rmcp::model::{self, ErrorData, ListToolsResult};
use serde_json::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The menus of one server.
pub(super) struct Menus {
    offer: Offer,
    made: Mutex<Vec<Arc<Menu>>>,
}

impl Menus {
    pub(super) fn new(offer: Offer) -> Menus {
        Menus { offer, made: Mutex::new(Vec::new()) }
    }

    /// In which form answers are given where a client does not say.
    pub(super) fn answers(&self) -> Answers {
        self.offer.answers
    }

    /// What a client of this name is shown.
    pub(super) fn to(&self, client: &str) -> Arc<Menu> {
        let profile = self.offer.profile_for(client);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(menu) = made.iter().find(|menu| menu.shown.profile == profile) {
            return Arc::clone(menu);
        }
        let shown = self.offer.to(client);
        let names = shown.tools.iter().map(|tool| tool.name).collect();
        let menu = Arc::new(Menu { shown, names, listed: Default::default(), instructions: OnceLock::new() });
        made.push(Arc::clone(&menu));
        menu
    }
}

/// What a client is shown.
pub(super) struct Menu {
    shown: Shown,
    names: Vec<&'static str>,
    instructions: OnceLock<String>,
    /// For each form of answers.
    listed: [OnceLock<ListToolsResult>; 2],
}

impl Menu {
    /// How to work with these tools.
    pub(super) fn instructions(&self) -> &str {
        self.instructions.get_or_init(|| self.shown.instructions())
    }

    /// The tools as they are listed.
    pub(super) fn listed(&self, answers: Answers) -> Result<ListToolsResult, ErrorData> {
        let [text, structured] = &self.listed;
        let kept = if answers == Answers::Structured { structured } else { text };
        if let Some(listed) = kept.get() {
            return Ok(listed.clone());
        }
        let view = self.shown.view();
        let tools = self.shown.tools.iter().map(|tool| listed(tool, view, answers)).collect::<Result<_, _>>();
        let tools = tools.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(kept.get_or_init(|| ListToolsResult::with_all_items(tools)).clone())
    }

    /// The names of the tools that are listed.
    pub(super) fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// What counts as proof of sight.
    pub(super) fn proof(&self) -> Proof {
        self.shown.proof
    }

    /// Why a tool is not served, if it is not.
    pub(super) fn refusal(&self, tool: &'static Tool) -> Option<Refusal> {
        self.shown.refusal(tool)
    }

    /// Are answers told with `docPath`s?
    pub(super) fn tells_doc_paths(&self) -> bool {
        tells_doc_paths(self.shown.profile)
    }
}

/// A tool as the SDK lists it. Its schemas are moved, not copied: this is half of the time it takes to
/// start.
fn listed(tool: &Tool, view: View, answers: Answers) -> serde_json::Result<model::Tool> {
    let schema = |schema: Value| match schema {
        Value::Object(fields) => Arc::new(fields),
        _ => Arc::default(),
    };
    let shown = model::Tool::new(tool.name, listing::description(tool, view), schema(listing::input(tool, view)))
        .with_title(tool.title)
        .with_annotations(serde_json::from_value(formats::annotations(tool))?);
    Ok(match answers {
        Answers::Text => shown,
        Answers::Structured => shown.with_raw_output_schema(schema(schema::output(tool))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::formats::Format;
    use patchwright_core::tool::{Profile, TOOLS};

    #[test]
    fn the_list_is_the_table() {
        for answers in Answers::ALL {
            let view = View::default();
            let tools: Vec<_> = TOOLS.iter().map(|tool| listed(tool, view, answers).unwrap()).collect();
            let table = formats::table(TOOLS, Format::Mcp, view, answers);
            assert_eq!(Some(&serde_json::to_value(tools).unwrap()), table.get("tools"));
        }
    }

    #[test]
    fn a_menu_is_made_once() {
        let menus = Menus::new(Offer::default());
        let menu = menus.to("one");
        assert!(Arc::ptr_eq(&menu, &menus.to("another")));
        let codex = menus.to("codex-mcp-client");
        assert_eq!((menu.shown.profile, codex.shown.profile), (Profile::Strings, Profile::Envelope));
    }
}

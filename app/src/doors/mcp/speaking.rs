//! MCP door: how one request is dealt with, by what is known of its client: which tools it is served, in which form it is
//! answered, how much of a file it is shown. A client says who it is when it greets, or with each request; and it may
//! ask for another form of answers. Nothing that it says makes it be served more than the operator offers.

use super::menu::{Menu, Menus};
use crate::doors::call::Outcome;
use crate::doors::clients::known;
use crate::report::{Sent, Telling, answer_to, text};
use crate::wire::Json;
use crate::wire::server::Answers;
use patchwright_core::tool::{Group, Tool};
use patchwright_engine::Proof;
use rmcp::model::{ErrorData, RequestMetaObject};
use serde_json::Value;
use std::sync::Arc;

/// The key under which a client asks for a form of answers.
const ANSWERS: &str = "patchwright/answers";

/// The argument that says how much of a file is read.
const SIZE: &str = "maxBytes";

/// How a request is dealt with.
#[derive(Clone)]
pub(super) struct Speaking {
    /// What the client is shown.
    pub(super) menu: Arc<Menu>,
    /// In which form it is answered.
    pub(super) answers: Answers,
    /// How much a read gives where the caller does not say.
    read_bytes: usize,
}

impl Speaking {
    /// With a client of this name.
    pub(super) fn with(menus: &Menus, client: &str) -> Speaking {
        Speaking { menu: menus.to(client), answers: menus.answers(), read_bytes: known(client).read_bytes }
    }

    /// With another client on the same connection, who is answered in the same form.
    pub(super) fn beside(&self, menus: &Menus, client: &str) -> Speaking {
        Speaking { answers: self.answers, ..Speaking::with(menus, client) }
    }

    /// The same in the form that a request asks for, if it does.
    pub(super) fn asked(self, meta: &RequestMetaObject) -> Result<Speaking, ErrorData> {
        let Some(wanted) = meta.0.get(ANSWERS) else { return Ok(self) };
        let answers = wanted.as_str().and_then(Answers::find).ok_or_else(|| {
            let said = format!("_meta[\"{ANSWERS}\"] takes \"text\" or \"structured\"; {wanted} came");
            ErrorData::invalid_params(said, None)
        })?;
        Ok(Speaking { answers, ..self })
    }

    /// An outcome as the client's model reads it.
    pub(super) fn text(&self, outcome: &Outcome, call: Option<&Sent>) -> String {
        let shown = Some(self.menu.names());
        text::text(outcome, &Telling { hashes: self.menu.proof() != Proof::HashOrLedger, shown, call })
    }

    /// An outcome for programs.
    pub(super) fn json(&self, outcome: &Outcome, call: Option<&Sent>) -> Value {
        answer_to(outcome, &Telling { shown: Some(self.menu.names()), call, ..Telling::PROGRAM })
    }

    /// A model gets as much of a file as its client shows it, so that it has seen what it was sent.
    pub(super) fn with_size(&self, tool: &Tool, arguments: Json) -> Json {
        match arguments {
            Json::Object(mut fields)
                if self.answers == Answers::Text
                    && tool.parameters.iter().any(|param| param.name == SIZE)
                    && fields.iter().all(|(name, _)| name != SIZE) =>
            {
                // Tools of this group answer in JSON, in which a text grows where it has quotes and tabs.
                let share = if tool.is_in(Group::Lines) { 2 } else { 1 };
                let bytes = i64::try_from(self.read_bytes / share).unwrap_or(i64::MAX);
                fields.push((SIZE.to_owned(), Json::Whole(bytes)));
                Json::Object(fields)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doors::offer::Offer;
    use crate::wire::parse_json;
    use patchwright_core::tool::find;

    fn check(answers: Answers, tool: &str, arguments: &str, want: &str) {
        let menus = Menus::new(Offer { answers, ..Offer::default() });
        let speaking = Speaking::with(&menus, "");
        let got = speaking.with_size(find(tool).unwrap(), parse_json(arguments).unwrap());
        assert_eq!(got, parse_json(want).unwrap(), "{tool} {arguments}");
    }

    #[test]
    fn readings_have_a_size() {
        let (text, plain) = (Answers::Text, r#"{"path":"a"}"#);
        for tool in ["read_file", "workspace_read_file"] {
            check(text, tool, r#"{"maxBytes":7}"#, r#"{"maxBytes":7}"#);
            check(text, tool, "[]", "[]");
            check(Answers::Structured, tool, plain, plain);
        }
        check(text, "read_file", plain, r#"{"path":"a","maxBytes":24576}"#);
        check(text, "workspace_read_file", plain, r#"{"path":"a","maxBytes":12288}"#);
        check(text, "delete_file", plain, plain);
    }
}

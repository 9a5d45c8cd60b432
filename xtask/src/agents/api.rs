//! The programming interfaces through which agent programs reach a model: what a request shows, and answers in the
//! shape of each, whole and streamed.

mod chat;
mod gemini;
mod messages;
mod responses;

use super::http::Reply;
use serde_json::{Value, json};

/// Which interface a request is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Api {
    Responses,
    Chat,
    Messages,
    Gemini,
}

/// A tool as the program offers it to the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Offered {
    /// The group it stands in, for interfaces that have groups.
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The whole entry as compact JSON: what the model pays for.
    pub(crate) entry: String,
}

/// What a request shows the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// Everything said by the system and the user.
    pub(crate) told: String,
    pub(crate) tools: Vec<Offered>,
    /// The results of tools, oldest first.
    pub(crate) results: Vec<String>,
}

/// What the model says next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    Call { namespace: Option<String>, name: String, arguments: Value },
    Say(String),
}

/// An answer with what all interfaces want to know about it.
struct Answer<'a> {
    turn: &'a Turn,
    /// Unique in a run.
    number: usize,
    model: &'a str,
}

impl Answer<'_> {
    /// The id of the call, if it is one.
    fn call_id(&self) -> String {
        format!("call_{:04}", self.number)
    }
}

impl Api {
    /// The interface that a path belongs to. None for everything that asks no model.
    pub(crate) fn of(path: &str) -> Option<Api> {
        let path = path.split('?').next().unwrap_or_default();
        if path.ends_with("/responses") {
            Some(Api::Responses)
        } else if path.ends_with("/chat/completions") {
            Some(Api::Chat)
        } else if path.ends_with("/messages") {
            Some(Api::Messages)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Api::Gemini)
        } else {
            None
        }
    }

    /// What a request's body shows.
    pub(crate) fn seen(self, body: &Value) -> Seen {
        match self {
            Api::Responses => responses::seen(body),
            Api::Chat => chat::seen(body),
            Api::Messages => messages::seen(body),
            Api::Gemini => gemini::seen(body),
        }
    }

    /// The reply that carries a turn.
    pub(super) fn reply(self, path: &str, body: &Value, turn: &Turn, number: usize) -> Reply {
        let model = body.get("model").and_then(Value::as_str).unwrap_or("scripted");
        let answer = Answer { turn, number, model };
        let streamed = match self {
            Api::Gemini => path.contains(":streamGenerateContent"),
            _ => body.get("stream") == Some(&Value::Bool(true)),
        };
        match (self, streamed) {
            (Api::Responses, true) => Reply::stream(responses::stream(&answer)),
            (Api::Responses, false) => Reply::json(200, responses::whole(&answer).to_string()),
            (Api::Chat, true) => Reply::stream(chat::stream(&answer)),
            (Api::Chat, false) => Reply::json(200, chat::whole(&answer).to_string()),
            (Api::Messages, true) => Reply::stream(messages::stream(&answer)),
            (Api::Messages, false) => Reply::json(200, messages::whole(&answer).to_string()),
            (Api::Gemini, true) => Reply::stream(event(None, &gemini::whole(&answer))),
            (Api::Gemini, false) => Reply::json(200, gemini::whole(&answer).to_string()),
        }
    }
}

/// The list of models, in the shapes of all interfaces at once.
pub(crate) fn models() -> Value {
    let one = json!({"id": "scripted", "object": "model", "type": "model", "display_name": "scripted", "created": 0, "owned_by": "test"});
    let gemini = json!({"name": "models/scripted", "inputTokenLimit": 1_000_000, "outputTokenLimit": 65_536});
    json!({"object": "list", "data": [one], "models": [gemini], "has_more": false})
}

/// One event of a stream.
fn event(name: Option<&str>, data: &Value) -> String {
    let head = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{head}data: {data}\n\n")
}

/// The text of a field that is a string, or a list of parts with `text` in them.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<String> = parts.iter().map(part).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn part(value: &Value) -> String {
    match value.get("text") {
        Some(text) => text.as_str().unwrap_or_default().to_owned(),
        None if value.is_string() => text_of(value),
        None => String::new(),
    }
}

fn list<'a>(body: &'a Value, key: &str) -> &'a [Value] {
    body.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn word(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl Offered {
    pub(crate) fn of(value: &Value, entry: &Value) -> Offered {
        Offered {
            namespace: None,
            name: word(value, "name"),
            description: word(value, "description"),
            entry: entry.to_string(),
        }
    }
}

impl Seen {
    fn tell(&mut self, text: &str) {
        self.told.push_str(text);
        self.told.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (path, want) in [
            ("/v1/responses", Some(Api::Responses)),
            ("/v1/chat/completions", Some(Api::Chat)),
            ("/v1/messages?beta=true", Some(Api::Messages)),
            ("/v1/messages/count_tokens", None),
            ("/v1beta/models/x:generateContent", Some(Api::Gemini)),
            ("/v1beta/models/x:streamGenerateContent?alt=sse", Some(Api::Gemini)),
            ("/v1beta/models/x:countTokens", None),
            ("/v1/models", None),
        ] {
            assert_eq!(Api::of(path), want, "{path}");
        }
    }

    /// Each request with one tool, one text and one result, as its interface writes them.
    #[test]
    fn requests_are_read_alike() {
        let responses = json!({
            "instructions": "be good",
            "input": [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "done"}]}],
            "tools": [{"type": "function", "name": "t", "description": "d", "parameters": {}}]});
        let chat = json!({
            "messages": [{"role": "system", "content": "be good"}, {"role": "tool", "content": "done"}],
            "tools": [{"type": "function", "function": {"name": "t", "description": "d"}}]});
        let messages = json!({
            "system": [{"type": "text", "text": "be good"}],
            "messages": [{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "done"}]}]}],
            "tools": [{"name": "t", "description": "d", "input_schema": {}}]});
        let gemini = json!({
            "systemInstruction": {"parts": [{"text": "be good"}]},
            "contents": [{"parts": [{"functionResponse": {"name": "t", "response": {"output": "done"}}}]}],
            "tools": [{"functionDeclarations": [{"name": "t", "description": "d"}]}]});
        for (api, body) in
            [(Api::Responses, responses), (Api::Chat, chat), (Api::Messages, messages), (Api::Gemini, gemini)]
        {
            let seen = api.seen(&body);
            assert_eq!(seen.told.trim(), "be good", "{api:?}");
            assert_eq!(seen.results, ["done"], "{api:?}");
            let tools: Vec<_> = seen.tools.iter().map(|tool| (&*tool.name, &*tool.description)).collect();
            assert_eq!(tools, [("t", "d")], "{api:?}");
        }
    }

    #[test]
    fn groups_of_tools_are_opened() {
        let inner = json!({"type": "function", "name": "read_file", "description": "d"});
        let body =
            json!({"tools": [{"type": "namespace", "name": "mcp__x__", "description": "all", "tools": [inner]}]});
        let tool = &Api::Responses.seen(&body).tools[0];
        assert_eq!((tool.namespace.as_deref(), &*tool.name), (Some("mcp__x__"), "read_file"));
    }

    /// A call comes out of each stream as it went in.
    #[test]
    fn streams_carry_the_call() {
        let turn = Turn::Call { namespace: None, name: "t".to_owned(), arguments: json!({"path": "a \"b\"\n"}) };
        for (api, path) in [
            (Api::Responses, "/v1/responses"),
            (Api::Chat, "/v1/chat/completions"),
            (Api::Messages, "/v1/messages"),
            (Api::Gemini, "/v1beta/models/x:streamGenerateContent"),
        ] {
            let reply = api.reply(path, &json!({"stream": true}), &turn, 7);
            assert_eq!(reply.kind, "text/event-stream");
            let mut found = 0;
            for line in
                reply.body.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|line| *line != "[DONE]")
            {
                let value: Value = serde_json::from_str(line).unwrap();
                found += usize::from(value.to_string().contains("a \\"));
            }
            assert!(found > 0, "{api:?}: {}", reply.body);
            assert!(reply.body.ends_with("\n\n"));
        }
    }
}

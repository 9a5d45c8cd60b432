//! MCP door: one line of input as a message for the SDK, or as an answer to what is no message.
//!
//! A tool call is taken apart here and its arguments travel on as the text they came in: an SDK that
//! reads them into a map keeps the last of two equal keys, and a check could get lost that way. What
//! the arguments mean is the wire's business.

use super::id_scan::IdScan;
use crate::wire;
use patchwright_core::refusal::{Expected, Refusal, Why};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorData, RequestId,
    RequestMetaObject, ServerJsonRpcMessage,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// What a line turned out to be.
#[derive(Debug)]
pub(super) enum Incoming {
    /// Something for the SDK.
    Message(Box<ClientJsonRpcMessage>),
    /// Something to be answered at once.
    Answer(Box<ServerJsonRpcMessage>),
    /// Nothing that may be answered: a broken notification.
    Nothing,
}

/// The arguments of a tool call, as JSON text.
#[derive(Clone, Debug)]
pub(super) struct Arguments(pub(super) Arc<str>);

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ToolCall<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta", default)]
    meta: Option<&'a RawValue>,
}

/// Reads one line.
pub(super) fn read_line(line: &[u8]) -> Incoming {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let Ok(text) = std::str::from_utf8(line) else {
        return answer(IdScan::of(line), ErrorData::parse_error("the message is not valid UTF-8", None));
    };
    let envelope = match serde_json::from_str::<Envelope<'_>>(text) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() => return answer(IdScan::of(line), not_a_message(&error.to_string())),
        Err(error) => {
            let said = format!("the message is not valid JSON: {error}");
            return answer(IdScan::of(line), ErrorData::parse_error(said, None));
        }
    };
    match (envelope.id, envelope.method.as_deref(), envelope.params) {
        (Some(id), Some("tools/call"), Some(params)) if envelope.jsonrpc == "2.0" => tool_call(id, params),
        _ => other(text, &envelope),
    }
}

/// What to say to a line over the limit.
pub(super) fn too_long(id: Option<RequestId>, limit: usize) -> Incoming {
    let said =
        format!("the message is longer than {limit} bytes; the setting limits.max_request_bytes holds this limit");
    answer(id, ErrorData::invalid_request(said, None))
}

fn tool_call(id: &RawValue, params: &RawValue) -> Incoming {
    let Ok(id) = serde_json::from_str::<RequestId>(id.get()) else {
        return answer(None, not_a_message("`id` must be a string or a whole number"));
    };
    let (call, meta) = match read_call(params) {
        Ok(parts) => parts,
        Err(said) => return answer(Some(id), ErrorData::invalid_params(said, None)),
    };
    let arguments = call.arguments.map_or("{}", RawValue::get);
    let mut request = CallToolRequest::new(CallToolRequestParams::new(call.name.into_owned()));
    request.extensions.insert(Arguments(Arc::from(arguments)));
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    message(ClientJsonRpcMessage::request(ClientRequest::CallToolRequest(request), id))
}

fn read_call(params: &RawValue) -> Result<(ToolCall<'_>, Option<RequestMetaObject>), String> {
    let wrong = |error: serde_json::Error| format!("the params of tools/call do not fit: {error}");
    let call = serde_json::from_str::<ToolCall<'_>>(params.get()).map_err(wrong)?;
    let Some(meta) = call.meta else { return Ok((call, None)) };
    if let Some(key) = repeated_key(meta.get()) {
        return Err(format!("the key {key} stands twice in _meta"));
    }
    let meta = serde_json::from_str(meta.get()).map_err(wrong)?;
    Ok((call, meta))
}

fn other(text: &str, envelope: &Envelope<'_>) -> Incoming {
    let id = envelope.id.and_then(|id| serde_json::from_str::<RequestId>(id.get()).ok());
    if let Some(key) = repeated_key(text) {
        return answer(id, not_a_message(&format!("the key {key} stands twice")));
    }
    match serde_json::from_str::<ClientJsonRpcMessage>(text) {
        Ok(read) => message(read),
        // A notification is never answered, not even a broken one.
        Err(_) if envelope.id.is_none() && envelope.method.is_some() => Incoming::Nothing,
        Err(error) => answer(id, not_a_message(&error.to_string())),
    }
}

/// The path of a key that stands twice in one object.
fn repeated_key(json: &str) -> Option<String> {
    match wire::parse_json(json) {
        Err(Refusal { why: Why::Arguments(faults), .. }) => {
            faults.into_iter().find(|fault| fault.expected == Expected::UniqueKey).map(|fault| fault.at)
        }
        _ => None,
    }
}

fn not_a_message(why: &str) -> ErrorData {
    ErrorData::invalid_request(format!("not a JSON-RPC 2.0 message: {why}"), None)
}

fn message(message: ClientJsonRpcMessage) -> Incoming {
    Incoming::Message(Box::new(message))
}

fn answer(id: Option<RequestId>, error: ErrorData) -> Incoming {
    Incoming::Answer(Box::new(ServerJsonRpcMessage::error(error, id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::JsonRpcMessage;

    /// What becomes of a line, in one word and the text that matters.
    fn shown(line: &[u8]) -> String {
        match read_line(line) {
            Incoming::Nothing => "nothing".to_owned(),
            Incoming::Answer(answer) => match *answer {
                JsonRpcMessage::Error(error) => {
                    let id = error.id.map_or("-".to_owned(), |id| id.to_string());
                    format!("{} {id}: {}", error.error.code.0, error.error.message)
                }
                other => format!("{other:?}"),
            },
            Incoming::Message(message) => match *message {
                JsonRpcMessage::Request(request) => match request.request {
                    ClientRequest::CallToolRequest(call) => {
                        let arguments = call.extensions.get::<Arguments>().map(|text| text.0.to_string());
                        format!("call {} {}", call.params.name, arguments.unwrap_or_default())
                    }
                    other => format!("request {}", other.method()),
                },
                JsonRpcMessage::Notification(_) => "notification".to_owned(),
                other => format!("{other:?}"),
            },
        }
    }

    fn check(line: &str, want: &str) {
        let got = shown(line.as_bytes());
        assert!(got.starts_with(want), "{line}\n got {got}\nwant {want}");
    }

    #[test]
    fn lines_become_messages() {
        check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "request tools/list");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"made/up"}"#, "request made/up");
        check(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification");
        check(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#, "nothing");
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"x":2}}}"#,
            r#"call a {"x":1,"x":2}"#,
        );
        check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#, "call a {}");
        check(
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools\\/call\",\"params\":{\"name\":\"a\"}}",
            "call a {}",
        );
    }

    #[test]
    fn broken_lines_are_answered() {
        check("nonsense", "-32700 -: the message is not valid JSON");
        check(r#"{"jsonrpc":"2.0","id":4,"method":"tools/list""#, "-32700 4: the message is not valid JSON");
        check("[]", "-32600 -: ");
        check(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}"#, "-32600 1: ");
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"a":1,"a":2}}"#,
            "-32600 1: not a JSON-RPC 2.0 message: the key",
        );
        check(r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"a"}}"#, "-32600 -: ");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}"#, "-32602 1: ");
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"arguments":{}}}"#,
            "-32602 1: ",
        );
        check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"a":1,"a":2}}}"#,
            "-32602 1: ",
        );
        assert!(shown(b"{\"id\":3,\"a\":\"\xff\"}").starts_with("-32700 3: the message is not valid UTF-8"));
    }

    proptest::proptest! {
        #[test]
        fn no_line_panics(line: Vec<u8>) {
            let _incoming = read_line(&line);
        }
    }
}

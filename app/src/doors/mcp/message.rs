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
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
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
pub(super) struct ArgumentText(pub(super) Arc<str>);

#[derive(Deserialize)]
#[serde(expecting = "a JSON-RPC message, an object with jsonrpc, method, params and id")]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    /// Also where it is `null`: that is no notification.
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with name and arguments")]
struct ToolCall<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta", default)]
    meta: Option<&'a RawValue>,
}

fn present<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(reader).map(Some)
}

/// Reads one line.
pub(super) fn read_line(line: &[u8]) -> Incoming {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let Ok(text) = std::str::from_utf8(line) else {
        return answer(IdScan::of(line), ErrorData::parse_error("the message is not valid UTF-8", None));
    };
    let envelope = match read_envelope(text) {
        Ok(envelope) => envelope,
        Err(error) => return answer(IdScan::of(line), error),
    };
    match (envelope.id, envelope.method.as_deref(), envelope.params) {
        (Some(id), Some(_), _) if id.get() == "null" => answer(None, not_a_message(ID)),
        (id, Some(method), Some(params)) if !params.get().starts_with('{') => positional(id, method),
        (Some(id), Some("tools/call"), Some(params)) if envelope.jsonrpc == "2.0" => tool_call(id, params),
        (Some(id), Some("tools/list"), Some(params)) if has_odd_cursor(params) => {
            let said = "the cursor of tools/list must be a string that an answer gave as nextCursor, and it is none";
            answer(serde_json::from_str(id.get()).ok(), ErrorData::invalid_params(said, None))
        }
        _ => other(text, &envelope),
    }
}

/// The parts of a message. A list is none: its elements would be taken for them in order.
fn read_envelope(text: &str) -> Result<Envelope<'_>, ErrorData> {
    let wrong = |error: serde_json::Error| match error.is_data() {
        true => not_a_message(&error.to_string()),
        false => ErrorData::parse_error(format!("the message is not valid JSON: {error}"), None),
    };
    if text.trim_start().starts_with('[') {
        serde_json::from_str::<IgnoredAny>(text).map_err(wrong)?;
        return Err(not_a_message("batches are not taken; send each message on a line of its own"));
    }
    serde_json::from_str(text).map_err(wrong)
}

/// What an id is.
const ID: &str = "`id` must be a string or a whole number; a notification has none";

/// Parameters that are not given by name. In order they would fill fields by chance.
fn positional(id: Option<&RawValue>, method: &str) -> Incoming {
    let Some(id) = id else { return Incoming::Nothing };
    let method = wire::short::short_text(method);
    let said = format!("the params of {method} must be an object with names, and they are not");
    answer(serde_json::from_str(id.get()).ok(), ErrorData::invalid_params(said, None))
}

/// Is there a cursor that is no string? The SDK would take it for none at all.
fn has_odd_cursor(params: &RawValue) -> bool {
    let params = serde_json::from_str::<serde_json::Value>(params.get()).unwrap_or_default();
    params.get("cursor").is_some_and(|cursor| !cursor.is_string() && !cursor.is_null())
}

/// What to say to a line over the limit.
pub(super) fn too_long(id: Option<RequestId>, limit: usize) -> Incoming {
    let said =
        format!("the message is longer than {limit} bytes; the setting limits.max_request_bytes holds this limit");
    answer(id, ErrorData::invalid_request(said, None))
}

fn tool_call(id: &RawValue, params: &RawValue) -> Incoming {
    let Ok(id) = serde_json::from_str::<RequestId>(id.get()) else {
        return answer(None, not_a_message(ID));
    };
    let (call, meta) = match read_call(params) {
        Ok(parts) => parts,
        Err(said) => return answer(Some(id), ErrorData::invalid_params(said, None)),
    };
    let arguments = call.arguments.map_or("{}", RawValue::get);
    let mut request = CallToolRequest::new(CallToolRequestParams::new(call.name.into_owned()));
    request.extensions.insert(ArgumentText(Arc::from(arguments)));
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
                        let arguments = call.extensions.get::<ArgumentText>().map(|text| text.0.to_string());
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
        check("[]", "-32600 -: not a JSON-RPC 2.0 message: batches are not taken; send each message");
        check(r#" [{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#, "-32600 -: not a JSON-RPC 2.0 message: batches");
        check(r#"["2.0",1,"tools/list"]"#, "-32600 -: not a JSON-RPC 2.0 message: batches");
        check(r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#, "-32600 -: ");
        check("[1,", "-32700 -: the message is not valid JSON");
        for method in ["tools/call", "tools/list", "initialize"] {
            let line =
                |id: &str, params: &str| format!(r#"{{"jsonrpc":"2.0",{id}"method":"{method}","params":{params}}}"#);
            for params in [r#"["read_file",{"path":"a"}]"#, "[]", "7"] {
                check(&line(r#""id":1,"#, params), "-32602 1: the params of");
                check(&line("", params), "nothing");
            }
            check(&line(r#""id":null,"#, "{}"), "-32600 -: not a JSON-RPC 2.0 message: `id` must be");
        }
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

//! OpenAI's Chat Completions.

use super::{Answer, Offered, Seen, Turn, event, list, text_of};
use serde_json::{Value, json};

pub(super) fn seen(body: &Value) -> Seen {
    let mut seen = Seen::default();
    for message in list(body, "messages") {
        let text = text_of(message.get("content").unwrap_or(&Value::Null));
        match message.get("role").and_then(Value::as_str) {
            Some("tool") => seen.results.push(text),
            Some("assistant") => {}
            _ => seen.tell(&text),
        }
    }
    seen.tools = list(body, "tools").iter().filter_map(|tool| Some(Offered::of(tool.get("function")?, tool))).collect();
    seen
}

fn message(answer: &Answer) -> (Value, &'static str) {
    match answer.turn {
        Turn::Call { name, arguments, .. } => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            let call = json!({"index": 0, "id": answer.call_id(), "type": "function", "function": function});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        Turn::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
    }
}

fn usage() -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})
}

pub(super) fn whole(answer: &Answer) -> Value {
    let (message, reason) = message(answer);
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    json!({"id": format!("chatcmpl-{}", answer.number), "object": "chat.completion", "created": 0,
        "model": answer.model, "choices": [choice], "usage": usage()})
}

pub(super) fn stream(answer: &Answer) -> String {
    let (message, reason) = message(answer);
    let chunk = |choices: Value, usage: Value| {
        let data = json!({"id": format!("chatcmpl-{}", answer.number), "object": "chat.completion.chunk", "created": 0,
            "model": answer.model, "choices": choices, "usage": usage});
        event(None, &data)
    };
    let mut out = chunk(json!([{"index": 0, "delta": message, "finish_reason": null}]), Value::Null);
    out.push_str(&chunk(json!([{"index": 0, "delta": {}, "finish_reason": reason}]), Value::Null));
    out.push_str(&chunk(json!([]), usage()));
    out.push_str("data: [DONE]\n\n");
    out
}

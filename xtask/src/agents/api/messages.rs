//! Anthropic's Messages.

use super::{Answer, Offered, Seen, Turn, event, list, text_of};
use serde_json::{Value, json};

pub(super) fn seen(body: &Value) -> Seen {
    let mut seen = Seen::default();
    seen.tell(&text_of(body.get("system").unwrap_or(&Value::Null)));
    for message in list(body, "messages") {
        if message.get("role").and_then(Value::as_str) == Some("assistant") {
            continue;
        }
        if let Some(text) = message.get("content").and_then(Value::as_str) {
            seen.tell(text);
        }
        for block in list(message, "content") {
            if block.get("type").and_then(Value::as_str) == Some("tool_result") {
                seen.results.push(text_of(block.get("content").unwrap_or(&Value::Null)));
            } else {
                seen.tell(&super::part(block));
            }
        }
    }
    seen.tools = list(body, "tools").iter().map(|tool| Offered::of(tool, tool)).collect();
    seen
}

fn block(answer: &Answer) -> (Value, &'static str) {
    match answer.turn {
        Turn::Call { name, arguments, .. } => {
            (json!({"type": "tool_use", "id": id(answer), "name": name, "input": arguments}), "tool_use")
        }
        Turn::Say(text) => (json!({"type": "text", "text": text}), "end_turn"),
    }
}

fn id(answer: &Answer) -> String {
    format!("toolu_{}", answer.call_id())
}

fn message(answer: &Answer, content: &[Value], reason: Value) -> Value {
    json!({"id": format!("msg_{}", answer.number), "type": "message", "role": "assistant", "model": answer.model,
        "content": content, "stop_reason": reason, "stop_sequence": null,
        "usage": {"input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}})
}

pub(super) fn whole(answer: &Answer) -> Value {
    let (block, reason) = block(answer);
    message(answer, &[block], json!(reason))
}

pub(super) fn stream(answer: &Answer) -> String {
    let (_, reason) = block(answer);
    let (empty, delta) = match answer.turn {
        Turn::Call { name, arguments, .. } => (
            json!({"type": "tool_use", "id": id(answer), "name": name, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": arguments.to_string()}),
        ),
        Turn::Say(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
    };
    let events = [
        json!({"type": "message_start", "message": message(answer, &[], Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": 10}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(|data| event(data.get("type").and_then(Value::as_str), data)).collect()
}

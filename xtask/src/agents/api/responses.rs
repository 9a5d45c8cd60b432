//! OpenAI's Responses.

use super::{Answer, Offered, Seen, Turn, event, list, text_of, word};
use serde_json::{Value, json};

pub(super) fn seen(body: &Value) -> Seen {
    let mut seen = Seen::default();
    seen.tell(&word(body, "instructions"));
    for item in list(body, "input") {
        match item.get("type").and_then(Value::as_str) {
            Some("function_call_output" | "custom_tool_call_output" | "tool_search_output") => {
                let output = item.get("output").or_else(|| item.get("tools")).unwrap_or(&Value::Null);
                seen.results.push(text_of(output));
            }
            _ if item.get("role").and_then(Value::as_str) != Some("assistant") => {
                seen.tell(&text_of(item.get("content").unwrap_or(&Value::Null)));
            }
            _ => {}
        }
    }
    for tool in list(body, "tools") {
        if tool.get("type").and_then(Value::as_str) == Some("namespace") {
            let group = word(tool, "name");
            seen.tell(&word(tool, "description"));
            let inner = list(tool, "tools").iter().map(|one| Offered::of(one, one));
            seen.tools.extend(inner.map(|one| Offered { namespace: Some(group.clone()), ..one }));
        } else {
            seen.tools.push(Offered::of(tool, tool));
        }
    }
    seen
}

fn item(answer: &Answer) -> Value {
    match answer.turn {
        Turn::Call { namespace, name, arguments } => {
            let id = answer.call_id();
            let mut item = json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                "arguments": arguments.to_string(), "status": "completed"});
            if let (Some(group), Some(fields)) = (namespace, item.as_object_mut()) {
                fields.insert("namespace".to_owned(), json!(group));
            }
            item
        }
        Turn::Say(text) => json!({"type": "message", "id": format!("msg_{}", answer.number), "role": "assistant",
            "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]}),
    }
}

pub(super) fn whole(answer: &Answer) -> Value {
    response(answer, "completed", &[item(answer)])
}

fn response(answer: &Answer, status: &str, output: &[Value]) -> Value {
    let details = json!({"cached_tokens": 0});
    let usage = json!({"input_tokens": 100, "input_tokens_details": details, "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 110});
    json!({"id": format!("resp_{}", answer.number), "object": "response", "created_at": 0, "status": status,
        "model": answer.model, "output": output, "usage": usage})
}

pub(super) fn stream(answer: &Answer) -> String {
    let item = item(answer);
    let events = [
        json!({"type": "response.created", "response": response(answer, "in_progress", &[])}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": whole(answer)}),
    ];
    events.iter().map(|data| event(data.get("type").and_then(Value::as_str), data)).collect()
}

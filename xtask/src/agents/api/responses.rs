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
            // Some models get their tools as the first thing said.
            Some("additional_tools") => seen.offer(list(item, "tools")),
            _ if item.get("role").and_then(Value::as_str) != Some("assistant") => {
                seen.tell(&text_of(item.get("content").unwrap_or(&Value::Null)));
            }
            _ => {}
        }
    }
    seen.offer(list(body, "tools"));
    seen
}

impl Seen {
    /// Adds tools, each group opened.
    fn offer(&mut self, tools: &[Value]) {
        for tool in tools {
            if tool.get("type").and_then(Value::as_str) == Some("namespace") {
                let group = word(tool, "name");
                self.tell(&word(tool, "description"));
                let inner = list(tool, "tools").iter().map(|one| Offered::of(one, one));
                self.tools.extend(inner.map(|one| Offered { namespace: Some(group.clone()), ..one }));
            } else {
                self.tools.push(Offered::of(tool, tool));
            }
        }
    }
}

fn item(answer: &Answer) -> Value {
    match answer.turn {
        // A tool that takes a text of its own form, such as a program.
        Turn::Call { namespace, name, arguments: Value::String(input) } => {
            let id = answer.call_id();
            json!({"type": "custom_tool_call", "id": format!("ctc_{id}"), "call_id": id, "name": name,
                "namespace": namespace, "input": input, "status": "completed"})
        }
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

//! Gemini's generateContent.

use super::{Answer, Offered, Seen, Turn, list, part, text_of};
use serde_json::{Value, json};

pub(super) fn seen(body: &Value) -> Seen {
    let mut seen = Seen::default();
    let system = body.get("systemInstruction").or_else(|| body.get("system_instruction"));
    seen.tell(&text_of(system.and_then(|system| system.get("parts")).unwrap_or(&Value::Null)));
    for content in list(body, "contents") {
        let spoken = content.get("role").and_then(Value::as_str) != Some("model");
        for piece in list(content, "parts") {
            match piece.get("functionResponse") {
                Some(answer) => seen.results.push(result(answer)),
                None if spoken => seen.tell(&part(piece)),
                None => {}
            }
        }
    }
    for tool in list(body, "tools") {
        seen.tools.extend(list(tool, "functionDeclarations").iter().map(|one| Offered::of(one, one)));
    }
    seen
}

/// The text where the answer has one field with a text, else all of it.
fn result(answer: &Value) -> String {
    let response = answer.get("response").unwrap_or(&Value::Null);
    let fields = response.as_object();
    match fields.map(|fields| fields.values().collect::<Vec<_>>()).as_deref() {
        Some([Value::String(only)]) => only.clone(),
        _ => response.to_string(),
    }
}

pub(super) fn whole(answer: &Answer) -> Value {
    let part = match answer.turn {
        Turn::Call { name, arguments, .. } => {
            json!({"functionCall": {"id": answer.call_id(), "name": name, "args": arguments}})
        }
        Turn::Say(text) => json!({"text": text}),
    };
    let usage = json!({"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110});
    let candidate = json!({"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"});
    json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": answer.model})
}

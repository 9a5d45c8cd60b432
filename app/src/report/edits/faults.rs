//! Why operations on anchors were refused, as fields. The first fault's stand at the top too, so that a caller
//! who made one slip need not look into the list.

use super::super::fields::Fields;
use super::doubts;
use patchwright_core::refusal::{AnchorFault, Candidate, Kind, OperationFault, Unknown, Why};
use serde_json::{Map, Value, json};

/// The facts of a refusal.
pub(in super::super) fn details(why: &Why) -> Option<Value> {
    match why {
        Why::Operations(faults) => Some(operations(faults)),
        Why::Unsafe(found) => Some(json!({ "safety_warnings": doubts::list(found) })),
        _ => None,
    }
}

fn operations(faults: &[OperationFault]) -> Value {
    let all: Vec<Value> = faults.iter().map(operation).collect();
    let mut top = match all.first() {
        Some(Value::Object(first)) => first.clone(),
        _ => Map::new(),
    };
    let unknown = unknown_hashes(faults);
    if !unknown.is_empty() {
        top.insert("unknown_hashes".to_owned(), unknown.into());
    }
    if faults.iter().any(|fault| fault.fault.kind() == Kind::AnchorStale) {
        top.insert("suggested_action".to_owned(), "re-read_file".into());
    }
    top.insert("operations".to_owned(), all.into());
    Value::Object(top)
}

/// Every anchor of the call that no line has, once.
fn unknown_hashes(faults: &[OperationFault]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let unknown = faults.iter().filter(|fault| matches!(fault.fault, AnchorFault::Unknown(_)));
    unknown.map(|fault| fault.anchor.clone()).filter(|anchor| seen.insert(anchor.clone())).collect()
}

fn operation(fault: &OperationFault) -> Value {
    let fields = Fields::new()
        .put("index", fault.index)
        .put("kind", fault.fault.kind().name())
        .put("field", fault.field.name())
        .put("hash", fault.anchor.as_str());
    facts(fields, &fault.fault).done()
}

fn facts(fields: Fields, fault: &AnchorFault) -> Fields {
    match fault {
        AnchorFault::Unknown(Unknown::Hash) => fields.put("reason", "unknown_hash"),
        AnchorFault::Unknown(Unknown::Places(count)) => {
            fields.put("reason", "place_count_changed").put("count", *count)
        }
        AnchorFault::Unknown(Unknown::Charset) => fields.put("reason", "other_charset"),
        AnchorFault::Unknown(Unknown::EmptyFile) => fields.put("reason", "empty_file"),
        AnchorFault::RangeChanged { first, last } => {
            fields.put("reason", "range_changed").put("lines", json!([first, last]))
        }
        AnchorFault::Ambiguous { candidates, count } | AnchorFault::ContextAmbiguous { candidates, count } => {
            list(fields, candidates, *count)
        }
        AnchorFault::NoSuchOccurrence { asked, candidates, count } => {
            let fields = fields.put("reason", "occurrence_out_of_range").put("asked", *asked).put("count", *count);
            list(fields, candidates, *count)
        }
        AnchorFault::LineDisagrees { said, found, there } => fields
            .put("reason", "line_disagrees")
            .put("said", *said)
            .put("line", found.shown.line)
            .put("found", candidate(found))
            .maybe("there", there.as_ref().map(candidate)),
        AnchorFault::WasDiffers { said, found, candidates, count, .. } => {
            let fields = fields
                .put("reason", "was_disagrees")
                .put("said", said.as_str())
                .maybe("line", found.as_ref().map(|found| found.shown.line))
                .maybe("found", found.as_ref().map(candidate));
            list(fields, candidates, *count)
        }
        AnchorFault::WasLength { quoted, lines } => {
            fields.put("reason", "was_length").put("quoted", *quoted).put("lines", json!([lines.0, lines.1]))
        }
        AnchorFault::LowEntropy { line, content, neighbours } => fields
            .put("line", *line)
            .put("content", content.as_str())
            .put("neighbor_anchors", neighbours.iter().map(|one| one.shown.to_string()).collect::<Vec<_>>()),
        AnchorFault::EqualsMoved { line, count } => {
            fields.put("reason", "equal_lines_moved").put("line", *line).put("count", *count)
        }
        AnchorFault::OneLineRange { line, .. } => fields.put("reason", "no_op_range").put("line", *line),
        AnchorFault::Overlap { other, lines, other_lines } => fields
            .put("other", *other)
            .put("lines", json!([lines.0, lines.1]))
            .put("other_lines", json!([other_lines.0, other_lines.1])),
    }
}

fn list(fields: Fields, candidates: &[Candidate], count: usize) -> Fields {
    fields
        .put("candidates", candidates.iter().map(candidate).collect::<Vec<_>>())
        .maybe("candidate_count", (count > candidates.len()).then_some(count))
}

fn candidate(candidate: &Candidate) -> Value {
    json!({
        "line": candidate.shown.line,
        "preview": candidate.preview,
        "anchor": candidate.shown.to_string(),
        "quality": candidate.shown.quality.word(),
    })
}

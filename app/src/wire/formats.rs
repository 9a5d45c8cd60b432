//! The tool table in the shapes that others expect it in.

use super::schema;
use super::server::Answers;
use patchwright_core::tool::{Effect, Repeat, Tool};
use serde_json::{Value, json};

/// Who the table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The Model Context Protocol: what `tools/list` answers.
    Mcp,
    /// OpenAI function calling.
    OpenAi,
    /// Anthropic tool use.
    Anthropic,
}

/// These tools, in this format; `answers` says whether a client of the Model Context Protocol gets structured ones.
pub fn table(tools: &[&Tool], format: Format, answers: Answers) -> Value {
    let shape = match format {
        Format::Mcp => return json!({ "tools": tools.iter().map(|tool| mcp(tool, answers)).collect::<Vec<_>>() }),
        Format::OpenAi => openai,
        Format::Anthropic => anthropic,
    };
    tools.iter().map(|tool| shape(tool)).collect()
}

/// One tool as the Model Context Protocol describes it.
fn mcp(tool: &Tool, answers: Answers) -> Value {
    let mut shown = json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": schema::listed(tool),
    });
    if let Value::Object(fields) = &mut shown {
        if answers == Answers::Structured {
            fields.insert("outputSchema".to_owned(), schema::output(tool));
        }
        fields.insert("annotations".to_owned(), annotations(tool));
    }
    shown
}

/// What a client may tell its user about a tool before calling it.
pub fn annotations(tool: &Tool) -> Value {
    json!({
        "title": tool.title,
        "readOnlyHint": tool.effect == Effect::Looks,
        "destructiveHint": tool.effect == Effect::Changes,
        "idempotentHint": tool.repeat == Repeat::Harmless,
        "openWorldHint": false,
    })
}

fn openai(tool: &Tool) -> Value {
    json!({
        "type": "function",
        "function": { "name": tool.name, "description": tool.description, "parameters": schema::listed(tool) },
    })
}

fn anthropic(tool: &Tool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": schema::listed(tool) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::tool::TOOLS;

    #[test]
    fn each_format_has_every_tool() {
        let name_at = |format| match format {
            Format::Mcp => "/name",
            Format::OpenAi => "/function/name",
            Format::Anthropic => "/name",
        };
        for format in [Format::Mcp, Format::OpenAi, Format::Anthropic] {
            let table = table(TOOLS, format, Answers::Text);
            let tools = table.get("tools").unwrap_or(&table).as_array().unwrap();
            let names: Vec<_> = tools.iter().map(|tool| tool.pointer(name_at(format)).unwrap()).collect();
            assert_eq!(names, TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>(), "{format:?}");
        }
    }

    #[test]
    fn hints() {
        for (name, read_only, destructive) in
            [("read_file", true, false), ("create_file", false, false), ("purge_trash", false, true)]
        {
            let hints = annotations(crate::wire::tool(name).unwrap());
            assert_eq!(
                (&hints["readOnlyHint"], &hints["destructiveHint"]),
                (&json!(read_only), &json!(destructive)),
                "{name}"
            );
            assert_eq!(hints["openWorldHint"], json!(false));
        }
    }
}

//! The tool table in the shapes that others expect it in.

use super::listing::{self, View};
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
pub fn table(tools: &[&Tool], format: Format, view: View, answers: Answers) -> Value {
    let shape = |tool: &&Tool| match format {
        Format::Mcp => mcp(tool, view, answers),
        Format::OpenAi => openai(tool, view),
        Format::Anthropic => anthropic(tool, view),
    };
    let tools: Value = tools.iter().map(shape).collect();
    if format == Format::Mcp { json!({ "tools": tools }) } else { tools }
}

/// One tool as the Model Context Protocol describes it.
fn mcp(tool: &Tool, view: View, answers: Answers) -> Value {
    let mut shown = json!({
        "name": tool.name,
        "title": tool.title,
        "description": listing::description(tool, view),
        "inputSchema": listing::input(tool, view),
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

fn openai(tool: &Tool, view: View) -> Value {
    let (description, parameters) = (listing::description(tool, view), listing::input(tool, view));
    let function = json!({ "name": tool.name, "description": description, "parameters": parameters });
    json!({ "type": "function", "function": function })
}

fn anthropic(tool: &Tool, view: View) -> Value {
    let (description, schema) = (listing::description(tool, view), listing::input(tool, view));
    json!({ "name": tool.name, "description": description, "input_schema": schema })
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
            let table = table(TOOLS, format, View::default(), Answers::Text);
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

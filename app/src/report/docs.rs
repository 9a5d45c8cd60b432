//! The reference of tools as Markdown, from the table of tools alone; `spec/tools.md` is what this gives.

use patchwright_core::tool::{Effect, Field, Group, Need, Param, ParamKind, Shape, TOOLS, Tool};

/// Every tool: what it does, its arguments, its answer, and calls that work.
pub fn tools_markdown() -> String {
    let mut out = String::from(
        "# Tools\n\n\
         Written from the table of tools in `crates/core/src/tool` by `report::docs`; a test compares the two.\n\
         To bring this page up to date: `UPDATE_SPEC=1 cargo test -p patchwright-app --test spec`.\n\n\
         Every call answers with one JSON object: `{\"ok\": true, \"data\": …}`, or `{\"ok\": false, \"error\": …}` with one of the\n\
         kinds in [errors.md](errors.md). Beside them may stand `warnings`; and, for calls that change something, `auditHead`, and\n\
         `replayed` when an earlier answer is given again. The fields below are those of `data`.\n\n\
         `workspace_read_file` and `workspace_write_patch` answer in another form, refused calls too: `{\"successful\", \"result\",\n\
         \"errors\", \"warnings\"}`, where `errors` has an entry `{\"errorCode\", \"message\", \"details\"}` for everything that stands\n\
         against the call; see [lines.md](lines.md). Their fields below are those of `result`.\n",
    );
    for tool in TOOLS {
        out.push_str(&one(tool));
    }
    out
}

fn one(tool: &Tool) -> String {
    let effect = match tool.effect {
        Effect::Looks => "Changes nothing.",
        Effect::Adds => "Adds; never touches what is there.",
        Effect::Changes => "Changes or removes what is there.",
    };
    let examples: String = tool
        .examples
        .iter()
        .map(|example| format!("\nExample, {}:\n\n```json\n{}\n```\n", example.about, example.arguments))
        .collect();
    format!(
        "\n## `{}`\n\n{}. {effect}\n\n{}\n\n{}{}{examples}",
        tool.name,
        tool.title,
        tool.description,
        parameters(tool.parameters),
        answer(tool),
    )
}

fn parameters(params: &[Param]) -> String {
    if params.is_empty() {
        return "It takes no arguments.\n".to_owned();
    }
    let rows: String = rows_of_params("", params);
    format!("| argument | type | default | meaning |\n| --- | --- | --- | --- |\n{rows}")
}

fn rows_of_params(prefix: &str, params: &[Param]) -> String {
    let row = |param: &Param| {
        let name = format!("{prefix}{}", param.name);
        let default = match param.need {
            Need::Required | Need::Unless(_) => "required".to_owned(),
            Need::Optional => "-".to_owned(),
            Need::Unlisted | Need::InPlaceOf(_) => "- (not listed to models)".to_owned(),
            Need::Default(value) => format!("`{value}`"),
        };
        let inner = match param.kind {
            ParamKind::Record(params) => rows_of_params(&format!("{name}."), params),
            ParamKind::List(ParamKind::Record(params)) | ParamKind::Some(ParamKind::Record(params)) => {
                rows_of_params(&format!("{name}[]."), params)
            }
            _ => String::new(),
        };
        format!("| `{name}` | {} | {default} | {} |\n{inner}", kind(&param.kind), cell(param.doc))
    };
    params.iter().map(row).collect()
}

fn kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Text => "string".to_owned(),
        ParamKind::Word | ParamKind::DocPath(_) => "string, not empty".to_owned(),
        ParamKind::TextOrNull => "string or null".to_owned(),
        ParamKind::Ignored => "anything".to_owned(),
        ParamKind::Flag => "boolean".to_owned(),
        ParamKind::Whole(from, i64::MAX) => format!("integer from {from}"),
        ParamKind::Whole(from, to) => format!("integer, {from} to {to}"),
        ParamKind::Choice(words) => words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(" or "),
        ParamKind::List(ParamKind::Record(_)) => "array of objects".to_owned(),
        ParamKind::Some(ParamKind::Record(_)) => "array of objects, not empty".to_owned(),
        ParamKind::List(_) => "array of strings".to_owned(),
        ParamKind::Some(_) => "array of strings, not empty".to_owned(),
        ParamKind::Record(_) => "object".to_owned(),
        ParamKind::Map(_) => "object of strings by key".to_owned(),
    }
}

fn answer(tool: &Tool) -> String {
    let (place, fields) = (if tool.is_in(Group::Lines) { "result" } else { "data" }, tool.answer);
    format!("\n| field of `{place}` | type | meaning |\n| --- | --- | --- |\n{}", rows_of_fields("", fields))
}

fn rows_of_fields(prefix: &str, fields: &[Field]) -> String {
    let row = |field: &Field| {
        let name = format!("{prefix}{}", field.name);
        let sometimes = if field.need == Need::Required { "" } else { "?" };
        let inner = match field.shape {
            Shape::Record(fields) => rows_of_fields(&format!("{name}."), fields),
            Shape::List(Shape::Record(fields)) => rows_of_fields(&format!("{name}[]."), fields),
            _ => String::new(),
        };
        format!("| `{name}`{sometimes} | {} | {} |\n{inner}", shape(&field.shape), cell(field.doc))
    };
    fields.iter().map(row).collect()
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Text => "string".to_owned(),
        Shape::Flag => "boolean".to_owned(),
        Shape::Whole => "integer".to_owned(),
        Shape::List(item) => format!("array of {}s", self::shape(item)),
        Shape::Record(_) => "object".to_owned(),
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

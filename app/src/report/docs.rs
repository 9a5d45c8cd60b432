//! The reference of tools as Markdown, from the table of tools alone; `spec/tools.md` is what this gives.

use patchwright_core::tool::{
    ALIASES, AliasValue, Effect, Field, Group, Need, Param, ParamKind, Shape, TOOLS, Tool, Tools,
};

/// Every tool: what it does, its arguments, its answer, and calls that work.
pub fn tools_markdown() -> String {
    let mut out = String::from(
        "# Tools\n\n\
         Written from the table of tools in `crates/core/src/tool` by `report::docs`; a test compares the two.\n\
         To bring this page up to date: `UPDATE_SPEC=1 cargo test -p patchwright --test spec`.\n\n\
         Every call answers with one JSON object: `{\"ok\": true, \"data\": …}`, or `{\"ok\": false, \"error\": …}` with one of the\n\
         kinds in [errors.md](errors.md). Beside them may stand `warnings`; and, for calls that change something, `auditHead`, and\n\
         `replayed` when an earlier answer is given again. The fields below are those of `data`.\n\n\
         `workspace_read_file` and `workspace_write_patch` answer in another form, refused calls too: `{\"successful\", \"result\",\n\
         \"errors\", \"warnings\"}`, where `errors` has an entry `{\"errorCode\", \"message\", \"details\"}` for everything that stands\n\
         against the call; see [lines.md](lines.md). Their fields below are those of `result`.\n",
    );
    out.push_str(&shapes());
    for tool in TOOLS {
        out.push_str(&one(tool));
    }
    out
}

/// What is read besides what the tools' own tables say.
fn shapes() -> String {
    let mut rows = String::new();
    for alias in ALIASES {
        let tools = match alias.tools {
            Tools::All => format!("every tool that takes `{}`", alias.name),
            Tools::Only(tool) => format!("`{tool}`"),
        };
        let how = match alias.value {
            AliasValue::Same => "",
            AliasValue::Deprecated => ", with a warning that it will be rejected one day",
            AliasValue::FirstLine => "; 0 is the first line too",
            AliasValue::LineCount => ", as the number of lines to read",
        };
        rows.push_str(&format!("| `{}` | `{}`{how} | {tools} |\n", alias.given, alias.name));
    }
    let flat: Vec<String> = TOOLS.iter().filter_map(|tool| flat(tool)).collect();
    let one_string: Vec<String> = one_strings().into_iter().map(|name| format!("`{name}`")).collect();
    format!(
        "\n## Other ways to write a call\n\n\
         A call that can be read in one way only is read, and a warning tells how, once in a session for each shape; on\n\
         the command line each call is a session. Whatever it was written like, the same call is checked, carried out,\n\
         recorded and recognised by its idempotencyKey. Nothing else is read: another unknown name is refused, with the\n\
         name that was probably meant, and no other name is read as a proof of sight.\n\n\
         | written | read as | by |\n| --- | --- | --- |\n{rows}\n\
         An argument under two names must have the same value under both. `null` is an argument left out, but for\n\
         `expectedLineBefore` and `expectedLineAfter`, where it says something; inside `expectedSha256ByPath`, and for a proof\n\
         where `--unchecked` asks for none, it is refused. An array of objects may come as a text that holds its JSON; an array\n\
         of lines may not. One string for {} is an array of one, `\"5\"` a whole number, `\"true\"` and `\"false\"` a boolean.\n\
         {}\n",
        one_string.join(", "),
        flat.join("\n"),
    )
}

fn flat(tool: &Tool) -> Option<String> {
    let (list, fields) = tool.flat()?;
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    Some(format!(
        "`{}` reads {} beside `path` as the one element of `{}`, if that is not given or says the same.",
        tool.name,
        names.join(", "),
        list.name
    ))
}

/// The lists for which one string is enough, each once.
fn one_strings() -> Vec<&'static str> {
    let mut names: Vec<&str> = TOOLS
        .iter()
        .flat_map(|tool| tool.parameters)
        .filter(|param| param.takes_one_string())
        .map(|param| param.name)
        .collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
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

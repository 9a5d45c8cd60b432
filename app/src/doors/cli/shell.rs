//! CLI door: the next step of a refusal in the words of a shell. What is a call of a tool to a program is a command to a
//! person.

use patchwright_core::tool::find;
use serde_json::Value;

/// The refusal with commands for calls in its last line. What stands above may quote files, and stays as it is.
pub(in crate::doors) fn in_shell(text: &str) -> String {
    let at = text.rfind('\n').map_or(0, |at| at + 1);
    let (above, next) = text.split_at(at);
    let said = WORDS.iter().fold(commands(next), |text, (tool, shell)| text.replace(tool, shell));
    format!("{above}{said}")
}

/// What tools are told, and what a shell takes in its place.
const WORDS: &[(&str, &str)] = &[
    ("Call `", "Run `"),
    ("call `", "run `"),
    ("conventions: \"codex\"", "--conventions codex"),
    ("with glob or search_files", "with `patchwright search`"),
];

fn commands(next: &str) -> String {
    let hash = next.contains("the sha256 that it shows");
    let (mut out, mut rest) = (String::new(), next);
    while let Some(at) = rest.find(" {") {
        let (before, json) = (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default());
        let tool = before.rsplit([' ', '(']).next().unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
        match values.next() {
            Some(Ok(arguments @ Value::Object(_))) if find(tool).is_some() => {
                out.push_str(before.strip_suffix(tool).unwrap_or(before));
                out.push_str(&format!("`{}`", command(tool, &arguments, hash)));
                rest = json.get(values.byte_offset()..).unwrap_or_default();
            }
            _ => {
                out.push_str(before);
                out.push_str(" {");
                rest = json.get(1..).unwrap_or_default();
            }
        }
    }
    out + rest
}

/// A call as a command.
fn command(tool: &str, arguments: &Value, hash: bool) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let only = |names: &[&str]| {
        arguments.as_object().is_some_and(|fields| fields.keys().all(|name| names.contains(&name.as_str())))
    };
    match tool {
        "read_file" if only(&["path", "startLine", "endLine", "hashes", "encoding"]) => read(arguments, hash),
        "list_batches" if only(&["path"]) => {
            format!("patchwright log{}", text("path").map(|path| format!(" {}", word(path))).unwrap_or_default())
        }
        "undo" if only(&["batchId"]) => format!("patchwright undo {}", word(text("batchId").unwrap_or_default())),
        "get_patch_change" if only(&["batchId"]) => {
            format!("patchwright show {}", word(text("batchId").unwrap_or_default()))
        }
        "list_trash" if only(&[]) => "patchwright trash list".to_owned(),
        tool => format!("patchwright call {tool} {}", word(&arguments.to_string())),
    }
}

fn read(arguments: &Value, hash: bool) -> String {
    let line = |name: &str| arguments.get(name).and_then(Value::as_u64);
    let path = arguments.get("path").and_then(Value::as_str).unwrap_or_default();
    let lines = match (line("startLine"), line("endLine")) {
        (Some(first), Some(last)) => format!(":{first}-{last}"),
        (Some(first), None) => format!(":{first}"),
        _ => String::new(),
    };
    let mut out = "patchwright read".to_owned();
    if arguments.get("hashes") == Some(&Value::Bool(true)) {
        out.push_str(" --hashes");
    }
    if hash {
        out.push_str(" --json");
    }
    if let Some(charset) = arguments.get("encoding").and_then(Value::as_str) {
        out.push_str(&format!(" --encoding {}", word(charset)));
    }
    format!("{out} {}", word(&format!("{path}{lines}")))
}

/// A word that a shell takes as it is.
fn word(text: &str) -> String {
    let plain = |ch: char| ch.is_ascii_alphanumeric() || "-_./:@%+=,".contains(ch);
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_commands() {
        for (text, want) in [
            (
                "x\nNext step: Call read_file {\"path\":\"a b\",\"startLine\":3,\"endLine\":9}, then send it again.",
                "x\nNext step: Run `patchwright read 'a b:3-9'`, then send it again.",
            ),
            ("Call read_file {\"path\":\"a\",\"hashes\":true}.", "Run `patchwright read --hashes a`."),
            (
                "Call read_file {\"path\":\"it's\"}: set it to the sha256 that it shows.",
                "Run `patchwright read --json 'it'\\''s'`: set it to the sha256 that it shows.",
            ),
            ("(undo {\"batchId\":\"b2\"}), or {x}", "(`patchwright undo b2`), or {x}"),
            (
                "Call list_batches {}, call glob {\"pattern\":\"**/a\"}.",
                "Run `patchwright log`, run `patchwright call glob '{\"pattern\":\"**/a\"}'`.",
            ),
            // What a file says is not rewritten.
            ("+ undo {\"batchId\":\"b2\"}\nNext step: Look.", "+ undo {\"batchId\":\"b2\"}\nNext step: Look."),
        ] {
            assert_eq!(in_shell(text), want);
        }
    }
}

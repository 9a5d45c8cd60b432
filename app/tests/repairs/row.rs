//! A provoked refusal: what there is, the call, and what was meant.

use crate::world::World;
use serde_json::{Map, Value};
use std::path::Path;

#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Files at the beginning: text, or `{"hex": …}`; a name that ends in `/` is a folder.
    pub(crate) files: Map<String, Value>,
    /// What comes before the call: `[tool, arguments]` by the same session, `{"other": [tool, arguments]}` by another,
    /// `{"write": {path: text}}` and `{"delete": path}` by a program of its own.
    pub(crate) steps: Vec<Value>,
    /// The tools that are served; all if there are none.
    pub(crate) tools: Option<Vec<String>>,
    /// Does only a hash prove?
    pub(crate) require_sha: bool,
    /// The call that is refused.
    pub(crate) call: (String, Value),
    /// What its caller meant to give, by argument; taken only for what the text names.
    pub(crate) intent: Map<String, Value>,
    /// The files that are other than before the call, afterwards; `null` for none.
    pub(crate) want: Map<String, Value>,
    /// What the last answer must have in it.
    pub(crate) answer: Option<String>,
    /// Can nothing that the caller does lead on?
    pub(crate) is_final: bool,
    /// Is it unclear what is meant? Then no whole call that changes something is offered, however little it changes.
    pub(crate) unclear: bool,
    /// What the refusal must say, and must not.
    pub(crate) says: Vec<String>,
    pub(crate) says_not: Vec<String>,
    /// Does the refusal list something, and may be longer for it?
    pub(crate) lists: bool,
}

impl Row {
    /// Is it one that the repairer has to get over? Not what is final, nor what only has words to say.
    pub(crate) fn is_counted(&self) -> bool {
        !self.is_final && (!self.unclear || !self.want.is_empty() || self.answer.is_some())
    }

    /// With what only its own workspace tells.
    pub(crate) fn filled(&self, world: &World) -> Row {
        let intent = |(key, value): (&String, &Value)| {
            // The text of a line that is meant stays as it is.
            (key.clone(), if key.ends_with("hash") { value.clone() } else { world.filled(value) })
        };
        let intent = self.intent.iter().map(intent).collect();
        Row { call: (self.call.0.clone(), world.filled(&self.call.1)), intent, ..self.clone() }
    }
}

/// All rows of a folder, file by file.
pub(crate) fn all(folder: &Path) -> Vec<Row> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let read: Vec<Value> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        rows.extend(read.into_iter().map(|row| one(&stem, row)));
    }
    rows
}

fn one(stem: &str, row: Value) -> Row {
    let known = [
        "name",
        "files",
        "steps",
        "tools",
        "requireSha",
        "call",
        "intent",
        "want",
        "answer",
        "final",
        "lists",
        "unclear",
        "says",
        "saysNot",
    ];
    let words = |key: &str| row.get(key).map(|said| serde_json::from_value(said.clone()).unwrap()).unwrap_or_default();
    let fields = row.as_object().unwrap();
    let name = format!("{stem}: {}", row["name"].as_str().unwrap());
    for key in fields.keys() {
        assert!(known.contains(&key.as_str()), "{name}: {key}");
    }
    let map = |key: &str| fields.get(key).map(|map| map.as_object().unwrap().clone()).unwrap_or_default();
    Row {
        files: map("files"),
        steps: fields.get("steps").map(|steps| steps.as_array().unwrap().clone()).unwrap_or_default(),
        tools: fields.get("tools").map(|tools| serde_json::from_value(tools.clone()).unwrap()),
        require_sha: fields.get("requireSha").is_some_and(|flag| flag == true),
        call: serde_json::from_value(row["call"].clone()).unwrap(),
        intent: map("intent"),
        want: map("want"),
        answer: fields.get("answer").map(|text| text.as_str().unwrap().to_owned()),
        is_final: fields.get("final").is_some_and(|flag| flag == true),
        unclear: fields.get("unclear").is_some_and(|flag| flag == true),
        says: words("says"),
        says_not: words("saysNot"),
        lists: fields.get("lists").is_some_and(|flag| flag == true),
        name,
    }
}

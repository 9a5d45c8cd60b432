//! Arguments against a tool's parameter table: everything that does not fit, at once. One check for all
//! tools, so that no tool can forget one.

use super::canonical::Canonical;
use super::json::{FAULTS_MAX, Json};
use super::meant::{closest, slip};
use super::place::Place;
use patchwright_core::refusal::{ArgumentFault, Expected, Refusal, Why};
use patchwright_core::tool::{Args, Effect, Need, Param, ParamKind, Tool, Value};

/// Most faults noted for a tool that tells of them itself.
const TOLD_MAX: usize = 1_000;

/// Arguments that fit the tool's parameters, or every fault there is (the first twenty). A tool that tells of
/// faults itself gets them with what does fit.
pub fn check(tool: &Tool, read: Canonical) -> Result<Args, Refusal> {
    let Canonical { json, faults: told, flat: list, .. } = read;
    let flat = tool.flat().map_or(&[][..], |(_, fields)| fields);
    let most = if tool.tells_all() { TOLD_MAX } else { FAULTS_MAX };
    let looks = tool.effect == Effect::Looks;
    let mut faults = Faults { list: Vec::new(), most, told, flat, looks };
    let args = record(&Place::ROOT, tool.parameters, json, &mut faults);
    let faults = faults.all(list);
    match args {
        Some(Value::Record(args)) if faults.is_empty() || tool.tells_all() => Ok(args.with_unfit(faults)),
        _ => Err(Refusal::plain(Why::Arguments(faults))),
    }
}

struct Faults {
    list: Vec<ArgumentFault>,
    most: usize,
    /// What was found while the arguments were read.
    told: Vec<ArgumentFault>,
    /// Fields that may stand beside the arguments.
    flat: &'static [Param],
    /// Does the tool only look? Then a name may be guessed at more freely.
    looks: bool,
}

impl Faults {
    /// All of them, each where the caller wrote it: fields of an element of this list stood beside the arguments.
    /// Where something was wrong with a part already, nothing more is said of the whole.
    fn all(mut self, list: Option<&str>) -> Vec<ArgumentFault> {
        let lies_in = |part: &str, whole: &str| {
            part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        self.list.retain(|fault| !self.told.iter().any(|told| lies_in(&told.at, &fault.at)));
        if let Some(element) = list.map(|list| format!("{list}[0].")) {
            self.list.iter_mut().for_each(|fault| fault.at = fault.at.replacen(&element, "", 1));
        }
        self.told.append(&mut self.list);
        self.told.truncate(self.most);
        self.told
    }

    fn has_room(&self) -> bool {
        self.list.len() < self.most
    }

    fn add(&mut self, at: &Place<'_>, expected: Expected, got: impl Into<String>) {
        if self.has_room() {
            self.list.push(ArgumentFault { at: at.spell(), expected, got: got.into() });
        }
    }
}

fn record(at: &Place<'_>, params: &[Param], json: Json, faults: &mut Faults) -> Option<Value> {
    let Json::Object(given) = json else {
        faults.add(at, Expected::Type("object"), json.shown());
        return None;
    };
    let has = |wanted: &str| given.iter().any(|(name, _)| name == wanted);
    let replaced =
        |wanted: &'static str| params.iter().any(|param| param.need == Need::InPlaceOf(wanted) && has(param.name));
    for param in params {
        let lacks = match param.need {
            Need::Required => !has(param.name) && !replaced(param.name),
            Need::Unless(older) => !has(param.name) && !has(older) && !replaced(param.name),
            Need::Optional | Need::Default(_) | Need::Unlisted | Need::InPlaceOf(_) => false,
        };
        if lacks {
            faults.add(&at.key(param.name), missing(&param.kind), "nothing");
        }
    }
    let mut fields = Vec::new();
    for (name, value) in given {
        let known = params.iter().any(|param| param.name == name);
        match field(&at.key(&name), params, &name, value, faults) {
            Some(value) => fields.push((name, value)),
            // It was given, and is not left out.
            None if known => fields.push((name, Value::Unfit)),
            None => {}
        }
    }
    Some(Value::Record(Args::new(fields)))
}

fn field(at: &Place<'_>, params: &[Param], name: &str, value: Json, faults: &mut Faults) -> Option<Value> {
    let Some(param) = params.iter().find(|param| param.name == name) else {
        // Looking for what was meant takes its time: not for faults that nobody will be told.
        if faults.has_room() {
            let beside = if at.is_top() { faults.flat } else { &[] };
            faults.add(at, unknown(name, params, beside, faults.looks), value.shown());
        }
        return None;
    };
    // A `null` that is still here is one that does not mean "left out". Where the field is needed, leaving it out is
    // no way out, and the fault says so.
    if value == Json::Null && param.need.is_required() {
        return fault(at, missing(&param.kind), value.shown(), faults);
    }
    fit(at, &param.kind, value, faults)
}

/// What a field takes that is not there.
fn missing(kind: &ParamKind) -> Expected {
    match kind {
        ParamKind::Choice(words) => Expected::Chosen(words.iter().map(|word| (*word).to_owned()).collect()),
        kind => Expected::Present(type_name(kind)),
    }
}

fn unknown(name: &str, params: &[Param], beside: &[Param], looks: bool) -> Expected {
    let known = || params.iter().map(|param| param.name);
    let has_field =
        |param: &&Param| param.kind.of_objects().is_some_and(|fields| fields.iter().any(|field| field.name == name));
    if let Some(list) = params.iter().find(has_field) {
        return Expected::InList(list.name);
    }
    // What a patch says by path, a list of files says in each of them.
    let in_files = (name == "encodingByPath" && known().any(|name| name == "files")).then_some("files[].encoding");
    // Where a file is named by docPath alone, that is meant by any path.
    let named = (["path", "filePath", "file_path"].contains(&name)
        && !known().any(|name| name == "path" || name == "root"))
    .then(|| known().find(|name| *name == "docPath"));
    let all = known().chain(beside.iter().map(|param| param.name));
    let alike = |name: &str| if looks { closest(name, all) } else { slip(name, all) };
    let meant = in_files.or(named.flatten()).or_else(|| proof(name, params)).or_else(|| alike(name));
    Expected::Field { known: known().map(str::to_owned).collect(), meant: meant.map(str::to_owned) }
}

/// What speaks of a hash is meant as the proof, where there is one: it must not be taken for anything less.
fn proof(name: &str, params: &[Param]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let is_hash = ["hash", "sha256", "digest", "checksum"].iter().any(|word| name.contains(word));
    let target = ["target", "dest", "topath"].iter().any(|word| name.contains(word));
    let proofs: &[&str] = match target {
        true => &["expectedTargetSha256"],
        false => &["expectedSha256", "expectedSha256ByPath", "originalSha256"],
    };
    let known = params.iter().map(|param| param.name).find(|known| proofs.contains(known));
    known.filter(|_| is_hash)
}

fn fit(at: &Place<'_>, kind: &ParamKind, value: Json, faults: &mut Faults) -> Option<Value> {
    match (kind, value) {
        (ParamKind::Word | ParamKind::DocPath(_), Json::Text(text)) if text.is_empty() => {
            fault(at, Expected::NotEmpty, "\"\"", faults)
        }
        (ParamKind::Text | ParamKind::Word | ParamKind::DocPath(_), Json::Text(text)) => Some(Value::Text(text)),
        (ParamKind::TextOrNull, Json::Text(text)) => Some(Value::Text(text)),
        (ParamKind::TextOrNull, Json::Null) => Some(Value::Null),
        (ParamKind::Ignored, _) => Some(Value::Null),
        (ParamKind::Flag, Json::Flag(flag)) => Some(Value::Flag(flag)),
        (ParamKind::Whole(from, to), Json::Whole(number)) if (from..=to).contains(&&number) => {
            Some(Value::Whole(number))
        }
        (ParamKind::Whole(from, to), value) if value.is_whole() => {
            fault(at, Expected::Between(*from, *to), value.shown(), faults)
        }
        (ParamKind::Choice(words), Json::Text(text)) if words.contains(&text.as_str()) => Some(Value::Text(text)),
        (ParamKind::Choice(words), value) => {
            fault(at, Expected::OneOf(words.iter().map(|word| (*word).to_owned()).collect()), value.shown(), faults)
        }
        (ParamKind::Some(_), Json::List(items)) if items.is_empty() => fault(at, Expected::NotEmpty, "[]", faults),
        (ParamKind::List(kind) | ParamKind::Some(kind), Json::List(items)) => Some(list(at, kind, items, faults)),
        (ParamKind::Record(params), value @ Json::Object(_)) => record(at, params, value, faults),
        (ParamKind::Map(kind), Json::Object(given)) => Some(map(at, kind, given, faults)),
        (kind, value) => fault(at, Expected::Type(type_name(kind)), value.shown(), faults),
    }
}

fn fault(at: &Place<'_>, expected: Expected, got: impl Into<String>, faults: &mut Faults) -> Option<Value> {
    faults.add(at, expected, got);
    None
}

fn list(at: &Place<'_>, kind: &ParamKind, items: Vec<Json>, faults: &mut Faults) -> Value {
    // What does not fit keeps its place, so that the others keep theirs.
    let fit = |(index, item)| fit(&at.index(index), kind, item, faults).unwrap_or(Value::Unfit);
    Value::List(items.into_iter().enumerate().map(fit).collect())
}

fn map(at: &Place<'_>, kind: &ParamKind, given: Vec<(String, Json)>, faults: &mut Faults) -> Value {
    let mut fields = Vec::new();
    for (name, value) in given {
        if let Some(value) = fit(&at.key(&name), kind, value, faults) {
            fields.push((name, value));
        }
    }
    Value::Record(Args::new(fields))
}

fn type_name(kind: &ParamKind) -> &'static str {
    match kind {
        ParamKind::Text | ParamKind::Word | ParamKind::DocPath(_) | ParamKind::Choice(_) | ParamKind::Ignored => {
            "string"
        }
        ParamKind::TextOrNull => "string or null",
        ParamKind::Flag => "boolean",
        ParamKind::Whole(..) => "integer",
        ParamKind::List(_) | ParamKind::Some(_) => "array",
        ParamKind::Record(_) | ParamKind::Map(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{NullProof, canonical, parse_json, tool};

    /// What stands in the table: place, a part of what was expected (as its debug form), what came.
    type Row<'a> = (&'a str, &'a str, &'a str);

    fn checked(tool_name: &str, text: &str) -> Result<Args, Refusal> {
        let tool = tool(tool_name).unwrap();
        check(tool, canonical(tool, parse_json(text).unwrap(), NullProof::LeftOut))
    }

    fn faults(tool_name: &str, text: &str) -> Vec<ArgumentFault> {
        match checked(tool_name, text) {
            Ok(_) => Vec::new(),
            Err(Refusal { why: Why::Arguments(faults), .. }) => faults,
            Err(other) => panic!("{other:?}"),
        }
    }

    fn check_row(tool_name: &str, text: &str, want: &[Row<'_>]) {
        let got = faults(tool_name, text);
        assert_eq!(got.len(), want.len(), "{text}: {got:#?}");
        for (fault, (at, expected, came)) in got.iter().zip(want) {
            let words = format!("{:?}", fault.expected);
            assert!(fault.at == *at && words.contains(expected) && fault.got == *came, "{text}: {fault:?}");
        }
    }

    #[test]
    fn fits() {
        for (name, text) in [
            ("read_file", r#"{"path": "a"}"#),
            ("read_file", r#"{"startLine": 1.0, "path": "a"}"#),
            ("list_directory", "{}"),
            ("search_files", r#"{"query": "x", "mode": "text", "includeGlobs": []}"#),
            ("edit_file", r#"{"path": "a", "edits": [{"oldText": "a", "newText": ""}]}"#),
            ("create_file", r#"{"path": "a", "content": ""}"#),
            ("edit", r#"{"path": "a", "operations": [{"op": "delete_line", "hash": "a1b2c3"}]}"#),
            ("edit", r#"{"file_path": "a", "operations": [{"op": "delete_line"}]}"#),
            ("apply_patch", r#"{"patch": "", "expectedSha256ByPath": {}}"#),
            ("apply_patch", r#"{"patch": "", "expectedSha256ByPath": {"a b": "", "c": "ff"}}"#),
        ] {
            check_row(name, text, &[]);
        }
    }

    #[test]
    fn does_not_fit() {
        check_row("read_file", "[]", &[("", "Type(\"object\")", "an array of 0")]);
        check_row("read_file", "null", &[("", "Type(\"object\")", "null")]);
        check_row("read_file", "{}", &[("path", "Present(\"string\")", "nothing")]);
        check_row("read_file", r#"{"path": null}"#, &[("path", "Present(\"string\")", "nothing")]);
        check_row("read_file", r#"{"path": ""}"#, &[("path", "NotEmpty", "\"\"")]);
        check_row("read_file", r#"{"path": 5}"#, &[("path", "Type(\"string\")", "5")]);
        check_row("read_file", r#"{"path": "a", "startLine": 0}"#, &[("startLine", "Between(1,", "0")]);
        check_row("read_file", r#"{"path": "a", "startLine": 1.5}"#, &[("startLine", "Type(\"integer\")", "1.5")]);
        check_row(
            "read_file",
            r#"{"path": "a", "startLine": "5.0"}"#,
            &[("startLine", "Type(\"integer\")", "\"5.0\"")],
        );
        check_row("read_file", r#"{"path": "a", "maxBytes": 1e30}"#, &[("maxBytes", "Between(1, 67108864)", "1e+30")]);
        check_row(
            "read_file",
            r#"{"path": "a", "allowBinary": "yes"}"#,
            &[("allowBinary", "Type(\"boolean\")", "\"yes\"")],
        );
        check_row(
            "search_files",
            r#"{"query": "a", "mode": "fuzzy"}"#,
            &[("mode", "[\"path\", \"text\", \"regex\"]", "\"fuzzy\"")],
        );
        check_row(
            "search_files",
            r#"{"query": "a", "mode": "text", "includeGlobs": 5}"#,
            &[("includeGlobs", "array", "5")],
        );
    }

    #[test]
    fn parts_do_not_fit() {
        check_row(
            "apply_patch",
            r#"{"patch": "", "expectedSha256ByPath": {"a": 1, "b": null}}"#,
            &[
                ("expectedSha256ByPath.a", "Type(\"string\")", "1"),
                ("expectedSha256ByPath.b", "Type(\"string\")", "null"),
            ],
        );
        check_row(
            "apply_patch",
            r#"{"patch": "", "expectedSha256ByPath": []}"#,
            &[("expectedSha256ByPath", "object", "an array of 0")],
        );
        check_row("edit_file", r#"{"path": "a", "edits": []}"#, &[("edits", "NotEmpty", "[]")]);
        check_row(
            "edit",
            r#"{"operations": [{"op": "delete", "occurrence": 0, "text": "x"}]}"#,
            &[
                ("path", "Present(\"string\")", "nothing"),
                ("operations[0].op", "OneOf", "\"delete\""),
                ("operations[0].occurrence", "Between(1,", "0"),
                ("operations[0].text", "known: [\"op\", \"hash\",", "\"x\""),
            ],
        );
        check_row(
            "edit",
            r#"{"path": null, "operations": []}"#,
            &[("path", "Present(\"string\")", "nothing"), ("operations", "NotEmpty", "[]")],
        );
        check_row(
            "edit_file",
            r#"{"path": "a", "edits": {"oldText": "a"}}"#,
            &[("edits", "array", "an object with 1 fields")],
        );
    }

    #[test]
    fn a_tool_that_tells_all_gets_what_fits() {
        let text = r#"{"files": [1, {"docPath": "a", "changes": [{"operation": "x", "expectedLineBefore": null,
            "newLines": ["a", 2], "changeId": {}}]}], "batchKey": 5}"#;
        let args = checked("workspace_write_patch", text).unwrap();
        let places: Vec<&str> = args.unfit().iter().map(|fault| fault.at.as_str()).collect();
        let change = "files[1].changes[0]";
        let want = [
            "files[0]".to_owned(),
            "files[1].originalSha256".to_owned(),
            format!("{change}.operation"),
            format!("{change}.newLines[1]"),
            "batchKey".to_owned(),
        ];
        assert_eq!(places, want);
        assert_eq!(args.value("batchKey"), Some(&Value::Unfit));
        let [Value::Unfit, Value::Record(file)] = args.list("files") else { panic!("{args:?}") };
        let [Value::Record(change)] = file.list("changes") else { panic!("{file:?}") };
        assert_eq!(change.value("expectedLineBefore"), Some(&Value::Null));
        assert_eq!(change.list("newLines").len(), 2, "what does not fit keeps its place");
        check_row("workspace_write_patch", "[]", &[("", "Type(\"object\")", "an array of 0")]);
    }

    #[test]
    fn a_null_that_must_be_there_is_missing() {
        check_row(
            "search_files",
            r#"{"query": "a", "mode": null}"#,
            &[("mode", "Chosen([\"path\", \"text\", \"regex\"])", "nothing")],
        );
        check_row("edit_file", r#"{"path": "a", "edits": [null]}"#, &[("edits[0]", "Type(\"object\")", "null")]);
        check_row(
            "edit_file",
            r#"{"path": "a", "edits": [{"oldText": null, "newText": null}]}"#,
            &[("edits[0].oldText", "Present", "nothing"), ("edits[0].newText", "Present", "nothing")],
        );
    }

    #[test]
    fn unknown_fields() {
        check_row(
            "edit_file",
            r#"{"path": "a", "edits": [{"oldText": "a", "newText": "b"}], "expectedSha": "x"}"#,
            &[("expectedSha", "meant: Some(\"expectedSha256\")", "\"x\"")],
        );
        check_row("read_file", r#"{"path": "a", "colour": null}"#, &[("colour", "meant: None", "null")]);
        check_row("list_trash", r#"{"path": "a"}"#, &[("path", "known: []", "\"a\"")]);
    }

    #[test]
    fn all_at_once() {
        check_row(
            "edit_file",
            r#"{"filePath": "a", "edits": [{"search": "x", "newText": 1}, "y"], "dryRun": 1}"#,
            &[
                ("path", "Present", "nothing"),
                ("filePath", "meant: Some(\"path\")", "\"a\""),
                ("edits[0].oldText", "Present", "nothing"),
                ("edits[0].search", "meant: Some(\"oldText\")", "\"x\""),
                ("edits[0].newText", "Type(\"string\")", "1"),
                ("edits[1]", "Type(\"object\")", "\"y\""),
                ("dryRun", "Type(\"boolean\")", "1"),
            ],
        );
        let many = format!(r#"{{"path": "a", "edits": [{}0]}}"#, "0,".repeat(100_000));
        assert_eq!(faults("edit_file", &many).len(), FAULTS_MAX);
    }
}

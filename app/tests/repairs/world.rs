//! The workspace of a row: its files, a session, and what a call comes to as a model reads it.

use crate::row::Row;
use patchwright_app::report::text::text;
use patchwright_app::report::{Sent, Telling};
use patchwright_app::wire;
use patchwright_core::outcome::Failed;
use patchwright_core::tool::Effect;
use patchwright_engine::{Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

pub(crate) struct World {
    root: TempDir,
    session: Session,
    hashes: bool,
    tools: Option<Vec<String>>,
    /// The lines of the files at the beginning, with their anchors.
    lines: Vec<(String, String)>,
    /// The files as the refused call left them.
    kept: BTreeMap<String, Vec<u8>>,
}

/// What a call came to.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) refused: bool,
    pub(crate) text: String,
}

/// Does this tool only look?
pub(crate) fn only_looks(tool: &str) -> bool {
    wire::tool(tool).is_ok_and(|tool| tool.effect == Effect::Looks)
}

impl World {
    pub(crate) fn new(row: &Row) -> World {
        let root = TempDir::new().unwrap();
        row.files.iter().for_each(|(path, what)| put(root.path(), path, what));
        let proof = if row.require_sha { Proof::HashOnly } else { Proof::HashOrLedger };
        let session = open(root.path(), proof);
        let mut world = World {
            root,
            session,
            hashes: row.require_sha,
            tools: row.tools.clone(),
            lines: Vec::new(),
            kept: BTreeMap::default(),
        };
        world.lines = row.files.keys().flat_map(|path| world.anchors(path)).collect();
        row.steps.iter().for_each(|step| world.step(step, &row.name));
        world
    }

    /// The lines of a file with the anchors that another session's reading prints.
    fn anchors(&self, path: &str) -> Vec<(String, String)> {
        let arguments = serde_json::json!({"path": path, "hashes": true});
        let read = self.call_in(&open(self.root.path(), Proof::HashOrLedger), "read_file", &arguments);
        let line = |line: &str| {
            let (head, text) = line.split_once("]|")?;
            let anchor = head.split(' ').next()?.split_once('#')?.1;
            Some((text.to_owned(), anchor.to_owned()))
        };
        read.text.lines().filter_map(line).collect()
    }

    fn step(&self, step: &Value, name: &str) {
        let made = |session: &Session, step: &Value| {
            let said = self.call_in(session, step[0].as_str().unwrap(), &step[1]);
            assert!(!said.refused, "{name}: {step}: {}", said.text);
        };
        if step.is_array() {
            made(&self.session, step);
        } else if step["other"].is_array() {
            made(&open(self.root.path(), Proof::Unchecked), &step["other"]);
        } else if let Some(path) = step["delete"].as_str() {
            fs::remove_file(self.root.path().join(path)).unwrap();
        } else {
            for (path, what) in step["write"].as_object().unwrap() {
                put(self.root.path(), path, what);
            }
        }
    }

    /// The row with what only its own workspace tells: `$TEXT` is the anchor that a reading prints for that line,
    /// `$short:TEXT` its first six digits, `$trash` the entry of the trash.
    pub(crate) fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text == "$trash" => {
                let trash = self.session.call(&wire::call("list_trash", "{}").unwrap(), &Quiet);
                patchwright_app::report::answer(&trash)["data"]["entries"][0]["trashId"].clone()
            }
            Value::String(text) => match text.split_once('$') {
                Some((before, line)) => format!("{before}{}", self.anchor(line)).into(),
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), self.filled(value))).collect(),
            other => other.clone(),
        }
    }

    fn anchor(&self, line: &str) -> String {
        let (line, after) =
            line.split_once(" [").map_or((line, String::new()), |(line, rest)| (line, format!(" [{rest}")));
        let (line, digits) = line.strip_prefix("short:").map_or((line, 0), |line| (line, 6));
        let printed = self.lines.iter().find(|(text, _)| text == line).unwrap_or_else(|| panic!("no line {line}"));
        let anchor = match digits {
            0 => printed.1.clone(),
            digits => format!("{:016x}", patchwright_core::anchor::line_hash(line.as_bytes()))[..digits].to_owned(),
        };
        anchor + &after
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Said {
        self.call_in(&self.session, tool, arguments)
    }

    fn call_in(&self, session: &Session, name: &str, arguments: &Value) -> Said {
        let Ok(tool) = wire::tool(name) else { return Said { refused: true, text: format!("no tool {name}") } };
        let said = arguments.to_string();
        let outcome = match wire::call(name, &said) {
            Ok(call) => session.call(&call, &Quiet),
            Err(wire::Rejected::Refused(refusal)) => Err(Failed::unrecorded(refusal).told_by(tool)),
            Err(other) => panic!("{other:?}"),
        };
        let given = wire::parse_json(&said).ok().filter(|_| said.len() <= wire::LONGEST_REPEATED);
        let arguments = given.and_then(|given| wire::refused_arguments(tool, &given, &outcome));
        let sent = arguments.map(|arguments| Sent { tool: tool.name, arguments, fits: wire::fits });
        let shown: Option<Vec<&str>> = self.tools.as_ref().map(|tools| tools.iter().map(String::as_str).collect());
        let tell = Telling { hashes: self.hashes, shown: shown.as_deref(), call: sent.as_ref() };
        Said { refused: outcome.is_err(), text: text(&outcome, &tell) }
    }

    /// Notes what the files are like now.
    pub(crate) fn keep(&mut self) {
        self.kept = tree(self.root.path());
    }

    /// Is everything as meant, and all else as it was?
    pub(crate) fn compare(&self, row: &Row, answer: &Said) -> Result<(), String> {
        if answer.refused {
            return Err(format!("refused again: {}", answer.text));
        }
        let mut want = self.kept.clone();
        for (path, what) in &row.want {
            match bytes(what) {
                Some(bytes) => want.insert(path.clone(), bytes),
                None => want.remove(path),
            };
        }
        let got = tree(self.root.path());
        if got != want {
            let shown = |tree: &BTreeMap<String, Vec<u8>>| {
                tree.iter()
                    .map(|(path, bytes)| format!("{path}={:?}", String::from_utf8_lossy(bytes)))
                    .collect::<Vec<_>>()
            };
            return Err(format!("not as meant: {:?} instead of {:?}", shown(&got), shown(&want)));
        }
        match &row.answer {
            Some(part) if !answer.text.contains(part) => Err(format!("another answer: {}", answer.text)),
            _ => Ok(()),
        }
    }
}

fn open(root: &Path, proof: Proof) -> Session {
    let options = Options { durability: Durability::None, home: home::at(), proof, ..Options::default() };
    Session::open(root, options).unwrap()
}

fn put(root: &Path, path: &str, what: &Value) {
    let at = root.join(path);
    if path.ends_with('/') {
        return fs::create_dir_all(at).unwrap();
    }
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    if let Some(target) = what["link"].as_str() {
        return std::os::unix::fs::symlink(target, at).unwrap();
    }
    fs::write(at, bytes(what).unwrap()).unwrap();
}

fn bytes(what: &Value) -> Option<Vec<u8>> {
    match what {
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(fields) => {
            let hex = fields["hex"].as_str().unwrap();
            Some((0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect())
        }
        _ => None,
    }
}

/// All files and links of a folder, but those of the record.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if name.starts_with(".patchwright") {
                continue;
            }
            if path.is_symlink() {
                found.insert(name, fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes());
            } else if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

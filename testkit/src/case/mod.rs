//! The case format: a folder `NNNN-name` with `before/`, `call.json`, `after/`, `reply.json` and `reply.txt`.
//!
//! `call.json` holds `tool` and `arguments` (or `argumentsText`, raw JSON text, for what a JSON value
//! cannot hold, such as duplicate keys), and optionally:
//! - `setup`: steps for what git cannot keep, see [`setup`];
//! - `session`: earlier calls of the same session, each `{tool, arguments, keep?, fails?}`; `keep` maps a
//!   name to a JSON pointer into the answer, for later use as `$kept:name`. A step `{do, …}` among them, as
//!   in `setup`, is what another program does meanwhile;
//! - `flags`: `unchecked`, `requireSha`, `durability`, `readOnly`, `unprotect` (a list), `settings` (text of
//!   `patchwright.toml`), `userSettings` (text of the user's own settings file);
//! - `exit`: the exit status, where it is not 0 for an answer that is ok and 1 for one that is not;
//! - `doors`: which doors, where not all (the command line has no ledger between calls);
//! - `expectTree`: corrections to the expected tree, path by path: `null` for absent, else
//!   `{mode?, link?, folder?, text?, hex?}`; with `count` the path and the text are written out as often,
//!   `{}` in them standing for the number;
//! - `repeat`: `{text, count}`, written out in the same way wherever the arguments have `$REPEAT`;
//! - `shows`: the statements of `spec/` that the case shows, such as `E12`; `cargo xtask tidy` compares them.
//!
//! Without `after/` the tree must not change. In arguments, `$ROOT` is the root's path and
//! `"$sha256:path"` the hash of a file before the call. What `reply.json` may hold: [`reply`]. `reply.txt` is the text
//! that a model reads, see [`text`]; tools that answer JSON as text have none.

mod bless;
mod many;
pub mod reply;
mod run;
pub mod setup;
pub mod text;

pub use bless::bless;
pub use run::{Answer, Door, Finished, run};

use crate::tree::{Item, Tree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What `call.json` may hold.
const KEYS: &[&str] = &[
    "tool",
    "arguments",
    "argumentsText",
    "setup",
    "session",
    "flags",
    "exit",
    "doors",
    "expectTree",
    "repeat",
    "shows",
    "comment",
];

/// One case, read and ready to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// The folder's name.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// The tree to begin with.
    pub before: Tree,
    /// What git cannot keep.
    pub setup: Vec<Value>,
    /// What came before the call in the same session.
    pub session: Vec<Earlier>,
    /// The call itself.
    pub call: Step,
    /// The statements of the specification that it shows.
    pub shows: Vec<String>,
    /// How the workspace is opened.
    pub flags: Flags,
    /// Which doors; all if not given.
    pub doors: Option<Vec<String>>,
    /// The tree afterwards; unchanged if not given.
    pub after: Option<Tree>,
    /// Corrections to the expected tree.
    pub expect_tree: BTreeMap<String, Value>,
    /// The expected answer.
    pub reply: Value,
    /// The same as it was written, with lists of many in short.
    pub written: Value,
    /// The expected text, as far as there is one.
    pub text: Option<String>,
    /// The expected exit status.
    pub exit: i32,
}

/// Something that came before the call.
#[derive(Clone, Debug)]
pub enum Earlier {
    /// A call of the same session.
    Call(Step),
    /// What another program did; as in `setup`.
    Foreign(Value),
}

/// One call.
#[derive(Clone, Debug)]
pub struct Step {
    /// The tool.
    pub tool: String,
    /// Its arguments, as JSON text.
    pub arguments: String,
    /// What of the answer later calls need: name and JSON pointer.
    pub keep: BTreeMap<String, String>,
    /// Does the answer say that it failed?
    pub fails: bool,
}

/// How the workspace is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// No proof of sight is asked for.
    pub unchecked: bool,
    /// Only a hash counts as proof.
    pub require_sha: bool,
    /// `full`, `process` or `none`.
    pub durability: Option<String>,
    /// Nothing may be changed.
    pub read_only: bool,
    /// What is protected by default and is not to be: `git`, `secrets`.
    pub unprotect: Vec<String>,
    /// The text of the settings file.
    pub settings: Option<String>,
    /// The text of the user's own settings file.
    pub user_settings: Option<String>,
}

/// All cases below a folder, by name.
pub fn all(folder: &Path) -> Result<Vec<Case>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders.iter().map(|path| Case::read(path)).collect()
}

impl Case {
    /// Reads one case.
    pub fn read(folder: &Path) -> Result<Case, String> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Case::parse(folder, &name).map_err(|what| format!("{name}: {what}"))
    }

    fn parse(folder: &Path, name: &str) -> Result<Case, String> {
        let call = json(&folder.join("call.json"))?;
        known_keys(&call, KEYS)?;
        let reply_path = folder.join("reply.json");
        let written = if reply_path.exists() { json(&reply_path)? } else { Value::Null };
        let reply = many::lists(&written)?;
        let fine = [reply.get("ok"), reply.get("successful")].contains(&Some(&Value::Bool(true)));
        let list = |key: &str| call.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let session: Result<Vec<Earlier>, String> = list("session").iter().map(Earlier::parse).collect();
        let texts =
            |key: &str| list(key).iter().filter_map(|one| Some(one.as_str()?.to_owned())).collect::<Vec<String>>();
        let expect_tree = call.get("expectTree").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut step = Step::parse(&call)?;
        step.arguments = many::arguments(&step.arguments, call.get("repeat"))?;
        Ok(Case {
            name: name.to_owned(),
            folder: folder.to_owned(),
            before: fixture(&folder.join("before"))?.unwrap_or_default(),
            setup: many::steps(list("setup"))?,
            session: session?,
            call: step,
            shows: texts("shows"),
            flags: Flags::parse(call.get("flags"))?,
            doors: call.get("doors").map(|_| texts("doors")),
            after: fixture(&folder.join("after"))?,
            expect_tree: many::corrections(expect_tree)?.into_iter().collect(),
            reply,
            written,
            text: optional(&folder.join("reply.txt"))?,
            exit: match call.get("exit").and_then(Value::as_i64) {
                Some(exit) => i32::try_from(exit).map_err(|error| error.to_string())?,
                None => i32::from(!fine),
            },
        })
    }

    /// Is a text due, beside the answer as JSON?
    pub fn has_text(&self) -> bool {
        self.uses("mcp") && !answers_json(&self.call.tool)
    }

    /// Does this case go through that door?
    pub fn uses(&self, door: &str) -> bool {
        self.doors.as_ref().is_none_or(|doors| doors.iter().any(|name| name == door))
    }
}

impl Earlier {
    fn parse(value: &Value) -> Result<Earlier, String> {
        match value.get("do") {
            Some(_) => Ok(Earlier::Foreign(value.clone())),
            None => Step::parse(value).map(Earlier::Call),
        }
    }
}

impl Step {
    fn parse(value: &Value) -> Result<Step, String> {
        let tool = value.get("tool").and_then(Value::as_str).ok_or("a call without a tool")?.to_owned();
        let arguments = match (value.get("arguments"), value.get("argumentsText").and_then(Value::as_str)) {
            (Some(arguments), None) => arguments.to_string(),
            (None, Some(text)) => text.to_owned(),
            (None, None) => "{}".to_owned(),
            (Some(_), Some(_)) => return Err("both arguments and argumentsText".to_owned()),
        };
        let keep = value.get("keep").and_then(Value::as_object).cloned().unwrap_or_default();
        let keep = keep.into_iter().filter_map(|(name, at)| Some((name, at.as_str()?.to_owned())));
        let fails = value.get("fails").and_then(Value::as_bool).unwrap_or_default();
        Ok(Step { tool, arguments, keep: keep.collect(), fails })
    }
}

impl Flags {
    fn parse(value: Option<&Value>) -> Result<Flags, String> {
        let Some(value) = value else { return Ok(Flags::default()) };
        known_keys(
            value,
            &["unchecked", "requireSha", "durability", "readOnly", "unprotect", "settings", "userSettings"],
        )?;
        let flag = |key: &str| value.get(key).and_then(Value::as_bool).unwrap_or_default();
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let words = |key: &str| {
            let list = value.get(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Ok(Flags {
            unchecked: flag("unchecked"),
            require_sha: flag("requireSha"),
            durability: text("durability"),
            read_only: flag("readOnly"),
            unprotect: words("unprotect"),
            settings: text("settings"),
            user_settings: text("userSettings"),
        })
    }
}

/// Is the text of this tool's answers their JSON?
pub fn answers_json(tool: &str) -> bool {
    tool.starts_with("workspace_")
}

/// A misspelt key must not switch a check off.
fn known_keys(value: &Value, known: &[&str]) -> Result<(), String> {
    let keys = value.as_object().ok_or("not a JSON object")?.keys();
    match keys.into_iter().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key {key:?}")),
        None => Ok(()),
    }
}

fn json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn optional(path: &Path) -> Result<Option<String>, String> {
    match path.exists() {
        true => fs::read_to_string(path).map(Some).map_err(|error| format!("{}: {error}", path.display())),
        false => Ok(None),
    }
}

/// A folder of fixtures; git keeps only whether a file can be run, so that is all that is taken over.
fn fixture(path: &Path) -> Result<Option<Tree>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let mut tree = Tree::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    for item in tree.items.values_mut() {
        if let Item::File { mode, .. } = item {
            *mode = if *mode & 0o100 == 0 { 0o644 } else { 0o755 };
        }
    }
    Ok(Some(tree))
}

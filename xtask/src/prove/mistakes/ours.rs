//! Our own tools, through the library: a session in a folder in memory, another one beside it, and a file of its own for
//! each call.

use super::ask::Dialect;
use super::case::{Case, Times};
use super::judge::{Told, Tried};
use super::text::Text;
use crate::failure::Failure;
use crate::prove::scratch;
use patchwright_engine::core::outcome::{Answer, Trouble, ViewContent};
use patchwright_engine::core::tool::{Args, Call, Hashes, ReadFile, Value, find};
use patchwright_engine::{Durability, HomeAt, Options, Quiet, Session};
use patchwright_testkit::tree::{Item, Tree};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

/// Bits that no umask gives, so that a lost mode shows.
const MODE: u32 = 0o620;

/// A session.
pub(super) struct Ours {
    pub(super) place: TempDir,
    pub(super) workspace: Session,
    /// Somebody else's, in the same folder.
    pub(super) other: Session,
    _home: TempDir,
}

impl Ours {
    pub(super) fn open() -> Result<Ours, Failure> {
        let (place, home) = (scratch()?, scratch()?);
        let open = || {
            let at = HomeAt::Folder(home.path().to_owned());
            let options = Options { durability: Durability::None, home: at, ..Options::default() };
            Session::open(place.path(), options).map_err(|trouble| broken(&trouble))
        };
        let (workspace, other) = (open()?, open()?);
        Ok(Ours { place, workspace, other, _home: home })
    }

    /// Tries a case; nothing if it cannot come about, because a first call was refused.
    pub(super) fn attempt(&self, case: &Case) -> Result<Option<Tried>, Failure> {
        lay(self.place.path(), &case.path, &case.seen.bytes())?;
        self.read(case)?;
        let (tool, arguments) = case.ask.call(&case.path, case.hash);
        if case.times == Times::Again {
            if told(&self.workspace, tool, &arguments)? != Told::Done {
                clear(self.place.path(), &case.path)?;
                return Ok(None);
            }
        } else if case.disk != case.seen && case.dialect == Dialect::Strings {
            self.other_writes(&case.path, &case.disk)?;
        } else if case.disk != case.seen {
            lay(self.place.path(), &case.path, &case.disk.bytes())?;
        }
        let told = told(&self.workspace, tool, &arguments)?;
        let (found, stray) = look(self.place.path(), &case.path)?;
        clear(self.place.path(), &case.path)?;
        Ok(Some(Tried { told, found, stray }))
    }

    /// Reads the file as a caller does who is about to edit it.
    fn read(&self, case: &Case) -> Result<(), Failure> {
        let hashes = if case.dialect.root() == Dialect::Anchors { Hashes::Yes } else { Hashes::No };
        let ask = ReadFile { hashes, ..ReadFile::new(case.path.as_str()) };
        let reply = self.workspace.read_file(&ask, &Quiet).map_err(|trouble| broken(&trouble))?;
        let whole = matches!(&reply.answer, Answer::File(view) if view.cut.is_none()
            && matches!(&view.content, ViewContent::Text(text) if hashes == Hashes::Yes || *text == case.seen.shown()));
        if whole {
            Ok(())
        } else {
            Err(Failure::new(format!("{}: a reading shows something else", case.name), "look at read_file"))
        }
    }

    /// The other session reads the file and gives it this text, so that what it said before is on record.
    pub(super) fn other_writes(&self, path: &str, text: &Text) -> Result<(), Failure> {
        let content = String::from_utf8(text.bytes()).unwrap_or_default();
        let write = json!({"path": path, "content": content, "newline": "verbatim"});
        let calls = [("read_file", json!({"path": path})), ("write_file", write)];
        for (tool, arguments) in calls {
            let came = told(&self.other, tool, &arguments)?;
            if came != Told::Done {
                return Err(Failure::new(format!("{tool} of another session: {came:?}"), "run the call by hand"));
            }
        }
        Ok(())
    }
}

/// What a session is told about a call.
pub(super) fn told(session: &Session, tool: &str, arguments: &serde_json::Value) -> Result<Told, Failure> {
    let call = match (find(tool), value(arguments)) {
        (Some(tool), Value::Record(args)) => Call::new(tool, &args),
        _ => return Err(Failure::new(format!("there is no tool {tool}"), "look at the suite")),
    };
    let call = match call {
        Ok(call) => call,
        Err(refusal) => return Ok(Told::Refused(refusal.kind().name().to_owned())),
    };
    match session.call(&call, &Quiet) {
        Ok(_) => Ok(Told::Done),
        Err(failed) => match &failed.trouble {
            Trouble::Refused(refusal) => Ok(Told::Refused(refusal.kind().name().to_owned())),
            Trouble::Fault(_) => Err(broken(&failed.trouble)),
        },
    }
}

/// Plain JSON as arguments. Our calls fit their schema; the doors check that, and the library trusts it.
fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(flag) => Value::Flag(*flag),
        serde_json::Value::Number(number) => number.as_i64().map_or(Value::Unfit, Value::Whole),
        serde_json::Value::String(text) => Value::Text(text.clone()),
        serde_json::Value::Array(items) => Value::List(items.iter().map(value).collect()),
        serde_json::Value::Object(fields) => {
            Value::Record(Args::new(fields.iter().map(|(name, field)| (name.clone(), value(field))).collect()))
        }
    }
}

/// A folder in memory where there is one.
pub(super) fn scratch() -> Result<TempDir, Failure> {
    scratch::in_memory().map_or_else(scratch::on_disk, Ok)
}

/// Writes a file in a folder of its own.
pub(super) fn lay(root: &Path, path: &str, bytes: &[u8]) -> Result<(), Failure> {
    let place = root.join(path);
    let fail = |error: std::io::Error| Failure::io(place.display(), &error);
    std::fs::create_dir_all(place.parent().unwrap_or(root)).map_err(fail)?;
    std::fs::write(&place, bytes).map_err(fail)?;
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(MODE)).map_err(fail)
}

/// What stands there now, and what should not be so.
pub(super) fn look(root: &Path, path: &str) -> Result<(Vec<u8>, Option<String>), Failure> {
    let (folder, file) = path.split_once('/').unwrap_or(("", path));
    let place = root.join(folder);
    let tree = Tree::read(&place).map_err(|error| Failure::io(place.display(), &error))?;
    let others: Vec<&String> = tree.items.keys().filter(|name| *name != file).collect();
    let stray = others.first().map(|name| format!("{name} should not be there"));
    Ok(match tree.items.get(file) {
        Some(Item::File { bytes, mode: MODE }) => (bytes.clone(), stray),
        Some(Item::File { bytes, mode }) => (bytes.clone(), Some(format!("the mode is {mode:o}"))),
        _ => (Vec::new(), Some("the file is gone".to_owned())),
    })
}

pub(super) fn clear(root: &Path, path: &str) -> Result<(), Failure> {
    let folder = root.join(path.split('/').next().unwrap_or(path));
    std::fs::remove_dir_all(&folder).map_err(|error| Failure::io(folder.display(), &error))
}

fn broken(trouble: &Trouble) -> Failure {
    Failure::new(format!("{trouble:?}"), "look after the disk of the scratch folder")
}

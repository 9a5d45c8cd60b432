//! Running a case through a door: a fresh folder, the calls, then the whole tree, the answer and the
//! exit status compared.

use super::reply::{Facts, difference, hash};
use super::setup::{bytes_of_hex, mode_of, step};
use super::text::marked;
use super::{Case, Earlier, Flags, Step};
use crate::tree::{Item, Tree, times};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// One way of calling tools: the library, the command line, a protocol.
pub trait Door {
    /// The name that `doors` in a case uses.
    fn name(&self) -> &'static str;

    /// Opens the workspace; one session begins.
    fn open(&mut self, root: &Path, flags: &Flags) -> Result<(), String>;

    /// Makes one call with arguments as JSON text.
    fn call(&mut self, tool: &str, arguments: &str) -> Result<Answer, String>;

    /// Ends the session. Looks the record over: what is wrong with it is an error.
    fn close(&mut self) -> Result<(), String>;
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The answer object.
    pub reply: Value,
    /// The text that a model reads, at doors that have one.
    pub text: Option<String>,
    /// The exit status, at doors that have one.
    pub exit: Option<i32>,
}

/// A case that was run, with all that comparing needs.
pub struct Finished {
    /// What came back.
    pub answer: Answer,
    /// The tree before the call, after setup and earlier calls.
    pub before: Tree,
    /// The tree after it.
    pub found: Tree,
    root: PathBuf,
    outside: (Tree, Tree),
    touched: Vec<String>,
    _place: TempDir,
}

/// Runs a case through a door and compares everything. What is wrong, a line each.
pub fn run(case: &Case, door: &mut dyn Door) -> Result<(), String> {
    let finished = Finished::of(case, door).map_err(|what| format!("{} through {}: {what}", case.name, door.name()))?;
    let wrong = finished.wrong(case)?;
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} through {}:\n  {}", case.name, door.name(), wrong.join("\n  ")))
}

impl Finished {
    /// Makes the calls, compares nothing.
    pub fn of(case: &Case, door: &mut dyn Door) -> Result<Finished, String> {
        let place = tempfile::tempdir().map_err(|error| error.to_string())?;
        // Spelt without links, so that answers can be compared with it.
        let root = fs::canonicalize(place.path()).map_err(|error| error.to_string())?.join("ws");
        prepare(case, &root)?;
        door.open(&root, &case.flags)?;
        let mut kept = BTreeMap::new();
        for earlier in &case.session {
            match earlier {
                Earlier::Call(call) => make(door, call, &root, &mut kept)?,
                Earlier::Foreign(change) => step(&root, change)?,
            }
        }
        let (before, outside_before) = (read(&root)?, outside(&root)?);
        let then = times(&root, &before).map_err(|error| error.to_string())?;
        let arguments = filled(&case.call.arguments, &root, &before, &kept);
        let answer = door.call(&case.call.tool, &arguments)?;
        door.close()?;
        let (found, outside_after) = (read(&root)?, outside(&root)?);
        let now = times(&root, &found).map_err(|error| error.to_string())?;
        let touched = then.iter().filter(|(path, time)| now.get(*path).is_some_and(|later| later != *time));
        let touched = touched.map(|(path, _)| path.clone()).collect();
        Ok(Finished { answer, before, found, root, outside: (outside_before, outside_after), touched, _place: place })
    }

    /// The root's path.
    pub fn root_text(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }

    /// The tree that the case expects.
    pub fn expected(&self, case: &Case) -> Result<Tree, String> {
        let mut tree = self.before.clone();
        if let Some(after) = &case.after {
            // What only setup made, and the settings file, are not in `after/`; folders never go away.
            let stays = |path: &String, item: &Item| !case.before.items.contains_key(path) || *item == Item::Folder;
            tree.items.retain(|path, item| after.items.contains_key(path) || stays(path, item));
            for (path, item) in &after.items {
                let old = self.before.items.get(path);
                tree.items.insert(path.clone(), with_old_mode(item, old));
            }
        }
        for (path, wanted) in &case.expect_tree {
            correct(&mut tree, path, wanted)?;
        }
        tree.add_parents();
        Ok(tree)
    }

    /// The text as `reply.txt` keeps it; nothing where none is due.
    pub fn marked_text(&self, case: &Case) -> Option<String> {
        let text = self.answer.text.as_deref().filter(|_| case.has_text())?;
        Some(marked(text, &self.answer.reply, &self.root_text()))
    }

    /// How the text is unlike what was expected.
    fn other_text(&self, case: &Case) -> Option<String> {
        let found = self.marked_text(case)?;
        let wanted = case.text.as_deref().unwrap_or_default();
        let ends = |text: &str| text.trim_end_matches('\n').to_owned();
        let other = || format!("reply.txt:\n--- expected\n{wanted}\n+++ found\n{found}");
        (ends(wanted) != ends(&found)).then(other)
    }

    fn wrong(&self, case: &Case) -> Result<Vec<String>, String> {
        let expected = self.expected(case)?;
        let root = self.root_text();
        let facts = Facts { root: &root, before: &self.before, after: &expected };
        let mut lines = difference(&case.reply, &self.answer.reply, &facts);
        lines.extend(self.other_text(case));
        lines.extend(expected.difference(&self.found));
        lines.extend(
            self.outside.0.difference(&self.outside.1).iter().map(|line| format!("outside the workspace: {line}")),
        );
        lines.extend(self.found.litter().iter().map(|path| format!("litter: {path}")));
        if case.after.is_none() && case.expect_tree.is_empty() {
            lines.extend(self.touched.iter().map(|path| format!("{path}: written, though nothing changes")));
        }
        match self.answer.exit {
            Some(exit) if exit != case.exit => lines.push(format!("exit status {exit}, expected {}", case.exit)),
            _ => {}
        }
        Ok(lines)
    }
}

fn prepare(case: &Case, root: &Path) -> Result<(), String> {
    let made = fs::create_dir(root).and_then(|()| case.before.write(root));
    made.map_err(|error| error.to_string())?;
    if let Some(settings) = &case.flags.settings {
        fs::write(root.join("patchwright.toml"), settings).map_err(|error| error.to_string())?;
    }
    case.setup.iter().try_for_each(|one| step(root, one))
}

/// An earlier call of the session.
fn make(door: &mut dyn Door, call: &Step, root: &Path, kept: &mut BTreeMap<String, String>) -> Result<(), String> {
    let arguments = filled(&call.arguments, root, &read(root)?, kept);
    let answer = door.call(&call.tool, &arguments)?.reply;
    let fine = answer.get("ok").or_else(|| answer.get("successful")) == Some(&Value::Bool(true));
    if fine == call.fails {
        return Err(format!("earlier call of {} answered {answer}", call.tool));
    }
    for (name, at) in &call.keep {
        let value = answer.pointer(at).and_then(Value::as_str);
        let value = value.ok_or_else(|| format!("nothing to keep at {at} in {answer}"))?;
        kept.insert(name.clone(), value.to_owned());
    }
    Ok(())
}

/// Arguments with their placeholders replaced. Works on the text, which need not be sound JSON.
fn filled(arguments: &str, root: &Path, tree: &Tree, kept: &BTreeMap<String, String>) -> String {
    let with_root = arguments.replace("$ROOT", &root.to_string_lossy());
    let with_kept = replaced(&with_root, "$kept:", |name| kept.get(name).cloned());
    replaced(&with_kept, "$sha256:", |path| hash(tree, path))
}

fn replaced(text: &str, mark: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = text.split(mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find('"').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        out.push_str(&value(name).unwrap_or_else(|| format!("{mark}{name}")));
        out.push_str(rest);
    }
    out
}

fn read(root: &Path) -> Result<Tree, String> {
    Tree::read(root).map_err(|error| format!("{}: {error}", root.display()))
}

/// What lies beside the workspace.
fn outside(root: &Path) -> Result<Tree, String> {
    let mut tree = read(root.parent().unwrap_or(root))?;
    tree.items.retain(|path, _| path != "ws" && !path.starts_with("ws/"));
    Ok(tree)
}

/// A fixture knows only whether a file can be run; what was there before keeps its mode.
fn with_old_mode(item: &Item, old: Option<&Item>) -> Item {
    match (item, old) {
        (Item::File { bytes, .. }, Some(Item::File { mode, .. })) => Item::File { bytes: bytes.clone(), mode: *mode },
        _ => item.clone(),
    }
}

fn correct(tree: &mut Tree, path: &str, wanted: &Value) -> Result<(), String> {
    if wanted.is_null() {
        tree.items.remove(path);
        return Ok(());
    }
    let text = |key: &str| wanted.get(key).and_then(Value::as_str);
    let old = tree.items.get(path).cloned();
    let (mut bytes, mut mode) = match old {
        Some(Item::File { bytes, mode }) => (bytes, mode),
        _ => (Vec::new(), 0o644),
    };
    if let Some(target) = text("link") {
        tree.items.insert(path.to_owned(), Item::Link(target.as_bytes().to_vec()));
        return Ok(());
    }
    if wanted.get("folder") == Some(&Value::Bool(true)) {
        tree.items.insert(path.to_owned(), Item::Folder);
        return Ok(());
    }
    if let Some(content) = text("text") {
        bytes = content.as_bytes().to_vec();
    }
    if let Some(hex) = text("hex") {
        bytes = bytes_of_hex(hex)?;
    }
    if let Some(octal) = text("mode") {
        mode = mode_of(octal)?;
    }
    tree.items.insert(path.to_owned(), Item::File { bytes, mode });
    Ok(())
}

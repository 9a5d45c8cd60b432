//! Voyages made by chance: edits, patches, deletes, moves, undos, restores, proposals, and now and then a call that
//! must be refused.
//!
//! Knows just enough of what each call does to make the next one a sensible one. What a call really leaves is seen in
//! the rehearsal.

use super::voyage::Voyage;
use crate::prove::workload::{Call, file};
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::dice::Dice;
use patchwright_testkit::tree::Tree;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many files there are at first.
const FILES: usize = 7;

/// The texts by path.
type Texts = BTreeMap<String, String>;

/// A voyage in the making.
struct Route<'a> {
    dice: &'a mut Dice,
    calls: Vec<Call>,
    now: Texts,
    /// Before the last batch.
    then: Texts,
    /// What the last call threw away, if it was a single file.
    thrown: Option<(String, String)>,
    /// Makes every text unlike all others.
    turn: usize,
}

/// A voyage of at least so many calls.
pub(crate) fn chance(name: String, length: usize, dice: &mut Dice) -> Voyage {
    let now: Texts = (0..FILES).map(|at| (place(at), text(0, at * 700))).collect();
    let mut before = Tree::default();
    for (at, (path, text)) in now.iter().enumerate() {
        before.items.insert(path.clone(), file(text.clone(), if at.is_multiple_of(2) { 0o644 } else { 0o755 }));
    }
    before.add_parents();
    let mut route = Route { dice, calls: Vec::new(), then: now.clone(), now, thrown: None, turn: 0 };
    while route.calls.len() < length {
        route.step();
    }
    Voyage { name, before, calls: route.calls }
}

impl Route<'_> {
    fn step(&mut self) {
        self.turn = self.turn.saturating_add(1);
        let thrown = self.thrown.take();
        match (self.dice.below(12), thrown) {
            (0..4, Some((path, text))) => self.restore(path, text),
            (0..3, _) => self.patch(),
            (3 | 4, _) => self.edit(),
            (5, _) => self.overwrite(),
            (6, _) => self.create(),
            (7, _) => self.delete(),
            (8, _) => self.rename(),
            (9, _) => self.undo(),
            (10, _) => self.propose(),
            _ => self.refused(),
        }
    }

    fn patch(&mut self) {
        let (sections, next) = self.sections();
        self.change("apply_patch", json!({"patch": sections, "createParentDirectories": true}), next);
    }

    /// A proposal, and at once its application.
    fn propose(&mut self) {
        let (sections, next) = self.sections();
        let patch = json!({"patch": sections, "createParentDirectories": true, "mode": "propose"});
        self.calls.push(Call { tool: "apply_patch", arguments: patch });
        self.change("apply_batch", json!({"batchId": "$BATCH"}), next);
    }

    fn edit(&mut self) {
        let Some((path, old)) = self.any() else { return };
        let (from, to) = (mark(&old).to_owned(), format!("mark {}", self.turn));
        let new = old.replacen(&from, &to, 1);
        let arguments = json!({"path": path, "edits": [{"oldText": from, "newText": to}], "expectedSha256": sha(&old)});
        self.change_one("edit_file", arguments, path, Some(new));
    }

    fn overwrite(&mut self) {
        let Some((path, old)) = self.any() else { return };
        let new = self.fresh();
        let arguments = json!({"path": path, "content": new, "expectedSha256": sha(&old)});
        self.change_one("write_file", arguments, path, Some(new));
    }

    fn create(&mut self) {
        let (path, text) = (format!("made{}/in/file.txt", self.turn), self.fresh());
        let arguments = json!({"path": path, "content": text, "createParentDirectories": true});
        self.change_one("create_file", arguments, path, Some(text));
    }

    fn delete(&mut self) {
        let Some((path, old)) = self.any() else { return };
        let arguments = json!({"path": path, "expectedSha256": sha(&old)});
        self.change_one("delete_file", arguments, path.clone(), None);
        self.thrown = Some((path, old));
    }

    fn rename(&mut self) {
        let Some((path, old)) = self.any() else { return };
        let to = format!("to{}/file.txt", self.turn);
        let arguments =
            json!({"fromPath": path, "toPath": to, "createParentDirectories": true, "expectedSha256": sha(&old)});
        let mut next = self.now.clone();
        next.remove(&path);
        next.insert(to, old);
        self.change("move_file", arguments, next);
    }

    /// Takes the last batch back, which may itself be an undo.
    fn undo(&mut self) {
        if self.now != self.then {
            self.change("undo", json!({"batchId": "$BATCH"}), self.then.clone());
        }
    }

    fn restore(&mut self, path: String, text: String) {
        self.change_one("restore_file", json!({"trashId": "$TRASH"}), path, Some(text));
    }

    fn refused(&mut self) {
        let Some((path, old)) = self.any() else { return };
        let edits = json!([{"oldText": "it is not there", "newText": "x"}]);
        let arguments = json!({"path": path, "edits": edits, "expectedSha256": sha(&old)});
        self.calls.push(Call { tool: "edit_file", arguments });
    }

    /// The sections of a patch for one to six files, and the texts after it.
    fn sections(&mut self) -> (String, Texts) {
        let (mut patch, mut next) = ("*** Begin Patch\n".to_owned(), self.now.clone());
        let count = self.dice.below(6).saturating_add(1);
        let mut paths: Vec<(String, String)> = self.now.clone().into_iter().collect();
        for at in 0..count {
            let to = format!("new{}/{at}.txt", self.turn);
            let (path, old) = match paths.len() {
                0 => break,
                left => paths.swap_remove(self.dice.below(left)),
            };
            let new_mark = format!("mark {} {at}", self.turn);
            let hunk = format!("@@\n-{}\n+{new_mark}\n", mark(&old));
            let new = old.replacen(mark(&old), &new_mark, 1);
            match self.dice.below(6) {
                0 => {
                    patch.push_str(&format!("*** Add File: {to}\n+{new_mark}\n+end\n"));
                    next.insert(to, format!("{new_mark}\nend\n"));
                }
                1 if next.len() > 2 => {
                    patch.push_str(&format!("*** Delete File: {path}\n"));
                    next.remove(&path);
                }
                2 => {
                    patch.push_str(&format!("*** Update File: {path}\n*** Move to: {to}\n{hunk}"));
                    next.remove(&path);
                    next.insert(to, new);
                }
                _ => {
                    patch.push_str(&format!("*** Update File: {path}\n{hunk}"));
                    next.insert(path, new);
                }
            }
        }
        (patch + "*** End Patch\n", next)
    }

    fn any(&mut self) -> Option<(String, String)> {
        let at = self.dice.below(self.now.len());
        self.now.iter().nth(at).map(|(path, text)| (path.clone(), text.clone()))
    }

    fn fresh(&mut self) -> String {
        let size = self.dice.below(20_000);
        text(self.turn, size)
    }

    fn change_one(&mut self, tool: &'static str, arguments: Value, path: String, text: Option<String>) {
        let mut next = self.now.clone();
        match text {
            Some(text) => next.insert(path, text),
            None => next.remove(&path),
        };
        self.change(tool, arguments, next);
    }

    fn change(&mut self, tool: &'static str, arguments: Value, next: Texts) {
        self.calls.push(Call { tool, arguments });
        self.then = std::mem::replace(&mut self.now, next);
    }
}

/// The line that edits change: the first one.
fn mark(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn text(turn: usize, size: usize) -> String {
    let mut text = format!("mark {turn}\n");
    while text.len() < size {
        text.push_str(&format!("line {} of a text that nobody edits\n", text.len()));
    }
    text
}

fn place(at: usize) -> String {
    let folder = ["", "a/", "a/b/"].get(at % 3).copied().unwrap_or_default();
    format!("{folder}file{at}.txt")
}

fn sha(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}

//! A git history that is made up: some hundred commits over files of every style, the same on every
//! machine. `git fast-import` writes it.

use super::chance::Chance;
use super::git::git;
use super::model::Model;
use crate::failure::Failure;
use crate::run;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// How many commits are made.
pub(super) const COMMITS: usize = 400;
const SEED: u64 = 20_260_101;
const FOLDERS: &[&str] = &["", "src/", "src/deep/er/", "docs/", "with space/"];
const NEXT: &str = "look at what git says";

/// Makes a repository in an empty folder.
pub(super) fn make(folder: &Path) -> Result<(), Failure> {
    let mut init = git(folder);
    init.args(["init", "--quiet", "--bare", "--initial-branch=main", "."]);
    run::output(init, NEXT)?;
    let mut import = git(folder);
    import.args(["fast-import", "--quiet"]).stdin(Stdio::piped());
    let mut child = import.spawn().map_err(|error| Failure::io("git fast-import", &error))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(&stream(SEED)).map_err(|error| Failure::io("git fast-import", &error))?;
    }
    let status = child.wait().map_err(|error| Failure::io("git fast-import", &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new("git fast-import refused the history", NEXT)) }
}

/// The whole history as git reads it.
fn stream(seed: u64) -> Vec<u8> {
    let mut story = Story { chance: Chance::new(seed), files: BTreeMap::new(), touched: BTreeSet::new(), made: 0 };
    let mut out = Vec::new();
    for number in 0..COMMITS {
        for _ in 0..=story.chance.below(4) {
            story.turn();
        }
        out.extend(format!("commit refs/heads/main\ncommitter A <a@example.com> {number} +0000\ndata 0\n").bytes());
        story.tell(&mut out);
    }
    out
}

struct Story {
    chance: Chance,
    files: BTreeMap<String, Model>,
    /// What this commit has to tell.
    touched: BTreeSet<String>,
    /// How many names were given so far.
    made: usize,
}

impl Story {
    fn turn(&mut self) {
        let sort = if self.files.len() < 8 { 0 } else { self.chance.below(24) };
        match sort {
            0..=2 => {
                let (path, model) = (self.name(), Model::new(&mut self.chance));
                self.put(path, model);
            }
            3 => drop(self.take()),
            4 | 5 => {
                if let Some(mut model) = self.take() {
                    if self.chance.once_in(2) {
                        model.edit(&mut self.chance);
                    }
                    let path = self.name();
                    self.put(path, model);
                }
            }
            6 => self.change(Model::upset),
            _ => self.change(Model::edit),
        }
    }

    fn name(&mut self) -> String {
        self.made = self.made.saturating_add(1);
        format!("{}file{}.txt", self.chance.pick(FOLDERS, ""), self.made)
    }

    fn put(&mut self, path: String, model: Model) {
        self.touched.insert(path.clone());
        self.files.insert(path, model);
    }

    fn some_path(&mut self) -> Option<String> {
        let at = self.chance.below(self.files.len());
        self.files.keys().nth(at).cloned()
    }

    fn take(&mut self) -> Option<Model> {
        let path = self.some_path()?;
        let model = self.files.remove(&path);
        self.touched.insert(path);
        model
    }

    fn change(&mut self, how: fn(&mut Model, &mut Chance)) {
        if let Some(path) = self.some_path()
            && let Some(model) = self.files.get_mut(&path)
        {
            how(model, &mut self.chance);
            self.touched.insert(path);
        }
    }

    /// Writes what this commit touched.
    fn tell(&mut self, out: &mut Vec<u8>) {
        for path in std::mem::take(&mut self.touched) {
            match self.files.get(&path) {
                None => out.extend(format!("D {path}\n").bytes()),
                Some(model) => {
                    let (bytes, mode) = (model.bytes(), if model.executable { "100755" } else { "100644" });
                    out.extend(format!("M {mode} inline {path}\ndata {}\n", bytes.len()).bytes());
                    out.extend(bytes);
                    out.push(b'\n');
                }
            }
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_tells_the_same_story() {
        assert_eq!(stream(1), stream(1));
        assert_ne!(stream(1), stream(2));
    }
}

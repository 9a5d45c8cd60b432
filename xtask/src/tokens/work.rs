//! The piece of work: twenty edits in five files of a real crate, worked out from its text by a fixed rule.
//!
//! The crate is one that `Cargo.lock` pins, so the work is the same everywhere.

use crate::failure::Failure;
use crate::run;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The crate whose sources are edited, and which of its files.
const CRATE: &str = "similar";
const FILES: &[&str] =
    &["src/udiff.rs", "src/common.rs", "src/utils.rs", "src/algorithms/mod.rs", "src/algorithms/patience.rs"];

/// Edits in each file.
const EACH: usize = 4;

/// The shortest line that is edited; shorter ones are rarely alone in their file.
const SHORTEST: usize = 24;

/// Files by their paths.
pub(crate) type Tree = BTreeMap<String, String>;

/// One edit: some lines in the place of others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edit {
    pub(crate) path: String,
    /// How many lines stand above it.
    pub(crate) at: usize,
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
    /// The lines of the file before it.
    pub(crate) before: Vec<String>,
}

/// The whole of it.
pub(crate) struct Work {
    pub(crate) name: String,
    pub(crate) before: Tree,
    pub(crate) edits: Vec<Edit>,
    pub(crate) after: Tree,
}

impl Work {
    /// Reads the crate and works the edits out.
    pub(crate) fn of(root: &Path) -> Result<Work, Failure> {
        let (version, folder) = find(root)?;
        let mut before = Tree::new();
        for name in FILES {
            let file = folder.join(name);
            let text = std::fs::read_to_string(&file).map_err(|error| Failure::io(file.display(), &error))?;
            before.insert((*name).to_owned(), text);
        }
        let work = Work::over(format!("{CRATE} {version}"), before);
        let want = FILES.len().saturating_mul(EACH);
        if work.edits.len() != want {
            let what =
                format!("{} of {CRATE} {version} gives {} edits, not {want}", FILES.join(", "), work.edits.len());
            return Err(Failure::new(what, "choose other files in xtask/src/tokens/work.rs"));
        }
        Ok(work)
    }

    fn over(name: String, before: Tree) -> Work {
        let mut after = before.clone();
        let mut edits = Vec::new();
        for (path, text) in &mut after {
            for number in 0..EACH {
                if let Some(edit) = pick(path, text, number) {
                    *text = edit.result();
                    edits.push(edit);
                }
            }
        }
        Work { name, before, edits, after }
    }

    /// The files, each in the place where it is to be edited.
    pub(crate) fn lay(&self, folder: &Path) -> Result<(), Failure> {
        for (name, text) in &self.before {
            let file = folder.join(name);
            let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&file, text)).map_err(|error| Failure::io(file.display(), &error))?;
        }
        Ok(())
    }

    /// Is every file as it should be, to the byte?
    pub(crate) fn check(&self, who: &str, folder: &Path) -> Result<(), Failure> {
        for (name, want) in &self.after {
            let found = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            if found != *want {
                let line = found.lines().zip(want.lines()).position(|(found, want)| found != want);
                let line = line.map_or_else(|| "the end".to_owned(), |line| format!("line {}", line.saturating_add(1)));
                let what = format!("{who} left another {name} than the edits make, from {line} on");
                return Err(Failure::new(what, "look at its answers"));
            }
        }
        Ok(())
    }
}

fn find(root: &Path) -> Result<(String, PathBuf), Failure> {
    let metadata = run::metadata(root, &["--locked"])?;
    let packages = metadata.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let found = packages.iter().find(|package| package.get("name").and_then(Value::as_str) == Some(CRATE));
    let word = |key: &str| found.and_then(|package| package.get(key)).and_then(Value::as_str);
    match (word("version"), word("manifest_path").map(Path::new).and_then(Path::parent)) {
        (Some(version), Some(folder)) => Ok((version.to_owned(), folder.to_owned())),
        _ => Err(Failure::new(format!("{CRATE} is not among the dependencies"), "choose another crate in work.rs")),
    }
}

/// The edit with this number: at the first line, from its own part of the file on, that can be named by its text.
fn pick(path: &str, text: &str, number: usize) -> Option<Edit> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let part = lines.len().checked_div(EACH)?;
    let from = part.checked_mul(number)?;
    let last = lines.len().saturating_sub(3);
    let plain = |line: &String| line.trim().len() >= SHORTEST && !line.contains(['"', '\\', '\'']);
    let alone = |line: &String| lines.iter().filter(|one| *one == line).count() == 1;
    let good = |at: &usize| lines.get(*at).is_some_and(|line| plain(line) && alone(line));
    let code =
        |at: &usize| lines.get(*at).is_some_and(|line| !line.trim().is_empty() && !line.contains(['"', '\\', '\'']));
    let comment = |at: &usize| lines.get(*at).is_some_and(|line| line.trim_start().starts_with("//"));
    let ends = |at: &usize| lines.get(*at).is_some_and(|line| line.trim_end().ends_with(';'));
    let mut places = (from.max(1)..last).chain(1..from);
    let (at, length) = match number {
        // One line changed.
        0 => (places.find(|at| good(at) && ends(at))?, 1),
        // Two lines added below a statement.
        1 => (places.find(|at| good(at) && ends(at))?.saturating_add(1), 0),
        // Three lines changed.
        2 => (places.find(|at| good(at) && (*at..at.saturating_add(3)).all(|one| code(&one)))?, 3),
        // A line of comment taken out.
        _ => (places.find(|at| good(at) && comment(at))?, 1),
    };
    let old: Vec<String> = lines.get(at..at.checked_add(length)?)?.to_vec();
    let indent: String = lines.get(at.saturating_sub(1))?.chars().take_while(|c| *c == ' ').collect();
    let new = match number {
        1 => vec![format!("{indent}// The order matters here: what follows"), format!("{indent}// relies on it.")],
        0 | 2 => old.iter().map(|line| format!("{line} // looked at again")).collect(),
        _ => Vec::new(),
    };
    Some(Edit { path: path.to_owned(), at, old, new, before: lines })
}

impl Edit {
    /// The first line below it.
    pub(crate) fn end(&self) -> usize {
        self.at.saturating_add(self.old.len())
    }

    /// The line directly above.
    pub(crate) fn above(&self) -> String {
        self.before.get(self.at.saturating_sub(1)).cloned().unwrap_or_default()
    }

    /// Where a quotation has to begin so that it names the place: something must be quoted and something must stay,
    /// and it must stand in the file once.
    pub(crate) fn start(&self) -> usize {
        let text = self.before.join("\n");
        let mut start = if self.old.is_empty() || self.new.is_empty() { self.at.saturating_sub(1) } else { self.at };
        // Some tools take a line break more where nothing is left.
        let names = |start| {
            let left = self.joined(start, &self.new);
            !left.trim().is_empty() && text.matches(&self.joined(start, &self.old)).count() == 1
        };
        while start > 0 && !names(start) {
            start = start.saturating_sub(1);
        }
        start
    }

    /// What is there and what comes in its place, as texts that name the place by themselves.
    pub(crate) fn quoted(&self) -> (String, String) {
        let start = self.start();
        (self.joined(start, &self.old), self.joined(start, &self.new))
    }

    fn joined(&self, start: usize, rest: &[String]) -> String {
        let context = self.before.get(start..self.at).unwrap_or_default();
        context.iter().chain(rest).map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// The file after it.
    fn result(&self) -> String {
        let (head, tail) = (self.before.get(..self.at), self.before.get(self.end()..));
        let all = head.unwrap_or_default().iter().chain(&self.new).chain(tail.unwrap_or_default());
        all.map(|line| format!("{line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Work {
        let line = |number: usize| match number % 3 {
            0 => format!("// a comment with the number {number:04}\n"),
            _ => format!("let some_variable_{number:04} = {number};\n"),
        };
        Work::over("sample".into(), Tree::from([("a.rs".to_owned(), (0..60).map(line).collect())]))
    }

    #[test]
    fn every_edit_can_be_named_by_its_text() {
        let work = sample();
        assert_eq!(work.edits.len(), EACH);
        for edit in &work.edits {
            let (old, new) = edit.quoted();
            let text = edit.before.join("\n");
            assert_eq!(text.matches(&old).count(), 1, "{old}");
            assert_eq!(format!("{}\n", text.replacen(&old, &new, 1)), edit.result());
        }
    }

    #[test]
    fn kinds_of_edits() {
        let sizes: Vec<(usize, usize)> = sample().edits.iter().map(|edit| (edit.old.len(), edit.new.len())).collect();
        assert_eq!(sizes, [(1, 1), (0, 2), (3, 3), (1, 0)]);
    }
}

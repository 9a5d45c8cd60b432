//! How other programs save: beside the file and then over it, in the file itself, at its end, or by version control.
//!
//! Each save is remembered with its text and with the time from before it was begun to after it was done.

use crate::failure::Failure;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A manner of saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Editor {
    /// Writes beside the file, then renames over it.
    Renames,
    /// Empties the file and writes it anew, in two pieces.
    Truncates,
    /// Opens the file and adds a line at its end.
    Appends,
    /// `git checkout --force` of one commit after the other.
    ChecksOut,
}

/// A save that was made.
#[derive(Clone)]
pub(super) struct Saved {
    /// Stands in no other save.
    pub(super) word: String,
    /// The whole text, or the line that was appended.
    pub(super) text: String,
    pub(super) opened: Instant,
    pub(super) closed: Instant,
    /// Did the program say that it was done?
    pub(super) done: bool,
}

impl Editor {
    /// Does it hold the file open while it writes? Then what it writes can end in the file that we displaced.
    pub(super) fn holds_open(self) -> bool {
        self != Editor::Renames
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Editor::Renames => "renames",
            Editor::Truncates => "truncates",
            Editor::Appends => "appends",
            Editor::ChecksOut => "checks out",
        }
    }

    /// What a save of this word looks like.
    pub(super) fn text(self, word: &str, padding: usize) -> String {
        match self {
            Editor::Appends => format!("save {word}\n"),
            _ => format!("begin\nsave {word}\n{}\nend\n", "padding ".repeat(padding)),
        }
    }

    /// Saves one file.
    pub(super) fn save(self, path: &Path, word: &str, text: String) -> io::Result<Saved> {
        let opened = Instant::now();
        match self {
            Editor::Renames => rename_over(path, &text)?,
            Editor::Appends => OpenOptions::new().append(true).open(path)?.write_all(text.as_bytes())?,
            _ => in_place(path, text.as_bytes())?,
        }
        Ok(Saved { word: word.to_owned(), text, opened, closed: Instant::now(), done: true })
    }
}

fn rename_over(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension("editor~");
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

fn in_place(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    let (first, second) = text.split_at(text.len() / 2);
    file.write_all(first)?;
    file.write_all(second)
}

/// Makes a history in which every commit has another text for every file.
pub(super) fn history(root: &Path, files: &[&str], commits: &[String]) -> Result<(), Failure> {
    let mut script = String::new();
    for (at, word) in commits.iter().enumerate() {
        script.push_str(&format!("commit refs/heads/c{at}\ncommitter x <x@example.invalid> {at} +0000\ndata 1\nx\n"));
        for file in files {
            let text = Editor::ChecksOut.text(&format!("{word}-{file}"), at % 50);
            script.push_str(&format!("M 100644 inline {file}\ndata {}\n{text}\n", text.len()));
        }
    }
    let failed = |what: &str| Failure::new(format!("git {what} failed"), "look at git's version");
    let made = git(root).args(["init", "--quiet"]).status().is_ok_and(|status| status.success());
    let mut import = git(root);
    import.args(["fast-import", "--quiet"]).stdin(Stdio::piped());
    let mut import = import.spawn().map_err(|error| Failure::io("git fast-import", &error))?;
    if let Some(mut input) = import.stdin.take() {
        input.write_all(script.as_bytes()).map_err(|error| Failure::io("git fast-import", &error))?;
    }
    let imported = import.wait().is_ok_and(|status| status.success());
    if made && imported { Ok(()) } else { Err(failed("fast-import")) }
}

/// Checks a commit out over whatever is there; one save for each file.
pub(super) fn check_out(root: &Path, files: &[&str], at: usize, word: &str) -> io::Result<Vec<Saved>> {
    let opened = Instant::now();
    let status = git(root).args(["checkout", "--quiet", "--force", "--detach", &format!("c{at}")]).status()?;
    let (closed, done) = (Instant::now(), status.success());
    let save = |file: &&str| {
        let word = format!("{word}-{file}");
        let text = Editor::ChecksOut.text(&word, at % 50);
        Saved { word, text, opened, closed, done }
    };
    Ok(files.iter().map(save).collect())
}

/// Git without anybody's settings.
fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_OPTIONAL_LOCKS", "0")]
    {
        command.env(name, value);
    }
    command
}

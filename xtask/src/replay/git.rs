//! Edits out of a git history: every commit that is no merge, against its parent.
//!
//! Uses git's plumbing only, and reads each blob when its commit's turn comes. A first commit's parent is
//! the empty tree; commits that change no file are passed over.

use super::Bounds;
use super::edit::{Change, Edit, Edits, File, Mode, Reason};
use crate::failure::Failure;
use crate::run;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const NEXT: &str = "name a folder that holds a git repository";
/// The most commits that git lets one ask for.
const MOST: usize = 2_147_483_647;

/// How a file that got another name is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Renames {
    /// As a deletion and an addition.
    Apart,
    /// As a move, where git takes it for one.
    Found,
}

/// The commits of a repository.
pub(super) struct History {
    repository: PathBuf,
    commits: Vec<Commit>,
    max_file_bytes: usize,
}

struct Commit {
    id: String,
    entries: Vec<Entry>,
}

/// One line of a raw diff.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    modes: (String, String),
    blobs: (String, String),
    path: Vec<u8>,
    /// The new name, of a rename.
    to: Option<Vec<u8>>,
}

impl History {
    /// Reads which files each commit touches; newest commits first, and at most as many as the bounds say.
    pub(super) fn of(repository: &Path, renames: Renames, bounds: Bounds) -> Result<History, Failure> {
        let mut log = git(repository);
        log.args(["log", "--no-merges", "--format=%H", &format!("--max-count={}", bounds.limit.min(MOST))]);
        let ids = run::output(log, NEXT)?;
        let mut list = tempfile::tempfile().map_err(|error| Failure::io("a temporary file", &error))?;
        let rewound = list.write_all(&ids).and_then(|()| std::io::Seek::rewind(&mut list));
        rewound.map_err(|error| Failure::io("a temporary file", &error))?;
        let mut diff = git(repository);
        diff.args(["diff-tree", "--stdin", "-r", "-z", "--root", "--no-abbrev"]);
        diff.arg(if renames == Renames::Found { "-M" } else { "--no-renames" }).stdin(list);
        let done = diff.output().map_err(|error| Failure::io("git diff-tree", &error))?;
        if !done.status.success() {
            return Err(Failure::new(String::from_utf8_lossy(&done.stderr), NEXT));
        }
        let commits = commits(&done.stdout).ok_or_else(|| Failure::new("git diff-tree wrote what is no diff", NEXT))?;
        Ok(History { repository: repository.to_owned(), commits, max_file_bytes: bounds.max_file_bytes })
    }

    fn change(&self, entry: &Entry, blobs: &mut Blobs) -> Result<Result<Change, Reason>, Failure> {
        let side = |mode: &str| match mode {
            "000000" => Ok(None),
            "100644" | "100664" => Ok(Some(Mode::Plain)),
            "100755" => Ok(Some(Mode::Executable)),
            "160000" => Err(Reason::Submodule),
            _ => Err(Reason::Link),
        };
        let (old, new) = match (side(&entry.modes.0), side(&entry.modes.1)) {
            (Ok(old), Ok(new)) => (old, new),
            (Err(_), Ok(Some(_))) | (Ok(Some(_)), Err(_)) => return Ok(Err(Reason::TypeChange)),
            (Err(reason), _) | (_, Err(reason)) => return Ok(Err(reason)),
        };
        let mut read = |mode: Option<Mode>, id: &str| -> Result<Option<File>, Failure> {
            mode.map(|mode| Ok(File { bytes: blobs.read(id)?, mode })).transpose()
        };
        let (before, after) = (read(old, &entry.blobs.0)?, read(new, &entry.blobs.1)?);
        if before.iter().chain(&after).any(|file| file.bytes.len() > self.max_file_bytes) {
            return Ok(Err(Reason::TooLarge));
        }
        let text = |path: &[u8]| String::from_utf8(path.to_vec()).map_err(|_| Reason::Path);
        let (path, to) = match (text(&entry.path), entry.to.as_deref().map(text).transpose()) {
            (Ok(path), Ok(to)) => (path, to),
            _ => return Ok(Err(Reason::Path)),
        };
        Ok(match (before, after, to) {
            (Some(before), Some(after), Some(to)) => Ok(Change::Move { from: path, to, before, after }),
            (Some(before), Some(after), None) => Ok(Change::Update { path, before, after }),
            (Some(before), None, _) => Ok(Change::Delete { path, before }),
            (None, Some(after), _) => Ok(Change::Add { path, after }),
            (None, None, _) => Err(Reason::TypeChange),
        })
    }
}

impl Edits for History {
    type Reader = Blobs;

    fn count(&self) -> usize {
        self.commits.len()
    }

    fn reader(&self) -> Result<Blobs, Failure> {
        Blobs::open(&self.repository)
    }

    fn edit(&self, at: usize, blobs: &mut Blobs) -> Result<Edit, Failure> {
        let mut edit = Edit::default();
        if let Some(commit) = self.commits.get(at) {
            edit.name.clone_from(&commit.id);
            for entry in &commit.entries {
                match self.change(entry, blobs)? {
                    Ok(change) => edit.changes.push(change),
                    Err(reason) => edit.left_out.push(reason),
                }
            }
        }
        Ok(edit)
    }
}

/// Git in a repository.
pub(super) fn git(repository: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(repository);
    command
}

/// Reads ids, each with the raw entries that follow it. Ids may end in a line break or a NUL.
fn commits(output: &[u8]) -> Option<Vec<Commit>> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut rest = output;
    while !rest.is_empty() {
        let token = word(&mut rest, |byte| byte == 0 || byte == b'\n')?;
        let Some(facts) = token.strip_prefix(b":") else {
            commits.push(Commit { id: String::from_utf8_lossy(token).into_owned(), entries: Vec::new() });
            continue;
        };
        let facts = std::str::from_utf8(facts).ok()?;
        let [old_mode, new_mode, old, new, status] = facts.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let path = word(&mut rest, |byte| byte == 0)?.to_vec();
        let to = if status.starts_with('R') { Some(word(&mut rest, |byte| byte == 0)?.to_vec()) } else { None };
        let (modes, blobs) = ((old_mode.to_owned(), new_mode.to_owned()), (old.to_owned(), new.to_owned()));
        commits.last_mut()?.entries.push(Entry { modes, blobs, path, to });
    }
    Some(commits)
}

/// Takes what comes before an end, and the end.
fn word<'a>(rest: &mut &'a [u8], ends: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
    let at = rest.iter().position(|byte| ends(*byte))?;
    let word = rest.get(..at)?;
    *rest = rest.get(at.checked_add(1)?..)?;
    Some(word)
}

/// A running `git cat-file --batch`.
pub(super) struct Blobs {
    child: Child,
    ask: Option<ChildStdin>,
    answer: BufReader<ChildStdout>,
}

impl Blobs {
    fn open(repository: &Path) -> Result<Blobs, Failure> {
        let mut command = git(repository);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| Failure::io("git cat-file", &error))?;
        let ask = child.stdin.take();
        let answer = child.stdout.take().ok_or_else(|| Failure::new("git cat-file has no output", NEXT))?;
        Ok(Blobs { child, ask, answer: BufReader::new(answer) })
    }

    fn read(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        let lost = || Failure::new(format!("git has no blob {id}"), "a partial clone cannot be replayed");
        self.exchange(id).map_err(|error| Failure::io("git cat-file", &error))?.ok_or_else(lost)
    }

    fn exchange(&mut self, id: &str) -> std::io::Result<Option<Vec<u8>>> {
        if let Some(ask) = &mut self.ask {
            writeln!(ask, "{id}")?;
            ask.flush()?;
        }
        let mut head = String::new();
        self.answer.read_line(&mut head)?;
        let Some(size) = head.split_whitespace().nth(2).and_then(|word| word.parse::<usize>().ok()) else {
            return Ok(None);
        };
        let mut bytes = vec![0; size];
        self.answer.read_exact(&mut bytes)?;
        self.answer.read_exact(&mut [0])?;
        Ok(Some(bytes))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // At the end of its questions it ends by itself.
        drop(self.ask.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` has a line for each commit: its id, then its paths, a rename as `old>new`.
    fn check(output: &str, expected: Option<&[&str]>) {
        let entry = |entry: &Entry| {
            let to = entry.to.as_ref().map(|to| format!(">{}", to.escape_ascii())).unwrap_or_default();
            format!(" {}{to}", entry.path.escape_ascii())
        };
        let line = |commit: &Commit| format!("{}{}", commit.id, commit.entries.iter().map(entry).collect::<String>());
        let found = commits(output.as_bytes()).map(|commits| commits.iter().map(line).collect::<Vec<_>>());
        let expected = expected.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
        assert_eq!(found, expected, "{output:?}");
    }

    #[test]
    fn raw_diffs_are_read() {
        check("", Some(&[]));
        check("aa\0", Some(&["aa"]));
        check("aa\0:1 2 b c M\0x\ny\0", Some(&["aa x\\ny"]));
        let two = "aa\n:1 2 b c R090\0x\0:y\0:1 2 b c A\0z\0bb\n:1 2 b c D\0x\0";
        check(two, Some(&["aa x>:y z", "bb x"]));
        for bad in ["aa", ":1 2 b c M\0x\0", "aa\0:1 2 b M\0x\0", "aa\0:1 2 b c M\0x", "aa\0:1 2 b c R1\0x\0"] {
            check(bad, None);
        }
    }
}

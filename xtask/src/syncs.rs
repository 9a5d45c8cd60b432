//! How many sync calls one durable edit costs, and a patch for a thousand files, counted by `strace`.
//!
//! The count does not depend on load or file system, so it is asserted where times are not.

use crate::client::Client;
use crate::failure::Failure;
use crate::patches::{MANY, Task};
use crate::size::{self, Build};
use crate::{home, run, say};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// The most that one `edit_file` may cost.
pub(crate) const MOST: usize = 5;

/// The most that a patch for [`MANY`] files may cost: intent, contents, names, commit.
const MOST_FOR_MANY: usize = 4;

/// How many edits are traced after the first, which may set up the state folder.
const EDITS: usize = 5;

/// System calls that wait for the disk.
const SYNCING: &[&str] = &["fsync", "fdatasync", "syncfs", "sync_file_range", "sync", "msync"];

/// Fails when an edit needs more than [`MOST`] sync calls, or a large patch more than its own limit.
pub(crate) fn assert_few(root: &Path) -> Result<(), Failure> {
    let binary = size::binary(root, Build::Debug)?;
    let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
    let counts = count(&binary, folder.path())?;
    say::line(&format!("sync calls of {EDITS} edits: {counts:?}"));
    within("an edit", &counts, MOST)?;
    let many = count_many(&binary, folder.path())?;
    say::line(&format!("sync calls of a patch for {MANY} files: {many}"));
    within("a patch for many files", &[many], MOST_FOR_MANY)
}

fn within(what: &str, counts: &[usize], allowed: usize) -> Result<(), Failure> {
    let next = "look at the commit in crates/store";
    match counts.iter().max() {
        Some(0) => Err(Failure::new(format!("{what} made no sync call at all: it is not durable"), next)),
        Some(&most) if most <= allowed => Ok(()),
        Some(most) => Err(Failure::new(format!("{what} made {most} sync calls, {allowed} are allowed"), next)),
        None => Err(Failure::new("nothing was traced", "see whether strace may trace here")),
    }
}

/// The sync calls of each of a few edits of a 4 KB file in `folder`, over one MCP session.
pub(crate) fn count(binary: &Path, folder: &Path) -> Result<Vec<usize>, Failure> {
    let workspace = folder.join("traced");
    let log = folder.join("strace.log");
    let fail = |error: std::io::Error| Failure::io(workspace.display(), &error);
    std::fs::create_dir_all(&workspace).map_err(fail)?;
    std::fs::write(workspace.join("note.txt"), page("state 0")).map_err(fail)?;
    edit_under_strace(binary, &workspace, &log)?;
    let text = std::fs::read(&log).map_err(|error| Failure::io(log.display(), &error))?;
    Ok(per_answer(&String::from_utf8_lossy(&text)))
}

/// The sync calls of one patch for [`MANY`] files in `folder`, by the command line. The state folder is there
/// already: it is made once, and synced then.
pub(crate) fn count_many(binary: &Path, folder: &Path) -> Result<usize, Failure> {
    let (workspace, log) = (folder.join("many"), folder.join("many.log"));
    let task = Task::many(folder)?;
    task.lay_out(&workspace)?;
    let add = folder.join("add.envelope");
    let text = "*** Begin Patch\n*** Add File: first.txt\n+first\n*** End Patch\n";
    std::fs::write(&add, text).map_err(|error| Failure::io(add.display(), &error))?;
    let apply = |mut command: Command, patch: &Path| {
        command.arg("apply").arg("--root").arg(&workspace).arg(patch);
        run::output(command, "apply the patch by hand").map(drop)
    };
    apply(home::patchwright(binary, &workspace), &add)?;
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-e", &format!("trace={}", SYNCING.join(","))]).arg("-o").arg(&log);
    apply(home::wrap(traced, &home::patchwright(binary, &workspace)), &task.envelope)?;
    task.check(&workspace)?;
    let text = std::fs::read_to_string(&log).map_err(|error| Failure::io(log.display(), &error))?;
    Ok(text.lines().filter_map(|line| line.split_whitespace().nth(1)).filter(|call| is_sync(call)).count())
}

/// A file of 4 KB whose first line is `mark`.
pub(crate) fn page(mark: &str) -> String {
    let mut text = format!("{mark}\n");
    while text.len() < 4096 {
        text.push_str("a line of plain text that nobody edits\n");
    }
    text.truncate(4096);
    text
}

fn edit_under_strace(binary: &Path, workspace: &Path, log: &Path) -> Result<(), Failure> {
    let may = "install strace and allow tracing (in a container: the SYS_PTRACE capability)";
    let mut probe = Command::new("strace");
    probe.args(["-o", "/dev/null", "true"]);
    run::output(probe, may)?;
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-s", "16", "-e", &format!("trace={},write,writev", SYNCING.join(","))]);
    command.arg("-o").arg(log);
    let mut command = home::wrap(command, &home::patchwright(binary, workspace));
    command.arg("mcp").arg("--root").arg(workspace);
    let mut client = Client::start("patchwright under strace", command)?;
    client.call("read_file", &json!({"path": "note.txt"}))?;
    for turn in 0..=EDITS {
        let next = turn.saturating_add(1);
        let edit = json!({"oldText": format!("state {turn}"), "newText": format!("state {next}")});
        client.call("edit_file", &json!({"path": "note.txt", "edits": [edit]}))?;
    }
    client.close()
}

/// Counts sync calls between answers: the last [`EDITS`] answers' shares, oldest first.
/// What follows the last answer is counted to it, so that work put off does not hide.
fn per_answer(log: &str) -> Vec<usize> {
    let mut shares = vec![0_usize];
    for line in log.lines() {
        let Some(call) = line.split_whitespace().nth(1) else {
            continue;
        };
        if is_answer(call) {
            shares.push(0);
        } else if is_sync(call)
            && let Some(share) = shares.last_mut()
        {
            *share = share.saturating_add(1);
        }
    }
    let after = shares.pop().unwrap_or(0);
    if let Some(last) = shares.last_mut() {
        *last = last.saturating_add(after);
    }
    let skip = shares.len().saturating_sub(EDITS);
    shares.into_iter().skip(skip).collect()
}

fn is_answer(call: &str) -> bool {
    call.starts_with("write(1,") || call.starts_with("writev(1,")
}

fn is_sync(call: &str) -> bool {
    call.split_once('(').is_some_and(|(name, _)| SYNCING.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(log: &str, expected: &[usize]) {
        assert_eq!(per_answer(log), expected, "{log}");
    }

    #[test]
    fn syncs_are_shared_out_between_answers() {
        let answer = "7 write(1, \"{\"..., 900) = 900\n";
        let sync = "8 fsync(5) = 0\n";
        let resumed = "8 <... fsync resumed>) = 0\n";
        let other = "8 write(9, \"x\", 1) = 1\n";
        check("", &[]);
        check(answer, &[0]);
        check(&format!("{sync}{sync}{answer}{sync}{answer}"), &[2, 1]);
        check(&format!("{answer}8 fsync(5 <unfinished ...>\n{resumed}{other}{answer}{sync}"), &[0, 2]);
        check(&answer.repeat(9), &[0; EDITS]);
        check(&format!("{sync}{}", answer.repeat(9)), &[0; EDITS]);
        check(&format!("7 syncfs(3) = 0\n8 fdatasync(3) = 0\n{answer}"), &[2]);
    }

    #[test]
    fn a_page_is_4_kb() {
        assert_eq!(page("state 1").len(), 4096);
        assert!(page("state 1").starts_with("state 1\n"));
    }
}

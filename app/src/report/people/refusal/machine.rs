//! What is no fault of the command: somebody else at work, a folder or key that went away, a disk that failed, a bug.

use super::super::who::who;
use super::conflict::short;
use super::said::Said;
use super::shown::line;
use super::{Draft, named};
use patchwright_core::outcome::{DiskState, Fault};
use patchwright_core::refusal::{Holder, NoHome, RootNow, Why};

/// Words for these refusals.
pub(super) fn told(why: &Why, said: &Said<'_>) -> Draft {
    match why {
        Why::KeyReused { batch } => {
            let name = short(batch);
            let show = name.as_ref().map(|name| said.command(&format!("show {name}")));
            let name = name.unwrap_or_else(|| "an earlier batch".to_owned());
            Draft::plain(format!("{name} was made under the same key, by a call with other arguments")).hint(show)
        }
        Why::Busy { waited_ms, holder } => busy(*waited_ms, holder.as_deref(), said),
        Why::RootMoved { path, now: RootNow::Another } => {
            Draft::plain(format!("the folder of the workspace was replaced: another one stands at {}", line(path)))
                .hint(said.again())
        }
        Why::RootMoved { path, now: RootNow::Nothing } => {
            Draft::plain(format!("the folder of the workspace is gone: nothing stands at {}", line(path)))
        }
        Why::NoHome(why) => Draft::plain(no_home(why)).show([
            "without a key nothing can be put on record".to_owned(),
            "PATCHWRIGHT_HOME may name a folder of yours outside the workspace, from / on".to_owned(),
        ]),
        Why::KeyGone => Draft::plain("the record of this workspace, or its key, was removed while it was in use")
            .hint(Some(said.command("doctor"))),
        Why::Timeout => Draft::plain("a time limit passed").show(["less at once may do".to_owned()]),
        // Withdrawn.
        _ => Draft::plain("interrupted"),
    }
}

fn busy(waited_ms: u64, holder: Option<&Holder>, said: &Said<'_>) -> Draft {
    let who = match holder {
        None => "another program".to_owned(),
        Some(Holder { client: None, pid, .. }) => format!("another program (process {pid})"),
        Some(Holder { client: Some(client), pid, .. }) => match who(client, None).as_str() {
            "you" => format!("another patchwright command (process {pid})"),
            name => format!("{name} (process {pid})"),
        },
    };
    let waited = match waited_ms {
        ms if ms < 1000 => format!("{ms} ms"),
        ms => format!("{} s", ms / 1000),
    };
    Draft::plain(format!("{who} is at work here"))
        .show([format!("waited {waited}; limits.lock_wait_ms sets how long")])
        .hint(said.again())
}

fn no_home(why: &NoHome) -> String {
    match why {
        NoHome::Relative(path) => format!("PATCHWRIGHT_HOME is {}, which is not an absolute path", line(path)),
        NoHome::InWorkspace(path) => {
            format!("the folder for keys, {}, lies in the workspace, where agents could reach it", line(path))
        }
        NoHome::Foreign(path, owner) => {
            format!("the folder for keys, {}, belongs to the user with the number {owner}", line(path))
        }
        NoHome::Shared(path) => format!("other users may write to the folder for keys, {}", line(path)),
        NoHome::Closed(path) => format!("the folder for keys, {}, cannot be made or written", line(path)),
        NoHome::Unknown => {
            "nothing says where the folder for keys should be: neither PATCHWRIGHT_HOME nor HOME is set".to_owned()
        }
    }
}

/// Words for a fault: what the machine said, and what that means for the files.
pub(super) fn fault(fault: &Fault, said: &Said<'_>) -> Draft {
    let at = fault.path.as_deref().map(|path| format!(" at {}", named(Some(path), said))).unwrap_or_default();
    let words = Some(line(&fault.said)).filter(|words| !words.is_empty());
    let heard = words.as_deref().map(|words| format!(": {words}")).unwrap_or_default();
    let log = || Some(said.command("log"));
    let (is_bug, state) = (fault.id.is_some() || fault.state == DiskState::Bug, fault.state);
    match state {
        _ if is_bug => {
            let export = Some(said.command("audit export --since 1h")).filter(|_| fault.id.is_some());
            let hint = if state == DiskState::InDoubt { log() } else { export };
            Draft::plain(format!("Patchwright itself failed{at}: this is a bug")).show(words).hint(hint)
        }
        DiskState::Damaged => Draft::plain("the record of changes is damaged, and cannot be looked through")
            .hint(Some(said.command("doctor"))),
        DiskState::InDoubt => {
            Draft::plain(format!("the disk failed{at} while {}{heard}", doing(fault.doing))).hint(log())
        }
        DiskState::Unchanged | DiskState::Bug => {
            Draft::plain(format!("the system failed{at} while {}{heard}", doing(fault.doing)))
        }
    }
}

/// What was being done, in words.
pub(super) fn doing(word: &str) -> &str {
    match word {
        "sync" => "flushing to the disk",
        "stage" => "writing",
        "log" => "writing the record",
        "index" => "reading the index of the record",
        "keep" | "blobs" => "keeping what was there",
        "state" => "preparing the state folder",
        "rollback" => "taking it back",
        "recover" => "recovering",
        "settings" => "reading the settings",
        "open" | "resolve" => "opening",
        "lock" => "waiting for others",
        "read" | "list" | "files" => "reading",
        "trash" => "reading the trash",
        other => other,
    }
}

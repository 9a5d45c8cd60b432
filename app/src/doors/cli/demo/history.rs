//! CLI door, demo: what stays on record and what can be done with it: proposals, the log, who wrote which line, undo.

use super::files::{LIMITS, SERVER, SETTINGS};
use super::play::{Play, list, text};
use super::upset::{Upset, claim};
use super::ways::REASON;
use serde_json::{Value, json};

const PROPOSED: &str = "\
*** Begin Patch
*** Update File: src/server.ts
@@
   server.maxConnections = LIMITS.connections;
+  server.headersTimeout = LIMITS.headerSeconds * 1000;
   server.listen(PORT, HOST);
*** Update File: config/settings.ini
@@
-level=info
+level=debug
*** End Patch
";

/// A patch that waits for review.
pub(super) fn proposal(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("With mode \"propose\" a call of any dialect is stored for review and changes no file.")?;
    let answer = play.change("proposal", "apply_patch", &json!({"patch": PROPOSED, "mode": "propose"}))?;
    claim(text(&answer, "/data/status") == "proposed", || "the answer does not say that it is proposed".to_owned())?;
    play.compare()?;
    let batch = play.batch("proposal")?;
    let stored = play.done("get_patch_change", &json!({"batchId": batch}))?;
    let diff = text(&stored, "/data/diff");
    claim(diff.contains("+level=debug") && diff.contains("headersTimeout"), || {
        "the stored diff is not whole".to_owned()
    })?;
    play.show.say("A reviewer agrees.")?;
    let answer = play.done("apply_batch", &json!({"batchId": batch}))?;
    claim(text(&answer, "/data/status") == "applied", || "the proposal was not applied".to_owned())?;
    let listen = "  server.listen(PORT, HOST);";
    let timeout = "  server.headersTimeout = LIMITS.headerSeconds * 1000;";
    play.files.replace(SERVER, listen, &format!("{timeout}\n{listen}"));
    play.files.replace(SETTINGS, "level=info", "level=debug");
    play.compare()?;
    Ok("nothing changed until apply_batch; then both files did, CRLF kept".to_owned())
}

/// The log, and the origin of lines.
pub(super) fn record(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("Every change of every dialect is a batch on record.")?;
    let listed = play.done("list_batches", &json!({"limit": 20}))?;
    let batches = list(&listed, "/data/batches");
    for (what, id) in &play.batches {
        claim(batches.iter().any(|batch| text(batch, "/batchId") == id), || format!("the {what} is not in the log"))?;
    }
    let explained = play.done("explain_lines", &json!({"path": SERVER}))?;
    let runs = list(&explained, "/data/runs");
    let edit = play.batch("anchored edit")?;
    claim(brought(runs, "hello, world") == Some(edit.as_str()), || "the edited line has another origin".to_owned())?;
    claim(brought(runs, "import http") == Some(""), || "a line that nobody here wrote has an author".to_owned())?;
    let proposal = play.batch("proposal")?;
    claim(brought(runs, "headersTimeout") == Some(proposal.as_str()), || {
        "the proposed line has another origin".to_owned()
    })?;
    play.show.say("A change that was given a reason keeps it:")?;
    let explained = play.done("explain_lines", &json!({"path": LIMITS, "startLine": 3, "endLine": 3}))?;
    let reason = text(&explained, "/data/runs/0/description");
    claim(reason == REASON, || format!("the reason on record is {reason:?}"))?;
    play.show.say("The record is a chain of hashes; anything changed, dropped or reordered would show.")?;
    play.command("audit verify", str::to_owned)?;
    Ok(format!("{} batches listed; each line of {SERVER} with what brought it; the record is whole", batches.len()))
}

/// The batch that brought the line with this piece; empty for lines that nobody here wrote.
fn brought<'v>(runs: &'v [Value], piece: &str) -> Option<&'v str> {
    let holds = |run: &&Value| list(run, "/lines").iter().any(|line| line.as_str().unwrap_or_default().contains(piece));
    runs.iter().find(holds).map(|run| text(run, "/batchId"))
}

/// One batch beside later changes, then all that is left.
pub(super) fn undo(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say(&format!("The anchored edit of {SERVER} goes; what came later in the same file stays."))?;
    let batch = play.batch("anchored edit")?;
    play.done("undo", &json!({"batchId": batch}))?;
    play.files.replace(SERVER, "end(\"hello, world\")", "end(\"hello\")");
    play.files.replace(SERVER, "  server.on(\"error\", console.error);\n", "");
    play.compare()?;
    play.show.say("And now everything that this session did.")?;
    let session = session(play, &batch)?;
    play.done("undo", &json!({"sessionId": session}))?;
    play.files = play.at_first.clone();
    play.compare()?;
    Ok("one batch undone beside later ones; then the whole session: every byte, name and mode as at first, the other's line kept".to_owned())
}

/// The session under which a batch is on record.
fn session(play: &mut Play<'_>, batch: &str) -> Result<String, Upset> {
    let stored = play.agent.call("get_patch_change", &json!({"batchId": batch}))?;
    let session = text(&stored.data, "/data/author/sessionId").to_owned();
    claim(!session.is_empty(), || "the record does not name the session".to_owned())?;
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_off() {
        let runs = [json!({"lines": ["a", "b"], "recorded": false}), json!({"lines": ["c"], "batchId": "7"})];
        let check = |piece: &str, want: Option<&str>| assert_eq!(brought(&runs, piece), want, "{piece}");
        check("b", Some(""));
        check("c", Some("7"));
        check("d", None);
    }
}

//! One line more before the last one, in every way that the tools know. Each version of a file ends in the line
//! `end`, which stands there once.

use crate::prove::caller::{Answer, Caller};
use serde_json::{Value, json};

/// A way to add a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The whole file anew, with proof.
    Write,
    /// An exact piece of text, with proof.
    Exact,
    /// An exact piece of text; the session's own reading is the proof, where there is a session.
    Ledger,
    /// A hunk whose context is its proof.
    Patch,
    /// A hunk, with proof as well.
    PatchProven,
    /// By the anchor of the last line.
    Anchor,
    /// By number, with proof.
    Numbered,
    /// Proposed, then applied.
    Proposed,
}

/// All of them.
pub(super) const WAYS: &[Way] =
    &[Way::Write, Way::Exact, Way::Ledger, Way::Patch, Way::PatchProven, Way::Anchor, Way::Numbered, Way::Proposed];

/// What came of it.
pub(super) struct Tried {
    pub(super) answer: Answer,
    /// The hash that the call was based on, as far as its author knew one.
    base: Option<String>,
}

impl Tried {
    /// The hash that was replaced.
    pub(super) fn before(&self) -> Option<&str> {
        let places = ["/beforeSha256", "/changedFiles/0/beforeSha256", "/files/0/originalSha256"];
        places.iter().find_map(|place| self.answer.text(place)).or(self.base.as_deref())
    }

    /// The hash that has come; nothing where the file has gone.
    pub(super) fn after(&self) -> Option<&str> {
        let places = ["/afterSha256", "/changedFiles/0/afterSha256", "/files/0/newSha256", "/sha256"];
        places.iter().find_map(|place| self.answer.text(place))
    }
}

/// What a caller saw of a file.
pub(super) struct Seen {
    pub(super) sha256: String,
    pub(super) text: String,
}

/// Reads a file; a refusal comes back as it is.
pub(super) fn read(caller: &mut Caller, path: &str) -> Result<Result<Seen, Answer>, String> {
    let answer = caller.ask("read_file", &json!({"path": path, "maxBytes": 8_000_000}))?;
    let seen = answer.text("/sha256").zip(answer.text("/content"));
    let seen = seen.map(|(sha256, text)| Seen { sha256: sha256.to_owned(), text: text.to_owned() });
    Ok(seen.ok_or(answer))
}

/// Adds a line; a refusal is an answer too.
pub(super) fn add(caller: &mut Caller, way: Way, path: &str, line: &str) -> Result<Tried, String> {
    let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n+{line}\n end\n*** End Patch\n");
    match way {
        Way::Patch => return asked(caller, "apply_patch", json!({"patch": patch}), None),
        Way::Proposed => return proposed(caller, patch),
        Way::Anchor => return anchored(caller, path, line),
        _ => {}
    }
    let seen = match read(caller, path)? {
        Ok(seen) => seen,
        Err(answer) => return Ok(Tried { answer, base: None }),
    };
    let (sha, old, new) = (&seen.sha256, "end\n", format!("{line}\nend\n"));
    let edits = json!([{"oldText": old, "newText": new}]);
    let numbered = || {
        let above = seen.text.lines().count().saturating_sub(1);
        let change = json!({"operation": "insert", "afterLine": above, "newLines": [line], "expectedLineAfter": "end"});
        json!({"files": [{"docPath": path, "originalSha256": sha, "changes": [change]}]})
    };
    let (tool, arguments) = match way {
        Way::Exact => ("edit_file", json!({"path": path, "edits": edits, "expectedSha256": sha})),
        Way::Ledger => ("edit_file", json!({"path": path, "edits": edits})),
        Way::PatchProven => ("apply_patch", json!({"patch": patch, "expectedSha256ByPath": {path: sha}})),
        Way::Numbered => ("workspace_write_patch", numbered()),
        _ => ("write_file", json!({"path": path, "content": whole(&seen.text, line), "expectedSha256": sha})),
    };
    asked(caller, tool, arguments, Some(sha.clone()))
}

/// The text with a line more before its end. What has no end (somebody is saving it just now) gets the line after it.
fn whole(text: &str, line: &str) -> String {
    match text.strip_suffix("end\n") {
        Some(above) => format!("{above}{line}\nend\n"),
        None => format!("{text}{line}\n"),
    }
}

fn asked(caller: &mut Caller, tool: &str, arguments: Value, base: Option<String>) -> Result<Tried, String> {
    Ok(Tried { answer: caller.ask(tool, &arguments)?, base })
}

fn proposed(caller: &mut Caller, patch: String) -> Result<Tried, String> {
    let answer = caller.ask("apply_patch", &json!({"patch": patch, "mode": "propose"}))?;
    match answer.text("/batchId").map(str::to_owned) {
        Some(batch) => asked(caller, "apply_batch", json!({"batchId": batch}), None),
        None => Ok(Tried { answer, base: None }),
    }
}

fn anchored(caller: &mut Caller, path: &str, line: &str) -> Result<Tried, String> {
    let answer = caller.ask("read_file", &json!({"path": path, "hashes": true, "maxBytes": 8_000_000}))?;
    let Some((sha, text)) = answer.text("/sha256").zip(answer.text("/content")) else {
        return Ok(Tried { answer, base: None });
    };
    let last = text.lines().last().and_then(|line| line.split_once(' ')).map_or("1#000000", |(anchor, _)| anchor);
    let operation = json!({"op": "insert_before", "hash": last, "content": line});
    let arguments = json!({"path": path, "operations": [operation], "expectedSha256": sha});
    let base = Some(sha.to_owned());
    asked(caller, "edit", arguments, base)
}

//! CLI door, demo: reading, and the four ways to say what is to change.

use super::files::{DEPLOY, IDEAS, LIMITS, PROBE, SERVER, SETTINGS};
use super::play::{Play, list, text};
use super::upset::{Upset, claim};
use serde_json::{Value, json};

/// What the agent reads is what is there, and it comes with its hash.
pub(super) fn read(play: &mut Play<'_>) -> Result<String, Upset> {
    let tools = play.agent.ask("tools/list", &json!({}))?;
    let count = list(&tools, "/tools").len();
    play.show.say(&format!("The server offers {count} tools. The agent reads before it changes anything."))?;
    let answer = play.done("read_file", &json!({"path": SERVER}))?;
    claim(text(&answer, "/data/content") == play.files.text(SERVER), || format!("{SERVER} was read wrongly"))?;
    claim(text(&answer, "/data/sha256").len() == 64, || "the answer has no sha256".to_owned())?;
    let answer = play.done("read_file", &json!({"path": SETTINGS}))?;
    claim(text(&answer, "/data/newlineStyle") == "crlf", || format!("{SETTINGS} was not seen to have CRLF"))?;
    Ok(format!("{count} tools; text with its sha256; CRLF seen and told"))
}

/// `edit_file`: one text for another.
pub(super) fn exact(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("The text to replace must stand in the file exactly as often as expected: here once.")?;
    let edits = json!([{"oldText": "timeout=30\n", "newText": "timeout=60\nretries=3\n"}]);
    play.change("exact edit", "edit_file", &json!({"path": SETTINGS, "edits": edits}))?;
    play.files.replace(SETTINGS, "timeout=30\r\n", "timeout=60\r\nretries=3\r\n");
    play.compare()?;
    Ok("the new lines end in CRLF like their neighbours; every other byte is as before".to_owned())
}

const PATCH: &str = "\
*** Begin Patch
*** Update File: src/server.ts
@@
-const PORT = 3000;
+const PORT = 4000;
 const HOST = \"127.0.0.1\";
*** Update File: bin/deploy.sh
@@
-target=\"staging\"
+target=\"production\"
*** Add File: docs/limits.md
+# Limits
+
+They are set in src/limits.ts.
*** Move File: ideas.txt -> docs/ideas.txt
*** Delete File: old/probe.ts
*** End Patch
";

/// `apply_patch`: many files, all or none.
pub(super) fn patch(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("One patch updates, adds, moves and deletes: all of it or nothing.")?;
    play.change("patch", "apply_patch", &json!({"patch": PATCH}))?;
    let files = &mut play.files;
    files.replace(SERVER, "PORT = 3000", "PORT = 4000");
    files.replace(DEPLOY, "staging", "production");
    files.put("docs/limits.md", "# Limits\n\nThey are set in src/limits.ts.\n");
    files.rename(IDEAS, "docs/ideas.txt");
    files.remove(PROBE);
    let first = &mut play.at_first;
    first.remove("docs/limits.md");
    first.remove("docs/ideas.txt");
    play.compare()?;
    Ok("5 files in one commit; the script is still executable; the deleted file is in the trash".to_owned())
}

/// `edit`: lines named by a hash of what they say.
pub(super) fn anchored(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("Read with hashes, each line has an anchor; a line number that is off does no harm.")?;
    let answer = play.done("read_file", &json!({"path": SERVER, "hashes": true}))?;
    let shown = text(&answer, "/data/content");
    let (end, back) = (anchor(shown, "response.end(")?, anchor(shown, "return server;")?);
    let operations = json!([
        {"op": "replace_line", "hash": end, "content": "    response.end(\"hello, world\");"},
        {"op": "insert_before", "hash": back, "content": "  server.on(\"error\", console.error);"},
    ]);
    play.change("anchored edit", "edit", &json!({"path": SERVER, "operations": operations}))?;
    play.files.replace(SERVER, "end(\"hello\")", "end(\"hello, world\")");
    play.files.replace(SERVER, "  return server;", "  server.on(\"error\", console.error);\n  return server;");
    play.compare()?;
    Ok("2 operations on lines that were named by what they say; the syntax was looked over".to_owned())
}

/// The anchor printed before the line that holds `piece`: `12#a1b2c3 [high]|text`.
fn anchor(shown: &str, piece: &str) -> Result<String, Upset> {
    let line = shown.lines().find(|line| line.contains(piece));
    let anchor = line.and_then(|line| line.split_once(' ')).map(|(anchor, _)| anchor.to_owned());
    anchor.ok_or_else(|| Upset::Claim(format!("no anchor was shown for the line with {piece:?}")))
}

/// Why a line is changed.
pub(super) const REASON: &str = "Uploads of 128 KiB are common now.";

/// `workspace_write_patch`: whole lines by number, proven by hash and quotation, each with its reason.
pub(super) fn lines(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show.say("Line numbers count only with the file's sha256 and the lines themselves quoted.")?;
    let read = play.done("workspace_read_file", &json!({"docPath": LIMITS, "numbered": true}))?;
    let arguments = line_patch(text(&read, "/result/sha256"));
    let answer = play.change("line patch", "workspace_write_patch", &arguments)?;
    play.files.replace(LIMITS, "65536", "131072");
    play.files.replace(LIMITS, "  headerSeconds: 10,\n", "  headerSeconds: 10,\n  idleSeconds: 60,\n");
    play.compare()?;
    let changes = list(&answer, "/result/files/0/changes");
    let whole =
        changes.iter().all(|change| text(change, "/changeId").len() == 36 && !text(change, "/description").is_empty());
    claim(changes.len() == 2 && whole, || {
        format!("the answer names {} changes, not all with id and reason", changes.len())
    })?;
    Ok("2 changes with ids, keys and descriptions that stay on record".to_owned())
}

fn line_patch(sha256: &str) -> Value {
    json!({
        "batchLabel": "Room for larger uploads",
        "batchKey": "larger-uploads",
        "files": [{
            "fileKey": "limits",
            "docPath": LIMITS,
            "originalSha256": sha256,
            "changes": [
                {
                    "operation": "replace",
                    "changeKey": "body",
                    "description": REASON,
                    "startLine": 3,
                    "endLine": 3,
                    "expectedOriginalLines": ["  bodyBytes: 65536,"],
                    "newLines": ["  bodyBytes: 131072,"],
                },
                {
                    "operation": "insert",
                    "changeKey": "idle",
                    "description": "Let idle connections go.",
                    "afterLine": 4,
                    "expectedLineBefore": "  headerSeconds: 10,",
                    "expectedLineAfter": "};",
                    "newLines": ["  idleSeconds: 60,"],
                },
            ],
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_off() {
        let check = |piece: &str, want: Option<&str>| {
            let shown = "1#98e53d [high]|import http;\n2#~0c812f1b [med]|return x;\n";
            assert_eq!(anchor(shown, piece).ok().as_deref(), want, "{piece}");
        };
        check("import", Some("1#98e53d"));
        check("return", Some("2#~0c812f1b"));
        check("absent", None);
    }
}

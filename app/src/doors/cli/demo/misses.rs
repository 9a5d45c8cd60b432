//! CLI door, demo: edits that must not land, what the agent is told of them, and how it puts them right.

use super::files::{NOTES, SERVER};
use super::play::{Play, text};
use super::upset::{Upset, claim, failed};
use serde_json::json;

const BY_HAND: &str = "Reviewed by hand on Monday.\n";

/// Somebody else saves the file between the agent's read and its edit.
pub(super) fn stale(play: &mut Play<'_>) -> Result<String, Upset> {
    play.done("read_file", &json!({"path": NOTES}))?;
    play.show.say(&format!("Meanwhile somebody's editor adds a line to {NOTES}."))?;
    let saved = format!("{}{BY_HAND}", play.files.text(NOTES));
    play.scratch.save(NOTES, saved.as_bytes()).map_err(failed("saving like an editor"))?;
    play.files.put(NOTES, saved.as_str());
    play.at_first.put(NOTES, saved.as_str());
    let edit = json!({"path": NOTES, "edits": [{"oldText": "100 connections", "newText": "200 connections"}]});
    let error = play.refused("edit_file", &edit, "stale_file")?;
    let actual = text(&error, "/details/actualSha256");
    claim(actual.len() == 64, || "the refusal does not say what is there now".to_owned())?;
    play.compare()?;
    play.show.say("Nothing was changed. The agent does what it is told: it reads again, and tries again.")?;
    let read = play.done("read_file", &json!({"path": NOTES}))?;
    claim(text(&read, "/data/content").contains(BY_HAND), || "the second read misses the new line".to_owned())?;
    play.change("second try", "edit_file", &edit)?;
    play.files.replace(NOTES, "100 connections", "200 connections");
    play.compare()?;
    Ok("refused as stale_file; after another read it landed, and the other's line is still there".to_owned())
}

/// The agent remembers a line not quite as it is.
pub(super) fn near(play: &mut Play<'_>) -> Result<String, Upset> {
    play.show
        .say("The agent quotes a line with one blank too many. Nothing is guessed; the nearest place is shown.")?;
    let edit = |old: &str| json!({"path": SERVER, "edits": [{"oldText": old, "newText": "const HOST = \"0.0.0.0\";"}]});
    let error = play.refused("edit_file", &edit("const HOST  = \"127.0.0.1\";"), "old_text_not_found")?;
    let nearest = error.pointer("/details/nearest").cloned().unwrap_or_default();
    claim(nearest.is_object(), || "the refusal shows no nearest place".to_owned())?;
    play.compare()?;
    play.change("near miss put right", "edit_file", &edit("const HOST = \"127.0.0.1\";"))?;
    play.files.replace(SERVER, "127.0.0.1", "0.0.0.0");
    play.compare()?;
    Ok("refused with the nearest line and the blank that differs; quoted rightly it landed".to_owned())
}

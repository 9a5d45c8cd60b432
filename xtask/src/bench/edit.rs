//! A durable edit of 4 KB over MCP against the least that durable can mean: write a temporary file, sync
//! it, rename it over the old one, sync the folder. Both on one journaled ext4, in turns.

use super::Bench;
use super::figures::{self, Times};
use super::mount::Mounted;
use crate::client::Client;
use crate::failure::Failure;
use crate::{say, syncs};
use serde_json::json;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const WARM_UP: usize = 20;
const EDITS: usize = 300;

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let disk = Mounted::ext4(bench.scratch.path())?;
    let counts = syncs::count(&bench.binary, disk.place())?;
    let workspace = disk.place().join("workspace");
    let bare = disk.place().join("bare");
    for folder in [&workspace, &bare] {
        let fail = |error: std::io::Error| Failure::io(folder.display(), &error);
        fs::create_dir_all(folder).map_err(fail)?;
        fs::write(folder.join("note.txt"), syncs::page("state 0")).map_err(fail)?;
    }
    let mut client = Client::start("patchwright", bench.server(&workspace))?;
    client.call("read_file", &json!({"path": "note.txt"}))?;
    let (mut ours, mut least) = (Times::new("patchwright edit_file"), Times::new("bare temp+fsync+rename+dir fsync"));
    for turn in 0..WARM_UP.saturating_add(EDITS) {
        let edited = edit(&mut client, turn)?;
        let begun = Instant::now();
        replace(&bare, turn).map_err(|error| Failure::io(bare.display(), &error))?;
        if turn >= WARM_UP {
            ours.add(edited);
            least.add(begun.elapsed());
        }
    }
    client.close()?;
    figures::tell("durable 4 KB", &[&ours, &least]);
    say::line(&format!("sync calls of one edit: {counts:?}, {} allowed", syncs::MOST));
    Ok(())
}

fn edit(client: &mut Client, turn: usize) -> Result<Duration, Failure> {
    let next = turn.saturating_add(1);
    // The closing line break keeps "state 1" apart from "state 10".
    let edit = json!({"oldText": format!("state {turn}\n"), "newText": format!("state {next}\n")});
    client.time("edit_file", &json!({"path": "note.txt", "edits": [edit]}))
}

fn replace(folder: &Path, turn: usize) -> std::io::Result<()> {
    let text = syncs::page(&format!("state {turn}"));
    let temporary = folder.join("note.txt.tmp");
    let mut file = File::create_new(&temporary)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, folder.join("note.txt"))?;
    File::open(folder)?.sync_all()
}

//! This build against an earlier one, in turns on one journaled ext4: durable and other edits over MCP, a patch of a
//! thousand files, and opening a workspace with a long past. `PATCHWRIGHT_BEFORE` names the earlier binary.

use super::Bench;
use super::figures::{self, Times};
use super::mount::Mounted;
use crate::client::Client;
use crate::failure::Failure;
use crate::{run, syncs};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const WARM_UP: usize = 30;
const EDITS: usize = 600;
const FILES: usize = 1_000;
const PATCHES: usize = 15;
const BATCHES: usize = 100_000;
const OPENINGS: usize = 40;

/// One of the two.
struct Build {
    name: &'static str,
    binary: PathBuf,
    /// Its workspaces and its home.
    place: PathBuf,
}

impl Build {
    fn command(&self, workspace: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("PATCHWRIGHT_HOME", self.place.join("home")).arg("--root").arg(self.folder(workspace));
        command
    }

    fn folder(&self, workspace: &str) -> PathBuf {
        self.place.join(workspace)
    }

    fn server(&self, workspace: &str, durability: &str) -> Result<Client, Failure> {
        let mut command = self.command(workspace);
        command.args(["--durability", durability, "mcp"]);
        Client::start(self.name, command)
    }
}

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let Some(before) = std::env::var_os("PATCHWRIGHT_BEFORE") else {
        crate::say::line("versus: PATCHWRIGHT_BEFORE names no earlier binary; passed over");
        return Ok(());
    };
    let disk = Mounted::ext4(bench.scratch.path())?;
    let builds = [("now", bench.binary.clone()), ("before", PathBuf::from(before))].map(|(name, binary)| Build {
        name,
        binary,
        place: disk.place().join(name),
    });
    for durability in ["full", "none"] {
        edits(&builds, durability)?;
    }
    patches(&builds)?;
    openings(&builds)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let file = folder.join(name);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, text))
        .map_err(|error| Failure::io(file.display(), &error))
}

fn edits(builds: &[Build; 2], durability: &str) -> Result<(), Failure> {
    let name = format!("edits-{durability}");
    let mut times = builds.each_ref().map(|build| Times::new(build.name));
    let mut clients = Vec::new();
    for build in builds {
        write(&build.folder(&name), "note.txt", &syncs::page("state 0"))?;
        let mut client = build.server(&name, durability)?;
        client.call("read_file", &json!({"path": "note.txt"}))?;
        clients.push(client);
    }
    for turn in 0..WARM_UP + EDITS {
        let edit = json!({"oldText": format!("state {turn}\n"), "newText": format!("state {}\n", turn + 1)});
        for (client, times) in clients.iter_mut().zip(&mut times) {
            let time = client.time("edit_file", &json!({"path": "note.txt", "edits": [edit]}))?;
            if turn >= WARM_UP {
                times.add(time);
            }
        }
    }
    figures::tell(&format!("edit of 4 KB, {durability}"), &times.each_ref());
    Ok(())
}

fn patches(builds: &[Build; 2]) -> Result<(), Failure> {
    let mut times = builds.each_ref().map(|build| Times::new(build.name));
    for build in builds {
        for file in 0..FILES {
            write(&build.folder("many"), &format!("f{file}.txt"), &syncs::page("state 0"))?;
        }
    }
    for turn in 0..PATCHES {
        let section = |file| format!("*** Update File: f{file}.txt\n@@\n-state {turn}\n+state {}\n", turn + 1);
        let patch: String = (0..FILES).map(section).collect();
        let patch = format!("*** Begin Patch\n{patch}*** End Patch\n");
        for (build, times) in builds.iter().zip(&mut times) {
            write(&build.place, "patch", &patch)?;
            let mut command = build.command("many");
            command.arg("apply").arg(build.place.join("patch"));
            let begun = Instant::now();
            run::output(command, "see what the patch answers")?;
            if turn > 0 {
                times.add(begun.elapsed());
            }
        }
    }
    figures::tell("patch of 1,000 files, full", &times.each_ref());
    Ok(())
}

fn openings(builds: &[Build; 2]) -> Result<(), Failure> {
    let mut times = builds.each_ref().map(|build| Times::new(build.name));
    for build in builds {
        write(&build.folder("long"), "note.txt", "state 0\n")?;
        let mut client = build.server("long", "none")?;
        client.call("read_file", &json!({"path": "note.txt"}))?;
        for turn in 0..BATCHES {
            let edit = json!({"oldText": format!("state {turn}\n"), "newText": format!("state {}\n", turn + 1)});
            client.call("edit_file", &json!({"path": "note.txt", "edits": [edit]}))?;
        }
        client.close()?;
    }
    for _ in 0..OPENINGS {
        for (build, times) in builds.iter().zip(&mut times) {
            let mut command = build.command("long");
            command.args(["read", "note.txt"]);
            let begun = Instant::now();
            run::output(command, "see what the read answers")?;
            times.add(begun.elapsed());
        }
    }
    figures::tell("opening with 100,000 batches, and a read", &times.each_ref());
    Ok(())
}

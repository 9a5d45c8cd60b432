//! CLI door: `demo`. An agent's session played in a throw-away workspace, through a real MCP connection to this
//! very program, with request, answer and diff shown as it goes.
//!
//! Promises that every step checks what it claims, on the disk and not by what the server says: the demo is
//! also a test. What the server does is not known here; this is a client like any other.

mod client;
mod files;
mod history;
mod kill;
mod misses;
mod play;
mod show;
mod upset;
mod ways;

use super::args::DemoArgs;
use super::output::{Ports, Screen};
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use crate::report::people::Colour;
use patchwright_engine::Scratch;
use play::Play;
use show::{Row, Show};
use std::io;
use std::path::{Path, PathBuf};
use upset::Upset;

/// One step of the session.
struct Step {
    title: &'static str,
    /// Plays it, and says what it has shown.
    run: fn(&mut Play<'_>) -> Result<String, Upset>,
}

const STEPS: &[Step] = &[
    Step { title: "Read a file", run: ways::read },
    Step { title: "Edit by exact text", run: ways::exact },
    Step { title: "Patch several files", run: ways::patch },
    Step { title: "Edit by anchors", run: ways::anchored },
    Step { title: "Patch by line numbers", run: ways::lines },
    Step { title: "A stale edit is refused", run: misses::stale },
    Step { title: "A near miss is explained", run: misses::near },
    Step { title: "Killed in mid-commit", run: kill::run },
    Step { title: "A proposal", run: history::proposal },
    Step { title: "Who wrote what", run: history::record },
    Step { title: "Undo", run: history::undo },
];

pub(super) fn run(args: &DemoArgs, ports: &mut Ports<'_>) -> Ending {
    let program = std::env::current_exe().map_err(|error| cannot("find this program", &error))?;
    let folder = |name| Scratch::new(name).map_err(|error| cannot("make a temporary folder", &error));
    // Keys stand outside a workspace: those of this one must not be left in the user's own home.
    let (scratch, home) = (folder("patchwright-demo")?, folder("patchwright-demo-home")?);
    let colour = colour(args, ports.screen);
    let rows = play(&program, &scratch, &home, Show::new(ports.output, colour))?;
    if args.keep {
        let (path, home) = (scratch.keep(), home.keep());
        let (path, home) = (path.display(), home.display());
        ports.say(&format!(
            "The workspace is left in {path}, its keys in {home}; try `PATCHWRIGHT_HOME={home} patchwright log --root {path}`."
        ))?;
    }
    let missed: Vec<&Row> = rows.iter().filter(|row| !row.came_out).collect();
    for row in &missed {
        ports.complain(&format!("step {} ({}) did not come out as it should: {}", row.number, row.title, row.shown));
    }
    Ok(if missed.is_empty() { Status::Done } else { Status::Refused })
}

fn colour(args: &DemoArgs, screen: Screen) -> Colour {
    match screen {
        Screen::Terminal if !args.plain => Colour::Yes,
        _ => Colour::No,
    }
}

/// Plays every step. One that fails does not keep the others from being played.
fn play<'a>(program: &Path, folder: &'a Scratch, home: &'a Scratch, show: Show<'a>) -> Result<Vec<Row>, Stop> {
    let begun = Play::begin(PathBuf::from(program), folder, home, show);
    let mut play = begun.map_err(stopped)?;
    let mut rows = Vec::new();
    for (at, step) in STEPS.iter().enumerate() {
        let number = at.saturating_add(1);
        play.show.title(number, STEPS.len(), step.title)?;
        let (shown, came_out) = match (step.run)(&mut play) {
            Ok(shown) => (shown, true),
            Err(Upset::Claim(what)) => (what, false),
            Err(Upset::Output(error)) => return Err(error.into()),
        };
        let row = Row { number, title: step.title, shown, came_out };
        play.show.verdict(&row)?;
        rows.push(row);
    }
    play.show.table(&rows)?;
    // Its folder is removed next: nobody may be at work in it then.
    play.agent.close().map_err(stopped)?;
    Ok(rows)
}

fn stopped(upset: Upset) -> Stop {
    match upset {
        Upset::Claim(what) => Stop::usage(format!("the demo cannot go on: {what}")),
        Upset::Output(error) => error.into(),
    }
}

fn cannot(what: &str, error: &io::Error) -> Stop {
    Stop::usage(format!("the demo cannot {what}: {error}"))
}

//! CLI door, demo: a server killed in the middle of a commit, and what the next one makes of it.
//!
//! A second server gets a patch for a great many files and dies as soon as it is seen to have changed some of them.
//! Should it have been quicker than the kill, the demo tries again with more files.

use super::client::Client;
use super::play::Play;
use super::upset::{Upset, claim, failed};
use patchwright_engine::Scratch;
use serde_json::json;
use std::time::{Duration, Instant};

/// So many files, and so many more at each further try.
const FILES: usize = 1500;
const TRIES: usize = 3;
/// So many lines of a long list are shown.
const SHOWN: usize = 3;
/// A server that is not half-way by then never will be.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks: far less than all the swaps take.
const PAUSE: Duration = Duration::from_micros(50);

const OLD: &str = "replicas = 1\n";
const NEW: &str = "replicas = 2\n";

/// A folder of many small files, all alike.
struct Fleet {
    folder: String,
    count: usize,
}

/// How many files hold what.
#[derive(Debug, Default, PartialEq)]
struct Count {
    old: usize,
    new: usize,
    torn: usize,
}

pub(super) fn run(play: &mut Play<'_>) -> Result<String, Upset> {
    for turn in 1..=TRIES {
        let fleet = Fleet { folder: format!("fleet-{turn}"), count: FILES.saturating_mul(turn) };
        fleet.lay_out(play.scratch)?;
        match strike(play, &fleet)? {
            Some(found) => return recovery(play, &fleet, &found),
            None => play.show.say("It had changed every file before the kill. Once more, with more files.")?,
        }
    }
    Err(Upset::Claim(format!("the server finished its patch before it could be killed, {TRIES} times")))
}

/// Sends the patch and kills the server over it. What was on the disk then; nothing if all was changed already.
fn strike(play: &mut Play<'_>, fleet: &Fleet) -> Result<Option<Count>, Upset> {
    play.show.say(&format!("A second server gets a patch for {} files in {}/ …", fleet.count, fleet.folder))?;
    let (server, _) = Client::start(&play.program, play.scratch.path(), play.home.path())?;
    let arguments = json!({"patch": fleet.patch()});
    play.show.request("apply_patch", &arguments)?;
    let doomed = server.call_and_leave("apply_patch", &arguments)?;
    let begun = Instant::now();
    while !doomed.has_spoken() && begun.elapsed() < PATIENCE && !fleet.is_half_done(play.scratch)? {
        std::thread::sleep(PAUSE);
    }
    let answer = doomed.kill()?;
    let found = fleet.count(play.scratch)?;
    if found == fleet.all_new() {
        return Ok(None);
    }
    claim(answer.is_none() && found.new > 0, || format!("the patch did not get under way: {answer:?}"))?;
    play.show.say(&format!("… and is killed (SIGKILL) in mid-commit. On the disk: {found}."))?;
    Ok(Some(found))
}

fn recovery(play: &mut Play<'_>, fleet: &Fleet, torn: &Count) -> Result<String, Upset> {
    play.show.say("Whoever opens the workspace next puts it right first; here that is the doctor.")?;
    play.command("doctor", shortened)?;
    let found = fleet.count(play.scratch)?;
    play.show.say(&format!("Now {found}."))?;
    claim(found == fleet.all_old() || found == fleet.all_new(), || format!("recovery left {found}"))?;
    let entries = play.scratch.entries(&fleet.folder).map_err(failed("looking at the folder"))?;
    claim(entries == fleet.count, || format!("{entries} entries are in a folder of {} files", fleet.count))?;
    play.compare()?;
    let which = if found == fleet.all_old() { "old" } else { "new" };
    Ok(format!(
        "killed with {} of {} files changed; after recovery every file is the {which} one",
        torn.new, fleet.count
    ))
}

/// The doctor names every file; some are enough here.
fn shortened(said: &str) -> String {
    let is_file = |line: &&str| line.starts_with("recovered ");
    let more = said.lines().filter(is_file).count().saturating_sub(SHOWN);
    let mut out = String::new();
    let mut files = 0_usize;
    for line in said.lines() {
        files = files.saturating_add(usize::from(is_file(&line)));
        if !is_file(&line) || files <= SHOWN {
            out.push_str(line);
            out.push('\n');
        } else if files == SHOWN.saturating_add(1) {
            out.push_str(&format!("recovered    … and {more} more\n"));
        }
    }
    out
}

impl Fleet {
    fn name(&self, number: usize) -> String {
        format!("{}/{number:04}.toml", self.folder)
    }

    fn lay_out(&self, scratch: &Scratch) -> Result<(), Upset> {
        for number in 0..self.count {
            let save = scratch.save(&self.name(number), text(number, OLD).as_bytes());
            save.map_err(failed("laying many files out"))?;
        }
        Ok(())
    }

    fn patch(&self) -> String {
        let section = |number| format!("*** Update File: {}\n@@\n-{OLD}+{NEW}", self.name(number));
        let sections: String = (0..self.count).map(section).collect();
        format!("*** Begin Patch\n{sections}*** End Patch\n")
    }

    /// Is the commit in its middle? Files change in the order of the patch, so one of them tells.
    fn is_half_done(&self, scratch: &Scratch) -> Result<bool, Upset> {
        let watched = self.count / 4;
        let found = scratch.read(&self.name(watched)).map_err(failed("watching a file"))?;
        Ok(found.as_deref() != Some(text(watched, OLD).as_bytes()))
    }

    fn count(&self, scratch: &Scratch) -> Result<Count, Upset> {
        let mut count = Count::default();
        for number in 0..self.count {
            let found = scratch.read(&self.name(number)).map_err(failed("counting the files"))?.unwrap_or_default();
            let which = match found {
                found if found == text(number, OLD).as_bytes() => &mut count.old,
                found if found == text(number, NEW).as_bytes() => &mut count.new,
                _ => &mut count.torn,
            };
            *which = which.saturating_add(1);
        }
        Ok(count)
    }

    fn all_old(&self) -> Count {
        Count { old: self.count, ..Count::default() }
    }

    fn all_new(&self) -> Count {
        Count { new: self.count, ..Count::default() }
    }
}

fn text(number: usize, replicas: &str) -> String {
    format!("name = \"node-{number}\"\n{replicas}")
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} files old, {} new, {} torn or missing", self.old, self.new, self.torn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        let check = |files: usize, want: usize| {
            let said = format!("sync works\n{}all is well\n", "recovered    a: put back\n".repeat(files));
            assert_eq!(shortened(&said).lines().count(), want, "{files}");
        };
        check(0, 2);
        check(SHOWN, 2 + SHOWN);
        check(SHOWN + 5, 3 + SHOWN);
    }

    #[test]
    fn files_are_counted_by_what_they_hold() {
        let scratch = Scratch::new("demo-test").unwrap();
        let fleet = Fleet { folder: "f".to_owned(), count: 4 };
        fleet.lay_out(&scratch).unwrap();
        assert_eq!(fleet.count(&scratch).unwrap(), fleet.all_old());
        scratch.save(&fleet.name(0), text(0, NEW).as_bytes()).unwrap();
        assert!(!fleet.is_half_done(&scratch).unwrap());
        scratch.save(&fleet.name(1), b"name").unwrap();
        assert_eq!(fleet.count(&scratch).unwrap(), Count { old: 2, new: 1, torn: 1 });
        assert!(fleet.is_half_done(&scratch).unwrap());
    }
}

//! The same work with an agent program's own tools for reading and editing.

use super::bill::{Bill, Kind};
use super::work::Work;
use crate::agents::api::{Offered, Seen, Turn};
use crate::agents::endpoint::{Endpoint, Model};
use crate::agents::install;
use crate::agents::programs::{self, Program};
use crate::agents::trial::{self, Ground};
use crate::agents::turns::{Settled, Turns};
use crate::failure::Failure;
use patchwright_testkit::tokens::count;
use serde_json::{Value, json};
use std::path::Path;

/// A program whose tools are known.
struct Owner {
    program: &'static str,
    /// Reading, editing, writing: the last is paid for without being used.
    tools: [&'static str; 3],
    /// The names of arguments: path, old text, new text.
    arguments: [&'static str; 3],
}

const OWNERS: &[Owner] = &[
    Owner { program: "claude", tools: ["Read", "Edit", "Write"], arguments: ["file_path", "old_string", "new_string"] },
    Owner { program: "opencode", tools: ["read", "edit", "write"], arguments: ["filePath", "oldString", "newString"] },
];

/// A model that makes a list of calls.
struct Player {
    calls: Vec<(Kind, &'static str, Value)>,
    turns: Turns,
    answers: Vec<String>,
    offered: Vec<Offered>,
    finished: bool,
}

/// The work with each program's own tools; those that could not do it, with the reason.
pub(super) fn bills(cache: &Path, work: &Work) -> Vec<(String, Result<Bill, Failure>)> {
    let known = OWNERS.iter().filter_map(|owner| {
        let program = programs::ALL.iter().find(|program| program.name == owner.program)?;
        Some((owner, program))
    });
    known.map(|(owner, program)| (program.title.to_owned(), bill(cache, owner, program, work))).collect()
}

fn bill(cache: &Path, owner: &Owner, program: &Program, work: &Work) -> Result<Bill, Failure> {
    let bin = install::program(cache, program)?;
    let ground = Ground::new()?;
    let folder = ground.workspace();
    work.lay(&folder)?;
    let calls = calls(owner, &folder, work);
    let player = Player { calls, turns: Turns::default(), answers: Vec::new(), offered: Vec::new(), finished: false };
    let endpoint = Endpoint::start(player, &ground.requests(), trial::REQUESTS)?;
    trial::run(program, &bin, &ground, &endpoint, None)?;
    ground.keep(&cache.join("logs").join(format!("{}-own", program.name)))?;
    let mut bill = Bill::new(format!("{} {}, its own tools", program.title, program.version), &folder);
    endpoint.with(|player| {
        let listed = player.offered.iter().filter(|one| owner.tools.contains(&&*one.name));
        bill.listing = listed.map(|one| count(&one.entry)).sum();
        for ((kind, tool, arguments), answer) in player.calls.iter().zip(&player.answers) {
            bill.add(*kind, tool, arguments, answer);
        }
    });
    work.check(&bill.name, &folder)?;
    Ok(bill)
}

fn calls(owner: &Owner, folder: &Path, work: &Work) -> Vec<(Kind, &'static str, Value)> {
    let [read, edit, _] = owner.tools;
    let [path, old, new] = owner.arguments;
    let reads = work.before.keys().map(|name| (Kind::Read, read, json!({path: folder.join(name)})));
    let edits = work.edits.iter().map(|one| {
        let (before, after) = one.quoted();
        (Kind::Edit, edit, json!({path: folder.join(&one.path), old: before, new: after}))
    });
    reads.chain(edits).collect()
}

impl Model for Player {
    fn turn(&mut self, seen: &Seen) -> Turn {
        if seen.tools.is_empty() {
            return Turn::Say("A title".to_owned());
        }
        match self.turns.settle(seen) {
            Settled::Again(turn) => return turn,
            Settled::Answered(answer) => self.answers.push(answer),
            Settled::Idle => self.offered.clone_from(&seen.tools),
        }
        let Some((_, tool, arguments)) = self.calls.get(self.answers.len()) else {
            self.finished = true;
            return Turn::Say("Done.".to_owned());
        };
        let turn = Turn::Call { namespace: None, name: (*tool).to_owned(), arguments: arguments.clone() };
        self.turns.issue(seen, turn)
    }

    fn done(&self) -> bool {
        self.finished
    }
}

//! Who did what, as lists and conflicts tell it: persons and agents, who accepted a proposal, what took a batch back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright::core::outcome::{Answer, BatchSummary, Role};
use patchwright::core::tool::{
    ApplyBatch, ApplyPatch, Call, ExplainLines, Ground, ListBatches, Run, Shared, Undo, UndoWhat,
};
use patchwright::{Client, Durability, Options, Quiet, Workspace};
use patchwright_testkit::home;
use std::path::Path;

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// A workspace with one file, in which an agent and a person work.
struct Desk {
    folder: tempfile::TempDir,
    agent: Workspace,
    person: Workspace,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), TEN).unwrap();
        let (agent, person) = (session(folder.path(), Role::Agent), session(folder.path(), Role::Person));
        Desk { folder, agent, person }
    }

    fn save(&self, text: &str) {
        std::fs::write(self.folder.path().join("a"), text).unwrap();
    }

    fn summary(&self, name: &str) -> BatchSummary {
        let reply = self.agent.call(&Call::ListBatches(ListBatches::default()), &Quiet).unwrap();
        let Answer::Batches(list) = reply.answer else { panic!("{reply:?}") };
        list.batches.into_iter().find(|batch| batch.name.to_string() == name).unwrap()
    }
}

fn session(root: &Path, role: Role) -> Workspace {
    let client = Client { role, ..Client::default() };
    let options = Options { client, durability: Durability::None, home: home::at(), ..Options::default() };
    Workspace::open(root, options).unwrap()
}

fn patch(old: &str, new: &str) -> ApplyPatch {
    ApplyPatch::new(format!("*** Begin Patch\n*** Update File: a\n@@\n-{old}\n+{new}\n*** End Patch\n"))
}

fn replace(by: &Workspace, old: &str, new: &str) {
    by.apply_patch(&patch(old, new), &Quiet).unwrap();
}

fn propose(by: &Workspace, old: &str, new: &str) {
    let shared = Shared { run: Run::Propose, ..Shared::default() };
    by.apply_patch(&ApplyPatch { shared, ..patch(old, new) }, &Quiet).unwrap();
}

fn accept(name: &str) -> ApplyBatch {
    let (batch, ground) = (Some(name.to_owned()), Ground::MustBeTheSame);
    ApplyBatch { batch, changes: None, ground, shared: Shared::default() }
}

fn undo(name: &str) -> Undo {
    Undo { what: UndoWhat::Batch { id: name.to_owned(), changes: None }, shared: Shared::default() }
}

#[test]
fn a_list_tells_who_accepted_and_what_took_back() {
    let desk = Desk::new();
    replace(&desk.agent, "2", "two");
    propose(&desk.agent, "8", "eight");
    desk.person.apply_batch(&accept("b2"), &Quiet).unwrap();
    desk.person.undo(&undo("b1"), &Quiet).unwrap();
    let told = |name: &str| {
        let batch = desk.summary(name);
        let names: Vec<String> = batch.undone_by.iter().map(ToString::to_string).collect();
        (batch.author.role, batch.applied.map(|by| (by.role, by.session == desk.person.session())), names)
    };
    assert_eq!(told("b1"), (Role::Agent, None, vec!["b3".to_owned()]));
    assert_eq!(told("b2"), (Role::Agent, Some((Role::Person, true)), Vec::new()));
    assert_eq!(told("b3"), (Role::Person, None, Vec::new()));
    desk.agent.undo(&undo("b3"), &Quiet).unwrap();
    assert_eq!(told("b1"), (Role::Agent, None, Vec::new()), "an undo that was taken back stands no more");
    assert_eq!(told("b3"), (Role::Person, None, vec!["b4".to_owned()]));
}

#[test]
fn lines_tell_whether_a_person_wrote_them() {
    let desk = Desk::new();
    replace(&desk.agent, "2", "two");
    replace(&desk.person, "8", "eight");
    desk.save(&std::fs::read_to_string(desk.folder.path().join("a")).unwrap().replace("10", "ten"));
    let ask = ExplainLines { path: "a".to_owned(), start: None, end: None };
    let reply = desk.agent.call(&Call::ExplainLines(ask), &Quiet).unwrap();
    let Answer::Explained(explained) = reply.answer else { panic!("{reply:?}") };
    let roles = explained.runs.iter().filter_map(|run| Some((run.first, run.origin.as_ref()?.author.role)));
    assert_eq!(roles.collect::<Vec<_>>(), [(2, Role::Agent), (8, Role::Person)]);
}

//! Who did what, as lists and conflicts tell it: persons and agents, who accepted a proposal, what took a batch back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_engine::core::batch::Role;
use patchwright_engine::core::outcome::{Answer, BatchSummary, Failed, Trouble};
use patchwright_engine::core::refusal::{ConflictPlace, LineBy, Why};
use patchwright_engine::core::tool::{
    ApplyBatch, ApplyPatch, Call, CreateFile, DeleteFile, ExplainLines, Ground, ListBatches, MoveFile, Run, Shared,
    Undo, UndoWhat,
};
use patchwright_engine::{Client, Durability, Options, Proof, Quiet, Session};
use patchwright_testkit::home;
use std::path::Path;

const TEN: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

/// A workspace with one file, in which an agent and a person work.
struct Desk {
    folder: tempfile::TempDir,
    agent: Session,
    person: Session,
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

fn session(root: &Path, role: Role) -> Session {
    let client = Client { role, ..Client::default() };
    let (durability, proof) = (Durability::None, Proof::Unchecked);
    let options = Options { client, durability, proof, home: home::at(), ..Options::default() };
    Session::open(root, options).unwrap()
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
    desk.does("agent 2>two");
    desk.does("propose 8>eight");
    desk.does("accept b2");
    desk.does("undo b1");
    let told = |name: &str| {
        let batch = desk.summary(name);
        let names: Vec<String> = batch.undone_by.iter().map(ToString::to_string).collect();
        (batch.author.role, batch.applied.map(|by| (by.role, by.session == desk.person.id())), names)
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
    desk.does("agent 2>two");
    desk.does("person 8>eight");
    desk.does("program 10>ten");
    let ask = ExplainLines { path: "a".to_owned(), start: None, end: None };
    let reply = desk.agent.call(&Call::ExplainLines(ask), &Quiet).unwrap();
    let Answer::Explained(explained) = reply.answer else { panic!("{reply:?}") };
    let roles = explained.runs.iter().filter_map(|run| Some((run.first, run.origin.as_ref()?.author.role)));
    assert_eq!(roles.collect::<Vec<_>>(), [(2, Role::Agent), (8, Role::Person)]);
}

impl Desk {
    /// `agent 5>five`: somebody changes lines into others, `/` between them. `undo b1`, `propose 5>five`, `accept b2`,
    /// `move a>b`, `delete a`, `create a`: what it says.
    fn does(&self, what: &str) {
        let (who, rest) = what.split_once(' ').unwrap();
        let (old, new) = rest.split_once('>').unwrap_or_default();
        match who {
            "agent" => drop(self.agent.apply_patch(&lines(old, new), &Quiet).unwrap()),
            "person" => drop(self.person.apply_patch(&lines(old, new), &Quiet).unwrap()),
            "propose" => {
                let shared = Shared { run: Run::Propose, ..Shared::default() };
                self.agent.apply_patch(&ApplyPatch { shared, ..lines(old, new) }, &Quiet).unwrap();
            }
            "program" => {
                let text = std::fs::read_to_string(self.folder.path().join("a")).unwrap();
                let whole = |lines: &str| lines.split('/').map(|line| format!("{line}\n")).collect::<String>();
                let new = if new.is_empty() { String::new() } else { whole(new) };
                self.save(&text.replacen(&whole(old), &new, 1));
            }
            "undo" => drop(self.person.undo(&undo(rest), &Quiet).unwrap()),
            "accept" => drop(self.person.apply_batch(&accept(rest), &Quiet).unwrap()),
            "move" => drop(self.agent.call(&Call::MoveFile(MoveFile::new(old, new)), &Quiet).unwrap()),
            "delete" => drop(self.agent.call(&Call::DeleteFile(DeleteFile::new(rest)), &Quiet).unwrap()),
            "create" => drop(self.agent.call(&Call::CreateFile(CreateFile::new(rest, TEN)), &Quiet).unwrap()),
            other => panic!("{other}"),
        }
    }
}

/// A patch that turns lines into others; those that they have in common are context.
fn lines(old: &str, new: &str) -> ApplyPatch {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('/').collect(), new.split('/').collect());
    let new = if new == [""] { Vec::new() } else { new };
    let above = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (was, is) = (&old[above..], &new[above..]);
    let below = was.iter().rev().zip(is.iter().rev()).take_while(|(one, other)| one == other).count();
    let some = |mark: char, lines: &[&str]| lines.iter().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let (gone, context) = was.split_at(was.len() - below);
    let came = &is[..is.len() - below];
    let body = [some(' ', &old[..above]), some('-', gone), some('+', came), some(' ', context)].concat();
    ApplyPatch::new(format!("*** Begin Patch\n*** Update File: a\n@@\n{body}*** End Patch\n"))
}

/// Who is in the way, with the line: `5 five>FIVE: b2 Person`.
fn told(failed: Failed) -> Vec<String> {
    let Trouble::Refused(refusal) = failed.trouble else { panic!("{failed:?}") };
    let Why::Conflict(conflict) = refusal.why else { panic!("{refusal:?}") };
    let place = |place: &ConflictPlace| {
        let by = match &place.line_by {
            LineBy::Unknown => "unknown".to_owned(),
            LineBy::Foreign => "foreign".to_owned(),
            LineBy::Batch(by) => format!("{} {:?}", by.batch, by.role),
        };
        let Some(line) = &place.line else { return by };
        let said = |line: &Option<String>| line.clone().unwrap_or_default();
        let number = line.number.map(|number| number.to_string()).unwrap_or_default();
        format!("{number} {}>{}: {by}", said(&line.expected), said(&line.actual))
    };
    conflict.places.iter().map(place).collect()
}

/// After all that, a batch cannot be taken back, or a proposal not be applied, for these reasons.
fn check(before: &[&str], refused: &str, want: &[&str]) {
    let desk = Desk::new();
    before.iter().for_each(|what| desk.does(what));
    let (what, name) = refused.split_once(' ').unwrap();
    let call = match what {
        "undo" => Call::Undo(undo(name)),
        "accept" => Call::ApplyBatch(accept(name)),
        _ => Call::ApplyBatch(ApplyBatch { ground: Ground::MayHaveMoved, ..accept(name) }),
    };
    assert_eq!(told(desk.person.call(&call, &Quiet).unwrap_err()), want, "{before:?}");
}

#[test]
fn an_undo_names_who_wrote_that_very_line() {
    check(&["agent 5>five", "person five>FIVE", "agent 9>nine"], "undo b1", &["5 five>FIVE: b2 Person"]);
    // The line is elsewhere by now, and its number is told as it is now.
    let elsewhere = ["agent 5>five", "agent 1>x/y/1", "person five>FIVE", "agent 9>9/z"];
    check(&elsewhere, "undo b1", &["7 five>FIVE: b3 Person"]);
    check(&["agent 5>five", "person five>FIVE", "agent FIVE>V"], "undo b1", &["5 five>V: b3 Agent"]);
    // Not by the newest batch of the file, but by another program.
    check(&["agent 5>five", "program five>FIVE", "agent 9>nine"], "undo b1", &["5 five>FIVE: foreign"]);
    check(&["agent 5>five", "agent 9>nine", "program five>FIVE"], "undo b1", &["5 five>FIVE: foreign"]);
    check(&["agent 5>five", "program five>FIVE", "person FIVE>V"], "undo b1", &["5 five>V: b2 Person"]);
    // The same text again, written by others.
    check(&["agent 5>five", "person five>V", "agent V>five", "agent 9>nine"], "undo b1", &["5 five>five: b3 Agent"]);
    // Some of its lines, or between them.
    check(&["agent 5>A/B/C", "person A/B>A/X/B", "agent C>c"], "undo b1", &["6 >X: b2 Person"]);
    check(&["agent 5>A/B/C", "person A>a", "agent C>c"], "undo b1", &["5 A>a: b2 Person"]);
    // Gone.
    check(&["agent 5>A/B", "person A>", "agent 9>nine"], "undo b1", &[" A>: b2 Person"]);
    check(&["agent 5>A/B", "program A>", "agent 9>nine"], "undo b1", &[" A>: foreign"]);
    check(&["agent 5>five", "person five>", "agent 9>nine"], "undo b1", &[" five>: b2 Person"]);
    // Where it had taken lines away.
    check(&["agent 5>", "person 4/6>4/X/6", "agent 9>nine"], "undo b1", &["5 >X: b2 Person"]);
}

#[test]
fn an_undo_that_was_taken_back_or_done_again_is_followed() {
    // The line that stands is that of b2 again.
    let again = ["agent 5>five", "person five>FIVE", "agent FIVE>V", "undo b3"];
    check(&again, "undo b1", &["5 five>FIVE: b2 Person"]);
    let thrice = ["agent 5>five", "person five>FIVE", "undo b2", "undo b3"];
    check(&thrice, "undo b1", &["5 five>FIVE: b2 Person"]);
    // A file that is taken back as a whole.
    let made = ["delete a", "create a", "person 5>five", "agent 9>nine"];
    check(&made, "undo b2", &["5 5>five: b3 Person", "9 9>nine: b4 Agent"]);
    // Under another name, and back.
    let moved = ["agent 5>five", "move a>b", "move b>a", "person five>FIVE"];
    check(&moved, "undo b1", &["5 five>FIVE: b4 Person"]);
}

#[test]
fn a_proposal_names_who_wrote_that_very_line() {
    let two = ["propose 5>five", "person 5>FIVE", "agent 9>nine"];
    check(&two, "accept b1", &["5 5>FIVE: b2 Person", "9 9>nine: b3 Agent"]);
    check(&two, "rebase b1", &["5 5>FIVE: b2 Person"]);
    check(&["propose 5>five", "program 5>FIVE", "agent 9>nine"], "rebase b1", &["5 5>FIVE: foreign"]);
    check(&["propose 5>five", "person 5>", "agent 9>nine"], "rebase b1", &[" 5>: b2 Person"]);
    // Who takes a line back puts the one before it there.
    check(&["agent 5>five", "propose five>V", "undo b1"], "accept b2", &["5 five>5: b3 Person"]);
    // Not who accepted it, but who wrote it.
    let accepted = ["propose 5>five", "propose 5>FIVE", "accept b2", "person 9>nine"];
    check(&accepted, "rebase b1", &["5 5>FIVE: b2 Agent"]);
}

//! Who makes the calls: throws what comes next, asks, and holds every answer against the model.

use super::model::{Model, Text};
use super::{changes, history, looks, mistakes};
use crate::prove::caller::{Answer, Caller};
use patchwright_testkit::dice::Dice;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// So many names there are for files: what a session remembers of each is bounded by them.
const NAMES: usize = 48;

/// The one who calls.
pub(super) struct Driver {
    caller: Caller,
    pub(super) dice: Dice,
    pub(super) model: Model,
    /// What is in the trash: its id, its path and its text.
    pub(super) trash: Vec<(String, String, Text)>,
    /// The newest batch, and the files before it; nothing if the newest cannot simply be taken back.
    pub(super) newest: Option<(String, Model)>,
    /// Open proposals: the batch, the path, the text that it was made for and the one that it brings.
    pub(super) open: Vec<(String, String, Text, Text)>,
    pub(super) calls: usize,
    pub(super) slowest: Duration,
    kinds: BTreeMap<String, u64>,
    words: u64,
}

impl Driver {
    pub(super) fn new(caller: Caller, dice: Dice) -> Driver {
        Driver {
            caller,
            dice,
            model: Model::default(),
            trash: Vec::new(),
            newest: None,
            open: Vec::new(),
            calls: 0,
            slowest: Duration::ZERO,
            kinds: BTreeMap::new(),
            words: 0,
        }
    }

    /// One thing or another; what is wrong, if anything is.
    pub(super) fn step(&mut self) -> Result<(), String> {
        match self.dice.below(100) {
            0..=44 => changes::step(self),
            45..=64 => history::step(self),
            65..=84 => looks::step(self),
            _ => mistakes::step(self),
        }
    }

    /// Makes a call, whatever is answered.
    pub(super) fn ask(&mut self, tool: &str, arguments: &Value) -> Result<Answer, String> {
        let begun = Instant::now();
        let answer = self.caller.ask(tool, arguments)?;
        self.slowest = self.slowest.max(begun.elapsed());
        self.calls = self.calls.saturating_add(1);
        let seen = self.kinds.entry(answer.kind().to_owned()).or_default();
        *seen = seen.saturating_add(1);
        Ok(answer)
    }

    /// Makes a call that must be carried out.
    pub(super) fn done(&mut self, tool: &str, arguments: &Value) -> Result<Answer, String> {
        let answer = self.ask(tool, arguments)?;
        if answer.is_ok() { Ok(answer) } else { Err(format!("{tool} {arguments} was answered {}", answer.0)) }
    }

    /// Makes a call that must be refused, with one of these kinds if there are any.
    pub(super) fn refused(&mut self, tool: &str, arguments: &Value, kinds: &[&str]) -> Result<(), String> {
        let answer = self.ask(tool, arguments)?;
        let right = !answer.is_ok() && (kinds.is_empty() || kinds.contains(&answer.kind()));
        if right { Ok(()) } else { Err(format!("{tool} {arguments}: expected {kinds:?}, got {}", answer.0)) }
    }

    /// Makes a change and takes it into the model; its hash must be the model's.
    pub(super) fn change(&mut self, tool: &str, arguments: &Value, path: &str, text: Text) -> Result<(), String> {
        let before = self.model.clone();
        let answer = self.done(tool, arguments)?;
        let places = ["/afterSha256", "/sha256", "/changedFiles/0/afterSha256", "/files/0/newSha256"];
        let hash = places.iter().find_map(|place| answer.text(place));
        if hash != Some(&text.sha256()) {
            return Err(format!("{tool} {arguments}: the model's hash is {}, the answer {}", text.sha256(), answer.0));
        }
        self.model.files.insert(path.to_owned(), text);
        self.newest = answer.text("/batchId").map(|batch| (batch.to_owned(), before));
        Ok(())
    }

    /// A file that is there.
    pub(super) fn some_file(&mut self) -> Option<(String, Text)> {
        let at = self.dice.below(self.model.files.len());
        self.model.files.iter().nth(at).map(|(path, text)| (path.clone(), text.clone()))
    }

    /// A name that is free.
    pub(super) fn free_name(&mut self) -> Option<String> {
        let first = self.dice.below(NAMES);
        let names = (0..NAMES).map(|at| name(first.saturating_add(at) % NAMES));
        let mut free = names.filter(|name| !self.model.files.contains_key(name));
        free.next()
    }

    /// A line that no other is like.
    pub(super) fn line(&mut self) -> String {
        self.words = self.words.saturating_add(1);
        format!("line {} {:08x}", self.words, self.dice.throw() >> 32)
    }

    /// A text of some lines; now and then a large one.
    pub(super) fn text(&mut self) -> Text {
        let count = match self.dice.below(60) {
            0 => 20_000,
            1..=5 => 500,
            _ => self.dice.below(30).saturating_add(3),
        };
        Text { lines: (0..count).map(|_| self.line()).collect(), crlf: self.dice.below(4) == 0 }
    }

    pub(super) fn kinds(&self) -> String {
        let shown: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        format!("answers: {}", shown.join(", "))
    }

    pub(super) fn close(self) -> Result<(), String> {
        self.caller.close()
    }
}

/// Options that many calls take.
pub(super) fn with(mut arguments: Value, key: &str, value: Value) -> Value {
    if let Some(object) = arguments.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
    arguments
}

/// A patch with this body.
pub(super) fn patch(body: &str) -> Value {
    json!({"patch": format!("*** Begin Patch\n{body}*** End Patch\n")})
}

fn name(at: usize) -> String {
    format!("f{at}.txt")
}

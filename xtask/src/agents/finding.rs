//! What one run of a program showed, and whatever was not as it should be.

use super::fixture;
use super::measure::{Extent, Shown, every_line};
use super::programs::Program;
use super::relay::{Called, Talk};
use super::script::Script;
use super::steps::{Act, LADDER, Step};
use patchwright_testkit::tokens;
use std::collections::BTreeMap;
use std::path::Path;

/// A call with what the server said and what the model was shown.
pub(crate) struct Exchange {
    pub(crate) act: Act,
    pub(crate) shown: Shown,
    pub(crate) refused: bool,
    /// What the model was shown costs so many tokens.
    pub(crate) tokens: usize,
    whole: bool,
    sent: usize,
}

/// What was found out about a program.
pub(crate) struct Finding {
    pub(crate) name: String,
    /// How it introduced itself.
    pub(crate) client: String,
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) instructions: Extent,
    pub(crate) instruction_tokens: usize,
    pub(crate) descriptions: Extent,
    /// Are the tools kept back until the model searches for them?
    pub(crate) hidden: bool,
    pub(crate) tools: usize,
    pub(crate) tool_tokens: usize,
    pub(crate) complaints: Vec<String>,
}

impl Finding {
    pub(crate) fn of(program: &Program, script: &Script, talk: &Talk, workspace: &Path) -> Finding {
        let instructions = Extent::of(&talk.instructions, &script.told);
        let mut finding = Finding {
            name: format!("{} {}", program.title, program.version),
            client: talk.client.clone(),
            exchanges: Vec::new(),
            instructions,
            instruction_tokens: tokens::count(&instructions.of_text(&talk.instructions)),
            descriptions: Extent::Whole,
            hidden: script.asked > 0,
            tools: script.offers.len(),
            tool_tokens: script.offers.iter().map(|(_, one)| tokens::count(&one.entry)).sum(),
            complaints: Vec::new(),
        };
        for (name, offered) in &script.offers {
            if let Some(listed) = talk.listed.iter().find(|one| one.name == *name) {
                finding.descriptions =
                    finding.descriptions.least(Extent::of(&listed.description, &offered.description));
            }
        }
        finding.compare(program, script, talk);
        finding.disk(workspace);
        finding
    }

    fn compare(&mut self, program: &Program, script: &Script, talk: &Talk) {
        if script.steps.is_empty() {
            self.complaints.push("the model was never offered the server's tools".to_owned());
        }
        let plain = !talk.listed.iter().any(|tool| tool.structured);
        let mut calls = talk.calls.iter();
        for (number, step) in script.steps.iter().enumerate() {
            let what = format!("call {number}, {} for {:?}", step.tool, step.act);
            let Some(seen) = script.shown.get(number) else {
                self.complaints.push(format!("{what}: the model was shown no result"));
                return;
            };
            let Some(call) = calls.by_ref().find(|call| call.tool == step.tool) else {
                self.complaints.push(format!("{what}: it never reached the server; the model saw: {}", head(seen)));
                return;
            };
            let exchange = Exchange::of(step, call, seen);
            if call.refused != step.is_refused() {
                let word = if call.refused { "refused" } else { "not refused" };
                self.complaints.push(format!("{what}: {word}: {}", head(&call.text)));
            }
            let short = !matches!(step.act, Act::Rung(_) | Act::Default);
            if plain && short && !call.refused && !exchange.shown.is_ours(program.wraps) {
                self.complaints.push(format!("{what}: not shown as our text, but {}", exchange.shown.words()));
            }
            self.exchanges.push(exchange);
        }
    }

    fn disk(&mut self, workspace: &Path) {
        let want = fixture::after();
        let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
        for entry in std::fs::read_dir(workspace).into_iter().flatten().map_while(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                found.insert(name, std::fs::read_to_string(entry.path()).ok());
            }
        }
        for name in want.keys().chain(found.keys().filter(|name| !want.contains_key(*name))) {
            if found.get(name).and_then(Option::as_ref) != want.get(name) {
                self.complaints.push(format!("{name} is not on the disk as the calls should have left it"));
            }
        }
    }

    /// The first call made for `act`.
    pub(crate) fn exchange(&self, act: Act) -> Option<&Exchange> {
        self.exchanges.iter().find(|one| one.act == act)
    }

    /// The largest read that arrived whole, in KB.
    pub(crate) fn largest(&self) -> Option<usize> {
        let whole = |size: &&usize| self.exchange(Act::Rung(**size)).is_some_and(|one| one.whole);
        LADDER.iter().take_while(whole).last().copied()
    }

    /// How many bytes of text a read without a limit brings, and whether the model gets all that was sent.
    pub(crate) fn unlimited(&self) -> Option<(usize, bool)> {
        self.exchange(Act::Default).map(|one| (one.sent, one.whole))
    }
}

impl Exchange {
    fn of(step: &Step, call: &Called, seen: &str) -> Exchange {
        let sent = match step.act {
            Act::Rung(size) => fixture::lines(&fixture::rung(size), size << 10),
            // The server may cut by itself: what it sent is what must arrive.
            Act::Default => {
                call.text.lines().filter(|line| line.starts_with("read-")).map(|line| format!("{line}\n")).collect()
            }
            _ => String::new(),
        };
        Exchange {
            act: step.act,
            shown: Shown::of(call, seen),
            refused: call.refused,
            tokens: tokens::count(seen),
            whole: every_line(&sent, seen),
            sent: sent.len(),
        }
    }
}

/// The beginning of a text, on one line.
fn head(text: &str) -> String {
    text.chars().take(300).map(|c| if c == '\n' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::programs::ALL;
    use super::super::relay::Listed;
    use super::super::steps::{Dialect, steps};
    use super::*;

    /// A talk in which every call is answered with `text` and refused as the script has it.
    fn talk(steps: &[Step], text: &str) -> Talk {
        let call = |step: &Step| Called {
            tool: step.tool.to_owned(),
            arguments: step.arguments.clone(),
            text: text.to_owned(),
            structured: None,
            refused: step.is_refused(),
        };
        Talk { listed: vec![Listed::default()], calls: steps.iter().map(call).collect(), ..Talk::default() }
    }

    fn check(change: impl FnOnce(&Path, &mut Script, &mut Talk), want: &[&str]) {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in fixture::after() {
            std::fs::write(place.path().join(name), text).unwrap();
        }
        let mut script = Script::new(place.path().to_owned(), place.path().join("relay"), Dialect::Strings);
        script.steps = steps(Dialect::Strings);
        script.shown = script.steps.iter().map(|_| "answered".to_owned()).collect();
        let mut talk = talk(&script.steps, "answered");
        change(place.path(), &mut script, &mut talk);
        let found = Finding::of(&ALL[0], &script, &talk, place.path()).complaints;
        assert_eq!(found.len(), want.len(), "{found:?}");
        assert!(found.iter().zip(want).all(|(found, want)| found.contains(want)), "{found:?}");
    }

    #[test]
    fn what_is_not_as_it_should_be_is_named() {
        check(|_, _, _| {}, &[]);
        check(|place, _, _| std::fs::write(place.join("made.txt"), "x").unwrap(), &["made.txt is not on the disk"]);
        check(|place, _, _| std::fs::write(place.join("more.txt"), "x").unwrap(), &["more.txt is not on the disk"]);
        check(|_, _, talk| talk.calls[1].refused = true, &["create_file for Create: refused"]);
        check(|_, _, talk| talk.calls[3].refused = false, &["edit_file for Mismatch: not refused"]);
        check(
            |_, script, _| script.shown[1] = "{\"ok\": true}".to_owned(),
            &["create_file for Create: not shown as our text"],
        );
        check(|_, script, _| script.shown.truncate(2), &["edit_file for Edit: the model was shown no result"]);
        check(|_, script, _| script.steps.clear(), &["never offered"]);
        check(|_, _, talk| talk.calls.truncate(1), &["never reached the server"]);
    }
}

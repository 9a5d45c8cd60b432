//! The scripted model: one call a turn, under the names that the program offers.

use super::api::{Offered, Seen, Turn};
use super::endpoint::Model;
use super::measure::values_in;
use super::relay::Talk;
use super::steps::{Dialect, Step, steps};
use super::turns::{Settled, Turns};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The name under which the programs know the server.
const SERVER: &str = "patchwright";

/// Tools with which programs bring others that they keep back, and the one that then calls them.
const SEARCH: &[&str] = &["tool_search", "ToolSearch"];
const BRIDGE: &str = "tool_call";

/// The tool of programs that have the model write code; ours are functions there, found by a list of all.
const CODE: &str = "exec";

/// How many tools a search is asked for at once: some programs cut its answer when it is long.
const AT_ONCE: usize = 4;

/// The tools of ours among those that a request offers, each with its bare name, whatever the program puts around it.
fn ours(offered: &[Offered], listed: &[String]) -> Vec<(String, Offered)> {
    let known = |name: &str| listed.iter().any(|one| one == name);
    let marked: Vec<_> = offered.iter().filter_map(|one| Some((unmarked(one)?, one))).collect();
    let hidden = offered.iter().any(|one| SEARCH.contains(&&*one.name)) || code(offered).is_some();
    // Only a program that marks no tool with its server's name may mean ours by the bare name.
    let all = if marked.is_empty() && !hidden {
        offered.iter().map(|one| (one.name.as_str(), one)).collect()
    } else {
        marked
    };
    all.into_iter().filter(|(name, _)| known(name)).map(|(name, one)| (name.to_owned(), one.clone())).collect()
}

/// What is left of a name once the server's is taken off; none where that does not stand there.
fn unmarked(offered: &Offered) -> Option<&str> {
    let separators = ['_', '.', '-', ':', '/'];
    if offered.namespace.as_deref().is_some_and(|group| group.contains(SERVER)) {
        return Some(offered.name.trim_start_matches(separators));
    }
    let (_, after) = offered.name.split_once(SERVER)?;
    Some(after.trim_start_matches(separators))
}

/// The tool that takes code, where there is one.
fn code(offered: &[Offered]) -> Option<&Offered> {
    offered.iter().find(|one| one.name == CODE && one.entry.contains("\"type\":\"custom\""))
}

/// The full name that programs with hidden tools give one of ours.
fn full(tool: &str) -> String {
    format!("mcp__{SERVER}__{tool}")
}

fn coded(tool: &Offered, input: String) -> Turn {
    Turn::Call { namespace: tool.namespace.clone(), name: tool.name.clone(), arguments: Value::String(input) }
}

/// The tools that the answer of a search describes.
fn described(answer: &str) -> Vec<Offered> {
    let flat = |value: Value| match value {
        Value::Array(all) => all,
        one => vec![one],
    };
    let values: Vec<Value> = values_in(answer).into_iter().flat_map(flat).collect();
    let inner = |value: &Value| value.get("function").unwrap_or(value).clone();
    values
        .iter()
        .filter(|value| inner(value).get("name").is_some())
        .map(|value| Offered::of(&inner(value), value))
        .collect()
}

/// A model that goes through the list.
pub(crate) struct Script {
    workspace: PathBuf,
    /// What the relay wrote: the names that the server lists stand there.
    relay: PathBuf,
    /// The dialect to take where both are offered.
    favourite: Dialect,
    pub(crate) steps: Vec<Step>,
    /// What was shown for each call so far.
    pub(crate) shown: Vec<String>,
    turns: Turns,
    /// Is the call under way a search for tools?
    searching: bool,
    /// What the program's own search for tools answered, where it keeps ours back.
    searched: String,
    /// For how many tools it was asked.
    pub(crate) asked: usize,
    /// The tools of ours in the first request that had them, by bare names.
    pub(crate) offers: Vec<(String, Offered)>,
    /// What the system and the user said in it.
    pub(crate) told: String,
    finished: bool,
}

impl Script {
    pub(crate) fn new(workspace: PathBuf, relay: PathBuf, favourite: Dialect) -> Script {
        Script {
            workspace,
            relay,
            favourite,
            steps: Vec::new(),
            shown: Vec::new(),
            turns: Turns::default(),
            searching: false,
            searched: String::new(),
            asked: 0,
            offers: Vec::new(),
            told: String::new(),
            finished: false,
        }
    }

    /// Asks a program that keeps tools back to bring ours.
    fn search(&mut self, seen: &Seen, listed: &[String]) -> Turn {
        if let Some(code) = code(&seen.tools) {
            self.asked = listed.len();
            self.searching = true;
            let input = format!("text(ALL_TOOLS.filter(tool => tool.name.includes({SERVER:?})))");
            return self.turns.issue(seen, coded(code, input));
        }
        let search = seen.tools.iter().find(|tool| SEARCH.contains(&&*tool.name));
        let names: Vec<String> = listed.iter().skip(self.asked).take(AT_ONCE).map(|name| full(name)).collect();
        let Some(search) = search.filter(|_| !names.is_empty()) else {
            return Turn::Say("There are no tools to work with.".to_owned());
        };
        self.asked = self.asked.saturating_add(AT_ONCE);
        let arguments = json!({"query": format!("select:{}", names.join(",")), "max_results": names.len()});
        let turn = Turn::Call { namespace: search.namespace.clone(), name: search.name.clone(), arguments };
        self.searching = true;
        self.turns.issue(seen, turn)
    }

    fn plan(&mut self, seen: &Seen, found: Vec<(String, Offered)>) {
        let has = |tool: &str| found.iter().any(|(name, _)| *name == tool);
        let dialect = match self.favourite {
            Dialect::Envelope if has("apply_patch") => Dialect::Envelope,
            _ if has("edit_file") => Dialect::Strings,
            _ => Dialect::Envelope,
        };
        self.steps = steps(dialect);
        self.told.clone_from(&seen.told);
        self.offers = found;
    }

    /// The call of a step, under the name that is offered or through the program's bridge to hidden tools.
    fn call(&self, seen: &Seen, found: &[(String, Offered)], step: Step) -> Turn {
        if let Some((_, tool)) = found.iter().find(|(name, _)| *name == step.tool) {
            return Turn::Call {
                namespace: tool.namespace.clone(),
                name: tool.name.clone(),
                arguments: step.arguments,
            };
        }
        if let Some(code) = code(&seen.tools) {
            return coded(code, format!("text(await tools.{}({}))", full(step.tool), step.arguments));
        }
        if seen.tools.iter().any(|tool| tool.name == BRIDGE) {
            let arguments = json!({"name": full(step.tool), "arguments": step.arguments});
            return Turn::Call { namespace: None, name: BRIDGE.to_owned(), arguments };
        }
        Turn::Call { namespace: None, name: full(step.tool), arguments: step.arguments }
    }
}

impl Model for Script {
    fn turn(&mut self, seen: &Seen) -> Turn {
        if seen.tools.is_empty() {
            return Turn::Say("A title".to_owned());
        }
        let listed: Vec<String> =
            Talk::read(&self.relay).unwrap_or_default().listed.into_iter().map(|tool| tool.name).collect();
        match self.turns.settle(seen) {
            Settled::Again(turn) => return turn,
            Settled::Answered(result) if self.searching => self.searched.push_str(&result),
            Settled::Answered(result) => self.shown.push(result),
            Settled::Idle => {}
        }
        let found = ours(&seen.tools, &listed);
        if self.steps.is_empty() {
            let hidden = seen.tools.iter().any(|tool| SEARCH.contains(&&*tool.name)) || code(&seen.tools).is_some();
            if hidden && self.asked < listed.len() && (found.is_empty() || self.asked > 0) {
                return self.search(seen, &listed);
            }
            let found = if found.is_empty() { ours(&described(&self.searched), &listed) } else { found.clone() };
            if found.is_empty() {
                return Turn::Say("There are no tools to work with.".to_owned());
            }
            self.plan(seen, found);
        }
        let Some(step) = self.steps.get(self.shown.len()).cloned() else {
            self.finished = true;
            return Turn::Say("Done.".to_owned());
        };
        if let Some((name, text)) = &step.meddle {
            let _ = std::fs::write(self.workspace.join(name), text);
        }
        let turn = self.call(seen, &found, step);
        self.searching = false;
        self.turns.issue(seen, turn)
    }

    fn done(&self) -> bool {
        self.finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(namespace: Option<&str>, name: &str) -> Offered {
        Offered { namespace: namespace.map(str::to_owned), name: name.to_owned(), ..Offered::default() }
    }

    #[test]
    fn our_tools_are_known_under_every_name() {
        let listed = ["read_file".to_owned(), "workspace_read_file".to_owned()];
        for (one, want) in [
            (offered(None, "mcp__patchwright__read_file"), Some("read_file")),
            (offered(None, "mcp_patchwright_read_file"), Some("read_file")),
            (offered(None, "patchwright_workspace_read_file"), Some("workspace_read_file")),
            (offered(None, "patchwright-read_file"), Some("read_file")),
            (offered(Some("mcp__patchwright__"), "read_file"), Some("read_file")),
            (offered(None, "read_file"), Some("read_file")),
            (offered(None, "mcp__other__read_file"), None),
            (offered(None, "patchwright_purge"), None),
        ] {
            let all = [one];
            assert_eq!(ours(&all, &listed).first().map(|(name, _)| name.as_str()), want, "{all:?}");
        }
        // A program's own tool of the same name is not ours where ours are marked.
        let both = [offered(None, "read_file"), offered(None, "mcp_patchwright_read_file")];
        assert_eq!(ours(&both, &listed).len(), 1);
        assert_eq!(ours(&both, &listed)[0].1.name, "mcp_patchwright_read_file");
    }

    #[test]
    fn a_request_sent_again_gets_the_same_call() {
        let place = tempfile::tempdir().unwrap();
        let mut script = Script::new(place.path().to_owned(), place.path().join("relay"), Dialect::Strings);
        script.steps = steps(Dialect::Strings);
        let mut seen = Seen { tools: vec![offered(None, "bash")], ..Seen::default() };
        let first = script.turn(&seen);
        assert_eq!(script.turn(&seen), first);
        seen.results.push("text".to_owned());
        assert_ne!(script.turn(&seen), first);
        assert_eq!(script.shown, ["text"]);
    }

    #[test]
    fn hidden_tools_are_searched_for_and_bridged() {
        let place = tempfile::tempdir().unwrap();
        let mut script = Script::new(place.path().to_owned(), place.path().join("relay"), Dialect::Strings);
        let list = json!({"server": 1, "from": "client", "message": {"id": 1, "method": "tools/list"}});
        let tools =
            json!({"server": 1, "from": "server", "message": {"id": 1, "result": {"tools": [{"name": "read_file"}]}}});
        std::fs::write(place.path().join("relay"), format!("{list}\n{tools}\n")).unwrap();
        let own = ["read_file", "tool_search", BRIDGE].map(|name| offered(None, name)).to_vec();
        let mut seen = Seen { tools: own, ..Seen::default() };
        let Turn::Call { name, arguments, .. } = script.turn(&seen) else { panic!("no call") };
        assert_eq!((&*name, &arguments["query"]), ("tool_search", &json!("select:mcp__patchwright__read_file")));
        seen.results.push("<function>{\"name\": \"mcp__patchwright__read_file\"}</function>".to_owned());
        let Turn::Call { name, arguments, .. } = script.turn(&seen) else { panic!("no call") };
        assert_eq!((&*name, &arguments["name"]), (BRIDGE, &json!("mcp__patchwright__read_file")));
        assert_eq!(script.offers.len(), 1);
    }
}

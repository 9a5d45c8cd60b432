//! Many paths through all calls of one server, with `strace` looking on.

use super::calls::{self, Call, Role};
use super::links;
use super::paths::{self, Attack, Leads};
use super::place::{Place, SECRET};
use super::trace;
use crate::failure::Failure;
use crate::home;
use crate::prove::caller::{self, Answer, Caller};
use crate::prove::findings::{Findings, Violation};
use crate::prove::setting::Setting;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// At least so many spellings.
const SPELLINGS: usize = 5_200;
/// So many calls for one server; then what it did is read, and another begins.
const PORTION: usize = 4_000;
/// How often the outside is looked at; every answer is looked at.
const LOOK: usize = 50;

/// A server under watch, and the place that it serves.
struct Swarm {
    place: Place,
    caller: Caller,
    trace: PathBuf,
    trash: String,
    recent: Vec<String>,
    life: Life,
}

/// Does the server still answer?
#[derive(PartialEq, Eq)]
enum Life {
    Goes,
    Over,
}

/// A path and the call that it goes through.
type Chosen = (Attack, Pick);

/// Which call.
#[derive(Clone, Copy)]
enum Pick {
    /// The n-th of all.
    Nth(usize),
    /// One of a tool's, by turns.
    Tool(usize, usize),
}

/// Every path through a link, through every call.
pub(super) fn links(setting: &Setting) -> Result<Findings, Failure> {
    let attacks = links::attacks();
    let home = setting.scratch().join("links");
    let place = Place::new(&home, &links::all())?;
    let every = attacks.iter().flat_map(|attack| (0..calls::count()).map(move |at| (attack.clone(), Pick::Nth(at))));
    // In the short version each path meets an eighth of the calls; which, goes round.
    let share = setting.sized(8, 1);
    let chosen: Vec<Chosen> = every.enumerate().filter(|(at, _)| at % share == 0).map(|(_, one)| one).collect();
    play(setting, place, &chosen, "links")
}

/// Every spelling; in the long version through every tool, in the short one through one each, all tools in turn.
pub(super) fn spellings(setting: &Setting) -> Result<Findings, Failure> {
    let home = setting.scratch().join("spellings");
    let place = Place::new(&home, &[])?;
    let attacks = paths::generate(&place.root, &mut setting.dice("spellings"), SPELLINGS);
    let tools = patchwright_engine::core::tool::TOOLS.len();
    let pick = |at: usize, round: usize| Pick::Tool(at.saturating_add(round) % tools, at / tools);
    // Round by round, so that a run that ends early has seen every path as often.
    let chosen: Vec<Chosen> = (0..setting.sized(1, tools))
        .flat_map(|round| attacks.iter().enumerate().map(move |(at, attack)| (attack.clone(), pick(at, round))))
        .collect();
    play(setting, place, &chosen, &format!("{} spellings", attacks.len()))
}

fn play(setting: &Setting, place: Place, chosen: &[Chosen], name: &str) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let (mut place, mut writes, mut made) = (Some(place), 0_usize, 0_usize);
    for portion in chosen.chunks(PORTION) {
        let Some(here) = place.take().filter(|_| setting.goes_on(&findings)) else { break };
        let mut swarm = Swarm::new(setting, here)?;
        for (attack, pick) in portion {
            findings.note(swarm.attack(attack, *pick)?);
            made = made.saturating_add(1);
            if swarm.life == Life::Over {
                break;
            }
        }
        let (seen, result, here) = swarm.end()?;
        writes = writes.saturating_add(seen);
        findings.note(result);
        place = Some(here);
    }
    let planned = chosen.len();
    findings.figures.push(format!("{name}: {made} of {planned} calls, {writes} changes seen by strace"));
    if writes == 0 && findings.trials > 0 {
        return Err(Failure::new("strace saw no change at all", "look at the trace: it must see those inside"));
    }
    Ok(findings)
}

impl Swarm {
    fn new(setting: &Setting, place: Place) -> Result<Swarm, Failure> {
        let trace = setting.scratch().join("trace");
        let mut command = Command::new("strace");
        command.args(["-f", "-y", "-qq", "--seccomp-bpf", "-e", "signal=none", "-e"]);
        command.arg(format!("trace={}", trace::CALLS)).arg("-o").arg(&trace);
        let server = caller::server(setting, &place.root, &super::options(setting)?);
        let caller = Caller::served(home::wrap(command, &server))?;
        Ok(Swarm { place, caller, trace, trash: String::new(), recent: Vec::new(), life: Life::Goes })
    }

    /// Makes one call with a path.
    fn attack(&mut self, attack: &Attack, pick: Pick) -> Result<Result<(), Violation>, Failure> {
        self.provide()?;
        let call = match pick {
            Pick::Nth(at) => calls::all(&attack.path, &self.trash).into_iter().nth(at),
            Pick::Tool(tool, turn) => calls::of_tool(tool, turn, &attack.path, &self.trash),
        };
        let Some(call) = call else { return Ok(Ok(())) };
        self.recent.push(format!("{} {}", call.tool, call.arguments));
        let answer = match self.caller.ask(call.tool, &call.arguments) {
            Ok(answer) => answer,
            Err(what) => {
                self.life = Life::Over;
                return Ok(Err(Violation { call: Some(call.arguments), ..Violation::new(what) }));
            }
        };
        if answer.is_ok() {
            self.place.mend().map_err(|error| Failure::io(self.place.root.display(), &error))?;
            if call.tool == "restore_file" || call.tool == "purge_trash" {
                self.trash.clear();
            }
        }
        if let Some(what) = wrong(attack, &call, &answer) {
            let what = format!("{} {}: {what}", call.tool, call.arguments);
            return Ok(Err(Violation { call: Some(call.arguments), ..Violation::new(what) }));
        }
        if self.recent.len() >= LOOK { self.look() } else { Ok(Ok(())) }
    }

    /// Is the outside as it was? If not, one of the recent calls did it.
    fn look(&mut self) -> Result<Result<(), Violation>, Failure> {
        let recent = std::mem::take(&mut self.recent).join("\n");
        let Some(what) = self.place.touched()? else { return Ok(Ok(())) };
        self.place.settle()?;
        Ok(Err(Violation { more: vec![("calls.txt".to_owned(), recent.into_bytes())], ..Violation::new(what) }))
    }

    /// Something must be in the trash, to be brought back.
    fn provide(&mut self) -> Result<(), Failure> {
        if self.trash.is_empty() {
            std::fs::write(self.place.root.join("doomed"), "doomed\n")
                .map_err(|error| Failure::io("doomed", &error))?;
            let gone = self.caller.ask("delete_file", &json!({"path": "doomed"}));
            let gone = gone.map_err(|what| Failure::new(what, "look at the server"))?;
            self.trash = gone.text("/trashId").unwrap_or("none").to_owned();
        }
        Ok(())
    }

    /// Lets the server go and reads what it did: how many changes, and whether one was outside.
    fn end(mut self) -> Result<(usize, Result<(), Violation>, Place), Failure> {
        let looked = self.look()?;
        let Swarm { place, caller, trace, .. } = self;
        let closed = caller.close();
        let text = std::fs::read(&trace).map_err(|error| Failure::io(trace.display(), &error))?;
        let changed = trace::changed(&String::from_utf8_lossy(&text));
        let outside: Vec<&String> = changed.iter().filter(|path| !is_inside(path, &place.root)).collect();
        let result = match outside.as_slice() {
            [] => looked.and(closed.map_err(Violation::new)),
            [first, ..] => Err(Violation {
                more: vec![("trace.txt".to_owned(), text)],
                ..Violation::new(format!("{} changes outside the workspace, the first at {first}", outside.len()))
            }),
        };
        Ok((changed.len(), result, place))
    }
}

/// What is wrong with an answer, if anything.
fn wrong(attack: &Attack, call: &Call, answer: &Answer) -> Option<String> {
    let must_refuse = match attack.leads {
        Leads::Outside => call.role != Role::Word,
        Leads::LinkItself => call.role == Role::Followed,
        Leads::Anywhere => false,
    };
    if must_refuse && answer.is_ok() {
        return Some(format!("it leads outside, yet was answered {}", answer.0));
    }
    answer.0.to_string().contains(SECRET).then(|| format!("the answer shows what lies outside: {}", answer.0))
}

/// Is a changed path one that may be changed? `..` is no way to name anything.
fn is_inside(path: &str, root: &Path) -> bool {
    let plain = |below: &Path| below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let is_below = |folder: &Path| Path::new(path).strip_prefix(folder).is_ok_and(plain);
    is_below(root) || is_below(&home::of(root)) || path == "/dev/null"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, inside: bool) {
        assert_eq!(is_inside(path, Path::new("/place/ws")), inside, "{path}");
    }

    #[test]
    fn inside_and_outside() {
        check("/place/ws/a", true);
        check("/place/ws/.patchwright/log", true);
        check("/place/ws.home/ws/0/mark", true);
        check("/place/ws.home/../x", false);
        check("/place/ws/../x", false);
        check("/place/ws-evil/x", false);
        check("/etc/passwd", false);
        check("a", false);
    }
}

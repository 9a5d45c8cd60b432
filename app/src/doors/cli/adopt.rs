//! CLI door: `adopt`, by which a person takes over a record that is not known to be theirs, and `key export`. Neither is a
//! tool: what a repository brings along must not be obeyed because a model says so.

use super::args::{AdoptArgs, KeyCommand, Reader};
use super::input::is_yes;
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use crate::doors::open::{Complaint, Person};
use crate::report::time::rfc3339;
use patchwright_engine::{
    Adoptable, Adopting, NotAdopted, OtherRecord, Session, TakenBack, Unfinished, read_outside, write_outside,
};
use serde_json::{Value, json};
use std::path::Path;

/// What is to be done.
enum Choice<'a> {
    /// There is nothing to do.
    Nothing,
    /// A person has looked at their own record.
    Accept,
    /// This record is taken over.
    Take(&'a OtherRecord),
    /// This record is moved aside, or one's own.
    Fresh(Option<&'a OtherRecord>),
    /// The record of another home is shared.
    Key { id: String, key: [u8; 32] },
}

pub(super) fn run(args: &AdoptArgs, session: &Session, person: Person, ports: &mut Ports<'_>) -> Ending {
    let mut found = session.adoptable()?;
    if let Some(id) = &args.id
        && !found.others.iter().any(|other| other.name == *id)
    {
        found.others.extend(session.adoptable_named(id)?);
    }
    let reader = ports.reader();
    let quiet = found.own.is_none() && found.others.is_empty() && found.unfinished.is_empty();
    let nothing = quiet && args.id.is_none() && args.key.is_none() && !args.fresh;
    if !nothing && !args.yes && person == Person::Away {
        return Err(Stop::usage(
            "adopt asks before it takes anything over, and there is no terminal to ask at; look at `patchwright adopt` in one, or give --yes",
        ));
    }
    let choice = choose(args, &found)?;
    if matches!(choice, Choice::Nothing) {
        match reader {
            Reader::Program => ports.json(&json!({ "ok": true, "adopted": null, "found": listed(&found) }))?,
            Reader::Person => ports.say("There is nothing to adopt: the record of this workspace is this user's own, and no other stands beside it.")?,
        }
        return Ok(Status::Done);
    }
    if !args.yes {
        for line in shown(&found) {
            ports.say(&line)?;
        }
        ports.say(&format!("{} Go on? [y/N]", what(&choice, args)))?;
        ports.output.flush()?;
        if !is_yes(ports.input)? {
            ports.say("Nothing was changed.")?;
            return Ok(Status::Done);
        }
    }
    let done = carry_out(&choice, args, session)?;
    match reader {
        Reader::Program => ports.json(&told(&done, &found))?,
        Reader::Person => {
            for line in summary(&done) {
                ports.say(&line)?;
            }
        }
    }
    Ok(Status::Done)
}

/// So many letters of an id are enough, if they fit one only.
const BEGINNING: usize = 8;

fn choose<'a>(args: &AdoptArgs, found: &'a Adoptable) -> Result<Choice<'a>, Stop> {
    if let Some(file) = &args.key {
        let (id, key) = read_key(file)?;
        return Ok(Choice::Key { id, key });
    }
    let fits = |whole: &str, name: &str| whole == name || (name.len() >= BEGINNING && whole.starts_with(name));
    let is_own = |name: &String| found.id.as_ref().is_some_and(|own| fits(own, name));
    if args.id.as_ref().is_some_and(is_own) {
        return Ok(if args.fresh { Choice::Fresh(None) } else { Choice::Accept });
    }
    let named = match &args.id {
        Some(name) => {
            let mut named = found.others.iter().filter(|other| fits(&other.name, name));
            match (named.next(), named.next()) {
                (Some(other), None) => Some(other),
                (None, _) => return Err(Stop::usage(format!("no record {name} stands here; {}", names(found)))),
                _ => return Err(Stop::usage(format!("{name} fits several records; {}", names(found)))),
            }
        }
        None => None,
    };
    let own = found.own.or((!found.unfinished.is_empty()).then_some("unfinished"));
    Ok(match (args.fresh, named, own, found.others.as_slice()) {
        (true, Some(other), ..) => Choice::Fresh(Some(other)),
        (true, None, ..) if found.id.is_some() => Choice::Fresh(None),
        (true, None, _, [one]) => Choice::Fresh(Some(one)),
        (true, None, _, []) => Choice::Nothing,
        (false, Some(other), ..) => Choice::Take(other),
        // One's own comes first: whoever accepts that has not said a word about the others.
        (false, None, Some(_), _) => Choice::Accept,
        (false, None, None, []) => Choice::Nothing,
        (false, None, None, [one]) => Choice::Take(one),
        (_, None, ..) => {
            return Err(Stop::usage(format!("several records stand here; name one: {}", names(found))));
        }
    })
}

fn carry_out(choice: &Choice<'_>, args: &AdoptArgs, session: &Session) -> Result<Adopting, Stop> {
    let unfinished = if args.take_back { Unfinished::TakenBack } else { Unfinished::Left };
    match choice {
        Choice::Nothing => Ok(Adopting::default()),
        Choice::Accept => session.accept_record(unfinished).map_err(refused),
        Choice::Fresh(other) => Ok(session.adopt_fresh(*other)?),
        Choice::Take(other) => session.adopt(other, unfinished).map_err(refused),
        Choice::Key { id, key } => session.adopt_key(id, *key).map_err(refused),
    }
}

fn refused(why: NotAdopted) -> Stop {
    let message = match why {
        NotAdopted::Trouble(trouble) => return Stop::Complaint(Complaint::Closed(trouble)),
        NotAdopted::Gone => "there is no such record in this workspace; `patchwright adopt` shows what there is",
        NotAdopted::Unreadable => "nothing in that record can be read; `patchwright adopt --fresh ID` moves it aside",
        NotAdopted::KeyDoesNotFit => {
            "the key does not fit the record; take the one that `patchwright key export` gives in the home that made it"
        }
        NotAdopted::TooMuch => {
            "what the record left unfinished names more files than any call has; adopt it without --take-back"
        }
    };
    Stop::Complaint(Complaint::Refused(message.to_owned()))
}

/// What will be done, in a sentence.
fn what(choice: &Choice<'_>, args: &AdoptArgs) -> String {
    match choice {
        Choice::Nothing => String::new(),
        Choice::Accept if args.take_back => {
            "This takes back what your own record left unfinished, and notes that you have looked at it.".to_owned()
        }
        Choice::Accept => "This notes that you have looked at your own record and take it as it is.".to_owned(),
        Choice::Fresh(Some(other)) => format!("This moves record {} aside; nothing of it is taken over.", other.name),
        Choice::Fresh(None) => {
            "This moves your own record aside and begins a new one; history and undo begin anew.".to_owned()
        }
        Choice::Key { id, .. } => format!("This takes the key of record {id}, so that both homes share it."),
        Choice::Take(other) if args.take_back && other.unfinished.is_some() => {
            format!("This takes over the history of {} and takes back the call that it left unfinished.", other.name)
        }
        Choice::Take(other) => format!("This takes over the history of {}; no file is changed.", other.name),
    }
}

fn names(found: &Adoptable) -> String {
    match found.others.as_slice() {
        [] => "there is none".to_owned(),
        others => others.iter().map(|other| other.name.as_str()).collect::<Vec<_>>().join(", "),
    }
}

fn shown(found: &Adoptable) -> Vec<String> {
    let mut lines: Vec<String> = found.own.iter().map(|doubt| own(doubt).to_owned()).collect();
    for (batch, paths) in &found.unfinished {
        let paths = paths.join(", ");
        lines.push(format!("Your own record left a call unfinished, {batch}: {paths} (--take-back takes it back)"));
    }
    for other in &found.others {
        let whose = if other.is_copy { "a copy of yours, as its key proves" } else { "nothing proves who wrote it" };
        lines.push(format!("record {} at {}: {whose}", other.name, other.path.display()));
        let dates = other
            .times
            .map(|(first, last)| format!(", from {} to {}", rfc3339(i128::from(first)), rfc3339(i128::from(last))));
        lines.push(format!("  {} entries{}", other.records, dates.unwrap_or_default()));
        lines.push(format!("  clients: {}", other.clients.join(", ")));
        let (count, some) = &other.paths;
        lines.push(format!("  {count} paths: {}{}", some.join(", "), if *count > some.len() { ", …" } else { "" }));
        if other.proposals > 0 {
            lines.push(format!("  {} open proposals, which will be closed", other.proposals));
        }
        if let Some((batch, paths)) = &other.unfinished {
            lines.push(format!("  an unfinished call, {batch}: {} (--take-back takes it back)", paths.join(", ")));
        }
    }
    // What a record says must not pass for a line of ours.
    lines.iter().map(|line| line.replace(|c: char| c.is_control(), "\u{fffd}")).collect()
}

fn own(doubt: &str) -> &'static str {
    match doubt {
        "put_back" => {
            "Your own record is not what it was when it was last used: an older copy stands there, or its end was cut off."
        }
        "unmarked" => "Nothing says how far your own record had come; a cut-off end would not show.",
        "gone" => "Your own record is gone.",
        _ => "Your own record had been put back or cut off at some time, and went on from there.",
    }
}

fn summary(done: &Adopting) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(name) = &done.taken {
        lines.push(format!("The history of {name} was taken over: {} entries.", done.records));
    }
    match &done.unfinished {
        Some((batch, TakenBack::Yes)) => lines.push(format!("The unfinished call {batch} was taken back.")),
        Some((batch, TakenBack::No)) => lines.push(format!("The unfinished call {batch} was left as it is.")),
        None => {}
    }
    lines.extend(
        done.left_alone.iter().map(|path| format!("{path} was left alone: it is not as that call left it, or closed.")),
    );
    lines.extend(done.aside.iter().map(|path| format!("The old record was moved to {}.", path.display())));
    if done.noted {
        lines.push("It was noted that you have looked at the record.".to_owned());
    }
    lines
}

fn told(done: &Adopting, found: &Adoptable) -> Value {
    json!({
        "ok": true,
        "adopted": done.taken,
        "records": done.records,
        "noted": done.noted,
        "aside": done.aside.as_ref().map(|path| path.display().to_string()),
        "unfinished": done.unfinished.as_ref().map(|(batch, back)| json!({ "batchId": batch, "takenBack": *back == TakenBack::Yes })),
        "leftAlone": done.left_alone,
        "found": listed(found),
    })
}

fn listed(found: &Adoptable) -> Value {
    let others = found.others.iter().map(|other| {
        json!({
            "id": other.name,
            "path": other.path.display().to_string(),
            "copyOfYours": other.is_copy,
            "records": other.records,
            "from": other.times.map(|(first, _)| rfc3339(i128::from(first))),
            "to": other.times.map(|(_, last)| rfc3339(i128::from(last))),
            "clients": other.clients,
            "pathCount": other.paths.0,
            "paths": other.paths.1,
            "proposals": other.proposals,
            "unfinished": other.unfinished.as_ref().map(|(batch, paths)| json!({ "batchId": batch, "paths": paths })),
        })
    });
    let unfinished = found.unfinished.iter().map(|(batch, paths)| json!({ "batchId": batch, "paths": paths }));
    json!({ "own": found.own, "unfinished": unfinished.collect::<Vec<_>>(), "others": others.collect::<Vec<_>>() })
}

/// What every key file begins with.
const KEY_HEAD: &str = "patchwright key 1";

pub(super) fn key(command: &KeyCommand, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let KeyCommand::Export { file } = command;
    let Some((id, key)) = session.export_key()? else {
        return Err(Stop::Complaint(Complaint::Refused(
            "this workspace has no record of yours yet, and so no key; the first change makes one".to_owned(),
        )));
    };
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("{KEY_HEAD}\n{id}\n{hex}\n");
    match file {
        None => ports.output.write_all(text.as_bytes())?,
        Some(file) if session.is_inside(file) => {
            return Err(Stop::usage(format!(
                "{} lies in the workspace, where every tool could read the key; name a file elsewhere",
                file.display()
            )));
        }
        Some(file) => {
            write_outside(file, text.as_bytes())
                .map_err(|error| Stop::usage(format!("{} cannot be written: {error}", file.display())))?;
            ports
                .say(&format!("The key is in {}; whoever has it can forge this workspace's record.", file.display()))?;
        }
    }
    Ok(Status::Done)
}

fn read_key(file: &Path) -> Result<(String, [u8; 32]), Stop> {
    let bad = || Stop::usage(format!("{} is no key file; `patchwright key export FILE` makes one", file.display()));
    let bytes =
        read_outside(file).map_err(|error| Stop::usage(format!("{} cannot be read: {error}", file.display())))?;
    let text = String::from_utf8(bytes).map_err(|_| bad())?;
    let mut lines = text.lines();
    let (Some(KEY_HEAD), Some(id), Some(hex)) = (lines.next(), lines.next(), lines.next()) else { return Err(bad()) };
    let digits = |at: usize| hex.get(at * 2..at * 2 + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let key: Option<Vec<u8>> = (0..32).map(digits).collect();
    let key = key.filter(|_| hex.len() == 64).and_then(|key| <[u8; 32]>::try_from(key).ok());
    Ok((id.to_owned(), key.ok_or_else(bad)?))
}

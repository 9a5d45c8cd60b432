//! CLI door: `trash`, `trash restore`, `trash purge`. The last is the one command that cannot be taken back, and asks.

use super::args::{PurgeArgs, Reader, RestoreArgs, TrashArgs, TrashCommand};
use super::input::is_yes;
use super::names::{self, Named};
use super::output::Ports;
use super::place::typed;
use super::settle;
use super::stop::{Ending, Stop};
use crate::doors::call::ask;
use crate::doors::exit_code::Status;
use crate::doors::open::Person;
use crate::report::people::{Deed, Done, FileLine, Item, by, done, purging, trash};
use crate::wire::Json;
use patchwright_core::outcome::{Answer, Extent, Reply};
use patchwright_engine::{Session, TrashItem};

pub(super) fn run(args: &TrashArgs, session: &Session, person: Person, ports: &mut Ports<'_>) -> Ending {
    match &args.command {
        None | Some(TrashCommand::List) => list(usize::try_from(args.limit).unwrap_or(usize::MAX), session, ports),
        Some(TrashCommand::Restore(args)) => restore(args, session, ports),
        Some(TrashCommand::Purge(args)) => purge(args, session, person, ports),
    }
}

fn list(most: usize, session: &Session, ports: &mut Ports<'_>) -> Ending {
    if ports.reader() == Reader::Program {
        return ports.outcome(&ask(session, "list_trash", Vec::new())?);
    }
    let found = session.trash()?;
    if found.is_empty() {
        ports.say("The trash is empty")?;
        return Ok(Status::Done);
    }
    let items: Vec<Item> = found.iter().take(most).map(item).collect();
    let text = trash(&items, ports.view());
    ports.long(&text)?;
    if found.len() > items.len() {
        let more = found.len() - items.len();
        ports.hint(&format!("… {more} more: patchwright trash -n {}", found.len()))?;
        return Ok(Status::Done);
    }
    if let [first, ..] = items.as_slice() {
        let path = crate::report::people::quoted(&ports.view().path(&first.path));
        ports.hint(&format!("Bring one back: patchwright trash restore {path}"))?;
    }
    Ok(Status::Done)
}

fn item(found: &TrashItem) -> Item {
    let entry = &found.entry;
    Item {
        name: found.change.to_string(),
        who: by(&found.author),
        time_ns: i64::try_from(entry.deleted_ns).unwrap_or(i64::MAX),
        size: entry.size,
        files: entry.holds.map(|holds| holds.files),
        path: entry.path.clone(),
    }
}

/// What a path, the change that deleted it, or its id names. The newest of several under one name.
fn named(given: &str, session: &Session, ports: &Ports<'_>) -> Result<TrashItem, Stop> {
    let path = typed(given, ports.view());
    let all = session.trash()?;
    let by_change = match names::read(given) {
        Named::Change(name) => all.iter().find(|item| item.change.to_string() == name),
        Named::Batch(start) => {
            let mut fitting =
                all.iter().filter(|item| item.entry.id.starts_with(&start) || item.change.id.starts_with(&start));
            match (fitting.next(), fitting.next()) {
                (Some(_), Some(_)) => return Err(Stop::usage(format!("{given} begins several ids; give more of it"))),
                (one, _) => one,
            }
        }
        _ => None,
    };
    let wanted = lexical(&path);
    let found = by_change.or_else(|| all.iter().find(|item| item.entry.path == wanted || item.entry.id == given));
    let found = found.or_else(|| {
        let begins = |item: &&TrashItem| {
            let name = item.entry.path.rsplit('/').next().unwrap_or_default();
            !wanted.is_empty() && (item.entry.path.starts_with(&wanted) || name.starts_with(given))
        };
        let mut fitting = all.iter().filter(begins);
        fitting.next().filter(|_| fitting.next().is_none())
    });
    found.cloned().ok_or_else(|| {
        let names: Vec<String> = all.iter().take(5).map(|item| ports.view().path(&item.entry.path)).collect();
        match names.is_empty() {
            true => Stop::refused(format!("{given} is not in the trash, which is empty\nNothing was changed.")),
            false => {
                Stop::refused(format!("{given} is not in the trash; it has {}\nNothing was changed.", names.join(", ")))
            }
        }
    })
}

/// A path without `.` and `..`.
fn lexical(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn restore(args: &RestoreArgs, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let found = named(&args.entry, session, ports)?;
    let mut arguments = vec![("trashId", Json::text(&found.entry.id)), ("dryRun", Json::Flag(args.dry_run))];
    let target = args.to.as_ref().or(args.target.as_ref()).map(|path| typed(path, ports.view()));
    arguments.extend(target.iter().map(|path| ("targetPath", Json::text(path))));
    let outcome = ask(session, "restore_file", arguments)?;
    let (Reader::Person, Ok(reply @ Reply { answer: Answer::Changed(changed), .. })) = (ports.reader(), &outcome)
    else {
        return ports.outcome(&outcome);
    };
    ports.warn(reply);
    let files = vec![FileLine::new(changed.operation, &changed.path, &changed.diff)];
    let name = changed.batch.as_ref().filter(|_| changed.extent == Extent::Done);
    let told = Done { deed: Deed::Restore, extent: changed.extent, about: &[], changes: &[], name, files };
    let text = done(&told, ports.view());
    ports.put(&text)?;
    settle::hint_of(Deed::Restore, name, ports)?;
    Ok(Status::Done)
}

fn purge(args: &PurgeArgs, session: &Session, person: Person, ports: &mut Ports<'_>) -> Ending {
    let arguments = |dry: bool| vec![("olderThan", Json::text(&args.older_than)), ("dryRun", Json::Flag(dry))];
    let would = ask(session, "purge_trash", arguments(true))?;
    let Ok(Reply { answer: Answer::Purged(purged), .. }) = &would else { return ports.outcome(&would) };
    if args.dry_run && ports.reader() == Reader::Program {
        return ports.outcome(&would);
    }
    let items: Vec<TrashItem> =
        session.trash()?.into_iter().filter(|item| purged.ids.contains(&item.entry.id)).collect();
    if items.is_empty() && ports.reader() == Reader::Person {
        ports.say(&format!("Nothing has been in the trash for longer than {}", args.older_than))?;
        return Ok(Status::Done);
    }
    let mut batches: Vec<(u64, String)> =
        items.iter().map(|item| (item.change.batch, format!("b{}", item.change.batch))).collect();
    batches.sort();
    batches.dedup();
    let names: Vec<String> = batches.into_iter().map(|(_, name)| name).collect();
    let told: Vec<Item> = items.iter().map(item).collect();
    let question = purging(&told, &names, ports.view());
    if args.dry_run {
        ports.say(&question)?;
        return Ok(Status::Done);
    }
    if !args.yes && !agreed(&question, person, ports)? {
        ports.complain("Nothing was removed.");
        return Ok(Status::Refused);
    }
    let outcome = ask(session, "purge_trash", arguments(false))?;
    if let (Reader::Person, Ok(_)) = (ports.reader(), &outcome) {
        ports.say(&format!(
            "Removed for good: {} {}",
            told.len(),
            if told.len() == 1 { "entry" } else { "entries" }
        ))?;
        return Ok(Status::Done);
    }
    ports.outcome(&outcome)
}

fn agreed(question: &str, person: Person, ports: &mut Ports<'_>) -> Result<bool, Stop> {
    if person == Person::Away || ports.reader() == Reader::Program {
        return Err(Stop::usage(format!("{question} Add -y to go on: nobody is here to be asked")));
    }
    write!(ports.errors, "{question} Go on? [y/N] ")?;
    ports.errors.flush()?;
    Ok(is_yes(ports.input)?)
}

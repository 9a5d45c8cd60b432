//! What is not there: files, folders, entries of the trash, and what the record does not have.

use super::said::{Command, Said, given};
use super::shown::paths;
use super::{Draft, named, version};
use crate::report::terminal::plain;
use patchwright_core::batch::BatchName;
use patchwright_core::refusal::Missing;

/// Words for what is not there.
pub(super) fn told(path: Option<&str>, missing: &Missing, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    match missing {
        Missing::File { alike } => file(&name, alike, said),
        Missing::LinkTarget => Draft::because(format!("{name} is a link that leads to nothing")),
        Missing::Parent { folder } => parent(&name, folder, said),
        Missing::IsFolder => Draft::because(format!("{name} is a folder, and a file is needed")),
        Missing::IsFile => Draft::because(format!("{name} is a file, and a folder is needed")),
        Missing::Neighbour { alike } => Draft::plain(format!("--expect names {name}, which does not exist"))
            .show(spelt_alike(alike, said))
            .show(["nothing after the = says that a path is to be free".to_owned()]),
        Missing::Kept => Draft::plain(format!("what {name} held then is no longer kept, or is damaged"))
            .hint(Some(said.command("doctor"))),
        Missing::Version(missing) => version::told(path, missing, said),
        Missing::LinkVersion => Draft::plain(format!("{name} was a link in that version, and a link has no text")),
        recorded => on_record(path, recorded, said),
    }
}

fn file(name: &str, alike: &[String], said: &Said<'_>) -> Draft {
    // Only a look is worth a guess: a change is not aimed at another file because of its name.
    let verb = match said.command {
        Command::Read => Some("read"),
        Command::Why => Some("why"),
        Command::Log => Some("log"),
        _ => None,
    };
    let first = alike.first().zip(verb).and_then(|(path, verb)| said.about(verb, path));
    Draft::because(format!("{name} does not exist")).show(spelt_alike(alike, said)).hint(first)
}

fn spelt_alike(alike: &[String], said: &Said<'_>) -> Option<String> {
    (!alike.is_empty()).then(|| format!("spelt alike: {}", paths(alike, said)))
}

fn parent(name: &str, folder: &str, said: &Said<'_>) -> Draft {
    let draft =
        Draft::because(format!("the folder {} does not exist, so {name} cannot be put there", said.path(folder)));
    if said.command == Command::Apply {
        return draft.hint_flag(said, "--create-parents", "makes it");
    }
    let make = said.argument(folder, None).filter(|_| said.counts_from_here());
    draft.show(make.map(|folder| format!("mkdir -p {folder} makes it")))
}

/// What the record does not have.
fn on_record(path: Option<&str>, missing: &Missing, said: &Said<'_>) -> Draft {
    let log = Some(said.command("log"));
    let show = |batch: &BatchName| version::show(batch, said);
    match missing {
        Missing::TrashEntry { id } => Draft::plain(match given(id) {
            Some(name) => format!("nothing in the trash is called {name}"),
            None => "nothing in the trash has that id".to_owned(),
        })
        .hint(Some(said.command("trash"))),
        Missing::Batch { id } => Draft::plain(none("batch", id)).hint(log),
        Missing::AnyChange { id } => Draft::plain(none("change", id)).hint(log),
        Missing::Change { id, batch } if given(id) == Some(batch.to_string()) => {
            Draft::plain(format!("{batch} is the batch itself, not a change of it")).hint(show(batch))
        }
        Missing::Change { id, batch } => {
            let change = given(id).map_or_else(|| "such change".to_owned(), |id| format!("change {id}"));
            Draft::plain(format!("{} has no {change}", version::called(batch, said))).hint(show(batch))
        }
        Missing::ChangeNotBatch { batch, .. } => {
            let verb = match said.command {
                Command::Undo => "undo",
                Command::Accept => "accept",
                Command::Diff => "diff",
                _ => "show",
            };
            let hint = version::named(batch, said).map(|batch| said.command(&format!("{verb} {batch}")));
            Draft::plain(format!("{} is a batch, not a change", version::called(batch, said))).hint(hint)
        }
        Missing::Session { id } => Draft::plain(match given(id) {
            Some(name) => format!("no session {name} has changed anything that still stands"),
            None => "that session has changed nothing that still stands".to_owned(),
        })
        .hint(log),
        Missing::AnySession { id } => Draft::plain(format!("there is no session {}", plain(id))).hint(log),
        _ => undoable(path, said).hint(log),
    }
}

fn undoable(path: Option<&str>, said: &Said<'_>) -> Draft {
    match path {
        Some(path) => Draft::plain(format!("nothing on record of {} could be taken back", said.path(path)))
            .show(["what other programs do is not on record".to_owned()]),
        None if said.command == Command::Redo => Draft::plain("there is no undo that could be taken back"),
        None => Draft::plain("nothing is on record that could be taken back"),
    }
}

fn none(what: &str, id: &str) -> String {
    match given(id) {
        Some(name) => format!("there is no {what} {name}"),
        None => format!("there is no {what} with that id"),
    }
}

//! CLI door: what a shell offers while a command is typed: names of batches, deleted files and sessions, newest first.
//! Whatever goes wrong here offers nothing; nothing is made or put right.

use super::names;
use super::place::{Place, Unnamed};
use crate::doors::open::{Opening, Surroundings};
use crate::report::for_terminal;
use crate::report::people::{View, by};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use patchwright_core::batch::BatchStatus;
use patchwright_core::outcome::BatchSummary;
use patchwright_core::tool::ListBatches;
use patchwright_engine::{Client, Door, Mode, Repair, Role, Session};
use std::ffi::OsStr;

/// So many are offered.
const OFFERED: usize = 50;

pub(super) fn batches() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| listed(typed, None))
}

pub(super) fn proposals() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| listed(typed, Some(BatchStatus::Proposed)))
}

/// A session is named by a batch of it: the newest one of each.
pub(super) fn sessions() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut seen = Vec::new();
        let mut newest = |batch: &BatchSummary| {
            let fresh = !seen.contains(&batch.author.session);
            seen.push(batch.author.session.clone());
            fresh
        };
        offered(typed, &ListBatches::default(), &mut newest)
    })
}

/// What is in the trash, by its path.
pub(super) fn trash() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some((session, place)) = open() else { return Vec::new() };
        let items = session.trash().unwrap_or_default();
        let view = View { here: place.here, ..View::default() };
        let told = items.iter().take(OFFERED).map(|item| {
            let who = by(&item.author);
            (view.bare_path(&item.entry.path), format!("{}, {who}", item.change))
        });
        told.filter(|(path, _)| begins(path, typed) && is_offered(path))
            .map(|(path, help)| CompletionCandidate::new(path).help(Some(help.into())))
            .collect()
    })
}

fn listed(typed: &OsStr, status: Option<BatchStatus>) -> Vec<CompletionCandidate> {
    offered(typed, &ListBatches { status, ..ListBatches::default() }, &mut |_| true)
}

fn offered(typed: &OsStr, ask: &ListBatches, keep: &mut dyn FnMut(&BatchSummary) -> bool) -> Vec<CompletionCandidate> {
    let list = open().and_then(|(session, _)| names::newest(&session, ask, OFFERED, keep).ok()?.ok());
    let batches = list.map(|list| list.batches).unwrap_or_default();
    let named = batches.iter().map(|batch| (batch.name.to_string(), about(batch)));
    named
        .filter(|(name, _)| begins(name, typed))
        .take(OFFERED)
        .map(|(name, help)| CompletionCandidate::new(name).help(Some(help.into())))
        .collect()
}

/// A shell prints what it is offered: a name that could act there is left out.
fn is_offered(path: &str) -> bool {
    for_terminal(path) == path && !path.contains(['\n', '\t'])
}

fn begins(name: &str, typed: &OsStr) -> bool {
    typed.to_str().is_some_and(|typed| name.starts_with(typed))
}

/// `codex: Name the exit codes`, `you: src/a.rs`
fn about(batch: &BatchSummary) -> String {
    let first = batch.files.first().map(|file| file.path.clone());
    let what = batch.label.clone().or(first).unwrap_or_else(|| batch.status.name().to_owned());
    let text = format!("{}: {what}", by(&batch.author));
    for_terminal(&text).replace(['\n', '\t'], " ")
}

/// The workspace that one is in, only to look.
fn open() -> Option<(Session, Place)> {
    let surroundings = Surroundings::new(std::env::var_os("XDG_CONFIG_HOME"), std::env::var_os("HOME"));
    let place = Place::find(None, Unnamed::Upwards, None, &surroundings);
    let opening = Opening { root: place.root.clone(), mode: Mode::ReadOnly, surroundings, ..Opening::default() };
    let (name, version) = ("patchwright-cli".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let client = Client { name, version, actor: None, door: Door::Cli, role: Role::Person };
    Some((opening.open(client, Repair::WhenCalled).ok()?.session, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_act_are_not_offered() {
        for (path, want) in
            [("src/a b.rs", true), ("naïve.md", true), ("a\u{1b}[2Jb", false), ("a\nb", false), ("a\u{202e}b", false)]
        {
            assert_eq!(is_offered(path), want, "{path:?}");
        }
    }
}

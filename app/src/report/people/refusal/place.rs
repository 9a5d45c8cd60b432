//! Paths, names and links that will not do, and places that are taken.

use super::said::{Command, Said};
use super::shown::{cut, line, paths};
use super::{Draft, named};
use crate::report::message::thing;
use patchwright_core::link::climbs_after_a_name;
use patchwright_core::path::{NAME_MAX, NameProblem, PATH_MAX, PathProblem};
use patchwright_core::refusal::{Sort, Why};

/// So many letters of a path that is too long are shown.
const START: usize = 60;

/// Words for what a path, a name or a link has against it.
pub(super) fn told(path: Option<&str>, why: &Why, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    match why {
        Why::Path(problem) => bad_path(&name, *problem),
        Why::Name(problem) => bad_name(&name, *problem),
        Why::LinkLeavesRoot => {
            Draft::because(format!("{name} goes through a link that leads out of the workspace, or in a circle"))
                .show(["such links are not followed; one with an absolute target counts as leading out".to_owned()])
        }
        Why::LinkTarget { target, relative } => link_target(&name, target, relative.as_deref()),
        Why::LinkMoved { to, target, relative } => link_moved(path, to, target, relative.as_deref(), said),
        Why::AlreadyExists(sort) => taken(path, &name, *sort, said),
        Why::VersionOccupied(sort) => {
            taken(path, &name, *sort, said).show(["a version comes back only where nothing stands".to_owned()])
        }
        Why::SameFileTwice { other } => {
            Draft::because(format!("{name} and {} are one and the same file", said.path(other)))
        }
        Why::AmbiguousDoc(files) => {
            Draft::because(format!("{name} may be any of {} files", files.len())).show([paths(files, said)])
        }
        // A move onto itself.
        _ => Draft::because(format!("{name} is both where the file is and where it is to go")),
    }
}

fn bad_path(name: &str, problem: PathProblem) -> Draft {
    match problem {
        PathProblem::Empty => Draft::plain("the path is empty"),
        PathProblem::Outside => Draft::plain(format!("{name} is outside the workspace"))
            .show(["--root DIR names another workspace".to_owned()]),
        PathProblem::Nul => Draft::plain("the path holds a NUL character, which no file name can"),
        PathProblem::TooLong => {
            let start: String = name.chars().take(START).collect();
            Draft::plain(format!("the path is too long: a name has at most {NAME_MAX} bytes, a path {PATH_MAX}"))
                .show([format!("{start}…")])
        }
    }
}

fn bad_name(name: &str, problem: NameProblem) -> Draft {
    let what = match problem {
        NameProblem::Backslash => "a backslash".to_owned(),
        NameProblem::Control(ch) => format!("the control character U+{:04X}", u32::from(ch)),
        NameProblem::Bidi(ch) => format!("the text-reordering character U+{:04X}", u32::from(ch)),
        NameProblem::Tag(ch) => format!("the invisible tag character U+{:04X}", u32::from(ch)),
    };
    let slash = (problem == NameProblem::Backslash).then(|| "folders are parted by /".to_owned());
    Draft::because(format!("{name} holds {what}, which new names may not have")).show(slash)
}

fn link_target(name: &str, target: &str, relative: Option<&str>) -> Draft {
    let why = match target {
        target if target.starts_with('/') => "is absolute, and such links are not followed",
        target if climbs_after_a_name(target) => "has \"..\" after a name, and could come to lead elsewhere",
        _ => "leads out of the workspace, or in a circle",
    };
    Draft::because(format!("{name} cannot be a link to {}, which {why}", line(target)))
        .show(relative.map(|relative| format!("the same place from there: {}", line(relative))))
}

fn link_moved(from: Option<&str>, to: &str, target: &str, relative: Option<&str>, said: &Said<'_>) -> Draft {
    let (target, there) = (line(target), said.path(to));
    let fact = match from.filter(|from| *from != to) {
        Some(from) => format!("{} cannot be moved to {there}: it is", said.path(from)),
        None => "it is".to_owned(),
    };
    Draft::because(format!("{fact} a link to {target}, which from {there} leads out of the workspace"))
        .show(relative.map(|relative| format!("a link to the same place from there: {}", line(relative))))
}

fn taken(path: Option<&str>, name: &str, sort: Sort, said: &Said<'_>) -> Draft {
    let what = match said.command {
        Command::Restore => {
            let there = match said.typed.get(2).is_some_and(|typed| *typed == name) {
                true => "there".to_owned(),
                false => format!("at {}", cut(name)),
            };
            let thing = if sort == Sort::Special { "something that is no file" } else { thing(sort) };
            Draft::because(format!("{thing} stands {there}"))
        }
        _ => Draft::because(format!("{name} exists already; it is {}", thing(sort))),
    };
    what.hint(path.and_then(|path| around(path, sort, said)))
}

/// Another name for what comes back, or a look at what is there.
fn around(path: &str, sort: Sort, said: &Said<'_>) -> Option<String> {
    let (given, other) = (said.argument(path, None)?, said.argument(&format!("{path}.restored"), None)?);
    match (said.command, sort) {
        (Command::Restore, _) if said.typed.get(2..).is_some_and(|words| words == [(said.from_here)(path)]) => {
            Some(said.command(&format!("trash restore {given} {other}")))
        }
        (Command::Restore, _) => None,
        (_, Sort::File) => said.reading(path, None),
        _ => None,
    }
}

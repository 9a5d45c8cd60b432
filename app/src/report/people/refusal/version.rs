//! Versions of files that are not on record, and where to look instead.

use super::conflict::short;
use super::said::Said;
use super::shown::paths;
use super::{Draft, named as path_named};
use patchwright_core::batch::BatchName;
use patchwright_core::refusal::NoVersion;

/// Words for a version that there is not.
pub(super) fn told(path: Option<&str>, missing: &NoVersion, said: &Said<'_>) -> Draft {
    let (name, given) = (path_named(path, said), path.unwrap_or_default());
    let batch = batch_of(missing);
    let reading = |path: &str, side| version(said, path, batch, side);
    let this = called(batch, said);
    match missing {
        NoVersion::Untouched { paths: touched, .. } => Draft::because(format!("{this} did not touch {name}"))
            .show((!touched.is_empty()).then(|| format!("it touched {}", paths(touched, said))))
            .hint(said.about("log", given)),
        NoVersion::NotAfter { moved: None, .. } => {
            Draft::because(format!("{this} deleted {name}, and left nothing of it")).hint(reading(given, Side::Before))
        }
        NoVersion::NotAfter { moved: Some(to), .. } => {
            Draft::because(format!("{this} moved {name} to {}", said.path(to))).hint(reading(to, Side::After))
        }
        NoVersion::NotBefore { moved: None, .. } => {
            Draft::because(format!("{this} made {name}, and found nothing there")).hint(reading(given, Side::After))
        }
        NoVersion::NotBefore { moved: Some(from), .. } => {
            Draft::because(format!("{this} moved {} to {name}", said.path(from))).hint(reading(from, Side::Before))
        }
        NoVersion::Folder { trash, below, .. } => {
            let hint = match below.first() {
                _ if trash.is_some() => said.about("trash restore", given),
                Some(first) => reading(first, Side::After),
                None => show(batch, said),
            };
            Draft::because(format!("{name} was a folder in {this}, and only files have versions"))
                .show((!below.is_empty()).then(|| format!("in it: {}", paths(below, said))))
                .hint(hint)
        }
        NoVersion::SameBytes { moved, .. } => {
            let did = if *moved { "moved" } else { "changed the permission bits of" };
            Draft::because(format!("{this} only {did} {name}, and what it held then is not on record"))
                .hint(said.about("log", given))
        }
    }
}

fn batch_of(missing: &NoVersion) -> &BatchName {
    match missing {
        NoVersion::Untouched { batch, .. } | NoVersion::NotAfter { batch, .. } => batch,
        NoVersion::NotBefore { batch, .. } | NoVersion::Folder { batch, .. } => batch,
        NoVersion::SameBytes { batch, .. } => batch,
    }
}

/// Before or after a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

fn version(said: &Said<'_>, path: &str, batch: &BatchName, side: Side) -> Option<String> {
    let before = if side == Side::Before { "--before " } else { "" };
    let path = said.argument(&format!("{path}@{}", named(batch, said)?), None)?;
    Some(said.command(&format!("read {before}{path}")))
}

/// The command that shows a batch.
pub(super) fn show(batch: &BatchName, said: &Said<'_>) -> Option<String> {
    named(batch, said).map(|batch| said.command(&format!("show {batch}")))
}

/// A batch by its short name; where that is not known, by the name that it was given.
pub(super) fn named(batch: &BatchName, said: &Said<'_>) -> Option<String> {
    short(batch).or_else(|| said.batches.first().cloned())
}

/// The same in a sentence.
pub(super) fn called(batch: &BatchName, said: &Said<'_>) -> String {
    named(batch, said).unwrap_or_else(|| "that batch".to_owned())
}

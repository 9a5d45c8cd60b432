//! Patches that do not fit: which hunk, which file, and how the closest place differs.

use super::said::Said;
use super::shown::{line, nearest as closest, reach};
use super::text::already;
use super::{Draft, content, machine, named};
use crate::report::amounts::many;
use crate::report::line_range::LineRange;
use crate::report::matching::lines;
use patchwright_core::refusal::{Absolute, HunkRef, Misfit, Sought, Why};

/// Lines of a file that are farther apart than this are not read at once.
const FAR: usize = 200;
/// So many lines around a place are shown.
const AROUND: usize = 3;

/// Words for what only a patch can be refused for.
pub(super) fn told(path: Option<&str>, why: &Why, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    match why {
        Why::HunkMany { hunk, sought, count, disk, .. } => {
            several(path, *hunk, &Several { sought, count: *count, at: disk }, said)
        }
        Why::HunkOverlap { hunk, earlier, line } => Draft::because(format!(
            "{} and {} of the patch change the same lines of {name}, around line {line}",
            hunk_named(*earlier),
            hunk_named(*hunk)
        ))
        .show(["one hunk could make both changes".to_owned()]),
        Why::HunkBare { hunk } => {
            Draft::because(format!("{} does not say where in {name} its lines belong", of_patch(*hunk)))
                .show(["it takes a line of the file as context, above or below the new ones".to_owned()])
                .hint(path.and_then(|path| said.reading(path, None)))
        }
        Why::DuplicatePath { other } => {
            let also = Some(said.path(other)).filter(|other| *other != name);
            let also = also.map(|other| format!(" ({other} is the same file)")).unwrap_or_default();
            Draft::because(format!("two sections of the patch are about {name}{also}"))
                .show(["one section may have several hunks; else it takes two patches".to_owned()])
        }
        Why::CommitFailed { doing, said: words } => {
            Draft::because(format!("the disk failed at {name} while {}: {}", machine::doing(doing), line(words)))
                .show((said.done == 0).then(|| "what had been done of the patch was taken back".to_owned()))
        }
        Why::AbsolutePath(absolute) => absolute_path(&name, absolute.as_deref()),
        // Hunks for a link.
        _ => Draft::because(format!("{name} is a link, which has no lines that a patch could change")),
    }
}

fn absolute_path(name: &str, absolute: Option<&Absolute>) -> Draft {
    match absolute {
        None => Draft::because(format!("{name} is outside the workspace, and a patch takes paths from its root")),
        Some(absolute) => {
            Draft::because(format!("{name} is absolute, and a patch takes paths from the workspace's root"))
                .show([format!("line {} should be  {}", absolute.line, line(&absolute.header))])
        }
    }
}

/// A hunk by its number, and where it stands in the patch.
fn hunk_named(hunk: HunkRef) -> String {
    format!("hunk {} (line {})", hunk.index.saturating_add(1), hunk.at)
}

/// The same at the beginning of a sentence about a patch.
fn of_patch(hunk: HunkRef) -> String {
    format!("hunk {} (line {} of the patch)", hunk.index.saturating_add(1), hunk.at)
}

/// Words for a hunk that has no place.
pub(super) fn misfit(path: Option<&str>, hunk: HunkRef, misfit: &Misfit, said: &Said<'_>) -> Draft {
    let (name, hunk_at) = (named(path, said), of_patch(hunk));
    let reading = |lines| path.and_then(|path| said.reading(path, lines));
    match misfit {
        Misfit::Nowhere { other_charset: true, .. } => {
            let draft = Draft::because(format!("{hunk_at} does not fit {name}, which is not valid UTF-8"));
            content::other_charset(draft, path, said)
        }
        Misfit::Nowhere { nearest, already_at, .. } => Draft::because(format!("{hunk_at} does not fit {name}"))
            .show(nearest.iter().flat_map(|nearest| closest(nearest, "patch")))
            .show(already(already_at, "what it brings"))
            .hint(reading(nearest.as_deref().map(reach).or(already_at.first().map(|at| (*at, *at))))),
        Misfit::NotAtEnd(at) => {
            Draft::because(format!("{hunk_at} is for the end of {name}, and its lines are at {}", lines(at)))
                .hint(reading(at.first().map(|first| (*first, *first))))
        }
        Misfit::EndsInNewline => {
            Draft::because(format!("{hunk_at} says that {name} ends without a newline, and it ends with one"))
        }
        Misfit::NoHeader { header, near } => {
            let near = near.iter().take(AROUND).map(|(at, text)| format!("line {at} is  {}", line(text)));
            Draft::because(format!("the line that {hunk_at} names with @@ is not in {name}, or not in that block"))
                .show([format!("@@ {}", line(header))])
                .show(near)
                .hint(reading(None))
        }
        Misfit::OutOfScope { header, scope, lines: at } => {
            Draft::because(format!("the lines of {hunk_at} are in {name} at {}, outside the block it names", lines(at)))
                .show([format!("@@ {} is {}", line(header), LineRange::from(*scope).spelt())])
                .hint(reading(Some(*scope)))
        }
        Misfit::LinesLeft(count) => Draft::because(format!(
            "{hunk_at} deletes {name}, which has {} that the patch does not know",
            many(*count, "line", "lines")
        ))
        .hint(reading(None)),
        Misfit::LineEnds { at, returns } => {
            let ends = if *returns { "\\r\\n" } else { "\\n" };
            Draft::because(format!("line {at} of the patch ends otherwise than the lines of {name} beside it"))
                .show([format!("there it would end in {ends}: a diff leaves line ends as they are")])
        }
    }
}

/// What stands in several places.
struct Several<'a> {
    sought: &'a Sought,
    count: usize,
    /// Those places of it that are told.
    at: &'a [usize],
}

/// A hunk, or the line that it names, that stands in several places.
fn several(path: Option<&str>, hunk: HunkRef, found: &Several<'_>, said: &Said<'_>) -> Draft {
    let Several { sought, count, at } = *found;
    let (name, places) = (named(path, said), lines(at));
    let draft = match sought {
        Sought::OldLines { .. } => {
            Draft::because(format!("{} fits {name} in {count} places, at {places}", of_patch(hunk)))
                .show(["more lines around it would tell which is meant".to_owned()])
        }
        Sought::Header(header) => Draft::because(format!(
            "the line that {} names with @@ stands in {name} {count} times, at {places}",
            of_patch(hunk)
        ))
        .show([format!("@@ {}", line(header))]),
    };
    draft.hint(path.and_then(|path| said.reading(path, spanning(at))))
}

/// The lines from the first place to the last with some around them, unless that is too much.
fn spanning(at: &[usize]) -> Option<(usize, usize)> {
    let (first, last) = (at.iter().min()?, at.iter().max()?);
    (last.saturating_sub(*first) <= FAR).then(|| (first.saturating_sub(AROUND).max(1), last.saturating_add(AROUND)))
}

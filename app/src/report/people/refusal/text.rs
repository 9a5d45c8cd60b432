//! Text to be replaced that is not there, or there too often.

use super::said::Said;
use super::shown::{nearest as closest, reach};
use super::{Draft, content, named};
use crate::report::amounts::many;
use crate::report::matching::lines;
use patchwright_core::refusal::Why;

/// Words for these refusals.
pub(super) fn told(path: Option<&str>, why: &Why, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    let reading = |lines| path.and_then(|path| said.reading(path, lines));
    match why {
        Why::OldTextNotFound { edit, other_charset: true, .. } => {
            let draft = Draft::because(format!("{} is not in {name}, which is not valid UTF-8", wanted(*edit)));
            content::other_charset(draft, path, said)
        }
        Why::OldTextNotFound { edit, nearest, already_at, .. } => {
            let done = already(already_at, "the new text");
            Draft::because(format!("{} is not in {name}", wanted(*edit)))
                .show(nearest.iter().flat_map(|nearest| closest(nearest, "wanted")))
                .show(done)
                .hint(reading(nearest.as_deref().map(reach).or(already_at.first().map(|at| (*at, *at)))))
        }
        Why::MultipleMatches { edit, expected, count, lines: at, overlapping, .. } => {
            let overlap = overlapping.then(|| "they overlap each other".to_owned());
            let expected = expected.map(|expected| format!("; {expected} expected")).unwrap_or_default();
            let (times, at_lines) = (many(*count, "time", "times"), lines(at));
            Draft::because(format!("{} stands in {name} {times}, at {at_lines}{expected}", wanted(*edit)))
                .show(overlap)
                .hint(reading(at.first().zip(at.last()).map(|(first, last)| (*first, *last))))
        }
        Why::OverlappingEdits { edits: (one, two), lines: (at_one, at_two) } => Draft::because(format!(
            "edits {} and {} touch the same text of {name}, at lines {at_one} and {at_two}",
            one.saturating_add(1),
            two.saturating_add(1)
        )),
        // Nothing else is about such text.
        _ => Draft::because(format!("the text is not in {name}")),
    }
}

/// The text that one of several edits is to replace.
fn wanted(edit: usize) -> String {
    match edit {
        0 => "the text to be replaced".to_owned(),
        more => format!("the text to be replaced by edit {}", more.saturating_add(1)),
    }
}

/// That a change may have been made before.
pub(super) fn already(at: &[usize], what: &str) -> Option<String> {
    (!at.is_empty()).then(|| format!("{what} stands there already, at {}", lines(at)))
}

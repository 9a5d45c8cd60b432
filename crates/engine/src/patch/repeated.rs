//! Several sections about one file, as the Codex conventions allow them: read one after the other, and carried out as
//! one change of the file as it was at first.
//!
//! What cannot be one change of one name stays apart, and is refused as two sections about one file.

use super::section::Section;
use patchwright_core::dialect::wanted::What;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Refusal;
use patchwright_core::seeded::{Bug, is_planted};
use std::collections::HashMap;

/// Joins each section with the earlier one about its file.
pub(super) fn joined(sections: Vec<Result<Section, Refusal>>) -> Vec<Result<Section, Refusal>> {
    let mut joined: Vec<Result<Section, Refusal>> = Vec::with_capacity(sections.len());
    let mut known: HashMap<RelPath, usize> = HashMap::new();
    for section in sections {
        let Ok(section) = section else {
            joined.push(section);
            continue;
        };
        let at = known.get(&section.path).copied();
        let apart = match at.and_then(|at| joined.get_mut(at)) {
            Some(Ok(earlier)) => follow(earlier, section),
            _ => Some(section),
        };
        let at = at.filter(|_| apart.is_none()).unwrap_or(joined.len());
        joined.extend(apart.map(Ok));
        if let Some(Ok(section)) = joined.get(at) {
            // A file that was given another name is no longer found by the old one.
            if section.name() != &section.path {
                known.remove(&section.path);
            }
            known.insert(section.name().clone(), at);
        }
    }
    joined
}

/// Adds a later section to an earlier one about the same file; gives it back where they are not one change.
fn follow(earlier: &mut Section, later: Section) -> Option<Section> {
    match (&earlier.wanted.what, &later.wanted.what) {
        (What::Update | What::Add(_) | What::Move, What::Update) => {}
        (What::Update, What::Move) => {
            earlier.wanted.what = What::Move;
            earlier.to.clone_from(&later.to);
        }
        (What::Delete, What::Add(_)) => {
            earlier.wanted.what = later.wanted.what;
            earlier.replaces = true;
            return None;
        }
        (What::Add(_), What::Add(_)) => {
            earlier.wanted.what = later.wanted.what;
            earlier.wanted.hunks.clear();
            return None;
        }
        _ => return Some(later),
    }
    if is_planted(Bug::EarlierSectionLost) {
        earlier.wanted.hunks.clear();
    }
    let number = earlier.wanted.hunks.last().map_or(1, |hunk| hunk.section + 1);
    let hunks = later.wanted.hunks.into_iter().map(|mut hunk| {
        hunk.section = number;
        hunk
    });
    earlier.wanted.hunks.extend(hunks);
    None
}

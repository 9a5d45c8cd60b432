//! Where the edits come from: a made-up history and made-up edits of the project's own files, which need nothing
//! from outside; in a long run also the project's own commits, and the steps from version to version of the
//! packages that cargo keeps.

use super::sample::{Step, step, steps};
use crate::failure::Failure;
use crate::prove::setting::{Length, Setting};
use crate::prove::shuffle::shuffle;
use crate::replay::edit::Edits;
use crate::replay::packages::Packages;
use crate::replay::{self, Bounds};
use patchwright_testkit::dice::Dice;
use patchwright_testkit::tree::{Item, Tree};
use std::path::PathBuf;
use std::sync::Arc;

/// Files above this size are not even read out of packages.
const MOST_BYTES: usize = 40_000;
/// Of so many files of a package's step a sample is taken.
const FILES: usize = 12;
/// So many steps make a unit.
const UNIT: usize = 8;

/// With this the names of all steps begin that are no real commits.
pub(super) const MADE_UP: &str = "made-up";

/// Steps by units, which workers take by number.
pub(super) struct Source {
    ready: Vec<Vec<Step>>,
    packages: Vec<(Arc<Packages>, usize)>,
    /// What the steps are, for the figures.
    pub(super) told: String,
}

impl Source {
    pub(super) fn of(setting: &Setting) -> Result<Source, Failure> {
        let mut steps: Vec<Step> = replay::made_up()?.iter().flat_map(self::steps).collect();
        steps.iter_mut().for_each(|step| step.name = format!("{MADE_UP} history, {}", step.name));
        let made_up = steps.len();
        let own = own(setting)?;
        let mut told = format!("{made_up} steps of a made-up history, {} of the project's own files", own.len());
        steps.extend(own);
        let mut packages = Vec::new();
        if setting.length != Length::Short {
            let commits: Vec<Step> = replay::commits(&setting.project).iter().flatten().flat_map(self::steps).collect();
            let count = commits.len();
            steps.extend(commits);
            packages = kept_packages()?;
            told = format!("{told}, {count} of its commits, {} of packages", packages.len());
        }
        // Like a pack of cards: any part of the run has something of everything.
        let mut dice = setting.dice("order");
        shuffle(&mut steps, &mut dice);
        shuffle(&mut packages, &mut dice);
        let ready = steps.chunks(UNIT).map(<[Step]>::to_vec).collect();
        Ok(Source { ready, packages, told })
    }

    pub(super) fn units(&self) -> usize {
        self.ready.len() + self.packages.len()
    }

    /// The steps of a unit: those of packages between the others.
    pub(super) fn unit(&self, at: usize, dice: &mut Dice) -> Result<Vec<Step>, Failure> {
        let paired = self.ready.len().min(self.packages.len());
        let (half, odd) = (at / 2, at % 2 == 1);
        let (package, number) = match at.checked_sub(2 * paired) {
            None => (odd, half),
            Some(rest) => (self.packages.len() > self.ready.len(), paired + rest),
        };
        if !package {
            return Ok(self.ready.get(number).cloned().unwrap_or_default());
        }
        let Some((packages, at)) = self.packages.get(number) else { return Ok(Vec::new()) };
        let mut steps = steps(&packages.edit(*at, &mut ())?);
        shuffle(&mut steps, dice);
        steps.truncate(FILES);
        Ok(steps)
    }
}

/// Cargo's packages in their versions, wherever it keeps them; none if it keeps none.
fn kept_packages() -> Result<Vec<(Arc<Packages>, usize)>, Failure> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let Some(kept) = home.map(|home| home.join("registry/src")).filter(|kept| kept.is_dir()) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&kept).map_err(|error| Failure::io(kept.display(), &error))? {
        let place = entry.map_err(|error| Failure::io(kept.display(), &error))?.path();
        let packages = Arc::new(Packages::of(&place, Bounds { max_file_bytes: MOST_BYTES, ..Bounds::NONE })?);
        found.extend((0..packages.count()).map(|at| (Arc::clone(&packages), at)));
    }
    Ok(found)
}

/// The project's own sources, each with some lines changed.
fn own(setting: &Setting) -> Result<Vec<Step>, Failure> {
    let mut dice = setting.dice("own files");
    let mut found = Vec::new();
    for folder in ["app/src", "crates", "testkit/src", "spec"] {
        let place = setting.project.join(folder);
        let tree = Tree::read(&place).map_err(|error| Failure::io(place.display(), &error))?;
        for (path, item) in tree.items {
            if let Item::File { bytes, .. } = item
                && let Ok(text) = std::str::from_utf8(&bytes)
            {
                let after = changed(text, &mut dice);
                found.extend(step(&format!("{MADE_UP} edit"), &format!("{folder}/{path}"), &bytes, after.as_bytes()));
            }
        }
    }
    Ok(found)
}

/// A text with two to five changes: lines that go, come from elsewhere with another word, or say something else.
fn changed(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..2 + dice.below(4) {
        let at = dice.below(lines.len());
        let end = (at + 1 + dice.below(4)).min(lines.len());
        let from = dice.below(lines.len());
        let brought = lines.iter().skip(from).take(1 + dice.below(4));
        let brought: Vec<String> = brought.map(|line| super::garble::with_other_word(line)).collect();
        match dice.below(4) {
            0 => drop(lines.drain(at.min(end)..end)),
            1 => drop(lines.splice(at..at, brought)),
            2 => drop(lines.splice(at..end.max(at), brought)),
            _ => {
                if let Some(line) = lines.get_mut(at) {
                    *line = super::garble::with_other_word(line);
                }
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

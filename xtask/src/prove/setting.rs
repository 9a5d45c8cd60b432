//! What a suite is given: the binary, a scratch folder, a seed, and how long it may take.

use super::findings::Findings;
use super::scratch;
use crate::failure::Failure;
use crate::home;
use crate::size::{self, Build};
use patchwright_testkit::dice::Dice;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How thorough a suite is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// A sample of about twenty seconds, for the test command. What is tried does not depend on the clock.
    Short,
    /// As much as fits into this time.
    Long(Duration),
}

/// Where a suite runs.
pub(crate) struct Setting {
    /// The project.
    pub(crate) project: PathBuf,
    /// The `patchwright` that is put to the test.
    pub(crate) binary: PathBuf,
    pub(crate) length: Length,
    pub(crate) seed: u64,
    /// Where violations are left.
    pub(crate) evidence: PathBuf,
    /// The command that repeats the run.
    pub(crate) again: String,
    begun: Instant,
    scratch: TempDir,
}

impl Length {
    /// A suite's share of so many minutes.
    pub(crate) fn share(minutes: u64, weight: u32, of: u32) -> Length {
        Length::Long(Duration::from_secs(minutes.saturating_mul(60)).mul_f64(f64::from(weight) / f64::from(of.max(1))))
    }

    /// How a run of this length is asked for.
    fn words(self) -> String {
        match self {
            Length::Short => "--short".to_owned(),
            Length::Long(time) => format!("--minutes {}", time.as_secs().div_ceil(60).max(1)),
        }
    }
}

impl Setting {
    pub(crate) fn new(
        project: &Path,
        suite: &str,
        length: Length,
        seed: u64,
        binary: Option<&Path>,
    ) -> Result<Setting, Failure> {
        let planted = std::env::var(super::SEEDED_BUG).ok();
        let name = planted.as_ref().map_or_else(|| format!("{suite}-{seed}"), |bug| format!("planted-{bug}"));
        let again = format!("cargo xtask prove {} --seed {seed} {suite}", length.words());
        Ok(Setting {
            project: project.to_owned(),
            binary: binary.map_or_else(|| size::binary(project, Build::Debug), |binary| Ok(binary.to_owned()))?,
            length,
            seed,
            evidence: size::target(project)?.join("prove").join(name),
            again: planted.map_or(again, |bug| format!("cargo xtask prove controls {bug}")),
            begun: Instant::now(),
            scratch: scratch::on_disk()?,
        })
    }

    /// A folder of our own; it goes when the suite ends.
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Chance for one purpose, whatever the others have thrown.
    pub(crate) fn dice(&self, purpose: &str) -> Dice {
        let mixed = purpose.bytes().fold(self.seed, |sum, byte| sum.wrapping_mul(1_000_003).wrapping_add(byte.into()));
        Dice::new(mixed)
    }

    /// Picks by length.
    pub(crate) fn sized<T>(&self, short: T, long: T) -> T {
        match self.length {
            Length::Short => short,
            Length::Long(_) => long,
        }
    }

    /// Is there time for more, and reason? A short run is bounded by what it tries, not by the clock. Where a
    /// hundred promises have been broken, a further one says nothing new; where a bug was planted, the first does.
    pub(crate) fn goes_on(&self, so_far: &Findings) -> bool {
        let time = match self.length {
            Length::Short => true,
            Length::Long(time) => self.begun.elapsed() < time,
        };
        let most = if std::env::var_os(super::SEEDED_BUG).is_some() { 1 } else { 100 };
        time && so_far.violations.len() < most
    }

    /// The binary, to be given words about a workspace.
    pub(crate) fn patchwright(&self, root: &Path) -> Command {
        home::patchwright(&self.binary, root)
    }
}

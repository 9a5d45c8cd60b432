//! Power cuts on real file systems: no answered change is lost, and no other is half there.
//!
//! ext4 and xfs are shut down as the kernel offers it, after an answer or in the middle of a call. On all file systems,
//! btrfs among them, the writes and flushes that reach the block device are recorded too, and replayed up to some
//! point, with any part of what was not flushed. Each time the file system is mounted again, which replays its
//! journal, the workspace is opened, which recovers it, and everything is compared with what the caller was told.

mod cut;
mod disk;
mod filesystem;
mod fuse;
mod interrupt;
mod judge;
mod play;
mod port;
mod replay;
mod route;
mod voyage;

use super::answer::Wrong;
use super::findings::{Findings, Violation};
use super::setting::Setting;
use super::strace;
use super::workload;
use crate::failure::Failure;
use crate::machine;
use cut::{Cut, When};
use filesystem::{Kind, Mode};
use patchwright_testkit::dice::Dice;
use play::Door;
use port::Port;
use replay::Kept;
use voyage::{Rehearsed, Voyage};

/// How many calls a voyage of chance has.
const LENGTH: usize = 8;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") || !machine::is_root() {
        findings.not_here("it needs root on Linux, to mount file systems");
        return Ok(());
    }
    strace::probe()?;
    let mut suite = Suite { setting, port: Port::open(setting)?, findings, tally: Tally::default() };
    let ended = suite.rounds();
    suite.findings.figures.extend(suite.tally.lines());
    ended
}

/// The trials so far, and where they are made.
struct Suite<'a> {
    setting: &'a Setting,
    port: Port<'a>,
    findings: &'a mut Findings,
    tally: Tally,
}

/// What was tried, for the report.
#[derive(Default)]
struct Tally {
    cuts: [u64; 3],
    replays: [u64; 3],
    writes: usize,
    flushes: usize,
}

impl Suite<'_> {
    fn rounds(&mut self) -> Result<(), Failure> {
        for round in 0_usize.. {
            self.sail(round)?;
            if self.setting.sized(true, false) || !self.setting.goes_on(self.findings) {
                break;
            }
        }
        Ok(())
    }

    /// A few voyages, on each file system, with each kind of cut.
    fn sail(&mut self, round: usize) -> Result<(), Failure> {
        let voyages = voyages(round, &mut self.setting.dice(&format!("power voyages {round}")));
        for (number, voyage) in voyages.into_iter().enumerate() {
            let name = voyage.name.clone();
            let rehearsed = voyage.rehearse(self.port.binary(), self.port.memory());
            let Some(rehearsed) = self.told(&format!("{name}, rehearsed"), rehearsed)? else { continue };
            for kind in [Kind::Ext4, Kind::Xfs] {
                self.shut_down(kind, &rehearsed, &mut self.dice("shut down", kind, round, &rehearsed))?;
            }
            // On btrfs always, as it cannot be shut down; on one of the others in turn.
            let other = if number.is_multiple_of(2) { Kind::Ext4 } else { Kind::Xfs };
            for kind in [Kind::Btrfs, other] {
                self.replay(kind, &rehearsed, &mut self.dice("replay", kind, round, &rehearsed))?;
            }
        }
        Ok(())
    }

    /// Dice of its own for each part: what a disk sees is not quite the same each time, and must not change what others
    /// throw. A voyage that comes again in another round is cut elsewhere.
    fn dice(&self, what: &str, kind: Kind, round: usize, rehearsed: &Rehearsed) -> Dice {
        self.setting.dice(&format!("power {what} {} {round} {}", kind.name(), rehearsed.voyage.name))
    }

    /// What was made; where a promise was broken over it already, that is noted.
    fn told<T>(&mut self, trial: &str, made: Result<T, Wrong>) -> Result<Option<T>, Failure> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(Wrong::Harness(failure)) => Err(failure),
            Err(Wrong::Promise(what)) => {
                self.findings.note(Err(Violation::new(format!("{trial}: {what}"))));
                Ok(None)
            }
        }
    }

    /// Each way to shut a file system down, after an answer and in a call.
    fn shut_down(&mut self, kind: Kind, rehearsed: &Rehearsed, dice: &mut Dice) -> Result<(), Failure> {
        let image = &self.port.image(kind, rehearsed)?;
        for mode in Mode::ALL {
            for when in [When::between(rehearsed, dice), When::within(rehearsed, dice)] {
                let door = if dice.coin() { Door::Server } else { Door::CommandLine };
                if self.setting.goes_on(self.findings) {
                    let judged = Cut { kind, rehearsed, image, mode, door, when }.run(&self.port)?;
                    self.findings.note(judged.map_err(|violation| *violation));
                    Tally::count(&mut self.tally.cuts, kind);
                }
            }
        }
        Ok(())
    }

    /// One recording, and a few replays for each way to lose what was not flushed.
    fn replay(&mut self, kind: Kind, rehearsed: &Rehearsed, dice: &mut Dice) -> Result<(), Failure> {
        if !self.setting.goes_on(self.findings) {
            return Ok(());
        }
        let recorded = replay::record(&self.port, kind, rehearsed);
        let trial = format!("{}, {}, recorded", kind.name(), rehearsed.voyage.name);
        let Some(recording) = self.told(&trial, recorded)? else { return Ok(()) };
        self.tally.add(recording.counts());
        let times = if kind == Kind::Btrfs { 2 } else { 1 };
        for kept in Kept::ALL.into_iter().cycle().take(Kept::ALL.len().saturating_mul(times)) {
            if self.setting.goes_on(self.findings) {
                let moment = recording.moment(dice);
                let judged = recording.replay(&self.port, moment, kept, dice)?;
                self.findings.note(judged.map_err(|violation| *violation));
                Tally::count(&mut self.tally.replays, kind);
            }
        }
        Ok(())
    }
}

impl Tally {
    fn count(counts: &mut [u64; 3], kind: Kind) {
        if let Some(count) = counts.get_mut(kind as usize) {
            *count = count.saturating_add(1);
        }
    }

    fn add(&mut self, seen: replay::Counts) {
        self.writes = self.writes.saturating_add(seen.writes);
        self.flushes = self.flushes.saturating_add(seen.flushes);
    }

    fn lines(&self) -> [String; 2] {
        let ([ext4, xfs, _], [ext4_again, xfs_again, btrfs]) = (self.cuts, self.replays);
        let Tally { writes, flushes, .. } = self;
        [
            format!("shut down: {ext4} times on ext4, {xfs} on xfs"),
            format!(
                "replayed: {btrfs} times on btrfs, {ext4_again} on ext4, {xfs_again} on xfs; {writes} writes and {flushes} flushes recorded"
            ),
        ]
    }
}

/// Two of chance, and two of the workloads that others use too.
fn voyages(round: usize, dice: &mut Dice) -> Vec<Voyage> {
    let chance = |at: usize, dice: &mut Dice| route::chance(format!("chance {round}.{at}"), LENGTH, dice);
    let mut all = vec![chance(1, dice), chance(2, dice)];
    for _ in 0..2 {
        let mut works = workload::all();
        works.retain(|work| work.files <= 10);
        let at = dice.below(works.len());
        all.extend(works.into_iter().nth(at).map(Voyage::from));
    }
    all
}

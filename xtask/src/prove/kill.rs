//! Killed at every system call: the tree is before or after and never between, nothing is left lying about, the record
//! verifies, and what was answered is done. Recovery is killed in the same way.
//!
//! The binary itself runs under `strace`, which kills it as it enters a call. Process death is what is shown here; a
//! power cut is another suite's matter.

mod account;
mod crew;
mod judge;
mod places;
mod shelves;
mod site;
mod states;
mod talk;
mod trial;

use super::findings::{Findings, Violation};
use super::setting::{Length, Setting};
use super::shuffle::shuffle;
use super::strace;
use super::strace::Injection;
use super::workload;
use crate::failure::Failure;
use crew::{Grounds, share};
use judge::OPENERS;
use patchwright_testkit::dice::Dice;
use site::{Server, Site};
use std::collections::BTreeMap;
use trial::{Ground, Reached, Trial, Victim};

/// Workloads up to this size are tried at every call.
const FEW: usize = 4;
/// One in so many of them is tried at every call through a server too, and one in so many at every call of recovery.
const BY_SERVER: usize = 3;
const IN_RECOVERY: usize = 2;
/// One trial in so many runs on the disk.
const ON_DISK: usize = 8;
/// So many trials go between two looks at the clock.
const STRETCH: usize = 24;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    strace::probe()?;
    let mut proof = Proof::new(setting, findings);
    let sites = match proof.learn() {
        Ok(sites) => sites,
        // Calls that do not come out even where nobody disturbs them: that is a promise broken, too.
        Err(failure) => {
            proof.findings.note(Err(Violation::new(format!("left in peace: {failure}"))));
            return Ok(());
        }
    };
    sites.iter().for_each(|site| proof.findings.note(site.flaw().map_or(Ok(()), Err)));
    let ended = proof.all(&sites);
    proof.findings.figures.extend(proof.tally.lines(sites.len()));
    ended
}

/// The suite at work.
struct Proof<'a> {
    setting: &'a Setting,
    grounds: Grounds,
    dice: Dice,
    findings: &'a mut Findings,
    tally: Tally,
}

/// How much of what was tried.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<String, u64>,
    line: u64,
    server: u64,
    recovery: u64,
    states: u64,
    exhausted: Exhausted,
    unreached: u64,
    on_disk: u64,
}

/// Of what every call was tried.
#[derive(Default)]
struct Exhausted {
    /// Small workloads that there are; none in a short run.
    of: usize,
    line: u64,
    server: u64,
    /// States from which recovery was killed at each of its calls.
    states: u64,
}

impl<'a> Proof<'a> {
    fn new(setting: &'a Setting, findings: &'a mut Findings) -> Proof<'a> {
        let (grounds, dice) = (Grounds::new(setting.scratch()), setting.dice("kill"));
        Proof { setting, grounds, dice, findings, tally: Tally::default() }
    }

    fn all(&mut self, sites: &[Site]) -> Result<(), Failure> {
        self.sample(sites)?;
        if self.setting.length == Length::Short {
            return Ok(());
        }
        let mut small: Vec<&Site> = sites.iter().filter(|site| site.ready.files <= FEW).collect();
        shuffle(&mut small, &mut self.dice);
        self.tally.exhausted.of = small.len();
        self.exhaust(&small)?;
        while self.setting.goes_on(self.findings) {
            small.iter().try_for_each(|site| self.exhaust_recovery(site))?;
            self.sample(sites)?;
        }
        Ok(())
    }

    /// Prepares every workload and watches it once.
    fn learn(&self) -> Result<Vec<Site>, Failure> {
        let workloads: Vec<_> = workload::all().into_iter().enumerate().collect();
        let place = self.grounds.on(Ground::Memory);
        share(&workloads, |_, (at, workload)| {
            let server = if at % self.setting.sized(3, 1) == 0 { Server::Too } else { Server::Not };
            Site::learn(workload, &self.setting.binary, place, server)
        })
    }

    /// Some places in every workload, and some recoveries: what the short version is.
    fn sample(&mut self, sites: &[Site]) -> Result<(), Failure> {
        let mut trials = Vec::new();
        for site in sites {
            let mut places = places::some(places::changing(site.line.working()), 2, &mut self.dice);
            places.extend(places::after_the_answer(site.line.working()));
            places.extend(places::some(places::every(site.line.working()), 1, &mut self.dice));
            trials.extend(self.trials(site, Victim::Line, places));
            let mut places = places::some(places::changing(site.server.working()), 2, &mut self.dice);
            places.extend(places::after_the_answer(site.server.working()));
            trials.extend(self.trials(site, Victim::Server, places));
        }
        if let Some(site) = self.dice.pick(sites) {
            let places = places::some(places::every(site.line.starting()), 3, &mut self.dice);
            trials.extend(self.trials(site, Victim::Line, places));
        }
        self.attempt(&trials)?;
        self.sample_recovery(sites)
    }

    /// Every call of every small workload by the command line, of some through a server, and of recovery from
    /// what some leave. Workload by workload, so that a run that ends early has some of each.
    fn exhaust(&mut self, small: &[&Site]) -> Result<(), Failure> {
        for (at, site) in small.iter().enumerate() {
            let trials = self.trials(site, Victim::Line, places::every(site.line.working()));
            let all = self.attempt(&trials)?;
            self.tally.exhausted.line = self.tally.exhausted.line.saturating_add(u64::from(all));
            if at % IN_RECOVERY == 0 {
                self.exhaust_recovery(site)?;
            }
            if at % BY_SERVER == 0 {
                let trials = self.trials(site, Victim::Server, places::every(site.server.working()));
                let all = self.attempt(&trials)?;
                self.tally.exhausted.server = self.tally.exhausted.server.saturating_add(u64::from(all));
            }
        }
        Ok(())
    }

    fn trials<'s>(&mut self, site: &'s Site, victim: Victim<'s>, places: Vec<Injection>) -> Vec<Trial<'s>> {
        let mut trial = |at| Trial {
            site,
            victim,
            at,
            opener: self.dice.pick(OPENERS).copied().unwrap_or(judge::Opener::Doctor),
            ground: if self.dice.below(ON_DISK) == 0 { Ground::Disk } else { Ground::Memory },
        };
        places.into_iter().map(&mut trial).collect()
    }

    /// Runs trials as long as there is time, and counts what comes of them. Was there time for all?
    fn attempt(&mut self, trials: &[Trial<'_>]) -> Result<bool, Failure> {
        for stretch in trials.chunks(STRETCH) {
            if !self.setting.goes_on(self.findings) {
                return Ok(false);
            }
            let (grounds, binary) = (&self.grounds, &self.setting.binary);
            let run = |hand: usize, trial: &Trial<'_>| {
                trial.run(binary, &grounds.on(trial.ground).join(format!("hand-{hand}")))
            };
            // All of them are noted before the first failure ends it.
            let mut ended = Ok(());
            for (trial, tried) in stretch.iter().zip(share(stretch, |hand, trial| Ok(run(hand, trial)))?) {
                match tried {
                    Ok(tried) => {
                        self.tally.note(trial, tried.reached);
                        self.findings.note(tried.verdict);
                    }
                    Err(failure) => ended = ended.and(Err(failure)),
                }
            }
            ended?;
        }
        Ok(true)
    }
}

impl Tally {
    fn note(&mut self, trial: &Trial<'_>, reached: Reached) {
        let kind = self.kinds.entry(trial.site.kind().to_owned()).or_default();
        let victim = match trial.victim {
            Victim::Line => &mut self.line,
            Victim::Server => &mut self.server,
            Victim::Recovery(_) => &mut self.recovery,
        };
        let disk = u64::from(trial.ground == Ground::Disk);
        let missed = u64::from(reached == Reached::No);
        for (count, more) in [(kind, 1), (victim, 1), (&mut self.on_disk, disk), (&mut self.unreached, missed)] {
            *count = count.saturating_add(more);
        }
    }

    fn lines(&self, workloads: usize) -> Vec<String> {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let mut lines = vec![
            format!(
                "{workloads} workloads; killed by the command line {}, through a server {}, in recovery {} (from {} states)",
                self.line, self.server, self.recovery, self.states
            ),
            format!("on a disk {}; ended before the call came {}", self.on_disk, self.unreached),
            format!("by kind: {}", kinds.join(", ")),
        ];
        let Exhausted { of, line, server, states } = self.exhausted;
        if of > 0 {
            lines.push(format!(
                "workloads of up to {FEW} files: every call of {line} of {of} by the command line, of {server} through a server, and of recovery from {states} states"
            ));
        }
        lines
    }
}

//! What kills leave behind, and recovery from it killed in its turn.

use super::Proof;
use super::crew::share;
use super::places;
use super::site::{Run, Site, beside};
use super::talk::once;
use super::trial::{Ground, Recoverer, State, Trial, Victim};
use crate::failure::Failure;
use crate::prove::strace::{self, Injection};
use crate::prove::workload;
use std::path::Path;

/// A state, the workload it comes from, and the system calls of recovery from it.
struct Left<'s> {
    site: &'s Site,
    state: State,
    run: Run,
}

/// One place to kill at, to leave a state.
struct Order<'s> {
    site: &'s Site,
    at: Injection,
    recoverer: Recoverer,
    name: String,
}

impl Proof<'_> {
    /// Some recoveries from one state of every third workload.
    pub(super) fn sample_recovery(&mut self, sites: &[Site]) -> Result<(), Failure> {
        if !self.setting.goes_on(self.findings) {
            return Ok(());
        }
        let turn = self.dice.below(3);
        let mut orders = Vec::new();
        for (_, site) in sites.iter().enumerate().filter(|(at, _)| at % 3 == turn) {
            orders.extend(self.orders(site, 1));
        }
        let left = self.leave(&orders)?;
        let mut trials = Vec::new();
        for one in &left {
            let mut places = places::some(places::changing(one.run.working()), 2, &mut self.dice);
            places.extend(places::some(places::every(one.run.working()), 1, &mut self.dice));
            trials.extend(self.trials(one.site, Victim::Recovery(&one.state), places));
        }
        self.attempt(&trials)?;
        forget(&left)
    }

    /// Every call of recovery, from one state that a workload leaves; another one each time it is asked for.
    pub(super) fn exhaust_recovery(&mut self, site: &Site) -> Result<(), Failure> {
        if !self.setting.goes_on(self.findings) {
            return Ok(());
        }
        let orders = self.orders(site, 1);
        let left = self.leave(&orders)?;
        for one in &left {
            let trials = self.trials(one.site, Victim::Recovery(&one.state), places::every(one.run.working()));
            let all = self.attempt(&trials)?;
            self.tally.exhausted.states = self.tally.exhausted.states.saturating_add(u64::from(all));
        }
        forget(&left)
    }

    fn orders<'s>(&mut self, site: &'s Site, count: usize) -> Vec<Order<'s>> {
        let places = places::some(places::half_done(site.line.working()), count, &mut self.dice);
        let order = |at| {
            self.tally.states = self.tally.states.saturating_add(1);
            let recoverer = if self.dice.coin() { Recoverer::Doctor } else { Recoverer::Reader };
            Order { site, at, recoverer, name: format!("state-{}", self.tally.states) }
        };
        places.into_iter().map(order).collect()
    }

    /// Kills as ordered, and watches recovery once on a copy of what is left.
    fn leave<'s>(&self, orders: &[Order<'s>]) -> Result<Vec<Left<'s>>, Failure> {
        let (binary, place) = (&self.setting.binary, self.grounds.on(Ground::Memory));
        share(orders, |_, order| order.carry_out(binary, &place.join(&order.name)))
    }
}

impl<'s> Order<'s> {
    fn carry_out(&self, binary: &Path, folder: &Path) -> Result<Left<'s>, Failure> {
        self.site.ready.copy(folder)?;
        let trial = Trial {
            site: self.site,
            victim: Victim::Line,
            at: self.at.clone(),
            opener: super::judge::Opener::Server,
            ground: Ground::Memory,
        };
        let answer = trial.kill(binary, folder)?.answer;
        let (watched, log) = (workload::copy(folder, &beside(folder, "watched"))?, beside(folder, "trace"));
        once(strace::traced(&self.recoverer.command(binary, &watched), &log), "")?;
        let run = Run::read(&log, &watched.display().to_string())?;
        workload::remove(&watched)?;
        let (killed, recoverer) = (self.at.to_string(), self.recoverer);
        Ok(Left { site: self.site, state: State { folder: folder.to_owned(), answer, killed, recoverer }, run })
    }
}

fn forget(left: &[Left<'_>]) -> Result<(), Failure> {
    left.iter().try_for_each(|one| workload::remove(&one.state.folder))
}

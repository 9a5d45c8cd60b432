//! Power cuts by shutting a file system down: after an answer, or in the middle of a call.

use super::filesystem::{self, Kind, Mode, Mounted};
use super::interrupt::{Interrupted, Moment, Then};
use super::judge::{Judge, Judged};
use super::play::{Door, Known, Next, Player, told};
use super::port::Port;
use super::voyage::Rehearsed;
use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::findings::Violation;
use crate::prove::workload::Answered;
use patchwright_testkit::dice::Dice;
use std::path::Path;

/// A trial.
pub(crate) struct Cut<'a> {
    pub(crate) kind: Kind,
    pub(crate) rehearsed: &'a Rehearsed,
    /// The image with the voyage's tree.
    pub(crate) image: &'a Path,
    pub(crate) mode: Mode,
    pub(crate) door: Door,
    pub(crate) when: When,
}

/// How the power fails within a call.
#[derive(Clone, Debug)]
pub(crate) struct Failing {
    moment: Moment,
    /// What becomes of the process.
    then: Then,
}

/// When the power fails.
#[derive(Clone, Debug)]
pub(crate) enum When {
    /// Right after so many answers.
    After(usize),
    /// In the call after so many answers.
    During(usize, Failing),
}

impl When {
    /// Right after some answer, at least one.
    pub(crate) fn between(rehearsed: &Rehearsed, dice: &mut Dice) -> When {
        When::After(dice.below(rehearsed.voyage.calls.len()).saturating_add(1))
    }

    /// At some system call of some call; each name of a system call is as likely as any other.
    pub(crate) fn within(rehearsed: &Rehearsed, dice: &mut Dice) -> When {
        let at = dice.below(rehearsed.moments.len());
        let moment = rehearsed.moments.get(at).and_then(|moments| dice.pick(moments));
        let Some((name, count)) = moment else { return When::After(at) };
        let then = if dice.coin() { Then::Dies } else { Then::GoesOn };
        let moment = Moment { name: name.clone(), number: dice.below(*count).saturating_add(1) };
        When::During(at, Failing { moment, then })
    }

    fn answers(&self) -> usize {
        match self {
            When::After(count) | When::During(count, ..) => *count,
        }
    }
}

impl Cut<'_> {
    /// Sails, cuts, mounts again and judges.
    pub(crate) fn run(&self, port: &Port<'_>) -> Result<Judged, Failure> {
        let image = port.memory().join("trial.img");
        filesystem::copy(self.image, &image)?;
        let known = match self.sail(port, self.kind.mount(&image, &port.mount_point())?) {
            Ok(known) => known,
            Err(Wrong::Harness(failure)) => return Err(failure),
            Err(Wrong::Promise(what)) => {
                return Ok(Err(Violation::new(format!("{}: {what}", self.name())).into()));
            }
        };
        let mounted = self.kind.mount(&image, &port.mount_point())?;
        let judge =
            Judge { binary: port.binary(), root: &mounted.workspace(), rehearsed: self.rehearsed, known: &known };
        let judged = judge.judge(&self.name());
        mounted.unmount()?;
        Ok(judged)
    }

    fn sail(&self, port: &Port<'_>, mounted: Mounted) -> Result<Known, Wrong> {
        let (root, mut known) = (mounted.workspace(), Known::default());
        let mut player = Player::new(port.binary(), self.rehearsed, &root, self.door)?;
        for _ in 0..self.when.answers() {
            player.call(&mut known)?;
        }
        match &self.when {
            When::After(_) => mounted.shut_down(self.mode)?,
            When::During(_, failing) => {
                drop(player);
                self.interrupt(port, &mounted, failing, &mut known)?;
                mounted.unmount()?;
                return Ok(known);
            }
        }
        drop(player);
        mounted.unmount()?;
        Ok(known)
    }

    fn interrupt(&self, port: &Port<'_>, mounted: &Mounted, failing: &Failing, known: &mut Known) -> Result<(), Wrong> {
        let Some(call) = self.rehearsed.voyage.calls.get(known.answered) else {
            return Ok(mounted.shut_down(self.mode)?);
        };
        let call = &call.with(&known.ids);
        let command = call.command(port.binary(), &mounted.workspace());
        let interrupted = Interrupted { call, moment: &failing.moment, then: failing.then, place: port.memory() };
        let answer = interrupted.run(&command, || mounted.shut_down(self.mode))?;
        match told(&answer) {
            Answered::Done => known.learn(&answer),
            Answered::Refused => known.hear(&answer),
            Answered::Unknown => known.next = Next::Unknown,
        }
        Ok(())
    }

    fn name(&self) -> String {
        let (kind, mode, voyage) = (self.kind.name(), self.mode.name(), &self.rehearsed.voyage.name);
        let when = match &self.when {
            When::After(count) => format!("after {count} answers by {:?}", self.door),
            When::During(count, Failing { moment, then }) => {
                let Moment { name, number } = moment;
                format!("in call {} at {name} {number}, process {then:?}", count.saturating_add(1))
            }
        };
        format!("{kind}, {mode}, {voyage}, {when}")
    }
}

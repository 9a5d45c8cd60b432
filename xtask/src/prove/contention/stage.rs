//! Stopping, resuming and killing writers by chance, and waiting for the others to go on.

use super::board::{Board, Status};
use super::judge::{Role, Stop};
use super::{Part, WRITERS};
use crate::prove::findings::Findings;
use crate::prove::setting::Setting;
use crate::prove::shuffle::shuffle;
use patchwright_testkit::dice::Dice;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the process that holds the lock is looked for.
const SEARCH: Duration = Duration::from_secs(20);
/// So many at once are stopped at most: somebody must be left to go on.
const MOST: usize = 5;

/// Whoever disturbs the writers.
pub(super) struct Stage<'a> {
    pub(super) board: &'a Board,
    pub(super) root: &'a Path,
    pub(super) dice: Dice,
}

/// What was done to them.
#[derive(Default)]
pub(super) struct Disturbed {
    pub(super) stops: Vec<Stop>,
    pub(super) kills: usize,
    /// What must not be, if it came to that.
    pub(super) wrong: Option<String>,
}

/// A process that stands still.
#[derive(Clone, Copy)]
struct Standing {
    writer: usize,
    role: Role,
    from: Instant,
}

impl Stage<'_> {
    /// Disturbs them so often as the length of the run says, or until something is wrong.
    pub(super) fn play(mut self, part: Part, setting: &Setting) -> Disturbed {
        let acts = match part {
            Part::Waiters => setting.sized(12, 20),
            Part::Holder => setting.sized(5, 10),
        };
        let mut done = Disturbed::default();
        let mut ended = self.all_go_on(&[], "at the start");
        let goes_on = |_: &usize| setting.goes_on(&Findings::default());
        for act in (0..acts).take_while(goes_on) {
            ended = ended.and_then(|()| match part {
                Part::Waiters if act % 4 == 3 => self.kill_any(&mut done),
                Part::Waiters => self.stop_waiters(&mut done),
                Part::Holder => self.stop_holder(&mut done),
            });
        }
        done.wrong = ended.err();
        done
    }

    /// Stops some that wait; the others go on. Then each of them goes on too, or is killed.
    fn stop_waiters(&mut self, done: &mut Disturbed) -> Result<(), String> {
        let mut order: Vec<usize> = (0..WRITERS).collect();
        shuffle(&mut order, &mut self.dice);
        order.truncate(self.dice.below(MOST).saturating_add(1));
        let standing: Vec<Standing> = order.into_iter().filter_map(|writer| self.stop(writer, Role::Waiter)).collect();
        let stopped: Vec<usize> = standing.iter().map(|one| one.writer).collect();
        let went_on = self.all_go_on(&stopped, "while only waiters are stopped");
        standing.into_iter().for_each(|one| self.release(one, done));
        went_on?;
        self.all_go_on(&[], "after waiters were stopped")
    }

    /// Kills one, whatever it does just now.
    fn kill_any(&mut self, done: &mut Disturbed) -> Result<(), String> {
        let writer = self.dice.below(WRITERS);
        done.kills = done.kills.saturating_add(usize::from(self.board.kill(writer)));
        self.all_go_on(&[], "after one was killed")
    }

    /// Stops the one that holds the lock until every other was told that it is busy. One edit more may be answered
    /// meanwhile, which was done before; not two.
    fn stop_holder(&mut self, done: &mut Disturbed) -> Result<(), String> {
        let holder = self.find_holder()?;
        let before = self.board.now();
        let told = |now: &[Status]| {
            let pairs = before.iter().zip(now).enumerate();
            pairs.filter(|(writer, _)| *writer != holder.writer).all(|(_, (then, now))| now.busy > then.busy)
        };
        let goes_on = |now: &[Status]| before.iter().zip(now).any(|(then, now)| now.done > then.done.saturating_add(1));
        self.board.wait_until(|now| told(now) || goes_on(now));
        let was_told = told(&self.board.now());
        self.release(holder, done);
        if !was_told {
            return Err("the process that holds the lock is stopped, and not everybody is told so".to_owned());
        }
        self.all_go_on(&[], "after the process that holds the lock was stopped")
    }

    /// Waits until everybody but these has made another edit.
    fn all_go_on(&self, but: &[usize], when: &str) -> Result<(), String> {
        let before = self.board.now();
        let went_on = |now: &[Status]| {
            let pairs = before.iter().zip(now).enumerate();
            pairs.filter(|(writer, _)| !but.contains(writer)).all(|(_, (then, now))| now.done > then.done)
        };
        self.board.wait_until(went_on).then_some(()).ok_or_else(|| format!("not everybody goes on {when}"))
    }

    /// Stops a writer if it has this part; else it goes on at once.
    fn stop(&self, writer: usize, role: Role) -> Option<Standing> {
        let fits = self.board.with(writer, |process| {
            let stopped = process.stop();
            let found = if process.holds(self.root) { Role::Holder } else { Role::Waiter };
            let fits = stopped && found == role;
            if !fits {
                process.resume();
            }
            fits
        });
        (fits == Some(true)).then(|| Standing { writer, role, from: Instant::now() })
    }

    fn find_holder(&mut self) -> Result<Standing, String> {
        let begun = Instant::now();
        while begun.elapsed() < SEARCH {
            let writer = self.dice.below(WRITERS);
            let likely = self.board.with(writer, |process| process.holds(self.root)) == Some(true);
            if let Some(standing) = likely.then(|| self.stop(writer, Role::Holder)).flatten() {
                return Ok(standing);
            }
        }
        Err(format!("nobody was seen to hold the lock for {} seconds", SEARCH.as_secs()))
    }

    /// Lets a stopped one go on, or kills it.
    fn release(&mut self, standing: Standing, done: &mut Disturbed) {
        let Standing { writer, role, from } = standing;
        done.stops.push(Stop { writer, role, from, to: Instant::now() });
        if self.dice.coin() {
            done.kills = done.kills.saturating_add(usize::from(self.board.kill(writer)));
        } else {
            self.board.with(writer, super::process::Process::resume);
        }
    }
}

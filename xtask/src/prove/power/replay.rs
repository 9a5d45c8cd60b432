//! Power cuts by replay: what reached the disk is played again, onto a copy, up to some point.
//!
//! What was flushed before that point is durable. Of what came after the last flush, a disk may have kept anything:
//! all, nothing, some writes and not others, a part of one.

use super::disk::{Disk, Event};
use super::filesystem::{self, Kind};
use super::judge::{Judge, Judged};
use super::play::{Door, Known, Next, Player};
use super::port::Port;
use super::voyage::Rehearsed;
use crate::failure::Failure;
use crate::prove::answer::Wrong;
use crate::prove::findings::Violation;
use patchwright_testkit::dice::Dice;
use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// What a disk loses a write in parts of.
const SECTOR: usize = 512;

/// A voyage as the disk saw it.
pub(crate) struct Recording<'a> {
    kind: Kind,
    rehearsed: &'a Rehearsed,
    /// The disk as it was at first.
    image: PathBuf,
    events: Vec<Event>,
    /// What the caller knew, and how many events there had been.
    known: Vec<(usize, Known)>,
}

/// What the disk kept of the writes after the last flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    All,
    None,
    Some,
    /// Those before the last one, and some sectors of that.
    Torn,
}

/// Makes a voyage on a disk that remembers.
pub(crate) fn record<'a>(port: &Port<'_>, kind: Kind, rehearsed: &'a Rehearsed) -> Result<Recording<'a>, Wrong> {
    let image = port.image(kind, rehearsed)?;
    let live = port.memory().join("live.img");
    filesystem::copy(&image, &live)?;
    let disk = Disk::open(&live, &port.memory().join("disk"))?;
    let mounted = kind.mount(&port.memory().join("disk"), &port.mount_point())?;
    let root = mounted.workspace();
    let mut player = Player::new(port.binary(), rehearsed, &root, Door::Server)?;
    let mut now = Known::default();
    let mut known = vec![(disk.position(), now.clone())];
    for _ in &rehearsed.voyage.calls {
        player.call(&mut now)?;
        known.push((disk.position(), now.clone()));
    }
    drop(player);
    mounted.unmount()?;
    Ok(Recording { kind, rehearsed, image, events: disk.close()?, known })
}

/// How much a recording holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) writes: usize,
    pub(crate) flushes: usize,
}

impl Recording<'_> {
    /// How much there is, for the report.
    pub(crate) fn counts(&self) -> Counts {
        let flushes = self.events.iter().filter(|event| **event == Event::Flush).count();
        Counts { writes: self.events.len().saturating_sub(flushes), flushes }
    }

    /// A moment: right after an answer as often as anywhere.
    pub(crate) fn moment(&self, dice: &mut Dice) -> usize {
        let (first, last) = (self.known.first().map_or(0, |(at, _)| *at), self.known.last().map_or(0, |(at, _)| *at));
        let answer = dice.below(self.known.len().saturating_sub(1)).saturating_add(1);
        match self.known.get(answer) {
            Some((at, _)) if dice.coin() => *at,
            _ => first.saturating_add(dice.below(last.saturating_sub(first).saturating_add(1))),
        }
    }

    /// Plays the events again up to that moment, mounts, and judges.
    pub(crate) fn replay(
        &self,
        port: &Port<'_>,
        moment: usize,
        kept: Kept,
        dice: &mut Dice,
    ) -> Result<Judged, Failure> {
        let image = port.memory().join("trial.img");
        filesystem::copy(&self.image, &image)?;
        let file = OpenOptions::new().write(true).open(&image);
        let played = file.and_then(|file| {
            let survived = survived(self.events.get(..moment).unwrap_or_default(), kept, dice);
            survived.into_iter().try_for_each(|(at, bytes)| file.write_all_at(bytes, at))
        });
        played.map_err(|error| Failure::io(image.display(), &error))?;
        let trial = self.name(moment, kept);
        let mounted = match self.kind.mount(&image, &port.mount_point()) {
            Ok(mounted) => mounted,
            Err(failure) => return Ok(Err(Violation::new(format!("{trial}: it cannot be mounted: {failure}")).into())),
        };
        let known = self.known_at(moment);
        let judge =
            Judge { binary: port.binary(), root: &mounted.workspace(), rehearsed: self.rehearsed, known: &known };
        let judged = judge.judge(&trial);
        mounted.unmount()?;
        Ok(judged)
    }

    /// What the caller knew at that moment. Where the disk was written after the last answer, a further call may
    /// have begun.
    fn known_at(&self, moment: usize) -> Known {
        let last = self.known.iter().rev().find(|(at, _)| *at <= moment);
        let (at, mut known) = last.cloned().unwrap_or_default();
        if at < moment {
            known.next = Next::Unknown;
        }
        known
    }

    fn name(&self, moment: usize, kept: Kept) -> String {
        let (kind, voyage, count) = (self.kind.name(), &self.rehearsed.voyage.name, self.events.len());
        format!("{kind}, {voyage}, replayed {moment} of {count} events, {kept:?} kept of the unflushed")
    }
}

impl Kept {
    pub(crate) const ALL: [Kept; 4] = [Kept::None, Kept::Some, Kept::Torn, Kept::All];
}

/// The writes that are on the disk after a power cut: where, and what.
fn survived<'e>(events: &'e [Event], kept: Kept, dice: &mut Dice) -> Vec<(u64, &'e [u8])> {
    let flushed = events.iter().rposition(|event| *event == Event::Flush).map_or(0, |at| at.saturating_add(1));
    let last = events.len().saturating_sub(1);
    let mut survived = Vec::new();
    for (number, event) in events.iter().enumerate() {
        let Event::Write { at, bytes } = event else { continue };
        let whole = number < flushed
            || match kept {
                Kept::All => true,
                Kept::None => false,
                Kept::Some => dice.coin(),
                Kept::Torn => number < last,
            };
        if whole {
            survived.push((*at, bytes.as_slice()));
        } else if kept == Kept::Torn {
            let sectors = bytes.chunks(SECTOR).enumerate().filter(|_| dice.coin());
            survived.extend(sectors.map(|(sector, part)| (at.saturating_add((sector * SECTOR) as u64), part)));
        }
    }
    survived
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kept: Kept, least: &[u64], most: &[u64]) {
        let write = |at| Event::Write { at, bytes: vec![1; 1024] };
        let events = [write(0), Event::Flush, write(5000), write(6000)];
        for seed in 0..50 {
            let found: Vec<u64> = survived(&events, kept, &mut Dice::new(seed)).iter().map(|(at, _)| *at).collect();
            assert!(least.iter().all(|at| found.contains(at)), "{kept:?}: {found:?}");
            assert!(found.iter().all(|at| most.contains(at)), "{kept:?}: {found:?}");
        }
    }

    #[test]
    fn only_what_was_flushed_is_sure() {
        check(Kept::None, &[0], &[0]);
        check(Kept::All, &[0, 5000, 6000], &[0, 5000, 6000]);
        check(Kept::Some, &[0], &[0, 5000, 6000]);
        check(Kept::Torn, &[0, 5000], &[0, 5000, 6000, 6512]);
    }
}

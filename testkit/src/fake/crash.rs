//! What a power cut, or a killed process, leaves behind.

use super::content::{Content, TEARS, Tear};
use super::pending::{Ino, closure};
use super::switches::StateAt;
use super::world::{Entries, HOME, Inode, Kind, ROOT, World};
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which of the things that were not synced survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// No power cut: the process was killed, the system runs on and has still not synced anything.
    Killed,
    /// Only what was synced.
    NothingMore,
    /// Everything reached the disk just in time.
    Everything,
    /// The changes of names and the files with these numbers (bits), and whatever they need.
    Exactly {
        /// Changes of names, oldest first.
        changes: u32,
        /// Files with unsynced bytes or attributes; those not named are as they were.
        files: u32,
    },
    /// A throw of the dice: any subset, files torn in any way.
    Seeded(u64),
}

/// So many unsure things are tried in every combination.
const FEW: usize = 10;
/// Throws where there are more.
const MANY_SEEDS: u64 = 64;
/// Throws beside the combinations, for torn files.
const TORN_SEEDS: u64 = 16;

impl World {
    pub(super) fn outcomes(&self) -> Vec<Choice> {
        let (changes, files) = (self.pending.len(), self.unsure().len());
        let mut all = vec![Choice::Killed, Choice::NothingMore, Choice::Everything];
        if changes + files > FEW {
            all.extend((0..MANY_SEEDS).map(Choice::Seeded));
            return all;
        }
        for mask in (0..1_u32 << changes).filter(|mask| self.is_closed(*mask)) {
            all.extend((0..1_u32 << files).map(|files| Choice::Exactly { changes: mask, files }));
        }
        if files > 0 {
            all.extend((0..TORN_SEEDS).map(Choice::Seeded));
        }
        all
    }

    pub(super) fn after(&self, choice: &Choice) -> World {
        let mut world = self.clone();
        let unsure = self.unsure();
        match *choice {
            Choice::Killed => return world,
            Choice::NothingMore => world.cut(|_| Survives::OLD),
            Choice::Everything => {
                world.settle(|_| true);
                world.cut(|_| Survives::NEW);
            }
            Choice::Exactly { changes, files } => {
                world.settle_mask(|at| bit(changes, at));
                let kept = |ino| unsure.iter().position(|file| *file == ino).is_some_and(|at| bit(files, at));
                world.cut(|ino| if kept(ino) { Survives::NEW } else { Survives::OLD });
            }
            Choice::Seeded(seed) => {
                let mut dice = Dice::new(seed);
                let throws: Vec<bool> = self.pending.iter().map(|_| dice.coin()).collect();
                world.settle_mask(|at| throws.get(at).copied().unwrap_or_default());
                world.cut(|_| Survives::thrown(&mut dice));
            }
        }
        world.forget_unreachable();
        world.own = world.own.filter(|_| world.has_record());
        world
    }

    /// Named files whose bytes or attributes a cut could change.
    fn unsure(&self) -> Vec<Ino> {
        let made = self.pending.iter().flat_map(|change| change.edits.iter().filter_map(|edit| edit.to));
        let mut named: BTreeSet<Ino> = made.collect();
        for inode in self.inodes.values() {
            if let Kind::Folder(Entries { live, durable }) = &inode.kind {
                named.extend(live.values().chain(durable.values()));
            }
        }
        let files = self.inodes.iter().filter(|(ino, inode)| named.contains(ino) && inode.is_unsure());
        files.map(|(ino, _)| *ino).collect()
    }

    fn is_closed(&self, mask: u32) -> bool {
        let chosen: BTreeSet<usize> = (0..self.pending.len()).filter(|at| bit(mask, *at)).collect();
        closure(&self.pending, chosen.clone()) == chosen
    }

    fn settle_mask(&mut self, chosen: impl Fn(usize) -> bool) {
        let picked: BTreeSet<usize> = (0..self.pending.len()).filter(|at| chosen(*at)).collect();
        let whole = closure(&self.pending, picked);
        let numbered = self.pending.iter_mut().enumerate();
        let kept: Vec<_> = numbered.filter(|(at, _)| whole.contains(at)).map(|(_, change)| change.clone()).collect();
        self.pending = kept;
        self.settle(|_| true);
    }

    /// The running system is gone: what is on the disk is all there is.
    fn cut(&mut self, mut survives: impl FnMut(Ino) -> Survives) {
        self.pending.clear();
        self.boots += 1;
        for (ino, inode) in &mut self.inodes {
            let fate = if inode.is_unsure() { survives(*ino) } else { Survives::NEW };
            inode.cut(fate);
        }
    }

    fn forget_unreachable(&mut self) {
        let mut seen = BTreeSet::new();
        let mut open = vec![ROOT, HOME];
        if self.switches.state == StateAt::OtherFileSystem {
            open.extend(self.state_root().ok().flatten());
        }
        while let Some(ino) = open.pop() {
            if let (true, Ok(entries)) = (seen.insert(ino), self.entries(ino)) {
                open.extend(entries.live.values());
            }
        }
        self.inodes.retain(|ino, _| seen.contains(ino));
    }

    /// The bytes and attributes of these files reach the disk.
    pub(super) fn settle_files(&mut self, chosen: impl Fn(&Inode) -> bool) {
        for inode in self.inodes.values_mut().filter(|inode| chosen(inode)) {
            inode.settle();
        }
    }

    /// A sync of these files failed.
    pub(super) fn files_sync_failed(&mut self, chosen: impl Fn(&Inode) -> bool) {
        for inode in self.inodes.values_mut().filter(|inode| chosen(inode)) {
            if let Kind::File(content) = &mut inode.kind {
                Arc::make_mut(content).sync_failed();
            }
        }
    }
}

/// What becomes of one file's unsynced state.
struct Survives {
    bytes: Tear,
    dress: Tear,
    dice: Dice,
}

impl Survives {
    const OLD: Survives = Survives { bytes: Tear::Old, dress: Tear::Old, dice: Dice::IDLE };
    const NEW: Survives = Survives { bytes: Tear::New, dress: Tear::New, dice: Dice::IDLE };

    fn thrown(dice: &mut Dice) -> Survives {
        let bytes = dice.pick(&TEARS).copied().unwrap_or(Tear::Old);
        let dress = if dice.coin() { Tear::New } else { Tear::Old };
        Survives { bytes, dress, dice: Dice::new(dice.throw()) }
    }
}

impl Inode {
    fn is_unsure(&self) -> bool {
        let bytes = matches!(&self.kind, Kind::File(content) if content.is_unsure());
        bytes || self.dress != self.durable_dress
    }

    pub(super) fn settle(&mut self) {
        if let Kind::File(content) = &mut self.kind {
            Arc::make_mut(content).sync();
        }
        self.durable_dress = self.dress.clone();
    }

    fn cut(&mut self, mut fate: Survives) {
        match &mut self.kind {
            Kind::File(content) if content.is_settled() => {}
            Kind::File(content) => *content = Arc::new(Content::settled(content.torn(fate.bytes, &mut fate.dice))),
            Kind::Folder(entries) => entries.live.clone_from(&entries.durable),
            Kind::Link(_) | Kind::Special => {}
        }
        match fate.dress {
            Tear::New => self.durable_dress = self.dress.clone(),
            _ => self.dress = self.durable_dress.clone(),
        }
    }
}

fn bit(mask: u32, at: usize) -> bool {
    u32::try_from(at).is_ok_and(|at| mask.checked_shr(at).is_some_and(|rest| rest & 1 == 1))
}

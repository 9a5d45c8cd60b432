//! Keeping the whole process in: Landlock closes everything but the root and the state folder, whatever a bug in the
//! guard or in a library might ask the kernel for.
//!
//! Promises to take from the calling thread, and from every thread it starts later, what the kernel can take: to read,
//! write or run a file elsewhere, to talk over TCP, to signal other programs. What was opened before stays open. Leaves
//! the guard as it is: this is a second wall, and only where the kernel has it.

use super::{RealDisk, dress};
use crate::crew;
use std::thread;

/// How far the kernel keeps us in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// To the root and the state folder.
    Kept(Wall),
    /// Not at all.
    Free(WhyFree),
}

/// What the kernel closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// Which version of Landlock the kernel has.
    pub version: u32,
    /// What is closed, as fixed words.
    pub closed: Vec<&'static str>,
    /// What a newer kernel would close as well.
    pub open: Vec<&'static str>,
}

/// Why we are not kept in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyFree {
    /// The kernel has no Landlock, or a filter hides it.
    NotThere,
    /// The kernel has it, but it was not switched on at boot.
    SwitchedOff,
    /// The kernel's Landlock forbids every move between folders, which commits and `move_file` need.
    TooOld,
    /// Something failed; what the system said.
    Failed(String),
}

/// What is closed from which version on.
const SINCE: [(&str, u32); 7] = [
    ("files", 2),
    ("truncation", 3),
    ("tcp", 4),
    ("device_controls", 5),
    ("signals", 6),
    ("abstract_sockets", 6),
    ("named_sockets", 9),
];

impl Wall {
    /// What a kernel with this version closes.
    pub fn of(version: u32) -> Wall {
        let pick = |closed: bool| SINCE.iter().filter(move |(_, since)| (*since <= version) == closed);
        let words = |closed| pick(closed).map(|(word, _)| *word).collect();
        Wall { version, closed: words(true), open: words(false) }
    }
}

impl RealDisk {
    /// Keeps the calling thread, and every thread it starts from now on, to the root and to our record. The record must
    /// have been found or made before, if it is to be used: later nobody could. There is no way back.
    pub fn confine(&self) -> Confinement {
        // Asked for once and remembered. Later the files that tell are out of reach.
        dress::umask();
        crew::cores();
        self.hold_lock_list();
        wall::raise(self).unwrap_or_else(|why| Confinement::Free(WhyFree::Failed(why)))
    }

    /// Tries it out on a thread that ends with this call.
    pub fn try_confining(&self) -> Confinement {
        let lost = || Confinement::Free(WhyFree::Failed("the thread that tried ended early".to_owned()));
        thread::scope(|scope| {
            let tried = thread::Builder::new().spawn_scoped(scope, || self.confine());
            tried.map_or_else(
                |error| Confinement::Free(WhyFree::Failed(error.to_string())),
                |tried| tried.join().unwrap_or_else(|_| lost()),
            )
        })
    }
}

#[cfg(target_os = "linux")]
mod wall {
    use super::super::RealDisk;
    use super::super::dir::Dir;
    use super::{Confinement, Wall, WhyFree};
    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
        RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };

    /// Where the embedded database takes its random numbers from.
    const RANDOM: &str = "/dev/urandom";

    pub(super) fn raise(disk: &RealDisk) -> Result<Confinement, String> {
        let record = disk.record_folders();
        let work = std::iter::once((disk.root(), work()));
        let record = record.iter().flat_map(|(state, home)| [(state, self::work()), (home, keep())]);
        let folders: Vec<(&Dir, BitFlags<AccessFs>)> = work.chain(record).collect();
        restrict(&folders).map(|status| told(&status)).map_err(|error| error.to_string())
    }

    /// The right to move between folders is needed, all else is taken as far as it goes. The last version is the newest
    /// that the library knows.
    fn restrict(folders: &[(&Dir, BitFlags<AccessFs>)]) -> Result<RestrictionStatus, RulesetError> {
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::SoftRequirement)
            .handle_access(AccessFs::Refer)?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V9))?
            .handle_access(AccessNet::from_all(ABI::V9))?
            .scope(Scope::from_all(ABI::V9))?
            .create()?;
        for (folder, rights) in folders {
            rules = rules.add_rule(PathBeneath::new(*folder, *rights))?;
        }
        if let Ok(random) = PathFd::new(RANDOM) {
            rules = rules.add_rule(PathBeneath::new(random, AccessFs::ReadFile))?;
        }
        rules.restrict_self()
    }

    /// What is done in the folders. Nothing is run there, and no device, pipe or socket is made. It is the same for both:
    /// a file may move only to where no more is allowed than before.
    fn work() -> BitFlags<AccessFs> {
        AccessFs::ReadFile
            | AccessFs::ReadDir
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::MakeSym
            | AccessFs::RemoveFile
            | AccessFs::RemoveDir
            | AccessFs::Refer
    }

    /// What is done beside the key: the mark is renewed, and the database makes and removes its files.
    fn keep() -> BitFlags<AccessFs> {
        AccessFs::ReadFile
            | AccessFs::ReadDir
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::RemoveFile
    }

    fn told(status: &RestrictionStatus) -> Confinement {
        match (status.landlock, status.ruleset == RulesetStatus::NotEnforced) {
            (LandlockStatus::Available { effective_abi, .. }, false) => {
                Confinement::Kept(Wall::of(effective_abi as u32))
            }
            (LandlockStatus::Available { .. }, true) => Confinement::Free(WhyFree::TooOld),
            (LandlockStatus::NotEnabled, _) => Confinement::Free(WhyFree::SwitchedOff),
            (LandlockStatus::NotImplemented, _) => Confinement::Free(WhyFree::NotThere),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod wall {
    use super::super::RealDisk;
    use super::{Confinement, WhyFree};

    pub(super) fn raise(_disk: &RealDisk) -> Result<Confinement, String> {
        Ok(Confinement::Free(WhyFree::NotThere))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(version: u32, closed: &[&'static str], open: &[&'static str]) {
        assert_eq!(Wall::of(version), Wall { version, closed: closed.to_vec(), open: open.to_vec() });
    }

    #[test]
    fn what_each_version_closes() {
        let all = SINCE.map(|(word, _)| word);
        check(2, &all[..1], &all[1..]);
        check(3, &all[..2], &all[2..]);
        check(7, &all[..6], &["named_sockets"]);
        check(9, &all, &[]);
        check(10, &all, &[]);
    }
}

//! The swaps themselves: names change places in plan order, what came out is verified and put where it is kept.
//!
//! Promises that no step is swapped before the one ahead of it, and that a step counts as swapped from the
//! instant its names have changed. Verifying may trail behind the swaps, on other threads where there are many:
//! each step is then on names of its own. Leaves taking back to [`crate::rollback`].

use crate::content::{self, Found, Held};
use crate::crew::{self, Line};
use crate::disk::{At, Disk, Dress, Flush, Halt, Rename, Stat};
use crate::firm;
use crate::keep::{self, Shelves};
use crate::log::Firm;
use crate::phase::Phase;
use crate::records::{Deed, Work};
use crate::stop::{Stop, overtaken, stopped};
use patchwright_core::seeded::{Bug, is_planted};
use std::sync::atomic::{AtomicBool, Ordering};

/// The folders of one step, held.
pub(crate) struct Place<D: Disk> {
    /// Of the path itself.
    pub(crate) dir: D::Dir,
    /// Of the temporary.
    pub(crate) temp_dir: D::Dir,
    /// Of the new name, of a rename.
    pub(crate) to_dir: Option<D::Dir>,
}

/// A file that was displaced, verified and put where it is kept.
pub(crate) struct Displaced {
    /// Which step did it.
    pub(crate) at: usize,
    /// What it was like.
    pub(crate) stat: Stat,
}

/// How far the swaps came.
pub(crate) struct Swaps {
    /// So many steps were swapped.
    pub(crate) swapped: usize,
    /// Could every one exchange its names?
    pub(crate) exchanged: bool,
    /// What was displaced, in plan order.
    pub(crate) displaced: Vec<Displaced>,
    /// How it ended.
    pub(crate) ended: Result<(), Stop>,
}

/// All that the swaps need.
pub(crate) struct Floor<'a, D: Disk> {
    pub(crate) disk: &'a D,
    pub(crate) shelves: &'a Shelves<'a, D>,
    pub(crate) firm: Firm,
    pub(crate) works: &'a [Work],
    /// In step with the works.
    pub(crate) places: &'a [Place<D>],
    /// In step with the works: the files to be displaced, where they are held open.
    pub(crate) old: &'a [Option<Held<D::File>>],
}

/// So many swaps are offered for verifying at once: waking a thread costs about as much as a swap.
const ROUND: usize = 16;

impl<D: Disk> Floor<'_, D> {
    /// Swaps, verifies and puts aside.
    pub(crate) fn carry_out(&self) -> Swaps {
        let mut swapped = 0;
        let exchanged = AtomicBool::new(true);
        let lead = |line: &Line| self.swap_in_order(line, &mut swapped, &exchanged);
        let (displaced, ended) = crew::follow(self.works.len(), lead, |at| self.put_aside(at));
        let displaced = displaced.into_iter().flatten().collect();
        Swaps { swapped, exchanged: exchanged.into_inner(), displaced, ended }
    }

    fn swap_in_order(&self, line: &Line, swapped: &mut usize, exchanged: &AtomicBool) -> Result<(), Stop> {
        for (work, place) in self.works.iter().zip(self.places) {
            if line.is_off() {
                return Ok(());
            }
            self.swap(work, place, exchanged)?;
            *swapped += 1;
            // A later step may give the moved file new bytes: it is verified while it is still there.
            if let (Deed::Rename, Some(to), Some(to_dir)) = (work.deed, &work.to, &place.to_dir) {
                self.verify(work, At::new(to_dir, to.name()), None)?;
            } else if work.via {
                self.verify(work, At::new(&place.temp_dir, work.temp.as_str()), None)?;
            }
            if swapped.is_multiple_of(ROUND) {
                line.offer(*swapped);
            }
        }
        line.offer(*swapped);
        Ok(())
    }

    fn swap(&self, work: &Work, place: &Place<D>, exchanged: &AtomicBool) -> Result<(), Stop> {
        let (path, temp) = (At::new(&place.dir, work.path.name()), At::new(&place.temp_dir, &work.temp));
        let swapped = match work.deed {
            Deed::Create => self.disk.rename(temp, path, Rename::NoReplace),
            Deed::Replace => self.exchange(temp, path, work, exchanged),
            Deed::Remove => self.disk.rename(path, temp, Rename::NoReplace),
            Deed::Rename if work.via => self.disk.rename(path, temp, Rename::NoReplace),
            Deed::Rename => return self.rename(work, place),
            Deed::Mode => return self.set_mode(work, place),
        };
        swapped.map_err(|halt| stopped(work, &work.path, Phase::Swap, halt))
    }

    /// Sets permission bits in place: the file is neither copied nor parted from its other names. It must be the one
    /// that was planned for, before and after.
    fn set_mode(&self, work: &Work, place: &Place<D>) -> Result<(), Stop> {
        let Some((from, to)) = work.modes else { return Ok(()) };
        let failed = |halt| stopped(work, &work.path, Phase::Swap, halt);
        let (dir, name) = (&place.dir, work.path.name());
        let file = self.disk.open(dir, name).map_err(failed)?;
        let stat = self.disk.stat_file(&file).map_err(failed)?;
        let now = content::hash(self.disk, &file).map_err(failed)?;
        if Some(now) != work.before || stat.mode & 0o7777 != from {
            return Err(overtaken(work, Some(now)));
        }
        self.disk.dress(&file, &Dress::Bits(to)).map_err(failed)?;
        if self.firm == Firm::Yes {
            self.disk.sync(Flush::File(&file)).map_err(|halt| stopped(work, &work.path, Phase::Sync, halt))?;
        }
        match content::find(self.disk, dir, name).map_err(failed)? {
            Some(found) if found.stat.id == stat.id && found.digest == work.before => Ok(()),
            found => {
                // Somebody saved meanwhile. If it is this file still, its bits are put back.
                if found.is_some_and(|found| found.stat.id == stat.id) {
                    self.disk.dress(&file, &Dress::Bits(from)).map_err(failed)?;
                }
                Err(overtaken(work, found.and_then(|found| found.digest)))
            }
        }
    }

    fn rename(&self, work: &Work, place: &Place<D>) -> Result<(), Stop> {
        let (Some(to), Some(to_dir)) = (&work.to, &place.to_dir) else { return Ok(()) };
        let renamed =
            self.disk.rename(At::new(&place.dir, work.path.name()), At::new(to_dir, to.name()), Rename::NoReplace);
        renamed.map_err(|halt| match halt {
            halt if halt.is_taken() => stopped(work, to, Phase::Swap, halt),
            halt => stopped(work, &work.path, Phase::Swap, halt),
        })
    }

    /// Exchanges the two names; where that cannot be done, keeps a second name of the old file and
    /// replaces, after a last look.
    fn exchange(
        &self,
        temp: At<'_, D::Dir>,
        path: At<'_, D::Dir>,
        work: &Work,
        exchanged: &AtomicBool,
    ) -> Result<(), Halt> {
        let spare = work.spare_name();
        if is_planted(Bug::NameMissing) {
            self.disk.rename(path, At::new(temp.dir, &spare), Rename::NoReplace)?;
            self.disk.rename(temp, path, Rename::NoReplace)?;
            return self.disk.rename(At::new(temp.dir, &spare), temp, Rename::NoReplace);
        }
        match self.disk.rename(temp, path, Rename::Exchange) {
            Err(Halt::Unsupported) => {}
            other => return other,
        }
        exchanged.store(is_planted(Bug::RenameForExchange), Ordering::Relaxed);
        if content::digest_at(self.disk, path.dir, path.name)? != work.before {
            return Err(Halt::Os(std::io::ErrorKind::NotFound.into()));
        }
        self.disk.link(path, At::new(temp.dir, &spare))?;
        // Durable first: else a power cut could keep the replacing and forget the second name.
        firm::folders(self.disk, std::slice::from_ref(temp.dir), self.firm)?;
        self.disk.rename(temp, path, Rename::Replace)?;
        self.disk.rename(At::new(temp.dir, &spare), temp, Rename::NoReplace)
    }

    /// What came out must be what was planned for; then it goes where it is kept.
    fn put_aside(&self, at: usize) -> Result<Option<Displaced>, Stop> {
        let (Some(work), Some(place)) = (self.works.get(at), self.places.get(at)) else { return Ok(None) };
        let Some(keep) = &work.keep else { return Ok(None) };
        let temp = At::new(&place.temp_dir, &work.temp);
        let held = self.old.get(at).and_then(Option::as_ref);
        let found = self.verify(work, temp, held)?;
        let put = keep::put(self.shelves, temp, keep, self.firm);
        put.map_err(|halt| stopped(work, &work.path, Phase::Keep, halt))?;
        Ok(Some(Displaced { at, stat: found.stat }))
    }

    fn verify(&self, work: &Work, at: At<'_, D::Dir>, held: Option<&Held<D::File>>) -> Result<Found, Stop> {
        let found = content::find_held(self.disk, at.dir, at.name, held);
        let found = found.map_err(|halt| stopped(work, &work.path, Phase::Verify, halt))?;
        match found {
            Some(found) if found.digest == work.before || is_planted(Bug::DisplacedNotVerified) => Ok(found),
            other => Err(overtaken(work, other.and_then(|found| found.digest))),
        }
    }
}

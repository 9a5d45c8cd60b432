//! Taking an intent back, by content. The same code serves a failed call and recovery after a crash:
//! it looks at what stands under each name, decides by hash, and may be interrupted and run again.
//!
//! What it does not recognise it leaves alone, saving what was displaced, and says so.

mod apart;
mod folders;
mod mode;
mod names;
mod turned;

pub(crate) use folders::{Cleared, remove_folder};

use crate::content::{self, Found};
use crate::disk::{At, Disk, Halt, Rename};
use crate::firm;
use crate::folders::Folders;
use crate::keep::{self, Shelves};
use crate::log::Firm;
use crate::records::{Deed, Intent, Keep, LeftAlone, Shelf, Work};
use crate::tidy::{self, is_content_name};
use folders::Gone;
use names::Names;
use patchwright_core::digest::Digest;
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use patchwright_core::seeded::{Bug, is_planted};

/// May this path be touched at all?
pub type May<'a> = &'a dyn Fn(&RelPath) -> bool;

/// How far the steps of an intent had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// So many were carried out, by this very process.
    Step(usize),
    /// Nobody is left to tell.
    Unknown,
}

/// How an intent is taken back.
pub struct Rollback<'a, D: Disk> {
    /// Where displaced files are.
    pub shelves: &'a Shelves<'a, D>,
    /// Whether what is done is made durable.
    pub firm: Firm,
    /// Which paths may be touched.
    pub may: May<'a>,
}

/// The intent that is being taken back.
struct Undoing<'a> {
    intent: &'a Intent,
    names: Names<'a>,
    gone: Gone<'a>,
}

impl<'a, D: Disk> Rollback<'a, D> {
    /// Takes everything back, last step first. What had to be left alone.
    pub fn run(&self, folders: &mut Folders<D>, intent: &Intent, reached: Reached) -> Result<Vec<LeftAlone>, Halt> {
        let Rollback { shelves, firm, may } = *self;
        let disk = shelves.disk;
        let mut left = Vec::new();
        let mut dirs = Vec::new();
        let mut undoing = Undoing { intent, names: Names::of(intent), gone: Gone::of(intent) };
        for folder in intent.gone.iter().rev().filter(|folder| may(folder)) {
            dirs.extend(undoing.gone.make_again(disk, folders, folder)?);
        }
        // Durable before anything moves into them: a power cut may keep the move and forget the folder.
        firm::folders(disk, &dirs, firm)?;
        let most = if is_planted(Bug::HalfRollback) { 1 } else { usize::MAX };
        let ahead = intent.works_ahead();
        for (at, work) in intent.works.iter().enumerate().rev().take(most) {
            if at + 1 == ahead {
                left.extend(turned::back(self, folders, &mut dirs, &mut undoing)?);
            }
            let touched = [Some(&work.path), Some(&work.temp_folder), work.to.as_ref()];
            let opened = match touched.into_iter().flatten().all(may) {
                true => Scene::of(self, folders, work, &undoing.names),
                false => Err(Halt::Escape),
            };
            let mut scene = match opened {
                Ok(Some(scene)) => scene,
                Ok(None) => {
                    left.extend(apart::lost_place(shelves, firm, &undoing.names, work)?);
                    continue;
                }
                // A forged record, or a folder that has become a link since: not ours to touch.
                Err(Halt::Escape) => {
                    if touched.into_iter().flatten().all(may) {
                        dirs.extend(unstage(disk, folders, work)?);
                    }
                    left.push(LeftAlone { path: work.path.clone(), saved: None });
                    continue;
                }
                Err(halt) => return Err(halt),
            };
            scene.done = match reached {
                Reached::Step(done) if at < done => Done::Yes,
                Reached::Step(_) => Done::No,
                Reached::Unknown if waits(disk, folders, undoing.names.moved_before(at, work))? => Done::No,
                Reached::Unknown => Done::Perhaps,
            };
            let undone = scene.undo()?;
            apart::set(shelves, firm, work, undone.as_ref())?;
            left.extend(undone);
            dirs.extend(scene.folders()?);
        }
        if ahead == 0 {
            left.extend(turned::back(self, folders, &mut dirs, &mut undoing)?);
        }
        for folder in intent.gone.iter().chain(&intent.emptied).filter(|folder| may(folder)) {
            dirs.extend(undoing.gone.dress_again(disk, folders, folder)?);
        }
        for (folder, meta) in intent.altered.iter().filter(|(folder, _)| may(folder)) {
            dirs.extend(folders::dress(disk, folders, folder, meta)?);
        }
        firm::folders(disk, &dirs, firm)?;
        Ok(left)
    }
}

/// Removes what was staged for a new file whose own folder cannot be reached, if it is just that. The folder it was in.
fn unstage<D: Disk>(disk: &D, folders: &mut Folders<D>, work: &Work) -> Result<Option<D::Dir>, Halt> {
    let dir = match folders.open(disk, &work.temp_folder) {
        Ok(dir) if work.deed == Deed::Create && work.after.is_some() => dir,
        _ => return Ok(None),
    };
    match content::digest_at(disk, &dir, &work.temp) {
        Ok(found) if found == work.after => disk.remove(&dir, &work.temp).map(|()| Some(dir)),
        _ => Ok(None),
    }
}

/// Does a step wait for a file that was never moved to where it is to be replaced? Then it was not reached.
fn waits<D: Disk>(disk: &D, folders: &mut Folders<D>, moved: Option<&Work>) -> Result<bool, Halt> {
    let Some(moved) = moved else { return Ok(false) };
    let dir = match present(folders.open(disk, &moved.path.parent())) {
        Ok(None) | Err(Halt::Escape) => return Ok(false),
        Ok(Some(dir)) => dir,
        Err(halt) => return Err(halt),
    };
    let found = content::find(disk, &dir, moved.path.name())?;
    Ok(found.is_some_and(|found| found.digest == moved.before))
}

/// One step's names, and what stands under them now.
struct Scene<'a, D: Disk> {
    disk: &'a D,
    shelves: &'a Shelves<'a, D>,
    work: &'a Work,
    firm: Firm,
    /// The folder of the path itself; nothing if it was never made.
    dir: Option<D::Dir>,
    temp_dir: D::Dir,
    to_dir: Option<D::Dir>,
    done: Done,
}

/// Was a step carried out?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Yes,
    No,
    Perhaps,
}

impl<'a, D: Disk> Scene<'a, D> {
    /// Nothing if the folder of the temporary is gone: then nothing of ours is left.
    fn of(
        rollback: &Rollback<'a, D>,
        folders: &mut Folders<D>,
        work: &'a Work,
        names: &Names<'_>,
    ) -> Result<Option<Scene<'a, D>>, Halt> {
        let Rollback { shelves, firm, .. } = *rollback;
        let disk = shelves.disk;
        let Some(temp_dir) = present(folders.open(disk, &work.temp_folder))? else { return Ok(None) };
        let mut open = |folder: RelPath| match folders.open(disk, &folder) {
            // The link that was to make room for the folder is still there.
            Err(Halt::Escape) if names.is_turned(&folder) => Ok(None),
            opened => present(opened),
        };
        let dir = open(work.path.parent())?;
        let to_dir = work.to.as_ref().map_or(Ok(None), |to| open(to.parent()))?;
        let scene = Scene { disk, shelves, work, firm, dir, temp_dir, to_dir, done: Done::Perhaps };
        scene.fold_spare()?;
        Ok(Some(scene))
    }

    fn undo(&self) -> Result<Option<LeftAlone>, Halt> {
        match self.work.deed {
            Deed::Create => self.undo_create(),
            Deed::Replace => self.undo_replace(),
            Deed::Remove => self.undo_remove(),
            Deed::Rename if self.work.via => self.undo_remove(),
            Deed::Rename => self.undo_rename(),
            Deed::Mode => self.undo_mode(),
        }
    }

    fn undo_create(&self) -> Result<Option<LeftAlone>, Halt> {
        if self.disk.stat(&self.temp_dir, &self.work.spare_name())?.is_some() {
            return self.judge_withdrawn();
        }
        let (at, temp) = (self.at_path()?, self.at_temp()?);
        let ours = |found: &Found| found.digest == self.work.after;
        match (at, temp) {
            // Two names of one file: a move without overwriting, done by hand and cut in the middle.
            (Some(at), Some(temp)) if at.stat.id == temp.stat.id && at.stat.links > 1 => {
                self.remove_path()?;
                self.remove_temp()?;
            }
            (_, Some(_)) => self.remove_temp()?,
            // The step was not reached: whatever stands there is somebody else's.
            (_, None) if self.done == Done::No => {}
            (Some(at), None) if ours(&at) => return self.withdraw(),
            (Some(_), None) => return Ok(Some(self.left(None))),
            (None, None) => {}
        }
        Ok(None)
    }

    /// Takes a new file away again; if it turns out to be somebody else's by now, it stays. It goes under a name of its
    /// own meanwhile: whoever comes after a crash must not take it for what was staged.
    fn withdraw(&self) -> Result<Option<LeftAlone>, Halt> {
        self.move_entry(self.path(), At::new(&self.temp_dir, &self.work.spare_name()))?;
        self.judge_withdrawn()
    }

    fn judge_withdrawn(&self) -> Result<Option<LeftAlone>, Halt> {
        let spare = self.work.spare_name();
        if keep::is_one_file(self.disk, self.path(), At::new(&self.temp_dir, &spare))? {
            self.remove_path()?;
        }
        let found = content::find(self.disk, &self.temp_dir, &spare)?;
        if found.is_some_and(|found| found.digest == self.work.after) {
            self.move_entry(At::new(&self.temp_dir, &spare), self.temp())?;
            self.drop_new()?;
            return Ok(None);
        }
        match self.move_entry(At::new(&self.temp_dir, &spare), self.path()) {
            Err(halt) if halt.is_taken() => {
                self.move_entry(At::new(&self.temp_dir, &spare), self.temp())?;
                self.save_temp()
            }
            other => other.map(|()| Some(self.left(None))),
        }
    }

    fn undo_replace(&self) -> Result<Option<LeftAlone>, Halt> {
        self.take_back_kept()?;
        let (path, temp) = (self.at_path()?, self.at_temp()?);
        let Some(path) = path else {
            // Where the step was not reached, what stands under the temporary name is new, and perhaps not whole.
            let fresh = self.done == Done::No && temp.is_some_and(|temp| temp.digest != self.work.before);
            return if fresh { self.remove_temp().map(|()| None) } else { self.save_temp() };
        };
        let Some(temp) = temp else {
            let lost = path.digest == self.work.after && path.digest != self.work.before;
            return Ok(lost.then(|| self.left(None)));
        };
        if path.digest == self.work.after && temp.digest != self.work.after {
            return self.swap_back();
        }
        // A folder still stands where the file is to come: the step was not reached, and what was staged for it and never
        // written to holds nothing that could be lost.
        let unwritten = path.digest.is_none() && temp.stat.size == 0 && temp.digest != self.work.before;
        if path.digest == self.work.before || temp.digest == self.work.after || unwritten {
            self.remove_temp()?;
            return Ok(None);
        }
        self.save_temp()
    }

    /// The displaced file goes from its shelf to the temporary name, from where it can be exchanged.
    fn take_back_kept(&self) -> Result<(), Halt> {
        let Some(keep) = &self.work.keep else { return Ok(()) };
        let shelf = self.shelves.open(keep.shelf)?;
        let Some(kept) = content::find(self.disk, &shelf, &keep.name)? else { return Ok(()) };
        match self.at_temp()? {
            // A whole blob under its content's name may be another's by now, and is right in any case.
            Some(_) if kept.digest.is_some_and(|digest| is_content_name(&keep.name, digest)) => Ok(()),
            // The copy onto another file system was not finished, or the move back was not.
            Some(temp) if temp.digest == self.work.before => keep::discard(self.shelves, keep),
            Some(_) => Ok(()),
            None => keep::take(self.shelves, keep, self.temp(), &self.work.spare_name(), self.firm),
        }
    }

    fn swap_back(&self) -> Result<Option<LeftAlone>, Halt> {
        match self.disk.rename(self.temp(), self.path(), Rename::Exchange) {
            Err(Halt::Unsupported) => {
                self.disk.rename(self.temp(), self.path(), Rename::Replace)?;
                return Ok(None);
            }
            other => other?,
        }
        if self.at_temp()?.is_some_and(|found| found.digest == self.work.after) {
            self.drop_new()?;
            return Ok(None);
        }
        // Somebody saved between the two swaps: theirs is the newest and belongs at the path.
        self.disk.rename(self.temp(), self.path(), Rename::Exchange)?;
        self.save_temp()
    }

    fn undo_remove(&self) -> Result<Option<LeftAlone>, Halt> {
        self.take_back_kept()?;
        let Some(temp) = self.at_temp()? else { return Ok(None) };
        match self.at_path()? {
            None if self.dir.is_some() => {
                self.move_entry(self.temp(), self.path())?;
                Ok(None)
            }
            // Its folder could not be made again.
            None => self.save_temp(),
            Some(at) if at.stat.id == temp.stat.id && at.stat.links > 1 => {
                self.remove_temp()?;
                Ok(None)
            }
            // A link never went, or is back: there is nothing to it but its target.
            Some(at) if at.stat.sort == Sort::Link && at.digest == temp.digest => {
                self.remove_temp()?;
                Ok(None)
            }
            Some(_) => self.save_temp(),
        }
    }

    fn undo_rename(&self) -> Result<Option<LeftAlone>, Halt> {
        let (Some(to), Some(dir)) = (&self.work.to, &self.to_dir) else { return Ok(None) };
        let Some(there) = content::find(self.disk, dir, to.name())? else { return Ok(None) };
        // A rename leaves no temporary behind that would tell ours from somebody else's.
        let ours = match self.done {
            Done::Yes => true,
            Done::No => false,
            Done::Perhaps => there.digest == self.work.before,
        };
        match self.at_path()? {
            None if !ours => Ok((self.done == Done::Perhaps).then(|| self.left(None))),
            // Its folder could not be made again: it stays where it is.
            None if self.dir.is_none() => Ok(Some(self.left(None))),
            None => {
                self.move_entry(At::new(dir, to.name()), self.path())?;
                Ok(None)
            }
            Some(here) if here.stat.id == there.stat.id && here.stat.links > 1 => {
                self.disk.remove(dir, to.name())?;
                Ok(None)
            }
            // Somebody made a file where this one was: theirs stays, and ours has no way back.
            Some(here) if ours && here.digest != self.work.before => Ok(Some(self.left(None))),
            Some(_) => Ok(None),
        }
    }

    /// Saves what stands under the temporary name, and says that the path was left alone.
    fn save_temp(&self) -> Result<Option<LeftAlone>, Halt> {
        let Some(temp) = self.at_temp()? else { return Ok(None) };
        let Some(digest) = temp.digest.filter(|digest| Some(*digest) != self.work.after) else {
            self.remove_temp()?;
            return Ok(None);
        };
        let saved = Keep { shelf: Shelf::Blobs, name: digest.to_string() };
        self.close_temp()?;
        self.shelve(&saved, digest)?;
        Ok(Some(self.left(Some(saved))))
    }

    /// On file systems that cannot exchange, the old file has a spare name for a moment. What is copied
    /// back from a shelf has it until it is whole; then the shelf still has the original.
    fn fold_spare(&self) -> Result<(), Halt> {
        let spare = self.work.spare_name();
        let Some(keep) = &self.work.keep else { return Ok(()) };
        if self.disk.stat(&self.temp_dir, &spare)?.is_none() {
            return Ok(());
        }
        match self.at_temp()? {
            None if !keep::is_there(self.shelves, keep)? => {
                self.move_entry(At::new(&self.temp_dir, &spare), self.temp())
            }
            _ => {
                // The other name may be newer than the last sync, and this one older: it must not go first.
                firm::folders(self.disk, std::slice::from_ref(&self.temp_dir), self.firm)?;
                self.disk.remove(&self.temp_dir, &spare)
            }
        }
    }

    fn folders(&self) -> Result<Vec<D::Dir>, Halt> {
        let mut dirs = vec![self.temp_dir.clone()];
        dirs.extend(self.dir.clone());
        dirs.extend(self.to_dir.clone());
        if let Some(keep) = &self.work.keep {
            dirs.push(self.shelves.open(keep.shelf)?);
        }
        Ok(dirs)
    }

    fn path(&self) -> At<'_, D::Dir> {
        At::new(self.dir.as_ref().unwrap_or(&self.temp_dir), self.work.path.name())
    }

    fn temp(&self) -> At<'_, D::Dir> {
        At::new(&self.temp_dir, &self.work.temp)
    }

    fn at_path(&self) -> Result<Option<Found>, Halt> {
        match &self.dir {
            Some(dir) => content::find(self.disk, dir, self.work.path.name()),
            None => Ok(None),
        }
    }

    fn at_temp(&self) -> Result<Option<Found>, Halt> {
        content::find(self.disk, &self.temp_dir, &self.work.temp)
    }

    fn remove_temp(&self) -> Result<(), Halt> {
        if is_planted(Bug::LitterLeft) {
            return Ok(());
        }
        self.disk.remove(&self.temp_dir, &self.work.temp)
    }

    /// Lets the new file go. After a crash it is kept: nobody is left to write it again. Where it stood under the path it
    /// is kept if that takes no room: another program may have opened it, and write into it still.
    fn drop_new(&self) -> Result<(), Halt> {
        let (Some(digest), true) = (self.work.after, self.done != Done::No) else { return self.remove_temp() };
        // Nobody can have a link open, and the record has its target.
        if self.disk.stat(&self.temp_dir, &self.work.temp)?.is_some_and(|stat| stat.sort == Sort::Link) {
            return self.remove_temp();
        }
        let kept = Keep { shelf: Shelf::Blobs, name: digest.to_string() };
        if self.done == Done::Yes {
            let shelf = self.shelves.open(kept.shelf)?;
            let put = self.close_temp().and_then(|()| self.move_entry(self.temp(), At::new(&shelf, &kept.name)));
            return put.or_else(|_| self.remove_temp());
        }
        self.close_temp()?;
        self.shelve(&kept, digest)
    }

    /// What goes among the blobs is closed to others first, if it is ours to close and has no other name.
    fn close_temp(&self) -> Result<(), Halt> {
        let stat = self.disk.stat(&self.temp_dir, &self.work.temp)?;
        if stat.is_none_or(|stat| stat.sort != Sort::File || stat.links > 1) {
            return Ok(());
        }
        match tidy::close(self.disk, &self.temp_dir, &self.work.temp) {
            Err(halt) if halt.os_kind() == Some(std::io::ErrorKind::PermissionDenied) => Ok(()),
            other => other,
        }
    }

    /// Puts what stands under the temporary name on its shelf. A name that is taken there has the same content, unless
    /// copying it from another file system was cut short: then that is half, and this the only whole one.
    fn shelve(&self, kept: &Keep, digest: Digest) -> Result<(), Halt> {
        match keep::put(self.shelves, self.temp(), kept, self.firm) {
            Err(halt) if halt.is_taken() => {}
            other => return other,
        }
        let shelf = self.shelves.open(kept.shelf)?;
        let there = content::find(self.disk, &shelf, &kept.name)?;
        let (actual, size) = there.map_or((None, 0), |there| (there.digest, there.stat.size));
        if actual == Some(digest) {
            return self.remove_temp();
        }
        // It may also be what a program wrote that still had it open: then it is kept, under its own content's name.
        match actual.filter(|_| size > 0) {
            Some(actual) => keep::set_aside(self.disk, At::new(&shelf, &kept.name), actual)?,
            None => keep::discard(self.shelves, kept)?,
        }
        keep::put(self.shelves, self.temp(), kept, self.firm)
    }

    fn remove_path(&self) -> Result<(), Halt> {
        let At { dir, name } = self.path();
        self.disk.remove(dir, name)
    }

    fn move_entry(&self, from: At<'_, D::Dir>, to: At<'_, D::Dir>) -> Result<(), Halt> {
        keep::shift(self.disk, from, to)
    }
    fn left(&self, saved: Option<Keep>) -> LeftAlone {
        LeftAlone { path: self.work.path.clone(), saved }
    }
}

/// A folder, or nothing where there is none.
fn present<T>(opened: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match opened {
        Ok(found) => Ok(Some(found)),
        Err(halt) if halt.is_missing() => Ok(None),
        Err(halt) if halt.os_kind() == Some(std::io::ErrorKind::NotADirectory) => Ok(None),
        Err(halt) => Err(halt),
    }
}

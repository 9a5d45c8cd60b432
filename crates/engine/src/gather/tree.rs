//! Looking at a folder with everything in it, before it goes or moves as a whole.
//!
//! Promises that no link is followed, that whatever may not be touched is counted and refuses the call, and that names
//! which may not be read are not told.

use super::{Depth, Gather, Links, Look, permit};
use crate::trouble::{Task, halted, unresolved};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{MOST_ENTRIES, Seen};
use patchwright_core::policy::{Access, Denial, Policy};
use patchwright_core::refusal::{Closed, FolderFault, Refusal, Sort, Why};
use patchwright_store::disk::{Disk, Stat};
use patchwright_store::real::{Leaf, Unresolved};

/// At most this many bytes of text are kept of all files together, for their diffs.
const TEXTS: u64 = 1 << 20;
/// At most this many names are told.
const NAMED: usize = 5;

/// A folder and everything in it.
#[derive(Default)]
pub(crate) struct Inside {
    /// Itself and every folder in it, parents first, with their permission bits.
    pub(crate) folders: Vec<(RelPath, u32)>,
    /// Files and links, in the order of a walk.
    pub(crate) files: Vec<RelPath>,
}

/// The place for a folder.
pub(crate) enum Place {
    /// Nothing stands there.
    Free {
        /// The path with links in its folders resolved.
        real: RelPath,
        /// Folders that are not there either, parents first.
        missing: Vec<RelPath>,
    },
    /// This does.
    Taken(Sort),
}

/// Files and links of a folder, and folders in it.
type Entries = (Vec<RelPath>, Vec<(RelPath, Stat)>);

/// What a walk has come to.
#[derive(Default)]
struct Walked {
    inside: Inside,
    looks: Vec<Look>,
    texts: u64,
    closed: Closed,
    /// The file system that everything must lie on.
    device: u64,
}

impl Gather<'_> {
    /// A folder that is to go or move: where it is, and everything in it, each file and link looked at.
    pub(crate) fn see_tree(&mut self, path: &RelPath) -> Result<(RelPath, Inside), Trouble> {
        let resolved = self.resolve(path, Links::Keep).map_err(|why| unresolved(path, why))?;
        let real = resolved.real.clone();
        let Leaf::There(stat) = resolved.leaf else { return Err(Seen::Folder.not_a_file(path).into()) };
        let failed = |halt| halted(Some(path), Task::Read, halt);
        let device = self.disk.device(&resolved.dir).map_err(failed)?;
        self.folders.hold(self.disk, real.parent(), resolved.dir);
        let mut walked = Walked { device, ..Walked::default() };
        self.walk(&mut walked, real.clone(), stat)?;
        if walked.closed.count() > 0 {
            // Where only some names are allowed, this one is told like one that is not there.
            permit(self.policy, path, Access::Read, None)?;
            return Err(Refusal::at(path, Why::Folder(FolderFault::Closed(Box::new(walked.closed)))).into());
        }
        let Walked { inside, looks, .. } = walked;
        self.look_ahead(looks.clone());
        for Look { path, links, depth } in looks {
            self.see_at(&path, links, depth)?;
        }
        Ok((real, inside))
    }

    /// What sort of thing stands at a path that is to be changed, links not followed; nothing if none does or it is
    /// closed, which a proper look tells.
    pub(crate) fn stands(&self, path: &RelPath) -> Option<Sort> {
        if path.is_root() {
            return Some(Sort::Folder);
        }
        let resolved = self.resolve(path, Links::Keep).ok()?;
        let may = |path: &RelPath| self.policy.check_folder(path, Access::Write).is_ok();
        match resolved.leaf {
            Leaf::There(stat) if may(path) && may(&resolved.real) => Some(stat.sort),
            _ => None,
        }
    }

    /// Asks the policy about a folder that is to be made.
    pub(crate) fn permit_folder(&self, path: &RelPath) -> Result<(), Trouble> {
        permit_folder(self.policy, path, Access::Write)
    }

    /// What stands where a folder is to be made. Its folder is held.
    pub(crate) fn see_folder_place(&mut self, path: &RelPath) -> Result<Place, Trouble> {
        permit_folder_change(self.policy, path)?;
        let place = self.folder_place(path);
        if !matches!(place, Ok(Place::Free { .. })) {
            // Where only some names are allowed, what is in the way may be none of them.
            permit(self.policy, path, Access::Read, None)?;
        }
        place
    }

    fn folder_place(&mut self, path: &RelPath) -> Result<Place, Trouble> {
        if let Some(first) = self.leaves_above(path) {
            return Ok(match self.unmade(path, &first)?.seen {
                Seen::Absent { real, missing } => Place::Free { real, missing },
                other => Place::Taken(other.sort().unwrap_or(Sort::Special)),
            });
        }
        match self.resolve(path, Links::Keep) {
            Ok(resolved) => {
                permit_folder_change(self.policy, &resolved.real)?;
                let place = match resolved.leaf {
                    Leaf::There(stat) => Place::Taken(stat.sort),
                    Leaf::Absent | Leaf::Dangling => Place::Free { real: resolved.real.clone(), missing: Vec::new() },
                };
                self.folders.hold(self.disk, resolved.real.parent(), resolved.dir);
                Ok(place)
            }
            Err(Unresolved::NoFolder(first)) => match self.unmade(path, &first)?.seen {
                Seen::Absent { real, missing } => Ok(Place::Free { real, missing }),
                other => Ok(Place::Taken(other.sort().unwrap_or(Sort::Special))),
            },
            Err(other) => Err(unresolved(path, other)),
        }
    }

    fn walk(&self, walked: &mut Walked, top: RelPath, stat: Stat) -> Result<(), Trouble> {
        let mut open = vec![(top, stat)];
        while let Some((folder, stat)) = open.pop() {
            if self.watch.cancelled() {
                return Err(Refusal::plain(Why::Cancelled).into());
            }
            if stat.id.0 != walked.device {
                walked.closed.mounts += 1;
                self.name(&mut walked.closed, &folder);
                continue;
            }
            if self.denied(&mut walked.closed, &folder, Policy::check_folder) {
                continue;
            }
            walked.inside.folders.push((folder.clone(), stat.mode & 0o7777));
            let (files, folders) = self.read_folder(walked, &folder)?;
            walked.inside.files.extend(files);
            // Backwards, since the last one is taken first.
            open.extend(folders.into_iter().rev());
            if walked.inside.files.len() + walked.inside.folders.len() + open.len() > MOST_ENTRIES {
                let most = MOST_ENTRIES;
                let (top, _) = walked.inside.folders.first().cloned().unwrap_or((folder, 0));
                return Err(Refusal::at(&top, Why::Folder(FolderFault::TooMany { most })).into());
            }
            self.watch.progress((walked.inside.files.len() + walked.inside.folders.len()) as u64, None);
        }
        Ok(())
    }

    /// The files and links in a folder, and the folders in it.
    fn read_folder(&self, walked: &mut Walked, folder: &RelPath) -> Result<Entries, Trouble> {
        let failed = |halt| halted(Some(folder), Task::Read, halt);
        let dir = self.disk.folder_straight(folder).map_err(failed)?;
        let (mut names, unaddressable) = dir.all_names().map_err(failed)?;
        walked.closed.unaddressable += unaddressable;
        names.sort_unstable();
        if names.is_empty() && unaddressable == 0 {
            // Nothing in it is asked about, so it is asked about itself.
            self.denied(&mut walked.closed, folder, Policy::check);
        }
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for name in names {
            let Some(path) = folder.join(&name) else {
                walked.closed.unaddressable += 1;
                continue;
            };
            let Some(stat) = self.disk.stat(&dir, &name).map_err(failed)? else { continue };
            match stat.sort {
                Sort::Folder => folders.push((path, stat)),
                Sort::Special => {
                    walked.closed.special += 1;
                    self.name(&mut walked.closed, &path);
                }
                Sort::File | Sort::Link => {
                    if !self.denied(&mut walked.closed, &path, Policy::check) {
                        walked.texts = walked.texts.saturating_add(stat.size);
                        let depth = if walked.texts <= TEXTS { Depth::Hash } else { Depth::Sum };
                        walked.looks.push(Look { path: path.clone(), links: Links::Keep, depth });
                        files.push(path);
                    }
                }
            }
        }
        Ok((files, folders))
    }

    /// Is an entry closed by the policy, or does it hold our own state? Then it is counted.
    fn denied(
        &self,
        closed: &mut Closed,
        path: &RelPath,
        ask: fn(&Policy, &RelPath, Access) -> Result<(), Denial>,
    ) -> bool {
        let may = |access| ask(self.policy, path, access).is_ok();
        if !self.disk.is_state(path) && may(Access::Read) && may(Access::Write) {
            return false;
        }
        closed.denied += 1;
        self.name(closed, path);
        true
    }

    /// Tells a name, if there are not too many yet and it may be read.
    fn name(&self, closed: &mut Closed, path: &RelPath) {
        let readable = !self.disk.is_state(path) && self.policy.check(path, Access::Read).is_ok();
        if readable && closed.named.len() < NAMED && !path.as_str().chars().any(char::is_control) {
            closed.named.push(path.to_string());
        }
    }
}

/// Asks the policy about a folder that holds something.
pub(crate) fn permit_folder(policy: &Policy, path: &RelPath, access: Access) -> Result<(), Trouble> {
    match policy.check_folder(path, access) {
        Ok(()) => Ok(()),
        Err(_) => permit(policy, path, access, None),
    }
}

/// The same for one that is to be changed: it has to be readable too, whether it is there or not.
pub(crate) fn permit_folder_change(policy: &Policy, path: &RelPath) -> Result<(), Trouble> {
    permit_folder(policy, path, Access::Write)?;
    permit_folder(policy, path, Access::Read)
}

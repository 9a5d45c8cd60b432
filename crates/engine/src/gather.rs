//! Looking at the paths a call names: through the guard, past the policy, into a snapshot.

mod tree;

pub(crate) use tree::{Inside, Place, permit_folder, permit_folder_change};

use crate::leaving::Leaving;
use crate::trouble::{Task, halted, unresolved};
use crate::watch::{Quiet, Watch};
use crate::workspace::Workspace;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::{Digest, Trail};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, Snapshot, SnapshotFile};
use patchwright_core::policy::{Access, Denial, Limits, Policy};
use patchwright_core::refusal::{Expected, FolderFault, Missing, Refusal, Sort, Why};
use patchwright_store::content::{self, Whole};
use patchwright_store::crew;
use patchwright_store::disk::{Disk, Halt, Stat};
use patchwright_store::folders::Folders;
use patchwright_store::real::{Dir, Leaf, RealDisk, Resolved, Unresolved};
use std::collections::HashMap;
use std::convert::Infallible;

type File = <RealDisk as Disk>::File;

/// Files up to this size are read for their diff even where only the hash is needed.
const SHOWN: u64 = 1 << 20;

/// Looks at paths for one call, and keeps what it saw.
pub(crate) struct Gather<'a> {
    disk: &'a RealDisk,
    policy: &'a Policy,
    limits: Limits,
    watch: &'a dyn Watch,
    pub(crate) snapshot: Snapshot,
    pub(crate) folders: Folders<RealDisk>,
    /// What the call takes away.
    pub(crate) leaving: Leaving,
    /// What was looked at before it was asked for.
    ahead: HashMap<Look, Result<Sight, Trouble>>,
}

/// A path, and how it is looked at.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Look {
    pub(crate) path: RelPath,
    pub(crate) links: Links,
    pub(crate) depth: Depth,
}

/// What is done about a link in the last name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Links {
    /// The call is about where it leads.
    Follow,
    /// The call is about the link.
    Keep,
}

/// How much of a file the call needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Depth {
    /// All bytes.
    Bytes,
    /// Its hash; the bytes only if they are few.
    Hash,
    /// Its hash alone.
    Sum,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Gather<'a> {
        let Workspace { disk, policy, limits, .. } = workspace;
        let (snapshot, folders, ahead) = (Snapshot::default(), Folders::default(), HashMap::new());
        Gather { disk, policy, limits: *limits, watch: &Quiet, snapshot, folders, leaving: Leaving::default(), ahead }
    }

    /// The same, while somebody watches who may call it off: a long file takes long to hash.
    pub(crate) fn watched(self, watch: &'a dyn Watch) -> Gather<'a> {
        Gather { watch, ..self }
    }

    /// Looks at a path that is to be changed. The path as the workspace knows it.
    pub(crate) fn see(&mut self, given: &str, links: Links, depth: Depth) -> Result<RelPath, Trouble> {
        let path = file_path(self.disk, given)?;
        self.see_at(&path, links, depth)?;
        Ok(path)
    }

    /// Looks at a path of the workspace that is to be changed.
    pub(crate) fn see_at(&mut self, path: &RelPath, links: Links, depth: Depth) -> Result<(), Trouble> {
        let look = Look { path: path.clone(), links, depth };
        // What was in the way then may be leaving by now.
        let stands = |seen: &Result<Sight, Trouble>| matches!(seen, Ok(sight) if sight.seen != Seen::Folder);
        let ahead = self.ahead.remove(&look).filter(|seen| self.leaving.is_empty() || stands(seen));
        let sight = ahead.unwrap_or_else(|| self.look(&look))?;
        if let Some((folder, dir)) = sight.folder {
            self.folders.hold(self.disk, folder, dir);
        }
        if let (Some(file), Some(real)) = (sight.file, sight.seen.real()) {
            self.folders.hold_file(self.disk, real, file);
        }
        if let Some((digest, trail)) = sight.trail {
            self.snapshot.add_trail(digest, trail);
        }
        self.snapshot.add_emptied(sight.emptied);
        self.snapshot.add(path.clone(), sight.seen);
        Ok(())
    }

    /// A path in a folder that the call makes: nothing can be there.
    pub(crate) fn see_in_new_folder(&mut self, path: &RelPath) -> Result<(), Trouble> {
        permit_change(self.policy, path, None)?;
        self.snapshot.add(path.clone(), Seen::Absent { real: path.clone(), missing: Vec::new() });
        Ok(())
    }

    /// What stands where a folder above a path belongs, if it is no folder and stays. A link is none, wherever it leads:
    /// what belongs under its name does not belong there.
    pub(crate) fn blocked(&self, path: &RelPath) -> Option<RelPath> {
        let parent = path.parent();
        if parent.is_root() || self.is_folder(&parent) {
            return None;
        }
        let in_the_way = |above: &RelPath| !matches!(self.stands(above), Some(Sort::Folder) | None);
        path.ancestors().into_iter().find(in_the_way).filter(|above| !self.leaves(above))
    }

    /// Does a folder stand under this very name, with no link on the way?
    pub(crate) fn is_folder(&self, path: &RelPath) -> bool {
        let found = self.resolve(path, Links::Keep).ok();
        found.is_some_and(|found| found.real == *path && found.stat().is_some_and(|stat| stat.sort == Sort::Folder))
    }

    /// Does the call take away what stands at a path?
    pub(crate) fn leaves(&self, path: &RelPath) -> bool {
        self.leaving.has(self.disk, path)
    }

    /// Is nothing left in a folder once the call has taken away what it does, and folders in it go?
    pub(crate) fn empties(&self, folder: &RelPath, goes: &dyn Fn(&RelPath) -> bool) -> bool {
        self.leaving.clears(self.disk, folder, goes)
    }

    /// Looks at many paths at once, on several threads, before they are asked for one by one.
    pub(crate) fn look_ahead(&mut self, looks: Vec<Look>) {
        for look in &looks {
            let parent = look.path.parent();
            if self.folders.held(&parent).is_none()
                && let Ok(dir) = self.disk.folder(&parent)
                && let Some(real) = dir.path().cloned()
            {
                self.folders.hold(self.disk, real, dir);
            }
        }
        let room = self.disk.room_for_files(looks.len());
        let sights = crew::each(&looks, |at, look| {
            let mut sight = self.look(look);
            if let Ok(sight) = &mut sight {
                sight.file = sight.file.take().filter(|_| at < room);
            }
            Ok::<_, Infallible>(sight)
        });
        let Ok(sights) = sights;
        self.ahead.extend(looks.into_iter().zip(sights));
    }

    /// Looks at a path that stays as it is.
    pub(crate) fn peek(&self, path: &RelPath, links: Links, depth: Depth) -> Result<Seen, Trouble> {
        permit(self.policy, path, Access::Read, None)?;
        let absent = |real: &RelPath| Seen::Absent { real: real.clone(), missing: Vec::new() };
        let resolved = match self.resolve(path, links) {
            Ok(resolved) => resolved,
            Err(Unresolved::NoFolder(_)) => return Ok(absent(path)),
            Err(other) => return Err(unresolved(path, other)),
        };
        permit(self.policy, &resolved.real, Access::Read, Some(path))?;
        match resolved.leaf {
            Leaf::There(stat) => Ok(self.describe(path, &resolved, stat, depth)?.seen),
            Leaf::Absent | Leaf::Dangling => Ok(absent(&resolved.real)),
        }
    }

    /// Where a path leads, if that is a file that may be read. Its bytes are not looked at.
    fn leads_to(&self, path: &RelPath) -> Option<RelPath> {
        permit(self.policy, path, Access::Read, None).ok()?;
        let resolved = self.resolve(path, Links::Follow).ok()?;
        permit(self.policy, &resolved.real, Access::Read, Some(path)).ok()?;
        resolved.stat().filter(|stat| stat.sort == Sort::File).map(|_| resolved.real)
    }

    /// The names under which the record knows what a path is about: its own, and where it leads.
    pub(crate) fn names_on_record(&self, path: RelPath) -> Vec<RelPath> {
        let file = self.leads_to(&path).filter(|file| *file != path);
        std::iter::once(path).chain(file).collect()
    }

    /// Where the file at a path really is.
    pub(crate) fn real(&self, path: &RelPath) -> RelPath {
        match self.snapshot.seen(path) {
            Seen::File(SnapshotFile { real, .. }) | Seen::Link { real, .. } | Seen::Absent { real, .. } => real,
            Seen::Folder | Seen::Special => path.clone(),
        }
    }

    fn resolve(&self, path: &RelPath, links: Links) -> Result<Resolved, Unresolved> {
        let held = self.folders.held(&path.parent()).filter(|_| !path.is_root());
        match (links, held) {
            (Links::Follow, Some(dir)) => self.disk.resolve_in(dir, path),
            (Links::Keep, Some(dir)) => self.disk.resolve_no_follow_in(dir, path),
            (Links::Follow, None) => self.disk.resolve(path),
            (Links::Keep, None) => self.disk.resolve_no_follow(path),
        }
    }

    fn look(&self, Look { path, links, depth }: &Look) -> Result<Sight, Trouble> {
        if self.watch.cancelled() {
            return Err(Refusal::plain(Why::Cancelled).into());
        }
        permit_change(self.policy, path, None)?;
        // What is below a name that the call leaves free is not where that name leads now.
        if let Some(first) = self.leaves_above(path).filter(|_| *links == Links::Keep) {
            return self.to_be_made(path, &first);
        }
        let resolved = match self.resolve(path, *links) {
            Ok(resolved) => resolved,
            Err(Unresolved::NoFolder(first)) => return self.to_be_made(path, &first),
            Err(other) => return Err(unresolved(path, other)),
        };
        permit_change(self.policy, &resolved.real, Some(path))?;
        let folder = Some((resolved.real.parent(), resolved.dir.clone()));
        let absent = |real| Sight::from(Seen::Absent { real, missing: Vec::new() });
        match resolved.leaf {
            // Its folder is the link's own, and nothing may be made through it.
            Leaf::Dangling => Ok(absent(resolved.real)),
            Leaf::Absent => Ok(Sight { folder, ..absent(resolved.real) }),
            Leaf::There(stat) => {
                if let (Sort::Folder, Links::Keep) = (stat.sort, links)
                    && !self.leaving.has(self.disk, &resolved.real)
                    && let Some(emptied) = self.leaving.empties(self.disk, &resolved.real)
                {
                    return Ok(Sight { folder, emptied, ..absent(resolved.real) });
                }
                let sight = self.describe(path, &resolved, stat, *depth)?;
                let file = sight.file.filter(|_| *depth == Depth::Bytes);
                Ok(Sight { folder, file, ..sight })
            }
        }
    }

    /// Something that may be made where folders are missing on the way.
    fn to_be_made(&self, path: &RelPath, first: &RelPath) -> Result<Sight, Trouble> {
        let sight = self.unmade(path, first)?;
        permit_change(self.policy, sight.seen.real().unwrap_or(path), Some(path))?;
        Ok(sight)
    }

    /// A folder that is in the way although the call takes something out of it, with what is left in it.
    pub(crate) fn what_is_left(&self, refusal: Refusal) -> Refusal {
        let (Why::AlreadyExists(Sort::Folder), Some(path)) = (&refusal.why, &refusal.path) else { return refusal };
        let real = RelPath::parse(path, &[]).ok().and_then(|path| self.disk.resolve_no_follow(&path).ok());
        let shown = |path: &RelPath| self.policy.check(path, Access::Read).is_ok();
        let left = real.and_then(|at| self.leaving.left_in(self.disk, &at.real, shown));
        match left {
            Some((left, more)) if !left.is_empty() => {
                Refusal { why: Why::Folder(FolderFault::Holds { left, more }), ..refusal }
            }
            _ => refusal,
        }
    }

    /// The first folder above a path whose name the call leaves free: a file, or a link to a folder.
    fn leaves_above(&self, path: &RelPath) -> Option<RelPath> {
        let above = || path.ancestors().into_iter().find(|folder| self.leaving.has(self.disk, folder));
        if self.leaving.is_empty() { None } else { above() }
    }

    /// Nothing there, and folders missing on the way: the first of them and all below.
    fn unmade(&self, path: &RelPath, first: &RelPath) -> Result<Sight, Trouble> {
        let failed = |halt| halted(Some(path), Task::Open, halt);
        let above = self.disk.folder(&first.parent()).map_err(failed)?;
        let there = self.disk.stat(&above, first.name()).map_err(failed)?;
        if there.is_some() && !self.leaving.has(self.disk, first) {
            // A link that leads nowhere: no folder can be made in its place.
            return Err(Refusal::at(first, Why::NotFound(Missing::LinkTarget)).into());
        }
        let base = above.path().cloned().unwrap_or_else(|| first.parent());
        let rebase = |below: &RelPath| {
            let mut names = below.segments().skip(first.parent().segments().count());
            names.try_fold(base.clone(), |at, name| at.join(name))
        };
        let real = rebase(path).unwrap_or_else(|| path.clone());
        let way = path.ancestors().into_iter().filter(|folder| folder.is_within(first));
        let missing: Vec<RelPath> = way.filter_map(|folder| rebase(&folder)).collect();
        Ok(Sight { folder: Some((base, above)), ..Seen::Absent { real, missing }.into() })
    }

    fn describe(&self, path: &RelPath, at: &Resolved, stat: Stat, depth: Depth) -> Result<Sight, Trouble> {
        match stat.sort {
            Sort::Folder => Ok(Seen::Folder.into()),
            Sort::Special => Ok(Seen::Special.into()),
            Sort::Link => {
                let target = self.disk.read_link(&at.dir, &at.name);
                let target = target.map_err(|halt| halted(Some(path), Task::Read, halt))?;
                Ok(Seen::Link { real: at.real.clone(), digest: Digest::of(&target), target }.into())
            }
            Sort::File => self.describe_file(path, at, depth),
        }
    }

    fn describe_file(&self, path: &RelPath, at: &Resolved, depth: Depth) -> Result<Sight, Trouble> {
        let failed = |halt| halted(Some(path), Task::Read, halt);
        let file = self.disk.open_resolved(at).map_err(failed)?;
        let stat = self.disk.stat_file(&file).map_err(failed)?;
        let limit = match depth {
            Depth::Bytes => self.limits.max_file_bytes,
            Depth::Hash => self.limits.max_file_bytes.min(SHOWN),
            Depth::Sum => 0,
        };
        let (bytes, digest, trail) = match content::read_hashed(self.disk, &file, stat.size, limit) {
            Ok(Whole { bytes, digest, trail }) => (Some(Bytes::new(bytes)), digest, trail),
            // Its text is not needed, and no limit shortens what is hashed.
            Err(Halt::TooLarge { .. }) if depth != Depth::Bytes => {
                let hashed = content::hash_unless(self.disk, &file, &|| self.watch.cancelled()).map_err(failed)?;
                (None, hashed.ok_or_else(|| Refusal::plain(Why::Cancelled))?, None)
            }
            Err(halt) => return Err(failed(halt)),
        };
        let size = bytes.as_ref().map_or(stat.size, |bytes| bytes.len() as u64);
        let real = at.real.clone();
        let seen = Seen::File(SnapshotFile { real, bytes, digest, size, mode: stat.mode, id: stat.id });
        Ok(Sight { trail: trail.map(|trail| (digest, trail)), file: Some(file), ..seen.into() })
    }
}

/// What a look showed, and what it left open.
struct Sight {
    seen: Seen,
    /// The folder of what is there, or would be.
    folder: Option<(RelPath, Dir)>,
    /// The file itself, if it is going to be changed.
    file: Option<File>,
    /// A hash, and the way to it.
    trail: Option<(Digest, Trail)>,
    /// Folders that it counts as absent because the call empties them.
    emptied: Vec<RelPath>,
}

impl From<Seen> for Sight {
    fn from(seen: Seen) -> Sight {
        Sight { seen, folder: None, file: None, trail: None, emptied: Vec::new() }
    }
}

/// A caller's spelling of a file as a path of the workspace.
pub(crate) fn file_path(disk: &RealDisk, given: &str) -> Result<RelPath, Trouble> {
    let path = any_path(disk, given)?;
    if given.ends_with('/') {
        return Err(Refusal::argument("path", Expected::FilePath, format!("{given:?}")).into());
    }
    Ok(path)
}

/// A caller's spelling of a file or folder as a path of the workspace.
pub(crate) fn any_path(disk: &RealDisk, given: &str) -> Result<RelPath, Trouble> {
    RelPath::parse(given, &disk.roots()).map_err(|problem| Refusal::about(given, Why::Path(problem)).into())
}

/// Asks the policy. `through` is the path as the caller named it, where links lead on from there.
pub(crate) fn permit(
    policy: &Policy,
    path: &RelPath,
    access: Access,
    through: Option<&RelPath>,
) -> Result<(), Trouble> {
    policy.check(path, access).map_err(|denial| {
        let linked = through.filter(|given| *given != path);
        let through = linked.map(|_| path.to_string());
        Refusal::at(linked.unwrap_or(path), Why::Denied(Denial { through, ..denial })).into()
    })
}

/// Asks the policy about something that is to be changed. It has to be readable too, whether it is there or not: the
/// answer must not tell which.
pub(crate) fn permit_change(policy: &Policy, path: &RelPath, through: Option<&RelPath>) -> Result<(), Trouble> {
    permit(policy, path, Access::Write, through)?;
    permit(policy, path, Access::Read, through)
}

//! What has become of the files of some changes since: the record told again from the first of them on, file by
//! file, through new names, removals and returns; and at its end the disk.

use super::choose::Chosen;
use crate::gather::{Depth, Gather, Links};
use crate::operation::operation;
use crate::past::Past;
use crate::recorded::{pieces, whole};
use crate::refused::Stumble;
use crate::trouble::index as failed_index;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{RawLines, Tape};
use patchwright_core::intent::Kept;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Seen, SnapshotFile};
use patchwright_store::index::Touch;
use patchwright_store::records::{Commit, FileRecord};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Files through time, as far as some changes concern them.
#[derive(Default)]
pub(super) struct World {
    pub(super) files: Vec<Life>,
    /// Which file has which name.
    pub(super) at: BTreeMap<RelPath, usize>,
    /// Which files others took the name of in the commit that is being told, by that name: they move on in it too.
    displaced: HashMap<RelPath, usize>,
    /// Which file a recorded change concerns.
    pub(super) of_change: HashMap<String, usize>,
    /// Every record that was told, by the changes in it.
    pub(super) records: HashMap<String, Rc<Told>>,
    /// Which file went into which trash entry.
    pub(super) buried: HashMap<String, usize>,
    wanted: HashSet<String>,
    /// Which changes of a batch stand, by batch, as far as that was asked.
    pub(super) applied: RefCell<HashMap<String, Rc<HashSet<String>>>>,
    /// The newest batch that is taken back.
    pub(super) batch: Option<String>,
}

/// A record of a file with what is known about its batch.
pub(super) struct Told {
    pub(super) file: FileRecord,
    pub(super) commit: Rc<Commit>,
}

/// One file through time.
pub(super) struct Life {
    pub(super) tape: Tape,
    /// The hash of the version at hand; nothing while it is not there.
    pub(super) digest: Option<Digest>,
    /// The name it has; nothing while it is not there.
    pub(super) place: Option<RelPath>,
    /// The record that left the version at hand, for its bytes.
    pub(super) last: Option<Rc<Told>>,
    /// The trash entry it went into last.
    pub(super) trash: Option<String>,
    /// Its permission bits: those on the disk, or when it went, but for what was taken back.
    pub(super) mode: u32,
    /// Changes of its permission bits alone that were taken back.
    pub(super) undone_bits: Vec<String>,
    /// Were its permission bits taken back?
    pub(super) bits_back: bool,
    /// What that entry holds, if it comes back.
    pub(super) kept: Option<Kept>,
    /// Where it leads, if it is a link that is made anew.
    pub(super) target: Option<Bytes>,
    /// What it is as it comes back, before anything else is taken back.
    pub(super) came_as: Option<Digest>,
    /// Records that changed it, oldest first.
    pub(super) told: Vec<Rc<Told>>,
    /// The file on the disk, when the disk was met.
    pub(super) disk: Option<OnDisk>,
    /// Was it given bytes back that its lines do not account for?
    pub(super) astray: bool,
    /// Is it not known yet how many lines it has?
    pub(super) blank: bool,
    /// After how many of the records somebody else wrote it.
    pub(super) foreign: Vec<usize>,
    /// What it was when it went, by the change that removed it; and before it came back, by the change that brought it.
    pub(super) asleep: HashMap<String, Asleep>,
    /// The batch and the record that were taken back when it got the name it has.
    pub(super) put_by: Option<(String, Rc<Told>)>,
    /// Its bytes, once a change was taken back.
    pub(super) bytes: Option<Bytes>,
    /// Changes of its name or being that were taken back.
    pub(super) undone: Vec<String>,
    /// Changes of its content that were taken back.
    pub(super) undone_lines: Vec<String>,
}

/// A file that is not there, as it would come back.
#[derive(Clone)]
pub(super) struct Asleep {
    pub(super) tape: Tape,
    pub(super) digest: Option<Digest>,
    pub(super) last: Option<Rc<Told>>,
    pub(super) trash: Option<String>,
    pub(super) mode: u32,
    pub(super) blank: bool,
}

/// A file as it was found.
pub(super) struct OnDisk {
    pub(super) path: RelPath,
    pub(super) digest: Digest,
    pub(super) file: Option<SnapshotFile>,
}

impl Past<'_> {
    /// Tells the record again for every file that some changes concern.
    pub(super) fn world(&self, chosen: &[Chosen]) -> Result<World, Stumble> {
        let wanted: HashSet<String> = chosen.iter().flat_map(|batch| batch.changes.iter().cloned()).collect();
        let (commits, paths) = self.since_first(chosen)?;
        let batch = chosen.first().map(|batch| batch.id.clone());
        let mut world = World { wanted, batch, ..World::default() };
        for commit in commits.into_values() {
            let commit = Rc::new(commit);
            world.displaced.clear();
            // Folders are seen to by themselves.
            let told = |file: &&FileRecord| file.folder.is_none() && concerns(file, &paths) && !file.is_idle();
            for file in commit.files.iter().filter(told) {
                let told = Rc::new(Told { file: file.clone(), commit: commit.clone() });
                world.tell(self, &told)?;
            }
        }
        Ok(world)
    }

    /// Every commit since the first of the chosen ones that touches one of their files, under any of its names; and from
    /// further back on, if one of those brings back lines that an earlier one had removed.
    fn since_first(&self, chosen: &[Chosen]) -> Result<(BTreeMap<u64, Commit>, BTreeSet<RelPath>), Stumble> {
        let mut first = chosen.iter().flat_map(|batch| &batch.commits).map(|(seq, _)| *seq).min().unwrap_or(u64::MAX);
        loop {
            let found = self.touching_since(chosen, first)?;
            match self.referred_to(&found)?.filter(|earlier| *earlier < first) {
                Some(earlier) => first = earlier,
                None => return Ok((found.commits, found.paths)),
            }
        }
    }

    /// The earliest commit whose changes some commits take back or bring lines back from.
    fn referred_to(&self, found: &Found) -> Result<Option<u64>, Stumble> {
        let files = || found.commits.values().flat_map(|commit| &commit.files);
        let own: HashSet<&str> = files().flat_map(|file| &file.changes).map(|change| change.id.as_str()).collect();
        let changes = files().filter(|file| concerns(file, &found.paths)).flat_map(|file| &file.changes);
        let named = changes.flat_map(|change| change.undoes.iter().chain(change.restores.iter().map(|back| &back.1)));
        let unknown: HashSet<&str> = named.map(String::as_str).filter(|id| !own.contains(id)).collect();
        let (mut earliest, mut known) = (None, HashSet::new());
        for id in unknown {
            let Some(batch) = self.index.batch_of_change(id).map_err(failed_index)? else { continue };
            // A batch may have very many changes, and is read once.
            if !known.insert(batch.seq) {
                continue;
            }
            let Some(commit) = self.commit_at(batch.place)? else { continue };
            let first = self.whole(batch.seq, commit)?.first().map_or(batch.seq, |(seq, _)| *seq);
            earliest = Some(earliest.map_or(first, |known: u64| known.min(first)));
        }
        Ok(earliest)
    }

    fn touching_since(&self, chosen: &[Chosen], first: u64) -> Result<Found, Stumble> {
        let is_wanted =
            |file: &&FileRecord, batch: &Chosen| file.changes.iter().any(|change| batch.changes.contains(&change.id));
        let mut open: Vec<RelPath> = Vec::new();
        for batch in chosen {
            let files = batch.commits.iter().flat_map(|(_, commit)| &commit.files);
            files.filter(|file| is_wanted(file, batch)).for_each(|file| open.extend(names(file)));
        }
        let mut found = Found::default();
        while let Some(path) = open.pop() {
            if !found.paths.insert(path.clone()) {
                continue;
            }
            for touch in self.index.touching(path.as_str(), first.saturating_sub(1)).map_err(failed_index)? {
                self.take_in(&mut found, touch)?;
            }
            // What went into the trash may have come back under another name.
            for trash in found.buried.remove(&path).unwrap_or_default() {
                if let Some(touch) = self.index.returned(&trash).map_err(failed_index)? {
                    open.extend(self.take_in(&mut found, touch)?);
                }
                open.extend(found.came.remove(&trash));
            }
            open.extend(found.beside.get(&path).into_iter().flatten().cloned());
        }
        Ok(found)
    }

    /// Takes a commit in, unless it is known already. The names under which it brings something back.
    fn take_in(&self, found: &mut Found, touch: Touch) -> Result<Vec<RelPath>, Stumble> {
        if found.commits.contains_key(&touch.seq) {
            return Ok(Vec::new());
        }
        let Some(commit) = self.commit_at(touch.place)? else { return Ok(Vec::new()) };
        for file in &commit.files {
            if let Some(to) = &file.to {
                found.beside.entry(file.path.clone()).or_default().push(to.clone());
                found.beside.entry(to.clone()).or_default().push(file.path.clone());
            }
            if let Some(trash) = &file.trash {
                found.buried.entry(file.path.clone()).or_default().push(trash.clone());
            }
            found.came.extend(file.came.as_ref().map(|trash| (trash.clone(), file.path.clone())));
        }
        let back = commit
            .files
            .iter()
            .filter(|file| operation(file) == Operation::Restore)
            .map(|file| file.path.clone())
            .collect();
        found.commits.insert(touch.seq, commit);
        Ok(back)
    }
}

/// Commits that concern some files, and the names of those.
#[derive(Default)]
struct Found {
    commits: BTreeMap<u64, Commit>,
    paths: BTreeSet<RelPath>,
    /// The other name of each file that was moved, by either of them.
    beside: HashMap<RelPath, Vec<RelPath>>,
    /// The trash entries that hold what was at a name.
    buried: HashMap<RelPath, Vec<String>>,
    /// The name under which something came from a trash entry.
    came: HashMap<String, RelPath>,
}

/// Is a record about a file's lines, not about its name or whether it is there?
pub(super) fn changes_lines(file: &FileRecord) -> bool {
    operation(file) == Operation::Update
}

fn names(file: &FileRecord) -> Vec<RelPath> {
    std::iter::once(&file.path).chain(&file.to).cloned().collect()
}

fn concerns(file: &FileRecord, paths: &BTreeSet<RelPath>) -> bool {
    paths.contains(&file.path) || file.to.as_ref().is_some_and(|to| paths.contains(to))
}

impl World {
    fn tell(&mut self, past: &Past<'_>, told: &Rc<Told>) -> Result<(), Stumble> {
        let file = &told.file;
        let life = match operation(file) {
            Operation::Create | Operation::Restore => self.created(past, told)?,
            Operation::Delete => self.removed(past, told)?,
            Operation::Move => self.renamed(past, told)?,
            Operation::Update if file.before == file.after => self.as_it_was(past, file)?,
            Operation::Update => self.updated(past, told)?,
        };
        for change in &file.changes {
            self.of_change.insert(change.id.clone(), life);
            self.records.insert(change.id.clone(), told.clone());
        }
        if let Some(life) = self.files.get_mut(life) {
            life.told.push(told.clone());
            if operation(file) != Operation::Delete {
                life.digest = file.after;
                life.last = Some(told.clone());
            }
        }
        Ok(())
    }

    fn removed(&mut self, past: &Past<'_>, told: &Rc<Told>) -> Result<usize, Stumble> {
        let file = &told.file;
        let life = self.as_it_was(past, file)?;
        self.at.remove(&file.path);
        if let Some(id) = &file.trash {
            self.buried.insert(id.clone(), life);
        }
        let before_return = self.before_return(life, file);
        if let Some(one) = self.files.get_mut(life) {
            (one.place, one.trash, one.mode) = (None, file.trash.clone(), file.mode);
            one.note_state(file);
            if let Some(asleep) = before_return {
                one.sleep(asleep);
            }
        }
        Ok(life)
    }

    fn renamed(&mut self, past: &Past<'_>, told: &Rc<Told>) -> Result<usize, Stumble> {
        let file = &told.file;
        let life = match self.displaced.remove(&file.path) {
            Some(life) => life,
            None => {
                let life = self.as_it_was(past, file)?;
                self.at.remove(&file.path);
                life
            }
        };
        if let Some(to) = &file.to {
            self.put(life, to.clone());
        }
        Ok(life)
    }

    /// The file of a record that leaves its content alone, with what others wrote before it.
    fn as_it_was(&mut self, past: &Past<'_>, file: &FileRecord) -> Result<usize, Stumble> {
        let life = self.life_at(&file.path, file.before);
        if self.files.get(life).is_some_and(|life| life.digest != file.before) {
            let bytes = past.before_bytes(file)?;
            self.catch_up(past, life, file.before, bytes.as_ref())?;
        }
        Ok(life)
    }

    fn updated(&mut self, past: &Past<'_>, told: &Rc<Told>) -> Result<usize, Stumble> {
        let file = &told.file;
        let known = self.at.get(&file.path).copied();
        let before = past.before_bytes(file)?;
        let lines = before.as_ref().map(|bytes| RawLines::of(bytes).len());
        let life = match known {
            Some(life) => {
                self.catch_up(past, life, file.before, before.as_ref())?;
                life
            }
            None => {
                let tape = Tape::new(lines.unwrap_or(0));
                let life = self.born(tape);
                self.put(life, file.path.clone());
                life
            }
        };
        if let Some(one) = self.files.get_mut(life) {
            if std::mem::take(&mut one.blank) {
                one.tape.forget(lines.unwrap_or(0));
            }
            one.tape.step(&pieces(file));
        }
        Ok(life)
    }

    /// Takes in what others wrote before a version.
    pub(super) fn catch_up(
        &mut self,
        past: &Past<'_>,
        life: usize,
        now: Option<Digest>,
        bytes: Option<&Bytes>,
    ) -> Result<(), Stumble> {
        let Some(life) = self.files.get_mut(life) else { return Ok(()) };
        if life.digest == now {
            return Ok(());
        }
        if std::mem::take(&mut life.blank) {
            life.tape.forget(bytes.map_or(0, |bytes| RawLines::of(bytes).len()));
            life.digest = now;
            return Ok(());
        }
        life.foreign.push(life.told.len());
        let was = match &life.last {
            Some(last) => past.after_bytes(&last.file)?,
            None => None,
        };
        match (was, bytes) {
            (Some(was), Some(bytes)) => life.tape.jump(&RawLines::of(&was), &RawLines::of(bytes)),
            (None, Some(bytes)) => life.tape.forget(RawLines::of(bytes).len()),
            (_, None) => life.tape.forget(0),
        }
        life.digest = now;
        Ok(())
    }

    /// The file of a name; one that nobody told of before is new here.
    fn life_at(&mut self, path: &RelPath, digest: Option<Digest>) -> usize {
        if let Some(life) = self.at.get(path) {
            return *life;
        }
        let life = self.born(Tape::new(0));
        if let Some(one) = self.files.get_mut(life) {
            (one.digest, one.blank) = (digest, true);
        }
        self.put(life, path.clone());
        life
    }

    pub(super) fn put(&mut self, life: usize, path: RelPath) {
        if let Some(one) = self.files.get_mut(life) {
            one.place = Some(path.clone());
        }
        if let Some(other) = self.at.insert(path.clone(), life).filter(|other| *other != life) {
            self.displaced.insert(path, other);
        }
    }

    pub(super) fn born(&mut self, tape: Tape) -> usize {
        self.files.push(Life {
            tape,
            digest: None,
            place: None,
            last: None,
            trash: None,
            mode: 0o644,
            undone_bits: Vec::new(),
            bits_back: false,
            kept: None,
            target: None,
            came_as: None,
            told: Vec::new(),
            disk: None,
            astray: false,
            blank: false,
            foreign: Vec::new(),
            asleep: HashMap::new(),
            put_by: None,
            bytes: None,
            undone: Vec::new(),
            undone_lines: Vec::new(),
        });
        self.files.len() - 1
    }

    /// Looks at the disk: what is there now, and what others have made of it.
    pub(super) fn meet_the_disk(&mut self, past: &Past<'_>, gather: &mut Gather<'_>) -> Result<(), Stumble> {
        for (life, depth) in self.concerned() {
            let Some(path) = self.files.get(life).and_then(|life| life.place.clone()) else { continue };
            gather.see_at(&path, Links::Keep, depth)?;
            let found = match gather.snapshot.seen(&path) {
                Seen::File(file) => Some(OnDisk { path: path.clone(), digest: file.digest, file: Some(file) }),
                Seen::Link { digest, .. } => Some(OnDisk { path: path.clone(), digest, file: None }),
                _ => None,
            };
            let bytes = found.as_ref().and_then(|found| found.file.as_ref()).and_then(|file| file.bytes.clone());
            if let Some(found) = &found {
                self.catch_up(past, life, Some(found.digest), bytes.as_ref())?;
            }
            let Some(one) = self.files.get_mut(life) else { continue };
            if let Some(file) = found.as_ref().and_then(|found| found.file.as_ref()) {
                one.mode = file.mode & 0o7777;
            }
            if found.is_none() {
                (one.place, one.digest, one.trash) = (None, None, None);
                self.at.remove(&path);
            }
            if std::mem::take(&mut one.blank) {
                one.tape.forget(bytes.as_ref().map_or(0, |bytes| RawLines::of(bytes).len()));
            }
            one.tape.mark(bytes.as_ref().map_or(0, |bytes| RawLines::of(bytes).len()));
            one.disk = found;
        }
        Ok(())
    }

    /// The files that are looked at. Text is needed only where lines change: a name, or a file as a whole, may be
    /// larger than what can be edited.
    fn concerned(&self) -> BTreeMap<usize, Depth> {
        let mut lives = BTreeMap::new();
        for id in &self.wanted {
            let (Some(life), Some(told)) = (self.of_change.get(id), self.records.get(id)) else { continue };
            let depth = lives.entry(*life).or_insert(Depth::Hash);
            if changes_lines(&told.file) {
                *depth = Depth::Bytes;
            }
        }
        lives
    }

    /// Lines of a version that a change replaced.
    pub(super) fn replaced_lines(&self, change: &str) -> Option<(&FileRecord, usize)> {
        let told = self.records.get(change)?;
        let record = told.file.changes.iter().find(|one| one.id == change)?;
        Some((&told.file, whole(record.before.0).saturating_sub(1)))
    }
}

//! The history of folders: where each one was and is, and its metadata when it was last removed.
//!
//! The record is replayed for them, as it is for files: a folder keeps its identity as it moves, goes into the trash and
//! comes back. Each call on record that concerns it is a deed, which stands or is taken back; where the folder is follows
//! from the deeds that stand. Whatever the record does not account for was done by another program, and stands.

use super::deeds::{By, Deed, FolderLife, Holds, Standing, Status, all, best, needing, stand, taking, without};
use super::events::Events;
use crate::operation::operation;
use patchwright_core::folder::FolderMeta;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_core::plan::rebased;
use patchwright_store::records::{Commit, FileRecord};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Folders through time, as far as some changes concern them.
#[derive(Default)]
pub(super) struct Lives {
    pub(super) lives: Vec<FolderLife>,
    pub(super) commits: Rc<BTreeMap<u64, Commit>>,
    /// All names that are told of.
    pub(super) names: HashSet<RelPath>,
    /// Which folder has a name, by what the commits made and removed.
    pub(super) at: HashMap<RelPath, usize>,
    /// Which one had it last.
    pub(super) last: HashMap<RelPath, usize>,
    /// Which ones should have it, by the deeds that stand: one that was made in need of a folder may be among them.
    pub(super) should: HashMap<RelPath, BTreeSet<usize>>,
    /// Folders that should not be there by that, and stay for what is in them.
    pub(super) lingers: HashMap<RelPath, usize>,
    pub(super) standing: Standing,
    /// What an undo makes stand or not, by its changes.
    pub(super) effects: HashMap<String, Vec<Holds>>,
    /// The commit that a change is of, where a folder depends on it.
    commit_of: HashMap<String, u64>,
    /// The folders that a commit has a deed on.
    done_to: HashMap<u64, BTreeSet<usize>>,
    /// What is in the trash, by its entry and by the name that it went with; and the name of the entry itself.
    buried: HashMap<String, (RelPath, HashMap<RelPath, usize>)>,
    /// The folder that a record about one with everything in it is about, by its changes.
    pub(super) root: HashMap<String, usize>,
}

impl Lives {
    /// Replays some events.
    pub(super) fn of(Events { commits, names, .. }: Events) -> Lives {
        let commits = Rc::new(commits);
        let mut all = Lives { commits: Rc::clone(&commits), ..Lives::default() };
        for (name, was_there) in names {
            if was_there {
                all.born(Some(name.clone()), &name);
            }
            all.names.insert(name);
        }
        for (seq, commit) in commits.iter() {
            all.tell(*seq, commit);
        }
        all
    }

    fn born(&mut self, first: Option<RelPath>, name: &RelPath) -> usize {
        let life = self.lives.len();
        if first.is_some() {
            self.at.insert(name.clone(), life);
            self.last.insert(name.clone(), life);
            self.should.entry(name.clone()).or_default().insert(life);
        }
        self.lives.push(FolderLife { place: first.clone(), first, ..FolderLife::default() });
        life
    }

    /// Replays a commit.
    fn tell(&mut self, seq: u64, commit: &Commit) {
        let told = |folders: &[RelPath]| -> BTreeSet<RelPath> {
            folders.iter().filter(|folder| self.names.contains(*folder)).cloned().collect()
        };
        let (gone, made) = (told(&commit.gone), told(&commit.folders));
        for folder in gone.iter().filter(|folder| !self.at.contains_key(folder)).cloned().collect::<Vec<_>>() {
            let life = self.born(None, &folder);
            self.act(life, Deed::new(seq, By::Outside, None, Some(folder.clone())));
            self.at.insert(folder, life);
        }
        for (folder, meta) in commit.dress.iter() {
            if let Some(life) = self.at.get(folder).and_then(|life| self.lives.get_mut(*life)) {
                life.look = Some(meta.clone());
            }
        }
        self.note_trash(commit);
        self.lingers.retain(|folder, _| !gone.contains(folder));
        match commit.undoes.is_empty() {
            true => self.tell_done(seq, commit, gone, made),
            false => self.tell_undone(seq, commit, &gone, &made),
        }
    }

    /// Folders that go into the trash with everything in them.
    fn note_trash(&mut self, commit: &Commit) {
        for file in commit.files.iter().filter(|file| operation(file) == Operation::Delete) {
            if let (Some(folder), Some(trash)) = (&file.folder, &file.trash) {
                let known = |(name, _): &(RelPath, u32)| Some((name.clone(), *self.at.get(name)?));
                let inside = folder.folders.iter().filter_map(known).collect();
                self.buried.insert(trash.clone(), (file.path.clone(), inside));
            }
        }
    }

    fn tell_done(&mut self, seq: u64, commit: &Commit, mut gone: BTreeSet<RelPath>, mut made: BTreeSet<RelPath>) {
        self.commit_of.extend(all(commit).into_iter().map(|id| (id, seq)));
        let mut deeds: Vec<(usize, Deed)> = Vec::new();
        for file in commit.files.iter().filter(|file| file.folder.is_some()) {
            deeds.extend(self.tree_deeds(seq, commit, file, &made));
        }
        for (_, deed) in &deeds {
            gone = without(gone, deed.from.as_ref());
            made = without(made, deed.to.as_ref());
        }
        let (mut above, mut below) = (taking(commit, &gone), needing(commit, &made));
        for folder in gone {
            let ids = above.remove(&folder).unwrap_or_else(|| all(commit));
            for life in self.all_at(&folder) {
                let by = By::Any(stand(&ids));
                deeds.push((life, Deed::new(seq, by, Some(folder.clone()), None)));
            }
        }
        for folder in made {
            let by = By::Any(stand(&below.remove(&folder).unwrap_or_else(|| all(commit))));
            let life = self.born(None, &folder);
            deeds.push((life, Deed::new(seq, by, None, Some(folder))));
        }
        for from in deeds.iter().filter_map(|(_, deed)| deed.from.as_ref()) {
            self.at.remove(from);
        }
        let mut put = HashSet::new();
        for (life, deed) in deeds {
            if let Some(to) = deed.to.as_ref().filter(|to| put.insert((*to).clone())) {
                self.put(seq, life, to);
            }
            self.act(life, deed);
        }
    }

    /// What the record of a folder with everything in it did to each of them.
    fn tree_deeds(
        &mut self,
        seq: u64,
        commit: &Commit,
        file: &FileRecord,
        made: &BTreeSet<RelPath>,
    ) -> Vec<(usize, Deed)> {
        let Some(change) = file.changes.first().map(|change| change.id.clone()) else { return Vec::new() };
        let mut deeds = Vec::new();
        for (name, mode) in file.folder.iter().flat_map(|folder| &folder.folders) {
            let (lives, from, to) = if operation(file) == Operation::Restore {
                if !made.contains(name) {
                    continue;
                }
                let life = self.trashed(commit, &file.path, name);
                (vec![life.unwrap_or_else(|| self.born(None, name))], None, Some(name.clone()))
            } else {
                let to = file.to.as_ref().and_then(|to| rebased(name, &file.path, to));
                (self.all_at(name), Some(name.clone()), to)
            };
            if let Some(one) = lives.first().and_then(|life| self.lives.get_mut(*life)) {
                // All that older records tell.
                one.look.get_or_insert_with(|| FolderMeta::of_mode(*mode));
            }
            if *name == file.path {
                self.root.extend(lives.first().map(|life| (change.clone(), *life)));
            }
            for life in lives {
                deeds.push((life, Deed::new(seq, By::Tree(change.clone()), from.clone(), to.clone())));
            }
        }
        deeds
    }

    /// The folder that has a name, and those that should have it beside that one.
    fn all_at(&self, name: &RelPath) -> Vec<usize> {
        let Some(life) = self.at.get(name).copied() else { return Vec::new() };
        let others = self.should.get(name).into_iter().flatten().copied().filter(|other| *other != life);
        std::iter::once(life).chain(others).collect()
    }

    /// The folder that comes back from the trash under a name.
    fn trashed(&self, commit: &Commit, place: &RelPath, name: &RelPath) -> Option<usize> {
        let (root, inside) = self.buried.get(commit.consumed.as_ref()?)?;
        let life = *inside.get(&rebased(name, place, root)?)?;
        self.lives.get(life).filter(|life| life.place.is_none()).map(|_| life)
    }

    /// Puts a folder at a name. Another one that was there by the record has been removed by another program.
    fn put(&mut self, seq: u64, life: usize, name: &RelPath) {
        self.last.insert(name.clone(), life);
        if let Some(other) = self.at.insert(name.clone(), life).filter(|other| *other != life) {
            self.act(other, Deed::new(seq, By::Outside, Some(name.clone()), None));
        }
    }

    fn act(&mut self, life: usize, deed: Deed) {
        self.done_to.entry(deed.seq).or_default().insert(life);
        if let By::Any(holds) | By::While(_, holds) = &deed.by {
            self.depend(life, holds);
        }
        if let Some(one) = self.lives.get_mut(life) {
            one.deeds.push(deed);
        }
        self.settle(life);
    }

    /// Makes the place of a folder depend on the commits of some changes.
    fn depend(&mut self, life: usize, holds: &[Holds]) {
        for seq in holds.iter().filter_map(|(change, _)| self.commit_of.get(change)) {
            self.done_to.entry(*seq).or_default().insert(life);
        }
    }

    /// Recomputes where a folder should be. Returns where it was, and is now.
    fn settle(&mut self, life: usize) -> [Option<RelPath>; 2] {
        let Some(one) = self.lives.get_mut(life) else { return [None, None] };
        let place = one.place(&self.standing);
        let before = std::mem::replace(&mut one.place, place.clone());
        if let Some(there) = before.as_ref().and_then(|name| self.should.get_mut(name)) {
            there.remove(&life);
        }
        if let Some(name) = &place {
            self.should.entry(name.clone()).or_default().insert(life);
        }
        [before, place]
    }

    /// Replays an undo. What it made and removed mostly follows from the changes that stand; what does not is a deed.
    fn tell_undone(&mut self, seq: u64, commit: &Commit, gone: &BTreeSet<RelPath>, made: &BTreeSet<RelPath>) {
        let mut concerned: BTreeSet<RelPath> = self.flip(seq, commit).into_iter().flatten().flatten().collect();
        for folder in gone {
            let Some(life) = self.at.remove(folder) else { continue };
            if self.lives.get(life).is_some_and(|life| life.place.as_ref() == Some(folder)) {
                let by = By::Any(self.effect_of(&all(commit)));
                self.act(life, Deed::new(seq, by, Some(folder.clone()), None));
            }
        }
        let mut below = needing(commit, made);
        for folder in made {
            let should = best(&self.lives, &self.standing, self.should.get(folder));
            let life = match should {
                Some(life) => life,
                None => {
                    let holds = self.effect_of(&below.remove(folder).unwrap_or_else(|| all(commit)));
                    self.revive(seq, folder, holds)
                }
            };
            self.put(seq, life, folder);
        }
        concerned.retain(|name| self.at.contains_key(name) && !made.contains(name));
        for name in concerned {
            let should = best(&self.lives, &self.standing, self.should.get(&name));
            let life = match should.or_else(|| self.lingers.get(&name).copied()) {
                Some(life) => life,
                None => self.linger(&name),
            };
            self.last.insert(name.clone(), life);
            self.at.insert(name, life);
        }
    }

    /// Notes that a folder stays for what is in it: by itself, since the one that it was should be elsewhere or nowhere. Unless
    /// that is what keeps it from going.
    fn linger(&mut self, name: &RelPath) -> usize {
        let nowhere = |life: &usize| self.lives.get(*life).is_some_and(|life| life.place.is_none());
        let left = self.at.get(name).copied().filter(nowhere).map(|life| (life, self.left_inside(life, name)));
        if let Some((life, left)) = left.filter(|(_, left)| !left.is_empty()) {
            self.keep(life, left);
            return life;
        }
        let life = self.born(None, name);
        self.lingers.insert(name.clone(), life);
        life
    }

    /// What was taken back of the removal of a folder: files in it, which keep it from going.
    fn left_inside(&self, life: usize, name: &RelPath) -> Vec<Holds> {
        let newest = self.lives.get(life).and_then(|life| life.newest(&self.standing)).map(|(_, deed)| deed);
        let Some(deed) = newest.filter(|deed| deed.to.is_none()) else { return Vec::new() };
        let files = self.commits.get(&deed.seq).into_iter().flat_map(|commit| &commit.files);
        let inside = files.filter(|file| file.folder.is_none() && file.path.is_within(name));
        let changes = inside.flat_map(|file| &file.changes).map(|change| &change.id);
        changes.filter(|id| self.standing.since(id, deed.seq).is_none()).map(|id| (id.clone(), false)).collect()
    }

    /// Suspends the deed that removed a folder as long as any of these holds.
    fn keep(&mut self, life: usize, holds: Vec<Holds>) {
        self.depend(life, &holds);
        let Some(one) = self.lives.get_mut(life) else { return };
        let Some(seq) = one.newest(&self.standing).map(|(_, deed)| deed.seq) else { return };
        if let Some(deed) = one.deeds.iter_mut().rfind(|deed| deed.seq == seq) {
            deed.unless.extend(holds);
        }
        self.settle(life);
    }

    /// A folder that an undo made, since it was needed, though it should not be there by the deeds that stand. If one was
    /// removed from there, it did not go after all.
    fn revive(&mut self, seq: u64, folder: &RelPath, holds: Vec<Holds>) -> usize {
        let last = self.last.get(folder).copied();
        let newest = last.and_then(|life| self.lives.get(life)?.newest(&self.standing));
        let away = newest.map(|(_, deed)| deed).filter(|deed| deed.from.as_ref() == Some(folder));
        let by = match (last, away) {
            (Some(life), Some(Deed { to: None, .. })) => {
                self.keep(life, holds);
                return life;
            }
            (_, Some(Deed { by: By::Tree(change), .. })) => By::While(change.clone(), holds),
            _ => By::Any(holds),
        };
        let life = self.born(None, folder);
        self.act(life, Deed::new(seq, by, None, Some(folder.clone())));
        life
    }

    /// What some changes of undos made stand or not.
    fn effect_of(&self, undos: &[String]) -> Vec<Holds> {
        undos.iter().filter_map(|id| self.effects.get(id)).flatten().cloned().collect()
    }

    /// Takes in what an undo takes back and does again. Where the folders that this concerns were, and should be.
    fn flip(&mut self, seq: u64, commit: &Commit) -> Vec<[Option<RelPath>; 2]> {
        let mut commits = BTreeSet::new();
        for change in commit.files.iter().flat_map(|file| &file.changes).filter(|change| !change.undoes.is_empty()) {
            let effect = self.effect(&change.undoes);
            for (id, stands) in &effect {
                self.standing.set(id.clone(), Status { stands: *stands, since: seq });
                commits.extend(self.commit_of.get(id));
            }
            self.effects.insert(change.id.clone(), effect);
        }
        let mut lives = BTreeSet::new();
        for seq in commits {
            lives.extend(self.done_to.get(&seq).into_iter().flatten().copied());
        }
        lives.into_iter().map(|life| self.settle(life)).collect()
    }

    /// What becomes of changes as some are taken back: an undo among them does no longer what it did.
    pub(super) fn effect<'c>(&self, undone: impl IntoIterator<Item = &'c String>) -> Vec<Holds> {
        let mut effect = Vec::new();
        for id in undone {
            let again = self.effects.get(id);
            effect.extend(again.into_iter().flatten().map(|(id, stands)| (id.clone(), !stands)));
            if again.is_none() {
                effect.push((id.clone(), false));
            }
        }
        effect
    }
}

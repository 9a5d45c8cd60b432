//! From a `docPath`, a path in lower case, to the one file that it names on a disk that keeps case.
//!
//! Promises that a `docPath` which several files share is refused, and that each folder is listed once a call,
//! through the guard. What the policy closes counts as absent, so that neither its existence nor its spelling is told;
//! the policy then speaks about the `docPath` itself. Leaves looking at the file itself to whoever asked.

mod by_doc_path;

use crate::alike::alike;
use crate::session::Session;
use crate::trouble::{Task, halted};
use patchwright_core::dialect::lines::{lowered, without_root};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Expected, Missing, Refusal, Sort, Why};
use patchwright_store::disk::{Disk, Halt};
use patchwright_store::real::Leaf;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::ErrorKind;

/// The names in a folder, by their lower case.
type Names = HashMap<String, Vec<String>>;

/// Finds files by their `docPath`s, for one call.
pub(crate) struct Docs<'a> {
    session: &'a Session,
    listed: HashMap<RelPath, Names>,
    /// The first folder that could not be gone through.
    blocked: Option<Trouble>,
}

impl<'a> Docs<'a> {
    pub(crate) fn new(session: &'a Session) -> Docs<'a> {
        Docs { session, listed: HashMap::new(), blocked: None }
    }

    /// The file's path as it is really spelt. One that may not be read keeps the spelling of the `docPath`, whether it is
    /// there or not.
    pub(crate) fn find(&mut self, doc_path: &str) -> Result<RelPath, Trouble> {
        match self.there(doc_path)? {
            Some(found) => Ok(found),
            None => self.closed_or_absent(doc_path),
        }
    }

    /// The file of this name; nothing if there is none that may be read.
    fn there(&mut self, doc_path: &str) -> Result<Option<RelPath>, Trouble> {
        self.blocked = None;
        let mut found: Vec<RelPath> = Vec::new();
        for place in self.readings(doc_path)? {
            let more = self.walk(&place).into_iter().filter(|path| !found.contains(path));
            let more: Vec<RelPath> = more.collect();
            found.extend(more);
        }
        match found.as_slice() {
            [] => self.blocked.take().map_or(Ok(None), Err),
            [one] => Ok(Some(one.clone())),
            several => self.choose(doc_path, several).map(Some),
        }
    }

    /// What to say of a name under which nothing is to be seen: if it may not be read, the policy says so.
    fn closed_or_absent(&mut self, doc_path: &str) -> Result<RelPath, Trouble> {
        let places = self.places(doc_path)?;
        let closed = |place: &&RelPath| self.session.workspace.policy.check(place, Access::Read).is_err();
        match places.iter().find(closed) {
            Some(place) => Ok(place.clone()),
            None => Err(self.nowhere(doc_path, &places)),
        }
    }

    /// Where a new file of this name would be, in each folder that is meant. Folders that are not there either keep the
    /// spelling of the `docPath`.
    fn places(&mut self, doc_path: &str) -> Result<Vec<RelPath>, Trouble> {
        let readings = self.readings(doc_path)?;
        let mut places: Vec<RelPath> = Vec::new();
        for reading in &readings {
            let folders = self.folders(&reading.parent());
            places.extend(folders.iter().filter_map(|folder| folder.join(reading.name())));
        }
        places.dedup();
        Ok(if places.is_empty() { readings.into_iter().take(1).collect() } else { places })
    }

    /// The paths that a `docPath` may mean: itself, and without the workspace's own name before it.
    fn readings(&self, doc_path: &str) -> Result<Vec<RelPath>, Trouble> {
        let path = self.parsed(doc_path)?;
        let names = self.root_names();
        let below = names.iter().filter_map(|name| RelPath::parse(without_root(path.as_str(), name)?, &[]).ok());
        Ok(std::iter::once(path.clone()).chain(below).collect())
    }

    fn parsed(&self, doc_path: &str) -> Result<RelPath, Trouble> {
        let roots: Vec<String> = self.session.workspace.disk.roots().into_iter().map(str::to_lowercase).collect();
        let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
        let path = RelPath::parse(doc_path, &roots).map_err(|problem| Refusal::about(doc_path, Why::Path(problem)))?;
        if path.is_root() {
            return Err(Refusal::about(doc_path, Why::NotFound(Missing::IsFolder)).into());
        }
        if doc_path.ends_with('/') {
            return Err(Refusal::argument("docPath", Expected::FilePath, format!("{doc_path:?}")).into());
        }
        Ok(path)
    }

    /// The names that the workspace's folder goes by.
    fn root_names(&self) -> BTreeSet<String> {
        let name = |root: &str| root.rsplit('/').next().map(lowered).filter(|name| !name.is_empty());
        self.session.workspace.disk.roots().into_iter().filter_map(name).collect()
    }

    /// The folders of this name, links followed.
    fn folders(&mut self, path: &RelPath) -> BTreeSet<RelPath> {
        let mut folders = BTreeSet::from([RelPath::root()]);
        for name in path.segments() {
            let below: Vec<RelPath> = folders.iter().flat_map(|folder| self.named(folder, name)).collect();
            folders = below.iter().filter_map(|folder| self.real_folder(folder)).collect();
        }
        folders
    }

    /// Everything of this name that may be read.
    fn walk(&mut self, path: &RelPath) -> Vec<RelPath> {
        let folders = self.folders(&path.parent());
        let mut found: Vec<RelPath> = folders.iter().flat_map(|folder| self.named(folder, path.name())).collect();
        found.retain(|path| self.session.workspace.policy.check(path, Access::Read).is_ok());
        found
    }

    /// Everything in a folder whose name is this in lower case and is not closed.
    fn named(&mut self, folder: &RelPath, lower: &str) -> Vec<RelPath> {
        if !self.listed.contains_key(folder) {
            let names = self.list(folder);
            self.listed.insert(folder.clone(), names);
        }
        let names = self.listed.get(folder).and_then(|names| names.get(&lowered(lower)));
        let open = |path: &RelPath| self.session.workspace.policy.check_folder(path, Access::Read).is_ok();
        names.into_iter().flatten().filter_map(|name| folder.join(name)).filter(open).collect()
    }

    /// The names in a folder. One that may not be listed is in the way: what else has the name cannot be known.
    fn list(&mut self, folder: &RelPath) -> Names {
        let disk = &self.session.workspace.disk;
        let mut names = Names::new();
        match disk.folder(folder).and_then(|dir| disk.names(&dir)) {
            Ok(all) => all.into_iter().for_each(|name| names.entry(lowered(&name)).or_default().push(name)),
            Err(halt) => self.note(folder, halt),
        }
        names.values_mut().for_each(|spellings| spellings.sort());
        names
    }

    /// Where a folder really is; nothing if it is none, or cannot be gone into.
    fn real_folder(&mut self, path: &RelPath) -> Option<RelPath> {
        match self.session.workspace.disk.folder(path) {
            Ok(dir) => dir.path().cloned(),
            Err(halt) => {
                self.note(path, halt);
                None
            }
        }
    }

    fn note(&mut self, path: &RelPath, halt: Halt) {
        let absent = matches!(halt.os_kind(), Some(ErrorKind::NotFound | ErrorKind::NotADirectory));
        if !absent && self.blocked.is_none() {
            self.blocked = Some(halted(Some(path), Task::List, halt));
        }
    }

    /// The one file among several names. Names of one file count once, folders not at all.
    fn choose(&self, doc_path: &str, found: &[RelPath]) -> Result<RelPath, Trouble> {
        let mut files: BTreeMap<RelPath, &RelPath> = BTreeMap::new();
        let mut other = None;
        for path in found {
            match self.leads_to(path) {
                Some(real) if *path == real => drop(files.insert(real, path)),
                Some(real) => drop(files.entry(real).or_insert(path)),
                None => other = other.or(Some(path)),
            }
        }
        let names: Vec<&RelPath> = files.into_values().collect();
        match (names.as_slice(), other) {
            ([one], _) => Ok((*one).clone()),
            ([], Some(one)) => Ok(one.clone()),
            (several, _) => {
                let names = several.iter().map(|path| path.to_string()).collect();
                Err(Refusal::about(doc_path, Why::AmbiguousDoc(names)).into())
            }
        }
    }

    /// Where the file of this name really is; nothing if it is no file.
    fn leads_to(&self, path: &RelPath) -> Option<RelPath> {
        let at = self.session.workspace.disk.resolve(path).ok()?;
        match at.leaf {
            Leaf::There(stat) if stat.sort != Sort::Folder => Some(at.real),
            _ => None,
        }
    }

    fn nowhere(&self, doc_path: &str, places: &[RelPath]) -> Trouble {
        let mut near: Vec<String> = places.iter().flat_map(|place| alike(self.session, place)).collect();
        near.iter_mut().for_each(|path| *path = lowered(path));
        near.dedup();
        near.truncate(3);
        Refusal::about(doc_path, Why::NotFound(Missing::File { alike: near })).into()
    }
}

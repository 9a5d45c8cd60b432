//! From a `docPath`, a path in lower case, to the one file that it names on a disk that keeps case.
//!
//! Promises that a `docPath` which several files share is refused, and that each folder is listed once a call,
//! through the guard. What the policy closes is not counted as a file that shares it. Leaves looking at the
//! file itself to whoever asked.

mod by_doc_path;

use crate::alike::alike;
use crate::trouble::halted;
use crate::workspace::Workspace;
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
    workspace: &'a Workspace,
    listed: HashMap<RelPath, Names>,
    /// The first folder that could not be gone through.
    blocked: Option<Trouble>,
}

/// Where a `docPath` leads.
#[derive(Default)]
struct Way {
    /// The folders that its last name is looked for in, links followed.
    folders: BTreeSet<RelPath>,
    /// Whatever has that name.
    found: Vec<RelPath>,
}

impl<'a> Docs<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Docs<'a> {
        Docs { workspace, listed: HashMap::new(), blocked: None }
    }

    /// The file's path as it is really spelt.
    pub(crate) fn find(&mut self, doc_path: &str) -> Result<RelPath, Trouble> {
        let path = self.parsed(doc_path)?;
        self.blocked = None;
        let mut way = self.walk(&path);
        for name in self.root_names() {
            // Also without the workspace's own name before it.
            let below = without_root(path.as_str(), &name).and_then(|rest| RelPath::parse(rest, &[]).ok());
            let more = below.map(|below| self.walk(&below)).unwrap_or_default();
            way.folders.extend(more.folders);
            way.found.extend(more.found.into_iter().filter(|path| !way.found.contains(path)).collect::<Vec<_>>());
        }
        match way.found.as_slice() {
            [] => Err(self.blocked.take().unwrap_or_else(|| self.nowhere(doc_path, &path, &way))),
            [one] => Ok(one.clone()),
            several => self.choose(doc_path, several),
        }
    }

    fn parsed(&self, doc_path: &str) -> Result<RelPath, Trouble> {
        let roots: Vec<String> = self.workspace.disk.roots().into_iter().map(str::to_lowercase).collect();
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
        self.workspace.disk.roots().into_iter().filter_map(name).collect()
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

    fn walk(&mut self, path: &RelPath) -> Way {
        let folders = self.folders(&path.parent());
        let found = folders.iter().flat_map(|folder| self.named(folder, path.name())).collect();
        Way { folders, found }
    }

    /// Everything in a folder whose name is this in lower case.
    fn named(&mut self, folder: &RelPath, lower: &str) -> Vec<RelPath> {
        if !self.listed.contains_key(folder) {
            let names = self.list(folder);
            self.listed.insert(folder.clone(), names);
        }
        let names = self.listed.get(folder).and_then(|names| names.get(&lowered(lower)));
        names.into_iter().flatten().filter_map(|name| folder.join(name)).collect()
    }

    /// The names in a folder. One that may not be listed is in the way: what else has the name cannot be known.
    fn list(&mut self, folder: &RelPath) -> Names {
        let disk = &self.workspace.disk;
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
        match self.workspace.disk.folder(path) {
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
            self.blocked = Some(halted(Some(path), "list", halt));
        }
    }

    /// The one file among several names. Names of one file count once, folders and what is closed not at all.
    fn choose(&self, doc_path: &str, found: &[RelPath]) -> Result<RelPath, Trouble> {
        let mut files: BTreeMap<RelPath, &RelPath> = BTreeMap::new();
        let mut other = None;
        for path in found {
            let open = self.workspace.policy.check(path, Access::Read).is_ok();
            match self.leads_to(path).filter(|_| open) {
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
        let at = self.workspace.disk.resolve(path).ok()?;
        match at.leaf {
            Leaf::There(stat) if stat.sort != Sort::Folder => Some(at.real),
            _ => None,
        }
    }

    fn nowhere(&self, doc_path: &str, path: &RelPath, way: &Way) -> Trouble {
        let beside = way.folders.iter().filter_map(|folder| folder.join(path.name()));
        let mut near: Vec<String> = beside.flat_map(|path| alike(self.workspace, &path)).collect();
        near.iter_mut().for_each(|path| *path = lowered(path));
        near.dedup();
        near.truncate(3);
        Refusal::about(doc_path, Why::NotFound(Missing::File { alike: near })).into()
    }
}

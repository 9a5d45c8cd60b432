//! A workspace in a temporary folder: files in, patches applied and taken back, files out.

use patchwright_engine::core::intent::Parents;
use patchwright_engine::core::outcome::{Answer, Operation, Patched, PatchedFile, Trouble};
use patchwright_engine::core::tool::{ApplyPatch, RestoreFile};
use patchwright_engine::{Durability, Options, Quiet, Session};
use patchwright_testkit::home;
use patchwright_testkit::reference::Files;
use patchwright_testkit::tree::{self, Item};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files by path.
pub(crate) type Tree = BTreeMap<String, Held>;

/// A file as it must stand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) bytes: Vec<u8>,
    /// Nothing for a new file: then it must not be executable.
    pub(crate) mode: Option<u32>,
}

pub(crate) struct Bench {
    root: tempfile::TempDir,
    workspace: Session,
}

impl Bench {
    pub(crate) fn with(files: &Tree) -> Bench {
        let root = tempfile::tempdir().unwrap();
        let mut tree = tree::Tree::default();
        for (path, file) in files {
            let item = Item::File { bytes: file.bytes.clone(), mode: file.mode.unwrap_or(0o644) };
            tree.items.insert(path.clone(), item);
        }
        tree.write(root.path()).unwrap();
        let options = Options { durability: Durability::None, home: home::at(), ..Options::default() };
        let workspace = Session::open(root.path(), options).unwrap();
        Bench { root, workspace }
    }

    pub(crate) fn apply(&self, text: &str, parents: Parents) -> Result<Patched, Trouble> {
        let ask = ApplyPatch { parents, ..ApplyPatch::new(text) };
        match self.workspace.apply_patch(&ask, &Quiet).map_err(|failed| failed.trouble)?.answer {
            Answer::Patched(patched) => Ok(patched),
            other => panic!("{other:?}"),
        }
    }

    /// Everything, folders too.
    pub(crate) fn tree(&self) -> tree::Tree {
        tree::Tree::read(self.root.path()).unwrap()
    }

    pub(crate) fn files(&self) -> Files {
        let file = |(path, item): (String, Item)| match item {
            Item::File { bytes, .. } => Some((path, bytes)),
            _ => None,
        };
        self.tree().items.into_iter().filter_map(file).collect()
    }

    /// Files and their modes must be these; empty folders may be left.
    pub(crate) fn check(&self, wanted: &Tree, about: &str) {
        let found = self.tree();
        let bytes: Files = wanted.iter().map(|(path, file)| (path.clone(), file.bytes.clone())).collect();
        assert_eq!(self.files(), bytes, "{about}");
        for (path, file) in wanted {
            let Some(Item::File { mode, .. }) = found.items.get(path) else { panic!("{path}") };
            assert_eq!(file.mode.unwrap_or(mode & 0o666), *mode, "{path}\n{about}");
        }
    }

    /// Takes a patch back by what was kept of the files before.
    pub(crate) fn take_back(&self, patched: &Patched) {
        for file in patched.files.iter().rev() {
            let now = self.root.path().join(file.to.as_deref().unwrap_or(&file.path));
            match file.operation {
                Operation::Create => fs::remove_file(now).unwrap(),
                Operation::Delete => {
                    let id = file.trash.clone().unwrap();
                    self.workspace.restore_file(&RestoreFile::new(id), &Quiet).unwrap();
                }
                _ => {
                    self.rewind(&now, file);
                    fs::rename(now, self.root.path().join(&file.path)).unwrap();
                }
            }
        }
    }

    fn rewind(&self, place: &Path, file: &PatchedFile) {
        if file.before == file.after {
            return;
        }
        let hash = file.before.unwrap().to_string();
        let blobs = fs::read_dir(home::record(self.root.path()).join("blobs")).unwrap();
        let mut names = blobs.map(|blob| blob.unwrap().path());
        let kept = names.find(|path| path.file_name().unwrap().to_string_lossy().starts_with(&hash));
        fs::write(place, fs::read(kept.unwrap()).unwrap()).unwrap();
    }
}

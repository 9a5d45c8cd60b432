//! Setting a fake disk up before a run, and looking at it afterwards. None of this counts as a verb.

use super::world::{Kind, ROOT, STATE_NAME, World};
use super::{Actor, FakeDisk, Switches, pending::Ino};
use patchwright_core::folder::FolderMeta;
use std::collections::BTreeMap;

/// What names of staged files have in them.
pub const TEMPORARY: &str = ".apply-patch.tmp";

/// Something in a tree, ready to be compared.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    /// A file: its bytes and permission bits.
    File {
        /// The bytes.
        bytes: Vec<u8>,
        /// The permission bits.
        mode: u32,
    },
    /// A folder.
    Folder,
    /// A link and its target.
    Link(Vec<u8>),
    /// Anything else.
    Special,
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Node::File { bytes, mode } => {
                write!(f, "file {mode:o} {:?}", String::from_utf8_lossy(bytes))
            }
            Node::Folder => f.write_str("folder"),
            Node::Link(target) => write!(f, "link to {:?}", String::from_utf8_lossy(target)),
            Node::Special => f.write_str("special"),
        }
    }
}

impl FakeDisk {
    /// Changes the tree by hand, and makes the result durable.
    pub fn set_up<T>(&self, with: impl FnOnce(&mut Actor<'_>) -> T) -> T {
        let mut inner = self.lock();
        let mut actor = Actor::new(&mut inner.world);
        let made = with(&mut actor);
        actor.sync_everything();
        made
    }

    /// What this file system is like.
    pub fn switches(&self) -> Switches {
        self.lock().world.switches
    }

    /// Writes a durable file, and the folders above it.
    pub fn write(&self, path: &str, bytes: &[u8]) {
        self.set_up(|actor| actor.save_in_place(path, bytes));
    }

    /// The bytes under a path now.
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        Actor::new(&mut self.lock().world).read(path)
    }

    /// The whole workspace without the state folder.
    pub fn tree(&self) -> BTreeMap<String, Node> {
        let mut tree = self.lock().world.walk(ROOT);
        tree.retain(|path, _| path != STATE_NAME && !path.starts_with(".patchwright/"));
        tree
    }

    /// What the folders of the workspace are like, the state folder left out.
    pub fn folder_metas(&self) -> BTreeMap<String, FolderMeta> {
        let folders = self.tree().into_iter().filter(|(_, node)| *node == Node::Folder);
        let inner = self.lock();
        let meta = |path: &str| {
            let ino = inner.world.resolve(path).ok()?;
            inner.world.inode(ino).ok().map(|inode| inode.dress.meta())
        };
        folders.filter_map(|(path, _)| Some((path.clone(), meta(&path)?))).collect()
    }

    /// What is in the state folder, by path below it.
    pub fn state_tree(&self) -> BTreeMap<String, Node> {
        let world = &self.lock().world;
        let root = world.state_root().ok().flatten();
        root.map(|root| world.walk(root)).unwrap_or_default()
    }

    /// Files of the workspace that are, as one and the same file, in the state folder too.
    pub fn ties(&self) -> Vec<String> {
        let world = &self.lock().world;
        let Some(state) = world.state_root().ok().flatten() else { return Vec::new() };
        let kept = world.files(state, None);
        let own = world.files(ROOT, Some(state));
        own.into_iter().filter(|(ino, _)| kept.contains_key(ino)).map(|(_, path)| path).collect()
    }

    /// Temporaries that somebody left behind, in the workspace or in the state folder.
    pub fn litter(&self) -> Vec<String> {
        let all = self.tree().into_keys().chain(self.state_tree().into_keys());
        all.filter(|path| path.contains(TEMPORARY)).collect()
    }
}

impl World {
    /// The regular files below a folder, each with one of its paths; one folder is passed over.
    fn files(&self, root: Ino, but: Option<Ino>) -> BTreeMap<Ino, String> {
        let mut files = BTreeMap::new();
        let mut open = vec![(String::new(), root)];
        while let Some((above, dir)) = open.pop() {
            for (name, ino) in self.entries(dir).map(|entries| entries.live.clone()).unwrap_or_default() {
                let path = format!("{above}/{name}");
                match self.inodes.get(&ino).map(|inode| &inode.kind) {
                    Some(Kind::Folder(_)) if Some(ino) != but => open.push((path, ino)),
                    Some(Kind::File(_)) => drop(files.insert(ino, path)),
                    _ => {}
                }
            }
        }
        files
    }

    fn walk(&self, root: Ino) -> BTreeMap<String, Node> {
        let mut tree = BTreeMap::new();
        let mut open = vec![(String::new(), root)];
        while let Some((above, dir)) = open.pop() {
            for (name, ino) in self.entries(dir).map(|entries| entries.live.clone()).unwrap_or_default() {
                let path = if above.is_empty() { name } else { format!("{above}/{name}") };
                let Some(inode) = self.inodes.get(&ino) else {
                    continue;
                };
                let node = match &inode.kind {
                    Kind::File(content) => Node::File { bytes: content.live().to_vec(), mode: inode.dress.mode },
                    Kind::Link(target) => Node::Link(target.clone()),
                    Kind::Special => Node::Special,
                    Kind::Folder(_) => Node::Folder,
                };
                if node == Node::Folder {
                    open.push((path.clone(), ino));
                }
                tree.insert(path, node);
            }
        }
        tree
    }
}
